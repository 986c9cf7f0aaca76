/* SPDX-License-Identifier: Apache-2.0 */
/* The network and InfiniBand devices of this machine, as the kernel describes them. */
#ifndef NETBENCH_HOST_DEVICES_H
#define NETBENCH_HOST_DEVICES_H

#include <jansson.h>

/*
 * Arrays of objects, new references; NULL if the kernel tells of no network devices. Devices of
 * hardware come first, as the list is cut. `root`: the directory with sys and proc, "" on this
 * machine.
 */
json_t *devices_network_in(const char *root);
json_t *devices_infiniband_in(const char *root);

#endif
