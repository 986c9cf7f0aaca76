/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"
#include "base/text.h"
#include "host/links.h"
#include "host/machines.h"
#include "host/wording.h"

#define TIMES 4			/* the median of the peers: a counter that stands out */

/* ---- machines of hosts ---- */

/* The machines by the study's numbers of hosts; NULL where nothing is known. For free(). */
static json_t **machines_of(const struct study *s)
{
	json_t **of = calloc(s->n + 1, sizeof(json_t *)), *one;
	uint32_t host;
	size_t i;

	json_array_foreach(json_object_get(s->machines, "hosts"), i, one) {
		const char *name = json_string_value(json_object_get(one, "host"));

		if (of && name && study_find(s, name, &host))
			of[host] = one;
	}
	return of;
}

/* A fact of a machine; NULL for unknown. */
static json_t *fact_of(const struct study *s, const json_t *machine, const char *path)
{
	json_t *own = json_object_get(json_object_get(machine, "own"), path);
	json_t *v = own ? own : json_object_get(json_object_get(s->machines, "common"), path);

	return json_is_null(v) ? NULL : v;
}

/* How often a machine has counted something; NaN: not known. */
static double change_of(const json_t *machine, const char *path)
{
	const json_t *two = json_object_get(json_object_get(machine, "counters"), path);
	const json_t *before = json_array_get(two, 0), *after = json_array_get(two, 1);

	if (!json_is_number(before) || !json_is_number(after))
		return NAN;
	return json_number_value(after) - json_number_value(before);
}

/* ---- words ---- */

/* "1,245" */
static void put_count(FILE *to, double count)
{
	char digits[32];
	int len = snprintf(digits, sizeof(digits), "%.0f", count);

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			fputc(',', to);
		fputc(digits[i], to);
	}
}

/* ---- evidence ---- */

/* Whose evidence is looked for, and with whom they are compared. */
struct sides {
	const struct verdicts *all;
	json_t **machine;
	uint32_t *subject;
	size_t nsubjects;
	bool *is_peer;
	json_t **values;	/* work */
	double *changes;
};

/* Evidence with the sentence that `to` has written into *text, which is freed. */
static void add_item(json_t *list, const struct sides *b, uint32_t host, const char *what,
		     json_t *const values[3], char *text)
{
	json_array_append_new(list, json_pack("{s:s, s:s, s:o?, s:o?, s:o?, s:s}", "host",
					      b->all->s->name[host], "what", what, "before",
					      json_incref(values[0]), "after",
					      json_incref(values[1]), "peers",
					      json_incref(values[2]), "text", text ? text : ""));
	free(text);
}

/* "its", or "n3's" where there are several. */
static void put_whose(FILE *to, const struct sides *b, uint32_t host)
{
	if (b->nsubjects > 1)
		fprintf(to, "%s's", b->all->s->name[host]);
	else
		fputs("its", to);
}

/* "its eth0 counted 1,245 CRC errors, its peers none: suspect its cable" */
static char *say_counted(const struct sides *b, uint32_t host, const char *path, double count,
			 double peers)
{
	char *text = NULL;
	int link;
	const char *part = wording_part(path, &link);
	const struct link_counter *c = links_counter(part);
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		return NULL;
	if (link >= 0) {
		put_whose(to, b, host);
		fprintf(to, " %s", wording_link(b->machine[host], link));
	} else {
		fputs(b->nsubjects > 1 ? b->all->s->name[host] : "it", to);
	}
	fputs(" counted ", to);
	put_count(to, count);
	fprintf(to, " %s, its peers ", c ? c->text : part);
	if (peers > 0)
		put_count(to, peers);
	else
		fputs("none", to);
	if (c && c->cable)
		fputs(": suspect its cable", to);
	return text_close(to, &text);
}

/* The median of what peers have counted, and what nine of ten of them stay below; n = 0: 0. */
static double peers_count(const struct sides *b, const char *path, double *high)
{
	size_t n = 0;

	for (uint32_t i = 0; i < b->all->s->n; i++) {
		b->changes[n] = change_of(b->machine[i], path);
		n += b->is_peer[i] && !isnan(b->changes[n]);
	}
	*high = n ? select_double(b->changes, n, (n - 1) * 9 / 10) : 0;
	return n ? select_median(b->changes, n) : 0;
}

/* Counters of a host that stand out; those that accuse a cable first. */
static void add_counters(json_t *list, const struct sides *b, uint32_t host, bool cable)
{
	json_t *counters = json_object_get(b->machine[host], "counters"), *two;
	const char *path;
	int link;

	json_object_foreach(counters, path, two) {
		const struct link_counter *c = links_counter(wording_part(path, &link));
		double mine = change_of(b->machine[host], path), high;
		double peers = peers_count(b, path, &high);
		json_t *usual = json_real(peers);
		json_t *const values[] = { json_array_get(two, 0), json_array_get(two, 1), usual };

		if ((c && c->cable) == cable && strcmp(wording_part(path, &link), "bytes") != 0 &&
		    mine >= (c ? c->least : 1) && mine > TIMES * peers && mine > high)
			add_item(list, b, host, path, values,
				 say_counted(b, host, path, mine, peers));
		json_decref(usual);
	}
}

/* What the link was before is no longer true. */
static void add_changes(json_t *list, const struct sides *b, uint32_t host)
{
	json_t *changed = json_object_get(b->machine[host], "changed"), *two;
	const char *path;

	json_object_foreach(changed, path, two) {
		json_t *const values[] = { json_array_get(two, 0), json_array_get(two, 1), NULL };
		char *text = NULL;
		const char *unit = wording_unit(path);
		size_t len;
		FILE *to = open_memstream(&text, &len);

		if (!to)
			return;
		put_whose(to, b, host);
		fputc(' ', to);
		wording_name(to, b->machine[host], path);
		fputs(" was ", to);
		wording_value(to, values[0], unit);
		fputs(" before and ", to);
		wording_value(to, values[1], unit);
		fputs(" after", to);
		add_item(list, b, host, path, values, text_close(to, &text));
	}
}

/* What most of the peers have; NULL if half of them or more have something else. */
static json_t *peers_fact(const struct sides *b, const char *path)
{
	size_t n = 0, count;
	json_t *v;

	for (uint32_t i = 0; i < b->all->s->n; i++)
		if (b->is_peer[i] && b->machine[i])
			b->values[n++] = fact_of(b->all->s, b->machine[i], path);
	v = machines_commonest(b->values, n, &count);
	return 2 * count > n ? v : NULL;
}

/* Members of a group share what may be the cause. */
static bool all_have(const struct sides *b, const char *path, const json_t *v)
{
	for (size_t i = 0; i < b->nsubjects; i++) {
		json_t *mine = fact_of(b->all->s, b->machine[b->subject[i]], path);

		if (!mine || !json_equal(mine, v))
			return false;
	}
	return true;
}

/* Facts of the link, and the governor, that are not those of the peers. */
static void add_facts(json_t *list, const struct sides *b, uint32_t host, bool shared)
{
	json_t *common = json_object_get(b->all->s->machines, "common"), *v;
	const char *path;

	json_object_foreach(common, path, v) {
		json_t *mine = fact_of(b->all->s, b->machine[host], path), *theirs;
		json_t *values[3] = { mine, mine, NULL };
		char *text = NULL;
		size_t len;
		int link;
		const char *part = wording_part(path, &link);
		FILE *to;

		if (!mine || !strcmp(part, "name") || (link < 0 && strcmp(part, "cpu.governor")) ||
		    (shared && !all_have(b, path, mine)))
			continue;
		theirs = values[2] = peers_fact(b, path);
		to = theirs && !json_equal(mine, theirs) ? open_memstream(&text, &len) : NULL;
		if (!to)
			continue;
		if (shared)
			fputs("all have", to);
		else
			put_whose(to, b, host);
		fputc(' ', to);
		wording_difference(to, b->machine[host], path, values + 1,
				   shared ? " " : " is ",
				   shared ? ", others " : ", its peers' ");
		add_item(list, b, host, path, values, text_close(to, &text));
	}
}

/* The hosts that a cause or its members name. */
static void find_subjects(struct sides *b, const struct map_verdict *v)
{
	enum map_kind kind = v->cause.kind;

	b->nsubjects = 0;
	if (v->nmembers) {
		memcpy(b->subject, v->members, v->nmembers * sizeof(*b->subject));
		b->nsubjects = v->nmembers;
		return;
	}
	b->subject[b->nsubjects++] = v->cause.a;
	if (kind == KIND_PAIR || kind == KIND_DIRECTION || kind == KIND_ONE_WAY ||
	    kind == KIND_HALVES)
		b->subject[b->nsubjects++] = v->cause.b;
}

/* Peers: of the class, and in no verdict; if there are none, in no part of this one. */
static void find_peers(struct sides *b, const struct found *f, const struct map_verdict *v)
{
	const struct study *s = b->all->s;
	size_t n = 0;

	for (uint32_t i = 0; i < s->n; i++)
		b->is_peer[i] = s->class[i] == f->class;
	for (size_t k = 0; k < f->j.n; k++) {
		find_subjects(b, &f->j.at[k]);
		for (size_t i = 0; i < b->nsubjects; i++)
			b->is_peer[b->subject[i]] = false;
	}
	for (uint32_t i = 0; i < s->n; i++)
		n += b->is_peer[i];
	find_subjects(b, v);
	for (uint32_t i = 0; i < s->n && !n; i++)
		b->is_peer[i] = s->class[i] == f->class;
	for (size_t i = 0; i < b->nsubjects; i++)
		b->is_peer[b->subject[i]] = false;
}

static json_t *evidence_of(struct sides *b, const struct found *f, const struct map_verdict *v)
{
	json_t *list = json_array();
	bool group = v->nmembers && v->cause.kind != KIND_UNREACHABLE;

	find_peers(b, f, v);
	for (int cable = 1; cable >= 0 && !group; cable--)
		for (size_t i = 0; i < b->nsubjects; i++)
			add_counters(list, b, b->subject[i], cable);
	for (size_t i = 0; i < b->nsubjects && !group; i++)
		add_changes(list, b, b->subject[i]);
	for (size_t i = 0; i < (group ? 1 : b->nsubjects); i++)
		add_facts(list, b, b->subject[i], group);
	return list;
}

/* ---- differences ---- */

/* A fact of a host that more than half of its class have otherwise; of two, the first's counts. */
static void add_difference(json_t *list, struct sides *b, uint32_t host, const char *path,
			   json_t *theirs)
{
	json_t *mine = fact_of(b->all->s, b->machine[host], path);
	char *text = NULL;
	size_t len;
	int link;
	FILE *to;

	wording_part(path, &link);
	if ((link >= 0 && (!mine || !theirs)) || mine == theirs ||
	    (mine && theirs && json_equal(mine, theirs)))
		return;
	to = open_memstream(&text, &len);
	if (!to)
		return;
	wording_difference(to, b->machine[host], path, (json_t *[]){ mine, theirs }, " ",
			   ", others ");
	text_close(to, &text);
	json_array_append_new(list, json_pack("{s:s, s:s, s:o?, s:o?, s:s}", "host",
					      b->all->s->name[host], "what", path, "value",
					      json_incref(mine), "peers", json_incref(theirs),
					      "text", text ? text : ""));
	free(text);
}

/* What most hosts of a class have; false if there is no such value. */
static bool normal_of(struct sides *b, uint32_t class, const char *path, json_t **v)
{
	const struct study *s = b->all->s;
	size_t n = 0, count;

	for (uint32_t i = 0; i < s->n; i++)
		if (s->class[i] == class && b->machine[i])
			b->values[n++] = fact_of(s, b->machine[i], path);
	*v = machines_commonest(b->values, n, &count);
	return count < n && (2 * count > n || n == 2);
}

static json_t *differences_of(struct sides *b)
{
	const struct study *s = b->all->s;
	json_t *list = json_array(), *common = json_object_get(s->machines, "common"), *v;
	uint32_t nclasses = s->nclasses ? s->nclasses : 1;
	const char *path;

	for (uint32_t class = 0; class < nclasses; class++)
		json_object_foreach(common, path, v) {
			json_t *normal;

			if (!normal_of(b, class, path, &normal))
				continue;
			for (uint32_t i = 0; i < s->n; i++)
				if (s->class[i] == class && b->machine[i])
					add_difference(list, b, i, path, normal);
		}
	return list;
}

/* ---- both ---- */

int evidence_find(struct verdicts *all)
{
	size_t n = (size_t)all->s->n + 1;
	struct sides b = { .all = all };
	int err = ST_OK;

	if (!all->s->machines)
		return ST_OK;
	b.machine = machines_of(all->s);
	b.subject = calloc(n, sizeof(*b.subject));
	b.is_peer = calloc(n, sizeof(*b.is_peer));
	b.values = calloc(n, sizeof(json_t *));
	b.changes = calloc(n, sizeof(*b.changes));
	if (!b.machine || !b.subject || !b.is_peer || !b.values || !b.changes)
		err = error_report("no memory for %u hosts", all->s->n);
	for (size_t i = 0; i < all->n && !err; i++)
		for (size_t k = 0; k < all->at[i].j.n; k++) {
			struct map_verdict *v = &all->at[i].j.at[k];

			json_decref(v->evidence);
			v->evidence = evidence_of(&b, &all->at[i], v);
		}
	json_decref(all->differences);
	all->differences = err ? NULL : differences_of(&b);
	free(b.machine);
	free(b.subject);
	free(b.is_peer);
	free(b.values);
	free(b.changes);
	return err;
}
