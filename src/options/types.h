/* SPDX-License-Identifier: Apache-2.0 */
/* What each type of option does with a text, and with its value. */
#ifndef NETBENCH_OPTIONS_TYPES_H
#define NETBENCH_OPTIONS_TYPES_H

#include <jansson.h>

#include "options/options.h"

/* Properties of the values of one type of option. */
struct opt_kind {
	size_t size;			/* bytes of the member that takes the value */
	/* the value is a number of `type`, or a list of such numbers */
	bool number, list;
	enum number_type type;
};

/* Returns the properties of the values of an option. */
const struct opt_kind *opt_kind(const struct opt *opt);

/*
 * Returns how a number of this option is checked and named. `of` begins each message; NULL: no such
 * beginning.
 */
struct number opt_number(const struct opt *opt, const char *of);

/* Returns the address of the member that takes an option's value. */
void *opt_member(const struct opt_table *table, const struct opt *opt);

/*
 * Sets the member `to` from a text, or appends the text if the type is OPT_TEXTS. `of` as in
 * opt_number. Returns ST_OK, or an exit status (reported).
 */
int opt_parse_value(const struct opt *opt, const char *of, const char *text, void *to);

/* If the member is a list, frees and empties it. */
void opt_free_list(const struct opt *opt, void *at);

/*
 * Returns the values of all options by their long names. Lists become arrays, and unset texts null.
 * New reference.
 */
json_t *opts_as_json(const struct opt_table *tables, size_t ntables);

#endif
