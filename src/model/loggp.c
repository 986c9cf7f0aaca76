/* SPDX-License-Identifier: Apache-2.0 */
#include "model/loggp.h"

#include <math.h>
#include <stddef.h>

#include "base/error.h"
#include "base/read/fields.h"

/* The values that a parsed text gives. An overhead that is not in the text is NaN. */
struct loggp_said {
	struct loggp p;
	double o, c;
	struct numbers ranks;
};

/* All fields. A text that must not contain the first ones is parsed with a later beginning. */
static const struct field fields[] = {
	{ "P", NUMBER_WHOLE, offsetof(struct loggp_said, ranks), .min = 2, .max = LOGGP_MOST,
	  .list = true },
	{ "c", NUMBER_SECONDS, offsetof(struct loggp_said, c), .required = false },
	{ "L", NUMBER_SECONDS, offsetof(struct loggp_said, p.L), .required = false },
	{ "o", NUMBER_SECONDS, offsetof(struct loggp_said, o), .required = false },
	{ "o_s", NUMBER_SECONDS, offsetof(struct loggp_said, p.o_s), .required = false },
	{ "o_r", NUMBER_SECONDS, offsetof(struct loggp_said, p.o_r), .required = false },
	{ "g", NUMBER_SECONDS, offsetof(struct loggp_said, p.g), .required = false },
	{ "G", NUMBER_SECONDS, offsetof(struct loggp_said, p.G), .required = false },
	{ 0 }
};
enum { FROM_RANKS, FROM_ADDING, FROM_LATENCY };

/*
 * Parses the fields of a text. Overheads that are not in the text keep their values. Returns ST_OK
 * or ST_USAGE (reported).
 */
static int parse_fields(const char *text, const struct field *which, struct loggp_said *given)
{
	struct loggp was = given->p;
	double o_s, o_r;
	int err;

	given->o = given->p.o_s = given->p.o_r = NAN;
	err = fields_parse("loggp", text, which, 1e-9, given);
	o_s = isnan(given->o) ? was.o_s : given->o;
	o_r = isnan(given->o) ? was.o_r : given->o;
	given->p.o_s = isnan(given->p.o_s) ? o_s : given->p.o_s;
	given->p.o_r = isnan(given->p.o_r) ? o_r : given->p.o_r;
	if (err)
		given->p = was;
	return err;
}

int loggp_parse(const char *text, struct loggp *p)
{
	struct loggp_said given = { .p = *p };
	int err = parse_fields(text, fields + FROM_LATENCY, &given);

	*p = given.p;
	return err;
}

int loggp_parse_adding(const char *text, struct loggp *p, double *c)
{
	struct loggp_said given = { .p = *p, .c = *c };
	int err = parse_fields(text, fields + FROM_ADDING, &given);

	*p = given.p;
	*c = given.c;
	return err;
}

int loggp_parse_sweep(const char *text, struct loggp *p, double *c, struct numbers *ranks)
{
	struct loggp_said given = { .p = *p, .c = *c };
	int err = parse_fields(text, fields + FROM_RANKS, &given);

	*p = given.p;
	*c = given.c;
	*ranks = given.ranks;
	return err;
}

const char *loggp_missing(const struct loggp *p)
{
	return !isfinite(p->L) ? "L" : !(p->o_s >= 0) ? "o_s" : !(p->o_r >= 0) ? "o_r" :
	       !(p->g >= 0) ? "g" : !(p->G >= 0) ? "G" : NULL;
}

int loggp_check(const struct loggp *p)
{
	const char *missing = isnan(p->L) ? "L" : isnan(p->o_s) || isnan(p->o_r) ? "o" :
			      isnan(p->g) ? "g" : isnan(p->G) ? "G" : NULL;

	if (missing)
		return error_usage("loggp: field '%s' is missing", missing);
	if (fmax(fmax(p->o_s, p->o_r), p->g) > 0)
		return ST_OK;
	return error_usage("loggp: o and g are 0: messages of one byte would take no time to send");
}

const struct loggp *loggp_for_size(const struct loggp_pieces *pieces, uint64_t k)
{
	size_t i = 0;

	while (i + 1 < pieces->n && (double)k > pieces->upto[i])
		i++;
	return &pieces->p[i];
}

double loggp_less_one(uint64_t k)
{
	return k ? (double)(k - 1) : 0;
}

double loggp_gamma(const struct loggp *p, uint64_t k)
{
	return p->g + loggp_less_one(k) * p->G;
}

double loggp_send_interval(const struct loggp *p, uint64_t k)
{
	return fmax(p->o_s, loggp_gamma(p, k));
}

double loggp_recv_interval(const struct loggp *p, uint64_t k)
{
	return fmax(p->o_r, loggp_gamma(p, k));
}

double loggp_interval(const struct loggp *p, uint64_t k)
{
	return fmax(loggp_send_interval(p, k), loggp_recv_interval(p, k));
}

double loggp_one_way(const struct loggp *p, uint64_t k)
{
	return p->o_s + loggp_less_one(k) * p->G + p->L + p->o_r;
}

double loggp_stream(const struct loggp *p, uint64_t k, uint64_t n)
{
	return n ? loggp_one_way(p, k) + loggp_less_one(n) * loggp_interval(p, k) : 0;
}

double loggp_pingpong(const struct loggp *p, uint64_t k, uint64_t r)
{
	double trip = 2 * loggp_one_way(p, k);

	return r ? trip + loggp_less_one(r) * fmax(trip, loggp_gamma(p, k)) : 0;
}

double loggp_exchange(const struct loggp *p, uint64_t k, uint64_t n)
{
	return n ? fmax(loggp_stream(p, k, n), (double)n * (p->o_s + p->o_r)) : 0;
}

/*
 * Returns the time of windows sent both ways. A rank posts its reply when it has received all
 * messages. The reply leaves after the messages of this rank.
 */
static double windows_both_ways(const struct loggp *p, uint64_t k, uint64_t W, uint64_t loops)
{
	double sent = loggp_less_one(W) * loggp_send_interval(p, k) + loggp_gamma(p, k),
	       left = p->o_s + fmax(loggp_exchange(p, k, W), sent), once = left + p->L + p->o_r;

	return once + loggp_less_one(loops) * fmax(once, left + p->g - p->o_s);
}

double loggp_windows(const struct loggp *p, uint64_t k, uint64_t W, uint64_t loops, bool both)
{
	double once = loggp_stream(p, k, W) + loggp_one_way(p, 1);
	double free = loggp_less_one(W) * loggp_send_interval(p, k) + loggp_gamma(p, k);

	if (!W || !loops)
		return 0;
	return both ? windows_both_ways(p, k, W, loops)
		    : once + loggp_less_one(loops) * fmax(once, free);
}

struct loggp_sliding loggp_sliding(const struct loggp *p, uint64_t k, uint64_t W)
{
	double gap = fmax(loggp_gamma(p, k), p->g), both = p->o_s + p->o_r;
	struct loggp_sliding s = { .rtt = loggp_one_way(p, k) + loggp_one_way(p, 1),
				   .interval = fmax(gap, both) };

	s.rate = fmin((double)W / s.rtt, 1 / s.interval);
	s.bound = (double)W * s.interval < s.rtt ? "window" : gap > both ? "gap" : "processor";
	return s;
}

double loggp_sliding_time(const struct loggp *p, uint64_t k, uint64_t W, uint64_t loops)
{
	struct loggp_sliding s = loggp_sliding(p, k, W);
	double n = (double)W * (double)loops;

	return fmax((double)loops * s.rtt + loggp_less_one(W) * s.interval,
		    (n - 1) * s.interval + s.rtt);
}
