/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON byte by byte, without a tree: where it is, and which member of its outermost object. Checks
 * nothing: what is no JSON ends up anywhere.
 */
#ifndef NETBENCH_BASE_WALK_H
#define NETBENCH_BASE_WALK_H

#include <stdbool.h>
#include <stddef.h>

/* Begin with { .depth = 0 }. */
struct walk {
	size_t depth;		/* objects and lists that are open */
	bool in_string, escaped;
	bool in_value;		/* of a member of the outermost object */
	/* the last string there, and the key; cut, as JSON writes them, and ended by '\0' */
	char text[32], key[32];
	size_t len;
};

/* Takes the next byte. */
void walk_on(struct walk *w, char c);

/* True within the value of this member of the outermost object. */
bool walk_is_in(const struct walk *w, const char *key);

#endif
