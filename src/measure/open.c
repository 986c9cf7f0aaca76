/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/open.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "host/pin.h"
#include "job/local.h"
#include "job/watchdog.h"
#include "measure/collective/round.h"
#include "measure/part.h"
#include "measure/sink/sink.h"
#include "transport/handlers.h"

/* ---- the pairs of ranks ---- */

/*
 * Fills s->order according to the plan's pairing. s->order stays NULL if each rank keeps its own
 * place. It also stays NULL for pairs between hosts in virtual time, where there are no hosts.
 * Returns ST_OK; ST_FAILED if memory runs out (reported); or ST_USAGE if the two ranks cannot reach
 * each other (reported by rank 0).
 */
static int open_pairs(struct session *s)
{
	const struct pairing *pairing = &s->plan->pairing;
	const int *two = pairing->two;
	int n = s->job->size, apart = abs(two[0] - two[1]), places = 2;
	bool by_hosts = pairing->how == BETWEEN_HOSTS && !settings_virtual(s->settings);
	bool ring = !(s->settings->be->caps & CAP_PAIR);
	struct host_name {
		char text[64];
	} mine = { "" };
	const struct host_name *name;
	int *host;

	if (n < 2 || !(by_hosts || pairing->how == BETWEEN_TWO))
		return ST_OK;
	if (!by_hosts && ring && apart != 1 && apart != n - 1)
		return s->job->rank ? ST_USAGE
				    : error_usage("ranks %d and %d of '--between' are not "
						  "neighbours: in the ring of backend %s only "
						  "neighbours exchange messages", two[0], two[1],
						  s->settings->be->name);
	s->order = calloc((size_t)n, sizeof(*s->order));
	if (!s->order)
		return error_report("no memory for %d ranks", n);
	if (!by_hosts) {
		s->order[0] = two[0];
		s->order[1] = two[1];
		for (int r = 0; r < n; r++)
			if (r != two[0] && r != two[1])
				s->order[places++] = r;
		return ST_OK;
	}
	for (int r = 0; r < n; r++)
		s->order[r] = r;
	gethostname(mine.text, sizeof(mine.text) - 1);
	name = session_gather(s, &mine, sizeof(mine));
	host = name ? calloc((size_t)n, sizeof(*host)) : NULL;
	for (int r = 0; r < n && host; r++)
		while (strcmp(name[host[r]].text, name[r].text) != 0)
			host[r]++;
	if (host && ring)
		between_neighbours(host, n, s->order);
	else if (host)
		between_order(host, n, s->order);
	free(host);
	session_bcast(s, s->order, (size_t)n * sizeof(*s->order));
	return ST_OK;
}

/* ---- the endpoint ---- */

/*
 * Returns true if ranks are connected only during rounds and exchange no messages between rounds.
 */
static bool connects_only_in_rounds(const struct session *s)
{
	return s->ep->caps & CAP_LOSS && s->ep->be->caps & CAP_MSG & ~s->ep->caps;
}

/*
 * Reports an option that needs a permanent connection, which this command does not keep up. Returns
 * ST_UNAVAILABLE.
 */
static int refuse_option(const struct session *s, const char *option, const char *value)
{
	return error_unavailable("'%s %s' is not possible: %s connects ranks of backend '%s' only "
				 "during rounds; leave it out", option, value,
				 s->settings->command, s->ep->be->name);
}

/*
 * Checks that the opened endpoint can do what is planned. Returns ST_OK or the status of a fault
 * (reported). A board may be able to do less than its backend offers in general.
 */
static int check_endpoint(const struct session *s, size_t len)
{
	const struct plan *p = s->plan;
	const struct limits *l = &s->ep->limits;
	const char *name = s->ep->be->name;
	unsigned needs = p->pattern ? p->pattern->needs : 0;
	const char *missing = cap_name(needs & ~s->ep->caps);
	const char *to_verify = cap_name(plan_verify_caps(p) & ~s->ep->caps);

	if (missing)
		return plan_report_missing(s->settings->command, missing, name);
	if (to_verify && connects_only_in_rounds(s))
		return refuse_option(s, "--verify", verify_names[s->settings->m.verify]);
	if (s->settings->m.sync == SYNC_WINDOW && connects_only_in_rounds(s))
		return refuse_option(s, "--sync", "window");
	if (to_verify)
		return error_unavailable("'--verify %s' needs '%s', which backend '%s' does not "
					 "offer", verify_names[s->settings->m.verify], to_verify,
					 name);
	if (len > l->max_len)
		return error_unavailable("messages of %zu bytes are longer than backend '%s' "
					 "allows: %zu", len, name, l->max_len);
	for (size_t i = 0; i < p->n; i++)
		if (p->specs[i].window > l->max_window)
			return error_unavailable("a window of %u is larger than backend '%s' "
						 "allows: %u", p->specs[i].window, name,
						 l->max_window);
	return ST_OK;
}

static int open_endpoint(struct session *s, bool *timed)
{
	const struct plan *p = s->plan;
	uint64_t len = PATTERN_REPLY;
	struct handlers own;
	int err;

	for (size_t i = 0; i < p->sizes.n; i++)
		len = p->sizes.v[i] > len ? p->sizes.v[i] : len;
	for (size_t i = 0; i < p->n; i++)
		len = p->specs[i].size > len ? p->specs[i].size : len;
	handlers_save(&own);
	err = s->settings->be->open(&s->ep, s->job, s->settings->backend_options,
				    part_memory_size(p, len));
	handlers_restore(&own);
	if (err)
		return err;
	s->ep->be = s->settings->be;
	err = check_endpoint(s, len);
	return err ? err : part_open(s, len, timed);
}

void session_open(struct session *s, const struct plan *p, struct job *job, const char *own_options)
{
	struct place mine;
	const struct place *places = &mine;
	const struct network *net = &p->settings->network;
	bool predicts = p->settings->m.predict && !net->known && !net->is_board, timed, virtual;
	const struct rdma *rdma = NULL;
	int err;

	*s = (struct session){ .plan = p, .settings = p->settings, .job = job,
			       .computing.series = UINT32_MAX };
	atomic_store(&job->outlives, p->what->traits & OUTLIVES_LOSS);
	if (p->what->traits & OUTLIVES_LOSS)	/* a rank may still be waiting for a lost rank */
		job_set_grace(2 + 2 * (int)ENDPOINT_SILENCE_S);
	err = open_pairs(s);
	if (!err)
		err = open_endpoint(s, &timed);
	if (!err)
		err = sync_open(&s->sync, s->ep, (enum sync_scheme)s->settings->m.sync, timed,
				plan_has_operations(p));
	if (err)
		session_abort(s, err);
	s->started_s = clock_wall();
	if (p->limit.seconds > 0 && session_is_root(s))
		doing_set_time_limit(job->doing, p->limit.seconds +
				      (p->limit.from_plan ? p->limit.planned_s : s->started_s));
	/*
	 * measure the RDMA form's parameters for a command that wants them, and for --predict if no
	 * parameters were given
	 */
	if (s->ep->be->rdma && (predicts || p->what->traits & WANTS_RDMA)) {
		err = s->ep->be->rdma(s->ep, &s->rdma);
		if (err)
			session_abort(s, err);
		rdma = rdma_known(&s->rdma) ? &s->rdma : NULL;
	}
	virtual = s->ep->caps & CAP_VIRTUAL;	/* one process runs all ranks */
	if (!virtual || session_is_root(s)) {
		place_find(&mine);
		snprintf(mine.machine, sizeof(mine.machine), "%s", local_machine_id());
		snprintf(mine.options, sizeof(mine.options), "%s", own_options);
	}
	if (!virtual)
		places = session_gather(s, &mine, sizeof(mine));
	if (session_is_root(s))
		sink_open(s, places, rdma);
}

void session_close(struct session *s)
{
	part_close(s);
	s->ep->be->close(s->ep);
	free(s->order);
}
