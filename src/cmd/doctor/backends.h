/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_DOCTOR_BACKENDS_H
#define NETBENCH_CMD_DOCTOR_BACKENDS_H

#include "cmd/doctor/scene.h"
#include "job/job.h"

/*
 * Adds findings about modules that other users may write. Such users could decide what netbench
 * executes.
 */
void find_modules(json_t *list, const struct scene *s);

/* Adds findings about backends and launchers. */
void find_backends(json_t *list, const struct scene *s);

/*
 * The backends that would carry messages by default: [{"where", "backend", "why"}, ...]. New
 * reference.
 */
json_t *default_backends(const struct scene *s, const struct job *job, const char *why_job);

#endif
