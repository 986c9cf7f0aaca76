/* SPDX-License-Identifier: Apache-2.0 */
/* argv -> command -> backend -> run -> exit status */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/run.h"
#include "cli/choose.h"
#include "config.h"
#include "base/error.h"
#include "cli/outset.h"

static const char *command_name(size_t i, void *arg)
{
	const struct command *cmd = command_at(i);

	(void)arg;
	return cmd ? cmd->name : NULL;
}

static void print_usage(FILE *to)
{
	fputs("usage: netbench command [options]\n"
	      "       netbench command --help\n"
	      "       netbench --version\n\ncommands:\n", to);
	for (size_t i = 0; command_at(i); i++)
		fprintf(to, "  %-12s %s\n", command_at(i)->name, command_at(i)->summary);
}

static void print_help(const struct command *cmd, const struct backend *be)
{
	struct opt_table tables[COMMAND_TABLES];
	size_t n = command_tables(cmd, be, tables);

	printf("%s\n\nusage: ", cmd->summary);
	command_usage(stdout, cmd);
	puts("");
	if (n)
		opts_help(stdout, tables, n);
	if (be && !be->options)
		printf("\nbackend %s has no options of its own\n", be->name);
}

static int unknown_command(const char *name)
{
	const char *near = nearest(name, command_name, NULL);

	if (near)
		return error_usage("unknown command '%s', did you mean '%s'?", name, near);
	return error_usage("unknown command '%s'", name);
}

/* A result that cannot be written is a failed run. */
static int flush_output(int status)
{
	if ((fflush(stdout) || ferror(stdout)) && status == ST_OK)
		return error_report("cannot write standard output: %s", strerror(errno));
	return status;
}

static int execute(const struct command *cmd, const struct choice *c, int argc, char **argv)
{
	struct opt_table tables[COMMAND_TABLES];
	size_t n = command_tables(cmd, c->be, tables);
	int operands, err = command_refuse(cmd, c->be, argc, argv);
	bool help;

	if (err)
		return err;
	err = opts_parse(tables, n, argc, argv, &operands, &help);
	if (!err && help) {
		print_help(cmd, c->be);
	} else if (!err) {
		error_quiet(output_opts.quiet);
		error_verbose(output_opts.verbose);
		if (operands < argc && !cmd->operands)
			err = error_usage("unexpected operand '%s'", argv[operands]);
		else
			err = cmd->bench ? bench_command(cmd, c, argc, argv)
					 : cmd->run(argc - operands, argv + operands);
	}
	opts_free(tables, n);
	return flush_output(err);
}

/* Whatever was closed is /dev/null, so that no file of ours takes its place. */
static void open_standard_files(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c)
{
	return !strcmp(word, a) || !strcmp(word, b) || !strcmp(word, c);
}

int main(int argc, char **argv)
{
	static char help_option[] = "--help";	/* "help beff" is "beff --help" */
	const struct command *cmd;
	struct choice choice = { 0 };
	bool launched;
	int err;

	open_standard_files();
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	if (argc < 2) {
		print_usage(stderr);
		return ST_USAGE;
	}
	if (is_one_of(argv[1], "--help", "-h", "help")) {
		if (argc == 2) {
			print_usage(stdout);
			return flush_output(ST_OK);
		}
		argv[1] = argv[2];
		argv[2] = help_option;
	}
	if (is_one_of(argv[1], "--version", "-V", "version")) {
		puts("netbench " NETBENCH_VERSION);
		return flush_output(ST_OK);
	}
	cmd = command_meant(argc - 1, argv + 1);
	launched = job_launch().kind != NULL;
	if (launched && job_launch().rank > 0 && (!cmd || !cmd->bench))
		return cmd ? ST_OK : ST_USAGE;		/* rank 0 alone computes, or says that there is none */
	if (!cmd)
		return unknown_command(argv[1]);
	if (!cmd->bench)
		return execute(cmd, &choice, argc - 1, argv + 1);
	if (launched)
		outset_begin();
	err = choose(cmd, argc - 1, argv + 1, &choice);
	if (launched && !err && choice.launch.rank < 0)
		outset_leave();
	err = err ? err : execute(cmd, &choice, argc - 1, argv + 1);
	return launched ? outset_end(&choice, err) : err;
}
