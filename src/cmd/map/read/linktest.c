/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/read/linktest.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/values.h"

#define DECIMALS 8		/* decimals of times and rates */

enum { FROM, TO, SECONDS, RATE, NCELLS };

static bool has_decimals(const char *text)
{
	const char *point = strchr(text, '.');

	return point && strlen(point + 1) == DECIMALS;
}

/* Returns whether a line has the first pair, such as "0 0 0.00000125 762939.45312500". */
static bool is_first_pair(const struct reading *r, char **cells, size_t n)
{
	(void)r;
	return n == NCELLS && !strcmp(cells[FROM], "0") && !strcmp(cells[TO], "0") &&
	       has_decimals(cells[SECONDS]) && has_decimals(cells[RATE]);
}

static int read_pair(struct reading *r, char **cells, size_t n, size_t line)
{
	struct measurement *o = &r->rows.last;
	uint64_t rank[2] = { STUDY_HOSTS, STUDY_HOSTS };
	uint32_t *const host[] = { &o->sender, &o->receiver };
	bool good = n == NCELLS && study_add_visit(r->rows.s, r->visits_before + 1, &o->visit) &&
		    format_number(cells[SECONDS], &o->value[LATENCY]);

	for (int k = FROM; k <= TO && good; k++) {
		const char *at = cells[k];

		good = scan_whole(&at, false, &rank[k]) == V_OK && !*at && rank[k] < STUDY_HOSTS;
	}
	if (!good)
		return error_usage("file '%s', line %zu is no line of LinkTest: expected two ranks "
				   "below %d, seconds and MB/s", r->rows.path, line, STUDY_HOSTS);
	for (int k = FROM; k <= TO; k++)
		if (format_find_rank(r, rank[k], line, host[k]))
			return ST_USAGE;
	o->round = STUDY_NO_ROUND;
	o->value[BANDWIDTH] = o->value[BIDIRECTIONAL] = NAN;
	r->counts = true;
	return format_put(r, o, line);
}

const struct map_format linktest_format = {
	.name = "output of LinkTest",
	.begins = is_first_pair,
	.take = read_pair,
	.only = "half round trips of its message size, in steps of 10 ns",
};
