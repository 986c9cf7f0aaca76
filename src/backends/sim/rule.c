/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/sim/rule.h"

#define NS 1e-9

/* fmax without its care for NaN, which a processor does in one instruction. */
static inline double later(double a, double b)
{
	return a > b ? a : b;
}

double rule_post(const struct rule *r, double now)
{
	return r->is_board ? now : now + r->p.o_s;
}

static struct flight leave_board(const struct rule *r, struct rank_sides *s, double posted,
				 uint32_t lane, size_t len)
{
	s->lane_free[lane] = later(posted, s->lane_free[lane]) + board_busy(&r->board, len) / NS;
	s->lane_sent[lane] = s->lane_free[lane] + r->board.lat / NS;
	return (struct flight){ s->lane_sent[lane], s->lane_sent[lane] };
}

struct flight rule_leave(const struct rule *r, struct rank_sides *s, double posted, uint32_t lane,
			 size_t len, const struct harm *harm)
{
	double x = later(posted, s->out_free), bytes, L;

	if (r->is_board)
		return leave_board(r, s, posted, lane, len);
	bytes = loggp_tail(len) * r->p.G * harm->slowed / harm->factor;
	L = r->p.L * harm->slowed + harm->late;
	s->out_free = x + (r->p.g + bytes);
	return (struct flight){ x + L, x + L + bytes };
}

double rule_arrive(const struct rule *r, struct rank_sides *s, struct flight f, size_t len)
{
	double done;

	if (r->is_board)
		return f.last;
	done = later(later(f.head, s->in_free) + loggp_tail(len) * r->p.G, f.last);
	s->in_free = done + r->p.g;
	return done;
}

double rule_take(const struct rule *r, struct rank_sides *s, double now, double there,
		 uint32_t lane, size_t len)
{
	if (!r->is_board)
		return later(now, there) + r->p.o_r;
	if (r->board.serial) {	/* a kernel pair first sends its own, then takes as long */
		s->lane_read[lane] = later(later(there, s->lane_sent[lane]), s->lane_read[lane]) +
				     board_busy(&r->board, len) / NS;
		there = s->lane_read[lane] + r->board.lat / NS;
	}
	return later(now, there);
}

double rule_soonest(const struct rule *r, double now)
{
	if (r->is_board)
		return now + r->board.lat / NS;
	return rule_post(r, now) + (r->varies ? 0 : r->p.L);
}
