/* SPDX-License-Identifier: Apache-2.0 */
#include "host/links.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "host/devices.h"
#include "host/files.h"

/* drops and retransmissions occur on any host; fewer than this are no sign of trouble */
#define FEW_DROPS 10
#define MANY_WAITS 100000		/* fewer ticks of waiting are no sign of trouble */
#define IB_WORD 4		/* bytes in the unit of an InfiniBand port's data counters */

const struct link_counter links_ethernet[] = {
	{ "rx_crc_errors", "CRC errors", 1, true },
	{ "rx_frame_errors", "frame errors", 1, true },
	{ "tx_carrier_errors", "carrier errors", 1, true },
	{ "rx_errors", "receive errors", 1, false },
	{ "tx_errors", "send errors", 1, false },
	{ "rx_fifo_errors", "receive overruns", 1, false },
	{ "rx_over_errors", "receive overflows", 1, false },
	{ "rx_length_errors", "length errors", 1, false },
	{ "rx_missed_errors", "missed packets", FEW_DROPS, false },
	{ "rx_dropped", "packets dropped on receiving", FEW_DROPS, false },
	{ "tx_dropped", "packets dropped on sending", FEW_DROPS, false },
	{ "collisions", "collisions", 1, false },
	{ "carrier_down_count", "losses of the link", 1, false },
	{ NULL, NULL, 0, false }
};

const struct link_counter links_infiniband[] = {
	{ "symbol_error", "symbol errors", 1, true },
	{ "link_error_recovery", "recoveries of the link", 1, true },
	{ "local_link_integrity_errors", "link integrity errors", 1, true },
	{ "link_downed", "losses of the link", 1, false },
	{ "port_rcv_errors", "receive errors", 1, false },
	{ "port_rcv_remote_physical_errors", "packets marked bad on the way", 1, false },
	{ "port_rcv_switch_relay_errors", "relay errors", 1, false },
	{ "port_xmit_discards", "packets discarded on sending", FEW_DROPS, false },
	{ "port_xmit_constraint_errors", "send constraint errors", 1, false },
	{ "port_rcv_constraint_errors", "receive constraint errors", 1, false },
	{ "excessive_buffer_overrun_errors", "buffer overruns", 1, false },
	{ "VL15_dropped", "management packets dropped", FEW_DROPS, false },
	{ "port_xmit_wait", "ticks spent waiting to send", MANY_WAITS, false },
	{ NULL, NULL, 0, false }
};

const struct link_counter links_tcp[] = {
	{ "tcp_retransmissions", "TCP retransmissions", FEW_DROPS, false },
	{ "tcp_retransmissions_of_all", "TCP retransmissions, of all programs", FEW_DROPS, false },
	{ "rdma_retransmissions", "RDMA retransmissions", FEW_DROPS, false },
	{ "rdma_out_of_sequence", "RDMA packets out of sequence", FEW_DROPS, false },
	{ "rdma_receiver_not_ready", "RDMA messages without a receive", FEW_DROPS, false },
	{ "rdma_congestion_notifications", "congestion notifications", FEW_DROPS, false },
	{ NULL, NULL, 0, false }
};

const struct link_counter *links_counter(const char *name)
{
	const struct link_counter *const lists[] = { links_ethernet, links_infiniband, links_tcp };

	for (size_t i = 0; i < 3; i++)
		for (const struct link_counter *c = lists[i]; c->name; c++)
			if (!strcmp(c->name, name))
				return c;
	return NULL;
}

/* Returns the whole number in a file of a directory; negative if there is none. */
static json_int_t read_number(const char *dir, const char *file)
{
	json_t *v = file_of_entry(dir, "", file);
	json_int_t number = json_is_integer(v) ? json_integer_value(v) : -1;

	json_decref(v);
	return number;
}

/* Adds those counters of `list` that exist as files in a directory. */
static void add_counters(json_t *to, const char *dir, const struct link_counter *list)
{
	for (const struct link_counter *c = list; c->name; c++) {
		json_int_t n = read_number(dir, c->name);

		if (n >= 0)
			json_object_set_new(to, c->name, json_integer(n));
	}
}

/* Adds member "bytes": the sum of two counters, times `unit`. An unknown counter is 0. */
static void add_byte_sum(json_t *counters, const char *dir, const char *a, const char *b, int unit)
{
	json_int_t x = read_number(dir, a), y = read_number(dir, b);

	json_object_set_new(counters, "bytes",
			    json_integer(unit * ((x > 0 ? x : 0) + (y > 0 ? y : 0))));
}

/*
 * Returns the kernel's distance between two NUMA nodes, 10 for a node to itself; null if a node is
 * unknown.
 */
static json_t *numa_distance(const char *root, int node, const json_t *other)
{
	char path[PATH_MAX], line[4096], *at = line, *end;
	long long to = json_is_integer(other) ? json_integer_value(other) : -1, far = 0;

	snprintf(path, sizeof(path), "%s/sys/devices/system/node/node%d/distance", root, node);
	if (node < 0 || to < 0 || !file_line(path, line, sizeof(line)))
		return json_null();
	for (long long i = 0; i <= to; i++, at = end) {
		far = strtoll(at, &end, 10);
		if (end == at)
			return json_null();
	}
	return json_integer(far);
}

/*
 * Adds a link with its facts; takes over the reference `facts`. Leaves out the fact "name". Adds
 * the fact "numa_distance". Returns the link's counters, an empty object.
 */
static json_t *add_link(json_t *links, const char *name, json_t *facts, const char *root, int node)
{
	json_t *counters = json_object();

	json_object_del(facts, "name");
	json_object_set_new(facts, "numa_distance",
			    numa_distance(root, node, json_object_get(facts, "numa_node")));
	json_object_set_new(links, name,
			    json_pack("{s:o, s:o}", "facts", facts, "counters", counters));
	return counters;
}

/* Adds all network interfaces except the loop-back. */
static void add_interfaces(json_t *links, const char *root, int node)
{
	json_t *list = devices_network_in(root), *device;
	char path[PATH_MAX];
	size_t i;

	json_array_foreach(list, i, device) {
		const char *name = json_string_value(json_object_get(device, "name"));
		json_t *counters;

		if (!strcmp(name, "lo"))
			continue;
		counters = add_link(links, name, json_copy(device), root, node);
		snprintf(path, sizeof(path), "%s/sys/class/net/%s/", root, name);
		add_counters(counters, path, links_ethernet);
		strcat(path, "statistics/");
		add_counters(counters, path, links_ethernet);
		add_byte_sum(counters, path, "rx_bytes", "tx_bytes", 1);
	}
	json_decref(list);
}

/* Adds all ports of InfiniBand devices. */
static void add_ports(json_t *links, const char *root, int node)
{
	json_t *list = devices_infiniband_in(root), *adapter, *port;
	char path[PATH_MAX], name[300];
	size_t i, k;

	json_array_foreach(list, i, adapter) {
		const char *device = json_string_value(json_object_get(adapter, "name"));

		json_array_foreach(json_object_get(adapter, "ports"), k, port) {
			const char *number = json_string_value(json_object_get(port, "port"));
			json_t *facts = json_copy(adapter), *counters;

			json_object_update(facts, port);
			json_object_del(facts, "ports");
			json_object_del(facts, "port");
			snprintf(name, sizeof(name), "%s port %s", device, number);
			snprintf(path, sizeof(path),
				 "%s/sys/class/infiniband/%s/ports/%s/counters/", root, device,
				 number);
			counters = add_link(links, name, facts, root, node);
			add_counters(counters, path, links_infiniband);
			add_byte_sum(counters, path, "port_rcv_data", "port_xmit_data", IB_WORD);
		}
	}
	json_decref(list);
}

json_t *links_describe(const char *root, int node)
{
	json_t *links = json_object();

	add_interfaces(links, root, node);
	add_ports(links, root, node);
	return links;
}

/* /proc/net/snmp has two lines for TCP, both beginning with "Tcp:": first names, then values. */
double links_retransmitted(const char *root)
{
	char path[PATH_MAX], names[1024] = "", values[1024] = "", *n, *v, *rest_n, *rest_v;
	double found = -1;
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/net/snmp", root);
	f = fopen(path, "re");
	while (f && fgets(values, sizeof(values), f)) {
		if (!strncmp(names, "Tcp:", 4) && !strncmp(values, "Tcp:", 4))
			break;
		memcpy(names, values, sizeof(names));
	}
	n = strtok_r(names, " \n", &rest_n);
	v = strtok_r(values, " \n", &rest_v);
	while (f && n && v && found < 0) {
		if (!strcmp(n, "RetransSegs"))
			found = strtod(v, NULL);
		n = strtok_r(NULL, " \n", &rest_n);
		v = strtok_r(NULL, " \n", &rest_v);
	}
	if (f)
		fclose(f);
	return found;
}
