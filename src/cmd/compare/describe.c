/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the environment and the warnings of a comparison. The environment describes the compared
 * results, not this machine.
 */
#include "cmd/compare/describe.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/compare/differ.h"
#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "host/record.h"
#include "result/document.h"

/* ---- how two runs differ apart from measured values: machine, build, placement, options ---- */

#define PATH_LEN 256

/*
 * Finds how two runs differ apart from measured values. Returns an object whose keys are paths
 * ("host.kernel", "options.ci") and whose values are [value of A, value of B] (new reference).
 * Leaves out incidental members and members that only one run has. Appends one text per section to
 * `warnings`.
 */
static json_t *find_differences(const struct two *two, json_t *warnings)
{
	json_t *found = json_object(), *env[2], *options[2], *pair;
	/* for each section a text such as "different host: name 'a', 'b'; ..." */
	json_t *texts = json_object(), *text;
	const char *path;
	void *next;

	for (int side = A; side <= B; side++) {
		env[side] = document_environment(two->doc[side]);
		options[side] = document_options(two->doc[side]);
	}
	members_differ(found, "", env[A], env[B]);
	members_differ(found, "options", options[A], options[B]);
	/* `ranks` adds nothing: nranks differs as well, or one side has no real ranks */
	json_object_del(found, "ranks");
	/* host.name is rank 0's host; the hosts of ranks would repeat it */
	if (json_object_get(found, "host.name"))
		json_object_foreach_safe(found, next, path, pair)
			if (!fnmatch("ranks.*.host", path, 0))
				json_object_del(found, path);
	json_object_foreach(found, path, pair) {
		size_t len = strcspn(path, ".");
		const char *name = path + len + (path[len] == '.');
		char section[PATH_LEN], *whole = NULL;
		FILE *to = text_open(&whole);

		snprintf(section, sizeof(section), "%.*s", (int)len, path);
		text = json_object_get(texts, section);
		if (text)
			fprintf(to, "%s; ", json_string_value(text));
		else
			fprintf(to, "different %s:%s", section, *name ? " " : "");
		put_difference(to, name, pair, ", ");
		json_object_set_new(texts, section,
				    json_string(memory_or_exit(text_close(to, &whole))));
		free(whole);
	}
	json_object_foreach(texts, path, text)
		json_array_append(warnings, text);
	json_decref(texts);
	return found;
}

/* ---- warnings ---- */

static void __attribute__((format(printf, 2, 3))) warn(json_t *warnings, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	json_array_append_new(warnings, json_vsprintf(fmt, args));
	va_end(args);
}

/* Returns "A" or "B", or the file's name if that side has several results. */
static const char *side_name(const struct compared *all, const struct two *t, int side)
{
	bool several = all->two->next || (side == B && all->n > 1);

	return several ? t->path[side] : side == A ? "A" : "B";
}

/*
 * Copies the status and the warnings of each result to `warnings`. Copies those of result A only
 * once.
 */
static void warn_of_results(json_t *warnings, const struct compared *all)
{
	json_t *text;
	size_t i;

	for (const struct two *two = all->two; two < all->two + all->n; two++)
		for (const struct two *t = two; t; t = t->next)
			for (int side = A; side <= B; side++) {
				const char *name = side_name(all, t, side);
				const char *status = document_status(t->doc[side]);

				if (!t->doc[side] ||
				    (side == A && t != all->two && !all->two->next))
					continue;
				if (strcmp(status, "complete") != 0)
					warn(warnings, "%s is not complete: its status is '%s'",
					     name, status);
				json_array_foreach(document_warnings(t->doc[side]), i, text)
					if (json_is_string(text))
						warn(warnings, "%s: %s", name,
						     json_string_value(text));
			}
}

/* Warns if only one of two results is emulated or computed. */
static void warn_of_kinds(json_t *warnings, const struct compared *all)
{
	static const struct {
		bool (*is)(const json_t *doc);
		const char *yes, *no;
	} kinds[] = {
		{ result_is_emulated, "emulated", "not" },
		{ result_is_computed, "computed", "measured" },
	};

	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0; k < LENGTH(kinds); k++) {
			const struct two *two = &all->two[i];
			bool a = kinds[k].is(two->doc[A]);
			const char *b = side_name(all, two, B);

			if (a != kinds[k].is(two->doc[B]))
				warn(warnings, "%s is %s, %s is %s", a ? "A" : b, kinds[k].yes,
				     a ? b : "A", kinds[k].no);
		}
}

/*
 * Returns whether a row has an old definition. The intervals of such a row are too narrow if
 * repetitions are correlated.
 */
static bool is_too_narrow(const json_t *row)
{
	return result_number(row, columns[COL_TIME_ACF1].name) > ALIKE &&
	       !json_object_get(row, columns[COL_CI_METHOD].name);
}

/* Warns of intervals that ignore correlation, and of points that are in one file several times. */
static void warn_of_points(json_t *warnings, const struct row_pairs *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += p->pair[i].method == METHOD_INTERVALS &&
		     (is_too_narrow(p->pair[i].row[A]) || is_too_narrow(p->pair[i].row[B]));
	if (n)
		warn(warnings, "repetitions of %zu point%s are correlated (time_acf1 above %g): "
		     "the intervals ignore this and are too narrow",
		     n, n == 1 ? "" : "s", ALIKE);
	if (p->nalike)
		warn(warnings, "%zu row%s of the same point as an earlier row of the same file: "
			       "compared in their order",
		     p->nalike, p->nalike == 1 ? " is" : "s are");
}

/*
 * Describes the file of one result. Returns a new reference, or JSON null if that side of the pair
 * has no result.
 */
static json_t *describe_file(const struct two *two, int side)
{
	const json_t *doc = two->doc[side];

	if (!doc)
		return json_null();
	return json_pack("{s:o?, s:s, s:s, s:s, s:b}", "file", json_string(two->path[side]),
			 "start", result_text(doc, "environment.time.start"),
			 "version", result_text(doc, "environment.netbench.version"),
			 "status", document_status(doc), "computed", result_is_computed(doc));
}

json_t *compare_describe(const struct compared *all, const struct row_pairs *p, json_t *warnings)
{
	json_t *here = host_collect(), *env = json_object(), *later = json_array(), *text;
	json_t *list = json_array();
	bool several = all->n > 1;
	const struct two *two = all->two;
	size_t i;

	json_object_update_new(env, json_pack("{s:O, s:O, s:O, s:s, s:s, s:o}", "netbench",
			       json_object_get(here, "netbench"), "run",
			       json_object_get(here, "run"), "time", json_object_get(here, "time"),
			       "command", document_command(two->doc[A]), "definition",
			       document_definition(two->doc[A]), "a", describe_file(two, A)));
	for (const struct two *t = two->next; t; t = t->next)
		json_array_append_new(later, json_pack("[o, o]", describe_file(t, A),
						       describe_file(t, B)));
	if (two->next)
		json_object_set(env, "later", later);
	/*
	 * With a single result B, "b" describes that result, and "differences" stands beside "b".
	 * With several results B, "b" is a list, and each entry has its own "differences".
	 */
	for (two = all->two; two < all->two + all->n; two++) {
		json_t *own = json_array(), *one = describe_file(two, B);

		json_object_set_new(several ? one : env, "differences", find_differences(two, own));
		json_array_foreach(own, i, text)
			warn(warnings, "%s%s%s", several ? two->path[B] : "", several ? ": " : "",
			     json_string_value(text));
		json_decref(own);
		json_array_append_new(list, one);
	}
	json_object_set(env, "b", several ? list : json_array_get(list, 0));
	json_decref(list);
	json_decref(later);
	json_decref(here);
	warn_of_kinds(warnings, all);
	if (p)
		warn_of_points(warnings, p);
	warn_of_results(warnings, all);
	json_array_foreach(warnings, i, text)
		error_warn("%s", json_string_value(text));
	return env;
}
