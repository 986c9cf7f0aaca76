/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A compute unit of the emulated card, and the interface between the two parts of the emulator: the
 * image, a shared object with the kernels, and the shim, which runs them.
 */
#ifndef NETBENCH_UNIT_H
#define NETBENCH_UNIT_H

#include <string.h>

#include "kernels.h"
#include "ring.h"

/*
 * Increases when a struct below or in ring.h changes. The shim refuses an image with another value.
 */
#define UNIT_ABI 3

struct unit;

/* The functions that the shim provides to a kernel. */
struct unit_calls {
	/*
	 * Wait for room or for chunks. If the card is stopped, they do not return: the kernel is
	 * abandoned.
	 */
	void (*wait_room)(struct unit *u, struct port *p);
	void (*wait_chunks)(struct unit *u, struct port *p);
	/* Updates the limit of a reading port, without waiting. */
	void (*look)(struct port *p);
	void (*show_written)(struct port *p);
	void (*show_read)(struct port *p);
	/*
	 * Returns the card's memory [address, address + len). Abandons the kernel if there is none.
	 */
	void *(*memory)(struct unit *u, uint64_t address, uint64_t len);
};

struct unit {
	const struct unit_calls *calls;
	const uint32_t *registers;	/* registers of the command, from REGISTERS_START on */
	size_t nregisters;		/* words */
	unsigned pair, pairs;
	/* send and link cores write them, recv reads them */
	struct port lanes[KERNELS_MAX_LANES];
	/* only of a link core, which has lane 0 alone; it reads this port */
	struct port back;
	struct port credit;		/* send reads it, recv writes it */
	double now_s;			/* model time since the start of the kernel */
	double cycle_s;			/* cycle of the kernel's clock; 0: kernels take no time */
	bool looping, stores;		/* a loop runs; stores: it or the last loop has a store */
	double stored_s;		/* when the last store of a loop is done */
};

/*
 * The model of a kernel's own time. The cycles come from reading the code; kernels/README.md has
 * the reasons. An iteration begins one cycle after the previous one. The next loop begins when the
 * last iteration of a loop is done except for its store, even if it does not store. The store
 * delays a write to a channel after the loop, and the end of the kernel.
 */
#define CYCLES_ENTER 2		/* until a loop's first iteration begins */
#define CYCLES_CHANNEL 3	/* a loop's depth: from its beginning to its last use of channels */
#define CYCLES_MEMORY 64	/* an access to the card's memory */
#define CYCLES_CREDIT 2		/* to pass through the channel of credits */

/*
 * An image exports this struct image_info, and for each kernel a kernel_fn named "netbench_kernel_"
 * + name.
 */
#define IMAGE_SYMBOL "netbench_image"
#define KERNEL_PREFIX "netbench_kernel_"

struct image_info {
	uint32_t abi;		/* UNIT_ABI */
	uint32_t version;	/* KERNELS_VERSION */
	uint32_t width, lanes;	/* bytes; channels of a pair */
};

typedef void kernel_fn(struct unit *u);

/*
 * An image exports this function if it has compute units that run without commands (control none),
 * or link cores. It returns a register of unit `number`; a core is read only between launches.
 * wired: all channels of that pair are wired in both directions. cycle_s: as in struct unit.
 */
#define REGISTER_SYMBOL "netbench_register"

typedef uint32_t register_fn(unsigned number, bool wired, uint32_t offset, double cycle_s);

static inline bool unit_enter(struct unit *u)
{
	u->now_s += CYCLES_ENTER * u->cycle_s;
	u->looping = true;
	u->stores = false;
	return true;
}

static inline void unit_iterate(struct unit *u)
{
	u->now_s += u->cycle_s;
}

/* Ends a loop of the model. Always false, so that the loop around it runs once. */
static inline bool unit_leave(struct unit *u)
{
	u->now_s += CYCLES_CHANNEL * u->cycle_s;
	u->looping = false;
	if (u->stores)
		u->stored_s = u->now_s + CYCLES_MEMORY * u->cycle_s;
	return false;
}

static inline void unit_write(struct unit *u, struct port *p, const void *chunk, size_t width,
			      bool last)
{
	double at = u->looping || u->now_s > u->stored_s ? u->now_s : u->stored_s;
	double leaves = at + CYCLES_CHANNEL * u->cycle_s;

	if (p->at == p->limit)
		u->calls->wait_room(u, p);
	memcpy(port_chunk(p), chunk, width);
	if (p->at == p->message)
		p->begin_s = p->free_s > leaves ? p->free_s : leaves;
	if (last) {
		double ends = p->begin_s + (p->at + 1 - p->message) * p->period_s;

		p->free_s = ends > leaves + p->period_s ? ends : leaves + p->period_s;
		p->message = p->at + 1;
		*port_stamp(p) = p->free_s + p->latency_s;
	}
	p->at++;
	if (last || p->at - p->shown >= RING_BATCH)
		u->calls->show_written(p);
}

static inline void unit_read(struct unit *u, struct port *p, void *chunk, size_t width, bool last)
{
	if (p->at == p->limit)
		u->calls->wait_chunks(u, p);
	memcpy(chunk, port_chunk(p), width);
	if (last && *port_stamp(p) > u->now_s)
		u->now_s = *port_stamp(p);
	p->at++;
	if (p->at - p->shown >= RING_CHUNKS / 4)
		u->calls->show_read(p);
}

/* Stores a chunk if `to` is not NULL. */
static inline void unit_keep(struct unit *u, void *to, const void *chunk, size_t width)
{
	u->stores = true;
	if (to)
		memcpy(to, chunk, width);
}

#endif
