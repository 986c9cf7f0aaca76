/* SPDX-License-Identifier: Apache-2.0 */
#include "host/devices.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/files.h"

/*
 * Adds the current and the maximum speed ("8.0 GT/s PCIe") and width (lanes) of the device's PCIe
 * link. They are null if the device has no such link. Also adds the device's NUMA node.
 */
static void add_slot(json_t *device, const char *dir, const char *name)
{
	static const char *const members[][2] = {
		{ "pcie_speed", "/device/current_link_speed" },
		{ "pcie_width", "/device/current_link_width" },
		{ "pcie_speed_max", "/device/max_link_speed" },
		{ "pcie_width_max", "/device/max_link_width" },
		{ "numa_node", "/device/numa_node" },
	};

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		json_object_set_new(device, members[i][0], file_of_entry(dir, name, members[i][1]));
}

/*
 * Adds a network device to the list if it is of the wanted kind: hardware, or software if
 * `hardware` is false. The driver of a software device is null.
 */
static void add_device(json_t *list, const char *dir, const char *name, bool hardware)
{
	char path[PATH_MAX], driver[PATH_MAX];
	json_t *device;
	ssize_t n;

	snprintf(path, sizeof(path), "%s/%s/device", dir, name);
	if (!access(path, F_OK) != hardware)
		return;
	strcat(path, "/driver");
	n = readlink(path, driver, sizeof(driver) - 1);
	driver[n > 0 ? n : 0] = '\0';
	device = json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", name,
		"state", file_of_entry(dir, name, "/operstate"),
		"mtu_B", file_of_entry(dir, name, "/mtu"),
		"speed_Mbps", file_of_entry(dir, name, "/speed"),
		"driver", n < 0 ? json_null() : json_string(file_base_name(driver)));
	add_slot(device, dir, name);
	json_array_append_new(list, device);
}

/* Adds a network device that is hardware; ignores other devices. */
static void add_hardware(json_t *list, const char *dir, const char *name)
{
	add_device(list, dir, name, true);
}

/* Adds a network device that is software; ignores other devices. */
static void add_software(json_t *list, const char *dir, const char *name)
{
	add_device(list, dir, name, false);
}

/* Adds a port of an InfiniBand device to a list of ports. */
static void add_port(json_t *list, const char *dir, const char *name)
{
	json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:o}", "port", name,
		"state", file_of_entry(dir, name, "/state"),
		"rate", file_of_entry(dir, name, "/rate"),
		"link_layer", file_of_entry(dir, name, "/link_layer")));
}

/* Adds an InfiniBand device and its ports to a list of devices. */
static void add_adapter(json_t *list, const char *dir, const char *name)
{
	json_t *ports, *adapter;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s/ports", dir, name);
	ports = file_list(json_array(), path, add_port);
	adapter = json_pack("{s:s, s:o, s:o, s:o}", "name", name,
		"board", file_of_entry(dir, name, "/board_id"),
		"firmware", file_of_entry(dir, name, "/fw_ver"),
		"ports", ports ? ports : json_array());
	add_slot(adapter, dir, name);
	json_array_append_new(list, adapter);
}

json_t *devices_network_in(const char *root)
{
	char path[PATH_MAX];
	json_t *list;

	snprintf(path, sizeof(path), "%s/sys/class/net", root);
	list = file_list(json_array(), path, add_hardware);
	return list ? file_list(list, path, add_software) : NULL;
}

json_t *devices_infiniband_in(const char *root)
{
	char path[PATH_MAX];
	json_t *list;

	snprintf(path, sizeof(path), "%s/sys/class/infiniband", root);
	list = file_list(json_array(), path, add_adapter);
	return list ? list : json_array();
}
