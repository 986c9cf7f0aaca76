/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms of the events of each epoch, for results in JSON. */
#ifndef NETBENCH_CMD_LOAD_BARS_H
#define NETBENCH_CMD_LOAD_BARS_H

#include <jansson.h>

struct epochs;
struct session;

/*
 * Returns on rank 0 the histograms of the epochs of rank `of`: a list for each epoch, whose items
 * are the least time of a bucket, s, and the number of events in it. A bucket is as wide as 1/256
 * of its times. Other ranks give their own epochs, which are not used, and get NULL. `of` is equal
 * on all ranks. Collective; aborts the job without memory. The caller owns the list.
 */
json_t *bars_gather(struct session *s, int of, const struct epochs *e);

#endif
