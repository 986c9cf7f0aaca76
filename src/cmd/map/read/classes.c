/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/read/classes.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/map/study/distance.h"
#include "base/error.h"
#include "base/file.h"
#include "base/values.h"

/* ---- classes ---- */

/*
 * Parses a line with a host and its class, separated by blanks. Overwrites the line. Returns ST_OK
 * or an error (reported).
 */
static int parse_class_line(const char *path, struct study *s, char *line, size_t number, bool *has)
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
		err = parse_class_line(path, s, line, ++number, has);
	for (uint32_t i = 0; i < s->n && !err; i++)
		if (!has[i])
			err = error_usage("file '%s' has no class for host '%s'", path, s->name[i]);
	free(line);
	free(has);
	fclose(f);
	return err;
}

/* ---- switches ---- */

#define NAME_LEN 256
#define MOST_NAMES 65536	/* limit of names in one list */

struct topology_file {
	const char *path;
	/*
	 * The current statement: its first line, its list of names, and the function called for
	 * each name.
	 */
	size_t line;
	const char *list;
	int (*take)(struct topology_file *r, const char *name);
	json_int_t number;	/* number of the statement's switch */
	size_t taken;
	json_t *nodes;		/* name of node -> number of its switch */
	json_t *switches;	/* name of switch -> its number */
	json_t *below;		/* name of a lower switch -> line that names it */
};

/* ---- lists of names ---- */

static int report_bad_list(const struct topology_file *r)
{
	return error_usage("file '%s', line %zu: '%.80s' is no list of names such as n[0-5],m1",
			   r->path, r->line, r->list);
}

static int expand_names(struct topology_file *r, char *name, size_t len, const char *rest,
			const char *end);

/*
 * Expands a range such as "0-5" or "007". For each of its numbers, appends the number (zero-padded
 * as in the range) to the name and expands the text after the bracket. Returns ST_OK or an error
 * (reported).
 */
static int expand_range(struct topology_file *r, char *name, size_t len, const char *range,
			const char *rest, const char *end)
{
	char *after;
	int digits = (int)strspn(range, "0123456789"), more;
	unsigned long long first = strtoull(range, &after, 10), last = first;
	int err = ST_OK;

	if (*after == '-' && isdigit((unsigned char)after[1]))
		last = strtoull(after + 1, &after, 10);
	if (!digits || digits > 18 || (*after != ',' && *after != ']') || last < first ||
	    last - first >= MOST_NAMES)
		return report_bad_list(r);
	for (unsigned long long k = first; k <= last && !err; k++) {
		more = snprintf(name + len, NAME_LEN - len, "%0*llu", digits, k);
		err = len + (size_t)more < NAME_LEN
			      ? expand_names(r, name, len + (size_t)more, rest, end)
			      : report_bad_list(r);
	}
	return err;
}

/*
 * Expands the text from `rest` to `end`, after the first `len` characters of `name`, and passes
 * each complete name to r->take. Returns ST_OK or an error (reported).
 */
static int expand_names(struct topology_file *r, char *name, size_t len, const char *rest,
			const char *end)
{
	const char *close;
	int err = ST_OK;

	while (rest < end && *rest != '[' && *rest != ']' && len + 1 < NAME_LEN)
		name[len++] = *rest++;
	if (rest == end) {
		name[len] = '\0';
		return len && r->taken++ < MOST_NAMES ? r->take(r, name) : report_bad_list(r);
	}
	close = *rest == '[' ? memchr(rest, ']', (size_t)(end - rest)) : NULL;
	if (!close)
		return report_bad_list(r);
	do
		err = expand_range(r, name, len, ++rest, close + 1, end);
	while (!err && (rest += strcspn(rest, ",]")) < close);
	return err;
}

static int add_node(struct topology_file *r, const char *name)
{
	const json_t *old = json_object_get(r->nodes, name);

	if (old && json_integer_value(old) != r->number)
		return error_usage("file '%s', line %zu: node '%s' has a switch already", r->path,
				   r->line, name);
	return json_object_set_new(r->nodes, name, json_integer(r->number))
		       ? error_report("no memory for '%s'", r->path) : ST_OK;
}

static int add_switch_below(struct topology_file *r, const char *name)
{
	return json_object_set_new(r->below, name, json_integer((json_int_t)r->line))
		       ? error_report("no memory for '%s'", r->path) : ST_OK;
}

/* ---- statements ---- */

enum key { SWITCH_NAME, NODES, SWITCHES, NKEYS };	/* the keys whose values are used */

/*
 * Parses KEY=VALUE and sets value[key]; NULL for an empty value. Returns ST_OK or ST_USAGE
 * (reported).
 */
static int parse_key_value(const struct topology_file *r, char *word, const char *value[NKEYS])
{
	static const char *const keys[] = { "SwitchName", "Nodes", "Switches", "LinkSpeed",
					    "Level" };
	char *text = strchr(word, '=');
	size_t key = 0;

	if (!text)
		return error_usage("file '%s', line %zu: expected KEY=VALUE, not '%.80s'", r->path,
				   r->line, word);
	*text++ = '\0';
	while (key < LENGTH(keys) && strcasecmp(word, keys[key]) != 0)
		key++;
	if (key == LENGTH(keys))
		return error_usage("file '%s', line %zu: '%.80s' is no key of a tree of switches: "
				   "expected SwitchName, Nodes, Switches", r->path, r->line, word);
	if (key < NKEYS)
		value[key] = !*text || !strcmp(text, "(null)") ? NULL : text;
	return ST_OK;
}

/*
 * Parses a statement. If the statement has Switches, ignores its Nodes, because the lower switches
 * list the same nodes. Returns ST_OK, ST_USAGE or ST_FAILED (reported).
 */
static int parse_statement(struct topology_file *r, char *text)
{
	const char *value[NKEYS] = { NULL }, *name, *end;
	char *rest = NULL, *word, one[NAME_LEN];
	int err = ST_OK;

	text[strcspn(text, "#")] = '\0';
	word = strtok_r(text, " \t\r\n", &rest);
	if (!word)
		return ST_OK;
	for (; word && !err; word = strtok_r(NULL, " \t\r\n", &rest))
		err = parse_key_value(r, word, value);
	if (err)
		return err;
	name = value[SWITCH_NAME];
	if (!name || (!value[NODES] && !value[SWITCHES]))
		return error_usage("file '%s', line %zu: expected SwitchName=, and Nodes= or "
				   "Switches=", r->path, r->line);
	if (json_object_get(r->switches, name))
		return error_usage("file '%s', line %zu: switch '%s' occurs twice", r->path,
				   r->line, name);
	r->number = (json_int_t)json_object_size(r->switches);
	if (json_object_set_new(r->switches, name, json_integer(r->number)))
		return error_report("no memory for '%s'", r->path);
	r->list = value[SWITCHES] ? value[SWITCHES] : value[NODES];
	r->take = value[SWITCHES] ? add_switch_below : add_node;
	r->taken = 0;
	for (const char *item = r->list; item && !err; item = *end ? end + 1 : NULL) {
		/* true inside brackets, where a comma does not end an item */
		bool inside = false;

		for (end = item; *end && (inside || *end != ','); end++)
			inside = *end == '[' || (inside && *end != ']');
		err = expand_names(r, one, 0, item, end);
	}
	return err;
}

/*
 * Reads all statements. A line that ends in a backslash continues on the next. Returns ST_OK,
 * ST_USAGE or ST_FAILED (reported).
 */
static int read_statements(struct topology_file *r, FILE *f)
{
	char *line = NULL, *whole = NULL, *more;
	size_t room = 0, len = 0, end;
	int err = ST_OK;

	for (size_t number = 1; !err && getline(&line, &room, f) > 0; number++) {
		r->line = len ? r->line : number;
		end = len + strcspn(line, "\r\n");
		more = realloc(whole, end + 1);
		if (!more) {
			err = error_report("no memory for '%s'", r->path);
			break;
		}
		whole = more;
		memcpy(whole + len, line, end - len);
		whole[end] = '\0';
		if (end > len && whole[end - 1] == '\\') {
			len = end - 1;
			continue;
		}
		len = 0;
		err = parse_statement(r, whole);
	}
	if (!err && len) {
		whole[len] = '\0';
		err = parse_statement(r, whole);
	}
	if (!err && ferror(f))
		err = error_usage("cannot read '%s': %s", r->path, strerror(errno));
	free(line);
	free(whole);
	return err;
}

/* ---- hosts ---- */

/*
 * Finds the machine and the switch of each host. Looks up the host's name ("n3" for rank "n3:1"),
 * then that name without its domain. Returns ST_OK or an error (reported).
 */
static int find_switches_of_hosts(const struct topology_file *r, struct study *s)
{
	json_t *machines = json_object();
	int err = ST_OK;

	free(s->leaf);
	free(s->machine);
	s->leaf = calloc(s->n + 1, sizeof(*s->leaf));
	s->machine = calloc(s->n + 1, sizeof(*s->machine));
	if (!s->leaf || !s->machine)
		err = error_report("no memory for %u hosts", s->n);
	for (uint32_t i = 0; i < s->n && !err; i++) {
		char host[NAME_LEN], *colon;
		const json_t *leaf, *machine;

		snprintf(host, sizeof(host), "%s", s->name[i]);
		colon = strrchr(host, ':');
		if (colon && colon[1] && colon[1 + strspn(colon + 1, "0123456789")] == '\0')
			*colon = '\0';
		machine = json_object_get(machines, host);
		s->machine[i] = machine ? (uint32_t)json_integer_value(machine) : i;
		if (!machine)
			json_object_set_new(machines, host, json_integer(i));
		leaf = json_object_get(r->nodes, host);
		host[strcspn(host, ".")] = '\0';
		leaf = leaf ? leaf : json_object_get(r->nodes, host);
		s->leaf[i] = (uint32_t)json_integer_value(leaf);
		if (!leaf)
			err = error_usage("file '%s' has no switch for host '%s'", r->path,
					  s->name[i]);
	}
	json_decref(machines);
	s->nleaves = (uint32_t)json_object_size(r->switches);
	return err ? err : distance_count(s);
}

int topology_read(const char *path, struct study *s)
{
	struct topology_file r = { .path = path, .nodes = json_object(), .switches = json_object(),
			     .below = json_object() };
	const char *why, *name;
	json_t *line;
	FILE *f = file_open(path, &why);
	int err = f ? read_statements(&r, f) : error_usage("cannot read '%s': %s", path, why);

	json_object_foreach(r.below, name, line)
		if (!err && !json_object_get(r.switches, name))
			err = error_usage("file '%s', line %lld: there is no switch '%s'", path,
					  (long long)json_integer_value(line), name);
	if (!err)
		err = find_switches_of_hosts(&r, s);
	if (f)
		fclose(f);
	json_decref(r.nodes);
	json_decref(r.switches);
	json_decref(r.below);
	return err;
}
