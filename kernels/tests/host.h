/* SPDX-License-Identifier: Apache-2.0 */
/* A host program's access to an emulated card by XRT's C API, for tests. */
#ifndef NETBENCH_FPGA_TEST_HOST_H
#define NETBENCH_FPGA_TEST_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xrt/xrt_bo.h>
#include <xrt/xrt_device.h>
#include <xrt/xrt_kernel.h>

#include "emulate.h"
#include "kernels.h"

/* States of a run (ert.h), as XRT's waiting functions return them. */
enum { RUNNING = 3, DONE = 4, FAILED = 5, TIMED_OUT = 8 };

struct host {
	unsigned index;
	const struct netbench_emulator *emulator;
	xrtDeviceHandle card;
	xuid_t image;
};

/*
 * The arguments of a stage of send or recv. For recv, first and step are unused; for send, the
 * buffer is. The last message of send is made like the others.
 */
struct stage {
	uint32_t size, count, flags;
	uint64_t first, step;
	xrtBufferHandle buffer;
};

struct program {
	const char *kernel;	/* KERNEL_SEND, KERNEL_RECV */
	unsigned pair;
	uint32_t iterations;
	struct stage stages[STAGES];
};

/* A program that was started. */
struct started {
	xrtKernelHandle kernel;
	xrtRunHandle run;
};

double now_s(void);

/* Loads the shim once. Exits with 77 if there is none. */
const struct netbench_emulator *host_emulator(void);

/* Opens a card with an image of the build or of the tests. Aborts the test if it cannot. */
struct host host_open(unsigned index, const char *image);
void host_close(struct host *h);

/* Wires each channel to itself. */
void host_loop_back(const struct host *h, unsigned channels);

/* Makes a buffer of the card. Its len bytes are `fill`, in the host and on the card. */
xrtBufferHandle host_buffer(const struct host *h, size_t len, int fill);

/* Fetches the bytes of a buffer from the card. */
const unsigned char *host_fetch(xrtBufferHandle buffer, size_t len);

/* host_prepare opens the kernel and sets its arguments, host_go starts it, host_start does both. */
struct started host_prepare(const struct host *h, const struct program *p);
void host_go(struct started *s);
struct started host_start(const struct host *h, const struct program *p);

/* Waits up to 20 s for a run. Returns its state. */
int host_finish(struct started *s);

/*
 * Returns the index of the first byte that differs from a message made on the card; len if none
 * differs.
 */
size_t host_compare(const unsigned char *bytes, size_t len, uint64_t first);

#endif
