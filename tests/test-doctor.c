/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what the doctor finds on made-up machines: a record, and a /sys and /proc. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "analyse/doctor.h"
#include "cmd/doctor/backends.h"
#include "cmd/doctor/hosts.h"
#include "cmd/doctor/network.h"
#include "cmd/doctor/system.h"
#include "host/devices.h"
#include "host/links.h"
#include "show/doctor.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define FILES 12

typedef void finder(json_t *list, const struct scene *s);

/* A machine, and a finding that the doctor must have. */
struct example {
	finder *find;
	const char *env;		/* as JSON, with single quotes */
	const char *files[FILES];	/* "path=content" */
	const char *id, *subject;	/* identify the expected finding */
	const char *severity;		/* NULL: the finding must be absent */
	const char *says;		/* expected part of text and remedy */
	double shm_B;
	int ranks, cpus;
	bool launched;
	const char *backend;
	const char *module;		/* the file that is a module, with these permissions */
	mode_t mode;
	uid_t owner;			/* 0: the user of the test */
	gid_t group;
};

static void make_file(const char *root, const char *what)
{
	char whole[512];
	const char *content = strchr(what, '=') + 1;
	FILE *f;

	snprintf(whole, sizeof(whole), "%s/%.*s", root, (int)(content - what - 1), what);
	for (char *at = whole + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(whole, 0777);
		*at = '/';
	}
	if (!*content) {	/* a directory */
		mkdir(whole, 0777);
		return;
	}
	f = fopen(whole, "w");
	assert_non_null(f);
	fprintf(f, "%s\n", content);
	fclose(f);
}

/* Resolves a link to a driver. */
static void make_driver(const char *root, const char *device)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/sys/class/net/%s/device/driver", root, device);
	assert_int_equal(symlink("/sys/bus/pci/drivers/mlx5_core", path), 0);
}

static json_t *read_quoted(const char *quoted)
{
	char *text = strdup(quoted);
	json_t *v;

	for (char *c = text; *c; c++)
		*c = *c == '\'' ? '"' : *c;
	v = json_loads(text, 0, NULL);
	assert_non_null(v);
	free(text);
	return v;
}

static const char *text_in(const json_t *finding, const char *key)
{
	return json_string_value(json_object_get(finding, key));
}

static json_t *finding_of(json_t *list, const struct example *e)
{
	json_t *one;
	size_t i;

	json_array_foreach(list, i, one)
		if (!strcmp(text_in(one, "id"), e->id) &&
		    !strcmp(text_in(one, "subject"), e->subject ? e->subject : ""))
			return one;
	return NULL;
}

static void judge(const struct example *e, const json_t *found)
{
	char both[2048];

	if (!e->severity) {
		assert_null(found);
		return;
	}
	if (!found)
		fail_msg("no finding '%s %s'", e->id, e->subject ? e->subject : "");
	assert_string_equal(text_in(found, "severity"), e->severity);
	snprintf(both, sizeof(both), "%s | %s", text_in(found, "text"), text_in(found, "remedy"));
	if (e->says && !strstr(both, e->says))
		fail_msg("'%s' is not in '%s'", e->says, both);
	/* each fault has a remedy */
	assert_true(!strcmp(e->severity, "ok") == !*text_in(found, "remedy"));
}

/*
 * Gives a module its owner and group. False if the test may not do that, or has no group of its
 * own.
 */
static bool has_owner(const struct example *e)
{
	if (!e->owner && !e->group)
		return !e->module || getgid() == getuid();
	return !chown(e->module, e->owner ? e->owner : getuid(), e->group ? e->group : getgid());
}

/* Only the module of the current example is tried. */
static const char *tried;

static const char *tried_module(size_t i)
{
	return i ? NULL : tried;
}

static void try(const struct example *e)
{
	char root[] = "/tmp/test-doctor-XXXXXX", command[64];
	json_t *env = read_quoted(e->env), *links, *list = json_array();
	struct scene s = { .root = root, .env = env, .backend = e->backend, .shm_B = e->shm_B,
			   .ranks = e->ranks ? e->ranks : 1, .cpus = e->cpus,
			   .launched = e->launched };

	assert_non_null(mkdtemp(root));
	for (size_t i = 0; i < FILES && e->files[i]; i++)
		make_file(root, e->files[i]);
	snprintf(command, sizeof(command), "%s/sys/class/net/eth0/device", root);
	if (!access(command, 0))
		make_driver(root, "eth0");
	if (e->module) {	/* its path begins at the made-up root */
		assert_int_equal(chdir(root), 0);
		chmod(e->module, e->mode);
		tried = e->module;
		s.module = tried_module;
	}
	s.links = links = links_describe(root, 0);
	json_object_set_new(env, "network", json_pack("{s:o}", "infiniband",
						      devices_infiniband_in(root)));
	if (has_owner(e)) {
		e->find(list, &s);
		judge(e, finding_of(list, e));
	}
	assert_int_equal(chdir("/"), 0);
	json_decref(list);
	json_decref(links);
	json_decref(env);
	snprintf(command, sizeof(command), "rm -r %s", root);
	assert_int_equal(system(command), 0);
}

#define GOVERNOR(cpu, name) "sys/devices/system/cpu/cpu" cpu "/cpufreq/scaling_governor=" name
#define CPUS(given) "{'cpu':{'allowed_cpus':'" given "'}}"
#define LOAD(average, running) \
	"{'load':{'average_1min':" average ",'running':" running "},'cpu':{'threads':8}}"

static const struct example systems[] = {
	{ .find = find_system, "{}", { NULL }, "hidden", "/sys", "note", "mount" },
	{ .find = find_system, "{}", { NULL }, "hidden", "/proc", "wrong", "shm" },
	{ .find = find_system, "{}", { "sys/devices/system/cpu/online=0-3" }, "hidden", "/sys" },
	{ .find = find_system, "{'cpu':{'cores':1,'allowed_cpus':'3','online_cpus':'0-63'}}", { NULL },
	  "cores", "", "wrong", "CPUs 3 of 0-63" },
	{ .find = find_system, "{'cpu':{'cores':2,'allowed_cpus':'0-1','online_cpus':'0-1'}}", { NULL },
	  "cores", "", "note", "2 cores for netbench:" },
	{ .find = find_system, "{'cpu':{'cores':8}}", { NULL }, "cores", "", "ok", "8 cores" },
	{ .find = find_system, "{'cpu':{'cores':1}}", { NULL }, "cores", "", "ok", "4 ranks on 4 CPUs",
	  .ranks = 4, .cpus = 4, .launched = true },
	{ .find = find_system, "{'cpu':{'cores':1}}", { NULL }, "cores", "", "wrong", "4 ranks share 1 CPU:",
	  .ranks = 4, .cpus = 1, .launched = true },
	/* of '-n' */
	{ .find = find_system, "{'cpu':{'cores':2}}", { NULL }, "cores", "", "wrong", "4 ranks share 2 CPUs",
	  .ranks = 4, .cpus = 2 },
	/*
	 * quotas: of the group, of a group above, of version 1, none, and one of more than all CPUs
	 */
	{ .find = find_system, "{'cpu':{'threads':4}}", { "proc/self/cgroup=0::/a/b",
	  "sys/fs/cgroup/a/b/cpu.max=150000 100000" }, "quota", "", "wrong", "1.5 of 4 CPUs" },
	{ .find = find_system, "{'cpu':{'threads':4}}", { "proc/self/cgroup=0::/a/b",
	  "sys/fs/cgroup/a/b/cpu.max=max 100000", "sys/fs/cgroup/a/cpu.max=50000 100000" },
	  "quota", "", "wrong", "0.5 of 4 CPUs" },
	{ .find = find_system, "{'cpu':{'threads':4}}", { "proc/self/cgroup=0::/",
	  "sys/fs/cgroup/cpu.max=190000 100000" }, "quota", "", "wrong", "1.9 of 4 CPUs" },
	{ .find = find_system, "{'cpu':{'threads':4}}", { "proc/self/cgroup=3:cpu,cpuacct:/x",
	  "sys/fs/cgroup/cpu/x/cpu.cfs_quota_us=100000",
	  "sys/fs/cgroup/cpu/x/cpu.cfs_period_us=100000" }, "quota", "", "wrong", "1 of 4 CPUs" },
	{ .find = find_system, "{'cpu':{'threads':4}}", { "proc/self/cgroup=5:cpuset:/x",
	  "sys/fs/cgroup/cpu/x/cpu.cfs_quota_us=100000",
	  "sys/fs/cgroup/cpu/x/cpu.cfs_period_us=100000" }, "quota", "", "ok" },
	{ .find = find_system, "{'cpu':{'threads':4}}", { "proc/self/cgroup=0::/a",
	  "sys/fs/cgroup/a/cpu.max=800000 100000" }, "quota", "", "ok" },
	{ .find = find_system, "{'cpu':{'threads':4}}", { NULL }, "quota", "" },
	{ .find = find_system, "{'cpu':{'threads':4}}", { "proc/self/cgroup=10:x:/x\n5:x,cpu:/x",
	  "sys/fs/cgroup/cpu/x/cpu.cfs_quota_us=100000",
	  "sys/fs/cgroup/cpu/x/cpu.cfs_period_us=100000" }, "quota", "", "wrong", "1 of 4 CPUs" },
	/* enough for a pair, enough for the present ranks, not enough for them */
	{ .find = find_system, "{'cpu':{'threads':4}}", { "proc/self/cgroup=0::/",
	  "sys/fs/cgroup/cpu.max=200000 100000" }, "quota", "", "note", "2 of 4 CPUs" },
	{ .find = find_system, "{'cpu':{'threads':64}}", { "proc/self/cgroup=0::/",
	  "sys/fs/cgroup/cpu.max=800000 100000" }, "quota", "", "note", "8 of 64 CPUs", .ranks = 8 },
	{ .find = find_system, "{'cpu':{'threads':64}}", { "proc/self/cgroup=0::/",
	  "sys/fs/cgroup/cpu.max=800000 100000" }, "quota", "", "wrong", "8 of 64 CPUs", .ranks = 9 },
	/* ranks that a launcher has bound to a CPU each */
	{ .find = find_system, "{'cpu':{'threads':1}}", { "proc/self/cgroup=0::/a",
	  "sys/fs/cgroup/a/cpu.max=200000 100000" }, "quota", "", "wrong", "2 of 4 CPUs",
	  .ranks = 4, .cpus = 4, .launched = true },
	/* governors: only of the CPUs that may be used */
	{ .find = find_system, CPUS("0-1"), { GOVERNOR("0", "performance"), GOVERNOR("1", "powersave") },
	  "governor", "powersave", "wrong", "1 of 2 CPUs" },
	{ .find = find_system, CPUS("0"), { GOVERNOR("0", "performance"), GOVERNOR("1", "powersave") },
	  "governor", "", "ok", "'performance'" },
	{ .find = find_system, CPUS("0"), { "sys/devices/system/cpu/online=0" }, "governor", "",
	  "ok", "no frequency governor" },
	{ .find = find_system, CPUS("0"), { NULL }, "governor", "" },
	{ .find = find_system, "{'cpu':{'smt':true}}", { NULL }, "smt", "", "note", "--pin core" },
	{ .find = find_system, "{'cpu':{'smt':false}}", { NULL }, "smt", "", "ok" },
	{ .find = find_system, "{'cpu':{'smt':null}}", { NULL }, "smt", "" },
	{ .find = find_system, "{'cpu':{'turbo':true}}", { NULL }, "turbo", "", "note" },
	{ .find = find_system, "{'cpu':{'turbo':false}}", { NULL }, "turbo", "", "ok" },
	{ .find = find_system, "{'clock':{'source':'hpet'}}", { NULL }, "clock", "hpet", "wrong", "1 us" },
	{ .find = find_system, "{'clock':{'source':'tsc'}}", { NULL }, "clock", "tsc", "ok" },
	{ .find = find_system, "{'host':{'virtualization':'kvm'}}", { NULL }, "virtual-machine", "kvm",
	  "note" },
	{ .find = find_system, "{'host':{'virtualization':'none'}}", { NULL }, "virtual-machine", "", "ok" },
	{ .find = find_system, LOAD("0.2", "1"), { NULL }, "load", "", "ok" },
	{ .find = find_system, LOAD("3", "4"), { NULL }, "load", "", "note", "3.00 on 8 CPUs" },
	{ .find = find_system, LOAD("7", "8"), { NULL }, "load", "", "wrong", "7.00 on 8 CPUs" },
	{ .find = find_system, LOAD("7", "null"), { NULL }, "load", "", "wrong" },
	/* a few CPUs of a large machine */
	{ .find = find_system, "{'load':{'average_1min':9,'running':9},'cpu':{'threads':2,"
	  "'online_cpus':'0-63'}}", { NULL }, "load", "", "note", "9.00 on 64 CPUs" },
	{ .find = find_system, LOAD("7", "2"), { NULL }, "load", "", "ok" },	/* it has just ended */
	{ .find = find_system, "{}", { "proc/stat=cpu  50 0 0 930 0 0 0 20 0 0" }, "steal", "", "note",
	  "2 %" },
	{ .find = find_system, "{}", { "proc/stat=cpu  50 0 0 950 0 0 0 1 0 0" }, "steal", "" },
	{ .find = find_system, "{'cpu':{'numa_nodes':'0-1'},'sysctl':{'kernel.numa_balancing':1}}", { NULL },
	  "numa-balancing", "", "note", "kernel.numa_balancing=0" },
	{ .find = find_system, "{'cpu':{'numa_nodes':'0'},'sysctl':{'kernel.numa_balancing':1}}", { NULL },
	  "numa-balancing", "" },
};

#define IB "sys/class/infiniband/mlx5_0/"
#define PORT(state) IB "ports/1/state=" state, IB "ports/1/rate=100 Gb/sec (4X EDR)"
#define LOCK(bytes) "{'limits':{'memlock_B':" bytes "}}"
#define SCOPE(n) "{'sysctl':{'kernel.yama.ptrace_scope':" n "}}"

static const struct example limits[] = {
	{ .find = find_limits, LOCK("65536"), { NULL }, "memlock", "", "ok", "only to RDMA" },
	{ .find = find_limits, LOCK("65536"), { PORT("4: ACTIVE") }, "memlock", "", "wrong", "0.0625 MiB" },
	{ .find = find_limits, LOCK("1073741824"), { PORT("4: ACTIVE") }, "memlock", "", "note",
	  "limits.d" },
	{ .find = find_limits, LOCK("'unlimited'"), { PORT("4: ACTIVE") }, "memlock", "", "ok" },
	/* CAP_IPC_LOCK */
	{ .find = find_limits, LOCK("65536"), { PORT("4: ACTIVE"),
	  "proc/self/status=CapEff:\t0000000000004000" }, "memlock", "", "ok" },
	{ .find = find_limits, LOCK("65536"), { PORT("4: ACTIVE"),
	  "proc/self/status=CapEff:\t0000000000008000" }, "memlock", "", "wrong" },
	/* in the machine itself, and in a rootless container */
	{ .find = find_limits, LOCK("65536"), { PORT("4: ACTIVE"),
	  "proc/self/status=CapEff:\t0000000000004000", "proc/self/uid_map=0 0 4294967295" },
	  "memlock", "", "ok" },
	{ .find = find_limits, LOCK("65536"), { PORT("4: ACTIVE"),
	  "proc/self/status=CapEff:\t0000000000004000", "proc/self/uid_map=0 1000 1" },
	  "memlock", "", "wrong" },
	{ .find = find_limits, "{}", { NULL }, "memlock", "" },
	{ .find = find_limits, "{'limits':{'open_files':64}}", { NULL }, "open-files", "", "wrong",
	  "ulimit -n" },
	{ .find = find_limits, "{'limits':{'open_files':512}}", { NULL }, "open-files", "", "note" },
	{ .find = find_limits, "{'limits':{'open_files':1024}}", { NULL }, "open-files", "", "ok" },
	{ .find = find_limits, "{}", { NULL }, "shm", "/dev/shm", "note", "does not exist", .shm_B = -1 },
	{ .find = find_limits, "{}", { NULL }, "shm", "/dev/shm", "note", "64 MiB", .shm_B = 64 << 20 },
	{ .find = find_limits, "{}", { NULL }, "shm", "/dev/shm", "ok", "1024 MiB", .shm_B = 1 << 30 },
	{ .find = find_limits, SCOPE("0"), { NULL }, "ptrace", "", "ok" },
	{ .find = find_limits, SCOPE("null"), { "proc/self/status=Name:\tx" }, "ptrace", "", "ok" },
	{ .find = find_limits, SCOPE("null"), { NULL }, "ptrace", "" },
	{ .find = find_limits, SCOPE("1"), { NULL }, "ptrace", "", "note", "backend shm can" },
	{ .find = find_limits, SCOPE("2"), { NULL }, "ptrace", "", "note", "--shm-copy cma" },
	{ .find = find_limits, SCOPE("2"), { "proc/self/status=CapEff:\t0000000000080000" }, "ptrace", "",
	  "ok" },
	{ .find = find_limits, SCOPE("3"), { "proc/self/status=CapEff:\t0000000000080000" }, "ptrace", "",
	  "note" },
	{ .find = find_limits, "{'sysctl':{'vm.nr_hugepages':0}}", { NULL }, "hugepages", "" },
	{ .find = find_limits, "{'sysctl':{'vm.nr_hugepages':0}}", { PORT("4: ACTIVE") }, "hugepages", "",
	  "note" },
	{ .find = find_limits, "{'sysctl':{'vm.nr_hugepages':8}}", { PORT("4: ACTIVE") }, "hugepages", "",
	  "ok" },
};

#define ETH "sys/class/net/eth0/"
#define HARD(state, speed, mtu) \
	ETH "operstate=" state, ETH "speed=" speed, ETH "mtu=" mtu, ETH "device/vendor=0x15b3"
#define SLOT(speed, lanes) \
	ETH "device/current_link_speed=" speed " GT/s PCIe", ETH "device/current_link_width=" lanes
#define BEST(speed, lanes) \
	ETH "device/max_link_speed=" speed " GT/s PCIe", ETH "device/max_link_width=" lanes
#define NODE1 ETH "device/numa_node=1", "sys/devices/system/node/node1/cpulist=8-15", \
	"sys/devices/system/node/node0/distance=10 21"
#define NODES(given) "{'cpu':{'numa_nodes':'0-1','allowed_cpus':'" given "'}}"

static const struct example networks[] = {
	{ .find = find_network, "{}", { "sys/class/net/lo/operstate=unknown" }, "network", "", "note",
	  "only ranks of this host" },
	{ .find = find_network, "{}", { NULL }, "network", "" },
	{ .find = find_network, "{}", { HARD("up", "10000", "9000") }, "network", "" },
	{ .find = find_network, "{}", { HARD("up", "10000", "9000") }, "link", "eth0", "ok" },
	{ .find = find_network, "{}", { HARD("down", "-1", "1500") }, "link", "eth0", "note", "down" },
	{ .find = find_network, "{}", { HARD("down", "-1", "1500") }, "network", "", "note" },
	/* a driver that does not report the state leaves it unknown: tap0 of rootless containers */
	{ .find = find_network, "{}", { "sys/class/net/tap0/operstate=unknown" }, "network", "" },
	{ .find = find_network, "{}", { HARD("unknown", "10000", "9000") }, "link", "eth0", "ok" },
	/* a virtual device matters if there is no other, and is no finding when it is down */
	{ .find = find_network, "{}", { "sys/class/net/br0/operstate=up" }, "network", "" },
	{ .find = find_network, "{}", { "sys/class/net/br0/operstate=up" }, "link", "br0", "ok" },
	{ .find = find_network, "{}", { "sys/class/net/br0/operstate=down" }, "link", "br0" },
	{ .find = find_network, "{}", { "sys/class/net/br0/operstate=up" }, "speed", "br0" },
	{ .find = find_network, "{}", { PORT("4: ACTIVE"), IB "ports/1/link_layer=InfiniBand" }, "link",
	  "mlx5_0 port 1", "ok" },
	{ .find = find_network, "{}", { PORT("4: ACTIVE"), IB "ports/1/link_layer=InfiniBand" }, "speed",
	  "mlx5_0 port 1", "ok", "100 Gbit/s" },
	{ .find = find_network, "{}", { PORT("2: INIT"), IB "ports/1/link_layer=InfiniBand" }, "link",
	  "mlx5_0 port 1", "wrong", "opensm" },
	{ .find = find_network, "{}", { PORT("1: DOWN"), IB "ports/1/link_layer=InfiniBand" }, "link",
	  "mlx5_0 port 1", "note", "cable" },
	{ .find = find_network, "{}", { HARD("up", "100", "1500") }, "speed", "eth0", "wrong",
	  "100 Mbit/s" },
	{ .find = find_network, "{}", { HARD("up", "1000", "1500") }, "speed", "eth0", "ok", "1 Gbit/s" },
	{ .find = find_network, "{}", { HARD("up", "-1", "1500") }, "speed", "eth0", "note", "--require" },
	{ .find = find_network, "{}", { HARD("up", "1000", "1500") }, "mtu", "eth0", "ok" },
	{ .find = find_network, "{}", { HARD("up", "25000", "1500") }, "mtu", "eth0", "note", "mtu 9000" },
	{ .find = find_network, "{}", { HARD("up", "25000", "9000") }, "mtu", "eth0", "ok" },
	/* RoCE has the MTU of its interface */
	{ .find = find_network, "{}", { HARD("up", "25000", "1500"), PORT("4: ACTIVE"),
	  IB "ports/1/link_layer=Ethernet", IB "device/net/eth0/x=1" }, "mtu", "mlx5_0 port 1",
	  "note", "1024 B" },
	{ .find = find_network, "{}", { HARD("up", "25000", "9000"), PORT("4: ACTIVE"),
	  IB "ports/1/link_layer=Ethernet", IB "device/net/eth0/x=1" }, "mtu", "mlx5_0 port 1",
	  "ok", "9000" },
	/* slots: slower than the link, slower than the card, and neither */
	{ .find = find_network, "{}", { HARD("up", "100000", "9000"), SLOT("8.0", "4"),
	  BEST("16.0", "16") }, "pcie", "eth0", "wrong", "less than the link" },
	{ .find = find_network, "{}", { HARD("up", "10000", "9000"), SLOT("8.0", "4"),
	  BEST("8.0", "8") }, "pcie", "eth0", "note", "4 lanes" },
	{ .find = find_network, "{}", { HARD("up", "10000", "9000"), SLOT("8.0", "8"),
	  BEST("8.0", "8") }, "pcie", "eth0", "ok" },
	{ .find = find_network, "{}", { HARD("up", "10000", "9000") }, "pcie", "eth0" },
	{ .find = find_network, "{}", { HARD("up", "100000", "9000"), SLOT("8.0", "4") }, "pcie",
	  "eth0", "wrong", "28.6 Gbit/s, less than the link |" },
	{ .find = find_network, NODES(""), { HARD("up", "10000", "9000"), NODE1 }, "numa", "eth0" },
	/* the NUMA node of none of the CPUs, not of the first CPU, of the first CPU */
	{ .find = find_network, NODES("0-7"), { HARD("up", "10000", "9000"), NODE1 }, "numa", "eth0",
	  "wrong", "distance 21" },
	/* two ranks; a launcher has bound the first to the other node */
	{ .find = find_network, NODES("0-7"), { HARD("up", "10000", "9000"), NODE1 }, "numa", "eth0",
	  "note", "the first rank of this host", .ranks = 2, .cpus = 16, .launched = true },
	{ .find = find_network, NODES("0-7"), { HARD("up", "10000", "9000"), NODE1 }, "numa", "eth0",
	  "wrong", "netbench may use", .ranks = 1, .cpus = 8, .launched = true },
	{ .find = find_network, NODES("0-15"), { HARD("up", "10000", "9000"), NODE1 }, "numa", "eth0",
	  "note", "--pin 8-15" },
	{ .find = find_network, NODES("8-11"), { HARD("up", "10000", "9000"), NODE1 }, "numa", "eth0",
	  "ok" },
	{ .find = find_network, "{'cpu':{'numa_nodes':'0','allowed_cpus':'0-7'}}",
	  { HARD("up", "10000", "9000"), NODE1 }, "numa", "eth0" },
	{ .find = find_network, "{}", { HARD("up", "10000", "9000"), ETH "statistics/rx_crc_errors=17" },
	  "errors", "eth0", "note", "17 CRC errors" },
	{ .find = find_network, "{}", { HARD("up", "10000", "9000"), ETH "statistics/rx_crc_errors=17",
	  ETH "statistics/rx_frame_errors=3" }, "errors", "eth0", "note",
	  "17 CRC errors, 3 frame errors" },
	{ .find = find_network, "{}", { HARD("up", "10000", "9000"), ETH "statistics/rx_crc_errors=0" },
	  "errors", "eth0" },
	{ .find = find_network, "{}", { HARD("up", "10000", "9000"), ETH "statistics/rx_dropped=1000" },
	  "errors", "eth0" },
	{ .find = find_network, "{}", { "sys/module/nf_tables/refcnt=3" }, "firewall", "", "note",
	  "filtered" },
	{ .find = find_network, "{}", { "sys/module/nf_tables/refcnt=0" }, "firewall", "" },
	{ .find = find_network, "{}", { "proc/sys/net/netfilter/nf_conntrack_count=12" }, "firewall", "",
	  "note", "tracked" },
};

#define MODULE(permissions) .module = "netbench-x.so", .mode = permissions
#define MODULES(permissions) .module = "m", .mode = permissions

static const struct example modules[] = {
	{ .find = find_modules, "{}", { NULL }, "module", "" },
	{ .find = find_modules, "{}", { "netbench-x.so=x" }, "module", "", "ok", MODULE(0755) },
	{ .find = find_modules, "{}", { "netbench-x.so=x" }, "module", "netbench-x.so", "wrong",
	  "everyone may write it: netbench loads no module from there | forbid that (chmod o-w)",
	  MODULE(0646) },
	{ .find = find_modules, "{}", { "netbench-x.so=x" }, "module", "netbench-x.so", "note",
	  "its group may write it", MODULE(0664), .group = 1 },
	/* a group that only the owner belongs to */
	{ .find = find_modules, "{}", { "netbench-x.so=x" }, "module", "", "ok", MODULE(0664) },
	{ .find = find_modules, "{}", { "netbench-x.so=x" }, "module", "netbench-x.so", "wrong",
	  "another user owns it", MODULE(0755), .owner = 1 },
	{ .find = find_modules, "{}", { "m=" }, "module", "", "ok", MODULES(0755) },
	{ .find = find_modules, "{}", { "m=" }, "module", "m", "wrong", "everyone may write it",
	  MODULES(0777) },
	{ .find = find_modules, "{}", { "m=" }, "module", "m", "note", "everyone may add files",
	  MODULES(01777) },
	{ .find = find_modules, "{}", { NULL }, "module", "m", "wrong", "it cannot be found",
	  MODULES(0) },
};

static const struct example backends[] = {
	{ .find = find_backends, "{}", { NULL }, "backend", "shm", "ok", "shared memory" },
	{ .find = find_backends, "{}", { NULL }, "backend", "nosuch" },
	{ .find = find_backends, "{}", { NULL }, "backend", "nosuch", "wrong", "no backend has this name",
	  .backend = "nosuch" },
	/* a name that is no UTF-8 */
	{ .find = find_backends, "{}", { NULL }, "backend", "x?", "wrong", "no backend has this name",
	  .backend = "x\xff" },
};

static void each_state_of_a_system_has_its_finding(void **state)
{
	for (size_t i = 0; i < LENGTH(systems); i++)
		try(&systems[i]);
}

static void each_limit_has_its_finding(void **state)
{
	for (size_t i = 0; i < LENGTH(limits); i++)
		try(&limits[i]);
}

static void each_state_of_a_network_has_its_finding(void **state)
{
	for (size_t i = 0; i < LENGTH(networks); i++)
		try(&networks[i]);
}

static void each_state_of_a_module_has_its_finding(void **state)
{
	for (size_t i = 0; i < LENGTH(modules); i++)
		try(&modules[i]);
}

static void each_state_of_a_backend_has_its_finding(void **state)
{
	for (size_t i = 0; i < LENGTH(backends); i++)
		try(&backends[i]);
}

/* Two or more hosts: their reports, and a finding. "-" instead of hosts: the finding names none. */
static void hosts_that_differ_have_a_finding(void **state)
{
#define HOST(name, findings, facts) \
	"{'host':'" name "','links':['eth0'],'findings':[" findings "],'facts':{" facts "}}"
#define FOUND(id, text) \
	"{'id':'" id "','severity':'note','subject':'','text':'" text "','remedy':'x'}"
	static const struct {
		const char *looks, *id, *severity, *says, *hosts;
	} rows[] = {
		/* a finding of all hosts appears once and names none */
		{ HOST("a", FOUND("smt", "t"), "") "," HOST("b", FOUND("smt", "t"), ""), "smt",
		  "note", "t", "-" },
		{ HOST("a", FOUND("smt", "t"), "") "," HOST("b", "", ""), "smt", "note", "t", "a" },
		{ HOST("a", "", "") "," HOST("b", FOUND("smt", "t"), "") ","
		  HOST("c", FOUND("smt", "t"), ""), "smt", "note", "t", "b c" },
		{ HOST("a", FOUND("load", "3"), "") "," HOST("b", FOUND("load", "4"), ""), "load",
		  "note", "3", "-" },
		/* facts that must be alike, and facts that may differ */
		{ HOST("a", "", "'link.0.mtu_B':1500") "," HOST("b", "", "'link.0.mtu_B':9000") ","
		  HOST("c", "", "'link.0.mtu_B':1500") "," HOST("d", "", "'link.0.mtu_B':9000") ","
		  HOST("e", "", "'link.0.mtu_B':9000"), "mtu", "wrong", "MTU 1500, others 9000",
		  "a c" },
		{ HOST("a", "", "'link.0.mtu_B':9000") "," HOST("b", "", "'link.0.mtu_B':1500"),
		  "mtu", "wrong", "MTU 1500, others 9000", "b" },
		{ HOST("a", "", "'link.0.speed_Mbps':1000") ","
		  HOST("b", "", "'link.0.speed_Mbps':10000") ","
		  HOST("c", "", "'link.0.speed_Mbps':10000"),
		  "speed", "wrong", "link rate 1000 Mbit/s, others 10000 Mbit/s", "a" },
		{ HOST("a", "", "'netbench.version':'1'") ","
		  HOST("b", "", "'netbench.version':'2'"), "netbench", "wrong",
		  "netbench 2, others 1", "b" },
		{ HOST("a", "", "'host.kernel':'x','cpu.cores':4") ","
		  HOST("b", "", "'host.kernel':'y','cpu.cores':8"), "differs", "note",
		  "kernel y, others x; cores 8, others 4", "b" },
		/* another link may belong to another network */
		{ HOST("a", "", "'link.0.name':'eth0','link.0.mtu_B':9000") ","
		  HOST("b", "", "'link.0.name':'ib0','link.0.mtu_B':2044"), "mtu", NULL, "", "" },
		{ HOST("a", "", "'link.0.name':'eth0','link.0.mtu_B':9000") ","
		  HOST("b", "", "'link.0.name':'ib0','link.0.mtu_B':2044"), "differs", "note",
		  "interface ib0, others eth0; MTU 2044, others 9000", "b" },
		/* a link that a host lacks is no difference of its rate */
		{ HOST("a", "", "'link.0.mtu_B':9000") "," HOST("b", "", ""), "mtu", NULL, "",
		  "" },
		{ HOST("a", "", "'host.kernel':'x'") "," HOST("b", "", "'host.kernel':'x'"),
		  "differs", NULL, "", "" },
		{ HOST("a", "", "'host.kernel':'x'"), "differs", NULL, "", "" },
	};
	char text[2048], hosts[64];

	for (size_t i = 0; i < LENGTH(rows); i++) {
		json_t *looks, *common, *found, *one, *host;
		size_t k;

		snprintf(text, sizeof(text), "[%s]", rows[i].looks);
		looks = read_quoted(text);
		found = find_hosts(looks, &common);
		one = finding_of(found, &(struct example){ .id = rows[i].id });
		assert_true(!one == !rows[i].severity);
		strcpy(hosts, json_object_get(one, "hosts") ? "" : "-");
		json_array_foreach(json_object_get(one, "hosts"), k, host)
			strcat(strcat(hosts, k ? " " : ""), json_string_value(host));
		if (one) {
			assert_string_equal(text_in(one, "severity"), rows[i].severity);
			assert_string_equal(text_in(one, "text"), rows[i].says);
			assert_string_equal(hosts, rows[i].hosts);
		}
		json_decref(found);
		json_decref(common);
		json_decref(looks);
	}
}

/* The verdict comes first, and no line is wider than 79 columns. */
static void the_verdict_comes_first_and_lines_fit(void **state)
{
	static const struct {
		size_t wrong, notes;
		const char *first;
	} rows[] = {
		{ 0, 0, "doctor on host x: nothing is wrong\n" },
		{ 1, 0, "doctor on host x: 1 thing is wrong\n" },
		{ 2, 1, "doctor on host x: 2 things are wrong, 1 to know of\n" },
		{ 0, 3, "doctor on host x: nothing is wrong, 3 to know of\n" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		json_t *findings = json_array(), *none = json_object();
		struct diagnosis d = { "on host x", findings, NULL, none,
				       { 1, rows[i].notes, rows[i].wrong } };
		char *text, *line;

		finding_put(findings, "load", SEVERITY_OK, "", "", "fine");
		for (size_t k = 0; k < rows[i].wrong + rows[i].notes; k++)
			finding_put(findings, "a-long-name", k < rows[i].wrong ? SEVERITY_WRONG
				    : SEVERITY_NOTE, "with a long subject", "do %s this and that",
				    "%s", "a text that is long enough to take two lines of a "
				    "terminal, or even three of them");
		text = doctor_words(&d);
		line = strstr(text, "doctor on");
		assert_memory_equal(line, rows[i].first, strlen(rows[i].first));
		assert_int_equal(!strstr(text, "\nwrong:\n"), !rows[i].wrong);
		assert_int_equal(!strstr(text, "\nto know of:\n"), !rows[i].notes);
		assert_non_null(strstr(text, "\nfine: load\n"));
		for (char *at = strtok(text, "\n"); at; at = strtok(NULL, "\n"))
			assert_true(strlen(at) < 80);
		free(text);
		json_decref(findings);
		json_decref(none);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_state_of_a_system_has_its_finding),
		cmocka_unit_test(each_limit_has_its_finding),
		cmocka_unit_test(each_state_of_a_network_has_its_finding),
		cmocka_unit_test(each_state_of_a_backend_has_its_finding),
		cmocka_unit_test(each_state_of_a_module_has_its_finding),
		cmocka_unit_test(hosts_that_differ_have_a_finding),
		cmocka_unit_test(the_verdict_comes_first_and_lines_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
