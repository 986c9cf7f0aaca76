/* SPDX-License-Identifier: Apache-2.0 */
#include "model/rdma.h"

#include <math.h>

#include "base/error.h"
#include "base/read/fields.h"
#include "base/text.h"
#include "base/values.h"

const char *const rdma_bound_names[] = {
	"CPU", "sending NIC", "wire", "receiving NIC", "receiver", "window", NULL,
};

const char rdma_example[] =
	"o_wqe=20,o_db=65,o_cqe=15,o_nsnd=70,o_nrcv=60,G=0.0825,L=900,L_ack=2050";

const char *const rdma_names[RDMA_PARAMETERS] = {
	"o_wqe", "o_db", "o_cqe", "o_nsnd", "o_nrcv", "o_rcv", "o_free", "g_rcv", "G", "L", "L_ack",
};

/* Returns true if reads do not use parameter i. In a read, the answer replaces L_ack. */
static bool is_unused(const struct rdma *p, size_t i)
{
	const double *v = &p->parameter[i];

	return p->read && (v == &p->o_rcv || v == &p->o_free || v == &p->g_rcv || v == &p->L_ack);
}

/* ---- parsing ---- */

/* The values that a parsed text gives. A field that is not in the text is NaN. */
struct rdma_said {
	struct rdma p;
	double o_snd, g, g_snd;
};

static const struct field fields[] = {
#define FIELD(name, member) { name, NUMBER_SECONDS, offsetof(struct rdma_said, member), \
			      .required = false }
#define OWN(name) FIELD(#name, p.name)
	OWN(o_wqe), OWN(o_db), OWN(o_cqe), OWN(o_nsnd), OWN(o_nrcv), OWN(o_rcv), OWN(o_free),
	OWN(g_rcv), OWN(G), OWN(L), OWN(L_ack), FIELD("o_snd", o_snd), FIELD("g", g),
	FIELD("g_snd", g_snd), { 0 },
};

/* Reports contradicting fields, and parameters that reads do not use. Returns ST_OK or ST_USAGE. */
static int check_given_fields(const struct rdma_said *s)
{
	const struct rdma *p = &s->p;

	for (size_t i = 0; i < RDMA_PARAMETERS; i++)
		if (is_unused(p, i) && !isnan(p->parameter[i]))
			return error_usage("rdma: reads do not use field '%s'", rdma_names[i]);
	if (!isnan(s->o_snd) && !(isnan(p->o_wqe) && isnan(p->o_db) && isnan(p->o_cqe)))
			return error_usage("rdma: field 'o_snd' is o_wqe + o_db + o_cqe: give "
					   "either the sum or its parts");
	if (s->g < s->g_snd || s->g > s->g_snd)
		return error_usage("rdma: fields 'g' and 'g_snd' are the same parameter, but "
				   "differ");
	if (!(isnan(s->g) && isnan(s->g_snd)) && !isnan(p->read ? p->L : p->L_ack))
		return error_usage("rdma: fields 'g' and '%s' both set when a message is %s: give "
				   "only one of them", p->read ? "L" : "L_ack",
				   p->read ? "read" : "acknowledged");
	return ST_OK;
}

/*
 * If g is measured, subtracts the known parts from g. Divides the rest among the latencies that are
 * not determined.
 */
static void share_measured_gap(const struct rdma *of, struct rdma *p)
{
	int parts = isnan(of->L) + (!p->read && isnan(of->L_ack));
	double nics = p->o_nsnd + p->o_nrcv, rest = of->g - nics - p->L - p->L_ack;

	if (p->read)	/* a read crosses the network twice */
		rest = (of->g - 2 * nics) / 2;
	if (!(of->g > 0) || !parts)
		return;
	if (isnan(of->L))
		p->L = fmax(0, rest / parts);
	if (!p->read && isnan(of->L_ack))
		p->L_ack = fmax(0, rest / parts);
}

struct rdma rdma_effective(const struct rdma *of)
{
	struct rdma p = *of;

	for (size_t i = 0; i < RDMA_PARAMETERS; i++)
		if (isnan(p.parameter[i]))
			p.parameter[i] = 0;
	if (p.read)
		p.L_ack = 0;
	share_measured_gap(of, &p);
	if (p.read) {
		p.o_rcv = p.o_free = p.g_rcv = 0;
		p.L_ack = p.o_nsnd + p.L + p.o_nrcv;
	}
	return p;
}

/*
 * Sets L_ack (for a read: L) to what is left of the thesis's g = RTT_1 - o_snd after subtracting
 * the other parameters. Returns ST_OK or ST_USAGE (reported).
 */
static int set_latency_from_gap(struct rdma *p, double g)
{
	const struct rdma q = rdma_effective(p);
	double nics = q.o_nsnd + q.o_nrcv, other = p->read ? 2 * nics : nics + q.L,
	       rest = g - other;

	if (rest < -1e-9 * g)
		return error_usage("rdma: g = %s ns is less than %s = %s ns, the least time "
				   "until a message is %s", plain(g * 1e9, 4).s,
				   p->read ? "2 (o_nsnd + o_nrcv)" : "o_nsnd + L + o_nrcv",
				   plain(other * 1e9, 4).s, p->read ? "read" : "acknowledged");
	*(p->read ? &p->L : &p->L_ack) = fmax(0, p->read ? rest / 2 : rest);
	return ST_OK;
}

int rdma_parse(const char *text, struct rdma *p)
{
	struct rdma_said s = { .p.read = p->read, .o_snd = NAN, .g = NAN, .g_snd = NAN };
	int err;

	for (size_t i = 0; i < RDMA_PARAMETERS; i++)
		s.p.parameter[i] = NAN;
	err = fields_parse("rdma", text, fields, 1e-9, &s);
	if (!err)
		err = check_given_fields(&s);
	if (err)
		return err;
	for (size_t i = 0; i < RDMA_PARAMETERS; i++)
		if (!isnan(s.p.parameter[i]))
			p->parameter[i] = s.p.parameter[i];
	if (!isnan(s.o_snd)) {
		p->o_wqe = s.o_snd;
		p->o_db = p->o_cqe = 0;
		p->said_snd = true;
	}
	if (p->g_rcv > 0 && p->g_rcv < p->o_free)
		return error_usage("rdma: g_rcv = %s ns is less than o_free = %s ns, the least "
				   "time until a buffer can take the next message",
				   plain(p->g_rcv * 1e9, 4).s, plain(p->o_free * 1e9, 4).s);
	if (!isnan(s.g) || !isnan(s.g_snd))
		err = set_latency_from_gap(p, isnan(s.g) ? s.g_snd : s.g);
	return err ? err : rdma_check(p);
}

int rdma_check(const struct rdma *of)
{
	const struct rdma p = rdma_effective(of);

	if (p.o_wqe + p.o_db + p.o_cqe + p.o_nsnd + p.o_nrcv + p.o_rcv + p.o_free + p.g_rcv > 0)
		return ST_OK;
	return error_usage("rdma: all work is 0: messages would take no time to send");
}

/* ---- formulas ---- */

static double bytes_after_first(double k)
{
	return fmax(k - 1, 0);
}

/* Sets t[i] to the shortest time between two messages at stage i, s; 0 for RDMA_WINDOW. */
static void set_stage_times(const struct rdma *p, double k, double B, double t[RDMA_BOUNDS])
{
	double bytes = bytes_after_first(k) * p->G;
	double send = p->serial ? p->o_nsnd + bytes : fmax(p->o_nsnd, bytes);

	t[RDMA_CPU] = p->o_wqe + (p->o_db + p->o_cqe) / B;
	t[RDMA_SEND_NIC] = bytes > p->o_nsnd ? 0 : send;
	t[RDMA_WIRE] = bytes > p->o_nsnd ? send : 0;
	t[RDMA_RECV_NIC] = p->o_nrcv + (p->serial ? bytes : 0);
	t[RDMA_RECEIVER] = p->o_rcv + fmax(p->o_free, p->g_rcv);
	t[RDMA_WINDOW] = 0;
}

/*
 * Returns RTT_B: the round trip of a batch of B messages of k bytes. t holds the times of the
 * stages.
 */
static double round_trip(const struct rdma *p, double k, double B, const double t[RDMA_BOUNDS])
{
	double send = fmax(t[RDMA_SEND_NIC], t[RDMA_WIRE]), recv = t[RDMA_RECV_NIC];

	return B * p->o_wqe + p->o_db + p->o_nsnd + bytes_after_first(k) * p->G +
	       (B - 1) * fmax(send, recv) + p->L + p->o_nrcv + p->L_ack + p->o_cqe;
}

/* Returns RTT_1: the round trip of a single message of k bytes. */
static double round_trip_alone(const struct rdma *p, double k)
{
	double t[RDMA_BOUNDS];

	set_stage_times(p, k, 1, t);
	return round_trip(p, k, 1, t);
}

/*
 * Returns the slowest stage. If several stages are slowest except for rounding, returns the first
 * of these.
 */
static enum rdma_bound slowest_stage(const double t[RDMA_BOUNDS])
{
	enum rdma_bound worst = RDMA_CPU;

	for (enum rdma_bound i = RDMA_SEND_NIC; i < RDMA_BOUNDS; i++)
		worst = t[i] > t[worst] * (1 + 1e-12) ? i : worst;
	return worst;
}

bool rdma_known(const struct rdma *p)
{
	bool known = false;

	for (size_t i = 0; i < RDMA_PARAMETERS; i++)
		known |= !isnan(p->parameter[i]);
	return known;
}

const char *rdma_missing(const struct rdma *p, size_t i)
{
	for (size_t k = 0; k < RDMA_PARAMETERS; k++)
		if (!is_unused(p, k) && isnan(p->parameter[k]) && !i--)
			return rdma_names[k];
	return NULL;
}

/* Returns the thesis's g, s, as the sum of its parts; NaN if a part is not determined. */
static double gap_of_parts(const struct rdma *p)
{
	double there = p->o_nsnd + p->L + p->o_nrcv;

	return there + (p->read ? there : p->L_ack);
}

struct rdma_symbols rdma_symbols(const struct rdma *p)
{
	return (struct rdma_symbols){ p->o_wqe + p->o_db + p->o_cqe,
				      p->g > 0 ? p->g : gap_of_parts(p),
				      p->read ? 0 : isnan(p->o_free + p->g_rcv)
						      ? NAN : fmax(p->o_free, p->g_rcv) };
}

const char *rdma_g_formula(const struct rdma *p)
{
	return p->g > 0 ? "measured" : "RTT_1 - o_snd";
}

const char *rdma_g_rcv_formula(const struct rdma *p)
{
	return p->g_rcv > p->o_free ? "g_rcv" : "o_free";
}

double rdma_latency(const struct rdma *of, double k)
{
	const struct rdma p = rdma_effective(of);

	if (p.read)
		return round_trip_alone(&p, k);
	return p.o_wqe + p.o_db + p.o_nsnd + bytes_after_first(k) * p.G + p.L + p.o_nrcv + p.o_rcv;
}

struct rdma_rate rdma_rate(const struct rdma *of, double k, uint64_t W, uint64_t B)
{
	const struct rdma p = rdma_effective(of);
	double t[RDMA_BOUNDS];
	struct rdma_rate r;

	set_stage_times(&p, k, (double)B, t);
	r.rtt = round_trip(&p, k, (double)B, t);
	r.knee = r.rtt / t[slowest_stage(t)];
	if (B > 1)	/* the knee is a whole number of batches */
		r.knee = (double)B * ceil(r.knee / (double)B * (1 - 1e-12));
	t[RDMA_WINDOW] = r.rtt / ((double)B * (double)(W / B));
	r.bound = slowest_stage(t);
	r.rate = 1 / t[r.bound];
	return r;
}
