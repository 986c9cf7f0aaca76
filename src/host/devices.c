/* SPDX-License-Identifier: Apache-2.0 */
#include "host/devices.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/files.h"

/* Name of the driver of a network device; null for one that is made of software. */
static json_t *driver_of(const char *dir, const char *name)
{
	char path[PATH_MAX], target[PATH_MAX];
	ssize_t n;

	snprintf(path, sizeof(path), "%s/%s/device/driver", dir, name);
	n = readlink(path, target, sizeof(target) - 1);
	if (n < 0)
		return json_null();
	target[n] = '\0';
	return json_string(strrchr(target, '/') ? strrchr(target, '/') + 1 : target);
}

static void add_device(json_t *list, const char *dir, const char *name)
{
	json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", name,
		"state", file_of_entry(dir, name, "/operstate"),
		"mtu_B", file_of_entry(dir, name, "/mtu"),
		"speed_Mbps", file_of_entry(dir, name, "/speed"), "driver", driver_of(dir, name)));
}

static void add_port(json_t *list, const char *dir, const char *name)
{
	json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:o}", "port", name,
		"state", file_of_entry(dir, name, "/state"),
		"rate", file_of_entry(dir, name, "/rate"),
		"link_layer", file_of_entry(dir, name, "/link_layer")));
}

static void add_adapter(json_t *list, const char *dir, const char *name)
{
	json_t *ports;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s/ports", dir, name);
	ports = file_list(json_array(), path, add_port);
	json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:o}", "name", name,
		"board", file_of_entry(dir, name, "/board_id"),
		"firmware", file_of_entry(dir, name, "/fw_ver"),
		"ports", ports ? ports : json_array()));
}

json_t *devices_network(void)
{
	return file_list(json_array(), "/sys/class/net", add_device);
}

json_t *devices_infiniband(void)
{
	json_t *list = file_list(json_array(), "/sys/class/infiniband", add_adapter);

	return list ? list : json_array();
}
