/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of options with types. They are used for parsing, checks, --help, completion and the
 * record of results.
 *
 * Values are stored in a plain struct of the table's owner:
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

/* Type of an option, and C type of the member that stores its value. */
enum opt_type {
	OPT_FLAG,	/* bool; takes no argument */
	OPT_UINT,	/* uint64_t, min..max */
	OPT_REAL,	/* double, min..max */
	OPT_SIZE,	/* uint64_t, bytes: 64, 4k, 1M, 2G (powers of 1024) */
	OPT_SECONDS,	/* double, seconds: 2, 100ms, 5us, 3m, 1h */
	OPT_CHOICE,	/* uint64_t, index into choices */
	OPT_TEXT,	/* const char *, points into argv or to def; NULL if neither exists */
	OPT_UINTS,	/* struct numbers: 1,2,4 or 1:64:*2 or 0:10:+5, each min..max */
	OPT_SIZES,	/* struct numbers: like OPT_UINTS, with size suffixes */
	OPT_CHOICES,	/* struct numbers: indices into choices, comma separated */
	OPT_TEXTS,	/* struct texts: one text for each time that the option is given */
};

/* Whether the value of an option names a file, and which ranks read or write this file. */
enum opt_file {
	OPT_NO_FILE,
	OPT_READ,	/* read by every rank that was given the option, each from its own path */
	OPT_WRITTEN,	/* written by rank 0 */
	OPT_READ_ON_0,	/* read by rank 0 only; ranks that join need no such file */
};

/* A list of texts that point into argv. */
struct texts {
	const char **v;
	size_t n;
};

/*
 * Values stored if the user gave the option's `word`: OPT_AUTO for OPT_UINT and OPT_SIZE,
 * OPT_AUTO_SECONDS for OPT_SECONDS.
 */
#define OPT_AUTO NUMBER_AUTO
#define OPT_AUTO_SECONDS NUMBER_AUTO_SECONDS

/* One option. */
struct opt {
	char letter;		/* 0: long form only */
	const char *name;	/* long form, without the dashes */
	const char *arg;	/* the name of the argument in --help; NULL for OPT_FLAG */
	enum opt_type type;
	size_t at;		/* offset of the member in the owner's struct (offsetof) */
	const char *def;	/* default as a user would type it; NULL: zero, empty or unset */
	/* allowed range of numbers; no upper limit if max < min; any number if both are 0 */
	double min, max;
	/*
	 * A word that is accepted instead of a number, see OPT_AUTO; may be NULL. For an option
	 * that takes a list, the word means the empty list.
	 */
	const char *word;
	/*
	 * The allowed words of OPT_CHOICE and OPT_CHOICES; NULL ends them. For an option that names
	 * a file: words that do not count as names of files.
	 */
	const char *const *choices;
	/* text for --help: lower case, no full stop; --help adds default and range */
	const char *help;
	enum opt_file file;	/* for OPT_TEXT and OPT_TEXTS: whether the value names a file */
	/* a former name, accepted in full but never shown; NULL: none */
	const char *was;
	/*
	 * Names of this option in other programs, separated by blanks. netbench does not accept
	 * these names, but its message then suggests this option.
	 */
	const char *aka;
};

/* A mode of a command: which option selects the mode, and which options it has. */
struct opt_mode {
	/*
	 * the option that selects the mode; NULL: the mode applies if no option selects another
	 * mode
	 */
	const char *option;
	const char *other;	/* another option that selects the mode; may be NULL */
	const char *value;	/* value that the option must have; NULL: any */
	const char *with;	/* another option that must also be given; may be NULL */
	/* an option table that several modes share; NULL: none */
	const struct opt *shared;
	/* names of the options in `shared` that belong to this mode, separated by blanks */
	const char *names;
};

/* A table of options, its heading in --help, and the struct that stores the options' values. */
struct opt_table {
	const char *title;
	const struct opt *opts;	/* ended by an entry without a name */
	void *values;
	/* the only mode that has this table; NULL: the table does not belong to a single mode */
	const struct opt_mode *mode;
};

#endif
