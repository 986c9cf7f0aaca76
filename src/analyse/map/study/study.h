/* SPDX-License-Identifier: Apache-2.0 */
/* A whole measurement: hosts with names and classes, and a matrix for each quantity. */
#ifndef NETBENCH_ANALYSE_MAP_STUDY_STUDY_H
#define NETBENCH_ANALYSE_MAP_STUDY_STUDY_H

#include <jansson.h>
#include <stdbool.h>

#include "analyse/map/judge/matrix.h"

/*
 * The bandwidth of an ordered pair, the round trip of a pair, and its bandwidth both ways at once,
 * the sum; each is judged by itself.
 */
enum quantity { BANDWIDTH, LATENCY, BIDIRECTIONAL, NQUANTITIES };

/* What a quantity is called in results: of verdicts, of rows, and before "_median_Bps". */
struct quantity_name {
	const char *verdict, *column, *part, *suffix, *unit;
	const char *text;	/* for people */
};
extern const struct quantity_name quantity_names[NQUANTITIES];

/* The distance of two hosts, if their switches are known. */
enum distance { SAME_HOST, SAME_SWITCH, OTHER_SWITCH, NDISTANCES };

/* A cell has 15 bits for a host. */
enum { STUDY_HOSTS = 16384, STUDY_VISITS = 64, STUDY_ROUNDS = UINT16_MAX - 1 };

/* No round is known. */
#define STUDY_NO_ROUND UINT16_MAX

/* An ordered pair that did not answer, and its study_time. */
struct failure {
	uint32_t sender, receiver;
	uint64_t when;
};

/* What an ordered pair has measured in a visit, under its sender. */
struct cell {
	uint16_t receiver : 15, written : 1;	/* written: for study_mark_written */
	uint16_t round;			/* STUDY_NO_ROUND: not known */
	float y[NQUANTITIES];		/* ln(B/s), -ln(s); NaN: none */
};

/* The receivers that a sender has met in a visit, in rising order. */
struct study_row {
	struct cell *at;
	uint32_t n, room;
};

/*
 * Only what was measured takes room, so that a study grows with the pairs that met. `of` tells the
 * shape of a quantity; its values are there for study_matrix.
 */
struct study {
	uint32_t n;			/* hosts; after study_finish by name: n2 before n10 */
	char **name;
	json_t *number;			/* of each host, by its name */
	uint32_t *class;		/* of each host; all 0 without classes */
	char **class_name;
	uint32_t nclasses;		/* 0: no classes are given */
	/* of each host its switch, and a number of its machine; NULL without a topology */
	uint32_t *leaf, *machine, nleaves;
	size_t at_distance[NQUANTITIES][NDISTANCES];	/* ordered pairs that have a value */
	double median[NQUANTITIES][NDISTANCES];		/* of their y */
	/* after study_finish; n = 0: not measured; y: NULL, unless a caller has its own */
	struct matrix of[NQUANTITIES];
	uint64_t size_B;		/* of the messages of bandwidths; 0: not known */
	bool computed, emulated;
	bool shared_cores;		/* ranks shared cores of some machine */
	json_t *environment;		/* of the measurement; NULL: not known */
	json_t *machines;		/* of the hosts, as in results; NULL: not known */
	bool *gone;			/* the job has lost the rank of this host; NULL: none */
	struct failure *failure;	/* by sender, receiver and time, once it is read */
	size_t nfailures;
	uint32_t room;			/* hosts that there is room for */
	uint32_t nvisits, nrounds;
	uint64_t label[STUDY_VISITS];	/* of visits, as they are called */
	struct study_row *row[STUDY_VISITS];	/* [sender]; NULL: none yet */
	bool has[NQUANTITIES];		/* some value */
};

/* The number of a host; adds a host with a new name. False without memory, or with too many. */
bool study_host(struct study *s, const char *name, uint32_t *host);

/* The number of a host by its name; false if no host has it. */
bool study_find(const struct study *s, const char *name, uint32_t *host);

/* The place of a visit with this label; adds a visit with a new label. False with too many. */
bool study_visit(struct study *s, uint64_t label, uint32_t *visit);

/* What an ordered pair measured in a visit. */
struct measurement {
	uint32_t visit, sender, receiver;
	uint32_t round;			/* STUDY_NO_ROUND: not known */
	double value[NQUANTITIES];	/* B/s or seconds; NaN: none */
};

/* A time that grows with visits and rounds. Without rounds all of a visit have the same. */
static inline uint64_t study_time(uint32_t visit, uint32_t round)
{
	return (uint64_t)visit << 32 | (round == STUDY_NO_ROUND ? 0 : round);
}

/* Puts a measurement in; without any value the pair failed. */
enum put { PUT, PUT_TWICE, PUT_NO_MEMORY };
enum put study_put(struct study *s, const struct measurement *o);

/*
 * Sorts the hosts by name, and takes the mean of both directions of symmetric quantities. ST_OK, or
 * ST_FAILED without memory (reported).
 */
int study_finish(struct study *s);

/* All values of a quantity; lives as long as the room. */
struct matrix study_matrix(const struct study *s, enum quantity q, struct scratch *room);

/*
 * An ordered pair that met. for (struct met p = STUDY_BEGIN; study_next(s, &p);) walks over all
 * that have a value of some quantity in some visit, by sender and receiver.
 */
struct met {
	uint32_t i, j;
};
#define STUDY_BEGIN { 0, UINT32_MAX }
bool study_next(const struct study *s, struct met *at);

/* At least as many as there are ordered pairs that met: what they measured, over all visits. */
size_t study_ncells(const struct study *s);

/* True if the only visit left out half of the ordered pairs of many hosts, as mode quick does. */
bool study_is_sparse(const struct study *s);

/* Notes that the row of a pair was written, if it has met in the last visit; whether it was. */
void study_mark_written(struct study *s, uint32_t i, uint32_t j);
bool study_was_written(const struct study *s, uint32_t i, uint32_t j);

/* A pair's y, the median over the visits, NaN for none; and y in the quantity's unit. */
double study_y(const struct study *s, enum quantity q, uint32_t i, uint32_t j);
double study_unit(enum quantity q, double y);

/*
 * Whether a quantity was measured; y of a pair in a visit, NaN for none, and its round. Also while
 * measurements are put in.
 */
bool study_has(const struct study *s, enum quantity q);
float study_value(const struct study *s, enum quantity q, uint32_t visit, uint32_t i, uint32_t j);
uint32_t study_round(const struct study *s, uint32_t visit, uint32_t i, uint32_t j);

/* The values of a pair in its visits, in their order, without missing ones. Returns how many. */
size_t study_visits(const struct study *s, enum quantity q, uint32_t i, uint32_t j, double *to);

void study_free(struct study *s);

/* ---- pairs that did not answer ---- */

/* Keeps a failure. False without memory. */
bool study_keep_failure(struct study *s, const struct measurement *o);

/* Sorts the failures, for study_failed. */
void study_sort_failures(struct study *s);

/* True if an ordered pair did not answer in a visit. */
bool study_failed(const struct study *s, uint32_t visit, uint32_t i, uint32_t j);

#endif
