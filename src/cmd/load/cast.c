/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/load/cast.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"

#define VICTIMS_OF 5	/* a placement makes one of five ranks a victim */

const char *const load_victim_names[] = { "pingpong", "bandwidth", NULL };
const char *const load_aggressor_names[] = { "incast", "alltoall", "permutation", "broadcast",
					     NULL };
const char *const load_place_names[] = { "random", "striped", "same-host", NULL };
const char *const load_role_names[] = { "idle", "victim", "victim", "aggressor" };

/* ---- lists ---- */

int cast_default_victims(int ranks)
{
	int pairs = ranks / VICTIMS_OF / 2;

	return 2 * (pairs ? pairs : 1);
}

static int assign_role(struct cast *c, int rank, enum load_role role, int at)
{
	if (c->role[rank] != LOAD_ROLE_IDLE)
		return error_usage("rank %d is named twice in '--victims' and '--aggressors'",
				   rank);
	c->role[rank] = role;
	c->at[rank] = at;
	return ST_OK;
}

static int copy_lists(struct cast *c, const struct numbers *victims,
		      const struct numbers *aggressors)
{
	const struct numbers *lists[] = { victims, aggressors };
	int *into[] = { c->victim, c->aggressor };

	for (size_t k = 0; k < LENGTH(lists); k++)
		for (size_t i = 0; i < lists[k]->n; i++) {
			if (lists[k]->v[i] >= (uint64_t)c->ranks)
				return error_usage("value '%llu' of '--%s' is no rank: the job has "
						   "%d", (unsigned long long)lists[k]->v[i],
						   k ? "aggressors" : "victims", c->ranks);
			into[k][i] = (int)lists[k]->v[i];
		}
	c->nvictims = (int)victims->n;
	c->naggressors = (int)aggressors->n;
	return ST_OK;
}

/* ---- placements ---- */

/* Sorts ranks by host number with insertion sort. Ranks of the same host keep their order. */
static void sort_by_host(const int *host, int *order, int n)
{
	for (int i = 1; i < n; i++) {
		int rank = order[i], j = i;

		for (; j > 0 && host[order[j - 1]] > host[rank]; j--)
			order[j] = order[j - 1];
		order[j] = rank;
	}
}

/*
 * Chooses victims and aggressors. Returns ST_OK or ST_FAILED (reported).
 * - random: the first ranks of a random permutation are victims.
 * - striped: the ranks are sorted by host, and the victims are spread evenly over this order, so
 *   that each host has both kinds.
 * - same-host: the ranks are sorted by host, and the first are victims. Victims thus share hosts
 *   with each other as far as possible.
 */
static int assign_by_placement(struct cast *c, enum load_place place, const int *host,
			       uint64_t seed)
{
	int n = c->ranks, nvictims = cast_default_victims(n);
	int *order = calloc((size_t)n, sizeof(*order));
	uint32_t *drawn = calloc((size_t)n, sizeof(*drawn));
	struct rng rng;

	if (!order || !drawn) {
		free(order);
		free(drawn);
		return error_report("no memory for the roles of %d ranks", n);
	}
	rng_seed(&rng, seed);
	rng_permutation(&rng, drawn, (size_t)n);
	for (int i = 0; i < n; i++)
		order[i] = place == PLACE_RANDOM ? (int)drawn[i] : i;
	if (place != PLACE_RANDOM && host)
		sort_by_host(host, order, n);
	for (int i = 0; i < n; i++) {
		bool victim = i < nvictims;

		if (place == PLACE_STRIPED)
			victim = (int64_t)(i + 1) * nvictims / n > (int64_t)i * nvictims / n;
		if (victim)
			c->victim[c->nvictims++] = order[i];
		else
			c->aggressor[c->naggressors++] = order[i];
	}
	free(order);
	free(drawn);
	return ST_OK;
}

int cast_make(struct cast *c, int ranks, const struct numbers *victims,
	      const struct numbers *aggressors, enum load_place place, const int *host,
	      uint64_t seed)
{
	size_t room = (size_t)ranks + victims->n + aggressors->n;
	struct rng rng;
	int err;

	*c = (struct cast){ .victim = calloc(room, sizeof(int)),
			    .aggressor = calloc(room, sizeof(int)),
			    .at = calloc((size_t)ranks, sizeof(int)),
			    .role = calloc((size_t)ranks, sizeof(enum load_role)),
			    .ranks = ranks };
	if (!c->victim || !c->aggressor || !c->at || !c->role)
		return error_report("no memory for the roles of %d ranks", ranks);
	err = victims->n || aggressors->n ? copy_lists(c, victims, aggressors)
					  : assign_by_placement(c, place, host, seed);
	for (int i = 0; i < c->nvictims && !err; i++)
		err = assign_role(c, c->victim[i], i % 2 ? LOAD_ROLE_ANSWERER : LOAD_ROLE_ASKER, i);
	for (int i = 0; i < c->naggressors && !err; i++)
		err = assign_role(c, c->aggressor[i], LOAD_ROLE_AGGRESSOR, i);
	if (err)
		return err;
	if (c->nvictims < 2 || c->nvictims % 2)
		return error_usage("'--victims' names %d ranks: victims come in pairs",
				   c->nvictims);
	if (c->naggressors < 2)
		return error_usage("'--aggressors' names %d ranks: at least two are needed",
				   c->naggressors);
	rng_seed(&rng, seed + 1);
	c->shift = 1 + (int)(rng_next(&rng) % (uint64_t)(c->naggressors - 1));
	return ST_OK;
}

void cast_free(struct cast *c)
{
	free(c->victim);
	free(c->aggressor);
	free(c->at);
	free(c->role);
	*c = (struct cast){ 0 };
}

int cast_partner(const struct cast *c, int rank)
{
	return c->victim[c->at[rank] ^ 1];
}

/* ---- patterns ---- */

unsigned cast_parse_patterns(const char *word)
{
	unsigned set = 0;
	char *copy = strdup(word), *rest = copy, *part;

	while (copy && (part = strsep(&rest, "+"))) {
		unsigned found = 0;

		for (unsigned i = 0; i < LOAD_AGGRESSORS; i++)
			if (!strcmp(part, load_aggressor_names[i]))
				found = 1U << i;
		if (!found)
			error_usage("value '%s' of '--aggressor' is not incast, alltoall, "
				    "permutation or broadcast", part);
		set = found ? set | found : 0;
		if (!found)
			break;
	}
	free(copy);
	return set;
}

static bool sends_in_pattern(const struct cast *c, enum load_aggressor pattern, int from, int to)
{
	switch (pattern) {
	case LOAD_INCAST:
		return to == 0;
	case LOAD_PERMUTATION:
		return to == (from + c->shift) % c->naggressors;
	case LOAD_BROADCAST:
		return from == 0;
	default:
		return true;
	}
}

bool cast_sends(const struct cast *c, unsigned patterns, int from, int to)
{
	for (enum load_aggressor p = 0; p < LOAD_AGGRESSORS && from != to; p++)
		if (patterns & 1U << p && sends_in_pattern(c, p, from, to))
			return true;
	return false;
}

bool cast_sends_any(const struct cast *c, unsigned patterns, int from)
{
	unsigned others = 1U << LOAD_ALLTOALL | 1U << LOAD_PERMUTATION;

	return patterns & (others | 1U << (from ? LOAD_INCAST : LOAD_BROADCAST));
}

/*
 * Returns the pattern of an aggressor's message *k. An aggressor's patterns take turns. Sets *k to
 * the message's number within the pattern.
 */
static enum load_aggressor pattern_of_message(unsigned patterns, int from, uint64_t *k)
{
	enum load_aggressor its[LOAD_AGGRESSORS], p;
	uint64_t n = 0;

	patterns &= ~(1U << (from ? LOAD_BROADCAST : LOAD_INCAST));
	for (p = 0; p < LOAD_AGGRESSORS; p++)
		if (patterns & 1U << p)
			its[n++] = p;
	p = its[*k % n];
	*k /= n;
	return p;
}

int cast_receiver(const struct cast *c, unsigned patterns, int from, uint64_t k)
{
	uint64_t others = (uint64_t)c->naggressors - 1;

	switch (pattern_of_message(patterns, from, &k)) {
	case LOAD_INCAST:
		return 0;
	case LOAD_PERMUTATION:
		return (from + c->shift) % c->naggressors;
	default: /* alltoall: to all others in turn, beginning with the one after the sender */
		return (from + 1 + (int)(k % others)) % c->naggressors;
	}
}
