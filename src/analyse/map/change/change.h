/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes between two results, A and B. The ratios of their pairs are judged like measurements of a
 * cluster: once for hosts and pairs that are slower than the others, and once for faster ones. The
 * change that all pairs have in common is attributed to the network.
 */
#ifndef NETBENCH_ANALYSE_MAP_CHANGE_CHANGE_H
#define NETBENCH_ANALYSE_MAP_CHANGE_CHANGE_H

#include "analyse/map/change/compared.h"

/*
 * Compares two results. With `name`, compares only the quantity of this column. Returns ST_*. Call
 * changes_free() at the end.
 */
int changes_make(struct changes *c, json_t *const doc[2], const char *const path[2],
		 const char *name);
void changes_free(struct changes *c);

/*
 * The same for studies that are already in c->s. `least` is the smallest relative effect of a host.
 * With fewer than two common hosts it finds nothing.
 */
int changes_find(struct changes *c, double least, const char *name);

#endif
