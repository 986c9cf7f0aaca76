/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types of the communication benchmarks of ATLAS DAQ note 48 (atlas.c). Each benchmark is a row of
 * one table. setup.c makes set-ups from the options; fill.c fills columns from the results.
 */
#ifndef NETBENCH_CMD_ATLAS_TYPES_H
#define NETBENCH_CMD_ATLAS_TYPES_H

#include "cli/command.h"
#include "cmd/atlas/farm.h"
#include "measure/measure.h"
#include "model/tree.h"

/* The ranks that take part in a benchmark. */
enum cast {
	CAST_PAIR,		/* rank 0 and one other rank */
	CAST_ALL,		/* by default 4, 8 or 16 ranks */
	CAST_HALVES,		/* by default 4, 8 or 16 ranks; an even number */
	CAST_HUB,		/* rank 0 and other ranks, by default 4, 8 or 16 */
	CAST_FARM,		/* a supervisor, sources, destinations */
	CAST_PIPELINE,		/* sources, stages, destinations */
};

/* A benchmark of the note. */
struct atlas {
	const char *number;
	const struct pattern *pattern;
	enum cast cast;
	bool symmetric;		/* whether every rank sends and receives */
	bool windows;		/* whether --window applies */
	bool multicast;		/* whether --algorithm applies */
	enum farm_kind farm;
};

struct atlas_options {
	struct numbers loads, peers, windows, sources, destinations, occupations;
	uint64_t loops, credits;
	const char *algorithms, *topologies, *loggp;
	bool change_list;
};

/* The arguments of a benchmark, except size, window and load. */
struct setup {
	const struct atlas *row;
	const struct pattern *pattern;
	int size;		/* number of ranks that take part */
	int needs;		/* number of ranks that the job must have */
	int *ranks;		/* the ranks that take part, in order; NULL: 0 to size-1 */
	char *peers;		/* the listed peers as text; NULL: none are listed */
	char algorithm[24];
	enum tree_kind kind;
	uint32_t arity;
	struct tree *trees;	/* trees of a multicast: one, or with TREE_OPTIMAL one per size */
	size_t ntrees;
	struct farm_plan farm;
	char lacks[64];		/* why the set-up cannot be measured; "": it can */
};

/*
 * The times of a point without load. Results of the same point with load are compared with these
 * times.
 */
struct unloaded {
	struct series times;
	struct summary time;
	uint64_t loops;
};

/* State of rank 0 while it measures the plan. */
struct atlas_state {
	double *medians;	/* time of an iteration of each spec, s; NaN: not measured */
	/* times without load, one entry for each spec; empty for farms and for specs with a load */
	struct unloaded *unloaded;
	/* smallest share of a processor that a rank and its task got */
	double processor;
	size_t first;		/* first spec of the series being measured */
	json_t *series;		/* the entry of that series in the summary; borrowed */
};

/* Returns the set-up of a spec. */
static inline const struct setup *atlas_setup(const struct spec *spec)
{
	return spec->own;
}

/* Returns whether a set-up is a farm or a pipeline. These have roles instead of a load. */
static inline bool atlas_is_farm(const struct setup *s)
{
	return s->row->cast >= CAST_FARM;
}

#endif
