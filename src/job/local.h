/* SPDX-License-Identifier: Apache-2.0 */
/* This machine: which ranks share it, and the signals that end a run. */
#ifndef NETBENCH_JOB_LOCAL_H
#define NETBENCH_JOB_LOCAL_H

#include <signal.h>
#include <sys/types.h>

#include "job/job.h"

/*
 * What tells this machine from others: the number that its kernel drew at boot. Containers and
 * namespaces on one machine count as one machine, though their host names differ. At most
 * MACHINE_ID bytes with the end.
 */
#define MACHINE_ID 40
NETBENCH_EXPORT const char *local_machine_id(void);

/* The same for its network: containers and namespaces on one machine may have a loop-back each. */
#define NETWORK_ID 64
NETBENCH_EXPORT const char *local_network_id(void);

/*
 * The first of a list of hosts as Slurm writes it, "n[02-07,9],m1" or "rack[1-2]node[3-4]".
 * Cut if it does not fit.
 */
void first_host(const char *list, char *host, size_t len);

/* Fills the job's local_rank, local_size, and cpus (this process may use). Collective. */
NETBENCH_EXPORT void job_locate(struct job *job);

/* A rank's name of a list with commas, which the ranks of a machine take in turn. */
NETBENCH_EXPORT void local_pick(const char *list, int turn, char *name, size_t len);

/* The NUMA node of the CPU that the caller runs on; -1: not known. */
NETBENCH_EXPORT int local_numa_node(void);

/* Warns if the caller runs on another node than its device; `what`: "device" or what else it is. */
NETBENCH_EXPORT void local_judge_nearness(int rank, const char *what, const char *name, int node);

/* True if a process of this machine was stopped by a signal; not if a debugger did. */
bool local_is_stopped(pid_t pid);

/* Users and schedulers end a run with these signals; ignored signals are left out. */
void job_end_signals(sigset_t *set);

/*
 * Takes these signals: the first is stored where job->stop points and leaves JOB_GRACE_S to end in
 * order, the second ends this process at once.
 */
#define JOB_GRACE_S 2
NETBENCH_EXPORT atomic_int *job_take_signals(void);

/* Sets the line printed to stderr if a signal ends this rank immediately; NULL: none. */
#define JOB_WORDS 512
void job_last_words(const char *text);

/* The supervisor prints this line for forked ranks, which share its JOB_WORDS bytes; NULL: end. */
void job_share_words(char *shared);
void job_say_last_words(void);

/* Sets how long this process may take to end after a signal, s. */
void job_grace(int seconds);

#endif
