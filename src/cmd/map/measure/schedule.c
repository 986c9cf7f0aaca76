/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/measure/schedule.h"

#include <math.h>
#include <stdio.h>

#include "analyse/map/judge/probe.h"
#include "analyse/map/judge/tournament.h"

#define HOSTS_QUICK 256 /* with more than HOSTS_QUICK hosts, only random pairs are measured */
#define HOSTS_FEW 8		/* with at most HOSTS_FEW hosts, there are more visits */
#define VISITS_FEW 5
#define VISITS_MANY 3

enum map_mode schedule_mode(const struct settings *st, uint32_t n)
{
	const struct map_options *o = st->own;

	if (o->mode != MODE_AUTO)
		return (enum map_mode)o->mode;
	return n > HOSTS_QUICK || settings_given(st, "rounds") ? MODE_QUICK : MODE_ROUNDS;
}

struct map_schedule schedule_for(const struct settings *st, uint32_t n)
{
	struct map_schedule c = { .n = n, .mode = schedule_mode(st, n) };

	if (c.mode == MODE_QUICK) {
		c.visits = 1;
		c.rounds = (uint32_t)((const struct map_options *)st->own)->rounds;
		return c;
	}
	c.visits = settings_given(st, "visits") ? (uint32_t)st->m.visits
		   : n <= HOSTS_FEW		? VISITS_FEW
						: VISITS_MANY;
	c.rounds = tournament_rounds(n);
	return c;
}

/* True if the run tests whether pairs share links. */
static bool tests_sharing(const struct map_schedule *c, const struct map_options *o)
{
	if (c->n < PROBE_HOSTS || o->no_retest || o->no_alone || c->mode == MODE_SERIAL)
		return false;
	return c->mode == MODE_QUICK ? c->n <= PROBE_QUICK_MOST : c->visits > 1;
}

void schedule_describe(const struct plan *p, const struct map_schedule *c, char *text, size_t len)
{
	int n = snprintf(text, len, "%u visit%s of %u round%s with up to %u pair%s%s", c->visits,
			 c->visits == 1 ? "" : "s", c->rounds, c->rounds == 1 ? "" : "s", c->n / 2,
			 c->n / 2 == 1 ? "" : "s",
			 c->mode == MODE_SERIAL ? ", one by one" : " at once");
	const struct map_options *o = p->settings->own;
	/* planned time of the repetitions of a round, s */
	double round = (SCHEDULE_REPETITIONS + (double)p->warmup) *
		       (SCHEDULE_LATENCY_S + 2 * ROUND_TARGET_S);
	double turns = c->mode == MODE_SERIAL ? floor(c->n / 2.0) : 1;
	double least = c->visits * c->rounds * turns * round;
	/* rounds of the thin visit, and of loads on leaves; in mode quick 1.5 n pairs alone */
	double most = c->mode == MODE_QUICK ? 1.5 * c->n : 4.0 * least / round + 24;

	if (!settings_virtual(p->settings))
		n += snprintf(text + n, len - (size_t)n,
			      ": at least %.*f s, plus time for suspects", least < 10, least);
	if (!settings_virtual(p->settings) && round > 0 && tests_sharing(c, o))
		snprintf(text + n, len - (size_t)n, "; this includes up to %.1f s for single "
			 "pairs; if pairs share links, up to %.0f s more", PROBE_ROUNDS * round,
			 (most + 2 * MOST_ALONE) * round);
}
