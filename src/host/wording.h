/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words for the facts of machines.h, as in "MTU 1500, others 9000". A machine is an object whose
 * member "links" lists the names of its links.
 */
#ifndef NETBENCH_HOST_WORDING_H
#define NETBENCH_HOST_WORDING_H

#include <jansson.h>
#include <stdio.h>

/*
 * Returns what follows "link.N." in a path, and sets *link to N. Returns the path itself, and sets
 * *link to -1, if the fact is not about a link.
 */
const char *wording_part(const char *path, int *link);

/* Returns the unit of a fact with a blank before it; "" if it has none. */
const char *wording_unit(const char *path);

/* Returns the name of a machine's link by its number; "link" if the machine names none. */
const char *wording_link(const json_t *machine, int link);

/* Writes the name of a fact: "MTU", or "MTU of eth1" if the machine has several links. */
void wording_name(FILE *to, const json_t *machine, const char *path);

/* Writes a value with its unit; NULL is written as "unknown". */
void wording_value(FILE *to, const json_t *v, const char *unit);

/*
 * Writes the name of a fact and two values of it: "MTU 1500, others 9000". `is` is the text before
 * the first value, `others` the text before the second: " is " and ", its peers' " for example.
 */
void wording_difference(FILE *to, const json_t *machine, const char *path, json_t *const values[2],
			const char *is, const char *others);

#endif
