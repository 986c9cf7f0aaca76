/* SPDX-License-Identifier: Apache-2.0 */
#include "show/map/evidence.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define LINES 10		/* of differences */
#define LISTED 6		/* of a host's differences */

/* "MTU 1500, others 9000; kernel ..."; NULL if the host has none. For free(). */
static char *line_of(const json_t *differences, const char *host)
{
	char *text = NULL;
	size_t len, i, n = 0;
	FILE *to = open_memstream(&text, &len);
	json_t *one;

	if (!to)
		return NULL;
	json_array_foreach(differences, i, one) {
		if (strcmp(json_string_value(json_object_get(one, "host")), host) != 0)
			continue;
		if (n++ < LISTED)
			fprintf(to, "%s%s", n > 1 ? "; " : "",
				json_string_value(json_object_get(one, "text")));
	}
	if (n > LISTED)
		fprintf(to, "; and %zu more", n - LISTED);
	text_close(to, &text);
	if (!n) {
		free(text);
		text = NULL;
	}
	return text;
}

void evidence_lines(FILE *to, const struct verdicts *all)
{
	char **line = calloc(all->s->n + 1, sizeof(*line));
	size_t shown = 0, left = 0;

	for (uint32_t i = 0; i < all->s->n && line; i++)
		line[i] = line_of(all->differences, all->s->name[i]);
	for (uint32_t i = 0; i < all->s->n && line; i++) {
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
