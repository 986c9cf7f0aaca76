/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include "error.h"

#include <ctype.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINE_WIDTH = 79,
	TEXT_COLUMN = 28,
	SHOWN_MAX = 120,	/* characters of a user's text that an error line repeats */
	RANGE_MAX = 65536,	/* members of a range in a list */
	WORD_MAX = 64,		/* longest word that nearest() compares */
	LONG_BASE = 256,	/* getopt_long's code of the first slot, above all letters */
};

/* What reading a text came to. */
enum verdict {
	V_OK,
	V_NONE,			/* not of this type */
	V_RANGE,		/* negative or outside min..max */
	V_HUGE,			/* more than the type holds */
	V_FALLS,
	V_LONG,
	V_MEMORY,
};

/* A value to be taken, and how a complaint about it names its place. */
struct ask {
	const struct opt *opt;
	const char *what;	/* said first; NULL: nothing */
	const char *dashes;	/* before the name */
	double unit_s;		/* of OPT_SECONDS without a unit */
};

/* What is done with the values of one type; `take` and `dump` are mandatory. */
struct kind {
	size_t size;
	int (*take)(const struct ask *ask, const char *text, void *to);
	json_t *(*dump)(const struct opt *opt, const void *from);
	void (*release)(void *at);
	const char *noun;
	const char *item;	/* the same for one element of a list */
	bool suffixes;
	enum verdict (*scan)(const char *text, double unit_s, double *value);
	const char *(*bound)(double value, char *buf, size_t size);
};

static const struct kind kinds[OPT_TEXTS + 1];

/* Text that is built in pieces and cut when full. */
struct line {
	char s[2048];
	size_t n;
};

/* An option together with the struct that takes its value. */
struct slot {
	const struct opt *opt;
	void *values;
};

/* All tables in the form that getopt_long wants. */
struct parser {
	struct slot *slots;
	size_t n;
	struct option *longs;
	char *shorts;
};

/* The long names given in the last opts_parse, ended by NULL. */
static const char **given;

__attribute__((format(printf, 2, 0)))
static void line_vadd(struct line *l, const char *fmt, va_list args)
{
	int more = vsnprintf(l->s + l->n, sizeof(l->s) - l->n, fmt, args);

	if (more > 0)
		l->n += (size_t)more;
	if (l->n > sizeof(l->s) - 1)
		l->n = sizeof(l->s) - 1;
}

__attribute__((format(printf, 2, 3)))
static void line_add(struct line *l, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	line_vadd(l, fmt, args);
	va_end(args);
}

/* A user's text in quotes, cut and on one line whatever is in it. */
static void line_quote(struct line *l, const char *before, const char *text)
{
	line_add(l, "'%s", before);
	for (size_t i = 0; text[i] && i < SHOWN_MAX; i++)
		line_add(l, "%c", iscntrl((unsigned char)text[i]) ? '?' : text[i]);
	line_add(l, strlen(text) > SHOWN_MAX ? "...'" : "'");
}

static void line_choices(struct line *l, const char *const *choices)
{
	for (size_t i = 0; choices[i]; i++)
		line_add(l, "%s%s", i ? ", " : "", choices[i]);
}

static const char *bound_count(double value, char *buf, size_t size)
{
	snprintf(buf, size, "%.0f", value);
	return buf;
}

static const char *bound_real(double value, char *buf, size_t size)
{
	snprintf(buf, size, "%.15g", value);
	return buf;
}

static const char *bound_seconds(double value, char *buf, size_t size)
{
	snprintf(buf, size, "%.15g s", value);
	return buf;
}

static bool is_whole(double value)
{
	return value < 0x1p63 && (double)(uint64_t)value == value;
}

static const char *bound_size(double value, char *buf, size_t size)
{
	static const char *const suffixes[] = { "", "k", "M", "G" };
	size_t i = 0;

	for (; i < 3 && value >= 1024 && is_whole(value / 1024); i++)
		value /= 1024;
	snprintf(buf, size, "%.0f%s", value, suffixes[i]);
	return buf;
}

static bool has_range(const struct opt *opt)
{
	return opt->min != 0 || opt->max != 0;
}

static bool has_top(const struct opt *opt)
{
	return has_range(opt) && opt->max >= opt->min;
}

static bool in_range(const struct opt *opt, double value)
{
	if (!has_range(opt))
		return true;
	return value >= opt->min && (!has_top(opt) || value <= opt->max);
}

static void line_range(struct line *l, const struct opt *opt)
{
	const struct kind *k = &kinds[opt->type];
	char buf[400];

	line_add(l, "%s", k->bound(opt->min, buf, sizeof(buf)));
	if (has_top(opt))
		line_add(l, " to %s", k->bound(opt->max, buf, sizeof(buf)));
	else
		line_add(l, " or more");
	if (opt->word)
		line_add(l, " or '%s'", opt->word);
}

/* Begins "value 'x' in 'y,x' of '--name' "; `in` is the whole text that x is from. */
static struct line complaint(const struct ask *ask, const char *value, const char *in)
{
	struct line l = { .n = 0 };

	if (ask->what)
		line_add(&l, "%s: ", ask->what);
	line_add(&l, "value ");
	line_quote(&l, "", value);
	if (strcmp(value, in) != 0) {
		line_add(&l, " in ");
		line_quote(&l, "", in);
	}
	line_add(&l, " of '%s%s' ", ask->dashes, ask->opt->name);
	return l;
}

static int refuse(const struct ask *ask, const char *value, const char *in, enum verdict why)
{
	static const char *const phrases[] = {
		[V_HUGE] = "is too large",
		[V_FALLS] = "is a range that does not rise",
		[V_LONG] = "is a range of more than 65536 numbers",
		[V_MEMORY] = "does not fit into memory",
	};
	const struct opt *opt = ask->opt;
	const struct kind *k = &kinds[opt->type];
	struct line l = complaint(ask, value, in);

	if (why == V_NONE) {
		line_add(&l, "is not %s", strcmp(value, in) ? k->item : k->noun);
		if (opt->word)
			line_add(&l, " or '%s'", opt->word);
	} else if (why == V_RANGE || (why == V_HUGE && has_top(opt))) {
		line_add(&l, "is out of range: ");
		line_range(&l, opt);
	} else {
		line_add(&l, "%s", phrases[why]);
	}
	return error_usage("%s", l.s);
}

static unsigned int shift_of(char suffix)
{
	switch (suffix) {
	case 'k':
	case 'K':
		return 10;
	case 'M':
		return 20;
	case 'G':
		return 30;
	default:
		return 0;
	}
}

/* Reads one whole number; *at moves behind it unless there is none. */
static enum verdict scan_whole(const char **at, bool suffixes, uint64_t *value)
{
	bool negative = **at == '-', huge = false;
	const char *s = *at + negative;
	unsigned int shift;
	uint64_t v = 0;

	if (!isdigit((unsigned char)*s))
		return V_NONE;
	for (; isdigit((unsigned char)*s); s++) {
		huge |= __builtin_mul_overflow(v, UINT64_C(10), &v);
		huge |= __builtin_add_overflow(v, (uint64_t)(*s - '0'), &v);
	}
	shift = suffixes ? shift_of(*s) : 0;
	if (shift) {
		huge |= __builtin_mul_overflow(v, UINT64_C(1) << shift, &v);
		s++;
	}
	*at = s;
	*value = v;
	if (negative)
		return V_RANGE;
	return huge ? V_HUGE : V_OK;
}

/* The same for a decimal fraction: strtod without blanks, hexadecimal, inf and nan. */
static enum verdict scan_decimal(const char **at, double *value)
{
	const char *digits = *at + (**at == '-');
	char *end;

	if (!isdigit((unsigned char)digits[*digits == '.']))
		return V_NONE;
	if (*digits == '0' && tolower((unsigned char)digits[1]) == 'x')
		return V_NONE;
	*value = strtod(*at, &end);
	*at = end;
	return isfinite(*value) ? V_OK : V_HUGE;
}

static enum verdict scan_real(const char *text, double unit_s, double *value)
{
	enum verdict v = scan_decimal(&text, value);

	(void)unit_s;
	return *text ? V_NONE : v;
}

static enum verdict scan_seconds(const char *text, double unit_s, double *value)
{
	/* 5 / 1e6 is the double nearest to 5 us, 5 * 1e-6 is not */
	const struct { const char *name; double times, over; } units[] = {
		{ "", unit_s, 1 }, { "s", 1, 1 },   { "ms", 1, 1e3 },  { "us", 1, 1e6 },
		{ "ns", 1, 1e9 },  { "m", 60, 1 },  { "h", 3600, 1 },
	};
	enum verdict v = scan_decimal(&text, value);

	for (size_t i = 0; v != V_NONE && i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(text, units[i].name) != 0)
			continue;
		if (signbit(*value))
			return V_RANGE;
		*value = *value * units[i].times / units[i].over;
		return isfinite(*value) ? V_OK : V_HUGE;
	}
	return V_NONE;
}

/* Capacity is the power of two that holds n, so it need not be kept. */
static void *list_grow(void *v, size_t n, size_t size)
{
	if (n & (n - 1))
		return v;
	return reallocarray(v, n ? 2 * n : 1, size);
}

static enum verdict numbers_push(struct numbers *list, uint64_t value)
{
	uint64_t *v = list_grow(list->v, list->n, sizeof(*v));

	if (!v)
		return V_MEMORY;
	list->v = v;
	list->v[list->n++] = value;
	return V_OK;
}

static void numbers_release(void *at)
{
	struct numbers *list = at;

	free(list->v);
	*list = (struct numbers){ .n = 0 };
}

/* How a range goes from one member to the next. */
struct step {
	char op;
	uint64_t by;
};

static bool step_next(const struct step *step, uint64_t *value)
{
	if (step->op == '*')
		return !__builtin_mul_overflow(*value, step->by, value);
	return !__builtin_add_overflow(*value, step->by, value);
}

static enum verdict push_range(struct numbers *list, uint64_t first, uint64_t last,
			       const struct step *step)
{
	uint64_t value = first;
	size_t n = 0;

	if (last <= first || step->by == 0 || (step->op == '*' && (step->by == 1 || first == 0)))
		return V_FALLS;
	do {
		enum verdict v = ++n > RANGE_MAX ? V_LONG : numbers_push(list, value);

		if (v)
			return v;
	} while (step_next(step, &value) && value <= last);
	return V_OK;
}

/* Reads "b" or "b:+d" or "b:*f" behind "a:". */
static enum verdict scan_range(const char **at, bool suffixes, uint64_t first,
			       struct numbers *list)
{
	struct step step = { '+', 1 };
	uint64_t last;
	enum verdict v = scan_whole(at, suffixes, &last);

	if (!v && **at == ':') {
		step.op = *++*at;
		if (step.op != '+' && step.op != '*')
			return V_NONE;
		++*at;
		v = scan_whole(at, suffixes && step.op == '+', &step.by);
	}
	if (v)
		return v;
	return **at && **at != ',' ? V_NONE : push_range(list, first, last, &step);
}

/* Reads up to the next comma, or the end; *at is left there only on V_OK. */
static enum verdict scan_item(const char **at, bool suffixes, struct numbers *list)
{
	uint64_t value;
	enum verdict v = scan_whole(at, suffixes, &value);

	if (**at && !strchr(",:", **at))
		return V_NONE;
	if (v)
		return v;
	if (**at != ':')
		return numbers_push(list, value);
	++*at;
	return scan_range(at, suffixes, value, list);
}

/* Where and why a list was refused. */
struct list_fault {
	const char *item;	/* first character of the element */
	uint64_t value;		/* of a range's member that is outside the limits */
	bool member;
};

static enum verdict scan_list(const char *text, bool suffixes, const struct opt *limits,
			      struct numbers *list, struct list_fault *fault)
{
	const char *at = text;

	for (;; at++) {
		size_t from = list->n;
		enum verdict v;

		*fault = (struct list_fault){ .item = at };
		v = scan_item(&at, suffixes, list);
		if (v)
			return v;
		for (size_t i = from; limits && i < list->n; i++) {
			if (in_range(limits, (double)list->v[i]))
				continue;
			fault->value = list->v[i];
			fault->member = list->n - from > 1;
			return V_RANGE;
		}
		if (!*at)
			return V_OK;
	}
}

static int take_flag(const struct ask *ask, const char *text, void *to)
{
	(void)ask;
	(void)text;
	*(bool *)to = true;
	return ST_OK;
}

static int take_whole(const struct ask *ask, const char *text, void *to)
{
	const struct opt *opt = ask->opt;
	const char *end = text;
	uint64_t value = 0;
	enum verdict v;

	if (opt->word && !strcmp(text, opt->word)) {
		*(uint64_t *)to = OPT_AUTO;
		return ST_OK;
	}
	v = scan_whole(&end, kinds[opt->type].suffixes, &value);
	if (*end)
		v = V_NONE;
	else if (!v && opt->word && value == OPT_AUTO)
		v = V_HUGE;
	else if (!v && !in_range(opt, (double)value))
		v = V_RANGE;
	if (v)
		return refuse(ask, text, text, v);
	*(uint64_t *)to = value;
	return ST_OK;
}

static int take_real(const struct ask *ask, const char *text, void *to)
{
	double value;
	enum verdict v = kinds[ask->opt->type].scan(text, ask->unit_s, &value);

	if (!v && !in_range(ask->opt, value))
		v = V_RANGE;
	if (v)
		return refuse(ask, text, text, v);
	*(double *)to = value;
	return ST_OK;
}

static int take_text(const struct ask *ask, const char *text, void *to)
{
	(void)ask;
	*(const char **)to = text;
	return ST_OK;
}

static int take_texts(const struct ask *ask, const char *text, void *to)
{
	struct texts *list = to;
	const char **v = list_grow(list->v, list->n, sizeof(*v));

	if (!v)
		return refuse(ask, text, text, V_MEMORY);
	list->v = v;
	list->v[list->n++] = text;
	return ST_OK;
}

static int refuse_item(const struct ask *ask, const char *text, const struct list_fault *fault,
		       enum verdict why)
{
	struct line l = { .n = 0 };

	if (fault->member)
		line_add(&l, "%llu", (unsigned long long)fault->value);
	else
		line_add(&l, "%.*s", (int)strcspn(fault->item, ","), fault->item);
	return refuse(ask, l.s, text, why);
}

static int take_numbers(const struct ask *ask, const char *text, void *to)
{
	struct numbers list = { .n = 0 };
	struct list_fault fault;
	enum verdict v;

	v = scan_list(text, kinds[ask->opt->type].suffixes, ask->opt, &list, &fault);
	if (v) {
		numbers_release(&list);
		return refuse_item(ask, text, &fault, v);
	}
	numbers_release(to);
	*(struct numbers *)to = list;
	return ST_OK;
}

/* Finds the choice that the first len characters of item name. */
static int find_choice(const struct ask *ask, const char *item, size_t len, const char *text,
		       uint64_t *index)
{
	const char *const *choices = ask->opt->choices;
	struct line value = { .n = 0 }, l;

	for (size_t i = 0; choices[i]; i++) {
		if (strlen(choices[i]) != len || memcmp(choices[i], item, len) != 0)
			continue;
		*index = i;
		return ST_OK;
	}
	line_add(&value, "%.*s", (int)len, item);
	l = complaint(ask, value.s, text);
	line_add(&l, "is not one of: ");
	line_choices(&l, choices);
	return error_usage("%s", l.s);
}

static int take_choice(const struct ask *ask, const char *text, void *to)
{
	return find_choice(ask, text, strlen(text), text, to);
}

static int take_choices(const struct ask *ask, const char *text, void *to)
{
	struct numbers list = { .n = 0 };
	const char *at = text;

	for (;; at++) {
		size_t len = strcspn(at, ",");
		uint64_t index;
		int err = find_choice(ask, at, len, text, &index);

		if (!err && numbers_push(&list, index))
			err = refuse(ask, text, text, V_MEMORY);
		if (err) {
			numbers_release(&list);
			return err;
		}
		at += len;
		if (!*at)
			break;
	}
	numbers_release(to);
	*(struct numbers *)to = list;
	return ST_OK;
}

static json_t *json_whole(uint64_t value)
{
	return value > INT64_MAX ? json_real((double)value) : json_integer((json_int_t)value);
}

/* Jansson refuses what is not UTF-8, which a file name may be. */
static json_t *json_text(const char *text)
{
	json_t *json = json_string(text);
	char *copy;

	if (json || !(copy = strdup(text)))
		return json;
	for (char *c = copy; *c; c++) {
		if (!isascii((unsigned char)*c))
			*c = '?';
	}
	json = json_string(copy);
	free(copy);
	return json;
}

static json_t *dump_flag(const struct opt *opt, const void *from)
{
	(void)opt;
	return json_boolean(*(const bool *)from);
}

static json_t *dump_whole(const struct opt *opt, const void *from)
{
	uint64_t value = *(const uint64_t *)from;

	if (opt->word && value == OPT_AUTO)
		return json_string(opt->word);
	return json_whole(value);
}

static json_t *dump_real(const struct opt *opt, const void *from)
{
	json_t *json = json_real(*(const double *)from);

	(void)opt;
	return json ? json : json_null();
}

static json_t *dump_choice(const struct opt *opt, const void *from)
{
	return json_string(opt->choices[*(const uint64_t *)from]);
}

static json_t *dump_text(const struct opt *opt, const void *from)
{
	const char *text = *(const char *const *)from;

	(void)opt;
	return text ? json_text(text) : json_null();
}

static json_t *dump_numbers(const struct opt *opt, const void *from)
{
	const struct numbers *list = from;
	json_t *array = json_array();

	(void)opt;
	for (size_t i = 0; i < list->n; i++)
		json_array_append_new(array, json_whole(list->v[i]));
	return array;
}

static json_t *dump_choices(const struct opt *opt, const void *from)
{
	const struct numbers *list = from;
	json_t *array = json_array();

	for (size_t i = 0; i < list->n; i++)
		json_array_append_new(array, dump_choice(opt, &list->v[i]));
	return array;
}

static json_t *dump_texts(const struct opt *opt, const void *from)
{
	const struct texts *list = from;
	json_t *array = json_array();

	for (size_t i = 0; i < list->n; i++)
		json_array_append_new(array, dump_text(opt, &list->v[i]));
	return array;
}

static void texts_release(void *at)
{
	struct texts *list = at;

	free(list->v);
	*list = (struct texts){ .n = 0 };
}

static const struct kind kinds[OPT_TEXTS + 1] = {
	[OPT_FLAG] = {
		.size = sizeof(bool),
		.take = take_flag,
		.dump = dump_flag,
	},
	[OPT_UINT] = {
		.size = sizeof(uint64_t),
		.take = take_whole,
		.dump = dump_whole,
		.noun = "a whole number",
		.bound = bound_count,
	},
	[OPT_REAL] = {
		.size = sizeof(double),
		.take = take_real,
		.dump = dump_real,
		.noun = "a number",
		.scan = scan_real,
		.bound = bound_real,
	},
	[OPT_SIZE] = {
		.size = sizeof(uint64_t),
		.take = take_whole,
		.dump = dump_whole,
		.noun = "a size (64, 4k, 1M, 2G)",
		.suffixes = true,
		.bound = bound_size,
	},
	[OPT_SECONDS] = {
		.size = sizeof(double),
		.take = take_real,
		.dump = dump_real,
		.noun = "a time (2, 100ms, 5us, 3m)",
		.scan = scan_seconds,
		.bound = bound_seconds,
	},
	[OPT_CHOICE] = {
		.size = sizeof(uint64_t),
		.take = take_choice,
		.dump = dump_choice,
	},
	[OPT_TEXT] = {
		.size = sizeof(const char *),
		.take = take_text,
		.dump = dump_text,
	},
	[OPT_UINTS] = {
		.size = sizeof(struct numbers),
		.take = take_numbers,
		.dump = dump_numbers,
		.release = numbers_release,
		.noun = "a number list (1,2,4 or 1:64:*2)",
		.item = "a number or a range",
		.bound = bound_count,
	},
	[OPT_SIZES] = {
		.size = sizeof(struct numbers),
		.take = take_numbers,
		.dump = dump_numbers,
		.release = numbers_release,
		.noun = "a list of sizes (64,4k or 1k:1M:*2)",
		.item = "a size or a range",
		.suffixes = true,
		.bound = bound_size,
	},
	[OPT_CHOICES] = {
		.size = sizeof(struct numbers),
		.take = take_choices,
		.dump = dump_choices,
		.release = numbers_release,
	},
	[OPT_TEXTS] = {
		.size = sizeof(struct texts),
		.take = take_texts,
		.dump = dump_texts,
		.release = texts_release,
	},
};

static const struct kind *kind_of(const struct slot *slot)
{
	return &kinds[slot->opt->type];
}

static void *member(const struct slot *slot)
{
	return (char *)slot->values + slot->opt->at;
}

static size_t table_length(const struct opt_table *table)
{
	size_t n = 0;

	while (table->opts && table->opts[n].name)
		n++;
	return n;
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

	*p = (struct parser){ .n = 0 };
	for (size_t t = 0; t < ntables; t++)
		n += table_length(&tables[t]);
	p->slots = calloc(n + 1, sizeof(*p->slots));
	p->longs = calloc(n + 2, sizeof(*p->longs));
	p->shorts = malloc(strlen(mode) + 2 * n + 2);
	if (!p->slots || !p->longs || !p->shorts) {
		parser_close(p);
		return error("out of memory for %zu options", n);
	}
	for (size_t t = 0; t < ntables; t++) {
		for (size_t i = 0, len = table_length(&tables[t]); i < len; i++)
			p->slots[p->n++] = (struct slot){ &tables[t].opts[i], tables[t].values };
	}
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

static size_t add_abbreviated(struct line *l, const struct parser *p, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; p->longs[i].name; i++) {
		if (!strncmp(p->longs[i].name, name, strlen(name)))
			line_add(l, "%s--%s", n++ ? ", " : "", p->longs[i].name);
	}
	return n;
}

/* `word` is what follows the dashes, with or without a value. */
static int refuse_long(struct parser *p, const char *word)
{
	struct line name = { .n = 0 }, l = { .n = 0 }, matches = { .n = 0 };
	const char *near;

	line_add(&name, "%.*s", (int)strcspn(word, "="), word);
	if (name.n && add_abbreviated(&matches, p, name.s)) {
		line_add(&l, "option ");
		line_quote(&l, "--", name.s);
		line_add(&l, " is ambiguous: %s", matches.s);
		return error_usage("%s", l.s);
	}
	line_add(&l, "unknown option ");
	line_quote(&l, "--", name.s);
	near = nearest(name.s, long_name, p);
	if (near)
		line_add(&l, ", did you mean '--%s'?", near);
	return error_usage("%s", l.s);
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

static void clear(const struct parser *p)
{
	for (size_t i = 0; i < p->n; i++)
		memset(member(&p->slots[i]), 0, kind_of(&p->slots[i])->size);
}

static int set_defaults(const struct parser *p)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct slot *slot = &p->slots[i];
		const struct ask ask = { slot->opt, "default", "--", 1 };
		int err = ST_OK;

		if (slot->opt->def)
			err = kind_of(slot)->take(&ask, slot->opt->def, member(slot));
		if (err)
			return err;
	}
	return ST_OK;
}

/* What is given first replaces a list that is there by default. */
static int take_given(const struct slot *slot, const char *text)
{
	const struct ask ask = { slot->opt, NULL, "--", 1 };
	const struct kind *k = kind_of(slot);
	size_t n = 0;

	if (!opts_given(slot->opt->name)) {
		if (k->release)
			k->release(member(slot));
		while (given[n])
			n++;
		given[n] = slot->opt->name;
	}
	return k->take(&ask, text, member(slot));
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
	return given ? ST_OK : error("out of memory for %zu options", n);
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
	clear(&p);
	err = given_reset(p.n);
	if (!err)
		err = set_defaults(&p);
	if (!err) {
		err = take_all(&p, argc, argv, help);
		*operands = optind;
	}
	if (err)
		opts_free(tables, ntables);
	parser_close(&p);
	return err;
}

const char *opts_peek(const struct opt_table *tables, size_t ntables, int argc, char **argv,
		      const char *name)
{
	const char *value = NULL;
	struct parser p;
	int code;

	/* '-' keeps argv in order: behind an unknown option stands its argument */
	if (parser_open(&p, tables, ntables, "-:"))
		return NULL;
	optind = 0;
	opterr = 0;
	while ((code = getopt_long(argc, argv, p.shorts, p.longs, NULL)) != -1) {
		const struct slot *slot = find_slot(&p, code);

		if (slot && !strcmp(slot->opt->name, name))
			value = optarg;
	}
	parser_close(&p);
	return value;
}

bool opts_given(const char *name)
{
	for (size_t i = 0; given && given[i]; i++) {
		if (!strcmp(given[i], name))
			return true;
	}
	return false;
}

void opts_free(const struct opt_table *tables, size_t ntables)
{
	for (size_t t = 0; t < ntables; t++) {
		for (size_t i = 0, n = table_length(&tables[t]); i < n; i++) {
			const struct slot slot = { &tables[t].opts[i], tables[t].values };

			if (kind_of(&slot)->release)
				kind_of(&slot)->release(member(&slot));
		}
	}
}

/* Default, range and choices, in brackets if there is any. */
static void line_notes(struct line *l, const struct opt *opt)
{
	struct line notes = { .n = 0 };

	if (opt->type == OPT_FLAG)
		return;
	if (opt->def && *opt->def)
		line_add(&notes, ", default %s", opt->def);
	if (opt->choices) {
		line_add(&notes, ", %s of: ", opt->type == OPT_CHOICES ? "any" : "one");
		line_choices(&notes, opt->choices);
	} else if (kinds[opt->type].bound && (has_range(opt) || opt->word)) {
		line_add(&notes, ", ");
		line_range(&notes, opt);
	}
	if (notes.n)
		line_add(l, " (%s)", notes.s + strlen(", "));
}

static void print_wrapped(FILE *to, const char *text)
{
	int column = TEXT_COLUMN;

	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		int len = (int)strcspn(text, " ");

		if (column > TEXT_COLUMN && column + 1 + len > LINE_WIDTH) {
			fprintf(to, "\n%*s", TEXT_COLUMN, "");
			column = TEXT_COLUMN;
		}
		column += fprintf(to, "%s%.*s", column > TEXT_COLUMN ? " " : "", len, text);
		text += len;
	}
	putc('\n', to);
}

static void print_option(FILE *to, const struct opt *opt)
{
	struct line head = { .n = 0 }, text = { .n = 0 };

	if (opt->letter)
		line_add(&head, "  -%c, --%s", opt->letter, opt->name);
	else
		line_add(&head, "      --%s", opt->name);
	if (opt->arg)
		line_add(&head, "=%s", opt->arg);
	line_add(&text, "%s", opt->help ? opt->help : "");
	line_notes(&text, opt);
	if (!text.n)
		fputs(head.s, to);
	else if (head.n + 2 > TEXT_COLUMN)
		fprintf(to, "%s\n%*s", head.s, TEXT_COLUMN, "");
	else
		fprintf(to, "%-*s", TEXT_COLUMN, head.s);
	print_wrapped(to, text.s);
}

void opts_help(FILE *to, const struct opt_table *tables, size_t ntables)
{
	const char *between = "";

	for (size_t t = 0; t < ntables; t++) {
		size_t n = table_length(&tables[t]);

		if (!n)
			continue;
		fputs(between, to);
		between = "\n";
		if (tables[t].title)
			fprintf(to, "%s:\n", tables[t].title);
		for (size_t i = 0; i < n; i++)
			print_option(to, &tables[t].opts[i]);
	}
}

void opts_usage(FILE *to, const struct opt_table *table)
{
	for (size_t i = 0, n = table_length(table); i < n; i++) {
		const struct opt *opt = &table->opts[i];

		if (opt->letter)
			fprintf(to, " [-%c", opt->letter);
		else
			fprintf(to, " [--%s", opt->name);
		if (opt->arg)
			fprintf(to, " %s", opt->arg);
		putc(']', to);
	}
}

json_t *opts_dump(const struct opt_table *tables, size_t ntables)
{
	json_t *object = json_object();

	for (size_t t = 0; t < ntables; t++) {
		for (size_t i = 0, n = table_length(&tables[t]); i < n; i++) {
			const struct slot slot = { &tables[t].opts[i], tables[t].values };

			json_object_set_new(object, slot.opt->name,
					    kind_of(&slot)->dump(slot.opt, member(&slot)));
		}
	}
	return object;
}

bool parse_size(const char *text, uint64_t *bytes)
{
	uint64_t value;

	if (scan_whole(&text, true, &value) || *text)
		return false;
	*bytes = value;
	return true;
}

bool parse_seconds(const char *text, double *seconds)
{
	double value;

	if (scan_seconds(text, 1, &value))
		return false;
	*seconds = value;
	return true;
}

bool parse_numbers(const char *text, bool suffixes, struct numbers *list)
{
	struct list_fault fault;

	*list = (struct numbers){ .n = 0 };
	if (!scan_list(text, suffixes, NULL, list, &fault))
		return true;
	numbers_release(list);
	return false;
}

static const char *field_name(size_t i, void *arg)
{
	const struct field *fields = arg;

	return fields[i].name;
}

/* Where in "a=1,b=2" the field is set, NULL if nowhere. */
static const char *find_mention(const char *text, const char *name)
{
	size_t len = strlen(name);

	for (;; text++) {
		if (!strncmp(text, name, len) && text[len] == '=')
			return text;
		text += strcspn(text, ",");
		if (!*text)
			return NULL;
	}
}

/* What parse_fields was asked for. */
struct record {
	const char *what;
	const struct field *fields;
	double unit_s;
	void *values;
};

static int refuse_field(const struct record *r, const char *name)
{
	const char *near = nearest(name, field_name, (void *)r->fields);
	struct line l = { .n = 0 };

	line_add(&l, "%s: unknown field ", r->what);
	line_quote(&l, "", name);
	if (near)
		line_add(&l, ", did you mean '%s'?", near);
	else
		line_add(&l, ", known are: ");
	for (size_t i = 0; !near && r->fields[i].name; i++)
		line_add(&l, "%s%s", i ? ", " : "", r->fields[i].name);
	return error_usage("%s", l.s);
}

static int take_field(const struct record *r, const struct field *f, const char *value)
{
	bool any = f->min == 0 && f->max == 0;
	const struct opt opt = {
		.name = f->name,
		.type = f->type,
		.min = f->min,
		.max = any ? -1 : f->max, /* below min: no upper bound */
	};
	const struct ask ask = { &opt, r->what, "", r->unit_s };

	return kinds[f->type].take(&ask, value, (char *)r->values + f->at);
}

/* `pair` is a copy, which is cut in two, of what stands at `original` in `text`. */
static int take_pair(const struct record *r, const char *text, const char *original, char *pair)
{
	const struct field *f = r->fields;
	char *value = strchr(pair, '=');
	struct line l = { .n = 0 };

	if (!value) {
		line_quote(&l, "", pair);
		return error_usage("%s: %s is not of the form name=value", r->what, l.s);
	}
	*value++ = '\0';
	while (f->name && strcmp(f->name, pair) != 0)
		f++;
	if (!f->name)
		return refuse_field(r, pair);
	if (find_mention(text, f->name) != original)
		return error_usage("%s: field '%s' is given twice", r->what, f->name);
	return take_field(r, f, value);
}

int parse_fields(const char *what, const char *text, const struct field *fields, double unit_s,
		 void *values)
{
	const struct record r = { what, fields, unit_s, values };
	char *copy = strdup(text), *rest = copy, *pair;
	int err = copy ? ST_OK : error("out of memory");

	while (!err && *text && (pair = strsep(&rest, ",")))
		err = take_pair(&r, text, text + (pair - copy), pair);
	for (; !err && fields->name; fields++) {
		if (fields->required && !find_mention(text, fields->name))
			err = error_usage("%s: field '%s' is missing", what, fields->name);
	}
	free(copy);
	return err;
}

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Insertions, deletions, replacements and swaps of neighbours from a to b. */
static size_t edit_distance(const char *a, size_t na, const char *b, size_t nb)
{
	size_t d[WORD_MAX + 1][WORD_MAX + 1];

	for (size_t i = 0; i <= na; i++)
		d[i][0] = i;
	for (size_t j = 0; j <= nb; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= na; i++) {
		for (size_t j = 1; j <= nb; j++) {
			bool same = same_letter(a[i - 1], b[j - 1]);

			d[i][j] = least(d[i - 1][j] + 1, d[i][j - 1] + 1);
			d[i][j] = least(d[i][j], d[i - 1][j - 1] + !same);
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
			    same_letter(a[i - 2], b[j - 1]))
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[na][nb];
}

/* How far b is from what was meant by a; a beginning of two letters counts as one edit. */
static size_t remoteness(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b), common = least(na, nb), d;

	if (na > WORD_MAX || nb > WORD_MAX)
		return SIZE_MAX;
	d = edit_distance(a, na, b, nb);
	return common > 1 && !strncmp(a, b, common) ? least(d, 1) : d;
}

const char *nearest(const char *word, const char *(*candidate)(size_t i, void *arg), void *arg)
{
	size_t len = strlen(word), best = (len + 2) / 3 + 1;
	const char *found = NULL, *name;

	/* as many edits as letters: nothing of the word is left */
	best = least(best, len);
	for (size_t i = 0; (name = candidate(i, arg)); i++) {
		size_t d = remoteness(word, name);

		if (d < best) {
			best = d;
			found = name;
		}
	}
	return found;
}
