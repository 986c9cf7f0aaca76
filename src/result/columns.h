/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of all commands' results, what they mean, and how results are compared by them. */
#ifndef NETBENCH_RESULT_COLUMNS_H
#define NETBENCH_RESULT_COLUMNS_H

#include <stdbool.h>

enum column_type { COL_UINT, COL_REAL, COL_TEXT };

/* A column of any command: one name, one meaning. */
struct column {
	const char *name;	/* metric_statistic_unit, as in CSV and JSON */
	const char *unit;	/* "s", "B", "B/s", "msg/s", "Hz"; "" for none */
	enum column_type type;
	const char *head;	/* heading in the table */
	const char *definition;	/* what `netbench explain` prints: full sentences */
};

enum column_id {
	COL_SIZE,		/* size_B */
	COL_WINDOW,		/* window */
	COL_BATCH,		/* batch */
	COL_PAIRS,		/* pairs */
	COL_LOOPS,		/* loops */
	COL_REPETITIONS,	/* repetitions */
	COL_TIME_MIN,		/* time_min_s: best repetition */
	COL_TIME,		/* time_s: median repetition */
	COL_TIME_LO,		/* time_lo_s, 95 % interval of the median */
	COL_TIME_HI,
	COL_TIME_P90,
	COL_TIME_P99,
	COL_TIME_MAX,
	COL_TIME_ACF1,		/* lag-1 autocorrelation of the repetitions' times */
	COL_HALF_RTT,		/* half_rtt_s: median over repetitions of t/(2 iterations) */
	COL_HALF_RTT_LO,	/* its 95 % interval */
	COL_HALF_RTT_HI,
	COL_HALF_RTT_MIN,	/* of single iterations, over all repetitions */
	COL_HALF_RTT_P50,
	COL_HALF_RTT_P90,
	COL_HALF_RTT_P99,
	COL_HALF_RTT_P999,
	COL_HALF_RTT_MAX,
	COL_READ,		/* read_s: median over repetitions of t/iterations */
	COL_READ_LO,		/* its 95 % interval */
	COL_READ_HI,
	COL_READ_MIN,		/* of single iterations, over all repetitions */
	COL_READ_P50,
	COL_READ_P90,
	COL_READ_P99,
	COL_READ_P999,
	COL_READ_MAX,
	COL_RATE,		/* rate_msgps: messages over the median time */
	COL_RATE_LO,
	COL_RATE_HI,
	COL_RATE_MIN,		/* from the slowest repetition */
	COL_RATE_MAX,		/* from the fastest repetition */
	COL_PAIR_RATE,		/* pair_rate_msgps: rate_msgps / pairs */
	COL_BANDWIDTH,		/* bandwidth_Bps: bytes over the median time */
	COL_BANDWIDTH_LO,
	COL_BANDWIDTH_HI,
	COL_BANDWIDTH_MIN,
	COL_BANDWIDTH_MAX,	/* from the fastest repetition: b(L) of beff */
	COL_PAIR_BANDWIDTH,	/* pair_bandwidth_Bps: bandwidth_Bps / pairs */
	COL_MODEL_TIME,		/* model_s */
	COL_MODEL_CYCLES,	/* model_cycles */
	COL_MODEL_PAIR,		/* pair_model_Bps */
	COL_MODEL_CARD,		/* card_model_Bps */
	COL_MODEL_BANDWIDTH,	/* bandwidth_model_Bps: n cards */
	/* of models; as with model_s, a time in s is followed by the same in cycles */
	COL_ARITY,		/* arity: k of k-ary and k-nomial */
	COL_MESSAGES,		/* messages: n */
	COL_SEGMENT_SIZE,	/* segment_B: of a pipelined broadcast */
	COL_UPPER,		/* upper_bound_s */
	COL_UPPER_CYCLES,	/* upper_bound_cycles */
	COL_MODEL_FREQUENCY,	/* frequency_model_Hz */
	COL_SENDER,		/* sender */
	COL_RECEIVER,		/* receiver */
	COL_SENT,		/* sent_s */
	COL_SENT_CYCLES,	/* sent_cycles */
	COL_INFORMED,		/* informed_s */
	COL_INFORMED_CYCLES,	/* informed_cycles */
	COL_AFTER,		/* after_s */
	COL_AFTER_CYCLES,	/* after_cycles */
	COL_PROCESSORS,		/* processors: P(t) */
	COL_POINT_SIZE,		/* point_B: of an FFT */
	COL_LAYOUT,		/* layout: of an FFT */
	COL_BUTTERFLIES,	/* butterflies */
	COL_REMAPS,		/* remaps */
	COL_CONFIGURATION,	/* configuration: of window and batch */
	COL_MODEL_RATE,		/* rate_model_msgps */
	COL_MODEL_RTT,		/* rtt_model_s */
	COL_BINDING,		/* binding: the slowest stage */
	COL_KNEE,		/* knee_window */
	COL_MEASURED,		/* measured_s */
	COL_RATIO,		/* measured_over_model */
	COL_REMARK,		/* remark */
	COL_STOP,		/* stop: the rule that ended the point */
	COL_CHECKED,		/* checked: messages whose content was verified */
	COL_ERRORS,		/* errors: messages whose content was wrong */
	COL_LATE,		/* late: repetitions in which a rank started late */
	COL_NOTE,		/* note: why a point was not measured */
	COL_BENCHMARK,		/* benchmark: "1.1" */
	COL_RANKS,		/* ranks: that take part */
	COL_PEERS,		/* peers: the ranks at the other end */
	COL_LOAD,		/* load: beside whom a computing task runs */
	COL_ALGORITHM,		/* algorithm */
	COL_SOURCES,		/* sources */
	COL_STAGES,		/* stages */
	COL_DESTINATIONS,	/* destinations */
	COL_CREDITS,		/* credits: events in flight */
	COL_OCCUPATION,		/* occupation_s: asked for, of a packet */
	COL_OCCUPATION_GOT,	/* occupation_achieved_s */
	COL_MESSAGE,		/* message_s: time of a message */
	COL_EVENT,		/* event_s: of an iteration */
	COL_EVENT_LO,
	COL_EVENT_HI,
	COL_FREQUENCY,		/* frequency_Hz: 1/event_s */
	COL_FREQUENCY_LO,
	COL_FREQUENCY_HI,
	COL_INTERVAL_P50,	/* interval_p50_s: between events */
	COL_INTERVAL_P90,
	COL_INTERVAL_P99,
	COL_INTERVAL_MAX,
	COL_PROCESS_BANDWIDTH,	/* process_bandwidth_Bps */
	COL_COMM_SLOWDOWN,	/* communication_slowdown */
	COL_COMPUTE_SLOWDOWN,	/* computing_slowdown */
	COL_T0,			/* t0_s, r_inf_Bps, n_half_B: t = t0 + n/r_inf */
	COL_R_INF,
	COL_N_HALF,
	COL_BOUND,		/* bound: the role that was busiest */
	COL_SHARES,		/* supervisor_computed and so on: three for each role of a farm */
	COL_SHARES_LAST = COL_SHARES + 11,
	COL_PATTERN,		/* pattern: "ring 4", "random 7", "all-to-all" */
	COL_RINGS,		/* rings: how many of which size */
	COL_PATTERN_BANDWIDTH,	/* pattern_bandwidth_Bps: mean over the sizes */
	COL_GAP,		/* gap_s: interval of a stream of messages */
	COL_SEND,		/* send_s: a send call */
	COL_SEND_DELAYED,	/* send_delayed_s: the same, of messages with pauses between them */
	COL_RECEIVE,		/* receive_s: a receive call whose message has come */
	COL_EMULATED,		/* emulated: the last of the table; report.c adds it */
	COL_SEGMENT,		/* segment: of the fit, from 1 */
	COL_HALF_RTT_ERROR,	/* half_rtt_error: of the fit, relative */
	COL_GAP_ERROR,
	COL_SEND_ERROR,
	COL_RECEIVE_ERROR,
	COL_COMPARED,		/* value_a_s, value_b_s and so on for each of compared_units */
	COL_COMPARED_LAST = COL_COMPARED + 9,
	COL_COMPARED_RATIO,	/* ratio: B over A */
	COL_COMPARED_LO,	/* its 95 % interval */
	COL_COMPARED_HI,
	COL_METHOD,		/* method: how that came about */
	COL_VERDICT,		/* verdict: faster, slower, no difference seen */
	NCOLUMNS
};

extern const struct column columns[NCOLUMNS];

/* Finds a column by name; NULL if there is none. */
const struct column *column_find(const char *name);

/* How results are compared by a column. */
enum column_role {
	ROLE_NONE,
	ROLE_POINT,	/* rows of two results that agree in all of these belong together */
	ROLE_SCORE,	/* compared in results that have no medians: of models, and scores */
	ROLE_MEDIAN,	/* made of the median time of a row's repetitions, or of its reciprocal */
	ROLE_MAIN,	/* the same; results are compared by the first such column or score */
};
enum column_role column_role(enum column_id id);

/*
 * The units of what can be compared, NULL-terminated: costs, of which less is better, and rates, of
 * which more is.
 */
extern const char *const compared_units[];
bool unit_is_rate(const char *unit);

#endif
