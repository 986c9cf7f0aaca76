/* SPDX-License-Identifier: Apache-2.0 */
#include "transport/trust.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OWN, MISSING, IRREGULAR, FOREIGN, WORLD, STICKY, GROUP };

static const struct trust verdicts[] = {
	[OWN] = { TRUSTED, "", "" },
	[MISSING] = { REFUSED, "it cannot be found", "remove the link" },
	[IRREGULAR] = { REFUSED, "it is not a regular file", "remove it" },
	[FOREIGN] = { REFUSED, "another user owns it", "install it as root, or by yourself" },
	[WORLD] = { REFUSED, "everyone may write it", "forbid that (chmod o-w)" },
	[STICKY] = { DOUBTFUL, "everyone may add files to it, which netbench does not load",
		     "use a directory of your own" },
	[GROUP] = { DOUBTFUL, "its group may write it, and so decide what netbench executes",
		    "forbid that (chmod g-w) if the group has other members" },
};

const struct trust *trust_of_path(const char *path)
{
	struct stat st, program;
	bool sticky;

	if (stat(path, &st))
		return &verdicts[MISSING];
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return &verdicts[IRREGULAR];
	/* trust the program's owner, because the owner could change the program itself */
	if (st.st_uid != 0 && st.st_uid != geteuid() &&
	    (stat("/proc/self/exe", &program) || program.st_uid != st.st_uid))
		return &verdicts[FOREIGN];
	/* in a sticky directory nobody can replace a file of another user */
	sticky = S_ISDIR(st.st_mode) && st.st_mode & S_ISVTX;
	if (st.st_mode & S_IWOTH)
		return &verdicts[sticky ? STICKY : WORLD];
	/* a group with the owner's number is taken to be the owner's private group */
	return &verdicts[st.st_mode & S_IWGRP && st.st_gid != st.st_uid ? GROUP : OWN];
}

/* Checks the directory that contains a path. */
static const struct trust *trust_in_directory(const char *path)
{
	char copy[PATH_MAX];

	snprintf(copy, sizeof(copy), "%s", path);
	return trust_of_path(dirname(copy));
}

bool trust_module(const char *path, char *why, size_t len)
{
	const struct trust *t = trust_of_path(path);
	const char *whose = "";
	char real[PATH_MAX];
	struct stat st;

	if (t->level != REFUSED && (!realpath(path, real) || stat(real, &st)))
		t = &verdicts[MISSING];
	else if (t->level != REFUSED && !S_ISREG(st.st_mode))
		t = &verdicts[IRREGULAR];
	if (t->level != REFUSED) {
		whose = " because of its directory";
		t = trust_in_directory(path);
		t = t->level == REFUSED ? t : trust_in_directory(real);
	}
	if (t->level != REFUSED)
		return true;
	snprintf(why, len, "'%s' is not loaded%s: %s; %s", path, whose, t->why, t->remedy);
	return false;
}
