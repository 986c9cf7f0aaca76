/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_DOCTOR_BACKENDS_H
#define NETBENCH_CMD_DOCTOR_BACKENDS_H

#include "cmd/doctor/scene.h"
#include "job/job.h"

/*
 * Adds a finding for each module that other users may write to. Such users could make netbench
 * execute their code.
 */
void find_modules(json_t *list, const struct scene *s);

/* Adds findings about backends and launchers. */
void find_backends(json_t *list, const struct scene *s);

/*
 * Returns the backends that would carry messages by default: [{"where", "backend", "why"}, ...]
 * (new reference).
 */
json_t *default_backends(const struct scene *s, const struct job *job, const char *why_job);

#endif
