/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/change/compared.h"


double change_of_pair(const struct changes *c, const struct change_of *of, uint32_t i, uint32_t j,
		      double y[2])
{
	for (int side = A; side <= B; side++)
		y[side] = study_y(&c->s[side], of->quantity, c->host[side][i], c->host[side][j]);
	return y[B] - y[A];
}

/* True if a host is a member of the verdict's group. */
static bool is_member(const struct map_verdict *v, uint32_t host)
{
	for (size_t k = 0; k < v->nmembers; k++)
		if (v->members[k] == host)
			return true;
	return false;
}

bool verdict_concerns_pair(const struct map_verdict *v, uint32_t i, uint32_t j)
{
	if (v->cause.kind == KIND_GROUP || v->cause.kind == KIND_BLOCKS)
		return is_member(v, i) != is_member(v, j);
	return cause_slows(&v->cause, i, j);
}

bool verdict_is_of_pair(const struct map_verdict *v)
{
	return !v->or.kind && kind_is_of_pair(v->cause.kind);
}

const struct map_verdict *change_cause(const struct change_of *of, uint32_t i, uint32_t j)
{
	const struct map_verdict *any = NULL;

	for (int k = 0; k < 2; k++) {
		for (size_t at = 0; at < of->found[k].n; at++) {
			const struct map_verdict *v = &of->found[k].at[at];

			if (verdict_concerns_pair(v, i, j) && (!any || verdict_is_of_pair(v)))
				any = v;
		}
	}
	return any;
}
