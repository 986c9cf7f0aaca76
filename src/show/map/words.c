/* SPDX-License-Identifier: Apache-2.0 */
#include "show/map/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/values.h"
#include "result/reader.h"
#include "show/map/evidence.h"

#define Z_CERTAIN 8
#define TOLD 3			/* limit of pieces of evidence listed for a verdict */
#define LISTED 8		/* limit of names listed of a group */
#define MOST_PAIRS 10
#define MANY_PAIRS 4 /* the slow pairs of a host have one sentence from this number on */
#define NO_HOST UINT32_MAX
#define WORST 5
#define LEAVES 2		/* limit of leaf switches whose hosts are listed */
#define SLOW_LEAST 5e-4		/* a smaller slowdown (logarithm) is printed as 0 % */

/* ---- sentences ---- */

/*
 * Writes a share in percent, such as "30" or "5.2". Writes 0 for a host that is faster than its
 * peers.
 */
static void put_percent(FILE *to, double share)
{
	fprintf(to, share >= 0.0995 ? "%.0f" : "%.1f", share > 0 ? 100 * share : 0);
}

/*
 * Writes by how much a subject is slower, such as "30 % slower (28 to 32 %)" or "205 us slower (190
 * to 220 us)".
 */
static void put_slower(FILE *to, const struct map_verdict *v)
{
	char a[32], b[32], c[32];
	const struct interval by = verdict_interval(v);
	double lo = fmax(0, by.lo), hi = by.hi;

	if (!isnan(v->adds_s)) {
		fprintf(to, "%s slower", format_si(a, sizeof(a), v->adds_s, "s"));
		if (!isnan(v->se))
			fprintf(to, " (%s to %s)",
				format_si(b, sizeof(b), lo, "s"), format_si(c, sizeof(c), hi, "s"));
		return;
	}
	put_percent(to, verdict_relative(v->effect));
	fputs(" % slower", to);
	/* add a decimal if both ends would look equal without it */
	if (!isnan(v->se))
		fprintf(to, " (%.*f to %.*f %%)", lo < 0.0995 || hi - lo < 0.015, 100 * lo,
			lo < 0.0995 || hi - lo < 0.015, 100 * hi);
}

/*
 * Writes the members of a group, such as "n8..n15" if they are consecutive, else "n1, n4, n7 and 5
 * more".
 */
static void put_members(FILE *to, const struct study *s, const uint32_t *members, size_t n)
{
	size_t row = 1;

	while (row < n && members[row] == members[row - 1] + 1)
		row++;
	if (row == n && n > 2)
		fprintf(to, "%s..%s", s->name[members[0]], s->name[members[n - 1]]);
	else
		words_put_hosts(to, s->name, members, n, LISTED);
}

void words_put_hosts(FILE *to, char *const *name, const uint32_t *hosts, size_t n, size_t most)
{
	for (size_t i = 0; i < n && i < most; i++)
		fprintf(to, "%s%s", i ? ", " : "", name[hosts[i]]);
	if (n > most)
		fprintf(to, " and %zu more", n - most);
}

/* ---- networks ---- */

/* Writes the leaf switches of a verdict, such as "leaves of 8 hosts (n0..n7, n8..n15, 2 more)". */
static void put_leaves(FILE *to, const struct study *s, const struct map_verdict *v)
{
	const struct map_sharing *w = v->sharing;
	uint32_t least = UINT32_MAX, most = 0;
	size_t at = 0;

	for (size_t k = 0; k < w->nleaves; k++) {
		least = w->size[k] < least ? w->size[k] : least;
		most = w->size[k] > most ? w->size[k] : most;
	}
	fprintf(to, least < most ? "leaves of %u to %u hosts (" : "leaves of %u hosts (", least,
		most);
	for (size_t k = 0; k < w->nleaves && k < LEAVES; at += w->size[k++]) {
		fputs(k ? ", " : "", to);
		put_members(to, s, v->members + at, w->size[k]);
	}
	if (w->nleaves > LEAVES)
		fprintf(to, ", %zu more", w->nleaves - LEAVES);
	fputc(')', to);
}

/*
 * Writes which uplinks pairs share. Also writes the rate that pairs reach together, relative to the
 * rate of each pair alone.
 */
static void put_shared_uplinks(FILE *to, const struct study *s, const struct map_verdict *v)
{
	const struct map_sharing *w = v->sharing;

	if (w->nleaves) {
		put_leaves(to, s, v);
		fprintf(to,
			" share their uplinks: together, pairs of two leaves reach %.0f %% "
			"(%.0f to %.0f %%) of what they reach alone",
			100 * w->together.is, 100 * w->together.lo, 100 * w->together.hi);
	} else {
		fprintf(to, "pairs slow each other down: together half of them reach less than "
			"%.0f %% of what they reach alone; which pairs share is not seen",
			100 * w->together.is);
	}
	if (!isnan(w->carries.is))
		fprintf(to, "; all hosts of a leaf that send at once get %.1f (%.1f to %.1f) times "
			"what one gets: %.2f:1", w->carries.is, w->carries.lo, w->carries.hi,
			sharing_over(w));
	if (w->tested >= 1)
		return;
	fputs("; ", to);
	put_percent(to, w->tested);
	fprintf(to, " %% of the pairs%s were %s, and a slow one among the others is not seen",
		w->nleaves ? " of two leaves" : "",
		v->persistence == PERSISTENT ? "tested alone" : "fast in some visit");
}

static void put_uplink(FILE *to, const struct study *s, const struct map_verdict *v)
{
	const struct map_sharing *w = v->sharing;

	fputs("the uplinks of ", to);
	put_members(to, s, v->members, v->nmembers);
	fprintf(to, " carry %.1f (%.1f to %.1f) times one host, others %.1f: a link is down or "
		"slow",
		w->carries.is, w->carries.lo, w->carries.hi, w->usual);
}

/* ---- causes ---- */

/* Writes a possible cause, such as "n1 sends slowly". */
static void put_cause(FILE *to, const struct study *s, const struct cause *c)
{
	static const char *const is_slow[NKINDS] = {
		[KIND_SEND] = " sends slowly", [KIND_RECEIVE] = " receives slowly",
		[KIND_HALVES] = " are slow with the others",
	};

	words_put_subject(to, s->name, c);
	fputs(is_slow[c->kind] ? is_slow[c->kind] : " is slow", to);
}

void words_put_subject(FILE *to, char *const *name, const struct cause *c)
{
	static const char *const between[NKINDS] = {
		[KIND_PAIR] = " - ", [KIND_DIRECTION] = " -> ", [KIND_ONE_WAY] = " -> ",
		[KIND_HALVES] = " and ",
	};

	fputs(name[c->a], to);
	if (between[c->kind])
		fprintf(to, "%s%s", between[c->kind], name[c->b]);
}

/* Writes a verdict, such as "n1 - n2 is probably 30 % slower than these hosts are with others". */
static void put_verdict(FILE *to, const struct study *s, const struct map_verdict *v)
{
	static const struct {
		const char *is, *than;
	} words[NKINDS] = {
		[KIND_HOST] = { " is ", " than its peers, sending and receiving" },
		[KIND_SEND] = { " is ", " than its peers, sending" },
		[KIND_RECEIVE] = { " is ", " than its peers, receiving" },
		[KIND_PAIR] = { " is ", " than these hosts are with others" },
		[KIND_DIRECTION] = { " is ", " than these hosts are with others" },
		[KIND_ONE_WAY] = { " is ", " than " },
		[KIND_GROUP] = { " are ", " with all others but not among themselves: what they "
				 "share" },
		[KIND_BLOCKS] = { " and the rest: between them ", " than within" },
		[KIND_HALVES] = { " and the rest: between them ", " than within" },
		[KIND_UNSTEADY] = { " is ", "" },
	};
	enum map_kind kind = v->cause.kind;

	if (v->nmembers)
		put_members(to, s, v->members, v->nmembers);
	else
		words_put_subject(to, s->name, &v->cause);
	if (kind == KIND_UNREACHABLE) {
		fputs(v->nmembers ? " do not answer each other" : " stopped answering", to);
		return;
	}
	fprintf(to, "%s%s", words[kind].is, verdict_is_probable(v) ? "probably " : "");
	if (kind == KIND_UNSTEADY && isnan(v->share))
		fputs("unsteady: its visits differ, by ", to);
	else if (kind == KIND_UNSTEADY)
		fprintf(to, "unsteady: in %.0f %% of its measurements it is ", 100 * v->share);
	put_slower(to, v);
	if (!isnan(v->adds_s) && kind == KIND_HOST)
		fputs(" than its peers", to);
	else
		fputs(words[kind].than, to);
	if (kind == KIND_ONE_WAY)
		fprintf(to, "%s -> %s; with two hosts it is unknown which one is at fault",
			s->name[v->cause.b], s->name[v->cause.a]);
}

/* Writes the sentence of a verdict with its evidence. */
static void put_sentence(FILE *to, const struct study *s, const struct map_verdict *v)
{
	json_t *one;
	size_t i;

	if (v->or.kind) {
		put_slower(to, v);
		fputs(": cannot tell whether ", to);
		put_cause(to, s, &v->cause);
		fputs(" or ", to);
		put_cause(to, s, &v->or);
	} else if (v->cause.kind == KIND_SHARED) {
		put_shared_uplinks(to, s, v);
	} else if (v->sharing) {
		put_uplink(to, s, v);
	} else {
		put_verdict(to, s, v);
	}
	if (v->persistence == UNTESTED && v->cause.kind != KIND_UNREACHABLE)
		fputs(" (not measured again)", to);
	json_array_foreach(v->evidence, i, one)
		if (i < TOLD)
			fprintf(to, "; %s", json_string_value(json_object_get(one, "text")));
}

char *words_verdict(const struct study *s, const struct map_verdict *v)
{
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		return NULL;
	put_sentence(to, s, v);
	return text_close(to, &text);
}

const char *words_reason(enum no_verdict why)
{
	static const char *const text[] = {
		[JUDGED] = "there is a verdict",
		[NO_NORMAL] = "half of the hosts or more differ; it is unknown which are normal",
		[NO_STEADY] = "more than half of the hosts vary: it depends on which others are "
			      "active",
		[NO_HOSTS] = "one host has no pair to be measured",
		[NO_NOISE] = "one visit of fewer than 8 hosts does not tell how much measurements "
			     "vary",
		[NO_THIRD] = "two visits of fewer than 8 hosts are too few, unless suspects are "
			     "measured again",
		[NO_CAUSE] = "two hosts are one pair, and it has no other pair to be compared with",
	};

	return text[why];
}

char *words_no_verdict(const struct study *s, const struct map_judged *j)
{
	static const char *const how[2][2] = {
		{ " are among themselves", ", receiving" }, { ", sending", "" },
	};
	const struct faster *f = &j->faster;
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		return NULL;
	if (f->n) {
		fprintf(to, "%zu of %zu hosts are ", f->rest, f->n + f->rest);
		put_percent(to, verdict_relative(f->by));
		fprintf(to, " %% slower than the other %zu (", f->n);
		put_members(to, s, f->members, f->n);
		fprintf(to, ")%s: either %zu are slow or %zu are faster; this run alone does not "
			"tell which: compare it with an earlier one, or give --classes",
			how[f->sending][f->receiving], f->rest, f->n);
	} else {
		fputs(words_reason(j->why), to);
	}
	return text_close(to, &text);
}

/* ---- the table ---- */

/* True if verdict i names a pair of this host. */
static bool names_pair_of(const struct map_judged *j, size_t i, uint32_t host)
{
	const struct map_verdict *v = &j->at[i];

	return kind_is_of_pair(v->cause.kind) && !v->nmembers && !v->or.kind &&
	       (v->cause.a == host || v->cause.b == host);
}

/*
 * Returns the host in whose pairs' sentence verdict i is, or NO_HOST: it has a sentence of its own.
 * A host with MANY_PAIRS slow pairs has one sentence for all of them.
 */
static uint32_t host_of_pair_sentence(const struct map_judged *j, size_t i)
{
	uint32_t of[2] = { j->at[i].cause.a, j->at[i].cause.b };

	for (int k = 0; k < 2; k++) {
		size_t pairs = 0;

		for (size_t p = 0; p < j->n; p++)
			pairs += names_pair_of(j, p, of[k]);
		if (pairs >= MANY_PAIRS && names_pair_of(j, i, of[k]))
			return of[k];
	}
	return NO_HOST;
}

/* Writes one sentence on the slow pairs of a host. */
static void put_pairs_of_host(FILE *to, const struct study *s, const struct map_judged *j,
			      uint32_t host)
{
	double least = INFINITY, most = 0;
	size_t pairs = 0;

	fprintf(to, "%s is slow with ", s->name[host]);
	for (size_t i = 0; i < j->n; i++) {
		const struct map_verdict *v = &j->at[i];

		if (host_of_pair_sentence(j, i) != host)
			continue;
		if (pairs++ < LISTED)
			fprintf(to, "%s%s", pairs > 1 ? ", " : "",
				s->name[v->cause.a == host ? v->cause.b : v->cause.a]);
		least = fmin(least, verdict_relative(v->effect));
		most = fmax(most, verdict_relative(v->effect));
	}
	if (pairs > LISTED)
		fprintf(to, " and %zu more", pairs - LISTED);
	fprintf(to, ", but not with others: %.0f to %.0f %% slower than these hosts are with "
		"others\n", floor(100 * least), ceil(100 * most));
}

static void put_verdicts(FILE *to, const struct study *s, const struct map_judged *j)
{
	bool shared = j->n == 1 && j->at[0].cause.kind == KIND_SHARED;
	size_t pairs = 0;

	for (size_t i = 0; i < j->n; i++) {
		uint32_t host = host_of_pair_sentence(j, i);
		size_t first = 0;

		while (host != NO_HOST && host_of_pair_sentence(j, first) != host)
			first++;
		if (host != NO_HOST && first == i)
			put_pairs_of_host(to, s, j, host);
		if (host != NO_HOST)
			continue;
		if (kind_is_of_pair(j->at[i].cause.kind) && ++pairs > MOST_PAIRS)
			continue;
		put_sentence(to, s, &j->at[i]);
		fputc('\n', to);
	}
	if (pairs > MOST_PAIRS)
		fprintf(to, "... and %zu more pairs\n", pairs - MOST_PAIRS);
	if ((!j->n || shared) && !j->why)
		fprintf(to, "%s%s\n", !shared ? ""
			: j->at[0].persistence == PERSISTENT
				? "no host is at fault: alone, "
				: "without what pairs share, ",
			least_effects(verdict_relative(j->least),
				      verdict_relative(j->least_pair)).s);
	if (j->all_vary)
		fputs("most hosts vary from visit to visit, and when a pair is alone: other work "
		      "slows them\n", to);
	if (j->why) {
		char *text = words_no_verdict(s, j);

		fprintf(to, "no verdict: %s\n", text ? text : "");
		free(text);
	}
	if (j->normal)
		fprintf(to, "%zu suspect%s measured again and %s normal\n", j->normal,
			j->normal == 1 ? " was" : "s were", j->normal == 1 ? "is" : "are");
	if (j->beyond)
		fprintf(to, "%zu more suspects were not measured alone and not judged: too many\n",
			j->beyond);
	if (j->unjudged)
		fprintf(to, "%zu hosts of these groups could not be judged by themselves\n",
			j->unjudged);
	if (j->lost)
		fprintf(to, "%zu suspect%s did not answer when measured again: not judged\n",
			j->lost, j->lost == 1 ? "" : "s");
	if (j->chance)
		fprintf(to, "%zu pair%s slow in %s: measure %s again\n", j->chance,
			j->chance == 1 ? " is" : "s are",
			s->nvisits == 1 ? "the only visit, which may be chance"
					: "every visit, but chance alone makes as many",
			j->chance == 1 ? "it" : "them");
}

static void put_slowest_hosts(FILE *to, const struct verdicts *all, const struct found *f)
{
	const struct study *s = all->s;
	char time[32];
	uint32_t *worst = calloc(s->n + 1, sizeof(*worst));
	size_t n = worst ? judged_by_slowness(&f->j, s->n, worst) : 0;

	n = n > 2 ? n : 0;
	while (n && !(f->j.slow[worst[n - 1]] >= SLOW_LEAST))
		n--;
	if (n)
		fputs(f->quantity == BANDWIDTH ? "slowest hosts, in their slower direction: "
					       : "slowest hosts: ", to);
	for (size_t i = 0; i < n && i < WORST; i++) {
		double slower = host_slowdown(all, f, worst[i]);

		fprintf(to, "%s%s ", i ? ", " : "", s->name[worst[i]]);
		if (f->quantity != LATENCY)
			put_percent(to, slower);
		fputs(f->quantity != LATENCY ? " %" : format_si(time, sizeof(time), slower, "s"),
		      to);
	}
	if (n)
		fputc('\n', to);
	free(worst);
}

/* Writes the median and the range over all pairs, and the median at each distance. */
static void put_medians(FILE *to, const struct verdicts *all, enum rate_unit rates)
{
	const struct study *s = all->s;
	char text[32], low[32], high[32], slowest[32];

	for (int q = 0; q < NQUANTITIES; q++) {
		const struct overview o = all->over[q];
		const char *unit = quantity_names[q].unit;

		if (!s->of[q].n)
			continue;
		fprintf(to, "%s: median %s, half of the pairs %s to %s\nslowest pair: "
			"%s -> %s, %s\n",
			quantity_names[q].text,
			format_rate(text, sizeof(text), o.median, unit, rates),
			format_rate(low, sizeof(low), fmin(o.low, o.high), unit, rates),
			format_rate(high, sizeof(high), fmax(o.low, o.high), unit, rates),
			s->name[o.from], s->name[o.to],
			format_rate(slowest, sizeof(slowest), o.slowest, unit, rates));
		if (o.missing)
			fprintf(to, "%zu of %zu ordered pairs have no value\n", o.missing,
				o.missing + o.pairs);
	}
	for (int d = 0; d < NDISTANCES && s->leaf; d++) {
		size_t n = distance_pairs(s, (enum distance)d);

		if (!n)
			continue;
		fprintf(to, "%s: %zu ordered pair%s", distance_names[d], n, n == 1 ? "" : "s");
		for (int q = 0; q < NQUANTITIES; q++)
			if (s->at_distance[q][d])
				fprintf(to, ", %s %s", quantity_names[q].text,
					format_rate(text, sizeof(text),
						    study_unit((enum quantity)q, s->median[q][d]),
						    quantity_names[q].unit, rates));
		fprintf(to, "%s\n", distance_is_judged(s, (enum distance)d, n)
			? "" : ": too few to be judged");
	}
	if (s->nclasses > 1)
		fputs("pairs of different classes are not judged\n", to);
}

char *words_report(const struct verdicts *all, const char *title, enum rate_unit rates)
{
	const struct study *s = all->s;
	bool several = all->n > (s->nclasses ? s->nclasses : 1);
	bool alike = all->n;	/* no quantity can be judged, and the reason is always the same */
	size_t named = 0;
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		return NULL;
	for (size_t i = 0; i < all->n; i++) {
		const struct map_judged *j = &all->at[i].j;

		alike = alike && j->why && j->why == all->at[0].j.why && !j->n &&
			!j->faster.n && !j->normal && !j->lost && !j->chance;
		named += j->n;
	}
	fprintf(to, "%s\n", title);
	if (!all->n)
		fputs("\nno verdict: no pair was measured\n", to);
	for (size_t i = 0; i < (alike ? 1 : all->n); i++) {
		const struct found *f = &all->at[i];

		fputc('\n', to);
		if ((several || s->nclasses > 1) && !alike)
			fprintf(to, "%s%s%s:\n",
				f->quantity == BIDIRECTIONAL ? quantity_names[BIDIRECTIONAL].text
							     : quantity_names[f->quantity].verdict,
				s->nclasses > 1 ? ", class " : "",
				s->nclasses > 1 ? s->class_name[f->class] : "");
		put_verdicts(to, s, &f->j);
		put_slowest_hosts(to, all, f);
	}
	evidence_write(to, all);
	fputc('\n', to);
	put_medians(to, all, rates);
	if (named && !all->again)
		fputs("Nothing was measured again; netbench-map(1) says what to do with a "
		      "verdict.\n", to);
	return text_close(to, &text);
}
