/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a rank knows while all pairs are measured, and the parts of that: who plays (players.c),
 * pairs that play (play.c), visits of all pairs (visit.c).
 */
#ifndef NETBENCH_CMD_MAP_MEASURE_PLAY_H
#define NETBENCH_CMD_MAP_MEASURE_PLAY_H

#include "base/random.h"
#include "cmd/map/map.h"
#include "cmd/map/measure/journal.h"
#include "measure/sweep.h"

/* Measuring again one quantity: the hook of its judge. */
struct orders {
	struct mapping *m;
	enum quantity quantity;
};

struct mapping {
	struct session *s;
	const struct map_options *o;
	uint32_t n;			/* hosts, or ranks: in the order of their names */
	int *rank;			/* of each */
	uint32_t own;			/* which of them this rank is; n: it idles */
	enum map_mode mode;
	uint32_t visits, done;		/* to be made; that are whole */
	/* hosts that stopped answering: nobody meets them; the same on all ranks */
	bool *out, any_out;
	struct spec spec[NQUANTITIES];
	struct groups pairs;		/* of the round */
	size_t at_once[NQUANTITIES];	/* pairs of a round that play at the same time */
	size_t npairs;
	struct encounter *at;		/* room for n */
	double *work;
	/* rank 0 */
	uint32_t *failed;		/* pairs of a host in a row that were lost */
	json_t *before;			/* machines, before the first visit */
	struct study study;
	struct journal journal;
	bool *written;			/* rows of ordered pairs */
	bool finished;			/* the study is */
	struct rules rules;
	struct verdicts all;
	bool judged;
	struct orders orders[NQUANTITIES];
	struct retest again[NQUANTITIES];
};

/* ---- play.c ---- */

/* Rank 0's `len` bytes to all, however many. Collective. */
void bcast_long(struct session *s, void *buf, size_t len);

/*
 * Both directions of some meetings at the same time, in either order; there is one of what is
 * symmetric. Fills them on rank 0: NaN where there is no value, or the two have lost each other.
 * A rank other than 0 may leave out meetings of others. False if the run is over. Collective.
 */
bool play_both(struct mapping *m, enum quantity q, struct encounter *at, size_t n, bool back_first);

/* The same of all meetings of a round, as many at a time as m->at_once says. */
bool play_round(struct mapping *m, enum quantity q, struct encounter *at, size_t n,
		bool back_first);

/*
 * CAP_LOSS: tells all ranks which hosts are out from now on, by what rank 0 has seen in these
 * meetings. Collective.
 */
void play_agree(struct mapping *m, const struct encounter *at, size_t n);

/* ---- players.c ---- */

/*
 * Finds who plays: m->n and m->rank on all ranks, their names in the study on rank 0; aborts the
 * job if there are too few, or the classes do not fit them. Collective.
 */
void players_find(struct mapping *m);

/* ---- visit.c ---- */

/* Whether this rank has to know all meetings of a round, or its own alone. */
bool visit_needs_all(const struct mapping *m);

/* All pairs once, or those of mode quick, by the seed. False if the run is over. Collective. */
bool visit_all(struct mapping *m, uint32_t visit, struct rng *rng);

/* Rank 0: for struct pair_rows, with the session. */
int visit_put_row(void *session, const struct row *row);

#endif
