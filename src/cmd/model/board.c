/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/model/board.h"

#include <stdio.h>

#include "base/error.h"

static void conclude(struct asked *a)
{
	const struct board *b = &a->board;
	const char *cards = a->o->cards == 1 ? "" : "s", *kernels = b->R == 1 ? "" : "s";
	size_t n;
	double pair = board_pair_beff(b, a->plan.sizes.v, a->plan.sizes.n, &n);
	double card = pair * (double)b->R, total = card * (double)a->o->cards;
	char scaled[32];

	if (!n)
		return;
	json_object_update_new(a->rec.summary,
			       json_pack("{s:f, s:f, s:f, s:I}", "b_eff_pair_Bps", pair,
					 "b_eff_card_Bps", card, "b_eff_Bps", total,
					 "b_eff_sizes", (json_int_t)n));
	format_rate(scaled, sizeof(scaled), total, "B/s",
		    (enum rate_unit)a->st->output.rate_unit);
	snprintf(a->footer, sizeof(a->footer),
		 "\nb_eff = %.5e B/s = %s   (%llu card%s, mean over %zu sizes)\n"
		 "  a card: %.5e B/s, %llu kernel pair%s of %.5e B/s", total, scaled,
		 (unsigned long long)a->o->cards, cards, n, card, (unsigned long long)b->R,
		 kernels, pair);
	a->rec.score = "b_eff";
}

int board_plan(struct asked *a)
{
	struct board *b = &a->board;
	int err = board_find(a->o->board, b);

	if (!err)
		err = form_sizes(a, NULL, 0);
	if (err)
		return err;
	b->serial |= a->o->serial;
	form_title(a, "board %s%s, %llu card%s%s", b->name, b->serial ? ", serial" : "",
		   (unsigned long long)a->o->cards, a->o->cards == 1 ? "" : "s",
		   a->o->against ? ", against a result" : "");
	json_object_set_new(a->parameters, "board",
			    json_pack("{s:s, s:s, s:I, s:I, s:f, s:f, s:I, s:f, s:I, s:b}",
				      "name", b->name, "source", b->summary, "c", (json_int_t)b->c,
				      "w_B", (json_int_t)b->w, "f_Hz", b->f, "lat_s", b->lat,
				      "R", (json_int_t)b->R, "line_rate_bps", b->line_rate,
				      "payload_B", (json_int_t)b->payload, "serial", b->serial));
	if (a->o->against)
		return ST_OK;
	a->n = a->plan.sizes.n;
	conclude(a);
	return ST_OK;
}

void board_fill(const struct asked *a, size_t i, const struct record *rec, struct row *row)
{
	uint64_t size = a->plan.sizes.v[i];
	double pair = board_pair_bandwidth(&a->board, size), card = pair * (double)a->board.R;

	ROW_PUT(row, rec, { COL_SIZE, val_uint(size) },
		{ COL_MODEL_TIME, val_real(board_time(&a->board, size)) },
		{ COL_MODEL_PAIR, val_real(pair) }, { COL_MODEL_CARD, val_real(card) },
		{ COL_MODEL_BANDWIDTH, val_real(card * (double)a->o->cards) });
}
