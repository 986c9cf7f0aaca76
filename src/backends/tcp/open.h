/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `tcp`: its options, and the hooks that open, close and describe an endpoint (backend.h).
 */
#ifndef NETBENCH_BACKENDS_TCP_OPEN_H
#define NETBENCH_BACKENDS_TCP_OPEN_H

#include "backends/tcp/tcp.h"

extern const struct opt tcp_options[];

int tcp_probe(const void *options, char *why, size_t len);
int tcp_check(void *options, const struct arguments *given, int nranks);
int tcp_open_endpoint(struct endpoint **ep, struct job *job, const void *options, size_t heap);
void tcp_close(struct endpoint *ep);
void tcp_describe(struct endpoint *ep, struct facts *f);
int tcp_counters(struct endpoint *ep, struct counter *c);

#endif
