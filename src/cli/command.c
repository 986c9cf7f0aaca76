/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include "measure/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/job.h"
#include "transport/backend.h"
#include "base/error.h"
#include "result/report.h"

#define COMMAND(n) extern const struct command cmd_##n;
#include "commands.h"
#undef COMMAND

static const struct command *const commands[] = {
#define COMMAND(n) &cmd_##n,
#include "commands.h"
#undef COMMAND
	NULL,
};

struct output_options output_opts;
struct measuring measure_opts;

/* A block for the values of each table that a command line has met; of the process, until settings hold them. */
static void *values_of(const struct opt *table, size_t size)
{
	static struct {
		const struct opt *table;
		void *values;
	} blocks[16];
	size_t i = 0;

	while (i < sizeof(blocks) / sizeof(blocks[0]) - 1 && blocks[i].table && blocks[i].table != table)
		i++;
	if (!blocks[i].values)
		blocks[i].values = calloc(1, size + 1);
	blocks[i].table = table;
	return blocks[i].values;
}

void *backend_options(const struct backend *be)
{
	return be->options ? values_of(be->options, be->options_size) : NULL;
}

void *job_options(const struct job_kind *job)
{
	return job->options ? values_of(job->options, job->options_size) : NULL;
}

const struct opt output_options[] = {
	{ 'f', "format", "format", OPT_CHOICE, offsetof(struct output_options, format), .def = "table",
	  .choices = format_names, .help = "what goes to standard output" },
	{ 'o', "output", "file", OPT_TEXTS, offsetof(struct output_options, outputs),
	  .help = "write results to a file as well: .csv, .json or .txt; may be given several times" },
	{ 'q', "quiet", NULL, OPT_FLAG, offsetof(struct output_options, quiet),
	  .help = "no warnings and no progress on standard error" },
	{ 'v', "verbose", NULL, OPT_FLAG, offsetof(struct output_options, verbose),
	  .help = "say what was chosen, and why" },
	{ 0 },
};

const struct command *command_at(size_t i)
{
	for (size_t c = 0; commands[c]; c++) {
		if (!i--)
			return commands[c];
		for (const struct command *f = commands[c]->family; f && f->name; f++)
			if (!i--)
				return f;
	}
	return NULL;
}

const struct command *command_find(const char *name)
{
	const struct command *c;

	for (size_t i = 0; (c = command_at(i)); i++)
		if (!strcmp(c->name, name))
			break;
	return c;
}

const struct command *command_meant(int argc, char **argv)
{
	const struct command *c = command_find(argv[0]);

	return c && c->meant ? c->meant(argc, argv) : c;
}

bool command_reads(int argc, char **argv)
{
	static const struct opt op[] = { { 0, "op", "name", OPT_TEXT, 0, .help = "" }, { 0 } };
	const struct opt_table table = { "", op, NULL };
	const char *value = opts_peek(&table, 1, argc, argv, "op");

	return value && !strcmp(value, "read");
}

size_t command_tables(const struct command *cmd, const struct backend *be,
		      struct opt_table tables[COMMAND_TABLES])
{
	size_t n = 0;

	if (cmd->options)
		tables[n++] = (struct opt_table){ "options", cmd->options, cmd->values };
	if (cmd->bench)
		tables[n++] = (struct opt_table){ "measuring", measuring_options, &measure_opts };
	if (cmd->bench)
		tables[n++] = (struct opt_table){ "joining", job_join.options, job_options(&job_join) };
	if (cmd->bench && be && be->options)
		tables[n++] = (struct opt_table){ be->name, be->options, backend_options(be) };
	if (cmd->bench || cmd->output)
		tables[n++] = (struct opt_table){ "output", output_options, &output_opts };
	return n;
}

static bool is_among(const struct opt_table *tables, size_t n, const char *name)
{
	for (size_t t = 0; t < n; t++)
		for (const struct opt *o = tables[t].opts; o->name; o++)
			if (!strcmp(o->name, name))
				return true;
	return false;
}

int command_refuse(const struct command *cmd, const struct backend *be, int argc, char **argv)
{
	struct opt_table tables[2 * COMMAND_TABLES];
	size_t own = command_tables(cmd, be, tables), all = own;

	if (cmd->instead_of)
		all += command_tables(cmd->instead_of, NULL, tables + own);
	for (size_t t = own; t < all; t++)
		for (const struct opt *o = tables[t].opts; o->name; o++)
			if (!is_among(tables, own, o->name) && opts_is_there(tables, all, argc, argv, o->name))
				return error_usage("option '--%s' does not go with '--%s'", o->name, cmd->by);
	return ST_OK;
}

void command_usage(FILE *to, const struct command *cmd)
{
	fprintf(to, "netbench %s", cmd->name);
	if (cmd->options)
		opts_usage(to, &(struct opt_table){ "options", cmd->options, cmd->values });
	if (cmd->bench)
		fputs(" [measuring options] [joining options] [backend options]", to);
	if (cmd->bench || cmd->output)
		fputs(" [output options]", to);
	if (cmd->operands)
		fprintf(to, " %s", cmd->operands);
}
