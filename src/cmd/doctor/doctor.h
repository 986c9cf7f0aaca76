/* SPDX-License-Identifier: Apache-2.0 */
/* Findings of the doctor: of one host, from what it is like; of several, by what they differ in. */
#ifndef NETBENCH_CMD_DOCTOR_DOCTOR_H
#define NETBENCH_CMD_DOCTOR_DOCTOR_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "job/job.h"

enum severity { SEVERITY_OK, SEVERITY_NOTE, SEVERITY_WRONG, NSEVERITIES };
extern const char *const severity_names[];

/* What one host is like: all that its findings are made from, so that tests can make it up. */
struct scene {
	const char *root;	/* where proc, sys and dev are; "" is here */
	const json_t *env;	/* as host_collect has it */
	const json_t *links;	/* as links_look has them */
	const char *backend;	/* that is to run; NULL: any */
	double shm_B;		/* size of dev/shm; negative: there is none */
	int ranks, cpus;	/* of the job on this host, and the CPUs that they share */
	bool launched;		/* others have started them */
	const char *const *modules;	/* paths of modules and their directories, then NULL */
};

/* The first line of a file below the root, "proc/stat"; false if there is none, or it is empty. */
bool scene_line(const struct scene *s, const char *file, char *line, size_t len);

/* A sysctl that is a number; NaN if it is not known. */
double scene_sysctl(const struct scene *s, const char *name);

/*
 * Adds a finding to a list: {"id", "severity", "subject", "text", "remedy"}. The text says what is
 * found and what that means for measurements, the remedy what to do, "" if nothing is to be done.
 */
void finding_put(json_t *list, const char *id, enum severity severity, const char *subject,
		 const char *remedy, const char *fmt, ...) __attribute__((format(printf, 6, 7)));

/* How serious a finding is. */
enum severity finding_severity(const json_t *finding);

/* Processors, clock, and who else uses them. */
void find_system(json_t *list, const struct scene *s);

/* Limits of processes, and shared memory. */
void find_limits(json_t *list, const struct scene *s);

/* Network devices, and what stands in the way of packets. */
void find_network(json_t *list, const struct scene *s);

/*
 * The names of the links that matter: of hardware, with a connection; where there are none, of
 * software. New reference.
 */
json_t *links_that_matter(const json_t *links);

/* Backends and launchers. */
void find_backends(json_t *list, const struct scene *s);

/* Modules that others may write, and so decide what netbench executes. */
void find_modules(json_t *list, const struct scene *s);

/* What carries messages by default: [{"where", "backend", "why"}, ...]. New reference. */
json_t *choices_of(const struct scene *s, const struct job *job, const char *why_job);

/*
 * The findings of all hosts. Each look is of a host: {"host", "findings", "facts", "links"}, which
 * it takes apart. Findings that not all hosts have get "hosts", those whose texts differ between
 * hosts "varies". Then those of what the hosts have differently; *common and each look's "own" are
 * as machines_common leaves them. New reference.
 */
json_t *find_hosts(json_t *looks, json_t **common);

/* What people read, in lines of at most 79 columns. For free(); NULL without memory. */
struct diagnosis {
	const char *title;	/* "on host alpha", "on 4 hosts (8 ranks)" */
	const json_t *findings, *choices;
	const json_t *links;	/* of rank 0's host, as links_look has them */
	size_t count[NSEVERITIES];
};
char *doctor_words(const struct diagnosis *d);

#endif
