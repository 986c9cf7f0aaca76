/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "options/files.h"
#include "options/help.h"
#include "options/types.h"
#include "result/out.h"

#define COMMAND(n) extern const struct command cmd_##n;
#include "commands.h"
#undef COMMAND

static const struct command *const commands[] = {
#define COMMAND(n) &cmd_##n,
#include "commands.h"
#undef COMMAND
	NULL,
};

const struct opt output_options[] = {
	{ 'f', "format", "format", OPT_CHOICE, offsetof(struct output_options, format),
	  .def = "table", .choices = format_names, .help = "format of standard output" },
	{ 'o', "output", "file", OPT_TEXTS, offsetof(struct output_options, outputs),
	  .file = OPT_WRITTEN,
	  .help = "write results to a file as well: .csv, .json or .txt; may be given several "
		  "times" },
	{ 0, "rate-unit", "unit", OPT_CHOICE, offsetof(struct output_options, rate_unit),
	  .def = "byte", .choices = rate_unit_names,
	  .help = "bandwidths in tables: byte (B/s) or bit (bit/s); other output is in B/s" },
	{ 0, "csv-header", "how", OPT_CHOICE, offsetof(struct output_options, csv_header),
	  .def = "full", .choices = csv_header_names,
	  .help = "which lines CSV has before and after its rows" },
	{ 0, "wide", NULL, OPT_FLAG, offsetof(struct output_options, wide),
	  .help = "all columns of a table; without it those that fit 80 characters, or the "
		  "terminal" },
	OUT_OVERWRITE_OPTION(offsetof(struct output_options, overwrite)),
	{ 'q', "quiet", NULL, OPT_FLAG, offsetof(struct output_options, quiet),
	  .help = "no warnings and no progress on standard error" },
	{ 'v', "verbose", NULL, OPT_FLAG, offsetof(struct output_options, verbose),
	  .help = "report choices and their reasons" },
	{ 0 },
};

bool command_is_output(const char *name)
{
	const struct opt *o = output_options;

	while (o->name && strcmp(o->name, name) != 0)
		o++;
	return o->name;
}

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
		if (!strcmp(c->name, name) || (c->word && !strcmp(c->word, name)))
			break;
	return c;
}

const char *command_summary(const char *name)
{
	const struct command *c = command_find(name);

	return c ? c->summary : NULL;
}

void *command_line_values(struct command_line *l, const struct opt *table, size_t size)
{
	struct option_values *b = l->blocks;

	if (!table)
		return NULL;
	while (b->table && b->table != table && b < l->blocks + ARGUMENTS_TABLES - 1)
		b++;
	if (!b->values)
		*b = (struct option_values){ table, calloc(1, size) };
	return b->values;
}

size_t command_tables(struct command_line *l, const struct command *cmd, const struct backend *be,
		      struct opt_table tables[COMMAND_TABLES])
{
	bool bench = cmd->bench;
	const struct {
		bool is;
		const char *title;
		const struct opt *options;
		size_t size;
	} all[COMMAND_TABLES] = {
		{ true, "options", cmd->options, cmd->options_size },
		{ bench, "measuring", measuring_options, sizeof(struct measuring) },
		{ bench && cmd->monitor, "measuring over time", monitoring_options,
		  sizeof(struct monitoring) },
		{ bench || cmd->visit, "joining", job_join.options, job_join.options_size },
		{ bench, be ? be->name : "", be ? be->options : NULL, be ? be->options_size : 0 },
		{ bench || cmd->output, "output", output_options, sizeof(struct output_options) },
	};
	size_t n = 0;

	for (size_t i = 0; i < COMMAND_TABLES; i++)
		if (all[i].is && all[i].options)
			tables[n++] = (struct opt_table){ all[i].title, all[i].options, l ?
				command_line_values(l, all[i].options, all[i].size) : NULL, NULL };
	return n;
}

enum { USAGE_WIDTH = 79, USAGE_MORE = 4 };	/* columns of a line; indent of further lines */

void command_usage(FILE *to, const struct command *cmd, int indent)
{
	char *text = NULL;
	size_t room, len;
	FILE *whole = open_memstream(&text, &room);
	int column = indent;

	if (!whole)
		return;
	fprintf(whole, "netbench %s", cmd->name);
	if (cmd->options)
		opts_usage(whole, &(struct opt_table){ "options", cmd->options, NULL, NULL });
	fprintf(whole, "%s%s%s%s%s%s%s",
		cmd->bench ? " [measuring options]" : "",
		cmd->bench && cmd->monitor ? " [options over time]" : "",
		cmd->bench ? " [joining options] [backend options]" : "",
		cmd->visit ? " [joining options]" : "",
		cmd->bench || cmd->output ? " [output options]" : "", cmd->operands ? " " : "",
		cmd->operands ? cmd->operands : "");
	if (fclose(whole))
		return;
	/* print part by part; a part ends before the next " [" */
	for (char *at = text; *at; at += len) {
		const char *next = strstr(at + 1, " [");

		len = next ? (size_t)(next - at) : strlen(at);
		if (at > text && column + (int)len > USAGE_WIDTH) {
			/* the next part begins with a blank */
			column = indent + USAGE_MORE - 1;
			fprintf(to, "\n%*s", column, "");
		}
		fprintf(to, "%.*s", (int)len, at);
		column += (int)len;
	}
	free(text);
}

/* ---- modes ---- */

/* Returns true if the options select this mode. */
static bool is_selected(const struct arguments *a, const struct opt_mode *m)
{
	const char *value = arguments_value(a, m->option);

	if (m->with && !arguments_given(a, m->with))
		return false;
	if (m->value)
		return value && !strcmp(value, m->value);
	return arguments_given(a, m->option) || (m->other && arguments_given(a, m->other));
}

/* Returns the command as changed by a mode. */
static struct command apply_mode(const struct command *cmd, const struct mode *mode)
{
	struct command c = *cmd;

	if (mode->summary)
		c.summary = mode->summary;
	if (mode->options) {
		c.options = mode->options;
		c.options_size = mode->options_size;
	}
	if (mode->bench || mode->run) {
		c.output |= cmd->bench != NULL;
		c.bench = mode->bench;
	}
	return c;
}

/* Sets l->mode to the mode that the options select, and l->cmd to the command in that mode. */
static void find_mode(struct command_line *l)
{
	const struct mode *const *m = l->found->modes;

	while (m && *m && !is_selected(&l->args, &(*m)->by))
		m++;
	l->mode = m ? *m : NULL;
	l->cmd = l->mode ? apply_mode(l->found, l->mode) : *l->found;
}

/* ---- command lines ---- */

int command_line_read(struct command_line *l, const struct command *found, int argc, char **argv)
{
	struct opt_table all[ARGUMENTS_TABLES], more[COMMAND_TABLES];
	size_t n, nmore, t;
	int err;

	*l = (struct command_line){ .found = found };
	n = command_tables(l, found, NULL, all);
	/* add the tables that only modes have */
	for (const struct mode *const *m = found->modes; m && *m; m++) {
		const struct command cmd = apply_mode(found, *m);

		nmore = command_tables(l, &cmd, NULL, more);
		for (size_t i = 0; i < nmore; i++) {
			for (t = 0; t < n && all[t].opts != more[i].opts; t++)
				;
			more[i].mode = &(*m)->by;
			if (t == n && n < ARGUMENTS_TABLES)
				all[n++] = more[i];
		}
	}
	err = arguments_read(&l->args, argc, argv, all, n, found->takes_dashes);
	find_mode(l);
	return err;
}

int command_line_add(struct command_line *l)
{
	const struct backend *be = l->settings.be;
	void *values = command_line_values(l, be->options, be->options_size);
	const struct opt_table table = { be->name, be->options, values, NULL };
	int err = arguments_add(&l->args, &table);

	find_mode(l);
	return err;
}

int command_line_bind(struct command_line *l)
{
	const struct command *cmd = &l->cmd;
	struct settings *st = &l->settings;
	const struct backend *be = st->be;
	struct opt_table tables[COMMAND_TABLES];
	size_t n = command_tables(l, cmd, be, tables);
	int err = arguments_bind(&l->args, tables, n, l->mode ? &l->mode->by : NULL);

	if (err)
		return err;
	st->command = cmd->name;
	st->own = command_line_values(l, cmd->options, cmd->options_size);
	st->mode = l->mode ? &l->mode->by : NULL;
	st->given = &l->args;
	if (cmd->bench) {
		st->m = *(struct measuring *)command_line_values(l, measuring_options,
								 sizeof(st->m));
		st->backend_options = command_line_values(l, be->options, be->options_size);
		st->monitor = cmd->monitor;
	} else if (cmd->output) {
		json_decref(st->options);
		st->options = opts_as_json(tables, n);
	}
	if (cmd->bench && cmd->monitor)
		st->monitoring = *(struct monitoring *)command_line_values(l, monitoring_options,
								  sizeof(st->monitoring));
	if (cmd->bench || cmd->output)
		st->output = *(struct output_options *)command_line_values(l, output_options,
									   sizeof(st->output));
	return ST_OK;
}

int command_line_check_files(struct command_line *l)
{
	struct opt_table tables[COMMAND_TABLES];
	size_t n = command_tables(l, &l->cmd, l->settings.be, tables);

	return files_check(tables, n, l->args.operands,
			   l->cmd.reads_operands ? l->args.noperands : 0);
}

void command_line_free(struct command_line *l)
{
	arguments_free(&l->args);
	json_decref(l->settings.options);
	for (size_t i = 0; i < ARGUMENTS_TABLES; i++)
		free(l->blocks[i].values);
}
