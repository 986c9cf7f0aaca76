/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/sink/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"

void progress_begin(struct progress *p, bool quiet)
{
	*p = (struct progress){ .on = !quiet && isatty(STDERR_FILENO) };
}

void progress_text(char text[PROGRESS_TEXT], size_t done, size_t n,
		   const struct progress_point *point, double elapsed_s)
{
	size_t all = n > done ? n : done + 1, repetitions = point->repetitions;
	char what[48] = "pilot", slow[48] = "", when[32] = "", visit[48] = "";

	if (done)
		snprintf(when, sizeof(when), ", about %.0f s left",
			 elapsed_s / (double)done * (double)(all - done));
	if (repetitions || point->slow_s > 0)
		snprintf(what, sizeof(what), "%zu repetition%s", repetitions,
			 repetitions == 1 ? "" : "s");
	if (point->slow_s > 0)
		snprintf(slow, sizeof(slow), ", slow: %s s each", plain(point->slow_s, 2).s);
	if (point->visits > 1)
		snprintf(visit, sizeof(visit), ", visit %llu of %llu",
			 (unsigned long long)point->visit + 1, (unsigned long long)point->visits);
	snprintf(text, PROGRESS_TEXT, "[%zu/%zu] size %llu%s: %s%s%s", done + 1, all,
		 (unsigned long long)point->size, visit, what, slow, when);
}

void progress_show(struct progress *p, size_t done, size_t n, const struct progress_point *point,
		   double elapsed_s)
{
	double now = clock_wall();
	char text[PROGRESS_TEXT];

	if (!p->on || (now - p->last_s < 0.2 && !(point->slow_s > 0)))
		return;
	progress_text(text, done, n, point, elapsed_s);
	fprintf(stderr, "\r%s\033[K", text);
	fflush(stderr);
	p->last_s = now;
	p->shown = true;
}

void progress_clear(struct progress *p)
{
	if (!p->shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	p->shown = false;
}
