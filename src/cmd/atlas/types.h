/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The communication benchmarks of ATLAS DAQ note 48 (atlas.c): rows of one table, whose options
 * make set-ups (setup.c), whose results fill the same columns (fill.c).
 */
#ifndef NETBENCH_CMD_ATLAS_TYPES_H
#define NETBENCH_CMD_ATLAS_TYPES_H

#include "cli/command.h"
#include "cmd/atlas/farm.h"
#include "measure/measure.h"
#include "model/tree.h"

/* Which ranks a benchmark takes. */
enum cast {
	CAST_PAIR,		/* rank 0 and one other */
	CAST_ALL,		/* 4, 8, 16 */
	CAST_HALVES,		/* the same, an even number */
	CAST_HUB,		/* rank 0 and 4, 8, 16 others */
	CAST_FARM,		/* a supervisor, sources, destinations */
	CAST_PIPELINE,		/* sources, stages, destinations */
};

/* A benchmark of the note. */
struct atlas {
	const char *number;
	const struct pattern *pattern;
	enum cast cast;
	bool symmetric;		/* every rank sends and receives */
	bool windows;		/* --window applies */
	bool multicast;		/* --algorithm applies */
	enum farm_kind farm;
};

struct atlas_options {
	struct numbers loads, peers, windows, sources, destinations, occupations;
	uint64_t loops, credits;
	const char *algorithms, *topologies, *loggp;
	bool change_list;
};

/* A benchmark with all arguments but size, window and load. */
struct setup {
	const struct atlas *row;
	const struct pattern *pattern;
	int size;		/* ranks that take part */
	int needs;		/* ranks that the job must have */
	int *ranks;		/* that take part, by place; NULL: 0 to size-1 */
	char *peers;		/* the same in words; NULL: in order */
	char algorithm[24];
	enum tree_kind kind;
	uint32_t arity;
	struct tree *trees;	/* of multicasts: one, or for TREE_OPTIMAL one for each size */
	size_t ntrees;
	struct farm_plan farm;
	char lacks[64];		/* why it cannot be measured; "": it can */
};

/* The repetitions of a point without load; the same point with load is compared with them. */
struct unloaded {
	struct series times;
	struct summary time;
	uint64_t loops;
};

/* Rank 0, while the plan is walked. */
struct atlas_state {
	double *medians;	/* per spec, s of an iteration; NaN: not measured */
	struct unloaded *unloaded;	/* per spec; empty for those with a load, and farms */
	double processor;		/* the least share of one that a rank and its task got */
	size_t first;		/* the first spec of the series under way */
	json_t *series;		/* its entry in the summary; borrowed */
};

/* The set-up of a spec. */
static inline const struct setup *atlas_setup(const struct spec *spec)
{
	return spec->own;
}

/* Whether a set-up is of a farm or a pipeline, which has roles instead of a load. */
static inline bool atlas_is_farm(const struct setup *s)
{
	return s->row->cast >= CAST_FARM;
}

#endif
