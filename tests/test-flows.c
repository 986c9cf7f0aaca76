/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests the rates of closed loops that share links, in backend sim: the reference flows of
 * SIMNET.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "backends/sim/uplinks.h"
#include "base/error.h"
#include "base/values.h"
#include "job/job.h"
#include "options/arguments.h"
#include "transport/backend.h"

extern const struct backend backend_sim;

#define FLOWS 8
#define MESSAGES 200		/* messages of a flow that has a link of its own */
#define BYTES (1 << 20)
#define BYTE_S 0.1e-9		/* G */
#define NEAR 0.05

#define NET "--sim=L=1000,o=200,g=300,G=.1"

/* The flows of a network, and their rates as multiples of the rate of a host's link. */
struct flows {
	const char *name;
	const char *words[4];
	int ranks, meeting;
	int window;
	size_t n;
	int from[FLOWS], to[FLOWS];
	double rate[FLOWS];
};

#define TO_LEAF_1 { 0, 1, 2, 3, 4, 5, 6, 7 }, { 8, 9, 10, 11, 12, 13, 14, 15 }
#define FLOWS_A { 0, 1, 2, 3, 4 }, { 8, 9, 10, 11, 5 }
#define FLOWS_C { 0, 1, 2, 3, 17 }, { 8, 9, 10, 16, 11 }
#define SLOW_1 "--sim-fault=host:1,send,0.2"

static const struct flows golden[] = {
	{ "A", { NET, "--sim-topology=leaf=8,uplinks=2" }, 16, 0, 1, 5, FLOWS_A, { .5, .5, .5, .5, 1 } },
	{ "A, window 4", { NET, "--sim-topology=leaf=8,uplinks=2" }, 16, 0, 4, 5, FLOWS_A,
	  { .5, .5, .5, .5, 1 } },
	{ "B", { NET, "--sim-topology=leaf=8,uplinks=2", SLOW_1 }, 16, 0, 1, 5, FLOWS_A,
	  { .6, .2, .6, .6, 1 } },
	{ "B, window 4", { NET, "--sim-topology=leaf=8,uplinks=2", SLOW_1 }, 16, 0, 4, 5, FLOWS_A,
	  { .6, .2, .6, .6, 1 } },
	{ "C", { NET, "--sim-topology=leaf=8,uplinks=2,hash=none" }, 18, 0, 1, 5, FLOWS_C,
	  { .5, .5, .5, .5, .5 } },
	{ "D", { NET, "--sim-topology=leaf=8,uplinks=4,rate=1,hash=none" }, 16, 0, 1, 8, TO_LEAF_1,
	  { .5, .5, .5, .5, .5, .5, .5, .5 } },
	{ "D, window 4", { NET, "--sim-topology=leaf=8,uplinks=4" }, 16, 0, 4, 8, TO_LEAF_1,
	  { .5, .5, .5, .5, .5, .5, .5, .5 } },
	{ "rate 2 of 2 uplinks is D", { NET, "--sim-topology=leaf=8,uplinks=2,rate=2" }, 16, 0, 1, 8,
	  TO_LEAF_1, { .5, .5, .5, .5, .5, .5, .5, .5 } },
	{ "F", { NET, "--sim-topology=leaf=8,uplinks=8,hash=meeting" }, 16, 0, 1, 8, TO_LEAF_1,
	  { .333, .333, 1, .333, .5, .5, 1, .333 } },
	{ "F2", { NET, "--sim-topology=leaf=8,uplinks=8,hash=meeting", "--sim-seed=2" }, 16, 0, 1, 8,
	  TO_LEAF_1, { .333, .667, .333, .333, .333, .333, .667, 1 } },
	{ "a pair keeps its links", { NET, "--sim-topology=leaf=8,uplinks=8,hash=pair" }, 16, 1, 1, 8,
	  TO_LEAF_1, { .333, .333, 1, .333, .5, .5, 1, .333 } },
	{ "G", { NET, "--sim-topology=leaf=8,uplinks=4,hash=meeting" }, 16, 1, 1, 4,
	  { 0, 1, 2, 3 }, { 8, 9, 10, 11 }, { .5, .5, .5, 1 } },
	{ "one flow", { NET, "--sim-topology=leaf=8,uplinks=1,hash=meeting" }, 16, 0, 4, 1, { 3 }, { 12 },
	  { 1 } },
	{ "a leaf at once", { NET, "--sim-topology=leaf=8,uplinks=2" }, 16, 0, 1, 8, TO_LEAF_1,
	  { .25, .25, .25, .25, .25, .25, .25, .25 } },
	{ "a leaf of more than all", { NET, "--sim-topology=leaf=100,uplinks=1" }, 16, 0, 1, 8, TO_LEAF_1,
	  { 1, 1, 1, 1, 1, 1, 1, 1 } },
	{ "one link", { "--sim=L=1000,o=200,g=300,G=.1,link=.2" }, 16, 0, 1, 4,
	  { 0, 1, 2, 3 }, { 8, 9, 10, 11 }, { .125, .125, .125, .125 } },
	{ "one link, side 2", { "--sim=L=1000,o=200,g=300,G=.1,link=.2,side=2" }, 8, 0, 1, 3,
	  { 0, 1, 4 }, { 2, 3, 5 }, { .25, .25, 1 } },
};

/* Returns the number of messages of a flow; it makes all flows last equally long. */
static uint64_t messages(const struct flows *f, size_t i)
{
	return (uint64_t)(MESSAGES * f->rate[i] / f->window + 0.5);
}

/* Runs this rank's part of its flow. The other rank acknowledges each message by a byte. */
static int flow_round(struct endpoint *ep, const struct flows *f, size_t i, struct round *r)
{
	bool sends = ep->job->rank == f->from[i];
	int peer = sends ? f->to[i] : f->from[i];
	void *buf = ep->be->alloc(ep, BYTES);

	r->count = messages(f, i);
	r->flow = sends ? FLOW_AWAITS : FLOW_ANSWERS;
	return !buf || round_step(r, (uint32_t)f->window, (uint32_t)f->window, 1) ||
	       round_add(r, OP_RECV, peer, 0, buf, sends ? 1 : BYTES) ||
	       round_add(r, OP_SEND, peer, 0, buf, sends ? BYTES : 1);
}

/* Tests the flows of a network: their rates, and the values of its options. */
struct world {
	const struct flows *f;
	double got[FLOWS];
	void *options;
};

static int rank_main(struct job *job, void *arg)
{
	struct world *of = arg;
	const struct flows *f = of->f;
	struct round none = { .count = 0 }, r = { .count = 0 };
	struct endpoint *ep;
	double seconds = 0;
	int err;

	if (backend_sim.open(&ep, job, of->options, 0))
		return ST_FAILED;
	ep->be = &backend_sim;
	for (int i = 0; i < f->meeting; i++)	/* ranks without a partner */
		backend_sim.arm(ep, &none);
	for (size_t i = 0; i < f->n; i++)
		if ((job->rank == f->from[i] || job->rank == f->to[i]) && flow_round(ep, f, i, &r))
			return ST_FAILED;
	err = backend_sim.arm(ep, &r);
	job->kind->barrier(job);
	err = err ? err : backend_sim.run(ep, &r, &seconds);
	for (size_t i = 0; i < f->n; i++)
		if (job->rank == f->from[i])
			of->got[i] = (double)messages(f, i) * f->window * BYTES * BYTE_S / seconds;
	job->kind->barrier(job);
	round_free(&r);
	backend_sim.close(ep);
	return err;
}

static void flows_get_their_rates(void **state)
{
	int wrong = 0;

	for (size_t i = 0; i < LENGTH(golden); i++) {
		const struct flows *want = &golden[i];
		struct world w = { .f = want, .options = calloc(1, backend_sim.options_size) };
		struct opt_table table = { "sim", backend_sim.options, w.options, NULL };
		char *argv[LENGTH(want->words) + 1] = { (char *)(uintptr_t)"test" };
		struct launch l = { .rank = -1 };
		struct arguments args;
		int argc = 1;

		for (size_t k = 0; k < LENGTH(want->words) && want->words[k]; k++)
			argv[argc++] = (char *)(uintptr_t)want->words[k];
		assert_int_equal(arguments_read(&args, argc, argv, &table, 1, false), ST_OK);
		assert_int_equal(arguments_bind(&args, &table, 1, NULL), ST_OK);
		assert_int_equal(backend_sim.check(w.options, &args, want->ranks), ST_OK);
		assert_int_equal(job_sim.run(NULL, &l, want->ranks, 1, rank_main, &w), ST_OK);
		for (size_t k = 0; k < want->n; k++) {
			double ratio = w.got[k] / want->rate[k];

			if (ratio > 1 - NEAR && ratio < 1 + NEAR)
				continue;
			print_error("%s: %d to %d gets %.3f, not %.3f\n", want->name, want->from[k],
				    want->to[k], w.got[k], want->rate[k]);
			wrong++;
		}
		arguments_free(&args);
		free(w.options);
	}
	assert_int_equal(wrong, 0);
}

/* (N1) with mix of SIMNET.md, implemented independently from the document's text */
static void links_are_drawn_by_pair_and_meeting(void **state)
{
	static const struct {
		uint64_t seed, meeting;
		int sender, receiver;
		uint32_t width, up, down;
	} cases[] = {
		{ 1, 0, 0, 8, 8, 4, 0 },
		{ 1, 0, 7, 15, 8, 7, 0 },
		{ 1, 1, 0, 8, 4, 0, 3 },
		{ 2, 0, 0, 8, 8, 0, 4 },
		{ 2, 0, 8, 0, 8, 5, 2 },
		{ 1, 5, 1000, 99999, 7, 6, 5 },
		{ 9007199254740992, 3, 999999, 0, 65536, 62143, 31251 },
	};

	for (size_t i = 0; i < LENGTH(cases); i++) {
		uint32_t drawn[2];

		uplinks_draw(cases[i].seed, cases[i].sender, cases[i].receiver, cases[i].meeting,
			     cases[i].width, drawn);
		assert_int_equal(drawn[0], cases[i].up);
		assert_int_equal(drawn[1], cases[i].down);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_are_drawn_by_pair_and_meeting),
		cmocka_unit_test(flows_get_their_rates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
