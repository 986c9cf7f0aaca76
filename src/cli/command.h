/* SPDX-License-Identifier: Apache-2.0 */
/* A command of netbench: one file in cmd/, one name in the build file. */
#ifndef NETBENCH_CLI_COMMAND_H
#define NETBENCH_CLI_COMMAND_H

#include "cli/comparison.h"
#include "measure/plan/benchmark.h"
#include "measure/plan/settings.h"

/* Another way to use a command, which an option selects. Members that are NULL change nothing. */
struct mode {
	struct opt_mode by;
	const char *summary;
	const struct opt *options;	/* in place of the command's own */
	size_t options_size;		/* of the struct for their values */
	/* What it measures or runs instead of what the command does. */
	const struct benchmark *bench;
	int (*run)(const struct settings *st);
};

struct command {
	const char *name, *summary;
	const char *word;		/* another name of it; may be NULL */
	const char *operands;		/* "column" as in usage, NULL if it takes none */
	bool reads_operands;		/* they are files */
	bool takes_dashes;		/* "--" is one of them: it separates the others */
	const struct opt *options;	/* its own, may be NULL */
	size_t options_size;		/* of the struct for their values, settings.own */
	/* the most used of many options, which --help prints first; may be NULL */
	const char *lead;
	const struct benchmark *bench;	/* what it measures; NULL: it does not measure */
	const struct mode *const *modes;	/* the first one selected applies; ended by NULL */
	const struct command *family;	/* related commands, the last without a name; or NULL */
	bool tool;			/* says what there is, of no result */
	bool output;			/* takes --format and --output; implied by bench */
	const struct comparer *compares;	/* its results, in its own way; NULL: by rows */
	/*
	 * Looks at the host of each rank of a job, and measures nothing: called on every rank; rank
	 * 0's exit status counts. How many ranks were asked for, 0: as many as there are.
	 */
	int (*visit)(struct job *job, const struct settings *st);
	uint64_t (*visitors)(const struct settings *st);
	/* Of one that measures: whether these options ask for `run` in its place; NULL: never. */
	bool (*reruns)(const struct settings *st);
	/* Runs a command that does not measure; returns the exit status. */
	int (*run)(const struct settings *st, int noperands, char **operands);
};

/* The commands in the order of the build file, each followed by its family; NULL after the last. */
const struct command *command_at(size_t i);

/* Finds a command by one of its names; NULL for an unknown name. */
const struct command *command_find(const char *name);

/* Its summary; NULL for an unknown name. */
const char *command_summary(const char *name);

/* Options of every command that writes results: --format, --output, --quiet, --verbose. */
extern const struct opt output_options[];

/* True if an option of this name is one of these: it says where and how, not what. */
bool command_is_output(const char *name);

/*
 * Prints "netbench beff [-u count] ...", as --help and SYNOPSIS have it, from column `indent` on,
 * in lines of at most 79 columns.
 */
void command_usage(FILE *to, const struct command *cmd, int indent);

/* A command line: its command in the mode that the options select, and the options' values. */
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
 * The tables of a command with this backend (NULL: not known yet), for parsing, help or completion,
 * with the values' places in `l` (NULL: none). Returns how many.
 */
#define COMMAND_TABLES 5
size_t command_tables(struct command_line *l, const struct command *cmd, const struct backend *be,
		      struct opt_table tables[COMMAND_TABLES]);

/* Reads a line that begins with the name of `found`. ST_OK, or ST_FAILED without memory. */
int command_line_read(struct command_line *l, const struct command *found, int argc, char **argv);

/* Reads the rest with the options of l->settings.be, which may select a mode. The same. */
int command_line_add(struct command_line *l);

/*
 * Takes the options in this mode, with those of l->settings.be if that is set, as arguments_bind.
 * Fills l->settings but for the backend and the job. ST_OK or an exit status.
 */
int command_line_bind(struct command_line *l);

/* Refuses a file that is read and written, or written twice. For the rank that writes. */
int command_line_check_files(struct command_line *l);

/* The values of a table's options; zeroed until they are bound. NULL without a table. */
void *command_line_values(struct command_line *l, const struct opt *table, size_t size);

void command_line_free(struct command_line *l);

#endif
