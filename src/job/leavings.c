/* SPDX-License-Identifier: Apache-2.0 */
#include "job/leavings.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WHERE "/dev/shm"

void leavings_add(struct leavings *l, const char *name)
{
	int n = l ? atomic_load(&l->n) : LEAVINGS_MAX;
	char path[sizeof(WHERE) + LEAVINGS_NAME];
	struct stat st;

	if (n == LEAVINGS_MAX || !*name || strlen(name) >= LEAVINGS_NAME || strchr(name, '/'))
		return;
	snprintf(path, sizeof(path), WHERE "/%s", name);
	if (lstat(path, &st) || !S_ISREG(st.st_mode))
		return;
	l->of[n].device = st.st_dev;
	l->of[n].file = st.st_ino;
	strcpy(l->of[n].name, name);
	atomic_store(&l->n, n + 1);
}

/* Removes a registered file NAME, and the files NAME_NUMBER. */
static void remove_files(DIR *d, const struct leaving *l)
{
	size_t len = strlen(l->name);
	struct dirent *entry;
	struct stat st;

	/* while the registered file itself exists, files of these names belong to the same rank */
	if (fstatat(dirfd(d), l->name, &st, AT_SYMLINK_NOFOLLOW) || st.st_dev != l->device ||
	    st.st_ino != l->file)
		return;
	rewinddir(d);
	while ((entry = readdir(d))) {
		const char *rest = entry->d_name + len;
		int end = 0;

		if (strncmp(entry->d_name, l->name, len) != 0)
			continue;
		sscanf(rest, "_%*[0-9]%n", &end);
		if (!rest[end])
			unlinkat(dirfd(d), entry->d_name, 0);
	}
}

void leavings_remove(const struct leavings *l)
{
	int n = atomic_load(&l->n);
	DIR *d = n ? opendir(WHERE) : NULL;

	for (int i = 0; d && i < n; i++)
		remove_files(d, &l->of[i]);
	if (d)
		closedir(d);
}
