/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/change/change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/map/change/chance.h"
#include "analyse/map/judge/causes.h"
#include "analyse/map/judge/fit.h"
#include "analyse/map/judge/small.h"
#include "analyse/map/study/rows.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/values.h"
#include "result/columns.h"
#include "result/reader.h"

#define LEVELS_LEAST 2 /* an interval needs this number of visits, or of rounds, of each result */
#define LEVELS_MOST 64		/* largest number of rounds that are used */
#define NOISE_LEAST 0.001

/* ---- hosts ---- */

/* Lists the hosts that both results have, and the hosts that only one of them has, by name. */
static int match_hosts(struct changes *c)
{
	uint32_t other;

	c->name = calloc(c->s[A].n + 1, sizeof(*c->name));
	for (int side = A; side <= B; side++) {
		const struct study *s = &c->s[side];

		c->host[side] = calloc(c->s[A].n + 1, sizeof(**c->host));
		c->only[side] = calloc(s->n + 1, sizeof(**c->only));
		if (!c->host[side] || !c->only[side] || !c->name)
			return error_report("no memory for %u hosts", s->n);
		for (uint32_t i = 0; i < s->n; i++)
			if (!study_find(&c->s[!side], s->name[i], &other))
				c->only[side][c->nonly[side]++] = i;
	}
	for (uint32_t i = 0; i < c->s[A].n; i++) {
		if (!study_find(&c->s[B], c->s[A].name[i], &other))
			continue;
		c->name[c->n] = c->s[A].name[i];
		c->host[A][c->n] = i;
		c->host[B][c->n++] = other;
	}
	return ST_OK;
}

/* ---- ratios ---- */

/*
 * Subtracts each visit of A from the same visit of B. If A or B has only one visit, subtracts A's
 * median over its visits from B's.
 */
static void subtract_visits(const struct changes *c, struct change_of *of)
{
	uint32_t of_a = c->s[A].nvisits, of_b = c->s[B].nvisits, visits = of_a < of_b ? of_a : of_b;
	double y[2];

	if (matrix_make(&of->m, c->n, visits, 0))
		scratch_give_up(c->rules.room);
	of->m.symmetric = of->quantity != BANDWIDTH;
	for (uint32_t i = 0; i < c->n; i++) {
		for (uint32_t j = 0; j < c->n; j++) {
			double shift = i == j ? NAN : change_of_pair(c, of, i, j, y);

			of->pairs += !isnan(shift);
			of->missing += i != j && isnan(shift);
			for (uint32_t v = 0; v < visits && i != j; v++) {
				for (int side = A; side <= B && visits > 1; side++)
					y[side] = study_value(&c->s[side], of->quantity, v,
							      c->host[side][i],
							      c->host[side][j]);
				of->m.y[matrix_at(&of->m, v, i, j)] = (float)(y[B] - y[A]);
			}
		}
	}
}

/* ---- the network ---- */

/*
 * Medians over the pairs without verdicts. There is one for each visit, or with a single visit one
 * for each round.
 */
struct levels {
	double mean, var;		/* mean of the medians, and its variance */
	size_t n;
};

/* Computes the medians of one result, A or B. */
static struct levels compute_levels(const struct changes *c, const struct change_of *of, int side,
				    double *work)
{
	const struct study *s = &c->s[side];
	bool rounds = s->nvisits == 1 && s->nrounds;
	uint32_t all = rounds ? s->nrounds : s->nvisits, step = all / LEVELS_MOST + 1;
	struct levels l = { 0, 0, 0 };
	double squares = 0, median[LEVELS_MOST + 1];

	for (uint32_t k = 0; k < all; k += step) {
		size_t n = 0;

		for (uint32_t i = 0; i < c->n; i++) {
			for (uint32_t j = 0; j < c->n; j++) {
				uint32_t a = c->host[side][i], b = c->host[side][j];
				uint32_t v = rounds ? 0 : k;

				if (isnan(of->m.y[matrix_at(&of->m, 0, i, j)]) ||
				    (rounds && study_round(s, v, a, b) != k) ||
				    change_cause(of, i, j))
					continue;
				work[n] = study_value(s, of->quantity, v, a, b);
				n += !isnan(work[n]);
			}
		}
		if (!n)
			continue;
		median[l.n] = select_median(work, n);
		l.mean += median[l.n++];
	}
	l.mean /= (double)l.n;
	for (size_t k = 0; k < l.n; k++)
		squares += pow(median[k] - l.mean, 2);
	l.var = squares / (double)(l.n - 1) / (double)l.n;
	return l;
}

/*
 * Returns the median shift of the pairs that verdict v does not concern. If v is NULL: of the pairs
 * that no verdict concerns.
 */
static double usual_shift(const struct changes *c, const struct change_of *of,
			  const struct map_verdict *v, double *work)
{
	size_t n = 0;
	double y[2];

	for (uint32_t i = 0; i < c->n; i++) {
		for (uint32_t j = 0; j < c->n; j++) {
			if (i == j ||
			    (v ? verdict_concerns_pair(v, i, j) : change_cause(of, i, j) != NULL))
				continue;
			work[n] = change_of_pair(c, of, i, j, y);
			n += !isnan(work[n]);
		}
	}
	return select_median(work, n);
}

/*
 * Sets the network's change: the median shift of pairs without verdicts. Its interval comes from
 * the differences between visits or rounds.
 */
static void estimate_network_change(const struct changes *c, struct change_of *of, double *work)
{
	static const double student[] = { NAN, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
					  2.306, 2.262, 2.228 };	/* 97.5 % points of t */
	struct levels a, b;
	size_t degrees;
	double t, half;

	of->network = (struct shift){ usual_shift(c, of, NULL, work), NAN, NAN };
	a = compute_levels(c, of, A, work);
	b = compute_levels(c, of, B, work);
	if (a.n < LEVELS_LEAST || b.n < LEVELS_LEAST)
		return;
	degrees = a.n + b.n - 2;
	t = degrees < LENGTH(student) ? student[degrees] : 1.96 + 2.5 / (double)degrees;
	half = t * fmax(NOISE_LEAST, sqrt(a.var + b.var));
	of->network.lo = of->network.by - half;
	of->network.hi = of->network.by + half;
}

/* ---- hosts and pairs ---- */

/* Changes the sign of all values, so that faster becomes slower. */
static void negate_values(struct matrix *m)
{
	for (size_t at = 0; at < (size_t)m->nvisits * m->n * m->n; at++)
		m->y[at] = -m->y[at];
}

/*
 * Removes the verdicts of a kind. KIND_PAIR includes verdicts on one direction of a pair. KIND_NONE
 * removes all verdicts.
 */
static void remove_verdicts(struct map_judged *j, enum map_kind kind)
{
	size_t n = 0;

	for (size_t k = 0; k < j->n; k++) {
		enum map_kind is = j->at[k].cause.kind;

		if (!kind || is == kind || (kind == KIND_PAIR && is == KIND_DIRECTION))
			free(j->at[k].members);
		else
			j->at[n++] = j->at[k];
	}
	j->n = n;
}

/* Makes an empty judgement of the common hosts. */
static void make_empty_judgement(const struct changes *c, struct map_judged *j)
{
	if (judged_make(j, c->n))
		scratch_give_up(c->rules.room);
}

/*
 * Judges only those hosts that have not become faster than the others, with each other as the
 * reference.
 */
static void judge_hosts_not_faster(const struct changes *c, const struct change_of *of,
				   struct map_judged *j)
{
	uint32_t *rest = scratch_take(c->rules.room, c->n, sizeof(*rest)), n = 0;
	struct matrix part;

	for (uint32_t i = 0; i < c->n; i++) {
		size_t k = 0;

		while (k < j->faster.n && j->faster.members[k] != i)
			k++;
		if (k == j->faster.n)
			rest[n++] = i;
	}
	judged_free(j);
	make_empty_judgement(c, j);
	part = matrix_copy(c->rules.room, &of->m, rest, n, 0);
	causes_judge(&part, &c->rules, j);
}

static void compare_quantity(const struct changes *c, struct change_of *of)
{
	struct map_judged *slower = &of->found[0], *faster = &of->found[1];
	double *work = scratch_take(c->rules.room, (size_t)c->n * c->n, sizeof(*work));
	bool one;

	subtract_visits(c, of);
	for (int k = 0; k < 2; k++) {
		make_empty_judgement(c, &of->found[k]);
		causes_judge(&of->m, &c->rules, &of->found[k]);
		negate_values(&of->m);
	}
	/*
	 * If at least a third of the hosts have become faster, there is no normal value to which
	 * slower hosts can be compared. But if the faster hosts have verdicts, the others are
	 * judged among themselves.
	 */
	for (int k = 0; k < 2; k++) {
		struct map_judged *j = &of->found[k], *other = &of->found[!k];
		bool named = j->faster.n && !other->why && other->n;

		if (named && c->n > SMALL_MOST)
			judge_hosts_not_faster(c, of, j);
		else if (named)
			j->why = JUDGED;
		negate_values(&of->m);
	}
	/*
	 * With few hosts the same numbers may mean "pair 0-1 is slower" or "host 2 is faster". Each
	 * verdict leaves a change of the pairs that it does not concern. Keep the verdict that
	 * leaves the smaller one.
	 */
	if (c->n <= SMALL_MOST && slower->n && faster->n) {
		double rest = fabs(usual_shift(c, of, &faster->at[0], work));

		/* NaN: the verdict concerns all pairs, so no other pair is left */
		one = fabs(usual_shift(c, of, &slower->at[0], work)) <= rest || isnan(rest);
		remove_verdicts(one ? faster : slower, KIND_NONE);
	}
	of->se = slower->sigma * median_deviation(of->m.nvisits);
	for (int k = 0; k < 2; k++) {
		/* the separate verdicts on A and on B already name unsteady hosts */
		remove_verdicts(&of->found[k], KIND_UNSTEADY);
		if (c->n <= SMALL_MOST)
			continue;
		chance_drop_hosts(of, &of->found[k]);
		remove_verdicts(&of->found[k], KIND_PAIR);
	}
	if (c->n > SMALL_MOST)
		chance_judge_pairs(c, of);
	estimate_network_change(c, of, work);
}

static void compare_all_quantities(void *changes)
{
	struct changes *c = changes;

	for (size_t k = 0; k < c->nof; k++)
		compare_quantity(c, &c->of[k]);
}

/* ---- both results ---- */

/*
 * Chooses the quantities that both maps have. If `name` is not NULL, chooses only the quantity of
 * that column.
 */
static int choose_quantities(struct changes *c, const char *name)
{
	bool known = !name;

	for (int q = 0; q < NQUANTITIES; q++) {
		bool wanted = !name || !strcmp(column_new_name(name), quantity_names[q].column);

		known |= wanted;
		if (wanted && c->s[A].of[q].n && c->s[B].of[q].n)
			c->of[c->nof++] = (struct change_of){ .quantity = (enum quantity)q };
	}
	if (!known)
		return error_usage("column '%s' of maps cannot be compared: expected "
				   "bandwidth_Bps, half_rtt_epoch_s or bidirectional_Bps", name);
	if (!c->nof)
		return error_usage("the maps have no %s in common", name ? name : "quantity");
	return ST_OK;
}

int changes_find(struct changes *c, double least, const char *name)
{
	int err = match_hosts(c);

	if (!err)
		err = choose_quantities(c, name);
	c->rules = (struct rules){ .limits = thresholds_for(least), .seed = 1, .room = &c->room };
	return err || c->n < 2 ? err : scratch_run(&c->room, compare_all_quantities, c);
}

int changes_make(struct changes *c, json_t *const doc[2], const char *const path[2],
		 const char *name)
{
	double least = 5, percent;	/* the larger --min-effect of the two results */
	bool any = false;
	int err = ST_OK;

	for (int side = A; side <= B && !err; side++) {
		percent = result_number(doc[side], "options.min-effect");
		least = percent > least ? percent : least;
		err = rows_read_result(doc[side], path[side], &c->s[side]);
	}
	if (!err)
		err = changes_find(c, least / 100, name);
	if (!err && c->n < 2)
		return error_no_verdict("no verdict: '%s' and '%s' have %s host in common",
					path[A], path[B], c->n ? "only one" : "no");
	for (size_t k = 0; k < c->nof; k++)
		any |= c->of[k].pairs > 0;
	if (!err && !any)
		err = error_no_verdict("no verdict: '%s' and '%s' have no pair in common; those of "
				       "mode quick need the same '--seed'", path[A], path[B]);
	return err;
}

void changes_free(struct changes *c)
{
	for (int side = A; side <= B; side++) {
		study_free(&c->s[side]);
		free(c->host[side]);
		free(c->only[side]);
	}
	free(c->name);
	for (size_t k = 0; k < c->nof; k++) {
		matrix_free(&c->of[k].m);
		judged_free(&c->of[k].found[0]);
		judged_free(&c->of[k].found[1]);
	}
}
