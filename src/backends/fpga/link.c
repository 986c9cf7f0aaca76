/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the cables before measuring: each rank sends a label and some content over each cable. */
#include <string.h>

#include "backends/fpga/fpga.h"
#include "base/clock.h"
#include "base/error.h"

/* The first message over a cable: which rank sends it, over which pair. */
struct label {
	uint32_t magic, rank, pair, pad;
};
#define LABEL 0x6c696e6b

/* The second message is made by the sending card from its rank; no whole number of chunks. */
#define MADE_LEN 5001

/* One end of a cable, and what should be at the other. */
struct probe {
	int pair, rank, theirs;
	bool ended;			/* both kernels of the pair */
	struct fpga_buffer out, label, made;
};

static uint64_t made_first(int rank, int pair)
{
	return KERNELS_ODD * (uint64_t)(rank + 2) + (uint64_t)pair * KERNELS_GOLDEN;
}

/* Index of the first byte that differs from what the kernels make (kernels.h), or -1. */
static long wrong_byte(const char *got, uint64_t first)
{
	for (long i = 0; i < MADE_LEN; i++) {
		uint64_t word = (first + (uint64_t)i / 8 * KERNELS_GOLDEN) | KERNELS_ODD;

		if ((unsigned char)got[i] != (unsigned char)(word >> 8 * (i % 8)))
			return i;
	}
	return -1;
}

/* Starts both kernels of a pair. */
static int start_test(struct fpga *f, struct probe *p)
{
	struct label mine = { LABEL, (uint32_t)f->ep.job->rank, (uint32_t)p->pair, 0 };
	struct fpga_unit *s = &f->send[p->pair], *r = &f->recv[p->pair];

	if (!fpga_memory(f, 0, &p->out) || !fpga_memory(f, 0, &p->label) ||
	    !fpga_memory(f, MADE_LEN, &p->made))
		return ST_FAILED;
	memcpy(p->out.mem, &mine, sizeof(mine));
	s->stages[0] = (struct fpga_stage){ sizeof(mine), 1, SEND_MEMORY, 0, &p->out };
	s->stages[1] = (struct fpga_stage){ MADE_LEN, 1, 0, made_first((int)mine.rank, p->pair),
					    NULL };
	r->stages[0] = (struct fpga_stage){ sizeof(mine), 1, 0, 0, &p->label };
	r->stages[1] = (struct fpga_stage){ MADE_LEN, 1, 0, 0, &p->made };
	if (!f->on->copy(f, &p->out, true, BACKEND_PAGE) ||
	    !f->on->copy(f, &p->label, true, BACKEND_PAGE) ||
	    !f->on->copy(f, &p->made, true, p->made.len) || fpga_set(f, r, false, 1) ||
	    !f->on->start(r) || fpga_set(f, s, true, 1) || !f->on->start(s))
		return error_report("rank %d: the kernels of pair %d do not start", f->ep.job->rank,
				    p->pair);
	return ST_OK;
}

/*
 * Waits '--link-timeout' for all kernels. ST_FAILED if one has failed, which is no fault of a
 * cable.
 */
static int await_all(struct fpga *f, struct probe *probes, int n)
{
	double end = clock_wall() + f->options->link_timeout;
	int err = ST_OK;

	for (int i = 0; i < 2 * n; i++) {
		struct probe *p = &probes[i / 2];
		struct fpga_unit *u = i % 2 ? &f->recv[p->pair] : &f->send[p->pair];
		double left = end - clock_wall();
		enum fpga_end how = f->on->wait(u, left > 0.001 ? left : 0.001);

		p->ended = p->ended && how == FPGA_ENDED;
		if (how == FPGA_FAILED)
			err = fpga_failed(f, u, "has failed");
	}
	return err;
}

/* "pair 1 (channels 1, 3)". Returns text. */
#define CHANNELS_TEXT 64
static const char *name_channels(const struct fpga *f, uint32_t pair, char text[CHANNELS_TEXT])
{
	int at = snprintf(text, CHANNELS_TEXT, "pair %u (channel%s", pair,
			  f->lanes > 1 ? "s" : "");

	for (uint32_t lane = 0; lane < f->lanes; lane++)
		at += snprintf(text + at, (size_t)(CHANNELS_TEXT - at), "%s %u", lane ? "," : "",
			       CHANNEL_OF(f->pairs, pair, lane));
	snprintf(text + at, (size_t)(CHANNELS_TEXT - at), ")");
	return text;
}

static int judge_test(struct fpga *f, struct probe *p)
{
	const struct label *got = (const struct label *)(void *)p->label.mem;
	int me = f->ep.job->rank;
	char mine[CHANNELS_TEXT], theirs[CHANNELS_TEXT], found[CHANNELS_TEXT];
	long wrong;

	name_channels(f, (uint32_t)p->pair, mine);
	name_channels(f, (uint32_t)p->theirs, theirs);
	if (!p->ended)
		return error_report("rank %d: nothing comes over %s within %g s, which should lead "
				    "to rank %d, %s: is the cable plugged, and there? See "
				    "'--link-timeout'", me, mine, f->options->link_timeout,
				    p->rank, theirs);
	if (!fpga_copy(f, &p->label, false, BACKEND_PAGE) ||
	    !fpga_copy(f, &p->made, false, p->made.len))
		return ST_FAILED;
	if (got->magic != LABEL)
		return error_report("rank %d: data arrives damaged over %s", me, mine);
	if (got->rank != (uint32_t)p->rank || got->pair != (uint32_t)p->theirs)
		return error_report("wrong wiring: rank %d, %s, is joined to rank %u, %s, not to "
				    "rank %d, %s", me, mine, got->rank,
				    name_channels(f, got->pair, found), p->rank, theirs);
	wrong = wrong_byte(p->made.mem, made_first(p->rank, p->theirs));
	return wrong < 0 ? ST_OK
			 : error_report("rank %d: byte %ld from the card of rank %d arrives "
					"damaged over %s", me, wrong, p->rank, mine);
}

/* The pairs wired to the right and the left neighbour; returns how many. */
static int make_probes(struct fpga *f, struct probe probes[2])
{
	struct facing {
		int left, right;
	} mine = { f->left, f->right };
	const struct facing *all = f->ep.job->kind->allgather(f->ep.job, &mine, sizeof(mine));
	int size = f->ep.job->size, me = f->ep.job->rank, right = (me + 1) % size,
	    left = (me + size - 1) % size, n = 0;

	if (f->right >= 0)
		probes[n++] = (struct probe){ .pair = f->right, .rank = right,
					      .theirs = f->plugged ? f->right
								   : all[right].left,
					      .ended = true };
	if (f->left >= 0 && f->left != f->right)
		probes[n++] = (struct probe){ .pair = f->left, .rank = left,
					      .theirs = f->plugged ? f->left
								   : all[left].right,
					      .ended = true };
	return n;
}

int fpga_test_links(struct fpga *f)
{
	struct probe probes[2];
	int n = make_probes(f, probes), err = ST_OK;

	for (int i = 0; i < n && !err; i++)
		err = start_test(f, &probes[i]);
	if (!err)
		err = await_all(f, probes, n);
	for (int i = 0; i < n && !err; i++)
		err = judge_test(f, &probes[i]);
	for (int i = 0; i < n && !err; i++)
		error_note("rank %d: pair %d is joined to rank %d, pair %d", f->ep.job->rank,
			   probes[i].pair, probes[i].rank, probes[i].theirs);
	for (int i = 0; i < n && !err; i++) {	/* not while a kernel may still use them */
		f->on->free_memory(f, &probes[i].out);
		f->on->free_memory(f, &probes[i].label);
		f->on->free_memory(f, &probes[i].made);
	}
	return fpga_together(f, err);
}
