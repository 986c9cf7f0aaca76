/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of a simulated network: what they do to a message, by chance where they have any. */
#ifndef NETBENCH_BACKENDS_SIM_FAULTS_H
#define NETBENCH_BACKENDS_SIM_FAULTS_H

#include <stdint.h>

#include "options/options.h"

struct faults;

/* What happens to a message. */
struct harm {
	double factor;		/* of the bandwidth */
	double slowed;		/* times longer, with all that it takes; 1: none */
	double late;		/* ns */
};

/*
 * Reads the texts of --sim-fault for a job of `nranks` ranks. ST_OK with faults, or NULL for none;
 * ST_USAGE or ST_FAILED (reported).
 */
int faults_read(const struct texts *list, uint64_t seed, int nranks, struct faults **to);
/* Frees them; NULL is allowed. */
void faults_free(struct faults *f);

/*
 * When a message is sent: in the n-th repetition. Two ranks meet from the one with number
 * `meeting` on, and so do others at that time; they have sent each other this since `stretch`.
 */
struct moment {
	uint64_t repetition, stretch, meeting;
};

/* How much a rank is held up before the first transfer of each round, ns. */
double faults_start(const struct faults *f, int rank);

/* A message. What varies holds for a stretch, or for a meeting. */
struct harm faults_harm(struct faults *f, int from, int to, const struct moment *when);

#endif
