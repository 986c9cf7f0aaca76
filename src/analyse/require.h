/* SPDX-License-Identifier: Apache-2.0 */
/* Requirements on results: the measured numbers, the requirements, and their judgement. */
#ifndef NETBENCH_ANALYSE_REQUIRE_H
#define NETBENCH_ANALYSE_REQUIRE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyse/finding.h"

/* ---- measured numbers ---- */

/* A measured number with its interval. It has the same name in requirements and in results. */
struct figure {
	const char *benchmark;		/* "latency" */
	const char *name;	/* a column or a member of the summary, such as "rate_msgps" */
	const char *unit;		/* "s", "B/s", "msg/s" */
	uint64_t size, window;
	double value, lo, hi;		/* value and its 95 % interval; NaN: no interval */
	/* true: the time limit came after too few repetitions, so the figure is not judged */
	bool few;
	bool exact; /* true: the value is computed, and judged without an interval */
};

struct figures {
	struct figure *at;
	size_t n;
};

/* Adds a figure. ST_OK or ST_FAILED (reported). */
int figures_add(struct figures *all, const struct figure *f);

/*
 * Adds the figures of a result that can be required. Only results of check, latency, msgrate,
 * bandwidth and beff have such figures. The figures' texts belong to the result, which must outlive
 * the figures. Returns ST_OK or ST_FAILED (reported).
 */
int figures_read(struct figures *all, const json_t *doc);

/*
 * Returns the first figure of this benchmark, name and size; NULL: none. If `size` is NULL, any
 * size will do.
 */
const struct figure *find_figure(const struct figures *all, const char *benchmark,
				   const char *name, const uint64_t *size);

/* ---- requirements ---- */

enum judgement { JUDGED_PASS, JUDGED_FAIL, JUDGED_UNCLEAR, NJUDGEMENTS };
extern const char *const judgement_names[];
/* indexed by judgement: the verdict on "the requirement is not met" */
extern const enum verdict judgement_verdicts[];

/* "latency.half_rtt_p50_s size=8 <= 2us" */
struct requirement {
	char text[160]; /* the user's text, or for an earlier result a text for people */
	char benchmark[32], name[48];
	/*
	 * of_size: true if the requirement is for this size only; of_window: for this window only
	 */
	bool of_size, of_window;
	uint64_t size, window;
	bool most; /* true: the limit is a maximum (<=); false: a minimum (>=) */
	double limit;
	/*
	 * The judgement, and the figure that decided it. The figure is NULL if nothing was
	 * measured.
	 */
	enum judgement judged;
	const struct figure *by;
};

struct requirements {
	struct requirement *at;
	size_t n;
};

/*
 * Adds the requirements that a value of --require states. The value is a requirement, or names a
 * file with one requirement a line, or names a result of check. Such a result requires that no
 * figure is worse by more than `tolerance` (0.1 is 10 %). Returns ST_OK, or ST_USAGE or ST_FAILED
 * (reported).
 */
int requirements_read(struct requirements *all, const char *value, double tolerance);

/*
 * Judges a figure by its interval. It fails if even the better bound is past the limit. It passes
 * if even the worse bound is within the limit. Otherwise it is unclear. An exact figure is judged
 * by its value. A measured figure without an interval is unclear.
 */
enum judgement judge_figure(const struct figure *f, double limit, bool most);

/*
 * Judges all requirements, each by its figures as judge_figure() does. A requirement without a
 * measured figure is unclear.
 */
void requirements_judge(struct requirements *all, const struct figures *found);

/*
 * Returns the reason why a judgement is unclear; "" if it is clear. `f` is its figure, or NULL if
 * nothing was measured.
 */
const char *reason_unclear(enum judgement judged, const struct figure *f);

/*
 * Adds a finding for each requirement, which decides the exit status. Call requirements_judge()
 * first.
 */
void requirements_findings(const struct requirements *all, struct findings *found);

/*
 * Returns the exit status of the findings on requirements: ST_OK, or ST_FAILED or ST_NO_VERDICT
 * (reported).
 */
int requirements_status(const struct findings *found);

/*
 * Returns the requirements for a summary, as a list of objects. Each has text, verdict, limit,
 * unit, and the value that decided (or null) with its bounds.
 */
json_t *requirements_json(const struct requirements *all);

#endif
