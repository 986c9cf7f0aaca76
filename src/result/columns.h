/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of all commands' results, what they mean, and how results are compared by them. */
#ifndef NETBENCH_RESULT_COLUMNS_H
#define NETBENCH_RESULT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

enum column_type { COL_UINT, COL_REAL, COL_TEXT };
extern const char *const column_type_names[];	/* "integer", "real", "text" */

/* A column of any command: one name, one meaning. */
struct column {
	const char *name;	/* metric_statistic_unit, as in CSV and JSON */
	const char *unit;	/* "s", "B", "B/s", "msg/s", "Hz"; "" for none */
	enum column_type type;
	const char *head;	/* heading in the table */
	const char *definition;	/* what `netbench explain` prints: full sentences */
};

/* Columns by subject; columns.c defines each. */
enum column_id {
	/* what was measured, and how often */
	COL_SIZE, COL_WINDOW, COL_BATCH, COL_PAIRS, COL_ACK, COL_LOOPS, COL_REPETITIONS,
	/* repetitions: the median, its 95 % interval (LO, HI), quantiles, autocorrelation */
	COL_TIME_MIN, COL_TIME, COL_TIME_LO, COL_TIME_HI, COL_TIME_P90, COL_TIME_P99, COL_TIME_MAX,
	COL_TIME_ACF1,
	/* latency: from MIN on of single iterations, over all repetitions */
	COL_HALF_RTT, COL_HALF_RTT_LO, COL_HALF_RTT_HI, COL_HALF_RTT_MIN,
	COL_HALF_RTT_P50, COL_HALF_RTT_P50_LO, COL_HALF_RTT_P50_HI,
	COL_HALF_RTT_P90, COL_HALF_RTT_P90_LO, COL_HALF_RTT_P90_HI,
	COL_HALF_RTT_P99, COL_HALF_RTT_P99_LO, COL_HALF_RTT_P99_HI,
	COL_HALF_RTT_P999, COL_HALF_RTT_P999_LO, COL_HALF_RTT_P999_HI, COL_HALF_RTT_MAX,
	COL_READ, COL_READ_LO, COL_READ_HI, COL_READ_MIN,
	COL_READ_P50, COL_READ_P50_LO, COL_READ_P50_HI,
	COL_READ_P90, COL_READ_P90_LO, COL_READ_P90_HI,
	COL_READ_P99, COL_READ_P99_LO, COL_READ_P99_HI,
	COL_READ_P999, COL_READ_P999_LO, COL_READ_P999_HI, COL_READ_MAX,
	/* rates: MIN is of the slowest repetition, MAX of the fastest (b(L) of beff) */
	COL_RATE, COL_RATE_LO, COL_RATE_HI, COL_RATE_MIN, COL_RATE_MAX, COL_PAIR_RATE,
	COL_BANDWIDTH, COL_BANDWIDTH_LO, COL_BANDWIDTH_HI, COL_BANDWIDTH_MIN, COL_BANDWIDTH_MAX,
	COL_BIDIRECTIONAL, COL_BIDIRECTIONAL_LO, COL_BIDIRECTIONAL_HI,
	COL_PAIR_BANDWIDTH,
	/* models: a time in s is followed by the same in cycles */
	COL_MODEL_TIME, COL_MODEL_CYCLES, COL_MODEL_PAIR, COL_MODEL_CARD, COL_MODEL_BANDWIDTH,
	COL_ARITY, COL_MESSAGES, COL_SEGMENT_SIZE, COL_UPPER, COL_UPPER_CYCLES, COL_LECTURE,
	COL_LECTURE_CYCLES, COL_COMPUTING, COL_COMPUTING_CYCLES, COL_TOTAL, COL_TOTAL_CYCLES,
	COL_MODEL_FREQUENCY, COL_SENDER, COL_RECEIVER, COL_SENT, COL_SENT_CYCLES, COL_INFORMED,
	COL_INFORMED_CYCLES, COL_AFTER, COL_AFTER_CYCLES, COL_PROCESSORS, COL_LEAST, COL_MOST,
	COL_LECTURE_LEAST, COL_LECTURE_MOST, COL_POINT_SIZE,
	COL_LAYOUT, COL_BUTTERFLIES, COL_REMAPS, COL_CONFIGURATION, COL_MODEL_RATE, COL_MODEL_RTT,
	COL_BINDING, COL_KNEE, COL_MEASURED, COL_RATIO, COL_REMARK,
	COL_STAGE, COL_PLACE, COL_TO_PLACE, COL_BEGINS, COL_BEGINS_CYCLES, COL_ENDS,
	COL_ENDS_CYCLES,
	/* every measured point */
	COL_STOP, COL_CI_METHOD, COL_VISITS, COL_BEST_OF, COL_CHECKED, COL_ERRORS, COL_LATE,
	COL_NOTE, COL_DISTURBANCE,
	/* the ATLAS benchmarks; COL_SHARES: three columns for each of the four roles of a farm */
	COL_BENCHMARK, COL_RANKS, COL_PEERS, COL_LOAD, COL_ALGORITHM, COL_SOURCES, COL_STAGES,
	COL_DESTINATIONS, COL_CREDITS, COL_OCCUPATION, COL_OCCUPATION_GOT, COL_MESSAGE, COL_EVENT,
	COL_EVENT_LO, COL_EVENT_HI, COL_FREQUENCY, COL_FREQUENCY_LO, COL_FREQUENCY_HI,
	COL_INTERVAL_P50, COL_INTERVAL_P90, COL_INTERVAL_P99, COL_INTERVAL_P99_LO,
	COL_INTERVAL_P99_HI, COL_INTERVAL_MAX,
	COL_PROCESS_BANDWIDTH, COL_COMM_SLOWDOWN, COL_COMM_SLOWDOWN_LO, COL_COMM_SLOWDOWN_HI,
	COL_COMPUTE_SLOWDOWN, COL_COMPUTE_SLOWDOWN_LO, COL_COMPUTE_SLOWDOWN_HI, COL_PROCESSOR_SHARE,
	COL_SLOWDOWN_NOTE, COL_T0, COL_R_INF,
	COL_N_HALF, COL_BOUND, COL_SHARES, COL_SHARES_LAST = COL_SHARES + 11,
	/* beff by the rule hlrs */
	COL_PATTERN, COL_RINGS, COL_PATTERN_BANDWIDTH,
	/* parameters of LogGP; report.c adds COL_EMULATED; the errors are those of the fit */
	COL_GAP, COL_SEND, COL_SEND_DELAYED, COL_RECEIVE, COL_EMULATED, COL_SEGMENT,
	COL_HALF_RTT_ERROR, COL_GAP_ERROR, COL_SEND_ERROR, COL_RECEIVE_ERROR,
	/* map: a pair */
	COL_SENDER_HOST, COL_RECEIVER_HOST, COL_CLASS,
	/* doctor: a finding */
	COL_FINDING, COL_SEVERITY, COL_SUBJECT, COL_FOUND_ON, COL_FOUND, COL_REMEDY,
	/* compare: FILE with several B alone; COL_COMPARED: A and B for each of compared_units */
	COL_COMPARED_FILE, COL_COMPARED, COL_COMPARED_LAST = COL_COMPARED + 9,
	COL_COMPARED_RATIO, COL_COMPARED_LO, COL_COMPARED_HI, COL_METHOD, COL_P_VALUE, COL_VERDICT,
	/* of the run; report.c adds them to each row in files */
	COL_RUN_ID, COL_RUN_DATE, COL_RUN_HOST, COL_RUN_HOSTS, COL_RUN_RANKS,
	NCOLUMNS
};

extern const struct column columns[NCOLUMNS];

/* Finds a column by name; NULL if there is none. */
const struct column *column_find(const char *name);

/* A column's name with a part inserted before the unit: "half_rtt_s", "lo": "half_rtt_lo_s". */
void column_part(char *buf, size_t len, const char *column, const char *part);

/* How results are compared by a column. */
enum column_role {
	ROLE_NONE,
	ROLE_POINT,	/* rows of two results that agree in all of these belong together */
	ROLE_SCORE,	/* compared in results that have no medians: of models, and scores */
	ROLE_MEDIAN,	/* made of the median time of a row's repetitions, or of its reciprocal */
	ROLE_MAIN,	/* the same; results are compared by the first such column or score */
};
enum column_role column_role(enum column_id id);

/* Whether a median is one of single iterations, not of repetitions' times. */
bool column_is_single(enum column_id id);

/* Units that can be compared, NULL-terminated: of costs less is better, of rates more. */
extern const char *const compared_units[];
bool unit_is_rate(const char *unit);

#endif
