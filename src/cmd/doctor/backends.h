/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_DOCTOR_BACKENDS_H
#define NETBENCH_CMD_DOCTOR_BACKENDS_H

#include "cmd/doctor/scene.h"
#include "job/job.h"

/* Modules that others may write, and so decide what netbench executes. */
void find_modules(json_t *list, const struct scene *s);

/* Backends and launchers. */
void find_backends(json_t *list, const struct scene *s);

/* What carries messages by default: [{"where", "backend", "why"}, ...]. New reference. */
json_t *choices_of(const struct scene *s, const struct job *job, const char *why_job);

#endif
