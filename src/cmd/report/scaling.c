/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The section on 100 and 1000 ranks. It shows simulated rows, and values of closed forms whose
 * parameters were fitted to a measurement.
 */
#include "cmd/report/scaling.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/values.h"
#include "cmd/report/columns.h"
#include "cmd/report/farm_pace.h"
#include "model/atlas.h"
#include "model/parameters.h"
#include "result/document.h"
#include "result/row.h"
#include "show/page/facts.h"

/*
 * A row with at least MANY_RANKS ranks counts as a row of about 100 ranks, because pipelines leave
 * a few ranks unused.
 */
#define MANY_RANKS 90

/* The formulas hold for fewer ranks than MOST_RANKS. */
#define MOST_RANKS 1e6

static const uint32_t scaled_ranks[] = { 100, 1000 };

static double row_ranks(const json_t *row, const json_t *doc)
{
	const json_t *ranks = row_cell(row, COL_RANKS);

	return json_number_value(ranks ? ranks : result_at(doc, "environment.nranks"));
}

static void put_simulated(struct page *to, const struct report *r, size_t at, const json_t *rows)
{
	static const char *const names[] = {
		"benchmark", "ranks", "algorithm", "peers", "window", "load", "sources", "stages",
		"destinations", "credits", "occupation_s", "size_B", "message_s", "event_s",
		"frequency_Hz", "bound",
		"half_rtt_epoch_s", "rate_msgps", "bandwidth_Bps", "bandwidth_max_Bps", "t0_s",
		"r_inf_Bps", "n_half_B", "note",
	};
	const json_t *doc = r->docs[at].json;
	struct table_columns list = { .rates = r->rates };

	page_heading(to, 3, NULL, "Result %zu, simulated", at + 1);
	put_fact(to, "network", result_at(doc, "environment.backend.method"), "");
	put_fact(to, "ranks", result_at(doc, "environment.nranks"), "");
	for (size_t i = 0; i < LENGTH(names); i++)
		if (rows_have(rows, names[i]))
			table_add_column(&list, doc, names[i], NULL, r->used);
	table_write(to, &list, rows);
}

/* Return whether the row's number or text `name` equals `wanted`; true if the row lacks `name`. */
static bool is_number_if_known(const json_t *row, const char *name, double wanted)
{
	double value = result_number(row, name);

	return isnan(value) || fabs(value - wanted) < 1e-12;
}

static bool is_text_if_known(const json_t *row, const char *name, const char *wanted)
{
	const char *text = json_string_value(json_object_get(row, name));

	return !text || !strcmp(text, wanted);
}

/* Returns whether a row was measured under the conditions that the closed forms describe. */
static bool is_comparable(const json_t *row)
{
	bool pipeline = !strcmp(row_text(row, COL_BENCHMARK), "2.3");

	return is_text_if_known(row, "load", "none") &&
	       is_text_if_known(row, "algorithm", "binomial") &&
	       is_number_if_known(row, "window", 1) &&
	       is_number_if_known(row, "occupation_s", 0) &&
	       is_number_if_known(row, "destinations", 1) &&
	       (!pipeline || is_number_if_known(row, "sources", 4)) &&
	       json_is_number(row_cell(row, COL_FREQUENCY));
}

static bool is_same_point(const json_t *a, const json_t *b)
{
	return !strcmp(row_text(a, COL_BENCHMARK), row_text(b, COL_BENCHMARK)) &&
	       json_equal(row_cell(a, COL_SIZE), row_cell(b, COL_SIZE));
}

/*
 * Returns whether a row has the most ranks of all comparable rows of the same benchmark and size.
 * If several rows have the most ranks, only the first one counts.
 */
static bool has_most_ranks(const json_t *rows, size_t at)
{
	const json_t *row = json_array_get(rows, at);
	json_t *other;
	size_t i;

	json_array_foreach(rows, i, other) {
		double more = row_ranks(other, NULL) - row_ranks(row, NULL);

		if (i != at && is_same_point(row, other) && is_comparable(other) &&
		    (more > 0 || (!(more < 0) && i < at)))
			return false;
	}
	return is_comparable(row);
}

static void put_scaled_number(struct page *to, double value, const char *unit)
{
	char buf[32];

	page_number_say(to, value, "%s", format_si(buf, sizeof(buf), value, unit));
}

enum frequency_kind { BY_FORMULA, AT_MOST, SIMULATED };

static void put_frequency(struct page *to, double value, enum frequency_kind kind)
{
	char buf[32];

	page_number_say(to, value, "%s%s%s", kind == AT_MOST ? "at most " : "",
			format_si(buf, sizeof(buf), value, "Hz"),
			kind == SIMULATED ? ", simulated" : "");
}

static void put_whole_number(struct page *to, double value)
{
	if (value >= 0)
		page_number_say(to, value, "%.0f", value);
	else
		page_number_say(to, value, "-");
}

static void put_prediction(struct page *to, const struct loggp *p, const json_t *row,
			   uint32_t ranks)
{
	uint64_t k = (uint64_t)json_integer_value(row_cell(row, COL_SIZE));
	struct atlas_prediction found;

	if (atlas_predict(row_text(row, COL_BENCHMARK), p, k, ranks, &found))
		found = (struct atlas_prediction){ .event = NAN, .frequency = NAN };
	put_scaled_number(to, found.event, "s");
	put_scaled_number(to, found.frequency, "Hz");
}

static void put_predicted(struct page *to, size_t number, const json_t *doc, const struct loggp *p)
{
	const json_t *rows = document_rows(doc);
	json_t *row;
	size_t i;

	page_heading(to, 3, NULL, "Result %zu, by formula", number);
	page_paragraph_say(to, "LogGP parameters that were fitted to this result:");
	put_members(to, 1, result_at(doc, "summary.loggp"), RATE_BYTE);
	page_paragraph_say(to, "The formulas assume a network without contention and a processor "
			       "for each rank. Each line also has the\nmeasurement on the most "
			       "ranks, and the formula for the same number of ranks. A single "
			       "event lasts until\nthe last rank is done; the frequency is for "
			       "consecutive events.  1.6 uses a binomial tree. 2.1 and 2.2 have "
			       "one\ndestination and a supervisor; all other ranks are sources. "
			       "2.3 are pipelines 4-2-1 side by side. No processor\nis occupied. "
			       "1.1 and 1.2 always have two ranks.");
	page_table(to);
	page_column(to, false, "benchmark");
	page_column(to, true, "MSize");
	page_column(to, true, "ranks");
	page_column(to, true, "measured");
	page_column(to, true, "event, same ranks");
	page_column(to, true, "frequency, same ranks");
	for (i = 0; i < LENGTH(scaled_ranks); i++) {
		page_column(to, true, "event, %u ranks", scaled_ranks[i]);
		page_column(to, true, "frequency, %u ranks", scaled_ranks[i]);
	}
	json_array_foreach(rows, i, row) {
		const char *benchmark = row_text(row, COL_BENCHMARK);
		bool pair = !strcmp(benchmark, "1.1") || !strcmp(benchmark, "1.2");
		double ranks = row_ranks(row, NULL);

		if (!has_most_ranks(rows, i))
			continue;
		page_row(to);
		page_cell_say(to, "%s", benchmark);
		put_whole_number(to, json_number_value(row_cell(row, COL_SIZE)));
		put_whole_number(to, ranks);
		put_scaled_number(to, row_number(row, COL_FREQUENCY), "Hz");
		put_prediction(to, p, row, ranks > 0 && ranks < MOST_RANKS ? (uint32_t)ranks : 0);
		for (size_t k = 0; k < LENGTH(scaled_ranks); k++)
			put_prediction(to, p, row, pair ? 0 : scaled_ranks[k]);
	}
}

/* ---- farms with as many destinations as the occupation requires ---- */

/* The frequency that the note requires, "100 kHz triggering". */
#define TRIGGER_HZ 1e5

/* Writes the cells of pipelines like `one`, side by side, with this many sources. */
static void put_pipelines(struct page *to, const struct loggp *p, const struct farm_question *q,
			  const struct atlas_topology *one)
{
	struct atlas_pipeline t = atlas_pipeline(p, q->size, one->sources, one->stages,
						 one->destinations, q->occupation);
	uint64_t lines = q->sources / one->sources, ends = lines * one->destinations;
	const char *bound = t.destination >= t.source ? "destination" : "source";

	if (t.stage >= fmax(t.source, t.destination))
		bound = "stage";
	page_cell_say(to, "%" PRIu64 "-%" PRIu64 "-%" PRIu64, lines * one->sources,
		      lines * one->stages, ends);
	put_frequency(to, atlas_pipeline_frequency(&t, ends), BY_FORMULA);
	page_cell_say(to, "%s", bound);
	put_whole_number(to, NAN);
	put_whole_number(to, NAN);
}

/*
 * Writes the cells of a farm of 2.1 or 2.2. If credits limit the pace, the pace is simulated,
 * because the formula then gives only a bound. If the question has no credits, the farm gets as
 * many as it needs.
 */
static void put_farm(struct page *to, const struct loggp *p, struct farm_question q)
{
	bool push = !strcmp(q.benchmark, "2.1");
	struct atlas_farm f = (push ? atlas_push : atlas_pull)(p, q.size, q.sources, q.occupation);
	double D = atlas_farm_destinations(&f), pace = atlas_farm_frequency(&f, D, 0),
	       frequency = atlas_farm_frequency(&f, D, q.credits), simulated = NAN,
	       credits = q.credits ? (double)q.credits : ceil(f.event * frequency);
	bool limited = frequency < pace * (1 - 1e-9);
	/* eq. 92 ignores that requests of several destinations queue at a source */
	enum frequency_kind kind = limited || (!push && D > 1) ? AT_MOST : BY_FORMULA;

	q.destinations = (uint64_t)D;
	if (limited)
		simulated = simulated_farm_pace(&q);
	if (simulated > 0) {
		frequency = simulated;
		kind = SIMULATED;
	}
	page_cell_say(to, "%" PRIu64 "-%.0f", q.sources, D);
	put_frequency(to, frequency, kind);
	page_cell_say(to, "%s", limited ? "credits" : f.supervisor >= f.source ? "supervisor" :
									     "source");
	put_whole_number(to, credits);
	put_whole_number(to, frequency < TRIGGER_HZ ? NAN :
						      fmax(1, ceil(f.destination * TRIGGER_HZ)));
}

/* Returns whether no earlier row has the same farm, size and occupation. */
static bool is_first_farm(const json_t *rows, size_t at)
{
	const json_t *row = json_array_get(rows, at);
	double occupation = json_number_value(row_cell(row, COL_OCCUPATION));

	if (*row_text(row, COL_BENCHMARK) != '2')
		return false;
	for (size_t i = 0; i < at; i++)
		if (is_same_point(row, json_array_get(rows, i)) &&
		    is_number_if_known(json_array_get(rows, i), "occupation_s", occupation))
			return false;
	return true;
}

/* Writes the heading of the farms of a result, how to read them, and the heads of their table. */
static void begin_farms(struct page *to, size_t number)
{
	page_heading(to, 3, NULL, "Result %zu, farms by formula", number);
	page_paragraph_say(to,
			   "Farms of 100 and 1000 sources, as sources-destinations and "
			   "sources-stages-destinations. 2.1 and 2.2 have\nthe fewest "
			   "destinations that do not limit the frequency at this occupation; "
			   "more do not help. Beside them\nstand the events in progress that "
			   "this frequency needs (`--credits`), and the destinations that are "
			   "enough\nfor 100 kHz. A frequency with \"at most\" is a bound, and "
			   "its destinations are the fewest:\nin 2.2 requests of several "
			   "destinations may queue at a source. Where credits limit a farm,\n"
			   "its frequency is simulated. All hosts are equal: the parameters "
			   "are those of one pair.\n2.3 are the note's pipelines, side by "
			   "side for all sources; the occupation bounds each of them,\nand more "
			   "destinations do not help.");
	page_table(to);
	page_column(to, false, "benchmark");
	page_column(to, true, "MSize");
	page_column(to, true, "occup.");
	for (size_t i = 0; i < LENGTH(scaled_ranks); i++) {
		page_column(to, false, "%u sources", scaled_ranks[i]);
		page_column(to, true, "frequency");
		page_column(to, false, "bound by");
		page_column(to, true, "in progress");
		page_column(to, true, "for 100 kHz");
	}
}

/*
 * Writes a line for each farm, size and occupation. For pipelines, writes one line for each
 * topology of the note.
 */
static void put_farms(struct page *to, size_t number, const struct document *result,
		      const struct loggp *p)
{
	const json_t *rows = document_rows(result->json);
	json_t *row;
	double credits = result_number(document_options(result->json), "credits");
	uint64_t allowed = credits > 0 && credits < MOST_RANKS ? (uint64_t)credits : 0;
	size_t at = 0;

	while (at < json_array_size(rows) && !is_first_farm(rows, at))
		at++;
	if (at == json_array_size(rows))
		return;
	begin_farms(to, number);
	json_array_foreach(rows, at, row) {
		struct farm_question q = {
			.result = result->path,
			.benchmark = row_text(row, COL_BENCHMARK),
			.size = (uint64_t)json_integer_value(row_cell(row, COL_SIZE)),
			.occupation = json_number_value(row_cell(row, COL_OCCUPATION)),
			.credits = allowed,
		};
		bool pipeline = !strcmp(q.benchmark, "2.3");

		if (!is_first_farm(rows, at))
			continue;
		for (size_t t = 0; t < (pipeline ? ATLAS_TOPOLOGIES : 1); t++) {
			page_row(to);
			page_cell_say(to, "%s", q.benchmark);
			put_whole_number(to, (double)q.size);
			put_scaled_number(to, q.occupation, "s");
			for (size_t i = 0; i < LENGTH(scaled_ranks); i++) {
				q.sources = scaled_ranks[i];
				if (pipeline)
					put_pipelines(to, p, &q, &atlas_topologies[t]);
				else
					put_farm(to, p, q);
			}
		}
	}
}

void report_scaling(struct page *to, const struct report *r)
{
	bool simulated = false;
	struct loggp p;

	for (size_t i = 0; i < r->n; i++) {
		const json_t *doc = r->docs[i].json;
		bool computed = result_is_computed(doc);
		json_t *large = json_array(), *row;
		size_t k;

		json_array_foreach(document_rows(doc), k, row)
			if (row_ranks(row, doc) >= MANY_RANKS)
				json_array_append(large, row);
		if (computed && json_array_size(large)) {
			put_simulated(to, r, i, large);
			simulated = true;
		} else if (!computed && parameters_get(doc, &p)) {
			put_predicted(to, i + 1, doc, &p);
			put_farms(to, i + 1, &r->docs[i], &p);
		}
		json_decref(large);
	}
	if (simulated)
		return;
	page_paragraph_say(to, "A simulation of 100 and 1000 ranks takes its LogGP parameters from "
			       "a measured result of `atlas-all`.\nA report of both results shows "
			       "the simulated rows here:");
	page_verbatim_say(to, "netbench atlas-all -b sim --like FILE --ranks 100,1000 "
			      "-o simulated.json");
	page_verbatim_say(to, "netbench atlas-2.1 -b sim --like FILE --sources 100 --destinations "
			      "100,1000 -o farms.json");
	page_verbatim_say(to, "netbench report FILE simulated.json farms.json");
}
