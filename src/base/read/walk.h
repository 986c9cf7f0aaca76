/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Follows JSON byte by byte without a tree: the depth, and the member of the outermost object. Does
 * not check anything; other text gives arbitrary positions.
 */
#ifndef NETBENCH_BASE_READ_WALK_H
#define NETBENCH_BASE_READ_WALK_H

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

/* The part of walk_on for quotation marks, braces, brackets, colons and commas outside strings. */
void walk_structure(struct walk *w, char c);

/* Takes the next byte. */
static inline void walk_on(struct walk *w, char c)
{
	if (!w->in_string) {
		walk_structure(w, c);
	} else if (c == '"' && !w->escaped) {
		w->in_string = false;
		w->text[w->len] = '\0';
	} else {
		w->escaped = c == '\\' && !w->escaped;
		if (w->len + 1 < sizeof(w->text))
			w->text[w->len++] = c;
	}
}

/* True within the value of this member of the outermost object. */
bool walk_is_in(const struct walk *w, const char *key);

#endif
