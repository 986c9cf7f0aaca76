/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options of `map`, which finds bad hosts and links. The command measures every pair of hosts once
 * per visit, in several visits. The rounds of a visit are the rounds of a tournament. Then the
 * command names hosts, pairs and groups that are slower than their peers. Other files of `map`:
 *
 *   map.c, conclude.c      the command, and its end: --write-exclude, --fail-if
 *   measure/               hosts, visits, rounds of pairs, measuring suspects again
 *   read/                  files of measurements, of classes of hosts and of switches
 *   evidence.c             facts and counters of machines beside a verdict
 *   rows.c, write.c        rows; --from
 *   compare.c              comparison by netbench compare
 *
 * Judging is in analyse/map/, sentences are in show/map/.
 */
#ifndef NETBENCH_CMD_MAP_OPTIONS_H
#define NETBENCH_CMD_MAP_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "options/options.h"

/* Values of option --mode, in the order of its choices. */
enum map_mode { MODE_AUTO, MODE_ROUNDS, MODE_SERIAL, MODE_QUICK };
enum map_unit { UNIT_AUTO, UNIT_HOST, UNIT_RANK };

/* The members in the first two lines apply only to measuring. */
struct map_options {
	uint64_t mode, rounds, unit, window;
	bool no_retest, no_alone, bidirectional;
	struct texts from;
	uint64_t from_unit;
	const char *classes, *topology, *fail_if, *write_exclude;
	double min_effect;
};

#endif
