/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command of netbench: one file in cmd/, one name in the build file.
 */
#ifndef NETBENCH_CLI_COMMAND_H
#define NETBENCH_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "measure/benchmark.h"
#include "options/options.h"
#include "result/report.h"

struct command {
	const char *name, *summary;
	const char *operands;		/* "column" as in usage, NULL if it takes none */
	const struct opt *options;	/* its own; NULL: none */
	void *values;
	const struct benchmark *bench;	/* what it measures (bench.h); NULL: it does not measure */
	/*
	 * The command of the same name that a command line means, by an option that makes it another one: itself, or
	 * that one. NULL: there is no other.
	 */
	const struct command *(*meant)(int argc, char **argv);
	/*
	 * The command that is another one by an option, and that option ("measure"): what only that command takes does not
	 * go with it. NULL: it is no such command.
	 */
	const struct command *instead_of;
	const char *by;
	const struct command *family;	/* commands that go with it, ended by one without a name; may be NULL */
	bool output;			/* takes --format and --output; implied by bench */
	/* What a command that does not measure does; returns the exit status. */
	int (*run)(int noperands, char **operands);
};

/* Whether a command line asks for one-sided reads, which is "--op read" of a backend; for `meant`. */
bool command_reads(int argc, char **argv);

/* The commands in the order of the build file, each followed by its family; NULL after the last. */
const struct command *command_at(size_t i);

/* Finds a command by name; NULL if there is none. */
const struct command *command_find(const char *name);

/* The command that a line means, which begins with a name, options and all; NULL if there is none of that name. */
const struct command *command_meant(int argc, char **argv);

/*
 * Options of every command that writes results, and of all: values of --format, --output, --quiet,
 * --verbose after parsing.
 */
extern const struct opt output_options[];
extern struct output_options output_opts;

/* Values of the options of every command that measures. */
struct measuring;
extern struct measuring measure_opts;

/*
 * Where the option values of a backend and of a kind of job are: zeroed at first, the same block at each call, NULL if
 * they have no options or there is no memory.
 */
struct backend;
struct job_kind;
void *backend_options(const struct backend *be);
void *job_options(const struct job_kind *job);

/*
 * The tables that apply to a command with this backend (NULL: not known yet), for parsing, help and
 * completion. At most COMMAND_TABLES; returns how many.
 */
#define COMMAND_TABLES 5
size_t command_tables(const struct command *cmd, const struct backend *be,
		      struct opt_table tables[COMMAND_TABLES]);

/*
 * Refuses, by name, an option that only the command takes instead of which this one is meant, with this backend (NULL:
 * it has none). ST_OK or ST_USAGE.
 */
int command_refuse(const struct command *cmd, const struct backend *be, int argc, char **argv);

/* Prints "netbench beff [-u count] ..." in one line, as --help and SYNOPSIS have it. */
void command_usage(FILE *to, const struct command *cmd);

#endif
