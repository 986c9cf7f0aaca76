/* SPDX-License-Identifier: Apache-2.0 */
/*
 * netbench's latency and bandwidth over bare libfabric, by the same definitions, for ofi.py:
 *
 *	ofi_peer latency|bandwidth PROVIDER SIZE LOOPS
 *
 * Two processes, each on a core of its own, send tagged messages by an endpoint of that provider;
 * what is within its limit is injected, receives are posted one step ahead. Prints the shortest
 * time of a repetition, which are LOOPS iterations, timed by the first process, in seconds.
 */
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_tagged.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define REPETITIONS 40
#define WINDOW 64
#define PAGE 4096
#define SPINS 20000		/* netbench's, before it offers the processor to others */

static struct {
	int rank, pipe;
	size_t len, inject;
	struct fi_info *info;
	struct fid_fabric *fabric;
	struct fid_domain *domain;
	struct fid_av *av;
	struct fid_ep *ep;
	struct fid_cq *cq;
	fi_addr_t other;
	char *out, *in;
	struct fi_context2 contexts[4 * WINDOW + 8];
	unsigned next;
	long sent, received;		/* completions that nobody has waited for yet */
} me;

static void check(const char *what, ssize_t err)
{
	if (!err)
		return;
	fprintf(stderr, "ofi_peer: %s: %s\n", what, fi_strerror((int)-err));
	exit(1);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- messages ---- */

static void progress(void)
{
	static long idle;
	struct fi_cq_tagged_entry e[16];
	ssize_t n = fi_cq_read(me.cq, e, 16);

	if (n == -FI_EAGAIN) {
		if (++idle > SPINS)
			sched_yield();
		return;
	}
	if (n < 0)
		check("fi_cq_read", n);
	idle = 0;
	for (ssize_t i = 0; i < n; i++) {
		me.received += (e[i].flags & FI_RECV) != 0;
		me.sent += (e[i].flags & FI_SEND) != 0;
	}
}

static struct fi_context2 *context(void)
{
	return &me.contexts[me.next++ % (sizeof(me.contexts) / sizeof(me.contexts[0]))];
}

static void post(size_t len)
{
	ssize_t err;

	while ((err = fi_trecv(me.ep, me.in, len, NULL, FI_ADDR_UNSPEC, 7, 0, context())) ==
	       -FI_EAGAIN)
		progress();
	check("fi_trecv", err);
}

/* 1 if a completion will tell. */
static int start(size_t len)
{
	ssize_t err;

	do {
		if (len <= me.inject)
			err = fi_tinject(me.ep, me.out, len, me.other, 7);
		else
			err = fi_tsend(me.ep, me.out, len, NULL, me.other, 7, context());
		if (err == -FI_EAGAIN)
			progress();
	} while (err == -FI_EAGAIN);
	check("fi_tsend", err);
	return len > me.inject;
}

static void await(long *count, long n)
{
	while (*count < n)
		progress();
	*count -= n;
}

/* ---- what is measured; a receive is posted for the first message of an iteration ---- */

static void trip(void)
{
	if (me.rank == 0)
		await(&me.sent, start(me.len));
	await(&me.received, 1);
	post(me.len);
	if (me.rank == 1)
		await(&me.sent, start(me.len));
}

static void window(void)
{
	int n = 0;

	if (me.rank == 0) {
		for (int i = 0; i < WINDOW; i++)
			n += start(me.len);
		await(&me.sent, n);
		await(&me.received, 1);
		post(1);
		return;
	}
	for (int i = 0; i < WINDOW; i++) {
		await(&me.received, 1);
		post(me.len);
	}
	await(&me.sent, start(1));
}

/* ---- repetitions ---- */

/* Returns when both processes are here. */
static void meet(void)
{
	char c = 0;

	if (me.rank == 0)
		check("write", write(me.pipe, &c, 1) != 1);
	check("read", read(me.pipe, &c, 1) != 1);
	if (me.rank == 1)
		check("write", write(me.pipe, &c, 1) != 1);
}

static double repeat(void (*iterate)(void), long loops)
{
	double begin;

	meet();
	begin = now();
	for (long i = 0; i < loops; i++)
		iterate();
	return now() - begin;
}

/* ---- opening ---- */

static void choose(const char *provider)
{
	struct fi_info *hints = fi_allocinfo();

	hints->ep_attr->type = FI_EP_RDM;
	hints->caps = FI_TAGGED;
	hints->mode = FI_CONTEXT | FI_CONTEXT2;
	hints->tx_attr->msg_order = hints->rx_attr->msg_order = FI_ORDER_SAS;
	hints->domain_attr->threading = FI_THREAD_DOMAIN;
	hints->domain_attr->mr_mode = FI_MR_ALLOCATED | FI_MR_VIRT_ADDR | FI_MR_PROV_KEY;
	hints->fabric_attr->prov_name = strdup(provider);
	check("fi_getinfo", fi_getinfo(FI_VERSION(1, 11), NULL, NULL, 0, hints, &me.info));
	fi_freeinfo(hints);
	me.inject = me.info->tx_attr->inject_size;
}

static void open_endpoint(void)
{
	struct fi_cq_attr cq = { .format = FI_CQ_FORMAT_TAGGED, .wait_obj = FI_WAIT_NONE,
				 .size = me.info->tx_attr->size + me.info->rx_attr->size };
	struct fi_av_attr av_attr = { .type = FI_AV_TABLE, .count = 2 };
	char mine[256] = "", theirs[256];
	size_t len = sizeof(mine);

	check("fi_fabric", fi_fabric(me.info->fabric_attr, &me.fabric, NULL));
	check("fi_domain", fi_domain(me.fabric, me.info, &me.domain, NULL));
	check("fi_av_open", fi_av_open(me.domain, &av_attr, &me.av, NULL));
	check("fi_cq_open", fi_cq_open(me.domain, &cq, &me.cq, NULL));
	check("fi_endpoint", fi_endpoint(me.domain, me.info, &me.ep, NULL));
	check("fi_ep_bind", fi_ep_bind(me.ep, &me.av->fid, 0));
	check("fi_ep_bind", fi_ep_bind(me.ep, &me.cq->fid, FI_TRANSMIT | FI_RECV));
	check("fi_enable", fi_enable(me.ep));
	check("fi_getname", fi_getname(&me.ep->fid, mine, &len));
	check("write", write(me.pipe, mine, sizeof(mine)) != sizeof(mine));
	check("read", read(me.pipe, theirs, sizeof(theirs)) != sizeof(theirs));
	check("fi_av_insert", fi_av_insert(me.av, theirs, 1, &me.other, 0, NULL) != 1);
}

/* Provider shm leaves its memory under the process's number otherwise, to trip over the next of that number. */
static void close_endpoint(void)
{
	fi_close(&me.ep->fid);
	fi_close(&me.cq->fid);
	fi_close(&me.av->fid);
	fi_close(&me.domain->fid);
	fi_close(&me.fabric->fid);
	fi_freeinfo(me.info);
}

static void pin(void)
{
	cpu_set_t all, one;
	int left = me.rank;

	sched_getaffinity(0, sizeof(all), &all);
	if (CPU_COUNT(&all) < 2)
		return;
	CPU_ZERO(&one);
	for (int c = 0; c < CPU_SETSIZE && left >= 0; c++)
		if (CPU_ISSET(c, &all) && left-- == 0)
			CPU_SET(c, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static void *buffer(size_t len, int fill)
{
	size_t bytes = (len + PAGE) / PAGE * PAGE;
	void *buf = aligned_alloc(PAGE, bytes);

	check("aligned_alloc", buf ? 0 : -FI_ENOMEM);
	return memset(buf, fill, bytes);
}

int main(int argc, char **argv)
{
	bool latency = argc == 5 && !strcmp(argv[1], "latency");
	int pipes[2], status = 0;
	pid_t child;
	double s, least = 1e9;

	if (argc != 5 || (!latency && strcmp(argv[1], "bandwidth")))
		return 2;
	me.len = strtoul(argv[3], NULL, 10);
	check("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, pipes));
	child = fork();
	me.rank = child == 0;
	me.pipe = pipes[me.rank];
	pin();
	choose(argv[2]);
	open_endpoint();
	me.out = buffer(me.len, me.rank + 1);
	me.in = buffer(me.len, 0);
	for (int i = 0; i < (latency || me.rank == 0 ? 1 : WINDOW); i++)
		post(latency || me.rank == 1 ? me.len : 1);
	for (int i = 0; i < REPETITIONS; i++) {
		s = repeat(latency ? trip : window, strtol(argv[4], NULL, 10));
		least = s < least ? s : least;
	}
	meet();
	close_endpoint();
	if (child == 0)
		_exit(0);
	waitpid(child, &status, 0);
	printf("%.9g\n", least);
	return status != 0;
}
