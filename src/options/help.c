/* SPDX-License-Identifier: Apache-2.0 */
#include "options/help.h"

#include <string.h>

#include "options/types.h"

enum { LINE_WIDTH = 79, TEXT_COLUMN = 28 };

/* Adds the option's default, range and choices, if it has them, in brackets. */
static void add_notes(struct text *t, const struct opt *opt)
{
	const struct number n = opt_number(opt, NULL);
	/* larger upper limits are not shown, because readers do not need them */
	double largest_shown = number_allows_suffix(&n) ? 1 << 30 : 1e6 - 1;
	bool any = opt->min == 0 && (opt->max <= 0 || opt->max > largest_shown);
	bool word = opt->word && opt->def && !strcmp(opt->word, opt->def);
	struct text notes = { .n = 0 };

	if (opt->def && *opt->def)
		text_add(&notes, ", default %s", opt->def);
	if (opt_kind(opt)->number && (!any || opt->word)) {
		text_add(&notes, word ? ", or " : ", ");
		number_add_range(&notes, &n, largest_shown);
		if (opt->word && !word)
			text_add(&notes, " or %s", opt->word);
	}
	if (opt->choices && !opt->file) {
		text_add(&notes, ", %s of: ", opt->type == OPT_CHOICES ? "any" : "one");
		text_add_names(&notes, opt->choices);
	}
	if (notes.n)
		text_add(t, " (%s)", notes.s + strlen(", "));
}

/* Prints "  -n, --ranks=count", and the text beside it or below it. */
static void print_entry(FILE *to, const struct opt *opt, const char *text)
{
	struct text head = { .n = 0 };

	if (opt->letter)
		text_add(&head, "  -%c, --%s", opt->letter, opt->name);
	else
		text_add(&head, "      --%s", opt->name);
	if (opt->arg)
		text_add(&head, "=%s", opt->arg);
	if (!*text)
		fputs(head.s, to);
	else if (head.n + 2 > TEXT_COLUMN)
		fprintf(to, "%s\n%*s", head.s, TEXT_COLUMN, "");
	else
		fprintf(to, "%-*s", TEXT_COLUMN, head.s);
	text_wrap(to, text, TEXT_COLUMN, LINE_WIDTH);
}

/* Returns the option whose long name is name[0..len); NULL if no table has it. */
static const struct opt *find_option(const struct opt_table *tables, size_t ntables,
				     const char *name, size_t len)
{
	for (size_t t = 0; t < ntables; t++)
		for (const struct opt *o = tables[t].opts; o && o->name; o++)
			if (strlen(o->name) == len && !strncmp(o->name, name, len))
				return o;
	return NULL;
}

/* Prints the options that `names` lists, each with only the first part of its help text. */
static void print_most_used(FILE *to, const struct opt_table *tables, size_t ntables,
			    const char *names)
{
	fputs("\nmost used:\n", to);
	for (size_t len; (len = strcspn(names, " ")); names += len + strspn(names + len, " ")) {
		const struct opt *o = find_option(tables, ntables, names, len);
		struct text first = { .n = 0 };

		if (!o)
			continue;
		/* the first part ends at "; ", ": " or " (" */
		for (const char *c = o->help; *c; c++) {
			if (!strncmp(c, "; ", 2) || !strncmp(c, ": ", 2) || !strncmp(c, " (", 2))
				break;
			text_add(&first, "%c", *c);
		}
		print_entry(to, o, first.s);
	}
}

void opts_help(FILE *to, const struct opt_table *tables, size_t ntables, const char *lead)
{
	if (lead)
		print_most_used(to, tables, ntables, lead);
	for (size_t t = 0; t < ntables; t++) {
		const struct opt *first = tables[t].opts;

		if (!first || !first->name)
			continue;
		putc('\n', to);
		if (tables[t].title)
			fprintf(to, "%s:\n", tables[t].title);
		for (const struct opt *o = first; o->name; o++) {
			struct text text = { .n = 0 };

			text_add(&text, "%s", o->help ? o->help : "");
			add_notes(&text, o);
			print_entry(to, o, text.s);
		}
	}
}

void opts_usage(FILE *to, const struct opt_table *table)
{
	for (const struct opt *o = table->opts; o && o->name; o++) {
		if (o->letter)
			fprintf(to, " [-%c", o->letter);
		else
			fprintf(to, " [--%s", o->name);
		if (o->arg)
			fprintf(to, " %s", o->arg);
		putc(']', to);
	}
}
