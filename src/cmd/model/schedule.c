/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LogP: who sends to whom when in a broadcast, as a table, as a tree of text, and as pictures in
 * SVG and DOT.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/model/model.h"
#include "cmd/model/timeline.h"
#include "base/error.h"
#include "model/logp.h"

/* Processors in a picture. */
#define PICTURE_MOST 4096

/* A broadcast with all its times. */
struct schedule {
	const struct settings *st;
	const struct model_options *o;
	struct logp p;
	bool seconds;
	struct tree tree;
	double *informed, last;
	char title[320];
};

static double sent(const struct schedule *s, uint32_t v)
{
	return s->informed[v] - logp_one_way(&s->p);
}

/* The time at which v has the message, for people. */
static char *informed(char *buf, size_t len, const struct schedule *s, uint32_t v)
{
	return model_format_time(buf, len, s->informed[v], s->seconds);
}

/* ---- table ---- */

static void fill(const void *arg, size_t v, const struct record *rec, struct row *row)
{
	const struct schedule *s = arg;

	row_set(row, rec, COL_RECEIVER, val_uint(v));
	if (v) {
		row_set(row, rec, COL_SENDER, val_uint(s->tree.parent[v]));
		row_set(row, rec, model_timed(COL_SENT, s->seconds),
			val_real(sent(s, (uint32_t)v)));
	}
	row_set(row, rec, model_timed(COL_INFORMED, s->seconds), val_real(s->informed[v]));
}

static int put_table(const struct schedule *s)
{
	const enum column_id cols[] = { COL_RECEIVER, COL_SENDER,
					model_timed(COL_SENT, s->seconds),
					model_timed(COL_INFORMED, s->seconds) };
	struct record rec = MODEL_RECORD("model.logp-schedule.v1", s->title, cols);

	rec.environment = model_logp_environment(&s->p, s->seconds);
	rec.summary = json_pack("{s:f}", s->seconds ? "broadcast_s" : "broadcast_cycles", s->last);
	return model_write(s->st, &rec, s->tree.n, fill, s);
}

/* ---- text ---- */

/* What v sends to, each line after `prefix`, which has room for the whole depth. */
static void put_branches(const struct schedule *s, uint32_t v, char *prefix, size_t len)
{
	char t[32];

	for (uint32_t i = s->tree.first[v]; i < s->tree.first[v + 1]; i++) {
		uint32_t child = s->tree.child[i];
		bool is_last = i + 1 == s->tree.first[v + 1];

		printf("%.*s%s %u at %s\n", (int)len, prefix, is_last ? "`--" : "|--", child,
		       informed(t, sizeof(t), s, child));
		memcpy(prefix + len, is_last ? "    " : "|   ", 4);
		put_branches(s, child, prefix, len + 4);
	}
}

static int put_tree(const struct schedule *s)
{
	char *prefix = malloc(4 * (size_t)s->tree.n);

	if (!prefix)
		return error_report("no memory for a picture");
	model_put_title(s->title);
	puts("0 at 0");
	put_branches(s, 0, prefix, 0);
	free(prefix);
	return ST_OK;
}

/* ---- DOT ---- */

static int put_dot(const struct schedule *s)
{
	char t[32];

	printf("digraph broadcast {\n\tlabel=\"%s (computed)\";\n\tnode [shape=box];\n", s->title);
	for (uint32_t v = 0; v < s->tree.n; v++)
		printf("\t%u [label=\"%u\\n%s\"];\n", v, v, informed(t, sizeof(t), s, v));
	for (uint32_t v = 0; v < s->tree.n; v++)
		for (uint32_t i = s->tree.first[v]; i < s->tree.first[v + 1]; i++)
			printf("\t%u -> %u [label=\"%s\"];\n", v, s->tree.child[i],
			       model_format_time(t, sizeof(t), sent(s, s->tree.child[i]),
						 s->seconds));
	printf("}\n");
	return ST_OK;
}

/* ---- SVG ---- */

/*
 * A processor a line, over time: bars where it sends and receives, and between them the message's
 * way.
 */
static int put_svg(const struct schedule *s)
{
	const struct timeline picture = { .title = s->title, .nplaces = s->tree.n,
					  .last = s->last, .seconds = s->seconds, .line = 24,
					  .legend = { "sending", "receiving" } };
	char t[32];

	timeline_begin(&picture);
	for (uint32_t v = 1; v < s->tree.n; v++) {
		uint32_t from = s->tree.parent[v];
		double start = sent(s, v), left = start + s->p.o_s, came = left + s->p.L;

		printf("<g><title>%u to %u, there at %s</title>\n", from, v,
		       informed(t, sizeof(t), s, v));
		timeline_bar(&picture, 0, from, start, left);
		timeline_way(&picture, from, left, v, came);
		timeline_bar(&picture, 1, v, came, s->informed[v]);
		printf("</g>\n");
	}
	timeline_end();
	return ST_OK;
}

/* ---- all of them ---- */

static int check_picture(const struct schedule *s)
{
	if (s->o->schedule == MODEL_FORM_TABLE)
		return ST_OK;
	if (s->p.P > PICTURE_MOST)
		return error_usage("P=%u processors are too many for a picture: at most %d, or "
				   "'--schedule table'", s->p.P, PICTURE_MOST);
	return model_check_picture(s->st);
}

static int build(struct schedule *s)
{
	double A = logp_one_way(&s->p), m = logp_interval(&s->p);
	enum tree_kind kind = (enum tree_kind)s->o->algorithm;
	uint32_t k = model_arity(s->st, &s->p, kind, 0);
	char of[64];

	s->informed = calloc(s->p.P, sizeof(*s->informed));
	if (tree_build(&s->tree, kind, k, s->p.P, A, m) || !s->informed)
		return error_report("no memory for a schedule");
	s->last = tree_time(&s->tree, A, m, s->informed);
	if (kind == TREE_KARY || kind == TREE_KNOMIAL)
		snprintf(of, sizeof(of), ", %u%s broadcast", k, tree_names[kind] + strlen("k"));
	else
		snprintf(of, sizeof(of), ", %s broadcast", tree_names[kind]);
	model_logp_title(s->title, sizeof(s->title), &s->p, s->seconds, of);
	return ST_OK;
}

int model_schedule(const struct settings *st, const struct logp *p, bool seconds)
{
	int (*const put[])(const struct schedule *s) = { NULL, put_table, put_tree, put_svg,
							 put_dot };
	struct schedule s = { .st = st, .o = st->own, .p = *p, .seconds = seconds };
	int err = check_picture(&s);

	if (err)
		return err;
	err = build(&s);
	err = err ? err : put[s.o->schedule](&s);
	tree_free(&s.tree);
	free(s.informed);
	return err;
}
