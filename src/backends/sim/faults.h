/* SPDX-License-Identifier: Apache-2.0 */
/* The faults of a simulated network, and their effects on messages. Effects may be random. */
#ifndef NETBENCH_BACKENDS_SIM_FAULTS_H
#define NETBENCH_BACKENDS_SIM_FAULTS_H

#include <stdint.h>

#include "options/options.h"

struct faults;

/* The effect of all faults on one message. */
struct harm {
	double factor;		/* factor for the bandwidth */
	double slowed;		/* factor for all times of the message; 1: not slowed */
	double late;		/* ns added to the message's latency */
};

/*
 * Parses the texts of --sim-fault for a job of `nranks` ranks. Sets *to to NULL if there are none.
 * Returns ST_OK, or ST_USAGE or ST_FAILED (reported).
 */
int faults_read(const struct texts *list, uint64_t seed, int nranks, struct faults **to);
/* Frees the faults. NULL is allowed. */
void faults_free(struct faults *f);

/*
 * The time at which a message is sent, as a number of repetitions of rounds. `meeting` is the
 * repetition in which the current meeting of its two ranks began. Meetings of other pairs begin in
 * the same repetition. `stretch` is the repetition in which the two ranks began to exchange the
 * same message again and again.
 */
struct moment {
	uint64_t repetition, stretch, meeting;
};

/* Returns how long a rank is delayed before the first transfer of each round, ns. */
double faults_start_delay(const struct faults *f, int rank);

/*
 * Returns the effect of all faults on one message. A random effect stays the same for a stretch or
 * for a meeting.
 */
struct harm faults_on_message(struct faults *f, int from, int to, const struct moment *when);

#endif
