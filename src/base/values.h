/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers as a user types them: sizes, times, lists. Pure. Blanks, '+', hexadecimal, inf and nan
 * are no numbers here.
 */
#ifndef NETBENCH_BASE_VALUES_H
#define NETBENCH_BASE_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/export.h"

/* A list of whole numbers; v is NULL when n is 0. */
struct numbers {
	uint64_t *v;
	size_t n;
};

/* Whether a text could be read, and why not. */
enum scan_fault {
	V_OK,
	V_NONE,			/* not of this type */
	V_RANGE,		/* outside min..max */
	V_NEGATIVE,
	V_HUGE,			/* more than the type holds */
	V_FALLS,
	V_LONG,			/* a range of more than RANGE_MAX members */
	V_MEMORY,
};

#define RANGE_MAX 65536

/* True if min..max holds the value: no top if max < min, anything goes if both are 0. */
bool in_range(double value, double min, double max);

/* Reads a whole number; *at moves behind it if there is one. */
NETBENCH_EXPORT enum scan_fault scan_whole(const char **at, bool suffixes, uint64_t *value);

/* Read a text that is a decimal fraction; one with a unit of time, else in units of unit_s. */
enum scan_fault scan_real(const char *text, double *value);
enum scan_fault scan_seconds(const char *text, double unit_s, double *value);

/*
 * Appends the list of numbers and ranges `a:b` (step 1), `a:b:+d`, `a:b:*f` that a text says, with
 * size suffixes if `suffixes`. A range must rise and have at most RANGE_MAX members. At a fault
 * *at is left on the element that is wrong; after V_RANGE the number outside min..max is the last
 * of the list.
 */
enum scan_fault scan_list(const char **at, bool suffixes, double min, double max,
		       struct numbers *list);

/* V_OK or V_MEMORY. */
enum scan_fault numbers_push(struct numbers *list, uint64_t value);

/* Members of an array. */
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Room for one more after n members of `size` bytes; NULL without memory, with v as it was. */
NETBENCH_EXPORT void *list_grow(void *v, size_t n, size_t size);

/*
 * Memory for commands that read results, compute, and draw: n members of `size` bytes, all 0; or
 * room for one more as list_grow. If there is none the process ends with one line and status 1, so
 * both never return NULL. To other ranks it is then lost; so this is not for opening and measuring.
 */
void *memory_new(size_t n, size_t size);
void *memory_grow(void *v, size_t n, size_t size);

/* Returns p, which a library has allocated; ends the process like these if it is NULL. */
void *memory_need(void *p);

/* Parses "64", "4k", "1M", "2G" (1024^i) to bytes. Returns false if it is none or overflows. */
bool parse_size(const char *text, uint64_t *bytes);

/* Parses "2", "1.5s", "100ms", "5us", "20ns", "3m", "1h" to seconds >= 0. */
bool parse_seconds(const char *text, double *seconds);

#endif
