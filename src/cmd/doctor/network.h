/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_DOCTOR_NETWORK_H
#define NETBENCH_CMD_DOCTOR_NETWORK_H

#include "cmd/doctor/scene.h"

/* Adds findings about network devices, and about settings that obstruct packets. */
void find_network(json_t *list, const struct scene *s);

#endif
