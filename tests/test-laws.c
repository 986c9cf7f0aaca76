/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts how often blocks of runs are judged right, where runs follow a known law (RUNS.md 8). Each
 * count is printed beside its limit.
 */
#include "analyse/runs/paired.h"
#include "base/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define POINTS 21
#define TRIES 100
#define MOST_BLOCKS 15
#define MARGIN 0.05

enum shape { NORMAL, DRIFT, BEAT, STATES };

/* The law of the logarithm of a run's cost. */
struct law {
	enum shape shape;
	double run, point;	/* standard deviation of a whole run, and of each of its points */
	double slower;		/* by how much B is slower: 0.1 is 10 % */
};

/* The machine: what it has done so far decides the next run. */
struct machine {
	struct rng rng;
	size_t runs;
	bool slow;
};

static double uniform(struct rng *r)
{
	return ((double)(rng_next(r) >> 11) + 0.5) * 0x1p-53;
}

static double normal(struct rng *r)
{
	double radius = sqrt(-2 * log(uniform(r)));

	return radius * cos(6.283185307179586 * uniform(r));
}

/* Makes one run: the logarithm of the cost of each point. */
static void run_once(struct machine *m, const struct law *law, bool b, double *y)
{
	double all = law->run * normal(&m->rng) + (b ? log1p(law->slower) : 0);

	m->slow ^= uniform(&m->rng) < 0.2;
	all += law->shape == DRIFT ? log1p(0.01 * (double)m->runs) : 0;
	all += law->shape == BEAT ? 0.1 * (double)(m->runs % 2) : 0;
	all += law->shape == STATES && m->slow ? log(1.3) : 0;
	m->runs++;
	for (size_t p = 0; p < POINTS; p++)
		y[p] = all + law->point * normal(&m->rng);
}

/* Adds a block: one run of A and one of B, in an order that is drawn. */
static void add_block(struct machine *m, const struct law *law, double *d, size_t block,
		      size_t blocks)
{
	double y[2][POINTS];
	int first = (int)(rng_next(&m->rng) & 1);

	run_once(m, law, first, y[first]);
	run_once(m, law, !first, y[!first]);
	for (size_t p = 0; p < POINTS; p++)
		d[p * blocks + block] = y[1][p] - y[0][p];
}

/* What a comparison ended with. */
struct ending {
	enum paired_verdict verdict;
	bool found;		/* some point differs */
};

/* Judges blocks at each look of (R6) up to `most` blocks, or only at the end. */
static struct ending compare(struct machine *m, const struct law *law, size_t most, bool once)
{
	double d[POINTS * MOST_BLOCKS], part[POINTS * MOST_BLOCKS], used = 0;
	struct paired_point got[POINTS];
	struct ending end = { PAIRED_CANNOT_TELL, false };

	for (size_t i = 0; i < most; i++)
		add_block(m, law, d, i, most);
	for (size_t n = once ? most : interim_next(0); n; n = interim_next(n)) {
		bool last = interim_next(n) > most || once;
		double alpha;

		n = last ? most : n;
		alpha = interim_level(n, used, last);
		for (size_t p = 0; p < POINTS; p++)
			for (size_t i = 0; i < n; i++)
				part[p * n + i] = d[p * most + i];
		end.verdict = (enum paired_verdict)paired_judge(
			&(struct run_blocks){ POINTS, n, part }, MARGIN, alpha, got);
		end.found = false;
		for (size_t p = 0; p < POINTS; p++)
			end.found |= got[p].p <= alpha;
		used += alpha;
		if (last || end.verdict != PAIRED_CANNOT_TELL)
			break;
	}
	return end;
}

struct counts {
	size_t found, worse, not_worse;
};

static struct counts count_endings(const char *name, const struct law *law, size_t most, bool once)
{
	struct machine m = { .runs = 0 };
	struct counts n = { 0 };

	rng_seed(&m.rng, 20);
	for (size_t i = 0; i < TRIES; i++) {
		struct ending end;

		m.runs = 0;
		end = compare(&m, law, most, once);
		n.found += end.found;
		n.worse += end.verdict == PAIRED_WORSE;
		n.not_worse += end.verdict == PAIRED_NOT_WORSE;
	}
	print_message("%s: of %d comparisons %zu find something; exit 1: %zu, exit 0: %zu\n", name,
		      TRIES, n.found, n.worse, n.not_worse);
	return n;
}

static void a_command_seldom_differs_from_itself(void **state)
{
	static const char *const names[] = { "alike, normal", "alike, drift of 1 % a run",
					     "alike, every second run 10 % slower",
					     "alike, states 30 % apart" };

	(void)state;
	for (enum shape shape = NORMAL; shape <= STATES; shape++) {
		const struct law law = { shape, .run = 0.03, .point = 0.02 };
		struct counts n = count_endings(names[shape], &law, 8, true);

		assert_in_range(n.found, 0, 10);
		assert_in_range(n.worse, 0, 5);
	}
}

static void ten_percent_are_found_in_fifteen_blocks_of_a_steady_machine(void **state)
{
	static const struct {
		const char *name;
		double run;
		size_t least;	/* fewest comparisons that must end with 1 */
	} machines[] = {
		{ "10 % slower, runs differ by 2 %", 0.02, 90 },
		{ "10 % slower, runs differ by 3 %", 0.03, 90 },
		{ "10 % slower, runs differ by 7 %", 0.07, 10 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		const struct law law = { NORMAL, .run = machines[i].run, .point = 0.01,
					 .slower = 0.1 };

		assert_in_range(count_endings(machines[i].name, &law, MOST_BLOCKS, false).worse,
				machines[i].least, TRIES);
	}
}

static void a_difference_of_the_margin_has_no_verdict(void **state)
{
	const struct law law = { NORMAL, .run = 0.02, .point = 0.01, .slower = MARGIN };
	struct counts n = count_endings("slower by the margin", &law, MOST_BLOCKS, false);

	(void)state;
	assert_in_range(n.worse, 0, 5);
	assert_in_range(n.not_worse, 0, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_seldom_differs_from_itself),
		cmocka_unit_test(ten_percent_are_found_in_fifteen_blocks_of_a_steady_machine),
		cmocka_unit_test(a_difference_of_the_margin_has_no_verdict),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
