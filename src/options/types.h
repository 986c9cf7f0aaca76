/* SPDX-License-Identifier: Apache-2.0 */
/* What each type of option does with a text and with its value. */
#ifndef NETBENCH_OPTIONS_TYPES_H
#define NETBENCH_OPTIONS_TYPES_H

#include <jansson.h>

#include "options/options.h"

/* What the values of one type are. */
struct opt_kind {
	size_t size;
	bool number, list;		/* a number or a list of them, of this type */
	enum number_type type;
};

const struct opt_kind *opt_kind(const struct opt *opt);

/* How a number of this option is checked and named; `of` begins messages, NULL: nothing. */
struct number opt_number(const struct opt *opt, const char *of);

/* The member that takes an option's value. */
void *opt_member(const struct opt_table *table, const struct opt *opt);

/* Sets the member `to` from a text, or adds it to OPT_TEXTS; `of` as above. ST_OK, or reported. */
int opt_take(const struct opt *opt, const char *of, const char *text, void *to);

/* Frees the list in a member, if it is one, and empties it. */
void opt_release(const struct opt *opt, void *at);

/* Every option's value, by long name, lists as arrays; unset texts as null. New reference. */
json_t *opts_dump(const struct opt_table *tables, size_t ntables);

#endif
