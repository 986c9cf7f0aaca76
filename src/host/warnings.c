/* SPDX-License-Identifier: Apache-2.0 */
#include "host/warnings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/record.h"

#define BUSY_LOAD 0.5

/* Who is told of findings. */
struct listener {
	void (*warn)(void *arg, const char *text);
	void *arg;
};

static void __attribute__((format(printf, 2, 3)))
tell(const struct listener *l, const char *fmt, ...)
{
	char line[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	l->warn(l->arg, line);
}

/* Containers on one machine are hosts of their own, and share its cores. */
static bool same_machine(const struct place *a, const struct place *b)
{
	if (a->machine[0] && b->machine[0])
		return !strncmp(a->machine, b->machine, sizeof(a->machine));
	return !strncmp(a->host, b->host, sizeof(a->host));
}

static bool same_core(const struct place *a, const struct place *b)
{
	return a->core >= 0 && a->core == b->core && same_machine(a, b);
}

static bool first_of(const struct place *places, size_t i,
		     bool (*same)(const struct place *a, const struct place *b))
{
	for (size_t j = 0; j < i; j++)
		if (same(&places[j], &places[i]))
			return false;
	return true;
}

/* What the places on one host have in common. */
struct crowd {
	int nranks, nroaming;	/* roaming: may run on several cores */
	int ncores;
};

static struct crowd crowd_of(const struct place *places, size_t n, size_t first)
{
	struct crowd c = { 0 };
	int given = 0, used = 0;

	for (size_t i = first; i < n; i++) {
		if (!same_machine(&places[first], &places[i]))
			continue;
		c.nranks++;
		c.nroaming += places[i].core < 0;
		used += places[i].core >= 0 && first_of(places, i, same_core);
		if (given < places[i].ncores)
			given = places[i].ncores;
	}
	/* A launcher that binds gives each process one core only; together they have more. */
	c.ncores = given > used ? given : used;
	return c;
}

static void tell_same_core(const struct listener *l, const struct place *places, size_t n, size_t i)
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
		return;
	if (nmore)
		snprintf(ranks, sizeof(ranks), "%zu, %zu and %zu more", i, second, nmore);
	else
		snprintf(ranks, sizeof(ranks), "%zu and %zu", i, second);
	if (one_cpu)
		tell(l, "ranks %s are bound to the same CPU %d", ranks, places[i].bound);
	else
		tell(l, "ranks %s are bound to the same core, that of CPU %d", ranks,
		     places[i].core);
}

static void tell_crowd(const struct listener *l, const struct crowd *c, const char *host)
{
	tell(l, "%d ranks%s%s share %d core%s: times include waiting for a core", c->nranks,
	     host ? " on " : "", host ? host : "", c->ncores, c->ncores == 1 ? "" : "s");
}

/* One host, of which places[first] is the first. */
static void tell_cores(const struct listener *l, const struct place *places, size_t n, size_t first)
{
	for (size_t i = first; i < n; i++)
		if (same_machine(&places[first], &places[i]) && first_of(places, i, same_core))
			tell_same_core(l, places, n, i);
}

static void tell_places(const struct listener *l, const struct place *places, size_t n)
{
	int nranks = 0, nroaming = 0;
	bool several = false;

	for (size_t i = 1; i < n; i++)
		several = several || !same_machine(&places[0], &places[i]);
	for (size_t i = 0; i < n; i++) {
		struct crowd c;

		if (!first_of(places, i, same_machine))
			continue;
		c = crowd_of(places, n, i);
		if (c.ncores && c.nranks > c.ncores) {
			tell_crowd(l, &c, several ? places[i].host : NULL);
			continue;
		}
		nranks += c.nranks;
		nroaming += c.nroaming;
		tell_cores(l, places, n, i);
	}
	if (nroaming && nroaming == nranks)
		tell(l, "ranks are not pinned to cores");
	else if (nroaming)
		tell(l, "%d of %d ranks are not pinned to cores", nroaming, nranks);
}

void host_warnings(const struct place *places, size_t n,
		  void (*warn)(void *arg, const char *text), void *arg)
{
	const struct listener l = { warn, arg };
	char governor[64];
	double average;

	tell_places(&l, places, n);
	if (env_governor(governor, sizeof(governor)) && strcmp(governor, "performance") != 0)
		tell(&l, "CPU frequency governor is '%s', not 'performance'", governor);
	/* the average alone also shows what has just ended */
	if (getloadavg(&average, 1) == 1 && average > BUSY_LOAD && env_running() > (int)n + 1)
		tell(&l, "load average is %.2f: others use this machine", average);
}
