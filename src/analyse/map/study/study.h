/* SPDX-License-Identifier: Apache-2.0 */
/* A complete measurement: hosts with names and classes, and a matrix for each quantity. */
#ifndef NETBENCH_ANALYSE_MAP_STUDY_STUDY_H
#define NETBENCH_ANALYSE_MAP_STUDY_STUDY_H

#include <jansson.h>
#include <stdbool.h>

#include "analyse/map/judge/matrix.h"

/*
 * BANDWIDTH is that of an ordered pair. LATENCY is the round trip of a pair. BIDIRECTIONAL is the
 * bandwidth of a pair in both directions at once, as the sum. Each quantity is judged by itself.
 */
enum quantity { BANDWIDTH, LATENCY, BIDIRECTIONAL, NQUANTITIES };

/*
 * Names of a quantity in results: in verdicts, as column, and as parts of names such as
 * "bandwidth_median_Bps".
 */
struct quantity_name {
	const char *verdict, *column, *part, *suffix, *unit;
	const char *text;	/* for people */
};
extern const struct quantity_name quantity_names[NQUANTITIES];

/* The distance of two hosts, where their switches are known. */
enum distance { SAME_HOST, SAME_SWITCH, OTHER_SWITCH, NDISTANCES };

/* Limits. A cell has 15 bits for the number of a host. */
enum { STUDY_HOSTS = 16384, STUDY_VISITS = 64, STUDY_ROUNDS = UINT16_MAX - 1 };

/* The round is not known. */
#define STUDY_NO_ROUND UINT16_MAX

/* An ordered pair that did not answer, and the time as of study_time(). */
struct failure {
	uint32_t sender, receiver;
	uint64_t when;
};

/* The values of an ordered pair in one visit. Stored in the row of the sender. */
struct cell {
	uint16_t receiver : 15, written : 1;	/* `written` is for study_mark_written() */
	uint16_t round;			/* STUDY_NO_ROUND: not known */
	float y[NQUANTITIES];		/* ln(B/s), -ln(s); NaN: none */
};

/* Cells of one sender in one visit, by increasing receiver. */
struct study_row {
	struct cell *at;
	uint32_t n, room;
};

/*
 * Cells exist only for measured pairs, so memory grows with their number. `of` describes the shape
 * of a quantity; study_matrix() provides its values.
 */
struct study {
	uint32_t n;	/* number of hosts; study_finish() sorts them by name: n2 before n10 */
	char **name;
	json_t *number;			/* object: the number of each host, by its name */
	uint32_t *class;		/* of each host; all 0 without classes */
	char **class_name;
	uint32_t nclasses;		/* 0: no classes were given */
	/* switch of each host, and a number for its machine; NULL without a topology */
	uint32_t *leaf, *machine, nleaves;
	size_t at_distance[NQUANTITIES][NDISTANCES];	/* number of ordered pairs with a value */
	double median[NQUANTITIES][NDISTANCES];		/* median of their y */
	/* Set by study_finish(). n = 0: not measured. y is NULL, unless a caller provides it. */
	struct matrix of[NQUANTITIES];
	uint64_t size_B;		/* message size of the bandwidths; 0: not known */
	bool computed, emulated;
	bool shared_cores;		/* some ranks shared cores of a machine */
	json_t *environment;		/* environment of the measurement; NULL: not known */
	json_t *machines;		/* facts about the hosts, as in results; NULL: not known */
	bool *gone;	/* gone[host]: the job has lost its rank; NULL: it has lost none */
	/* sorted by sender, receiver and time after study_sort_failures() */
	struct failure *failure;
	size_t nfailures;
	uint32_t room;			/* allocated number of hosts */
	uint32_t nvisits, nrounds;
	uint64_t label[STUDY_VISITS];	/* the user's label of each visit */
	struct study_row *row[STUDY_VISITS];	/* [sender]; NULL: none yet */
	bool has[NQUANTITIES];		/* some pair has a value */
};

/*
 * Finds or adds the host `name`, and sets *host to its number. False without memory, or with too
 * many hosts.
 */
bool study_add_host(struct study *s, const char *name, uint32_t *host);

/* Sets *host to the number of the host `name`; false if no host has this name. */
bool study_find(const struct study *s, const char *name, uint32_t *host);

/*
 * Finds or adds the visit with this label, and sets *visit to its index. False with too many
 * visits.
 */
bool study_add_visit(struct study *s, uint64_t label, uint32_t *visit);

/* The values that an ordered pair measured in one visit. */
struct measurement {
	uint32_t visit, sender, receiver;
	uint32_t round;			/* STUDY_NO_ROUND: not known */
	double value[NQUANTITIES];	/* B/s or seconds; NaN: none */
};

/* A time that increases with visit and round. Without rounds it is the same for a whole visit. */
static inline uint64_t study_time(uint32_t visit, uint32_t round)
{
	return (uint64_t)visit << 32 | (round == STUDY_NO_ROUND ? 0 : round);
}

/* Adds a measurement. A measurement without any value is a failure of the pair. */
enum put { PUT, PUT_TWICE, PUT_NO_MEMORY };
enum put study_add(struct study *s, const struct measurement *o);

/*
 * Sorts the hosts by name, and averages both directions of symmetric quantities. Returns ST_OK, or
 * ST_FAILED without memory (reported).
 */
int study_finish(struct study *s);

/* All values of a quantity as a matrix, which lives as long as the room. */
struct matrix study_matrix(const struct study *s, enum quantity q, struct scratch *room);

/*
 * An iterator over ordered pairs that have a value of any quantity in any visit, by sender and
 * receiver: for (struct met p = STUDY_BEGIN; study_next(s, &p);).
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
 * True if there is one visit, with many hosts, that measured at most half of the ordered pairs, as
 * mode quick does.
 */
bool study_is_sparse(const struct study *s);

/*
 * Marks that the row of a pair was written, if the pair was measured in the last visit; asks for
 * the mark.
 */
void study_mark_written(struct study *s, uint32_t i, uint32_t j);
bool study_was_written(const struct study *s, uint32_t i, uint32_t j);

/*
 * y of a pair, the median over the visits; NaN: none. study_unit() converts y to the quantity's
 * unit.
 */
double study_y(const struct study *s, enum quantity q, uint32_t i, uint32_t j);
double study_unit(enum quantity q, double y);

/*
 * Whether a quantity was measured; y of a pair in a visit, or NaN; the round of that value. They
 * may be called before study_finish().
 */
bool study_has(const struct study *s, enum quantity q);
float study_value(const struct study *s, enum quantity q, uint32_t visit, uint32_t i, uint32_t j);
uint32_t study_round(const struct study *s, uint32_t visit, uint32_t i, uint32_t j);

/*
 * Writes the values of a pair in its visits to `to`, in order, without missing ones. Returns their
 * number.
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
