/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about this machine: which ranks share it, and the signals that end a run. */
#ifndef NETBENCH_JOB_LOCAL_H
#define NETBENCH_JOB_LOCAL_H

#include <signal.h>
#include <sys/types.h>

#include "job/job.h"

/*
 * Returns a text that identifies this machine: the number that its kernel drew at boot. Containers
 * and namespaces on one machine count as one machine, even if their host names differ. At most
 * MACHINE_ID bytes with the final '\0'.
 */
#define MACHINE_ID 40
NETBENCH_EXPORT const char *local_machine_id(void);

/*
 * Returns a text that identifies the network of this process. Containers and namespaces on one
 * machine may each have their own loop-back. At most NETWORK_ID bytes.
 */
#define NETWORK_ID 64
NETBENCH_EXPORT const char *local_network_id(void);

/*
 * Copies the first host of a list in Slurm's form, "n[02-07,9],m1" or "rack[1-2]node[3-4]", to
 * `host`. Cuts a name that does not fit.
 */
void first_host_of_list(const char *list, char *host, size_t len);

/*
 * Sets the job's local_rank and local_size, and in cpus the number of CPUs that this process may
 * use. Collective.
 */
NETBENCH_EXPORT void job_locate(struct job *job);

/*
 * Copies one name from a list with commas. The ranks of a machine take the names in turn: `turn` 0
 * takes the first name. After the last name the list starts again.
 */
NETBENCH_EXPORT void pick_from_list(const char *list, int turn, char *name, size_t len);

/* Returns the NUMA node of the CPU that the caller runs on; -1 if not known. */
NETBENCH_EXPORT int local_numa_node(void);

/*
 * Warns if the caller runs on another NUMA node than `node`, that of its device. `what` is the word
 * for the device, "device" for example.
 */
NETBENCH_EXPORT void warn_if_device_is_far(int rank, const char *what, const char *name, int node);

/*
 * Returns true if a process of this machine is stopped by a signal, but not if a debugger stopped
 * it.
 */
bool local_is_stopped(pid_t pid);

/*
 * Returns the signals with which users and schedulers end a run, without those that this process
 * ignores.
 */
void job_end_signals(sigset_t *set);

/*
 * Handles these signals. The first is stored where job->stop points, and the process has
 * JOB_GRACE_S seconds to end in order. The second ends the process at once.
 */
#define JOB_GRACE_S 2
NETBENCH_EXPORT atomic_int *job_take_signals(void);

/* Sets the line that is printed to stderr if a signal ends this rank at once; NULL: none. */
#define JOB_WORDS 512
void job_set_last_words(const char *text);

/*
 * Makes forked ranks store that line in `shared`, JOB_WORDS bytes in shared memory, so that the
 * supervisor prints it. NULL ends this.
 */
void job_share_last_words(char *shared);
void job_print_last_words(void);

/* Sets the time in s that this process may take to end after a signal. */
void job_set_grace(int seconds);

#endif
