/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stranger that reaches a rank of backend `ofi` and does not know the run: sends messages, tagged
 * and not, with the tags and notes of a rank, writes and reads memory with keys that it guesses.
 *
 *	ofi PROVIDER HOST PORT ROUNDS
 *
 * Prints how many operations the library has taken, and how many reads have got the other side's
 * memory: "sent 120 read 0". Exit status 0, 77 if the provider is not here.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <time.h>

#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>

#define EACH 12			/* number of operations of a kind on one endpoint */
#define ALONE 6	/* number of operations with an endpoint each: a refused key may end a connection */
#define PATIENCE_S 0.25		/* s, for operations in flight, and for a connection */

enum kind { TAGGED, NOTES, UNTAGGED, EMPTY_DATA, WRITE, WRITE_DATA, READ, KINDS };

static unsigned long sent, got;

struct stranger {
	struct fi_info *info;
	struct fid_fabric *fabric;
	struct fid_domain *domain;
	struct fid_av *av;
	struct fid_cq *cq;
	struct fid_ep *end;
	struct fid_mr *mr;
	void *desc;
	fi_addr_t to;
	unsigned char memory[4096];
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t any_number(void)
{
	uint64_t n = 0;

	return getrandom(&n, sizeof(n), 0) == sizeof(n) ? n : (uint64_t)clock();
}

static struct fi_info *find(const char *provider, const char *host, const char *port)
{
	struct fi_info *hints = fi_allocinfo(), *info = NULL;

	hints->ep_attr->type = FI_EP_RDM;
	hints->caps = FI_MSG | FI_TAGGED | FI_RMA;
	hints->mode = FI_CONTEXT | FI_CONTEXT2;
	hints->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_ALLOCATED | FI_MR_VIRT_ADDR |
				      FI_MR_PROV_KEY | FI_MR_ENDPOINT;
	hints->fabric_attr->prov_name = strdup(provider);
	if (fi_getinfo(FI_VERSION(1, 11), host, port, 0, hints, &info))
		info = NULL;
	fi_freeinfo(hints);
	return info;
}

static bool open_one(struct stranger *s)
{
	struct fi_av_attr av = { .type = FI_AV_TABLE, .count = 4 };
	struct fi_cq_attr cq = { .format = FI_CQ_FORMAT_TAGGED, .size = 1024 };

	if (fi_fabric(s->info->fabric_attr, &s->fabric, NULL) ||
	    fi_domain(s->fabric, s->info, &s->domain, NULL) ||
	    fi_av_open(s->domain, &av, &s->av, NULL) || fi_cq_open(s->domain, &cq, &s->cq, NULL) ||
	    fi_endpoint(s->domain, s->info, &s->end, NULL) ||
	    fi_ep_bind(s->end, &s->av->fid, 0) ||
	    fi_ep_bind(s->end, &s->cq->fid, FI_TRANSMIT | FI_RECV) || fi_enable(s->end) ||
	    fi_av_insert(s->av, s->info->dest_addr, 1, &s->to, 0, NULL) != 1)
		return false;
	if (fi_mr_reg(s->domain, s->memory, sizeof(s->memory),
		      FI_SEND | FI_RECV | FI_READ | FI_WRITE, 0, 7, 0, &s->mr, NULL))
		return false;
	s->desc = fi_mr_desc(s->mr);
	return true;
}

static void close_one(struct stranger *s)
{
	struct fid *all[] = { s->end ? &s->end->fid : NULL, s->mr ? &s->mr->fid : NULL,
			      s->cq ? &s->cq->fid : NULL, s->av ? &s->av->fid : NULL,
			      s->domain ? &s->domain->fid : NULL,
			      s->fabric ? &s->fabric->fid : NULL };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i])
			fi_close(all[i]);
}

/* The format of a rank's note; the number of this rank is far out of range. */
static void write_note(struct stranger *s)
{
	const uint32_t words[2] = { (uint32_t)any_number() % 4, 0x7ffffff };

	memset(s->memory, 0x5a, sizeof(s->memory));
	memcpy(s->memory, words, sizeof(words));
}

static ssize_t attack(struct stranger *s, enum kind kind, int i, void *context)
{
	uint64_t old_tag = (uint64_t)(1 + i % 3) << 17 | (uint64_t)(i / 3 % 2);
	uint64_t tag = i % 2 ? old_tag : any_number() << 19 | old_tag;
	uint64_t key = i < ALONE - 1 ? (uint64_t)(i % 3) : any_number();
	uint64_t at = i / 3 % 2 ? 8192 : 0;
	size_t len = i % 2 ? 64 : 8;

	switch (kind) {
	case TAGGED:
		return fi_tsend(s->end, s->memory, len, s->desc, s->to, tag, context);
	case NOTES:
		write_note(s);
		return fi_tsend(s->end, s->memory, 64, s->desc, s->to,
				3U << 17 | (unsigned)(i % 2), context);
	case UNTAGGED:
		return fi_send(s->end, s->memory, len, s->desc, s->to, context);
	case EMPTY_DATA:
		return fi_writedata(s->end, s->memory, 0, s->desc, (uint64_t)(i % 2), s->to, at,
				    key, context);
	case WRITE:
		return fi_write(s->end, s->memory, len, s->desc, s->to, at, key, context);
	case WRITE_DATA:
		return fi_writedata(s->end, s->memory, len, s->desc,
				    i % 2 ? any_number() & 0xffffffff : (uint64_t)(i / 2 % 2),
				    s->to, at, key, context);
	default:
		return fi_read(s->end, s->memory, len, s->desc, s->to, at, key, context);
	}
}

/*
 * Takes completions until all have arrived or it takes too long. Returns the number of successful
 * operations.
 */
static unsigned long reap(struct stranger *s, int wanted)
{
	double until = now() + PATIENCE_S;
	unsigned long good = 0;

	while (wanted > 0 && now() < until) {
		struct fi_cq_tagged_entry e;
		struct fi_cq_err_entry fault = { .err = 0 };
		ssize_t n = fi_cq_read(s->cq, &e, 1);

		if (n == -FI_EAVAIL)
			fi_cq_readerr(s->cq, &fault, 0);
		else if (n > 0)
			good++;
		wanted -= n > 0 || n == -FI_EAVAIL;
	}
	return good;
}

/* Attacks by one endpoint, in one way. */
static void visit(struct fi_info *info, enum kind kind)
{
	static struct fi_context2 context[EACH];
	struct stranger *s = calloc(1, sizeof(*s));
	int taken = 0;

	s->info = info;
	memset(s->memory, 0x5a, sizeof(s->memory));
	for (int i = 0; i < (kind < WRITE ? EACH : ALONE) && (s->end || open_one(s)); i++) {
		double until = now() + PATIENCE_S;
		struct fi_cq_tagged_entry e;
		ssize_t err;

		while ((err = attack(s, kind, i, &context[i])) == -FI_EAGAIN && now() < until)
			fi_cq_read(s->cq, &e, 1);
		taken += !err;
		if (kind < WRITE)
			continue;
		if (!err && reap(s, 1) && kind == READ)
			got++;
		close_one(s);
		*s = (struct stranger){ .info = info };
	}
	if (kind < WRITE)
		reap(s, taken);
	sent += (unsigned long)taken;
	close_one(s);
	free(s);
}

int main(int argc, char **argv)
{
	struct fi_info *info = argc == 5 ? find(argv[1], argv[2], argv[3]) : NULL;

	if (argc != 5) {
		fprintf(stderr, "usage: %s provider host port rounds\n", argv[0]);
		return 2;
	}
	if (!info)
		return 77;
	for (int round = atoi(argv[4]); round > 0; round--)
		for (enum kind kind = 0; kind < KINDS; kind++)
			visit(info, kind);
	fi_freeinfo(info);
	printf("sent %lu read %lu\n", sent, got);
	return 0;
}
