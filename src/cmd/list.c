/* SPDX-License-Identifier: Apache-2.0 */
/* Which command runs on which backend here, and why the others do not. */
#include <stdio.h>

#include "bench.h"

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

static int run(int n, char **operands)
{
	(void)n;
	(void)operands;
	print_backends();
	print_matrix();
	return 0;
}

const struct command cmd_list = {
	.name = "list",
	.summary = "commands and backends, what runs here, and why the rest does not",
	.run = run,
};
