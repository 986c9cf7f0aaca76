/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command of netbench: one file in cmd/, one name in the build file.
 */
#ifndef NETBENCH_CLI_COMMAND_H
#define NETBENCH_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "measure/benchmark.h"
#include "measure/settings.h"
#include "options/arguments.h"

/* Another way to use a command, which an option selects. What is NULL is as without it. */
struct mode {
	struct opt_mode by;
	const char *summary;
	const struct opt *options;	/* in place of the command's own; their values' struct is of: */
	size_t options_size;
	/* What it does: measures this, or runs this; both NULL: what the command does. */
	const struct benchmark *bench;
	int (*run)(const struct settings *st);
};

struct command {
	const char *name, *summary;
	const char *operands;		/* "column" as in usage, NULL if it takes none */
	const struct opt *options;	/* its own; NULL: none; their values' struct, settings.own, is of: */
	size_t options_size;
	const struct benchmark *bench;	/* what it measures (bench.h); NULL: it does not measure */
	const struct mode *const *modes;	/* the first selected is it; ended by NULL */
	const struct command *family;	/* go with it, ended by one without a name; may be NULL */
	bool output;			/* takes --format and --output; implied by bench */
	/* What a command that does not measure does; returns the exit status. */
	int (*run)(const struct settings *st, int noperands, char **operands);
};

/* The commands in the order of the build file, each followed by its family; NULL after the last. */
const struct command *command_at(size_t i);

/* Finds a command by name; NULL if there is none. */
const struct command *command_find(const char *name);

/* Options of every command that writes results: --format, --output, --quiet, --verbose. */
extern const struct opt output_options[];

/* Prints "netbench beff [-u count] ..." in one line, as --help and SYNOPSIS have it. */
void command_usage(FILE *to, const struct command *cmd);

/* A command line: its command, as the mode has it that the options select, and the options' values. */
struct command_line {
	const struct command *found;	/* by its name alone */
	const struct mode *mode;	/* NULL: none */
	struct command cmd;		/* in this mode */
	struct arguments args;
	struct settings settings;	/* once the options are bound */
	struct option_values {		/* of commands, backends, jobs: a block for each table */
		const struct opt *table;
		void *values;
	} blocks[ARGUMENTS_TABLES];
};

/*
 * The tables that apply to a command with this backend (NULL: not known yet), for parsing, help and completion, with where
 * the values go in `l` (NULL: nowhere). At most COMMAND_TABLES; returns how many.
 */
#define COMMAND_TABLES 5
size_t command_tables(struct command_line *l, const struct command *cmd, const struct backend *be,
		      struct opt_table tables[COMMAND_TABLES]);

/* Reads a line whose first word is the name of `found`. ST_OK, or ST_FAILED without memory. */
int command_line_read(struct command_line *l, const struct command *found, int argc, char **argv);

/* Reads the rest with the options of l->settings.be, which may select a mode. The same. */
int command_line_add(struct command_line *l);

/*
 * Takes the options in this mode, with those of l->settings.be if it is not NULL, as arguments_bind.
 * Fills l->settings but for the backend and the job. ST_OK or an exit status.
 */
int command_line_bind(struct command_line *l);

/* The values of a table's options; zeroed until they are bound. NULL if there is no table. */
void *command_line_values(struct command_line *l, const struct opt *table, size_t size);

void command_line_free(struct command_line *l);

#endif
