/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles AuroraFlow, the link layer that images of Alveo cards may contain. Waits until the ports
 * are up, before the links are tested. Reads the ports' counters from then on. If an image lacks
 * AuroraFlow's units, this file does nothing.
 */
#include <time.h>

#include "backends/fpga/ports.h"
#include "backends/fpga/wire.h"

#define POLL_NS 5000000

/* The counters of a port (aurora.h), with their names in the record and in warnings. */
static const struct {
	enum aurora_register at;
	/* one, many: the fault in singular and plural; NULL: no fault */
	const char *name, *one, *many;
	bool line;			/* faults of the line increase this counter */
} counted[FPGA_PORT_COUNTS] = {
	{ AURORA_RX_FULL, "aurora_rx_overflows", "overflow of the receiving FIFO, which loses data",
	  "overflows of the receiving FIFO, which lose data", false },
	{ AURORA_TX_FULL, "aurora_tx_fifo_full", NULL, NULL, false },
	{ AURORA_HARD_ERRORS, "aurora_hard_errors", "hard error", "hard errors", true },
	{ AURORA_SOFT_ERRORS, "aurora_soft_errors", "soft error", "soft errors", true },
	{ AURORA_CHANNEL_DOWN, "aurora_channel_down_cycles", "cycle with the channel down",
	  "cycles with the channel down", true },
};

/* ---- registers ---- */

static enum fpga_register read_port(struct fpga *f, int port, enum aurora_register at,
				    uint32_t *value)
{
	char unit[64];

	snprintf(unit, sizeof(unit), AURORA_KERNEL "%d:" AURORA_KERNEL "%d", port, port);
	return f->on->read_register(f, unit, at, value);
}

static void warn_unreadable(struct fpga *f)
{
	error_warn("rank %d: AuroraFlow's registers on card '%s' cannot be read: %s; whether its "
		   "ports are up, and what they count, is not known", f->ep.job->rank, f->device,
		   f->why);
}

/*
 * Reads a port's counters, and adds their growth since the previous reading to `grown`. A counter
 * has 32 bits and may have wrapped around.
 */
static void update_counters(struct fpga *f, int port)
{
	struct fpga_port *p = &f->ports[port];

	for (int i = 0; i < FPGA_PORT_COUNTS && p->there; i++) {
		uint32_t now;

		p->there = read_port(f, port, counted[i].at, &now) == REGISTER_READ;
		if (!p->there) {
			warn_unreadable(f);
			return;
		}
		p->grown[i] += now - p->last[i];
		p->last[i] = now;
	}
}

/* ---- a port's status ---- */

/* Appends words to a text. A comma separates them from earlier words. */
static void add_words(struct text *t, const char *words)
{
	text_add(t, "%s%s", t->n && t->s[t->n - 1] != ' ' ? ", " : "", words);
}

/*
 * Appends the lanes whose status bits are not set, for example "lanes 2 and 3 are down". `first` is
 * the status bit of lane 0, and `what` is the fault, such as "down".
 */
static void add_lanes(struct text *t, uint32_t status, uint32_t first, const char *what)
{
	int lanes[AURORA_LANES], n = 0;

	for (int i = 0; i < AURORA_LANES; i++)
		if (!(status & first << i))
			lanes[n++] = i;
	if (!n)
		return;
	add_words(t, n == AURORA_LANES ? "all lanes" : n > 1 ? "lanes " : "lane ");
	for (int i = 0; i < n && n < AURORA_LANES; i++)
		text_add(t, "%s%d", !i ? "" : i + 1 < n ? ", " : " and ", lanes[i]);
	text_add(t, " %s %s", n > 1 ? "are" : "is", what);
}

/* Appends words for each fault in a port's status. */
static void add_status(struct text *t, uint32_t status)
{
	add_lanes(t, status, AURORA_POWERED, "without power");
	if (!(status & AURORA_PLL_LOCKED))
		add_words(t, "the transceivers' clock has no lock");
	if (status & AURORA_CLOCK_LOST)
		add_words(t, "the link's clock has no lock");
	add_lanes(t, status, AURORA_LANE_UP, "down");
	if (status & AURORA_HARD_ERROR)
		add_words(t, "there is a hard error");
	if (status & AURORA_SOFT_ERROR)
		add_words(t, "there is a soft error");
	if (!(status & AURORA_CHANNEL_UP))
		add_words(t, "the channel is not up");
}

/*
 * Returns true if the port's power and clocks are right. If such a port is not up, its cable or the
 * cable's other end must be at fault.
 */
static bool has_power_and_clocks(uint32_t status)
{
	const uint32_t own = AURORA_POWERED * ((1u << AURORA_LANES) - 1) | AURORA_PLL_LOCKED;

	return (status & own) == own && !(status & AURORA_CLOCK_LOST);
}

/* ---- waiting ---- */

/*
 * Waits until a port is up, or until clock_wall() reaches `end`. Returns false if the port's status
 * can no longer be read.
 */
static bool await_port(struct fpga *f, int port, double end, uint32_t *status)
{
	while (read_port(f, port, AURORA_STATUS, status) == REGISTER_READ) {
		if (*status == AURORA_STATUS_OK || clock_wall() >= end)
			return true;
		nanosleep(&(struct timespec){ .tv_nsec = POLL_NS }, NULL);
	}
	return false;
}

/* Waits for all ports, and reports each port that is not up. Returns ST_OK or ST_FAILED. */
static int await_all_ports(struct fpga *f)
{
	double end = clock_wall() + f->options->link_timeout;
	struct text text = { .n = 0 };
	bool clocks = true;

	for (int p = 0; p < AURORA_PORTS; p++) {
		uint32_t status = 0;
		bool known = f->ports[p].there && await_port(f, p, end, &status);

		if (f->ports[p].there && !known)
			warn_unreadable(f);
		f->ports[p].there = known && status == AURORA_STATUS_OK;
		if (f->ports[p].there) {	/* the port's counters count from now on */
			error_note("rank %d: AuroraFlow's port %d is up", f->ep.job->rank, p);
			update_counters(f, p);
			memset(f->ports[p].grown, 0, sizeof(f->ports[p].grown));
		}
		if (!known || f->ports[p].there)
			continue;
		clocks = clocks && has_power_and_clocks(status);
		text_add(&text, "%sport %d is not up within %g s: ", text.n ? "; " : "", p,
			 f->options->link_timeout);
		add_status(&text, status);
	}
	if (!text.n)
		return ST_OK;
	return error_report("rank %d: AuroraFlow's %s; %s", f->ep.job->rank, text.s, clocks ?
			    "look at the cable, and at the card at its other end" :
			    "reset the card");
}

int fpga_await_ports(struct fpga *f)
{
	/* the ports of the vendors' emulators are named pipes, which have no status */
	bool can = f->on->read_register && !f->vendor_emulator;
	bool failed = false, mine = false;
	uint32_t status;
	const bool *all;

	for (int p = 0; p < AURORA_PORTS && can; p++) {
		enum fpga_register how = REGISTER_NO_UNIT;

		if (p == f->left || p == f->right)
			how = read_port(f, p, AURORA_STATUS, &status);
		f->ports[p].there = how == REGISTER_READ;
		mine |= how == REGISTER_READ;
		failed |= how == REGISTER_FAILED;
	}
	if (failed)
		warn_unreadable(f);
	all = f->ep.job->kind->allgather(f->ep.job, &mine, sizeof(mine));
	/* a port on any rank gives counters to all ranks */
	for (int r = 0; r < f->ep.job->size; r++)
		f->counts |= all[r];
	return f->counts ? fpga_agree_on_error(f, await_all_ports(f)) : ST_OK;
}

/* ---- counters ---- */

int fpga_counters(struct endpoint *ep, struct counter *c)
{
	struct fpga *f = fpga_of(ep);

	if (!f->counts)
		return 0;
	for (int i = 0; i < FPGA_PORT_COUNTS; i++)
		c[i] = (struct counter){ counted[i].name, 0, counted[i].one };
	for (int p = 0; p < AURORA_PORTS; p++) {
		update_counters(f, p);
		for (int i = 0; i < FPGA_PORT_COUNTS; i++)
			c[i].value += (double)f->ports[p].grown[i];
	}
	return FPGA_PORT_COUNTS;
}

void fpga_warn_of_ports(struct fpga *f)
{
	for (int p = 0; p < AURORA_PORTS; p++) {
		struct text text = { .n = 0 };
		bool line = false;

		update_counters(f, p);
		for (int i = 0; i < FPGA_PORT_COUNTS; i++) {
			unsigned long long grown = f->ports[p].grown[i];

			if (!grown || !counted[i].one)
				continue;
			text_add(&text, "%s%llu %s", text.n ? ", " : "", grown,
				 grown == 1 ? counted[i].one : counted[i].many);
			line = line || counted[i].line;
		}
		if (text.n)
			error_warn("rank %d: AuroraFlow's port %d on card '%s' has had %s%s",
				   f->ep.job->rank, p, f->device, text.s,
				   line ? ": suspect its cable" : "");
	}
}
