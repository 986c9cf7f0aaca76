/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/measure/players.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cmd/map/measure/play.h"
#include "cmd/map/read/classes.h"

struct player_host {
	char text[64];
};

/* A rank that takes part, and its name. */
struct player {
	char name[80];
	int rank;
};

static int compare_names(const void *a, const void *b)
{
	const struct player *x = a, *y = b;

	return strverscmp(x->name, y->name);
}

/*
 * Rank 0: writes the ranks that take part to `to`: the first rank of each host, or all ranks.
 * Returns the number of these ranks.
 */
static uint32_t choose_participants(const struct mapping *m, const struct player_host *name,
			       struct player *to)
{
	int size = m->s->job->size, *first = calloc((size_t)size, sizeof(*first));
	int hosts = 0;
	bool each = m->o->unit == UNIT_RANK;
	uint32_t n = 0;

	if (!first)
		session_abort(m->s, error_report("no memory for %d ranks", size));
	for (int r = 0; r < size; r++) {
		while (strcmp(name[first[r]].text, name[r].text) != 0)
			first[r]++;
		hosts += first[r] == r && name[r].text[0];
	}
	each |= m->o->unit == UNIT_AUTO && hosts == 1;
	for (int r = 0; r < size; r++) {
		int k = 0;		/* index of the rank on its host */

		if (!name[r].text[0] || (!each && first[r] != r))
			/* the rank was lost and has no name, or it is not the first of its host */
			continue;
		for (int before = first[r]; before < r; before++)
			k += first[before] == first[r];
		if (!each)
			snprintf(to[n].name, sizeof(to[n].name), "%s", name[r].text);
		else if (hosts == 1)
			snprintf(to[n].name, sizeof(to[n].name), "rank%d", r);
		else
			snprintf(to[n].name, sizeof(to[n].name), "%s:%d", name[r].text, k);
		to[n++].rank = r;
	}
	free(first);
	return n;
}

/* Rank 0: puts the hosts, in the order of their names, and their classes into the study. */
static void put_hosts_into_study(struct mapping *m, const struct player_host *name)
{
	struct session *s = m->s;
	int size = s->job->size, err;
	struct player *to = calloc((size_t)size, sizeof(*to));
	uint32_t host;

	if (!to)
		session_abort(s, error_report("no memory for %d ranks", size));
	for (int r = 0; r < size && !name; r++) {
		snprintf(to[r].name, sizeof(to[r].name), "n%d", r);
		to[r].rank = r;
	}
	m->n = name ? choose_participants(m, name, to) : (uint32_t)size;
	if (m->n < 2)
		session_abort(s, error_usage("all ranks are on one host, but '--unit host' "
					     "measures between hosts: use '--unit rank'"));
	if (m->n > STUDY_HOSTS)
		session_abort(s, error_usage("map can judge at most %d hosts, but there are "
					     "%u", STUDY_HOSTS, m->n));
	qsort(to, m->n, sizeof(*to), compare_names);
	for (uint32_t i = 0; i < m->n; i++) {
		if (m->rank)
			m->rank[i] = to[i].rank;
		if (!study_add_host(&m->study, to[i].name, &host))
			session_abort(s, error_report("no memory for all pairs of %u hosts", m->n));
	}
	free(to);
	if (!m->o->classes && !m->o->topology)
		return;
	/*
	 * Reads the classes before measuring, because rows contain them, and to report faults of
	 * the file early.
	 */
	m->study.class = calloc(m->n, sizeof(*m->study.class));
	err = m->study.class ? classes_find(m->o, &m->study)
			     : error_report("no memory for %u hosts", m->n);
	if (err)
		session_abort(s, err);
}

void players_find(struct mapping *m)
{
	struct session *s = m->s;
	struct player_host mine = { "" };
	const struct player_host *all = NULL;

	gethostname(mine.text, sizeof(mine.text) - 1);
	if (!(s->ep->caps & CAP_VIRTUAL))
		all = session_gather(s, &mine, sizeof(mine));
	/* in virtual time the hosts of ranks 0, 1, ... are named n0, n1, ... */
	bool virtual = s->ep->caps & CAP_VIRTUAL;

	m->rank = virtual ? NULL : calloc((size_t)s->job->size, sizeof(*m->rank));
	if (!virtual && !m->rank)
		session_abort(s, error_report("no memory for %d ranks", s->job->size));
	if (session_is_root(s))
		put_hosts_into_study(m, all);
	session_bcast(s, &m->n, sizeof(m->n));
	if (m->rank)
		broadcast_long(s, m->rank, m->n * sizeof(*m->rank));
	while (m->own < m->n && host_rank(m, m->own) != s->job->rank)
		m->own++;
}
