/* SPDX-License-Identifier: Apache-2.0 */
/* Writes names and values of a result into a page. */
#ifndef NETBENCH_SHOW_PAGE_FACTS_H
#define NETBENCH_SHOW_PAGE_FACTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "result/row.h"
#include "show/page/page.h"

/*
 * Returns a value with its unit as text for people. `unit` is "s", "B/s" and so on, or "" for none.
 * Times and rates are scaled; bytes are in binary multiples. JSON null gives "unknown", NULL gives
 * "not recorded". The page owns the text (page_keep).
 */
const char *value_text(struct page *to, const json_t *v, const char *unit);

/*
 * Writes an interval, such as " (95 % interval 182.8 ns to 1.289 us)". Writes nothing and returns
 * false if an end is NaN.
 */
bool put_interval(struct page *to, double lo, double hi, const char *unit, enum rate_unit rates);

/* Writes an item of a list: "label: value". */
void put_fact(struct page *to, const char *label, const json_t *v, const char *unit);

/* Writes an item "label: value" for each fact of a table. A path begins at the member `of`. */
struct fact {
	const char *label, *path, *unit;
};
void put_facts(struct page *to, const json_t *of, const struct fact *facts, size_t n);

/*
 * Writes an item "label: value" for each member of an object. The member's name gives label and
 * unit: "eager_B" means "eager" in bytes. Bandwidths are in the unit of `rates`.
 */
void put_members(struct page *to, unsigned depth, json_t *object, enum rate_unit rates);

/* Writes an item with a list of the object's members below it. */
void put_list(struct page *to, const char *label, json_t *object);

#endif
