/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/doctor/doctor.h"
#include "host/files.h"

const char *const severity_names[] = { "ok", "note", "wrong", NULL };

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

/* A text of which JSON takes all; what is not UTF-8 is given without what is not ASCII. */
static json_t *text_of(const char *text)
{
	json_t *v = json_string(text);
	char *plain = v ? NULL : strdup(text);

	for (char *c = plain; c && *c; c++)
		*c = *c & 0x80 ? '?' : *c;
	v = v ? v : json_string(plain ? plain : "");
	free(plain);
	return v;
}

void finding_put(json_t *list, const char *id, enum severity severity, const char *subject,
		 const char *remedy, const char *fmt, ...)
{
	char text[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o, s:o}", "id", id, "severity",
					      severity_names[severity], "subject",
					      text_of(subject), "text", text_of(text), "remedy",
					      text_of(remedy)));
}

enum severity finding_severity(const json_t *finding)
{
	const char *name = json_string_value(json_object_get(finding, "severity"));
	enum severity s = SEVERITY_OK;

	while (name && severity_names[s] && strcmp(severity_names[s], name) != 0)
		s++;
	return s < NSEVERITIES ? s : SEVERITY_OK;
}
