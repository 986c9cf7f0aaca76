/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of a simulated network and their effect on messages, which may be random. */
#ifndef NETBENCH_BACKENDS_SIM_FAULTS_H
#define NETBENCH_BACKENDS_SIM_FAULTS_H

#include <stdint.h>

#include "options/options.h"

struct faults;

/* The effect of all faults on one message. */
struct harm {
	double factor;		/* the bandwidth is multiplied by this */
	double slowed;		/* all times of the message are multiplied by this; 1: none */
	double late;		/* ns added to its latency */
};

/*
 * Parses the texts of --sim-fault for a job of `nranks` ranks. *to is NULL if there are none.
 * Returns ST_OK, or ST_USAGE or ST_FAILED (reported).
 */
int faults_read(const struct texts *list, uint64_t seed, int nranks, struct faults **to);
/* Frees the faults. NULL is allowed. */
void faults_free(struct faults *f);

/*
 * When a message is sent, counted in repetitions of rounds. `meeting` is the repetition in which
 * the two ranks' current meeting began; other pairs' meetings began at the same time. `stretch` is
 * the repetition since which they have exchanged the same message.
 */
struct moment {
	uint64_t repetition, stretch, meeting;
};

/* Returns the delay of a rank before the first transfer of each round, ns. */
double faults_start_delay(const struct faults *f, int rank);

/* Returns the effect on one message. Random effects are constant for a stretch or for a meeting. */
struct harm faults_on_message(struct faults *f, int from, int to, const struct moment *when);

#endif
