/* SPDX-License-Identifier: Apache-2.0 */
/* A complete measurement: hosts with names and classes, and a matrix for each quantity. */
#ifndef NETBENCH_ANALYSE_MAP_STUDY_STUDY_H
#define NETBENCH_ANALYSE_MAP_STUDY_STUDY_H

#include <jansson.h>
#include <stdbool.h>

#include "analyse/map/judge/matrix.h"

/*
 * BANDWIDTH is the bandwidth of an ordered pair. LATENCY is half the round trip of a pair.
 * BIDIRECTIONAL is the sum of a pair's bandwidths in both directions at the same time. Each
 * quantity is judged by itself.
 */
enum quantity { BANDWIDTH, LATENCY, BIDIRECTIONAL, NQUANTITIES };

/*
 * Names of a quantity in results: in verdicts, as a column, and in composed names such as
 * "bandwidth_median_Bps".
 */
struct quantity_name {
	const char *verdict, *column, *part, *suffix, *unit;
	const char *text;	/* for people */
};
extern const struct quantity_name quantity_names[NQUANTITIES];

/* The distance of two hosts. It is known only if their switches are known. */
enum distance { SAME_HOST, SAME_SWITCH, OTHER_SWITCH, NDISTANCES };

/* Limits. A cell has 15 bits for the number of a host. */
enum { STUDY_HOSTS = 16384, STUDY_VISITS = 64, STUDY_ROUNDS = UINT16_MAX - 1 };

/* Value of a round that is not known. */
#define STUDY_NO_ROUND UINT16_MAX

/* An ordered pair that did not answer, and the time of the failure, from study_time(). */
struct failure {
	uint32_t sender, receiver;
	uint64_t when;
};

/* The values of an ordered pair in one visit. The cell is in the sender's row. */
struct cell {
	uint16_t receiver : 15, written : 1;	/* `written` is for study_mark_written() */
	uint16_t round;			/* STUDY_NO_ROUND: not known */
	float y[NQUANTITIES];		/* ln(B/s), -ln(s); NaN: none */
};

/* Cells of one sender in one visit, sorted by receiver. */
struct study_row {
	struct cell *at;
	uint32_t n, room;
};

/*
 * A study. Only measured pairs have cells, so memory grows with their number. of[] has the shape of
 * each quantity's matrix; study_matrix() makes the matrix with its values.
 */
struct study {
	uint32_t n;	/* number of hosts; study_finish() sorts them by name, n2 before n10 */
	char **name;
	json_t *number;			/* object: the number of each host, by its name */
	uint32_t *class;		/* class of each host; all are 0 if no classes were given */
	char **class_name;
	uint32_t nclasses;		/* 0: no classes were given */
	/* number of the switch, and of the machine, of each host; NULL without a topology */
	uint32_t *leaf, *machine, nleaves;
	size_t at_distance[NQUANTITIES][NDISTANCES];	/* number of ordered pairs with a value */
	double median[NQUANTITIES][NDISTANCES];		/* median of y of these pairs */
	/*
	 * Shapes, set by study_finish(). n = 0: the quantity was not measured. y is NULL unless a
	 * caller sets it.
	 */
	struct matrix of[NQUANTITIES];
	uint64_t size_B;		/* message size of the bandwidths; 0: not known */
	bool computed, emulated;
	bool shared_cores;		/* some ranks shared cores of a machine */
	json_t *environment;		/* environment of the measurement; NULL: not known */
	json_t *machines;		/* facts about the hosts, as in results; NULL: not known */
	/* gone[host]: true if the job has lost the host's rank; NULL: it has lost no rank */
	bool *gone;
	/* failures; study_sort_failures() sorts them by sender, receiver and time */
	struct failure *failure;
	size_t nfailures;
	uint32_t room;			/* allocated number of hosts */
	uint32_t nvisits, nrounds;
	uint64_t label[STUDY_VISITS];	/* the user's label of each visit */
	struct study_row *row[STUDY_VISITS];	/* [sender]; NULL: none yet */
	bool has[NQUANTITIES];		/* true: some pair has a value */
};

/*
 * Finds or adds the host `name`, and sets *host to its number. Returns false without memory or if
 * there are too many hosts.
 */
bool study_add_host(struct study *s, const char *name, uint32_t *host);

/* Sets *host to the number of the host `name`; false if no host has this name. */
bool study_find(const struct study *s, const char *name, uint32_t *host);

/*
 * Finds or adds the visit with this label, and sets *visit to its index. Returns false if there are
 * too many visits.
 */
bool study_add_visit(struct study *s, uint64_t label, uint32_t *visit);

/* The values that an ordered pair measured in one visit. */
struct measurement {
	uint32_t visit, sender, receiver;
	uint32_t round;			/* STUDY_NO_ROUND: not known */
	double value[NQUANTITIES];	/* B/s or seconds; NaN: none */
};

/*
 * Returns a time that increases with visit and round. If rounds are not known, a whole visit has
 * one time.
 */
static inline uint64_t study_time(uint32_t visit, uint32_t round)
{
	return (uint64_t)visit << 32 | (round == STUDY_NO_ROUND ? 0 : round);
}

/*
 * Adds a measurement. A measurement without any value is a failure of the pair. Returns PUT_TWICE
 * if the pair already had one of the values in this visit.
 */
enum put { PUT, PUT_TWICE, PUT_NO_MEMORY };
enum put study_add(struct study *s, const struct measurement *o);

/*
 * Sorts the hosts by name, and averages both directions of symmetric quantities. Returns ST_OK, or
 * ST_FAILED without memory (reported).
 */
int study_finish(struct study *s);

/* Returns all values of a quantity as a matrix, which lives as long as the memory in `room`. */
struct matrix study_matrix(const struct study *s, enum quantity q, struct scratch *room);

/*
 * An iterator over the ordered pairs that have a value of any quantity in any visit. It goes by
 * sender, then by receiver: for (struct met p = STUDY_BEGIN; study_next(s, &p);).
 */
struct met {
	uint32_t i, j;
};
#define STUDY_BEGIN { 0, UINT32_MAX }
bool study_next(const struct study *s, struct met *at);

/*
 * Number of cells over all visits. It is at least the number of ordered pairs from study_next().
 */
size_t study_count_cells(const struct study *s);

/*
 * True if the study has many hosts and one visit, and at most half of the ordered pairs were
 * measured, as in mode quick.
 */
bool study_is_sparse(const struct study *s);

/*
 * study_mark_written() notes that the row of a pair was written. The note is kept only if the pair
 * has a cell in the final visit so far. study_was_written() returns true if the note exists.
 */
void study_mark_written(struct study *s, uint32_t i, uint32_t j);
bool study_was_written(const struct study *s, uint32_t i, uint32_t j);

/*
 * study_y() returns y of a pair: the median over the visits, or NaN. study_unit() converts y to the
 * quantity's unit.
 */
double study_y(const struct study *s, enum quantity q, uint32_t i, uint32_t j);
double study_unit(enum quantity q, double y);

/*
 * study_has(): true if a quantity was measured. study_value(): y of a pair in a visit, or NaN.
 * study_round(): the round of that value. They may be called before study_finish().
 */
bool study_has(const struct study *s, enum quantity q);
float study_value(const struct study *s, enum quantity q, uint32_t visit, uint32_t i, uint32_t j);
uint32_t study_round(const struct study *s, uint32_t visit, uint32_t i, uint32_t j);

/*
 * Writes the values of a pair to `to`, in the order of the visits; skips missing values. Returns
 * their number.
 */
size_t study_visits(const struct study *s, enum quantity q, uint32_t i, uint32_t j, double *to);

void study_free(struct study *s);

/* ---- pairs that did not answer ---- */

/* Stores a failure. False without memory. */
bool study_keep_failure(struct study *s, const struct measurement *o);

/* Sorts the failures, as study_failed() requires. */
void study_sort_failures(struct study *s);

/* True if an ordered pair did not answer in a visit. */
bool study_failed(const struct study *s, uint32_t visit, uint32_t i, uint32_t j);

#endif
