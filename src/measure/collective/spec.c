/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/collective/spec.h"

#include "base/error.h"
#include "measure/collective/round.h"
#include "measure/plan/plan.h"
#include "model/schedule/compose.h"

/*
 * Target for the sum of the operations' times in a block, s. With the pauses between operations a
 * block takes about 10 ms.
 */
#define BLOCK_S 2.5e-3

static int build_collective(struct build *b)
{
	pattern_set_role(b, ROLE_SENDER | ROLE_RECEIVER, true);
	return 0;
}

static const struct pattern own_pattern = {
	.name = "collective", .needs = CAP_PAIR | CAP_WINDOW | CAP_STAMPS,
	.build = build_collective,
};
static const struct pattern native_pattern = {
	.name = "native collective", .needs = CAP_PAIR | CAP_WINDOW | CAP_STAMPS | CAP_NATIVE,
	.build = build_collective,
};

const char *collective_refusal(const struct collective *c)
{
	const char *why = c->algorithm	? algorithm_refusal(c->algorithm, &c->shape)
			  : c->composed ? composition_refusal(c->composed, &c->shape)
					: NULL;

	if (why)
		return why;
	if (operation_adds(c->op) && c->shape.k % 8)
		return "n/a: the sums need doubles of 8 bytes each";
	if (collective_footprint(c).all > COLLECTIVE_MOST)
		return "n/a: needs more than 256 MiB a rank";
	return NULL;
}

int plan_add_operation(struct plan *p, const struct collective *c, uint32_t series,
		       const void *own)
{
	struct collective *copy = plan_alloc(p, 1, sizeof(*copy));
	struct spec spec = {
		.size = c->shape.k, .window = 1, .batch = 1,
		.pattern = c->algorithm ? &own_pattern : &native_pattern,
		.nranks = (int)c->shape.P, .needs = (int)c->shape.P, .collective = copy,
		.series = series, .stamps = true, .target_s = BLOCK_S, .own = own,
		.loops = settings_virtual(p->settings) ? 1 : LOOPS_BY_PILOT,
	};

	if (!copy)
		return ST_FAILED;
	*copy = *c;
	if (c->in_a_row)
		spec.loops = c->in_a_row;
	spec.cannot = collective_refusal(copy);
	return plan_add(p, &spec);
}
