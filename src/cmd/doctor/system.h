/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_DOCTOR_SYSTEM_H
#define NETBENCH_CMD_DOCTOR_SYSTEM_H

#include "cmd/doctor/scene.h"

/* Adds findings about processors, the clock, and other users of the machine. */
void find_system(json_t *list, const struct scene *s);

/* Adds findings about limits of processes, and about shared memory. */
void find_limits(json_t *list, const struct scene *s);

#endif
