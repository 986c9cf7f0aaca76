/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/between.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/values.h"
#include "measure/session.h"

/* ---- the option ---- */

/* A rank of `ranks`, before `end`; *at moves behind it. */
static bool parse_rank(const char **at, char end, int ranks, int *rank)
{
	uint64_t value;

	if (scan_whole(at, false, &value) != V_OK || value >= (uint64_t)ranks || **at != end)
		return false;
	*rank = (int)value;
	++*at;
	return true;
}

int between_parse(const char *text, int ranks, struct pairing *pairing)
{
	const char *at = text;
	int *two = pairing->two;

	*pairing = (struct pairing){ .how = BETWEEN_TWO };
	if (!strcmp(text, "hosts") || !strcmp(text, "ranks")) {
		pairing->how = *text == 'h' ? BETWEEN_HOSTS : BETWEEN_RANKS;
		return ST_OK;
	}
	if (!parse_rank(&at, ':', ranks, &two[0]) || !parse_rank(&at, '\0', ranks, &two[1]) ||
	    two[0] == two[1])
		return error_usage("value '%s' of '--between': expected hosts, ranks, or two of "
				   "ranks 0 to %d as in 0:1", text, ranks - 1);
	return ST_OK;
}

/* ---- the order of ranks ---- */

/* The host but one that has most ranks left; -1 if no other has any. */
static int fullest_but(int host, const int *left, int n)
{
	int best = -1;

	for (int h = 0; h < n; h++)
		if (h != host && left[h] > 0 && (best < 0 || left[h] > left[best]))
			best = h;
	return best;
}

/* The first rank on a host (-1: on any) that is not taken. */
static int first_on(int host, const int *hosts, const bool *taken, int n)
{
	int r = 0;

	while (r < n && (taken[r] || (host >= 0 && hosts[r] != host)))
		r++;
	return r;
}

int between_order(const int *host, int n, int *order)
{
	int *left = calloc((size_t)n + 1, sizeof(*left)), places = 0, pairs = 0;
	bool *taken = calloc((size_t)n + 1, sizeof(*taken));

	for (int r = 0; r < n && left; r++)
		left[host[r]]++;
	while (places < n && left && taken) {
		int r = first_on(-1, host, taken, n), other = fullest_but(host[r], left, n);

		if (other < 0)
			break;
		for (int k = 0; k < 2; k++) {
			order[places++] = r;
			taken[r] = true;
			left[host[r]]--;
			r = first_on(other, host, taken, n);
		}
		pairs++;
	}
	for (int r = 0; r < n; r++)
		if (!taken || !taken[r])
			order[places++] = r;
	free(left);
	free(taken);
	return pairs;
}

/* Neighbours in a ring: 0 and 1, 2 and 3, ...; or, turned, 0 and the last, 1 and 2, ... */
static int order_ring(bool turned, const int *host, int n, int *order)
{
	int across = 0;

	for (int i = 0; i < n; i++)
		order[i] = turned ? i < 2 ? (n - i) % n : i - 1 : i;
	for (int i = 0; i + 1 < n; i += 2)
		across += host[order[i]] != host[order[i + 1]];
	return across;
}

int between_neighbours(const int *host, int n, int *order)
{
	int turned = order_ring(true, host, n, order);
	bool first = host[order[0]] != host[order[1]];
	int straight = order_ring(false, host, n, order);

	if (host[order[0]] != host[order[1]] ? first && turned > straight
					      : first || turned > straight)
		return order_ring(true, host, n, order);
	return straight;
}

/* ---- of a session ---- */

/* These two come first. */
static void order_two(const int two[2], int n, int *order)
{
	int places = 2;

	order[0] = two[0];
	order[1] = two[1];
	for (int r = 0; r < n; r++)
		if (r != two[0] && r != two[1])
			order[places++] = r;
}

struct host_name {
	char text[64];
};

/* Rank 0: by the names of all ranks' hosts. */
static void order_by_hosts(const struct host_name *name, bool ring, int n, int *order)
{
	int *host = calloc((size_t)n, sizeof(*host));

	for (int r = 0; r < n && host; r++)
		while (strcmp(name[host[r]].text, name[r].text) != 0)
			host[r]++;
	if (host && ring)
		between_neighbours(host, n, order);
	else if (host)
		between_order(host, n, order);
	free(host);
}

/* Two that a ring's backend does not reach each other: said by rank 0. */
static int refuse_apart(const struct session *s, const int two[2])
{
	if (!session_is_root(s))
		return ST_USAGE;
	return error_usage("ranks %d and %d of '--between' are not neighbours: %s carries "
			   "messages between neighbours in a ring", two[0], two[1],
			   s->settings->be->name);
}

int between_open(struct session *s)
{
	const struct pairing *pairing = &s->plan->pairing;
	int n = s->job->size;
	bool by_hosts = pairing->how == BETWEEN_HOSTS && !settings_virtual(s->settings);
	bool ring = !(s->settings->be->caps & CAP_PAIR);
	int apart = abs(pairing->two[0] - pairing->two[1]);
	struct host_name mine = { "" };
	const struct host_name *names;

	if (n < 2 || !(by_hosts || pairing->how == BETWEEN_TWO))
		return ST_OK;
	if (!by_hosts && ring && apart != 1 && apart != n - 1)
		return refuse_apart(s, pairing->two);
	s->order = calloc((size_t)n, sizeof(*s->order));
	if (!s->order)
		return error_report("no memory for %d ranks", n);
	for (int r = 0; r < n; r++)
		s->order[r] = r;
	if (!by_hosts) {
		order_two(pairing->two, n, s->order);
		return ST_OK;
	}
	gethostname(mine.text, sizeof(mine.text) - 1);
	names = session_gather(s, &mine, sizeof(mine));
	if (names)
		order_by_hosts(names, ring, n, s->order);
	session_bcast(s, s->order, (size_t)n * sizeof(*s->order));
	return ST_OK;
}
