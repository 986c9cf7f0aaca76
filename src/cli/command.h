/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of netbench. Each is a file in cmd/ and a name in the build file. */
#ifndef NETBENCH_CLI_COMMAND_H
#define NETBENCH_CLI_COMMAND_H

#include "cli/comparison.h"
#include "measure/plan/benchmark.h"
#include "measure/plan/settings.h"

/*
 * A variant of a command, selected by an option. If a member is NULL, the command's own value
 * stays.
 */
struct mode {
	struct opt_mode by;
	const char *summary;
	const struct opt *options;	/* replace the command's options */
	size_t options_size;		/* size of the struct for their values */
	const struct benchmark *bench;	/* measured instead of the command's benchmark */
	int (*run)(const struct settings *st);	/* called instead of measuring */
};

struct command {
	const char *name, *summary;
	const char *word;		/* a second name of the command; may be NULL */
	/* operands in the usage line ("column"); NULL: the command takes none */
	const char *operands;
	bool reads_operands;		/* the operands are files */
	bool takes_dashes;		/* "--" may stand among the operands, as a separator */
	const struct opt *options;	/* the command's own options; may be NULL */
	size_t options_size;		/* size of the struct for their values, settings.own */
	/* the most used options, which --help prints first; may be NULL */
	const char *lead;
	const struct benchmark *bench;	/* the benchmark; NULL: the command does not measure */
	/* the first mode that is selected applies; ends with NULL */
	const struct mode *const *modes;
	/* related commands; an entry without a name ends them; may be NULL */
	const struct command *family;
	/* true: the command describes netbench or this machine, and reads no results */
	bool tool;
	/* accepts --format and --output, as does every command with `bench` */
	bool output;
	/*
	 * for a command that can measure over time: what it does with the rows; NULL: it has no
	 * --duration
	 */
	const struct monitor_hooks *monitor;
	/* how `netbench compare` compares two results of this command; NULL: row by row */
	const struct comparer *compares;
	/*
	 * Examines the host of each rank of a job, and measures nothing. Called on every rank; the
	 * exit status of rank 0 counts.
	 */
	int (*visit)(struct job *job, const struct settings *st);
	uint64_t (*visitors)(const struct settings *st);
	/*
	 * For a command that measures: returns true if these options require `run` instead of a
	 * measurement. NULL: none do.
	 */
	bool (*reruns)(const struct settings *st);
	/* Runs a command that does not measure. Returns the exit status. */
	int (*run)(const struct settings *st, int noperands, char **operands);
};

/*
 * Returns command i in the order of the build file. Each command is followed by the commands of its
 * member `family`. Returns NULL after the final command.
 */
const struct command *command_at(size_t i);

/* Finds a command by its name or second name; NULL if none exists. */
const struct command *command_find(const char *name);

/* Returns the summary of a command; NULL for an unknown name. */
const char *command_summary(const char *name);

/*
 * Options of every command that writes results, such as --format, --output, --quiet and --verbose.
 */
extern const struct opt output_options[];

/*
 * Returns true if output_options contains an option of this name. Those options do not change what
 * is measured.
 */
bool command_is_output(const char *name);

/*
 * Prints the usage line, such as "netbench beff [-u count] ...", for --help and for the manual's
 * SYNOPSIS. The output begins at column `indent`, and a line has at most 79 columns.
 */
void command_usage(FILE *to, const struct command *cmd, int indent);

/* A parsed command line: the command, the mode that the options select, and the options' values. */
struct command_line {
	const struct command *found;	/* the command before its mode is applied */
	const struct mode *mode;	/* the selected mode; NULL: none */
	struct command cmd;		/* the command in that mode */
	struct arguments args;
	struct settings settings;	/* filled by command_line_bind */
	/* the values of each option table (of commands, backends and jobs) */
	struct option_values {
		const struct opt *table;
		void *values;
	} blocks[ARGUMENTS_TABLES];
};

/*
 * Lists the option tables of a command with this backend, for parsing, help or completion. `be` may
 * be NULL if the backend is not known yet. If `l` is not NULL, each table points at its values in
 * *l. Returns the number of tables.
 */
#define COMMAND_TABLES 6
size_t command_tables(struct command_line *l, const struct command *cmd, const struct backend *be,
		      struct opt_table tables[COMMAND_TABLES]);

/*
 * Reads a command line that begins with the name of `found`. Returns ST_OK, or ST_FAILED if memory
 * is short.
 */
int command_line_read(struct command_line *l, const struct command *found, int argc, char **argv);

/*
 * Reads the options of backend l->settings.be, which may select a mode. Returns ST_OK, or ST_FAILED
 * if memory is short.
 */
int command_line_add(struct command_line *l);

/*
 * Checks and stores the options by arguments_bind: the options of this mode, and the options of
 * backend l->settings.be if it is set. Fills l->settings except for the backend and the job.
 * Returns ST_OK or an exit status.
 */
int command_line_bind(struct command_line *l);

/*
 * Reports a file that the command line both reads and writes, or writes twice. Call it on the rank
 * that writes. Returns ST_OK or ST_USAGE.
 */
int command_line_check_files(struct command_line *l);

/*
 * Returns the struct of `size` bytes with the values of a table's options; NULL if `table` is NULL.
 * The values are zero until command_line_bind stores them.
 */
void *command_line_values(struct command_line *l, const struct opt *table, size_t size);

void command_line_free(struct command_line *l);

#endif
