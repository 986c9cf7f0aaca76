/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/mpi/library.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
