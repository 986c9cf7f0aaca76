/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the bandwidth that devices promise, by the records of runs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "show/check.h"

#define TCP(interface, ip) \
	"'backend':{'name':'tcp','interface':'" interface "','ip_version':" ip "}"
#define NETDEV(name, mtu, speed, slot) \
	"'network':{'devices':[{'name':'" name "','mtu_B':" mtu ",'speed_Mbps':" speed slot "}]}"
#define VERBS(layer, mtu, speed) \
	"'backend':{'name':'verbs','device':'mlx5_0','path_mtu_B':" mtu ",'link_layer':'" layer \
	"','port_speed_Gbps':" speed "}"
#define HCA(slot) "'network':{'infiniband':[{'name':'mlx5_0'" slot "}]}"
#define SLOT(speed, lanes) ",'pcie_speed':'" speed " GT/s PCIe','pcie_width':" lanes

static void links_and_boards_promise_their_rates(void **state)
{
	static const struct {
		const char *environment, *says;
		double Bps;
	} rows[] = {
		/* 1448 of 1538 bytes on the wire */
		{ TCP("eth0", "4") "," NETDEV("eth0", "1500", "10000", ""), "10 Gbit/s of eth0",
		  1.25e9 * 1448 / 1538 },
		{ TCP("eth0", "6") "," NETDEV("eth0", "9000", "100000", ""), "100 Gbit/s of eth0",
		  12.5e9 * 8928 / 9038 },
		/* a slot of one lane is slower: 8 GT/s, 128 of 130 bits, 256 of 282 bytes */
		{ TCP("eth0", "4") "," NETDEV("eth0", "1500", "25000", SLOT("8.0", "1")),
		  "PCIe slot of eth0", 1e9 * 128 / 130 * 256 / 282 },
		{ TCP("eth0", "4") "," NETDEV("eth0", "1500", "25000", SLOT("8.0", "8")),
		  "25 Gbit/s of eth0", 3.125e9 * 1448 / 1538 },
		{ VERBS("InfiniBand", "4096", "100") "," HCA(SLOT("16.0", "16")),
		  "100 Gbit/s of mlx5_0", 12.5e9 * 4096 / 4122 },
		{ VERBS("Ethernet", "1024", "25") "," HCA(""), "25 Gbit/s of mlx5_0",
		  3.125e9 * 1024 / 1106 },
		/* without facts there is no promise */
		{ TCP("eth0", "4") "," NETDEV("eth0", "1500", "null", ""), "", 0 },
		{ TCP("lo", "4") "," NETDEV("lo", "65536", "1000", ""), "", 0 },
		{ TCP("eth1", "4") "," NETDEV("eth0", "1500", "1000", ""), "", 0 },
		{ "'backend':{'name':'shm'}", "", 0 },
		{ "'backend':{}", "", 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[600] = "{";
		struct promise p;
		json_t *environment;

		strcat(strcat(text, rows[i].environment), "}");
		for (char *c = text; *c; c++)
			*c = *c == '\'' ? '"' : *c;
		environment = json_loads(text, 0, NULL);
		assert_non_null(environment);
		p = read_promise(environment);
		if (!strstr(p.text, rows[i].says) || !*p.text != !*rows[i].says ||
		    fabs(p.Bps - rows[i].Bps) > 1)
			fail_msg("%s: %.10g B/s of '%s', expected %.10g", text, p.Bps, p.text,
				 rows[i].Bps);
		json_decref(environment);
	}
}

/* Returns check's line about the latency of 8 B, for free(). */
static char *words_on(const struct figure *f)
{
	struct figures found = { (struct figure *)(uintptr_t)f, 1 };
	struct requirements none = { .n = 0 };
	struct promise unknown = { .Bps = 0 };
	struct check_report r = { .title = "a run", .found = &found, .promise = &unknown,
				  .required = &none, .nothing_judged = true, .ranks = 2 };

	return check_words(&r);
}

/* A wide interval is written as a plain factor. */
static void an_uncertain_value_is_told_as_such(void **state)
{
	static const struct {
		struct figure of;
		const char *says;
	} rows[] = {
		{ { "latency", "half_rtt_p50_s", "s", 8, 1, 1e-6, 1e-7, 1.3e-5, false, false, NULL, 0 },
		  "uncertain by a factor of 130;" },
		{ { "latency", "half_rtt_p50_s", "s", 8, 1, 1e-6, 9.9e-7, 1.01e-6, false, false, NULL, 0 },
		  "+- 1 %;" },
		{ { "latency", "half_rtt_p50_s", "s", 8, 1, 1e-6, NAN, NAN, true, false, NULL, 0 },
		  "fewer than 6 repetitions;" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *text = words_on(&rows[i].of);

		if (!text || !strstr(text, rows[i].says))
			fail_msg("'%s' is not in: %s", rows[i].says, text);
		free(text);
	}
}

/* A figure with too few repetitions, because time ran out, is not judged, whatever its value. */
static void too_few_repetitions_are_not_judged(void **state)
{
	struct figure f = { "latency", "half_rtt_epoch_s", "s", 8, 1, 1.5e-6, NAN, NAN, .few = true };

	assert_int_equal(judge_figure(&f, 1e-6, true), JUDGED_UNCLEAR);
	assert_int_equal(judge_figure(&f, 1, true), JUDGED_UNCLEAR);
}

/* The positions of a limit relative to the interval. */
static void where_the_limit_lies_to_the_interval_decides(void **state)
{
	static const struct {
		const char *requirement;
		double lo, hi;
		enum judgement judged;
		bool exact;
	} rows[] = {
		{ "latency.half_rtt_epoch_s <= 2us", 1e-6, 2e-6, JUDGED_PASS, false },
		{ "latency.half_rtt_epoch_s <= 2us", 1e-6, 2.1e-6, JUDGED_UNCLEAR, false },
		{ "latency.half_rtt_epoch_s <= 2us", 2.01e-6, 3e-6, JUDGED_FAIL, false },
		{ "latency.half_rtt_epoch_s >= 2us", 1e-6, 1.9e-6, JUDGED_FAIL, false },
		{ "latency.half_rtt_epoch_s >= 1.5us", 1e-6, 1.9e-6, JUDGED_UNCLEAR, false },
		/* judged by its value, 1.5 us */
		{ "latency.half_rtt_epoch_s <= 2us", NAN, NAN, JUDGED_PASS, true },
		{ "latency.half_rtt_epoch_s <= 1us", NAN, NAN, JUDGED_FAIL, true },
		{ "latency.half_rtt_epoch_s <= 2us", NAN, NAN, JUDGED_UNCLEAR, false },
		{ "latency.half_rtt_epoch_s size=8 <= 2us", 1e-6, 2e-6, JUDGED_PASS, false },
		{ "latency.half_rtt_epoch_s size=9 <= 2us", 1e-6, 2e-6, JUDGED_UNCLEAR, false },
		{ "latency.half_rtt_epoch_s window=2 <= 2us", 1e-6, 2e-6, JUDGED_UNCLEAR, false },
		{ "msgrate.rate_msgps <= 2", 1e-6, 2e-6, JUDGED_UNCLEAR, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct figure f = { "latency", "half_rtt_epoch_s", "s", 8, 1, 1.5e-6, rows[i].lo,
				     rows[i].hi, false, rows[i].exact, NULL, 0 };
		struct figures found = { &f, 1 };
		struct requirements all = { .n = 0 };

		assert_int_equal(requirements_read(&all, rows[i].requirement, 0.1), 0);
		requirements_judge(&all, &found);
		if (all.at[0].judged != rows[i].judged)
			fail_msg("%s by [%g, %g]: %s", rows[i].requirement, rows[i].lo, rows[i].hi,
				 judgement_names[all.at[0].judged]);
		free(all.at);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_and_boards_promise_their_rates),
		cmocka_unit_test(where_the_limit_lies_to_the_interval_decides),
		cmocka_unit_test(too_few_repetitions_are_not_judged),
		cmocka_unit_test(an_uncertain_value_is_told_as_such),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
