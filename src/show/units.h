/* SPDX-License-Identifier: Apache-2.0 */
/* Writes values with their units for people, and the title of a computed text. */
#ifndef NETBENCH_SHOW_UNITS_H
#define NETBENCH_SHOW_UNITS_H

#include <stdbool.h>

struct unit_text {
	char s[32];
};

/* Scales a value with format_si(): "526.4 ns". */
struct unit_text scaled(double value, const char *unit);

/* Writes a whole number of bytes in the largest exact binary unit: "4 KiB", "4097 B". */
struct unit_text in_bytes(double bytes);

/* Writes a duration. In seconds it gets a unit: "14.00 us". In cycles it has none: "14". */
struct unit_text scaled_time(double t, bool cycles);

/* Prints a title with "(computed)", in lines of at most 79 columns. */
void put_computed(const char *title);

#endif
