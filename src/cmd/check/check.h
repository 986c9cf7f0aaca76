/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check: the usual quantities of a network in one run, in words, and judged: by what the device
 * promises (promise.c) and by requirements (require.c). Rank 0.
 */
#ifndef NETBENCH_CMD_CHECK_CHECK_H
#define NETBENCH_CMD_CHECK_CHECK_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result/report.h"

/* ---- what was found ---- */

/* A number, under the name that requirements and results have for it. */
struct finding {
	const char *benchmark;		/* "latency" */
	const char *name;		/* "half_rtt_s", a column or a member of the summary */
	const char *unit;		/* "s", "B/s", "msg/s" */
	uint64_t size, window;
	double value, lo, hi;		/* 95 % interval; NaN: there is none */
};

struct findings {
	struct finding *at;
	size_t n;
};

/* The finding of a size, any if it is NULL; NULL if there is none. */
const struct finding *findings_get(const struct findings *all, const char *benchmark,
				   const char *name, const uint64_t *size);

/* ---- requirements ---- */

enum judgement { JUDGED_PASS, JUDGED_FAIL, JUDGED_UNCLEAR, NJUDGEMENTS };
extern const char *const judgement_names[];

/* "latency.half_rtt_p50_s size=8 <= 2us" */
struct requirement {
	char text[160];			/* as it was given, or for people */
	char benchmark[32], name[48];
	bool of_size, of_window;	/* else of any */
	uint64_t size, window;
	bool most;			/* <=, else >= */
	double limit;
	/* what it came to, and by which finding, which decides; NULL: nothing was measured */
	enum judgement judged;
	const struct finding *by;
};

struct requirements {
	struct requirement *at;
	size_t n;
};

/*
 * Reads a value of --require: a requirement, or a file that has one a line, or a result of check,
 * than which nothing may be worse by more than `tolerance` (0.1 is 10 %). Adds them. ST_OK, or
 * ST_USAGE or ST_FAILED (reported).
 */
int requirements_read(struct requirements *all, const char *value, double tolerance);

/* A finding by its interval, or by its value if it has none: unclear if the limit is within. */
enum judgement judge_finding(const struct finding *f, double limit, bool most);

/*
 * Judges all by their intervals: one whose limit lies within the interval is unclear, as one of
 * which nothing was measured. Without an interval the value decides.
 */
void requirements_judge(struct requirements *all, const struct findings *found);

/* ---- what the device promises ---- */

struct promise {
	char text[160];			/* "the 10 Gbit/s of eth0 in frames of 1500 B"; "": none */
	double Bps;			/* of message content, one way */
};

/* From the environment of a record: of the device that rank 0's messages take, if it is known. */
struct promise promise_find(const json_t *environment);

/* ---- in words ---- */

/* What is said, in this order. */
struct check_report {
	const char *title;
	const json_t *warnings;
	const struct findings *found;
	const struct promise *promise;
	double least_share;		/* of the promise; 0: it is not judged */
	enum judgement promise_judged;	/* if `shared` */
	const struct finding *shared;	/* the bandwidth that is compared with it; NULL: none */
	const struct requirements *required;
	enum judgement verdict;
	bool nothing_judged;
	bool over;			/* the run ended early */
	int ranks;
	enum rate_unit rates;
};

/* The lines, of 79 columns at most, for free(); NULL without memory. */
char *check_words(const struct check_report *r);

#endif
