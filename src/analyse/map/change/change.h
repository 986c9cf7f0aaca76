/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the changes between two results, A and B. The ratio of a pair's values is judged like a
 * measurement of that pair. One judgement finds hosts and pairs that are slower than the others,
 * and a second one finds faster ones. The change that all pairs have in common is attributed to the
 * network.
 */
#ifndef NETBENCH_ANALYSE_MAP_CHANGE_CHANGE_H
#define NETBENCH_ANALYSE_MAP_CHANGE_CHANGE_H

#include "analyse/map/change/compared.h"

/*
 * Compares two results. If `name` is not NULL, compares only the quantity of the column with this
 * name. Returns ST_*. Call changes_free() at the end.
 */
int changes_make(struct changes *c, json_t *const doc[2], const char *const path[2],
		 const char *name);
void changes_free(struct changes *c);

/*
 * Compares the two studies that are already in c->s, as changes_make() does. Verdicts need a
 * relative effect of at least `least` on hosts. With fewer than two common hosts there are no
 * verdicts.
 */
int changes_find(struct changes *c, double least, const char *name);

#endif
