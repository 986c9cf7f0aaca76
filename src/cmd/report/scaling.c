/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results for 100 and 1000 ranks: simulated rows, and closed forms with parameters fitted to a
 * measurement.
 */
#include <math.h>
#include <string.h>

#include "cmd/report/report.h"
#include "model/parameters.h"
#include "model/atlas.h"
#include "result/row.h"
#include "base/values.h"

/* Farms of whole pipelines use a few ranks less than there are. */
#define MANY_RANKS 90

/* The formulas do not hold for more. */
#define MOST_RANKS 1e6

static const uint32_t asked[] = { 100, 1000 };

static double ranks_of(const json_t *row, const json_t *doc)
{
	const json_t *ranks = json_object_get(row, "ranks");

	return json_number_value(ranks ? ranks : result_at(doc, "environment.nranks"));
}

static bool is_large(const json_t *row, const void *doc)
{
	return ranks_of(row, doc) >= MANY_RANKS;
}

static void put_simulated(FILE *to, size_t number, const json_t *doc, enum rate_unit rates,
			  json_t *used)
{
	static const char *const names[] = {
		"benchmark", "ranks", "algorithm", "peers", "window", "load", "sources", "stages",
		"destinations", "occupation_s", "size_B", "message_s", "event_s", "frequency_Hz",
		"half_rtt_s", "rate_msgps", "bandwidth_Bps", "bandwidth_max_Bps", "t0_s",
		"r_inf_Bps", "n_half_B", "note",
	};
	struct shown_list list = { .rates = rates };

	fprintf(to, "\n### Result %zu, simulated\n\n", number);
	md_fact(to, "network", result_at(doc, "environment.backend.method"), "");
	md_fact(to, "ranks", result_at(doc, "environment.nranks"), "");
	for (size_t i = 0; i < LENGTH(names); i++)
		if (rows_have(json_object_get(doc, "rows"), names[i], is_large, doc))
			shown_add(&list, doc, names[i], NULL, used);
	shown_write(to, &list, json_object_get(doc, "rows"), is_large, doc);
}

/* False if a row has another number than wanted. */
static bool is_if_there(const json_t *row, const char *name, double wanted)
{
	const json_t *v = json_object_get(row, name);

	return !json_is_number(v) || fabs(json_number_value(v) - wanted) < 1e-12;
}

static bool is_text_if_there(const json_t *row, const char *name, const char *wanted)
{
	const json_t *v = json_object_get(row, name);

	return !json_is_string(v) || !strcmp(json_string_value(v), wanted);
}

/* True if a row was measured under the conditions that the closed forms describe. */
static bool is_comparable(const json_t *row)
{
	bool pipeline = !strcmp(result_text(row, "benchmark"), "2.3");

	return is_text_if_there(row, "load", "none") &&
	       is_text_if_there(row, "algorithm", "binomial") && is_if_there(row, "window", 1) &&
	       is_if_there(row, "occupation_s", 0) && is_if_there(row, "destinations", 1) &&
	       (!pipeline || is_if_there(row, "sources", 4)) &&
	       json_is_number(json_object_get(row, "frequency_Hz"));
}

static bool is_same_point(const json_t *a, const json_t *b)
{
	return !strcmp(result_text(a, "benchmark"), result_text(b, "benchmark")) &&
	       json_equal(json_object_get(a, "size_B"), json_object_get(b, "size_B"));
}

/* True for the comparable row with most ranks of its benchmark and size, the first of several. */
static bool is_largest(const json_t *rows, size_t at)
{
	const json_t *row = json_array_get(rows, at);
	json_t *other;
	size_t i;

	json_array_foreach(rows, i, other) {
		double more = ranks_of(other, NULL) - ranks_of(row, NULL);

		if (i != at && is_same_point(row, other) && is_comparable(other) &&
		    (more > 0 || (!(more < 0) && i < at)))
			return false;
	}
	return is_comparable(row);
}

static void put_prediction(FILE *to, const struct loggp *p, const json_t *row, uint32_t ranks)
{
	uint64_t k = (uint64_t)json_integer_value(json_object_get(row, "size_B"));
	struct atlas_prediction found;
	char buf[2][32];

	if (atlas_predict(result_text(row, "benchmark"), p, k, ranks, &found))
		fputs(" - | - |", to);
	else
		fprintf(to, " %s | %s |", format_si(buf[0], sizeof(buf[0]), found.event, "s"),
			format_si(buf[1], sizeof(buf[1]), found.frequency, "Hz"));
}

static void put_predicted_row(FILE *to, const struct loggp *p, const json_t *row)
{
	const char *benchmark = result_text(row, "benchmark");
	bool pair = !strcmp(benchmark, "1.1") || !strcmp(benchmark, "1.2");
	double ranks = ranks_of(row, NULL);
	char buf[32];

	md_put(to, "| ", benchmark, "");
	fprintf(to, " | %" JSON_INTEGER_FORMAT " | %.0f | %s |",
		json_integer_value(json_object_get(row, "size_B")), ranks,
		format_si(buf, sizeof(buf), json_number_value(json_object_get(row, "frequency_Hz")),
			  "Hz"));
	put_prediction(to, p, row, ranks > 0 && ranks < MOST_RANKS ? (uint32_t)ranks : 0);
	for (size_t i = 0; i < LENGTH(asked); i++)
		put_prediction(to, p, row, pair ? 0 : asked[i]);
	putc('\n', to);
}

static void put_predicted(FILE *to, size_t number, const json_t *doc, const struct loggp *p)
{
	const json_t *rows = json_object_get(doc, "rows");
	json_t *row;
	size_t i;

	fprintf(to, "\n### Result %zu, by formula\n\nLogGP parameters that were fitted to this "
		"result:\n\n", number);
	md_members(to, "", result_at(doc, "summary.loggp"), NULL);
	fputs("\nThe formulas are those of a network without contention and of ranks that have a "
	      "processor each. Beside\neach is what was measured on the most ranks, and what the "
	      "formula says of as many. An event alone counts\nuntil the last rank is done; the "
	      "frequency is that of events that follow one another. 1.6 goes along a\nbinomial "
	      "tree; 2.1 and 2.2 have one destination, all other ranks but the supervisor are "
	      "sources; 2.3 are\npipelines 4-2-1 side by side; none is occupied. 1.1 and 1.2 have "
	      "two ranks, whatever there are.\n\n| benchmark | MSize | ranks | measured | event "
	      "there | frequency there |", to);
	for (i = 0; i < LENGTH(asked); i++)
		fprintf(to, " event, %u ranks | frequency, %u ranks |", asked[i], asked[i]);
	fputs("\n|---|---:|---:|---:|---:|---:|", to);
	for (i = 0; i < LENGTH(asked); i++)
		fputs("---:|---:|", to);
	putc('\n', to);
	json_array_foreach(rows, i, row)
		if (is_largest(rows, i))
			put_predicted_row(to, p, row);
}

static const char hint[] =
	"\nSimulated rows of so many ranks are had from any result of `atlas-all` that was "
	"measured, whose LogGP parameters\nthey take, and are reported here with it:\n\n      "
	"netbench atlas-all -b sim --like FILE --ranks 100,1000 -o simulated.json\n      netbench "
	"report FILE simulated.json\n";

void report_scaling(FILE *to, const struct document *docs, size_t n, enum rate_unit rates,
		    json_t *used)
{
	bool simulated = false;
	struct loggp p;

	for (size_t i = 0; i < n; i++) {
		const json_t *doc = docs[i].json, *rows = json_object_get(doc, "rows");

		if (result_is_computed(doc) && rows_have(rows, NULL, is_large, doc)) {
			put_simulated(to, i + 1, doc, rates, used);
			simulated = true;
		} else if (!result_is_computed(doc) && parameters_from(doc, &p)) {
			put_predicted(to, i + 1, doc, &p);
		}
	}
	if (!simulated)
		fputs(hint, to);
}
