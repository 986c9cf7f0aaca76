/* SPDX-License-Identifier: Apache-2.0 */
#include "show/model/schedule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/values.h"
#include "show/units.h"

/* ---- pictures over time ---- */

#define LEFT 70
#define TOP 60
#define WIDTH 800
#define BAR 12
#define LEGEND 80	/* width of an entry, px */
#define LETTER 7
#define APART 15	/* px between slanted names */

enum class { SENDING, RECEIVING, GAP };

static const char *const classes[] = { "blue", "red", "grey" };

/*
 * A picture over time with a horizontal line for each place. A place is a processor or a network.
 */
struct timeline {
	const char *title;
	const char *const *names;	/* names of the places; NULL: their numbers */
	uint32_t nplaces;
	double last;			/* time at the right end of the axis */
	bool cycles;			/* times are in cycles; false: in seconds */
	int line;			/* height of the line of a place, px */
	const char *legend[3];		/* meaning of each colour; the last may be NULL */
};

static double bottom_y(const struct timeline *t)
{
	return TOP + (double)t->nplaces * t->line;
}

static double x_at_time(const struct timeline *t, double time)
{
	return LEFT + (t->last > 0 ? time / t->last * WIDTH : 0);
}

static double y_of_place(const struct timeline *t, uint32_t place)
{
	return TOP + (place + 0.5) * t->line;
}

/* Prints the frame: title, legend, axis and names of the places. */
static void begin_picture(const struct timeline *t)
{
	const char *style = "text{font:12px sans-serif}.grid{stroke:#ddd}.way{stroke:#555}"
			    ".blue{fill:#4477aa}.red{fill:#cc6677}.grey{fill:#bbb}";
	int left = LEFT;
	/*
	 * Upper limit of the step between grid lines. The step is 1, 2 or 5 times a power of ten,
	 * and 0.4 to 1 times this limit.
	 */
	double most = t->last > 0 ? t->last / (t->cycles ? 8 : 5) : 1;
	double power = pow(10, floor(log10(most))), times = most / power;
	double step = power * (times >= 5 ? 5 : times >= 2 ? 2 : 1);

	printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
	       "height=\"%.0f\">\n<style>%s</style>\n"
	       "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n", LEFT + WIDTH + 50,
	       bottom_y(t) + 30, style);
	printf("<text x=\"10\" y=\"20\">%s (computed)</text>\n", t->title);
	for (int i = 0; i < 3 && t->legend[i]; i++, left += LEGEND)
		printf("<text class=\"%s\" x=\"%d\" y=\"38\">%s</text>\n", classes[i],
		       left, t->legend[i]);
	for (double i = 0; i * step <= t->last * (1 + 1e-9); i++) {
		double x = x_at_time(t, i * step);

		printf("<line class=\"grid\" x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%.2f\"/>\n", x,
		       TOP, x, bottom_y(t));
		printf("<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">%s</text>\n", x,
		       bottom_y(t) + 16, scaled_time(i * step, t->cycles).s);
	}
	for (uint32_t v = 0; v < t->nplaces; v++) {
		printf("<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">", LEFT - 10,
		       y_of_place(t, v) + 4);
		if (t->names)
			printf("%s</text>\n", t->names[v]);
		else
			printf("%u</text>\n", v);
	}
}

/* Draws a bar in the line of place `at`. */
static void put_bar(const struct timeline *t, enum class class, uint32_t at, double from,
		    double until)
{
	printf("<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%d\"/>\n",
	       classes[class], x_at_time(t, from), y_of_place(t, at) - BAR / 2,
	       fmax(x_at_time(t, until) - x_at_time(t, from), 1), BAR);
}

/* Draws the path of a message from one place to another. */
static void put_path(const struct timeline *t, uint32_t from, double sent_s, uint32_t to,
		     double arrived_s)
{
	printf("<line class=\"way\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>\n",
	       x_at_time(t, sent_s), y_of_place(t, from), x_at_time(t, arrived_s),
	       y_of_place(t, to));
}

/* Prints the name of a bar above the bar. Names printed so far end at x = *free. Advances *free. */
static void put_bar_name(const struct timeline *t, uint32_t at, double from, double until,
			 double *free, const char *name)
{
	double middle = x_at_time(t, (from + until) / 2), y = y_of_place(t, at) - BAR / 2 - 4;
	double half = LETTER * (double)strlen(name) / 2;

	if (x_at_time(t, until) - x_at_time(t, from) >= 2 * half && middle - half >= *free) {
		printf("<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">%s</text>\n", middle,
		       y, name);
		*free = middle + half;
		return;
	}
	middle = fmax(middle, *free);
	printf("<text x=\"%.2f\" y=\"%.2f\" transform=\"rotate(-45 %.2f %.2f)\">%s</text>\n",
	       middle, y, middle, y, name);
	*free = middle + APART;
}

/* ---- one message ---- */

/* Chooses the class of a stage by the name of its parameter. */
static enum class stage_class(const struct stage *s)
{
	return *s->name == 'g' ? GAP
	       : strstr(s->name, "_r") || strstr(s->name, "rcv") || strstr(s->name, "free")
	       ? RECEIVING : SENDING;
}

/* Draws a stage. `next` is the next stage, or NULL if there is none. */
static void put_stage(const struct timeline *t, const struct stage *s, const struct stage *next)
{
	printf("<g><title>%s: %s to %s</title>\n", s->name, scaled_time(s->from, t->cycles).s,
	       scaled_time(s->until, t->cycles).s);
	if (s->at != s->to)
		put_path(t, s->at, s->from, s->to, s->until);
	else
		put_bar(t, stage_class(s), s->at, s->from, s->until);
	/* the first byte takes as long to arrive as the last byte */
	if (next && !strcmp(s->name, "(k-1)G") && !strcmp(next->name, "L"))
		put_path(t, next->at, s->from, next->to, s->from + next->until - next->from);
	printf("</g>\n");
}

void schedule_put_message(const char *title, const struct stage *stages, size_t n,
			  const char *const *places, unsigned nplaces, bool cycles)
{
	const struct stage *end = stages + n;
	struct timeline t = { .title = title, .names = places, .nplaces = nplaces,
			      .cycles = cycles, .line = 70,
			      .legend = { "sending", "receiving", "gap" } };

	for (const struct stage *s = stages; s < end; s++)
		t.last = fmax(t.last, s->until);
	begin_picture(&t);
	/* draw gaps first, so that they are below everything else */
	for (int gaps = 1; gaps >= 0; gaps--)
		for (const struct stage *s = stages; s < end; s++)
			if ((stage_class(s) == GAP) == gaps)
				put_stage(&t, s, s + 1 < end ? s + 1 : NULL);
	for (unsigned place = 0; place < nplaces; place++) {
		double free = 0;

		for (const struct stage *s = stages; s < end; s++) {
			/* other bars cover a gap except for its end */
			double from = stage_class(s) == GAP ? (s->from + s->until) / 2 : s->from;

			if (s->at == place && s->to == place)
				put_bar_name(&t, place, from, s->until, &free, s->name);
			else if (s->at == place)
				printf("<text x=\"%.2f\" y=\"%.2f\">%s</text>\n",
				       x_at_time(&t, (from + s->until) / 2) + 4,
				       (y_of_place(&t, place) + y_of_place(&t, s->to)) / 2 +
					       (place < s->to ? -4 : 12), s->name);
		}
	}
	printf("</svg>\n");
}

/* ---- a broadcast ---- */

/* Returns the time at which the send to processor v > 0 begins. */
static double send_start(const struct broadcast *b, uint32_t v)
{
	return b->informed[v] - logp_one_way(b->p);
}

/* Returns the time at which processor v has the message, as text. */
static struct unit_text informed_text(const struct broadcast *b, uint32_t v)
{
	return scaled_time(b->informed[v], b->cycles);
}

/*
 * Prints the subtree below v. Each line begins with `prefix`, whose buffer has room for the prefix
 * of the deepest line.
 */
static void put_subtree(const struct broadcast *b, uint32_t v, char *prefix, size_t len)
{
	const struct tree *t = b->tree;

	for (uint32_t i = t->first[v]; i < t->first[v + 1]; i++) {
		bool is_last = i + 1 == t->first[v + 1];

		printf("%.*s%s %u at %s\n", (int)len, prefix, is_last ? "`--" : "|--", t->child[i],
		       informed_text(b, t->child[i]).s);
		memcpy(prefix + len, is_last ? "    " : "|   ", 4);
		put_subtree(b, t->child[i], prefix, len + 4);
	}
}

void schedule_put_tree(const struct broadcast *b)
{
	char *prefix = memory_new(b->tree->n, 4);

	put_computed(b->title);
	puts("0 at 0");
	put_subtree(b, 0, prefix, 0);
	free(prefix);
}

void schedule_put_dot(const struct broadcast *b)
{
	const struct tree *t = b->tree;

	printf("digraph broadcast {\n\tlabel=\"%s (computed)\";\n\tnode [shape=box];\n", b->title);
	for (uint32_t v = 0; v < t->n; v++)
		printf("\t%u [label=\"%u\\n%s\"];\n", v, v, informed_text(b, v).s);
	for (uint32_t v = 0; v < t->n; v++)
		for (uint32_t i = t->first[v]; i < t->first[v + 1]; i++)
			printf("\t%u -> %u [label=\"%s\"];\n", v, t->child[i],
			       scaled_time(send_start(b, t->child[i]), b->cycles).s);
	printf("}\n");
}

/*
 * Draws a line for each processor. Bars show sending and receiving. Lines between bars show
 * messages in flight.
 */
void schedule_put_svg(const struct broadcast *b)
{
	struct timeline picture = { .title = b->title, .nplaces = b->tree->n, .cycles = b->cycles,
				    .line = 24, .legend = { "sending", "receiving" } };

	for (uint32_t v = 0; v < b->tree->n; v++)
		picture.last = fmax(picture.last, b->informed[v]);
	begin_picture(&picture);
	for (uint32_t v = 1; v < b->tree->n; v++) {
		uint32_t from = b->tree->parent[v];
		double start = send_start(b, v), left = start + b->p->o_s;
		double came = left + b->p->L;

		printf("<g><title>%u to %u, arrives at %s</title>\n", from, v,
		       informed_text(b, v).s);
		put_bar(&picture, SENDING, from, start, left);
		put_path(&picture, from, left, v, came);
		put_bar(&picture, RECEIVING, v, came, b->informed[v]);
		printf("</g>\n");
	}
	printf("</svg>\n");
}
