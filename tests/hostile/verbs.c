/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stranger that reaches the device of a rank of backend `verbs` and does not know the run: sends
 * datagrams that look like hellos, with keys that it guesses, to queue pairs of low numbers; and to
 * those, from queue pairs of its own, sends, writes and reads, with packet numbers that begin at 0.
 *
 *	verbs ROUNDS
 *
 * Prints how many work requests were taken and how many reads and writes have succeeded:
 * "sent 900 let in 0". Exit status 0, 77 without a device.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <infiniband/verbs.h>

#define FIRST 17		/* first number of queue pairs: Soft-RoCE counts from here */
#define NUMBERS 64
#define PATIENCE_S 0.05

struct stranger {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_mr *mr;
	struct ibv_port_attr port;
	union ibv_gid gid;
	int gid_index;
	unsigned char memory[4096];
};

static unsigned long sent, let_in;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Finds the first device, and its GID of RoCE v2 with IPv4, at which its ranks are. */
static bool open_device(struct stranger *s)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_gid_entry e;

	s->ctx = list && list[0] ? ibv_open_device(list[0]) : NULL;
	if (!s->ctx || ibv_query_port(s->ctx, 1, &s->port))
		return false;
	for (int i = 0; i < s->port.gid_tbl_len; i++)
		if (!ibv_query_gid_ex(s->ctx, 1, (uint32_t)i, &e, 0) &&
		    e.gid_type == IBV_GID_TYPE_ROCE_V2) {
			s->gid = e.gid;
			s->gid_index = i;
		}
	s->pd = ibv_alloc_pd(s->ctx);
	s->cq = ibv_create_cq(s->ctx, 256, NULL, NULL, 0);
	s->mr = ibv_reg_mr(s->pd, s->memory, sizeof(s->memory), IBV_ACCESS_LOCAL_WRITE);
	return s->pd && s->cq && s->mr;
}

static struct ibv_ah_attr way(const struct stranger *s)
{
	return (struct ibv_ah_attr){ .is_global = 1, .port_num = 1,
				     .grh = { .dgid = s->gid, .hop_limit = 64,
					      .sgid_index = (uint8_t)s->gid_index } };
}

/*
 * Makes a queue pair that sends: of type UD, or connected with a queue pair of a number, which does
 * not know it.
 */
static struct ibv_qp *make(struct stranger *s, enum ibv_qp_type type, uint32_t number)
{
	struct ibv_qp_init_attr init = { .send_cq = s->cq, .recv_cq = s->cq, .qp_type = type,
					 .cap = { 64, 1, 1, 1, 0 } };
	struct ibv_qp_attr a = { .qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = 1,
				 .path_mtu = IBV_MTU_1024, .dest_qp_num = number, .ah_attr = way(s),
				 .max_dest_rd_atomic = 1, .max_rd_atomic = 1, .min_rnr_timer = 1,
				 .timeout = 8, .retry_cnt = 1, .rnr_retry = 1 };
	struct ibv_qp *qp = ibv_create_qp(s->pd, &init);
	bool datagram = type == IBV_QPT_UD;
	int err = !qp;

	err = err || ibv_modify_qp(qp, &a, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
						   (datagram ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS));
	a.qp_state = IBV_QPS_RTR;
	err = err || ibv_modify_qp(qp, &a, IBV_QP_STATE | (datagram ? 0 :
			  IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
			  IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
	a.qp_state = IBV_QPS_RTS;
	err = err || ibv_modify_qp(qp, &a, IBV_QP_STATE | IBV_QP_SQ_PSN | (datagram ? 0 :
			  IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
			  IBV_QP_MAX_QP_RD_ATOMIC));
	if (err && qp)
		ibv_destroy_qp(qp);
	return err ? NULL : qp;
}

/* True if a posted work request has succeeded within the time that we wait. */
static bool succeeds(struct stranger *s)
{
	double until = now() + PATIENCE_S;
	struct ibv_wc wc;

	while (now() < until)
		if (ibv_poll_cq(s->cq, 1, &wc) > 0)
			return wc.status == IBV_WC_SUCCESS;
	return false;
}

/* Sends datagrams like the hello of a rank far out of range to each number, with some keys. */
static void send_hellos(struct stranger *s)
{
	const uint32_t keys[] = { 0, 1, 0x11111111, (uint32_t)random() };
	struct ibv_ah_attr to = way(s);
	struct ibv_ah *ah = ibv_create_ah(s->pd, &to);
	struct ibv_qp *qp = make(s, IBV_QPT_UD, 0);

	memset(s->memory, 0x5a, sizeof(s->memory));
	memcpy(s->memory, &(uint32_t){ 0x7ffffff }, sizeof(uint32_t));
	for (uint32_t i = 0; i < NUMBERS * 4 && ah && qp; i++) {
		struct ibv_sge sge = { (uintptr_t)s->memory, i % 3 ? 40 : 20, s->mr->lkey };
		struct ibv_send_wr wr = { .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_SEND,
					  .send_flags = IBV_SEND_SIGNALED,
					  .wr.ud = { ah, FIRST + i / 4, keys[i % 4] } }, *bad;

		sent += !ibv_post_send(qp, &wr, &bad);
		succeeds(s);
	}
	if (qp)
		ibv_destroy_qp(qp);
	if (ah)
		ibv_destroy_ah(ah);
}

/* Sends to one queue pair: a send, a write and a read with a guessed key. */
static void knock(struct stranger *s, uint32_t number)
{
	static const enum ibv_wr_opcode codes[] = { IBV_WR_SEND, IBV_WR_RDMA_WRITE,
						    IBV_WR_RDMA_READ };

	for (int i = 0; i < 3; i++) {
		struct ibv_qp *qp = make(s, IBV_QPT_RC, number);
		struct ibv_sge sge = { (uintptr_t)s->memory, 64, s->mr->lkey };
		struct ibv_send_wr wr = { .sg_list = &sge, .num_sge = 1, .opcode = codes[i],
					  .send_flags = IBV_SEND_SIGNALED,
					  .wr.rdma = { 0, (uint32_t)random() } }, *bad;

		if (!qp)
			return;
		sent += !ibv_post_send(qp, &wr, &bad);
		let_in += succeeds(s);
		ibv_destroy_qp(qp);
	}
}

int main(int argc, char **argv)
{
	static struct stranger s;

	if (argc != 2) {
		fprintf(stderr, "usage: %s rounds\n", argv[0]);
		return 2;
	}
	if (!open_device(&s))
		return 77;
	srandom((unsigned)time(NULL));
	for (int round = atoi(argv[1]); round > 0; round--) {
		send_hellos(&s);
		for (uint32_t i = 0; i < NUMBERS; i++)
			knock(&s, FIRST + i);
	}
	printf("sent %lu let in %lu\n", sent, let_in);
	return 0;
}
