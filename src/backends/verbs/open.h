/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `verbs`: what open.c does for its other files. */
#ifndef NETBENCH_BACKENDS_VERBS_OPEN_H
#define NETBENCH_BACKENDS_VERBS_OPEN_H

#include "backends/verbs/types.h"

int verbs_probe(const void *options, char *why, size_t len);
int verbs_check(void *options, const struct arguments *given, int nranks);
int verbs_open(struct endpoint **ep, struct job *job, const void *options, size_t heap);
void verbs_close(struct endpoint *ep);
void *verbs_alloc(struct endpoint *ep, size_t len);

/* Reports that a call failed with error number `err`. ST_FAILED. */
int verbs_failed(const struct verbs *v, const char *what, int err);

/* Reports a failed call likewise; err 0: it did not fail. ST_OK or ST_FAILED. */
static inline int verbs_judge(const struct verbs *v, const char *what, int err)
{
	return err ? verbs_failed(v, what, err) : ST_OK;
}

#endif
