/* SPDX-License-Identifier: Apache-2.0 */
#include "show/model/broadcast.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "show/model/timeline.h"
#include "show/units.h"

double broadcast_sent(const struct broadcast *b, uint32_t v)
{
	return b->informed[v] - logp_one_way(b->p);
}

/* The time at which v has the message. */
static struct unit_text informed(const struct broadcast *b, uint32_t v)
{
	return scaled_time(b->informed[v], b->cycles);
}

/* What v sends to, each line after `prefix`, which has room for the whole depth. */
static void put_branches(const struct broadcast *b, uint32_t v, char *prefix, size_t len)
{
	const struct tree *t = b->tree;

	for (uint32_t i = t->first[v]; i < t->first[v + 1]; i++) {
		bool is_last = i + 1 == t->first[v + 1];

		printf("%.*s%s %u at %s\n", (int)len, prefix, is_last ? "`--" : "|--", t->child[i],
		       informed(b, t->child[i]).s);
		memcpy(prefix + len, is_last ? "    " : "|   ", 4);
		put_branches(b, t->child[i], prefix, len + 4);
	}
}

int broadcast_put_tree(const struct broadcast *b)
{
	char *prefix = malloc(4 * (size_t)b->tree->n);

	if (!prefix)
		return error_report("no memory for a picture");
	put_computed(b->title);
	puts("0 at 0");
	put_branches(b, 0, prefix, 0);
	free(prefix);
	return ST_OK;
}

int broadcast_put_dot(const struct broadcast *b)
{
	const struct tree *t = b->tree;

	printf("digraph broadcast {\n\tlabel=\"%s (computed)\";\n\tnode [shape=box];\n", b->title);
	for (uint32_t v = 0; v < t->n; v++)
		printf("\t%u [label=\"%u\\n%s\"];\n", v, v, informed(b, v).s);
	for (uint32_t v = 0; v < t->n; v++)
		for (uint32_t i = t->first[v]; i < t->first[v + 1]; i++)
			printf("\t%u -> %u [label=\"%s\"];\n", v, t->child[i],
			       scaled_time(broadcast_sent(b, t->child[i]), b->cycles).s);
	printf("}\n");
	return ST_OK;
}

/* A processor a line: bars where it sends and receives, and between them the message's way. */
int broadcast_put_svg(const struct broadcast *b)
{
	struct timeline picture = { .title = b->title, .nplaces = b->tree->n, .cycles = b->cycles,
				    .line = 24, .legend = { "sending", "receiving" } };

	for (uint32_t v = 0; v < b->tree->n; v++)
		picture.last = fmax(picture.last, b->informed[v]);
	timeline_begin(&picture);
	for (uint32_t v = 1; v < b->tree->n; v++) {
		uint32_t from = b->tree->parent[v];
		double start = broadcast_sent(b, v), left = start + b->p->o_s;
		double came = left + b->p->L;

		printf("<g><title>%u to %u, there at %s</title>\n", from, v, informed(b, v).s);
		timeline_bar(&picture, 0, from, start, left);
		timeline_way(&picture, from, left, v, came);
		timeline_bar(&picture, 1, v, came, b->informed[v]);
		printf("</g>\n");
	}
	timeline_end();
	return ST_OK;
}
