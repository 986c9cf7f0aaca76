/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map: which host, which link, is the bad one? Every pair of hosts is measured in the rounds of a
 * tournament, several times (visits), and hosts, pairs and groups that are slower than their peers
 * are named. A folder has its part:
 *
 *	measure/	who is measured, pairs at the same time, visits, rows
 *	study/		what was measured, as a whole or from files; switches; silent hosts
 *	judge/		from values to verdicts, by the equations of netbench-method(7)
 *	output/		what is found, in sentences and files, and what hosts are like
 *	change/		what has changed between two results
 *
 * and here are the command, its options, and what it ends with: --fail-if (limits.c).
 */
#ifndef NETBENCH_CMD_MAP_MAP_H
#define NETBENCH_CMD_MAP_MAP_H

#include "cli/command.h"
#include "cmd/map/output/words.h"

/* In the order of the options' choices. */
enum map_mode { MODE_AUTO, MODE_ROUNDS, MODE_SERIAL, MODE_QUICK };
enum map_unit { UNIT_AUTO, UNIT_HOST, UNIT_RANK };

/* The first row is of measuring alone. */
struct map_options {
	uint64_t mode, rounds, unit;
	bool no_retest, bidirectional;
	const char *from, *classes, *topology, *fail_if, *write_exclude;
	double min_effect;
};

/* What is wrong with them is said before anything is measured. ST_OK or ST_USAGE. */
int map_check_options(const struct map_options *o);

/* Reads the file of classes or of switches, if there is one. ST_*. */
int map_classes(const struct map_options *o, struct study *s);

/* Judges each quantity that was measured, of each class, into all->at; map_free. ST_*. */
int map_judge(struct verdicts *all);
void map_free(struct verdicts *all);

/* Once results are written: --write-exclude, --fail-if, and 4 if nothing can be judged. ST_*. */
int map_conclude(const struct map_options *o, const struct output_options *output,
		 const struct verdicts *all);

#endif
