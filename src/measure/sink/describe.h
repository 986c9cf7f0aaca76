/* SPDX-License-Identifier: Apache-2.0 */
/* The record of a run: what repeats it. Rank 0. */
#ifndef NETBENCH_MEASURE_SINK_DESCRIBE_H
#define NETBENCH_MEASURE_SINK_DESCRIBE_H

#include <jansson.h>
#include <stddef.h>

struct place;
struct rdma;
struct session;

/*
 * Machine, backend, job, clock and places of the ranks; places[0] alone is read in virtual time.
 * `rdma`: what the backend has measured; may be NULL. New reference.
 */
json_t *describe_run(const struct session *s, const struct place *places, const struct rdma *rdma);

/*
 * One line for people: what, on how many ranks, how and where it is measured, and how far verified;
 * `backend`: how the record describes it.
 */
void describe_title(const struct session *s, const struct place *places, const json_t *backend,
		    char *title, size_t len);

/*
 * Lines for people, each after a line break: the parameters of the RDMA form, except zeros, and
 * where they come from. Then what is not determined, and the thesis' symbols in them. Returns buf.
 */
#define DESCRIBE_RDMA 1024	/* bytes that are enough */
#define DESCRIBE_MEASURED "measured by this run, between ranks 0 and 1"
char *describe_rdma(char *buf, size_t len, const struct rdma *p, const char *source);

/* How many hosts n ranks are on. */
int describe_hosts(const struct place *places, int n);

#endif
