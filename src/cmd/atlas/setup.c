/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the set-ups and specs of the ATLAS benchmarks from their options and the requested numbers
 * of ranks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/atlas/setup.h"
#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "model/loggp.h"
#include "base/random.h"
#include "measure/plan/patterns.h"

const struct atlas atlas_rows[ATLAS_ROWS] = {
	{ .number = "1.1", .pattern = &pattern_pingpong, .cast = CAST_PAIR },
	{ .number = "1.2", .pattern = &pattern_exchange, .cast = CAST_PAIR, .symmetric = true,
	  .windows = true },
	{ .number = "1.3", .pattern = &pattern_alltoall, .cast = CAST_ALL, .symmetric = true },
	{ .number = "1.4", .pattern = &pattern_pairs, .cast = CAST_HALVES, .windows = true },
	{ .number = "1.5", .pattern = &pattern_outfarm, .cast = CAST_HUB },
	{ .number = "1.6", .pattern = &pattern_multicast, .cast = CAST_HUB, .multicast = true },
	{ .number = "1.7", .pattern = &pattern_funnel, .cast = CAST_HUB },
	{ .number = "2.1", .pattern = &pattern_push, .cast = CAST_FARM, .farm = FARM_PUSH },
	{ .number = "2.2", .pattern = &pattern_pull, .cast = CAST_FARM, .farm = FARM_PULL },
	{ .number = "2.3", .pattern = &pattern_pipeline, .cast = CAST_PIPELINE,
	  .farm = FARM_PIPELINE },
};

/* Numbers of ranks that the note prescribes. */
static const uint64_t note_ranks[] = { 4, 8, 16 };
/* The cast removes const, but nothing writes to these numbers. */
static const struct numbers default_ranks = { (uint64_t *)(uintptr_t)note_ranks, 3 };

/* All set-ups that a command line requests. The plan frees the set-ups. */
struct setups {
	const struct plan *plan;
	const struct atlas_options *o;
	const struct numbers *ranks;	/* the numbers of ranks given by -n; may be empty */
	struct setup *v;
	size_t n;
};

static void free_setups(void *what)
{
	struct setups *all = what;

	for (struct setup *s = all->v; s < all->v + all->n; s++) {
		for (size_t i = 0; i < s->ntrees; i++)
			tree_free(&s->trees[i]);
		free(s->trees);
		free(s->ranks);
		free(s->peers);
	}
	free(all->v);
	free(all);
}

static struct setup *add_setup(struct setups *all, const struct atlas *row)
{
	struct setup *more = reallocarray(all->v, all->n + 1, sizeof(*more));

	if (!more) {
		error_report("no memory for the plan");
		return NULL;
	}
	all->v = more;
	all->v[all->n] = (struct setup){ .row = row, .pattern = row->pattern };
	return &all->v[all->n++];
}

/* ---- ranks that take part ---- */

/*
 * Sets the ranks of the set-up to ranks 0 to own - 1, followed by the ranks in `peers`. Also stores
 * `peers` as text in s->peers. Returns ST_OK or ST_FAILED (reported).
 */
static int choose_peers(struct setup *s, size_t own, const struct numbers *peers)
{
	size_t len;
	FILE *to;

	s->size = (int)(own + peers->n);
	s->ranks = calloc((size_t)s->size, sizeof(*s->ranks));
	to = open_memstream(&s->peers, &len);
	if (!s->ranks || !to)
		return error_report("no memory for the plan");
	s->needs = (int)own;
	for (size_t i = 0; i < own; i++)
		s->ranks[i] = (int)i;
	for (size_t i = 0; i < peers->n; i++) {
		fprintf(to, "%s%llu", i ? "," : "", (unsigned long long)peers->v[i]);
		s->ranks[own + i] = (int)peers->v[i];
		s->needs = (int)peers->v[i] >= s->needs ? (int)peers->v[i] + 1 : s->needs;
	}
	return text_close(to, &s->peers) ? ST_OK : error_report("no memory for the plan");
}

/* ---- multicasts ---- */

static const struct {
	const char *name;
	const struct pattern *pattern;
	enum tree_kind kind;
	bool has_arity;
} algorithms[] = {
	{ "linear", &pattern_multicast, TREE_LINEAR, false },
	{ "binary", &pattern_multicast, TREE_BINARY, false },
	{ "k-ary", &pattern_multicast, TREE_KARY, true },
	{ "binomial", &pattern_multicast, TREE_BINOMIAL, false },
	{ "k-nomial", &pattern_multicast, TREE_KNOMIAL, true },
	{ "optimal", &pattern_multicast, TREE_OPTIMAL, false },
	{ "native", &pattern_bcast, TREE_OPTIMAL, false },
};

/*
 * Sets *p to the network's parameters, which algorithm `optimal` needs. Returns ST_OK or ST_USAGE
 * (reported).
 */
static int network_for_optimal(const struct settings *st, struct loggp *p)
{
	const struct atlas_options *o = st->own;
	int err = ST_OK;

	*p = o->loggp || !st->network.known ? (struct loggp){ 0 } : st->network.p;
	if (!o->loggp && !st->network.known)
		return error_usage("algorithm 'optimal' needs the network's parameters: '--loggp' "
				   "or '--like'");
	if (o->loggp)
		err = loggp_parse(o->loggp, p);
	if (o->loggp && !err && !(loggp_one_way(p, 1) > 0))
		err = error_usage("with '--loggp %s' a message takes no time: no tree is better "
				  "than another", o->loggp);
	return err;
}

/*
 * Parses an algorithm such as "k-ary=4". Its text ends at `end`. Stores it in the set-up. Returns
 * ST_OK or ST_USAGE (reported).
 */
static int parse_algorithm(const struct settings *st, struct setup *s, const char *text,
			   const char *end)
{
	size_t len = strcspn(text, "=,"), i = 0;
	const char *at = text + len + 1;
	int all = (int)(end - text);
	struct loggp p;
	uint64_t k = 0;

	while (i < LENGTH(algorithms) && (strlen(algorithms[i].name) != len ||
					  strncmp(algorithms[i].name, text, len) != 0))
		i++;
	if (i == LENGTH(algorithms) || algorithms[i].has_arity != (text[len] == '='))
		return error_usage("'%.*s' in '--algorithm' is not one of: linear, binary, "
				   "k-ary=K, binomial, k-nomial=K, optimal, native", all, text);
	if (algorithms[i].has_arity &&
	    (scan_whole(&at, false, &k) || at != end || k < 2 || k > 1 << 20))
		return error_usage("'%.*s' in '--algorithm' needs a number from 2 to 1048576", all,
				   text);
	s->kind = algorithms[i].kind;
	s->arity = (uint32_t)k;
	s->pattern = algorithms[i].pattern;
	snprintf(s->algorithm, sizeof(s->algorithm), "%.*s", all, text);
	return s->pattern == &pattern_multicast && s->kind == TREE_OPTIMAL
		       ? network_for_optimal(st, &p) : ST_OK;
}

/*
 * Builds one tree for each size if the algorithm's trees depend on the size, else one tree for all
 * sizes. Returns ST_OK or ST_FAILED (reported).
 */
static int build_trees(const struct plan *plan, struct setup *s)
{
	const struct numbers *sizes = &plan->sizes;
	size_t n = s->kind == TREE_OPTIMAL ? sizes->n : 1;
	struct loggp p = { .L = 1 };

	if (s->pattern == &pattern_bcast || s->lacks[0])
		return ST_OK;
	if (s->kind == TREE_OPTIMAL)
		network_for_optimal(plan->settings, &p);
	s->trees = calloc(n, sizeof(*s->trees));
	for (size_t i = 0; i < n && s->trees; i++) {
		double A = loggp_one_way(&p, sizes->v[i]), m = loggp_send_interval(&p, sizes->v[i]);

		s->ntrees = i + 1;
		if (tree_build(&s->trees[i], s->kind, s->arity, (uint32_t)s->size, A, m))
			return error_report("no memory for a tree of %d ranks", s->size);
	}
	return s->trees ? ST_OK : error_report("no memory for the plan");
}

/* ---- set-ups of a benchmark ---- */

/*
 * Adds a set-up of a benchmark of group 1. The set-up has the first `size` ranks or, if peers are
 * given, the first `own` ranks and the peers. Returns ST_OK or an error (reported).
 */
static int add_group_1(struct setups *all, const struct atlas *row, const char *algorithm,
		       const char *end, uint64_t size, const struct numbers *peers, size_t own)
{
	struct setup *s = add_setup(all, row);
	int err = s ? ST_OK : ST_FAILED;

	if (!err && algorithm)
		err = parse_algorithm(all->plan->settings, s, algorithm, end);
	if (err || peers)
		return err ? err : choose_peers(s, own, peers);
	s->size = s->needs = (int)size;
	if (size < 2)
		snprintf(s->lacks, sizeof(s->lacks), "n/a: takes 2 ranks at least");
	else if (row->cast == CAST_HALVES && size % 2)
		snprintf(s->lacks, sizeof(s->lacks),
			 "n/a: pairs need an even number of ranks, not %d", s->size);
	return ST_OK;
}

static int add_setups_for_ranks(struct setups *all, const struct atlas *row, const char *algorithm,
				const char *end)
{
	const struct numbers *peers = &all->o->peers;
	const struct numbers *list = all->ranks->n ? all->ranks : &default_ranks;
	/* the note's numbers of ranks do not count the hub */
	bool others = !all->ranks->n && row->cast == CAST_HUB;
	int err = ST_OK;

	if (row->cast == CAST_PAIR && !peers->n)
		return add_group_1(all, row, NULL, NULL, 2, NULL, 0);
	for (size_t i = 0; row->cast == CAST_PAIR && i < peers->n && !err; i++)
		err = add_group_1(all, row, NULL, NULL, 2, &(struct numbers){ peers->v + i, 1 }, 1);
	if (row->cast == CAST_PAIR)
		return err;
	if (peers->n)
		return add_group_1(all, row, algorithm, end, 0, peers,
				   row->cast == CAST_HALVES ? peers->n : 1);
	for (size_t i = 0; i < list->n && !err; i++)
		err = add_group_1(all, row, algorithm, end, list->v[i] + others, NULL, 0);
	return err;
}

static int add_farm(struct setups *all, const struct atlas *row, int sources, int stages,
		    int destinations)
{
	const struct numbers *occupations = &all->o->occupations;
	struct farm_plan plan = { .kind = row->farm, .sources = sources, .stages = stages,
				  .destinations = destinations,
				  .seed = all->plan->settings->m.seed };

	plan.credits = all->o->credits == OPT_AUTO ? farm_credits((uint64_t)destinations)
						   : (uint32_t)all->o->credits;
	for (size_t i = 0; i < occupations->n; i++) {
		struct setup *s = add_setup(all, row);

		if (!s)
			return ST_FAILED;
		s->farm = plan;
		s->farm.occupation_s = (double)occupations->v[i] / 1e6;
		s->size = s->needs = farm_ranks(&plan);
		if (sources < 1)
			snprintf(s->lacks, sizeof(s->lacks),
				 "n/a: too few ranks: none is left as a source");
	}
	return ST_OK;
}

/*
 * Adds one farm for each number of sources in --sources. With -n but without --sources, all ranks
 * that have no other role are sources. Returns ST_OK or an error (reported).
 */
static int add_setups_for_farms(struct setups *all, const struct atlas *row)
{
	bool fill = all->ranks->n && !settings_given(all->plan->settings, "sources");
	const struct numbers *list = fill ? all->ranks : &all->o->sources,
			     *dests = &all->o->destinations;
	int err = ST_OK;

	for (size_t d = 0; d < dests->n; d++)
		for (size_t i = 0; i < list->n && !err; i++) {
			int n = (int)list->v[i], D = (int)dests->v[d];

			err = add_farm(all, row, fill ? n - 1 - D : n, 0, D);
		}
	return err;
}

static int parse_topology(const char *text, const char *end, int of[3])
{
	uint64_t n[3] = { 0 };
	const char *at = text;
	bool good = true;

	for (int i = 0; i < 3 && good; i++, at++) {
		good = !scan_whole(&at, false, &n[i]) && n[i] && n[i] <= 1 << 20 &&
		       *at == (i < 2 ? '-' : *end) && (!i || n[i] <= n[i - 1]);
		of[i] = (int)n[i];
	}
	if (good && at == end + 1)
		return ST_OK;
	return error_usage("'%.*s' in '--topology': expected sources-stages-destinations, such as "
			   "4-2-1, each no larger than the one before", (int)(end - text), text);
}

/*
 * Adds a pipeline. With -n, adds as many independent copies of the pipeline as the ranks allow.
 * Returns ST_OK or an error (reported).
 */
static int add_setups_for_topology(struct setups *all, const struct atlas *row, const char *text,
				   const char *end)
{
	int n[3], before = 0, err = parse_topology(text, end, n);

	if (!err && !all->ranks->n)
		err = add_farm(all, row, n[0], n[1], n[2]);
	for (size_t i = 0; i < all->ranks->n && !err; i++) {
		int copies = (int)all->ranks->v[i] / (n[0] + n[1] + n[2]);

		copies = copies ? copies : 1;
		if (copies != before)
			err = add_farm(all, row, copies * n[0], copies * n[1], copies * n[2]);
		before = copies;
	}
	return err;
}

/*
 * Adds the set-ups of each item of a list: an algorithm, or the topology of a pipeline. Returns
 * ST_OK or an error (reported).
 */
static int add_setups_for_list(struct setups *all, const struct atlas *row, const char *list)
{
	int err = ST_OK;

	for (const char *at = list, *end; !err; at = end + 1) {
		end = at + strcspn(at, ",");
		err = row->multicast ? add_setups_for_ranks(all, row, at, end)
				     : add_setups_for_topology(all, row, at, end);
		if (!*end)
			break;
	}
	return err;
}

static int add_setups_for_benchmark(struct setups *all, const struct atlas *row)
{
	const struct numbers *peers = &all->o->peers;

	if (row->cast == CAST_PIPELINE)
		return add_setups_for_list(all, row, all->o->topologies);
	if (row->cast == CAST_FARM)
		return add_setups_for_farms(all, row);
	/* In 1.4 the n listed ranks receive, and ranks 0 to n - 1 send. */
	for (size_t i = 0; i < peers->n && row->cast == CAST_HALVES; i++)
		if (peers->v[i] < peers->n)
			return error_usage(
				"rank %llu of '--peers' cannot receive: ranks 0 to %zu are the "
				"senders",
				(unsigned long long)peers->v[i], peers->n - 1);
	return row->multicast ? add_setups_for_list(all, row, all->o->algorithms)
			      : add_setups_for_ranks(all, row, NULL, NULL);
}

static int add_all_setups(struct setups *all)
{
	const struct atlas *only = all->plan->what->detail;
	const struct settings *st = all->plan->settings;
	const struct numbers *peers = &all->o->peers;
	const struct {
		const char *option, *why;
		bool applies;
	} excluded[] = {
		{ "loops", "each repetition is one multicast", true },
		{ "load", "the receivers change with each multicast", only },
		{ "peers", "receivers are drawn from all ranks", true },
	};
	int err = ST_OK;

	for (size_t i = 0; i < peers->n; i++)
		for (size_t j = 0; j < i; j++)
			if (peers->v[i] == peers->v[j])
				return error_usage("rank %llu is in '--peers' twice",
						   (unsigned long long)peers->v[i]);
	for (size_t i = 0; i < LENGTH(excluded) && all->o->change_list; i++)
		if (excluded[i].applies && settings_given(st, excluded[i].option))
			return error_usage("option '--change-list' excludes '--%s': %s",
					   excluded[i].option, excluded[i].why);
	for (size_t i = 0; i < ATLAS_ROWS && !err; i++)
		if (!only || only == &atlas_rows[i])
			err = add_setups_for_benchmark(all, &atlas_rows[i]);
	return err;
}

/* ---- specs ---- */

/* Writes the loads of a set-up to `loads`, "none" first. Returns their number, at most 4. */
static size_t list_loads(const struct atlas_options *o, const struct setup *s, unsigned loads[4])
{
	const struct numbers *asked = &o->loads;
	unsigned set = asked->n ? 0 : 1U << 1 | 1U << 2 | 1U << 3;
	size_t n = 0;

	loads[n++] = 0;
	if (atlas_is_farm(s) || (o->change_list && s->row->multicast))
		return n;
	for (size_t i = 0; i < asked->n; i++)
		set |= 1U << asked->v[i];
	if (s->row->symmetric)
		set = set & ~1U ? 1U << 3 : 0;
	for (unsigned role = 1; role < 4; role++)
		if (set & 1U << role)
			loads[n++] = role;
	return n;
}

/*
 * Returns why a set-up cannot be measured, or NULL if it can. Open MPI's broadcast always uses all
 * ranks of the job.
 */
static const char *cannot(const struct plan *p, const struct setup *s)
{
	if (s->lacks[0])
		return s->lacks;
	if (s->pattern == &pattern_bcast && s->size != p->ranks)
		return "n/a: the native broadcast takes all ranks of the job";
	if (s->pattern == &pattern_bcast && s->ranks)
		return "n/a: the native broadcast takes no list of ranks";
	return NULL;
}

static int add_specs(struct plan *p, struct setup *s)
{
	const struct atlas_options *o = p->settings->own;
	static uint64_t one = 1;	/* this number is never written */
	const struct numbers ones = { &one, 1 }, *windows = s->row->windows ? &o->windows : &ones;
	unsigned loads[4];
	size_t nloads = list_loads(o, s, loads);
	int err = s->row->multicast ? build_trees(p, s) : ST_OK;
	struct spec spec = { .batch = 1, .pattern = s->pattern, .nranks = s->size,
			     .ranks = s->ranks, .needs = s->needs, .loops = o->loops,
			     .redraw = o->change_list && s->row->multicast,
			     .program_args = atlas_is_farm(s) ? &s->farm : NULL,
			     .cannot = cannot(p, s), .own = s };

	for (size_t w = 0; w < windows->n; w++)
		for (size_t l = 0; l < nloads; l++) {
			spec.window = (uint32_t)windows->v[w];
			spec.load = loads[l];
			spec.series = (uint32_t)(p->n / p->sizes.n);
			for (size_t i = 0; i < p->sizes.n && !err; i++) {
				spec.size = p->sizes.v[i];
				spec.tree = s->ntrees ? &s->trees[s->ntrees > 1 ? i : 0] : NULL;
				err = plan_add(p, &spec);
			}
		}
	return err;
}

int atlas_plan(struct plan *p)
{
	struct setups *all = calloc(1, sizeof(*all));
	int err, usual = 2, most;
	const struct numbers *peers;

	if (!all)
		return error_report("no memory for the plan");
	if (plan_free_later(p, free_setups, all))
		return ST_FAILED;
	all->plan = p;
	all->o = p->settings->own;
	all->ranks = &p->settings->m.ranks;
	err = add_all_setups(all);
	peers = &all->o->peers;
	most = plan_max_ranks(p);
	for (size_t i = 0; i < peers->n && !err; i++)
		if (peers->v[i] >= (uint64_t)most)
			err = error_usage("rank %llu of '--peers' is out of range: this backend "
					  "takes %d ranks", (unsigned long long)peers->v[i], most);
	for (size_t i = 0; i < all->n; i++)
		usual = all->v[i].needs > usual ? all->v[i].needs : usual;
	if (!err)
		err = plan_ranks(p, (uint64_t)usual);
	for (size_t i = 0; i < all->n && !err; i++)
		err = add_specs(p, &all->v[i]);
	return err;
}
