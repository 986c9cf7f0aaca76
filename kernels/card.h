/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The emulated card, which implements XRT's shim interface:
 * hal.c has XRT's functions,
 * memory.c buffer objects,
 * image.c the loaded image,
 * compute.c compute units and their commands,
 * wire.c channels,
 * bridge.c channels over sockets.
 */
#ifndef NETBENCH_CARD_H
#define NETBENCH_CARD_H

#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include <xrt.h>
#include <xclbin.h>

#include "ring.h"
#include "rtl/registers.h"
#include "unit.h"

/* A buffer object: its memory in the host and its place in the card's memory. */
struct buffer {
	bool used, owned;	/* owned: the shim frees `host` */
	uint64_t serial;	/* distinguishes a buffer from a later one with the same handle */
	void *host;
	size_t size;
	uint64_t address;	/* in card memory; unused for command buffers */
	unsigned flags;
};

struct command {
	struct command *next;
	xclBufferHandle buffer;
	uint64_t serial;
	double submitted_s;	/* CLOCK_MONOTONIC */
	size_t nregisters;
	uint32_t registers[];	/* copies, because the host may free its buffer */
};

struct card;

struct compute_unit {
	struct card *card;
	char name[64];		/* "send_0" */
	char kernel[64];	/* "send" */
	uint64_t base;
	kernel_fn *run;		/* NULL: not in the image */
	bool by_itself;		/* has control none: takes no commands, but has registers */
	bool owned;		/* if by_itself: a host holds an exclusive context */
	unsigned bank;		/* the bank of memory that its pointers reach */
	pthread_t thread;
	bool started, lost;	/* lost: the thread did not stop, and is not waited for again */
	pthread_cond_t wake;
	struct command *queue, *running;
	unsigned pending;	/* commands not yet done */
	double elapsed_s;	/* model time of the last run; NAN: none */
	double ended_s;		/* when the last run ended; 0: there was none */
	struct unit unit;
	sigjmp_buf abandon;
};

struct bridge;

/* One direction of a channel. */
struct wire {
	struct ring *ring;
	bool borrowed;	/* the receiving end of a loop; the transmitting end owns the ring */
};

struct card {
	struct card *next;
	unsigned index;
	bool open;
	void *xrt[2];	/* a shared pointer: XRT's object for this card, and its reference count */
	/* protects all below, except members that are set while nothing runs */
	pthread_mutex_t lock;
	pthread_cond_t done;
	unsigned unreported;	/* completions that xclExecWait has not reported */
	stop_flag stop;

	unsigned char *memory;
	uint64_t memory_size;
	unsigned banks;	/* number of equal parts of memory, from the image; 0: no image yet */
	struct buffer *buffers;
	size_t nbuffers;
	uint64_t serial;

	void *image;		/* dlopen's handle; NULL: no image, or one without these kernels */
	int image_fd;		/* the file of the image */
	const struct image_info *info;
	register_fn *read_register;	/* NULL: not in the image */
	struct compute_unit *units;
	size_t nunits;
	unsigned pairs;

	struct wire transmit[KERNELS_MAX_CHANNELS], receive[KERNELS_MAX_CHANNELS];
	struct bridge *bridges[KERNELS_MAX_CHANNELS];
	struct ring *credits[KERNELS_MAX_PAIRS];
	bool paced;
	double period_s, latency_s, cycle_s, launch_s;
};

/* Returns the open card of this number; NULL: there is none. */
struct card *card_find(unsigned index);

/*
 * Allocate and free the card's memory. memory_open returns 0 or -ENOMEM. memory_close also frees
 * the buffers.
 */
int memory_open(struct card *c);
void memory_close(struct card *c);

/* Returns the address at which a bank of memory begins. */
uint64_t memory_bank(const struct card *c, unsigned bank);

/* Returns the buffer of a handle; NULL: there is none. Call it under the lock. */
struct buffer *memory_buffer(struct card *c, xclBufferHandle handle);

/*
 * Loads the compute units and kernels of an image. Returns 0 or a negative errno; after an error
 * there is no image.
 */
int image_load(struct card *c, const struct axlf *axlf);

/*
 * Stops and frees everything of the image, and abandons commands that still run. False if a kernel
 * does not stop.
 */
bool image_unload(struct card *c);

/*
 * Start and stop the threads of the compute units. compute_start returns 0 or a negative errno,
 * compute_stop false if a kernel does not stop.
 */
int compute_start(struct card *c);
bool compute_stop(struct card *c);

/*
 * Queues a command for the least busy of the units in `mask`, which has `words` words. Returns 0 or
 * a negative errno. Call it under the lock.
 */
int compute_submit(struct card *c, const uint32_t *mask, unsigned words, struct command *cmd);

/* True if a command is queued or running. Call it under the lock. */
bool compute_busy(struct card *c);

/*
 * wires_open makes the card-internal channels of the loaded image, and no wires between cards.
 * wires_close frees all channels.
 */
int wires_open(struct card *c);
void wires_close(struct card *c);

/* True if all channels of a pair are wired in both directions. Call it under the lock. */
bool wires_whole(const struct card *c, unsigned pair);

/* Wakes all threads that sleep at the card's channels, so that they see `stop`. */
void wires_rouse(struct card *c);

/*
 * Carries the two rings of a channel over a duplicate of a socket. Returns NULL and sets errno on
 * an error.
 */
struct bridge *bridge_open(int fd, struct ring *transmit, struct ring *receive, uint32_t width);

/* Waits a short time until the ring is sent, then ends the bridge. NULL is allowed. */
void bridge_close(struct bridge *b);

#endif
