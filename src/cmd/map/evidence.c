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

/* a counter stands out if it exceeds this multiple of its peers' median */
#define TIMES 4

/* ---- machines of hosts ---- */

/* Returns the fact of a machine at `path`; NULL if it is unknown. */
static json_t *machine_fact(const struct study *s, const json_t *machine, const char *path)
{
	json_t *own = json_object_get(json_object_get(machine, "own"), path);
	json_t *v = own ? own : json_object_get(json_object_get(s->machines, "common"), path);

	return json_is_null(v) ? NULL : v;
}

/* Returns by how much a counter of a machine grew during the run; NaN if unknown. */
static double counter_growth(const json_t *machine, const char *path)
{
	const json_t *two = json_object_get(json_object_get(machine, "counters"), path);
	const json_t *before = json_array_get(two, 0), *after = json_array_get(two, 1);

	if (!json_is_number(before) || !json_is_number(after))
		return NAN;
	return json_number_value(after) - json_number_value(before);
}

/* ---- phrases ---- */

/* Prints a count such as "1,245". */
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

/*
 * A search for evidence about hosts, the subjects, by comparing them with other hosts, the peers.
 */
struct search {
	const struct verdicts *all;
	json_t **machine;	/* machine of each host; NULL: unknown */
	uint32_t *subject;
	size_t nsubjects;
	bool *is_peer;
	json_t **values;	/* room for one value per host */
	double *changes;
};

/*
 * Adds evidence about a host: the value of fact `what` before and after the run, and its value at
 * the peers. The sentence is the text written to `to`. Closes `to` and frees *text.
 */
static void add_evidence(json_t *list, const struct search *b, uint32_t host, const char *what,
			 json_t *const values[3], FILE *to, char **text)
{
	text_close(to, text);
	json_array_append_new(list, json_pack("{s:s, s:s, s:o?, s:o?, s:o?, s:s}", "host",
					      b->all->s->name[host], "what", what, "before",
					      json_incref(values[0]), "after",
					      json_incref(values[1]), "peers",
					      json_incref(values[2]), "text", *text ? *text : ""));
	free(*text);
}

/* Prints "its ", or the host's name ("n3's ") if there are several subjects. */
static void put_possessive(FILE *to, const struct search *b, uint32_t host)
{
	if (b->nsubjects > 1)
		fprintf(to, "%s's ", b->all->s->name[host]);
	else
		fputs("its ", to);
}

/*
 * Adds a counter of a host if it stands out: "its eth0 counted 1,245 CRC errors, its peers none:
 * suspect its cable". If `cable`, considers only counters that show a bad cable, otherwise
 * considers only the other counters.
 */
static void add_counter_evidence(json_t *list, const struct search *b, uint32_t host, bool cable,
				 const char *path, const json_t *two)
{
	int link;
	const char *part = wording_part(path, &link);
	const struct link_counter *c = links_counter(part);
	double mine = counter_growth(b->machine[host], path), peers = 0, high = 0;
	json_t *values[] = { json_array_get(two, 0), json_array_get(two, 1), NULL };
	char *text = NULL;
	size_t len, n = 0;
	FILE *to;

	for (uint32_t i = 0; i < b->all->s->n; i++) {
		b->changes[n] = counter_growth(b->machine[i], path);
		n += b->is_peer[i] && !isnan(b->changes[n]);
	}
	if (n) {
		high = select_double(b->changes, n, (n - 1) * 9 / 10);
		peers = select_median(b->changes, n);
	}
	if ((c && c->cable) != cable || !strcmp(part, "bytes") || !(mine >= (c ? c->least : 1)) ||
	    !(mine > TIMES * peers) || !(mine > high))
		return;
	to = open_memstream(&text, &len);
	if (!to)
		return;
	if (link >= 0) {
		put_possessive(to, b, host);
		fputs(wording_link(b->machine[host], link), to);
	} else {
		fputs(b->nsubjects > 1 ? b->all->s->name[host] : "it", to);
	}
	fputs(" counted ", to);
	put_count(to, mine);
	fprintf(to, " %s, its peers ", c ? c->text : part);
	if (peers > 0)
		put_count(to, peers);
	else
		fputs("none", to);
	if (cable)
		fputs(": suspect its cable", to);
	values[2] = json_real(peers);
	add_evidence(list, b, host, path, values, to, &text);
	json_decref(values[2]);
}

/* Adds a fact of a link if the fact changed during the run. */
static void add_change_evidence(json_t *list, const struct search *b, uint32_t host,
				const char *path, const json_t *two)
{
	json_t *const values[] = { json_array_get(two, 0), json_array_get(two, 1), NULL };
	const char *unit = wording_unit(path);
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		return;
	put_possessive(to, b, host);
	wording_name(to, b->machine[host], path);
	fputs(" was ", to);
	wording_value(to, values[0], unit);
	fputs(" before and ", to);
	wording_value(to, values[1], unit);
	fputs(" after", to);
	add_evidence(list, b, host, path, values, to, &text);
}

/*
 * Returns the most common value of a fact among the peers. Sets *n to the number of peers and
 * *count to the number that have this value.
 */
static json_t *commonest_fact_of_peers(const struct search *b, const char *path, size_t *count,
				       size_t *n)
{
	*n = 0;
	for (uint32_t i = 0; i < b->all->s->n; i++)
		if (b->is_peer[i] && b->machine[i])
			b->values[(*n)++] = machine_fact(b->all->s, b->machine[i], path);
	return machines_commonest(b->values, *n, count);
}

/*
 * Adds a fact of a link, or the governor, if more than half of the peers share a different value.
 * If the subjects are a group, they must all have the same value.
 */
static void add_fact_evidence(json_t *list, const struct search *b, uint32_t host, bool group,
			      const char *path)
{
	const struct study *s = b->all->s;
	json_t *mine = machine_fact(s, b->machine[host], path), *theirs;
	json_t *values[3] = { mine, mine, NULL };
	char *text = NULL;
	size_t len, count, n;
	int link;
	const char *part = wording_part(path, &link);
	FILE *to;

	if (!mine || !strcmp(part, "name") || (link < 0 && strcmp(part, "cpu.governor") != 0))
		return;
	for (size_t i = 0; i < b->nsubjects && group; i++) {
		json_t *member = machine_fact(s, b->machine[b->subject[i]], path);

		if (!member || !json_equal(mine, member))
			return;
	}
	theirs = values[2] = commonest_fact_of_peers(b, path, &count, &n);
	if (2 * count <= n || !theirs || json_equal(mine, theirs))
		return;
	to = open_memstream(&text, &len);
	if (!to)
		return;
	if (group)
		fputs("all have ", to);
	else
		put_possessive(to, b, host);
	wording_difference(to, b->machine[host], path, values + 1, group ? " " : " is ",
			   group ? ", others " : ", its peers' ");
	add_evidence(list, b, host, path, values, to, &text);
}

/* Makes all hosts of a class the peers. */
static void set_peers(struct search *b, uint32_t class)
{
	for (uint32_t i = 0; i < b->all->s->n; i++)
		b->is_peer[i] = b->all->s->class[i] == class;
}

/* Makes the hosts of a verdict the subjects, and removes them from the peers. */
static void set_subjects(struct search *b, const struct map_verdict *v)
{
	b->nsubjects = v->nmembers;
	if (v->nmembers) {
		memcpy(b->subject, v->members, v->nmembers * sizeof(*b->subject));
	} else {
		b->subject[b->nsubjects++] = v->cause.a;
		if (cause_names_two_hosts(&v->cause))
			b->subject[b->nsubjects++] = v->cause.b;
	}
	for (size_t i = 0; i < b->nsubjects; i++)
		b->is_peer[b->subject[i]] = false;
}

static json_t *find_evidence(struct search *b, const struct found *f, const struct map_verdict *v)
{
	bool group = v->nmembers && v->cause.kind != KIND_UNREACHABLE;
	json_t *list = json_array(), *two;
	const char *path;
	size_t n = 0;

	/*
	 * The peers are the hosts without any verdict. If every host has a verdict, the peers are
	 * the hosts that this verdict does not name.
	 */
	set_peers(b, f->class);
	for (size_t k = 0; k < f->j.n; k++)
		if (!f->j.at[k].sharing)	/* shared links are not a fault of these hosts */
			set_subjects(b, &f->j.at[k]);
	for (uint32_t i = 0; i < b->all->s->n; i++)
		n += b->is_peer[i];
	if (!n)
		set_peers(b, f->class);
	set_subjects(b, v);
	for (int cable = 1; cable >= 0 && !group; cable--)
		for (size_t i = 0; i < b->nsubjects; i++)
			json_object_foreach(json_object_get(b->machine[b->subject[i]], "counters"),
					    path, two)
				add_counter_evidence(list, b, b->subject[i], cable, path, two);
	for (size_t i = 0; i < b->nsubjects && !group; i++)
		json_object_foreach(json_object_get(b->machine[b->subject[i]], "changed"), path,
				    two)
			add_change_evidence(list, b, b->subject[i], path, two);
	for (size_t i = 0; i < (group ? 1 : b->nsubjects); i++)
		json_object_foreach(json_object_get(b->all->s->machines, "common"), path, two)
			add_fact_evidence(list, b, b->subject[i], group, path);
	return list;
}

/* ---- differences ---- */

/* Adds a fact of a host if its value differs from `theirs`, the value of most hosts. */
static void add_difference(json_t *list, const struct search *b, uint32_t host, const char *path,
			   json_t *theirs)
{
	json_t *mine = machine_fact(b->all->s, b->machine[host], path);
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

/* ---- evidence and differences ---- */

int evidence_find(struct verdicts *all)
{
	const struct study *s = all->s;
	size_t n = (size_t)s->n + 1, at;
	struct search b = { .all = all, .machine = calloc(n, sizeof(json_t *)),
			    .subject = calloc(n, sizeof(*b.subject)),
			    .is_peer = calloc(n, sizeof(*b.is_peer)),
			    .values = calloc(n, sizeof(json_t *)),
			    .changes = calloc(n, sizeof(*b.changes)) };
	bool room = b.machine && b.subject && b.is_peer && b.values && b.changes;
	const char *path;
	json_t *one;
	uint32_t host;

	json_array_foreach(json_object_get(all->s->machines, "hosts"), at, one) {
		const char *name = json_string_value(json_object_get(one, "host"));

		if (room && name && study_find(all->s, name, &host))
			b.machine[host] = one;
	}
	for (size_t i = 0; i < all->n && room && all->s->machines; i++)
		for (size_t k = 0; k < all->at[i].j.n; k++) {
			struct map_verdict *v = &all->at[i].j.at[k];

			json_decref(v->evidence);
			v->evidence = NULL;
			if (!v->sharing)
				v->evidence = find_evidence(&b, &all->at[i], v);
		}
	json_decref(all->differences);
	all->differences = room && s->machines ? json_array() : NULL;
	/*
	 * For each class: finds facts that more than half of its hosts share, but not all. If the
	 * class has two hosts, the value of the first host counts as shared.
	 */
	for (uint32_t class = 0; class < (s->nclasses ? s->nclasses : 1) && room; class++) {
		set_peers(&b, class);
		json_object_foreach(json_object_get(s->machines, "common"), path, one) {
			json_t *normal = commonest_fact_of_peers(&b, path, &at, &n);

			for (uint32_t i = 0; i < s->n; i++)
				if (at < n && (2 * at > n || n == 2) && b.is_peer[i] &&
				    b.machine[i])
					add_difference(all->differences, &b, i, path, normal);
		}
	}
	free(b.machine);
	free(b.subject);
	free(b.is_peer);
	free(b.values);
	free(b.changes);
	return room ? ST_OK : error_report("no memory for %u hosts", all->s->n);
}
