/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the facts and counters of links, on a made-up /sys and /proc. */
#include "host/links.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[] = "/tmp/test-links-XXXXXX";

/* Makes the directories of a file below the root, and the file. */
static void put(const char *path, const char *text)
{
	char whole[512];
	FILE *f;

	snprintf(whole, sizeof(whole), "%s/%s", root, path);
	for (char *at = whole + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(whole, 0777);
		*at = '/';
	}
	f = fopen(whole, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

#define ETH "sys/class/net/eth0/"
#define IB "sys/class/infiniband/mlx5_0/"

static int setup(void **state)
{
	if (!mkdtemp(root))
		return -1;
	put("sys/class/net/lo/statistics/rx_bytes", "9999\n");
	put(ETH "mtu", "9000\n");
	put(ETH "speed", "100000\n");
	put(ETH "carrier_down_count", "3\n");
	put(ETH "statistics/rx_bytes", "1000\n");
	put(ETH "statistics/tx_bytes", "500\n");
	put(ETH "statistics/rx_crc_errors", "1245\n");
	put(ETH "device/current_link_width", "4\n");
	put(ETH "device/max_link_width", "16\n");
	put(ETH "device/max_link_speed", "16.0 GT/s PCIe\n");
	put(ETH "device/numa_node", "1\n");
	put("sys/devices/system/node/node0/distance", "10 21\n");
	put(IB "fw_ver", "20.31.1014\n");
	put(IB "device/numa_node", "-1\n");
	put(IB "ports/1/rate", "100 Gb/sec (4X EDR)\n");
	put(IB "ports/1/counters/symbol_error", "7\n");
	put(IB "ports/1/counters/port_xmit_wait", "123456\n");
	put(IB "ports/1/counters/port_rcv_data", "10\n");
	put(IB "ports/1/counters/port_xmit_data", "20\n");
	put("proc/net/snmp", "Ip: Forwarding\nIp: 1\nTcp: RtoAlgorithm InSegs RetransSegs InErrs\n"
			     "Tcp: 1 4000 38 0\nUdp: InDatagrams\nUdp: 5\n");
	return 0;
}

static int teardown(void **state)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command);
}

static json_t *at(json_t *links, const char *link, const char *part, const char *name)
{
	return json_object_get(json_object_get(json_object_get(links, link), part), name);
}

static void an_interface_has_its_facts_and_counters(void **state)
{
	static const struct {
		const char *part, *name;
		json_int_t want;
	} cases[] = {
		{ "facts", "mtu_B", 9000 }, { "facts", "speed_Mbps", 100000 },
		{ "facts", "pcie_width", 4 }, { "facts", "pcie_width_max", 16 },
		{ "facts", "numa_node", 1 }, { "facts", "numa_distance", 21 },
		{ "counters", "rx_crc_errors", 1245 }, { "counters", "carrier_down_count", 3 },
		{ "counters", "bytes", 1500 },
	};
	json_t *links = links_describe(root, 0);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(json_integer_value(at(links, "eth0", cases[i].part,
						       cases[i].name)), cases[i].want);
	assert_string_equal(json_string_value(at(links, "eth0", "facts", "pcie_speed_max")),
			    "16.0 GT/s PCIe");
	/* the device has no such file */
	assert_null(at(links, "eth0", "counters", "tx_dropped"));
	assert_null(json_object_get(links, "lo"));
	json_decref(links);
}

static void a_port_of_a_device_has_its_facts(void **state)
{
	json_t *links = links_describe(root, 0);

	assert_string_equal(json_string_value(at(links, "mlx5_0 port 1", "facts", "rate")),
			    "100 Gb/sec (4X EDR)");
	assert_string_equal(json_string_value(at(links, "mlx5_0 port 1", "facts", "firmware")),
			    "20.31.1014");
	assert_true(json_is_null(at(links, "mlx5_0 port 1", "facts", "numa_distance")));
	assert_int_equal(json_integer_value(at(links, "mlx5_0 port 1", "counters",
					       "symbol_error")), 7);
	assert_int_equal(json_integer_value(at(links, "mlx5_0 port 1", "counters", "bytes")), 120);
	json_decref(links);
}

static void a_distance_that_is_unknown_is_null(void **state)
{
	static const int nodes[] = { 1, -1, 5 };	/* no file, unknown, no such node */

	for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++) {
		json_t *links = links_describe(root, nodes[i]);

		assert_true(json_is_null(at(links, "eth0", "facts", "numa_distance")));
		json_decref(links);
	}
}

static void retransmissions_are_those_of_the_kernel(void **state)
{
	assert_int_equal((int)links_retransmitted(root), 38);
	assert_true(links_retransmitted("/nonexistent") < 0);
}

static void counters_know_their_texts(void **state)
{
	assert_true(links_counter("rx_crc_errors")->cable);
	assert_false(links_counter("rx_dropped")->cable);
	assert_string_equal(links_counter("tcp_retransmissions")->text, "TCP retransmissions");
	assert_null(links_counter("bytes"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interface_has_its_facts_and_counters),
		cmocka_unit_test(a_port_of_a_device_has_its_facts),
		cmocka_unit_test(a_distance_that_is_unknown_is_null),
		cmocka_unit_test(retransmissions_are_those_of_the_kernel),
		cmocka_unit_test(counters_know_their_texts),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
