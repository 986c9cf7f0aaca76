/* SPDX-License-Identifier: Apache-2.0 */
/* Parses texts of the form "name=value,...", such as the parameters of a network. */
#ifndef NETBENCH_BASE_READ_FIELDS_H
#define NETBENCH_BASE_READ_FIELDS_H

#include "base/number.h"

/* One field: its name, the struct member that stores its value, and the allowed values. */
struct field {
	const char *name;
	enum number_type type;
	size_t at;		/* offset of the member in the struct (offsetof) */
	double min, max;	/* both 0: any value that is not negative */
	bool required;
	/*
	 * the value is a list of whole numbers or sizes, "P=2,4,8:64:*2", stored in a struct
	 * numbers
	 */
	bool list;
};

/*
 * Parses a text like "c=2,w=32,..." into the struct *values. `fields` has at most 64 fields,
 * followed by an entry without a name. If the text does not mention a field, its member keeps its
 * value. A time without a unit is multiplied by `unit_s`. The caller frees lists, also after a
 * fault. Reports an unknown, missing, repeated or out-of-range field; the message begins with
 * `what`, such as "board 'custom'". Returns ST_OK or ST_USAGE.
 */
int fields_parse(const char *what, const char *text, const struct field *fields, double unit_s,
		 void *values);

#endif
