/* SPDX-License-Identifier: Apache-2.0 */
/* One message step by step, as --schedule says: a table of its stages, or a picture over time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/model/model.h"
#include "cmd/model/timeline.h"
#include "base/error.h"

enum class { SENDING, RECEIVING, GAP };

static void fill(const void *arg, size_t i, const struct record *rec, struct row *row)
{
	const struct model_message *m = arg;
	const struct stage *s = &m->stages[i];

	row_set(row, rec, COL_STAGE, val_text(s->name));
	row_set(row, rec, COL_PLACE, val_text(m->places[s->at]));
	if (s->to != s->at)
		row_set(row, rec, COL_TO_PLACE, val_text(m->places[s->to]));
	row_set(row, rec, model_timed(COL_BEGINS, m->seconds), val_real(s->from));
	row_set(row, rec, model_timed(COL_ENDS, m->seconds), val_real(s->until));
	row_set(row, rec, model_timed(COL_MODEL_TIME, m->seconds), val_real(s->until - s->from));
}

static int put_table(const struct settings *st, const struct model_message *m,
		     json_t *environment)
{
	static const char *const heads[] = { NULL, NULL, NULL, NULL, NULL, "takes" };
	const enum column_id cols[] = { COL_STAGE, COL_PLACE, COL_TO_PLACE,
					model_timed(COL_BEGINS, m->seconds),
					model_timed(COL_ENDS, m->seconds),
					model_timed(COL_MODEL_TIME, m->seconds) };
	static const enum column_id spare[] = { COL_TO_PLACE };
	struct record rec = MODEL_RECORD(m->definition, m->title, cols);

	rec.heads = heads;
	MODEL_SPARE(&rec, spare);
	rec.footer = m->footer;
	rec.environment = environment;
	return model_write(st, &rec, m->n, fill, m);
}

/* By the name of a parameter. */
static enum class class_of(const struct stage *s)
{
	return *s->name == 'g' ? GAP
	       : strstr(s->name, "_r") || strstr(s->name, "rcv") || strstr(s->name, "free")
	       ? RECEIVING : SENDING;
}

static void put_stage(const struct timeline *t, const struct model_message *m, size_t i)
{
	const struct stage *s = &m->stages[i];
	char from[32], until[32];

	printf("<g><title>%s: %s to %s</title>\n", s->name,
	       model_format_time(from, sizeof(from), s->from, m->seconds),
	       model_format_time(until, sizeof(until), s->until, m->seconds));
	if (s->at != s->to)
		timeline_way(t, s->at, s->from, s->to, s->until);
	else
		timeline_bar(t, class_of(s), s->at, s->from, s->until);
	/* the first byte is as long on its way as the last */
	if (!strcmp(s->name, "(k-1)G") && i + 1 < m->n && !strcmp(s[1].name, "L"))
		timeline_way(t, s[1].at, s->from, s[1].to, s->from + s[1].until - s[1].from);
	printf("</g>\n");
}

static void put_names(const struct timeline *t, const struct model_message *m)
{
	for (unsigned place = 0; place < m->nplaces; place++) {
		double free = 0;

		for (size_t i = 0; i < m->n; i++) {
			const struct stage *s = &m->stages[i];
			/* what is seen of a gap is its end */
			double from = class_of(s) == GAP ? (s->from + s->until) / 2 : s->from;

			if (s->at == place && s->to == place)
				timeline_bar_name(t, place, from, s->until, &free, s->name);
			else if (s->at == place)
				timeline_way_name(t, place, from, s->to, s->until, s->name);
		}
	}
}

static int put_svg(const struct model_message *m)
{
	struct timeline t = { .title = m->title, .names = m->places, .nplaces = m->nplaces,
			      .seconds = m->seconds, .line = 70,
			      .legend = { "sending", "receiving", "gap" } };

	for (size_t i = 0; i < m->n; i++)
		t.last = fmax(t.last, m->stages[i].until);
	timeline_begin(&t);
	for (int gaps = 1; gaps >= 0; gaps--)	/* beneath all else */
		for (size_t i = 0; i < m->n; i++)
			if ((class_of(&m->stages[i]) == GAP) == gaps)
				put_stage(&t, m, i);
	put_names(&t, m);
	timeline_end();
	return ST_OK;
}

int model_put_message(const struct settings *st, const struct model_message *m,
		      json_t *environment)
{
	const struct model_options *o = st->own;
	int err;

	if (o->schedule == MODEL_FORM_TABLE)
		return put_table(st, m, environment);
	json_decref(environment);
	if (o->schedule != MODEL_FORM_SVG)
		return error_usage("a single message is no tree: use '--schedule table' or "
				   "'--schedule svg'");
	err = model_check_picture(st);
	return err ? err : put_svg(m);
}
