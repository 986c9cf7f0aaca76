/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a backend or a job has found out about itself, as names with typed values. The record of a
 * run and `netbench list --backend` show them.
 *
 * A name has one type, whatever its value. What is not known is put as null (text NULL, a real that
 * is not finite); what does not apply is left out.
 */
#ifndef NETBENCH_BASE_FACTS_H
#define NETBENCH_BASE_FACTS_H

#include <stdio.h>

#include "base/export.h"

/*
 * Where facts go: into a JSON object of the caller's, each once; or, object being NULL, to a file,
 * a line each.
 */
struct facts {
	struct json_t *object;
	FILE *to;
};

/*
 * A text as JSON, which takes UTF-8 only. In other texts, such as some file names, '?' replaces
 * each byte that is not ASCII. New reference; NULL without memory.
 */
struct json_t *json_text(const char *text);

/* A text, copied. To a file, an empty key continues the line before. */
NETBENCH_EXPORT void fact_text(struct facts *f, const char *key, const char *text);

/* The same with the text as printf makes it, cut after 1023 bytes. */
NETBENCH_EXPORT void fact_format(struct facts *f, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* A whole number; a key with a unit ends in it ("mtu_B"). */
NETBENCH_EXPORT void fact_int(struct facts *f, const char *key, long long value);

/* Any number; times are seconds, their keys end in "_s". */
NETBENCH_EXPORT void fact_real(struct facts *f, const char *key, double value);

#endif
