/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each type of option does with a text and with its value. Shared by the files options*.c,
 * of no concern to anyone else.
 */
#ifndef NETBENCH_OPTIONS_TYPES_H
#define NETBENCH_OPTIONS_TYPES_H

#include <jansson.h>

#include "options/options.h"

/* Text that is built in pieces and cut when full. */
struct line {
	char s[2048];
	size_t n;
};

void line_add(struct line *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A user's text in quotes, cut and on one line whatever is in it. */
void line_quote(struct line *l, const char *before, const char *text);

/* "1 to 64k", "1 or more" if there is no top or it is above `huge`. */
void line_range(struct line *l, const struct opt *opt, double huge);

void line_choices(struct line *l, const char *const *choices);

/* A value to be taken, and how a complaint about it names its place. */
struct ask {
	const struct opt *opt;
	const char *what;	/* said first; NULL: nothing */
	const char *dashes;	/* before the name */
	double unit_s;		/* of OPT_SECONDS without a unit */
};

/* What is done with the values of one type; `take` and `dump` are mandatory. */
struct opt_kind {
	size_t size;
	int (*take)(const struct ask *ask, const char *text, void *to);	/* ST_OK or ST_USAGE */
	json_t *(*dump)(const struct opt *opt, const void *from);
	void (*release)(void *at);
	const char *noun;	/* numbers only: what the text should have been */
	const char *item;	/* the same for one element of a list */
	const char *unit;	/* behind the bounds of a range */
	bool suffixes;
};

const struct opt_kind *opt_kind(const struct opt *opt);

#endif
