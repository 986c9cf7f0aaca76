/* SPDX-License-Identifier: Apache-2.0 */
#include "show/finding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "result/document.h"
#include "show/units.h"

/*
 * The value of a name in a template: a number or a text. The number is NaN and the text NULL if the
 * finding has no such value.
 */
struct template_value {
	double number;
	const char *text;
};

static struct template_value find_value(const struct finding *f, const char *name, size_t len)
{
	const struct {
		const char *name;
		struct template_value part;
	} own[] = {
		{ "subject", { NAN, f->subject } }, { "quantity", { NAN, f->quantity } },
		{ "why", { NAN, f->why } }, { "effect", { f->effect, NULL } },
		{ "lo", { f->lo, NULL } }, { "hi", { f->hi, NULL } },
	};
	char key[64];
	const json_t *v;

	for (size_t i = 0; i < LENGTH(own); i++)
		if (strlen(own[i].name) == len && !strncmp(own[i].name, name, len))
			return own[i].part;
	snprintf(key, sizeof(key), "%.*s", (int)len, name);
	v = json_object_get(f->evidence, key);
	return (struct template_value){ json_is_number(v) ? json_number_value(v) : NAN,
				 json_string_value(v) };
}

/* Returns how many digits show that a factor is not 1. */
static int factor_digits(double factor)
{
	double over = fabs(factor - 1);

	if (factor >= 2)
		return 2;
	return over > 1e-6 && over < 1e-2 ? 1 + (int)ceil(-log10(over)) : 3;
}

/* Adds a value in its format. Returns false if the finding has no such value. */
static bool add_value(struct text *t, const struct template_value *p, const char *format,
		      size_t len, enum rate_unit rates)
{
	char unit[32], v[48];

	if (p->text) {
		text_add(t, "%s", p->text);
		return true;
	}
	if (isnan(p->number))
		return false;
	snprintf(unit, sizeof(unit), "%.*s", (int)len, format);
	if (!len)
		text_add(t, "%.4g", p->number);
	else if (*unit == '%')
		text_add(t, "%.*f %%", fabs(p->number) < 0.1, 100 * p->number);
	else if (!strcmp(unit, "x"))
		text_add(t, "%s", plain(p->number, factor_digits(p->number)).s);
	else if (!strcmp(unit, "KiB"))
		text_add(t, "%s", in_bytes(p->number).s);
	else if (*unit == '#')
		text_add(t, "%.0f %s%s", p->number, unit + 1, fabs(p->number - 1) < 0.5 ? "" : "s");
	else
		text_add(t, "%s", format_rate(v, sizeof(v), p->number, unit, rates));
	return true;
}

/* Copies the template up to `end` and fills in the values. Returns false if a value is missing. */
static bool fill_template_until(struct text *t, const struct finding *f, const char *words,
				const char *end, enum rate_unit rates)
{
	bool whole = true;

	while (words < end) {
		size_t before = strcspn(words, "{"), name, format;
		struct template_value part;

		if (words + before >= end)
			before = (size_t)(end - words);
		for (const char *c = words; c < words + before; c++)
			text_add(t, "%c", *c == '<' ? '[' : *c == '>' ? ']' : *c);
		words += before;
		if (words == end)
			return whole;
		name = strcspn(++words, ":}");
		part = find_value(f, words, name);
		words += name + (words[name] == ':');
		format = strcspn(words, "}");
		whole &= add_value(t, &part, words, format, rates);
		words += format + 1;
	}
	return whole;
}

/*
 * Fills in a whole template. Leaves out a bracketed part if one of its values is missing. Returns
 * "" if `words` is NULL.
 */
static char *fill_template(const struct finding *f, const char *words, enum rate_unit rates)
{
	struct text t = { .n = 0 };

	while (words && *words) {
		size_t plain = strcspn(words, "["), inner;
		size_t before;

		fill_template_until(&t, f, words, words + plain, rates);
		words += plain;
		if (!*words)
			break;
		before = t.n;
		inner = strcspn(++words, "]");
		if (!fill_template_until(&t, f, words, words + inner, rates))
			t.s[t.n = before] = '\0';
		words += inner + (words[inner] == ']');
	}
	return strdup(t.s);
}

const struct sentence *finding_sentence(const struct sentence *table, const char *kind)
{
	while (table->kind && *table->kind && strcmp(table->kind, kind) != 0)
		table++;
	return table->kind ? table : NULL;
}

char *finding_words(const struct finding *f, const struct sentence *by, enum rate_unit rates)
{
	return fill_template(f, by ? by->words[f->verdict] : NULL, rates);
}

int findings_report(const struct findings *all, const struct sentence *table, enum rate_unit rates)
{
	for (const struct finding *f = all->at; f < all->at + all->n; f++) {
		char *words;

		if (!f->decides || f->verdict == VERDICT_NO)
			continue;
		words = finding_words(f, finding_sentence(table, f->kind), rates);
		if (words && f->verdict == VERDICT_YES)
			error_report("%s", words);
		else if (words)
			error_no_verdict("%s", words);
		free(words);
	}
	return findings_status(all);
}

json_t *findings_json(const struct findings *all, const struct sentence *table,
		      enum rate_unit rates)
{
	json_t *list = json_array();

	for (size_t i = 0; i < all->n; i++) {
		const struct finding *f = &all->at[i];

		const struct sentence *by = finding_sentence(table, f->kind);
		char *words = finding_words(f, by, rates);
		char *advice = fill_template(f, by ? by->advice : NULL, rates);

		json_array_append_new(list, json_pack(
			"{s:s, s:o?, s:s, s:o, s:o, s:o, s:s, s:s, s:o?, s:o?, s:o?, s:O?}",
			"kind", f->kind, "subject", json_string(f->subject), "quantity",
			f->quantity ? f->quantity : "", "effect", real_or_null(f->effect), "lo",
			real_or_null(f->lo), "hi", real_or_null(f->hi), "unit",
			f->unit ? f->unit : "", "verdict", verdict_names[f->verdict], "why",
			json_string(f->why), "text", json_string(words ? words : ""), "advice",
			json_string(advice ? advice : ""), "evidence", f->evidence));
		free(words);
		free(advice);
	}
	return list;
}
