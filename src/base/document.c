/* SPDX-License-Identifier: Apache-2.0 */
#include "base/document.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/file.h"

/* The first byte that is no blank; 0: there is none. */
static char first_byte(const char *bytes, size_t n)
{
	for (; n; n--, bytes++)
		if (!strchr(" \t\r\n", *bytes))
			return *bytes;
	return '\0';
}

static bool ends_in(const char *path, const char *suffix)
{
	size_t len = strlen(path), n = strlen(suffix);

	return len >= n && !strcmp(path + len - n, suffix);
}

static int read_json(const char *path, const char *bytes, size_t n, json_t **doc)
{
	json_error_t fault;

	*doc = json_loadb(bytes, n, 0, &fault);
	if (*doc)
		return ST_OK;
	return error_usage("'%s' is not JSON, or was cut short: line %d: %s", path, fault.line,
			   fault.text);
}

int document_bytes(const char *path, char **bytes, size_t *n)
{
	const char *why;
	FILE *f = file_open(path, &why), *to = f ? open_memstream(bytes, n) : NULL;
	char part[4096];
	size_t len;
	int err = ST_OK;

	if (!f)
		return error_usage("cannot read '%s': %s", path, why);
	while (to && (len = fread(part, 1, sizeof(part), f)) > 0)
		fwrite(part, 1, len, to);
	if (ferror(f))
		err = error_usage("cannot read '%s': %s", path, strerror(errno));
	fclose(f);
	if (!to || fclose(to))
		err = error_report("no memory for '%s'", path);
	return err;
}

static int read_table(const char *path, char *bytes, size_t n, json_t **doc)
{
	FILE *f = fmemopen(bytes, n, "r");
	int err = f ? csv_read(path, f, doc) : error_report("no memory for '%s'", path);

	if (f)
		fclose(f);
	return err;
}

static int parse(const char *path, char *bytes, size_t n, json_t **doc)
{
	char first = first_byte(bytes, n);

	if (first == '#' || (first != '{' && first != '[' && ends_in(path, ".csv")))
		return read_table(path, bytes, n, doc);
	return read_json(path, bytes, n, doc);
}

int document_read(const char *path, json_t **doc, char **bytes, size_t *nbytes)
{
	char *own = NULL;
	size_t n = 0;
	int err = document_bytes(path, &own, &n);

	*doc = NULL;
	err = err ? err : parse(path, own, n, doc);
	if (bytes) {
		*bytes = err ? NULL : own;
		*nbytes = n;
	}
	if (err || !bytes)
		free(own);
	return err;
}
