/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/doctor/scene.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "host/files.h"

bool scene_line(const struct scene *s, const char *file, char *line, size_t len)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", s->root, file);
	return file_line(path, line, len);
}

double scene_sysctl(const struct scene *s, const char *name)
{
	const json_t *v = json_object_get(json_object_get(s->env, "sysctl"), name);

	return json_is_number(v) ? json_number_value(v) : NAN;
}
