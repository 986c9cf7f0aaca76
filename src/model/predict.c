/* SPDX-License-Identifier: Apache-2.0 */
#include "model/predict.h"

#include <math.h>
#include <string.h>

#include "model/atlas.h"
#include "model/channel.h"
#include "model/rdma.h"
#include "model/tree.h"
#include "model/schedule/time.h"
#include "base/values.h"

/*
 * Parses the name of a tree, such as "binomial" or "k-ary=3". Returns false if the text names no
 * tree.
 */
static bool read_algorithm(const char *text, enum tree_kind *kind, uint32_t *k)
{
	size_t len = strcspn(text, "=");
	const char *at = text + len + 1;
	uint64_t arity = 2;

	for (int i = 0; tree_names[i]; i++) {
		if (strlen(tree_names[i]) != len || strncmp(tree_names[i], text, len) != 0)
			continue;
		*kind = (enum tree_kind)i;
		if (text[len] &&
		    (scan_whole(&at, false, &arity) || *at || arity < 2 || arity > UINT32_MAX))
			return false;
		*k = (uint32_t)arity;
		return !text[len] == (i != TREE_KARY && i != TREE_KNOMIAL);
	}
	return false;
}

/*
 * Returns the predicted time of benchmark 1.6: a multicast along the tree that o->algorithm names.
 */
static double predict_multicast(const struct observation *o, const struct loggp *p)
{
	double A = loggp_one_way(p, o->size), m = loggp_send_interval(p, o->size), t;
	enum tree_kind kind;
	uint32_t k;

	if (!read_algorithm(o->algorithm, &kind, &k) || !o->ranks)
		return NAN;
	t = tree_span(kind, k, (uint32_t)o->ranks, A, m);
	return t < 0 ? NAN : t;
}

/*
 * Returns the mean time of `loops` iterations that follow each other. The first iteration takes its
 * full time, the others follow at the pace.
 */
static double predict_rounds(const struct observation *o, const struct loggp *p)
{
	uint64_t n = o->loops * o->window;
	double loops = (double)o->loops, w = (double)o->window, once;
	struct atlas_prediction found;

	if (!strcmp(o->benchmark, "1.1"))
		return loggp_pingpong(p, o->size, o->loops) / (2 * loops);
	if (!strcmp(o->benchmark, "1.4"))
		return loggp_stream(p, o->size, n) / (double)n;
	if (!strcmp(o->benchmark, "1.2")) {
		once = loggp_exchange(p, o->size, o->window);
		return (once + (loops - 1) * fmax(once, w * loggp_gamma(p, o->size))) / (loops * w);
	}
	if (atlas_predict(o->benchmark, p, o->size, (uint32_t)o->ranks, &found))
		return NAN;
	return (found.event + (loops - 1) / found.frequency) / loops;
}

static double predict_atlas(const struct observation *o, const struct loggp *p)
{
	const struct atlas_roles roles = { { o->sources, o->stages, o->destinations }, 1,
					   o->credits, o->occupation };

	if (!strcmp(o->benchmark, "1.6"))
		return predict_multicast(o, p);
	if (*o->benchmark == '2')
		return 1 / atlas_frequency(o->benchmark, p, o->size, &roles);
	return predict_rounds(o, p);
}

/*
 * Returns the time of a collective operation, s. Returns NaN if it is not netbench's own. Also
 * returns NaN if a fit has made L negative, because the order of messages is then not defined.
 */
static double predict_collective(const struct observation *o, const struct loggp *p)
{
	struct shape a = { .P = (uint32_t)o->ranks, .k = o->size, .segment = o->segment,
			   .root = o->root };
	double time;

	if (!o->operation || !a.P || p->L < 0)
		return NAN;
	time = schedule_seconds(o->operation, &a, p, o->sum_s_per_B);
	return time < 0 ? NAN : time;
}

double predict_loggp(const struct observation *o, const void *model)
{
	const struct loggp *p = model;
	double loops = (double)o->loops, W = (double)o->window;

	if (o->read)
		return NAN;
	switch (o->what) {
	case OBSERVED_LATENCY:
		return loggp_pingpong(p, o->size, o->loops) / (2 * loops);
	case OBSERVED_GAP:
		return loggp_interval(p, o->size);
	case OBSERVED_WINDOW:
		return loggp_windows(p, o->size, o->window, o->loops, o->both) / (loops * W);
	case OBSERVED_ACKED:
		return loggp_sliding_time(p, o->size, o->window, o->loops) / (loops * W);
	case OBSERVED_RING:
		return loggp_exchange(p, o->size, 2);
	case OBSERVED_COMPLETED:
		return NAN;
	case OBSERVED_COLLECTIVE:
		return predict_collective(o, p);
	default:
		return predict_atlas(o, p);
	}
}

double predict_rdma(const struct observation *o, const void *model)
{
	const struct rdma *p = model;
	double last = rdma_latency(p, (double)o->size);
	struct rdma_rate free;

	if (o->read != p->read)
		return NAN;
	if (o->what == OBSERVED_LATENCY)
		return last;
	if ((o->what != OBSERVED_WINDOW && o->what != OBSERVED_COMPLETED) || o->both ||
	    !o->batch || o->batch > o->window)
		return NAN;
	if (o->what == OBSERVED_COMPLETED)
		return 1 / rdma_rate(p, (double)o->size, o->window, o->batch).rate;
	/* the pace with a window so large that it never limits the rate */
	free = rdma_rate(p, (double)o->size, UINT64_MAX / 2, o->batch);
	if (!p->read)
		last += rdma_latency(p, 1);	/* the reply */
	return ((double)(o->window - 1) / free.rate + last) / (double)o->window;
}

/* Returns the time for which messages keep a channel busy. It doubles on a serial board. */
static double busy_time(const struct board *b, double messages, uint64_t size)
{
	return messages * board_busy(b, size) * (b->serial ? 2 : 1);
}

double predict_board(const struct observation *o, const void *model)
{
	const struct board *b = model;
	double lat = b->lat * (b->serial ? 2 : 1), W = (double)o->window;

	if (b->serial && (o->what == OBSERVED_GAP || o->what == OBSERVED_WINDOW))
		return NAN;
	switch (o->what) {
	case OBSERVED_LATENCY:
		return board_time(b, o->size);
	case OBSERVED_GAP:
		return busy_time(b, 1, o->size);
	case OBSERVED_WINDOW:
		return (busy_time(b, W, o->size) + busy_time(b, 1, 1) + 2 * lat) / W;
	case OBSERVED_RING:
		return busy_time(b, b->R > 1 ? 1 : 2, o->size) + lat;
	default:	/* benchmarks between two neighbours */
		return !strcmp(o->benchmark, "1.1") || !strcmp(o->benchmark, "1.2")
		       ? (busy_time(b, W, o->size) + lat) / W : NAN;
	}
}

double predict_by_size(const struct observation *o, const void *model)
{
	const struct loggp *p = loggp_for_size(model, o->size);

	return loggp_missing(p) ? NAN : predict_loggp(o, p);
}
