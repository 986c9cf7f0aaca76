/* SPDX-License-Identifier: Apache-2.0 */
/* Explains a column, given its name or its heading in tables. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/values.h"
#include "cli/command.h"
#include "result/columns.h"
#include "result/row.h"

#define WIDTH 79		/* columns of text of a definition */

/* ---- headings ---- */

/* Returns whether `text` is the heading `head`, with either unit of bandwidth. */
static bool heading_matches(const char *text, const char *head)
{
	char in_bits[64];

	return *text && (!strcasecmp(text, head) ||
			 !strcasecmp(text, rate_head(in_bits, sizeof(in_bits), head, RATE_BIT)));
}

/* Where results show a column, from the least to the most prominent place. */
enum place { NOWHERE, IN_FILES, IN_TABLE, UNDER_HEADING };

static enum place place_in_columns(const struct columns *c, size_t id, const char *heading)
{
	size_t i = 0;

	while (i < c->n && c->id[i] != (enum column_id)id)
		i++;
	if (i == c->n)
		return NOWHERE;
	if (c->words || (c->ntable && i >= c->ntable))
		return IN_FILES;
	return heading_matches(heading, c->heads && c->heads[i] ? c->heads[i] : columns[id].head)
	       ? UNDER_HEADING : IN_TABLE;
}

/* Returns the most prominent place of a column in results of a command, over all its modes. */
static enum place place_in_command(const struct command *cmd, size_t id, const char *heading)
{
	enum place best = cmd->bench ? place_in_columns(&cmd->bench->columns, id, heading)
				     : NOWHERE, place;

	for (const struct mode *const *m = cmd->modes; m && *m; m++) {
		place = (*m)->bench ? place_in_columns(&(*m)->bench->columns, id, heading)
				    : NOWHERE;
		best = place > best ? place : best;
	}
	return best;
}

/* Returns the most prominent place of a column in results of any command. */
static enum place place_anywhere(size_t id, const char *heading)
{
	enum place best = NOWHERE, place;

	for (size_t i = 0; command_at(i); i++) {
		place = place_in_command(command_at(i), id, heading);
		best = place > best ? place : best;
	}
	return best;
}

/*
 * Prints the commands whose tables show the column under heading `heading`. A family of commands is
 * printed as one name.
 */
static void print_commands(size_t id, const char *heading)
{
	const struct command *cmd;
	const char *last = "";

	for (size_t i = 0; (cmd = command_at(i)); i++) {
		size_t len = strcspn(cmd->name, "-");

		if (place_in_command(cmd, id, heading) < UNDER_HEADING ||
		    !strncmp(last, cmd->name, len))
			continue;
		printf("%s%.*s", *last ? ", " : "", (int)len, cmd->name);
		last = cmd->name;
	}
	if (!*last)
		fputs(place_anywhere(id, heading) == IN_FILES ? "in files only" : "other commands",
		      stdout);
	putchar('\n');
}

/* ---- parameters ---- */

/* Parameters of LogP and LogGP. */
static const struct term {
	const char *symbol, *word, *unit, *definition;
} terms[] = {
	{ "L", "latency", "s", "Parameter of LogP and LogGP: how long a short message travels from "
	  "one processor to another, without the overheads of its sender and its receiver. A short "
	  "message takes o_s + L + o_r." },
	{ "o", "overhead", "s", "Parameter of LogP and LogGP: how long a processor is occupied by "
	  "sending a message, or by receiving one, and can do nothing else. Where the two "
	  "overheads differ they are o_s and o_r." },
	{ "o_s", "send overhead", "s", "Parameter of LogP and LogGP: how long the sender is "
	  "occupied by a message." },
	{ "o_r", "receive overhead", "s", "Parameter of LogP and LogGP: how long the receiver is "
	  "occupied by a message." },
	{ "g", "gap", "s", "Parameter of LogP and LogGP: the least time between the beginnings of "
	  "two messages that a processor sends, or receives, one after the other. 1/g is its "
	  "message rate." },
	{ "G", "gap per byte", "s/B", "Parameter of LogGP: the time that each further byte of a "
	  "long message adds. 1/G is the bandwidth of long messages." },
	{ "P", "processors", "", "Parameter of LogP and LogGP: the number of processors, which "
	  "here are ranks." },
};

/*
 * Finds a term by its symbol (g and G differ). If `by_word`, finds it by its word instead, in upper
 * or lower case. Returns NULL if there is none.
 */
static const struct term *find_term(const char *name, bool by_word)
{
	for (size_t i = 0; i < LENGTH(terms); i++)
		if (by_word ? !strcasecmp(terms[i].word, name) : !strcmp(terms[i].symbol, name))
			return &terms[i];
	return NULL;
}

static int print_definition(const char *name, const char *unit, const char *definition)
{
	printf("%s (unit: %s)\n", name, *unit ? unit : "none");
	text_wrap(stdout, definition, 0, WIDTH);
	return ST_OK;
}

/* ---- columns ---- */

/*
 * Returns the i-th known word. Names of columns come first, then headings, then words of
 * parameters.
 */
static const char *known_word(size_t i, void *arg)
{
	if (i < NCOLUMNS)
		return columns[i].name;
	i -= NCOLUMNS;
	if (i < NCOLUMNS)
		return columns[i].head;
	i -= NCOLUMNS;
	return i < LENGTH(terms) ? terms[i].word : NULL;
}

/*
 * Lists the columns `ids`, which have the heading `heading`. Adds to each column the commands whose
 * tables show it.
 */
static int list_columns_with_heading(const char *heading, const size_t *ids, size_t n)
{
	printf("'%s' is the heading of these columns, in the tables of these commands:\n", heading);
	for (size_t i = 0; i < n; i++) {
		printf("%-22s %-6s ", columns[ids[i]].name, columns[ids[i]].unit);
		print_commands(ids[i], heading);
	}
	return ST_OK;
}

static int explain(const char *name)
{
	const struct column *c = column_find(name);
	const struct term *term = c ? NULL : find_term(name, false);
	size_t headed[NCOLUMNS], n = 0;
	char title[64];
	const char *near;

	/*
	 * Collects the columns that have this heading in some table. For a column that is in no
	 * table, its default heading counts.
	 */
	for (size_t i = 0; i < NCOLUMNS && !c && !term; i++) {
		enum place place = place_anywhere(i, name);

		if (place == UNDER_HEADING ||
		    (place < IN_TABLE && heading_matches(name, columns[i].head)))
			headed[n++] = i;
	}
	if (n > 1)
		return list_columns_with_heading(name, headed, n);
	c = n ? &columns[headed[0]] : c;
	if (c)
		return print_definition(c->name, c->unit, c->definition);
	term = term ? term : find_term(name, true);
	if (term) {
		snprintf(title, sizeof(title), "%s, %s", term->symbol, term->word);
		return print_definition(title, term->unit, term->definition);
	}
	near = suggest(name, known_word, NULL);
	if (near)
		return error_usage("unknown column '%s', did you mean '%s'?", name, near);
	return error_usage("unknown column '%s'; 'netbench explain' lists them", name);
}

static int run_explain(const struct settings *st, int n, char **names)
{
	int err = ST_OK;

	for (size_t i = 0; i < NCOLUMNS && !n; i++)
		printf("%-22s %-6s %s\n", columns[i].name, columns[i].unit, columns[i].head);
	for (int i = 0; i < n && !err; i++)
		err = explain(names[i]);
	return err;
}

const struct command cmd_explain = {
	.name = "explain",
	.summary = "what a column of the results means",
	.tool = true,
	.operands = "[column ...]",
	.run = run_explain,
};
