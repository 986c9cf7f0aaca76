/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/hosts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/map/judge/again.h"

/*
 * numbers of rounds of the retest: the usual one, in quick mode, and if a suspect may be unsteady
 */
#define ROUNDS 5
#define ROUNDS_QUICK 7
#define ROUNDS_UNSTEADY 16
/*
 * index, in increasing order, of the lowest value that counts; chance may explain the three lower
 * values, or two of a second retest
 */
#define UNSTEADY_LOW 3
#define UNSTEADY_LOW_AGAIN 2
#define Z_NAMED 4.5
#define Z_AGAIN 2
/* is_unsteady_again(): the host must be slow at least this many times as often as controls */
#define SHARE_CONTROLS 3
/* probability that any host is wrongly called unsteady, if there are only first visits */
#define CHANCE 0.01
#define GROUP_LEAST 3		/* find_group(): fewest hosts of a group */

/* The test of one direction of a suspect, by (12) and (13). */
struct direction {
	/* D: how slow the host is in this direction, a logarithm; and its standard error */
	double d, se;
	bool named;
};

struct suspect {
	uint32_t host;
	double slowest;			/* the smaller of s and r */
	const struct vary *vary; /* why the host may be unsteady; NULL: it seems steady */
	uint32_t partner[ROUNDS_UNSTEADY];
	/* The retest's values of each round, minus the effects of the partner and of the round. */
	double out[ROUNDS_UNSTEADY], in[ROUNDS_UNSTEADY];
	struct direction send, receive;
	enum map_kind kind;
	double drop, share;		/* for a verdict KIND_UNSTEADY */
};

struct suspects {
	struct suspect *at;
	uint32_t n, rounds;		/* number of rounds of the retest; 0: no retest */
};

/* ---- retest ---- */

/*
 * Chooses a good host that is free. It is of another leaf than suspect s, if leaves are known, and
 * has not met s in the t earlier rounds, if possible. All partners are of other leaves, because
 * links between leaves may be slower than hosts: then s would be fast or slow by its partner.
 */
static uint32_t choose_partner(struct retesting *a, const struct suspect *s, uint32_t t)
{
	const struct leaf_levels *l = a->f->rules->levels;
	const struct matrix *m = a->f->m;
	uint32_t best = m->n, least = UINT32_MAX;

	for (uint32_t i = 0; i < m->n && least; i++) {
		uint32_t host = a->order[i], met = 0, cost;

		if (a->busy[host] || !fit_is_good(a->f, host))
			continue;
		while (met < t && s->partner[met] != host)
			met++;
		cost = met < t;
		if (l && l->leaf[matrix_host(m, host)] == l->leaf[matrix_host(m, s->host)])
			cost += 2;
		if (cost > least)
			continue;
		least = cost;
		best = host;
	}
	a->busy[best] = true; /* such a host exists because more than half of the hosts are good */
	return best;
}

/* Measures all suspects again, and subtracts the common effect of each round. */
static void measure_suspects(struct retesting *a, struct suspects *all)
{
	const struct peers *f = a->f;

	for (uint32_t t = 0; t < all->rounds; t++) {
		again_shuffle(a);
		memset(a->busy, 0, f->n * sizeof(*a->busy));
		for (uint32_t k = 0; k < all->n; k++) {
			struct suspect *s = &all->at[k];

			s->partner[t] = choose_partner(a, s, t);
			a->at[k] = (struct encounter){ s->host, s->partner[t], NAN, NAN };
		}
		again_measure_round(a, all->n);
		for (uint32_t k = 0; k < all->n; k++) {
			struct suspect *s = &all->at[k];

			s->out[t] = a->at[k].ij - f->mu - f->r.of[s->partner[t]];
			s->in[t] = a->at[k].ji - f->mu - f->s.of[s->partner[t]];
		}
	}
	again_set_references(a, all->rounds);
	for (uint32_t k = 0; k < all->n; k++) {
		for (uint32_t t = 0; t < all->rounds; t++) {
			all->at[k].out[t] -= a->ref[t];
			all->at[k].in[t] -= a->ref[t];
		}
	}
}

/*
 * Tests by (12) and (13) whether a host is slow in one direction. `values` are those of the retest.
 */
static struct direction test_retest(const struct peers *f, const struct effects *own, uint32_t host,
				    const double *values, uint32_t rounds)
{
	const struct thresholds *limits = &f->rules->limits;
	double x[ROUNDS_UNSTEADY], first = own->of[host], se = own->se[host], d, se_again;
	struct direction to;
	size_t n = 0;

	for (uint32_t t = 0; t < rounds; t++) {
		x[n] = values[t];
		n += !isnan(x[n]);
	}
	d = -select_median(x, n);
	se_again = 1.2533 * f->sigma / sqrt((double)n);
	to.d = (d - first) / 2;
	to.se = sqrt(se * se / 2 + se_again * se_again / 4);
	to.named = d > fmax(-first / 2, limits->host_again) && d > Z_AGAIN * se_again &&
		   to.d > limits->host && to.d > Z_NAMED * to.se;
	return to;
}

/*
 * True if the host is slow in some rounds and not in others, more often than controls are. Its
 * `low` slowest rounds do not count.
 */
static bool is_unsteady_again(const struct retesting *a, const struct unsteady *u,
			      struct suspect *s, uint32_t rounds, uint32_t low)
{
	double x[ROUNDS_UNSTEADY];
	size_t n = 0, below = 0;
	uint32_t worst = 0;
	uint32_t others = 0;

	for (uint32_t t = 0; t < rounds; t++) {
		x[n] = (s->out[t] + s->in[t]) / 2;
		n += !isnan(x[n]);
		worst = s->out[t] + s->in[t] < s->out[worst] + s->in[worst] ? t : worst;
	}
	if (n <= low + 1)
		return false;
	sort_doubles(x, n);
	while (below < n && x[below] < x[n - 2] - u->g / 2)
		below++;
	/* if it is slow with only one partner, that pair is slow, not the host */
	for (uint32_t t = 0; t < rounds; t++)
		others += s->partner[t] != s->partner[worst] &&
			  (s->out[t] + s->in[t]) / 2 < x[n - 2] - u->g / 2;
	s->share = (double)below / (double)n;
	s->drop = below ? select_median(x + below, n - below) - select_median(x, below) : 0;
	return others > 1 && x[n - 2] - x[low] > 0.9 * u->g &&
	       s->share >= SHARE_CONTROLS * again_share_below(a, -u->g / 2);
}

/* ---- first visits only ---- */

/*
 * Makes the tests of (13) without a retest. In place of the retest, each single visit must pass
 * them. One disturbed value can change a median of few visits, but not the values of all visits.
 */
static struct direction test_visits(struct peers *f, const struct effects *own, uint32_t host)
{
	const struct thresholds *limits = &f->rules->limits;
	const struct sample *s = &own->values;
	double first = own->of[host], se = own->se[host];
	struct direction to = { .d = -first, .se = se };

	to.named = -first > limits->host && -first > Z_NAMED * se;
	for (uint32_t v = 0; v < f->m->nvisits && to.named; v++) {
		size_t n = 0;

		for (uint32_t k = 0; k < s->n[host]; k++) {
			uint32_t who = s->who[sample_at(s, host, k)];
			double y = own == &f->s ? fit_value(f, v, host, who) - f->r.of[who]
						: fit_value(f, v, who, host) - f->s.of[who];

			if (fit_is_good(f, who) && !isnan(y))
				f->work[n++] = y - f->mu;
		}
		to.named = !n || -select_median(f->work, n) > fmax(-first / 2, limits->host_again);
	}
	return to;
}

/* ---- which suspects get a verdict ---- */

/* Judges one suspect by its retest `a`. If `a` is NULL, judges it by first visits only. */
static void judge_suspect(struct peers *f, const struct unsteady *u, const struct retesting *a,
			  struct suspect *s, uint32_t rounds)
{
	const struct direction *send = &s->send, *receive = &s->receive;
	double other = f->rules->limits.host_other;
	bool sends, receives, varies = s->vary;

	if (varies && a) {
		varies = is_unsteady_again(a, u, s, rounds, UNSTEADY_LOW);
	} else if (varies) {
		s->drop = s->vary->drop;
		s->share = NAN;
		/*
		 * Chance does not explain this number of mixed pairs, given the share of mixed
		 * pairs at other hosts.
		 */
		varies = f->n * binomial_tail(s->vary->met, s->vary->mixed, u->elsewhere) < CHANCE;
	}
	if (varies) {
		s->kind = KIND_UNSTEADY;
		return;
	}
	s->send = a ? test_retest(f, &f->s, s->host, s->out, rounds)
		    : test_visits(f, &f->s, s->host);
	s->receive = a ? test_retest(f, &f->r, s->host, s->in, rounds)
		       : test_visits(f, &f->r, s->host);
	sends = send->named || (receive->named && send->d > receive->d / 2 && send->d > other);
	receives = receive->named ||
		   (send->named && receive->d > send->d / 2 && receive->d > other);
	s->kind = sends && receives ? KIND_HOST
		  : sends	    ? KIND_SEND
		  : receives	    ? KIND_RECEIVE
				    : KIND_NONE;
	if (f->m->symmetric && s->kind != KIND_NONE)
		s->kind = KIND_HOST;	/* a round trip has no direction */
}

/* ---- groups ---- */

/*
 * True if the host is a member: with the other members it is slow by less than half of its effect.
 */
static bool is_group_member(struct peers *f, const struct suspects *all, const struct suspect *s,
			    const bool *in)
{
	double effect = (s->send.d + s->receive.d) / 2;
	size_t n = 0;

	for (uint32_t k = 0; k < all->n && n + 2 <= FIT_MANY; k++) {
		uint32_t other = all->at[k].host;

		if (!in[other] || other == s->host)
			continue;
		f->work[n] = f->x[(size_t)s->host * f->n + other];
		n += !isnan(f->work[n]);
		f->work[n] = f->x[(size_t)other * f->n + s->host];
		n += !isnan(f->work[n]);
	}
	return n && select_median(f->work, n) - f->mu > -effect / 2;
}

/*
 * Marks the slow hosts that form a group, and adds a verdict on the group. Hosts that are also slow
 * with the members are dropped one by one.
 */
static void find_group(struct peers *f, struct suspects *all, bool *in_group, struct map_judged *j)
{
	struct map_verdict *v;
	uint32_t n = 0, before;
	double square = 0;

	for (uint32_t k = 0; k < all->n; k++) {
		in_group[all->at[k].host] = all->at[k].kind == KIND_HOST;
		n += in_group[all->at[k].host];
	}
	do {
		before = n;
		for (uint32_t k = 0; k < all->n; k++) {
			const struct suspect *s = &all->at[k];

			if (!in_group[s->host] || is_group_member(f, all, s, in_group))
				continue;
			in_group[s->host] = false;
			n--;
		}
	} while (n && n < before);
	if (n < GROUP_LEAST) {
		memset(in_group, 0, f->n * sizeof(*in_group));
		return;
	}
	v = judged_add(f->room, j, KIND_GROUP, 0, 0, n);
	v->persistence = all->rounds ? PERSISTENT : UNTESTED;
	for (uint32_t k = 0; k < all->n; k++) {
		struct suspect *s = &all->at[k];

		if (!in_group[s->host])
			continue;
		v->effect += (s->send.d + s->receive.d) / 2 / n;
		square += (s->send.se * s->send.se + s->receive.se * s->receive.se) / 4;
		v->members[v->nmembers++] = matrix_host(f->m, s->host);
		s->kind = KIND_GROUP;
	}
	v->se = sqrt(square / n);
	v->cause.a = v->cause.b = v->members[0];
}

/* ---- all suspects ---- */

/* Adds a verdict on a suspect. */
static void add_host_verdict(const struct peers *f, const struct suspect *s,
			     enum persistence persistence, struct map_judged *j)
{
	uint32_t host = matrix_host(f->m, s->host);
	struct map_verdict *v = judged_add(f->room, j, s->kind, host, host, 0);
	const struct direction *one = s->kind == KIND_RECEIVE ? &s->receive : &s->send;

	v->effect = one->d;
	v->se = one->se;
	v->persistence = persistence;
	if (s->kind == KIND_HOST) {
		v->effect = (s->send.d + s->receive.d) / 2;
		v->se = sqrt(s->send.se * s->send.se + s->receive.se * s->receive.se) / 2;
	} else if (s->kind == KIND_UNSTEADY) {
		v->effect = s->drop;
		v->se = NAN;
		v->share = s->share;
	}
}

static int compare_slowness(const void *a, const void *b)
{
	const struct suspect *x = a, *y = b;

	return order_doubles(x->slowest, y->slowest);
}

/* Keeps the slowest suspects, as many as can be measured alone. */
static void keep_slowest(const struct peers *f, struct suspects *all, struct map_judged *j)
{
	uint32_t most = (uint32_t)again_limit(f->rules, all->rounds, all->n);

	if (most < all->n)
		qsort(all->at, all->n, sizeof(*all->at), compare_slowness);
	j->beyond += all->n - most;
	all->n = most;
}

/*
 * Measures the hosts that were found unsteady once more, if each pair is alone. Those that are not
 * unsteady again are normal: their slow rounds were chance.
 */
static void confirm_unsteady(struct peers *f, const struct unsteady *u, const struct suspects *all)
{
	struct suspects again = { .at = scratch_take(f->room, f->n, sizeof(*again.at)),
				  .rounds = all->rounds };
	struct retesting a = again_make(f, f->rules->seed + 5, all->rounds);

	for (uint32_t k = 0; k < all->n; k++)
		if (all->at[k].kind == KIND_UNSTEADY)
			again.at[again.n++] = (struct suspect){ .host = all->at[k].host };
	if (!f->rules->alone || !again.n)
		return;
	measure_suspects(&a, &again);
	for (uint32_t k = 0, i = 0; k < all->n; k++)
		if (all->at[k].kind == KIND_UNSTEADY &&
		    !is_unsteady_again(&a, u, &again.at[i++], again.rounds, UNSTEADY_LOW_AGAIN))
			all->at[k].kind = KIND_NONE;
}

void hosts_judge(struct peers *f, const struct unsteady *u, bool *in_group, struct map_judged *j)
{
	struct suspects all = { .at = scratch_take(f->room, f->n, sizeof(*all.at)) };
	struct retesting a;

	for (uint32_t i = 0; i < f->n; i++) {
		const struct vary *vary = NULL;

		if (!f->s.bad[i] && !f->r.bad[i] && !f->varies[i])
			continue;
		for (uint32_t k = 0; k < u->n; k++)
			if (u->at[k].host == i)
				vary = &u->at[k];
		all.at[all.n++] = (struct suspect){ .host = i, .vary = vary,
						    .slowest = fmin(f->s.of[i], f->r.of[i]) };
	}
	if (all.n && f->rules->again) {
		all.rounds = u->n ? ROUNDS_UNSTEADY : matrix_is_quick(f->m) ? ROUNDS_QUICK : ROUNDS;
		keep_slowest(f, &all, j);
		a = again_make(f, f->rules->seed, all.rounds);
		measure_suspects(&a, &all);
	}
	for (uint32_t k = 0; k < all.n; k++)
		judge_suspect(f, u, all.rounds ? &a : NULL, &all.at[k], all.rounds);
	if (all.rounds)
		confirm_unsteady(f, u, &all);
	/* suspects without a verdict count as good hosts from here on */
	for (uint32_t k = 0; k < all.n; k++) {
		const struct suspect *s = &all.at[k];

		f->s.bad[s->host] = s->kind == KIND_HOST || s->kind == KIND_SEND;
		f->r.bad[s->host] = s->kind == KIND_HOST || s->kind == KIND_RECEIVE;
		f->varies[s->host] = s->kind == KIND_UNSTEADY;
	}
	if (all.n)
		fit_to_good_hosts(f);
	find_group(f, &all, in_group, j);
	for (uint32_t k = 0; k < all.n; k++) {
		const struct suspect *s = &all.at[k];

		if (s->kind == KIND_NONE && isnan(s->send.d) && isnan(s->receive.d))
			j->lost++;
		else if (s->kind == KIND_NONE)
			j->normal += all.rounds > 0;
		else if (s->kind != KIND_GROUP)
			add_host_verdict(f, s, all.rounds ? PERSISTENT : UNTESTED, j);
	}
}
