/* SPDX-License-Identifier: Apache-2.0 */
/* What the channels of an FPGA board should reach. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/model/model.h"
#include "config.h"
#include "host/record.h"
#include "base/error.h"
#include "model/channel.h"

static const enum column_id cols[] = { COL_SIZE, COL_MODEL_TIME, COL_MODEL_PAIR, COL_MODEL_CARD,
				       COL_MODEL_BANDWIDTH };

/* What the rows are of. */
struct board_report {
	const struct settings *st;
	const struct model_options *o;
	struct board b;
	struct numbers sizes;
};

static void summary(struct record *rec, const struct board_report *job, char *footer, size_t len)
{
	const struct board *b = &job->b;
	size_t n;
	double pair = board_pair_beff(b, job->sizes.v, job->sizes.n, &n), card = pair * (double)b->R;
	double total = card * (double)job->o->cards;
	char scaled[32];

	rec->summary = json_object();
	if (!n)
		return;
	json_object_set_new(rec->summary, "b_eff_pair_Bps", json_real(pair));
	json_object_set_new(rec->summary, "b_eff_card_Bps", json_real(card));
	json_object_set_new(rec->summary, "b_eff_Bps", json_real(total));
	json_object_set_new(rec->summary, "b_eff_sizes", json_integer((json_int_t)n));
	snprintf(footer, len,
		 "\nb_eff = %.5e B/s = %s   (%llu card%s, mean over %zu sizes)\n"
		 "  a card: %.5e B/s, %llu kernel pair%s of %.5e B/s",
		 total, format_si(scaled, sizeof(scaled), total, "B/s"), (unsigned long long)job->o->cards,
		 job->o->cards == 1 ? "" : "s", n, card, (unsigned long long)b->R, b->R == 1 ? "" : "s", pair);
	rec->footer = footer;
}

static int rows(struct report *r, const struct record *rec, const void *arg)
{
	const struct board_report *job = arg;
	const struct board *b = &job->b;
	int err = ST_OK;

	for (size_t i = 0; i < job->sizes.n && !err; i++) {
		double pair = board_pair_bandwidth(b, job->sizes.v[i]), card = pair * (double)b->R;
		struct row row = { 0 };

		row_set(&row, rec, COL_SIZE, val_uint(job->sizes.v[i]));
		row_set(&row, rec, COL_MODEL_TIME, val_real(board_time(b, job->sizes.v[i])));
		row_set(&row, rec, COL_MODEL_PAIR, val_real(pair));
		row_set(&row, rec, COL_MODEL_CARD, val_real(card));
		row_set(&row, rec, COL_MODEL_BANDWIDTH, val_real(card * (double)job->o->cards));
		err = report_row(r, rec, &row);
	}
	return err;
}

/* The environment as for a measurement, and the board. */
static json_t *describe(const struct board *b)
{
	json_t *env = host_collect();

	json_object_set_new(env, "board",
			    json_pack("{s:s, s:s, s:I, s:I, s:f, s:f, s:I, s:f, s:I, s:b}", "name", b->name,
				      "source", b->summary, "c", (json_int_t)b->c, "w_B",
				      (json_int_t)b->w, "f_Hz", b->f, "lat_s", b->lat, "R",
				      (json_int_t)b->R, "line_rate_bps", b->line_rate, "payload_B",
				      (json_int_t)b->payload, "serial", b->serial));
	return env;
}

/* Busy and latency of a message; twice both on a serial board. */
static double busy(const struct board *b, double messages, uint64_t size)
{
	return messages * board_busy(b, size) * (b->serial ? 2 : 1);
}

/*
 * A window's messages follow each other on their channel, and so do both directions that share one pair. What a
 * stream is on a serial board, whose published measurement has none, is not known.
 */
static double predict(const struct observation *o, const void *model)
{
	const struct board *b = model;
	double lat = b->lat * (b->serial ? 2 : 1), W = (double)o->window;

	if (b->serial && (o->what == OBSERVED_GAP || o->what == OBSERVED_WINDOW))
		return NAN;
	switch (o->what) {
	case OBSERVED_LATENCY:
		return board_time(b, o->size);
	case OBSERVED_GAP:
		return busy(b, 1, o->size);
	case OBSERVED_WINDOW:
		return (busy(b, W, o->size) + busy(b, 1, 1) + 2 * lat) / W;
	case OBSERVED_RING:
		return busy(b, b->R > 1 ? 1 : 2, o->size) + lat;
	default:
		return NAN;
	}
}

static int report_rows(const struct board_report *job, char *title)
{
	char footer[256];
	struct record rec = { .computed = true, .definition = "model.channel.v1", .title = title, .cols = cols,
			      .ncols = sizeof(cols) / sizeof(cols[0]) };

	rec.environment = describe(&job->b);
	summary(&rec, job, footer, sizeof(footer));
	return model_write(job->st, &rec, rows, job);
}

static int report_against(const struct board_report *job, char *title)
{
	struct record rec = { .computed = true, .definition = "model.channel-against.v1", .title = title };

	rec.environment = describe(&job->b);
	return model_against(job->st, &rec, predict, &job->b);
}

static int run(const struct settings *st)
{
	char title[256];
	struct board_report job = { .st = st, .o = st->own };
	int err = board_find(job.o->board, &job.b);

	err = err ? err : model_sizes(st, &job.sizes, NULL, 0);
	if (err)
		return err;
	job.b.serial |= job.o->serial;
	snprintf(title, sizeof(title), "netbench %s model: board %s%s, %llu card%s%s", NETBENCH_VERSION,
		 job.b.name, job.b.serial ? ", serial" : "", (unsigned long long)job.o->cards,
		 job.o->cards == 1 ? "" : "s", job.o->against ? ", against a result" : "");
	err = job.o->against ? report_against(&job, title) : report_rows(&job, title);
	free(job.sizes.v);
	return err;
}

const struct mode model_board = { .by = { "board", .bit = MODEL_BOARD }, .run = run };
const struct mode model_board_against = {
	.by = { "board", .with = "against", .bit = MODEL_BOARD_AGAINST },
	.run = run,
};
