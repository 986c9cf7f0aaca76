/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options of the commands that can measure over time: they measure their plan again and again, at
 * the start of each interval.
 */
#ifndef NETBENCH_MEASURE_MONITOR_OPTIONS_H
#define NETBENCH_MEASURE_MONITOR_OPTIONS_H

#include "options/arguments.h"
#include "result/report.h"

/* Limits of --fail-if; NaN: no such limit. */
struct monitor_limits {
	double change;		/* a change for the worse by this share or more: 0.1 for 10 % */
	double flaps;		/* this number of flaps or more */
	double availability;	/* a smaller share of the intervals is up: 0.999 for 99.9 % */
};

/* Values of the options. */
struct monitoring {
	double duration_s;	/* 0: the command measures its plan once */
	double interval_s;
	double change;		/* percent */
	double flap_s;
	const char *resume, *metrics, *fail_if;
	struct monitor_limits limits;	/* the parsed value of --fail-if */
};

extern const struct opt monitoring_options[];

/* Parses the value of --fail-if. Returns ST_OK or ST_USAGE (reported). */
int monitoring_parse_limits(const char *list, struct monitor_limits *to);

/*
 * Checks the options of a command line, parses --fail-if, and completes the options of the output:
 * the rows of all intervals go to CSV. Returns ST_OK or ST_USAGE (reported).
 */
int monitoring_check(struct monitoring *m, const struct arguments *given,
		     struct output_options *output);

#endif
