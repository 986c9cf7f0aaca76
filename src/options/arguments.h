/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One command line. It is scanned once from left to right, and the scan does not need all tables:
 *
 *	arguments_read(&a, argc, argv, tables, n);	the options known so far
 *	name = arguments_value(&a, "backend");		decides which tables there are
 *	arguments_add(&a, &table);			decides its options now
 *	arguments_bind(&a, tables, n, mode);		stores values in the tables' structs
 *
 * Long options may be abbreviated. They take values as "--name=value" or "--name value". Letters
 * may stand together. They take values as "-m3" or "-m 3". Options and operands may be mixed. After
 * "--" everything is an operand.
 */
#ifndef NETBENCH_OPTIONS_ARGUMENTS_H
#define NETBENCH_OPTIONS_ARGUMENTS_H

#include "options/options.h"

enum { ARGUMENTS_TABLES = 16 };	/* largest number of tables for one command line */

/* Arguments of a command line, and what was read from them. argv is not changed. */
struct arguments {
	int argc;
	char **argv;
	struct argument *all;		/* options and operands in their order */
	size_t n;
	struct opt_table known[ARGUMENTS_TABLES], bound[ARGUMENTS_TABLES];
	size_t nknown, nbound;
	char **operands;		/* operands and help are set by arguments_bind */
	int noperands;
	bool help;			/* --help was given: arguments after it are not bound */
	bool keeps_dashes;		/* each "--" is also an operand */
	int nappended;			/* words of a second command line, see arguments_append */
	char **appended;
};

/*
 * Scans argv[1..argc-1] with the tables known so far; `a` keeps pointers to argv. An option that no
 * table has remains undecided. The first "--" ends the options. With `keep_dashes` each "--" is
 * also an operand, and a "--" after another operand does not end the options. Returns ST_OK, or
 * ST_FAILED if memory is short.
 */
int arguments_read(struct arguments *a, int argc, char **argv, const struct opt_table *tables,
		   size_t ntables, bool keep_dashes);

/* Decides the undecided words that are options of this table. Returns as arguments_read does. */
int arguments_add(struct arguments *a, const struct opt_table *table);

/*
 * Appends the options of another command line to `a`. Returns ST_OK, or ST_FAILED if memory is
 * short.
 */
int arguments_append(struct arguments *a, const struct arguments *more);

/*
 * arguments_value returns the last value of an option, NULL if it has none. arguments_given returns
 * true if the option was given at all.
 */
const char *arguments_value(const struct arguments *a, const char *name);
NETBENCH_EXPORT bool arguments_given(const struct arguments *a, const char *name);

/*
 * Checks the arguments against these tables and this mode (NULL: the command has no modes). Refuses
 * options that are unknown, ambiguous, or belong to another mode. Sets every member of the tables'
 * structs to its default, then to the given value. Reports the first fault in one line. Arguments
 * after --help are not checked. Returns ST_OK, ST_USAGE, or ST_FAILED if memory is short.
 */
int arguments_bind(struct arguments *a, const struct opt_table *tables, size_t ntables,
		   const struct opt_mode *mode);

/*
 * Returns the options as words, "--name=value" or "--name", except those that `leaves_out` returns
 * true for. They follow `nfirst` words that the caller fills in. *n is the number of words; the
 * list ends with NULL. Words and list are one block, for free(). Returns NULL if memory is short.
 * Call it after arguments_bind.
 */
char **arguments_repeat(const struct arguments *a, bool (*leaves_out)(const char *name),
			size_t nfirst, int *n);

/* Frees the arguments, and the lists that arguments_bind has stored in the tables' structs. */
void arguments_free(struct arguments *a);

/* Reports two options that exclude each other if both were given. Returns ST_OK or ST_USAGE. */
NETBENCH_EXPORT int arguments_exclude(const struct arguments *a, const char *one,
				       const char *other);

#endif
