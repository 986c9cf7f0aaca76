/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A backend that corrupts: shm, but for one rank, NETBENCH_FAULT_RANK, on which NETBENCH_FAULT is wrong:
 *
 * sent:     a byte of what it sends first in a round
 * received: a byte of what it receives last in a round
 * packet:   a byte of each data packet that it receives by a message operation
 * order:    the event's number in each control packet that it sends by one
 *
 * It is a module that stands in for `null`: NETBENCH_MODULES=. netbench ... -b null
 */
#include <stdlib.h>
#include <string.h>

#include "job/job.h"
#include "transport/backend.h"
#include "transport/registry.h"
#include "measure/farm.h"

#define MOST 4096

NETBENCH_EXPORT struct backend netbench_backend;
static const struct backend *shm;

static struct request *receiving[MOST];		/* by message operations */
static int nreceiving;

static bool is_wrong(const struct endpoint *ep, const char *what)
{
	const char *fault = getenv("NETBENCH_FAULT"), *rank = getenv("NETBENCH_FAULT_RANK");

	return fault && rank && !strcmp(fault, what) && atoi(rank) == ep->job->rank;
}

static void flip(void *buf, size_t at)
{
	((unsigned char *)buf)[at] ^= 0x20;
}

/* ---- rounds ---- */

static int run(struct endpoint *ep, const struct round *r, double *seconds)
{
	const struct xfer *sent = NULL, *received = NULL;
	int err;

	for (uint32_t i = 0; i < r->nxfers; i++) {
		const struct xfer *x = &r->xfers[i];

		if (x->op == OP_SEND && x->len && !sent)
			sent = x;
		if (x->op == OP_RECV && x->len)
			received = x;
	}
	if (sent && is_wrong(ep, "sent"))
		flip(sent->buf, sent->len / 2);
	err = shm->run(ep, r, seconds);
	if (received && is_wrong(ep, "received"))
		flip(received->buf, received->len - 1);
	return err;
}

/* ---- message operations ---- */

static int irecv(struct endpoint *ep, int peer, void *buf, size_t len, struct request *r)
{
	if (nreceiving < MOST)
		receiving[nreceiving++] = r;
	return shm->irecv(ep, peer, buf, len, r);
}

static void judge(struct endpoint *ep, struct request *r)
{
	for (int i = 0; i < nreceiving && r->done; i++) {
		if (receiving[i] != r)
			continue;
		receiving[i] = receiving[--nreceiving];
		if (r->len > FARM_CONTROL && is_wrong(ep, "packet"))
			flip(r->buf, r->len - 1);
		return;
	}
}

static int test(struct endpoint *ep, struct request *r)
{
	int err = shm->test(ep, r);

	judge(ep, r);
	return err;
}

static int wait_for(struct endpoint *ep, struct request *r)
{
	int err = shm->wait(ep, r);

	judge(ep, r);
	return err;
}

static int isend(struct endpoint *ep, int peer, const void *buf, size_t len, struct request *r)
{
	static unsigned char order[MOST][FARM_CONTROL];		/* kept until they are gone */
	static int n;

	if (len != FARM_CONTROL || !is_wrong(ep, "order"))
		return shm->isend(ep, peer, buf, len, r);
	n = (n + 1) % MOST;
	memcpy(order[n], buf, len);
	flip(order[n], 0);
	return shm->isend(ep, peer, order[n], len, r);
}

__attribute__((constructor)) static void stand_in(void)
{
	char why[64];

	shm = backend_find("shm", why, sizeof(why));
	netbench_backend = *shm;
	netbench_backend.name = "null";
	netbench_backend.run = run;
	netbench_backend.irecv = irecv;
	netbench_backend.isend = isend;
	netbench_backend.test = test;
	netbench_backend.wait = wait_for;
}
