/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words for the facts of machines.h: "MTU 1500, others 9000". A machine is an object whose "links"
 * are the names of its links.
 */
#ifndef NETBENCH_HOST_WORDING_H
#define NETBENCH_HOST_WORDING_H

#include <jansson.h>
#include <stdio.h>

/* What follows "link.N." in a path; the path itself if it is no link's. *link: N, else -1. */
const char *wording_part(const char *path, int *link);

/* The unit of a fact, with a blank before it; "" without. */
const char *wording_unit(const char *path);

/* A machine's link by its number; "link" if it names none. */
const char *wording_link(const json_t *machine, int link);

/* "MTU", or "MTU of eth1" of a machine that has several links. */
void wording_name(FILE *to, const json_t *machine, const char *path);

/* A value; NULL is unknown. */
void wording_value(FILE *to, const json_t *v, const char *unit);

/* "MTU 1500, others 9000"; or with " is " and ", its peers' " between. */
void wording_difference(FILE *to, const json_t *machine, const char *path, json_t *const values[2],
			const char *is, const char *others);

#endif
