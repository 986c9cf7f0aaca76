/* SPDX-License-Identifier: Apache-2.0 */
/* What a column means, called by its name or by a heading that tables have for it. */
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

#define WIDTH 79		/* of definitions */

/* ---- headings ---- */

/* Whether a table has this heading, in either unit of bandwidths. */
static bool is_head(const char *text, const char *head)
{
	char in_bits[64];

	return *text && (!strcasecmp(text, head) ||
			 !strcasecmp(text, rate_head(in_bits, sizeof(in_bits), head, RATE_BIT)));
}

/* Where a result has a column. */
enum place { NOWHERE, IN_FILES, IN_TABLE, UNDER_HEADING };

static enum place place_of(const struct benchmark *bench, size_t id, const char *heading)
{
	const struct columns *c = bench ? &bench->columns : NULL;
	size_t i = 0;

	while (c && i < c->n && c->id[i] != (enum column_id)id)
		i++;
	if (!c || i == c->n)
		return NOWHERE;
	if (c->words || (c->ntable && i >= c->ntable))
		return IN_FILES;
	return is_head(heading, c->heads && c->heads[i] ? c->heads[i] : columns[id].head)
	       ? UNDER_HEADING : IN_TABLE;
}

/* The most prominent place in the results of a command, in any mode. */
static enum place place_in(const struct command *cmd, size_t id, const char *heading)
{
	enum place best = place_of(cmd->bench, id, heading), place;

	for (const struct mode *const *m = cmd->modes; m && *m; m++) {
		place = place_of((*m)->bench, id, heading);
		best = place > best ? place : best;
	}
	return best;
}

/* The same of all commands that measure. */
static enum place place_anywhere(size_t id, const char *heading)
{
	enum place best = NOWHERE, place;
	const struct command *cmd;

	for (size_t i = 0; (cmd = command_at(i)); i++) {
		place = place_in(cmd, id, heading);
		best = place > best ? place : best;
	}
	return best;
}

/* Whether a table has this heading for the column, or would have if it had the column. */
static bool heads_column(size_t id, const char *heading)
{
	enum place place = place_anywhere(id, heading);

	return place == UNDER_HEADING ||
	       (place < IN_TABLE && is_head(heading, columns[id].head));
}

/* The commands whose tables have the column under this heading; of a family its name. */
static void print_commands(size_t id, const char *heading)
{
	const struct command *cmd;
	const char *last = "";

	for (size_t i = 0; (cmd = command_at(i)); i++) {
		size_t len = strcspn(cmd->name, "-");

		if (place_in(cmd, id, heading) < UNDER_HEADING || !strncmp(last, cmd->name, len))
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

/* What is meant by a letter of LogP or LogGP, or by its word. */
static const struct term {
	const char *symbol, *word, *unit, *definition;
} terms[] = {
	{ "L", "latency", "s", "Parameter of LogP and LogGP: how long a short message is on its "
	  "way from one processor to another, without the overheads of its sender and its "
	  "receiver. A short message takes o_s + L + o_r." },
	{ "o", "overhead", "s", "Parameter of LogP and LogGP: how long a processor is occupied by "
	  "sending a message, or by receiving one, and can do nothing else. Where the two differ "
	  "they are o_s and o_r." },
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

/* By its letter, in which case counts, or by its word. */
static const struct term *term_find(const char *name, bool by_word)
{
	for (size_t i = 0; i < LENGTH(terms); i++)
		if (by_word ? !strcasecmp(terms[i].word, name) : !strcmp(terms[i].symbol, name))
			return &terms[i];
	return NULL;
}

static void print_term(const struct term *t)
{
	printf("%s, %s (unit: %s)\n", t->symbol, t->word, t->unit[0] ? t->unit : "none");
	text_wrap(stdout, t->definition, 0, WIDTH);
}

/* ---- columns ---- */

/* Names, then headings, then words for parameters. */
static const char *known_at(size_t i, void *arg)
{
	(void)arg;
	if (i < NCOLUMNS)
		return columns[i].name;
	i -= NCOLUMNS;
	if (i < NCOLUMNS)
		return columns[i].head;
	i -= NCOLUMNS;
	return i < LENGTH(terms) ? terms[i].word : NULL;
}

/* How many columns have this heading; *one is the last of them. */
static size_t count_headed(const char *text, const struct column **one)
{
	size_t n = 0;

	for (size_t i = 0; i < NCOLUMNS; i++) {
		if (!heads_column(i, text))
			continue;
		*one = &columns[i];
		n++;
	}
	return n;
}

static void list_headed(const char *text)
{
	printf("'%s' is the heading of these columns, in the tables of these commands:\n", text);
	for (size_t i = 0; i < NCOLUMNS; i++) {
		if (!heads_column(i, text))
			continue;
		printf("%-22s %-6s ", columns[i].name, columns[i].unit);
		print_commands(i, text);
	}
}

static int explain(const char *name)
{
	const struct column *c = column_find(name);
	const struct term *term = c ? NULL : term_find(name, false);
	const char *near;

	if (!c && !term && count_headed(name, &c) > 1) {
		list_headed(name);
		return ST_OK;
	}
	if (c) {
		printf("%s (unit: %s)\n", c->name, c->unit[0] ? c->unit : "none");
		text_wrap(stdout, c->definition, 0, WIDTH);
		return ST_OK;
	}
	term = term ? term : term_find(name, true);
	if (term) {
		print_term(term);
		return ST_OK;
	}
	near = suggest(name, known_at, NULL);
	if (near)
		return error_usage("unknown column '%s', did you mean '%s'?", name, near);
	return error_usage("unknown column '%s'; 'netbench explain' lists them", name);
}

static int run(const struct settings *st, int n, char **names)
{
	int err = ST_OK;

	(void)st;
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
	.run = run,
};
