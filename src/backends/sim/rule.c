/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/sim/rule.h"

#define NS 1e-9

/*
 * Both functions return how long a message occupies a port, ns. The output port is busy from the
 * start of the message. The input port is busy from the arrival of the message's last byte.
 */
static double output_port_time(const struct sim_rule *r, double bytes)
{
	if (!r->is_rdma)
		return r->p.g + bytes;
	return r->rdma.serial ? r->rdma.o_nsnd + bytes : rule_later(r->rdma.o_nsnd, bytes);
}

static double input_port_time(const struct sim_rule *r, double bytes)
{
	if (!r->is_rdma)
		return r->p.g;
	return r->rdma.serial ? r->rdma.o_nrcv : rule_later(0, r->rdma.o_nrcv - bytes);
}

void rule_set_rdma(struct sim_rule *r, const struct rdma *of)
{
	const struct rdma p = rdma_effective(of);

	r->is_rdma = true;
	r->rdma.serial = p.serial;
	for (size_t i = 0; i < RDMA_PARAMETERS; i++)
		r->rdma.parameter[i] = p.parameter[i] / NS;
	r->p = (struct loggp){ .L = r->rdma.L, .o_s = r->rdma.o_wqe, .G = r->rdma.G,
			       .o_r = r->rdma.o_rcv + rule_later(r->rdma.o_free, r->rdma.g_rcv) };
}

struct flight rule_leave(const struct sim_rule *r, struct rank_ports *s, double posted,
			 uint32_t lane, size_t len, const struct harm *harm)
{
	double x = rule_later(posted, s->out_free), bytes, L;

	if (r->is_board) {
		s->lane_free[lane] = rule_later(posted, s->lane_free[lane]) +
				     board_busy(&r->board, len) / NS;
		s->lane_sent[lane] = s->lane_free[lane] + r->board.lat / NS;
		return (struct flight){ s->lane_sent[lane], s->lane_sent[lane] };
	}
	bytes = rule_bytes_time(r, len) * harm->slowed / harm->factor;
	L = r->p.L * harm->slowed + harm->late;
	s->out_free = x + output_port_time(r, bytes);
	x += r->rdma.o_nsnd;
	s->left = x;
	return (struct flight){ x + L, x + L + bytes };
}

double rule_arrive(const struct sim_rule *r, struct rank_ports *s, struct flight f, size_t len)
{
	double bytes = rule_bytes_time(r, len), done;

	if (r->is_board)
		return f.last;
	if (r->varies && f.last - f.head < bytes)
		/* noise may shorten the time of a message's bytes on its whole path */
		bytes = f.last - f.head;
	done = rule_later(rule_later(f.head, s->in_free) + bytes, f.last);
	s->in_free = done + input_port_time(r, bytes);
	return done + r->rdma.o_nrcv;
}

double rule_receive(const struct sim_rule *r, struct rank_ports *s, double now, double there,
		    uint32_t lane, size_t len)
{
	if (!r->is_board)
		return rule_later(now, there) + r->p.o_r;
	/* a kernel pair first sends, and then takes the same time again to receive */
	if (r->board.serial) {
		there = rule_later(there, s->lane_sent[lane]);
		s->lane_read[lane] = rule_later(there, s->lane_read[lane]) +
				     board_busy(&r->board, len) / NS;
		there = s->lane_read[lane] + r->board.lat / NS;
	}
	return rule_later(now, there);
}

double rule_completion_visible(const struct sim_rule *r, double there)
{
	return there + r->rdma.L_ack;
}

double rule_take_completion(const struct sim_rule *r, double now, double visible)
{
	return rule_later(now, visible) + r->rdma.o_cqe;
}

double rule_earliest_departure(const struct sim_rule *r, double now)
{
	return rule_ring(r, rule_post(r, now)) + r->rdma.o_nsnd;
}

double rule_earliest_arrival(const struct sim_rule *r, double now)
{
	if (r->is_board)
		return now + r->board.lat / NS;
	return rule_earliest_departure(r, now) + (r->varies ? 0 : r->p.L);
}
