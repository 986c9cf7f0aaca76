/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups result files into pictures. Decides how many pictures there are, and which files each
 * picture shows.
 */
#ifndef NETBENCH_SHOW_CHART_ALBUM_H
#define NETBENCH_SHOW_CHART_ALBUM_H

#include "show/chart/picture.h"

/*
 * Makes the charts of the album's files. Warns of each file and benchmark that no chart shows.
 * Returns ST_OK, or ST_USAGE if no file has anything to draw (reported). Call album_free in either
 * case.
 */
int album_make(struct album *a, const struct chart_request *ask);

/* Adds a file. Takes over the reference to the file's document. `path` must outlive the album. */
void album_add(struct album *a, const char *path, json_t *doc);

void album_free(struct album *a);

#endif
