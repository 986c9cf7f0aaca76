/* SPDX-License-Identifier: Apache-2.0 */
/* What the channels of an FPGA board should reach, by formula. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "config.h"
#include "env.h"
#include "error.h"
#include "model/channel.h"
#include "plan.h"
#include "report/report.h"

static struct model_opts {
	const char *board;
	uint64_t cards, max_size, min_size;
	struct numbers sizes;
	bool serial;
} opts;

static const struct opt options[] = {
	{ 0, "board", "name", OPT_TEXT, offsetof(struct model_opts, board),
	  .help = "520n, 520n-meas, vnx-100g, vnx-100g-switch, or "
		  "custom:c=2,w=32,f=156.25e6,lat=520e-9,R=2" },
	{ 'n', "cards", "count", OPT_UINT, offsetof(struct model_opts, cards), .def = "1", .min = 1,
	  .max = 1e6, .help = "cards in the ring" },
	{ 0, "serial", NULL, OPT_FLAG, offsetof(struct model_opts, serial),
	  .help = "send and receive loops one after the other: twice the time" },
	{ 'm', "max-size", "log2", OPT_UINT, offsetof(struct model_opts, max_size), .def = "20",
	  .max = 40, .help = "largest message is 2^log2 bytes" },
	{ 0, "min-size", "log2", OPT_UINT, offsetof(struct model_opts, min_size), .def = "0",
	  .max = 40, .help = "smallest message is 2^log2 bytes" },
	{ 0, "sizes", "list", OPT_SIZES, offsetof(struct model_opts, sizes), .max = 1e15,
	  .help = "message sizes instead: 64,4k or 1k:64k:*2" },
	{ 0 },
};

static const enum column_id cols[] = { COL_SIZE, COL_MODEL_TIME, COL_MODEL_PAIR, COL_MODEL_CARD,
				       COL_MODEL_BANDWIDTH };

static void summary(struct record *rec, const struct board *b, const struct numbers *sizes,
		    char *footer, size_t len)
{
	size_t n;
	double pair = board_pair_beff(b, sizes->v, sizes->n, &n), card = pair * (double)b->R;
	double total = card * (double)opts.cards;
	char scaled[32];

	if (!n)
		return;
	json_object_set_new(rec->summary, "b_eff_pair_Bps", json_real(pair));
	json_object_set_new(rec->summary, "b_eff_card_Bps", json_real(card));
	json_object_set_new(rec->summary, "b_eff_Bps", json_real(total));
	json_object_set_new(rec->summary, "b_eff_sizes", json_integer((json_int_t)n));
	snprintf(footer, len,
		 "\nb_eff = %.5e B/s = %s   (%llu card%s, mean over %zu sizes)\n"
		 "  a card: %.5e B/s, %llu kernel pair%s of %.5e B/s",
		 total, format_si(scaled, sizeof(scaled), total, "B/s"), (unsigned long long)opts.cards, opts.cards == 1 ? "" : "s", n,
		 card, (unsigned long long)b->R, b->R == 1 ? "" : "s", pair);
	rec->footer = footer;
}

static int rows(struct report *r, const struct record *rec, const struct board *b,
		const struct numbers *sizes)
{
	int err = ST_OK;

	for (size_t i = 0; i < sizes->n && !err; i++) {
		double pair = board_pair_bandwidth(b, sizes->v[i]), card = pair * (double)b->R;
		struct row row = { 0 };

		row_set(&row, rec, COL_SIZE, val_uint(sizes->v[i]));
		row_set(&row, rec, COL_MODEL_TIME, val_real(board_time(b, sizes->v[i])));
		row_set(&row, rec, COL_MODEL_PAIR, val_real(pair));
		row_set(&row, rec, COL_MODEL_CARD, val_real(card));
		row_set(&row, rec, COL_MODEL_BANDWIDTH, val_real(card * (double)opts.cards));
		err = report_row(r, rec, &row);
	}
	return err;
}

/* The environment as for a measurement, and the board. */
static json_t *describe(const struct board *b)
{
	json_t *env = env_collect();

	json_object_set_new(env, "board",
			    json_pack("{s:s, s:s, s:I, s:I, s:f, s:f, s:I, s:f, s:I, s:b}", "name", b->name,
				      "source", b->summary, "c", (json_int_t)b->c, "w_B",
				      (json_int_t)b->w, "f_Hz", b->f, "lat_s", b->lat, "R",
				      (json_int_t)b->R, "line_rate_bps", b->line_rate, "payload_B",
				      (json_int_t)b->payload, "serial", b->serial));
	return env;
}

static int write_report(const struct board *b, const struct numbers *sizes)
{
	struct opt_table tables[] = { { "options", options, &opts } };
	char title[256], footer[256];
	struct record rec = {
		.command = "model", .definition = "model.channel.v1", .title = title, .computed = true,
		.cols = cols, .ncols = sizeof(cols) / sizeof(cols[0]), .options = opts_dump(tables, 1),
		.environment = describe(b), .summary = json_object(), .warnings = json_array(),
		.status = "complete",
	};
	struct report *r = NULL;
	int err;

	snprintf(title, sizeof(title), "netbench %s model: board %s%s, %llu card%s", NETBENCH_VERSION,
		 b->name, b->serial ? ", serial" : "", (unsigned long long)opts.cards,
		 opts.cards == 1 ? "" : "s");
	summary(&rec, b, sizes, footer, sizeof(footer));
	err = report_open(&r, (enum format)output_opts.format, output_opts.outputs.v,
			  output_opts.outputs.n);
	err = err ? err : report_begin(r, &rec);
	err = err ? err : rows(r, &rec, b, sizes);
	err = err ? err : report_end(r, &rec);
	if (report_close(r) && !err)
		err = ST_FAILED;
	json_decref(rec.options);
	json_decref(rec.environment);
	json_decref(rec.summary);
	json_decref(rec.warnings);
	return err;
}

static int run(int n, char **operands)
{
	struct numbers sizes;
	struct board b;
	int err;

	(void)n;
	(void)operands;
	if (!opts.board)
		return error_usage("option '--board' is missing: which board is to be modelled?");
	err = opts_exclude("sizes", "max-size") || opts_exclude("sizes", "min-size") ? ST_USAGE
										       : board_find(opts.board, &b);
	err = err ? err : plan_sizes(&opts.sizes, opts.min_size, opts.max_size, &sizes);
	if (err)
		return err;
	b.serial |= opts.serial;
	err = write_report(&b, &sizes);
	free(sizes.v);
	return err;
}

const struct command cmd_model = {
	.name = "model",
	.summary = "what a network should reach, by formula",
	.options = options,
	.values = &opts,
	.output = true,
	.run = run,
};
