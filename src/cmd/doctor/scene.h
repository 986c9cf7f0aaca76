/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_DOCTOR_SCENE_H
#define NETBENCH_CMD_DOCTOR_SCENE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* One host: all input of its findings, so that tests can make up a host. */
struct scene {
	const char *root;	/* where proc, sys and dev are; "" is here */
	const json_t *env;	/* as host_collect has it */
	const json_t *links;	/* as links_look has them */
	const char *backend;	/* asked for; NULL: any */
	double shm_B;		/* size of dev/shm; negative: it does not exist */
	int ranks, cpus;	/* of the job on this host, and the CPUs that they share */
	bool launched;		/* a launcher has started the ranks */
	const char *(*module)(size_t i); /* paths of modules and their directories, then NULL */
};

/* The first line of a file below the root, "proc/stat"; false if the file is missing or empty. */
bool scene_line(const struct scene *s, const char *file, char *line, size_t len);

/* A sysctl that is a number; NaN if it is not known. */
double scene_sysctl(const struct scene *s, const char *name);

#endif
