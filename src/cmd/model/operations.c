/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/model/operations.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cmd/model/loggp.h"
#include "cmd/model/rdma.h"
#include "model/collective.h"
#include "model/schedule/time.h"

/* Limit of the moves of all places. The schedules then take about half a gigabyte. */
#define MOVES_MOST 4000000

static bool is_requested(const struct model_request *a, const struct algorithm *of)
{
	return model_lists_pattern(a->o, operation_names[of->op]) &&
	       model_lists_algorithm(a->o, of->name);
}

/*
 * Estimates the number of moves of all places from the root, which has the most, and from place 1,
 * which has as many as most places. Returns MOVES_MOST + 1 if memory runs out.
 */
static uint64_t estimate_moves(const struct algorithm *of, const struct shape *shape)
{
	struct schedule root = { 0 }, other = { 0 };
	uint64_t n = MOVES_MOST + 1;

	if (!algorithm_schedule(of, shape, 0, &root) && !algorithm_schedule(of, shape, 1, &other))
		n = root.nmoves + (shape->P - 1) * (uint64_t)other.nmoves;
	schedule_free(&root);
	schedule_free(&other);
	return n;
}

static void put_operation(struct model_request *a, const struct algorithm *of, uint64_t size)
{
	struct shape shape = { .P = (uint32_t)a->ranks, .k = size };
	const char *remark;
	double time = NAN;

	if (of->segments)
		shape.segment = loggp_segment(a, size, collective_chain_segment);
	remark = algorithm_refusal(of, &shape);
	if (!remark && estimate_moves(of, &shape) > MOVES_MOST)
		remark = "n/a: too many messages to compute one by one";
	if (!remark)
		time = schedule_seconds(of, &shape, &a->loggp, a->sum_s_per_B);
	if (time < 0)
		a->err = error_report("no memory for the schedules of %llu ranks",
				      (unsigned long long)a->ranks);
	FORM_ROW(a, val_text(operation_names[of->op]), val_text(of->name), val_uint(a->ranks),
		 val_uint(size), form_count(shape.segment), val_real(time),
		 val_text(remark ? remark : ""));
}

/* Writes a row for each algorithm, number of ranks and size. A barrier has no size. */
static void put_operations(struct model_request *a)
{
	const struct numbers *sizes = &a->plan.sizes;

	for (uint32_t i = 0; i < own_algorithms_count; i++) {
		const struct algorithm *of = &own_algorithms[i];
		bool sized = of->op != OPERATION_BARRIER;

		for (size_t r = 0; r < a->processors.n && is_requested(a, of); r++) {
			a->ranks = a->processors.v[r];
			for (size_t k = 0; k < (sized ? sizes->n : 1); k++)
				put_operation(a, of, sized ? sizes->v[k] : 0);
		}
	}
}

/*
 * Uses this form if --pattern names only collective operations, else the form of patterns. Scatter
 * is both.
 */
static int read_operations(struct model_request *a)
{
	static const char *const unused[] = { "messages", "destinations", "credits", "occupation" };
	const struct model_values *o = a->o;
	size_t operations = 0;
	int err;

	for (enum operation op = 0; operation_names[op]; op++)
		operations += model_lists_pattern(o, operation_names[op]);
	if (operations < o->patterns.n) {
		if (operations > model_lists_pattern(o, operation_names[OPERATION_SCATTER]))
			return error_usage("'--pattern' lists patterns and collective operations: "
					   "ask for them one after the other");
		a->form = &loggp_form;
		return a->form->plan(a);
	}
	for (size_t i = 0; i < LENGTH(unused); i++)
		if (settings_given(a->st, unused[i]))
			return error_usage("option '--%s' is not for collective operations",
					   unused[i]);
	err = loggp_read_parameters(a);
	if (!err)
		text_add(&a->title, ", collective operations");
	if (!err && !a->processors.n)
		err = error_usage("pattern '%s' needs a number of ranks, as in '--loggp P=8'",
				  model_patterns[o->patterns.v[0]]);
	return err;
}

static int check_operations(struct model_request *a)
{
	size_t algorithms = 0;

	for (uint32_t i = 0; i < own_algorithms_count; i++)
		algorithms += is_requested(a, &own_algorithms[i]);
	return loggp_check_rows(a, algorithms);
}

const struct form operations_form = {
	FORM_BY("loggp", "like", "pattern", LOGGP_PATTERN_OPTIONS), "model.collective.v1",
	FORM_COLUMNS(COL_OPERATION, COL_ALGORITHM, COL_RANKS, COL_SIZE, COL_SEGMENT_SIZE,
		     COL_MODEL_TIME, COL_REMARK),
	FORM_SPARE(COL_REMARK, COL_SEGMENT_SIZE), .plan = read_operations,
	FORM_SIZES(8, 1024, 65536, 1048576), .then = check_operations,
	.put_rows = put_operations, .rdma = &rdma_form
};
