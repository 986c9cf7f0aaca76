/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/session.h"

#include <math.h>
#include <time.h>

#include "base/clock.h"
#include "job/watchdog.h"
#include "result/report.h"

void session_abort(struct session *s, int status)
{
	report_close(s->report, false);
	s->job->kind->abort(s->job, status);
}

const void *session_gather(struct session *s, const void *mine, size_t len)
{
	return s->job->kind->gather(s->job, mine, len);
}

void session_bcast(struct session *s, void *buf, size_t len)
{
	s->job->kind->bcast(s->job, buf, len);
}

enum stop session_decide(struct session *s, enum stop mine, int signal)
{
	struct decision {
		int stop, signal;
	} d = { (int)mine, signal };

	session_bcast(s, &d, sizeof(d));
	if (d.signal) {
		d.stop = STOP_SIGNAL;
		atomic_store(s->job->stop, d.signal);
	}
	if (d.stop == STOP_SIGNAL || d.stop == STOP_TIME_LIMIT)
		s->over = (enum stop)d.stop;
	return (enum stop)d.stop;
}

enum stop session_agree(struct session *s, enum stop mine)
{
	int signal = job_stop(s->job);
	const int *all = session_gather(s, &signal, sizeof(signal));

	for (int r = 0; session_is_root(s) && r < s->job->size && !signal; r++)
		signal = all[r];
	return session_decide(s, mine, signal);
}

double session_clock_step(const struct session *s)
{
	if (s->ep->caps & CAP_VIRTUAL)
		return 0;
	return host_clock.resolution_s / endpoint_slowdown(s->ep);
}

double session_elapsed(const struct session *s)
{
	return clock_wall() - (s->plan->limit.from_plan ? s->plan->limit.planned_s : s->started_s);
}

bool session_out_of_time(const struct session *s)
{
	return s->plan->limit.seconds > 0 && session_elapsed(s) >= s->plan->limit.seconds;
}

#define NAP_S 0.02	/* a sleeping rank looks for signals this often */

void session_sleep(struct session *s, double seconds)
{
	double until = clock_wall() + seconds, left;

	while ((left = until - clock_wall()) > 0 && !job_stop(s->job) && !session_out_of_time(s)) {
		nanosleep(&(struct timespec){ .tv_nsec = (long)(fmin(left, NAP_S) * 1e9) }, NULL);
		doing_step(s->job->doing);
	}
}
