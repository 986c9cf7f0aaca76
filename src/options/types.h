/* SPDX-License-Identifier: Apache-2.0 */
/* What each type of option does with a text and with its value; for this folder alone. */
#ifndef NETBENCH_OPTIONS_TYPES_H
#define NETBENCH_OPTIONS_TYPES_H

#include <jansson.h>

#include "base/number.h"
#include "options/options.h"

/* What is done with the values of one type; `take` and `dump` are mandatory. */
struct opt_kind {
	size_t size;
	int (*take)(const struct opt *opt, const char *of, const char *text, void *to);
	json_t *(*dump)(const struct opt *opt, const void *from);
	void (*release)(void *at);
	bool number, list;		/* a number or a list of them, of this type */
	enum number_type type;
};

const struct opt_kind *opt_kind(const struct opt *opt);

/* How such a number is checked and named; `of` begins messages, NULL: nothing. */
struct number opt_number(const struct opt *opt, const char *of);

/* The member that takes an option's value. */
void *opt_member(const struct opt_table *table, const struct opt *opt);

#endif
