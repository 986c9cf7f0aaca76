/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests the cables before anything is measured. Each rank first sends one beat over each single
 * lane. Then it sends one message over all lanes of each cable. The message's first word identifies
 * the sending rank.
 */
#include "backends/fpga/card.h"
#include "backends/fpga/link.h"
#include "backends/fpga/wire.h"

/*
 * Length of the test message in bytes. The sending card makes the message. Its final chunk is not
 * full.
 */
#define MADE_LEN 5001

/*
 * The first word of the message is a label that contains the sending rank and pair. The other words
 * follow from the label (kernels.h). Every byte is odd, as in any message.
 */
/* upper bytes: twice the codes of the letters "nlink" */
#define LABEL UINT64_C(0xdcd8d2dcd6000000)

/*
 * This rank's end of a cable, and the rank and the pair (`theirs`) that should be at the cable's
 * other end.
 */
struct probe {
	int pair, rank, theirs;
	/* both kernels of the pair have ended in every test so far */
	bool ended;
	/*
	 * running: the kernels were started for the latest message. came: that message has arrived.
	 */
	bool running, came;
	struct fpga_buffer made;
};

static uint64_t make_label(uint32_t rank, uint32_t pair)
{
	return LABEL | KERNELS_ODD | (rank & 0x7f) << 1 | (rank >> 7 & 0x7f) << 9 | pair << 17;
}

/*
 * Returns the index of the first byte that differs from the message that the kernels make
 * (kernels.h). Returns -1 if no byte differs.
 */
static long find_wrong_byte(const char *got, uint64_t first)
{
	for (long i = 0; i < MADE_LEN; i++) {
		uint64_t word = (first + (uint64_t)i / 8 * KERNELS_GOLDEN) | KERNELS_ODD;

		if ((unsigned char)got[i] != (unsigned char)(word >> 8 * (i % 8)))
			return i;
	}
	return -1;
}

/*
 * Starts both kernels of a pair for one message. The message does not use the lanes in mask `off`.
 * Returns ST_OK or ST_FAILED.
 */
static int start_link_test(struct fpga *f, struct probe *p, uint32_t size, uint32_t off)
{
	uint64_t label = make_label((uint32_t)f->ep.job->rank, (uint32_t)p->pair);
	struct fpga_unit *s = &f->send[p->pair], *r = &f->recv[p->pair];

	s->stages[0] = (struct fpga_stage){ .size = size, .count = 1, .flags = off, .last = label };
	r->stages[0] = (struct fpga_stage){ .size = size, .count = 1, .flags = off,
					    .buf = &p->made };
	if (!f->on->copy(f, &p->made, true, p->made.len) || fpga_set_arguments(f, r, false, 1) ||
	    !f->on->start(r) || fpga_set_arguments(f, s, true, 1) || !f->on->start(s))
		return error_report("rank %d: the kernels of pair %d do not start", f->ep.job->rank,
				    p->pair);
	return ST_OK;
}

/*
 * Waits at most '--link-timeout' for all kernels. Returns ST_FAILED if a kernel has failed, because
 * a cable cannot cause that. Otherwise returns ST_OK.
 */
static int await_kernels(struct fpga *f, struct probe *probes, int n)
{
	double end = clock_wall() + f->options->link_timeout;
	int err = ST_OK;

	for (uint32_t i = 0; i < 2 * (uint32_t)n; i++) {
		struct probe *p = &probes[i / 2];
		struct fpga_unit *u = fpga_nth_unit(f, 2 * (uint32_t)p->pair + i % 2);
		double left = end - clock_wall();
		enum fpga_end how;

		if (!p->running)
			continue;
		how = f->on->wait(u, left > 0.001 ? left : 0.001);
		p->ended = p->ended && how == FPGA_ENDED;
		p->came = how == FPGA_ENDED;	/* the loop checks recv after send */
		if (how == FPGA_FAILED)
			err = fpga_report_kernel(f, u, "has failed");
	}
	return err;
}

/*
 * Sends one message over each cable whose kernels have ended in every test so far. Returns ST_OK or
 * ST_FAILED.
 */
static int send_messages(struct fpga *f, struct probe *probes, int n, uint32_t size, uint32_t off)
{
	int err = ST_OK;

	for (int i = 0; i < n && !err; i++) {
		probes[i].running = probes[i].ended;
		if (probes[i].running)
			err = start_link_test(f, &probes[i], size, off);
	}
	return err ? err : await_kernels(f, probes, n);
}

/*
 * Sends one beat over each single lane. After a dead lane, does not test the cable's remaining
 * lanes, because the kernel still waits for the dead one. Returns ST_OK or ST_FAILED.
 */
static int test_lanes(struct fpga *f, struct probe *probes, int n)
{
	const uint32_t all = LANE_OFF(f->lanes) - LANE_OFF(0);
	struct text dead = { .n = 0 };
	int err = ST_OK;

	for (uint32_t lane = 0; lane < f->lanes && !err; lane++) {
		err = send_messages(f, probes, n, f->width * f->lanes, all & ~LANE_OFF(lane));
		for (const struct probe *p = probes; p < probes + n && !err; p++) {
			if (!p->running || p->came)
				continue;
			text_add(&dead, "%schannel %u (pair %d, lane %u%s) from rank %d, channel "
				 "%u", dead.n ? "; " : "",
				 CHANNEL_OF(f->pairs, (uint32_t)p->pair, lane), p->pair, lane,
				 lane + 1 < f->lanes ? ", lanes after it untested" : "", p->rank,
				 CHANNEL_OF(f->pairs, (uint32_t)p->theirs, lane));
		}
	}
	if (err || !dead.n)
		return err;
	return error_report("rank %d: nothing comes within %g s over %s: is the cable plugged, its "
			    "link set up? See '--link-timeout'", f->ep.job->rank,
			    f->options->link_timeout, dead.s);
}

/* Returns a pair's name with its channels, such as "pair 1 (channels 1, 3)". */
static struct text name_channels(const struct fpga *f, uint32_t pair)
{
	struct text t = { .n = 0 };

	text_add(&t, "pair %u (channel%s", pair, f->lanes > 1 ? "s" : "");
	for (uint32_t lane = 0; lane < f->lanes; lane++)
		text_add(&t, "%s %u", lane ? "," : "", CHANNEL_OF(f->pairs, pair, lane));
	text_add(&t, ")");
	return t;
}

static int check_message(struct fpga *f, struct probe *p)
{
	int me = f->ep.job->rank;
	struct text mine = name_channels(f, (uint32_t)p->pair);
	uint32_t rank, pair;
	uint64_t label;
	long wrong;

	if (!p->ended)
		return error_report("rank %d: a message of %d bytes from rank %d does not arrive "
				    "whole within %g s over %s, although each channel has carried "
				    "a beat: the link loses data", me, MADE_LEN, p->rank,
				    f->options->link_timeout, mine.s);
	if (!fpga_copy(f, &p->made, false, p->made.len))
		return ST_FAILED;
	memcpy(&label, p->made.mem, sizeof(label));
	rank = (uint32_t)(label >> 1 & 0x7f) | (uint32_t)(label >> 9 & 0x7f) << 7;
	pair = (uint32_t)(label >> 17 & 0x7f);
	if (label != make_label(rank, pair))
		return error_report("rank %d: data arrives damaged over %s", me, mine.s);
	if (rank != (uint32_t)p->rank || pair != (uint32_t)p->theirs)
		return error_report("wrong wiring: rank %d, %s, is joined to rank %u, %s, not to "
				    "rank %d, %s", me, mine.s, rank, name_channels(f, pair).s,
				    p->rank, name_channels(f, (uint32_t)p->theirs).s);
	wrong = find_wrong_byte(p->made.mem, label);
	return wrong < 0 ? ST_OK
			 : error_report("rank %d: byte %ld from the card of rank %d arrives "
					"damaged over %s", me, wrong, p->rank, mine.s);
}

/* Lists the pairs that are wired to the right and to the left neighbour. Returns their number. */
static int list_cable_ends(struct fpga *f, struct probe probes[2])
{
	struct facing {
		int left, right;
	} mine = { f->left, f->right };
	const struct facing *all = f->ep.job->kind->allgather(f->ep.job, &mine, sizeof(mine));
	int size = f->ep.job->size, me = f->ep.job->rank, n = 0;

	for (int side = 0; side < 2; side++) {
		int pair = side ? f->left : f->right;
		int rank = (me + (side ? size - 1 : 1)) % size;

		if (pair >= 0 && !(side && f->left == f->right))
			probes[n++] = (struct probe){
				.pair = pair, .rank = rank, .ended = true,
				.theirs = f->plugged ? pair
						     : side ? all[rank].right : all[rank].left,
			};
	}
	return n;
}

int fpga_test_links(struct fpga *f)
{
	struct probe probes[2];
	int n = list_cable_ends(f, probes), err = ST_OK;

	for (int i = 0; i < n && !err; i++)
		err = fpga_get_memory(f, MADE_LEN, &probes[i].made) ? ST_OK : ST_FAILED;
	err = fpga_agree_on_error(f, err ? err : test_lanes(f, probes, n));
	if (!err)
		err = send_messages(f, probes, n, MADE_LEN, 0);
	for (int i = 0; i < n && !err; i++)
		err = check_message(f, &probes[i]);
	for (int i = 0; i < n && !err; i++) {
		error_note("rank %d: pair %d is joined to rank %d, pair %d, by all channels",
			   f->ep.job->rank, probes[i].pair, probes[i].rank, probes[i].theirs);
		f->on->free_memory(f, &probes[i].made);	/* no kernel uses this buffer any more */
	}
	return fpga_agree_on_error(f, err);
}
