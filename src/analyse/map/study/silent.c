/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/study/silent.h"

#include <math.h>
#include <string.h>

#define PAIRS_LEAST 2		/* failed pairs of a host that does not answer */

/* When a pair succeeded the last time, in either direction; 0: never. */
static uint64_t last_success(const struct study *s, uint32_t i, uint32_t j)
{
	uint64_t last = 0;

	for (int q = 0; q < NQUANTITIES; q++) {
		const struct matrix *m = &s->of[q];

		for (uint32_t v = 0; v < m->nvisits && m->n; v++) {
			size_t ij = matrix_at(m, v, i, j), ji = matrix_at(m, v, j, i);
			size_t at = isnan(m->y[ij]) ? ji : ij;
			uint32_t k = m->round ? m->round[at] : STUDY_NO_ROUND;
			uint64_t when = study_time(v, k == m->nrounds ? STUDY_NO_ROUND : k);

			if (!isnan(m->y[at]) && when > last)
				last = when;
		}
	}
	return last;
}

/* Numbers of each host that is not named yet. */
struct silent_hosts {
	uint64_t *last;			/* success with any host */
	uint32_t *pairs;		/* pairs that failed later */
	bool *named;
};

/*
 * The next host that does not answer. First come the hosts that the job has lost, then the host
 * with the most pairs that failed after its last success. n: no other host.
 */
static uint32_t next_host(const struct study *s, struct silent_hosts *x)
{
	uint32_t most = s->n;

	for (uint32_t i = 0; i < s->n && s->gone; i++)
		if (s->gone[i] && !x->named[i])
			return i;
	memset(x->pairs, 0, s->n * sizeof(*x->pairs));
	for (size_t k = 0; k < s->nfailures; k++) {
		const struct failure *f = &s->failure[k];
		bool last = k + 1 == s->nfailures || f[1].sender != f->sender ||
			    f[1].receiver != f->receiver;
		uint32_t a = f->sender, b = f->receiver;

		/* a pair counts once: by its last failure, in its first direction if both failed */
		if (!last || x->named[a] || x->named[b] ||
		    (a > b && study_failed(s, (uint32_t)(f->when >> 32), b, a)))
			continue;
		x->pairs[a] += f->when > x->last[a];
		x->pairs[b] += f->when > x->last[b];
	}
	for (uint32_t i = 0; i < s->n; i++)
		if (!x->named[i] && x->pairs[i] >= PAIRS_LEAST &&
		    (most == s->n || x->pairs[i] > x->pairs[most]))
			most = i;
	return most;
}

void silent_judge(const struct study *s, struct scratch *room, struct map_judged *j)
{
	struct silent_hosts x = { scratch_take(room, s->n, sizeof(*x.last)),
				  scratch_take(room, s->n, sizeof(*x.pairs)),
				  scratch_take(room, s->n, sizeof(*x.named)) };
	uint32_t host;

	for (uint32_t a = 0; a < s->n && s->nfailures; a++) {
		for (uint32_t b = 0; b < a; b++) {
			uint64_t last = last_success(s, a, b);

			x.last[a] = last > x.last[a] ? last : x.last[a];
			x.last[b] = last > x.last[b] ? last : x.last[b];
		}
	}
	while ((host = next_host(s, &x)) < s->n) {
		judged_add(room, j, KIND_UNREACHABLE, host, host, 0);
		x.named[host] = true;
	}
	/* then pairs that failed by themselves, and did not succeed later */
	for (size_t k = 0; k < s->nfailures; k++) {
		const struct failure *f = &s->failure[k], *before = k ? f - 1 : NULL;
		uint32_t a = f->sender, b = f->receiver;
		struct map_verdict *v;

		if (x.named[a] || x.named[b] || last_success(s, a, b) > f->when ||
		    (before && before->sender == a && before->receiver == b) ||
		    (a > b && study_failed(s, (uint32_t)(f->when >> 32), b, a)))
			continue;
		v = judged_add(room, j, KIND_UNREACHABLE, a, b, 2);
		v->members[v->nmembers++] = a;
		v->members[v->nmembers++] = b;
	}
}
