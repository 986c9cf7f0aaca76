/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the state of processors and clocks, other users of the machine, limits of processes, and
 * the size of shared memory.
 */
#include "cmd/doctor/system.h"

#include <hwloc.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/doctor.h"
#include "base/text.h"
#include "base/values.h"
#include "result/document.h"

#define IDLE_LOAD 0.5		/* the same value as in warnings.c */
#define STOLEN 0.01 /* limit of stolen CPU time, as a share of the time since the machine started */

static bool is_readable(const struct scene *s, const char *file)
{
	char line[64];

	return scene_line(s, file, line, sizeof(line));
}

static void find_hidden(json_t *list, const struct scene *s)
{
	static const struct {
		const char *file, *subject, *remedy, *lost;
		enum severity severity;
	} needed[] = {
		{ "sys/devices/system/cpu/online", "/sys", "mount -t sysfs sysfs /sys",
		  "links, governors and NUMA nodes are not known", SEVERITY_NOTE },
		{ "proc/self/status", "/proc", "mount -t proc proc /proc",
		  "backend shm needs it; modules beside the program, the load, quotas and kernel "
		  "settings remain unknown",
		  SEVERITY_WRONG },
	};

	for (size_t i = 0; i < LENGTH(needed); i++)
		if (!is_readable(s, needed[i].file))
			finding_put(list, "hidden", needed[i].severity, needed[i].subject,
				    needed[i].remedy, "cannot be read here: %s", needed[i].lost);
}

/* ---- cores ---- */

static void find_cores(json_t *list, const struct scene *s)
{
	double cores = result_number(s->env, "cpu.cores");
	const char *online = result_text(s->env, "cpu.online_cpus");
	const char *given = result_text(s->env, "cpu.allowed_cpus");
	bool known = s->launched || s->ranks > 1;	/* the number of ranks of a run is known */
	char of[96] = "";

	if (*online && strcmp(online, given) != 0)
		snprintf(of, sizeof(of), " (CPUs %.30s of %.30s)", given, online);
	if (known && s->ranks > s->cpus)
		finding_put(list, "cores", SEVERITY_WRONG, "",
			    "start fewer ranks on a host, or give the job more cores",
			    "%d ranks share %d CPU%s: times include waiting for a core", s->ranks,
			    s->cpus, s->cpus == 1 ? "" : "s");
	else if (known)
		finding_put(list, "cores", SEVERITY_OK, "", "", "%d rank%s on %d CPU%s", s->ranks,
			    s->ranks == 1 ? "" : "s", s->cpus, s->cpus == 1 ? "" : "s");
	else if (cores < 2)
		finding_put(list, "cores", SEVERITY_WRONG, "",
			    "give netbench two cores or more (taskset, the scheduler's -c, the "
			    "container's --cpus)",
			    "1 core for netbench%s: two ranks on this host share it, so times "
			    "include waiting for it", of);
	else
		finding_put(list, "cores", cores < 3 ? SEVERITY_NOTE : SEVERITY_OK, "",
			    cores < 3 ? "best is one core more than ranks" : "",
			    cores < 3 ? "%g cores for netbench%s: two ranks leave no core for "
					"other work, which then interrupts them"
				      : "%g cores for netbench%s", cores, of);
}

/* Reads the number in a file of a cgroup (version 1). Returns 0 if the file does not exist. */
static double cgroup_number(const struct scene *s, const char *group, const char *name)
{
	char file[PATH_MAX], line[64];

	snprintf(file, sizeof(file), "sys/fs/cgroup/cpu%s/cpu.cfs_%s_us", group, name);
	return scene_line(s, file, line, sizeof(line)) ? strtod(line, NULL) : 0;
}

/*
 * Returns the number of CPUs that a cgroup's quota allows; infinite without a quota. Reads cpu.max
 * ("50000 100000"), or the files of version 1.
 */
static double cgroup_quota(const struct scene *s, const char *group)
{
	double quota = cgroup_number(s, group, "quota"), period = cgroup_number(s, group, "period");
	double old = quota > 0 && period > 0 ? quota / period : INFINITY;
	char file[PATH_MAX], line[64];

	snprintf(file, sizeof(file), "sys/fs/cgroup%s/cpu.max", group);
	if (!scene_line(s, file, line, sizeof(line)) ||
	    sscanf(line, "%lf %lf", &quota, &period) != 2 || !(period > 0))
		return old;
	return fmin(old, quota / period);
}

/* Returns the smallest quota of a cgroup and its ancestors. Overwrites the text `group`. */
static double smallest_quota_up_to_root(const struct scene *s, char *group)
{
	double least = INFINITY;
	char *end;

	do {
		least = fmin(least, cgroup_quota(s, group));
		end = strrchr(group, '/');
		if (end)
			*end = '\0';
	} while (end);
	return least;
}

/*
 * Returns the smallest quota of all cgroups of this process. Lines such as "0::/user.slice" and
 * "4:cpu,cpuacct:/job" name them.
 */
static double smallest_quota_of_process(const struct scene *s)
{
	char path[PATH_MAX], line[PATH_MAX], none[] = "";
	double least = smallest_quota_up_to_root(s, none);
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/self/cgroup", s->root);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		char *kinds = strchr(line, ':'), *group = kinds ? strchr(kinds + 1, ':') : NULL;

		line[strcspn(line, "\n")] = '\0';
		if (!group)
			continue;
		/* the line's controllers include "cpu", or are empty, which stands for all */
		if (group == kinds + 1 || !strncmp(kinds, ":cpu:", 5) ||
		    !strncmp(kinds, ":cpu,", 5) ||
		    (group - kinds > 4 && !strncmp(group - 4, ",cpu:", 5)))
			least = fmin(least, smallest_quota_up_to_root(s, group + 1));
	}
	if (f)
		fclose(f);
	return least;
}

static void find_quota(json_t *list, const struct scene *s)
{
	/* a launcher may bind each rank to a few CPUs; all ranks of the host together use more */
	double quota = smallest_quota_of_process(s);
	double cpus = s->launched ? s->cpus : result_number(s->env, "cpu.threads");
	/* assumes two ranks if the number of ranks is not known */
	int ranks = s->launched || s->ranks > 1 ? s->ranks : 2;

	if (quota < fmin(ranks, cpus))
		finding_put(list, "quota", SEVERITY_WRONG, "",
			    "lift the quota (docker --cpus, Kubernetes limits.cpu, systemd "
			    "CPUQuota=), or bind to whole CPUs instead",
			    "a quota of %.3g of %g CPUs: ranks that have used up the quota of a "
			    "period are stopped until its end, mostly for tens of "
			    "milliseconds", quota, cpus);
	else if (quota < cpus)
		finding_put(list, "quota", SEVERITY_NOTE, "",
			    "use fewer ranks and threads than the quota has CPUs",
			    "a quota of %.3g of %g CPUs: more ranks than that would be stopped "
			    "while they measure", quota, cpus);
	else if (is_readable(s, "proc/self/cgroup"))
		finding_put(list, "quota", SEVERITY_OK, "", "", "no CPU quota");
}

static void find_smt(json_t *list, const struct scene *s)
{
	const json_t *smt = result_at(s->env, "cpu.smt");

	if (json_is_true(smt))
		finding_put(list, "smt", SEVERITY_NOTE, "",
			    "keep the default '--pin core': it gives each rank its own core",
			    "two or more hardware threads share a core and slow each other down");
	else if (json_is_false(smt))
		finding_put(list, "smt", SEVERITY_OK, "", "", "each hardware thread has its own "
			    "core");
}

/* ---- frequency ---- */

static void find_frequency(json_t *list, const struct scene *s)
{
	const json_t *turbo = result_at(s->env, "cpu.turbo");
	hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
	char file[128], line[64], other[64] = "";
	/*
	 * n: number of CPUs with a governor; others: number of CPUs with a governor other than
	 * "performance"
	 */
	int n = 0, others = 0, cpu;

	hwloc_bitmap_list_sscanf(cpus, result_text(s->env, "cpu.allowed_cpus"));
	for (cpu = hwloc_bitmap_first(cpus); cpu >= 0; cpu = hwloc_bitmap_next(cpus, cpu)) {
		snprintf(file, sizeof(file),
			 "sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu);
		if (!scene_line(s, file, line, sizeof(line)))
			continue;
		n++;
		if (strcmp(line, "performance") != 0) {
			others++;
			memcpy(other, line, sizeof(other));
		}
	}
	hwloc_bitmap_free(cpus);
	if (others)
		finding_put(list, "governor", SEVERITY_WRONG, other,
			    "cpupower frequency-set -g performance (package linux-cpupower, RPM "
			    "kernel-tools)",
			    "governor of %d of %d CPUs, not 'performance': their clock rate "
			    "follows the load, and so do times", others, n);
	else if (n || is_readable(s, "sys/devices/system/cpu/online"))
		finding_put(list, "governor", SEVERITY_OK, "", "", "%s",
			    n ? "governor 'performance'" : "no frequency governor found");
	if (json_is_true(turbo))
		finding_put(list, "turbo", SEVERITY_NOTE, "",
			    "compare only runs that keep equally many cores busy, or turn it off "
			    "(intel_pstate/no_turbo, cpufreq/boost)",
			    "on: the clock rate depends on how many cores work, and on "
			    "temperature");
	else if (json_is_false(turbo))
		finding_put(list, "turbo", SEVERITY_OK, "", "", "off");
}

/* ---- time ---- */

static void find_clock(json_t *list, const struct scene *s)
{
	static const char *const slow[] = { "hpet", "acpi_pm", "jiffies", "refined-jiffies",
					    "pit" };
	const char *source = result_text(s->env, "clock.source");
	bool is_slow = false;

	for (size_t i = 0; i < LENGTH(slow); i++)
		is_slow = is_slow || !strcmp(source, slow[i]);
	if (is_slow)
		finding_put(list, "clock", SEVERITY_WRONG, source,
			    "read in the kernel's log why it distrusts the TSC; if you know the "
			    "TSC to be reliable, boot with 'tsc=reliable'",
			    "the kernel's clock source: a reading takes about 1 us, so short times "
			    "are wrong");
	else if (*source)
		finding_put(list, "clock", SEVERITY_OK, source, "", "the kernel's clock source");
}

/* ---- other users of the machine ---- */

static void find_virtual_machine(json_t *list, const struct scene *s)
{
	const char *kind = result_text(s->env, "host.virtualization");

	if (*kind && strcmp(kind, "none") != 0)
		finding_put(list, "virtual-machine", SEVERITY_NOTE, kind,
			    "to judge hardware, measure without a virtual machine; here repeat "
			    "over hours and compare medians",
			    "a virtual machine: its host may take CPUs away, and devices may be "
			    "emulated");
	else if (*kind)
		finding_put(list, "virtual-machine", SEVERITY_OK, "", "", "no virtual machine");
}

static void find_load(json_t *list, const struct scene *s)
{
	double average = result_number(s->env, "load.average_1min");
	double running = result_number(s->env, "load.running");
	hwloc_bitmap_t online = hwloc_bitmap_alloc();
	double cpus;
	/* the average also counts processes that have just ended, so `running` is checked too */
	bool busy = average > IDLE_LOAD && !(running <= s->ranks + 1);

	/*
	 * Uses all CPUs of the machine, also CPUs that this process may not use. If these are
	 * unknown, uses the allowed CPUs.
	 */
	hwloc_bitmap_list_sscanf(online, result_text(s->env, "cpu.online_cpus"));
	cpus = hwloc_bitmap_weight(online) > 0 ? hwloc_bitmap_weight(online)
					       : result_number(s->env, "cpu.threads");
	hwloc_bitmap_free(online);
	if (busy)
		finding_put(list, "load", average + 2 > cpus ? SEVERITY_WRONG : SEVERITY_NOTE, "",
			    "wait until the other work ends (top shows it), or ask the scheduler "
			    "for exclusive use of the host",
			    "load average %.2f on %g CPUs: other work uses this machine and "
			    "interrupts measurements", average, cpus);
	else if (!isnan(average))
		finding_put(list, "load", SEVERITY_OK, "", "", "load average %.2f", average);
}

/* Finds CPU time that the hypervisor took away from this virtual machine. */
static void find_stolen_time(json_t *list, const struct scene *s)
{
	double t[8], all = 0;
	char line[256];

	if (!scene_line(s, "proc/stat", line, sizeof(line)) ||
	    sscanf(line, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", t, t + 1, t + 2, t + 3, t + 4,
		   t + 5, t + 6, t + 7) != 8)
		return;
	for (size_t i = 0; i < LENGTH(t); i++)
		all += t[i];
	if (t[7] > STOLEN * all)
		finding_put(list, "steal", SEVERITY_NOTE, "",
			    "use a virtual machine with CPUs of its own",
			    "the host has withheld %s %% of the CPU time from this virtual machine "
			    "since it started", plain(100 * t[7] / all, 2).s);
}

static void find_numa_balancing(json_t *list, const struct scene *s)
{
	const char *nodes = result_text(s->env, "cpu.numa_nodes");

	if (scene_sysctl(s, "kernel.numa_balancing") > 0 && strpbrk(nodes, "-,"))
		finding_put(list, "numa-balancing", SEVERITY_NOTE, "",
			    "sysctl kernel.numa_balancing=0 while measuring",
			    "the kernel moves pages between NUMA nodes, and interrupts ranks to "
			    "choose the pages");
}

/* ---- limits, and shared memory ---- */

#define MIB 1048576.0
#define LOCKED_LEAST (64 * MIB)	/* enough for RDMA */
#define FILES_LEAST 256.0
#define FILES_GOOD 1024.0
#define SHM_GOOD (256 * MIB)

/*
 * Returns whether this process has the capability number `bit`. The kernel reports the set of bits
 * as "CapEff:\t000001ffffffffff".
 */
static bool is_capable(const struct scene *s, int bit)
{
	char path[4096], line[256];
	unsigned long long set = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/self/status", s->root);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "CapEff:", 7))
			set = strtoull(line + 7, NULL, 16);
	if (f)
		fclose(f);
	return set >> bit & 1;
}

#define CAP_IPC_LOCK 14
#define CAP_SYS_PTRACE 19

static bool has_rdma(const struct scene *s)
{
	return json_array_size(result_at(s->env, "network.infiniband")) > 0;
}

/* Returns the limit at a path in the record: infinite for "unlimited", NaN if it is unknown. */
static double resource_limit(const struct scene *s, const char *path)
{
	return strcmp(result_text(s->env, path), "unlimited") ? result_number(s->env, path)
							       : INFINITY;
}

static void find_memlock(json_t *list, const struct scene *s)
{
	double most = resource_limit(s, "limits.memlock_B");
	unsigned long long inside, outside, n;
	char line[128];
	/*
	 * in a user namespace (rootless container) capabilities do not lift the limit of locked
	 * memory
	 */
	bool in_namespace = scene_line(s, "proc/self/uid_map", line, sizeof(line)) &&
			    sscanf(line, "%llu %llu %llu", &inside, &outside, &n) == 3 &&
			    (outside || n < UINT32_MAX);
	bool free = isinf(most) || (is_capable(s, CAP_IPC_LOCK) && !in_namespace);

	if (isnan(most))
		return;
	if (free || !has_rdma(s))
		finding_put(list, "memlock", SEVERITY_OK, "", "", free
			    ? "memory may be locked without limit"
			    : "%s MiB may be locked, which matters only to RDMA",
			    plain(most / MIB, 4).s);
	else
		finding_put(list, "memlock", most < LOCKED_LEAST ? SEVERITY_WRONG : SEVERITY_NOTE,
			    "",
			    "'* - memlock unlimited' in /etc/security/limits.d/, "
			    "LimitMEMLOCK=infinity of slurmd, docker --ulimit memlock=-1",
			    "%s MiB may be locked: verbs and ofi cannot register more memory",
			    plain(most / MIB, 4).s);
}

static void find_open_files(json_t *list, const struct scene *s)
{
	double most = resource_limit(s, "limits.open_files");

	if (isnan(most))
		return;
	finding_put(list, "open-files", most < FILES_LEAST ? SEVERITY_WRONG
		    : most < FILES_GOOD ? SEVERITY_NOTE : SEVERITY_OK, "",
		    most < FILES_GOOD ? "ulimit -n 65536" : "",
		    "%.0f files may be open: tcp needs one for each peer of a rank", most);
}

static void find_shm(json_t *list, const struct scene *s)
{
	const char *remedy = "mount -o remount,size=50% /dev/shm, or docker --shm-size=1g";

	if (s->shm_B < 0)
		finding_put(list, "shm", SEVERITY_NOTE, "/dev/shm", "mount -t tmpfs shm /dev/shm",
			    "does not exist: Open MPI and libfabric use it between ranks of a host "
			    "(backend shm does not)");
	else if (s->shm_B < SHM_GOOD)
		finding_put(list, "shm", SEVERITY_NOTE, "/dev/shm", remedy,
			    "has %s MiB: Open MPI and libfabric run out of it with many ranks "
			    "or long messages (backend shm does not use it)",
			    plain(s->shm_B / MIB, 4).s);
	else
		finding_put(list, "shm", SEVERITY_OK, "/dev/shm", "", "has %s MiB",
			    plain(s->shm_B / MIB, 4).s);
}

static void find_ptrace(json_t *list, const struct scene *s)
{
	double scope = scene_sysctl(s, "kernel.yama.ptrace_scope");
	char line[64];

	/* a kernel without ptrace_scope does not limit ptrace */
	if (isnan(scope) && !scene_line(s, "proc/self/status", line, sizeof(line)))
		return;
	if (!(scope > 0) || (scope < 3 && is_capable(s, CAP_SYS_PTRACE)))
		finding_put(list, "ptrace", SEVERITY_OK, "", "",
			    "ranks may copy from each other's memory");
	else
		finding_put(list, "ptrace", SEVERITY_NOTE, "",
			    "sysctl kernel.yama.ptrace_scope=0 while measuring",
			    "kernel.yama.ptrace_scope is %g: Open MPI and libfabric cannot copy "
			    "with a single copy between ranks of a host%s", scope,
			    scope > 1 ? ", nor can '--shm-copy cma'" : " (backend shm can)");
}

/* Checks huge pages, which matter only for backends that register memory. */
static void find_hugepages(json_t *list, const struct scene *s)
{
	double pages = scene_sysctl(s, "vm.nr_hugepages");

	if (!has_rdma(s) || isnan(pages))
		return;
	if (pages > 0)
		finding_put(list, "hugepages", SEVERITY_OK, "", "", "%.0f huge pages are "
			    "reserved", pages);
	else
		finding_put(list, "hugepages", SEVERITY_NOTE, "",
			    "sysctl vm.nr_hugepages=1024 if you want huge pages",
			    "no huge page is reserved: '--hugepages' of verbs gets none");
}

void find_system(json_t *list, const struct scene *s)
{
	static void (*const all[])(json_t *list, const struct scene *s) = {
		find_hidden, find_cores, find_quota, find_smt, find_frequency,
		find_clock, find_virtual_machine, find_load, find_stolen_time, find_numa_balancing,
	};

	for (size_t i = 0; i < LENGTH(all); i++)
		all[i](list, s);
}

void find_limits(json_t *list, const struct scene *s)
{
	static void (*const all[])(json_t *list, const struct scene *s) = {
		find_memlock, find_open_files, find_shm, find_ptrace, find_hugepages,
	};

	for (size_t i = 0; i < LENGTH(all); i++)
		all[i](list, s);
}
