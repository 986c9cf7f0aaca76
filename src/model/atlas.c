/* SPDX-License-Identifier: Apache-2.0 */
#include "model/atlas.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "model/tree.h"

#define CONTROL 16

double atlas_outfarming(const struct loggp *p, uint64_t k, uint64_t others)
{
	return loggp_one_way(p, k) + loggp_less_one(others) * loggp_send_interval(p, k);
}

double atlas_funnel(const struct loggp *p, uint64_t k, uint64_t others)
{
	return loggp_one_way(p, k) + loggp_less_one(others) * loggp_recv_interval(p, k);
}

struct atlas_farm atlas_push(const struct loggp *p, uint64_t k, uint64_t S, double occupation)
{
	double s = (double)S, y_c = loggp_gamma(p, CONTROL), y_k = loggp_gamma(p, k);
	/* work of a destination on one packet; the decision follows the final packet */
	double each = p->o_r + occupation;
	double tell = loggp_send_interval(p, CONTROL);

	return (struct atlas_farm){
		.supervisor = fmax(s * y_c, s * p->o_s + p->o_r),
		.source = fmax(y_k, p->o_s + p->o_r),
		.destination = fmax(s * y_k, s * each + p->o_s),
		.event = 2 * loggp_one_way(p, CONTROL) + loggp_one_way(p, k) + occupation +
			 (s - 1) * fmax(tell, fmax(each, y_k)),
	};
}

struct atlas_farm atlas_pull(const struct loggp *p, uint64_t k, uint64_t S, double occupation)
{
	double s = (double)S, y_c = loggp_gamma(p, CONTROL), y_k = loggp_gamma(p, k),
	       both = p->o_s + p->o_r, tell = loggp_one_way(p, CONTROL);
	double works = s * (both + occupation);
	/* time from the first request until the final packet has been processed */
	double chain = tell + loggp_one_way(p, k) + occupation +
		       (s - 1) * fmax(loggp_send_interval(p, CONTROL),
				      fmax(p->o_r + occupation, y_k));

	return (struct atlas_farm){
		.supervisor = fmax(y_c, both),
		.source = fmax(fmax(y_k, y_c), both),
		.destination = fmax(fmax(works + both, chain + fmax(both, y_c)),
				    fmax((s + 1) * y_c, s * y_k + y_c)),
		.event = 2 * tell + fmax(chain, works),
	};
}

double atlas_farm_frequency(const struct atlas_farm *f, double D, uint64_t credits)
{
	double pace = fmax(fmax(f->supervisor, f->source), f->destination / D);

	return 1 / (credits ? fmax(pace, f->event / (double)credits) : pace);
}

double atlas_farm_destinations(const struct atlas_farm *f)
{
	return fmax(1, ceil(f->destination / fmax(f->supervisor, f->source)));
}

const struct atlas_topology atlas_topologies[] = { { 4, 2, 1 }, { 6, 2, 1 }, { 9, 3, 1 } };

struct atlas_pipeline atlas_pipeline(const struct loggp *p, uint64_t k, uint64_t A, uint64_t B,
				     uint64_t C, double occupation)
{
	double into_stage = (double)((A + B - 1) / B), into_destination = (double)((B + C - 1) / C);
	double y = loggp_gamma(p, k), each = p->o_r + occupation;

	return (struct atlas_pipeline){
		.source = loggp_send_interval(p, k),
		.stage = fmax(into_stage * each + p->o_s, into_stage * y),
		.destination = into_destination * fmax(each, y),
	};
}

double atlas_pipeline_frequency(const struct atlas_pipeline *t, uint64_t C)
{
	return (double)C / fmax(fmax(t->source, t->stage), t->destination);
}

double atlas_frequency(const char *number, const struct loggp *p, uint64_t k,
		       const struct atlas_roles *r)
{
	const struct atlas_topology *t = &r->of;
	bool push = !strcmp(number, "2.1");
	struct atlas_pipeline line;
	struct atlas_farm farm;

	if (!t->sources || !t->destinations || !r->lines)
		return NAN;
	if (!strcmp(number, "2.3") && t->stages) {
		line = atlas_pipeline(p, k, t->sources, t->stages, t->destinations, r->occupation);
		return atlas_pipeline_frequency(&line, r->lines * t->destinations);
	}
	if (!push && strcmp(number, "2.2") != 0)
		return NAN;
	farm = (push ? atlas_push : atlas_pull)(p, k, t->sources, r->occupation);
	return atlas_farm_frequency(&farm, (double)t->destinations, r->credits);
}

int atlas_predict(const char *number, const struct loggp *p, uint64_t k, uint32_t ranks,
		  struct atlas_prediction *out)
{
	const struct atlas_topology *line = &atlas_topologies[0];
	const struct atlas_roles farm = { { ranks - 2, 0, 1 }, 1, 0, 0 };
	const struct atlas_roles pipelines = {
		*line, ranks / (line->sources + line->stages + line->destinations), 0, 0 };
	double A = loggp_one_way(p, k), gap = loggp_gamma(p, k), others = ranks - 1.0;
	double send = loggp_send_interval(p, k), recv = loggp_recv_interval(p, k);
	double both = loggp_exchange(p, k, 1), all = loggp_exchange(p, k, ranks - 1);
	/* the rank with the most messages to send or receive determines the pace */
	const struct {
		const char *number;
		double event, pace;
	} known[] = {
		{ "1.1", A, fmax(A, gap / 2) },
		{ "1.2", both, fmax(both, gap) },
		{ "1.3", all, fmax(all, others * gap) },
		{ "1.4", A, fmax(send, recv) },
		{ "1.5", atlas_outfarming(p, k, ranks - 1), fmax(others * send, recv) },
		{ "1.7", atlas_funnel(p, k, ranks - 1), fmax(others * recv, send) },
	};
	double event = NAN, pace;

	if (ranks < 2)
		return -1;
	if (!strcmp(number, "1.6"))
		pace = event = tree_build_time(TREE_BINOMIAL, 2, ranks, A, send);
	else
		pace = 1 / atlas_frequency(number, p, k,
					   !strcmp(number, "2.3") ? &pipelines : &farm);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(number, known[i].number)) {
			event = known[i].event;
			pace = known[i].pace;
		}
	*out = (struct atlas_prediction){ event, 1 / pace };
	return pace >= 0 ? 0 : -1;
}
