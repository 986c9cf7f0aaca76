/* SPDX-License-Identifier: Apache-2.0 */
#include "host/record.h"

#include <fcntl.h>
#include <stdio.h>
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
#define MHZ_MAX CPUS "cpu0/cpufreq/cpuinfo_max_freq"
#define HUGEPAGES "/sys/kernel/mm/transparent_hugepage/"
#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

/* One line of what is collected, and how to come by it. */
struct host_fact {
	const char *group, *key;
	json_t *(*read)(const struct host_fact *f);	/* each yields NULL if it is unknown */
	const char *text;			/* the value itself, or the path to read */
	const char *field;			/* how the line in `text` begins */
	int number;				/* which of those that the call offers */
	json_t *(*make)(void);			/* instead of `read` */
};

#if defined(__x86_64__)
static const struct {
	const char *signature, *name;
} hypervisors[] = {
	{ "KVMKVMKVM", "kvm" }, { "Linux KVM Hv", "kvm" }, { "Microsoft Hv", "hyperv" },
	{ "VMwareVMware", "vmware" }, { "XenVMMXenVMM", "xen" }, { "bhyve bhyve ", "bhyve" },
	{ "TCGTCGTCGTCG", "qemu" },
};
#endif

/* How words of the kernel's command line that bear on performance begin; others may be private. */
static const char *const kernel_words[] = {
	"amd_iommu=", "amd_pstate=", "clocksource=", "cpufreq.", "cpuidle", "default_hugepagesz=",
	"hugepages", "idle=", "init_on_alloc=", "init_on_free=", "intel_idle.", "intel_iommu=",
	"intel_pstate=", "iommu", "irqaffinity=", "isolcpus=", "kpti=", "l1tf=", "maxcpus=", "mds=",
	"mem=", "mitigations=", "nmi_watchdog=", "nohz", "nopti", "nosmt", "nospec", "nowatchdog",
	"nr_cpus=", "numa", "pci=", "pcie_aspm", "preempt=", "processor.", "pti=", "rcu",
	"retbleed=", "skew_tick=", "slub_debug", "spec_", "spectre_", "swiotlb=", "threadirqs",
	"transparent_hugepage=", "tsc=", "tsx",
};

static json_t *number_or_null(int value)
{
	return value < 0 ? json_null() : json_integer(value);
}

static json_t *literal(const struct host_fact *f)
{
	return json_string(f->text);
}

/* A file's line, by number: as text, a flag, or MHz given in kHz. */
enum { TEXT, FLAG, MHZ };
static json_t *file_text(const struct host_fact *f)
{
	char line[256];

	if (!file_line(f->text, line, sizeof(line)))
		return NULL;
	return f->number == FLAG ? json_boolean(*line == '1')
	     : f->number == MHZ ? json_real(1e-3 * atof(line)) : json_string(line);
}

/* A list of CPUs; "none" if there are none. */
static json_t *cpu_list(const struct host_fact *f)
{
	char line[256];

	if (!file_first_line(f->text, line, sizeof(line)))
		return NULL;
	return json_string(*line && strcmp(line, "(null)") != 0 ? line : "none");
}

/* The sysctl of the fact's name. */
static json_t *sysctl(const struct host_fact *f)
{
	char path[128], line[256];
	int len = snprintf(path, sizeof(path), "/proc/sys/%s", f->key);

	for (int i = 0; i < len; i++)
		if (path[i] == '.')
			path[i] = '/';
	return file_line(path, line, sizeof(line)) ? file_value(line) : NULL;
}

/* The word in brackets of "always [madvise] never". */
static json_t *file_choice(const struct host_fact *f)
{
	char line[256], *word;

	if (!file_line(f->text, line, sizeof(line)) || !(word = strchr(line, '[')))
		return NULL;
	word++;
	word[strcspn(word, "]")] = '\0';
	return json_string(word);
}

/* What follows the field's name in lines such as "model name : EPYC" or NAME="Debian". */
static json_t *file_field(const struct host_fact *f)
{
	size_t len = strlen(f->field);
	char line[256], *value;
	json_t *found = NULL;
	FILE *file = fopen(f->text, "r");

	if (!file)
		return NULL;
	while (!found && fgets(line, sizeof(line), file)) {
		if (strncmp(line, f->field, len) != 0)
			continue;
		value = line + len + strspn(line + len, " \t:=\"'");
		value[strcspn(value, "\"'\n")] = '\0';
		found = json_string(value);
	}
	fclose(file);
	return found;
}

static json_t *commit(void)
{
	return *NETBENCH_COMMIT ? json_string(NETBENCH_COMMIT) : NULL;
}

static json_t *start_time(void)
{
	time_t t = time(NULL);
	struct tm utc;
	char stamp[32];

	if (!gmtime_r(&t, &utc) || !strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%SZ", &utc))
		return NULL;
	return json_string(stamp);
}

/* By number: the host's name, the kernel, or its build. */
static json_t *names(const struct host_fact *f)
{
	struct utsname u;

	if (uname(&u) < 0)
		return NULL;
	if (f->number == 1)
		return json_sprintf("%s %s %s", u.sysname, u.release, u.machine);
	return json_string(f->number ? u.version : u.nodename);
}

/* Of the kernel's command line the words that count, "none" if there is none. */
static json_t *kernel_parameters(const struct host_fact *f)
{
	char line[4096], kept[4096] = "", *rest = line;

	if (!file_first_line(f->text, line, sizeof(line)))
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

static void add_mitigation(json_t *list, const char *dir, const char *name)
{
	json_t *text = file_of_entry(dir, name, "");

	if (json_is_string(text) && strcmp(json_string_value(text), "Not affected") != 0)
		json_object_set(list, name, text);
	json_decref(text);
}

static json_t *mitigations(const struct host_fact *f)
{
	return file_list(json_object(), f->text, add_mitigation);
}

static json_t *configuration(const struct host_fact *f)
{
	char value[64];

	return confstr(f->number, value, sizeof(value)) ? json_string(value) : NULL;
}

static json_t *virtualization(void)
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

enum { CORES, THREADS, MEMORY_TOTAL, PAGE_SIZE, RUNNING };
static json_t *count(const struct host_fact *f)
{
	struct placement p;
	long pages;

	switch (f->number) {
	case CORES:
		return json_integer(host_ncores());
	case THREADS:
		return placement_make(&p, "none", 1) ? NULL : json_integer(p.npus);
	case MEMORY_TOTAL:
		pages = sysconf(_SC_PHYS_PAGES);
		return pages < 0 ? NULL : json_integer((json_int_t)pages * sysconf(_SC_PAGESIZE));
	case PAGE_SIZE:
		return json_integer(sysconf(_SC_PAGESIZE));
	default:		/* tasks ready to run, this one included */
		return number_or_null(host_running());
	}
}

static json_t *allowed_cpus(void)
{
	return json_string(placement_allowed());
}

static bool read_cache(const char *base, int i, const char *what, char *value, size_t len)
{
	char path[128];

	snprintf(path, sizeof(path), "%s%d/%s", base, i, what);
	return file_line(path, value, len);
}

/* An object such as {"l1d_B": 32768, "l2_B": 1048576} for the first CPU. */
static json_t *caches(const struct host_fact *f)
{
	json_t *sizes = json_object();
	char level[8], type[32], size[32], key[32];

	for (int i = 0; read_cache(f->text, i, "level", level, sizeof(level)) &&
			read_cache(f->text, i, "type", type, sizeof(type)) &&
			read_cache(f->text, i, "size", size, sizeof(size)); i++) {
		snprintf(key, sizeof(key), "l%s%s_B", level,
			 *type == 'D' ? "d" : *type == 'I' ? "i" : "");
		json_object_set_new(sizes, key, json_integer(atoll(size) << 10));
	}
	if (json_object_size(sizes))
		return sizes;
	json_decref(sizes);
	return NULL;
}

static json_t *turbo(void)
{
	char line[16];

	if (file_line(CPUS "intel_pstate/no_turbo", line, sizeof(line)))
		return json_boolean(*line == '0');
	if (file_line(CPUS "cpufreq/boost", line, sizeof(line)))
		return json_boolean(*line == '1');
	return NULL;
}

static json_t *load_average(const struct host_fact *f)
{
	double average[3];

	return getloadavg(average, 3) == 3 ? json_real(average[f->number]) : NULL;
}

static json_t *limit(const struct host_fact *f)
{
	struct rlimit l;

	if (getrlimit(f->number, &l))
		return NULL;
	return l.rlim_cur == RLIM_INFINITY ? json_string("unlimited")
					   : json_integer((json_int_t)l.rlim_cur);
}

/* A random UUID, version 4. */
static json_t *run_id(void)
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

/* What the user typed, words separated by blanks. */
static json_t *command_line(const struct host_fact *f)
{
	char line[4096];
	int fd = open(f->text, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, line, sizeof(line));

	if (fd >= 0)
		close(fd);
	for (ssize_t i = 0; i + 1 < n; i++)
		if (!line[i])
			line[i] = ' ';
	return n > 0 ? json_stringn(line, (size_t)n - 1) : NULL;
}

#define SYSCTL(name) { "sysctl", name, .read = sysctl }

static const struct host_fact facts[] = {
	{ "netbench", "version", .read = literal, .text = NETBENCH_VERSION },
	{ "netbench", "commit", .make = commit },
	{ "netbench", "compiler", .read = literal, .text = NETBENCH_COMPILER },
	{ "netbench", "build_type", .read = literal, .text = NETBENCH_BUILD_TYPE },
#ifdef NETBENCH_C_FLAGS
	{ "netbench", "c_flags", .read = literal, .text = NETBENCH_C_FLAGS },
#endif
	{ "netbench", "command_line", .read = command_line, .text = "/proc/self/cmdline" },
	{ "run", "id", .make = run_id },
	{ "time", "start", .make = start_time },
	{ "host", "name", .read = names },
	{ "host", "kernel", .read = names, .number = 1 },
	{ "host", "os", .read = file_field, .text = "/etc/os-release", .field = "PRETTY_NAME=" },
	{ "host", "libc", .read = configuration, .number = _CS_GNU_LIBC_VERSION },
	{ "host", "virtualization", .make = virtualization },
	{ "kernel", "version", .read = names, .number = 2 },
	{ "kernel", "parameters", .read = kernel_parameters, .text = "/proc/cmdline" },
	{ "kernel", "isolated_cpus", .read = cpu_list, .text = CPUS "isolated" },
	{ "kernel", "nohz_full_cpus", .read = cpu_list, .text = CPUS "nohz_full" },
	{ "kernel", "mitigations", .read = mitigations, .text = CPUS "vulnerabilities" },
	{ "cpu", "model", .read = file_field, .text = "/proc/cpuinfo", .field = "model name" },
	{ "cpu", "cores", .read = count, .number = CORES },
	{ "cpu", "threads", .read = count, .number = THREADS },
	{ "cpu", "allowed_cpus", .make = allowed_cpus },
	{ "cpu", "online_cpus", .read = file_text, .text = CPUS "online" },
	{ "cpu", "numa_nodes", .read = file_text, .text = "/sys/devices/system/node/online" },
	{ "cpu", "caches", .read = caches, .text = CPUS "cpu0/cache/index" },
	{ "cpu", "smt", .read = file_text, .text = CPUS "smt/active", .number = FLAG },
	{ "cpu", "driver", .read = file_text, .text = CPUS "cpu0/cpufreq/scaling_driver" },
	{ "cpu", "governor", .read = file_text, .text = GOVERNOR },
	{ "cpu", "turbo", .make = turbo },
	{ "cpu", "mhz_max", .read = file_text, .text = MHZ_MAX, .number = MHZ },
	{ "cpu", "idle_driver", .read = file_text, .text = CPUS "cpuidle/current_driver" },
	{ "cpu", "idle_governor", .read = file_text, .text = CPUS "cpuidle/current_governor" },
	{ "memory", "total_B", .read = count, .number = MEMORY_TOTAL },
	{ "memory", "page_B", .read = count, .number = PAGE_SIZE },
	{ "memory", "transparent_hugepage", .read = file_choice, .text = HUGEPAGES "enabled" },
	{ "memory", "shmem_hugepage", .read = file_choice, .text = HUGEPAGES "shmem_enabled" },
	SYSCTL("kernel.numa_balancing"), SYSCTL("kernel.nmi_watchdog"),
	SYSCTL("kernel.sched_autogroup_enabled"), SYSCTL("kernel.sched_rt_runtime_us"),
	SYSCTL("kernel.timer_migration"), SYSCTL("kernel.yama.ptrace_scope"),
	SYSCTL("net.core.busy_poll"), SYSCTL("net.core.busy_read"),
	SYSCTL("net.core.default_qdisc"), SYSCTL("net.core.netdev_max_backlog"),
	SYSCTL("net.core.rmem_default"), SYSCTL("net.core.rmem_max"),
	SYSCTL("net.core.wmem_default"), SYSCTL("net.core.wmem_max"),
	SYSCTL("net.ipv4.tcp_autocorking"), SYSCTL("net.ipv4.tcp_congestion_control"),
	SYSCTL("net.ipv4.tcp_mtu_probing"), SYSCTL("net.ipv4.tcp_no_metrics_save"),
	SYSCTL("net.ipv4.tcp_notsent_lowat"), SYSCTL("net.ipv4.tcp_rmem"),
	SYSCTL("net.ipv4.tcp_sack"), SYSCTL("net.ipv4.tcp_slow_start_after_idle"),
	SYSCTL("net.ipv4.tcp_timestamps"), SYSCTL("net.ipv4.tcp_window_scaling"),
	SYSCTL("net.ipv4.tcp_wmem"), SYSCTL("vm.nr_hugepages"), SYSCTL("vm.swappiness"),
	SYSCTL("vm.zone_reclaim_mode"),
	{ "network", "devices", .make = devices_network },
	{ "network", "infiniband", .make = devices_infiniband },
	{ "clock", "source", .read = file_text, .text = CLOCKSOURCE },
	{ "load", "average_1min", .read = load_average },
	{ "load", "average_5min", .read = load_average, .number = 1 },
	{ "load", "average_15min", .read = load_average, .number = 2 },
	{ "load", "running", .read = count, .number = RUNNING },
	{ "limits", "memlock_B", .read = limit, .number = RLIMIT_MEMLOCK },
	{ "limits", "stack_B", .read = limit, .number = RLIMIT_STACK },
	{ "limits", "open_files", .read = limit, .number = RLIMIT_NOFILE },
};

json_t *host_collect(void)
{
	json_t *env = json_object(), *value;

	for (const struct host_fact *f = facts; f < facts + LENGTH(facts); f++) {
		if (!json_object_get(env, f->group))
			json_object_set_new(env, f->group, json_object());
		value = f->make ? f->make() : f->read(f);
		json_object_set_new(json_object_get(env, f->group), f->key,
				    value ? value : json_null());
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
