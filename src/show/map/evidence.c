/* SPDX-License-Identifier: Apache-2.0 */
#include "show/map/evidence.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define LINES 10		/* limit of lines */
#define LISTED 6		/* limit of listed differences per host */

/*
 * Sets line[i] for each host i with differences to a text such as "MTU 1500, others 9000; kernel
 * ...". The caller frees each line. Other entries stay NULL.
 */
static void make_difference_lines(const struct verdicts *all, char **line)
{
	const struct study *s = all->s;

	for (uint32_t host = 0; host < s->n; host++) {
		size_t len, i, n = 0;
		FILE *to = NULL;
		json_t *one;

		json_array_foreach(all->differences, i, one) {
			if (strcmp(json_string_value(json_object_get(one, "host")),
				   s->name[host]) != 0)
				continue;
			to = to ? to : open_memstream(&line[host], &len);
			if (to && n++ < LISTED)
				fprintf(to, "%s%s", n > 1 ? "; " : "",
					json_string_value(json_object_get(one, "text")));
		}
		if (n > LISTED)
			fprintf(to, "; and %zu more", n - LISTED);
		if (to)
			text_close(to, &line[host]);
	}
}

void evidence_write(FILE *to, const struct verdicts *all)
{
	char **line = calloc(all->s->n + 1, sizeof(*line));
	size_t shown = 0, left = 0;

	if (!line)
		return;
	make_difference_lines(all, line);
	for (uint32_t i = 0; i < all->s->n; i++) {
		bool show = shown < LINES;

		if (!line[i])
			continue;
		for (uint32_t k = i; k < all->s->n; k++) {
			if (!line[k] || strcmp(line[k], line[i]) != 0)
				continue;
			left += !show;
			if (show)
				fprintf(to, "%s%s", k > i ? ", " : shown ? "" : "\n",
					all->s->name[k]);
			if (k > i) {
				free(line[k]);
				line[k] = NULL;
			}
		}
		if (show)
			fprintf(to, ": %s\n", line[i]);
		shown += show;
		free(line[i]);
	}
	if (left)
		fprintf(to, "... and %zu more hosts that differ\n", left);
	free(line);
}
