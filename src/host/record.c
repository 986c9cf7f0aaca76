/* SPDX-License-Identifier: Apache-2.0 */
#include "host/record.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "base/values.h"
#include "commit.h"
#include "config.h"
#include "host/devices.h"
#include "host/files.h"

#define CPUS "/sys/devices/system/cpu/"
#define GOVERNOR CPUS "cpu0/cpufreq/scaling_governor"
#define HUGEPAGES "/sys/kernel/mm/transparent_hugepage/"
#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

#if defined(__x86_64__)
static const struct {
	const char *signature, *name;
} hypervisors[] = {
	{ "KVMKVMKVM", "kvm" }, { "Linux KVM Hv", "kvm" }, { "Microsoft Hv", "hyperv" },
	{ "VMwareVMware", "vmware" }, { "XenVMMXenVMM", "xen" }, { "bhyve bhyve ", "bhyve" },
	{ "TCGTCGTCGTCG", "qemu" },
};
#endif

/*
 * Beginnings of the parameters on the kernel's command line that affect performance. Other
 * parameters are not recorded, because they may be private.
 */
static const char *const kernel_words[] = {
	"amd_iommu=", "amd_pstate=", "clocksource=", "cpufreq.", "cpuidle", "default_hugepagesz=",
	"hugepages", "idle=", "init_on_alloc=", "init_on_free=", "intel_idle.", "intel_iommu=",
	"intel_pstate=", "iommu", "irqaffinity=", "isolcpus=", "kpti=", "l1tf=", "maxcpus=", "mds=",
	"mem=", "mitigations=", "nmi_watchdog=", "nohz", "nopti", "nosmt", "nospec", "nowatchdog",
	"nr_cpus=", "numa", "pci=", "pcie_aspm", "preempt=", "processor.", "pti=", "rcu",
	"retbleed=", "skew_tick=", "slub_debug", "spec_", "spectre_", "swiotlb=", "threadirqs",
	"transparent_hugepage=", "tsc=", "tsx",
};

/* Returns a number as JSON; null if it is negative, which means unknown. */
static json_t *number_or_null(int value)
{
	return value < 0 ? json_null() : json_integer(value);
}

static const char *const sysctls[] = {
	"kernel.numa_balancing", "kernel.nmi_watchdog", "kernel.sched_autogroup_enabled",
	"kernel.sched_rt_runtime_us", "kernel.timer_migration", "kernel.yama.ptrace_scope",
	"net.core.busy_poll", "net.core.busy_read", "net.core.default_qdisc",
	"net.core.netdev_max_backlog", "net.core.rmem_default", "net.core.rmem_max",
	"net.core.wmem_default", "net.core.wmem_max", "net.ipv4.tcp_autocorking",
	"net.ipv4.tcp_congestion_control", "net.ipv4.tcp_mtu_probing",
	"net.ipv4.tcp_no_metrics_save", "net.ipv4.tcp_notsent_lowat", "net.ipv4.tcp_rmem",
	"net.ipv4.tcp_sack", "net.ipv4.tcp_slow_start_after_idle", "net.ipv4.tcp_timestamps",
	"net.ipv4.tcp_window_scaling", "net.ipv4.tcp_wmem", "vm.nr_hugepages", "vm.swappiness",
	"vm.zone_reclaim_mode",
};

/*
 * How to convert a file's first line. FLAG: 1 is true. NO_FLAG: 0 is true. MHZ: from kHz to MHz.
 * CPU_LIST: empty means "none". CHOICE: the word in brackets.
 */
enum line_form { TEXT, FLAG, NO_FLAG, MHZ, CPU_LIST, CHOICE };

/* The functions below return a fact, a new reference; NULL if it is unknown. */
static json_t *line_fact(const char *path, enum line_form form)
{
	char line[256], *word;

	if (!file_first_line(path, line, sizeof(line)) || (!*line && form != CPU_LIST))
		return NULL;
	switch (form) {
	case FLAG:
	case NO_FLAG:
		return json_boolean(*line == (form == FLAG ? '1' : '0'));
	case MHZ:
		return json_real(1e-3 * atof(line));
	case CPU_LIST:
		return json_string(*line && strcmp(line, "(null)") != 0 ? line : "none");
	case CHOICE:		/* "always [madvise] never" gives "madvise" */
		word = strchr(line, '[');
		if (!word)
			return NULL;
		word[strcspn(word, "]")] = '\0';
		return json_string(word + 1);
	default:
		return json_string(line);
	}
}

/* Reads all sysctls into one object. */
static json_t *read_sysctls(void)
{
	json_t *object = json_object();
	char path[128], line[256];

	for (size_t i = 0; i < LENGTH(sysctls); i++) {
		bool known;

		snprintf(path, sizeof(path), "/proc/sys/%s", sysctls[i]);
		for (char *c = path; *c; c++)
			*c = *c == '.' ? '/' : *c;
		known = file_line(path, line, sizeof(line));
		json_object_set_new(object, sysctls[i], known ? file_value(line) : json_null());
	}
	return object;
}

/*
 * Returns the value of the first line that begins with `field`, such as "model name : EPYC" or
 * NAME="Debian".
 */
static json_t *read_field(const char *path, const char *field)
{
	size_t len = strlen(field);
	char line[256], *value;
	json_t *found = NULL;
	FILE *file = fopen(path, "r");

	while (file && !found && fgets(line, sizeof(line), file)) {
		if (strncmp(line, field, len) != 0)
			continue;
		value = line + len + strspn(line + len, " \t:=\"'");
		value[strcspn(value, "\"'\n")] = '\0';
		found = json_string(value);
	}
	if (file)
		fclose(file);
	return found;
}

/* Returns the current time in UTC as a JSON string (ISO 8601). */
static json_t *utc_now(void)
{
	time_t t = time(NULL);
	struct tm utc;
	char stamp[32];

	if (!gmtime_r(&t, &utc) || !strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%SZ", &utc))
		return NULL;
	return json_string(stamp);
}

/* Returns the words of the kernel's command line that affect performance, or "none". */
static json_t *kernel_parameters(void)
{
	char line[4096], kept[4096] = "", *rest = line;

	if (!file_first_line("/proc/cmdline", line, sizeof(line)))
		return NULL;
	for (char *word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		size_t i = 0;

		while (i < LENGTH(kernel_words) &&
		       strncmp(word, kernel_words[i], strlen(kernel_words[i])) != 0)
			i++;
		if (i == LENGTH(kernel_words))
			continue;
		strcat(kept, *kept ? " " : "");
		strcat(kept, word);
	}
	return json_string(*kept ? kept : "none");
}

/* Adds a vulnerability of the CPU and its mitigation to an object, if the CPU is affected. */
static void add_mitigation(json_t *list, const char *dir, const char *name)
{
	json_t *text = file_of_entry(dir, name, "");

	if (json_is_string(text) && strcmp(json_string_value(text), "Not affected") != 0)
		json_object_set(list, name, text);
	json_decref(text);
}

/* Returns the name of the hypervisor; "none" without one, "other" for an unknown one. */
static json_t *hypervisor_name(void)
{
#if defined(__x86_64__)
	unsigned a, b, c, d, id[4] = { 0 };

	if (!__get_cpuid(1, &a, &b, &c, &d))
		return NULL;
	if (!(c & 1U << 31))
		return json_string("none");
	__cpuid(0x40000000, a, id[0], id[1], id[2]);
	for (size_t i = 0; i < LENGTH(hypervisors); i++)
		if (!strcmp((const char *)id, hypervisors[i].signature))
			return json_string(hypervisors[i].name);
	return json_string("other");
#else
	return NULL;
#endif
}

/* Reads property `what` of cache i of CPU 0. Returns false if it is unknown. */
static bool read_cache(int i, const char *what, char value[32])
{
	char path[128];

	snprintf(path, sizeof(path), CPUS "cpu0/cache/index%d/%s", i, what);
	return file_line(path, value, 32);
}

/*
 * Returns the sizes of the first CPU's caches as an object such as {"l1d_B": 32768, "l2_B":
 * 1048576}.
 */
static json_t *cache_sizes(void)
{
	json_t *sizes = json_object();
	char level[32], type[32], size[32], key[64];

	for (int i = 0; read_cache(i, "level", level) && read_cache(i, "type", type) &&
			read_cache(i, "size", size); i++) {
		snprintf(key, sizeof(key), "l%s%s_B", level,
			 *type == 'D' ? "d" : *type == 'I' ? "i" : "");
		json_object_set_new(sizes, key, json_integer(atoll(size) << 10));
	}
	if (json_object_size(sizes))
		return sizes;
	json_decref(sizes);
	return NULL;
}

/* Returns the soft limit of a resource, a number or "unlimited"; NULL if it is unknown. */
static json_t *resource_limit(int resource)
{
	struct rlimit l;

	if (getrlimit(resource, &l))
		return NULL;
	return l.rlim_cur == RLIM_INFINITY ? json_string("unlimited")
					   : json_integer((json_int_t)l.rlim_cur);
}

/* Returns a random UUID, version 4. */
static json_t *make_run_id(void)
{
	unsigned char b[16];

	if (getrandom(b, sizeof(b), 0) != sizeof(b))
		return NULL;
	b[6] = (b[6] & 0x0f) | 0x40;
	b[8] = (b[8] & 0x3f) | 0x80;
	return json_sprintf("%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
			    b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10],
			    b[11], b[12], b[13], b[14], b[15]);
}

/* Returns the command line of this process, with blanks between the words. */
static json_t *own_command_line(void)
{
	char line[4096];
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, line, sizeof(line));

	if (fd >= 0)
		close(fd);
	for (ssize_t i = 0; i + 1 < n; i++)
		if (!line[i])
			line[i] = ' ';
	return n > 0 ? json_stringn(line, (size_t)n - 1) : NULL;
}

json_t *host_collect(void)
{
	json_t *env = json_object(), *turbo = line_fact(CPUS "intel_pstate/no_turbo", NO_FLAG);
	struct placement p;
	struct utsname u;
	char libc[64] = "";
	double load[3];
	long page = sysconf(_SC_PAGESIZE), pages = sysconf(_SC_PHYS_PAGES);
	bool named = uname(&u) >= 0, placed = !placement_make(&p, "none", 1);
	bool loaded = getloadavg(load, 3) == 3;
	size_t libc_len = confstr(_CS_GNU_LIBC_VERSION, libc, sizeof(libc));
	const struct {
		const char *group, *key;	/* NULL: `value` is the whole group */
		json_t *value;			/* NULL: unknown */
	} facts[] = {
		{ "netbench", "version", json_string(NETBENCH_VERSION) },
		{ "netbench", "commit", *NETBENCH_COMMIT ? json_string(NETBENCH_COMMIT) : NULL },
		{ "netbench", "compiler", json_string(NETBENCH_COMPILER) },
		{ "netbench", "build_type", json_string(NETBENCH_BUILD_TYPE) },
#ifdef NETBENCH_C_FLAGS
		{ "netbench", "c_flags", json_string(NETBENCH_C_FLAGS) },
#endif
		{ "netbench", "command_line", own_command_line() },
		{ "run", "id", make_run_id() },
		{ "time", "start", utc_now() },
		{ "host", "name", named ? json_string(u.nodename) : NULL },
		{ "host", "kernel", named ? json_sprintf("%s %s %s", u.sysname, u.release,
							 u.machine) : NULL },
		{ "host", "os", read_field("/etc/os-release", "PRETTY_NAME=") },
		{ "host", "libc", libc_len ? json_string(libc) : NULL },
		{ "host", "virtualization", hypervisor_name() },
		{ "kernel", "version", named ? json_string(u.version) : NULL },
		{ "kernel", "parameters", kernel_parameters() },
		{ "kernel", "isolated_cpus", line_fact(CPUS "isolated", CPU_LIST) },
		{ "kernel", "nohz_full_cpus", line_fact(CPUS "nohz_full", CPU_LIST) },
		{ "kernel", "mitigations",
		  file_list(json_object(), CPUS "vulnerabilities", add_mitigation) },
		{ "cpu", "model", read_field("/proc/cpuinfo", "model name") },
		{ "cpu", "cores", json_integer(host_ncores()) },
		{ "cpu", "threads", placed ? json_integer(p.npus) : NULL },
		{ "cpu", "allowed_cpus", json_string(placement_allowed()) },
		{ "cpu", "online_cpus", line_fact(CPUS "online", TEXT) },
		{ "cpu", "numa_nodes", line_fact("/sys/devices/system/node/online", TEXT) },
		{ "cpu", "caches", cache_sizes() },
		{ "cpu", "smt", line_fact(CPUS "smt/active", FLAG) },
		{ "cpu", "driver", line_fact(CPUS "cpu0/cpufreq/scaling_driver", TEXT) },
		{ "cpu", "governor", line_fact(GOVERNOR, TEXT) },
		{ "cpu", "turbo", turbo ? turbo : line_fact(CPUS "cpufreq/boost", FLAG) },
		{ "cpu", "mhz_max", line_fact(CPUS "cpu0/cpufreq/cpuinfo_max_freq", MHZ) },
		{ "cpu", "idle_driver", line_fact(CPUS "cpuidle/current_driver", TEXT) },
		{ "cpu", "idle_governor", line_fact(CPUS "cpuidle/current_governor", TEXT) },
		{ "memory", "total_B", pages < 0 ? NULL : json_integer((json_int_t)pages * page) },
		{ "memory", "page_B", json_integer(page) },
		{ "memory", "transparent_hugepage", line_fact(HUGEPAGES "enabled", CHOICE) },
		{ "memory", "shmem_hugepage", line_fact(HUGEPAGES "shmem_enabled", CHOICE) },
		{ "sysctl", NULL, read_sysctls() },
		{ "network", "devices", devices_network_in("") },
		{ "network", "infiniband", devices_infiniband_in("") },
		{ "clock", "source", line_fact(CLOCKSOURCE, TEXT) },
		{ "load", "average_1min", loaded ? json_real(load[0]) : NULL },
		{ "load", "average_5min", loaded ? json_real(load[1]) : NULL },
		{ "load", "average_15min", loaded ? json_real(load[2]) : NULL },
		{ "load", "running", number_or_null(host_running()) },
		{ "limits", "memlock_B", resource_limit(RLIMIT_MEMLOCK) },
		{ "limits", "stack_B", resource_limit(RLIMIT_STACK) },
		{ "limits", "open_files", resource_limit(RLIMIT_NOFILE) },
	};

	for (size_t i = 0; i < LENGTH(facts); i++) {
		json_t *value = facts[i].value ? facts[i].value : json_null();

		if (!facts[i].key) {
			json_object_set_new(env, facts[i].group, value);
			continue;
		}
		if (!json_object_get(env, facts[i].group))
			json_object_set_new(env, facts[i].group, json_object());
		json_object_set_new(json_object_get(env, facts[i].group), facts[i].key, value);
	}
	return env;
}

int host_running(void)
{
	char line[128];
	int n;
	bool ok = file_line("/proc/loadavg", line, sizeof(line)) &&
		  sscanf(line, "%*f %*f %*f %d/", &n) == 1;

	return ok ? n : -1;
}

bool host_governor(char *name, size_t len)
{
	return file_line(GOVERNOR, name, len);
}

int host_ncores(void)
{
	struct placement p;

	return placement_make(&p, "none", 1) || p.ncores < 1 ? 1 : p.ncores;
}

json_t *host_places(const struct place *places, size_t n)
{
	json_t *array = json_array();

	for (size_t i = 0; i < n; i++) {
		const struct place *p = &places[i];
		json_t *v = json_pack("{sI ss si so si so so so}", "rank", (json_int_t)i,
				      "host", p->host, "pid", p->pid, "cpu", number_or_null(p->cpu),
				      "cpus", p->ncpus, "bound", number_or_null(p->bound),
				      "core", number_or_null(p->core),
				      "numa", number_or_null(p->numa));

		if (p->options[0])
			json_object_set_new(v, "own_options", json_string(p->options));
		json_array_append_new(array, v);
	}
	return array;
}
