/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

#include "job/job.h"
#include "transport/backend.h"
#include "measure/bench.h"
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

struct output_opts output_opts;

const struct opt output_options[] = {
	{ 'f', "format", "format", OPT_CHOICE, offsetof(struct output_opts, format), .def = "table",
	  .choices = format_names, .help = "what goes to standard output" },
	{ 'o', "output", "file", OPT_TEXTS, offsetof(struct output_opts, outputs),
	  .help = "write results to a file as well: .csv, .json or .txt; may be given several "
		  "times" },
	{ 'q', "quiet", NULL, OPT_FLAG, offsetof(struct output_opts, quiet),
	  .help = "no warnings and no progress on standard error" },
	{ 'v', "verbose", NULL, OPT_FLAG, offsetof(struct output_opts, verbose),
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

size_t command_tables(const struct command *cmd, const struct backend *be,
		      struct opt_table tables[COMMAND_TABLES])
{
	size_t n = 0;

	if (cmd->options)
		tables[n++] = (struct opt_table){ "options", cmd->options, cmd->values, NULL };
	if (cmd->bench) {
		tables[n++] = (struct opt_table){ "measuring", measure_options, &measure_opts,
						  NULL };
		tables[n++] = (struct opt_table){ "joining", job_join.options, job_join.values,
						  NULL };
	}
	if (cmd->bench && be && be->options)
		tables[n++] = (struct opt_table){ be->name, be->options, be->values, NULL };
	if (cmd->bench || cmd->output)
		tables[n++] = (struct opt_table){ "output", output_options, &output_opts, NULL };
	return n;
}

void command_usage(FILE *to, const struct command *cmd)
{
	fprintf(to, "netbench %s", cmd->name);
	if (cmd->options)
		opts_usage(to, &(struct opt_table){ "options", cmd->options, cmd->values, NULL });
	if (cmd->bench)
		fputs(" [measuring options] [joining options] [backend options]", to);
	if (cmd->bench || cmd->output)
		fputs(" [output options]", to);
	if (cmd->operands)
		fprintf(to, " %s", cmd->operands);
}

/* ---- modes ---- */

static bool is_selected(const struct arguments *a, const struct opt_mode *m)
{
	const char *value = arguments_value(a, m->option);

	if (m->with && !arguments_given(a, m->with))
		return false;
	if (m->value)
		return value && !strcmp(value, m->value);
	return arguments_given(a, m->option) || (m->other && arguments_given(a, m->other));
}

/* The command as a mode has it. */
static struct command in_mode(const struct command *cmd, const struct mode *mode)
{
	struct command c = *cmd;

	if (mode->summary)
		c.summary = mode->summary;
	if (mode->options) {
		c.options = mode->options;
		c.values = mode->values;
	}
	if (mode->bench || mode->run) {
		c.output |= cmd->bench != NULL;
		c.bench = mode->bench;
	}
	return c;
}

static void find_mode(struct command_line *l)
{
	const struct mode *const *m = l->found->modes;

	while (m && *m && !is_selected(&l->args, &(*m)->by))
		m++;
	l->mode = m ? *m : NULL;
	l->cmd = l->mode ? in_mode(l->found, l->mode) : *l->found;
}

/* ---- command lines ---- */

/* Adds tables that are not among the n that there are; returns how many there are then. */
static size_t add_tables(struct opt_table *tables, size_t n, const struct opt_table *more,
			 size_t nmore, const struct opt_mode *mode)
{
	for (size_t i = 0; i < nmore; i++) {
		size_t t = 0;

		while (t < n && tables[t].opts != more[i].opts)
			t++;
		if (t == n && n < ARGUMENTS_TABLES) {
			tables[n] = more[i];
			tables[n++].mode = mode;
		}
	}
	return n;
}

int command_line_read(struct command_line *l, const struct command *found, int argc, char **argv)
{
	struct opt_table all[ARGUMENTS_TABLES], tables[COMMAND_TABLES];
	size_t n = command_tables(found, NULL, all);
	int err;

	*l = (struct command_line){ .found = found };
	for (const struct mode *const *m = found->modes; m && *m; m++) {
		struct command cmd = in_mode(found, *m);

		n = add_tables(all, n, tables, command_tables(&cmd, NULL, tables), &(*m)->by);
	}
	err = arguments_read(&l->args, argc, argv, all, n);
	find_mode(l);
	return err;
}

int command_line_add(struct command_line *l, const struct backend *be)
{
	const struct opt_table table = { be->name, be->options, be->values, NULL };
	int err = arguments_add(&l->args, &table);

	find_mode(l);
	return err;
}

int command_line_bind(struct command_line *l, const struct backend *be)
{
	struct opt_table tables[COMMAND_TABLES];
	size_t n = command_tables(&l->cmd, be, tables);

	return arguments_bind(&l->args, tables, n, l->mode ? &l->mode->by : NULL);
}
