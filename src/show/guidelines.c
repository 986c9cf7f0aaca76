/* SPDX-License-Identifier: Apache-2.0 */
#include "show/guidelines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/text.h"
#include "show/units.h"

#define LEFT "{left}[ at {size_B:KiB}]"
#define RIGHT "{right}[ at {other_B:KiB}]"

const struct sentence guideline_sentences[] = {
	{ "guideline", { LEFT " is {ratio:x} times slower than " RIGHT
			 "[ <{ratio_lo:x}, {ratio_hi:x}>]",
			 LEFT " is not slower than " RIGHT,
			 LEFT " was not judged against " RIGHT ": {why}" }, NULL },
	{ NULL, { NULL }, NULL },
};

static void put_sentence(FILE *to, const struct finding *f)
{
	char *words = finding_words(f, guideline_sentences, RATE_BYTE);

	fprintf(to, "%s\n", words ? words : "");
	free(words);
}

static int order_by_effect(const void *a, const void *b)
{
	const struct finding *const *x = a, *const *y = b;

	return order_doubles((*y)->effect, (*x)->effect);
}

/* Writes the violations, the largest first. */
static void put_violations(FILE *to, const struct findings *found)
{
	const struct finding **sorted = calloc(found->n + 1, sizeof(*sorted));
	size_t n = 0;

	for (size_t i = 0; i < found->n && sorted; i++)
		if (found->at[i].verdict == VERDICT_YES)
			sorted[n++] = &found->at[i];
	if (sorted)
		qsort(sorted, n, sizeof(*sorted), order_by_effect);
	for (size_t i = 0; i < n && i < GUIDELINE_LINES; i++)
		put_sentence(to, sorted[i]);
	if (n > GUIDELINE_LINES)
		fprintf(to, "and %zu more, which the JSON has in summary.findings\n",
			n - GUIDELINE_LINES);
	free(sorted);
}

/* Writes "quickest allreduce: native from 8 B, ring from 64 KiB" for each operation. */
static void put_quickest(FILE *to, const struct quickest *list, size_t n)
{
	for (size_t i = 0; i < n;) {
		const struct guideline_row *first = list[i].row, *row = first;
		struct text t = text_from("quickest %s of %llu ranks:", first->operation,
					  (unsigned long long)first->ranks);

		for (; i < n && !strcmp((row = list[i].row)->operation, first->operation) &&
		       row->ranks == first->ranks; i++) {
			text_add(&t, "%s %s", row == first ? "" : ",", row->algorithm);
			if (list[i].from)
				text_add(&t, " from %s", in_bytes((double)list[i].from).s);
		}
		fprintf(to, "%s\n", t.s);
	}
}

char *guideline_words(const struct findings *found, const struct quickest *quickest, size_t n)
{
	const struct finding *unknown = NULL;
	size_t count[NVERDICTS] = { 0 }, len;
	char *text = NULL;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		return NULL;
	for (const struct finding *f = found->at; f < found->at + found->n; f++) {
		count[f->verdict]++;
		unknown = !unknown && f->verdict == VERDICT_CANNOT_TELL ? f : unknown;
	}
	fprintf(to, "\n%zu guidelines judged, %zu violated\n",
		count[VERDICT_YES] + count[VERDICT_NO], count[VERDICT_YES]);
	put_violations(to, found);
	if (unknown) {
		fprintf(to, "%zu not judged, as: ", count[VERDICT_CANNOT_TELL]);
		put_sentence(to, unknown);
	}
	put_quickest(to, quickest, n);
	return text_close(to, &text);
}

json_t *quickest_json(const struct quickest *quickest, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++) {
		const struct guideline_row *row = quickest[i].row;

		json_array_append_new(list, json_pack("{s:s, s:I, s:I, s:s}",
			"operation", row->operation, "ranks", (json_int_t)row->ranks,
			"from_B", (json_int_t)quickest[i].from, "algorithm", row->algorithm));
	}
	return list;
}
