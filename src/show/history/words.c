/* SPDX-License-Identifier: Apache-2.0 */
#include "show/history/words.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "show/finding.h"
#include "result/report.h"

const struct sentence history_sentences[] = {
	{ "night", { "{subject}: {quantity} is {effect:%} slower{how} than in the "
		     "{nights:#night} before (p {p_value}), and three more runs confirm it",
		     "{quantity} is not slower than in the {nights:#night} before by more than "
		     "{margin_percent} %[; the most unusual point, {subject}, by {effect:%}]",
		     "[{subject}: {quantity} is {effect:%} slower{how} than in the "
		     "{nights:#night} before (p {p_value}): ]{why}" }, NULL },
	{ "series", { "{subject}: {nights:#night}, {from} to {to}; changes at {changed} of "
		      "{points:#point}; a step of {effect:%} that lasts a week would be seen",
		      "{subject}: {nights:#night}, {from} to {to}; no lasting change; a step of "
		      "{effect:%} that lasts a week would be seen",
		      "{subject}: {nights:#night}, {from} to {to}; {why}" }, NULL },
	{ "slower", { "{subject}: {quantity} is [{least:%} to ]{effect:%} slower since {since} "
		      "({dates}), {nights:#night}{record}", NULL, NULL }, NULL },
	{ "faster", { "{subject}: {quantity} is [{least:%} to ]{effect:%} faster since {since} "
		      "({dates}), {nights:#night}{record}", NULL, NULL }, NULL },
	{ "creep", { "the last {week} nights cost {middle} times as much as the first {week} at "
		     "the median point, {worst} times at {subject}, the worst", NULL, NULL },
	  NULL },
	{ NULL, { NULL }, NULL },
};

static char *sentence_of(const struct finding *f)
{
	return finding_words(f, finding_sentence(history_sentences, f->kind), RATE_BYTE);
}

char *history_words(const struct findings *found)
{
	char *text = NULL;
	FILE *to = text_open(&text);

	for (size_t i = 0; i < found->n; i++) {
		char *words = sentence_of(&found->at[i]);

		fprintf(to, "\n%s", words ? words : "");
		free(words);
	}
	return memory_or_exit(text_close(to, &text));
}

/* Writes a row for each sentence. */
static int put_sentences(void *arg, struct outlets *r, const struct record *rec)
{
	const struct findings *found = arg;
	int err = ST_OK;

	for (size_t i = 0; i < found->n && !err; i++) {
		char *words = sentence_of(&found->at[i]);
		struct row row = { 0 };

		row_set(&row, rec, COL_REMARK, val_text(words ? words : ""));
		err = report_row(r, rec, &row);
		free(words);
	}
	return err;
}

/* Writes a row for each night of each curve. */
static int put_nights(void *arg, struct outlets *r, const struct record *rec)
{
	const struct curves *all = arg;
	int err = ST_OK;

	for (const struct curve *c = all->at; c < all->at + all->n; c++)
		for (size_t i = 0; i < c->n && !err; i++) {
			const struct curve_night *night = &c->at[i];
			struct row row = { 0 };

			ROW_PUT(&row, rec, { COL_SERIES, val_text(c->series) },
				{ COL_POINT, val_text(c->point) },
				{ COL_QUANTITY, val_text(c->measure) },
				{ COL_NIGHT, val_text(night->date) },
				{ COL_NIGHT_DAYS, val_real(night->days) },
				{ COL_RUNS, val_uint(night->runs) },
				{ COL_COST, val_real(night->cost) },
				{ COL_COST_LO, val_real(night->lo) },
				{ COL_COST_HI, val_real(night->hi) },
				{ COL_COST_LEVEL, val_real(night->level) },
				{ COL_COST_LEVEL_LO, val_real(night->level_lo) },
				{ COL_COST_LEVEL_HI, val_real(night->level_hi) },
				{ COL_CHANGES, val_uint(night->changes) });
			err = report_row(r, rec, &row);
		}
	return err;
}

int history_write(const struct output_options *o, const struct history_record *r)
{
	static const enum column_id sentences[] = { COL_REMARK };
	static const enum column_id nights[] = {
		COL_SERIES, COL_POINT, COL_QUANTITY, COL_NIGHT, COL_NIGHT_DAYS, COL_RUNS,
		COL_COST, COL_COST_LO, COL_COST_HI, COL_COST_LEVEL, COL_COST_LEVEL_LO,
		COL_COST_LEVEL_HI, COL_CHANGES,
	};
	struct record rec = {
		.command = "history", .definition = r->definition, .title = r->title,
		.words = true, .computed = r->computed, .emulated = r->emulated,
		.cols = r->curves ? nights : sentences,
		.ncols = r->curves ? LENGTH(nights) : LENGTH(sentences),
		.options = r->options, .environment = r->environment,
		.summary = json_object(), .warnings = json_array(), .status = "complete",
	};
	struct text footer = text_from("%s\n%s", r->title, r->footer ? r->footer : "");
	int err;

	rec.footer = footer.s;
	json_object_set_new(rec.summary, "findings",
			    findings_json(r->found, history_sentences, RATE_BYTE));
	if (r->curves)
		err = report_result(o, &rec, put_nights, (void *)(uintptr_t)r->curves);
	else
		err = report_result(o, &rec, put_sentences, (void *)(uintptr_t)r->found);
	json_decref(rec.environment);
	json_decref(rec.summary);
	json_decref(rec.warnings);
	return err;
}
