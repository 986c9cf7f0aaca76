/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes between two results, A and B. The ratios of their pairs are judged like measurements of a
 * cluster: once for hosts and pairs that are slower than the rest, and once for faster ones. The
 * change that all pairs have in common is the network's.
 */
#ifndef NETBENCH_ANALYSE_MAP_CHANGE_CHANGE_H
#define NETBENCH_ANALYSE_MAP_CHANGE_CHANGE_H

#include "analyse/map/change/compared.h"

/* Compares two results; with `name` alone the quantity of this column. ST_*; changes_free. */
int changes_make(struct changes *c, json_t *const doc[2], const char *const path[2],
		 const char *name);
void changes_free(struct changes *c);

/*
 * The same of studies that are in c->s: `least` is the least effect of a host, relative. With fewer
 * than two hosts in common nothing is found.
 */
int changes_find(struct changes *c, double least, const char *name);

#endif
