/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses numbers that a user types: sizes, times and lists. Blanks, '+', hexadecimal digits, inf
 * and nan are not allowed.
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

/* Result of parsing a text: V_OK, or why the text was refused. */
enum scan_fault {
	V_OK,
	V_NONE,			/* not a number of this type */
	V_RANGE,		/* outside min..max */
	V_NEGATIVE,		/* below 0 */
	V_HUGE,			/* too large for the type */
	V_FALLS,		/* a range whose end is not above its start */
	V_LONG,			/* a range of more than RANGE_MAX members */
	V_MEMORY,		/* memory was short */
};

#define RANGE_MAX 65536

/*
 * Returns true if min <= value <= max. If max < min, only min is a limit. If both are 0, every
 * value is in range.
 */
bool in_range(double value, double min, double max);

/*
 * Reads a whole number at *at. If `suffixes` is true, the number may end in a size suffix. If there
 * are digits, *at moves past the number.
 */
NETBENCH_EXPORT enum scan_fault scan_whole(const char **at, bool suffixes, uint64_t *value);

/*
 * Parse a text that is a decimal number. scan_seconds also accepts a unit of time. If the text has
 * no unit, it multiplies the number by unit_s.
 */
enum scan_fault scan_real(const char *text, double *value);
enum scan_fault scan_seconds(const char *text, double unit_s, double *value);

/*
 * Appends a list of numbers and of ranges `a:b` (step 1), `a:b:+d` and `a:b:*f`. If `suffixes` is
 * true, numbers may have size suffixes. A range must rise and have at most RANGE_MAX members. After
 * a fault *at points at the wrong item. After V_RANGE the last number of the list is the number
 * that is outside min..max.
 */
enum scan_fault scan_list(const char **at, bool suffixes, double min, double max,
		       struct numbers *list);

/* Appends a number. Returns V_OK or V_MEMORY. */
enum scan_fault numbers_push(struct numbers *list, uint64_t value);

/* Number of elements of an array. */
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/*
 * Makes room in list v for one more member. The list has n members of `size` bytes each. Returns
 * the list, which may have moved. If memory is short, returns NULL, and v remains valid.
 */
NETBENCH_EXPORT void *list_grow(void *v, size_t n, size_t size);

/*
 * Memory for commands that read results, compute or draw. memory_new allocates n members of `size`
 * bytes, all 0. memory_grow makes room for one more member, as list_grow does. If memory is short,
 * the process ends with one line and status 1, so neither returns NULL. Do not use them while
 * connections are opened or measured, because other ranks would then lose this process.
 */
void *memory_new(size_t n, size_t size);
void *memory_grow(void *v, size_t n, size_t size);

/*
 * Returns p, memory that a library has allocated. If p is NULL, ends the process as memory_new
 * does.
 */
void *memory_or_exit(void *p);

/*
 * Parses "64", "4k", "1M" or "2G" (powers of 1024) to bytes. Returns false if the text is not a
 * size or overflows.
 */
bool parse_size(const char *text, uint64_t *bytes);

/*
 * Parses "2", "1.5s", "100ms", "5us", "20ns", "3m" or "1h" to seconds >= 0. Returns false if the
 * text is not a time.
 */
bool parse_seconds(const char *text, double *seconds);

#endif
