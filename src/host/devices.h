/* SPDX-License-Identifier: Apache-2.0 */
/* The network and InfiniBand devices of this machine, as the kernel describes them. */
#ifndef NETBENCH_HOST_DEVICES_H
#define NETBENCH_HOST_DEVICES_H

#include <jansson.h>

/*
 * Describe the network interfaces, and the InfiniBand devices. `root` is the directory with sys and
 * proc, "" on this machine. Return an array of objects, a new reference. Hardware comes before
 * software, because the length of the list is limited. devices_network_in returns NULL if the
 * kernel lists no network devices.
 */
json_t *devices_network_in(const char *root);
json_t *devices_infiniband_in(const char *root);

#endif
