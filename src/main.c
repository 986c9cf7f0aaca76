/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program netbench: parses the command line, finds the command and its backend, and runs the
 * command.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/suggest.h"
#include "cli/faults.h"
#include "cli/launch.h"
#include "commit.h"
#include "config.h"
#include "options/help.h"

static const char *command_name_at(size_t i, void *arg)
{
	const struct command *cmd = command_at(i);

	return cmd ? cmd->name : NULL;
}

/* Groups of commands in the usage text. */
enum group { MEASURES, COMPUTES, READS, HELPS, NGROUPS };
static const char *const groups[] = { "measure", "compute", "read results", "tools" };

/* Returns the group of a command in the usage text. */
static enum group group_of(const struct command *cmd)
{
	/* true: the operands are command lines that the command starts */
	bool starts = cmd->takes_dashes && !cmd->reads_operands;

	if (cmd->bench || cmd->family || starts)
		return MEASURES;
	return cmd->tool ? HELPS : cmd->reads_operands ? READS : COMPUTES;
}

static void print_usage(FILE *to)
{
	fputs("usage: netbench command [options]\n"
	      "       netbench command --help\n"
	      "       netbench --version\n", to);
	for (enum group g = 0; g < NGROUPS; g++) {
		fprintf(to, "\n%s:\n", groups[g]);
		for (size_t i = 0; command_at(i); i++)
			if (group_of(command_at(i)) == g)
				fprintf(to, "  %-12s %s\n", command_at(i)->name,
					command_at(i)->summary);
	}
}

static void print_help(const struct command *cmd, const struct backend *be)
{
	struct opt_table tables[COMMAND_TABLES];
	size_t n = command_tables(NULL, cmd, be, tables);

	printf("%s\n\nusage: ", cmd->summary);
	command_usage(stdout, cmd, (int)strlen("usage: "));
	puts("");
	if (n)
		opts_help(stdout, tables, n, cmd->lead);
	if (be && !be->options)
		printf("\nbackend %s has no options of its own\n", be->name);
}

/* Names that users may type for a command that has another name, and that command's name. */
static const struct {
	const char *word, *command;
} command_synonyms[] = {
	{ "ping", "latency" },	    { "pingpong", "latency" },	   { "ping-pong", "latency" },
	{ "lat", "latency" },	    { "bw", "bandwidth" },	   { "throughput", "bandwidth" },
	{ "rate", "msgrate" },	    { "message-rate", "msgrate" }, { "mbw_mr", "msgrate" },
	{ "test", "check" },	    { "diff", "compare" },	   { "info", "list" },
	{ "effective-bandwidth", "beff" }, { "diagnose", "doctor" },   { "health", "doctor" },
};

/* Reports an unknown command. Suggests a command with a similar name, if there is one. */
static int report_unknown_command(const char *name)
{
	const char *near = suggest(name, command_name_at, NULL);

	for (size_t i = 0; i < LENGTH(command_synonyms); i++)
		if (!strcasecmp(command_synonyms[i].word, name))
			near = command_synonyms[i].command;
	if (*name == '-')
		return error_usage("option '%s' stands before the command: options follow it, as "
				   "in 'netbench latency -b tcp'", name);
	return near ? error_usage("unknown command '%s', did you mean '%s'?", name, near)
		    : error_usage("unknown command '%s'", name);
}

/*
 * Checks and stores the options. Then runs the command or prints its help. Returns the exit status.
 */
static int bind_and_run(struct command_line *l)
{
	const struct command *cmd = &l->cmd;
	struct arguments *args = &l->args;
	int err = command_line_bind(l);

	if (!err && args->help) {
		print_help(cmd, l->settings.be);
		return error_flush(err);
	}
	if (!err && l->settings.launch.rank <= 0)
		err = command_line_check_files(l);
	if (!err) {
		error_quiet(l->settings.output.quiet);
		error_verbose(l->settings.output.verbose);
		if (args->noperands && !cmd->operands)
			err = error_usage("unexpected operand '%s'", args->operands[0]);
		else if (cmd->reruns && cmd->reruns(&l->settings))
			err = cmd->run(&l->settings, args->noperands, args->operands);
		else if (cmd->bench || cmd->visit)
			err = run_ranks(l);
		else if (l->mode && l->mode->run)
			err = l->mode->run(&l->settings);
		else
			err = cmd->run(&l->settings, args->noperands, args->operands);
	}
	return error_flush(err);
}

/*
 * Selects the backend and the job of a command that has ranks, and runs the command. If a launcher
 * has started this process as a rank, its faults are sent to rank 0.
 */
static int launch(struct command_line *l, const struct launch *by)
{
	char why[512];
	bool alone, launched;
	int err;

	if (by->kind)
		faults_keep();
	alone = launcher_is_unsupported(l, why, sizeof(why));
	launched = by->kind && !alone;
	if (alone && by->rank > 0)
		return ST_OK;
	if (alone)
		faults_print();
	err = launch_select(l);
	if (launched && !err && l->settings.launch.rank < 0)
		faults_print();
	if (!err)
		err = bind_and_run(l);
	return launched ? faults_end(l, err) : err;
}

/*
 * Returns true if a word is a long option ("--help"), its letter ("-h"), or its name without dashes
 * ("help").
 */
static bool asks_for(const char *word, const char *option, const char *letter)
{
	return !strcmp(word, option) || !strcmp(word, letter) || !strcmp(word, option + 2);
}

int main(int argc, char **argv)
{
	static char help_option[] = "--help";	/* "help beff" becomes "beff --help" */
	struct launch by = job_launch(NULL);
	const struct command *cmd;
	struct command_line line;
	int fd, err;

	/*
	 * If standard input, output or error is closed, open /dev/null in its place. So no other
	 * file gets its number.
	 */
	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	if (argc < 2) {
		print_usage(stderr);
		return ST_USAGE;
	}
	if (asks_for(argv[1], help_option, "-h")) {
		if (argc == 2 || asks_for(argv[2], help_option, "-h")) {
			print_usage(stdout);
			return error_flush(ST_OK);
		}
		argv[1] = argv[2];
		argv[2] = help_option;
	}
	if (asks_for(argv[1], "--version", "-V")) {
		puts(*NETBENCH_COMMIT ? "netbench " NETBENCH_VERSION " (" NETBENCH_COMMIT ")" :
					"netbench " NETBENCH_VERSION);
		return error_flush(ST_OK);
	}
	cmd = command_find(argv[1]);
	if (!cmd)	/* of ranks that a launcher has started, only rank 0 reports the fault */
		return by.kind && by.rank > 0 ? ST_USAGE : report_unknown_command(argv[1]);
	err = command_line_read(&line, cmd, argc - 1, argv + 1);
	if (!err && (line.cmd.bench || line.cmd.visit))
		err = launch(&line, &by);
	/* a command without ranks runs on rank 0 only */
	else if (!err && !(by.kind && by.rank > 0))
		err = bind_and_run(&line);
	command_line_free(&line);
	return err;
}
