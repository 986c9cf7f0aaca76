/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/finding.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/values.h"

const char *const verdict_names[] = { "yes", "no", "cannot tell", NULL };

void findings_add(struct findings *all, const struct finding *f)
{
	struct finding *at;

	all->at = memory_grow(all->at, all->n, sizeof(*all->at));
	at = &all->at[all->n++];
	*at = *f;
	at->subject = memory_or_exit(strdup(f->subject ? f->subject : ""));
	at->why = memory_or_exit(strdup(f->why ? f->why : ""));
}

void findings_free(struct findings *all)
{
	for (size_t i = 0; i < all->n; i++) {
		free((char *)(uintptr_t)all->at[i].subject);
		free((char *)(uintptr_t)all->at[i].why);
		json_decref(all->at[i].evidence);
	}
	free(all->at);
	*all = (struct findings){ 0 };
}

const struct finding *findings_worst(const struct findings *all, const char *kind, size_t *n)
{
	const struct finding *worst = NULL;

	*n = 0;
	for (size_t i = 0; i < all->n; i++) {
		const struct finding *f = &all->at[i];

		if (!f->decides || f->verdict != VERDICT_YES || strcmp(f->kind, kind) != 0)
			continue;
		++*n;
		if (!worst || f->effect > worst->effect)
			worst = f;
	}
	return worst;
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
