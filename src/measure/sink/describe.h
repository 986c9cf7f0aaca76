/* SPDX-License-Identifier: Apache-2.0 */
/* Describes a run for the record, so that it can be repeated. Rank 0. */
#ifndef NETBENCH_MEASURE_SINK_DESCRIBE_H
#define NETBENCH_MEASURE_SINK_DESCRIBE_H

#include <jansson.h>
#include <stddef.h>

struct place;
struct rdma;
struct session;

/*
 * Returns a description of machine, backend, job, clock and the ranks' places, as a new reference.
 * In virtual time only places[0] is read. `rdma`: parameters that the backend has measured; may be
 * NULL.
 */
json_t *describe_run(const struct session *s, const struct place *places, const struct rdma *rdma);

/*
 * Writes the title, one line: what is measured, on how many ranks, how and where, and how it is
 * verified. `backend` is the record's description of the backend.
 */
void describe_title(const struct session *s, const struct place *places, const json_t *backend,
		    char *title, size_t len);

/*
 * Writes lines for the footer, each after a line break. First the nonzero parameters of the RDMA
 * form and their source. Then the parameters that are not determined, and the thesis' symbols
 * expressed by the parameters. Returns buf.
 */
#define DESCRIBE_RDMA 1024	/* sufficient size of the buffer, bytes */
#define DESCRIBE_MEASURED "measured by this run, between ranks 0 and 1"
char *describe_rdma(char *buf, size_t len, const struct rdma *p, const char *source);

/* Returns the number of hosts that n ranks are on. */
int describe_count_hosts(const struct place *places, int n);

#endif
