/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Typed option tables: parsing, checks, --help, completion and the record of results use them.
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

#include "base/number.h"

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

/* What is done with the file that a text names. */
enum opt_file {
	OPT_NO_FILE,
	OPT_READ,	/* on every rank that has the option, by its own path */
	OPT_WRITTEN,	/* on rank 0 */
	OPT_READ_ON_0,	/* on rank 0 alone, which others join without a file of their own */
};

/* A list of texts that point into argv. */
struct texts {
	const char **v;
	size_t n;
};

/* The value of an OPT_UINT or OPT_SIZE, or of OPT_SECONDS, that is its `word`. */
#define OPT_AUTO NUMBER_AUTO
#define OPT_AUTO_SECONDS NUMBER_AUTO_SECONDS

/* One option. */
struct opt {
	char letter;		/* 0: long form only */
	const char *name;	/* long form, without the dashes */
	const char *arg;	/* what --help calls the argument; NULL for OPT_FLAG */
	enum opt_type type;
	size_t at;		/* offsetof the member in the owner's struct */
	const char *def;	/* default as the user would type it; NULL: zero, empty, unset */
	double min, max;	/* allowed range of numbers, no top if max < min; both 0: any */
	/* a word taken instead of a number, see OPT_AUTO; of a list: empties it; may be NULL */
	const char *word;
	/* NULL-terminated, for OPT_CHOICE and OPT_CHOICES; of a file: the words that name none */
	const char *const *choices;
	const char *help;	/* lower case, no full stop; default and range are added */
	enum opt_file file;	/* OPT_TEXT, OPT_TEXTS: the value names a file */
	/* former name, still taken in full but never shown; NULL: none */
	const char *was;
	/* what others call it, with blanks in between: not taken, but suggested for */
	const char *aka;
};

/* One of the modes of a command: what selects it, and its options in a table that modes share. */
struct opt_mode {
	const char *option;	/* selects it; NULL: the mode without one */
	const char *other;	/* does so as well; may be NULL */
	const char *value;	/* that the option has to have; NULL: any */
	const char *with;	/* has to be given beside it; may be NULL */
	/* of this table it has the options of these names, with blanks in between */
	const struct opt *shared;	/* NULL: none is shared */
	const char *names;
};

/* A table, its heading in --help, and the struct that takes its values. */
struct opt_table {
	const char *title;
	const struct opt *opts;	/* ended by an entry without a name */
	void *values;
	const struct opt_mode *mode;	/* which alone has this table; NULL: more than one */
};

#endif
