/* SPDX-License-Identifier: Apache-2.0 */
#include "host/files.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>

#define ENTRIES_MAX 32	/* largest number of entries in a list */

bool file_line(const char *path, char *line, size_t len)
{
	return file_first_line(path, line, len) && *line;
}

json_t *file_value(char *line)
{
	char *end, *to = line;
	long long number = strtoll(line, &end, 10);

	if (end > line && !*end)
		return json_integer(number);
	for (const char *c = line; *c; c++)
		if (*c != '\t')
			*to++ = *c;
		else if (c[1])
			*to++ = ' ';
	*to = '\0';
	return json_string(line);
}

/* Filter for scandir: accepts names that do not begin with a dot. */
static int is_not_hidden(const struct dirent *d)
{
	return *d->d_name != '.';
}

json_t *file_list(json_t *list, const char *dir,
		  void (*add)(json_t *list, const char *dir, const char *entry))
{
	struct dirent **entries;
	int n = scandir(dir, &entries, is_not_hidden, alphasort);

	for (int i = 0; i < n; i++) {
		if (json_array_size(list) + json_object_size(list) < ENTRIES_MAX)
			add(list, dir, entries[i]->d_name);
		free(entries[i]);
	}
	if (n >= 0) {
		free(entries);
		return list;
	}
	json_decref(list);
	return NULL;
}

json_t *file_of_entry(const char *dir, const char *entry, const char *file)
{
	char path[PATH_MAX], line[256];

	snprintf(path, sizeof(path), "%s/%s%s", dir, entry, file);
	return file_line(path, line, sizeof(line)) && *line != '-' ? file_value(line) : json_null();
}
