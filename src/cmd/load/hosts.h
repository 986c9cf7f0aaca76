/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the host and the switch of each rank of a run of `load`. */
#ifndef NETBENCH_CMD_LOAD_HOSTS_H
#define NETBENCH_CMD_LOAD_HOSTS_H

struct session;

/* The hosts and switches of all ranks, the same on all ranks. */
struct hosts {
	int *host;	/* number of each rank's host */
	int *leaf;	/* number of each rank's switch; -1: not known */
};

/*
 * Finds the hosts, and if `path` is not NULL the switches, which rank 0 reads from that file. In
 * virtual time each rank is a host, with its number as name. Call hosts_free. Collective; aborts
 * the job without memory, or if the file cannot be read or lacks a host (reported).
 */
void hosts_find(struct hosts *h, struct session *s, const char *path);
void hosts_free(struct hosts *h);

/* Length of a name in a file of switches, with its final zero. */
#define HOSTS_NAME 64

/*
 * Reads a file of switches, of which each line names a host and its switch. Empty lines and lines
 * that begin with '#' are skipped. Sets leaf[r] to the number of the switch of host name[r].
 * Returns ST_OK, ST_USAGE or ST_FAILED (reported).
 */
int hosts_read_switches(const char *path, const char (*name)[HOSTS_NAME], int n, int *leaf);

#endif
