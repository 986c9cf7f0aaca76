/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Typed option tables. An option is described once; from the table come parsing
 * with checks, --help, shell completion, and the dump into the results.
 *
 * Values land in a plain struct of the table's owner:
 *
 *	struct rate_opts { struct numbers window; bool bidirectional; };
 *	static const struct opt rate_options[] = {
 *		{ 'w', "window", "n,...", OPT_UINTS, offsetof(struct rate_opts, window),
 *		  .def = "64", .min = 1, .max = 65536, .help = "messages in flight" },
 *		...
 *	};
 */
#ifndef NETBENCH_OPTIONS_OPTIONS_H
#define NETBENCH_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/export.h"
#include "options/suggest.h"
#include "base/values.h"

/* Type of an option, and the C type of the member that takes its value. */
enum opt_type {
	OPT_FLAG,	/* bool; takes no argument */
	OPT_UINT,	/* uint64_t, min..max */
	OPT_REAL,	/* double, min..max */
	OPT_SIZE,	/* uint64_t, bytes: 64, 4k, 1M, 2G (powers of 1024) */
	OPT_SECONDS,	/* double, seconds: 2, 100ms, 5us, 3m, 1h */
	OPT_CHOICE,	/* uint64_t, index into choices */
	OPT_TEXT,	/* const char *, points into argv or def; NULL without either */
	OPT_UINTS,	/* struct numbers: 1,2,4 or 1:64:*2 or 0:10:+5, each min..max */
	OPT_SIZES,	/* struct numbers: as OPT_UINTS with size suffixes */
	OPT_CHOICES,	/* struct numbers: indices into choices, comma separated */
	OPT_TEXTS,	/* struct texts: the option may be given several times */
};

/* A list of texts that point into argv. */
struct texts {
	const char **v;
	size_t n;
};

/* The value of an OPT_UINT or OPT_SIZE, or of OPT_SECONDS, that was given, or defaults to, its `word`. */
#define OPT_AUTO UINT64_MAX
#define OPT_AUTO_SECONDS (-1.0)

/* One option. */
struct opt {
	char letter;		/* 0: long form only */
	const char *name;	/* long form, without the dashes */
	const char *arg;	/* what --help calls the argument; NULL for OPT_FLAG */
	enum opt_type type;
	size_t at;		/* offsetof the member in the owner's struct */
	const char *def;	/* default as the user would type it; NULL: zero, empty, unset */
	double min, max;	/* allowed range of numbers, no top if max < min; both 0: any */
	const char *word;	/* a word taken instead of a number, see OPT_AUTO; may be NULL */
	const char *const *choices;	/* NULL-terminated, for OPT_CHOICE and OPT_CHOICES */
	const char *help;	/* lower case, no full stop; default and range are added */
};

/* A table, its heading in --help, and the struct that takes its values. */
struct opt_table {
	const char *title;
	const struct opt *opts;	/* ended by an entry without a name */
	void *values;
};

/*
 * Sets every member of every table to its default, then parses argv[1..argc-1]
 * (options and operands may mix). Operands are moved to the end; *operands gets
 * the index of the first. Checks types, ranges and choices. An unknown option is
 * answered with the nearest known one. -h and --help set *help and end parsing.
 * A fault is reported as one line; returns ST_OK or ST_USAGE.
 * The caller frees the lists with opts_free.
 */
int opts_parse(const struct opt_table *tables, size_t ntables, int argc, char **argv,
	       int *operands, bool *help);

/*
 * Looks one option's argument up without reporting any fault: the last value of
 * option `name` in argv, which is left in its order, or NULL. For what must be
 * known before all tables are (which backend's options there are).
 */
const char *opts_peek(const struct opt_table *tables, size_t ntables, int argc, char **argv,
		      const char *name);

/* The same for options without an argument as well: whether it is there. */
bool opts_is_there(const struct opt_table *tables, size_t ntables, int argc, char **argv, const char *name);

/* True if the user gave the option on the command line of the last opts_parse. */
NETBENCH_EXPORT bool opts_given(const char *name);

/* Reports two options that were both given but exclude each other. ST_OK or ST_USAGE. */
NETBENCH_EXPORT int opts_exclude(const char *a, const char *b);

/* Frees the lists that parsing or defaults put into the tables' structs. */
void opts_free(const struct opt_table *tables, size_t ntables);

/*
 * Prints the tables for --help, each after a blank line: one entry per option, with its default
 * and what of its range says something.
 */
void opts_help(FILE *to, const struct opt_table *tables, size_t ntables);

/*
 * Prints " [-m log2] [--sizes list] ..." for a table, as SYNOPSIS and usage
 * show it, without any line break.
 */
void opts_usage(FILE *to, const struct opt_table *table);

/* Every option's value, by long name, lists as arrays; unset texts as null. New reference. */
struct json_t *opts_dump(const struct opt_table *tables, size_t ntables);

/* One field of a "name=value,..." text: which member takes it and what it may be. */
struct field {
	const char *name;
	enum opt_type type;	/* OPT_UINT, OPT_REAL, OPT_SIZE or OPT_SECONDS */
	size_t at;
	double min, max;	/* both 0: any value that is not negative */
	bool required;
};

/*
 * Parses "c=2,w=32,..." into the members of *values that the fields (ended by one
 * without a name) name; members not mentioned keep their value. An unknown, missing,
 * repeated or out-of-range field is one line on stderr that begins with `what`
 * ("board 'custom'"). Returns ST_OK or ST_USAGE. OPT_SECONDS without a unit are
 * multiplied by `unit_s` (1 for seconds, 1e-9 for nanoseconds). At most 64 fields.
 */
int parse_fields(const char *what, const char *text, const struct field *fields, double unit_s,
		 void *values);

#endif
