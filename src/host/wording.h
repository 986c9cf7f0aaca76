/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the facts of machines.h in words, such as "MTU 1500, others 9000". A machine is an object;
 * its member "links" lists the names of its links.
 */
#ifndef NETBENCH_HOST_WORDING_H
#define NETBENCH_HOST_WORDING_H

#include <jansson.h>
#include <stdio.h>

/*
 * If a path begins with "link.N.", sets *link to N and returns the rest of the path. Otherwise the
 * fact is not about a link: sets *link to -1 and returns the whole path.
 */
const char *wording_part(const char *path, int *link);

/* Returns the unit of a fact with a blank before it; "" if it has none. */
const char *wording_unit(const char *path);

/* Returns the name of the machine's link with this number; "link" if it has no name. */
const char *wording_link(const json_t *machine, int link);

/* Writes the name of a fact: "MTU", or "MTU of eth1" if the machine has several links. */
void wording_name(FILE *to, const json_t *machine, const char *path);

/* Writes a value with its unit; NULL is written as "unknown". */
void wording_value(FILE *to, const json_t *v, const char *unit);

/*
 * Writes the name of a fact and two values: "MTU 1500, others 9000". `is` is the text between name
 * and first value (" is "). `others` is the text between the values (", its peers' ").
 */
void wording_difference(FILE *to, const json_t *machine, const char *path, json_t *const values[2],
			const char *is, const char *others);

#endif
