/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often map is exactly right on made-up clusters, as tables:
 *
 *	map-simulation TABLE [runs [hosts [noise [first seed]]]]
 *
 * TABLE is usual, unshared, shared, latency, from (shared without a retest, as with --from),
 * failing, or all of these; 0 hosts or noise: those of
 * the table. In usual and unshared each run has a seed of its own, always the same. MAP_TELL=1 says
 * what was found in the runs that are not right; MAP_CELL=text prints the cells with that in their
 * name alone.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/values.h"
#include "map-model.h"

/* What the user has asked for. */
static struct {
	unsigned long runs;
	uint32_t n;
	double noise;
	uint64_t seed;
	bool once;	/* without a retest */
} asked;

/* Cells that were run. */
static struct {
	unsigned long runs, cells;
	double percent, seconds, least;
	char worst[64];		/* name of the cell with the least percent */
} all;

/* ---- a cell ---- */

/* What was found where something else is right. */
static void tell(const struct cluster *c, uint64_t seed, const struct map_judged *j)
{
	printf("  %s, seed %llu, hosts %u %u %u, why %d:", fault_names[c->fault],
	       (unsigned long long)seed, c->bad[0], c->bad[1], c->bad[2], (int)j->why);
	for (size_t k = 0; k < j->n && j->at[k].sharing; k++) {
		const struct map_sharing *s = j->at[k].sharing;

		printf(" tested %.2f, carries %.2f (%.2f to %.2f), leaves", s->tested, s->carries.is,
		       s->carries.lo, s->carries.hi);
		for (size_t l = 0; l < s->nleaves; l++)
			printf(" %u", s->size[l]);
	}
	for (size_t k = 0; k < j->n; k++)
		printf(" %s %u %u %.3f+-%.3f%s", map_kind_names[j->at[k].cause.kind],
		       j->at[k].cause.a, j->at[k].cause.b, j->at[k].effect, j->at[k].se,
		       j->at[k].or.kind ? " or another" : "");
	printf("\n");
}

/* One run; counts it in *shared if the network is found to be shared. */
static bool is_right(struct cluster c, uint64_t seed, unsigned long *shared)
{
	struct rules rules = { .limits = thresholds_for(0.05), .seed = seed };
	struct map_judged j;
	bool right;
	clock_t start = clock();

	cluster_make(&c, seed);
	if (cluster_judge(&c, &rules, !asked.once, &j))
		abort();
	right = cluster_found(&c, &j);
	for (size_t k = 0; k < j.n; k++)
		*shared += j.at[k].cause.kind == KIND_SHARED;
	if (!right && getenv("MAP_TELL"))
		tell(&c, seed, &j);
	judged_free(&j);
	cluster_free(&c);
	all.seconds += (double)(clock() - start) / CLOCKS_PER_SEC;
	return right;
}

/* Runs a cell and prints it: right, and found to be shared, in percent. */
static void run_cell(struct cluster like, const char *name)
{
	unsigned long right = 0, shared = 0;
	const char *only = getenv("MAP_CELL");

	if (only && !strstr(name, only))
		return;
	for (unsigned long k = 0; k < asked.runs; k++)
		right += is_right(like, asked.seed + 1000 * k + (uint64_t)like.fault, &shared);
	all.runs += asked.runs;
	all.cells++;
	all.percent += 100.0 * (double)right / (double)asked.runs;
	if (all.cells == 1 || 100.0 * (double)right / (double)asked.runs < all.least) {
		all.least = 100.0 * (double)right / (double)asked.runs;
		snprintf(all.worst, sizeof(all.worst), "%s", name);
	}
	printf("%-52s %6.1f", name, 100 * (double)right / (double)asked.runs);
	if (shared || like.net.sharing)
		printf("   shared %5.1f", 100 * (double)shared / (double)asked.runs);
	printf("\n");
	fflush(stdout);
}

static struct cluster cluster_of(uint32_t n, enum fault fault, double noise, double effect)
{
	return (struct cluster){
		.n = n, .nvisits = n >= 1024 ? 1 : n <= 8 ? 5 : 3, .quick = n >= 1024 ? 16 : 0,
		.noise = noise, .fault = fault, .effect = effect,
	};
}

static bool wants_hosts(uint32_t n)
{
	return !asked.n || asked.n == n;
}

static bool wants_noise(double noise)
{
	return asked.noise <= 0 || fabs(asked.noise - noise) < 1e-9;
}

/* ---- tables ---- */

/* The faults of the unit test, of few hosts as well. */
static void table_usual(void)
{
	static const uint32_t sizes[] = { 3, 4, 5, 8, 12, 16, 64 };

	for (size_t i = 0; i < LENGTH(sizes); i++) {
		for (enum fault fault = NO_FAULT; fault < NFAULTS; fault++) {
			uint32_t n = sizes[i];
			char name[64];

			if (!wants_hosts(n) || (n < 5 && fault >= TWO_HOSTS) ||
			    (n < 8 && fault >= THREE_HOSTS) || (n < 12 && fault == LEAF_AND_HOST))
				continue;
			snprintf(name, sizeof(name), "n=%u %s", n, fault_names[fault]);
			run_cell(cluster_of(n, fault, asked.noise > 0 ? asked.noise : 0.05,
					    fault == ONE_UNSTEADY ? 0.3 : 0.2), name);
		}
	}
}

/* The faults of tables, and what they leave. */
static const struct {
	enum fault fault;
	double left;
} cells[] = {
	{ NO_FAULT, 1 }, { HOST_BOTH, 0.7 }, { HOST_BOTH, 0.8 }, { HOST_BOTH, 0.9 },
	{ HOST_SENDS, 0.7 }, { HOST_SENDS, 0.8 }, { HOST_SENDS, 0.9 }, { HOST_RECEIVES, 0.7 },
	{ HOST_RECEIVES, 0.8 }, { HOST_RECEIVES, 0.9 }, { ONE_PAIR, 0.6 },
	{ ONE_DIRECTION, 0.6 }, { ONE_UNSTEADY, 0.6 }, { TWO_HOSTS, 0.7 }, { THREE_HOSTS, 0.7 },
	{ HALF, 0.6 }, { RACK, 0.6 }, { MIX_OF_3, 0.7 }, { FIVE_HOSTS, 0.7 },
	{ SLOW_40, 0.7 }, { SLOW_60, 0.7 },
};

static const double noises[] = { 0.02, 0.05, 0.10 };

static void table_unshared(void)
{
	static const uint32_t sizes[] = { 12, 16, 32, 64 };
	char name[64];

	for (size_t i = 0; i < LENGTH(sizes) * LENGTH(noises); i++) {
		uint32_t n = sizes[i / LENGTH(noises)];
		double noise = noises[i % LENGTH(noises)];

		for (size_t k = 0; k < LENGTH(cells) && wants_hosts(n) && wants_noise(noise); k++) {
			enum fault fault = cells[k].fault;

			if (n == 12 && (fault == FIVE_HOSTS || fault == SLOW_40))
				continue;	/* more than are told from the others */
			snprintf(name, sizeof(name), "n=%u noise %g %s %g", n, noise,
				 fault_names[fault], cells[k].left);
			run_cell(cluster_of(n, fault, noise, 1 - cells[k].left), name);
		}
	}
}

/* Healthy, a host at 0.7, a pair at 0.6. */
static void run_three(struct cluster like, const char *what)
{
	static const enum fault faults[] = { NO_FAULT, HOST_BOTH, ONE_PAIR };
	static const double left[] = { 1, 0.7, 0.6 };
	char name[96];

	for (size_t k = 0; k < LENGTH(faults); k++) {
		like.fault = faults[k];
		like.effect = like.latency ? 0.2 + 0.2 * (k == 2) : 1 - left[k];
		snprintf(name, sizeof(name), "%s n=%u noise %g %s", what, like.n, like.noise,
			 fault_names[faults[k]]);
		run_cell(like, name);
	}
}

static void table_shared(void)
{
	static const struct {
		uint32_t n, leaf;
	} sizes[] = { { 12, 6 }, { 16, 8 }, { 32, 8 }, { 64, 8 } };
	static const enum company kinds[] = { SHARE_FLUID, SHARE_ECMP, SHARE_DRAGONFLY };
	char what[64];

	for (size_t i = 0; i < LENGTH(sizes) * LENGTH(kinds) * 4 * 2; i++) {
		double noise = noises[i % 2];
		struct network net = { kinds[i / 8 % 3], sizes[i / 24].leaf,
				       (double)(i / 2 % 4 + 1), 0, ALL_NEAR };
		struct cluster like = cluster_of(sizes[i / 24].n, NO_FAULT, noise, 0);

		if (!wants_hosts(like.n) || !wants_noise(noise))
			continue;
		like.net = net;
		snprintf(what, sizeof(what), "%s %g:1", company_names[net.sharing], net.over);
		run_three(like, what);
	}
}

static void table_latency(void)
{
	static const struct {
		enum distances tiers;
		uint32_t n;
		const char *name;
	} rows[] = {
		{ ALL_NEAR, 16, "one tier" },
		{ TWO_TIERS, 16, "two tiers" }, { TWO_TIERS, 27, "two tiers" },
		{ TWO_TIERS, 32, "two tiers" }, { TWO_TIERS, 64, "two tiers" },
		{ THREE_TIERS, 16, "three tiers" }, { THREE_TIERS, 27, "three tiers" },
		{ THREE_TIERS, 32, "three tiers" }, { THREE_TIERS, 64, "three tiers" },
		{ TORUS, 64, "torus" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct cluster like = cluster_of(rows[i].n, NO_FAULT, 0.03, 0);

		like.latency = true;
		like.net.tiers = rows[i].tiers;
		if (wants_hosts(like.n))
			run_three(like, rows[i].name);
	}
}

/* What is hard. */
static void table_failing(void)
{
	static const struct {
		const char *name;
		enum fault fault;
		uint32_t n;
		struct network net;
		double left, disturbed;
		uint32_t busy, quick;
	} rows[] = {
		{ "fluid 2:1 unsteady", ONE_UNSTEADY, 32, { SHARE_FLUID, 8, 2, 0, ALL_NEAR }, 0.6, 0, 0, 0 },
		{ "ecmp 1:1 unsteady", ONE_UNSTEADY, 32, { SHARE_ECMP, 8, 1, 0, ALL_NEAR }, 0.6, 0, 0, 0 },
		{ "ecmp 1:1 unsteady", ONE_UNSTEADY, 64, { SHARE_ECMP, 8, 1, 0, ALL_NEAR }, 0.6, 0, 0, 0 },
		{ "links of half a host, host", HOST_BOTH, 32, { SHARE_ECMP, 8, 2, 0.5, ALL_NEAR }, 0.7, 0, 0, 0 },
		{ "links of half a host, pair", ONE_PAIR, 32, { SHARE_ECMP, 8, 2, 0.5, ALL_NEAR }, 0.6, 0, 0, 0 },
		{ "links of half a host, healthy", NO_FAULT, 32, { SHARE_ECMP, 8, 2, 0.5, ALL_NEAR }, 1, 0, 0, 0 },
		{ "two busy hosts, healthy", NO_FAULT, 16, { 0 }, 1, 0, 2, 0 },
		{ "two busy hosts, healthy", NO_FAULT, 48, { 0 }, 1, 0, 2, 0 },
		{ "10 % disturbed, healthy", NO_FAULT, 16, { 0 }, 1, 0.1, 0, 0 },
		{ "10 % disturbed, healthy", NO_FAULT, 48, { 0 }, 1, 0.1, 0, 0 },
		{ "unsteady", ONE_UNSTEADY, 12, { 0 }, 0.6, 0, 0, 0 },
		{ "unsteady", ONE_UNSTEADY, 16, { 0 }, 0.6, 0, 0, 0 },
		{ "fluid 2:1 2 hosts", TWO_HOSTS, 32, { SHARE_FLUID, 8, 2, 0, ALL_NEAR }, 0.7, 0, 0, 0 },
		{ "fluid 2:1 3 hosts", THREE_HOSTS, 32, { SHARE_FLUID, 8, 2, 0, ALL_NEAR }, 0.7, 0, 0, 0 },
		{ "fluid 2:1 sends", HOST_SENDS, 32, { SHARE_FLUID, 8, 2, 0, ALL_NEAR }, 0.7, 0, 0, 0 },
		{ "fluid 2:1 direction", ONE_DIRECTION, 32, { SHARE_FLUID, 8, 2, 0, ALL_NEAR }, 0.6, 0, 0, 0 },
		{ "fluid 2:1 host 0.9", HOST_BOTH, 32, { SHARE_FLUID, 8, 2, 0, ALL_NEAR }, 0.9, 0, 0, 0 },
		{ "ecmp 1:1 2 hosts", TWO_HOSTS, 32, { SHARE_ECMP, 8, 1, 0, ALL_NEAR }, 0.7, 0, 0, 0 },
		{ "ecmp 1:1 3 hosts", THREE_HOSTS, 32, { SHARE_ECMP, 8, 1, 0, ALL_NEAR }, 0.7, 0, 0, 0 },
		{ "ecmp 1:1 receives", HOST_RECEIVES, 32, { SHARE_ECMP, 8, 1, 0, ALL_NEAR }, 0.7, 0, 0, 0 },
		{ "ecmp 1:1 mix of 3", MIX_OF_3, 32, { SHARE_ECMP, 8, 1, 0, ALL_NEAR }, 0.7, 0, 0, 0 },
		{ "quick, fluid 2:1 healthy", NO_FAULT, 64, { SHARE_FLUID, 8, 2, 0, ALL_NEAR }, 1, 0, 0, 24 },
		{ "quick, fluid 2:1 host", HOST_BOTH, 64, { SHARE_FLUID, 8, 2, 0, ALL_NEAR }, 0.7, 0, 0, 24 },
		{ "quick, ecmp 1:1 healthy", NO_FAULT, 64, { SHARE_ECMP, 8, 1, 0, ALL_NEAR }, 1, 0, 0, 24 },
		{ "quick, ecmp 1:1 host", HOST_BOTH, 64, { SHARE_ECMP, 8, 1, 0, ALL_NEAR }, 0.7, 0, 0, 24 },
		{ "quick, unshared healthy", NO_FAULT, 64, { 0 }, 1, 0, 0, 24 },
		{ "ecmp by pair 1:1 host", HOST_BOTH, 32, { SHARE_PAIR, 8, 1, 0, ALL_NEAR }, 0.7, 0, 0, 0 },
	};
	char name[96];

	for (size_t i = 0; i < LENGTH(rows); i++) {
		double noise = asked.noise > 0 ? asked.noise : 0.05;
		struct cluster like = cluster_of(rows[i].n, rows[i].fault, noise, 1 - rows[i].left);

		like.net = rows[i].net;
		like.disturbed = rows[i].disturbed;
		like.nbusy = rows[i].busy;
		if (rows[i].quick) {
			like.quick = rows[i].quick;
			like.nvisits = 1;
		}
		snprintf(name, sizeof(name), "%s n=%u", rows[i].name, like.n);
		if (wants_hosts(like.n))
			run_cell(like, name);
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*print)(void);
	} tables[] = {
		{ "usual", table_usual }, { "unshared", table_unshared },
		{ "shared", table_shared }, { "latency", table_latency },
		{ "from", table_shared },
		{ "failing", table_failing },
	};
	const char *which = argc > 1 ? argv[1] : "all";

	asked.runs = argc > 2 ? strtoul(argv[2], NULL, 10) : 20;
	asked.n = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
	asked.noise = argc > 4 ? strtod(argv[4], NULL) : 0;
	asked.seed = argc > 5 ? strtoull(argv[5], NULL, 10) : 0;
	for (size_t i = 0; i < LENGTH(tables); i++) {
		if (strcmp(which, tables[i].name) != 0 && strcmp(which, "all") != 0)
			continue;
		memset(&all, 0, sizeof(all));
		asked.once = !strcmp(tables[i].name, "from");
		printf("%s: percent of %lu runs that are exactly right\n", tables[i].name,
		       asked.runs);
		tables[i].print();
		printf("%lu cells, mean %.2f, least %.1f (%s); %.0f runs a minute\n\n",
		       all.cells, all.percent / (double)all.cells, all.least, all.worst,
		       (double)all.runs / all.seconds * 60);
	}
	return 0;
}
