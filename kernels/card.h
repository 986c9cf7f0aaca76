/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The emulated card behind XRT's shim interface. Its parts: hal.c (XRT's functions), memory.c
 * (buffer objects), image.c (what is loaded), compute.c (compute units and their commands), wire.c
 * (channels), bridge.c (channels over sockets).
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

/* A buffer object: its host side and its place in the card's memory. */
struct buffer {
	bool used, owned;	/* owned: host is ours to free */
	uint64_t serial;	/* tells a buffer from a later one with the same handle */
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
	uint32_t registers[];	/* copied: the host may free its buffer */
};

struct card;

struct compute_unit {
	struct card *card;
	char name[64];		/* "send_0" */
	char kernel[64];	/* "send" */
	uint64_t base;
	kernel_fn *run;		/* NULL: not in the image */
	bool by_itself;		/* control none: takes no commands, has registers */
	bool owned;		/* of one by_itself: there is an exclusive context */
	unsigned bank;		/* of memory, which its pointers reach */
	pthread_t thread;
	bool started, lost;	/* lost: the thread would not stop, and is not waited for again */
	pthread_cond_t wake;
	struct command *queue, *running;
	unsigned pending;	/* commands not yet done */
	double elapsed_s;	/* of the last run; NAN */
	double ended_s;		/* when that was over; 0: none was */
	struct unit unit;
	sigjmp_buf abandon;
};

struct bridge;

/* One way of a channel. */
struct wire {
	struct ring *ring;
	bool borrowed;		/* a loop's receiving end: the ring is the transmitting end's */
};

struct card {
	struct card *next;
	unsigned index;
	bool open;
	void *xrt[2];		/* XRT's own object for this card, and its count of references */
	pthread_mutex_t lock;	/* all below, but for what is set while nothing runs */
	pthread_cond_t done;
	unsigned unreported;	/* completions that xclExecWait has not told */
	stop_flag stop;

	unsigned char *memory;
	uint64_t memory_size;
	unsigned banks;		/* equal parts of memory, by the image; 0: no image yet */
	struct buffer *buffers;
	size_t nbuffers;
	uint64_t serial;

	void *image;		/* dlopen's handle; NULL: none, or no kernels of ours */
	int image_fd;		/* its file */
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

/* The open card of this number, NULL if there is none. */
struct card *card_find(unsigned index);

/* Card memory. Both return 0 or -ENOMEM; close frees the buffers as well. */
int memory_open(struct card *c);
void memory_close(struct card *c);

/* Where a bank of memory begins. */
uint64_t memory_bank(const struct card *c, unsigned bank);

/* The buffer of a handle, NULL if there is none. Under the lock. */
struct buffer *memory_buffer(struct card *c, xclBufferHandle handle);

/*
 * Takes over an image: compute units, kernels. Returns 0 or a negative errno, then with no image.
 */
int image_load(struct card *c, const struct axlf *axlf);

/*
 * Stops and frees everything of the image; what still runs is abandoned. False if a kernel would
 * not stop.
 */
bool image_unload(struct card *c);

/* Threads of the compute units. start returns 0 or a negative errno. */
int compute_start(struct card *c);
bool compute_stop(struct card *c);

/*
 * A command for one of the units that mask (words words) names. 0 or a negative errno. Under the
 * lock.
 */
int compute_submit(struct card *c, const uint32_t *mask, unsigned words, struct command *cmd);

/* True if a command is queued or running. Under the lock. */
bool compute_busy(struct card *c);

/* Card-internal channels for the loaded image; and no wires at all. */
int wires_open(struct card *c);
void wires_close(struct card *c);

/* Whether all channels of a pair lead somewhere, both ways. Under the lock. */
bool wires_whole(const struct card *c, unsigned pair);

/* Wakes all who sleep at the card's channels, because of stop. */
void wires_rouse(struct card *c);

/* Carries a channel's two rings over a socket, of which it takes a duplicate. NULL and errno. */
struct bridge *bridge_open(int fd, struct ring *transmit, struct ring *receive, uint32_t width);

/* Waits a little until what is in the ring is sent, and ends it; NULL is allowed. */
void bridge_close(struct bridge *b);

#endif
