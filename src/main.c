/* SPDX-License-Identifier: Apache-2.0 */
/* argv -> command -> backend -> run -> exit status */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "config.h"
#include "error.h"
#include "progress.h"

static const char *command_name(size_t i, void *arg)
{
	const struct command *cmd = command_at(i);

	(void)arg;
	return cmd ? cmd->name : NULL;
}

static const char *backend_at(size_t i, void *arg)
{
	(void)arg;
	return backend_name(i);
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

static int unknown(const char *what, const char *name, const char *(*candidate)(size_t, void *))
{
	const char *near = nearest(name, candidate, NULL);

	if (near)
		return error_usage("unknown %s '%s', did you mean '%s'?", what, name, near);
	return error_usage("unknown %s '%s'", what, name);
}

/* The backend that the command line names, before its options can be parsed. */
static int find_backend(const struct command *cmd, int argc, char **argv, const struct backend **be)
{
	struct opt_table tables[COMMAND_TABLES];
	size_t n = command_tables(cmd, NULL, tables);
	const char *name = opts_peek(tables, n, argc, argv, "backend");
	char why[512];

	*be = NULL;
	if (!cmd->bench)
		return ST_OK;
	*be = backend_find(name ? name : "shm", why, sizeof(why));
	if (*be)
		return ST_OK;
	if (why[0])
		return error_unavailable("backend '%s' cannot be loaded: %s", name ? name : "shm", why);
	return unknown("backend", name ? name : "shm", backend_at);
}

/* A result that cannot be written is a failed run. */
static int flush_output(int status)
{
	if ((fflush(stdout) || ferror(stdout)) && status == ST_OK)
		return error("cannot write standard output: %s", strerror(errno));
	return status;
}

static int execute(const struct command *cmd, const struct backend *be, int argc, char **argv)
{
	struct opt_table tables[COMMAND_TABLES];
	size_t n = command_tables(cmd, be, tables);
	int operands, err;
	bool help;

	err = opts_parse(tables, n, argc, argv, &operands, &help);
	if (!err && help) {
		print_help(cmd, be);
	} else if (!err) {
		error_quiet(output_opts.quiet);
		error_verbose(output_opts.verbose);
		if (output_opts.quiet)
			progress_off();
		if (operands < argc && !cmd->operands)
			err = error_usage("unexpected operand '%s'", argv[operands]);
		else
			err = cmd->bench ? bench_command(cmd, be)
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
	const struct backend *be;
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
	cmd = command_find(argv[1]);
	if (!cmd)
		return unknown("command", argv[1], command_name);
	err = find_backend(cmd, argc - 1, argv + 1, &be);
	return err ? err : execute(cmd, be, argc - 1, argv + 1);
}
