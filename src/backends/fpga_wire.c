/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cables between cards: as they are said to be, which tells the pair that faces each neighbour; as emulated ones are, whose
 * channels are joined here by rings in shared memory or, between machines, by sockets.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "backends/fpga.h"
#include "clock.h"
#include "emulate.h"
#include "error.h"
#include "job/net.h"

#define ADDRESSES 4
#define JOIN_S 20.0

/* ---- what is said ---- */

static int add_cable(struct cables *c, int a, uint32_t p, int b, uint32_t q)
{
	if (c->n == FPGA_CABLES)
		return error_usage("more than %d cables", FPGA_CABLES);
	c->list[c->n++] = (struct cable){ { a, b }, { p, q } };
	return ST_OK;
}

/* Whether an end is that of another cable already. */
static bool is_taken(const struct cables *c, int rank, unsigned pair)
{
	for (int i = 0; i < c->n; i++)
		for (int e = 0; e < 2; e++)
			if (c->list[i].rank[e] == rank && c->list[i].pair[e] == pair)
				return true;
	return false;
}

static int read_file(const char *option, const char *path, int nranks, struct cables *c)
{
	FILE *f = fopen(path, "re");
	char line[256];
	int err = ST_OK, number = 0;

	if (!f)
		return error_usage("file '%s' of '--%s' cannot be read: %s", path, option, strerror(errno));
	while (!err && fgets(line, sizeof(line), f)) {
		int a, b, end = 0;
		unsigned p, q;

		number++;
		line[strcspn(line, "#\n")] = '\0';
		if (line[strspn(line, " \t")] == '\0')
			continue;
		if (sscanf(line, "%d %u %d %u %n", &a, &p, &b, &q, &end) != 4 || line[end] || a < 0 || b < 0 || a >= nranks ||
		    b >= nranks || p >= KERNELS_MAX_PAIRS || q >= KERNELS_MAX_PAIRS)
			err = error_usage("file '%s', line %d: '%s' is no cable 'rank pair rank pair' of %d ranks", path, number, line,
					  nranks);
		else if (is_taken(c, a, p) || is_taken(c, b, q))
			err = error_usage("file '%s', line %d: '%s' ends where another cable does", path, number, line);
		else
			err = add_cable(c, a, p, b, q);
	}
	fclose(f);
	return err;
}

int fpga_read_cables(const char *option, const char *text, int nranks, struct cables *c)
{
	bool ring = !strcmp(text, "ring"), loopback = !strcmp(text, "loopback");
	int err = ST_OK;

	c->n = 0;
	if (!ring && !loopback)
		return read_file(option, text, nranks, c);
	for (int r = 0; r < nranks && !err; r++)
		err = add_cable(c, r, 1, loopback ? r : (r + 1) % nranks, 0);
	return err;
}

/* ---- who faces whom ---- */

/* The pairs that face the right neighbour on each rank, and the left one: the first cable that is free, rank by rank. */
static void face(struct fpga *f, const struct cables *c)
{
	int size = f->ep.job->size, me = f->ep.job->rank;
	bool used[FPGA_CABLES] = { false };

	f->left = f->right = -1;
	for (int r = 0; r < size; r++) {
		int next = (r + 1) % size;

		for (int i = 0; i < c->n; i++) {
			const struct cable *k = &c->list[i];
			int e = k->rank[0] == r && k->rank[1] == next ? 0 : k->rank[1] == r && k->rank[0] == next ? 1 : -1;

			if (used[i] || e < 0)
				continue;
			used[i] = true;
			if (r == me)
				f->right = (int)k->pair[e];
			if (next == me)
				f->left = (int)k->pair[1 - e];
			break;
		}
	}
}

static int check_pairs(const struct fpga *f)
{
	int most = f->left > f->right ? f->left : f->right;

	if (most < (int)f->pairs)
		return ST_OK;
	return error_usage("'--wiring' names pair %d, image '%s' has pairs 0 to %u", most, f->image, f->pairs - 1);
}

/* ---- joining emulated cards ---- */

/* What each rank tells of itself. */
struct card {
	char network[NETWORK_ID], host[64];
	unsigned char key[16];		/* rank 0's is the run's */
	int n;
	struct local_addr at[ADDRESSES];
};

/* What a connection between machines begins with. */
struct hello {
	unsigned char key[16];
	uint32_t cable, lane;
};

struct joining {
	struct fpga *f;
	const struct cables *cables;
	struct card *cards;
	int door;
};

static int emulator_failed(const struct fpga *f, uint32_t pair, int err)
{
	return error("rank %d: emulated channels of pair %u cannot be joined: %s", f->ep.job->rank, pair, strerror(-err));
}

static bool is_here(const struct joining *j, int rank)
{
	return !strcmp(j->cards[rank].network, j->cards[j->f->ep.job->rank].network);
}

/* The file of one direction of a lane; the first end of the cable makes it. */
static void name_ring(const struct joining *j, int cable, uint32_t lane, int direction, char path[96])
{
	const unsigned char *k = j->cards[0].key;

	snprintf(path, 96, "/dev/shm/netbench-fpga-%02x%02x%02x%02x%02x%02x%02x%02x-%d-%u-%d", k[0], k[1], k[2], k[3], k[4], k[5],
		 k[6], k[7], cable, lane, direction);
}

static int join_ring(const struct joining *j, int cable, uint32_t lane, int end)
{
	const struct cable *k = &j->cables->list[cable];
	struct fpga *f = j->f;
	unsigned channel = k->pair[end] * f->lanes + lane;
	int err = ST_OK;

	for (int direction = 0; direction < 2 && !err; direction++) {	/* direction 0: away from the first end */
		char path[96];
		int fd, failed;

		name_ring(j, cable, lane, direction, path);
		fd = open(path, O_RDWR | O_CLOEXEC | (end ? 0 : O_CREAT | O_EXCL), 0600);
		if (fd < 0)
			return error("rank %d: shared memory '%s' cannot be opened: %s", f->ep.job->rank, path, strerror(errno));
		failed = f->emulator->ring(f->index, channel, direction == end ? EMULATOR_TRANSMITS : EMULATOR_RECEIVES, fd);
		close(fd);
		err = failed ? emulator_failed(f, k->pair[end], failed) : ST_OK;
	}
	return err;
}

/* Files have served once both ends have them. */
static void forget_rings(const struct joining *j)
{
	char path[96];

	for (int i = 0; i < j->cables->n; i++)
		for (uint32_t n = 0; n < 2 * j->f->lanes && j->cables->list[i].rank[0] == j->f->ep.job->rank; n++) {
			name_ring(j, i, n / 2, (int)(n % 2), path);
			unlink(path);
		}
}

/* A cable whose two ends are on this card. */
static int join_own(struct fpga *f, const struct cable *k, uint32_t lane)
{
	unsigned a = k->pair[0] * f->lanes + lane, b = k->pair[1] * f->lanes + lane;
	int err = f->emulator->loop(f->index, a, b);

	if (!err && a != b)
		err = f->emulator->loop(f->index, b, a);
	return err ? emulator_failed(f, k->pair[0], err) : ST_OK;
}

/* ---- between machines ---- */

static int reach(const struct joining *j, int cable, uint32_t lane, int rank)
{
	const struct card *theirs = &j->cards[rank], *mine = &j->cards[j->f->ep.job->rank];
	struct hello h = { .cable = (uint32_t)cable, .lane = lane };
	struct addr list[ADDRESSES];
	int n = net_near_first(theirs->at, theirs->n, mine->at, mine->n, list), fd = -EHOSTUNREACH;
	double until = clock_wall() + JOIN_S;

	memcpy(h.key, j->cards[0].key, sizeof(h.key));
	for (int i = 0; i < n && fd < 0; i++)
		fd = net_connect(&list[i], until, NULL);
	if (fd < 0 || net_write(fd, &h, sizeof(h), until))
		return error("rank %d on host '%s' cannot reach the card of rank %d on host '%s' by TCP", j->f->ep.job->rank,
			     mine->host, rank, theirs->host);
	return fd;
}

static int join_socket(const struct joining *j, const struct cable *k, int end, uint32_t lane, int fd)
{
	int err = j->f->emulator->socket(j->f->index, k->pair[end] * j->f->lanes + lane, fd);

	close(fd);
	return err ? emulator_failed(j->f, k->pair[end], err) : ST_OK;
}

/* Takes the connections of the cables whose first end is here and whose other is elsewhere. */
static int accept_all(const struct joining *j, int expected)
{
	double until = clock_wall() + JOIN_S;
	int err = ST_OK;

	while (expected > 0 && !err) {
		struct hello h;
		int fd;

		if (!net_wait(j->door, POLLIN, until))
			return error("rank %d: %d cables from other hosts are missing", j->f->ep.job->rank, expected);
		fd = accept4(j->door, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd < 0)
			continue;
		if (net_read(fd, &h, sizeof(h), clock_wall() + 1) || memcmp(h.key, j->cards[0].key, sizeof(h.key)) ||
		    h.cable >= (uint32_t)j->cables->n || h.lane >= j->f->lanes) {
			close(fd);
			continue;
		}
		err = join_socket(j, &j->cables->list[h.cable], 0, h.lane, fd);
		expected--;
	}
	return err;
}

static int join_far(const struct joining *j)
{
	int me = j->f->ep.job->rank, expected = 0, err = ST_OK;

	for (int i = 0; i < j->cables->n && !err; i++) {
		const struct cable *k = &j->cables->list[i];

		for (uint32_t lane = 0; lane < j->f->lanes && !err; lane++) {
			int fd;

			expected += k->rank[0] == me && !is_here(j, k->rank[1]);
			if (k->rank[1] != me || is_here(j, k->rank[0]))
				continue;
			fd = reach(j, i, lane, k->rank[0]);
			err = fd < 0 || fd == ST_FAILED ? ST_FAILED : join_socket(j, k, 1, lane, fd);
		}
	}
	return err ? err : accept_all(j, expected);
}

/* Of the ends on this machine; the second ones when the first have made the files. */
static int join_near(const struct joining *j, int end)
{
	int me = j->f->ep.job->rank, err = ST_OK;

	for (int i = 0; i < j->cables->n; i++) {
		const struct cable *k = &j->cables->list[i];

		for (uint32_t lane = 0; lane < j->f->lanes && !err && k->rank[end] == me; lane++) {
			if (k->rank[0] == k->rank[1])
				err = end ? ST_OK : join_own(j->f, k, lane);
			else if (is_here(j, k->rank[1 - end]))
				err = join_ring(j, i, lane, end);
		}
	}
	return err;
}

int fpga_together(struct fpga *f, int err)
{
	const int *all = f->ep.job->kind->allgather(f->ep.job, &err, sizeof(err));

	for (int r = 0; r < f->ep.job->size && !err; r++)
		err = all[r];
	return err;
}

/* Where cards are on several hosts, each rank can be reached; else nothing listens. */
static int listen_for_others(struct joining *j, struct card *mine)
{
	struct addr any[ADDR_ANY], bound;

	j->door = net_listen(any, addr_any(0, any), j->f->ep.job->size, &bound);
	if (j->door < 0)
		return error("rank %d cannot listen for other hosts: %s", j->f->ep.job->rank, strerror(errno));
	mine->n = net_local(NULL, AF_UNSPEC, mine->at, ADDRESSES);
	for (int i = 0; i < mine->n; i++)
		addr_set_port(&mine->at[i].addr, addr_port(&bound));
	return ST_OK;
}

static int introduce(struct joining *j)
{
	struct job *job = j->f->ep.job;
	struct card mine = { .n = 0 };
	bool near = true;
	int err = ST_OK;

	snprintf(mine.network, sizeof(mine.network), "%s", network_id());
	gethostname(mine.host, sizeof(mine.host) - 1);
	if (getrandom(mine.key, sizeof(mine.key), 0) != sizeof(mine.key))
		return error("rank %d has no random numbers", job->rank);
	memcpy(j->cards, job->kind->allgather(job, &mine, sizeof(mine)), (size_t)job->size * sizeof(mine));
	for (int r = 1; r < job->size; r++)
		near = near && !strcmp(j->cards[r].network, j->cards[0].network);
	if (near)
		return ST_OK;
	err = fpga_together(j->f, listen_for_others(j, &mine));
	if (!err)
		memcpy(j->cards, job->kind->allgather(job, &mine, sizeof(mine)), (size_t)job->size * sizeof(mine));
	return err;
}

static int join(struct fpga *f, const struct cables *c)
{
	struct joining j = { f, c, calloc((size_t)f->ep.job->size, sizeof(struct card)), -1 };
	int err = j.cards ? introduce(&j) : error("no memory for a list of cards");
	bool met = !err;

	err = err ? err : fpga_together(f, join_near(&j, 0));
	err = err ? err : fpga_together(f, join_near(&j, 1));
	if (met)
		forget_rings(&j);
	err = err ? err : fpga_together(f, join_far(&j));
	if (j.door >= 0)
		close(j.door);
	free(j.cards);
	return err;
}

int fpga_wire(struct fpga *f)
{
	static struct cables said, real;
	int err = fpga_read_cables("wiring", fpga_opts.wiring, f->ep.job->size, &said);

	f->wired = !strcmp(fpga_opts.wiring, "ring") ? "a ring" : !strcmp(fpga_opts.wiring, "loopback") ? "loop-back" : "as in a file";
	if (err)
		return err;
	face(f, &said);
	err = check_pairs(f);
	if (err || !f->emulator)
		return err;
	if (!fpga_opts.cables)
		return join(f, &said);
	err = fpga_read_cables("emulate-cables", fpga_opts.cables, f->ep.job->size, &real);
	return err ? err : join(f, &real);
}
