/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `verbs`: the functions of open.c that its other files call. Hooks are described in
 * backend.h.
 */
#ifndef NETBENCH_BACKENDS_VERBS_OPEN_H
#define NETBENCH_BACKENDS_VERBS_OPEN_H

#include "backends/verbs/types.h"

int verbs_probe(const void *options, char *why, size_t len);
int verbs_check(void *options, const struct arguments *given, int nranks);
int verbs_open(struct endpoint **ep, struct job *job, const void *options, size_t heap);
void verbs_close(struct endpoint *ep);
void *verbs_alloc(struct endpoint *ep, size_t len);

/* Reports that the call `what` failed with error number `err`. Returns ST_FAILED. */
int verbs_report_failure(const struct verbs *v, const char *what, int err);

/*
 * Returns ST_OK if err is 0. Otherwise reports that the call `what` failed and returns ST_FAILED.
 */
static inline int verbs_check_call(const struct verbs *v, const char *what, int err)
{
	return err ? verbs_report_failure(v, what, err) : ST_OK;
}

#endif
