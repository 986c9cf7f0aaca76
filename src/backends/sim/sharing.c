/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/sim/sharing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/read/fields.h"

#define RANKS_MOST 1000000
#define UPLINKS_MOST 65536
#define RATE_LEAST 0.001
#define RATE_MOST 1000000
#define BYTE_LEAST_S 1e-18

const char *const sharing_hashes[] = { "none", "meeting", "pair", NULL };

static const struct field leaves[] = {
	{ "leaf", NUMBER_WHOLE, offsetof(struct sharing, leaf), .min = 1, .max = RANKS_MOST,
	  .required = true },
	{ "uplinks", NUMBER_WHOLE, offsetof(struct sharing, uplinks), .min = 1,
	  .max = UPLINKS_MOST, .required = true },
	{ "rate", NUMBER_REAL, offsetof(struct sharing, rate), .min = RATE_LEAST,
	  .max = RATE_MOST, .required = false },
	/* hash is a word, which parse_hash has already parsed */
	{ "hash", NUMBER_WHOLE, .required = false },
	{ 0 },
};
static const struct field sides[] = {
	{ "link", NUMBER_SECONDS, offsetof(struct sharing, link), .min = BYTE_LEAST_S, .max = 1,
	  .required = true },
	{ "side", NUMBER_WHOLE, offsetof(struct sharing, side), .min = 1, .max = RANKS_MOST,
	  .required = false },
	{ 0 },
};

/*
 * Splits the items "name=value" of a text. *named becomes a text with the items whose name is in
 * `names`. *rest becomes a text with the other items. Returns ST_OK, or ST_FAILED if there is no
 * memory.
 */
static int split_items(const char *text, const char *const *names, char **named, char **rest)
{
	char *list;

	*named = calloc(1, strlen(text) + 1);
	*rest = calloc(1, strlen(text) + 1);
	if (!*named || !*rest)
		return error_report("out of memory");
	for (const char *item = text;; item++) {
		size_t len = strcspn(item, ","), name = strcspn(item, "=,"), i = 0;

		while (names[i] && (strlen(names[i]) != name || memcmp(names[i], item, name) != 0))
			i++;
		list = names[i] ? *named : *rest;
		sprintf(list + strlen(list), "%s%.*s", *list ? "," : "", (int)len, item);
		item += len;
		if (!*item)
			return ST_OK;
	}
}

/*
 * Parses an item such as "hash=none". An empty text means "hash=none". Returns ST_OK or ST_USAGE.
 */
static int parse_hash(const char *text, enum link_hash *to)
{
	const char *word = text + strlen("hash=");

	*to = HASH_NONE;
	if (!*text)
		return ST_OK;
	if (strchr(text, ','))
		return error_usage("--sim-topology: field 'hash' is given twice");
	for (size_t i = 0; sharing_hashes[i] && strchr(text, '='); i++) {
		if (strcmp(word, sharing_hashes[i]) != 0)
			continue;
		*to = (enum link_hash)i;
		return ST_OK;
	}
	return error_usage("--sim-topology: '%s': expected hash=none, hash=meeting or hash=pair",
			   text);
}

int sharing_read(const char *text, struct sharing *to)
{
	static const char *const names[] = { "hash", NULL };
	char *hash, *rest;
	int err = split_items(text, names, &hash, &rest);

	*to = (struct sharing){ .rate = 1 };
	if (!err)
		err = parse_hash(hash, &to->hash);
	if (!err)
		err = fields_parse("--sim-topology", rest, leaves, 1, to);
	free(hash);
	free(rest);
	return err;
}

int sharing_parse_link(const char *text, char **rest, struct sharing *to)
{
	static const char *const names[] = { "link", "side", NULL };
	char *own;
	int err = split_items(text, names, &own, rest);

	if (!err && *own)
		err = fields_parse("--sim", own, sides, 1e-9, to);
	free(own);
	return err;
}

void sharing_describe(const struct sharing *t, int nranks, char *text, size_t len)
{
	static const char *const drawn[] = { "together", "drawn for each meeting",
					     "drawn for each pair" };

	if (t->link > 0)
		snprintf(text, len, ", one link of %.10gns a byte behind rank %ju", t->link * 1e9,
			 (uintmax_t)(t->side ? t->side : (uint64_t)nranks / 2) - 1);
	else
		snprintf(text, len, ", %ju uplinks of rate %g for %ju ranks, %s",
			 (uintmax_t)t->uplinks, t->rate, (uintmax_t)t->leaf, drawn[t->hash]);
}
