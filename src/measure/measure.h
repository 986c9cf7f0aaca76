/* SPDX-License-Identifier: Apache-2.0 */
/* One spec, from pilot to summary: the heart of every benchmark. */
#ifndef NETBENCH_MEASURE_MEASURE_H
#define NETBENCH_MEASURE_MEASURE_H

#include "measure/program.h"
#include "measure/session.h"

/* The first repetitions, whose best counts where it does: the more draws, the better it is. */
#define BEST_OF 6

/* 95 % intervals of quantiles of single iterations, s; NaN: not determined. */
struct tails {
	struct interval p90, p99, p999;
};

/*
 * What measuring a spec gave. On rank 0; the other ranks have spec, loops, window, time and stop,
 * the same as there.
 */
struct result {
	const struct spec *spec;
	uint64_t loops;
	uint32_t window;		/* shorter than the spec's where a point took too long */
	enum stop stop;
	/* s of each repetition: maximum over the ranks that are timed */
	struct series times;
	/*
	 * spec->rank_times: s of the first repetition on each rank, then of the second, ...; 0 of
	 * ranks that are not timed, NaN of those that have lost a peer, infinite of those that are
	 * lost themselves
	 */
	struct series apart;
	size_t *visit_end;		/* of visit i: the first of `times` after it */
	size_t visits;
	struct summary time;
	/*
	 * s of single iterations on rank 0; n = 0 without stamps. Its lo and hi bound the median:
	 * by the medians of repetitions, as those of `time` are by their times.
	 */
	struct summary iteration;
	struct tails tails;
	/* maximum over ranks of each rank's own best of the first BEST_OF repetitions */
	double rank_best_s;
	uint64_t checked, errors;	/* messages verified, and wrong, on all ranks */
	uint64_t late;			/* repetitions in which a rank started late */
	/*
	 * Work that the computing tasks did a second, all of them: alone, and during the
	 * repetitions.
	 */
	double work_alone, work_during;
	struct interval slowdown;	/* of work_alone / work_during; NaN: not determined */
	/* the least share of a processor that a rank and its task got, alone or meanwhile */
	double processor;
	void *tally;			/* rank 0: of a program, of all visits; or NULL */
};

/*
 * Builds this rank's part of a spec, finds the loops by a pilot if they are not given, warms up,
 * repeats until the rule says stop, and verifies. Collective; aborts the job if a transfer fails. A
 * run that is over (session_is_over) has STOP_TIME_LIMIT with what was measured until then, or
 * STOP_SIGNAL with the repetitions until then, of which none may be, unverified message by message.
 * The caller frees res with result_free. The spec must outlive the result.
 */
void measure(struct session *s, const struct spec *spec, struct result *res);
void result_free(struct result *res);

/*
 * Visits a spec once more and adds what that gives to `all`, zeroed before the first visit: samples
 * of all visits count together, loops are those of the first, `stop` is that of the last visit that
 * the interval did not end. A visit that a signal ends has what it had until then. Collective.
 */
void measure_visit(struct session *s, const struct spec *spec, struct result *all);

/* Notes that the samples so far are those of one more visit. 0, or -1 without memory. */
int result_end_visit(struct result *res);

/*
 * Whether other work interrupted the ranks: an iteration takes so much longer in the mean of a
 * repetition than in the median of single ones.
 */
#define INTERRUPTED 1.5
bool result_is_interrupted(const struct result *res);

/* Time of the best of the first BEST_OF repetitions; NaN without any. */
double result_best(const struct result *res);

/*
 * The loops that a pilot finds for a spec: such that a repetition lasts as long as it should;
 * LOOPS_BY_PILOT if all ranks that are timed have lost their peers. Collective.
 */
uint64_t measure_pilot(struct session *s, const struct spec *spec);

/*
 * Why a spec cannot be measured in this job, written to `why` if it is not the spec's own text;
 * NULL: it can. The same on all ranks.
 */
#define CANNOT_TEXT 80
const char *measure_cannot(const struct session *s, const struct spec *spec, char why[CANNOT_TEXT]);

#endif
