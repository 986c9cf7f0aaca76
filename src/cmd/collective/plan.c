/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/collective/plan.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/values.h"
#include "measure/collective/spec.h"
#include "model/schedule/compose.h"
#include "model/schedule/time.h"

/*
 * Largest number of ranks for which the model compares algorithms. With more ranks the comparison
 * would take seconds.
 */
#define COMPARED_RANKS 256

#define ROOT_TEXT 24

const char *const reduce_op_names[] = { "sum", "max", NULL };
const char *const values_names[] = { "whole", "real", NULL };
const char *const cache_names[] = { "warm", "rotate", NULL };

static struct shape make_shape(const struct plan *p, uint32_t P, uint64_t size)
{
	const struct collective_options *o = p->settings->own;

	return (struct shape){ .P = P, .k = size, .segment = o->segment, .in_place = o->in_place };
}

/* Default of --visits with --guidelines. */
#define GUIDELINE_VISITS 20

int collective_check_fail_if(const struct collective_options *o)
{
	if (!o->fail_if || !strcmp(o->fail_if, "guideline"))
		return ST_OK;
	return error_usage("value '%s' of '--fail-if' is not 'guideline'", o->fail_if);
}

/* State that is needed while the specs of a command line are made. */
struct spec_maker {
	struct plan *p;
	const char *root;		/* the root as text, for the rows */
	uint32_t series;
	bool unasked;			/* specs that cannot be measured are left out */
};

/*
 * Adds a spec of an operation with netbench's algorithm. If `algorithm` is NULL, the spec has the
 * transport's own operation; or, if `composed` is not NULL, the operation that is composed of
 * several operations of the transport.
 */
static int add_spec(struct spec_maker *m, enum operation op, const struct algorithm *algorithm,
		    const struct composition *composed, uint32_t P, uint64_t size)
{
	const struct collective_options *o = m->p->settings->own;
	struct collective c = { .op = op, .algorithm = algorithm, .composed = composed,
				.shape = make_shape(m->p, P, size),
				.reduce_op = (enum reduce_op)o->reduce_op,
				.values = (enum reduce_values)o->values,
				.overlap = o->overlap && !algorithm && !composed,
				.cold = o->cache == CACHE_ROTATE,
				.in_a_row = o->in_a_row };

	if (m->unasked && collective_refusal(&c))
		return ST_OK;
	if (!operation_has_root(op))
		return plan_add_operation(m->p, &c, m->series, NULL);
	c.root = o->root == OPT_AUTO ? ROOT_ROTATES : (int)o->root;
	return plan_add_operation(m->p, &c, m->series, m->root);
}

/*
 * Returns netbench's algorithm that is fastest under LogGP. Without the network's parameters,
 * returns the usual one.
 */
static const struct algorithm *fastest_algorithm(const struct plan *p, enum operation op,
						 uint32_t P, uint64_t size)
{
	const struct network *net = &p->settings->network;
	const struct algorithm *best = algorithm_usual(op);
	struct shape a = make_shape(p, P, size);
	double least = -1;

	for (uint32_t i = 0; i < own_algorithms_count && net->known && P <= COMPARED_RANKS; i++) {
		const struct algorithm *tried = &own_algorithms[i];
		double time = -1;

		if (tried->op == op && !algorithm_refusal(tried, &a))
			time = schedule_time(tried, &a, &net->p, 0);
		if (time >= 0 && (least < 0 || time < least)) {
			best = tried;
			least = time;
		}
	}
	return best;
}

/*
 * Returns whether an item of --algorithm is `name`. An item is the name of an algorithm or of a
 * composition, "native" or "all". An empty item means the default.
 */
static bool item_equals(const char *item, size_t len, const char *name)
{
	return strlen(name) == len && !strncmp(item, name, len);
}

/*
 * Adds the specs that an item of --algorithm requests for one size. Returns ST_OK or another ST_*.
 */
static int add_item(struct spec_maker *m, enum operation op, uint32_t P, const char *item,
		    size_t len, uint64_t size)
{
	bool has_native = m->p->settings->be->caps & CAP_NATIVE,
	     all = item_equals(item, len, "all");
	bool knows = m->p->settings->network.known;
	int err = ST_OK;

	if (!len && !has_native)
		return add_spec(m, op, fastest_algorithm(m->p, op, P, size), NULL, P, size);
	if (!len && knows)
		err = add_spec(m, op, fastest_algorithm(m->p, op, P, size), NULL, P, size);
	if (!err && (!len || item_equals(item, len, "native") || (all && has_native)))
		err = add_spec(m, op, NULL, NULL, P, size);
	for (uint32_t i = 0; i < own_algorithms_count && !err; i++) {
		const struct algorithm *a = &own_algorithms[i];

		if (a->op == op && (all || item_equals(item, len, a->name)))
			err = add_spec(m, op, a, NULL, P, size);
	}
	for (uint32_t i = 0; i < compositions_count && !err; i++) {
		const struct composition *c = &compositions[i];

		if (c->own.op == op && item_equals(item, len, c->native))
			err = add_spec(m, op, NULL, c, P, size);
		else if (c->own.op == op && item_equals(item, len, c->own.name))
			err = add_spec(m, op, &c->own, NULL, P, size);
	}
	return err;
}

/* Returns whether any requested operation has an algorithm with the name in `item`. */
static bool is_known_algorithm(const struct collective_options *o, const char *item, size_t len)
{
	for (size_t k = 0; k < o->operations.n; k++) {
		for (uint32_t i = 0; i < own_algorithms_count; i++)
			if (own_algorithms[i].op == o->operations.v[k] &&
			    item_equals(item, len, own_algorithms[i].name))
				return true;
		for (uint32_t i = 0; i < compositions_count; i++)
			if (compositions[i].own.op == o->operations.v[k] &&
			    (item_equals(item, len, compositions[i].native) ||
			     item_equals(item, len, compositions[i].own.name)))
				return true;
	}
	return item_equals(item, len, "native") || item_equals(item, len, "all");
}

static int check_algorithms(const struct collective_options *o)
{
	for (const char *item = o->algorithms; item; item = strchr(item, ',')) {
		size_t len = strcspn(item += *item == ',', ",");

		if (!is_known_algorithm(o, item, len))
			return error_usage("'%.*s' in '--algorithm' is no algorithm of the "
					   "operations: see netbench-collective(1)",
					   (int)len, item);
		if (!item[len])
			break;
	}
	return ST_OK;
}

/*
 * Adds the left side of the guidelines of an operation and size, then its alternatives: for native
 * operations their native compositions, else those of netbench; and netbench's algorithms.
 */
static int add_guidelines(struct spec_maker *m, enum operation op, uint32_t P, const char *item,
			  uint64_t size)
{
	bool native = m->p->settings->be->caps & CAP_NATIVE;
	const struct algorithm *left = NULL;
	struct shape shape = make_shape(m->p, P, size);
	int err;

	if (*item)
		left = algorithm_find(op, item);
	else if (!native)
		left = fastest_algorithm(m->p, op, P, size);
	if (*item && !left && strcmp(item, "native") != 0)
		return ST_OK;
	err = add_spec(m, op, left, NULL, P, size);
	/* without a left side there is nothing to compare */
	if (left ? algorithm_refusal(left, &shape) != NULL : !native)
		return err;
	m->unasked = true;
	for (uint32_t i = 0; i < compositions_count && !err; i++)
		if (compositions[i].own.op == op)
			err = left ? add_spec(m, op, &compositions[i].own, NULL, P, size)
				   : add_spec(m, op, NULL, &compositions[i], P, size);
	for (uint32_t i = 0; i < own_algorithms_count && !err; i++)
		if (own_algorithms[i].op == op && &own_algorithms[i] != left)
			err = add_spec(m, op, &own_algorithms[i], NULL, P, size);
	m->unasked = false;
	return err;
}

/* Checks the options that go with --guidelines. Returns ST_OK or ST_USAGE (reported). */
static int check_guidelines(const struct plan *p)
{
	const struct collective_options *o = p->settings->own;
	const char *name = o->algorithms ? o->algorithms : "";

	if (settings_monitors(p->settings))	/* it excludes --guidelines */
		return ST_OK;
	if (collective_check_fail_if(o))
		return ST_USAGE;
	if (!o->guidelines)
		return o->fail_if ? error_usage("'--fail-if' needs '--guidelines'") : ST_OK;
	if (o->in_place)
		return error_usage("'--guidelines' and '--in-place' exclude each other");
	if (o->in_a_row)
		return error_usage("'--guidelines' and '--loops' exclude each other");
	if (settings_given(p->settings, "repetitions"))
		return error_usage("'--guidelines' has one block in each visit: give '--visits', "
				   "not '--repetitions'");
	if (strpbrk(name, ",:") || !strcmp(name, "all"))
		return error_usage("'--algorithm %s' with '--guidelines': expected one algorithm, "
				   "the left side of the guidelines", name);
	return ST_OK;
}

static int add_operation(struct spec_maker *m, enum operation op, uint32_t P)
{
	const struct collective_options *o = m->p->settings->own;
	const struct numbers *sizes = &m->p->sizes;
	const char *item = o->algorithms ? o->algorithms : "";
	int err = ST_OK;

	if (o->guidelines && op == OPERATION_BARRIER)
		return add_guidelines(m, op, P, item, 0);
	for (size_t i = 0; i < sizes->n && o->guidelines && !err; i++)
		err = add_guidelines(m, op, P, item, sizes->v[i]);
	if (o->guidelines)
		return err;
	for (;; item++) {
		size_t len = strcspn(item, ",");

		if (op == OPERATION_BARRIER)
			err = add_item(m, op, P, item, len, 0);
		for (size_t i = 0; i < sizes->n && op != OPERATION_BARRIER && !err; i++)
			err = add_item(m, op, P, item, len, sizes->v[i]);
		m->series++;
		item += len;
		if (err || !*item)
			return err;
	}
}

int plan_collective(struct plan *p)
{
	const struct collective_options *o = p->settings->own;
	const struct numbers *asked = &p->settings->m.ranks;
	struct spec_maker m = { .p = p };
	int err = plan_ranks(p, 2);
	char *root;

	m.root = root = plan_alloc(p, 1, ROOT_TEXT);
	if (!root)
		return ST_FAILED;
	if (o->root == OPT_AUTO)
		snprintf(root, ROOT_TEXT, "rotate");
	else
		snprintf(root, ROOT_TEXT, "%llu", (unsigned long long)o->root);
	if (!err && p->settings->m.verify >= VERIFY_EVERY)
		err = error_usage("'--verify %s' verifies messages, but operations are verified as "
				  "a whole: use '--verify full'",
				  verify_names[p->settings->m.verify]);
	if (!err && o->cache == CACHE_ROTATE && settings_virtual(p->settings))
		err = error_usage("'--cache rotate' has no meaning on backend '%s': time is "
				  "virtual", p->settings->be->name);
	if (!err && o->overlap)
		err = settings_exclude(p->settings, "overlap", "loops");
	if (!err && o->overlap && !(p->settings->be->caps & CAP_NATIVE))
		err = error_unavailable("'--overlap' needs native operations, which backend '%s' "
					"does not offer", p->settings->be->name);
	if (!err && o->root != OPT_AUTO && o->root >= (uint64_t)p->ranks)
		err = error_usage("value '%llu' of '--root' is no rank: there are %d",
				  (unsigned long long)o->root, p->ranks);
	if (!err)
		err = check_algorithms(o);
	if (!err)
		err = check_guidelines(p);
	if (o->guidelines)
		p->usual.visits = GUIDELINE_VISITS;
	for (size_t r = 0; r < (asked->n ? asked->n : 1) && !err; r++) {
		uint32_t P = asked->n ? (uint32_t)asked->v[r] : (uint32_t)p->ranks;

		if (o->root != OPT_AUTO && o->root >= P)
			return error_usage("value '%llu' of '--root' is no rank of %u",
					   (unsigned long long)o->root, P);
		for (size_t i = 0; i < o->operations.n && !err; i++)
			err = add_operation(&m, (enum operation)o->operations.v[i], P);
	}
	if (!err && !p->n)
		return error_usage("no operation has any algorithm of '--algorithm %s'",
				   o->algorithms);
	return err;
}
