/* SPDX-License-Identifier: Apache-2.0 */
/* What the channels of an FPGA board should reach. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/model/model.h"
#include "config.h"
#include "host/record.h"
#include "base/error.h"
#include "model/channel.h"

static const enum column_id cols[] = { COL_SIZE, COL_MODEL_TIME, COL_MODEL_PAIR, COL_MODEL_CARD,
				       COL_MODEL_BANDWIDTH };

struct board_report {
	const struct model_options *o;
	struct board b;
	struct numbers sizes;
};

static void summary(struct record *rec, const struct board_report *r, enum rate_unit rates,
		    char *footer, size_t len)
{
	const struct board *b = &r->b;
	size_t n;
	double pair = board_pair_beff(b, r->sizes.v, r->sizes.n, &n);
	double card = pair * (double)b->R, total = card * (double)r->o->cards;
	char scaled[32];

	rec->summary = json_object();
	if (!n)
		return;
	json_object_set_new(rec->summary, "b_eff_pair_Bps", json_real(pair));
	json_object_set_new(rec->summary, "b_eff_card_Bps", json_real(card));
	json_object_set_new(rec->summary, "b_eff_Bps", json_real(total));
	json_object_set_new(rec->summary, "b_eff_sizes", json_integer((json_int_t)n));
	snprintf(footer, len, "\nb_eff = %.5e B/s = %s   (%llu card%s, mean over %zu sizes)\n"
		 "  a card: %.5e B/s, %llu kernel pair%s of %.5e B/s",
		 total, format_rate(scaled, sizeof(scaled), total, "B/s", rates),
		 (unsigned long long)r->o->cards, r->o->cards == 1 ? "" : "s", n, card,
		 (unsigned long long)b->R, b->R == 1 ? "" : "s", pair);
	rec->footer = footer;
	rec->score = "b_eff";
}

static void fill(const void *arg, size_t i, const struct record *rec, struct row *row)
{
	const struct board_report *r = arg;
	uint64_t size = r->sizes.v[i];
	double pair = board_pair_bandwidth(&r->b, size), card = pair * (double)r->b.R;

	row_set(row, rec, COL_SIZE, val_uint(size));
	row_set(row, rec, COL_MODEL_TIME, val_real(board_time(&r->b, size)));
	row_set(row, rec, COL_MODEL_PAIR, val_real(pair));
	row_set(row, rec, COL_MODEL_CARD, val_real(card));
	row_set(row, rec, COL_MODEL_BANDWIDTH, val_real(card * (double)r->o->cards));
}

/* The environment as for a measurement, and the board. */
static json_t *describe(const struct board *b)
{
	json_t *env = host_collect();

	json_object_set_new(env, "board",
			    json_pack("{s:s, s:s, s:I, s:I, s:f, s:f, s:I, s:f, s:I, s:b}",
				      "name", b->name, "source", b->summary, "c", (json_int_t)b->c,
				      "w_B", (json_int_t)b->w, "f_Hz", b->f, "lat_s", b->lat,
				      "R", (json_int_t)b->R, "line_rate_bps", b->line_rate,
				      "payload_B", (json_int_t)b->payload, "serial", b->serial));
	return env;
}

static int run(const struct settings *st)
{
	char title[256], footer[256];
	struct board_report r = { .o = st->own };
	int err = board_find(r.o->board, &r.b);
	struct record rec = MODEL_RECORD("model.channel.v1", title, cols);

	err = err ? err : model_sizes(st, &r.sizes, NULL, 0);
	if (err)
		return err;
	r.b.serial |= r.o->serial;
	snprintf(title, sizeof(title), "netbench %s model: board %s%s, %llu card%s%s",
		 NETBENCH_VERSION, r.b.name, r.b.serial ? ", serial" : "",
		 (unsigned long long)r.o->cards, r.o->cards == 1 ? "" : "s",
		 r.o->against ? ", against a result" : "");
	rec.environment = describe(&r.b);
	if (r.o->against) {
		rec.definition = "model.channel-against.v1";
		err = model_against(st, &rec, predict_board, &r.b);
	} else {
		summary(&rec, &r, (enum rate_unit)st->output.rate_unit, footer, sizeof(footer));
		err = model_write(st, &rec, r.sizes.n, fill, &r);
	}
	free(r.sizes.v);
	return err;
}

const struct mode model_board = { .by = { "board", .bit = MODEL_BOARD }, .run = run };
const struct mode model_board_against = {
	.by = { "board", .with = "against", .bit = MODEL_BOARD_AGAINST },
	.run = run,
};
