/* SPDX-License-Identifier: Apache-2.0 */
#include "show/chart/heat/heat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/order.h"
#include "base/error.h"
#include "base/values.h"
#include "result/document.h"
#include "result/reader.h"
#include "show/chart/heat/cells.h"
#include "show/chart/heat/map.h"
#include "show/chart/heat/words.h"
#include "show/chart/axes.h"
#include "show/chart/select.h"

/* The columns to draw if the request names none. */
static const char *const usual[HEAT_MAPS] = { "bandwidth_Bps", "half_rtt_epoch_s" };

bool heat_is_wanted(const struct album *a, const struct chart_request *ask)
{
	for (size_t i = 0; i < a->nfiles; i++)
		if (!strcmp(document_command(a->files[i].doc), "map"))
			return !ask->x && ask->kind == KIND_POINTS;
	return false;
}

/* ---- hosts ---- */

static int compare_names(const void *a, const void *b)
{
	return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

/* Lists each host of the selected rows once, in natural order of names: n2 before n10. */
static void list_hosts(struct heat *h, const struct picture *pic)
{
	const struct plot_run *run = &pic->runs[0];
	json_t *row, *number, *numbers = h->numbers = json_object();
	const char *name;
	size_t i;

	json_array_foreach(document_rows(run->doc), i, row) {
		if (!select_accepts(pic, run, row))
			continue;
		json_object_set_new(numbers, row_text(row, COL_SENDER_HOST), json_null());
		json_object_set_new(numbers, row_text(row, COL_RECEIVER_HOST), json_null());
	}
	json_object_del(numbers, "");
	h->names = memory_new(json_object_size(numbers), sizeof(*h->names));
	h->order = memory_new(json_object_size(numbers), sizeof(*h->order));
	json_object_foreach(numbers, name, number)
		h->names[h->n++] = name;
	qsort(h->names, h->n, sizeof(*h->names), compare_names);
	for (i = 0; i < h->n; i++) {
		json_object_set_new(numbers, h->names[i], json_integer((json_int_t)i));
		h->order[i] = i;
	}
}

/* ---- columns ---- */

/*
 * Makes a map for the requested column; without a request, a map for each usual column. Returns
 * ST_OK or an error (reported).
 */
static int choose_maps(struct heat *h, const struct picture *pic)
{
	const struct plot_run *run = &pic->runs[0];
	const char *chosen[HEAT_MAPS] = { pic->ask->column };
	const char *type = chosen[0] ? result_text(result_column(run->doc, chosen[0]), "type") : "";
	size_t n = chosen[0] != NULL, npairs = h->n * h->n;
	int err = ST_OK;

	if (chosen[0] && (!*type || !strcmp(type, "text")))
		return select_report_missing(run, chosen[0]);
	for (size_t i = 0; i < HEAT_MAPS && !pic->ask->column; i++)
		if (select_has_numbers(run->doc, usual[i]))
			chosen[n++] = usual[i];
	if (n > 1 && pic->ask->y_range)
		return error_usage("'--y-range' needs one quantity: choose it with '--column'");
	for (size_t i = 0; i < n && !err; i++) {
		const json_t *about = result_column(run->doc, chosen[i]);
		struct heat_map *m = &h->map[h->nmaps++];

		*m = (struct heat_map){ .of = h, .column = chosen[i], .scale = pic->y };
		m->scale.column = chosen[i];
		m->scale.unit = result_text(about, "unit");
		m->scale.whole = !strcmp(result_text(about, "type"), "integer");
		m->low_is_slow = strcmp(m->scale.unit, "s") != 0;
		m->scale.factor = rate_factor(pic->ask->rates, &m->scale.unit);
		m->y = memory_new(npairs, sizeof(*m->y));
		for (size_t k = 0; k < npairs; k++)
			m->y[k] = NAN;
		err = axes_read_range(&m->scale, "y-range", pic->ask->y_range);
	}
	return err;
}

/* ---- pairs ---- */

static int read_pairs(struct heat *h, const struct picture *pic)
{
	const struct plot_run *run = &pic->runs[0];
	size_t i, n = 0;
	json_t *row;

	h->failed = memory_new(h->n * h->n, sizeof(*h->failed));
	json_array_foreach(document_rows(run->doc), i, row) {
		const json_t *from = json_object_get(h->numbers, row_text(row, COL_SENDER_HOST));
		const json_t *to = json_object_get(h->numbers, row_text(row, COL_RECEIVER_HOST));
		const char *note = row_text(row, COL_NOTE);
		size_t at;

		if (!from || !to || from == to || !select_accepts(pic, run, row))
			continue;
		at = (size_t)json_integer_value(from) * h->n + (size_t)json_integer_value(to);
		for (size_t k = 0; k < h->nmaps; k++) {
			struct heat_map *m = &h->map[k];
			double value = result_number(row, m->column) * m->scale.factor;

			if (!isfinite(value))
				continue;
			m->y[at] = (float)value;
			n++;
		}
		h->failed[at] = *note && strcmp(note, "not measured") != 0;
	}
	if (*run->why)
		return error_usage("nothing to draw of '%s': %s", run->path, run->why);
	return n ? ST_OK : error_usage("nothing to draw of '%s': no pair of hosts has a value",
				       run->path);
}

/* ---- the order ---- */

static int sort_hosts(struct heat *h, enum plot_order by)
{
	const struct heat_map *m = &h->map[0];
	size_t n = h->n * h->n;
	float *slow;	/* logarithm of each pair's slowness; NaN: no value */

	if (by == ORDER_NAME)
		return ST_OK;
	if (by == ORDER_CLUSTER && h->n > ORDER_CLUSTER_MOST)
		return error_usage("'--order cluster' takes up to %d hosts, not %zu",
				   ORDER_CLUSTER_MOST, h->n);
	slow = memory_new(n, sizeof(*slow));
	for (size_t i = 0; i < n; i++) {
		slow[i] = m->y[i] > 0 ? logf(m->y[i]) : NAN;
		slow[i] = m->low_is_slow ? -slow[i] : slow[i];
	}
	(by == ORDER_EFFECT ? order_by_effect : order_by_cluster)(h->order, slow, h->n);
	free(slow);
	return ST_OK;
}

int heat_make(struct picture *pic)
{
	struct heat *h = pic->heat = memory_new(1, sizeof(*h));
	int err;

	if (pic->nfiles > 1)
		return error_usage("a heat map shows one result; '--x' draws several in one plot, "
				   "and netbench compare compares them");
	if (pic->ask->x_range)
		return error_usage("a heat map has no x axis: '--x-range'");
	list_hosts(h, pic);
	err = choose_maps(h, pic);
	if (!err)
		err = read_pairs(h, pic);
	if (!err)
		err = sort_hosts(h, pic->ask->order);
	if (!err)
		cells_make_labels(h);
	return err;
}

void heat_compose(struct chart *c, struct picture *pic)
{
	struct heat *h = pic->heat;
	size_t most = pic->ask->cells_most ? pic->ask->cells_most : 1;

	cells_make(h, (h->n + most - 1) / most, pic->ask->tile);
	for (; c->n < h->nmaps; c->n++) {
		cells_set_scale(&h->map[c->n], h);
		c->panels[c->n] = (struct chart_panel){
			.title = heat_column_words(h->map[c->n].column), .map = &h->map[c->n],
		};
	}
	heat_write_caption(pic);
}

void heat_free(struct heat *h)
{
	if (!h)
		return;
	for (size_t i = 0; i < h->nmaps; i++) {
		free(h->map[i].y);
		free(h->map[i].cell);
	}
	free(h->labels);
	json_decref(h->numbers);
	free(h->failed);
	free(h->order);
	free(h->names);
	free(h);
}
