/* SPDX-License-Identifier: Apache-2.0 */
/* Handles a card's memory, sets the arguments of its kernels, and waits for them. */
#ifndef NETBENCH_BACKENDS_FPGA_CARD_H
#define NETBENCH_BACKENDS_FPGA_CARD_H

#include "backends/fpga/fpga.h"

void *fpga_alloc(struct endpoint *ep, size_t len);
void fpga_release(struct endpoint *ep, void *buf);

/*
 * Allocates len bytes, rounded up to pages, zeroed on the host. Returns false after reporting the
 * reason.
 */
bool fpga_get_memory(struct fpga *f, size_t len, struct fpga_buffer *b);

/*
 * Returns the buffer whose memory is `mem`, as returned by alloc. Returns the spare buffer for
 * NULL, and NULL for other memory.
 */
struct fpga_buffer *fpga_find_buffer(struct fpga *f, const void *mem);

/* Sets a kernel's arguments from its stages. Returns ST_OK or ST_FAILED. */
int fpga_set_arguments(struct fpga *f, struct fpga_unit *u, bool sends, uint32_t iterations);

/*
 * Reads an image. Returns its bytes, which the caller frees, and their number. Returns NULL if they
 * cannot be read.
 */
void *fpga_read_image(const char *path, size_t *len);

/* A function of a library that is loaded at run time, and the offset of its pointer in a struct. */
struct fpga_function {
	const char *name;
	size_t at;
};

/*
 * Stores pointers to n functions in the struct `to`. Returns NULL, or the name of the first missing
 * function.
 */
const char *fpga_find_functions(void *library, const struct fpga_function *list, size_t n,
				void *to);

/*
 * Drivers write to stdout, which carries the results, and to stderr, which carries netbench's
 * messages. fpga_catch_output starts to catch their output, and fpga_release_output ends that.
 * `why` gets the last line caught; it may be NULL.
 */
struct fpga_caught {
	int out, err, words;
};
struct fpga_caught fpga_catch_output(void);
void fpga_release_output(struct fpga_caught h, char *why, size_t len);

/* Copies the first len bytes to the card or from it. Returns false after reporting a failure. */
bool fpga_copy(struct fpga *f, struct fpga_buffer *b, bool to_card, size_t len);

/* Reports that a kernel "does not start" or "has failed". Returns ST_FAILED. */
int fpga_report_kernel(const struct fpga *f, const struct fpga_unit *u, const char *how);

/*
 * Waits for a kernel, and reports a failure. If the kernel does not end in time, reports another
 * kernel of the round that has failed. If none has failed, reports this kernel with the hint.
 * Returns ST_OK or ST_FAILED.
 */
int fpga_await_kernel(struct fpga *f, struct fpga_unit *u, double seconds, const char *hint);

#endif
