/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command list: shows which commands run on which backends here, and why other combinations do
 * not run. If a backend is named, lists that backend's hardware.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/facts.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/here.h"
#include "cli/launch.h"
#include "measure/plan/pattern.h"
#include "transport/backend.h"
#include "transport/registry.h"

struct list_options {
	const char *backend;
};

static const struct opt options[] = {
	{ 'b', "backend", "name", OPT_TEXT, offsetof(struct list_options, backend),
	  .help = "show the hardware that this backend finds here, and what it lacks, instead of "
		  "the table" },
	{ 0 },
};

#define WIDTH 79		/* most columns of a line, unless a word is longer */
#define LEFT_OUT 11		/* column after the name of a backend that is not built */

/* Prints a line such as "tcp  built in  sockets (..); not here: ..". */
static void print_backend_line(size_t i, const struct here *l)
{
	const char *name = backend_name(i), *between = " (";
	const struct variant *v;
	struct text t = { .n = 0 };
	int indent;

	text_add(&t, "%s", l->be ? l->be->summary : "");
	for (size_t k = 0; (v = backend_variant(name, k)); k++)
		if (variant_is_installed(v)) {
			text_add(&t, "%s%s", between, v->name);
			between = ", ";
		}
	text_add(&t, "%s%s%s%s", *between == ',' ? ")" : "", l->be && l->why[0] ? "; " : "",
		 l->why[0] ? "not here: " : "", l->why);
	if (backend_hidden_module(i))
		text_add(&t, "; not used: '%s', as '%s' is built in", backend_hidden_module(i),
			 name);
	indent = printf("  %-8s %-8s ", name, backend_kind(i));
	text_wrap(stdout, t.s, indent, WIDTH);
}

/* Returns a cell of the matrix: "yes", the name of a missing capability, or "not here". */
static const char *matrix_cell(const struct command *cmd, const struct here *l)
{
	unsigned needs = cmd->bench->pattern ? cmd->bench->pattern->needs : 0;
	const char *missing = l->be ? cap_name(needs & ~l->be->caps) : NULL;

	return missing ? missing : l->why[0] || !l->be ? "not here" : "yes";
}

/* Returns the width of a backend's column. */
static int column_width(const char *name, const struct here *l)
{
	size_t width = strlen(name);

	for (size_t c = 0; command_at(c); c++)
		if (command_at(c)->bench && strlen(matrix_cell(command_at(c), l)) > width)
			width = strlen(matrix_cell(command_at(c), l));
	return (int)width;
}

static int print_all(void)
{
	size_t n = 0;
	struct here *found;
	const char *name;

	while (backend_name(n))
		n++;
	found = memory_new(n, sizeof(*found));
	puts("backends:");
	for (size_t i = 0; i < n; i++) {
		found[i] = check_backend_here(backend_name(i));
		print_backend_line(i, &found[i]);
	}
	for (size_t i = 0; (name = backend_left_out(i)); i++) {
		printf("%s  %-8s ", i ? "" : "\nnot part of this build:\n", name);
		text_wrap(stdout, backend_remedy(name, BACKEND_LEFT_OUT), LEFT_OUT, WIDTH);
	}
	printf("\n%-10s", "command");
	for (size_t i = 0; i < n; i++)
		printf("  %-*s", column_width(backend_name(i), &found[i]), backend_name(i));
	puts("");
	for (size_t c = 0; command_at(c); c++) {
		if (!command_at(c)->bench)
			continue;
		printf("%-10s", command_at(c)->name);
		for (size_t i = 0; i < n; i++)
			printf("  %-*s", column_width(backend_name(i), &found[i]),
			       matrix_cell(command_at(c), &found[i]));
		puts("");
	}
	puts("\nyes: runs here; not here: see above; another word: what the backend lacks");
	free(found);
	return ST_OK;
}

/*
 * Prints whether a backend runs here, then its hardware and the contents of its image files.
 * Returns ST_OK or an error (reported).
 */
static int print_backend(const char *name, int n, char **files)
{
	struct here l = check_backend_here(name);
	const struct backend *be = l.be;
	const struct variant *v;
	const char *why = l.why;

	if (!be && !strcmp(why, BACKEND_LEFT_OUT))
		return error_unavailable("backend '%s' is not here: %s; %s", name, why,
					 backend_remedy(name, why));
	if (!be && why[0])
		return error_unavailable("backend '%s' is not here: %s", name, why);
	if (!backend_is_name(name))
		return error_usage("'%s' is no name of a backend: names consist of a-z, 0-9, _ and "
				   "-; netbench list shows them", name);
	if (!be)
		return error_usage("unknown backend '%s'; netbench list shows them", name);
	if (n && !be->lists_files)
		return error_usage("unexpected operand '%s': backend '%s' has no images", files[0],
				   name);
	printf("%s: %s\n", name, be->summary);
	printf("  %-10s %s\n", "here", why[0] ? "no" : "yes");
	if (why[0])
		printf("  %-10s %s\n", "missing", why);
	for (size_t i = 0; (v = backend_variant(name, i)); i++)
		printf("  %-10s %s: %s%s\n", "variant", v->name, v->words,
		       v == backend_variant_loaded(name) ? ", loaded" :
		       variant_is_installed(v) ? "" : "; its module is not installed");
	if (be->list)
		be->list(n, files, &(struct facts){ .to = stdout });
	return ST_OK;
}

static int run_list(const struct settings *st, int n, char **operands)
{
	const struct list_options *o = st->own;
	const char *why;
	int err = launch_choose_mpi(st->given, &why);

	if (err)
		return err;
	if (o->backend)
		return print_backend(o->backend, n, operands);
	if (n)
		return error_usage("unexpected operand '%s'", operands[0]);
	return print_all();
}

const struct command cmd_list = {
	.name = "list",
	.summary = "commands and backends: what runs here, and why the rest does not",
	.tool = true,
	.options = options,
	.options_size = sizeof(struct list_options),
	.operands = "[image ...]",
	.reads_operands = true,
	.run = run_list,
};
