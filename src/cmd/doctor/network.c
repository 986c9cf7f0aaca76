/* SPDX-License-Identifier: Apache-2.0 */
/* Finds network devices, and settings that obstruct packets. */
#include "cmd/doctor/network.h"

#include <hwloc.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyse/doctor.h"
#include "analyse/promise.h"
#include "base/text.h"
#include "base/values.h"
#include "host/links.h"
#include "result/document.h"

#define ETHERNET_USUAL 1500
#define ROCE_WHOLE 4200		/* smallest Ethernet MTU that fits a RoCE packet of 4096 B */
#define FAST_GBPS 10.0
#define SLOW_GBPS 1.0

/* ---- one link ---- */

static void find_link_state(json_t *list, const struct scene *s, const struct link_view *v)
{
	const char *state = result_text(v->facts, "state");
	bool waits = strstr(state, "INIT") || strstr(state, "ARMED");

	if (v->up)
		finding_put(list, "link", SEVERITY_OK, v->name, "", "up");
	else if (v->port && waits)
		finding_put(list, "link", SEVERITY_WRONG, v->name,
			    "start a subnet manager (opensm) on one host or the switch; if one "
			    "runs, find out why it skips this port",
			    "port is %s: connected, but no subnet manager has set it up", state);
	else
		finding_put(list, "link", SEVERITY_NOTE, v->name,
			    v->port ? "if it should be used: check its cable and switch, then "
			    	"ibstat"
				    : "if it should be used: 'ip link set DEVICE up', and check "
				    	"its cable",
			    "%s: nothing can be measured over it", *state ? state : "down");
}

static void find_link_speed(json_t *list, const struct scene *s, const struct link_view *v)
{
	if (!v->up || !v->hardware)
		return;
	if (v->Gbps < SLOW_GBPS)
		finding_put(list, "speed", SEVERITY_WRONG, v->name,
			    "check the cable and the other end: with a bad pair of wires both "
			    "agree on a lower speed",
			    "%g Mbit/s: no link has been this slow on purpose for decades",
			    1e3 * v->Gbps);
	else if (v->Gbps > 0)
		finding_put(list, "speed", SEVERITY_OK, v->name, "", "%g Gbit/s", v->Gbps);
	else
		finding_put(list, "speed", SEVERITY_NOTE, v->name,
			    "state the bandwidth that you expect with 'netbench check --require'",
			    "its driver reports no speed, so 'netbench check' cannot judge "
			    "bandwidths by it");
}

static void find_pcie_slot(json_t *list, const struct scene *s, const struct link_view *v)
{
	const char *speed = result_text(v->facts, "pcie_speed");
	const char *best_speed = result_text(v->facts, "pcie_speed_max");
	double lanes = result_number(v->facts, "pcie_width");
	double best_lanes = result_number(v->facts, "pcie_width_max");
	double has = pcie_slot_Bps(speed, lanes);
	double could = pcie_slot_Bps(best_speed, best_lanes);
	bool narrow = has < v->Gbps * 1e9 / 8;
	char best[96] = "";

	if (isinf(has))
		return;
	if (!isinf(could))
		snprintf(best, sizeof(best), "; the card supports %s, %g lanes", best_speed,
			 best_lanes);
	if (narrow || (!isinf(could) && has < could * 0.99))
		finding_put(list, "pcie", narrow ? SEVERITY_WRONG : SEVERITY_NOTE, v->name,
			    "seat the card again, or put it into a slot of its width; the "
			    "mainboard's manual lists slots that share lanes",
			    "its slot runs at %s, %g lanes, %.4g Gbit/s%s%s", speed, lanes,
			    8e-9 * has, narrow ? ", less than the link" : "", best);
	else
		finding_put(list, "pcie", SEVERITY_OK, v->name, "", "%s, %g lanes", speed, lanes);
}

/* Parses a list of CPUs such as "0-3,8". The caller frees the result with hwloc_bitmap_free. */
static hwloc_bitmap_t parse_cpus(const char *text)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();

	hwloc_bitmap_list_sscanf(set, text);
	return set;
}

static void find_numa_node(json_t *list, const struct scene *s, const struct link_view *v)
{
	double node = result_number(v->facts, "numa_node");
	double distance = result_number(v->facts, "numa_distance");
	const char *nodes = result_text(s->env, "cpu.numa_nodes");
	char file[128], near[256], far[32] = "", remedy[400];
	hwloc_bitmap_t here, own;

	snprintf(file, sizeof(file), "sys/devices/system/node/node%g/cpulist", node);
	if (!(node >= 0) || !strpbrk(nodes, "-,") ||
	    !scene_line(s, file, near, sizeof(near)))
		return;
	here = parse_cpus(near);
	own = parse_cpus(result_text(s->env, "cpu.allowed_cpus"));
	if (distance > 10)
		snprintf(far, sizeof(far), " (distance %g)", distance);
	if (hwloc_bitmap_iszero(own) || hwloc_bitmap_iszero(here)) {
		/* if the CPUs are not known, there is no finding */
	} else if (!hwloc_bitmap_intersects(here, own) && s->launched && s->ranks > 1) {
		/* other ranks of this host may be bound to CPUs of the device's NUMA node */
		finding_put(list, "numa", SEVERITY_NOTE, v->name,
			    "see whether the launcher binds a rank to its CPUs",
			    "is at NUMA node %g, but the first rank of this host may use no CPU of "
			    "that node%s", node, far);
	} else if (!hwloc_bitmap_intersects(here, own)) {
		snprintf(remedy, sizeof(remedy), "start netbench on CPUs of node %g: %s", node,
			 near);
		finding_put(list, "numa", SEVERITY_WRONG, v->name, remedy,
			    "is at NUMA node %g, but netbench may use no CPU of that node%s: each "
			    "message crosses between processors", node, far);
	} else if (!hwloc_bitmap_isset(here, (unsigned)hwloc_bitmap_first(own))) {
		snprintf(remedy, sizeof(remedy), "--pin %s", near);
		finding_put(list, "numa", SEVERITY_NOTE, v->name, remedy,
			    "is at NUMA node %g, but '--pin core' uses cores of another node "
			    "first%s", node, far);
	} else {
		finding_put(list, "numa", SEVERITY_OK, v->name, "",
			    "is at NUMA node %g, like the cores to which ranks are pinned first",
			    node);
	}
	hwloc_bitmap_free(here);
	hwloc_bitmap_free(own);
}

static void find_mtu(json_t *list, const struct scene *s, const struct link_view *v)
{
	bool roce = v->port && !strcmp(result_text(v->facts, "link_layer"), "Ethernet");
	double mtu = roce ? NAN : v->mtu_B;
	const char *name, *blank = strchr(v->name, ' ');
	char path[PATH_MAX];
	json_t *link;

	/* the MTU of the device's network interface limits the MTU of RoCE */
	json_object_foreach((json_t *)(uintptr_t)s->links, name, link) {
		snprintf(path, sizeof(path), "%s/sys/class/infiniband/%.*s/device/net/%s",
			 s->root, (int)(blank ? blank - v->name : 0), v->name, name);
		if (roce && isnan(mtu) && !access(path, F_OK))
			mtu = result_number(link, "facts.mtu_B");
	}
	if (!v->up || !v->hardware || isnan(mtu))
		return;
	if (roce && mtu < ROCE_WHOLE)
		finding_put(list, "mtu", SEVERITY_NOTE, v->name,
			    "'ip link set DEVICE mtu 9000', if all switches carry that",
			    "its interface has an MTU of %g B: RoCE sends packets of %d B instead "
			    "of 4096 B", mtu, mtu < 2200 ? 1024 : 2048);
	else if (!v->port && mtu <= ETHERNET_USUAL && v->Gbps >= FAST_GBPS)
		finding_put(list, "mtu", SEVERITY_NOTE, v->name,
			    "'ip link set DEVICE mtu 9000', if all switches and hosts carry that",
			    "MTU is %g B at %g Gbit/s: tcp needs many packets, and a CPU for them",
			    mtu, v->Gbps);
	else
		finding_put(list, "mtu", SEVERITY_OK, v->name, "", "MTU is %g B", mtu);
}

/* Adds findings about errors that a bad cable causes. */
static void find_cable_errors(json_t *list, const struct scene *s, const struct link_view *v)
{
	json_t *counters = json_object_get(json_object_get(s->links, v->name), "counters"), *count;
	struct text t = { .n = 0 };
	const char *name;

	json_object_foreach(counters, name, count) {
		const struct link_counter *c = links_counter(name);

		if (c && c->cable && json_number_value(count) >= c->least)
			text_add(&t, "%s%.0f %s", t.n ? ", " : "", json_number_value(count),
				 c->text);
	}
	if (t.n)
		finding_put(list, "errors", SEVERITY_NOTE, v->name,
			    "check whether the count still grows; if so, clean or replace the "
			    "cable",
			    "has counted %s since it came up", t.s);
}

/* ---- all ---- */

void find_network(json_t *list, const struct scene *s)
{
	static void (*const link_checks[])(json_t *, const struct scene *,
					   const struct link_view *) = {
		find_link_state, find_link_speed, find_pcie_slot, find_numa_node, find_mtu,
		find_cable_errors,
	};
	json_t *matter = relevant_links(s->links), *link;
	static const char *const filters[] = { "nf_tables", "ip_tables", "ip6_tables" };
	bool filters_on = false, tracks;
	char path[PATH_MAX], line[64];
	const char *name;

	snprintf(path, sizeof(path), "%s/sys/class/net", s->root);
	if (!json_array_size(matter) && !access(path, F_OK))
		finding_put(list, "network", SEVERITY_NOTE, "",
			    "bring an interface up ('ip link'), or give the container a network",
			    "only the loop-back interface is up: only ranks of this host can be "
			    "measured");
	json_object_foreach((json_t *)(uintptr_t)s->links, name, link) {
		struct link_view v = read_link(name, link);

		for (size_t i = 0; i < LENGTH(link_checks) && (v.hardware || v.up); i++)
			link_checks[i](list, s, &v);
	}
	json_decref(matter);
	for (size_t i = 0; i < LENGTH(filters); i++) {
		snprintf(path, sizeof(path), "sys/module/%s/refcnt", filters[i]);
		filters_on |= scene_line(s, path, line, sizeof(line)) && atoi(line) > 0;
	}
	tracks = scene_line(s, "proc/sys/net/netfilter/nf_conntrack_count", line, sizeof(line)) &&
		 atoi(line) > 0;
	if (filters_on || tracks)
		finding_put(list, "firewall", SEVERITY_NOTE, "",
			    "open the ports that ranks use between the hosts, and exempt them from "
			    "tracking; as root, 'nft list ruleset' shows the rules",
			    "%s%s: the rules (not read here) may block ranks of other hosts, and "
			    "cost each packet time",
			    filters_on ? "packets are filtered" : "connections are tracked",
			    filters_on && tracks ? " and connections tracked" : "");
}
