/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/mpi/library.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* MPI has this function since version 5. Older libraries lack it. */
extern int MPI_Abi_get_version(int *major, int *minor) __attribute__((weak));

/*
 * Returns the text of MPI_Get_library_version. The buffer has room for the longest text of any
 * known MPI library, because the library may differ from that of mpi.h.
 */
static const char *version_text(void)
{
	static char text[16384];
	int len;

	if (!text[0])
		MPI_Get_library_version(text, &len);
	return text;
}

bool library_is_open_mpi(void)
{
	return !strncmp(version_text(), "Open MPI", strlen("Open MPI"));
}

/*
 * Copies the first n bytes of a text. Replaces each run of blanks by one blank, and drops blanks at
 * both ends.
 */
static void copy_squeezing(const char *from, size_t n, char *to, size_t len)
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

/*
 * Reads the value from the line at *at, and moves *at to the next line. The value follows a label
 * that ends with `word`: for "Device", the label is "MPICH Device:". Returns false if the line has
 * no such label.
 */
static bool read_field(const char **at, const char *word, char *value, size_t len)
{
	size_t end = strcspn(*at, "\n"), colon = strcspn(*at, ":\n");
	const char *line = *at;
	char label[64];
	size_t n, w = strlen(word);

	*at += end + (line[end] == '\n');
	if (colon == end)
		return false;
	copy_squeezing(line, colon, label, sizeof(label));
	n = strlen(label);
	if (n < w || strcasecmp(label + n - w, word) != 0)
		return false;
	copy_squeezing(line + colon + 1, end - colon - 1, value, len);
	return true;
}

bool library_field(const char *word, char *value, size_t len)
{
	for (const char *at = version_text(); *at;)
		if (read_field(&at, word, value, len))
			return true;
	return false;
}

/*
 * Shortens "MPICH Version: 4.0.2" to "MPICH 4.0.2", and "MPI VERSION: CRAY MPICH version 8.1" to
 * "CRAY MPICH version 8.1".
 */
const char *library_name(void)
{
	static char name[200];
	const char *at = version_text();
	char value[128];
	size_t word = strcspn(at, " \n");

	if (name[0])
		return name;
	if (!read_field(&at, "version", value, sizeof(value)))
		copy_squeezing(version_text(), strcspn(version_text(), ",\n"), name, sizeof(name));
	else if (word == strlen("MPI") && !strncmp(version_text(), "MPI", word))
		snprintf(name, sizeof(name), "%s", value);
	else
		snprintf(name, sizeof(name), "%.*s %s", (int)word, version_text(), value);
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
	else if (library_field("ABI", value, sizeof(value)))
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

/* ---- the record ---- */

/* Appends a word to a list unless the list is full. */
static void add_word(char *list, size_t len, const char *word)
{
	size_t at = strlen(list);

	if (at + strlen(word) + 2 < len)
		snprintf(list + at, len - at, "%s%s", at ? " " : "", word);
}

static bool starts_with(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool starts_with_any(const char *text, const char *const *list)
{
	while (*list && !starts_with(text, *list))
		list++;
	return *list;
}

/*
 * Lists the user's environment variables whose names begin with one of `ours` but with none of
 * `others`. Omits the first `cut` bytes of each name.
 */
static void add_variables(char *list, size_t len, const char *const *ours, size_t cut,
			  const char *const *others)
{
	list[0] = '\0';
	for (char **e = environ; *e; e++)
		if (starts_with_any(*e, ours) && !starts_with_any(*e, others))
			add_word(list, len, *e + cut);
}

/*
 * Writes what carries messages in this job to text, after the words `before`. `alone` describes
 * this for a single rank, `near` for messages within a host, and `far` for messages between hosts.
 */
static void describe_paths(const struct job *job, const char *before, const char *alone,
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

/*
 * Lists the components that Open MPI has opened. After MPI_Init, Open MPI's tool interface shows
 * only the variables of opened components.
 */
static void list_components(char *list, size_t len)
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

		/* splits a variable's name such as "btl_tcp_links" */
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

/* Returns the first btl component of `list` that is open, or "?" if none is. */
static const char *first_open_btl(const char *components, const char *const list[])
{
	for (char item[32]; *list; list++) {
		snprintf(item, sizeof(item), "btl/%s", *list);
		if (strstr(components, item))
			return *list;
	}
	return "?";
}

/*
 * Records the open components, and the user's parameters, such as "btl=tcp,self ...". Omits
 * parameters that mpirun sets. Writes a description of the transport to `how`.
 */
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

	/* derives the transport from the open components, such as "pml ob1, btl tcp" */
	list_components(components, sizeof(components));
	if (strstr(components, "pml/ucx"))
		snprintf(how, len, "pml ucx");
	else if (strstr(components, "pml/cm"))
		snprintf(how, len, "pml cm, through an mtl of %s", components);
	else
		describe_paths(job, "pml ob1, btl ", "self", first_open_btl(components, locals),
			       first_open_btl(components, remotes), how, len);
	fact_text(f, "components_open", components);
	add_variables(text, sizeof(text), prefixes, strlen(OMPI), mpirun);
	fact_text(f, "mca_parameters", text);
	fact_text(f, "yield_when_idle", yields ? yields : "mpirun's choice");
}

/* ---- MPICH and libraries derived from it ---- */

/*
 * Lists the libraries and the shared memory that this process has mapped and that can carry
 * messages, such as "libuct_cma ucx_shm_posix". The MPI library may use them.
 */
static void list_mapped(char *list, size_t len)
{
	static const char *const prefixes[] = { "libuct_", "libfabric", "libcxi", "libefa",
						"libpsm", "libopx", "libibverbs", "ucx_shm_",
						"mpich_shar", "Intel_MPI", NULL };
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4400];

	list[0] = '\0';
	while (maps && fgets(line, sizeof(line), maps)) {
		char *name = strrchr(line, '/'), *end;

		if (!name || !starts_with_any(++name, prefixes))
			continue;
		end = strstr(name, ".so");
		/* shared memory has a name of the form kind_number */
		if (!end && !(end = strrchr(name, '_')))
			end = name + strcspn(name, "\n");
		*end = '\0';
		if (!strstr(list, name))
			add_word(list, len, name);
	}
	if (maps)
		fclose(maps);
}

/*
 * Describes the transport of messages. The library does not report which transport it has chosen.
 * So the text names everything that the library's device, such as "ch4:ofi", can use between these
 * ranks.
 */
static void describe_transport(const struct job *job, const char *device, bool ucx_shm, char *text,
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

	while (!starts_with(device, at->device))
		at++;
	snprintf(before, sizeof(before), "%s, ", device);
	snprintf(near, sizeof(near), "shared memory or %s", at->network);
	if (ucx_shm || starts_with(device, "ch3:sock"))
		snprintf(near, sizeof(near), "%s", ucx_shm ? "shared memory of UCX" : at->network);
	describe_paths(job, before, "one rank", near, at->network, text, len);
}

/*
 * Records the device, and the user's variables for the library and the layers below the library.
 * Writes a description of the transport to `how`.
 */
static void record_mpich(const struct job *job, char *how, size_t len, struct facts *f)
{
	static const char *const prefixes[] = { "MPICH_", "MPIR_CVAR_", "I_MPI_", "MV2_", "MVP_",
						"UCX_", "FI_", NULL };
	static const char *const launchers[] = { "MPIR_CVAR_CH3_INTERFACE_HOSTNAME", "MV2_COMM_",
						 "I_MPI_ROOT", "I_MPI_HYDRA_UUID", NULL };
	char device[64], text[512];

	if (!library_field("Device", device, sizeof(device)))
		snprintf(device, sizeof(device), "device not reported");
	list_mapped(text, sizeof(text));
	describe_transport(job, device, strstr(text, "ucx_shm"), how, len);
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
