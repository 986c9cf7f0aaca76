/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a device promises: the rate of its link less the headers of its packets, or what its slot
 * carries if that is less.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/check/check.h"
#include "host/devices.h"
#include "result/reader.h"

/* Bytes around the content of a packet. Ethernet: header, check sum, preamble and gap. */
#define ETHERNET (14 + 4 + 8 + 12)
#define IPV4 20
#define IPV6 40
#define TCP_TIMESTAMPS (20 + 12)
#define ROCE (IPV4 + 8 + 12 + 4)		/* IP, UDP, base transport header, its check sum */
#define INFINIBAND (8 + 12 + 4 + 2)		/* local route, base transport, both check sums */

static const json_t *member_named(const json_t *list, const char *key, const char *name)
{
	const json_t *one;
	size_t i;

	json_array_foreach(list, i, one)
		if (*name && !strcmp(result_text(one, key), name))
			return one;
	return NULL;
}

static void promise_of(struct promise *p, const json_t *device, const char *name, double Gbps,
		       double content, double packet)
{
	double link = Gbps * 1e9 / 8 * content / packet;
	double slot = devices_slot_Bps(result_text(device, "pcie_speed"),
				       result_number(device, "pcie_width"));

	if (!(Gbps > 0) || !(content > 0))
		return;
	p->Bps = link < slot ? link : slot;
	if (link <= slot)
		snprintf(p->text, sizeof(p->text), "the %g Gbit/s of %s, in packets of %g B", Gbps,
			 name, content);
	else
		snprintf(p->text, sizeof(p->text), "the PCIe slot of %s (%s, %g lanes)", name,
			 result_text(device, "pcie_speed"), result_number(device, "pcie_width"));
}

/* A connection's interface, but for the loop-back. */
static void of_interface(struct promise *p, const json_t *environment, const json_t *backend)
{
	const char *name = result_text(backend, "interface");
	const json_t *device = member_named(result_at(environment, "network.devices"), "name",
					    name);
	double mtu = result_number(device, "mtu_B");
	double headers = (result_number(backend, "ip_version") == 6 ? IPV6 : IPV4) + TCP_TIMESTAMPS;

	if (device && strcmp(name, "lo") != 0)
		promise_of(p, device, name, result_number(device, "speed_Mbps") / 1e3,
			   mtu - headers, mtu + ETHERNET);
}

static void of_rdma(struct promise *p, const json_t *environment, const json_t *backend)
{
	const char *name = result_text(backend, "device");
	const json_t *device = member_named(result_at(environment, "network.infiniband"), "name",
					    name);
	double mtu = result_number(backend, "path_mtu_B");
	bool ethernet = !strcmp(result_text(backend, "link_layer"), "Ethernet");

	promise_of(p, device, name, result_number(backend, "port_speed_Gbps"), mtu,
		   mtu + (ethernet ? ETHERNET + ROCE : INFINIBAND));
}

struct promise promise_find(const json_t *environment)
{
	const json_t *backend = json_object_get(environment, "backend");
	const char *name = result_text(backend, "name");
	struct promise p = { .Bps = 0 };

	if (!strcmp(name, "tcp"))
		of_interface(&p, environment, backend);
	else if (!strcmp(name, "verbs"))
		of_rdma(&p, environment, backend);
	return p;
}
