/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_DOCTOR_MODULES_H
#define NETBENCH_CMD_DOCTOR_MODULES_H

#include "cmd/doctor/scene.h"

/* Modules that others may write, and so decide what netbench executes. */
void find_modules(json_t *list, const struct scene *s);

#endif
