/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the bandwidth that a device promises: the payload rate of its link or of its PCIe slot,
 * whichever is lower.
 */
#include "analyse/promise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result/document.h"

/* Bytes of a PCIe transaction besides its payload, and the payload size that most hosts use. */
#define PCIE_HEADER 26
#define PCIE_PAYLOAD 256

/* Bytes of a packet besides its payload. For Ethernet: header, check sum, preamble and gap. */
#define ETHERNET (14 + 4 + 8 + 12)
#define IPV4 20
#define IPV6 40
#define TCP_TIMESTAMPS (20 + 12)
#define ROCE (IPV4 + 8 + 12 + 4)		/* IP, UDP, base transport header, its check sum */
#define INFINIBAND (8 + 12 + 4 + 2)		/* local route, base transport, both check sums */

const char promise_no_link[] =
	"no device is known that has a speed to compare the bandwidth with";

double pcie_slot_Bps(const char *speed, double lanes)
{
	double transfers = strtod(speed, NULL);
	double coded = transfers > 5 ? 128.0 / 130 : 8.0 / 10;

	if (!(transfers > 0) || !(lanes > 0))
		return INFINITY;
	return transfers * 1e9 / 8 * lanes * coded * PCIE_PAYLOAD / (PCIE_PAYLOAD + PCIE_HEADER);
}

/* Returns the object in a list whose member `key` equals `name`; NULL: none. */
static const json_t *find_named(const json_t *list, const char *key, const char *name)
{
	const json_t *one;
	size_t i;

	json_array_foreach(list, i, one)
		if (*name && !strcmp(result_text(one, key), name))
			return one;
	return NULL;
}

/*
 * Sets the bandwidth that a device promises, from its link rate. A packet occupies `packet` bytes
 * on the link and carries `content` bytes of payload.
 */
static void set_promise(struct promise *p, const json_t *device, const char *name, double Gbps,
			double content, double packet)
{
	double link = Gbps * 1e9 / 8 * content / packet;
	double slot = pcie_slot_Bps(result_text(device, "pcie_speed"),
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

struct promise read_promise(const json_t *environment)
{
	const json_t *backend = json_object_get(environment, "backend"), *device;
	const char *kind = result_text(backend, "name"), *name;
	struct promise p = { .Bps = 0 };
	double mtu, headers;

	if (!strcmp(kind, "tcp")) {	/* the interface of the connection, but not loop-back */
		name = result_text(backend, "interface");
		device = find_named(result_at(environment, "network.devices"), "name", name);
		mtu = result_number(device, "mtu_B");
		headers = (result_number(backend, "ip_version") == 6 ? IPV6 : IPV4) +
			  TCP_TIMESTAMPS;
		if (device && strcmp(name, "lo") != 0)
			set_promise(&p, device, name, result_number(device, "speed_Mbps") / 1e3,
				    mtu - headers, mtu + ETHERNET);
	} else if (!strcmp(kind, "verbs")) {
		name = result_text(backend, "device");
		device = find_named(result_at(environment, "network.infiniband"), "name", name);
		mtu = result_number(backend, "path_mtu_B");
		headers = !strcmp(result_text(backend, "link_layer"), "Ethernet") ? ETHERNET + ROCE
										    : INFINIBAND;
		set_promise(&p, device, name, result_number(backend, "port_speed_Gbps"), mtu,
			    mtu + headers);
	}
	return p;
}

void promise_judge(struct promise *p, const struct figures *measured, struct findings *found)
{
	const struct figure *f = *p->text
		? find_figure(measured, "bandwidth", "bandwidth_Bps", NULL) : NULL;
	double limit = p->least_share * p->Bps;

	p->shared = f;
	p->judged = f ? judge_figure(f, limit, false) : JUDGED_UNCLEAR;
	if (!(p->least_share > 0) || !(*p->text || p->asked))
		return;
	findings_add(found, &(struct finding){
		.kind = "below-link", .subject = p->text, .quantity = "bandwidth_Bps",
		.effect = f ? limit / f->value - 1 : NAN, .lo = f ? limit / f->hi - 1 : NAN,
		.hi = f ? limit / f->lo - 1 : NAN, .verdict = judgement_verdicts[p->judged],
		.decides = true,
		.why = !*p->text ? promise_no_link : reason_unclear(p->judged, f),
		.evidence = json_pack("{s:f, s:f}", "promised_Bps", p->Bps, "least_share",
				      p->least_share) });
}
