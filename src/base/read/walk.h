/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads JSON byte by byte without building a tree. Keeps track of the depth and of the current
 * member of the outermost object. Does not check the text: if it is not JSON, the results mean
 * nothing.
 */
#ifndef NETBENCH_BASE_READ_WALK_H
#define NETBENCH_BASE_READ_WALK_H

#include <stdbool.h>
#include <stddef.h>

/* A position in JSON. Initialise it with { .depth = 0 }. */
struct walk {
	size_t depth;		/* number of objects and lists that contain the position */
	bool in_string, escaped;
	/* true: the position is inside the value of a member of the outermost object */
	bool in_value;
	/*
	 * text: the latest string, at any depth. key: the latest key of the outermost object. Both
	 * are copied as written in JSON, cut to 31 bytes, and end with '\0'.
	 */
	char text[32], key[32];
	size_t len;
};

/*
 * Called by walk_byte for each byte outside strings. Handles quotation marks, braces, brackets,
 * colons and commas.
 */
void walk_structure(struct walk *w, char c);

/* Advances the position by the next byte `c` of the text. */
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

/* Returns true if the position is inside the value of member `key` of the outermost object. */
bool walk_is_in(const struct walk *w, const char *key);

#endif
