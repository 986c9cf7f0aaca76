/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `ofi`: records the provider, domain and device. */
#include <dlfcn.h>
#include <math.h>

#include "backends/ofi/ofi.h"
#include "backends/ofi/record.h"
#include "base/file.h"

/* ---- the device ---- */

/*
 * Writes the PCI address of a domain's device, such as "0000:03:00.0", to text. Writes "" if the
 * address is unknown.
 */
static void write_pci_address(const struct fi_info *info, char text[32])
{
	const struct fi_bus_attr *bus = info->nic ? info->nic->bus_attr : NULL;

	text[0] = '\0';
	if (bus && bus->bus_type == FI_BUS_PCI)
		snprintf(text, 32, "%04x:%02x:%02x.%x", bus->attr.pci.domain_id,
			 bus->attr.pci.bus_id, bus->attr.pci.device_id,
			 bus->attr.pci.function_id);
}

int ofi_numa_node(const struct fi_info *info)
{
	char pci[32], path[128], line[16];
	int node;

	write_pci_address(info, pci);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/numa_node", pci);
	return *pci && file_first_line(path, line, sizeof(line)) && sscanf(line, "%d", &node) == 1
	       ? node : -1;
}

double ofi_link_speed(const struct fi_info *info)
{
	const struct fi_link_attr *link = info->nic ? info->nic->link_attr : NULL;

	return link ? (double)link->speed : 0;
}

static void describe_nic(const struct fi_info *info, struct facts *f)
{
	const struct fid_nic *nic = info->nic;
	const struct fi_device_attr *device = nic ? nic->device_attr : NULL;
	const struct fi_link_attr *link = nic ? nic->link_attr : NULL;
	char pci[32];

	fact_text(f, "nic", device ? device->name : NULL);
	if (!nic)
		return;
	write_pci_address(info, pci);
	fact_text(f, "nic_pci", *pci ? pci : NULL);
	fact_int(f, "nic_numa_node", ofi_numa_node(info));
	if (device) {
		fact_text(f, "nic_driver", device->driver);
		fact_text(f, "nic_firmware", device->firmware);
		fact_text(f, "nic_device", device->device_id);
		fact_text(f, "nic_vendor", device->vendor_id);
	}
	if (link) {
		fact_text(f, "link_state", link->state == FI_LINK_UP ? "up"
					   : link->state == FI_LINK_DOWN ? "down" : "unknown");
		fact_real(f, "link_speed_bps", link->speed ? (double)link->speed : NAN);
		fact_int(f, "link_mtu_B", (long long)link->mtu);
		fact_text(f, "link_address", link->address);
		fact_text(f, "network_type", link->network_type);
	}
}

/* ---- values as libfabric prints them ---- */

/*
 * Records a value in one line, in the form in which libfabric prints it. Records "none" if
 * libfabric prints nothing.
 */
static void fact_as_printed(struct facts *f, const char *key, const void *value, enum fi_type type)
{
	char text[1024] = "", *end;

	snprintf(text, sizeof(text), "%s", fi_tostr(value, type));
	for (end = text + strlen(text); end > text && strchr(" \n,", end[-1]); end--)
		end[-1] = '\0';
	fact_text(f, key, strspn(text, " [],") == strlen(text) ? "none" : text);
}

/* Records each domain after the first in one line. The keys are "domain_2", "domain_3", ... */
static void describe_rails(const struct ofi *o, struct facts *f)
{
	if (o->nrails > 1)
		fact_text(f, "domains", "pairs of ranks use them in turn");
	for (uint32_t i = 1; i < o->nrails; i++) {
		const struct fi_info *info = o->rails[i].info;
		const struct fid_nic *nic = info->nic;
		const char *firmware = nic && nic->device_attr ? nic->device_attr->firmware : NULL;
		char key[32], pci[32];

		write_pci_address(info, pci);
		snprintf(key, sizeof(key), "domain_%u", i + 1);
		fact_format(f, key, "%s, fabric %s, %g Gbit/s, PCI %s, NUMA node %d, firmware %s",
			    info->domain_attr->name, info->fabric_attr->name,
			    ofi_link_speed(info) / 1e9, *pci ? pci : "unknown", ofi_numa_node(info),
			    firmware ? firmware : "unknown");
	}
}

/* ---- the record ---- */

static void describe_library(const struct ofi *o, struct facts *f)
{
	const struct fi_info *info = ofi_info(o);
	const struct fi_domain_attr *d = info->domain_attr;
	struct text variables = { .n = 0 };	/* the user's variables, "FI_LOG_LEVEL=warn ..." */
	uint32_t version = info->fabric_attr->prov_version;
	Dl_info where;

	fact_text(f, "provider", info->fabric_attr->prov_name);
	fact_format(f, "provider_version", "%u.%u", FI_MAJOR(version), FI_MINOR(version));
	fact_text(f, "domain", d->name);
	fact_text(f, "fabric", info->fabric_attr->name);
	version = fi_version();
	fact_format(f, "libfabric_version", "%u.%u", FI_MAJOR(version), FI_MINOR(version));
	fact_format(f, "libfabric_api", "%u.%u", FI_MAJOR(OFI_API), FI_MINOR(OFI_API));
	if (dladdr((void *)(uintptr_t)fi_getinfo, &where) && where.dli_fname)
		fact_text(f, "library_file", where.dli_fname);
	for (char **e = environ; *e; e++)
		if (!strncmp(*e, "FI_", 3))
			text_add(&variables, "%s%s", variables.n ? " " : "", *e);
	fact_text(f, "variables", variables.s);
	fact_as_printed(f, "protocol", &info->ep_attr->protocol, FI_TYPE_PROTOCOL);
	fact_as_printed(f, "address_format", &info->addr_format, FI_TYPE_ADDR_FORMAT);
	fact_as_printed(f, "capabilities", &info->caps, FI_TYPE_CAPS);
	fact_as_printed(f, "mode", &info->mode, FI_TYPE_MODE);
	fact_as_printed(f, "mr_mode", &d->mr_mode, FI_TYPE_MR_MODE);
	fact_as_printed(f, "control_progress", &d->control_progress, FI_TYPE_PROGRESS);
	fact_as_printed(f, "data_progress", &d->data_progress, FI_TYPE_PROGRESS);
	fact_as_printed(f, "threading", &d->threading, FI_TYPE_THREADING);
	fact_as_printed(f, "message_order", &info->tx_attr->msg_order, FI_TYPE_MSG_ORDER);
	fact_text(f, "completion_order", info->rx_attr->comp_order & OFI_ORDER_DATA
					 ? "data is placed in order" : "not promised for data");
	fact_int(f, "inject_B", (long long)o->inject);
	fact_int(f, "inject_granted_B", (long long)info->tx_attr->inject_size);
	fact_real(f, "max_message_B", (double)info->ep_attr->max_msg_size);
	fact_int(f, "tx_depth", (long long)info->tx_attr->size);
	fact_int(f, "rx_depth", (long long)info->rx_attr->size);
	fact_int(f, "completion_queue_depth",
		 (long long)(info->tx_attr->size + info->rx_attr->size));
}

void ofi_describe(struct endpoint *ep, struct facts *f)
{
	static const char *const waits[] = { "spin, yield", "spin", "yield", "block" };
	static const char *const seen[] = { "a completion", "a completion", "remote CQ data",
					    "the reader's own completion" };
	const struct ofi *o = ofi_of(ep);
	const struct ofi_opts *opt = o->options;
	bool delivery = opt->completion == OFI_DELIVERY;
	struct text method = { .n = 0 };

	text_add(&method, "libfabric, provider %s, domain%s ", ofi_provider(o),
		 o->nrails > 1 ? "s" : "");
	for (uint32_t i = 0; i < o->nrails; i++)
		text_add(&method, "%s%s", i ? ", " : "", o->rails[i].info->domain_attr->name);
	text_add(&method, "%s, %s%s", o->nrails > 1 ? " in turn" : "",
		 ofi_carrier_names[o->carrier], delivery ? ", completion delivery-asked" : "");
	if (opt->wait)
		text_add(&method, ", %s", waits[opt->wait]);
	if (opt->progress)
		text_add(&method, ", progress %s", ofi_progress_names[opt->progress]);
	if (opt->threading)
		text_add(&method, ", threading %s", ofi_threading_names[opt->threading]);
	fact_text(f, "method", method.s);
	fact_text(f, "operation", ofi_carrier_names[o->carrier]);
	fact_text(f, "message_seen_by", o->last_byte ?
		  "its last byte in a ping-pong (the provider places data in order), else remote "
		  "CQ data" : seen[o->carrier]);
	fact_text(f, "completion", delivery ? "delivery-asked" : "transmit");
	fact_text(f, "waiting", waits[opt->wait]);
	fact_text(f, "progress_asked", ofi_progress_names[opt->progress]);
	fact_text(f, "threading_asked", ofi_threading_names[opt->threading]);
	describe_library(o, f);
	describe_nic(ofi_info(o), f);
	describe_rails(o, f);
}
