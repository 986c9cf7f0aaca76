/* SPDX-License-Identifier: Apache-2.0 */
#include "host/warnings.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/record.h"

#define BUSY_LOAD 0.5

/* The function that is called with each warning, and its argument. */
struct warner {
	void (*report)(void *arg, const char *text);
	void *arg;
};

static void __attribute__((format(printf, 2, 3)))
warn(const struct warner *to, const char *fmt, ...)
{
	char line[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	to->report(to->arg, line);
}

/*
 * Returns true if two ranks run on the same machine. Does not compare only host names: containers
 * on one machine have their own host names, but share the machine's cores.
 */
static bool same_machine(const struct place *a, const struct place *b)
{
	if (a->machine[0] && b->machine[0])
		return !strncmp(a->machine, b->machine, sizeof(a->machine));
	return !strncmp(a->host, b->host, sizeof(a->host));
}

/* Returns true if two ranks are each bound to one core, and to the same one. */
static bool same_core(const struct place *a, const struct place *b)
{
	return a->core >= 0 && a->core == b->core && same_machine(a, b);
}

/* Returns true if no rank below i has the same place as rank i; `same` compares the places. */
static bool is_first(const struct place *places, size_t i,
		     bool (*same)(const struct place *a, const struct place *b))
{
	for (size_t j = 0; j < i; j++)
		if (same(&places[j], &places[i]))
			return false;
	return true;
}

/* Number of ranks on one machine, and number of cores that they have together. */
struct occupancy {
	int nranks,
	    nunpinned;		/* number of ranks that may run on several cores */
	int ncores;
};

/* Counts the ranks on the machine of rank `first`, and their cores. */
static struct occupancy count_occupancy(const struct place *places, size_t n, size_t first)
{
	struct occupancy c = { 0 };
	int given = 0, used = 0;

	for (size_t i = first; i < n; i++) {
		if (!same_machine(&places[first], &places[i]))
			continue;
		c.nranks++;
		c.nunpinned += places[i].core < 0;
		used += places[i].core >= 0 && is_first(places, i, same_core);
		if (given < places[i].ncores)
			given = places[i].ncores;
	}
	/*
	 * Ranks that their launcher has bound know only one core each. Together they have more, so
	 * count the cores they use.
	 */
	c.ncores = given > used ? given : used;
	return c;
}

/* If rank i is the first of several ranks bound to one core, warns and returns true. */
static bool warn_same_core(const struct warner *to, const struct place *places, size_t n, size_t i)
{
	size_t second = 0, nmore = 0;
	bool one_cpu = places[i].bound >= 0;
	char ranks[80];

	for (size_t j = i + 1; j < n; j++) {
		if (!same_core(&places[i], &places[j]))
			continue;
		one_cpu = one_cpu && places[j].bound == places[i].bound;
		if (!second)
			second = j;
		else
			nmore++;
	}
	if (!second)
		return false;
	if (nmore)
		snprintf(ranks, sizeof(ranks), "%zu, %zu and %zu more", i, second, nmore);
	else
		snprintf(ranks, sizeof(ranks), "%zu and %zu", i, second);
	if (one_cpu)
		warn(to, "ranks %s are bound to the same CPU %d", ranks, places[i].bound);
	else
		warn(to, "ranks %s are bound to the same core, that of CPU %d", ranks,
		     places[i].core);
	return true;
}

/* Warns about the placement of ranks. Returns the number of ranks per core, see host_warnings. */
static double warn_of_placement(const struct warner *to, const struct place *places, size_t n)
{
	int nranks = 0, nunpinned = 0;
	bool several = false;
	double share = 1;

	/* a rank that was lost before it sent its place has no host */
	for (size_t i = 1; i < n; i++)
		several |= places[i].host[0] && !same_machine(&places[0], &places[i]);
	for (size_t i = 0; i < n; i++) {
		struct occupancy c;

		if (!places[i].host[0] || !is_first(places, i, same_machine))
			continue;
		c = count_occupancy(places, n, i);
		if (c.ncores && c.nranks > c.ncores) {
			warn(to, "%d ranks%s%s share %d core%s: times include waiting for a core",
			     c.nranks, several ? " on " : "", several ? places[i].host : "",
			     c.ncores, c.ncores == 1 ? "" : "s");
			share = fmax(share, (double)c.nranks / c.ncores);
			continue;
		}
		nranks += c.nranks;
		nunpinned += c.nunpinned;
		for (size_t k = i; k < n; k++)
			if (same_machine(&places[i], &places[k]) && is_first(places, k, same_core))
				share = fmax(share, 1 + warn_same_core(to, places, n, k));
	}
	if (nunpinned && nunpinned == nranks)
		warn(to, "ranks are not pinned to cores");
	else if (nunpinned)
		warn(to, "%d of %d ranks are not pinned to cores", nunpinned, nranks);
	return share;
}

double host_warnings(const struct place *places, size_t n,
		     void (*report)(void *arg, const char *text), void *arg)
{
	const struct warner to = { report, arg };
	char governor[64];
	double average;
	double share = warn_of_placement(&to, places, n);

	if (host_governor(governor, sizeof(governor)) && strcmp(governor, "performance") != 0)
		warn(&to, "CPU frequency governor is '%s', not 'performance'", governor);
	/* also check running tasks, because the load average includes processes that have ended */
	if (getloadavg(&average, 1) == 1 && average > BUSY_LOAD && host_running() > (int)n + 1)
		warn(&to, "load average is %.2f: others use this machine", average);
	return share;
}
