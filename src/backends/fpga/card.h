/* SPDX-License-Identifier: Apache-2.0 */
/* Handles a card's memory, sets the arguments of its kernels, and waits for them. */
#ifndef NETBENCH_BACKENDS_FPGA_CARD_H
#define NETBENCH_BACKENDS_FPGA_CARD_H

#include "backends/fpga/fpga.h"

void *fpga_alloc(struct endpoint *ep, size_t len);
void fpga_release(struct endpoint *ep, void *buf);

/*
 * Allocates a buffer of len bytes, rounded up to whole pages. The host's copy is zeroed. Returns
 * false after reporting the reason.
 */
bool fpga_get_memory(struct fpga *f, size_t len, struct fpga_buffer *b);

/*
 * Returns the buffer whose host memory starts at `mem`, a pointer that hook alloc returned. Returns
 * the spare buffer if mem is NULL. Returns NULL if no buffer starts at `mem`.
 */
struct fpga_buffer *fpga_find_buffer(struct fpga *f, const void *mem);

/* Sets a kernel's arguments from its stages. Returns ST_OK or ST_FAILED. */
int fpga_set_arguments(struct fpga *f, struct fpga_unit *u, bool sends, uint32_t iterations);

/*
 * Reads an image file. Returns its content, which the caller frees, and stores its number of bytes
 * in *len. Returns NULL if the file cannot be read.
 */
void *fpga_read_image(const char *path, size_t *len);

/*
 * A function of a library that is loaded at run time, and where to store its address: an offset in
 * a struct.
 */
struct fpga_function {
	const char *name;
	size_t at;
};

/*
 * Stores the addresses of n functions of a library in the struct `to`. Returns NULL, or the name of
 * the first missing function.
 */
const char *fpga_find_functions(void *library, const struct fpga_function *list, size_t n,
				void *to);

/*
 * Drivers write to stdout, which carries the results, and to stderr, which carries netbench's
 * messages. fpga_catch_output redirects both, so that the drivers' output is caught.
 * fpga_release_output restores both, and stores the final line caught in `why`, which may be NULL.
 */
struct fpga_caught {
	int out, err, words;
};
struct fpga_caught fpga_catch_output(void);
void fpga_release_output(struct fpga_caught h, char *why, size_t len);

/*
 * Copies the first len bytes of a buffer to the card or from the card. Returns false after
 * reporting a failure.
 */
bool fpga_copy(struct fpga *f, struct fpga_buffer *b, bool to_card, size_t len);

/*
 * Reports the fault of a kernel. `how` describes the fault: "does not start" or "has failed".
 * Returns ST_FAILED.
 */
int fpga_report_kernel(const struct fpga *f, const struct fpga_unit *u, const char *how);

/*
 * Waits for a kernel, and reports a failure. If the kernel does not end within `seconds`, reports
 * another kernel of the round that has failed. If no other kernel has failed, reports this kernel
 * with the hint. Returns ST_OK or ST_FAILED.
 */
int fpga_await_kernel(struct fpga *f, struct fpga_unit *u, double seconds, const char *hint);

#endif
