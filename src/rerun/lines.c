/* SPDX-License-Identifier: Apache-2.0 */
#include "rerun/lines.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "base/values.h"
#include "cli/command.h"

/* Returns the words joined by blanks. The caller frees the text. */
static char *join_words(int argc, char **argv)
{
	char *text = NULL;
	FILE *to = text_open(&text);

	for (int i = 0; i < argc; i++)
		fprintf(to, "%s%s", i ? " " : "", argv[i]);
	return memory_or_exit(text_close(to, &text));
}

/* Adds a command line. If its first word is a command of netbench, the program is this netbench. */
static int add_line(struct run_lines *lines, int argc, char **argv)
{
	static char self[] = "netbench", format[] = "--format", json[] = "json";
	bool own = argc && command_find(argv[0]);
	struct run_line *line = &lines->at[lines->n++];
	char **to;

	if (!argc)
		return error_usage(
			"expected a command line after each '--': netbench runs -- latency -b shm");
	*line = (struct run_line){ .argv = memory_new((size_t)argc + 4, sizeof(*line->argv)),
				   .argc = argc,
				   .given = argv,
				   .text = join_words(argc, argv) };
	to = line->argv;
	line->program = own ? "/proc/self/exe" : argv[0];
	if (own)
		*to++ = self;
	memcpy(to, argv, (size_t)argc * sizeof(*to));
	to[argc] = format;
	to[argc + 1] = json;
	return ST_OK;
}

/*
 * Returns the index of the word in which the lines differ. Returns -1 if the lines differ in
 * several words or in their number of words, or if they are equal.
 */
static int index_of_difference(const struct run_lines *lines)
{
	const struct run_line *first = lines->at;
	int differing = -1;

	for (const struct run_line *l = first + 1; l < first + lines->n; l++) {
		if (l->argc != first->argc)
			return -1;
		for (int i = 0; i < l->argc; i++) {
			if (!strcmp(l->given[i], first->given[i]))
				continue;
			if (differing >= 0 && differing != i)
				return -1;
			differing = i;
		}
	}
	return differing;
}

/* Returns the value of -b or --backend in a line, or NULL. */
static const char *find_backend_word(const struct run_line *l)
{
	for (int i = 0; i < l->argc; i++) {
		if (i + 1 < l->argc &&
		    (!strcmp(l->given[i], "-b") || !strcmp(l->given[i], "--backend")))
			return l->given[i + 1];
		if (!strncmp(l->given[i], "--backend=", 10))
			return l->given[i] + 10;
	}
	return NULL;
}

/*
 * Sets each line's label to a word that only this line has. If lines have no such words, the labels
 * are "A", "B" and so on.
 */
static void label(struct run_lines *lines)
{
	int differing = index_of_difference(lines);

	for (size_t i = 0; i < lines->n; i++) {
		struct run_line *l = &lines->at[i];
		const char *word = differing >= 0 ? file_base_name(l->given[differing])
						  : find_backend_word(l);

		if (word)
			snprintf(l->label, sizeof(l->label), "%s", word);
	}
	for (size_t i = 0; i < lines->n; i++)
		for (size_t k = 0; k < lines->n; k++)
			if (!*lines->at[i].label ||
			    (i != k && !strcmp(lines->at[i].label, lines->at[k].label))) {
				for (size_t all = 0; all < lines->n; all++)
					snprintf(lines->at[all].label, sizeof(lines->at[all].label),
						 "%c", 'A' + (int)all);
				return;
			}
}

int run_lines_read(struct run_lines *lines, int noperands, char **operands)
{
	int err = ST_OK, next;

	*lines = (struct run_lines){ .at = memory_new(RUN_LINES, sizeof(*lines->at)) };
	if (!noperands || strcmp(operands[0], "--") != 0)
		return error_usage(
			"expected '--' before the command line: netbench runs -- latency -b shm");
	for (int i = 0; i < noperands && !err; i = next) {
		for (next = i + 1; next < noperands && strcmp(operands[next], "--") != 0; next++)
			;
		if (lines->n == RUN_LINES)
			return error_usage("more than %d command lines", RUN_LINES);
		err = add_line(lines, next - i - 1, operands + i + 1);
	}
	if (!err)
		label(lines);
	return err;
}

void run_lines_free(struct run_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++) {
		free(lines->at[i].argv);
		free(lines->at[i].text);
	}
	free(lines->at);
	*lines = (struct run_lines){ .n = 0 };
}
