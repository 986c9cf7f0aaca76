/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"

static bool off, shown;
static double last_s;

void progress_off(void)
{
	off = true;
}

void progress_show(size_t done, size_t n, uint64_t size, size_t repetitions, double elapsed_s)
{
	double now = clock_wall(), left = elapsed_s / (double)(done ? done : 1) * (double)(n - done);
	char when[32] = "";

	if (off || !isatty(STDERR_FILENO) || now - last_s < 0.2)
		return;
	if (done)
		snprintf(when, sizeof(when), ", about %.0f s left", left);
	fprintf(stderr, "\r[%zu/%zu] size %llu: %zu repetition%s%s\033[K", done + 1, n,
		(unsigned long long)size, repetitions, repetitions == 1 ? "" : "s", when);
	fflush(stderr);
	last_s = now;
	shown = true;
}

void progress_clear(void)
{
	if (!shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	shown = false;
}
