/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes facts that a backend or a job reports about itself. Each fact has a name and a value of
 * one type. The record of a run contains them, and `netbench list --backend` prints them.
 *
 * A name always has the same type. An unknown value is written as null: for it, pass NULL as text,
 * or a real number that is not finite. Leave out a fact that does not apply.
 */
#ifndef NETBENCH_BASE_FACTS_H
#define NETBENCH_BASE_FACTS_H

#include <stdio.h>

#include "base/export.h"

/*
 * Where facts are written. If `object` is not NULL, facts become members of this JSON object, which
 * the caller owns; each key must occur only once. Otherwise each fact is printed on a line of `to`.
 */
struct facts {
	struct json_t *object;
	FILE *to;
};

/*
 * Makes a JSON string from a text. If the text is not UTF-8, as some file names are, each byte
 * outside ASCII becomes '?'. Returns a new reference; NULL if memory is short.
 */
struct json_t *json_text(const char *text);

/*
 * Writes a text; JSON keeps a copy. In a file, a fact with an empty key continues the fact on the
 * line above.
 */
NETBENCH_EXPORT void fact_text(struct facts *f, const char *key, const char *text);

/* Like fact_text, with a text formatted as by printf and cut after 1023 bytes. */
NETBENCH_EXPORT void fact_format(struct facts *f, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Writes a whole number. If it has a unit, the key ends with the unit ("mtu_B"). */
NETBENCH_EXPORT void fact_int(struct facts *f, const char *key, long long value);

/* Writes a real number. Times are in seconds, and their keys end with "_s". */
NETBENCH_EXPORT void fact_real(struct facts *f, const char *key, double value);

#endif
