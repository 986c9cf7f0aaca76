/* SPDX-License-Identifier: Apache-2.0 */
#include "result/columns.h"

#include <stdio.h>
#include <string.h>

#include "base/values.h"

/*
 * Sentences that several definitions share. All except INTERVAL and INTERVAL_OF begin with a blank
 * or a full stop.
 */
#define REPETITION \
	" A repetition is one timed round of `loops` iterations, after a synchronised start. Its " \
	"time is the longest of the timed ranks' times, each by its backend's own clock. Warm-up " \
	"rounds do not count."
#define WHOLE_ROUND " The time is that of the whole round and is not divided by `loops`."
#define INTERVAL \
	"95 % nonparametric confidence interval of the median time. The interval covers what " \
	"changes within this run, not from run to run. Its bounds are order statistics of the " \
	"medians of 6 or more visits; `ci_method` names the method, also for fewer visits. It " \
	"extends at least half a clock step to either side of the median."
#define INTERVAL_OF(column, value) \
	"bound of the 95 % nonparametric confidence interval of " column ". The interval covers " \
	"what changes within this run, not from run to run. Its bounds are order statistics of " \
	"the medians of the repetitions' values " value " in 6 or more visits; `ci_method` names " \
	"the method, also for fewer visits. It extends at least half a clock step to either side " \
	"of the median." REPETITION
#define ITERATION \
	" A sample is half the time of one ping-pong, between two time stamps taken on rank 0 by " \
	"its backend's clock. The samples come from separate repetitions: one follows each " \
	"repetition that half_rtt_mean_s is made of. Where an iteration takes so long that the " \
	"point is slow, they come from the same repetitions. The iterations of all of them count " \
	"together, and none is dropped."
#define READ_ITERATION \
	" A sample is the time of one read, between two time stamps taken on rank 0. The samples " \
	"come from separate repetitions, whose iterations count together."
#define RESOLUTION \
	" With more than 1048576 samples it comes from a histogram, in which a bucket is as wide " \
	"as 1/256 of its value."
#define MESSAGES \
	" The messages are those with payload that all senders sent in one repetition. Replies " \
	"do not count, but the time includes them."
#define BYTES \
	" The bytes are size_B times the messages with payload that all ranks sent in one " \
	"repetition (beff: ranks x 2 x size_B x loops). Replies do not count, but the time " \
	"includes them."
#define INTERVALS \
	". An event is a decision that the supervisor gets (2.1, 2.2), or an event that the " \
	"first destination completes (2.3). The times come from the backend's clock in separate " \
	"repetitions, which are observed. The first interval counts from the start." RESOLUTION
#define COMM_BOUND \
	" bound of the 95 % confidence interval of communication_slowdown, the ratio of two " \
	"medians. With 6 or more visits, and where fewer visits disagree, it comes from the " \
	"bounds of the two medians' intervals. Otherwise it comes from a bootstrap of the " \
	"repetitions of both points, or of their epochs' medians where repetitions depend on one " \
	"another. Empty with fewer than 6 repetitions or epochs, and if the slowdown is not " \
	"between the two bounds."
#define COMPUTE_BOUND \
	" bound of the 95 % confidence interval of computing_slowdown. It comes from a bootstrap " \
	"of two samples: ten consecutive parts of the time without communication, and 6 to 20 " \
	"consecutive parts of the repetitions. Empty with fewer than 6 repetitions, and if the " \
	"slowdown is not between the two bounds. It is also empty if the slowdown has no bound, " \
	"because computing may have done nothing at all."
#define OBSERVED \
	" It is a mean over the ranks of the role and over separate repetitions. In these each " \
	"rank observes itself; they do not count for the frequency."
#define COMPARED_VALUE(side) \
	"Value of the compared measure in file " side ". The summary names the measure " \
	"(`measure`), which is a column of another command. Empty if that file has no value."
#define COMPARED_BOUND \
	" bound of the 95 % interval of `ratio`; `method` names how it was made. For an exact " \
	"ratio it is the ratio itself. For one run of each file it holds within these runs alone."
#define FIT_ERROR(quantity) \
	"Relative error of the fit's " quantity ": the value on the segment's line, divided by " \
	"the measured value, less 1."
#define TAIL_BOUND(column, percent, least) \
	" bound of the 95 % interval of " column ". Samples longer than " column " come in " \
	"clusters; 10 samples in a row that are not longer end a cluster. Of n samples, n times " \
	"clusters per longer sample count as independent. If each of 6 to 20 consecutive parts " \
	"has " least " independent samples, the bounds are order statistics of the parts' own " \
	percent " % points. Otherwise they are order statistics of all samples. Only the first " \
	"1048576 samples count. Empty with fewer than " least " independent samples, which " \
	"cannot bound it."
#define TOO_FEW(least, what) " Empty with fewer than " least " " what ", which cannot bound it."
#define HALF_RTT_TAIL(percent, least) \
	"Half of the round-trip time that " percent " % of the single iterations did not exceed." \
	ITERATION RESOLUTION TOO_FEW(least, "independent iterations")
#define READ_TAIL(percent, least) \
	"Time that " percent " % of the single reads did not exceed." READ_ITERATION RESOLUTION \
	TOO_FEW(least, "independent iterations")
#define TIME_TAIL(percent, least) \
	"Time that " percent " % of the point's repetitions did not exceed, an order statistic." \
	REPETITION TOO_FEW(least, "repetitions")
#define INTERVAL_TAIL(percent, least) \
	"The " percent " % quantile of the intervals from one event to the next, as rank 0 sees " \
	"them" INTERVALS TOO_FEW(least, "independent events")
#define LOAD_TIME(percent, what) \
	"Time that " percent " % of the events did not exceed. It is the median over epochs of " \
	"this quantile, or the quantile of all events where epochs have too few. The events are " \
	what " Empty if too few events are independent."
#define LOAD_BOUND(column) \
	" bound of the 95 % interval of " column ", from order statistics over epochs, or over " \
	"all events where epochs have too few."
#define SINGLE_BOUND(column) \
	" bound of the 95 % nonparametric confidence interval of " column ". It is made like the " \
	"bounds of time_s, from each repetition's median of its single samples in place of the " \
	"repetition's time. With fewer than 6 visits, if these medians depend on one another and " \
	"are too few for epochs, the interval extends from the smallest to the largest of them. " \
	"It contains " column " and at least half a clock step on either side. Empty with fewer " \
	"than 6 visits and fewer than 30 repetitions."
#define COLLECTIVE_TIME \
	"from the agreed start until the last rank is out. All ranks start at an agreed instant " \
	"on the clock of rank 0, and each operation has its own. In virtual time all ranks start " \
	"at the same instant."
#define COLLECTIVE_TAIL(percent, least, late) \
	"Time that " percent " % of the single operations did not exceed: " COLLECTIVE_TIME \
	RESOLUTION TOO_FEW(least, "independent operations") " Empty, too, if more than " late \
	" % of the operations began late."
#define OF_MAP " In results of map it is the median over the visits of a pair of hosts."
#define OF_MAP_BOUND \
	" In results of map it is an order statistic of the visits of a pair; it is empty with " \
	"fewer than 6 visits."
#define IN_CYCLES(of) "The same as " of " in the unit of model_cycles."
#define NO_BYTES " It is empty for messages of 0 bytes."

#define COLUMN(id, name, unit, type, head, definition) { name, unit, type, head, definition },
const struct column columns[NCOLUMNS] = {
#include "result/definitions.h"
};

const char *const column_type_names[] = {
	[COL_UINT] = "integer", [COL_REAL] = "real", [COL_TEXT] = "text"
};

/* Columns that have a different name in older results. */
static const struct {
	const char *former, *now;
} renamed[] = {
	{ "half_rtt_s", "half_rtt_epoch_s" }, { "half_rtt_lo_s", "half_rtt_epoch_lo_s" },
	{ "half_rtt_hi_s", "half_rtt_epoch_hi_s" }, { "read_s", "read_epoch_s" },
	{ "read_lo_s", "read_epoch_lo_s" }, { "read_hi_s", "read_epoch_hi_s" },
	{ "half_rtt_error", "half_rtt_epoch_error" },
};

const char *column_new_name(const char *name)
{
	for (size_t i = 0; i < LENGTH(renamed); i++)
		if (!strcmp(renamed[i].former, name))
			return renamed[i].now;
	return name;
}

const char *column_old_name(const char *name)
{
	for (size_t i = 0; i < LENGTH(renamed); i++)
		if (!strcmp(renamed[i].now, name))
			return renamed[i].former;
	return NULL;
}

const struct column *column_find(const char *name)
{
	name = column_new_name(name);
	for (size_t i = 0; i < NCOLUMNS; i++)
		if (!strcmp(columns[i].name, name))
			return &columns[i];
	return NULL;
}

void column_part(char *buf, size_t len, const char *column, const char *part)
{
	const struct column *known = column_find(column);
	const char *unit = known && !*known->unit ? NULL : strrchr(column, '_');
	int stem = (int)(unit ? (size_t)(unit - column) : strlen(column));

	snprintf(buf, len, "%.*s_%s%s", stem, column, part, column + stem);
}

enum column_id column_part_id(enum column_id id, const char *part)
{
	char name[80];
	const struct column *c;

	column_part(name, sizeof(name), columns[id].name, part);
	c = column_find(name);
	return c ? (enum column_id)(c - columns) : NCOLUMNS;
}

const char *const compared_units[] = { "s", "B/s", "msg/s", "Hz", "cycles", NULL };

enum column_role column_role(enum column_id id)
{
	switch (id) {
	case COL_SIZE: case COL_WINDOW: case COL_BATCH: case COL_PAIRS: case COL_BENCHMARK:
	case COL_RANKS: case COL_PEERS: case COL_LOAD: case COL_ALGORITHM: case COL_SOURCES:
	case COL_STAGES: case COL_DESTINATIONS: case COL_CREDITS: case COL_OCCUPATION:
	case COL_PATTERN: case COL_MESSAGES: case COL_LAYOUT: case COL_POINT_SIZE:
	case COL_SENDER_HOST: case COL_RECEIVER_HOST: case COL_CLASS:
	case COL_OPERATION: case COL_ROOT:
	case COL_RECEIVER: case COL_ACK: case COL_STAGE: case COL_PLACE: case COL_TO_PLACE:
	case COL_VICTIM: case COL_AGGRESSOR: case COL_LOOP: case COL_RATE_ASKED:
	case COL_LOAD_ASKED:
		return ROLE_POINT;
	case COL_HALF_RTT_EPOCH: case COL_READ_EPOCH: case COL_RATE: case COL_BANDWIDTH:
	case COL_EVENT: case COL_FREQUENCY: case COL_HALF_RTT_P50: case COL_READ_P50:
	case COL_LATENCY_P50:
	case COL_COLLECTIVE: case COL_BEHIND_BARRIER: case COL_BACK_TO_BACK:
		return ROLE_MAIN;
	case COL_TIME: case COL_PAIR_RATE: case COL_PAIR_BANDWIDTH: case COL_MESSAGE:
	case COL_PROCESS_BANDWIDTH: case COL_BIDIRECTIONAL: case COL_RATE_ACHIEVED:
	case COL_QUIET_P50: case COL_SERVICE_P50:
		return ROLE_MEDIAN;
	case COL_MODEL_TIME: case COL_MODEL_CYCLES: case COL_INFORMED: case COL_INFORMED_CYCLES:
	case COL_PATTERN_BANDWIDTH:
		return ROLE_SCORE;
	default:
		return ROLE_NONE;
	}
}

bool column_is_single(enum column_id id)
{
	return id == COL_HALF_RTT_P50 || id == COL_READ_P50 || id == COL_COLLECTIVE ||
	       id == COL_BEHIND_BARRIER;
}

bool unit_is_rate(const char *unit)
{
	return strchr(unit, '/') || !strcmp(unit, "Hz");
}
