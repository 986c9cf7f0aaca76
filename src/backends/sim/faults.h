/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The faults of a simulated network, and the effects of faults on messages. Effects may be random.
 */
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
 * Parses the texts of --sim-fault for a job of `nranks` ranks, and stores the faults in *to. Sets
 * *to to NULL if there are no texts. Returns ST_OK, or ST_USAGE or ST_FAILED (reported).
 */
int faults_read(const struct texts *list, uint64_t seed, int nranks, struct faults **to);
/* Frees the faults. NULL is allowed. */
void faults_free(struct faults *f);

/*
 * The time at which a message is sent, as a number of repetitions of rounds. `meeting` is the
 * repetition in which the current meeting of the message's two ranks began. Meetings of other pairs
 * begin in the same repetition. A stretch is a series of repetitions of the same exchange of two
 * ranks. `stretch` is the repetition in which the current stretch began.
 */
struct moment {
	uint64_t repetition, stretch, meeting;
};

/* Returns by how many ns faults delay a rank before the first transfer of each round. */
double faults_start_delay(const struct faults *f, int rank);

/*
 * Returns the effect of all faults on one message. Some random effects stay the same for a whole
 * stretch or meeting.
 */
struct harm faults_on_message(struct faults *f, int from, int to, const struct moment *when);

#endif
