/* SPDX-License-Identifier: Apache-2.0 */
/* The network and InfiniBand devices of this machine, as the kernel describes them. */
#ifndef NETBENCH_HOST_DEVICES_H
#define NETBENCH_HOST_DEVICES_H

#include <jansson.h>

/* Arrays of objects, new references; NULL if the kernel tells of no network devices. */
json_t *devices_network(void);
json_t *devices_infiniband(void);

#endif
