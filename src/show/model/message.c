/* SPDX-License-Identifier: Apache-2.0 */
#include "show/model/message.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/model/timeline.h"
#include "show/units.h"

enum class { SENDING, RECEIVING, GAP };

/* By the name of a parameter. */
static enum class class_of(const struct stage *s)
{
	return *s->name == 'g' ? GAP
	       : strstr(s->name, "_r") || strstr(s->name, "rcv") || strstr(s->name, "free")
	       ? RECEIVING : SENDING;
}

/* A stage that is followed by another one, NULL if it is the last. */
static void put_stage(const struct timeline *t, const struct stage *s, const struct stage *next)
{
	printf("<g><title>%s: %s to %s</title>\n", s->name, scaled_time(s->from, t->cycles).s,
	       scaled_time(s->until, t->cycles).s);
	if (s->at != s->to)
		timeline_way(t, s->at, s->from, s->to, s->until);
	else
		timeline_bar(t, class_of(s), s->at, s->from, s->until);
	/* the first byte is as long on its way as the last */
	if (next && !strcmp(s->name, "(k-1)G") && !strcmp(next->name, "L"))
		timeline_way(t, next->at, s->from, next->to, s->from + next->until - next->from);
	printf("</g>\n");
}

void message_put_svg(const char *title, const struct stage *stages, size_t n,
		     const char *const *places, unsigned nplaces, bool cycles)
{
	const struct stage *end = stages + n;
	struct timeline t = { .title = title, .names = places, .nplaces = nplaces,
			      .cycles = cycles, .line = 70,
			      .legend = { "sending", "receiving", "gap" } };

	for (const struct stage *s = stages; s < end; s++)
		t.last = fmax(t.last, s->until);
	timeline_begin(&t);
	for (int gaps = 1; gaps >= 0; gaps--)	/* beneath all else */
		for (const struct stage *s = stages; s < end; s++)
			if ((class_of(s) == GAP) == gaps)
				put_stage(&t, s, s + 1 < end ? s + 1 : NULL);
	for (unsigned place = 0; place < nplaces; place++) {
		double free = 0;

		for (const struct stage *s = stages; s < end; s++) {
			/* what is seen of a gap is its end */
			double from = class_of(s) == GAP ? (s->from + s->until) / 2 : s->from;

			if (s->at == place && s->to == place)
				timeline_bar_name(&t, place, from, s->until, &free, s->name);
			else if (s->at == place)
				timeline_way_name(&t, place, from, s->to, s->until, s->name);
		}
	}
	timeline_end();
}
