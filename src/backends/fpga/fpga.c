/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `fpga`: kernels on FPGA cards send and receive over the card's own external channels.
 *
 * The host passes a whole round to the card. The round becomes arguments of the kernels send and
 * recv (kernels/kernels.h) whose pair is wired to a neighbour. Each stage of a kernel carries out
 * one step of the round, or two. The card makes all messages. The host chooses the content of the
 * round's final message: an argument gives its first word, and the other words follow from the
 * first. The receiver stores this message, so that it can be verified. The host starts the
 * receivers before the ranks start the round together. The measured time is from the start of the
 * senders to the end of this rank's last kernel, on the host's clock.
 */
#include <math.h>

#include "backends/fpga/card.h"
#include "backends/fpga/open.h"
#include "backends/fpga/ports.h"
#include "backends/fpga/rtl.h"

/*
 * A late round exceeds the model's time by more than this, in s on this machine's clock. Launches
 * delay a paced round by less.
 */
#define LATE_S 2e-3
#define LATE_ROUNDS 5	/* number of consecutive late rounds that cause the warning */

/* ---- from steps to stages ---- */

/* The send and the receive of one step on one pair of kernels. NULL: the step has none. */
struct duplex {
	const struct xfer *send, *recv;
};

/*
 * Returns the pair that carries a transfer, or -1. In a ring, lane 0 sends to the left and receives
 * from the right; lane 1 does the opposite. With plugs, lane 0 sends and receives over the left
 * pair, and lane 1 over the right pair. Otherwise the rank has one neighbour, on the right or on
 * the left.
 */
static int choose_pair(const struct fpga *f, const struct xfer *x, bool ring)
{
	const struct job *job = f->ep.job;

	if (f->plugged)
		return x->lane == 0 ? f->left : f->right;
	if (ring)
		return (x->lane == 0) == (x->op == OP_SEND) ? f->left : f->right;
	if (job->size == 2)
		return job->rank == 0 ? f->right : f->left;
	return x->peer == (job->rank + 1) % job->size ? f->right : f->left;
}

static bool has_both_lanes(const struct round *r)
{
	for (uint32_t i = 0; i < r->nxfers; i++)
		if (r->xfers[i].lane)
			return true;
	return false;
}

/*
 * Finds the transfers of step s on a pair. Returns ST_FAILED if there are more transfers than the
 * kernels can carry.
 */
static int find_transfers(const struct fpga *f, const struct round *r, uint32_t s, int pair,
			  struct duplex *part)
{
	bool ring = has_both_lanes(r);

	*part = (struct duplex){ NULL, NULL };
	for (uint32_t i = 0; i < r->steps[s].n; i++) {
		const struct xfer *x = &r->xfers[r->steps[s].first + i];
		const struct xfer **mine = x->op == OP_SEND ? &part->send : &part->recv;

		if (choose_pair(f, x, ring) != pair)
			continue;
		if (*mine || (x->op != OP_SEND && x->op != OP_RECV))
			return error_report("kernels of the card carry one message per step and "
					    "direction");
		*mine = x;
	}
	return ST_OK;
}

static struct fpga_stage fill_stage(struct fpga *f, const struct xfer *x, uint32_t count,
				    uint32_t flags)
{
	struct fpga_stage s = { .first = KERNELS_ODD, .last = 0 };

	if (!x)
		return (struct fpga_stage){ 0 };
	s.size = (uint32_t)x->len;
	s.count = count;
	s.flags = flags;
	if (x->op == OP_RECV)
		s.buf = fpga_find_buffer(f, x->buf);
	else
		memcpy(&s.last, x->buf, x->len < sizeof(s.last) ? x->len : sizeof(s.last));
	s.last |= KERNELS_ODD;
	return s;
}

/*
 * Makes stage k from the transfers `now` of one step. If the next step's transfers `following`
 * answer those of this step, the stage includes both steps. Returns the number of steps in the
 * stage: 1 or 2.
 */
static uint32_t plan_stage(struct fpga *f, int pair, uint32_t k, struct duplex now, uint32_t count,
			   const struct duplex following, uint32_t following_count)
{
	bool answered = now.send && !now.recv && following.recv && !following.send;
	bool answers = now.recv && !now.send && following.send && !following.recv, both;
	uint32_t flags = 0;

	if (answered)
		now.recv = following.recv;
	if (answers)
		now.send = following.send;
	both = now.send && now.recv;
	if (both)
		flags = answers ? SEND_WAIT_BEFORE : SEND_WAIT_AFTER;
	f->send[pair].stages[k] = fill_stage(f, now.send, answers ? following_count : count, flags);
	f->recv[pair].stages[k] = fill_stage(f, now.recv, answered ? following_count : count,
					     both ? RECV_CREDIT : 0);
	return answered || answers ? 2 : 1;
}

/* Plans the stages of one pair of kernels. */
static int plan_stages_of_pair(struct fpga *f, const struct round *r, int pair)
{
	struct fpga_unit *send = &f->send[pair], *recv = &f->recv[pair];
	uint32_t s = 0, k = 0;
	int err = ST_OK;

	memset(send->stages, 0, sizeof(send->stages));
	memset(recv->stages, 0, sizeof(recv->stages));
	while (s < r->nsteps && !err) {
		uint32_t next = s + 1 < r->nsteps ? s + 1 : s;
		struct duplex now, following = { NULL, NULL };

		err = find_transfers(f, r, s, pair, &now);
		if (!err && next > s)
			err = find_transfers(f, r, next, pair, &following);
		if (!err && !now.send && !now.recv)
			s++;
		else if (!err && k == STAGES)
			err = error_report("the kernels take at most %d steps in a round", STAGES);
		else if (!err)
			s += plan_stage(f, pair, k++, now, r->steps[s].repeat, following,
					r->steps[next].repeat);
	}
	send->used = send->stages[0].count > 0 || send->stages[1].count > 0;
	recv->used = recv->stages[0].count > 0 || recv->stages[1].count > 0;
	return err;
}

/* ---- kernels ---- */

static int start_kernel(struct fpga *f, struct fpga_unit *u)
{
	return !u->used || f->on->start(u) ? ST_OK : fpga_report_kernel(f, u, "does not start");
}

static int await_kernel(struct fpga *f, struct fpga_unit *u)
{
	int err = ST_OK;

	if (u->used)
		err = fpga_await_kernel(f, u, f->patience_s,
					": is the neighbour's rank alive, its link up?");
	if (err)
		/* warns here, because a failed run ends without fpga_close */
		fpga_warn_of_ports(f);
	return err;
}

/*
 * Returns the longest wait for a kernel, s: the time-out and, if channels are paced, twice the time
 * that the models of board and kernels predict.
 */
/* cycles that a message takes in addition to the cycles of its beats (kernels/README.md) */
#define KERNEL_CYCLES 100
static double longest_wait(struct fpga *f, uint64_t iterations)
{
	double clock = 1e6 * f->options->kernel_clock, model = 0;

	if (!(f->options->kernel_timeout > 0))
		return INFINITY;
	for (uint32_t u = 0; u < 2 * f->pairs && f->paced; u++)
		for (int k = 0; k < STAGES; k++) {
			const struct fpga_stage *s = &fpga_nth_unit(f, u)->stages[k];
			double cycles = s->size / (f->width * f->lanes) + KERNEL_CYCLES;

			model += s->count * (board_time(&f->board, s->size) +
					     (clock > 0 ? cycles / clock : 0));
		}
	model += f->paced ? f->options->launch / (double)(iterations ? iterations : 1) : 0;
	return f->options->kernel_timeout + 2 * model * (double)iterations * f->slowdown;
}

/*
 * Copies received messages from the card, in whole pages. On the card, other bytes follow the
 * message in its final page: the rest of a beat, and older data. So this function restores the
 * host's bytes there.
 */
static int fetch_buffers(struct fpga *f, const struct round *r)
{
	char behind[BACKEND_PAGE];

	for (uint32_t i = 0; i < r->nxfers; i++) {
		const struct xfer *x = &r->xfers[i];
		struct fpga_buffer *b = fpga_find_buffer(f, x->buf);
		size_t len = (x->len + BACKEND_PAGE - 1) / BACKEND_PAGE * BACKEND_PAGE;

		if (x->op != OP_RECV)
			continue;
		memcpy(behind, b->mem + x->len, len - x->len);
		if (!fpga_copy(f, b, false, len))
			return ST_FAILED;
		memcpy(b->mem + x->len, behind, len - x->len);
	}
	return ST_OK;
}

/* ---- rounds ---- */

static int arm_round(struct endpoint *ep, const struct round *r)
{
	struct fpga *f = fpga_of(ep);
	bool ring = has_both_lanes(r);
	int err = ST_OK;

	for (uint32_t i = 0; i < r->nxfers; i++) {
		if (choose_pair(f, &r->xfers[i], ring) < 0)
			return error_unavailable("no cable joins the cards of ranks %d and %d, "
						 "according to '--wiring'", f->ep.job->rank,
						 r->xfers[i].peer);
		if (!fpga_find_buffer(f, r->xfers[i].buf))
			return error_report("a message's buffer is not in the memory of card '%s'",
					    f->device);
	}
	for (uint32_t p = 0; p < f->pairs && !err; p++) {
		err = plan_stages_of_pair(f, r, (int)p);
		if (f->cores)
			continue;
		if (!err && f->send[p].used)
			err = fpga_set_arguments(f, &f->send[p], true, (uint32_t)r->count);
		if (!err && f->recv[p].used)
			err = fpga_set_arguments(f, &f->recv[p], false, (uint32_t)r->count);
		if (!err)
			err = start_kernel(f, &f->recv[p]);
	}
	if (f->cores)
		return err ? err : fpga_arm_cores(f, r);
	f->patience_s = longest_wait(f, r->count);
	return err;
}

/*
 * Warns once if rounds take longer than the model predicts, because this machine is too slow to
 * follow the board's speed.
 */
static void check_pace(struct fpga *f, const struct round *r, double seconds)
{
	double longest = 0, model, late;

	for (uint32_t u = 0; u < 2 * f->pairs; u++)
		if (fpga_nth_unit(f, u)->used)
			longest = fmax(longest,
				       f->emulator->elapsed(f->index, fpga_nth_unit(f, u)->name));
	model = longest / f->slowdown;	/* the time of the slowest kernel */
	late = (seconds - model) * f->slowdown;
	f->late = model > 0 && seconds > 1.1 * model && late > LATE_S ? f->late + 1 : 0;
	if (f->late != LATE_ROUNDS || f->warned_slow)
		return;
	f->warned_slow = true;
	error_warn("rank %d: this machine is too slow for the pace of '%s': a round of %llu "
		   "iterations took %.3g times the model's time; a larger '--slowdown' than %g "
		   "helps", f->ep.job->rank, f->board.name, (unsigned long long)r->count,
		   seconds / model, f->slowdown);
}

static int run_round(struct endpoint *ep, const struct round *r, double *seconds)
{
	struct fpga *f = fpga_of(ep);
	double begin = clock_ticks();
	int err = ST_OK;

	if (f->cores)
		return fpga_run_cores(f, r, seconds);
	for (uint32_t p = 0; p < f->pairs && !err; p++)
		err = start_kernel(f, &f->send[p]);
	for (uint32_t p = 0; p < f->pairs && !err; p++)
		err = await_kernel(f, &f->recv[p]);
	for (uint32_t p = 0; p < f->pairs && !err; p++)
		err = await_kernel(f, &f->send[p]);
	*seconds = (clock_ticks() - begin) * ep->tick_s / f->slowdown;
	if (!err && f->paced)
		check_pace(f, r, *seconds);
	return err ? err : fetch_buffers(f, r);
}

NETBENCH_EXPORT const struct backend netbench_backend = {
	.abi = BACKEND_ABI,
	.name = "fpga", .summary = "external channels of FPGA cards, with Xilinx XRT or OpenCL",
	.caps = FPGA_CAPS | CAP_EMULATED | CAP_STAMPS, .max_ranks = FPGA_CABLES / 2,
	.options = fpga_options, .options_size = sizeof(struct fpga_opts),
	.probe = fpga_probe, .check = fpga_check,
	.open = fpga_open, .close = fpga_close, .alloc = fpga_alloc, .release = fpga_release,
	.arm = arm_round, .run = run_round,
	.describe = fpga_describe, .lists_files = true, .list = fpga_list,
	.counters = fpga_counters,
};
