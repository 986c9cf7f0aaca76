/* SPDX-License-Identifier: Apache-2.0 */
#include "show/map/change_words.h"

#include <math.h>
#include <stdlib.h>

#include "analyse/map/change/chance.h"
#include "base/text.h"
#include "base/values.h"
#include "result/document.h"
#include "show/map/words.h"

#define LISTED 10		/* limit of listed verdicts, hosts or pairs */
#define LEAST_MENTIONED 0.01	/* smallest difference of ln(ratio) that is mentioned */

void change_put_ratio(FILE *to, enum quantity q, const struct shift *s)
{
	struct ratio_of_two r = ratios_from_shift(q, s);

	fprintf(to, "B/A %s", plain(r.ratio, 4).s);
	if (!isnan(r.lo))
		fprintf(to, " (%s to %s)", plain(r.lo, 4).s, plain(r.hi, 4).s);
	fprintf(to, ", %s", isnan(r.lo) ? "no interval" : changed_names[shift_outcome(s)]);
}

void change_put_cause(FILE *to, const struct changes *c, const struct cause *cause,
		      const struct map_verdict *v)
{
	static const char *const how[NKINDS] = {
		[KIND_HOST] = ", sending and receiving", [KIND_SEND] = ", sending",
		[KIND_RECEIVE] = ", receiving", [KIND_GROUP] = ", with all others",
		[KIND_BLOCKS] = ", with the rest", [KIND_HALVES] = ", with the rest",
	};

	if (v && v->nmembers)
		words_put_hosts(to, c->name, v->members, v->nmembers, LISTED);
	else
		words_put_subject(to, c->name, cause);
	fputs(how[cause->kind] ? how[cause->kind] : "", to);
}

char *change_sentence(const struct changes *c, const struct change_of *of,
		      const struct map_verdict *v, bool faster)
{
	struct shift s = change_shift(c, of, v, faster), beside = change_relative(v, faster);
	char *text = NULL;
	FILE *to = text_open(&text);

	change_put_cause(to, c, &v->cause, v);
	if (v->or.kind) {
		fputs(", or ", to);
		change_put_cause(to, c, &v->or, NULL);
	}
	fputs(": ", to);
	change_put_ratio(to, of->quantity, &s);
	if (verdict_is_of_pair(v) && fabs(beside.by - s.by) > LEAST_MENTIONED)
		fprintf(to, "; %s times what %s",
			plain(ratios_from_shift(of->quantity, &beside).ratio, 4).s,
			v->cause.kind == KIND_ONE_WAY ? "the other direction has"
			: "the network and its hosts explain");
	return text_close(to, &text);
}

/* ---- the footer ---- */

static void put_quantity(FILE *to, const struct changes *c, const struct change_of *of,
			 const struct totals *t)
{
	const struct map_judged *j = &of->found[0];
	size_t n = j->n + of->found[1].n, told = 0;

	fprintf(to, "\n%s:\nthe whole network: ", quantity_names[of->quantity].verdict);
	change_put_ratio(to, of->quantity, &of->network);
	fputc('\n', to);
	for (int k = 0; k < 2; k++) {
		for (size_t i = 0; i < of->found[k].n && told < LISTED; i++, told++) {
			const struct map_verdict *v = &of->found[k].at[i];
			char *text = change_sentence(c, of, v, k);

			fprintf(to, "%s%s\n", verdict_is_of_pair(v) ? "" : "apart from that, ",
				text);
			free(text);
		}
	}
	if (n > told)
		fprintf(to, "... and %zu more hosts, groups and pairs\n", n - told);
	if (j->why) {
		fprintf(to, "no verdict on hosts and pairs: %s\n", words_reason(j->why));
	} else if (!n) {
		fprintf(to, "apart from that, no host has changed by more than %s %%",
			plain(100 * verdict_relative(j->least), 2).s);
		if (!isnan(j->least_pair))
			fprintf(to, ", no pair by more than %s %%",
				plain(100 * verdict_relative(j->least_pair), 2).s);
		fputc('\n', to);
	}
	fprintf(to, "pairs: %zu slower, %zu faster, %zu no difference seen, %zu without verdict",
		t->of[CHANGED_SLOWER], t->of[CHANGED_FASTER], t->of[CHANGED_NOT],
		t->of[CHANGED_UNKNOWN]);
	if (t->named)
		fprintf(to, "; %zu by more than their hosts explain, at most %g %% of these "
			"by chance",
			t->named, 100 * CHANGE_CHANCE);
	fputc('\n', to);
}

char *change_footer(const struct changes *c, const struct totals *t, json_t *const had[NHAD])
{
	static const char *const words[NHAD] = {
		"new in B", "only in A", "in A and in B"
	};
	char *text = NULL;
	json_t *one;
	size_t i;
	FILE *to = text_open(&text);

	for (int k = 0; k < NHAD; k++) {
		size_t n = json_array_size(had[k]);

		json_array_foreach(had[k], i, one) {
			const json_t *last = k == IS_STILL ? json_array_get(one, 1) : one;

			if (i < LISTED)
				fprintf(to, "%s: %s: %s\n", words[k], result_text(last, "quantity"),
					result_text(last, "text"));
		}
		if (n > LISTED)
			fprintf(to, "... and %zu more %s\n", n - LISTED, words[k]);
	}
	if (!json_array_size(had[IS_NEW]) && !json_array_size(had[IS_GONE]))
		fputs("no verdict is new in B, none of A is gone\n", to);
	for (int side = A; side <= B; side++) {
		if (!c->nonly[side])
			continue;
		fprintf(to, "hosts only in %c: ", "AB"[side]);
		words_put_hosts(to, c->s[side].name, c->only[side], c->nonly[side], LISTED);
		fputc('\n', to);
	}
	for (size_t k = 0; k < c->nof; k++)
		put_quantity(to, c, &c->of[k], &t[k]);
	return text_close(to, &text);
}
