/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compute units: each has a thread and a queue of commands. Also the functions with which XRT
 * waits.
 */
#include "card.h"

#include <errno.h>
#include <ert.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#define STATE_MASK 0xfu
#define STOP_NS 500000000	/* time in which an abandoned kernel must stop */
#define SPIN_S 200e-6	/* the end of a paced run is awaited by polling the clock for this long */

/*
 * XRT waits without a limit in turns of TURN_MS, and holds a lock meanwhile. A second host thread
 * would starve if it waited for a kernel on which the first one's kernel depends. So the shim ends
 * such a turn after SHORT_TURN_MS.
 */
#define TURN_MS 1000
#define SHORT_TURN_MS 2

enum { ABANDONED = 1, FAULT = 2 };

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- functions for kernels ---- */

static struct compute_unit *owner(struct unit *u)
{
	return (struct compute_unit *)((char *)u - offsetof(struct compute_unit, unit));
}

static void wait_room(struct unit *u, struct port *p)
{
	if (!port_wait_room(p, &owner(u)->card->stop))
		siglongjmp(owner(u)->abandon, ABANDONED);
}

static void wait_chunks(struct unit *u, struct port *p)
{
	if (!port_wait_chunks(p, &owner(u)->card->stop))
		siglongjmp(owner(u)->abandon, ABANDONED);
}

static void *card_memory(struct unit *u, uint64_t address, uint64_t len)
{
	struct card *c = owner(u)->card;
	uint64_t begin = memory_bank(c, owner(u)->bank), end = memory_bank(c, owner(u)->bank + 1);

	if (!address || address < begin || address > end || len > end - address || address % 8)
		siglongjmp(owner(u)->abandon, FAULT);
	return c->memory + address;
}

static const struct unit_calls calls = {
	wait_room, wait_chunks, port_look, port_show_written, port_show_read, card_memory,
};

/* ---- a run ---- */

static void connect_ports(struct compute_unit *cu)
{
	struct card *c = cu->card;
	struct unit *u = &cu->unit;
	bool core = !strcmp(cu->kernel, NB_KERNEL);
	bool sends = core || !strcmp(cu->kernel, KERNEL_SEND);

	if (u->pair >= c->pairs || (!sends && strcmp(cu->kernel, KERNEL_RECV)))
		return;
	for (unsigned i = 0; i < c->info->lanes; i++) {
		unsigned channel = CHANNEL_OF(c->pairs, u->pair, i);

		if (sends)
			port_writer(&u->lanes[i], c->transmit[channel].ring, c->info->width);
		else
			port_reader(&u->lanes[i], c->receive[channel].ring, c->info->width);
		u->lanes[i].period_s = c->period_s;
		u->lanes[i].latency_s = c->latency_s;
	}
	if (core)
		port_reader(&u->back, c->receive[u->pair].ring, c->info->width);
	else if (sends)
		port_reader(&u->credit, c->credits[u->pair], sizeof(uint64_t));
	else
		port_writer(&u->credit, c->credits[u->pair], sizeof(uint64_t));
	u->credit.latency_s = CYCLES_CREDIT * c->cycle_s;
}

/*
 * Shows the other side all chunks that were read. Written chunks were shown at the end of each
 * message. The run ends when everything is sent and stored.
 */
static void disconnect_ports(struct compute_unit *cu)
{
	struct unit *u = &cu->unit;
	bool sends = !strcmp(cu->kernel, KERNEL_SEND);

	for (unsigned i = 0; i < KERNELS_MAX_LANES; i++) {
		if (!strcmp(cu->kernel, KERNEL_RECV) && u->lanes[i].ring)
			port_show_read(&u->lanes[i]);
		if (u->lanes[i].free_s > u->now_s)
			u->now_s = u->lanes[i].free_s;
	}
	if (u->stored_s > u->now_s)
		u->now_s = u->stored_s;
	if (sends && u->credit.ring)
		port_show_read(&u->credit);
}

/* Waits until `end`: sleeps, then polls the clock. */
static void sleep_until(double end, stop_flag *stop)
{
	double left;

	while ((left = end - now_s()) > 0 && !atomic_load(stop)) {
		double nap = left - SPIN_S < 0.01 ? left - SPIN_S : 0.01;

		if (nap > 0)
			nanosleep(&(struct timespec){ .tv_nsec = (long)(1e9 * nap) }, NULL);
	}
}

/*
 * Runs a kernel and returns the new state of its command. Its pace counts from the moment when it
 * could have begun, because the card would not share the delay of a thread that this machine wakes
 * late.
 */
static uint32_t run_kernel(struct compute_unit *cu, struct command *cmd)
{
	struct card *c = cu->card;
	struct unit *u = &cu->unit;
	double start = fmax(cmd->submitted_s, cu->ended_s);

	*u = (struct unit){ .calls = &calls, .registers = cmd->registers,
			    .nregisters = cmd->nregisters, .pair = u->pair, .pairs = c->pairs,
			    .cycle_s = c->cycle_s, .now_s = c->launch_s };
	if (!cu->run)
		return ERT_CMD_STATE_ERROR;
	connect_ports(cu);
	switch (sigsetjmp(cu->abandon, 0)) {
	case 0:
		cu->run(u);
		break;
	case ABANDONED:
		return ERT_CMD_STATE_ABORT;
	default:
		return ERT_CMD_STATE_ERROR;
	}
	disconnect_ports(cu);
	if (c->paced)
		sleep_until(start + u->now_s, &c->stop);
	cu->elapsed_s = c->paced ? u->now_s : NAN;
	return ERT_CMD_STATE_COMPLETED;
}

/* ---- threads ---- */

/*
 * Writes the state of a command into its buffer, if that is still the one handed over. Call it
 * under the lock.
 */
static void set_state(struct card *c, const struct command *cmd, uint32_t state)
{
	struct buffer *b = memory_buffer(c, cmd->buffer);
	_Atomic uint32_t *header;

	if (!b || b->serial != cmd->serial)
		return;
	header = b->host;
	atomic_store_explicit(header, (atomic_load(header) & ~STATE_MASK) | state,
			      memory_order_release);
}

static void finish_command(struct compute_unit *cu, uint32_t state)
{
	struct card *c = cu->card;

	set_state(c, cu->running, state);
	free(cu->running);
	cu->running = NULL;
	cu->pending--;
	c->unreported++;
	pthread_cond_broadcast(&c->done);
}

static void *serve_queue(void *arg)
{
	struct compute_unit *cu = arg;
	struct card *c = cu->card;

	prctl(PR_SET_TIMERSLACK, 1);	/* lets paced runs end in time */
	pthread_mutex_lock(&c->lock);
	while (!atomic_load(&c->stop)) {
		uint32_t state;

		if (!cu->queue) {
			pthread_cond_wait(&cu->wake, &c->lock);
			continue;
		}
		cu->running = cu->queue;
		cu->queue = cu->running->next;
		set_state(c, cu->running, ERT_CMD_STATE_RUNNING);
		pthread_mutex_unlock(&c->lock);
		state = run_kernel(cu, cu->running);
		cu->ended_s = now_s();
		pthread_mutex_lock(&c->lock);
		finish_command(cu, state);
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

/* Creates the thread of a unit. Signals stay with the host's threads. */
static int create_thread(struct compute_unit *cu)
{
	sigset_t all, old;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&cu->thread, NULL, serve_queue, cu);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return -err;
}

int compute_start(struct card *c)
{
	for (size_t i = 0; i < c->nunits; i++) {
		int err;

		pthread_cond_init(&c->units[i].wake, NULL);
		err = create_thread(&c->units[i]);
		if (err) {
			c->nunits = i;
			compute_stop(c);
			return err;
		}
		c->units[i].started = true;
	}
	return 0;
}

/* Joins a thread, once. False if it does not end now, or did not before. */
static bool join_thread(struct compute_unit *cu, const struct timespec *deadline)
{
	if (!cu->started)
		return !cu->lost;
	cu->started = false;
	cu->lost = pthread_timedjoin_np(cu->thread, NULL, deadline);
	if (cu->lost) {
		pthread_detach(cu->thread);
		return false;
	}
	for (struct command *cmd = cu->queue, *next; cmd; cmd = next) {
		next = cmd->next;
		free(cmd);
	}
	pthread_cond_destroy(&cu->wake);
	return true;
}

bool compute_stop(struct card *c)
{
	struct timespec deadline;
	bool all = true;

	pthread_mutex_lock(&c->lock);
	atomic_store(&c->stop, true);
	for (size_t i = 0; i < c->nunits; i++)
		pthread_cond_signal(&c->units[i].wake);
	pthread_mutex_unlock(&c->lock);
	wires_rouse(c);
	clock_gettime(CLOCK_REALTIME, &deadline);
	deadline.tv_nsec += STOP_NS;
	deadline.tv_sec += deadline.tv_nsec / 1000000000;
	deadline.tv_nsec %= 1000000000;
	for (size_t i = 0; i < c->nunits; i++)
		all = join_thread(&c->units[i], &deadline) && all;
	return all;
}

bool compute_busy(struct card *c)
{
	for (size_t i = 0; i < c->nunits; i++)
		if (c->units[i].pending)
			return true;
	return false;
}

/* ---- XRT's commands ---- */

int compute_submit(struct card *c, const uint32_t *mask, unsigned words, struct command *cmd)
{
	struct compute_unit *least = NULL;
	struct command **end;

	for (size_t i = 0; i < c->nunits && i / 32 < words; i++) {
		struct compute_unit *cu = &c->units[i];

		if ((mask[i / 32] >> i % 32 & 1) && (!least || cu->pending < least->pending))
			least = cu;
	}
	if (!least)
		return -EINVAL;
	for (end = &least->queue; *end; end = &(*end)->next)
		;
	*end = cmd;
	cmd->submitted_s = now_s();
	least->pending++;
	set_state(c, cmd, ERT_CMD_STATE_QUEUED);
	pthread_cond_signal(&least->wake);
	return 0;
}

/* Checks a command of the host and queues it. Call it under the lock. */
static int submit(struct card *c, xclBufferHandle id)
{
	struct buffer *b = memory_buffer(c, id);
	const struct ert_start_kernel_cmd *packet;
	struct command *cmd;
	unsigned masks, words;
	int err;

	if (!b || b->size < sizeof(*packet))
		return -EINVAL;
	packet = b->host;
	masks = 1 + packet->extra_cu_masks;
	if (packet->opcode != ERT_START_CU || packet->count < masks ||
	    (packet->count + 1u) * sizeof(uint32_t) > b->size)
		return -EINVAL;
	words = packet->count - masks;
	cmd = calloc(1, sizeof(*cmd) + words * sizeof(uint32_t));
	if (!cmd)
		return -ENOMEM;
	cmd->buffer = id;
	cmd->serial = b->serial;
	/* the register image begins at register 0, the arguments at REGISTERS_START */
	if (words > REGISTERS_START / 4) {
		cmd->nregisters = words - REGISTERS_START / 4;
		memcpy(cmd->registers, (const uint32_t *)b->host + 1 + masks + REGISTERS_START / 4,
		       cmd->nregisters * sizeof(uint32_t));
	}
	err = compute_submit(c, &packet->cu_mask, masks, cmd);
	if (err)
		free(cmd);
	return err;
}

int xclExecBuf(xclDeviceHandle handle, xclBufferHandle id)
{
	struct card *c = handle;
	int err;

	pthread_mutex_lock(&c->lock);
	err = atomic_load(&c->stop) ? -ENODEV : submit(c, id);
	pthread_mutex_unlock(&c->lock);
	return err;
}

int xclExecWait(xclDeviceHandle handle, int ms)
{
	struct card *c = handle;
	double end = now_s() + 1e-3 * (ms == TURN_MS ? SHORT_TURN_MS : ms);
	struct timespec until = { (time_t)end, (long)(1e9 * (end - floor(end))) };
	int err = 0, told;

	pthread_mutex_lock(&c->lock);
	while (!c->unreported && !err)
		err = ms < 0 ? pthread_cond_wait(&c->done, &c->lock)
			     : pthread_cond_timedwait(&c->done, &c->lock, &until);
	told = c->unreported > 0;
	c->unreported = 0;
	pthread_mutex_unlock(&c->lock);
	return told || ms == TURN_MS;
}
