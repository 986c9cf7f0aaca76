/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map: which host, which link, is the bad one? Every pair of hosts is measured in the rounds of a
 * tournament, several times (visits), and hosts, pairs and groups that are slower than their peers
 * are named. Here are its options; besides
 *
 *	map.c, conclude.c	the command, and its end: --write-exclude, --fail-if
 *	measure/	who is measured, pairs at the same time, visits, what judging asks for
 *	read/		what was measured, of files; classes of hosts and switches
 *	evidence.c	facts and counters of machines beside a verdict
 *	rows.c, write.c, compare.c	rows; the result of a file; for netbench compare
 *
 * Judging is in analyse/map/, sentences are in show/map/.
 */
#ifndef NETBENCH_CMD_MAP_OPTIONS_H
#define NETBENCH_CMD_MAP_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
