/* SPDX-License-Identifier: Apache-2.0 */
/* Results against one, point by point: the ratio of a measure with an interval, and a verdict. */
#include "cmd/compare/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "base/error.h"
#include "base/text.h"
#include "result/document.h"
#include "result/reader.h"
#include "base/values.h"

struct compare_options {
	const char *measure, *fail_if;
	bool paired;
};

static const struct opt options[] = {
	{ 0, "measure", "column", OPT_TEXT, offsetof(struct compare_options, measure),
	  .help = "what to compare: a column in s, B/s, msg/s, Hz or cycles; by default the "
		  "command's main one" },
	{ 0, "fail-if", "list", OPT_TEXT, offsetof(struct compare_options, fail_if),
	  .help = "exit 1 if a point is found to be so much slower or faster: slower:5%,faster:2 "
		  "(percent, or a "
		  "factor); exit 4 if nothing can be judged" },
	{ 0, "paired", NULL, OPT_FLAG, offsetof(struct compare_options, paired),
	  .help = "results that were taken in turns, A B A B ...: compare each A with the B after "
		  "it" },
	{ 0 },
};

/* ---- the command line ---- */

/* "5%" or "1.05" as a factor of 1 or more; false if it is neither. */
static bool parse_factor(char *text, double *factor)
{
	size_t len = strlen(text);
	bool percent = len && text[len - 1] == '%';

	if (percent)
		text[len - 1] = '\0';
	if (scan_real(text, factor) != V_OK)
		return false;
	if (percent)
		*factor = 1 + *factor / 100;
	return *factor >= 1 && isfinite(*factor);
}

/* One item of the list: "slower:5%". */
static int parse_limit(char *text, struct fail_limits *limits)
{
	char *colon = strchr(text, ':'), whole[64];
	double factor;

	snprintf(whole, sizeof(whole), "%s", text);
	if (colon)
		*colon = '\0';
	for (int f = FASTER; f <= SLOWER; f++) {
		if (strcmp(text, finding_names[f]) != 0)
			continue;
		if (!isnan(limits->factor[f]))
			return error_usage("'%s' is given twice in '--fail-if'", text);
		if (!colon || !parse_factor(colon + 1, &factor))
			return error_usage(
				"'%s' in '--fail-if' needs a percentage, or a factor of 1 or "
				"more: %s:5%%", whole, text);
		limits->factor[f] = factor;
		return ST_OK;
	}
	return error_usage("'%s' in '--fail-if': expected slower:LIMIT or faster:LIMIT", whole);
}

static int parse_limits(const char *fail_if, struct fail_limits *limits)
{
	char *list = strdup(fail_if ? fail_if : ""), *rest = list, *one;
	int err = list ? ST_OK : error_report("no memory for '--fail-if'");

	for (size_t f = 0; f < NFINDINGS; f++)
		limits->factor[f] = NAN;
	while (!err && fail_if && (one = strsep(&rest, ",")))
		err = parse_limit(one, limits);
	free(list);
	return err;
}

/* ---- what is compared ---- */

/* Refuses a result of another command or definition than the first. */
static int check_kind(const struct two *two, const struct two *other, int side)
{
	static const char *const same[] = { "command", "definition" };

	for (size_t i = 0; i < LENGTH(same); i++) {
		const char *a = result_text(two->doc[A], same[i]);
		const char *b = result_text(other->doc[side], same[i]);

		if (strcmp(a, b) != 0)
			return error_usage("cannot compare results of another %s: '%s' has '%s', "
					   "'%s' has '%s'",
					   same[i], two->path[A], a, other->path[side], b);
	}
	return ST_OK;
}

static int check_kinds(const struct all *all)
{
	int err = ST_OK;

	for (size_t i = 0; i < all->n; i++)
		for (const struct two *t = &all->two[i]; t && !err; t = t->next)
			for (int side = A; side <= B && !err; side++)
				err = check_kind(all->two, t, side);
	return err;
}

static bool set_measure(struct measure *m, enum column_id id)
{
	m->id = id;
	m->unit = 0;
	m->rate = unit_is_rate(columns[id].unit);
	while (compared_units[m->unit] && strcmp(compared_units[m->unit], columns[id].unit) != 0)
		m->unit++;
	return compared_units[m->unit] && column_role(id) != ROLE_POINT;
}

static int find_measure(const struct all *all, const char *name, struct measure *m)
{
	const struct column *c = column_find(name);

	if (!c)
		return error_usage("unknown column '%s'; 'netbench explain' lists them", name);
	if (!set_measure(m, (enum column_id)(c - columns)))
		return error_usage("column '%s' cannot be compared: not a result in s, B/s, msg/s, "
				   "Hz or cycles", name);
	for (const struct two *two = all->two; two < all->two + all->n; two++)
		for (int side = A; side <= B; side++)
			if (!result_has(two->doc[side], c->name))
				return error_usage("'%s' has no column '%s'", two->path[side],
						   c->name);
	return ST_OK;
}

/* True if a result has a number in a column, in some row; measured ones with an interval. */
static bool is_given(const json_t *doc, enum column_id id)
{
	bool bounds = column_is_single(id) && !result_is_computed(doc);
	const char *name = columns[id].name;
	const json_t *row;
	size_t i;

	json_array_foreach(document_rows(doc), i, row)
		if (isfinite(result_number(row, name)) &&
		    (!bounds || isfinite(result_part(row, name, "lo"))))
			return true;
	return false;
}

/* True if all have a column; one of single iterations: with numbers, as not all backends have. */
static bool all_have(const struct all *all, enum column_id id)
{
	for (const struct two *two = all->two; two < all->two + all->n; two++)
		for (int side = A; side <= B; side++)
			if (!result_has(two->doc[side], columns[id].name) ||
			    (column_is_single(id) && !is_given(two->doc[side], id)))
				return false;
	return true;
}

/* Sets what --measure names, or else the first ROLE_MAIN or ROLE_SCORE column that all have. */
static int choose_measure(const struct all *all, struct measure *m)
{
	const struct compare_options *o = all->st->own;
	const json_t *a = all->two->doc[A];
	json_t *column;
	size_t i;

	if (o->measure)
		return find_measure(all, o->measure, m);
	if (!strcmp(document_command(a), "check"))
		return error_usage("results of 'check' have several measures: name one with "
				   "'--measure', or judge all by 'netbench check --require %s'",
				   all->two->path[A]);
	json_array_foreach(document_columns(a), i, column) {
		const struct column *c = column_find(result_text(column, "name"));
		enum column_id id;

		if (!c)
			continue;
		id = (enum column_id)(c - columns);
		if ((column_role(id) == ROLE_MAIN || column_role(id) == ROLE_SCORE) &&
		    all_have(all, id) && set_measure(m, id))
			return ST_OK;
	}
	return error_usage(
		"results of '%s' have no main measure in common; name a column with '--measure'",
		document_command(a));
}

/* ---- the exit status ---- */

/* Fails if points of a finding reach its limit; names the worst of them. */
static int judge_limit(const struct all *all, const struct row_pairs *p, enum finding finding,
		       double factor)
{
	const struct row_pair *worst = NULL;
	char name[256], ratio[RATIO_TEXT];
	double most = 0;
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		double by = finding == SLOWER ? p->pair[i].slower : 1 / p->pair[i].slower;

		if (p->pair[i].finding != finding || !p->pair[i].stands ||
		    by < factor * (1 - 1e-9))
			continue;
		n++;
		if (by > most) {
			most = by;
			worst = &p->pair[i];
		}
	}
	if (!n)
		return ST_OK;
	return error_report("%zu point%s %s by %g %% or more, the worst '%s'%s%s%s by %s %%: %s",
			    n, n == 1 ? " is" : "s are", finding_names[finding], (factor - 1) * 100,
			    point_name(p, worst, name, sizeof(name)), all->n > 1 ? " of '" : "",
			    all->n > 1 ? worst->two->path[B] : "", all->n > 1 ? "'" : "",
			    plain((most - 1) * 100, 4).s,
			    ratio_text(worst, ratio, sizeof(ratio)));
}

/* What the points of two results lack, most often, for a verdict; and what gives it. */
static int report_no_verdict(const struct two *two, const struct row_pairs *p, size_t common)
{
	static const struct {
		const char *what, *remedy;
		bool in_file;
	} lacks[NLACKS] = {
		[LACK_VALUE] = { "no value", "its column 'note' says why", true },
		[LACK_CONTENT] = { "wrong content", "measure again", true },
		[LACK_LOOPS] = { "rounds of different loops",
				 "use the same '--loops', or another '--measure'", false },
		[LACK_REPETITIONS] = { "no interval", "use more repetitions (--point-time) or "
						      "--visits", true },
		[LACK_EPOCHS] = { "no interval, as repetitions depend on one another,",
				  "use more repetitions (--point-time) or --visits", true },
		[LACK_MEDIAN] = { "the measure has no interval",
				  "name another by '--measure', or use --paired", false },
		[LACK_TURNS] = { "too few turns for an interval", "use 6 pairs of results or more",
				 false },
		[LACK_MEMORY] = { "no memory", "compare fewer results", false },
	};
	size_t count[NLACKS][2] = { { 0 } };
	enum lack lack = LACK_VALUE;
	int side = A;

	for (size_t i = 0; i < p->n; i++)
		if (p->pair[i].two == two)
			count[p->pair[i].lack][p->pair[i].lacking]++;
	for (enum lack l = LACK_VALUE; l < NLACKS; l++)
		for (int s = A; s <= B; s++)
			if (count[l][s] > count[lack][side]) {
				lack = l;
				side = s;
			}
	return error_no_verdict("no verdict: %s%s%s%s (%zu of %zu points); %s", lacks[lack].what,
				lacks[lack].in_file ? " in '" : "",
				lacks[lack].in_file ? two->path[side] : "",
				lacks[lack].in_file ? "'" : "", count[lack][side], common,
				lacks[lack].remedy);
}

/* Whether there is a verdict on one B, if one is asked for. */
static int judge_two(const struct two *two, const struct row_pairs *p, const struct sums *sums,
		     bool asked)
{
	size_t common = sums->n - sums->only[A] - sums->only[B];

	if (!common)
		return error_no_verdict("no verdict: no point of '%s' is in '%s'", two->path[A],
					two->path[B]);
	if (asked && common == sums->findings[FOUND_NOTHING])
		return report_no_verdict(two, p, common);
	return ST_OK;
}

/* A point that fails comes first, then a file without a verdict. sums: of each B, then of all. */
static int judge_all(const struct all *all, const struct row_pairs *p, const struct sums *sums,
		     const struct fail_limits *limits)
{
	const struct compare_options *o = all->st->own;
	int err = ST_OK, one;

	for (size_t i = 0; i < all->n; i++) {
		one = judge_two(&all->two[i], p, &sums[i], o->fail_if != NULL);
		err = err ? err : one;
	}
	for (int f = FASTER; f <= SLOWER; f++)
		if (!isnan(limits->factor[f]) &&
		    judge_limit(all, p, (enum finding)f, limits->factor[f]))
			err = ST_FAILED;
	return err;
}

/* ---- the command ---- */

static int check_files(const struct compare_options *o, int n)
{
	if (o->paired && (n < 2 || n % 2))
		return error_usage("expected results in turns, A B A B ...: %d file%s given", n,
				   n == 1 ? "" : "s");
	if (n < 2)
		return error_usage("expected two results or more, A and B: %d file%s given", n,
				   n == 1 ? "" : "s");
	return ST_OK;
}

static int sum_up(const struct all *all, const struct row_pairs *p, struct sums *sums)
{
	int err = ST_OK;

	for (size_t i = 0; i <= all->n && !err; i++)
		err = sums_make(&sums[i], p, i < all->n ? &all->two[i] : NULL);
	return err;
}

/* Compares what has been read. */
static int compare(const struct all *all, const struct fail_limits *limits)
{
	const struct compare_options *o = all->st->own;
	struct sums *sums = calloc(all->n + 1, sizeof(*sums));
	struct row_pairs p = { .n = 0 };
	struct measure m;
	int err = sums ? ST_OK : error_report("no memory for %zu results", all->n);

	err = err ? err : choose_measure(all, &m);
	err = err ? err : points_match(all, &p);
	for (size_t i = 0; i < p.n && !err; i++)
		if (o->paired)
			turns_judge(&m, &p, &p.pair[i]);
		else
			pair_judge(&m, &p.pair[i]);
	err = err ? err : pairs_stand(&p);
	err = err ? err : sum_up(all, &p, sums);
	err = err ? err : compare_report(all, &p, &m, sums);
	err = err ? err : judge_all(all, &p, sums, limits);
	for (size_t i = 0; i <= all->n && sums; i++)
		sums_free(&sums[i]);
	free(sums);
	points_free(&p);
	return err;
}

/* By rows, or as the results' command does. */
static int compare_kind(const struct all *all, const struct fail_limits *limits)
{
	const struct compare_options *o = all->st->own;
	const struct command *cmd = command_find(document_command(all->two->doc[A]));
	int err = check_kinds(all);

	if (err)
		return err;
	if (o->paired && cmd && cmd->compares)
		return error_usage("results of '%s' are not compared with '--paired'", cmd->name);
	return cmd && cmd->compares ? compare_own(all, cmd->compares, o->measure, limits)
				    : compare(all, limits);
}

/* Reads results that were taken in turns: one chain. */
static int read_turns(struct all *all, size_t n, char **paths)
{
	int err = ST_OK;

	all->n = 1;
	for (size_t i = 0; i < n && !err; i++) {
		struct two *t = &all->two[i / 2];

		t->next = i + 2 < n ? t + 1 : NULL;
		t->path[i % 2] = paths[i];
		err = result_read(paths[i], &t->doc[i % 2]);
	}
	return err;
}

/* Reads A, and each B beside it. */
static int read_all(struct all *all, size_t n, char **paths)
{
	int err = result_read(paths[0], &all->two->doc[A]);

	all->n = n - 1;
	for (size_t i = 0; i + 1 < n && !err; i++) {
		struct two *t = &all->two[i];

		t->path[A] = paths[0];
		t->path[B] = paths[i + 1];
		t->doc[A] = i ? json_incref(all->two->doc[A]) : t->doc[A];
		err = result_read(paths[i + 1], &t->doc[B]);
	}
	return err;
}

static int run(const struct settings *st, int n, char **paths)
{
	const struct compare_options *o = st->own;
	struct fail_limits limits;
	struct all all = { .st = st };
	int err = check_files(o, n);

	err = err ? err : parse_limits(o->fail_if, &limits);
	if (err)
		return err;
	all.two = calloc((size_t)n, sizeof(*all.two));
	if (!all.two)
		return error_report("no memory for %d results", n);
	err = o->paired ? read_turns(&all, (size_t)n, paths) : read_all(&all, (size_t)n, paths);
	err = err ? err : compare_kind(&all, &limits);
	for (int i = 0; i < n; i++)
		for (int side = A; side <= B; side++)
			json_decref(all.two[i].doc[side]);
	free(all.two);
	return err;
}

const struct command cmd_compare = {
	.name = "compare",
	.summary = "results against one, point by point: ratio, interval, verdict",
	.operands = "A B ...",
	.reads_operands = true,
	.options = options,
	.options_size = sizeof(struct compare_options),
	.output = true,
	.run = run,
};
