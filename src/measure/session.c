/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/session.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "host/pin.h"
#include "job/local.h"
#include "job/watchdog.h"
#include "measure/sink/sink.h"
#include "measure/verify/each.h"

void session_abort(struct session *s, int status)
{
	if (s->sink)
		report_close(s->sink->report, false);
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

bool session_out_of_time(const struct session *s)
{
	const struct plan *p = s->plan;

	double from = p->limit_from_plan ? p->planned_s : s->started_s;

	return p->time_limit_s > 0 && clock_wall() - from >= p->time_limit_s;
}

/* ---- opening and closing ---- */

static size_t longest_message(const struct plan *p)
{
	uint64_t most = PATTERN_REPLY;

	for (size_t i = 0; i < p->sizes.n; i++)
		most = p->sizes.v[i] > most ? p->sizes.v[i] : most;
	return most;
}

/* True if ranks are connected only in rounds, and have no messages between those. */
static bool only_meets(const struct session *s)
{
	return s->ep->caps & CAP_LOSS && s->ep->be->caps & CAP_MSG & ~s->ep->caps;
}

/* What an option needs the backend has, but not in this command. */
static int lacks_here(const struct session *s, const char *option, const char *value)
{
	return error_unavailable("'%s %s' is not possible: %s connects ranks of backend '%s' only "
				 "while they meet; leave it out", option, value,
				 s->settings->command, s->ep->be->name);
}

/* Whether the opened endpoint can do what is planned: a board may reach less than its backend. */
static int check_endpoint(const struct session *s, size_t len)
{
	const struct plan *p = s->plan;
	const struct limits *l = &s->ep->limits;
	const char *name = s->ep->be->name;
	unsigned needs = p->pattern ? p->pattern->needs : 0;
	const char *missing = cap_name(needs & ~s->ep->caps);
	const char *to_verify = cap_name(each_needs(p) & ~s->ep->caps);

	if (missing)
		return plan_lacks(s->settings->command, missing, name);
	if (to_verify && only_meets(s))
		return lacks_here(s, "--verify", verify_names[s->settings->m.verify]);
	if (s->settings->m.sync == SYNC_WINDOW && only_meets(s))
		return lacks_here(s, "--sync", "window");
	if (to_verify)
		return error_unavailable("'--verify %s' needs '%s', which backend '%s' does not "
					 "offer", verify_names[s->settings->m.verify], to_verify,
					 name);
	if (len > l->max_len)
		return error_unavailable("messages of %zu bytes are longer than backend '%s' "
					 "takes: %zu", len, name, l->max_len);
	for (size_t i = 0; i < p->n; i++)
		if (p->specs[i].window > l->max_window)
			return error_unavailable("a window of %u is wider than backend '%s' "
						 "takes: %u", p->specs[i].window, name,
						 l->max_window);
	return ST_OK;
}

static int open_endpoint(struct session *s, bool *timed)
{
	size_t len = longest_message(s->plan);
	int err = s->settings->be->open(&s->ep, s->job, s->settings->backend_options,
					part_heap(s->plan, len));

	if (err)
		return err;
	s->ep->be = s->settings->be;
	err = check_endpoint(s, len);
	return err ? err : part_open(s, len, timed);
}

/* Where every rank is, on rank 0; in virtual time all are here. Collective. */
static const struct place *gather_places(struct session *s, struct place *mine,
					 const char *own_options)
{
	bool virtual = s->ep->caps & CAP_VIRTUAL;

	if (virtual && !session_is_root(s))
		return NULL;
	place_here(mine);
	snprintf(mine->machine, sizeof(mine->machine), "%s", local_machine_id());
	snprintf(mine->options, sizeof(mine->options), "%s", own_options);
	return virtual ? mine : session_gather(s, mine, sizeof(*mine));
}

/*
 * The parameters that the backend measures: for a command that asks for them, and as the model of
 * --predict where none were given. NULL if it cannot. Collective.
 */
static const struct rdma *measure_model(struct session *s, struct rdma *found)
{
	const struct network *net = &s->settings->network;
	bool predicts = s->settings->m.predict && !net->known && !net->is_board;
	int err;

	if (!s->ep->be->rdma || !(predicts || s->plan->what->parameters))
		return NULL;
	err = s->ep->be->rdma(s->ep, found);
	if (err)
		session_abort(s, err);
	return rdma_known(found) ? found : NULL;
}

void session_open(struct session *s, const struct plan *p, struct job *job, const char *own_options)
{
	struct place mine;
	const struct place *places;
	const struct rdma *rdma;
	bool timed;
	int err;

	*s = (struct session){ .plan = p, .settings = p->settings, .job = job,
			       .alone_series = UINT32_MAX };
	atomic_store(&job->outlives, p->what->outlives);
	if (p->what->outlives)		/* a rank may be waiting for one that is lost */
		job_grace(2 + 2 * (int)ENDPOINT_SILENCE_S);
	err = between_open(s);
	err = err ? err : open_endpoint(s, &timed);
	err = err ? err : sync_open(&s->sync, s->ep, (enum sync_scheme)s->settings->m.sync, timed);
	if (err)
		session_abort(s, err);
	s->started_s = clock_wall();
	if (p->time_limit_s > 0 && session_is_root(s))
		doing_due(job->doing, p->time_limit_s +
				      (p->limit_from_plan ? p->planned_s : s->started_s));
	rdma = measure_model(s, &s->rdma);
	places = gather_places(s, &mine, own_options);
	if (session_is_root(s))
		sink_open(s, places, rdma);
}

void session_close(struct session *s)
{
	part_close(s);
	s->ep->be->close(s->ep);
	free(s->order);
}
