/* SPDX-License-Identifier: Apache-2.0 */
#include "map-model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

#define SAMPLES 5
#define DISTURBED 0.02		/* samples, and whole visits of a pair */
#define SLOWED_LEAST 0.1	/* by so much of their time */
#define SLOWED_MOST 3.0
#define DIFFERENT 0.005		/* hosts and pairs */
#define ROUND 0.02		/* rounds */
#define DRIFT 0.03		/* from the first visit to the last */

const char *const fault_names[NFAULTS] = {
	"healthy", "both", "sends", "receives", "pair", "direction", "unsteady", "2 hosts",
	"3 hosts", "leaf", "leaf+host",
};

static double uniform(struct rng *r)
{
	return ((double)(rng_next(r) >> 11) + 0.5) * 0x1p-53;
}

static double normal(struct rng *r)
{
	return sqrt(-2 * log(uniform(r))) * cos(2 * M_PI * uniform(r));
}

static double disturbance(struct rng *r)
{
	if (uniform(r) >= DISTURBED)
		return 0;
	return -log1p(SLOWED_LEAST + (SLOWED_MOST - SLOWED_LEAST) * uniform(r));
}

/* ---- faults ---- */

static bool is_bad(const struct cluster *c, uint32_t host)
{
	uint32_t n = c->fault == TWO_HOSTS ? 2 : c->fault == THREE_HOSTS ? 3 : 1;

	for (uint32_t k = 0; k < n; k++)
		if (c->bad[k] == host)
			return true;
	return false;
}

static bool in_leaf(const struct cluster *c, uint32_t host)
{
	return host < c->n / 2 && host < 8;
}

/* A pair of slow hosts is as slow as the slower of the two. */
static bool is_slow(const struct cluster *c, uint32_t i, uint32_t j, bool coin)
{
	switch (c->fault) {
	case HOST_BOTH: case TWO_HOSTS: case THREE_HOSTS: return is_bad(c, i) || is_bad(c, j);
	case HOST_SENDS: return i == c->bad[0];
	case HOST_RECEIVES: return j == c->bad[0];
	case ONE_PAIR:
		return (i == c->bad[0] && j == c->bad[1]) || (i == c->bad[1] && j == c->bad[0]);
	case ONE_DIRECTION: return i == c->bad[0] && j == c->bad[1];
	case ONE_UNSTEADY: return coin && (i == c->bad[0] || j == c->bad[0]);
	case LEAF: return in_leaf(c, i) != in_leaf(c, j);
	case LEAF_AND_HOST:
		return in_leaf(c, i) != in_leaf(c, j) || is_bad(c, i) || is_bad(c, j);
	default: return false;
	}
}

/* ---- measuring ---- */

/* A visit's median of its samples, of a pair in one direction. */
static float measure(struct cluster *c, uint32_t i, uint32_t j, double common, bool coin)
{
	double x[SAMPLES], y = common + c->host_s[i] + c->host_r[j] + c->pair[i * c->n + j];

	for (int k = 0; k < SAMPLES; k++)
		x[k] = c->noise * normal(&c->rng) + disturbance(&c->rng);
	sort_doubles(x, SAMPLES);
	y += x[SAMPLES / 2] + disturbance(&c->rng);
	if (c->fault == LEAF_AND_HOST && (is_bad(c, i) || is_bad(c, j)))
		y += log1p(-c->effect);		/* twice as much as its leaf */
	return (float)(y + (is_slow(c, i, j, coin) ? log1p(-c->effect) : 0));
}

static void measure_round(struct cluster *c, struct encounter *meetings, size_t n)
{
	double common = log(50e6 / 8) + c->drift + ROUND * normal(&c->rng);

	for (size_t k = 0; k < n; k++) {
		struct encounter *at = &meetings[k];
		bool coin = uniform(&c->rng) < 0.5;

		at->ij = measure(c, at->i, at->j, common, coin);
		at->ji = c->latency ? at->ij : measure(c, at->j, at->i, common, coin);
	}
}

static void visit(struct cluster *c, uint32_t v, struct encounter *at)
{
	struct tournament t;

	if (tournament_make(&t, c->n, c->quick, &c->rng))
		abort();
	for (uint32_t k = 0; k < t.nrounds; k++) {
		size_t n = 0;

		tournament_draw(&t, &c->rng);
		for (uint32_t i = 0; i < c->n; i++)
			if (tournament_meets(&t, k, i) > i)
				at[n++] = (struct encounter){ i, tournament_meets(&t, k, i), 0, 0 };
		c->drift = -DRIFT * (v + (double)k / t.nrounds) / c->nvisits;
		measure_round(c, at, n);
		for (size_t a = 0; a < n; a++) {
			size_t ij = matrix_at(&c->m, v, at[a].i, at[a].j);
			size_t ji = matrix_at(&c->m, v, at[a].j, at[a].i);

			c->m.y[ij] = at[a].ij;
			c->m.y[ji] = at[a].ji;
			c->m.round[ij] = c->m.round[ji] = (uint16_t)k;
		}
	}
	tournament_free(&t);
}

void cluster_make(struct cluster *c, uint64_t seed)
{
	struct encounter *at = calloc(c->n, sizeof(*at));
	uint32_t *order = calloc(c->n + 3, sizeof(*order));

	c->host_s = calloc(c->n, sizeof(double));
	c->host_r = calloc(c->n, sizeof(double));
	c->pair = calloc((size_t)c->n * c->n, sizeof(double));
	if (!at || !order || !c->host_s || !c->host_r || !c->pair ||
	    matrix_make(&c->m, c->n, c->nvisits, c->quick ? c->quick : tournament_rounds(c->n)))
		abort();
	rng_seed(&c->rng, seed);
	rng_permutation(&c->rng, order, c->n);
	for (uint32_t k = 0; k < 3; k++)
		c->bad[k] = order[k];
	for (uint32_t i = 0; i < c->n; i++) {
		c->host_s[i] = DIFFERENT * normal(&c->rng);
		c->host_r[i] = c->latency ? c->host_s[i] : DIFFERENT * normal(&c->rng);
	}
	for (size_t i = 0; i < (size_t)c->n * c->n; i++)
		c->pair[i] = DIFFERENT * normal(&c->rng);
	c->m.symmetric = c->latency;
	for (uint32_t v = 0; v < c->nvisits; v++)
		visit(c, v, at);
	free(at);
	free(order);
}

void cluster_free(struct cluster *c)
{
	free(c->host_s);
	free(c->host_r);
	free(c->pair);
	matrix_free(&c->m);
}

/* ---- judging ---- */

static bool has(const struct encounter *at, uint32_t host)
{
	return at->i == host || at->j == host;
}

static void answer(struct cluster *c, const struct meetings *asked)
{
	measure_round(c, asked->at, asked->n);
	for (size_t k = 0; k < asked->n && c->loses; k++)
		if (has(&asked->at[k], c->lost[0]) && has(&asked->at[k], c->lost[1]))
			asked->at[k].ij = asked->at[k].ji = NAN;
}

int cluster_judge(struct cluster *c, const struct rules *rules, bool again, struct map_judged *j)
{
	struct study s = { .n = c->n, .nvisits = c->nvisits,
			   .class = calloc(c->n, sizeof(*s.class)) };
	struct verdicts all = { .s = &s, .rules = *rules, .again = again };
	struct meetings asked;
	struct judging judging;
	size_t rounds = 0;
	int err;

	if (!s.class)
		abort();
	s.of[c->latency ? LATENCY : BANDWIDTH] = c->m;
	judge_open(&judging, &all);
	while ((!c->gives_up || rounds++ < c->gives_up) && judge_wants(&judging, &asked)) {
		answer(c, &asked);
		judge_take(&judging);
	}
	err = judge_close(&judging);
	*j = all.at[0].j;
	memset(&all.at[0].j, 0, sizeof(*j));
	verdicts_free(&all);
	free(s.class);
	return err;
}

/* ---- what is right ---- */

static bool found_leaf(const struct cluster *c, const struct map_verdict *v)
{
	size_t n = c->n / 2 < 8 ? c->n / 2 : 8;

	if ((v->cause.kind != KIND_BLOCKS && v->cause.kind != KIND_GROUP) || v->nmembers != n)
		return false;
	for (size_t k = 0; k < v->nmembers; k++)
		if (!in_leaf(c, v->members[k]))
			return false;
	return true;
}

static bool found_pair(const struct cluster *c, const struct map_verdict *v)
{
	const struct cause *is = &v->cause;

	if (v->or.kind)
		return false;
	if (c->fault == ONE_DIRECTION)
		return is->kind == KIND_DIRECTION && is->a == c->bad[0] && is->b == c->bad[1];
	return is->kind == KIND_PAIR && ((is->a == c->bad[0] && is->b == c->bad[1]) ||
					 (is->a == c->bad[1] && is->b == c->bad[0]));
}

bool cluster_found(const struct cluster *c, const struct map_judged *j)
{
	static const struct {
		enum map_kind kind;
		size_t n;
	} hosts[NFAULTS] = {
		[HOST_BOTH] = { KIND_HOST, 1 }, [HOST_SENDS] = { KIND_SEND, 1 },
		[HOST_RECEIVES] = { KIND_RECEIVE, 1 }, [ONE_UNSTEADY] = { KIND_UNSTEADY, 1 },
		[TWO_HOSTS] = { KIND_HOST, 2 }, [THREE_HOSTS] = { KIND_HOST, 3 },
	};

	if (c->fault == NO_FAULT)
		return !j->n && !j->why;
	if (c->fault == ONE_PAIR || c->fault == ONE_DIRECTION)
		return j->n == 1 && found_pair(c, &j->at[0]);
	if (c->fault == LEAF_AND_HOST)
		return j->n == 2 && found_leaf(c, &j->at[0]) &&
		       j->at[1].cause.kind == KIND_HOST && j->at[1].cause.a == c->bad[0];
	if (c->fault == LEAF)
		return j->n == 1 && found_leaf(c, &j->at[0]);
	if (j->n != hosts[c->fault].n)
		return false;
	for (size_t k = 0; k < j->n; k++)
		if (j->at[k].cause.kind != hosts[c->fault].kind || j->at[k].or.kind ||
		    !is_bad(c, j->at[k].cause.a))
			return false;
	return true;
}
