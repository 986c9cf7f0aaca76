/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of backend `fpga` share: fpga.c makes kernels' arguments of rounds and runs them, fpga_open.c opens card
 * and image, fpga_wire.c knows which card is wired to which, and joins emulated cards.
 */
#ifndef NETBENCH_FPGA_H
#define NETBENCH_FPGA_H

#include <experimental/xrt_ini.h>
#include <xrt/xrt_bo.h>
#include <xrt/xrt_device.h>
#include <xrt/xrt_kernel.h>

#include "backend.h"
#include "job/local.h"
#include "kernels.h"
#include "model/channel.h"

struct netbench_emulator;

enum fpga_emulate { EMULATE_OFF, EMULATE_FAST, EMULATE_TIMED };


extern struct fpga_opts {
	const char *device, *xclbin, *wiring, *cables, *board;
	uint64_t emulate;
	double kernel_timeout;
} fpga_opts;
extern const struct opt fpga_options[];

/* Longest list of cables. */
#define FPGA_CABLES 512

/* A cable joins a pair of kernels of one rank's card with one of another's, or of its own: all lanes, both ways. */
struct cable {
	int rank[2];
	uint32_t pair[2];
};

struct cables {
	struct cable list[FPGA_CABLES];
	int n;
};

/* What a kernel is told of a stage. */
struct fpga_stage {
	uint32_t size, count, flags;
	void *buf;			/* of alloc; NULL: none */
};

/* A kernel of the card. */
struct fpga_unit {
	xrtKernelHandle kernel;
	xrtRunHandle run;
	char name[32];			/* "send_0" */
	struct fpga_stage stages[STAGES];	/* of the round that is armed */
	bool used;
};

/* Memory that is here and on the card. */
struct fpga_buffer {
	xrtBufferHandle bo;
	char *mem;
	size_t len;
};

#define FPGA_BUFFERS 64

struct fpga {
	struct endpoint ep;
	const struct netbench_emulator *emulator;	/* NULL: a card */
	unsigned index;			/* of the card */
	char device[64], image[256];
	xrtDeviceHandle dev;
	xuid_t uuid;
	uint32_t width, lanes, pairs;
	struct fpga_unit send[KERNELS_MAX_PAIRS], recv[KERNELS_MAX_PAIRS];
	struct fpga_buffer bufs[FPGA_BUFFERS], spare;	/* spare: for arguments that mean nothing */
	int nbufs;
	int right, left;		/* pair that faces the neighbour; -1: none does */
	struct board board;		/* with EMULATE_TIMED */
	double launch_s;		/* start to finish of a kernel that does nothing, median */
	const char *wired;		/* how cables were found to be */
};

static inline struct fpga *fpga_of(struct endpoint *ep)
{
	return (struct fpga *)ep;
}

/* ---- fpga.c ---- */

extern const struct backend backend_fpga;

/* Sets a kernel's arguments from its stages. ST_OK or ST_FAILED. */
int fpga_set(struct fpga *f, struct fpga_unit *u, bool sends, uint32_t iterations);

/* Waits until a kernel that was started has ended, at most `seconds`. Whether it has. */
bool fpga_wait(const struct fpga_unit *u, double seconds);

/* ---- fpga_open.c ---- */

int fpga_probe(char *why, size_t len);
int fpga_check(int nranks);
int fpga_open(struct endpoint **ep, struct job *job, size_t heap);
void fpga_close(struct endpoint *ep);
void *fpga_alloc(struct endpoint *ep, size_t len);
void fpga_release(struct endpoint *ep, void *buf);
void fpga_describe(struct endpoint *ep, describe_fn put, void *arg);

/* The card's buffer that memory of alloc belongs to; the spare one for NULL. */
struct fpga_buffer *fpga_buffer(struct fpga *f, const void *mem);

/* ---- fpga_wire.c ---- */

/*
 * Reads a wiring: "ring" (pair 1 of each rank faces pair 0 of the next), "loopback" (of each rank itself), or a file with a
 * cable a line, "rank pair rank pair", for so many ranks. ST_OK or ST_USAGE.
 */
int fpga_read_cables(const char *option, const char *text, int nranks, struct cables *c);

/* Finds which pairs face the neighbours, joins the channels of emulated cards. Collective. ST_OK or an exit status. */
int fpga_wire(struct fpga *f);

/* Sends each neighbour a message over each cable that is to be there, and names those that are not. Collective. */
int fpga_test_links(struct fpga *f);

#endif
