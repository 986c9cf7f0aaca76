/* SPDX-License-Identifier: Apache-2.0 */
#include "job.h"

#include <string.h>

static const struct job_kind *const kinds[] = { &job_fork, &job_sim };

const char *const job_names[] = { "fork", "sim", NULL };

const struct job_kind *job_find(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i]->name, name))
			return kinds[i];
	return NULL;
}
