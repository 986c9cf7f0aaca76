/* SPDX-License-Identifier: Apache-2.0 */
#include "host/pin.h"

#include <errno.h>
#include <hwloc.h>
#include <hwloc/glibc-sched.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "base/values.h"

#define MAX_CPUS 8192 /* largest number of CPUs that Linux can be built for */

/* Topology of the allowed CPUs, and the list of these CPUs as text. Set once by read_topology. */
static hwloc_topology_t machine;
static char *allowed;

/*
 * Reads the topology of this machine, restricted to the CPUs that this process may use. Later calls
 * do nothing.
 */
static int read_topology(void)
{
	hwloc_topology_t topology;
	hwloc_bitmap_t set;

	if (machine)
		return ST_OK;
	setenv("HWLOC_HIDE_ERRORS", "2", 0);
	if (hwloc_topology_init(&topology))
		return error_report("cannot read the topology of this machine: %s",
				    strerror(errno));
	hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
	hwloc_topology_set_type_filter(topology, HWLOC_OBJ_MISC, HWLOC_TYPE_FILTER_KEEP_NONE);
	if (hwloc_topology_load(topology)) {
		error_report("cannot read the topology of this machine: %s", strerror(errno));
		hwloc_topology_destroy(topology);
		return ST_FAILED;
	}
	/* if the binding cannot be read, all CPUs of the machine are allowed */
	set = hwloc_bitmap_alloc();
	if (set && !hwloc_get_cpubind(topology, set, HWLOC_CPUBIND_THREAD))
		hwloc_topology_restrict(topology, set, 0);
	hwloc_bitmap_free(set);
	hwloc_bitmap_list_asprintf(&allowed, hwloc_topology_get_topology_cpuset(topology));
	machine = topology;
	return ST_OK;
}

/* Returns the depth of cores in the topology; of hardware threads if no cores are known. */
static int core_depth(void)
{
	return hwloc_get_type_or_below_depth(machine, HWLOC_OBJ_CORE);
}

/* Returns the number of allowed cores. */
static int count_cores(void)
{
	return (int)hwloc_get_nbobjs_by_depth(machine, core_depth());
}

/* Returns the allowed CPUs (hardware threads) of a core; `core` counts from 0. */
static hwloc_const_cpuset_t cpus_of_core(int core)
{
	return hwloc_get_obj_by_depth(machine, core_depth(), (unsigned)core)->cpuset;
}

/* Allocates p->cpu for p->nranks ranks. Returns ST_OK or ST_FAILED (reported). */
static int allocate_cpus(struct placement *p)
{
	p->cpu = calloc((size_t)p->nranks, sizeof(*p->cpu));
	return p->cpu ? ST_OK : error_report("no memory for the places of %d ranks", p->nranks);
}

/* Reads "4" or "4-7". A comma or the end of the text must follow. */
static bool read_range(const char **at, uint64_t *first, uint64_t *last)
{
	if (scan_whole(at, false, first))
		return false;
	*last = *first;
	if (**at == '-') {
		++*at;
		if (scan_whole(at, false, last))
			return false;
	}
	return *first <= *last && *last < INT_MAX && (**at == ',' || **at == '\0');
}

/* Chooses the CPUs of the ranks from a list that the user gave. */
static int choose_listed_cpus(struct placement *p, const char *pin)
{
	hwloc_const_cpuset_t usable = hwloc_topology_get_topology_cpuset(machine);
	const char *at = pin;
	uint64_t first, last;
	int n = 0;

	if (allocate_cpus(p))
		return ST_FAILED;
	do {
		if (!read_range(&at, &first, &last))
			return error_usage("value '%s' of '--pin' is not none, core or a CPU list",
					   pin);
		for (int cpu = (int)first; cpu <= (int)last; cpu++, n++) {
			if (!hwloc_bitmap_isset(usable, (unsigned)cpu))
				return error_usage("value '%s' of '--pin' names CPU %d, which is "
						   "not available: %s", pin, cpu, allowed);
			if (n < p->nranks)
				p->cpu[n] = cpu;
		}
	} while (*at++ == ',');
	if (n < p->nranks)
		return error_usage("value '%s' of '--pin' has %d CPU%s for %d ranks", pin, n,
				   n == 1 ? "" : "s", p->nranks);
	return ST_OK;
}

int placement_make(struct placement *p, const char *pin, int nranks)
{
	int err = ST_OK;

	*p = (struct placement){ .nranks = nranks };
	if (read_topology())
		return ST_FAILED;
	p->ncores = count_cores();
	p->npus = hwloc_get_nbobjs_by_type(machine, HWLOC_OBJ_PU);
	if (!strcmp(pin, "core"))
		err = nranks > p->ncores ? ST_OK : allocate_cpus(p);
	else if (strcmp(pin, "none"))
		err = choose_listed_cpus(p, pin);
	for (int i = 0; i < nranks && p->cpu && !strcmp(pin, "core"); i++)
		p->cpu[i] = hwloc_bitmap_first(cpus_of_core(i));
	if (err)
		placement_free(p);
	p->pinned = p->cpu != NULL;
	return err;
}

void placement_free(struct placement *p)
{
	if (!p)
		return;
	free(p->cpu);
	p->cpu = NULL;
	p->pinned = false;
}

/*
 * Returns the CPUs on which the calling thread may run now; NULL if they cannot be read. The caller
 * frees them by hwloc_bitmap_free().
 */
static hwloc_bitmap_t current_cpus(void)
{
	cpu_set_t cpus[MAX_CPUS / CPU_SETSIZE] = { 0 };
	hwloc_bitmap_t set;

	if (sched_getaffinity(0, sizeof(cpus), cpus) || !(set = hwloc_bitmap_alloc()))
		return NULL;
	hwloc_cpuset_from_glibc_sched_affinity(machine, set, cpus, sizeof(cpus));
	return set;
}

int placement_ncpus(const struct placement *p)
{
	int n = 0;

	if (!p->pinned)
		return p->npus;
	for (int i = 0; i < p->nranks; i++) {
		bool first = true;

		for (int k = 0; k < i && first; k++)
			first = p->cpu[k] != p->cpu[i];
		n += first;
	}
	return n;
}

int placement_bind(const struct placement *p, int local_rank)
{
	cpu_set_t set[MAX_CPUS / CPU_SETSIZE] = { 0 };
	hwloc_bitmap_t now;
	int cpu, err;

	if (!p->pinned)
		return ST_OK;
	cpu = p->cpu[local_rank];
	CPU_SET_S((size_t)cpu, sizeof(set), set);
	if (sched_setaffinity(0, sizeof(set), set))
		return error_report("cannot bind rank %d to CPU %d: %s", local_rank, cpu,
				    strerror(errno));
	now = current_cpus();
	err = !now || hwloc_bitmap_weight(now) != 1 || hwloc_bitmap_first(now) != cpu;
	hwloc_bitmap_free(now);
	if (err)
		return error_report("rank %d is not on CPU %d after binding", local_rank, cpu);
	return ST_OK;
}

const char *placement_allowed(void)
{
	return read_topology() ? NULL : allowed;
}

void place_find(struct place *p)
{
	hwloc_bitmap_t set = NULL;
	unsigned cpu, numa;

	*p = (struct place){ .pid = getpid(), .cpu = -1, .bound = -1, .numa = -1, .core = -1 };
	gethostname(p->host, sizeof(p->host) - 1);
	if (!syscall(SYS_getcpu, &cpu, &numa, NULL)) {	/* musl has no function getcpu */
		p->cpu = (int)cpu;
		p->numa = (int)numa;
	}
	if (read_topology() || !(set = current_cpus()))
		return;
	p->ncores = count_cores();
	p->ncpus = hwloc_bitmap_weight(set);
	p->bound = p->ncpus == 1 ? hwloc_bitmap_first(set) : -1;
	for (int i = 0; i < p->ncores && p->core < 0; i++)
		if (hwloc_bitmap_isincluded(set, cpus_of_core(i)))
			p->core = hwloc_bitmap_first(cpus_of_core(i));
	hwloc_bitmap_free(set);
}
