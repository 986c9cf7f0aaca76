/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of processes, and shared memory. */
#include "cmd/doctor/limits.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/doctor.h"
#include "base/text.h"
#include "base/values.h"
#include "result/reader.h"

#define MIB 1048576.0
#define LOCKED_LEAST (64 * MIB)	/* that RDMA can do with */
#define FILES_LEAST 256.0
#define FILES_GOOD 1024.0
#define SHM_GOOD (256 * MIB)

/* A capability in effect, by its bit in "CapEff:\t000001ffffffffff". */
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

/* A limit by its path in the record: infinite for "unlimited", NaN if it is not known. */
static double limit_of(const struct scene *s, const char *path)
{
	return strcmp(result_text(s->env, path), "unlimited") ? result_number(s->env, path)
							       : INFINITY;
}

static void find_locked(json_t *list, const struct scene *s)
{
	double most = limit_of(s, "limits.memlock_B");
	unsigned long long inside, outside, n;
	char line[128];
	/* capabilities of a user namespace (rootless containers) lift no limit of memory */
	bool in_namespace = scene_line(s, "proc/self/uid_map", line, sizeof(line)) &&
			    sscanf(line, "%llu %llu %llu", &inside, &outside, &n) == 3 &&
			    (outside || n < UINT32_MAX);
	bool free = isinf(most) || (is_capable(s, CAP_IPC_LOCK) && !in_namespace);

	if (isnan(most))
		return;
	if (free || !has_rdma(s))
		finding_put(list, "memlock", SEVERITY_OK, "", "", free
			    ? "memory may be locked without limit"
			    : "%s MiB may be locked, which matters to RDMA alone",
			    plain(most / MIB, 4).s);
	else
		finding_put(list, "memlock", most < LOCKED_LEAST ? SEVERITY_WRONG : SEVERITY_NOTE,
			    "",
			    "'* - memlock unlimited' in /etc/security/limits.d/, "
			    "LimitMEMLOCK=infinity of slurmd, docker --ulimit memlock=-1",
			    "%s MiB may be locked: verbs and ofi cannot register more memory",
			    plain(most / MIB, 4).s);
}

static void find_files(json_t *list, const struct scene *s)
{
	double most = limit_of(s, "limits.open_files");

	if (isnan(most))
		return;
	finding_put(list, "open-files", most < FILES_LEAST ? SEVERITY_WRONG
		    : most < FILES_GOOD ? SEVERITY_NOTE : SEVERITY_OK, "",
		    most < FILES_GOOD ? "ulimit -n 65536" : "",
		    "%.0f files may be open: tcp needs one for each peer of a rank", most);
}

static void find_shared(json_t *list, const struct scene *s)
{
	const char *remedy = "mount -o remount,size=50% /dev/shm, or docker --shm-size=1g";

	if (s->shm_B < 0)
		finding_put(list, "shm", SEVERITY_NOTE, "/dev/shm", "mount -t tmpfs shm /dev/shm",
			    "is not there: Open MPI and libfabric use it between ranks of a host "
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

static void find_trace(json_t *list, const struct scene *s)
{
	double scope = scene_sysctl(s, "kernel.yama.ptrace_scope");
	char line[64];

	/* a kernel without the file has no such limit */
	if (isnan(scope) && !scene_line(s, "proc/self/status", line, sizeof(line)))
		return;
	if (!(scope > 0) || (scope < 3 && is_capable(s, CAP_SYS_PTRACE)))
		finding_put(list, "ptrace", SEVERITY_OK, "", "",
			    "ranks may copy from each other's memory");
	else
		finding_put(list, "ptrace", SEVERITY_NOTE, "",
			    "sysctl kernel.yama.ptrace_scope=0 while measuring",
			    "kernel.yama.ptrace_scope is %g: Open MPI and libfabric cannot copy "
			    "once between ranks of a host%s", scope,
			    scope > 1 ? ", nor can '--shm-copy cma'" : " (backend shm can)");
}

/* They matter where memory is registered. */
static void find_pages(json_t *list, const struct scene *s)
{
	double pages = scene_sysctl(s, "vm.nr_hugepages");

	if (!has_rdma(s) || isnan(pages))
		return;
	if (pages > 0)
		finding_put(list, "hugepages", SEVERITY_OK, "", "", "%.0f are reserved", pages);
	else
		finding_put(list, "hugepages", SEVERITY_NOTE, "",
			    "sysctl vm.nr_hugepages=1024 if they are wanted",
			    "none is reserved: '--hugepages' of verbs gets none");
}

void find_limits(json_t *list, const struct scene *s)
{
	static void (*const all[])(json_t *list, const struct scene *s) = {
		find_locked, find_files, find_shared, find_trace, find_pages,
	};

	for (size_t i = 0; i < LENGTH(all); i++)
		all[i](list, s);
}
