/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A compute unit of the emulated card, and what the two parts of the emulator agree on: the image,
 * a shared object with the kernels, and the shim, which runs them.
 */
#ifndef NETBENCH_UNIT_H
#define NETBENCH_UNIT_H

#include <string.h>

#include "kernels.h"
#include "ring.h"

/* Grows when a struct below or in ring.h changes; an image for another one is refused. */
#define UNIT_ABI 3

struct unit;

/* What the shim does for a kernel. */
struct unit_calls {
	/* Does not return if the card is stopped: the kernel is abandoned there. */
	void (*wait_room)(struct unit *u, struct port *p);
	void (*wait_chunks)(struct unit *u, struct port *p);
	/* Sees what a reading port has by now, without waiting. */
	void (*look)(struct port *p);
	void (*show_written)(struct port *p);
	void (*show_read)(struct port *p);
	/* Memory [address, address + len) of the card; abandons the kernel if there is none. */
	void *(*memory)(struct unit *u, uint64_t address, uint64_t len);
};

struct unit {
	const struct unit_calls *calls;
	const uint32_t *registers;	/* as the command has them, from REGISTERS_START on */
	size_t nregisters;		/* words */
	unsigned pair, pairs;
	struct port lanes[KERNELS_MAX_LANES];	/* of send and link cores: written, of recv: read */
	struct port back;		/* of a link core, which has no lane but 0: read */
	struct port credit;		/* of send: read, of recv: written */
	double now_s;			/* the model's time, since the start of the kernel */
	double cycle_s;			/* of the kernel's clock; 0: kernels take no time */
	bool looping, stores;		/* a loop runs; it, or the last one, has a store */
	double stored_s;		/* when the last loop that had one is through with it */
};

/*
 * The model of a kernel's own time: cycles by reading, of which kernels/README.md has the reasons.
 * An iteration begins a cycle after the one before. The next loop begins when a loop's last
 * iteration is through, but for its store, whether it does one or not: that holds up what is
 * written to a channel behind the loop, and the end of the kernel.
 */
#define CYCLES_ENTER 2		/* until a loop's first iteration begins */
#define CYCLES_CHANNEL 3	/* a loop's depth: from its begin to its last use of channels */
#define CYCLES_MEMORY 64	/* an access to the card's memory */
#define CYCLES_CREDIT 2		/* through the channel of credits */

/*
 * What an image exports under this name, and "netbench_kernel_" + name, a kernel_fn, for each
 * kernel.
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
 * What an image exports if it has compute units that run by themselves (control none), or link
 * cores: what the host reads of unit `number` of them, of a core between launches. wired: all
 * channels of that pair lead somewhere, both ways. cycle_s: as in struct unit.
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

/* Never true, for a loop that is done once. */
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

/* Stores a chunk, if it is one to be kept. */
static inline void unit_keep(struct unit *u, void *to, const void *chunk, size_t width)
{
	u->stores = true;
	if (to)
		memcpy(to, chunk, width);
}

#endif
