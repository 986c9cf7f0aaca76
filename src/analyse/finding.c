/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/finding.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/values.h"

const char *const verdict_names[] = { "yes", "no", "cannot tell", NULL };

int findings_add(struct findings *all, const struct finding *f)
{
	struct finding *at = list_grow(all->at, all->n, sizeof(*at)), copy = *f;

	if (at)
		all->at = at;
	copy.subject = strdup(f->subject ? f->subject : "");
	copy.why = strdup(f->why ? f->why : "");
	if (!at || !copy.subject || !copy.why) {
		free(copy.subject);
		free(copy.why);
		json_decref(f->evidence);
		return error_report("no memory for %zu findings", all->n + 1);
	}
	at[all->n++] = copy;
	return ST_OK;
}

void findings_free(struct findings *all)
{
	for (size_t i = 0; i < all->n; i++) {
		free(all->at[i].subject);
		free(all->at[i].why);
		json_decref(all->at[i].evidence);
	}
	free(all->at);
	*all = (struct findings){ 0 };
}

void findings_count(const struct findings *all, size_t count[NVERDICTS])
{
	for (size_t i = 0; i < all->n; i++)
		if (all->at[i].decides)
			count[all->at[i].verdict]++;
}

int findings_status(const struct findings *all)
{
	size_t count[NVERDICTS] = { 0 };

	findings_count(all, count);
	if (count[VERDICT_YES])
		return ST_FAILED;
	return count[VERDICT_CANNOT_TELL] ? ST_NO_VERDICT : ST_OK;
}
