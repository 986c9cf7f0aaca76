/* SPDX-License-Identifier: Apache-2.0 */
/* Describes a run in the record, so that the run can be repeated. Rank 0 only. */
#ifndef NETBENCH_MEASURE_SINK_DESCRIBE_H
#define NETBENCH_MEASURE_SINK_DESCRIBE_H

#include <jansson.h>
#include <stddef.h>

struct place;
struct rdma;
struct session;

/*
 * Returns a new JSON object that describes machine, backend, job, clock and the places of the
 * ranks. The caller owns the object. In virtual time only places[0] is read. `rdma` holds the
 * parameters that the backend has measured; it may be NULL.
 */
json_t *describe_run(const struct session *s, const struct place *places, const struct rdma *rdma);

/*
 * Writes the title, which is one line. It says what is measured, on how many ranks, how and where,
 * and how content is verified. `backend` is the JSON object that describes the backend in the
 * record.
 */
void describe_title(const struct session *s, const struct place *places, const json_t *backend,
		    char *title, size_t len);

/*
 * Writes lines for the footer, each after a line break: the nonzero parameters of the RDMA form and
 * their source; then the parameters that are not determined; then the symbols of the thesis,
 * expressed by the parameters. Returns buf.
 */
#define DESCRIBE_RDMA 1024	/* a buffer of this many bytes is large enough */
#define DESCRIBE_MEASURED "measured by this run, between ranks 0 and 1"
char *describe_rdma(char *buf, size_t len, const struct rdma *p, const char *source);

/* Returns the number of different hosts on which n ranks run. */
int describe_count_hosts(const struct place *places, int n);

#endif
