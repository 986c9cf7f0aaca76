/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of the form "name=value,...", such as the parameters of a network. */
#ifndef NETBENCH_BASE_READ_FIELDS_H
#define NETBENCH_BASE_READ_FIELDS_H

#include "base/number.h"

/* One field: the struct member that takes its value, and which values are allowed. */
struct field {
	const char *name;
	enum number_type type;
	size_t at;		/* offsetof of that member */
	double min, max;	/* both 0: any value that is not negative */
	bool required;
	/* a list of whole numbers or sizes, "P=2,4,8:64:*2", for a struct numbers */
	bool list;
};

/*
 * Parses a text like "c=2,w=32,..." into the struct *values. `fields` has at most 64 fields and
 * ends with one without a name. Members whose field is not mentioned keep their value. Seconds
 * without a unit are multiplied by `unit_s`. The caller frees lists, also after a fault. An
 * unknown, missing, repeated or out-of-range field is reported in a line that begins with `what`,
 * as in "board 'custom'". Returns ST_OK or ST_USAGE.
 */
int fields_parse(const char *what, const char *text, const struct field *fields, double unit_s,
		 void *values);

#endif
