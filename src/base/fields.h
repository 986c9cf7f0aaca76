/* SPDX-License-Identifier: Apache-2.0 */
/* "name=value,..." texts, such as the parameters of a network. */
#ifndef NETBENCH_BASE_FIELDS_H
#define NETBENCH_BASE_FIELDS_H

#include "base/number.h"

/* One field: which member takes it and what it may be. */
struct field {
	const char *name;
	enum number_type type;
	size_t at;		/* offsetof the member */
	double min, max;	/* both 0: any value that is not negative */
	bool required;
};

/*
 * Parses "c=2,w=32,..." into the members of *values that the fields (ended by one
 * without a name) name; members not mentioned keep their value. An unknown, missing,
 * repeated or out-of-range field is one line on stderr that begins with `what`
 * ("board 'custom'"). Returns ST_OK or ST_USAGE. Seconds without a unit are
 * multiplied by `unit_s` (1 for seconds, 1e-9 for nanoseconds). At most 64 fields.
 */
int fields_parse(const char *what, const char *text, const struct field *fields, double unit_s,
		 void *values);

#endif
