/* SPDX-License-Identifier: Apache-2.0 */
/* Names columns in plain words: "half_rtt_p99_s" is "half round trip (99th percentile)". */
#include "show/chart/words.h"

#include <string.h>

#include "base/values.h"
#include "result/columns.h"

/*
 * Names of quantities. The key is the column of the headline value, or the column's name without a
 * statistic.
 */
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
	{ "pair_model_Bps", "bandwidth of a kernel pair by formula" },
	{ "rate_model_msgps", "message rate by formula" },
	{ "frequency_model_Hz", "iterations a second by formula" },
	{ "measured_s", "measured time" }, { "gap_s", "gap" }, { "send_s", "time of a send" },
	{ "receive_s", "time of a receive" }, { "processors", "processors with the message" },
	{ "after_s", "time since the start" }, { "time", "days since the first result" },
	{ "load_asked", "load, as a share of what aggressors deliver alone" },
	{ "factor", "factor by which load slows" }, { "latency_s", "time of an event" },
	{ "latency_p50_s", "time of an event" },
	{ "half_rtt_p50_s", "half round trip" }, { "read_p50_s", "time of a read" },
};

static const struct {
	const char *part, *words;
} statistics[] = {
	{ "min", "least" }, { "max", "most" }, { "lo", "lower bound" }, { "hi", "upper bound" },
	{ "p50", "median" }, { "mean", "mean" },
	{ "epoch", "mean of many" }, { "epoch_lo", "mean of many, lower bound" },
	{ "epoch_hi", "mean of many, upper bound" },
	{ "p90", "90th percentile" }, { "p99", "99th percentile" },
	{ "p999", "99.9th percentile" }, { "p99_lo", "99th percentile, lower bound" },
	{ "p99_hi", "99th percentile, upper bound" }, { "p50_lo", "median, lower bound" },
	{ "p50_hi", "median, upper bound" },
};

struct text words_of(const char *column)
{
	static const char *const units[] = { "_s", "_B", "_Bps", "_msgps", "_Hz", "_cycles" };
	static const char summary[] = "summary.";
	const char *end = strrchr(column, '_');
	size_t n = strlen(column);
	struct text spelt;
	char name[80];

	for (size_t i = 0; i < LENGTH(quantities); i++)
		if (!strcmp(quantities[i].column, column))
			return text_from("%s", quantities[i].words);
	if (!strncmp(column, summary, strlen(summary)))
		return text_from("%s of the summary", column + strlen(summary));
	for (size_t i = 0; i < LENGTH(quantities); i++) {
		for (size_t k = 0; k < LENGTH(statistics); k++) {
			column_part(name, sizeof(name), quantities[i].column, statistics[k].part);
			if (!strcmp(name, column))
				return text_from("%s (%s)", quantities[i].words,
						 statistics[k].words);
		}
	}
	for (size_t i = 0; i < LENGTH(units) && end; i++)
		if (!strcmp(end, units[i]))
			n = (size_t)(end - column);
	spelt = text_from("%.*s", (int)n, column);
	for (char *s = spelt.s; *s; s++)
		*s = *s == '_' ? ' ' : *s;
	return spelt;
}
