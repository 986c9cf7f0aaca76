/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/plan/between.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/values.h"

/* ---- the option ---- */

/*
 * Parses a rank below `ranks`, which the character `end` must follow. Moves *at past `end`. Returns
 * false if the text is wrong.
 */
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

/*
 * Returns the first rank on a host (-1: on any host) that is not taken yet, or n if none is left.
 */
static int first_free_rank(int host, const int *hosts, const bool *taken, int n)
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
		int r = first_free_rank(-1, host, taken, n), other = -1;

		/* choose, among the other hosts, the one that has the most ranks left */
		for (int h = 0; h < n; h++)
			if (h != host[r] && left[h] > 0 && (other < 0 || left[h] > left[other]))
				other = h;
		if (other < 0)
			break;
		for (int k = 0; k < 2; k++) {
			order[places++] = r;
			taken[r] = true;
			left[host[r]]--;
			r = first_free_rank(other, host, taken, n);
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

/*
 * Pairs the neighbours of a ring of n ranks: 0 and 1, 2 and 3, ... If `turned`, pairs 0 and n - 1,
 * 1 and 2, ... Returns the number of pairs whose ranks are on different hosts.
 */
static int pair_ring_neighbours(bool turned, const int *host, int n, int *order)
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
	int turned = pair_ring_neighbours(true, host, n, order);
	bool first = host[order[0]] != host[order[1]];
	int straight = pair_ring_neighbours(false, host, n, order);

	if (host[order[0]] != host[order[1]] ? first && turned > straight
					      : first || turned > straight)
		return pair_ring_neighbours(true, host, n, order);
	return straight;
}
