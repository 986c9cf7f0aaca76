/* SPDX-License-Identifier: Apache-2.0 */
#include "model/atlas.h"

#include <math.h>
#include <string.h>

#include "model/tree.h"

#define CONTROL 16

double atlas_outfarming(const struct loggp *p, uint64_t k, uint64_t others)
{
	return loggp_one_way(p, k) + loggp_tail(others) * loggp_send_interval(p, k);
}

double atlas_funnel(const struct loggp *p, uint64_t k, uint64_t others)
{
	return loggp_one_way(p, k) + loggp_tail(others) * loggp_recv_interval(p, k);
}

double atlas_push(const struct loggp *p, uint64_t k, uint64_t S, uint64_t D, double occupation)
{
	double s = (double)S, y_c = loggp_gamma(p, CONTROL), y_k = loggp_gamma(p, k);
	double supervisor = fmax(s * y_c, s * p->o_s + p->o_r), source = fmax(y_k, p->o_s + p->o_r);
	double each = p->o_r + occupation;	/* the decision follows the last packet */
	double destination = (s - 1) * fmax(each, y_k) + fmax(each + p->o_s, y_k);

	return 1 / fmax(fmax(supervisor, source), destination / (double)D);
}

double atlas_pull(const struct loggp *p, uint64_t k, uint64_t S, uint64_t D, double occupation)
{
	double s = (double)S, y_c = loggp_gamma(p, CONTROL), y_k = loggp_gamma(p, k),
	       both = p->o_s + p->o_r;
	double wires = 2 * p->L + loggp_tail(CONTROL) * p->G + loggp_tail(k) * p->G,
	       work = s * occupation;
	double asked = (s - 1) * fmax(p->o_s, y_c) + 2 * both + wires + occupation;
	double answered = (s - 1) * fmax(p->o_r + occupation, y_k) + p->o_s + wires + both +
			  p->o_r + occupation;
	double gaps = fmax((s + 1) * y_c, s * y_k + y_c), destination;
	double supervisor = fmax(y_c, both), source = fmax(fmax(y_k, y_c), both);

	destination = fmax(fmax((s + 1) * both + work, gaps), both + fmax(asked, answered));
	return 1 / fmax(fmax(supervisor, source), destination / (double)D);
}

double atlas_pipeline(const struct loggp *p, uint64_t k, uint64_t A, uint64_t B, uint64_t C,
		      double occupation)
{
	double into_stage = (double)((A + B - 1) / B), into_destination = (double)((B + C - 1) / C);
	double y = loggp_gamma(p, k), each = p->o_r + occupation;
	double source = loggp_send_interval(p, k);
	double stage = fmax(into_stage * each + p->o_s, into_stage * y);
	double destination = into_destination * fmax(each, y);

	return (double)C / fmax(fmax(source, stage), destination);
}

int atlas_predict(const char *number, const struct loggp *p, uint64_t k, uint32_t ranks,
		  struct atlas_prediction *out)
{
	double A = loggp_one_way(p, k), gap = loggp_gamma(p, k), pace;
	double send = loggp_send_interval(p, k), recv = loggp_recv_interval(p, k);
	uint64_t others = ranks ? ranks - 1 : 0;

	if (ranks < 2)
		return -1;
	/* the pace of iterations is that of the rank with most messages to send or to receive */
	if (!strcmp(number, "1.1")) {
		pace = fmax(A, gap / 2);
	} else if (!strcmp(number, "1.2")) {
		A = loggp_exchange(p, k, 1);
		pace = fmax(A, gap);
	} else if (!strcmp(number, "1.3")) {
		pace = A = loggp_exchange(p, k, others);
	} else if (!strcmp(number, "1.4")) {
		pace = fmax(send, recv);
	} else if (!strcmp(number, "1.5")) {
		A = atlas_outfarming(p, k, others);
		pace = fmax((double)others * send, recv);
	} else if (!strcmp(number, "1.6")) {
		pace = A = tree_build_time(TREE_BINOMIAL, 2, ranks, A, send);
	} else if (!strcmp(number, "1.7")) {
		A = atlas_funnel(p, k, others);
		pace = fmax((double)others * recv, send);
	} else {
		uint32_t lines = ranks / 7;

		if (!strcmp(number, "2.1") && ranks > 2)
			pace = atlas_push(p, k, ranks - 2, 1, 0);
		else if (!strcmp(number, "2.2") && ranks > 2)
			pace = atlas_pull(p, k, ranks - 2, 1, 0);
		else if (!strcmp(number, "2.3") && lines)
			pace = atlas_pipeline(p, k, lines * 4, lines * 2, lines, 0);
		else
			return -1;
		*out = (struct atlas_prediction){ NAN, pace };
		return 0;
	}
	*out = (struct atlas_prediction){ A, 1 / pace };
	return pace < 0 ? -1 : 0;
}
