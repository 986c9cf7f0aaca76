/* SPDX-License-Identifier: Apache-2.0 */
#include "map-model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/values.h"

#define SAMPLES 5
#define DISTURBED 0.02	/* share of samples, and of whole visits of a pair, that are disturbed */
#define SLOWED_LEAST 0.1	/* least slowdown of a disturbed sample, as a share of its time */
#define SLOWED_MOST 3.0
#define DIFFERENT 0.005		/* hosts and pairs */
#define ROUND 0.02		/* rounds */
#define DRIFT 0.03		/* from the first visit to the last */

const char *const fault_names[ALL_FAULTS] = {
	"healthy", "both", "sends", "receives", "pair", "direction", "unsteady", "2 hosts",
	"3 hosts", "leaf", "leaf+host", "half", "rack", "mix of 3", "5 hosts", "40 % slow",
	"60 % slow",
};

const char *const company_names[NCOMPANIES] = {
	"unshared", "fluid", "ecmp", "ecmp by pair", "dragonfly",
};

static double uniform(struct rng *r)
{
	return ((double)(rng_next(r) >> 11) + 0.5) * 0x1p-53;
}

static double normal(struct rng *r)
{
	return sqrt(-2 * log(uniform(r))) * cos(2 * M_PI * uniform(r));
}

static double disturbance(struct rng *r, double share)
{
	if (uniform(r) >= share)
		return 0;
	return -log1p(SLOWED_LEAST + (SLOWED_MOST - SLOWED_LEAST) * uniform(r));
}

/* ---- faults ---- */

static bool is_bad(const struct cluster *c, uint32_t host)
{
	uint32_t n = c->fault == TWO_HOSTS ? 2 : c->fault == THREE_HOSTS ? 3
		     : c->fault == FIVE_HOSTS ? 5 : 1;

	if (c->fault == SLOW_40 || c->fault == SLOW_60)
		return host < c->n * (c->fault == SLOW_40 ? 2 : 3) / 5;
	for (uint32_t k = 0; k < n; k++)
		if (c->bad[k] == host)
			return true;
	return false;
}

static bool in_leaf(const struct cluster *c, uint32_t host)
{
	if (c->fault == HALF || c->fault == RACK)
		return host < c->n / (c->fault == HALF ? 2 : 4);
	return host < c->n / 2 && host < 8;
}

/* A pair of slow hosts is as slow as its slower host. */
static bool is_slow(const struct cluster *c, uint32_t i, uint32_t j, bool coin)
{
	switch (c->fault) {
	case HOST_BOTH: case TWO_HOSTS: case THREE_HOSTS: case FIVE_HOSTS: case SLOW_40:
	case SLOW_60: return is_bad(c, i) || is_bad(c, j);
	case MIX_OF_3:	/* a slow host, a host that receives slowly, and a pair of other hosts */
		return is_bad(c, i) || is_bad(c, j) || j == c->bad[1] ||
		       (i == c->bad[2] && j == c->bad[3]) || (i == c->bad[3] && j == c->bad[2]);
	case HOST_SENDS: return i == c->bad[0];
	case HOST_RECEIVES: return j == c->bad[0];
	case ONE_PAIR:
		return (i == c->bad[0] && j == c->bad[1]) || (i == c->bad[1] && j == c->bad[0]);
	case ONE_DIRECTION: return i == c->bad[0] && j == c->bad[1];
	case ONE_UNSTEADY: return coin && (i == c->bad[0] || j == c->bad[0]);
	case LEAF: case HALF: case RACK: return in_leaf(c, i) != in_leaf(c, j);
	case LEAF_AND_HOST:
		return in_leaf(c, i) != in_leaf(c, j) || is_bad(c, i) || is_bad(c, j);
	default: return false;
	}
}

/* ---- a network that pairs share ---- */

/* A flow of a round: its rate by its hosts alone, its two links, and its rate. */
struct flow {
	double most, rate;	/* 1: the rate of a healthy pair alone */
	uint32_t link[2];	/* links up and down; NO_LINK: the flow stays in its leaf */
	bool done;
};

struct link {
	double left;		/* rate that is left after some flows have got theirs */
	uint32_t flows;		/* number of flows without a rate yet */
};

#define NO_LINK UINT32_MAX
#define MOST_LINKS 4096

static uint32_t leaf_of(const struct cluster *c, uint32_t host)
{
	return host / c->net.leaf;
}

/* Returns the number of links of a leaf from which ECMP chooses. */
static uint32_t uplinks(const struct cluster *c)
{
	double n = c->net.leaf / c->net.over / (c->net.rate > 0 ? c->net.rate : 1);

	return n < 1.5 ? 1 : (uint32_t)(n + 0.5);
}

static double link_rate(const struct cluster *c)
{
	uint32_t leaves = (c->n + c->net.leaf - 1) / c->net.leaf;
	double all = c->net.leaf / c->net.over;

	if (c->net.sharing == SHARE_DRAGONFLY)
		all /= leaves - 1;
	if (c->net.rate > 0)
		return c->net.rate;
	return c->net.sharing == SHARE_ECMP || c->net.sharing == SHARE_PAIR ? 1 : fmax(1, all);
}

/* Sets the numbers of a flow's links. A leaf has up to `uplinks` links in each direction. */
static void find_way(struct cluster *c, struct flow *f, uint32_t i, uint32_t j)
{
	uint32_t a = leaf_of(c, i), b = leaf_of(c, j), n = uplinks(c), up = 0, down = 0;
	uint32_t leaves = (c->n + c->net.leaf - 1) / c->net.leaf;
	uint64_t draw;
	struct rng rng;

	f->link[0] = f->link[1] = NO_LINK;
	if (a == b)
		return;
	if (c->net.sharing == SHARE_DRAGONFLY) {
		f->link[0] = a * leaves + b;
		return;
	}
	rng_seed(&rng, 1000003ULL * i + j);
	draw = c->net.sharing == SHARE_PAIR ? rng_next(&rng) : rng_next(&c->rng);
	if (c->net.sharing != SHARE_FLUID) {
		up = (uint32_t)(draw >> 8) % n;
		down = (uint32_t)(draw >> 40) % n;
	}
	f->link[0] = 2 * (a * n + up);
	f->link[1] = 2 * (b * n + down) + 1;
}

static double share_of(const struct flow *f, const struct link *link)
{
	double least = INFINITY;

	for (int k = 0; k < 2; k++)
		if (f->link[k] != NO_LINK)
			least = fmin(least, link[f->link[k]].left / link[f->link[k]].flows);
	return least;
}

/* Max-min fairness: repeatedly fixes the rate of the flow that gets the least. */
static void share_links(const struct cluster *c, struct flow *f, size_t n)
{
	static struct link link[MOST_LINKS];

	for (uint32_t k = 0; k < MOST_LINKS; k++)
		link[k] = (struct link){ link_rate(c) / (k / 2 / uplinks(c) + 1 == c->weak ? 2 : 1), 0 };
	for (size_t k = 0; k < 2 * n; k++)
		if (f[k / 2].link[k % 2] != NO_LINK)
			link[f[k / 2].link[k % 2]].flows++;
	for (size_t done = 0; done < n; done++) {
		struct flow *next = NULL;

		for (size_t k = 0; k < n; k++) {
			if (f[k].done)
				continue;
			f[k].rate = fmin(f[k].most, share_of(&f[k], link));
			next = !next || f[k].rate < next->rate ? &f[k] : next;
		}
		next->done = true;
		for (int k = 0; k < 2; k++) {
			if (next->link[k] == NO_LINK)
				continue;
			link[next->link[k]].left -= next->rate;
			link[next->link[k]].flows--;
		}
	}
}

/* ---- distances ---- */

/* Returns the number of steps between two places of a torus of four by four by four. */
static uint32_t steps(uint32_t i, uint32_t j)
{
	uint32_t all = 0;

	for (uint32_t by = 1; by < 64; by *= 4) {
		uint32_t d = (i / by + 4 - j / by % 4) % 4;

		all += d == 3 ? 1 : d;
	}
	return all;
}

static double far(const struct cluster *c, uint32_t i, uint32_t j)
{
	switch (c->net.tiers) {
	case TWO_TIERS: return i / 4 != j / 4;
	case THREE_TIERS: return (i / 4 != j / 4) + (i / 16 != j / 16);
	case TORUS: return steps(i, j);
	default: return 0;
	}
}

/* ---- measuring ---- */

/* Returns the median of the samples of a visit, for a pair in one direction. */
static float measure(struct cluster *c, uint32_t i, uint32_t j, double common, double rate)
{
	double x[SAMPLES], y = common + c->host_s[i] + c->host_r[j] + c->pair[i * c->n + j];

	for (int k = 0; k < SAMPLES; k++)
		x[k] = c->noise * normal(&c->rng) + disturbance(&c->rng, DISTURBED);
	sort_doubles(x, SAMPLES);
	y += x[SAMPLES / 2];
	y += disturbance(&c->rng, c->disturbed > 0 ? c->disturbed : DISTURBED);
	return (float)(y + log(rate) - log1p((c->net.tiers == TORUS ? 0.1 : 0.3) * far(c, i, j)));
}

/* Returns the part of a pair's rate that the fault leaves. */
static double faulty_rate(const struct cluster *c, uint32_t i, uint32_t j, bool coin)
{
	double rate = is_slow(c, i, j, coin) ? 1 - c->effect : 1;

	if (c->fault == LEAF_AND_HOST && (is_bad(c, i) || is_bad(c, j)))
		rate *= 1 - c->effect;		/* twice as much as its leaf */
	return rate;
}

static bool is_busy(const struct cluster *c, uint32_t host)
{
	for (uint32_t k = 0; k < c->nbusy; k++)
		if (c->busy[k] == host)
			return true;
	return false;
}

/* Returns the rate of a pair alone. If `coin`, an unsteady host is slow in this meeting. */
static double rate_alone(struct cluster *c, uint32_t i, uint32_t j, bool coin)
{
	bool busy = is_busy(c, i) || is_busy(c, j);

	return faulty_rate(c, i, j, coin) * (busy ? 0.6 : 1);
}

/* Computes the rates of a round in one direction, on a network that pairs share. */
static void find_rates(struct cluster *c, const struct encounter *at, size_t n, const bool *coin,
		       bool back, struct flow *f)
{
	for (size_t k = 0; k < n; k++) {
		uint32_t i = back ? at[k].j : at[k].i, j = back ? at[k].i : at[k].j;

		f[k] = (struct flow){ .most = rate_alone(c, i, j, coin[k]) };
		find_way(c, &f[k], i, j);
	}
	share_links(c, f, n);
}

static void measure_round(struct cluster *c, struct encounter *meetings, size_t n)
{
	double common = log(50e6 / 8) + c->drift + ROUND * normal(&c->rng);
	struct flow *there = c->flow, *back = c->flow + c->n;
	bool *coin = c->coin;

	for (uint32_t k = 0; k < c->nbusy; k++)
		c->busy[k] = (uint32_t)(rng_next(&c->rng) >> 32) % c->n;
	for (size_t k = 0; k < n && c->net.sharing; k++)
		coin[k] = uniform(&c->rng) < 0.5;
	if (c->net.sharing) {
		find_rates(c, meetings, n, coin, false, there);
		find_rates(c, meetings, n, coin, true, back);
	}
	for (size_t k = 0; k < n; k++) {
		struct encounter *at = &meetings[k];

		if (!c->net.sharing) {
			coin[k] = uniform(&c->rng) < 0.5;
			there[k].rate = rate_alone(c, at->i, at->j, coin[k]);
			back[k].rate = rate_alone(c, at->j, at->i, coin[k]);
		}
		at->ij = measure(c, at->i, at->j, common, there[k].rate);
		at->ji = c->latency ? at->ij : measure(c, at->j, at->i, common, back[k].rate);
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
	uint32_t *order = calloc(c->n + LENGTH(c->bad), sizeof(*order));

	c->host_s = calloc(c->n, sizeof(double));
	c->host_r = calloc(c->n, sizeof(double));
	c->pair = calloc((size_t)c->n * c->n, sizeof(double));
	c->flow = calloc(2 * (size_t)c->n, sizeof(*c->flow));
	c->coin = calloc(c->n, sizeof(*c->coin));
	if (!at || !order || !c->flow || !c->coin || !c->host_s || !c->host_r || !c->pair ||
	    matrix_make(&c->m, c->n, c->nvisits, c->quick ? c->quick : tournament_rounds(c->n)))
		abort();
	rng_seed(&c->rng, seed);
	rng_permutation(&c->rng, order, c->n);
	for (uint32_t k = 0; k < LENGTH(c->bad); k++)
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
	free(c->flow);
	free(c->coin);
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
	while ((!c->gives_up || rounds++ < c->gives_up) && judge_next_round(&judging, &asked)) {
		answer(c, &asked);
		judge_continue(&judging);
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
	size_t n = 0;

	for (uint32_t i = 0; i < c->n; i++)
		n += in_leaf(c, i);
	if ((v->cause.kind != KIND_BLOCKS && v->cause.kind != KIND_GROUP) || v->nmembers != n)
		return false;
	for (size_t k = 0; k < v->nmembers; k++)
		if (!in_leaf(c, v->members[k]))
			return false;
	return true;
}

/* Lists the expected causes; for a group KIND_GROUP. Returns their number. */
static size_t list_causes(const struct cluster *c, struct cause *to)
{
	const uint32_t *bad = c->bad;
	size_t n = 0;

	switch (c->fault) {
	case HOST_SENDS: to[n++] = (struct cause){ KIND_SEND, bad[0], bad[0] }; break;
	case HOST_RECEIVES: to[n++] = (struct cause){ KIND_RECEIVE, bad[0], bad[0] }; break;
	case ONE_UNSTEADY: to[n++] = (struct cause){ KIND_UNSTEADY, bad[0], bad[0] }; break;
	case ONE_DIRECTION: to[n++] = (struct cause){ KIND_DIRECTION, bad[0], bad[1] }; break;
	case ONE_PAIR: to[n++] = (struct cause){ KIND_PAIR, bad[0], bad[1] }; break;
	case MIX_OF_3:
		to[n++] = (struct cause){ KIND_HOST, bad[0], bad[0] };
		to[n++] = (struct cause){ KIND_RECEIVE, bad[1], bad[1] };
		to[n++] = (struct cause){ KIND_PAIR, bad[2], bad[3] };
		break;
	case LEAF: case HALF: case RACK: case LEAF_AND_HOST:
		to[n++] = (struct cause){ KIND_GROUP, 0, 0 };
		if (c->fault == LEAF_AND_HOST)
			to[n++] = (struct cause){ KIND_HOST, bad[0], bad[0] };
		break;
	case NO_FAULT: case SLOW_60: break;
	default:
		for (uint32_t i = 0; i < c->n; i++)
			if (is_bad(c, i))
				to[n++] = (struct cause){ KIND_HOST, i, i };
	}
	return n;
}

static bool is_cause(const struct cluster *c, const struct map_verdict *v, const struct cause *want)
{
	const struct cause *is = &v->cause;

	if (v->or.kind)
		return false;
	if (want->kind == KIND_GROUP)
		return found_leaf(c, v);
	return is->kind == want->kind &&
	       ((is->a == want->a && is->b == want->b) ||
		(is->kind == KIND_PAIR && is->a == want->b && is->b == want->a));
}

bool cluster_found(const struct cluster *c, const struct map_judged *j)
{
	struct cause *want = calloc(c->n + 3, sizeof(*want));
	size_t n = list_causes(c, want), found = 0, others = 0;

	if (j->why != (c->fault == SLOW_60 ? NO_NORMAL : JUDGED))
		n = SIZE_MAX;
	for (size_t k = 0; k < j->n; k++) {
		bool is = false;

		if (j->at[k].cause.kind == KIND_SHARED && c->net.sharing)
			continue;
		for (size_t w = 0; w < n && n < SIZE_MAX; w++)
			is |= is_cause(c, &j->at[k], &want[w]);
		found += is;
		others += !is;
	}
	free(want);
	return found == n && !others;
}
