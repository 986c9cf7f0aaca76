/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/here.h"

#include <stdlib.h>
#include <string.h>

#include "transport/registry.h"

/*
 * Advice for backends that do not run. An entry applies to its backend ("": to any) if the reason
 * contains the entry's `reason`. The first entry that applies is used.
 */
static const struct {
	const char *backend, *reason, *remedy;
} remedies[] = {
	{ "verbs", "is not installed", "package netbench-verbs" },
	{ "verbs", "not part of", "build netbench with libibverbs-dev (RPM rdma-core-devel)" },
	{ "verbs", "libibverbs", "packages libibverbs1, ibverbs-providers (RPM libibverbs)" },
	{ "verbs", "no RDMA device",
	  "needs InfiniBand, RoCE or the like; to try without: 'rdma link add rxe0 type rxe "
	  "netdev DEVICE'" },
	{ "ofi", "is not installed", "package netbench-ofi" },
	{ "ofi", "not part of", "build netbench with libfabric-dev (RPM libfabric-devel)" },
	{ "ofi", "libfabric", "package libfabric1 (RPM libfabric)" },
	{ "mpi", "is not installed", "package netbench-mpi" },
	{ "mpi", "not part of", "build netbench with libopenmpi-dev (RPM openmpi-devel)" },
	{ "mpi", "MPICH",
	  "package libmpich12 (RPM mpich), or load its module: 'module load mpich'" },
	{ "mpi", "libmpich",
	  "package libmpich12 (RPM mpich), or load its module: 'module load mpich'" },
	{ "mpi", "libmpi",
	  "package libopenmpi3 or libopenmpi40 (RPM openmpi), or load its module: 'module "
	  "load mpi'" },
	{ "fpga", "is not installed", "package netbench-fpga" },
	{ "fpga", "not part of",
	  "build netbench with libxrt-dev or opencl-c-headers (RPM xrt, opencl-headers)" },
	{ "fpga", "libxrt", "package libxrt1, or XRT of the card's vendor (RPM xrt)" },
	{ "fpga", "no card", "needs a card, and XRT of its vendor (RPM xrt)" },
	{ "", "is not installed",
	  "install it with netbench, or name its directory in $NETBENCH_MODULES" },
	{ "", "not part of", "build netbench without -Dbackends, or add this backend to it" },
	{ "", "was built for", "rebuild it with this netbench's headers" },
};

const char *backend_remedy(const char *backend, const char *why)
{
	for (size_t i = 0; i < LENGTH(remedies); i++)
		if ((!*remedies[i].backend || !strcmp(remedies[i].backend, backend)) &&
		    strstr(why, remedies[i].reason))
			return remedies[i].remedy;
	return "see 'netbench list', and netbench-backends(7)";
}

struct here check_backend_here(const char *name)
{
	struct arguments args = { 0 };
	char *line[] = { NULL, NULL };
	struct opt_table table;
	struct here l;

	l.be = backend_find(name, l.why, sizeof(l.why));
	if (!l.be)
		return l;
	table = (struct opt_table){ name, l.be->options, calloc(1, l.be->options_size + 1), NULL };
	if (!table.values || (table.opts && (arguments_read(&args, 1, line, &table, 1, false) ||
					     arguments_bind(&args, &table, 1, NULL))))
		snprintf(l.why, sizeof(l.why), "its options have no defaults");
	else
		backend_probe(l.be, table.opts ? table.values : NULL, l.why, sizeof(l.why));
	arguments_free(&args);
	free(table.values);
	return l;
}
