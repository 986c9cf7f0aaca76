/* SPDX-License-Identifier: Apache-2.0 */
/* Columns in words: "half_rtt_p99_s" is "half round trip (99th percentile)". */
#include "show/chart/words.h"

#include <stdio.h>
#include <string.h>

#include "base/values.h"
#include "result/columns.h"

/* Quantities, by the column that has their headline value. */
static const struct {
	const char *column, *words;
} quantities[] = {
	{ "size_B", "message size" }, { "window", "messages in flight" },
	{ "batch", "messages a doorbell" }, { "ranks", "ranks" }, { "pairs", "pairs of ranks" },
	{ "half_rtt_s", "half round trip" }, { "read_s", "time of a read" },
	{ "time_s", "time of a repetition" }, { "rate_msgps", "message rate" },
	{ "pair_rate_msgps", "message rate of a pair" }, { "bandwidth_Bps", "bandwidth" },
	{ "bandwidth_max_Bps", "bandwidth of the fastest repetition" },
	{ "pair_bandwidth_Bps", "bandwidth of a pair" },
	{ "process_bandwidth_Bps", "bandwidth of a process" },
	{ "pattern_bandwidth_Bps", "bandwidth of the pattern" },
	{ "event_s", "time of an iteration" }, { "frequency_Hz", "iterations a second" },
	{ "interval_s", "time from event to event" }, { "message_s", "time of a message" },
	{ "occupation_s", "occupation of the processor" }, { "model_s", "time by formula" },
	{ "bandwidth_model_Bps", "bandwidth by formula" },
	{ "rate_model_msgps", "message rate by formula" },
	{ "frequency_model_Hz", "iterations a second by formula" },
	{ "measured_s", "measured time" }, { "gap_s", "gap" }, { "send_s", "time of a send" },
	{ "receive_s", "time of a receive" }, { "processors", "processors that are informed" },
	{ "after_s", "time since the start" },
};

/* Medians of single ones are what is meant by the quantity, and those of means are not. */
static const struct {
	const char *column, *words;
} own[] = {
	{ "half_rtt_p50_s", "half round trip" }, { "half_rtt_s", "half round trip (mean of many)" },
	{ "read_p50_s", "time of a read" }, { "read_s", "time of a read (mean of many)" },
};

static const struct {
	const char *part, *words;
} statistics[] = {
	{ "min", "least" }, { "max", "most" }, { "lo", "lower bound" }, { "hi", "upper bound" },
	{ "p50", "median" }, { "p90", "90th percentile" }, { "p99", "99th percentile" },
	{ "p999", "99.9th percentile" }, { "p99_lo", "99th percentile, lower bound" },
	{ "p99_hi", "99th percentile, upper bound" }, { "p50_lo", "median, lower bound" },
	{ "p50_hi", "median, upper bound" },
};

static const char *known_as(const char *column)
{
	for (size_t i = 0; i < LENGTH(own); i++)
		if (!strcmp(own[i].column, column))
			return own[i].words;
	for (size_t i = 0; i < LENGTH(quantities); i++)
		if (!strcmp(quantities[i].column, column))
			return quantities[i].words;
	return NULL;
}

/* The words of a quantity's statistic. False if the column is none that is known. */
static bool name_statistic(char *buf, size_t len, const char *column)
{
	char name[80];

	for (size_t i = 0; i < LENGTH(quantities); i++) {
		for (size_t k = 0; k < LENGTH(statistics); k++) {
			column_part(name, sizeof(name), quantities[i].column, statistics[k].part);
			if (strcmp(name, column) != 0)
				continue;
			snprintf(buf, len, "%s (%s)", quantities[i].words, statistics[k].words);
			return true;
		}
	}
	return false;
}

/* The name itself, without the unit at its end and with blanks: "processor share". */
static void spell_out(char *buf, size_t len, const char *column)
{
	static const char *const units[] = { "_s", "_B", "_Bps", "_msgps", "_Hz", "_cycles" };
	const char *end = strrchr(column, '_');
	size_t n = strlen(column);

	for (size_t i = 0; i < LENGTH(units) && end; i++)
		if (!strcmp(end, units[i]))
			n = (size_t)(end - column);
	snprintf(buf, len, "%.*s", (int)n, column);
	for (char *s = buf; *s; s++)
		*s = *s == '_' ? ' ' : *s;
}

char *words_of(char *buf, size_t len, const char *column)
{
	static const char summary[] = "summary.";
	const char *known = known_as(column);

	if (known)
		snprintf(buf, len, "%s", known);
	else if (!strncmp(column, summary, strlen(summary)))
		snprintf(buf, len, "%s of the summary", column + strlen(summary));
	else if (!name_statistic(buf, len, column))
		spell_out(buf, len, column);
	return buf;
}
