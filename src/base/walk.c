/* SPDX-License-Identifier: Apache-2.0 */
#include "base/walk.h"

#include <string.h>

static void walk_string(struct walk *w, char c)
{
	if (w->escaped) {
		w->escaped = false;
	} else if (c == '"') {
		w->in_string = false;
		w->text[w->len] = '\0';
		return;
	} else {
		w->escaped = c == '\\';
	}
	if (w->len + 1 < sizeof(w->text))
		w->text[w->len++] = c;
}

void walk_on(struct walk *w, char c)
{
	if (w->in_string) {
		walk_string(w, c);
		return;
	}
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
