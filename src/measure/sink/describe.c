/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/sink/describe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/facts.h"
#include "base/text.h"
#include "config.h"
#include "host/pin.h"
#include "host/record.h"
#include "measure/session.h"
#include "model/parameters.h"
#include "result/row.h"

json_t *describe_run(const struct session *s, const struct place *places, const struct rdma *rdma)
{
	bool virtual = s->ep->caps & CAP_VIRTUAL, window = s->sync.scheme == SYNC_WINDOW;
	const char *scheme = sync_names[s->sync.scheme];
	struct facts be = { .object = json_object() }, job = { .object = json_object() };
	json_t *env = host_collect(), *pairs;

	fact_text(&be, "name", s->ep->be->name);
	fact_text(&be, "job", s->job->kind->name);
	if (s->ep->be->describe)
		s->ep->be->describe(s->ep, &be);
	fact_text(&job, "name", s->job->kind->name);
	fact_text(&job, "chosen", s->settings->why_job);
	if (s->job->kind->describe)
		s->job->kind->describe(s->job, &job);
	if (rdma)
		json_object_set_new(env, "rdma",
				    parameters_rdma_object(rdma, DESCRIBE_MEASURED));
	json_object_set_new(env, "backend", be.object);
	json_object_set_new(env, "job", job.object);
	json_object_set_new(env, "timer",
			    json_pack("{s:s, s:f, s:f, s:s, s:s}", "name",
				      virtual ? "virtual" : host_clock.name,
				      "resolution_s", virtual ? 0.0 : host_clock.resolution_s,
				      "overhead_s", virtual ? 0.0 : host_clock.overhead_s,
				      "sync", scheme,
				      "summary_over_ranks", "maximum of the timed ranks"));
	json_object_set_new(env, "sync",
			    json_pack("{s:s, s:s, s:o}", "scheme", scheme, "chosen", s->sync.why,
				      "clock_error_s",
				      window ? json_real(s->sync.error_s) : json_null()));
	/* the ranks of each pair, such as [[0, 4], [1, 5]] */
	pairs = s->order ? json_array() : NULL;
	for (int i = 0; s->order && s->plan->n && i < s->plan->specs[0].pairs; i++)
		json_array_append_new(pairs, json_pack("[i, i]", session_rank_at(s, 2 * i),
						       session_rank_at(s, 2 * i + 1)));
	if (pairs)
		json_object_set_new(env, "pairs", pairs);
	json_object_set_new(env, "nranks", json_integer(s->job->size));
	json_object_set_new(env, "ranks", host_places(places, virtual ? 1 : (size_t)s->job->size));
	return env;
}

/*
 * Writes the value of a symbol, which was computed in s. The value is NaN if a parameter in its
 * formula is not determined.
 */
static void format_symbol(char *buf, size_t len, double seconds)
{
	if (isnan(seconds))
		snprintf(buf, len, "not determined");
	else
		format_si(buf, len, seconds, "s");
}

char *describe_rdma(char *buf, size_t len, const struct rdma *of, const char *source)
{
	struct rdma p = *of;
	struct rdma_symbols s = rdma_symbols(of);
	struct text t = { .n = 0 };
	const char *name;
	size_t shown = 0;
	char v[3][32];

	if (p.read)	/* reads do not depend on these parameters */
		p.L_ack = p.o_rcv = p.o_free = p.g_rcv = 0;
	text_add(&t, "\nRDMA form%s (%s):", p.read ? " of reads" : "", source);
	for (size_t i = 0; i < RDMA_PARAMETERS; i++)
		if (p.parameter[i] > 0)
			text_add(&t, "%s %s %s", shown++ % 6 ? "," : "\n ", rdma_names[i],
				 format_si(v[0], sizeof(v[0]), p.parameter[i],
					   *rdma_names[i] == 'G' ? "s/B" : "s"));
	for (size_t i = 0; (name = rdma_missing(of, i)); i++)
		text_add(&t, "%s %s", i ? "," : "\n  not determined, and 0 in the formulas:", name);
	format_symbol(v[0], sizeof(v[0]), s.o_snd);
	format_symbol(v[1], sizeof(v[1]), s.g);
	format_symbol(v[2], sizeof(v[2]), s.g_rcv);
	text_add(&t, "\n  in the RDMA document's symbols: o_snd = %s, %s at B = 1;"
		 "\n  g = g_snd = %s, %s at 1 B; g_rcv = %s, %s", RDMA_O_SND, v[0],
		 rdma_g_formula(&p), v[1], rdma_g_rcv_formula(&p), v[2]);
	snprintf(buf, len, "%s", t.s);
	return buf;
}

int describe_count_hosts(const struct place *places, int n)
{
	int hosts = 0;

	for (int i = 0; i < n; i++) {
		bool first = true;

		for (int k = 0; k < i && first; k++)
			first = strcmp(places[k].host, places[i].host) != 0;
		hosts += first;
	}
	return hosts;
}

/* Returns whether the table can have confidence intervals of the median over repetitions. */
static bool has_intervals(const struct session *s)
{
	const struct plan *p = s->plan;

	return !(s->ep->caps & CAP_VIRTUAL) && !p->usual.once && !(p->what->traits & OWN_VISITS) &&
	       !(p->n && p->specs[0].repetitions);
}

void describe_title(const struct session *s, const struct place *places, const json_t *backend,
		    char *title, size_t len)
{
	const char *method = json_string_value(json_object_get(backend, "method"));
	const char *beside = json_string_value(json_object_get(backend, "beside"));
	const struct pattern *pattern = s->plan->pattern;
	int n = s->job->size,
	    nhosts = s->ep->caps & CAP_VIRTUAL ? 1 : describe_count_hosts(places, n);
	const char *pinned = "virtual time";
	char hosts[80] = "", how[256] = "", of_run[64] = "";
	int bound = 0;

	for (int r = 0; r < n && !(s->ep->caps & CAP_VIRTUAL); r++)
		bound += places[r].bound >= 0;
	if (!(s->ep->caps & CAP_VIRTUAL))
		pinned = bound == n ? "pinned" : bound ? "partly pinned" : "not pinned";

	if (nhosts > 1)
		snprintf(hosts, sizeof(hosts), " on %d hosts,", nhosts);
	if (s->order && n > 2 && s->plan->n && s->plan->specs[0].pairs == 1)
		snprintf(hosts + strlen(hosts), sizeof(hosts) - strlen(hosts),
			 "%s%s between ranks %d and %d,", nhosts > 1 ? "" : ",",
			 pattern ? "" : " pairs", s->order[0], s->order[1]);
	if (method)
		snprintf(how, sizeof(how), " (%s%s%s)", method, beside ? "; " : "",
			 beside ? beside : "");
	if (has_intervals(s))
		strcpy(of_run, "; intervals of this run");
	if (s->plan->stopping.visits > 1)
		snprintf(of_run, sizeof(of_run), "; intervals of this run, by %llu visits",
			 (unsigned long long)s->plan->stopping.visits);
	snprintf(title, len, "netbench %s %s: %s of %d rank%s%s on %s%s, %s, verify %s%s",
		 NETBENCH_VERSION, s->settings->command,
		 pattern ? pattern->name : "benchmarks", n, n == 1 ? "" : "s", hosts,
		 s->ep->be->name, how, pinned,
		 verify_names[s->ep->limits.content_len ? s->settings->m.verify : VERIFY_NONE],
		 of_run);
}
