/* SPDX-License-Identifier: Apache-2.0 */
/* Which command runs on which backend here, and why the others do not; what one backend has found. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "base/error.h"
#include "measure/pattern.h"
#include "transport/backend.h"

static struct opts {
	const char *backend;
} opts;

static const struct opt options[] = {
	{ 'b', "backend", "name", OPT_TEXT, offsetof(struct opts, backend),
	  .help = "what hardware this backend finds here, and what it lacks, instead of the table" },
	{ 0 },
};

/* What hinders a backend from running here; "" if nothing does. */
static const struct backend *look(const char *name, char *why, size_t len)
{
	const struct backend *be = backend_find(name, why, len);

	if (be && !be->probe(why, len))
		why[0] = '\0';
	return be;
}

static void print_backends(void)
{
	char why[256];

	puts("backends:");
	for (size_t i = 0; backend_name(i); i++) {
		const struct backend *be = look(backend_name(i), why, sizeof(why));

		printf("  %-8s %-8s %s%s%s%s\n", backend_name(i),
		       backend_is_module(i) ? "module" : "built in", be ? be->summary : "",
		       be && why[0] ? "; " : "", why[0] ? "not here: " : "", why);
	}
}

/* A cell of the matrix: runs, or the capability that is missing, or that the backend does not run here. */
static const char *cell(const struct command *cmd, const char *backend)
{
	char why[256];
	const struct backend *be = look(backend, why, sizeof(why));
	unsigned needs = cmd->bench->pattern ? cmd->bench->pattern->needs : 0;
	const char *missing = be ? cap_name(needs & ~be->caps) : NULL;

	return missing ? missing : why[0] || !be ? "not here" : "yes";
}

static void print_matrix(void)
{
	printf("\n%-12s", "command");
	for (size_t i = 0; backend_name(i); i++)
		printf(" %-10s", backend_name(i));
	puts("");
	for (size_t c = 0; command_at(c); c++) {
		if (!command_at(c)->bench)
			continue;
		printf("%-12s", command_at(c)->name);
		for (size_t i = 0; backend_name(i); i++)
			printf(" %-10s", cell(command_at(c), backend_name(i)));
		puts("");
	}
	puts("\nyes: runs here; not here: see above; another word: the capability that the backend lacks");
}

static void print_found(void *arg, const char *key, const char *value)
{
	(void)arg;
	printf("  %-10s %s\n", key, value);
}

/* One backend: whether it runs here, its hardware, what is in the files named. */
static int print_backend(const char *name, int n, char **files)
{
	char why[256] = "";
	const struct backend *be = look(name, why, sizeof(why));

	if (!be && why[0])
		return error_unavailable("backend '%s' is not here: %s", name, why);
	if (!be)
		return error_usage("unknown backend '%s'; netbench list shows them", name);
	if (n && !be->lists_files)
		return error_usage("unexpected operand '%s': backend '%s' has no images", files[0], name);
	printf("%s: %s\n", name, be->summary);
	printf("  %-10s %s\n", "here", why[0] ? "no" : "yes");
	if (why[0])
		printf("  %-10s %s\n", "missing", why);
	if (be->list)
		be->list(n, files, print_found, NULL);
	return ST_OK;
}

static int run(int n, char **operands)
{
	if (opts.backend)
		return print_backend(opts.backend, n, operands);
	if (n)
		return error_usage("unexpected operand '%s'", operands[0]);
	print_backends();
	print_matrix();
	return ST_OK;
}

const struct command cmd_list = {
	.name = "list",
	.summary = "commands and backends, what runs here, and why the rest does not",
	.options = options,
	.values = &opts,
	.operands = "[image ...]",
	.run = run,
};
