/* SPDX-License-Identifier: Apache-2.0 */
/* "name=value,..." texts, such as the parameters of a network. */
#ifndef NETBENCH_BASE_READ_FIELDS_H
#define NETBENCH_BASE_READ_FIELDS_H

#include "base/number.h"

/* One field: which member takes it and what it may be. */
struct field {
	const char *name;
	enum number_type type;
	size_t at;		/* offsetof the member */
	double min, max;	/* both 0: any value that is not negative */
	bool required;
	bool list;		/* of whole numbers or sizes, "P=2,4,8:64:*2"; struct numbers */
};

/*
 * Parses "c=2,w=32,..." into the members of *values that the fields, 64 at most and ended by one
 * without a name, name; members not mentioned keep their value. Seconds without a unit are
 * multiplied by `unit_s`. The caller frees lists, also after a fault. Reports an unknown, missing,
 * repeated or out-of-range field in a line that begins with `what` ("board 'custom'"). ST_OK or
 * ST_USAGE.
 */
int fields_parse(const char *what, const char *text, const struct field *fields, double unit_s,
		 void *values);

#endif
