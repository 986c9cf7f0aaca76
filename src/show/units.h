/* SPDX-License-Identifier: Apache-2.0 */
/* Writes values with their units for people, and the title of a computed text. */
#ifndef NETBENCH_SHOW_UNITS_H
#define NETBENCH_SHOW_UNITS_H

#include <stdbool.h>

struct unit_text {
	char s[32];
};

/* Returns a value scaled with format_si(), such as "526.4 ns". */
struct unit_text scaled(double value, const char *unit);

/* Returns a whole number of bytes in the largest exact binary unit, such as "4 KiB" or "4097 B". */
struct unit_text in_bytes(double bytes);

/* Returns a duration as text. In seconds it has a unit: "14.00 us". In cycles it has none: "14". */
struct unit_text scaled_time(double t, bool cycles);

/* Prints a title, followed by "(computed)", in lines of at most 79 columns. */
void put_computed(const char *title);

#endif
