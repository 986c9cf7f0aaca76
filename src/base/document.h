/* SPDX-License-Identifier: Apache-2.0 */
/* Files that netbench has written, as one tree, whether they are JSON or CSV. */
#ifndef NETBENCH_BASE_DOCUMENT_H
#define NETBENCH_BASE_DOCUMENT_H

#include <jansson.h>
#include <stddef.h>

/*
 * Reads JSON, or CSV with its header. Of CSV *doc has the members that the JSON of the same result
 * has, as far as the header says them: there are no samples, nothing is known of a column but its
 * name, and cells of rows are texts or null. *doc is for json_decref. Unless `bytes` is NULL, what
 * the file has, byte for byte, is in *bytes, for free(); NULL after a fault. ST_OK; ST_USAGE if the
 * file is neither; or ST_UNAVAILABLE if this program cannot read CSV (reported).
 */
int document_read(const char *path, json_t **doc, char **bytes, size_t *nbytes);

/* What a file has, byte for byte, in *bytes, for free() also after a fault. ST_OK or ST_*. */
int document_bytes(const char *path, char **bytes, size_t *n);

#endif
