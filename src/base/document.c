/* SPDX-License-Identifier: Apache-2.0 */
#include "base/document.h"

#include <errno.h>
#include <string.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/file.h"

/* The first byte that is no blank; it is read again. */
static int first_byte(FILE *f)
{
	int c;

	do
		c = getc(f);
	while (c == ' ' || c == '\t' || c == '\n' || c == '\r');
	if (c != EOF)
		ungetc(c, f);
	return c;
}

static bool ends_in(const char *path, const char *suffix)
{
	size_t len = strlen(path), n = strlen(suffix);

	return len >= n && !strcmp(path + len - n, suffix);
}

static int read_json(const char *path, FILE *f, json_t **doc)
{
	json_error_t fault;

	*doc = json_loadf(f, 0, &fault);
	if (*doc)
		return ST_OK;
	if (ferror(f))
		return error_usage("cannot read '%s': %s", path, strerror(errno));
	return error_usage("'%s' is not JSON, or was cut short: line %d: %s", path, fault.line,
			   fault.text);
}

int document_read(const char *path, json_t **doc)
{
	const char *why;
	FILE *f = file_open(path, &why);
	int err, first;

	*doc = NULL;
	if (!f)
		return error_usage("cannot read '%s': %s", path, why);
	first = first_byte(f);
	if (first == '#' || (first != '{' && first != '[' && ends_in(path, ".csv")))
		err = csv_read(path, f, doc);
	else
		err = read_json(path, f, doc);
	fclose(f);
	return err;
}
