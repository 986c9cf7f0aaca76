/* SPDX-License-Identifier: Apache-2.0 */
#include "result/recognise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/read/walk.h"

/*
 * The two members that identify a result, schema and command, as far as the search has found them.
 */
struct marks {
	bool schema;
	char *command;	/* RECOGNISE_COMMAND bytes */
};

/* True if both members were found. */
static bool has_both_members(const struct marks *s)
{
	return s->schema && *s->command;
}

/* Stores a member if it is the schema or the command. */
static void note_member(struct marks *s, const char *key, const char *text, const char *schema)
{
	if (!strcmp(key, "schema"))
		s->schema |= !strncmp(text, schema, strlen(schema));
	else if (!strcmp(key, "command"))
		snprintf(s->command, RECOGNISE_COMMAND, "%s", text);
}

/* Searches the lines "# key: value" at the top of a CSV file. */
static void search_csv(FILE *f, struct marks *s)
{
	char *line = NULL, *value;
	size_t room = 0;

	while (!has_both_members(s) && getline(&line, &room, f) > 0 && *line == '#') {
		line[strcspn(line, "\r\n")] = '\0';
		value = strstr(line, ": ");
		if (!value || strncmp(line, "# ", 2) != 0)
			continue;
		*value = '\0';
		note_member(s, line + 2, value + 2, "netbench-csv/");
	}
	free(line);
}

/* Searches the members of the outermost object of a JSON file. */
static void search_json(FILE *f, struct marks *s)
{
	struct walk w = { .depth = 0 };
	int c;

	while (!has_both_members(s) && (c = getc_unlocked(f)) != EOF) {
		bool in_string = w.in_string;

		walk_byte(&w, (char)c);
		if (in_string && !w.in_string && w.depth == 1 && w.in_value)
			note_member(s, w.key, w.text, "netbench");
	}
}

bool result_recognise(const char *path, char command[RECOGNISE_COMMAND])
{
	struct marks s = { .command = command };
	struct stat st;
	FILE *f;
	int c;

	*command = '\0';
	if (stat(path, &st) || !S_ISREG(st.st_mode) || !st.st_size || !(f = fopen(path, "re")))
		return false;
	file_skip_byte_order_mark(f);
	while ((c = getc(f)) != EOF && c && strchr(FILE_BLANKS, c))
		;
	ungetc(c, f);
	if (c == '#')
		search_csv(f, &s);
	else if (c == '{')
		search_json(f, &s);
	fclose(f);
	return has_both_members(&s);
}
