/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_DOCTOR_SCENE_H
#define NETBENCH_CMD_DOCTOR_SCENE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * All data from which the findings of one host are derived. Tests can make up a host by setting
 * them.
 */
struct scene {
	const char *root; /* directory that contains proc, sys and dev; "": the root directory */
	const json_t *env;	/* the environment from host_collect */
	const json_t *links;	/* the links from links_describe */
	const char *backend;	/* the requested backend; NULL: any */
	double shm_B;		/* size of dev/shm; negative: it does not exist */
	int ranks, cpus;	/* ranks of the job on this host, and the CPUs that they share */
	bool launched;		/* a launcher has started the ranks */
	/* path of the i-th module or directory; NULL after the last */
	const char *(*module)(size_t i);
};

/*
 * Reads the first line of a file below the root, such as "proc/stat". Returns false if the file is
 * missing or empty.
 */
bool scene_line(const struct scene *s, const char *file, char *line, size_t len);

/* Returns the value of a numeric sysctl, or NaN if it is unknown. */
double scene_sysctl(const struct scene *s, const char *name);

#endif
