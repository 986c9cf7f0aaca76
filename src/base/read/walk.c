/* SPDX-License-Identifier: Apache-2.0 */
#include "base/read/walk.h"

#include <string.h>

void walk_structure(struct walk *w, char c)
{
	switch (c) {
	case '"':
		w->in_string = true;
		w->len = 0;
		break;
	case '{': case '[':
		w->depth++;
		break;
	case '}': case ']':
		w->depth -= w->depth > 0;
		break;
	case ':':
		if (w->depth != 1)
			break;
		memcpy(w->key, w->text, sizeof(w->key));
		w->in_value = true;
		break;
	case ',':
		w->in_value &= w->depth != 1;
		break;
	default:
		break;
	}
}

bool walk_is_in(const struct walk *w, const char *key)
{
	return w->depth >= 1 && w->in_value && !strcmp(w->key, key);
}
