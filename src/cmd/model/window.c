/* SPDX-License-Identifier: Apache-2.0 */
/* LogGP: message rate and bandwidth by the window, answered as a whole or sliding. */
#include <math.h>
#include <stdlib.h>

#include "cmd/model/model.h"
#include "base/error.h"
#include "model/loggp.h"

static const uint64_t usual_sizes[] = { 8, 1024, 65536 };

/* What --ack says of msgrate and bandwidth, as far as LogGP knows it. */
const char *const model_acks[] = { "reply", "each", NULL };
enum { REPLY, EACH };

static const enum column_id cols[] = {
	COL_ACK, COL_WINDOW, COL_SIZE, COL_MODEL_RATE, COL_MODEL_BANDWIDTH, COL_BINDING,
	COL_MODEL_RTT, COL_KNEE,
};

static const enum column_id spare[] = { COL_KNEE, COL_MODEL_RTT };

static const char *const heads[] = { NULL, NULL, NULL, NULL, "B/s", NULL, NULL, NULL };
_Static_assert(sizeof(heads) / sizeof(heads[0]) == sizeof(cols) / sizeof(cols[0]),
	       "a heading a column");

struct window_report {
	const struct model_options *o;
	struct loggp p;
	struct numbers sizes;
};

/* Messages a second of many windows that each end with a reply (METHODS 1.1; eq. 68). */
static double replied_rate(const struct loggp *p, uint64_t k, uint64_t W)
{
	double more = loggp_windows(p, k, W, 2, false) - loggp_windows(p, k, W, 1, false);

	return (double)W / more;
}

/* Sizes are outermost, then what acknowledges; a curve's windows stand together. */
static void fill(const void *arg, size_t i, const struct record *rec, struct row *row)
{
	const struct window_report *r = arg;
	const struct numbers *windows = &r->o->windows, *acks = &r->o->acks;
	uint64_t W = windows->v[i % windows->n], ack = acks->v[i / windows->n % acks->n];
	uint64_t k = r->sizes.v[i / windows->n / acks->n];
	struct loggp_sliding s = loggp_sliding(&r->p, k, W);
	double rate = ack == EACH ? s.rate : replied_rate(&r->p, k, W);

	ROW_PUT(row, rec, { COL_ACK, val_text(ack == EACH ? "message" : "reply") },
		{ COL_WINDOW, val_uint(W) }, { COL_SIZE, val_uint(k) },
		{ COL_MODEL_RATE, val_real(rate) });
	if (k)
		row_set(row, rec, COL_MODEL_BANDWIDTH, val_real(rate * (double)k));
	if (ack != EACH)
		return;
	row_set(row, rec, COL_BINDING, val_text(s.bound));
	row_set(row, rec, COL_MODEL_RTT, val_real(s.rtt));
	row_set(row, rec, COL_KNEE, val_real(s.rtt / s.interval));
}

static int run(const struct settings *st)
{
	struct window_report r = { .o = st->own };
	char title[320];
	struct record rec = MODEL_RECORD("model.loggp-window.v1", title, cols);
	int err = model_loggp_given(st, &r.p, title, sizeof(title), &rec.environment);

	if (err || !rec.environment)
		return err;
	rec.heads = heads;
	MODEL_SPARE(&rec, spare);
	err = model_sizes(st, &r.sizes, usual_sizes, sizeof(usual_sizes) / sizeof(usual_sizes[0]));
	if (err)
		json_decref(rec.environment);
	else
		err = model_write(st, &rec, r.sizes.n * r.o->acks.n * r.o->windows.n, fill, &r);
	free(r.sizes.v);
	return err;
}

const struct mode model_loggp_window = {
	.by = { "loggp", "like", .with = "window", .bit = MODEL_LOGGP_WINDOW },
	.run = run,
};
