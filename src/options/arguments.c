/* SPDX-License-Identifier: Apache-2.0 */
#include "options/arguments.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"
#include "options/types.h"

/* An option as given on the command line, or an operand. */
struct argument {
	enum { OPERAND, LONG, SHORT } form;
	int at,			/* index in argv of the argument's first word */
	    last;		/* index in argv of the argument's final word */
	/*
	 * of an operand: the word; of a long option: the word after the dashes; of a short option:
	 * the word from the option's letter on
	 */
	const char *text;
	int len;		/* length of a long name */
	const char *value;	/* the option's value; NULL: none so far */
	bool decided;		/* true: it is known whether the option takes a value */
	const struct opt *opt;	/* the option; NULL: unknown, or ambiguous so far */
};

/* The options that an argument may mean. */
struct meaning {
	const struct opt *opt;	/* the first such option; NULL: none */
	const struct opt_table *table;
	bool exact;		/* true: the name is not abbreviated */
	bool one;		/* true: all these options have the same name */
	bool alike;		/* true: either all these options take a value, or none does */
};

static const struct opt help_option[] = { { 'h', "help", NULL, OPT_FLAG, .help = "" }, { 0 } };
static const struct opt_table help_table = { .opts = help_option };

/* ---- what a word means ---- */

/* Returns true if an option takes no value. */
static bool is_flag(const struct opt *o)
{
	return o->type == OPT_FLAG;
}

/*
 * The tables to search for options, and the mode whose options count. If the mode is NULL, the
 * options of all modes count.
 */
struct scope {
	const struct opt_table *tables;
	size_t n;
	const struct opt_mode *mode;
};

/* Returns true if a list of words, separated by blanks, contains a word. */
static bool list_has_word(const char *word, const char *list)
{
	size_t len = strlen(word), n;

	for (; list && *list; list += n + (list[n] == ' ')) {
		n = strcspn(list, " ");
		if (n == len && !strncmp(list, word, n))
			return true;
	}
	return false;
}

/*
 * Returns option i of the tables. After the options of all tables, it returns --help, and then
 * NULL. Sets *table to the option's table. From a table that modes share, it returns only the
 * options that the mode names.
 */
static const struct opt *option_at(const struct scope *s, size_t i, const struct opt_table **table)
{
	for (size_t t = 0; t <= s->n; t++) {
		bool shared;

		*table = t < s->n ? &s->tables[t] : &help_table;
		shared = s->mode && s->mode->shared == (*table)->opts;
		for (const struct opt *o = (*table)->opts; o && o->name; o++)
			if ((!shared || list_has_word(o->name, s->mode->names)) && !i--)
				return o;
	}
	return NULL;
}

/* Returns true if the argument is this name, without abbreviation. */
static bool has_name(const struct argument *arg, const char *name)
{
	return name && strlen(name) == (size_t)arg->len && !memcmp(name, arg->text, strlen(name));
}

/* Returns the option for which this word ("json") is a choice; NULL if there is none. */
static const struct opt *choice_named(const struct scope *s, const char *word, size_t len)
{
	const struct opt_table *table;
	const struct opt *o;

	for (size_t i = 0; len && (o = option_at(s, i, &table)); i++)
		for (size_t k = 0; o->type == OPT_CHOICE && o->choices[k]; k++)
			if (strlen(o->choices[k]) == len && !memcmp(o->choices[k], word, len))
				return o;
	return NULL;
}

/* Finds the options that an argument may mean, among the options of *s. */
static struct meaning find_options(const struct scope *s, const struct argument *arg)
{
	struct meaning m = { .one = true, .alike = true };
	const struct opt_table *table;
	const struct opt *o;

	for (size_t i = 0; (o = option_at(s, i, &table)); i++) {
		bool exact = arg->form == SHORT ? o->letter == *arg->text
						: has_name(arg, o->name) || has_name(arg, o->was);

		if (!exact && (arg->form == SHORT || !arg->len || m.exact ||
			       strncmp(o->name, arg->text, (size_t)arg->len) != 0))
			continue;
		if (!m.opt || exact > m.exact) {
			m = (struct meaning){ o, table, exact, true, true };
			continue;
		}
		m.one &= !strcmp(o->name, m.opt->name);
		m.alike &= is_flag(o) == is_flag(m.opt);
	}
	/* "--csv" must not mean "--csv-header", because csv is a choice of --format */
	if (m.opt && !m.exact && choice_named(s, arg->text, (size_t)arg->len))
		m.opt = NULL;
	return m;
}

/* Finds the options that an argument may mean, among the options of the tables known so far. */
static struct meaning find_known_options(const struct arguments *a, const struct argument *arg)
{
	return find_options(&(struct scope){ a->known, a->nknown, NULL }, arg);
}

/* ---- scanning ---- */

/* Inserts an argument at index k. Returns ST_OK, or ST_FAILED if memory is short. */
static int insert_argument(struct arguments *a, size_t k, struct argument arg)
{
	struct argument *all = list_grow(a->all, a->n, sizeof(*all));

	if (!all)
		return error_report("out of memory for the command line");
	a->all = all;
	memmove(&all[k + 1], &all[k], (a->n++ - k) * sizeof(*all));
	all[k] = arg;
	return ST_OK;
}

static int read_words(struct arguments *a, int from);

/*
 * Makes the word after an option the option's value. The word may so far have been a separate
 * argument, which is then removed.
 */
static int take_next_word(struct arguments *a, size_t k)
{
	struct argument *arg = &a->all[k];
	size_t end = k + 1;

	if (arg->last + 1 == a->argc)
		return ST_OK;
	arg->value = a->argv[++arg->last];
	while (end < a->n && a->all[end].at == arg->last)
		end++;
	if (end > k + 1 && a->all[end - 1].last > arg->last) {
		/*
		 * the word was taken for an option with a value; that value becomes a separate
		 * argument
		 */
		a->n = k + 1;
		return read_words(a, arg->last + 1);
	}
	memmove(&a->all[k + 1], &a->all[end], (a->n - end) * sizeof(*a->all));
	a->n -= end - k - 1;
	return ST_OK;
}

/*
 * Decides whether argument k takes a value. Leaves this undecided if some of the options that the
 * argument may mean take a value, and others do not.
 */
static int decide_argument(struct arguments *a, size_t k, const struct meaning *m)
{
	struct argument *arg = &a->all[k];
	bool more = arg->form == SHORT && arg->text[1];

	if (!m->opt || !m->alike)
		return ST_OK;
	arg->decided = true;
	arg->opt = m->one ? m->opt : NULL;
	if (is_flag(m->opt))
		return !more ? ST_OK : insert_argument(a, k + 1, (struct argument){
			SHORT, arg->at, arg->last, .text = arg->text + 1 });
	if (more)
		arg->value = arg->text + 1;
	return arg->value ? ST_OK : take_next_word(a, k);
}

/* Decides, as far as possible, which undecided arguments from index k on take a value. */
static int decide_arguments_from(struct arguments *a, size_t k)
{
	int err = ST_OK;

	for (; k < a->n && !err; k++) {
		struct meaning m;

		if (a->all[k].decided)
			continue;
		m = find_known_options(a, &a->all[k]);
		err = decide_argument(a, k, &m);
	}
	return err;
}

/* Reads the words from index `from` on, and appends an argument for each operand or option. */
static int read_words(struct arguments *a, int from)
{
	bool only_operands = false, separates = false;
	int err = ST_OK;

	for (int i = from; i < a->argc && !err; i++) {
		const char *word = a->argv[i];
		struct argument arg = { OPERAND, i, i, .text = word, .decided = true };
		bool dashes = !only_operands && !strcmp(word, "--");

		if (dashes) {
			only_operands = !separates;
			if (!a->keeps_dashes)
				continue;
		}
		if (!only_operands && !dashes && word[0] == '-' && word[1]) {
			arg.form = word[1] == '-' ? LONG : SHORT;
			arg.decided = false;
			arg.text = word + (arg.form == LONG ? 2 : 1);
			arg.len = (int)strcspn(arg.text, "=");
			if (arg.form == LONG && arg.text[arg.len])
				arg.value = arg.text + arg.len + 1;
		}
		separates |= a->keeps_dashes && arg.form == OPERAND;
		err = insert_argument(a, a->n, arg);
		if (!err)
			err = decide_arguments_from(a, a->n - 1);
		if (!err)
			i = a->all[a->n - 1].last;
	}
	return err;
}

/* Adds tables to the known tables. Returns ST_OK or ST_FAILED (reported). */
static int add_tables(struct arguments *a, const struct opt_table *tables, size_t ntables)
{
	if (a->nknown + ntables > ARGUMENTS_TABLES)
		return error_report("more than %d tables of options", ARGUMENTS_TABLES);
	for (size_t t = 0; t < ntables; t++)
		a->known[a->nknown++] = tables[t];
	return ST_OK;
}

int arguments_read(struct arguments *a, int argc, char **argv, const struct opt_table *tables,
		   size_t ntables, bool keep_dashes)
{
	int err;

	*a = (struct arguments){ .argc = argc, .argv = argv, .keeps_dashes = keep_dashes };
	err = add_tables(a, tables, ntables);
	return err ? err : read_words(a, 1);
}

int arguments_add(struct arguments *a, const struct opt_table *table)
{
	int err = add_tables(a, table, 1);

	return err ? err : decide_arguments_from(a, 0);
}

int arguments_append(struct arguments *a, const struct arguments *more)
{
	for (size_t i = 0; i < more->n; i++)
		if (insert_argument(a, a->n, more->all[i]))
			return ST_FAILED;
	a->nappended = more->argc - 1;
	a->appended = more->argv + 1;
	return ST_OK;
}

/* Returns the rightmost argument that gives this option; NULL if there is none. */
static const struct argument *find_given_argument(const struct arguments *a, const char *name)
{
	for (size_t i = a->n; i > 0; i--)
		if (a->all[i - 1].opt && !strcmp(a->all[i - 1].opt->name, name))
			return &a->all[i - 1];
	return NULL;
}

const char *arguments_value(const struct arguments *a, const char *name)
{
	const struct argument *arg = find_given_argument(a, name);

	return arg ? arg->value : NULL;
}

bool arguments_given(const struct arguments *a, const char *name)
{
	return find_given_argument(a, name);
}

/* ---- binding ---- */

/* Returns the name of option i of a scope; NULL after the final option. For suggest(). */
static const char *option_name_at(size_t i, void *scope)
{
	const struct opt_table *table;
	const struct opt *o = option_at(scope, i, &table);

	return o ? o->name : NULL;
}

/* Reports an argument that means no option, or more than one. */
static int report_unknown_option(struct scope *s, const struct argument *arg)
{
	struct text word = { .n = 0 }, shown = { .n = 0 }, names = { .n = 0 };
	const struct opt *choice, *o;
	const struct opt_table *table;
	const char *meant = NULL;

	if (arg->form == SHORT)
		return error_usage("unknown option '-%c'",
				   isprint((unsigned char)*arg->text) ? *arg->text : '?');
	text_add(&word, "%.*s", arg->len, arg->text);
	text_quote(&shown, "--", word.s);
	choice = choice_named(s, word.s, strlen(word.s));
	for (size_t i = 0; (o = option_at(s, i, &table)); i++) {
		if (arg->len && !strncmp(o->name, arg->text, (size_t)arg->len))
			text_add(&names, "%s--%s", names.n ? ", " : "", o->name);
		if (!meant && list_has_word(word.s, o->aka))
			meant = o->name;
	}
	if (names.n && !choice)
		return error_usage("option %s is ambiguous: %s", shown.s, names.s);
	if (choice)
		return error_usage("unknown option %s, did you mean '--%s %s'?", shown.s,
				   choice->name, word.s);
	if (!meant)
		meant = suggest(word.s, option_name_at, s);
	return meant ? error_usage("unknown option %s, did you mean '--%s'?", shown.s, meant)
		     : error_usage("unknown option %s", shown.s);
}

/*
 * Reports an option that does not belong to the selected mode. Names the option that selects a
 * mode, "--rule hlrs" for example.
 */
static int report_wrong_mode(const struct arguments *a, struct scope *s, const struct argument *arg,
			     const struct meaning *m)
{
	bool mine = s->mode && s->mode->option;
	const struct opt_mode *mode = mine ? s->mode : m->table->mode;
	const char *name;

	if (!mode)
		return report_unknown_option(s, arg);
	name = mode->with						  ? mode->with
	       : mine && mode->other && !arguments_given(a, mode->option) ? mode->other
									  : mode->option;
	return error_usage("option '--%s' %s '--%s%s%s'", m->opt->name,
			   mine ? "does not go with" : "needs", name,
			   mode->value && !mode->with ? " " : "",
			   mode->value && !mode->with ? mode->value : "");
}

/* Finds the option that argument k means in this mode. Sets *m to the option and its table. */
static int resolve_option(struct arguments *a, size_t k, struct scope *s, struct meaning *m)
{
	struct meaning known = find_known_options(a, &a->all[k]);
	int err;

	*m = find_options(s, &a->all[k]);
	if (!m->exact && known.opt && (known.exact || (!m->opt && known.one)))
		return report_wrong_mode(a, s, &a->all[k], &known);
	if (!m->opt || !m->one)
		return report_unknown_option(s, &a->all[k]);
	err = a->all[k].decided ? ST_OK : decide_argument(a, k, m);
	if (!err)
		a->all[k].opt = m->opt;
	if (err || is_flag(m->opt) == !a->all[k].value)
		return err;
	return error_usage("option '--%s' %s argument", m->opt->name,
			   is_flag(m->opt) ? "takes no" : "needs an");
}

/* Checks all arguments and stores their values. */
static int bind_arguments(struct arguments *a, struct scope *s)
{
	struct meaning m;
	int err = ST_OK;

	for (size_t k = 0; k < a->n && !err && !a->help; k++) {
		size_t first = 0;
		void *member;

		if (a->all[k].form == OPERAND) {
			a->operands[a->noperands++] = (char *)(uintptr_t)a->all[k].text;
			continue;
		}
		err = resolve_option(a, k, s, &m);
		a->help = !err && m.table == &help_table;
		if (err || a->help)
			break;
		member = opt_member(m.table, m.opt);
		while (a->all[first].opt != m.opt)
			first++;
		if (first == k)		/* the first given value replaces the default list */
			opt_free_list(m.opt, member);
		err = opt_parse_value(m.opt, NULL, a->all[k].value, member);
	}
	return err;
}

/* Frees the lists in the tables' structs. */
static void free_values(struct arguments *a)
{
	for (size_t t = 0; t < a->nbound; t++)
		for (const struct opt *o = a->bound[t].opts; o && o->name; o++)
			opt_free_list(o, opt_member(&a->bound[t], o));
	a->nbound = 0;
}

int arguments_bind(struct arguments *a, const struct opt_table *tables, size_t ntables,
		   const struct opt_mode *mode)
{
	struct scope s = { tables, ntables, mode };
	int err = ST_OK;

	a->operands = calloc((size_t)(a->argc + a->nappended) + 1, sizeof(*a->operands));
	if (!a->operands)
		return error_report("out of memory for the command line");
	for (size_t t = 0; t < ntables && !err; t++) {
		const struct opt *opts = tables[t].opts;

		a->bound[a->nbound++] = tables[t];
		for (const struct opt *o = opts; o && o->name; o++)
			memset(opt_member(&tables[t], o), 0, opt_kind(o)->size);
		for (const struct opt *o = opts; o && o->name && !err; o++)
			if (o->def)
				err = opt_parse_value(o, "default", o->def,
						      opt_member(&tables[t], o));
	}
	if (!err)
		err = bind_arguments(a, &s);
	if (err)
		free_values(a);
	return err;
}

char **arguments_repeat(const struct arguments *a, bool (*leaves_out)(const char *name),
			size_t nfirst, int *n)
{
	size_t list = (nfirst + a->n + 1) * sizeof(char *), room = list, len;
	char **words, *to;

	for (size_t i = 0; i < a->n; i++)
		if (a->all[i].opt)
			room += strlen(a->all[i].opt->name) + sizeof("--=") +
				(a->all[i].value ? strlen(a->all[i].value) : 0);
	words = calloc(1, room);
	if (!words)
		return NULL;
	to = (char *)words + list;
	*n = (int)nfirst;
	for (size_t i = 0; i < a->n; i++) {
		const struct argument *arg = &a->all[i];

		if (!arg->opt || leaves_out(arg->opt->name))
			continue;
		len = (size_t)((char *)words + room - to);
		words[(*n)++] = to;
		to += snprintf(to, len, "--%s%s%s", arg->opt->name, arg->value ? "=" : "",
			       arg->value ? arg->value : "") + 1;
	}
	return words;
}

void arguments_free(struct arguments *a)
{
	free_values(a);
	free(a->all);
	free(a->operands);
	*a = (struct arguments){ .n = 0 };
}

int arguments_exclude(const struct arguments *a, const char *one, const char *other)
{
	if (!arguments_given(a, one) || !arguments_given(a, other))
		return ST_OK;
	return error_usage("options '--%s' and '--%s' exclude each other", one, other);
}
