/* SPDX-License-Identifier: Apache-2.0 */
/* Reads requirements from text, files and earlier results, and judges them. */
#include "analyse/require.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/stats.h"
#include "base/text.h"
#include "base/values.h"
#include "model/schedule/operation.h"
#include "result/columns.h"
#include "result/document.h"
#include "result/ended.h"
#include "result/reader.h"
#include "result/row.h"

const char *const judgement_names[] = { "pass", "fail", "unclear" };
const enum verdict judgement_verdicts[] = { VERDICT_NO, VERDICT_YES, VERDICT_CANNOT_TELL };

#define NUMERAL_OF(n) #n
#define NUMERAL(n) NUMERAL_OF(n)

/*
 * The quantities that can be required: benchmark, name and unit. The benchmark of a collective
 * operation is the name of the operation.
 */
#define ANY_OPERATION "OPERATION"
static const struct {
	const char *benchmark, *name, *unit;
} quantities[] = {
	{ "latency", "half_rtt_epoch_s", "s" },	   { "latency", "half_rtt_p50_s", "s" },
	{ "latency", "half_rtt_p99_s", "s" },	   { "msgrate", "rate_msgps", "msg/s" },
	{ "bandwidth", "bandwidth_Bps", "B/s" },   { "both-ways", "bandwidth_Bps", "B/s" },
	{ ANY_OPERATION, "collective_s", "s" },	   { ANY_OPERATION, "behind_barrier_s", "s" },
	{ "beff", "b_eff_Bps", "B/s" },	/* a member of the summary, not a column */
};
#define OF_ROWS (LENGTH(quantities) - 1)

/* ---- measured numbers ---- */

int figures_add(struct figures *all, const struct figure *f)
{
	struct figure *at = list_grow(all->at, all->n, sizeof(*at));

	if (!at)
		return error_report("no memory for %zu numbers", all->n + 1);
	all->at = at;
	at[all->n++] = *f;
	return ST_OK;
}

const struct figure *find_figure(const struct figures *all, const char *benchmark,
				   const char *name, const uint64_t *size)
{
	for (size_t i = 0; i < all->n; i++)
		if (!strcmp(all->at[i].benchmark, benchmark) && !strcmp(all->at[i].name, name) &&
		    (!size || all->at[i].size == *size))
			return &all->at[i];
	return NULL;
}

/* Returns the benchmark of a row. In results of check each row names its benchmark. */
static const char *row_benchmark(const json_t *doc, const json_t *row)
{
	const char *command = document_command(doc);

	if (!strcmp(command, "check"))
		return row_text(row, COL_BENCHMARK);
	if (!strcmp(command, "collective"))
		return row_text(row, COL_OPERATION);
	if (!strcmp(command, "bandwidth") && json_is_true(result_at(doc, "options.bidirectional")))
		return "both-ways";
	return command;
}

/* Returns whether a quantity is one of this benchmark. */
static bool is_quantity_of(size_t q, const char *benchmark)
{
	if (strcmp(quantities[q].benchmark, ANY_OPERATION) != 0)
		return !strcmp(quantities[q].benchmark, benchmark);
	for (size_t i = 0; operation_names[i]; i++)
		if (!strcmp(operation_names[i], benchmark))
			return true;
	return false;
}

/* Returns a whole number in a row; `otherwise` if the row has none. */
static uint64_t read_whole(const json_t *row, const char *column, uint64_t otherwise)
{
	double v = result_number(row, column);

	return v >= 0 && v < 0x1p63 ? (uint64_t)v : otherwise;
}

/* Adds a quantity of a row, or of the summary, if it has a value. */
static int read_figure(struct figures *all, const char *benchmark, const json_t *of, size_t q,
		       bool exact)
{
	const char *algorithm = result_text(of, "algorithm");
	const char *stop = result_text(of, "stop");
	bool over = !strcmp(stop, stop_names[STOP_SLOW]) ||
		    !strcmp(stop, stop_names[STOP_TIME_LIMIT]);
	/* the time limit may come before there are enough repetitions for an interval */
	bool few = over && result_number(of, "repetitions") < FEWEST_REPETITIONS;
	struct figure f = { benchmark, quantities[q].name, quantities[q].unit,
			     read_whole(of, "size_B", 0), read_whole(of, "window", 1),
			     result_number(of, quantities[q].name),
			     result_part(of, quantities[q].name, "lo"),
			     result_part(of, quantities[q].name, "hi"), few, exact, NULL, 0 };

	if (*algorithm) {
		f.algorithm = algorithm;
		f.ranks = read_whole(of, "ranks", 0);
	}
	return isfinite(f.value) ? figures_add(all, &f) : ST_OK;
}

int figures_read(struct figures *all, const json_t *doc)
{
	bool exact = result_is_computed(doc);
	int err = ST_OK;
	json_t *row;
	size_t i;

	json_array_foreach(document_rows(doc), i, row)
		for (size_t q = 0; q < OF_ROWS && !err; q++)
			if (is_quantity_of(q, row_benchmark(doc, row)))
				err = read_figure(all, row_benchmark(doc, row), row, q, exact);
	for (size_t q = OF_ROWS; q < LENGTH(quantities) && !err; q++)
		err = read_figure(all, quantities[q].benchmark, document_summary(doc), q, exact);
	return err;
}

/* ---- a requirement's text ---- */

/* Returns the unit of the required quantity; NULL if no quantity has this name. */
static const char *quantity_unit(const struct requirement *r)
{
	for (size_t i = 0; i < LENGTH(quantities); i++)
		if (is_quantity_of(i, r->benchmark) && !strcmp(quantities[i].name, r->name))
			return quantities[i].unit;
	return NULL;
}

/* Parses a condition of a requirement, such as "size=8". Returns false if it is malformed. */
static bool parse_condition(struct requirement *r, const char *word)
{
	const char *at = strchr(word, '=');
	size_t name = at ? (size_t)(at++ - word) : 0;
	bool size = name == 4 && !strncmp(word, "size", name);
	bool window = name == 6 && !strncmp(word, "window", name);
	bool ranks = name == 5 && !strncmp(word, "ranks", name);

	if (name == 9 && !strncmp(word, "algorithm", name)) {
		snprintf(r->algorithm, sizeof(r->algorithm), "%s", at);
		return *at && strlen(at) < sizeof(r->algorithm);
	}
	r->of_size |= size;
	r->of_window |= window;
	return (size || window || ranks) &&
	       scan_whole(&at, size, size ? &r->size : window ? &r->window : &r->ranks) == V_OK &&
	       !*at && (!ranks || r->ranks);
}

/* Parses the part before the operator: a quantity, then conditions. */
static int parse_subject(struct requirement *r, const char *read_whole, char *subject)
{
	char *rest = subject, *word = strsep(&rest, " \t"), *dot = strchr(word, '.');
	struct text names = { .n = 0 };

	snprintf(r->benchmark, sizeof(r->benchmark), "%.*s", dot ? (int)(dot - word) : 0, word);
	snprintf(r->name, sizeof(r->name), "%s", column_new_name(dot ? dot + 1 : ""));
	for (size_t i = 0; i < LENGTH(quantities); i++)
		text_add(&names, "%s%s.%s", i ? ", " : "", quantities[i].benchmark,
			 quantities[i].name);
	if (!quantity_unit(r))
		return error_usage("unknown quantity '%s' in '--require %s': expected one of %s",
				   word, read_whole, names.s);
	while ((word = strsep(&rest, " \t")))
		if (*word && !parse_condition(r, word))
			return error_usage("'%s' in '--require %s': expected size=BYTES or "
					   "window=COUNT, or for a collective operation "
					   "algorithm=NAME or ranks=COUNT", word, read_whole);
	return ST_OK;
}

/* Parses the text of a requirement. Returns ST_OK or ST_USAGE (reported). */
static int parse_requirement(const char *text, struct requirement *r)
{
	char subject[sizeof(r->text)];
	const char *op = text + strcspn(text, "<>="), *value;

	while (*op == '=' && op[1] != '=')	/* skip the '=' of a condition */
		op += 1 + strcspn(op + 1, "<>=");
	*r = (struct requirement){ .most = *op == '<' };
	value = op + strspn(op, "<>=");
	value += strspn(value, " \t");
	if (strlen(text) >= sizeof(r->text) || (*op != '<' && *op != '>') ||
	    (op[1] == '=' && strchr("<>=", op[2]) && op[2]))
		return error_usage("'--require %s': expected a quantity, '<=' or '>=' and a value, "
				   "as in 'latency.half_rtt_p50_s size=8 <= 2us'", text);
	snprintf(r->text, sizeof(r->text), "%s", text);
	snprintf(subject, sizeof(subject), "%.*s", (int)(op - text), text);
	if (parse_subject(r, text, subject))
		return ST_USAGE;
	if ((!isdigit((unsigned char)*value) && *value != '.') ||
	    !parse_si(value, quantity_unit(r), &r->limit))
		return error_usage("'%s' in '--require %s': expected a number in %s, as in '%s'",
				   value, text, quantity_unit(r),
				   strcmp(quantity_unit(r), "s") ? "10G" : "2us");
	return ST_OK;
}

/* Appends a requirement. */
static void add_requirement(struct requirements *all, const struct requirement *r)
{
	all->at = memory_grow(all->at, all->n, sizeof(*all->at));
	all->at[all->n++] = *r;
}

/* Adds the requirement that a text states. */
static int add_text(struct requirements *all, const char *text)
{
	struct requirement r;

	if (parse_requirement(text, &r))
		return ST_USAGE;
	add_requirement(all, &r);
	return ST_OK;
}

/* ---- files ---- */

/* Adds one requirement for each line. Ignores comments after '#'. */
static int add_requirement_lines(struct requirements *all, const char *path, FILE *f)
{
	char *line = NULL;
	size_t room = 0, before = all->n;
	int err = ST_OK;

	while (!err && getline(&line, &room, f) > 0) {
		char *from = line + strspn(line, " \t");
		size_t len = strcspn(from, "#\n");

		while (len && isspace((unsigned char)from[len - 1]))
			len--;
		from[len] = '\0';
		err = len ? add_text(all, from) : ST_OK;
	}
	free(line);
	if (!err && all->n == before)
		err = error_usage("file '%s' of '--require' has no requirement", path);
	return err;
}

/*
 * Adds the requirement that a figure is at most `tolerance` worse than in an earlier result. The
 * reference is the worse bound of the earlier interval, or the earlier value if there is no
 * interval.
 */
static void add_earlier_figure(struct requirements *all, const char *path, const struct figure *f,
			       double tolerance)
{
	struct requirement r = { .most = !strcmp(f->unit, "s"), .of_size = f->size,
				 .size = f->size, .ranks = f->algorithm ? f->ranks : 0 };
	double bound = r.most ? f->hi : f->lo, value = isfinite(bound) ? bound : f->value;
	char size[32] = "", how[64] = "";

	if (r.of_size)
		snprintf(size, sizeof(size), " size=%llu", (unsigned long long)r.size);
	/* a collective operation is compared with the same algorithm of as many ranks */
	if (f->algorithm) {
		snprintf(r.algorithm, sizeof(r.algorithm), "%s", f->algorithm);
		snprintf(how, sizeof(how), " algorithm=%s ranks=%llu", r.algorithm,
			 (unsigned long long)r.ranks);
	}
	r.limit = r.most ? value * (1 + tolerance) : value / (1 + tolerance);
	snprintf(r.benchmark, sizeof(r.benchmark), "%s", f->benchmark);
	snprintf(r.name, sizeof(r.name), "%s", f->name);
	snprintf(r.text, sizeof(r.text), "%s.%s%s%s as in '%.40s', at most %g %% worse",
		 r.benchmark, r.name, size, how, path, 100 * tolerance);
	add_requirement(all, &r);
}

/* Adds the requirements from an earlier result of check. */
static int add_earlier_result(struct requirements *all, const char *path, double tolerance)
{
	struct figures before = { .n = 0 };
	json_t *doc;
	int err = result_read(path, &doc);

	if (err)
		return err;
	if (strcmp(document_command(doc), "check") != 0)
		err = error_usage("'%s' of '--require' is a result of '%s': expected a result of "
				  "'check'; 'netbench compare' compares results of '%s'", path,
				  document_command(doc), document_command(doc));
	if (!err)
		err = figures_read(&before, doc);
	for (size_t i = 0; i < before.n && !err; i++)
		add_earlier_figure(all, path, &before.at[i], tolerance);
	free(before.at);
	json_decref(doc);
	return err;
}

int requirements_read(struct requirements *all, const char *value, double tolerance)
{
	const char *why;
	FILE *f;
	int first, err;

	if (strpbrk(value, "<>"))
		return add_text(all, value);
	f = file_open(value, &why);
	if (!f)
		return error_usage("cannot read file '%s' of '--require': %s; a requirement has "
				   "'<=' or '>='", value, why);
	first = getc(f);
	rewind(f);
	err = first == '{' ? add_earlier_result(all, value, tolerance)
			   : add_requirement_lines(all, value, f);
	fclose(f);
	return err;
}

/* ---- judging ---- */

/* True if a figure has an interval. */
static bool is_bounded(const struct figure *f)
{
	return isfinite(f->lo) && isfinite(f->hi);
}

enum judgement judge_figure(const struct figure *f, double limit, bool most)
{
	double worst = most ? f->hi : f->lo, best = most ? f->lo : f->hi;

	if (f->few || !(is_bounded(f) || f->exact))
		return JUDGED_UNCLEAR;
	if (!is_bounded(f))
		worst = best = f->value;
	if (most ? worst <= limit : worst >= limit)
		return JUDGED_PASS;
	return (most ? best > limit : best < limit) ? JUDGED_FAIL : JUDGED_UNCLEAR;
}

/* Returns whether a requirement is about a figure. */
static bool requires_figure(const struct requirement *r, const struct figure *f)
{
	return !strcmp(r->benchmark, f->benchmark) && !strcmp(r->name, f->name) &&
	       (!r->of_size || r->size == f->size) && (!r->of_window || r->window == f->window) &&
	       (!*r->algorithm || (f->algorithm && !strcmp(r->algorithm, f->algorithm))) &&
	       (!r->ranks || r->ranks == f->ranks);
}

void requirements_judge(struct requirements *all, const struct figures *found)
{
	/* the first figure that fails decides; if none fails, the first that is unclear */
	static const int weight[NJUDGEMENTS] = { [JUDGED_PASS] = 1, [JUDGED_UNCLEAR] = 2,
						 [JUDGED_FAIL] = 3 };

	for (size_t k = 0; k < all->n; k++) {
		struct requirement *r = &all->at[k];
		int most = 0;

		r->judged = JUDGED_UNCLEAR;
		r->by = NULL;
		for (size_t i = 0; i < found->n; i++) {
			const struct figure *f = &found->at[i];
			enum judgement j;

			if (!requires_figure(r, f))
				continue;
			j = judge_figure(f, r->limit, r->most);
			if (weight[j] <= most)
				continue;
			most = weight[j];
			r->judged = j;
			r->by = f;
		}
	}
}

const char *reason_unclear(enum judgement judged, const struct figure *f)
{
	static const char few[] = "of fewer than " NUMERAL(FEWEST_REPETITIONS) " repetitions";

	if (judged != JUDGED_UNCLEAR)
		return "";
	if (!f)
		return "not measured";
	return f->few		? few
	       : is_bounded(f) ? "the limit lies within the interval"
			       : "it has no interval";
}

/* A figure without a value, for requirements for which nothing was measured. */
static const struct figure none = { .value = NAN, .lo = NAN, .hi = NAN };

/* Returns by how much a value is worse than the limit, relative to the limit; negative: better. */
static double relative_excess(const struct requirement *r, double v)
{
	return r->most ? v / r->limit - 1 : r->limit / v - 1;
}

void requirements_findings(const struct requirements *all, struct findings *found)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct requirement *r = &all->at[i];
		const struct figure *f = r->by ? r->by : &none;

		findings_add(found, &(struct finding){
			.kind = "unmet", .subject = r->text, .quantity = r->name,
			.effect = relative_excess(r, f->value),
			.lo = relative_excess(r, r->most ? f->lo : f->hi),
			.hi = relative_excess(r, r->most ? f->hi : f->lo),
			.verdict = judgement_verdicts[r->judged], .decides = true,
			.why = reason_unclear(r->judged, r->by), .of = i,
			.evidence = json_pack("{s:f, s:o, s:s}", "limit", r->limit, "value",
					      real_or_null(f->value), "unit", quantity_unit(r)) });
	}
}

int requirements_status(const struct findings *found)
{
	size_t count[NVERDICTS] = { 0 }, all;

	findings_count(found, count);
	all = count[VERDICT_YES] + count[VERDICT_NO] + count[VERDICT_CANNOT_TELL];
	if (count[VERDICT_YES])
		error_report("%zu of %zu requirement%s not met", count[VERDICT_YES], all,
			     all == 1 ? " is" : "s are");
	else if (count[VERDICT_CANNOT_TELL])
		error_no_verdict("%zu of %zu requirement%s cannot be judged",
				 count[VERDICT_CANNOT_TELL], all, all == 1 ? "" : "s");
	return findings_status(found);
}

json_t *requirements_json(const struct requirements *all)
{
	json_t *list = json_array();

	for (size_t i = 0; i < all->n; i++) {
		const struct requirement *r = &all->at[i];
		const struct figure *f = r->by ? r->by : &none;

		json_array_append_new(list, json_pack("{s:s, s:s, s:f, s:s, s:o, s:o, s:o}",
						      "text", r->text, "verdict",
						      judgement_names[r->judged], "limit", r->limit,
						      "unit", quantity_unit(r), "value",
						      real_or_null(f->value), "lo",
						      real_or_null(f->lo), "hi",
						      real_or_null(f->hi)));
	}
	return list;
}
