/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts that a backend or a job has found out about itself: names with typed values. The record of
 * a run and `netbench list --backend` show them.
 *
 * A name always has the same type. An unknown value is written as null: pass NULL as text, or a
 * real that is not finite. A fact that does not apply is left out.
 */
#ifndef NETBENCH_BASE_FACTS_H
#define NETBENCH_BASE_FACTS_H

#include <stdio.h>

#include "base/export.h"

/*
 * The destination of facts. If `object` is not NULL: the caller's JSON object. Each key must occur
 * once. Otherwise: the file `to`, one line per fact.
 */
struct facts {
	struct json_t *object;
	FILE *to;
};

/*
 * Makes a JSON string, which must be UTF-8. In any other text, such as some file names, '?'
 * replaces each byte outside of ASCII. Returns a new reference; NULL if memory is short.
 */
struct json_t *json_text(const char *text);

/* Writes a text; JSON keeps a copy. In a file, an empty key continues the line above. */
NETBENCH_EXPORT void fact_text(struct facts *f, const char *key, const char *text);

/* Like fact_text, with a text formatted as by printf and cut after 1023 bytes. */
NETBENCH_EXPORT void fact_format(struct facts *f, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Writes a whole number. If it has a unit, the key ends with the unit ("mtu_B"). */
NETBENCH_EXPORT void fact_int(struct facts *f, const char *key, long long value);

/* Writes a real number. Times are in seconds, and their keys end with "_s". */
NETBENCH_EXPORT void fact_real(struct facts *f, const char *key, double value);

#endif
