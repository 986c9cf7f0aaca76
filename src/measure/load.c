/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/load.h"

#include <math.h>

#include "base/clock.h"
#include "base/error.h"
#include "measure/sink/sink.h"

/* Time for which a computing task is timed without communication, s. */
#define ALONE_S 50e-3

/*
 * The bootstrap for the interval of a slowdown divides the repetitions into PARTS_LEAST to
 * PARTS_MOST parts. It makes DRAWS draws from these parts.
 */
#define PARTS_LEAST 6
#define PARTS_MOST 20
#define DRAWS 4000

void load_start(struct session *s, const struct spec *spec)
{
	struct alone mine, *sum = &s->computing.alone;
	const struct alone *all;
	double processor, begun;

	if (!spec->load)
		return;
	if (spec->load & s->part.round.roles && !(s->computing.task = background_start()))
		session_abort(s, ST_FAILED);
	if (spec->series == s->computing.series)
		return;
	s->computing.series = spec->series;
	s->job->kind->barrier(s->job);
	processor = background_cpu_s(s->computing.task);
	begun = clock_wall();
	for (int i = 0; i < ALONE_PARTS; i++)
		mine.rate[i] = background_sleep_and_rate(s->computing.task, ALONE_S / ALONE_PARTS);
	processor = (background_cpu_s(s->computing.task) - processor) / (clock_wall() - begun);
	mine.processor = s->computing.task ? processor : INFINITY;
	all = session_gather(s, &mine, sizeof(mine));
	*sum = (struct alone){ .processor = INFINITY };
	for (int r = 0; session_is_root(s) && r < s->job->size; r++) {
		sum->processor = fmin(sum->processor, all[r].processor);
		for (int i = 0; i < ALONE_PARTS; i++)
			sum->rate[i] += all[r].rate[i];
	}
}

void load_stop(struct session *s)
{
	if (s->computing.task && session_is_root(s))
		json_object_set_new(s->sink->record.summary, "load_priority",
				    json_string(background_priority()));
	background_stop(s->computing.task);
	s->computing.task = NULL;
}

void load_summarise(const struct session *s, struct result *res)
{
	const struct samples *x = &s->sink->samples;
	double *rates = (double *)(uintptr_t)s->computing.alone.rate;
	const struct series alone = { rates, ALONE_PARTS, 0 };
	struct series meanwhile = { NULL };
	struct ratio found;
	double parts = fmin(fmax(sqrt((double)x->work_rates.n), PARTS_LEAST), PARTS_MOST), ratio;

	res->processor = s->computing.alone.processor;
	res->work_alone = res->work_during = 0;
	for (int i = 0; i < ALONE_PARTS; i++)
		res->work_alone += alone.s[i] / ALONE_PARTS;
	for (int r = 0; r < s->job->size; r++) {
		const struct work *w = &x->ranks[r].work;

		if (w->seconds > 0)
			res->work_during += w->units / w->seconds;
		if (w->around_s > 0)
			res->processor = fmin(res->processor, w->processor_s / w->around_s);
	}
	res->slowdown = (struct interval){ NAN, NAN };
	if (!res->spec->load || x->work_rates.n < PARTS_LEAST || !(res->work_during > 0))
		return;
	ratio = res->work_alone / res->work_during;
	if (!series_means(&x->work_rates, (size_t)parts, &meanwhile) &&
	    !median_ratio(&meanwhile, &alone, DRAWS, s->settings->m.seed, &found))
		res->slowdown = interval_around(found.interval, ratio);
	series_free(&meanwhile);
}
