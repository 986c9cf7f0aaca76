/* SPDX-License-Identifier: Apache-2.0 */
/* Results in CSV, read again: lines "# key: value" and rows as of RFC 4180 (libcsv). */
#ifndef NETBENCH_BASE_CSV_H
#define NETBENCH_BASE_CSV_H

#include <jansson.h>
#include <stdio.h>

/* Reads what is left of a file into *doc, as document_read says of CSV. ST_* (reported). */
int csv_read(const char *path, FILE *f, json_t **doc);

#endif
