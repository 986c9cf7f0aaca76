/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Follows JSON byte by byte without building a tree. Keeps track of the depth, and of the member of
 * the outermost object. It checks nothing: if the text is not JSON, positions are arbitrary.
 */
#ifndef NETBENCH_BASE_READ_WALK_H
#define NETBENCH_BASE_READ_WALK_H

#include <stdbool.h>
#include <stddef.h>

/* A position in JSON. Initialise it with { .depth = 0 }. */
struct walk {
	size_t depth;		/* number of open objects and lists */
	bool in_string, escaped;
	bool in_value;		/* inside the value of a member of the outermost object */
	/*
	 * The last string and the last key at that depth, as written in JSON. Both are cut if long,
	 * and end with '\0'.
	 */
	char text[32], key[32];
	size_t len;
};

/*
 * The part of walk_byte that handles quotation marks, braces, brackets, colons and commas outside
 * strings.
 */
void walk_structure(struct walk *w, char c);

/* Follows the next byte of the text. */
static inline void walk_byte(struct walk *w, char c)
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

/* Returns true inside the value of member `key` of the outermost object. */
bool walk_is_in(const struct walk *w, const char *key);

#endif
