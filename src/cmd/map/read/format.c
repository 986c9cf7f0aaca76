/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/read/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/values.h"

void words_copy(struct words *to, char **at, size_t n)
{
	words_free(to);
	to->at = memory_new(n, sizeof(*to->at));
	for (; to->n < n; to->n++)
		to->at[to->n] = memory_or_exit(strdup(at[to->n]));
}

void words_free(struct words *w)
{
	for (size_t k = 0; k < w->n; k++)
		free(w->at[k]);
	free(w->at);
	*w = (struct words){ .n = 0 };
}

bool format_number(const char *text, double *value)
{
	char *end;

	*value = NAN;
	text += strspn(text, " ");
	if (!*text || !strcmp(text, "-"))
		return true;
	*value = strtod(text, &end);
	if (end[strspn(end, " ")] || isinf(*value) || *value < 0)
		return false;
	if (*value == 0)
		*value = NAN;
	return true;
}

int format_put(struct reading *r, const struct measurement *o, size_t line)
{
	for (int q = 0; q < NQUANTITIES && o->sender != o->receiver; q++)
		if (!isnan(o->value[q])) {
			r->values++;
			break;
		}
	return rows_add(&r->rows, o, line);
}

int format_find_rank(struct reading *r, size_t rank, size_t line, uint32_t *host)
{
	char name[32];

	snprintf(name, sizeof(name), "rank%zu", rank);
	return rows_find_host(&r->rows, "rank", name, line, host);
}
