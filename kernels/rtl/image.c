/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The core made by Verilator, as an image of the emulated card: one core for each pair. A launch
 * simulates its cycles as fast as this machine can. The results are the core's own counts, the same
 * in each run.
 *
 * The two cores of a line run in different threads or processes. Chunks in the ring between them
 * carry a stamp: the cycle in which the beat arrives. Both cores count cycles from the start of the
 * launch, which they begin at the same time. A negative stamp carries a promise instead of a beat:
 * no beat arrives before its cycle. NO_MORE ends the launch. A core simulates a cycle when it knows
 * what arrives in it. So it may run ahead of the other core by the latency of a beat.
 *
 * Between launches only the register `now` changes; it then counts the host's time.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "core.h"
#include "line.h"
#include "registers.h"
#include "unit.h"

#define NO_MORE (-INFINITY)
#define LOOK_EVERY 64	/* number of cycles between two checks whether the launch has ended */

/* The clock of the image if the host names none, and the faults of images for tests. */
#ifndef IMAGE_CLOCK_HZ
#define IMAGE_CLOCK_HZ 300e6
#endif
#ifndef CLOCK_ERROR
#define CLOCK_ERROR 1.0		/* factor on the clock */
#endif
#ifndef IS_LOST
#define IS_LOST(pair, number) false	/* true for each sent beat that the line loses */
#endif
#ifndef IS_FLIPPED
#define IS_FLIPPED(pair, number) false
#endif
#ifndef JITTER
#define JITTER(pair, number) 0	/* cycles by which the line delays each sent beat */
#endif

/* A beat taken out of the ring. */
struct coming {
	uint64_t at;
	unsigned char beat[CORE_WIDTH];
};

/* A core, and the state of its line. */
struct station {
	pthread_mutex_t lock;		/* held by a launch or by the reading of a register */
	struct core *core;
	struct line line;
	uint64_t cycle;			/* current cycle of the launch */
	uint64_t promised;	/* this core sends no further beat that arrives before this cycle */
	uint64_t sent;			/* beats */
	uint64_t arrived;		/* cycle in which the latest sent beat arrives */

	struct coming *queue;	/* beats that arrive later: a ring of `room`, a power of two */
	size_t head, tail, room;
	double quiet_until;		/* no further beat arrives before this cycle */
	int behind;	/* launches that this core has ended, but the other core has not */

	double idle_since_s;		/* CLOCK_MONOTONIC */
	double skipped;			/* cycles between launches, which are not simulated */
	uint64_t now;			/* the register `now` when its low half was read */
};

static struct station stations[KERNELS_MAX_PAIRS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static double host_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void make_cores(void)
{
	for (int i = 0; i < KERNELS_MAX_PAIRS; i++) {
		pthread_mutex_init(&stations[i].lock, NULL);
		stations[i].core = core_new();
		stations[i].idle_since_s = host_s();
	}
}

/* ---- the receiving ring ---- */

static void enqueue(struct station *s, double at, const void *beat)
{
	if (s->tail - s->head == s->room) {
		size_t room = s->room ? 2 * s->room : 1024;
		struct coming *more = malloc(room * sizeof(*more));

		if (!more)
			abort();
		for (size_t i = s->head; i < s->tail; i++)
			more[i % room] = s->queue[i % s->room];
		free(s->queue);
		s->queue = more;
		s->room = room;
	}
	s->queue[s->tail % s->room].at = (uint64_t)at;
	memcpy(s->queue[s->tail++ % s->room].beat, beat, CORE_WIDTH);
}

/*
 * Empties the receiving ring into the queue. Beats of launches that this core has ended are kept
 * for its next launch.
 */
static void receive_chunks(struct station *s, struct unit *u)
{
	struct port *p = &u->back;

	while (p->at != p->limit) {
		double stamp = *port_stamp(p);

		if (stamp >= 0)
			enqueue(s, s->behind > 0 ? 0 : stamp, port_chunk(p));
		else if (stamp == NO_MORE && s->behind > 0)
			s->behind--;
		else if (s->behind <= 0)
			s->quiet_until = -stamp;
		p->at++;
		if (stamp == NO_MORE && s->behind <= 0 && s->quiet_until == INFINITY)
			break;	/* the rest belongs to the next launch */
	}
	if (p->shown != p->at)
		u->calls->show_read(p);
}

/* ---- the transmitting ring ---- */

static void put_chunk(struct station *s, struct unit *u, double stamp, const void *beat)
{
	struct port *p = &u->lanes[0];

	if (p->at == p->limit) {
		if (u->back.ring)
			u->calls->look(&u->back);
		receive_chunks(s, u);	/* otherwise both cores could wait for each other */
		u->calls->wait_room(u, p);
	}
	if (beat)
		memcpy(port_chunk(p), beat, CORE_WIDTH);
	*port_stamp(p) = stamp;
	p->at++;
	if (p->at - p->shown >= RING_BATCH)
		u->calls->show_written(p);
}

/*
 * Promises no beat for as long as the line's latency allows, and shows the other core all chunks. A
 * core that has ended its launch awaits no promise, and would not make room for one.
 */
static void make_promise(struct station *s, struct unit *u)
{
	uint64_t until = s->cycle + line_least(&s->line);

	if (until > s->promised && s->quiet_until != INFINITY) {
		put_chunk(s, u, -(double)until, NULL);
		s->promised = until;
	}
	if (u->lanes[0].shown != u->lanes[0].at)
		u->calls->show_written(&u->lanes[0]);
}

/* ---- cycles ---- */

/*
 * Waits until it is known what arrives in this cycle. Returns the beat offered to the core, or
 * NULL.
 */
static const void *await_beat(struct station *s, struct unit *u)
{
	const struct coming *first;

	while (s->head == s->tail && s->quiet_until <= (double)s->cycle) {
		if (u->back.at == u->back.limit)
			u->calls->look(&u->back);
		if (u->back.at == u->back.limit) {
			make_promise(s, u);
			u->calls->wait_chunks(u, &u->back);
		}
		receive_chunks(s, u);
	}
	if (s->head == s->tail)
		return NULL;
	first = &s->queue[s->head % s->room];
	return first->at <= s->cycle ? first->beat : NULL;
}

/* Simulates a cycle of a launch with messages. */
static void simulate_cycle(struct station *s, struct unit *u)
{
	const void *in = await_beat(s, u);
	unsigned char sent[CORE_WIDTH];
	int did = core_cycle(s->core, line_ready(&s->line, s->cycle), in, sent);

	if (did & CORE_TAKES)
		s->head++;
	if (did & CORE_SENDS) {
		uint64_t at = line_arrival(&s->line, s->cycle) + JITTER(u->pair, s->sent);

		if (at <= s->arrived)
			at = s->arrived + 1;	/* beats stay in order */
		s->arrived = at;
		sent[40] ^= IS_FLIPPED(u->pair, s->sent) ? 0x20 : 0;
		if (!IS_LOST(u->pair, s->sent)) {
			put_chunk(s, u, (double)at, sent);
			s->promised = at;
		}
		s->sent++;
	}
	s->cycle++;
	if (s->cycle + line_least(&s->line) / 2 > s->promised)
		make_promise(s, u);
}

/*
 * Simulates a cycle without a line: of an access between launches, or of a launch without messages.
 */
static void simulate_idle_cycle(struct station *s, struct unit *u, bool drains)
{
	const void *in = NULL;

	if (drains && s->head == s->tail && u->back.ring) {
		u->calls->look(&u->back);
		receive_chunks(s, u);
	}
	if (drains && s->head != s->tail)
		in = s->queue[s->head % s->room].beat;
	if (core_cycle(s->core, drains, in, (unsigned char[CORE_WIDTH]){ 0 }) & CORE_TAKES)
		s->head++;
}

/* ---- launches ---- */

static uint32_t access_register(struct station *s, bool writes, uint32_t offset, uint32_t value)
{
	core_access(s->core, writes, offset, value);
	while (!core_accessed(s->core, &value))
		core_cycle(s->core, false, NULL, NULL);
	return value;
}

static uint32_t argument(const struct unit *u, uint32_t offset)
{
	size_t at = (offset - REGISTERS_START) / 4;

	return at < u->nregisters ? u->registers[at] : 0;
}

/* True if a launch has messages; then the other core has a launch, too. */
static bool has_messages(const struct unit *u)
{
	return argument(u, NB_ITERATIONS) &&
	       (argument(u, NB_S_COUNT0) || argument(u, NB_S_COUNT1) || argument(u, NB_R_COUNT0) ||
		argument(u, NB_R_COUNT1));
}

static void open_launch(struct station *s, const struct unit *u)
{
	double hz = u->cycle_s > 0 ? 1 / u->cycle_s : IMAGE_CLOCK_HZ;
	double period = u->lanes[0].period_s;

	line_open(&s->line, hz, period > 0 ? 1 / period : hz, u->lanes[0].latency_s);
	s->cycle = s->promised = s->arrived = 0;
	s->quiet_until = 0;
	s->skipped += (host_s() - s->idle_since_s) * hz;
	for (size_t i = s->head; i != s->tail; i++)
		s->queue[i % s->room].at = 0;	/* they arrived before the launch */
	for (uint32_t offset = REGISTERS_START; offset < NB_R_STEP + 8; offset += 4)
		access_register(s, true, offset, argument(u, offset));
	access_register(s, true, NB_CONTROL, NB_START);
}

static void run_launch(struct station *s, struct unit *u)
{
	bool with = has_messages(u), drains = argument(u, NB_FLAGS) & NB_FLAG_DRAIN;
	uint32_t control = 0;

	do {
		core_access(s->core, false, NB_CONTROL, 0);
		for (int i = 0; i < LOOK_EVERY; i++) {
			if (with)
				simulate_cycle(s, u);
			else
				simulate_idle_cycle(s, u, drains);
		}
	} while (!core_accessed(s->core, &control) || !(control & NB_IDLE));
	if (!with)
		return;
	s->behind += s->quiet_until != INFINITY;
	put_chunk(s, u, NO_MORE, NULL);
	u->calls->show_written(&u->lanes[0]);
}

kernel_fn netbench_kernel_nb_link;
register_fn netbench_register;
extern const struct image_info netbench_image;

void netbench_kernel_nb_link(struct unit *u)
{
	struct station *s = &stations[u->pair];

	pthread_once(&once, make_cores);
	pthread_mutex_lock(&s->lock);
	open_launch(s, u);
	run_launch(s, u);
	s->idle_since_s = host_s();
	pthread_mutex_unlock(&s->lock);
}

/*
 * Returns half of the register `now`, including the cycles that were not simulated. Reading the low
 * half also keeps the high half.
 */
static uint32_t read_now(struct station *s, uint32_t offset, double cycle_s)
{
	double hz = cycle_s > 0 ? 1 / cycle_s : IMAGE_CLOCK_HZ;

	if (offset == NB_NOW) {
		s->now = access_register(s, false, NB_NOW, 0);
		s->now |= (uint64_t)access_register(s, false, NB_NOW + 4, 0) << 32;
		s->now += (uint64_t)(CLOCK_ERROR *
				     (s->skipped + (host_s() - s->idle_since_s) * hz));
	}
	return (uint32_t)(offset == NB_NOW ? s->now : s->now >> 32);
}

uint32_t netbench_register(unsigned pair, bool wired, uint32_t offset, double cycle_s)
{
	struct station *s = &stations[pair];
	uint32_t value;

	(void)wired;
	pthread_once(&once, make_cores);
	pthread_mutex_lock(&s->lock);
	value = offset == NB_NOW || offset == NB_NOW + 4 ? read_now(s, offset, cycle_s)
							  : access_register(s, false, offset, 0);
	pthread_mutex_unlock(&s->lock);
	return value;
}

const struct image_info netbench_image = { UNIT_ABI, KERNELS_VERSION, CORE_WIDTH, 1 };
