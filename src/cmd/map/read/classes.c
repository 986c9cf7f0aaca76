/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/read/classes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/values.h"
#include "cmd/map/read/topology.h"

/* Takes "host class", where blanks separate; cuts the line into these. */
static int take_class(const char *path, struct study *s, char *line, size_t number, bool *has)
{
	static const char blank[] = " \t\r\n";
	char *rest = NULL, *host = strtok_r(line, blank, &rest), *name, **more;
	uint32_t at, class = 0;

	if (!host || *host == '#')
		return ST_OK;
	name = strtok_r(NULL, blank, &rest);
	if (!name || strtok_r(NULL, blank, &rest))
		return error_usage("file '%s', line %zu: expected a host and its class", path,
				   number);
	if (!study_find(s, host, &at))
		return error_usage("file '%s', line %zu: no host '%s' was measured", path, number,
				   host);
	while (class < s->nclasses && strcmp(s->class_name[class], name) != 0)
		class++;
	if (class == s->nclasses) {
		more = list_grow(s->class_name, s->nclasses, sizeof(*more));
		s->class_name = more ? more : s->class_name;
		if (!more || !(s->class_name[class] = strdup(name)))
			return error_report("no memory for classes");
		s->nclasses++;
	}
	if (has[at] && s->class[at] != class)
		return error_usage("file '%s', line %zu: host '%s' has a class already", path,
				   number, host);
	has[at] = true;
	s->class[at] = class;
	return ST_OK;
}

int classes_find(const struct map_options *o, struct study *s)
{
	const char *path = o->classes, *why;
	char *line = NULL;
	size_t room = 0, number = 0;
	int err = ST_OK;
	bool *has;
	FILE *f;

	if (o->topology)
		return topology_read(o->topology, s);
	if (!path)
		return ST_OK;
	f = file_open(path, &why);
	if (!f)
		return error_usage("cannot read '%s': %s", path, why);
	has = calloc(s->n + 1, sizeof(*has));
	if (!has)
		err = error_report("no memory for classes");
	while (!err && getline(&line, &room, f) > 0)
		err = take_class(path, s, line, ++number, has);
	for (uint32_t i = 0; i < s->n && !err; i++)
		if (!has[i])
			err = error_usage("file '%s' has no class for host '%s'", path, s->name[i]);
	free(line);
	free(has);
	fclose(f);
	return err;
}
