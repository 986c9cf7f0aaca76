/* SPDX-License-Identifier: Apache-2.0 */
#include "job/leavings.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WHERE "/dev/shm"

void leavings_note(struct leavings *l, const char *name)
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

/* Whether a file is the one noted, or one that its rank has made beside it. */
static bool is_left(const struct leaving *l, const char *file)
{
	size_t len = strlen(l->name);

	if (strncmp(file, l->name, len) != 0)
		return false;
	file += len;
	return !*file || (*file == '_' && file[1] && !file[1 + strspn(file + 1, "0123456789")]);
}

/* While the file that was noted is there, nobody else can have made those beside it. */
static void remove_all(DIR *d, const struct leaving *l)
{
	struct dirent *entry;
	struct stat st;

	if (fstatat(dirfd(d), l->name, &st, AT_SYMLINK_NOFOLLOW) || st.st_dev != l->device ||
	    st.st_ino != l->file)
		return;
	rewinddir(d);
	while ((entry = readdir(d)))
		if (is_left(l, entry->d_name))
			unlinkat(dirfd(d), entry->d_name, 0);
}

void leavings_remove(const struct leavings *l)
{
	int n = atomic_load(&l->n);
	DIR *d = n ? opendir(WHERE) : NULL;

	for (int i = 0; d && i < n; i++)
		remove_all(d, &l->of[i]);
	if (d)
		closedir(d);
}
