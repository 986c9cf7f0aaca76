/* SPDX-License-Identifier: Apache-2.0 */
/* Values with their units for people, and the title of computed text. */
#ifndef NETBENCH_SHOW_UNITS_H
#define NETBENCH_SHOW_UNITS_H

#include <stdbool.h>

struct unit_text {
	char s[32];
};

/* As format_si: "526.4 ns". */
struct unit_text scaled(double value, const char *unit);

/* A whole number of bytes, in exact binary multiples: "4 KiB", "4097 B". */
struct unit_text in_bytes(double bytes);

/* A duration in s, or in cycles, which have no unit: "14.00 us", "14". */
struct unit_text scaled_time(double t, bool cycles);

/* Prints a title with "(computed)", in lines of at most 79 columns. */
void put_computed(const char *title);

#endif
