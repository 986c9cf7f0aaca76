/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_DOCTOR_LIMITS_H
#define NETBENCH_CMD_DOCTOR_LIMITS_H

#include "cmd/doctor/scene.h"

/* Limits of processes, and shared memory. */
void find_limits(json_t *list, const struct scene *s);

#endif
