/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_DOCTOR_SCENE_H
#define NETBENCH_CMD_DOCTOR_SCENE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* What one host is like: all that its findings are made from, so that tests can make it up. */
struct scene {
	const char *root;	/* where proc, sys and dev are; "" is here */
	const json_t *env;	/* as host_collect has it */
	const json_t *links;	/* as links_look has them */
	const char *backend;	/* that is to run; NULL: any */
	double shm_B;		/* size of dev/shm; negative: there is none */
	int ranks, cpus;	/* of the job on this host, and the CPUs that they share */
	bool launched;		/* others have started them */
	const char *(*module)(size_t i);	/* paths of modules and their directories, then NULL */
};

/* The first line of a file below the root, "proc/stat"; false if there is none, or it is empty. */
bool scene_line(const struct scene *s, const char *file, char *line, size_t len);

/* A sysctl that is a number; NaN if it is not known. */
double scene_sysctl(const struct scene *s, const char *name);

#endif
