/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/load/hosts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "host/pin.h"
#include "measure/session.h"

#define LINE 512

/* Returns the number of the first of n names that equals name[at]; `at` if none does. */
static int first_equal(const char (*name)[HOSTS_NAME], int at)
{
	int same = 0;

	while (same < at && strcmp(name[same], name[at]) != 0)
		same++;
	return same;
}

/*
 * Parses a line, and gives the ranks of its host their switch. The switch of line i has the name
 * switches[i]. Returns ST_OK or ST_USAGE (reported).
 */
static int take_line(const char *path, int number, char *line, char (*switches)[HOSTS_NAME],
		     const char (*name)[HOSTS_NAME], int n, int *leaf)
{
	char host[HOSTS_NAME], more[2];
	int words = sscanf(line, "%63s %63s %1s", host, switches[number], more);

	if (words <= 0 || *host == '#')
		return ST_OK;
	if (words != 2)
		return error_usage("file '%s', line %d: not a host and its switch", path,
				   number + 1);
	for (int r = 0; r < n; r++) {
		if (strcmp(name[r], host) != 0)
			continue;
		if (leaf[r] >= 0)
			return error_usage("file '%s', line %d: host '%s' has a switch already",
					   path, number + 1, host);
		leaf[r] = first_equal((const char (*)[HOSTS_NAME])switches, number);
	}
	return ST_OK;
}

int hosts_read_switches(const char *path, const char (*name)[HOSTS_NAME], int n, int *leaf)
{
	char line[LINE], (*switches)[HOSTS_NAME] = NULL;
	const char *why;
	FILE *f = file_open(path, &why);
	int err = ST_OK;

	if (!f)
		return error_usage("cannot read file '%s': %s", path, why);
	for (int r = 0; r < n; r++)
		leaf[r] = -1;
	for (int i = 0; !err && fgets(line, sizeof(line), f); i++) {
		char (*more)[HOSTS_NAME] = realloc(switches, ((size_t)i + 1) * sizeof(*more));

		if (!more)
			err = error_report("no memory for a list of switches");
		switches = more ? more : switches;
		if (more)
			*more[i] = '\0';
		if (!err)
			err = take_line(path, i, line, switches, name, n, leaf);
	}
	free(switches);
	fclose(f);
	for (int r = 0; r < n && !err; r++)
		if (leaf[r] < 0)
			err = error_usage("file '%s' has no switch for host '%s'", path, name[r]);
	return err;
}

void hosts_find(struct hosts *h, struct session *s, const char *path)
{
	size_t n = (size_t)s->job->size;
	char (*name)[HOSTS_NAME] = calloc(n, sizeof(*name));
	const struct place *all;
	struct place mine;
	int err = ST_OK;

	*h = (struct hosts){ calloc(n, sizeof(int)), calloc(n, sizeof(int)) };
	if (!name || !h->host || !h->leaf)
		session_abort(s, error_report("no memory for the hosts of %zu ranks", n));
	place_find(&mine);
	all = session_gather(s, &mine, sizeof(mine));
	for (int r = 0; r < s->job->size && session_is_root(s); r++) {
		if (s->ep->caps & CAP_VIRTUAL)
			snprintf(name[r], sizeof(*name), "%d", r);
		else
			snprintf(name[r], sizeof(*name), "%s", all[r].host);
		h->host[r] = first_equal((const char (*)[HOSTS_NAME])name, r);
		h->leaf[r] = -1;
	}
	if (path && session_is_root(s))
		err = hosts_read_switches(path, (const char (*)[HOSTS_NAME])name, s->job->size,
					  h->leaf);
	free(name);
	if (err)
		session_abort(s, err);
	session_bcast(s, h->host, n * sizeof(int));
	session_bcast(s, h->leaf, n * sizeof(int));
}

void hosts_free(struct hosts *h)
{
	free(h->host);
	free(h->leaf);
}
