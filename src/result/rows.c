/* SPDX-License-Identifier: Apache-2.0 */
#include "result/rows.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"
#include "result/document.h"

int result_rows_open(struct result_rows *r, const char *path)
{
	char *bytes = NULL;
	size_t n;
	int err;

	*r = (struct result_rows){ .path = path };
	err = saved_open(&r->from, path, &r->doc);
	if (!err && r->from.other) {	/* the table of another program */
		err = saved_load_opened(&r->from, &bytes, &n);
		if (!err)
			err = result_parse(path, bytes, n, &r->doc);
		free(bytes);
		return err;
	}
	if (err || !json_array_size(document_rows(r->doc)))
		return err ? err : result_check_head(path, r->doc, &r->known);
	/*
	 * the key was written with an escape ("r\u006fws"); no program writes this, but it is valid
	 * JSON
	 */
	result_rows_close(r);
	return result_read(path, &r->doc);
}

void result_rows_from_document(struct result_rows *r, const json_t *doc, const char *path)
{
	*r = (struct result_rows){ .path = path, .doc = json_incref((json_t *)(uintptr_t)doc) };
}

int result_rows_next(struct result_rows *r, const json_t **row)
{
	int err;

	*row = NULL;
	if (!r->known) {
		*row = json_array_get(document_rows(r->doc), r->n);
		r->n += *row != NULL;
		return ST_OK;
	}
	json_decref(r->row);
	err = saved_next(&r->from, &r->row);
	if (!err && r->row)
		err = result_check_row(r->path, r->known, ++r->n, r->row);
	*row = err ? NULL : r->row;
	return err;
}

int result_rows_rewind(struct result_rows *r)
{
	r->n = 0;
	return r->known ? saved_rewind(&r->from) : ST_OK;
}

void result_rows_close(struct result_rows *r)
{
	json_decref(r->doc);
	json_decref(r->row);
	free(r->known);
	saved_close(&r->from);
	*r = (struct result_rows){ .path = r->path };
}
