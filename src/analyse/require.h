/* SPDX-License-Identifier: Apache-2.0 */
/* What results have to meet: numbers that were found, requirements, and how they are judged. */
#ifndef NETBENCH_ANALYSE_REQUIRE_H
#define NETBENCH_ANALYSE_REQUIRE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyse/finding.h"

/* ---- what was found ---- */

/* A number with its interval, under the name that requirements and results have for it. */
struct figure {
	const char *benchmark;		/* "latency" */
	const char *name;		/* "rate_msgps", a column or a member of the summary */
	const char *unit;		/* "s", "B/s", "msg/s" */
	uint64_t size, window;
	double value, lo, hi;		/* 95 % interval; NaN: no interval */
	bool few;			/* time was up after too few repetitions: not judged */
	bool exact;			/* computed: judged without an interval */
};

struct figures {
	struct figure *at;
	size_t n;
};

/* Adds a figure. ST_OK or ST_FAILED (reported). */
int figures_add(struct figures *all, const struct figure *f);

/*
 * Adds what can be required of a result: of check, latency, msgrate, bandwidth or beff; nothing of
 * another. Texts are of the result, which has to outlive them. ST_OK or ST_FAILED (reported).
 */
int figures_read(struct figures *all, const json_t *doc);

/* The first figure of a size, of any size if it is NULL; NULL: not found. */
const struct figure *figures_get(const struct figures *all, const char *benchmark,
				   const char *name, const uint64_t *size);

/* ---- requirements ---- */

enum judgement { JUDGED_PASS, JUDGED_FAIL, JUDGED_UNCLEAR, NJUDGEMENTS };
extern const char *const judgement_names[];
extern const enum verdict judgement_verdicts[];	/* whether it fails */

/* "latency.half_rtt_p50_s size=8 <= 2us" */
struct requirement {
	char text[160];			/* as it was given, or for people */
	char benchmark[32], name[48];
	bool of_size, of_window;	/* else of any */
	uint64_t size, window;
	bool most;			/* <=, else >= */
	double limit;
	/* verdict, and the figure that decided it; NULL: nothing was measured */
	enum judgement judged;
	const struct figure *by;
};

struct requirements {
	struct requirement *at;
	size_t n;
};

/*
 * Adds the requirements of a value of --require: one requirement, a file with one a line, or a
 * result of check. Nothing may be worse than in that result by more than `tolerance` (0.1 is 10 %).
 * ST_OK, or ST_USAGE or ST_FAILED (reported).
 */
int requirements_read(struct requirements *all, const char *value, double tolerance);

/*
 * A figure by its interval: fails if the better end is past the limit, passes if the worse end is
 * not, else is unclear. An exact one is judged by its value; a measured one without an interval is
 * unclear.
 */
enum judgement judge_figure(const struct figure *f, double limit, bool most);

/*
 * Judges all by the intervals of their figures, as judge_figure. A requirement is unclear, too, if
 * nothing was measured.
 */
void requirements_judge(struct requirements *all, const struct figures *found);

/* Why a judgement is unclear; "" if it is clear. f: its figure, NULL if nothing was measured. */
const char *judgement_lack(enum judgement judged, const struct figure *f);

/* Adds a finding for each, which decides; all are judged. ST_OK or ST_FAILED (reported). */
int requirements_findings(const struct requirements *all, struct findings *found);

/* The exit status of such findings: ST_OK, or ST_FAILED or ST_NO_VERDICT (reported). */
int requirements_status(const struct findings *found);

/* For a summary: text, verdict, limit, unit, and the value that decided with its bounds or null. */
json_t *requirements_record(const struct requirements *all);

#endif
