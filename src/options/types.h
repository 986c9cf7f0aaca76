/* SPDX-License-Identifier: Apache-2.0 */
/* Parses, frees and prints the values of options, according to their types. */
#ifndef NETBENCH_OPTIONS_TYPES_H
#define NETBENCH_OPTIONS_TYPES_H

#include <jansson.h>

#include "options/options.h"

/* Properties of the values of one type of option. */
struct opt_kind {
	size_t size;			/* bytes of the member that stores the value */
	bool number,			/* the value is a number of `type`, or a list of numbers */
	     list;			/* the value is a list of numbers */
	enum number_type type;
};

/* Returns the properties of the values of an option. */
const struct opt_kind *opt_kind(const struct opt *opt);

/*
 * Returns the description of this option's numbers, for parsing and messages. `of` is the beginning
 * of each message; NULL: none.
 */
struct number opt_number(const struct opt *opt, const char *of);

/* Returns the address of the member that stores an option's value. */
void *opt_member(const struct opt_table *table, const struct opt *opt);

/*
 * Parses the text of an option's value and stores the value in member `to`. With type OPT_TEXTS,
 * appends the text to the list. `of` is the beginning of messages, see opt_number. Returns ST_OK,
 * or an exit status (reported).
 */
int opt_parse_value(const struct opt *opt, const char *of, const char *text, void *to);

/* If the member is a list, frees and empties it. */
void opt_free_list(const struct opt *opt, void *at);

/*
 * Returns an object with the values of all options; keys are the long names. Lists become arrays,
 * and unset texts become null. New reference.
 */
json_t *opts_as_json(const struct opt_table *tables, size_t ntables);

#endif
