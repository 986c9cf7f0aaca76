/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses a command line. The command line is scanned from left to right before all option tables
 * are known:
 *
 *	arguments_read(&a, argc, argv, tables, n);	the options known so far
 *	name = arguments_value(&a, "backend");		decides which tables there are
 *	arguments_add(&a, &table);			decides its options now
 *	arguments_bind(&a, tables, n, mode);		stores values in the tables' structs
 *
 * Long options may be abbreviated. Their values are given as "--name=value" or "--name value".
 * Letters may be combined ("-qv"). Their values are given as "-m3" or "-m 3". Options and operands
 * may be mixed. After "--" everything is an operand.
 */
#ifndef NETBENCH_OPTIONS_ARGUMENTS_H
#define NETBENCH_OPTIONS_ARGUMENTS_H

#include "options/options.h"

enum { ARGUMENTS_TABLES = 16 };	/* largest number of tables for one command line */

/* The words of a command line, and the options and operands found in them. argv is not changed. */
struct arguments {
	int argc;
	char **argv;
	struct argument *all;		/* options and operands in the order of the command line */
	size_t n;
	struct opt_table known[ARGUMENTS_TABLES], bound[ARGUMENTS_TABLES];
	size_t nknown, nbound;
	/* arguments_bind sets the members operands, noperands and help */
	char **operands;
	int noperands;
	/* --help was given; arguments after it are not checked or stored */
	bool help;
	bool keeps_dashes;		/* each "--" is also an operand */
	/* number of words that arguments_append has taken from another command line */
	int nappended;
	char **appended;
};

/*
 * Scans argv[1..argc-1] with the tables known so far; `a` keeps pointers to argv. If none of these
 * tables has an option, a later call decides whether the option takes a value. The first "--" ends
 * the options. If `keep_dashes` is true, each "--" is also an operand, and a "--" after another
 * operand does not end the options. Returns ST_OK, or ST_FAILED if memory is short.
 */
int arguments_read(struct arguments *a, int argc, char **argv, const struct opt_table *tables,
		   size_t ntables, bool keep_dashes);

/*
 * Adds a table. Decides whether the given options that are in this table take a value. Returns
 * ST_OK, or ST_FAILED if memory is short.
 */
int arguments_add(struct arguments *a, const struct opt_table *table);

/*
 * Appends the options of another command line to `a`. Returns ST_OK, or ST_FAILED if memory is
 * short.
 */
int arguments_append(struct arguments *a, const struct arguments *more);

/*
 * arguments_value returns the value given for an option, NULL if there is none. If several values
 * were given, it returns the rightmost one. arguments_given returns true if the option was given,
 * with or without a value.
 */
const char *arguments_value(const struct arguments *a, const char *name);
NETBENCH_EXPORT bool arguments_given(const struct arguments *a, const char *name);

/*
 * Checks the arguments against these tables and this mode (NULL: no mode is selected). Refuses
 * options that are unknown, ambiguous, or belong to another mode. Sets every member of the tables'
 * structs to the given value, or to its default if no value was given. Reports only the first
 * fault. Arguments after --help are not checked. Returns ST_OK, ST_USAGE, or ST_FAILED if memory is
 * short.
 */
int arguments_bind(struct arguments *a, const struct opt_table *tables, size_t ntables,
		   const struct opt_mode *mode);

/*
 * Returns a list of words that repeats the given options as "--name=value" or "--name". Omits
 * options for which `leaves_out` is true. The list begins with `nfirst` empty places, which the
 * caller fills in, and ends with NULL. Sets *n to the number of words. List and words are one
 * block, which the caller frees. Returns NULL if memory is short. Call it after arguments_bind.
 */
char **arguments_repeat(const struct arguments *a, bool (*leaves_out)(const char *name),
			size_t nfirst, int *n);

/* Frees the arguments, and the lists that arguments_bind has stored in the tables' structs. */
void arguments_free(struct arguments *a);

/*
 * Reports a fault if both of these options were given, because they exclude each other. Returns
 * ST_OK or ST_USAGE.
 */
NETBENCH_EXPORT int arguments_exclude(const struct arguments *a, const char *one,
				       const char *other);

#endif
