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
 * A value with its unit ("s", "B/s", ... or "" for none), for people. Times and rates are scaled,
 * bytes are in binary multiples; null is "unknown", NULL is "not recorded". Kept by page_keep.
 */
const char *value_text(struct page *to, const json_t *v, const char *unit);

/* " (95 % interval 182.8 ns to 1.289 us)". Writes nothing and returns false if an end is NaN. */
bool put_interval(struct page *to, double lo, double hi, const char *unit, enum rate_unit rates);

/* An item of a list: "label: value". */
void put_fact(struct page *to, const char *label, const json_t *v, const char *unit);

/* An item "label: value" for each row of a table; paths begin at `of`. */
struct fact {
	const char *label, *path, *unit;
};
void put_facts(struct page *to, const json_t *of, const struct fact *facts, size_t n);

/*
 * An item "label: value" for each member of an object. Labels and units come from the names, as in
 * "eager_B"; bandwidths are in the unit of `rates`.
 */
void put_members(struct page *to, unsigned depth, json_t *object, enum rate_unit rates);

/* An item, and under it a list of the object's members. */
void put_list(struct page *to, const char *label, json_t *object);

#endif
