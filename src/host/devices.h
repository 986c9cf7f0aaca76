/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the network and InfiniBand devices of this machine, from the kernel's files. */
#ifndef NETBENCH_HOST_DEVICES_H
#define NETBENCH_HOST_DEVICES_H

#include <jansson.h>

/*
 * devices_network_in describes the network interfaces; the other function describes the InfiniBand
 * devices. `root` is the directory with sys and proc, "" on this machine. Both return an array of
 * objects, a new reference. Hardware devices come before software devices, because the length of
 * the list is limited. devices_network_in returns NULL if the kernel lists no network devices.
 */
json_t *devices_network_in(const char *root);
json_t *devices_infiniband_in(const char *root);

#endif
