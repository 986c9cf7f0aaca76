/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include <string.h>

/* Sentences that several definitions share; all but INTERVAL start with a blank. */
#define REPETITION                                                                                 \
	" A repetition is one timed round of `loops` iterations; its time is the maximum over "    \
	"the ranks that are timed, each by its backend's own clock, after a synchronised start; "  \
	"warm-up rounds are not among them."
#define WHOLE_ROUND " The time is that of the whole round and is not divided by `loops`."
#define INTERVAL                                                                                   \
	"95 % nonparametric confidence interval of the median time, whose bounds are order "       \
	"statistics of the repetitions, chosen by the binomial distribution (none with fewer "     \
	"than 6 repetitions: then empty)."
#define HALF_RTT_INTERVAL                                                                          \
	"bound of the 95 % nonparametric confidence interval of half_rtt_s. The bounds are order " \
	"statistics of the repetitions' values t/(2 loops), chosen by the binomial distribution "  \
	"(none with fewer than 6 repetitions: then empty)." REPETITION
#define ITERATION                                                                                  \
	" A sample is half the time of one ping-pong, between two time stamps taken on rank 0 by " \
	"its backend's clock, in repetitions of their own, one after each that half_rtt_s is "     \
	"made of; the iterations of all of them count together, and none is dropped."
#define RESOLUTION " It comes from a histogram whose buckets are 1/256 of their value wide."
#define MESSAGES                                                                                   \
	" The messages are those with payload that all senders sent in one repetition; replies "   \
	"are not counted, but the time they take is."
#define BYTES                                                                                      \
	" The bytes are size_B times the messages with payload that all ranks sent in one "        \
	"repetition (beff: ranks x 2 x size_B x loops); replies are not counted, but the time "    \
	"they take is."
#define NO_BYTES " It is empty for messages of 0 bytes."

const struct column columns[NCOLUMNS] = {
	[COL_SIZE] = { "size_B", "B", COL_UINT, "MSize",
		"Length of one message in bytes, as the user handed it to the backend. Headers "
		"that a protocol adds are not included." },
	[COL_WINDOW] = { "window", "", COL_UINT, "window",
		"Messages that a sender sends without waiting for the receiver, which answers "
		"the whole window with one reply. At most so many messages of one sender are in "
		"flight." },
	[COL_BATCH] = { "batch", "", COL_UINT, "batch",
		"Messages that are handed to the backend together and started by one doorbell. "
		"It divides a window into its postings, so it is never larger than `window`." },
	[COL_PAIRS] = { "pairs", "", COL_UINT, "pairs",
		"Pairs of one sender and one receiver that exchange messages at the same time. "
		"A rank belongs to one pair only." },
	[COL_LOOPS] = { "loops", "", COL_UINT, "looplength",
		"Iterations of the command's exchange inside one timed round. One iteration is, "
		"for beff, one message to each neighbour by every rank, for latency one "
		"ping-pong, for msgrate and bandwidth one window of messages and its reply." },
	[COL_REPETITIONS] = { "repetitions", "", COL_UINT, "reps",
		"Timed rounds of the point, that is the number of samples behind its "
		"statistics. Warm-up rounds are not counted, and no timed round is left out." },

	[COL_TIME_MIN] = { "time_min_s", "s", COL_REAL, "min",
		"Time of the fastest repetition of the point. By the rule hpcc-fpga of beff: the "
		"longest of the ranks' own fastest times, which need not be of one repetition."
		REPETITION WHOLE_ROUND },
	[COL_TIME] = { "time_s", "s", COL_REAL, "time",
		"Median of the times of the point's repetitions." REPETITION WHOLE_ROUND },
	[COL_TIME_LO] = { "time_lo_s", "s", COL_REAL, "lo",
		"Lower bound of the interval of time_s, the " INTERVAL REPETITION WHOLE_ROUND },
	[COL_TIME_HI] = { "time_hi_s", "s", COL_REAL, "hi",
		"Upper bound of the interval of time_s, the " INTERVAL REPETITION WHOLE_ROUND },
	[COL_TIME_P90] = { "time_p90_s", "s", COL_REAL, "p90",
		"Time that 90 % of the point's repetitions did not exceed, an order statistic."
		REPETITION " Empty with fewer than 36 repetitions, which cannot bound it." },
	[COL_TIME_P99] = { "time_p99_s", "s", COL_REAL, "p99",
		"Time that 99 % of the point's repetitions did not exceed, an order statistic."
		REPETITION " Empty with fewer than 368 repetitions, which cannot bound it." },
	[COL_TIME_MAX] = { "time_max_s", "s", COL_REAL, "max",
		"Time of the slowest repetition of the point." REPETITION WHOLE_ROUND },

	[COL_TIME_ACF1] = { "time_acf1", "", COL_REAL, "acf1",
		"Lag-1 autocorrelation of the repetitions' times, in the order of measurement. Far "
		"above 0 the repetitions are not independent, and the intervals of the median "
		"are too narrow. Empty below 3 repetitions and if all are alike." },
	[COL_HALF_RTT] = { "half_rtt_s", "s", COL_REAL, "half rtt",
		"Half of the round trip of one message: the median over the point's repetitions "
		"of t/(2 loops), where t is the time of a repetition; rank 0, which sends "
		"first, is the only rank timed." REPETITION " It is neither a one-way time nor "
		"the L of LogP." },
	[COL_HALF_RTT_LO] = { "half_rtt_lo_s", "s", COL_REAL, "lo",
		"Lower " HALF_RTT_INTERVAL },
	[COL_HALF_RTT_HI] = { "half_rtt_hi_s", "s", COL_REAL, "hi",
		"Upper " HALF_RTT_INTERVAL },
	[COL_HALF_RTT_MIN] = { "half_rtt_min_s", "s", COL_REAL, "min",
		"Half of the shortest single round trip." ITERATION " It is that very sample, "
		"not a quantile." },
	[COL_HALF_RTT_P50] = { "half_rtt_p50_s", "s", COL_REAL, "p50",
		"Median of half of the single round trips." ITERATION RESOLUTION
		" It differs from half_rtt_s, which is a median of means over `loops` "
		"iterations." },
	[COL_HALF_RTT_P90] = { "half_rtt_p90_s", "s", COL_REAL, "p90",
		"Half of the round trip that 90 % of the single iterations did not exceed."
		ITERATION RESOLUTION " Empty with fewer than 36 iterations, which cannot bound "
		"it." },
	[COL_HALF_RTT_P99] = { "half_rtt_p99_s", "s", COL_REAL, "p99",
		"Half of the round trip that 99 % of the single iterations did not exceed."
		ITERATION RESOLUTION " Empty with fewer than 368 iterations, which cannot bound "
		"it." },
	[COL_HALF_RTT_P999] = { "half_rtt_p999_s", "s", COL_REAL, "p99.9",
		"Half of the round trip that 99.9 % of the single iterations did not exceed."
		ITERATION RESOLUTION " Empty with fewer than 3688 iterations, which cannot "
		"bound it." },
	[COL_HALF_RTT_MAX] = { "half_rtt_max_s", "s", COL_REAL, "max",
		"Half of the longest single round trip." ITERATION " It is that very sample, "
		"not a quantile." },

	[COL_RATE] = { "rate_msgps", "msg/s", COL_REAL, "msg/s",
		"Messages of one repetition divided by the median time of the repetitions, "
		"never a mean of rates." MESSAGES REPETITION },
	[COL_RATE_LO] = { "rate_lo_msgps", "msg/s", COL_REAL, "lo",
		"Messages of one repetition divided by time_hi_s, the upper bound of the "
		INTERVAL MESSAGES REPETITION },
	[COL_RATE_HI] = { "rate_hi_msgps", "msg/s", COL_REAL, "hi",
		"Messages of one repetition divided by time_lo_s, the lower bound of the "
		INTERVAL MESSAGES REPETITION },
	[COL_RATE_MIN] = { "rate_min_msgps", "msg/s", COL_REAL, "min",
		"Messages of one repetition divided by the time of the slowest repetition."
		MESSAGES REPETITION },
	[COL_RATE_MAX] = { "rate_max_msgps", "msg/s", COL_REAL, "max",
		"Messages of one repetition divided by the time of the fastest repetition."
		MESSAGES REPETITION },
	[COL_PAIR_RATE] = { "pair_rate_msgps", "msg/s", COL_REAL, "per pair",
		"Share of one pair: rate_msgps divided by `pairs`, while all pairs send at "
		"the same time. The time is that of the slowest pair, so this is not the rate "
		"of a pair alone." },

	[COL_BANDWIDTH] = { "bandwidth_Bps", "B/s", COL_REAL, "B/s",
		"Bytes of one repetition divided by the median time of the repetitions, never a "
		"mean of bandwidths." BYTES REPETITION NO_BYTES },
	[COL_BANDWIDTH_LO] = { "bandwidth_lo_Bps", "B/s", COL_REAL, "lo",
		"Bytes of one repetition divided by time_hi_s, the upper bound of the " INTERVAL
		BYTES REPETITION NO_BYTES },
	[COL_BANDWIDTH_HI] = { "bandwidth_hi_Bps", "B/s", COL_REAL, "hi",
		"Bytes of one repetition divided by time_lo_s, the lower bound of the " INTERVAL
		BYTES REPETITION NO_BYTES },
	[COL_BANDWIDTH_MIN] = { "bandwidth_min_Bps", "B/s", COL_REAL, "min",
		"Bytes of one repetition divided by the time of the slowest repetition." BYTES
		REPETITION NO_BYTES },
	[COL_BANDWIDTH_MAX] = { "bandwidth_max_Bps", "B/s", COL_REAL, "max",
		"Bytes of one repetition divided by the time of the fastest repetition (time_min_s); "
		"for beff this is b(L), whose mean over the sizes is b_eff." BYTES REPETITION
		NO_BYTES },
	[COL_PAIR_BANDWIDTH] = { "pair_bandwidth_Bps", "B/s", COL_REAL, "per pair",
		"Share of one pair: bandwidth_Bps divided by `pairs`, while all pairs send at "
		"the same time. The time is that of the slowest pair, so this is not the bandwidth "
		"of a pair alone." NO_BYTES },

	[COL_MODEL_TIME] = { "model_s", "s", COL_REAL, "model",
		"Computed, not measured: the time from the start of a message of size_B bytes "
		"to its end at the receiver, by the model of the board. With channels it is "
		"ceil(L/(c w))/f + latency for c channels of w bytes and clock f, twice that if "
		"send and receive loops run one after the other." },
	[COL_MODEL_PAIR] = { "pair_model_Bps", "B/s", COL_REAL, "pair",
		"Computed, not measured: size_B divided by model_s, the bandwidth of one kernel "
		"pair." NO_BYTES },
	[COL_MODEL_CARD] = { "card_model_Bps", "B/s", COL_REAL, "card",
		"Computed, not measured: pair_model_Bps times the number of kernel pairs of one "
		"card." NO_BYTES },
	[COL_MODEL_BANDWIDTH] = { "bandwidth_model_Bps", "B/s", COL_REAL, "total",
		"Computed, not measured: card_model_Bps times the number of cards, since the "
		"model scales linearly." NO_BYTES },

	[COL_STOP] = { "stop", "", COL_TEXT, "stop",
		"The rule that ended the point's repetitions. It says whether the interval of "
		"the median became narrow enough, the number of repetitions was reached, the "
		"time of the point or of the run was spent, or one repetition of virtual time "
		"says it all. A point that a signal interrupts has no row." },
	[COL_CHECKED] = { "checked", "", COL_UINT, "checked",
		"Messages of the point whose content was compared with what was sent, outside "
		"the timed part. After every round, pilot and warm-up included, these are what its "
		"last iteration left: of messages over 4 KiB the first 8 bytes of every 4 KiB and "
		"the last ones tell it from the iterations before. To these come every byte that one "
		"further round leaves, as long as the timed ones, "
		"and the messages of one further round, one by one."},
	[COL_LATE] = { "late", "", COL_UINT, "late",
		"Repetitions of the point in which some rank came later to the common start than by 5 % of "
		"the repetition's time, which counts from that start. They count like the "
		"others. Always 0 where ranks start behind a barrier, which has no common instant." },
	[COL_ERRORS] = { "errors", "", COL_UINT, "errors",
		"Messages among those of `checked` in which at least one byte was wrong. Any "
		"but 0 makes the run fail; the row's times are then not to be trusted. 0 also "
		"if nothing was checked: see `checked`." },
};

const struct column *column_find(const char *name)
{
	for (size_t i = 0; i < NCOLUMNS; i++)
		if (!strcmp(columns[i].name, name))
			return &columns[i];
	return NULL;
}
