/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `verbs`: records the device, port and queues, lists all devices, and reads the port's
 * counters.
 */
#include <arpa/inet.h>
#include <math.h>

#include "backends/verbs/record.h"
#include "base/file.h"

/* ---- sysfs ---- */

/*
 * Returns the number in the sysfs file `name`, which is in `folder` of the device. Returns
 * `missing` if there is no such number.
 */
static double read_sysfs_number(const struct verbs *v, const char *folder, const char *name,
				double missing)
{
	char path[512], text[32];

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/%s/%s",
		 ibv_get_device_name(v->ctx->device), folder, name);
	return file_first_line(path, text, sizeof(text)) && *text ? strtod(text, NULL) : missing;
}

/* ---- counters ---- */

/*
 * Each counter has a list of sysfs files, and its value is the sum of their values. A device has
 * only some of the files, because file names differ between devices.
 */
static const struct {
	const char *name, *group, *files[6];
} port_counters[] = {
	{ "rdma_retransmissions", "hw_counters",
	  { "completer_retry_err", "local_ack_timeout_err", "packet_seq_err", "implied_nak_seq_err",
	    "RetransSegs" } },
	{ "rdma_duplicates", "hw_counters", { "duplicate_request" } },
	{ "rdma_out_of_sequence", "hw_counters", { "out_of_sequence", "out_of_seq_request" } },
	{ "rdma_receiver_not_ready", "hw_counters",
	  { "rcvd_rnr_err", "rnr_nak_retry_err", "out_of_buffer", "rx_out_of_buffer" } },
	{ "rdma_congestion_notifications", "hw_counters",
	  { "np_cnp_sent", "rp_cnp_handled", "np_ecn_marked_roce_packets", "cnp_ignored" } },
	{ "rdma_port_errors", "counters",
	  { "port_rcv_errors", "port_xmit_discards", "symbol_error", "link_downed",
	    "local_link_integrity_errors" } },
};
#define NPORT LENGTH(port_counters)

int verbs_counters(struct endpoint *ep, struct counter *c)
{
	struct verbs *v = verbs_of(ep);
	const struct verbs_card *mine = &v->cards[v->ep.job->rank];
	char folder[32];
	bool counts = true;
	int n = NPORT;

	/* if ranks share a device, only the lowest of these ranks reads the device's counters */
	for (const struct verbs_card *of = v->cards; of < mine; of++)
		counts &= strcmp(of->machine, mine->machine) || strcmp(of->device, mine->device);
	for (size_t i = 0; i < NPORT; i++) {
		c[i] = (struct counter){ port_counters[i].name, 0, true };
		snprintf(folder, sizeof(folder), "ports/%u/%s", v->port_num,
			 port_counters[i].group);
		for (size_t k = 0; k < 6 && port_counters[i].files[k] && counts; k++)
			c[i].value += read_sysfs_number(v, folder, port_counters[i].files[k], 0);
	}
	if (v->datagram) {
		c[n++] = (struct counter){ "ud_lost", v->lost, true };
		c[n++] = (struct counter){ "ud_reordered", v->reordered, true };
	}
	c[n++] = (struct counter){ COUNTER_STRANGERS, (double)v->strangers, false };
	return n;
}

int verbs_numa_node(const struct verbs *v)
{
	return (int)read_sysfs_number(v, "device", "numa_node", -1);
}

/* ---- the record ---- */

static const char *const transports[] = { "RC", "UC", "UD" };

/* Returns a text for the record. It says how the receiver learns that a message has arrived. */
static const char *describe_detection(const struct verbs *v)
{
	static const char *const how[] = { "a completion",
					   "immediate data of the last message of a step",
					   "immediate data", "the reader's own completion" };

	if (v->options->op != VERBS_WRITE || v->options->last_byte == LAST_BYTE_NEVER || v->events)
		return how[v->options->op];
	if (v->options->last_byte == LAST_BYTE_ALWAYS)
		return "its last byte where steps are single messages (whether the device writes "
		       "in order was not checked), else immediate data of the last message of a "
		       "step";
	return v->in_order ? "its last byte where steps are single messages (the device writes in "
			     "order), else immediate data of the last message of a step"
			   : "immediate data (the device does not promise to write in order)";
}

/* Returns the speed of a port in Gbit/s, or 0 if unknown. */
static double port_speed(const struct ibv_port_attr *port)
{
	/* Gbit/s per lane, indexed by the number of the bit that is set in the port's speed code */
	static const double gbps[] = { 2.5, 5, 10, 10, 14, 25, 50, 100 };
	static const int lanes[] = { 1, 4, 8, 12, 2 };
	unsigned speed = port->active_speed, width = port->active_width;

	if (__builtin_popcount(speed) != 1 || __builtin_popcount(width) != 1 || width > 16)
		return 0;
	return lanes[__builtin_ctz(width)] * gbps[__builtin_ctz(speed)];
}

static const char *link_layer(const struct ibv_port_attr *port)
{
	return port->link_layer == IBV_LINK_LAYER_ETHERNET ? "Ethernet" : "InfiniBand";
}

static void describe_port(const struct verbs *v, struct facts *f)
{
	const struct verbs_card *mine = &v->cards[v->ep.job->rank];
	double speed = port_speed(&v->port);
	char text[64];

	fact_text(f, "device", mine->device);
	fact_text(f, "firmware", *v->dev.fw_ver ? v->dev.fw_ver : "unknown");
	fact_int(f, "vendor_id", v->dev.vendor_id);
	fact_int(f, "vendor_part_id", v->dev.vendor_part_id);
	fact_int(f, "port", v->port_num);
	fact_text(f, "link_layer", link_layer(&v->port));
	fact_real(f, "port_speed_Gbps", speed > 0 ? speed : NAN);
	inet_ntop(AF_INET6, mine->gid.raw, text, sizeof(text));
	fact_text(f, "gid", text);
	fact_int(f, "gid_index", v->gid_index);
	fact_int(f, "lid", v->port.lid);
	fact_int(f, "device_numa_node", verbs_numa_node(v));
}

void verbs_describe(struct endpoint *ep, struct facts *f)
{
	static const char *const ops[] = { "send", "write", "write with immediate data", "read" };
	const struct verbs *v = verbs_of(ep);
	int peer = ep->job->size > 1 ? !ep->job->rank : 0;
	enum ibv_mtu mtu = v->mtu < v->cards[peer].mtu ? v->mtu : (enum ibv_mtu)v->cards[peer].mtu;
	const char *transport = transports[v->options->transport], *op = ops[v->options->op];
	struct ibv_qp_init_attr got = { .cap = { 0 } };
	struct ibv_qp_attr a;

	fact_format(f, "method", "%s, %s, %s", ibv_get_device_name(v->ctx->device), transport, op);
	fact_text(f, "transport", transport);
	fact_text(f, "operation", op);
	fact_text(f, "message_seen_by", describe_detection(v));
	fact_text(f, "message_operations", "RC, eager up to 4096 bytes, then rendezvous by read");
	describe_port(v, f);
	fact_int(f, "path_mtu_B", 128LL << mtu);
	/* records both the requested and the granted values */
	fact_int(f, "tx_depth_asked", (long long)v->options->tx_depth);
	fact_int(f, "rx_depth_asked", (long long)v->options->rx_depth);
	fact_int(f, "inline_B", v->inlined);
	peer = verbs_described_peer(v);
	if (v->peers[peer].data && !ibv_query_qp(v->peers[peer].data, &a, IBV_QP_CAP, &got)) {
		fact_int(f, "tx_depth_granted", got.cap.max_send_wr);
		fact_int(f, "rx_depth_granted", got.cap.max_recv_wr);
		fact_int(f, "inline_granted_B", got.cap.max_inline_data);
	}
	fact_int(f, "outstanding_reads",
		 v->reads < v->cards[peer].reads ? v->reads : v->cards[peer].reads);
	fact_text(f, "shared_receive_queue", v->srq ? "yes" : "no");
	fact_text(f, "waiting", v->events ? "block" : "spin, yield");
	fact_text(f, "memory", v->pages);
	fact_text(f, "addresses", v->options->same_buffer ? "the same for every message"
				  : "messages up to 2 KiB use the parts of a page in turn");
}

/* ---- the list of devices ---- */

void verbs_list(int n, char **files, struct facts *f)
{
	int found = 0;
	struct ibv_device **list = ibv_get_device_list(&found);

	for (int i = 0; i < found; i++) {
		struct ibv_context *ctx = ibv_open_device(list[i]);
		struct ibv_device_attr dev = { .phys_port_cnt = 0 };
		struct ibv_port_attr port;

		fact_text(f, "device", ibv_get_device_name(list[i]));
		if (!ctx || ibv_query_device(ctx, &dev))
			fact_text(f, "", "cannot be opened");
		for (unsigned p = 1; ctx && p <= dev.phys_port_cnt; p++) {
			if (ibv_query_port(ctx, (uint8_t)p, &port))
				fact_format(f, "port", "%u: cannot be queried", p);
			else
				fact_format(f, "port", "%u: %sactive, %s, mtu %d B of %d B, "
					    "%g Gbit/s", p,
					    port.state == IBV_PORT_ACTIVE ? "" : "not ",
					    link_layer(&port), 128 << port.active_mtu,
					    128 << port.max_mtu, port_speed(&port));
		}
		if (ctx)
			ibv_close_device(ctx);
	}
	if (list)
		ibv_free_device_list(list);
}
