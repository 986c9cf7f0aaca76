/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often map is exactly right, for each number of hosts and each fault, by simulation:
 *
 *	map-simulation [runs [hosts [noise [first [visits]]]]]
 *
 * 100 runs with noise 0.05 of 3, 4, 5, 8, 12, 16 and 64 hosts, or of the number given (0: these).
 * `first`: without a retest, as map --from judges; with so many visits. Each run has a seed of its
 * own, always the same. MAP_TELL=1 says what was found in the runs that are not right.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/values.h"
#include "map-model.h"

static uint32_t visits;		/* 0: as many as usual */

static struct cluster of(uint32_t n, enum fault fault, double noise)
{
	return (struct cluster){
		.n = n, .nvisits = visits ? visits : n >= 1024 ? 1 : n <= 8 ? 5 : 3,
		.quick = n >= 1024 ? 16 : 0, .noise = noise, .fault = fault,
		.effect = fault == ONE_UNSTEADY ? 0.3 : 0.2,
	};
}

/* What was found where something else is right. */
static void tell(const struct cluster *c, uint64_t seed, const struct map_judged *j)
{
	printf("\n%s, seed %llu, hosts %u %u %u, why %d:", fault_names[c->fault],
	       (unsigned long long)seed, c->bad[0], c->bad[1], c->bad[2], (int)j->why);
	for (size_t k = 0; k < j->n; k++)
		printf(" %s %u %u %.3f+-%.3f%s", map_kind_names[j->at[k].cause.kind],
		       j->at[k].cause.a, j->at[k].cause.b, j->at[k].effect, j->at[k].se,
		       j->at[k].or.kind ? " or another" : "");
	printf("\n");
}

static bool is_right(struct cluster *c, uint64_t seed, bool first, double *seconds)
{
	struct rules rules = { thresholds_of(0.05), seed, NULL, NULL };
	struct map_judged j;
	bool right;
	clock_t start;

	cluster_make(c, seed);
	start = clock();
	if (cluster_judge(c, &rules, !first, &j))
		abort();
	*seconds += (double)(clock() - start) / CLOCKS_PER_SEC;
	right = cluster_found(c, &j);
	if (!right && getenv("MAP_TELL"))
		tell(c, seed, &j);
	judged_free(&j);
	cluster_free(c);
	return right;
}

static void run_all(uint32_t n, unsigned long runs, double noise, bool first)
{
	double seconds = 0;

	printf("%5u", n);
	for (enum fault fault = NO_FAULT; fault < NFAULTS; fault++) {
		unsigned long right = 0;

		if ((n < 5 && fault >= TWO_HOSTS) || (n < 8 && fault >= THREE_HOSTS) ||
		    (n < 12 && fault == LEAF_AND_HOST) || (n >= 1024 && fault >= LEAF)) {
			printf(" %9s", "-");
			continue;
		}
		for (unsigned long k = 0; k < runs; k++) {
			struct cluster c = of(n, fault, noise);

			right += is_right(&c, 1000 * k + (uint64_t)fault, first, &seconds);
		}
		printf(" %9.1f", 100 * (double)right / (double)runs);
		fflush(stdout);
	}
	printf("   %.3f s judging a run\n", seconds / (double)(runs * NFAULTS));
}

int main(int argc, char **argv)
{
	static const uint32_t usual[] = { 3, 4, 5, 8, 12, 16, 64 };
	unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 10) : 100;
	uint32_t n = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
	double noise = argc > 3 ? strtod(argv[3], NULL) : 0.05;
	bool first = argc > 4 && !strcmp(argv[4], "first");

	visits = argc > 5 ? (uint32_t)strtoul(argv[5], NULL, 10) : 0;
	printf("%lu runs, noise %g, percent exactly right%s\n%5s", runs, noise,
	       first ? ", first visits only" : "", "n");
	for (enum fault fault = NO_FAULT; fault < NFAULTS; fault++)
		printf(" %9s", fault_names[fault]);
	printf("\n");
	for (size_t i = 0; i < LENGTH(usual) && !n; i++)
		run_all(usual[i], runs, noise, first);
	if (n)
		run_all(n, runs, noise, first);
	return 0;
}
