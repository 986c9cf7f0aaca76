/* SPDX-License-Identifier: Apache-2.0 */
#include "base/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { WORD_MAX = 64 };		/* longest word or name that is compared */

#define same_letter(a, b) (tolower((unsigned char)(a)) == tolower((unsigned char)(b)))

/* Returns the smaller of two numbers. */
static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Returns the smallest number of edits that turn a into b. An edit inserts, deletes or replaces a
 * letter, or swaps two neighbours.
 */
static size_t edit_distance(const char *a, size_t na, const char *b, size_t nb)
{
	size_t d[WORD_MAX + 1][WORD_MAX + 1];

	for (size_t i = 0; i <= na; i++)
		d[i][0] = i;
	for (size_t j = 0; j <= nb; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= na; i++) {
		for (size_t j = 1; j <= nb; j++) {
			bool same = same_letter(a[i - 1], b[j - 1]);

			d[i][j] = smaller(d[i - 1][j] + 1, d[i][j - 1] + 1);
			d[i][j] = smaller(d[i][j], d[i - 1][j - 1] + !same);
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
			    same_letter(a[i - 2], b[j - 1]))
				d[i][j] = smaller(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[na][nb];
}

const char *suggest(const char *word, const char *(*candidate)(size_t i, void *arg), void *arg)
{
	size_t len = strlen(word), best = (len + 2) / 3 + 1;
	const char *found = NULL, *name;

	/* require fewer edits than letters: otherwise nothing of the word would be left */
	best = smaller(best, len);
	for (size_t i = 0; (name = candidate(i, arg)); i++) {
		size_t n = strlen(name), common = smaller(len, n), d = SIZE_MAX;

		if (len <= WORD_MAX && n <= WORD_MAX)
			d = edit_distance(word, len, name, n);
		/*
		 * If the shorter of word and name is the beginning of the longer, they differ by
		 * one edit. The common part must have at least two letters and more than half of
		 * the word.
		 */
		if (d > 1 && d < SIZE_MAX && common > 1 && 2 * common > len &&
		    !strncmp(word, name, common))
			d = 1;
		if (d < best) {
			best = d;
			found = name;
		}
	}
	return found;
}
