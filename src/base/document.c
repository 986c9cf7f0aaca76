/* SPDX-License-Identifier: Apache-2.0 */
#include "base/document.h"

#include <errno.h>
#include <stdlib.h>
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
	return error_usage("'%s' is not JSON, or was cut short: line %d: %s", path, fault.line,
			   fault.text);
}

/* All bytes of a file, for free(), also after a fault. */
static int read_bytes(const char *path, char **bytes, size_t *n)
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

static int parse(const char *path, FILE *f, json_t **doc)
{
	int first = first_byte(f);

	if (first == '#' || (first != '{' && first != '[' && ends_in(path, ".csv")))
		return csv_read(path, f, doc);
	return read_json(path, f, doc);
}

int document_read(const char *path, json_t **doc, char **bytes, size_t *nbytes)
{
	char *own = NULL;
	size_t n = 0;
	int err = read_bytes(path, &own, &n);
	FILE *f = err ? NULL : fmemopen(own, n, "r");

	*doc = NULL;
	if (!err)
		err = f ? parse(path, f, doc) : error_report("no memory for '%s'", path);
	if (f)
		fclose(f);
	if (bytes) {
		*bytes = err ? NULL : own;
		*nbytes = n;
	}
	if (err || !bytes)
		free(own);
	return err;
}
