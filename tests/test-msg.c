/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests message operations as a reactive protocol uses them, on every backend that has them:
 * processes over shm and tcp, fibers over sim. With an argument, it tests the backend named, on the
 * ranks that mpirun has started.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "job/job.h"
#include "transport/backend.h"
#include "transport/registry.h"
#include "base/clock.h"
#include "measure/verify/content.h"
#include "base/error.h"
#include "model/schedule/operation.h"

extern const struct backend backend_shm, backend_sim, backend_tcp;

#define LONGEST (1 << 18)
#define EACH 50

/* Runs one protocol on one backend, on every rank. Non-zero: wrong. */
struct play {
	const struct backend *be;
	const void *options;
	int (*act)(struct endpoint *ep);
};

static size_t length(int src, int i)
{
	static const size_t lens[] = { 0, 1, 56, 57, 1000, 4096, 4097, 70000, LONGEST };

	return lens[(size_t)(src + i) % (sizeof(lens) / sizeof(lens[0]))];
}

static struct content_key key(int src, int dst, int i)
{
	return (struct content_key){ .seed = 7, .src = (uint32_t)src, .dst = (uint32_t)dst,
				     .seq = (uint64_t)i };
}

static size_t carried(const struct endpoint *ep, size_t len)
{
	return len < ep->limits.content_len ? len : ep->limits.content_len;
}

static void send_message(struct endpoint *ep, int to, int i, void *buf)
{
	struct content_key k = key(ep->job->rank, to, i);
	size_t len = length(ep->job->rank, i);
	struct request r;

	content_fill(buf, carried(ep, len), &k);
	ep->be->isend(ep, to, buf, len, &r);
	ep->be->wait(ep, &r);
}

/* 1 if the message is not the i-th from src. */
static int is_wrong(struct endpoint *ep, const struct request *r, const void *buf, int src, int i)
{
	struct content_key k = key(src, ep->job->rank, i);

	return r->peer != src || r->len != length(src, i) ||
	       content_check(buf, carried(ep, r->len), &k) != 0;
}

/*
 * All others send to rank 0, which takes messages as they arrive. Messages of one rank stay in
 * order.
 */
static int funnel(struct endpoint *ep)
{
	void *buf = ep->be->alloc(ep, LONGEST);
	int next[64] = { 0 }, wrong = 0;

	if (ep->job->rank)
		for (int i = 0; i < EACH; i++)
			send_message(ep, 0, i, buf);
	else
		for (int n = 0; n < EACH * (ep->job->size - 1); n++) {
			struct request r;

			ep->be->irecv(ep, PEER_ANY, buf, LONGEST, &r);
			ep->be->wait(ep, &r);
			wrong += is_wrong(ep, &r, buf, r.peer, next[r.peer]++);
		}
	ep->be->release(ep, buf);
	return wrong;
}

/*
 * Receives are posted from one rank and from any. A message matches the receive posted first that
 * accepts it.
 */
static int mixed(struct endpoint *ep)
{
	void *a = ep->be->alloc(ep, LONGEST), *b = ep->be->alloc(ep, LONGEST);
	struct request ra, rb;
	int wrong = 0;

	if (ep->job->rank == 1) {
		send_message(ep, 0, 0, a);
		send_message(ep, 0, 1, a);
	} else if (ep->job->rank == 0) {
		ep->be->irecv(ep, 1, a, LONGEST, &ra);
		ep->be->irecv(ep, PEER_ANY, b, LONGEST, &rb);
		ep->be->wait(ep, &rb);
		ep->be->wait(ep, &ra);
		wrong = is_wrong(ep, &ra, a, 1, 0) + is_wrong(ep, &rb, b, 1, 1);
	}
	ep->be->release(ep, a);
	ep->be->release(ep, b);
	return wrong;
}

/* test() never waits, and becomes true in the end. */
static int testing(struct endpoint *ep)
{
	void *buf = ep->be->alloc(ep, LONGEST);
	struct request r;
	int wrong = 0;

	if (ep->job->rank == 1) {
		ep->be->compute(ep, 1e-3);
		send_message(ep, 0, 3, buf);
	} else if (ep->job->rank == 0) {
		double start = ep->be->now(ep);

		ep->be->irecv(ep, 1, buf, LONGEST, &r);
		ep->be->test(ep, &r);
		while (!r.done)
			ep->be->test(ep, &r);
		wrong = is_wrong(ep, &r, buf, 1, 3);
		/* on other backends rank 1 may have begun long before */
		if (ep->caps & CAP_VIRTUAL)
			wrong += (ep->be->now(ep) - start) * ep->tick_s < 1e-3;
	}
	ep->be->release(ep, buf);
	return wrong;
}

/* All ranks send to all ranks at once, all in flight together. Rendezvous must not deadlock. */
static int all_to_all(struct endpoint *ep)
{
	int n = ep->job->size, wrong = 0;
	struct request *reqs = calloc((size_t)(2 * n), sizeof(*reqs));
	void *out = ep->be->alloc(ep, LONGEST), **in = calloc((size_t)n, sizeof(*in));
	struct content_key k = key(0, 0, 0);

	content_fill(out, carried(ep, 70000), &k);
	for (int p = 0; p < n; p++) {
		in[p] = ep->be->alloc(ep, 70000);
		ep->be->irecv(ep, p, in[p], 70000, &reqs[p]);
	}
	for (int p = 0; p < n; p++)
		ep->be->isend(ep, (ep->job->rank + p) % n, out, 70000, &reqs[n + p]);
	for (int p = 0; p < 2 * n; p++)
		ep->be->wait(ep, &reqs[p]);
	for (int p = 0; p < n; p++)
		wrong += content_check(in[p], carried(ep, 70000), &k) != 0;
	for (int p = 0; p < n; p++)
		ep->be->release(ep, in[p]);
	ep->be->release(ep, out);
	free(reqs);
	free(in);
	return wrong;
}

/* Memory that was not allocated by alloc(). */
static int foreign(struct endpoint *ep)
{
	char *buf = calloc(1, LONGEST);
	struct request r;
	int wrong = 0;

	for (int i = 0; i < 9; i++) {
		if (ep->job->rank == 1) {
			send_message(ep, 0, i, buf);
		} else if (ep->job->rank == 0) {
			ep->be->irecv(ep, 1, buf, LONGEST, &r);
			ep->be->wait(ep, &r);
			wrong += is_wrong(ep, &r, buf, 1, i);
		}
	}
	free(buf);
	return wrong;
}

static int rank_main(struct job *job, void *arg)
{
	const struct play *play = arg;
	struct endpoint *ep;
	int wrong, err = play->be->open(&ep, job, play->options, 64 * LONGEST);

	if (err)
		return err;
	ep->be = play->be;
	wrong = play->act(ep);
	job->kind->barrier(job);
	play->be->close(ep);
	return wrong ? ST_FAILED : ST_OK;
}

static int (*const acts[])(struct endpoint *ep) = { funnel, mixed, testing, all_to_all, foreign };

/*
 * Returns the values of a backend's options in argv, after its first word; valid until the next
 * call.
 */
static void *parse(const struct backend *be, int argc, char **argv)
{
	static struct opt_table table;
	static struct arguments args;

	arguments_free(&args);
	free(table.values);
	table = (struct opt_table){ be->name, be->options, calloc(1, be->options_size + 1), NULL };
	assert_int_equal(arguments_read(&args, argc, argv, &table, be->options != NULL, false), ST_OK);
	assert_int_equal(arguments_bind(&args, &table, be->options != NULL, NULL), ST_OK);
	return table.values;
}

static void *parse_defaults(const struct backend *be)
{
	char *argv[] = { (char *)(uintptr_t)"test", NULL };

	return parse(be, 1, argv);
}

static void run_all(const struct backend *be, const struct job_kind *job)
{
	static const int sizes[] = { 2, 3, 5, 8 };

	void *options = parse_defaults(be);

	for (size_t a = 0; a < sizeof(acts) / sizeof(acts[0]); a++)
		for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
			struct play play = { be, options, acts[a] };
			struct launch l = { .rank = -1 };

			assert_int_equal(job->run(NULL, &l, sizes[s], 2, rank_main, &play), ST_OK);
		}
}

static void message_operations_work_on_shm(void **state)
{
	run_all(&backend_shm, &job_fork);
}

static void message_operations_work_on_tcp(void **state)
{
	run_all(&backend_tcp, &job_fork);
}

static void message_operations_work_on_sim(void **state)
{
	run_all(&backend_sim, &job_sim);
}

/* No rank sends. In virtual time that is detected. */
static int wait_for_nothing(struct endpoint *ep)
{
	char buf[8];
	struct request r;

	ep->be->irecv(ep, PEER_ANY, buf, sizeof(buf), &r);
	return ep->be->wait(ep, &r);
}

static void a_deadlock_is_seen(void **state)
{
	void *options = parse_defaults(&backend_sim);
	struct play play = { &backend_sim, options, wait_for_nothing };
	struct launch l = { .rank = -1 };

	assert_int_equal(job_sim.run(NULL, &l, 3, 1, rank_main, &play), ST_FAILED);
}

/* A native broadcast is a transfer like any other. */
static int broadcast(struct endpoint *ep)
{
	struct content_key k = key(1, 0, 3);
	unsigned char *buf = ep->be->alloc(ep, 70000);
	struct round r = { .count = 3 };
	double seconds;
	int wrong = 0;

	if (!(ep->caps & CAP_NATIVE))
		return 0;
	if (ep->job->rank == 1)
		content_fill(buf, 70000, &k);
	round_step(&r, 1, 1, 1);
	round_add_native(&r, OPERATION_BCAST, 1, NULL, buf, 70000);
	wrong += ep->be->arm && ep->be->arm(ep, &r);
	wrong += ep->be->run(ep, &r, &seconds) != ST_OK || seconds <= 0;
	wrong += content_check(buf, 70000, &k) != 0;
	round_free(&r);
	ep->be->release(ep, buf);
	return wrong;
}

static int all_acts(struct job *job, void *arg)
{
	struct play play = *(struct play *)arg;
	int wrong = rank_main(job, &play);

	if (job->rank == 0)
		printf("%d ranks of job %s on backend %s\n", job->size, job->kind->name, play.be->name);
	for (size_t a = 0; a < sizeof(acts) / sizeof(acts[0]); a++) {
		play.act = acts[a];
		wrong |= rank_main(job, &play);
	}
	return wrong;
}

/* Runs one of the ranks of a job that another program started. words: a backend and its options. */
static int launched(int nwords, char **words)
{
	const char *name = words[0];
	struct launch l = job_launch(NULL);
	char why[512];
	const struct variant *mpi;
	const struct backend *be;
	const struct job_kind *job;
	struct play play;
	int argc = 0, err;
	char **argv = NULL;

	for (size_t i = 0; (mpi = backend_variant("mpi", i)); i++)
		if (l.mpi && !strcmp(mpi->name, l.mpi))
			backend_choose_variant(mpi, true, NULL);
	be = backend_find(name, why, sizeof(why));
	if (!be)
		return error_report("no backend '%s': %s", name, why);
	job = be->job ? be->job : backend_find("mpi", why, sizeof(why))->job;
	err = job->enter(NULL, &l, &argc, &argv);
	play = (struct play){ be, parse(be, nwords, words), broadcast };
	return err ? err : job->run(NULL, &l, l.size, 2, all_acts, &play);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(message_operations_work_on_shm),
		cmocka_unit_test(message_operations_work_on_tcp),
		cmocka_unit_test(message_operations_work_on_sim),
		cmocka_unit_test(a_deadlock_is_seen),
	};

	if (clock_init(TIMER_AUTO))
		return 1;
	if (argc > 1)
		return launched(argc - 1, argv + 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
