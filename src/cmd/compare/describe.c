/* SPDX-License-Identifier: Apache-2.0 */
/* The environment of a comparison is what was compared, not this machine; and what to beware of. */
#include "cmd/compare/describe.h"

#include <stdarg.h>
#include <string.h>

#include "base/error.h"
#include "base/values.h"
#include "cmd/compare/diff.h"
#include "host/record.h"
#include "result/document.h"
#include "result/reader.h"

static void __attribute__((format(printf, 2, 3))) warn(json_t *warnings, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	json_array_append_new(warnings, json_vsprintf(fmt, args));
	va_end(args);
}

/* "A" or "B", or the name of the file where there are several of these. */
static const char *side_name(const struct compared *all, const struct two *t, int side)
{
	bool several = all->two->next || (side == B && all->n > 1);

	return several ? t->path[side] : side == A ? "A" : "B";
}

/* What a result says of itself: its status and its warnings. */
static void warn_of_result(json_t *warnings, const char *name, const json_t *doc)
{
	const char *status = document_status(doc);
	json_t *text;
	size_t i;

	if (strcmp(status, "complete") != 0)
		warn(warnings, "%s is not complete: its status is '%s'", name, status);
	json_array_foreach(document_warnings(doc), i, text)
		if (json_is_string(text))
			warn(warnings, "%s: %s", name, json_string_value(text));
}

/* Emulated or computed beside what is not. */
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

/* A row of an old definition, whose interval takes repetitions that depend for independent. */
static bool is_narrow(const json_t *row)
{
	return result_number(row, columns[COL_TIME_ACF1].name) > ALIKE &&
	       !json_object_get(row, columns[COL_CI_METHOD].name);
}

/* Warns of intervals that take correlated repetitions for independent, and of repeated points. */
static void warn_of_points(json_t *warnings, const struct row_pairs *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += p->pair[i].method == METHOD_INTERVALS &&
		     (is_narrow(p->pair[i].row[A]) || is_narrow(p->pair[i].row[B]));
	if (n)
		warn(warnings, "repetitions of %zu point%s depend on one another (time_acf1 above "
		     "%g), of which intervals know nothing: they are too narrow",
		     n, n == 1 ? "" : "s", ALIKE);
	if (p->nalike)
		warn(warnings, "%zu row%s of the same point as one before in the same file: "
			       "compared in their order",
		     p->nalike, p->nalike == 1 ? " is" : "s are");
}

static json_t *describe_file(const struct two *two, int side)
{
	const json_t *doc = two->doc[side];

	return json_pack("{s:o?, s:s, s:s, s:s, s:b}", "file", json_string(two->path[side]),
			 "start", result_text(doc, "environment.time.start"),
			 "version", result_text(doc, "environment.netbench.version"),
			 "status", document_status(doc), "computed", result_is_computed(doc));
}

/* Of one B the file, and how it differs; of several a list of both, and warnings name the file. */
static void describe_b(json_t *env, const struct compared *all, json_t *warnings)
{
	json_t *list = json_array(), *one, *text;
	bool several = all->n > 1;
	size_t i;

	for (const struct two *two = all->two; two < all->two + all->n; two++) {
		json_t *own = json_array();

		one = describe_file(two, B);
		json_object_set_new(several ? one : env, "differences", differences(two, own));
		json_array_foreach(own, i, text)
			warn(warnings, "%s%s%s", several ? two->path[B] : "", several ? ": " : "",
			     json_string_value(text));
		json_decref(own);
		json_array_append_new(list, one);
	}
	json_object_set(env, "b", several ? list : json_array_get(list, 0));
	json_decref(list);
}

json_t *compare_describe(const struct compared *all, const struct row_pairs *p, json_t *warnings)
{
	json_t *here = host_collect(), *env = json_object(), *later = json_array(), *text;
	const struct two *two = all->two;
	size_t i;

	json_object_set(env, "netbench", json_object_get(here, "netbench"));
	json_object_set(env, "run", json_object_get(here, "run"));
	json_object_set(env, "time", json_object_get(here, "time"));
	json_object_set_new(env, "command", json_string(document_command(two->doc[A])));
	json_object_set_new(env, "definition", json_string(document_definition(two->doc[A])));
	json_object_set_new(env, "a", describe_file(two, A));
	for (const struct two *t = two->next; t; t = t->next)
		json_array_append_new(later, json_pack("[o, o]", describe_file(t, A),
						       describe_file(t, B)));
	if (two->next)
		json_object_set(env, "later", later);
	describe_b(env, all, warnings);
	json_decref(later);
	json_decref(here);
	warn_of_kinds(warnings, all);
	if (p)
		warn_of_points(warnings, p);
	for (two = all->two; two < all->two + all->n; two++)
		for (const struct two *t = two; t; t = t->next)
			for (int side = A; side <= B; side++)
				if (side == B || t == all->two || all->two->next)
					warn_of_result(warnings, side_name(all, t, side),
						       t->doc[side]);
	json_array_foreach(warnings, i, text)
		error_warn("%s", json_string_value(text));
	return env;
}
