/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/sim/faults.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "base/values.h"

#define LATE_MOST_S 3600
#define NS 1e-9
#define FIELDS 4

/* Noise that several messages have in common. Each message also has noise of its own. */
/* probability that a message is disturbed; also the probability that a stretch of a pair is */
#define DISTURBED 0.02
#define SLOWED_LEAST 0.1	/* a disturbance lengthens the time by at least this share */
#define SLOWED_MOST 3.0		/* a disturbance lengthens the time by at most this share */
/* sigma of the differences between hosts; also sigma of the differences between pairs */
#define DIFFERENT 0.005
/* sigma of the noise that simultaneous meetings of all pairs have in common */
#define COMMON 0.02
#define DRIFT 0.03		/* the drift lengthens the time by at most this share */
/* the drift rises for this many repetitions, then falls for as many */
#define DRIFT_REPETITIONS 600

enum fault_kind { HOST, PAIR, DIRECTION, LATENCY, GROUP, FLAP, NOISE, START, NKINDS };
static const struct {
	const char *name, *example;
	size_t fields;		/* number of fields after the name */
	/* true if the fault names two hosts, or the first and last host of a group */
	bool two;
} kinds[NKINDS] = {
	[HOST] = { "host", "host:17,send,0.7", 3, false },
	[PAIR] = { "pair", "pair:3-9,0.6", 2, true },
	[DIRECTION] = { "direction", "direction:3-9,0.75", 2, true },
	[LATENCY] = { "latency", "latency:5,+200us", 2, false },
	[GROUP] = { "group", "group:8-15,0.8", 2, true },
	[FLAP] = { "flap", "flap:4,0.5,0.5", 3, false },
	[NOISE] = { "noise", "noise:5%", 1, false },
	[START] = { "start", "start:3,1ms", 2, false },
};

struct fault {
	enum fault_kind kind;
	/*
	 * a: the host, or the first host of a pair or group. b: the second host of a pair, or the
	 * last host of a group.
	 */
	int a, b;
	bool sends, receives;	/* HOST */
	double factor;		/* factor of the bandwidth */
	/* late: delay in ns. noise: sigma of the logarithm of a message's time. */
	double late, noise;
	double share;		/* FLAP: share of the meetings that the fault affects */
};

struct faults {
	size_t n;
	uint64_t seed;
	struct rng rng;
	struct fault at[];
};

/* ---- reading ---- */

/* Parses "17" or "3-9". Both ranks must be below n. */
static bool parse_hosts(const char *text, int n, int *a, int *b)
{
	uint64_t first, last;

	if (scan_whole(&text, false, &first) != V_OK || first >= (uint64_t)n)
		return false;
	*a = *b = (int)first;
	if (!*text)
		return true;
	if (*text++ != '-' || scan_whole(&text, false, &last) != V_OK || *text ||
	    last >= (uint64_t)n)
		return false;
	*b = (int)last;
	return true;
}

/* Parses a factor or a share, which must be above 0 and at most 1. Returns false if it is not. */
static bool parse_share(const char *text, double *to)
{
	return text && scan_real(text, to) == V_OK && *to > 0 && *to <= 1;
}

static bool parse_noise(char *text, struct fault *f)
{
	size_t len = strlen(text);

	if (!len || text[len - 1] != '%')
		return false;
	text[len - 1] = '\0';
	f->noise = scan_real(text, &f->noise) == V_OK ? f->noise / 100 : 0;
	return f->noise > 0 && f->noise <= 1;
}

/*
 * Parses the fields after the fault's name. field[i] is NULL if that field is missing. Returns
 * false if a field is wrong.
 */
static bool parse_fields(struct fault *f, char *const field[FIELDS], int nranks)
{
	bool two = kinds[f->kind].two;
	double late;

	if (field[kinds[f->kind].fields] || !field[0])
		return false;
	if (f->kind == NOISE)
		return parse_noise(field[0], f);
	if (!parse_hosts(field[0], nranks, &f->a, &f->b) || two != !!strchr(field[0], '-') ||
	    (f->kind == GROUP ? f->a > f->b : two && f->a == f->b))
		return false;
	if (f->kind == LATENCY || f->kind == START) {
		if (!field[1] || !parse_seconds(field[1] + (*field[1] == '+'), &late))
			return false;
		f->late = late / NS;
		return late > 0 && late <= LATE_MOST_S;
	}
	if (f->kind == HOST && field[1]) {
		f->sends = !strcmp(field[1], "send") || !strcmp(field[1], "both");
		f->receives = !strcmp(field[1], "receive") || !strcmp(field[1], "both");
	}
	if (f->kind == HOST)
		return (f->sends || f->receives) && parse_share(field[2], &f->factor);
	return parse_share(field[1], &f->factor) &&
	       (f->kind != FLAP || parse_share(field[2], &f->share));
}

static int parse_fault(const char *text, int nranks, struct fault *f)
{
	char *copy = strdup(text), *rest = copy, *field[FIELDS] = { NULL }, *name;
	bool good;

	if (!copy)
		return error_report("no memory for '--sim-fault'");
	name = strsep(&rest, ":");
	*f = (struct fault){ .kind = HOST, .factor = 1 };
	while (f->kind < NKINDS && strcmp(kinds[f->kind].name, name) != 0)
		f->kind++;
	for (size_t i = 0; i < FIELDS && rest; i++)
		field[i] = strsep(&rest, ",");
	good = f->kind < NKINDS && !rest && parse_fields(f, field, nranks);
	free(copy);
	if (good)
		return ST_OK;
	if (f->kind == NOISE)
		return error_usage("'%s' in '--sim-fault': expected the form %s, above 0 and "
				   "up to 100%%", text, kinds[f->kind].example);
	if (f->kind < NKINDS)
		return error_usage("'%s' in '--sim-fault': expected the form %s, with ranks "
				   "below %d and %s", text, kinds[f->kind].example, nranks,
				   f->kind == LATENCY || f->kind == START
						      ? "a time above 0, up to an hour"
						      : "factors above 0, up to 1");
	return error_usage("'%s' in '--sim-fault': expected host, pair, direction, latency, group, "
			   "flap, noise or start", text);
}

int faults_read(const struct texts *list, uint64_t seed, int nranks, struct faults **to)
{
	struct faults *f;
	int err = ST_OK;

	*to = NULL;
	if (!list->n)
		return ST_OK;
	f = calloc(1, sizeof(*f) + list->n * sizeof(*f->at));
	if (!f)
		return error_report("no memory for '--sim-fault'");
	f->seed = seed;
	rng_seed(&f->rng, seed);
	for (; f->n < list->n && !err; f->n++)
		err = parse_fault(list->v[f->n], nranks, &f->at[f->n]);
	if (err)
		faults_free(f);
	else
		*to = f;
	return err;
}

void faults_free(struct faults *f)
{
	free(f);
}

/* ---- random numbers ---- */

static double draw_uniform(struct rng *r)
{
	return ((double)(rng_next(r) >> 11) + 0.5) * 0x1p-53;
}

static double draw_normal(struct rng *r)
{
	return sqrt(-2 * log(draw_uniform(r))) * cos(2 * M_PI * draw_uniform(r));
}

/*
 * Returns a generator of random numbers. Equal arguments always give the same numbers. The
 * arguments are the purpose `what`, up to two hosts, and the number of a stretch or meeting.
 */
static struct rng seeded_rng(const struct faults *f, uint64_t what, int a, int b, uint64_t stretch)
{
	const uint64_t parts[] = { what, (uint64_t)a, (uint64_t)b, stretch };
	uint64_t key = f->seed;
	struct rng r;

	for (size_t i = 0; i < LENGTH(parts); i++)
		key = key * 0x9e3779b97f4a7c15U + parts[i];
	rng_seed(&r, key);
	return r;
}

enum { OF_FLAP, OF_STRETCH, OF_ALL, OF_SENDER, OF_RECEIVER, OF_PAIR };

static double repeatable_normal(const struct faults *f, uint64_t what, int a, int b,
				uint64_t stretch)
{
	struct rng r = seeded_rng(f, what, a, b, stretch);

	return draw_normal(&r);
}

/*
 * Returns the logarithm of the factor by which a random disturbance lengthens a time. The result is
 * mostly 0: no disturbance.
 */
static double draw_disturbance(struct rng *r)
{
	if (draw_uniform(r) >= DISTURBED)
		return 0;
	return log1p(SLOWED_LEAST + (SLOWED_MOST - SLOWED_LEAST) * draw_uniform(r));
}

/*
 * Returns the logarithm of the factor by which noise lengthens a message. A disturbance of a
 * stretch affects both directions, because a round trip is one measurement.
 */
static double log_noise(struct faults *f, double sigma, int from, int to, const struct moment *when)
{
	struct rng pair = seeded_rng(f, OF_STRETCH, from < to ? from : to, from < to ? to : from,
				     when->stretch);
	uint64_t at = when->repetition % (2 * DRIFT_REPETITIONS);
	/* the drift rises from 0 to 1, then falls to 0 again */
	double drift = 1 - fabs(1 - (double)at / DRIFT_REPETITIONS);

	return sigma * draw_normal(&f->rng) + draw_disturbance(&f->rng) + draw_disturbance(&pair) +
	       COMMON * repeatable_normal(f, OF_ALL, 0, 0, when->meeting) +
	       DRIFT * drift +
	       DIFFERENT * (repeatable_normal(f, OF_SENDER, from, 0, 0) +
			    repeatable_normal(f, OF_RECEIVER, 0, to, 0) +
			    repeatable_normal(f, OF_PAIR, from, to, 0));
}

/* ---- the effect of faults ---- */

/* Returns whether a fault slows messages from one host to another. */
static bool fault_slows(const struct faults *all, const struct fault *f, int from, int to,
			const struct moment *when)
{
	bool there = from == f->a && to == f->b, back = from == f->b && to == f->a;
	struct rng chance;

	switch (f->kind) {
	case HOST: return (f->sends && from == f->a) || (f->receives && to == f->a);
	case PAIR: return there || back;
	case DIRECTION: return there;
	case GROUP: return (from >= f->a && from <= f->b) != (to >= f->a && to <= f->b);
	case FLAP:
		if (from != f->a && to != f->a)
			return false;
		chance = seeded_rng(all, OF_FLAP, f->a, 0, when->meeting);
		return draw_uniform(&chance) < f->share;
	default: return false;
	}
}

/* If several faults reduce a message's bandwidth, only the smallest factor applies. */
struct harm faults_on_message(struct faults *f, int from, int to, const struct moment *when)
{
	struct harm harm = { .factor = 1, .slowed = 1 };

	for (const struct fault *at = f->at; at < f->at + f->n; at++) {
		if (fault_slows(f, at, from, to, when))
			harm.factor = fmin(harm.factor, at->factor);
		if (at->kind == LATENCY && (from == at->a || to == at->a))
			harm.late += at->late;
		if (at->kind == NOISE)
			harm.slowed *= exp(log_noise(f, at->noise, from, to, when));
	}
	return harm;
}

double faults_start_delay(const struct faults *f, int rank)
{
	double late = 0;

	for (const struct fault *at = f->at; at < f->at + f->n; at++)
		if (at->kind == START && at->a == rank)
			late += at->late;
	return late;
}
