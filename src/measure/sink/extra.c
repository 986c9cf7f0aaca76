/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/sink/extra.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/values.h"
#include "transport/backend.h"

/* Columns that a narrow table leaves out to make room for a prediction. */
static const enum column_id spare[] = {
	COL_DISTURBANCE, COL_REPETITIONS, COL_HALF_RTT_MEAN, COL_READ_MEAN,
	COL_RATE_LO, COL_RATE_HI,
	COL_BANDWIDTH_LO, COL_BANDWIDTH_HI, COL_STOP, COL_LOOPS,
};

int extra_columns(struct record *rec, const enum column_id *more, size_t nmore, size_t nshown)
{
	size_t table = rec->ntable ? rec->ntable : rec->ncols, n = rec->ncols + nmore;
	enum column_id *cols = calloc(n, sizeof(*cols));
	const char **heads = calloc(n, sizeof(*heads));

	if (!cols || !heads) {
		free(cols);
		free(heads);
		return error_report("no memory for results");
	}
	for (size_t i = 0; i < n; i++) {
		size_t from = i < table ? i : i - nmore;

		if (i >= table && i - table < nmore) {
			cols[i] = more[i - table];
			continue;
		}
		cols[i] = rec->cols[from];
		heads[i] = rec->heads ? rec->heads[from] : NULL;
	}
	rec->cols = cols;
	rec->heads = heads;
	rec->ncols = n;
	rec->ntable = table + nshown;
	rec->nadded = nshown;
	rec->spare = spare;
	rec->nspare = LENGTH(spare);
	return ST_OK;
}

void extra_free(struct record *rec)
{
	free((void *)(uintptr_t)rec->cols);
	free((void *)(uintptr_t)rec->heads);
}

size_t extra_launch_columns(enum column_id more[EXTRA_LAUNCH])
{
	more[0] = COL_LAUNCH_NOTE;
	more[1] = COL_LAUNCH_SHARE;
	return EXTRA_LAUNCH;
}

void extra_launch_cells(const struct record *rec, const struct result *res, double launch_s,
			struct row *row, char note[EXTRA_NOTE])
{
	double share = result_launch_share(res, launch_s);

	snprintf(note, EXTRA_NOTE, "launch %s %%", plain(100 * share, 2).s);
	row_put(row, rec, COL_LAUNCH_SHARE, val_real(share));
	row_put(row, rec, COL_LAUNCH_NOTE, val_text(share > LAUNCH_MOST ? note : ""));
}
