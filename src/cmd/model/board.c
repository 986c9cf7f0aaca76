/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/model/board.h"

#include "base/error.h"
#include "cmd/model/against.h"

static int plan_board(struct model_request *a)
{
	struct board *b = &a->board;
	const char *plural = a->o->cards == 1 ? "" : "s";
	int err = board_find(a->o->board, b);

	if (err)
		return err;
	b->serial |= a->o->serial;
	text_add(&a->title, "board %s%s, %llu card%s%s", b->name, b->serial ? ", serial" : "",
		   (unsigned long long)a->o->cards, plural,
		   a->o->against ? ", against a result" : "");
	json_object_set_new(a->parameters, "board",
			    json_pack("{s:s, s:s, s:I, s:I, s:f, s:f, s:I, s:f, s:I, s:b}",
				      "name", b->name, "source", b->summary, "c", (json_int_t)b->c,
				      "w_B", (json_int_t)b->w, "f_Hz", b->f, "lat_s", b->lat,
				      "R", (json_int_t)b->R, "line_rate_bps", b->line_rate,
				      "payload_B", (json_int_t)b->payload, "serial", b->serial));
	return ST_OK;
}

/*
 * Plans the bandwidths of a board, and sets its b_eff over all sizes. Returns ST_OK or an error
 * (reported).
 */
static int plan_bandwidths(struct model_request *a)
{
	const struct board *b = &a->board;
	double pair, card, total;
	char scaled[32];
	size_t n;

	pair = board_pair_beff(b, a->plan.sizes.v, a->plan.sizes.n, &n);
	card = pair * (double)b->R;
	total = card * (double)a->o->cards;
	if (!n)
		return ST_OK;
	json_object_update_new(a->rec.summary,
			       json_pack("{s:f, s:f, s:f, s:I}", "b_eff_pair_Bps", pair,
					 "b_eff_card_Bps", card, "b_eff_Bps", total,
					 "b_eff_sizes", (json_int_t)n));
	format_rate(scaled, sizeof(scaled), total, "B/s",
		    (enum rate_unit)a->st->output.rate_unit);
	text_add(&a->footer,
		 "\nb_eff = %.5e B/s = %s   (%llu card%s, mean over %zu sizes)\n"
		 "  a card: %.5e B/s, %llu kernel pair%s of %.5e B/s", total, scaled,
		 (unsigned long long)a->o->cards, a->o->cards == 1 ? "" : "s", n, card,
		 (unsigned long long)b->R, b->R == 1 ? "" : "s", pair);
	a->rec.score = "b_eff";
	return ST_OK;
}

static void put_bandwidths(struct model_request *a)
{
	for (size_t i = 0; i < a->plan.sizes.n; i++) {
		uint64_t size = a->plan.sizes.v[i];
		double pair = board_pair_bandwidth(&a->board, size),
		       card = pair * (double)a->board.R;

		FORM_ROW(a, val_uint(size), val_real(board_time(&a->board, size)), val_real(pair),
			 val_real(card), val_real(card * (double)a->o->cards));
	}
}

const struct form board_against_form = {
	FORM_BY("board", NULL, "against", "board against serial"), "model.channel-against.v1",
	.plan = plan_board, FORM_AGAINST(predict_board, board)
};

const struct form board_form = {
	FORM_BY("board", NULL, NULL, "board cards serial" FORM_SIZED), "model.channel.v1",
	FORM_COLUMNS(COL_SIZE, COL_MODEL_TIME, COL_MODEL_PAIR, COL_MODEL_CARD,
		     COL_MODEL_BANDWIDTH),
	.plan = plan_board, .sized = true, .then = plan_bandwidths, .put_rows = put_bandwidths
};
