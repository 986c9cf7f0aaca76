/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/load/cast.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"

#define VICTIMS_OF 5	/* a placement makes one of five ranks a victim */

const char *const load_victim_names[] = { "pingpong", "bandwidth", "allreduce", NULL };
const char *const load_aggressor_names[] = { "incast", "alltoall", "permutation", "broadcast",
					     NULL };
const char *const load_place_names[] = { "random", "striped", "same-host", "same-switch",
					 "apart", NULL };

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

static int copy_lists(struct cast *c, const struct casting *how)
{
	const struct numbers *lists[] = { &how->victims, &how->aggressors };
	int *into[] = { c->victim, c->aggressor };

	for (size_t k = 0; k < LENGTH(lists); k++)
		for (size_t i = 0; i < lists[k]->n; i++) {
			if (lists[k]->v[i] >= (uint64_t)c->ranks)
				return error_usage("value '%llu' of '--%s' is no rank: the job has "
						   "%d", (unsigned long long)lists[k]->v[i],
						   k ? "aggressors" : "victims", c->ranks);
			into[k][i] = (int)lists[k]->v[i];
		}
	c->nvictims = (int)how->victims.n;
	c->naggressors = (int)how->aggressors.n;
	return ST_OK;
}

/* ---- placements ---- */

/* Sorts ranks by key with insertion sort. Ranks with the same key keep their order. */
static void sort_by_key(const uint64_t *key, int *order, int n)
{
	for (int i = 1; i < n; i++) {
		int rank = order[i], j = i;

		for (; j > 0 && key[order[j - 1]] > key[rank]; j--)
			order[j] = order[j - 1];
		order[j] = rank;
	}
}

/*
 * Writes the key by which a placement sorts each rank: by chance, by host, or by switch. On a
 * switch, the first ranks of all hosts come before their second ranks, so that victims of a pair
 * are on different hosts.
 */
static void write_keys(const struct casting *how, const uint32_t *drawn, uint64_t *key, int n)
{
	for (int r = 0; r < n; r++) {
		uint64_t before = 0, leaf = how->leaf ? (uint64_t)how->leaf[r] : 0;

		key[r] = how->host ? (uint64_t)how->host[r] : 0;
		if (how->place == PLACE_RANDOM)
			key[r] = drawn[r];
		if (how->place < PLACE_SAME_SWITCH)
			continue;
		for (int i = 0; i < r && how->host; i++)
			before += how->host[i] == how->host[r];
		key[r] |= leaf << 42 | before << 21;
	}
}

/* Returns whether a victim is on the switch of this rank. */
static bool is_near_victim(const struct cast *c, const int *leaf, int rank)
{
	for (int i = 0; i < c->nvictims; i++)
		if (!leaf || leaf[c->victim[i]] == leaf[rank])
			return true;
	return false;
}

/*
 * Chooses victims and aggressors. Returns ST_OK or ST_FAILED (reported). The first ranks in the
 * order of the placement are victims. With PLACE_STRIPED, the victims are spread evenly over this
 * order, so that each host has both kinds.
 */
static int place_ranks(struct cast *c, const struct casting *how)
{
	int n = c->ranks, nvictims = cast_default_victims(n);
	int *order = calloc((size_t)n, sizeof(*order));
	uint64_t *key = calloc((size_t)n, sizeof(*key));
	uint32_t *drawn = calloc((size_t)n, sizeof(*drawn));
	struct rng rng;

	for (int i = 0; i < n && order && key && drawn; i++)
		order[i] = i;
	if (order && key && drawn) {
		rng_seed(&rng, how->seed);
		rng_permutation(&rng, drawn, (size_t)n);
		write_keys(how, drawn, key, n);
		sort_by_key(key, order, n);
	}
	for (int i = 0; i < n && order && key && drawn; i++) {
		bool victim = i < nvictims;

		if (how->place == PLACE_STRIPED)
			victim = (int64_t)(i + 1) * nvictims / n > (int64_t)i * nvictims / n;
		if (victim)
			c->victim[c->nvictims++] = order[i];
		else if (how->place != PLACE_APART || !is_near_victim(c, how->leaf, order[i]))
			c->aggressor[c->naggressors++] = order[i];
	}
	free(order);
	free(drawn);
	free(key);
	return c->nvictims ? ST_OK : error_report("no memory for the roles of %d ranks", n);
}

int cast_make(struct cast *c, int ranks, const struct casting *how)
{
	size_t room = (size_t)ranks + how->victims.n + how->aggressors.n;
	struct rng rng;
	int err;

	*c = (struct cast){ .victim = calloc(room, sizeof(int)),
			    .aggressor = calloc(room, sizeof(int)),
			    .at = calloc((size_t)ranks, sizeof(int)),
			    .role = calloc((size_t)ranks, sizeof(enum load_role)),
			    .ranks = ranks };
	if (!c->victim || !c->aggressor || !c->at || !c->role)
		return error_report("no memory for the roles of %d ranks", ranks);
	err = how->victims.n || how->aggressors.n ? copy_lists(c, how) : place_ranks(c, how);
	c->group = how->together ? c->nvictims : 2;
	for (int i = 0; i < c->nvictims && !err; i++)
		err = assign_role(c, c->victim[i],
				  i % c->group ? LOAD_ROLE_ANSWERER : LOAD_ROLE_ASKER, i);
	for (int i = 0; i < c->naggressors && !err; i++)
		err = assign_role(c, c->aggressor[i], LOAD_ROLE_AGGRESSOR, i);
	if (err)
		return err;
	if (how->together && c->nvictims < 2)
		return error_usage("'--victims' names %d rank: at least two are needed",
				   c->nvictims);
	if (c->nvictims < 2 || c->nvictims % c->group)
		return error_usage("'--victims' names %d ranks: victims come in pairs",
				   c->nvictims);
	if (c->naggressors < 2 && how->place == PLACE_APART)
		return error_usage("'--place apart' leaves %d aggressors on other switches than "
				   "victims: at least two are needed", c->naggressors);
	if (c->naggressors < 2)
		return error_usage("'--aggressors' names %d ranks: at least two are needed",
				   c->naggressors);
	rng_seed(&rng, how->seed + 1);
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

static bool sends_in_pattern(const struct cast *c, enum load_aggressor pattern, int target,
			     int from, int to)
{
	switch (pattern) {
	case LOAD_INCAST:
		return to == target;
	case LOAD_PERMUTATION:
		return to == (from + c->shift) % c->naggressors;
	case LOAD_BROADCAST:
		return from == 0;
	default:
		return true;
	}
}

bool cast_sends(const struct cast *c, struct load_traffic t, int from, int to)
{
	for (enum load_aggressor p = 0; p < LOAD_AGGRESSORS && from != to; p++)
		if (t.patterns & 1U << p && sends_in_pattern(c, p, t.target, from, to))
			return true;
	return false;
}

/* Returns those patterns in which the aggressor at index `from` sends. */
static unsigned patterns_of_sender(struct load_traffic t, int from)
{
	unsigned none = (from == t.target) << LOAD_INCAST | (from != 0) << LOAD_BROADCAST;

	return t.patterns & ~none;
}

bool cast_sends_any(const struct cast *c, struct load_traffic t, int from)
{
	return patterns_of_sender(t, from);
}

/*
 * Returns the pattern of an aggressor's message *k. An aggressor's patterns take turns. Sets *k to
 * the message's number within the pattern.
 */
static enum load_aggressor pattern_of_message(struct load_traffic t, int from, uint64_t *k)
{
	enum load_aggressor its[LOAD_AGGRESSORS], p;
	unsigned patterns = patterns_of_sender(t, from);
	uint64_t n = 0;

	for (p = 0; p < LOAD_AGGRESSORS; p++)
		if (patterns & 1U << p)
			its[n++] = p;
	p = its[*k % n];
	*k /= n;
	return p;
}

int cast_receiver(const struct cast *c, struct load_traffic t, int from, uint64_t k)
{
	uint64_t others = (uint64_t)c->naggressors - 1;

	switch (pattern_of_message(t, from, &k)) {
	case LOAD_INCAST:
		return t.target;
	case LOAD_PERMUTATION:
		return (from + c->shift) % c->naggressors;
	default: /* alltoall: to all others in turn, beginning with the one after the sender */
		return (from + 1 + (int)(k % others)) % c->naggressors;
	}
}
