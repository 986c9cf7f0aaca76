/* SPDX-License-Identifier: Apache-2.0 */
#include "result/rows.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/document.h"
#include "base/error.h"
#include "result/reader.h"

/* As json.c writes it. */
static const char before[] = "\n\"rows\": [\n";

/* The end of the line that begins at `at`: behind its '\n', or where the text ends. */
static const char *line_end(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));

	return newline ? newline + 1 : end;
}

/* The result without its rows, which are lines; NULL if they are not. New reference. */
static json_t *read_rest(struct result_rows *r, size_t nbytes)
{
	const char *end = r->bytes + nbytes, *from = memmem(r->bytes, nbytes, before,
							     strlen(before));
	size_t head, tail;
	char *rest;
	json_t *doc;

	if (!from)
		return NULL;
	from += strlen(before);
	for (r->at = r->end = from; r->end < end && *r->end == '{';)
		r->end = line_end(r->end, end);
	head = (size_t)(from - r->bytes);
	tail = (size_t)(end - r->end);
	rest = malloc(head + tail + 1);
	if (!rest)
		return NULL;
	memcpy(rest, r->bytes, head);
	memcpy(rest + head, r->end, tail);
	doc = json_loadb(rest, head + tail, 0, NULL);
	free(rest);
	return doc;
}

int result_rows_open(struct result_rows *r, const char *path)
{
	size_t n = 0;
	int err;

	*r = (struct result_rows){ .path = path };
	err = document_bytes(path, &r->bytes, &n);
	if (err)
		return err;
	r->doc = read_rest(r, n);
	if (r->doc && json_array_size(json_object_get(r->doc, "rows")) == 0)
		return result_check(path, r->doc);
	result_rows_close(r);
	return result_read(path, &r->doc);
}

void result_rows_of(struct result_rows *r, const json_t *doc, const char *path)
{
	*r = (struct result_rows){ .path = path, .doc = json_incref((json_t *)(uintptr_t)doc) };
}

/* A line ends in "},", the last one in "}". */
static json_t *read_line(struct result_rows *r)
{
	const char *end = line_end(r->at, r->end);
	size_t len = (size_t)(end - r->at);
	json_t *row;

	while (len && strchr("\n,", r->at[len - 1]))
		len--;
	row = json_loadb(r->at, len, 0, NULL);
	r->at = end;
	return row;
}

int result_rows_next(struct result_rows *r, const json_t **row)
{
	*row = NULL;
	if (!r->bytes) {
		*row = json_array_get(json_object_get(r->doc, "rows"), r->n++);
		return ST_OK;
	}
	if (r->at == r->end)
		return ST_OK;
	json_decref(r->row);
	*row = r->row = read_line(r);
	r->n++;
	return *row ? ST_OK : error_usage("'%s' is not JSON: row %zu", r->path, r->n);
}

void result_rows_close(struct result_rows *r)
{
	json_decref(r->doc);
	json_decref(r->row);
	free(r->bytes);
	r->doc = r->row = NULL;
	r->bytes = NULL;
}
