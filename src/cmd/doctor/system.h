/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_DOCTOR_SYSTEM_H
#define NETBENCH_CMD_DOCTOR_SYSTEM_H

#include "cmd/doctor/scene.h"

/* Processors, clock, and who else uses them. */
void find_system(json_t *list, const struct scene *s);

/* Limits of processes, and shared memory. */
void find_limits(json_t *list, const struct scene *s);

#endif
