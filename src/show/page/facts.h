/* SPDX-License-Identifier: Apache-2.0 */
/* Names and values of a result, in a page. */
#ifndef NETBENCH_SHOW_PAGE_FACTS_H
#define NETBENCH_SHOW_PAGE_FACTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "result/row.h"
#include "show/page/page.h"

/*
 * A value with its unit ("s", "B/s", ... or "" for none), for people: times and rates scaled, bytes
 * in binary multiples, "unknown" for null, "not recorded" for NULL. Valid as long as page_keep has
 * it.
 */
const char *value_text(struct page *to, const json_t *v, const char *unit);

/* " (95 % interval 182.8 ns to 1.289 us)". False, and nothing, if an end is NaN. */
bool put_interval(struct page *to, double lo, double hi, const char *unit, enum rate_unit rates);

/* An item of a list: "label: value". */
void put_fact(struct page *to, const char *label, const json_t *v, const char *unit);

/* Such items by a table of paths in `of`. */
struct fact {
	const char *label, *path, *unit;
};
void put_facts(struct page *to, const json_t *of, const struct fact *facts, size_t n);

/*
 * Such an item for each member of an object; labels and units from the names ("eager_B"),
 * bandwidths in the unit of `rates`.
 */
void put_members(struct page *to, unsigned depth, json_t *object, enum rate_unit rates);

/* An item, and under it a list of the object's members. */
void put_list(struct page *to, const char *label, json_t *object);

#endif
