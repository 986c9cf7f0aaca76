/* SPDX-License-Identifier: Apache-2.0 */
/* Which host, which link, is the bad one: the command, its options, and what it ends with. */
#include "cmd/map/map.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/values.h"
#include "cmd/map/change/change.h"
#include "cmd/map/limits.h"
#include "cmd/map/measure/measure.h"
#include "cmd/map/output/evidence.h"
#include "cmd/map/study/distance.h"
#include "result/out.h"

#define MOST_EFFECT 60		/* percent; pairs 1.6 of it */

#define AT(member) offsetof(struct map_options, member)

static const char *const modes[] = { "auto", "rounds", "serial", "quick", NULL };
static const char *const units[] = { "auto", "host", "rank", NULL };

/* These are for measuring and for --from. */
#define JUDGING_OPTIONS \
	{ 0, "from", "file", OPT_TEXT, AT(from), .file = OPT_READ, \
	  .help = "measure nothing, but judge a CSV with columns visit, sender, receiver, " \
		  "bandwidth_Bps or half_rtt_s, and round if it is known; or a result of map in " \
		  "JSON" }, \
	{ 0, "min-effect", "percent", OPT_REAL, AT(min_effect), .def = "5", .min = 0.1, \
	  .max = MOST_EFFECT, \
	  .help = "name hosts that are slower by more, and pairs that are by 1.6 times as " \
		  "much" }, \
	{ 0, "classes", "file", OPT_TEXT, AT(classes), .file = OPT_READ_ON_0, \
	  .help = "classes of hosts that are judged apart: lines of a name and a class" }, \
	{ 0, "topology", "file", OPT_TEXT, AT(topology), .file = OPT_READ_ON_0, \
	  .help = "Slurm's topology.conf: pairs of one host, of one switch, and others are each " \
		  "compared with their like" }, \
	{ 0, "fail-if", "list", OPT_TEXT, AT(fail_if), \
	  .help = "exit 1 for a verdict of this kind and size: host:10%,pair:20%,host:50us," \
		  "unsteady" }, \
	{ 0, "write-exclude", "file", OPT_TEXT, AT(write_exclude), .file = OPT_WRITTEN, \
	  .help = "write the names of the hosts to leave out, one a line, as srun --exclude " \
		  "takes them" }

static const struct opt options[] = {
	{ 0, "mode", "name", OPT_CHOICE, AT(mode), .def = "auto", .choices = modes,
	  .help = "rounds: all hosts are in pairs at once, until each has met each; serial: one "
		  "pair at a time; quick: rounds of random pairs; auto: quick for more than 256 "
		  "hosts, else rounds" },
	{ 0, "rounds", "count", OPT_UINT, AT(rounds), .def = "32", .min = 1, .max = STUDY_ROUNDS,
	  .help = "rounds of random pairs, of mode quick, which it selects" },
	{ 0, "unit", "what", OPT_CHOICE, AT(unit), .def = "auto", .choices = units,
	  .help = "what is measured and named: host, by its first rank, or each rank; auto: host, "
		  "but ranks where there is one host" },
	{ 0, "bidirectional", NULL, OPT_FLAG, AT(bidirectional),
	  .help = "measure also the bandwidth of a pair while both send; judged by itself" },
	{ 0, "no-retest", NULL, OPT_FLAG, AT(no_retest),
	  .help = "do not measure suspects again, but judge the first visits alone" },
	JUDGING_OPTIONS,
	{ 0 },
};

static const struct opt from_options[] = { JUDGING_OPTIONS, { 0 } };

int map_check_options(const struct map_options *o)
{
	struct fail_limits limits;

	if (o->classes && o->topology)
		return error_usage("options '--classes' and '--topology' exclude each other");
	return limits_parse(&limits, o->fail_if, o->min_effect / 100);
}

/* ---- judging ---- */

int map_classes(const struct map_options *o, struct study *s)
{
	if (o->topology)
		return topology_read(o->topology, s);
	return o->classes ? from_classes(o->classes, s) : ST_OK;
}

/* Numbers of the hosts of a class; returns how many. */
static uint32_t hosts_of(const struct study *s, uint32_t class, uint32_t *hosts)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->n; i++)
		if (s->class[i] == class)
			hosts[n++] = i;
	return n;
}

/*
 * The median of what pairs of a distance (NDISTANCES: any) without any verdict have, s; or of the
 * pairs of a cause. NaN if there are none.
 */
static double time_of(const struct study *s, const bool *named, const struct verdict_of *v,
		      enum distance d)
{
	double *y = malloc(((size_t)s->n * s->n + 1) * sizeof(*y)), t;
	size_t n = 0;

	for (uint32_t i = 0; i < s->n && y; i++) {
		for (uint32_t j = 0; j < i; j++) {
			const struct cause *c = v ? &v->cause : NULL;
			bool pair = c && c->b != c->a;
			bool in = !c ? !named[i] && !named[j]
				: pair ? (i == c->a && j == c->b) || (i == c->b && j == c->a)
				       : i == c->a || j == c->a;

			in = in && s->class[i] == s->class[j] &&
			     (d == NDISTANCES || distance_of(s, i, j) == d);
			y[n] = in ? study_y(s, LATENCY, i, j) : NAN;
			n += !isnan(y[n]);
		}
	}
	t = y ? study_unit(LATENCY, select_median(y, n)) : NAN;
	free(y);
	return t;
}

/* How much a cause adds: where there are distances, at the one where it adds most. */
static double added_by(const struct study *s, const bool *named, const struct verdict_of *v)
{
	bool seen = !v->nmembers && v->cause.kind != KIND_UNSTEADY;
	int first = s->leaf ? 0 : NDISTANCES, last = s->leaf ? NDISTANCES - 1 : NDISTANCES;
	double most = NAN;

	for (int d = first; d <= last; d++) {
		double good = time_of(s, named, NULL, (enum distance)d);
		double bad = good * exp(v->effect);	/* of groups, and of what is unsteady */

		if (seen)
			bad = time_of(s, named, v, (enum distance)d);
		most = fmax(most, bad - good);
	}
	return most;
}

/* How much time the named ones add to a round trip's half. */
static int add_times(const struct study *s, struct judgement *j)
{
	bool *named = calloc(s->n + 1, sizeof(*named));

	if (!named)
		return error_report("no memory for %u hosts", s->n);
	for (size_t i = 0; i < j->n; i++) {
		named[j->at[i].cause.a] = named[j->at[i].cause.b] = true;
		for (size_t k = 0; k < j->at[i].nmembers; k++)
			named[j->at[i].members[k]] = true;
	}
	for (size_t i = 0; i < j->n; i++)
		j->at[i].adds_s = added_by(s, named, &j->at[i]);
	free(named);
	return ST_OK;
}

/* By how much the visits of a pair differ, s. */
static double range_of(const struct study *s, uint32_t i, uint32_t j)
{
	double t[STUDY_VISITS], least = INFINITY, most = 0;
	size_t n = study_visits(s, LATENCY, i, j, t);

	for (size_t v = 0; v < n; v++) {
		least = fmin(least, t[v]);
		most = fmax(most, t[v]);
	}
	return n ? most - least : 0;
}

/*
 * Where ranks share cores, round trips of a pair depend on whether its two are on one core, for as
 * long as the system leaves them there: visits may agree, or not. How much that is the quickest
 * pair shows, that knows nothing of it, or nine of ten pairs by how their visits differ: what adds
 * at least twice as much is due to something else. In logs.
 */
static double least_added(const struct study *s, const uint32_t *hosts, uint32_t n)
{
	size_t room = (size_t)n * n / 2 + 1, pairs = 0;
	double *t = calloc(room, sizeof(*t)), *range = calloc(room, sizeof(*range));
	double best = INFINITY, usual, odd;

	for (uint32_t i = 0; i < n && t && range; i++) {
		for (uint32_t j = 0; j < i; j++) {
			t[pairs] = study_unit(LATENCY, study_y(s, LATENCY, hosts[i], hosts[j]));
			range[pairs] = range_of(s, hosts[i], hosts[j]);
			if (isnan(t[pairs]))
				continue;
			best = fmin(best, t[pairs++]);
		}
	}
	usual = pairs ? select_median(t, pairs) : NAN;
	odd = pairs ? select_double(range, pairs, (pairs - 1) * 9 / 10) : NAN;
	free(t);
	free(range);
	return log1p(2 * fmax(usual - best, odd) / best);
}

static int judge_class(const struct verdicts *v, struct found *f)
{
	const struct study *s = v->s;
	const struct matrix *all = &s->of[f->quantity];
	struct rules rules = *v->rules;
	uint32_t *hosts = calloc(s->n + 1, sizeof(*hosts)), n;
	struct matrix part = { .n = 0 }, level = { .n = 0 };
	struct levelled levelled = { s, f->quantity, v->again ? &v->again[f->quantity] : NULL,
				     NULL };
	const struct retest again = { distance_level_round, &levelled };
	int err = judgement_make(&f->j, s->n);

	rules.again = levelled.inner && s->leaf ? &again : levelled.inner;
	if (!err && s->leaf)
		err = distance_level(&levelled, &level);
	all = s->leaf ? &level : all;
	if (!hosts)
		err = error_report("no memory for %u hosts", s->n);
	n = err ? 0 : hosts_of(s, f->class, hosts);
	if (!err && n < s->n)
		err = matrix_take(&part, all, hosts, n);
	if (!err && f->quantity == LATENCY && s->shared_cores)
		thresholds_raise(&rules.limits, least_added(s, hosts, n));
	err = err ? err : judge(n < s->n ? &part : all, &rules, &f->j);
	if (!err && s->leaf)
		err = distance_gather(s, &f->j);
	if (!err && f->quantity == LATENCY && f->j.n)
		err = add_times(s, &f->j);
	words_sort(&f->j);
	matrix_free(&part);
	matrix_free(&level);
	free(levelled.at_load);
	free(hosts);
	return err;
}

int map_judge(struct verdicts *all)
{
	uint32_t nclasses = all->s->nclasses ? all->s->nclasses : 1;
	int err = ST_OK;

	all->at = calloc((size_t)NQUANTITIES * nclasses, sizeof(*all->at));
	if (!all->at)
		return error_report("no memory for %u classes", nclasses);
	for (int q = 0; q < NQUANTITIES && !err; q++) {
		for (uint32_t c = 0; c < nclasses && !err && all->s->of[q].n; c++) {
			all->at[all->n].quantity = (enum quantity)q;
			all->at[all->n].class = c;
			err = judge_class(all, &all->at[all->n++]);
		}
		all->over[q] = words_overview(all->s, (enum quantity)q);
	}
	if (!err && all->n) {		/* what does not answer is said with the first */
		err = silent_judge(all->s, &all->at[0].j);
		words_sort(&all->at[0].j);
	}
	return err;
}

void map_free(struct verdicts *all)
{
	for (size_t i = 0; i < all->n; i++)
		judgement_free(&all->at[i].j);
	free(all->at);
	all->at = NULL;
	all->n = 0;
	json_decref(all->differences);
	all->differences = NULL;
}

/* ---- what it ends with ---- */

/* Hosts that a scheduler can leave out: those named by themselves. */
static int write_exclude(const char *path, const struct verdicts *all)
{
	bool *named = calloc(all->s->n + 1, sizeof(*named));
	char *text = NULL;
	size_t len = 0;
	FILE *to = named ? open_memstream(&text, &len) : NULL;
	int err;

	for (size_t i = 0; i < all->n && to; i++) {
		for (size_t k = 0; k < all->at[i].j.n; k++) {
			const struct verdict_of *v = &all->at[i].j.at[k];
			bool host = limits_host(v->cause.kind) ||
				    v->cause.kind == KIND_UNSTEADY ||
				    (v->cause.kind == KIND_UNREACHABLE && !v->nmembers);

			if (!host || v->or.kind || named[v->cause.a])
				continue;
			named[v->cause.a] = true;
			fprintf(to, "%s\n", all->s->name[v->cause.a]);
		}
	}
	free(named);
	if (!to || fclose(to)) {
		free(text);
		return error_report("no memory for '%s'", path);
	}
	err = out_write_file(path, text, len);
	free(text);
	return err;
}

/* Exit status 4 if nothing at all can be judged, and nothing is lost. */
static int check_judged(const struct verdicts *all)
{
	char *text;

	for (size_t i = 0; i < all->n; i++)
		if (!all->at[i].j.why || all->at[i].j.n)
			return ST_OK;
	text = all->n ? words_no_verdict(all->s, &all->at[0].j) : NULL;
	error_no_verdict("%s", text ? text : all->n ? "no memory for a verdict"
						    : "no pair was measured");
	free(text);
	return ST_NO_VERDICT;
}

int map_conclude(const struct map_options *o, const struct verdicts *all)
{
	struct fail_limits limits;
	int err = limits_parse(&limits, o->fail_if, o->min_effect / 100);

	if (!err && o->write_exclude)
		err = write_exclude(o->write_exclude, all);
	err = err ? err : limits_check(&limits, all);
	return err ? err : check_judged(all);
}

/* ---- the command ---- */

/* When something began. */
struct begun {
	double wall, processor;
};

static struct begun begin(void)
{
	return (struct begun){ clock_wall(), (double)clock() / CLOCKS_PER_SEC };
}

static void note_time(const char *done, struct begun since)
{
	struct begun now = begin();

	error_note("%s in %.2f s, %.2f s of a processor", done, now.wall - since.wall,
		   now.processor - since.processor);
}

static int judge_file(const struct settings *st)
{
	const struct map_options *o = st->own;
	struct study s = { .n = 0 };
	struct rules rules = { .limits = thresholds_of(o->min_effect / 100), .seed = 1 };
	struct verdicts all = { .s = &s, .rules = &rules, .from = o->from };
	struct begun start = begin();
	int err = map_check_options(o);

	err = err ? err : report_check(&st->output);
	err = err ? err : from_read(o->from, &s);
	err = err ? err : map_classes(o, &s);
	if (!err)
		note_time("read", start);
	start = begin();
	err = err ? err : map_judge(&all);
	err = err ? err : evidence_find(&all);
	if (!err)
		note_time("judged", start);
	err = err ? err : map_write(st, &all);
	err = err ? err : map_conclude(o, &all);
	map_free(&all);
	study_free(&s);
	return err;
}

static const struct mode from = {
	.by = { "from" },
	.summary = "which host, which link, is the bad one, out of measurements in a file",
	.options = from_options,
	.options_size = sizeof(struct map_options),
	.run = judge_file,
};

const struct command cmd_map = {
	.name = "map",
	.summary = "which host, which link, is the bad one? Measures every pair",
	.options = options,
	.options_size = sizeof(struct map_options),
	.lead = "backend mode unit visits fail-if output",
	.bench = &map_pairs,
	.compares = &map_compares,
	.modes = (const struct mode *const[]){ &from, NULL },
};
