/* SPDX-License-Identifier: Apache-2.0 */
/* Tests from which ranks pairs are made. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "measure/plan/between.h"

#define MOST 12

static void pairs_are_of_two_hosts_where_there_are_several(void **state)
{
	static const struct {
		const char *host;	/* the host of each rank, one letter a rank */
		int order[MOST], pairs;	/* number of pairs between hosts */
	} rows[] = {
		{ "a", { 0 }, 0 },
		{ "aa", { 0, 1 }, 0 },
		{ "ab", { 0, 1 }, 1 },
		{ "aabb", { 0, 2, 1, 3 }, 2 },
		{ "abab", { 0, 1, 2, 3 }, 2 },
		{ "aaaabbbb", { 0, 4, 1, 5, 2, 6, 3, 7 }, 4 },
		/* the last two of three hosts do not have only each other's ranks left */
		{ "aabbcc", { 0, 2, 1, 4, 3, 5 }, 3 },
		{ "abc", { 0, 1, 2 }, 1 },
		/*
		 * one host has more ranks than all others together: the remaining ones pair among
		 * themselves
		 */
		{ "aaaab", { 0, 4, 1, 2, 3 }, 1 },
		{ "baaaa", { 0, 1, 2, 3, 4 }, 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int n = (int)strlen(rows[i].host), host[MOST], order[MOST];

		for (int r = 0; r < n; r++)
			host[r] = rows[i].host[r] - 'a';
		if (between_order(host, n, order) != rows[i].pairs ||
		    memcmp(order, rows[i].order, (size_t)n * sizeof(*order)) != 0)
			fail_msg("hosts %s: places 0 to 3 are ranks %d, %d, %d, %d",
				 rows[i].host, order[0], order[1], order[2], order[3]);
	}
}

/* Pairs of ranks in a ring, which reach only their neighbours. */
static void pairs_of_a_ring_are_neighbours(void **state)
{
	static const struct {
		const char *host;
		int order[MOST], pairs;
	} rows[] = {
		{ "ab", { 0, 1 }, 1 },
		{ "aa", { 0, 1 }, 0 },
		{ "aabb", { 0, 3, 1, 2 }, 2 },
		{ "abab", { 0, 1, 2, 3 }, 2 },
		{ "abc", { 0, 1, 2 }, 1 },
		{ "aab", { 0, 2, 1 }, 1 },
		{ "aaabbb", { 0, 5, 1, 2, 3, 4 }, 1 },
		/* not a neighbour of rank 0 */
		{ "aaabba", { 0, 1, 2, 3, 4, 5 }, 2 },
		{ "aabbcca", { 0, 6, 1, 2, 3, 4, 5 }, 2 },
		{ "abbccdda", { 0, 1, 2, 3, 4, 5, 6, 7 }, 4 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int n = (int)strlen(rows[i].host), host[MOST], order[MOST], pairs;

		for (int r = 0; r < n; r++)
			host[r] = rows[i].host[r] - 'a';
		pairs = between_neighbours(host, n, order);
		if (pairs != rows[i].pairs ||
		    memcmp(order, rows[i].order, (size_t)n * sizeof(*order)) != 0)
			fail_msg("hosts %s: %d pairs, places 0 to 3 are ranks %d, %d, %d, %d",
				 rows[i].host, pairs, order[0], order[1], order[2], order[3]);
	}
}

static void options_name_a_pairing_or_are_refused(void **state)
{
	static const struct {
		const char *text;
		int status;
		struct pairing p;
	} rows[] = {
		{ "hosts", ST_OK, { BETWEEN_HOSTS, { 0, 0 } } },
		{ "ranks", ST_OK, { BETWEEN_RANKS, { 0, 0 } } },
		{ "0:1", ST_OK, { BETWEEN_TWO, { 0, 1 } } },
		{ "3:0", ST_OK, { BETWEEN_TWO, { 3, 0 } } },
		{ "0:4", ST_USAGE, { 0 } }, { "1:1", ST_USAGE, { 0 } }, { "", ST_USAGE, { 0 } }, { "0", ST_USAGE, { 0 } },
		{ "0:", ST_USAGE, { 0 } }, { ":1", ST_USAGE, { 0 } }, { "0:1:2", ST_USAGE, { 0 } }, { "host", ST_USAGE, { 0 } },
		{ "-1:0", ST_USAGE, { 0 } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pairing p;
		int status = between_parse(rows[i].text, 4, &p);

		if (status != rows[i].status ||
		    (!status && (p.how != rows[i].p.how || p.two[0] != rows[i].p.two[0] ||
				 p.two[1] != rows[i].p.two[1])))
			fail_msg("'%s': status %d, how %d, ranks %d and %d", rows[i].text, status,
				 p.how, p.two[0], p.two[1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_are_of_two_hosts_where_there_are_several),
		cmocka_unit_test(pairs_of_a_ring_are_neighbours),
		cmocka_unit_test(options_name_a_pairing_or_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
