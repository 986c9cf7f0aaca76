/* SPDX-License-Identifier: Apache-2.0 */
/* A card's memory, the arguments of its kernels, and waiting for them. */
#ifndef NETBENCH_BACKENDS_FPGA_CARD_H
#define NETBENCH_BACKENDS_FPGA_CARD_H

#include "backends/fpga/fpga.h"

void *fpga_alloc(struct endpoint *ep, size_t len);
void fpga_release(struct endpoint *ep, void *buf);

/* Gets len bytes, rounded up to pages, zeroed on the host. False after reporting why not. */
bool fpga_memory(struct fpga *f, size_t len, struct fpga_buffer *b);

/* The buffer of memory that alloc returned; the spare one for NULL; NULL for other memory. */
struct fpga_buffer *fpga_buffer(struct fpga *f, const void *mem);

/* Sets a kernel's arguments from its stages. ST_OK or ST_FAILED. */
int fpga_set(struct fpga *f, struct fpga_unit *u, bool sends, uint32_t iterations);

/* The bytes of an image, to be freed, and how many; NULL if they cannot be read. */
void *fpga_read_image(const char *path, size_t *len);

/* A function of a library that is loaded at run time, and where a struct keeps it. */
struct fpga_function {
	const char *name;
	size_t at;
};

/* Finds n functions for the struct `to`. NULL, or the name of the first that is not there. */
const char *fpga_find_functions(void *library, const struct fpga_function *list, size_t n,
				void *to);

/*
 * Drivers write to stdout, which has the results, and to stderr, which has our messages. From
 * fpga_hush to fpga_speak their output is caught. `why` gets its last line; it may be NULL.
 */
struct fpga_hushed {
	int out, err, words;
};
struct fpga_hushed fpga_hush(void);
void fpga_speak(struct fpga_hushed h, char *why, size_t len);

/* Copies the first len bytes to the card or from it. False after reporting that it failed. */
bool fpga_copy(struct fpga *f, struct fpga_buffer *b, bool to_card, size_t len);

/* Reports that a kernel "does not start" or "has failed". ST_FAILED. */
int fpga_failed(const struct fpga *f, const struct fpga_unit *u, const char *how);

/*
 * Waits for a kernel. Reports it if it has failed. If it does not end in time, reports another
 * kernel of the round that has failed, else this one with the hint. ST_OK or ST_FAILED.
 */
int fpga_await(struct fpga *f, struct fpga_unit *u, double seconds, const char *hint);

#endif
