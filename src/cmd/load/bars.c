/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/load/bars.h"

#include <math.h>
#include <stdlib.h>

#include "analyse/load.h"
#include "base/error.h"
#include "base/values.h"
#include "measure/session.h"
#include "measure/sink/histogram.h"

#define UNIT_S 1e-12	/* histograms have whole picoseconds */
#define CHUNK (JOB_GATHER_MAX / sizeof(struct bar))	/* bars that ranks send at once */

/* A bucket of the histogram of an epoch. */
struct bar {
	double value, count;
	uint64_t epoch;
};

struct bars {
	struct bar *v;
	size_t n;
	uint64_t epoch;		/* epoch of the next bar */
	bool failed;		/* out of memory */
};

static void add_bar(void *to, uint64_t value, uint64_t count)
{
	struct bars *b = to;
	struct bar *more = list_grow(b->v, b->n, sizeof(*more));

	b->failed |= !more;
	if (!more)
		return;
	b->v = more;
	b->v[b->n++] = (struct bar){ (double)value * UNIT_S, (double)count, b->epoch };
}

json_t *bars_gather(struct session *s, int of, const struct epochs *e)
{
	bool mine = s->job->rank == of, root = session_is_root(s);
	struct hist *h = mine ? hist_new() : NULL;
	json_t *all = root ? json_array() : NULL;
	struct bar chunk[CHUNK] = { { .epoch = 0 } };
	struct bars b = { .failed = mine && !h };
	const struct bars *whole;
	uint64_t n;

	for (; h && b.epoch < e->n; b.epoch++) {
		hist_clear(h);
		for (size_t i = b.epoch ? e->end[b.epoch - 1] : 0; i < e->end[b.epoch]; i++)
			hist_add(h, (uint64_t)fmax(0, round(e->events.s[i] / UNIT_S)));
		hist_for_each(h, add_bar, &b);
	}
	free(h);
	if (b.failed)
		session_abort(s, error_report("no memory for the histograms of a row"));
	whole = session_gather(s, &b, sizeof(b));
	n = root ? whole[of].n : 0;
	for (uint64_t i = 0; root && i < whole[of].epoch; i++)
		json_array_append_new(all, json_array());
	session_bcast(s, &n, sizeof(n));
	for (uint64_t first = 0; first < n; first += CHUNK) {
		const struct bar *got;
		size_t some = n - first < CHUNK ? (size_t)(n - first) : CHUNK;

		for (size_t i = 0; i < some && mine; i++)
			chunk[i] = b.v[first + i];
		got = session_gather(s, chunk, some * sizeof(*chunk));
		for (size_t i = (size_t)of * some; root && i < ((size_t)of + 1) * some; i++)
			json_array_append_new(json_array_get(all, got[i].epoch),
					      json_pack("[f, I]", got[i].value,
							(json_int_t)got[i].count));
	}
	free(b.v);
	return all;
}
