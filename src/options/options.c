/* SPDX-License-Identifier: Apache-2.0 */
/* From tables and argv to values, by way of getopt_long. */
#include "options/options.h"

#include <ctype.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "options/types.h"

/* getopt_long's code of the first slot, above all letters. */
enum { LONG_BASE = 256 };

/* An option together with the member that takes its value. */
struct slot {
	const struct opt *opt;
	void *member;
};

/* All tables in the form that getopt_long wants. */
struct parser {
	struct slot *slots;
	size_t n;
	struct option *longs;
	char *shorts;
};

/* The long names given in the last opts_parse. */
static const char **given;
static size_t ngiven;

static void *member(const struct opt_table *table, const struct opt *opt)
{
	return (char *)table->values + opt->at;
}

static void parser_close(struct parser *p)
{
	free(p->slots);
	free(p->longs);
	free(p->shorts);
}

/* getopt_long's arrays, which start with `mode` and know -h and --help. */
static void fill_getopt(struct parser *p, const char *mode)
{
	char *letter = stpcpy(p->shorts, mode);

	*letter++ = 'h';
	for (size_t i = 0; i < p->n; i++) {
		const struct opt *opt = p->slots[i].opt;
		bool flag = opt->type == OPT_FLAG;

		p->longs[i] = (struct option){
			.name = opt->name,
			.has_arg = flag ? no_argument : required_argument,
			.val = LONG_BASE + (int)i,
		};
		if (opt->letter)
			*letter++ = opt->letter;
		if (opt->letter && !flag)
			*letter++ = ':';
	}
	*letter = '\0';
	p->longs[p->n] = (struct option){ .name = "help", .val = 'h' };
	p->longs[p->n + 1] = (struct option){ .name = NULL };
}

static int parser_open(struct parser *p, const struct opt_table *tables, size_t ntables,
		       const char *mode)
{
	size_t n = 0;

	for (size_t t = 0; t < ntables; t++)
		for (const struct opt *o = tables[t].opts; o && o->name; o++)
			n++;
	*p = (struct parser){
		.slots = calloc(n + 1, sizeof(*p->slots)),
		.longs = calloc(n + 2, sizeof(*p->longs)),
		.shorts = malloc(strlen(mode) + 2 * n + 2),
	};
	if (!p->slots || !p->longs || !p->shorts) {
		parser_close(p);
		return error_report("out of memory for %zu options", n);
	}
	for (size_t t = 0; t < ntables; t++)
		for (const struct opt *o = tables[t].opts; o && o->name; o++)
			p->slots[p->n++] = (struct slot){ o, member(&tables[t], o) };
	fill_getopt(p, mode);
	return ST_OK;
}

/* The slot that getopt_long's code means, NULL if it means something else. */
static const struct slot *find_slot(const struct parser *p, int code)
{
	if (code >= LONG_BASE)
		return &p->slots[code - LONG_BASE];
	for (size_t i = 0; i < p->n; i++) {
		if (p->slots[i].opt->letter && p->slots[i].opt->letter == code)
			return &p->slots[i];
	}
	return NULL;
}

/* Of the parser's options and --help. */
static const char *long_name(size_t i, void *arg)
{
	const struct parser *p = arg;

	return p->longs[i].name;
}

/* The names that begin with `name`, as ": --a, --b". */
static struct line abbreviated(const struct parser *p, const char *name)
{
	struct line l = { .n = 0 };

	for (size_t i = 0; p->longs[i].name; i++) {
		if (*name && !strncmp(p->longs[i].name, name, strlen(name)))
			line_add(&l, "%s--%s", l.n ? ", " : ": ", p->longs[i].name);
	}
	return l;
}

/* `word` is what follows the dashes, with or without a value. */
static int refuse_long(struct parser *p, const char *word)
{
	struct line name = { .n = 0 }, shown = { .n = 0 }, matches;
	const char *near;

	line_add(&name, "%.*s", (int)strcspn(word, "="), word);
	line_quote(&shown, "--", name.s);
	matches = abbreviated(p, name.s);
	if (matches.n)
		return error_usage("option %s is ambiguous%s", shown.s, matches.s);
	near = nearest(name.s, long_name, p);
	if (near)
		return error_usage("unknown option %s, did you mean '--%s'?", shown.s, near);
	return error_usage("unknown option %s", shown.s);
}

/* Says why getopt_long, which left `word` behind, yielded '?' or ':'. */
static int refuse_option(struct parser *p, int code, int letter, const char *word)
{
	const struct slot *slot = find_slot(p, letter);
	const char *name = slot ? slot->opt->name : letter == 'h' ? "help" : NULL;

	if (code == ':')
		return error_usage("option '--%s' needs an argument", name);
	if (name)
		return error_usage("option '--%s' takes no argument", name);
	if (!letter)
		return refuse_long(p, word + strspn(word, "-"));
	return error_usage("unknown option '-%c'", isprint(letter) ? letter : '?');
}

static int set_defaults(const struct parser *p)
{
	int err = ST_OK;

	for (size_t i = 0; i < p->n; i++)
		memset(p->slots[i].member, 0, opt_kind(p->slots[i].opt)->size);
	for (size_t i = 0; i < p->n && !err; i++) {
		const struct slot *slot = &p->slots[i];
		const struct ask ask = { slot->opt, "default", "--", 1 };

		if (slot->opt->def)
			err = opt_kind(slot->opt)->take(&ask, slot->opt->def, slot->member);
	}
	return err;
}

/* What is given first replaces a list that is there by default. */
static int take_given(const struct slot *slot, const char *text)
{
	const struct ask ask = { slot->opt, NULL, "--", 1 };
	const struct opt_kind *k = opt_kind(slot->opt);

	if (!opts_given(slot->opt->name)) {
		if (k->release)
			k->release(slot->member);
		given[ngiven++] = slot->opt->name;
	}
	return k->take(&ask, text, slot->member);
}

static int take_all(struct parser *p, int argc, char **argv, bool *help)
{
	int code, err = ST_OK;

	optind = 0; /* glibc: start anew */
	opterr = 0;
	while (!err && (code = getopt_long(argc, argv, p->shorts, p->longs, NULL)) != -1) {
		const struct slot *slot = find_slot(p, code);

		if (code == 'h') {
			*help = true;
			break;
		}
		if (slot)
			err = take_given(slot, optarg);
		else
			err = refuse_option(p, code, optopt, argv[optind - 1]);
	}
	return err;
}

static int given_reset(size_t n)
{
	free(given);
	given = calloc(n + 1, sizeof(*given));
	ngiven = 0;
	return given ? ST_OK : error_report("out of memory for %zu options", n);
}

int opts_parse(const struct opt_table *tables, size_t ntables, int argc, char **argv,
	       int *operands, bool *help)
{
	struct parser p;
	int err;

	*help = false;
	*operands = argc;
	err = parser_open(&p, tables, ntables, ":");
	if (err)
		return err;
	err = set_defaults(&p);
	if (!err)
		err = given_reset(p.n);
	if (!err) {
		err = take_all(&p, argc, argv, help);
		*operands = optind;
	}
	if (err)
		opts_free(tables, ntables);
	parser_close(&p);
	return err;
}

/* The last value of an option, NULL if it has none; whether it is there at all. */
static bool find_given(const struct opt_table *tables, size_t ntables, int argc, char **argv, const char *name,
		       const char **value)
{
	bool found = false;
	struct parser p;
	int code;

	*value = NULL;
	/* '-' keeps argv in order: behind an unknown option stands its argument */
	if (parser_open(&p, tables, ntables, "-:"))
		return false;
	optind = 0;
	opterr = 0;
	while ((code = getopt_long(argc, argv, p.shorts, p.longs, NULL)) != -1) {
		const struct slot *slot = find_slot(&p, code);

		if (slot && !strcmp(slot->opt->name, name)) {
			*value = optarg;
			found = true;
		}
	}
	parser_close(&p);
	return found;
}

const char *opts_peek(const struct opt_table *tables, size_t ntables, int argc, char **argv,
		      const char *name)
{
	const char *value;

	find_given(tables, ntables, argc, argv, name, &value);
	return value;
}

bool opts_is_there(const struct opt_table *tables, size_t ntables, int argc, char **argv, const char *name)
{
	const char *value;

	return find_given(tables, ntables, argc, argv, name, &value);
}

bool opts_given(const char *name)
{
	for (size_t i = 0; i < ngiven; i++) {
		if (!strcmp(given[i], name))
			return true;
	}
	return false;
}

int opts_exclude(const char *a, const char *b)
{
	if (!opts_given(a) || !opts_given(b))
		return ST_OK;
	return error_usage("options '--%s' and '--%s' exclude each other", a, b);
}

void opts_free(const struct opt_table *tables, size_t ntables)
{
	for (size_t t = 0; t < ntables; t++) {
		for (const struct opt *o = tables[t].opts; o && o->name; o++) {
			if (opt_kind(o)->release)
				opt_kind(o)->release(member(&tables[t], o));
		}
	}
}

json_t *opts_dump(const struct opt_table *tables, size_t ntables)
{
	json_t *object = json_object();

	for (size_t t = 0; t < ntables; t++)
		for (const struct opt *o = tables[t].opts; o && o->name; o++)
			json_object_set_new(object, o->name,
					    opt_kind(o)->dump(o, member(&tables[t], o)));
	return object;
}
