/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One command line, scanned once from left to right; no table has to be complete for that:
 *
 *	arguments_read(&a, argc, argv, tables, n);	the options known so far
 *	name = arguments_value(&a, "backend");		decides which tables there are
 *	arguments_add(&a, &table);			its words are decided now
 *	arguments_bind(&a, tables, n, mode);		values into the tables' structs
 *
 * Long options may be abbreviated and take "--name=value" or "--name value"; letters may stand
 * together and take "-m3" or "-m 3". Options and operands may mix; what follows "--" are operands.
 */
#ifndef NETBENCH_OPTIONS_ARGUMENTS_H
#define NETBENCH_OPTIONS_ARGUMENTS_H

#include "options/options.h"

enum { ARGUMENTS_TABLES = 16 };	/* that one command line can have at most */

/* The lines of an argument vector that were read, and what they gave. argv is not changed. */
struct arguments {
	int argc;
	char **argv;
	struct argument *all;		/* options and operands in their order */
	size_t n;
	struct opt_table known[ARGUMENTS_TABLES], bound[ARGUMENTS_TABLES];
	size_t nknown, nbound;
	char **operands;		/* once bound, as `help` */
	int noperands;
	bool help;			/* was asked for: what is behind it is not bound */
	bool keeps_dashes;		/* each "--" is an operand, too */
	int nappended;			/* words of a second line, see arguments_append */
	char **appended;
};

/*
 * Scans argv[1..argc-1] with the tables known so far; `a` keeps pointers to it. An option that none
 * of them has stays undecided. The first "--" ends the options. With `keep_dashes` each "--" is
 * an operand, too, and behind another operand it ends nothing. ST_OK, or ST_FAILED without memory.
 */
int arguments_read(struct arguments *a, int argc, char **argv, const struct opt_table *tables,
		   size_t ntables, bool keep_dashes);

/* Decides the words that were undecided and are options of this table. As arguments_read. */
int arguments_add(struct arguments *a, const struct opt_table *table);

/* Puts the options of another line behind those of `a`. ST_OK, or ST_FAILED without memory. */
int arguments_append(struct arguments *a, const struct arguments *more);

/* The last value of the option of this name, NULL if it has none; whether it is there at all. */
const char *arguments_value(const struct arguments *a, const char *name);
NETBENCH_EXPORT bool arguments_given(const struct arguments *a, const char *name);

/*
 * Takes the arguments for these tables, in this mode (NULL: the command has none). Refuses options
 * that are unknown, ambiguous or of another mode. Sets every member of the tables to its default,
 * then to what was given. Reports the first fault as one line; up to --help there may be none.
 * ST_OK, ST_USAGE, or ST_FAILED without memory.
 */
int arguments_bind(struct arguments *a, const struct opt_table *tables, size_t ntables,
		   const struct opt_mode *mode);

/*
 * The options as words, "--name=value" or "--name", but those that `leaves_out` names, behind
 * nfirst words that the caller fills in. Words and list are one block for free(), *n words and a
 * NULL; NULL without memory. Once bound.
 */
char **arguments_repeat(const struct arguments *a, bool (*leaves_out)(const char *name),
			size_t nfirst, int *n);

/* Frees all of it, with the lists that binding put into the tables' structs. */
void arguments_free(struct arguments *a);

/* Reports two options that were both given but exclude each other. ST_OK or ST_USAGE. */
NETBENCH_EXPORT int arguments_exclude(const struct arguments *a, const char *one,
				       const char *other);

#endif
