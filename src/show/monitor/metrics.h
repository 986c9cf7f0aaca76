/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the values of an interval for Prometheus, in a form that is valid as its text format and
 * as OpenMetrics: only gauges, and no times of samples.
 */
#ifndef NETBENCH_SHOW_MONITOR_METRICS_H
#define NETBENCH_SHOW_MONITOR_METRICS_H

#include <jansson.h>
#include <stdbool.h>

#include "result/columns.h"

/* An interval that has ended. */
struct metrics {
	const char *command;
	const json_t *rows;	/* the rows of the interval: objects of cells by name */
	bool up;		/* each point had events, and no message was wrong */
	double begun_s;		/* start of the interval, s since 1970 (UTC) */
};

/*
 * Returns the text of the file. A cell without a value has no line. The text contains no names of
 * hosts. The caller frees it.
 */
char *metrics_text(const struct metrics *m);

/*
 * Writes the name of a column's metric, such as "netbench_half_rtt_seconds". Points *quantile at
 * the value of the label `quantile`, such as "0.99"; NULL: no label. Returns false if the column
 * gets no metric.
 */
enum { METRIC_NAME = 96 };
bool metrics_name(const struct column *c, char name[METRIC_NAME], const char **quantile);

#endif
