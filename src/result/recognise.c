/* SPDX-License-Identifier: Apache-2.0 */
#include "result/recognise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/read/walk.h"

/* The two members that identify a result. */
struct said {
	bool schema;
	char *command;	/* RECOGNISE_COMMAND bytes */
};

static bool is_whole(const struct said *s)
{
	return s->schema && *s->command;
}

static void take_member(struct said *s, const char *key, const char *text, const char *schema)
{
	if (!strcmp(key, "schema"))
		s->schema |= !strncmp(text, schema, strlen(schema));
	else if (!strcmp(key, "command"))
		snprintf(s->command, RECOGNISE_COMMAND, "%s", text);
}

/* Looks at the lines "# key: value" at the top. */
static void look_at_csv(FILE *f, struct said *s)
{
	char *line = NULL, *value;
	size_t room = 0;

	while (!is_whole(s) && getline(&line, &room, f) > 0 && *line == '#') {
		line[strcspn(line, "\r\n")] = '\0';
		value = strstr(line, ": ");
		if (!value || strncmp(line, "# ", 2) != 0)
			continue;
		*value = '\0';
		take_member(s, line + 2, value + 2, "netbench-csv/");
	}
	free(line);
}

/* Looks at the members of the outermost object. */
static void look_at_json(FILE *f, struct said *s)
{
	struct walk w = { .depth = 0 };
	int c;

	while (!is_whole(s) && (c = getc_unlocked(f)) != EOF) {
		bool in_string = w.in_string;

		walk_on(&w, (char)c);
		if (in_string && !w.in_string && w.depth == 1 && w.in_value)
			take_member(s, w.key, w.text, "netbench");
	}
}

bool result_recognise(const char *path, char command[RECOGNISE_COMMAND])
{
	struct said s = { .command = command };
	struct stat st;
	FILE *f;
	int c;

	*command = '\0';
	if (stat(path, &st) || !S_ISREG(st.st_mode) || !st.st_size || !(f = fopen(path, "re")))
		return false;
	file_skip_mark(f);
	while ((c = getc(f)) != EOF && c && strchr(FILE_BLANKS, c))
		;
	ungetc(c, f);
	if (c == '#')
		look_at_csv(f, &s);
	else if (c == '{')
		look_at_json(f, &s);
	fclose(f);
	return is_whole(&s);
}
