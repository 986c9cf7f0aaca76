/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/mpi/library.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Of MPI 5; older libraries have it not. */
extern int MPI_Abi_get_version(int *major, int *minor) __attribute__((weak));

/*
 * What MPI_Get_library_version says; its room is that of the longest known, as the library may be
 * another than that of mpi.h.
 */
static const char *all(void)
{
	static char text[16384];
	int len;

	if (!text[0])
		MPI_Get_library_version(text, &len);
	return text;
}

bool library_is_open_mpi(void)
{
	return !strncmp(all(), "Open MPI", strlen("Open MPI"));
}

/* Copies the start of a text, each run of blanks as one, none at its ends. */
static void squeeze(const char *from, size_t n, char *to, size_t len)
{
	size_t at = 0;

	for (size_t i = 0; i < n && from[i] && at + 2 < len; i++) {
		if (!isspace((unsigned char)from[i]))
			to[at++] = from[i];
		else if (at && i + 1 < n && !isspace((unsigned char)from[i + 1]))
			to[at++] = ' ';
	}
	to[at] = '\0';
}

/* The value behind "MPICH Device:", for the word "Device", in the line at *at, which moves on. */
static bool value_in(const char **at, const char *word, char *value, size_t len)
{
	size_t end = strcspn(*at, "\n"), colon = strcspn(*at, ":\n");
	const char *line = *at;
	char label[64];
	size_t n, w = strlen(word);

	*at += end + (line[end] == '\n');
	if (colon == end)
		return false;
	squeeze(line, colon, label, sizeof(label));
	n = strlen(label);
	if (n < w || strcasecmp(label + n - w, word) != 0)
		return false;
	squeeze(line + colon + 1, end - colon - 1, value, len);
	return true;
}

bool library_says(const char *word, char *value, size_t len)
{
	for (const char *at = all(); *at;)
		if (value_in(&at, word, value, len))
			return true;
	return false;
}

/* "MPICH Version: 4.0.2" is MPICH 4.0.2, "MPI VERSION: CRAY MPICH version 8.1" the latter. */
const char *library_name(void)
{
	static char name[200];
	const char *at = all();
	char value[128];
	size_t word = strcspn(at, " \n");

	if (name[0])
		return name;
	if (!value_in(&at, "version", value, sizeof(value)))
		squeeze(all(), strcspn(all(), ",\n"), name, sizeof(name));
	else if (word == strlen("MPI") && !strncmp(all(), "MPI", word))
		snprintf(name, sizeof(name), "%s", value);
	else
		snprintf(name, sizeof(name), "%.*s %s", (int)word, all(), value);
	return name;
}

const char *library_file(void)
{
	Dl_info where;

	return dladdr((void *)(uintptr_t)MPI_Init, &where) ? where.dli_fname : NULL;
}

void library_abi(char *text, size_t len)
{
	char *file = library_file() ? realpath(library_file(), NULL) : NULL;
	const char *numbers = file ? strstr(file, ".so.") : NULL;
	int major = -1, minor = -1;
	char value[64];

	if (MPI_Abi_get_version && !MPI_Abi_get_version(&major, &minor) && major > 0)
		snprintf(text, len, "standard %d.%d", major, minor);
	else if (library_says("ABI", value, sizeof(value)))
		snprintf(text, len, "MPICH %s", value);
	else
		snprintf(text, len, "%s", numbers ? numbers + strlen(".so.") : "");
	free(file);
}

bool library_fits(void)
{
#if defined(OPEN_MPI)
	return library_is_open_mpi();
#elif defined(MPICH_VERSION)
	return !library_is_open_mpi();
#else
	int major = -1, minor;

	return MPI_Abi_get_version && !MPI_Abi_get_version(&major, &minor) &&
	       major == MPI_ABI_VERSION;
#endif
}

/* ---- what the record of a run says of the library ---- */

/* Adds a word to a list, unless the list is full. */
static void add_word(char *list, size_t len, const char *word)
{
	size_t at = strlen(list);

	if (at + strlen(word) + 2 < len)
		snprintf(list + at, len - at, "%s%s", at ? " " : "", word);
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool begins_with_any(const char *text, const char *const *list)
{
	while (*list && !begins(text, *list))
		list++;
	return *list;
}

/* The user's variables that begin with one of `ours`, from byte `cut` on, without `others`. */
static void add_variables(char *list, size_t len, const char *const *ours, size_t cut,
			  const char *const *others)
{
	list[0] = '\0';
	for (char **e = environ; *e; e++)
		if (begins_with_any(*e, ours) && !begins_with_any(*e, others))
			add_word(list, len, *e + cut);
}

/* What carries messages: of one rank, within a host, between hosts, as this job needs it. */
static void write_ways(const struct job *job, const char *before, const char *alone,
		       const char *near, const char *far, char *text, size_t len)
{
	int on_node = ((const struct mpi_job *)job)->node_size;
	const char *only = on_node < job->size ? far : near;

	if (on_node > 1 && on_node < job->size)
		snprintf(text, len, "%s%s within a host, %s between hosts", before, near, far);
	else
		snprintf(text, len, "%s%s", before, job->size == 1 ? alone : only);
}

/* ---- Open MPI ---- */

/* Open MPI's open components: after MPI_Init the tool interface shows variables of only these. */
static void open_components(char *list, size_t len)
{
	int provided, n = 0;

	list[0] = '\0';
	if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided))
		return;
	MPI_T_cvar_get_num(&n);
	for (int i = 0; i < n; i++) {
		char name[128], text[8], framework[16], component[32], item[64];
		int nname = sizeof(name), ntext = sizeof(text), verbosity, bind, scope;
		MPI_Datatype type;
		MPI_T_enum values;

		/* of a variable such as "btl_tcp_links" */
		if (MPI_T_cvar_get_info(i, name, &nname, &verbosity, &type, &values, text, &ntext,
					&bind, &scope) ||
		    sscanf(name, "%15[^_]_%31[^_]", framework, component) != 2 ||
		    !strcmp(component, "base") ||
		    (strcmp(framework, "pml") && strcmp(framework, "mtl") &&
		     strcmp(framework, "btl")))
			continue;
		snprintf(item, sizeof(item), "%s/%s", framework, component);
		if (!strstr(list, item))
			add_word(list, len, item);
	}
	MPI_T_finalize();
}

/* The first of these components of framework btl that is open, "?" if none is. */
static const char *first_btl(const char *components, const char *const list[])
{
	for (char item[32]; *list; list++) {
		snprintf(item, sizeof(item), "btl/%s", *list);
		if (strstr(components, item))
			return *list;
	}
	return "?";
}

/* The facts include the user's parameters, "btl=tcp,self ...", without mpirun's own. */
#define OMPI "OMPI_MCA_"
static void record_open_mpi(const struct job *job, char *how, size_t len, struct facts *f)
{
	static const char *const prefixes[] = { OMPI, NULL };
	static const char *const mpirun[] = { OMPI "orte_", OMPI "ess", OMPI "initial_wdir",
					      OMPI "plm", OMPI "pmix", OMPI "shmem_",
					      OMPI "mpi_oversubscribe", NULL };
	static const char *const locals[] = { "vader", "sm", "tcp", NULL };
	static const char *const remotes[] = { "openib", "uct", "tcp", NULL };
	const char *yields = getenv(OMPI "mpi_yield_when_idle");
	char components[512], text[512];

	/* how messages travel, judged by the open components: "pml ob1, btl tcp" */
	open_components(components, sizeof(components));
	if (strstr(components, "pml/ucx"))
		snprintf(how, len, "pml ucx");
	else if (strstr(components, "pml/cm"))
		snprintf(how, len, "pml cm, by an mtl of %s", components);
	else
		write_ways(job, "pml ob1, btl ", "self", first_btl(components, locals),
			   first_btl(components, remotes), how, len);
	fact_text(f, "components_open", components);
	add_variables(text, sizeof(text), prefixes, strlen(OMPI), mpirun);
	fact_text(f, "mca_parameters", text);
	fact_text(f, "yield_when_idle", yields ? yields : "as mpirun decides");
}

/* ---- MPICH and its kin ---- */

/*
 * What is mapped of libraries and shared memory that move messages, "libuct_cma ucx_shm_posix": it
 * is there for the library to use.
 */
static void mapped(char *list, size_t len)
{
	static const char *const prefixes[] = { "libuct_", "libfabric", "libcxi", "libefa",
						"libpsm", "libopx", "libibverbs", "ucx_shm_",
						"mpich_shar", "Intel_MPI", NULL };
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4400];

	list[0] = '\0';
	while (maps && fgets(line, sizeof(line), maps)) {
		char *name = strrchr(line, '/'), *end;

		if (!name || !begins_with_any(++name, prefixes))
			continue;
		end = strstr(name, ".so");
		if (!end && !(end = strrchr(name, '_')))	/* shared memory: kind_number */
			end = name + strcspn(name, "\n");
		*end = '\0';
		if (!strstr(list, name))
			add_word(list, len, name);
	}
	if (maps)
		fclose(maps);
}

/*
 * The library does not tell its choice: writes what its device, such as "ch4:ofi", has for such
 * ranks.
 */
static void travel_through(const struct job *job, const char *device, bool ucx_shm, char *text,
			   size_t len)
{
	static const struct {
		const char *device, *network;
	} known[] = {
		{ "ch4:ucx", "UCX" }, { "ch4:ofi", "libfabric" }, { "ch3:sock", "TCP" },
		{ "ch3:nemesis:ofi", "libfabric" }, { "ch3:nemesis", "TCP" },
		{ "ch3:mrail", "verbs" }, { "ch3:psm", "PSM" }, { "", "its network" },
	}, *at = known;
	char before[80], near[48];

	while (!begins(device, at->device))
		at++;
	snprintf(before, sizeof(before), "%s, ", device);
	snprintf(near, sizeof(near), "shared memory or %s", at->network);
	if (ucx_shm || begins(device, "ch3:sock"))
		snprintf(near, sizeof(near), "%s", ucx_shm ? "shared memory of UCX" : at->network);
	write_ways(job, before, "one rank", near, at->network, text, len);
}

/* The facts include the user's variables for the library and the layers below it. */
static void record_mpich(const struct job *job, char *how, size_t len, struct facts *f)
{
	static const char *const prefixes[] = { "MPICH_", "MPIR_CVAR_", "I_MPI_", "MV2_", "MVP_",
						"UCX_", "FI_", NULL };
	static const char *const launchers[] = { "MPIR_CVAR_CH3_INTERFACE_HOSTNAME", "MV2_COMM_",
						 "I_MPI_ROOT", "I_MPI_HYDRA_UUID", NULL };
	char device[64], text[512];

	if (!library_says("Device", device, sizeof(device)))
		snprintf(device, sizeof(device), "device not said");
	mapped(text, sizeof(text));
	travel_through(job, device, strstr(text, "ucx_shm"), how, len);
	fact_text(f, "device", device);
	fact_text(f, "transports_loaded", text);
	add_variables(text, sizeof(text), prefixes, 0, launchers);
	fact_text(f, "parameters", text);
}

void mpi_record(const struct job *job, struct facts *f)
{
	char how[256], text[512];

	if (library_is_open_mpi())
		record_open_mpi(job, how, sizeof(how), f);
	else
		record_mpich(job, how, sizeof(how), f);
	snprintf(text, sizeof(text), "%s, %s", library_name(), how);
	fact_text(f, "method", text);
	fact_text(f, "transport", how);
	fact_text(f, "mpi", MPI_NAME);
	fact_text(f, "library", library_name());
	fact_text(f, "library_file", library_file());
	library_abi(text, sizeof(text));
	fact_text(f, "library_abi", text);
}
