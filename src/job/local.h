/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions for this machine: which ranks run on it, its devices and its processes, and signals
 * that end a run.
 */
#ifndef NETBENCH_JOB_LOCAL_H
#define NETBENCH_JOB_LOCAL_H

#include <signal.h>
#include <sys/types.h>

#include "job/job.h"

/*
 * Returns a text that identifies this machine: a random number made by its kernel at boot.
 * Containers and namespaces on one machine count as one machine, even if their host names differ.
 * The text has at most MACHINE_ID bytes, including the final '\0'.
 */
#define MACHINE_ID 40
NETBENCH_EXPORT const char *local_machine_id(void);

/*
 * Returns a text that identifies the network of this process. Containers on one machine may have
 * separate networks, each with its own loop-back. The text has at most NETWORK_ID bytes, including
 * the final '\0'.
 */
#define NETWORK_ID 64
NETBENCH_EXPORT const char *local_network_id(void);

/*
 * Copies the first host name of a list in Slurm's syntax to `host`: "n02" of "n[02-07,9],m1",
 * "rack1node3" of "rack[1-2]node[3-4]". Cuts a name that does not fit.
 */
void first_host_of_list(const char *list, char *host, size_t len);

/*
 * Sets members local_rank and local_size of the job. Sets member cpus to the number of CPUs that
 * this process may use. Collective.
 */
NETBENCH_EXPORT void job_locate(struct job *job);

/*
 * Copies name number `turn` (from 0) of a comma-separated list to `name`. After the final name of
 * the list, counting continues with the first. So ranks that use their local rank as `turn` get the
 * names in rotation.
 */
NETBENCH_EXPORT void pick_from_list(const char *list, int turn, char *name, size_t len);

/* Returns the NUMA node of the CPU on which the caller runs; -1 if not known. */
NETBENCH_EXPORT int local_numa_node(void);

/*
 * Warns if the caller does not run on NUMA node `node`, the node of its device `name`. `what` is
 * the word for the device, such as "device".
 */
NETBENCH_EXPORT void warn_if_device_is_far(int rank, const char *what, const char *name, int node);

/* Returns true if a signal has stopped this process. Returns false if a debugger has stopped it. */
bool local_is_stopped(pid_t pid);

/*
 * Sets *set to the signals with which users and schedulers end a run, without those that this
 * process ignores.
 */
void job_end_signals(sigset_t *set);

/*
 * Installs a handler for the signals of job_end_signals. The first signal is stored in the returned
 * variable, for job->stop; the process then has JOB_GRACE_S seconds to end. A second signal ends it
 * at once.
 */
#define JOB_GRACE_S 2
NETBENCH_EXPORT atomic_int *job_take_signals(void);

/* Sets the line that is printed to stderr if a signal ends this rank at once; NULL: none. */
#define JOB_WORDS 512
void job_set_last_words(const char *text);

/*
 * Makes job_set_last_words store the line in `shared`, JOB_WORDS bytes of shared memory. So the
 * supervisor of forked ranks can print the line. If `shared` is NULL, the line is no longer stored
 * there.
 */
void job_share_last_words(char *shared);
void job_print_last_words(void);

/* Sets the time in s after a signal in which this process must end; JOB_GRACE_S is the default. */
void job_set_grace(int seconds);

#endif
