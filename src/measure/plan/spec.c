/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/plan/spec.h"

#include "measure/plan/program.h"

const char *const load_names[] = { "none", "sender", "receiver", "both", NULL };

struct pattern_args spec_pattern_args(const struct spec *spec, const int *order, int rank, int size)
{
	const int *ranks = spec->ranks || !spec->pairs ? spec->ranks : order;
	struct pattern_args a = { .place = -1, .size = spec->nranks ? spec->nranks : size,
				  .ranks = ranks, .len = spec->size,
				  .window = spec->window, .batch = spec->batch,
				  .pairs = spec->pairs ? spec->pairs : size / 2,
				  .bidirectional = spec->bidirectional, .tree = spec->tree };
	const struct groups *g = spec->groups;
	int at = !g ? -1 : g->at ? g->at[rank] : g->own;

	if (!g && !ranks && rank < a.size) {
		a.place = rank;
	} else if (!g) {
		for (int i = 0; ranks && i < a.size && a.place < 0; i++)
			if (ranks[i] == rank)
				a.place = i;
	} else if (at >= 0) {
		a.ranks = g->order + g->first[at];
		a.size = g->len[at];
		a.place = at - g->first[at];
	}
	return a;
}

/*
 * Returns the pattern arguments of place 0 in the largest group. No other place needs more buffers.
 */
static struct pattern_args args_of_largest_group(const struct spec *spec, int size)
{
	struct pattern_args a = spec_pattern_args(spec, NULL, 0, size);

	a.place = 0;
	if (spec->groups)
		a.size = spec->groups->longest;
	return a;
}

int spec_max_buffers(const struct spec *spec, int size)
{
	struct pattern_args a;

	if (spec->needs > size)
		return 0;
	if (spec->pattern->program)
		return spec->pattern->program->most_buffers(spec->program_args);
	a = args_of_largest_group(spec, size);
	return pattern_buffers(spec->pattern, &a, NULL);
}

int spec_max_messages(const struct spec *spec, int size)
{
	struct pattern_args a;

	if (spec->needs > size)
		return 0;
	a = args_of_largest_group(spec, size);
	return pattern_messages(spec->pattern, &a);
}
