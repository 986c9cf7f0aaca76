/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles the cables between cards. The cables of '--wiring' tell which pair of kernels is wired to
 * each neighbour. Rings in shared memory join the channels of emulated cards on one machine.
 * Sockets join the channels of emulated cards on two machines.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>

#include "backends/fpga/wire.h"
#include "base/file.h"
#include "net/socket.h"

#define ADDRESSES 4
#define LINE_MOST 4096
#define JOIN_S 20.0

/* ---- cables of the options ---- */

static void add_cable(struct cables *c, int a, uint32_t p, int b, uint32_t q)
{
	c->list[c->n++] = (struct cable){ { a, b }, { p, q }, 0 };
}

/* Returns whether a cable has an end at this pair of this rank. */
static bool has_cable(const struct cables *c, int rank, unsigned pair)
{
	for (int i = 0; i < c->n; i++)
		for (int e = 0; e < 2; e++)
			if (c->list[i].rank[e] == rank && c->list[i].pair[e] == pair)
				return true;
	return false;
}

/*
 * Parses a whole number below `end`, and moves *at past the number. Returns false if there is no
 * such number.
 */
static bool parse_number(const char **at, unsigned end, unsigned *value)
{
	uint64_t n;

	*at += strspn(*at, " \t");
	if (scan_whole(at, false, &n) != V_OK || n >= end)
		return false;
	*value = (unsigned)n;
	return strchr(" \t", **at);
}

/*
 * Parses "rank pair rank pair" from a line without its comment. If the cables are emulated, a list
 * of dead lanes may follow. Returns ST_OK or ST_USAGE.
 */
static int read_cable(const char *path, int number, const char *line, unsigned nranks,
		      bool emulated, struct cables *c)
{
	const char *at = line;
	unsigned a, p, b, q, lane;
	uint32_t dead = 0;
	bool good = parse_number(&at, nranks, &a) && parse_number(&at, KERNELS_MAX_PAIRS, &p) &&
		    parse_number(&at, nranks, &b) && parse_number(&at, KERNELS_MAX_PAIRS, &q);

	while (good && emulated && at[strspn(at, " \t")]) {
		good = parse_number(&at, KERNELS_MAX_LANES, &lane);
		dead |= good ? 1u << lane : 0;
	}
	if (!good || at[strspn(at, " \t")])
		return error_usage("file '%s', line %d: '%s' is not a cable: expected 'rank pair "
				   "rank pair' of %u ranks", path, number, line, nranks);
	if (has_cable(c, (int)a, p) || has_cable(c, (int)b, q))
		return error_usage("file '%s', line %d: '%s' uses a pair that has a cable already",
				   path, number, line);
	if (a == b && p == q)
		return error_usage("file '%s', line %d: '%s' joins a pair to itself; for plugs "
				   "use '--wiring plug'", path, number, line);
	if (c->n == FPGA_CABLES)
		return error_usage("file '%s', line %d: more than %d cables", path, number,
				   FPGA_CABLES);
	add_cable(c, (int)a, p, (int)b, q);
	c->list[c->n - 1].dead = dead;
	return ST_OK;
}

static int read_file(const char *option, const char *path, int nranks, struct cables *c)
{
	const char *why;
	FILE *f = file_open(path, &why);
	char line[LINE_MOST];
	int err = ST_OK, number = 0;

	while (f && !err && fgets(line, sizeof(line), f)) {
		size_t len = strlen(line);

		if (len == sizeof(line) - 1)
			err = error_usage("file '%s', line %d is longer than %zu characters", path,
					  number + 1, sizeof(line) - 2);
		else if (!len || (line[len - 1] != '\n' && !feof(f)))
			err = error_usage("file '%s', line %d is no text", path, number + 1);
		number++;
		line[strcspn(line, "#\r\n")] = '\0';
		if (!err && line[strspn(line, " \t")])
			err = read_cable(path, number, line, (unsigned)nranks,
					 !strcmp(option, "emulate-cables"), c);
	}
	if (!f || (!err && ferror(f)))
		err = error_usage("file '%s' of '--%s' cannot be read: %s", path, option,
				  f ? strerror(errno) : why);
	if (f)
		fclose(f);
	return err;
}

static int read_cables(const char *option, const char *text, int nranks, struct cables *c)
{
	bool loopback = !strcmp(text, "loopback"), plug = !strcmp(text, "plug");

	c->n = 0;
	if (!loopback && !plug && strcmp(text, "ring"))
		return read_file(option, text, nranks, c);
	if (plug && nranks > 1)
		return error_usage("'--%s plug' suits one rank, not %d: with plugs each card gets "
				   "back what it sends and none reaches another", option, nranks);
	for (int r = 0; r < nranks && !plug; r++)
		add_cable(c, r, 1, loopback ? r : (r + 1) % nranks, 0);
	for (uint32_t p = 0; p < 2 && plug; p++)
		add_cable(c, 0, p, 0, p);
	return ST_OK;
}

int fpga_read_cables(struct fpga_opts *o, int nranks)
{
	int err = read_cables("wiring", o->wiring, nranks, &o->said);

	if (!err && o->cables)
		err = read_cables("emulate-cables", o->cables, nranks, &o->really);
	return err;
}

/* ---- neighbours ---- */

/*
 * Returns the first unused cable that joins ranks a and b, or -1. *end is the end of that cable at
 * rank a: 0 or 1.
 */
static int find_free_cable(const struct cables *c, const bool *used, int a, int b, int *end)
{
	for (int i = 0; i < c->n; i++)
		for (*end = 0; *end < 2 && !used[i]; ++*end)
			if (c->list[i].rank[*end] == a && c->list[i].rank[1 - *end] == b)
				return i;
	return -1;
}

/*
 * Finds the pairs wired to the neighbours. In the order of ranks, each rank takes an unused cable
 * to its right neighbour. With plugs, the only rank is its own neighbour: on the left over pair 0,
 * on the right over pair 1.
 */
static void find_neighbours(struct fpga *f, const struct cables *c)
{
	int size = f->ep.job->size, me = f->ep.job->rank;
	bool used[FPGA_CABLES] = { false };

	f->left = f->plugged ? 0 : -1;
	f->right = f->plugged ? 1 : -1;
	for (int r = 0; r < size && !f->plugged; r++) {
		int next = (r + 1) % size, end, i = find_free_cable(c, used, r, next, &end);

		if (i < 0)
			continue;
		used[i] = true;
		if (r == me)
			f->right = (int)c->list[i].pair[end];
		if (next == me)
			f->left = (int)c->list[i].pair[1 - end];
	}
}

/* ---- joining emulated cards ---- */

/* The description of a card that its rank sends to all other ranks. */
struct fpga_card {
	char network[NETWORK_ID], processes[32], host[64];
	unsigned char key[16];		/* random; all ranks use the key of rank 0 */
	pid_t pid;
	/*
	 * [pair][lane][direction]: files of the rings, or -1. `pair` is the pair at the cable's
	 * first end. The files stay open until all ranks have opened them.
	 */
	int rings[KERNELS_MAX_PAIRS][KERNELS_MAX_LANES][2];
	int n;
	struct local_addr at[ADDRESSES];
};

/* The first message on a connection between machines. */
struct cable_hello {
	unsigned char key[16];
	uint32_t cable, lane;
};

/* State of this rank while cards are being joined. */
struct joining {
	struct fpga *f;
	const struct cables *cables;
	struct fpga_card *cards, mine;
	int door;
	/* number of lanes for which other machines will connect to this rank */
	int expected;
};

static int report_join_failure(const struct fpga *f, uint32_t pair, int err)
{
	return error_report("rank %d: emulated channels of pair %u cannot be joined: %s",
			    f->ep.job->rank, pair, strerror(-err));
}

/*
 * Returns whether this rank can open the files of `rank`: both must see the same machine and the
 * same process numbers.
 */
static bool is_local(const struct joining *j, int rank)
{
	const struct fpga_card *a = &j->cards[rank], *b = &j->cards[j->f->ep.job->rank];

	return !strcmp(a->network, b->network) && !strcmp(a->processes, b->processes);
}

static int join_ring(const struct joining *j, const struct cable *k, uint32_t lane, int end)
{
	struct fpga *f = j->f;
	const struct fpga_card *maker = &j->cards[k->rank[0]];
	unsigned channel = CHANNEL_OF(f->pairs, k->pair[end], lane);

	/* direction 0 goes from the cable's first end to its second end */
	for (int direction = 0; direction < 2; direction++) {
		char path[64];
		int fd, failed;

		snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)maker->pid,
			 maker->rings[k->pair[0]][lane][direction]);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			return error_report("rank %d: memory of rank %d, '%s', cannot be opened: "
					    "%s", f->ep.job->rank, k->rank[0], path,
					    strerror(errno));
		failed = f->emulator->ring(f->index, channel, direction == end ? EMULATOR_TRANSMITS
							      : EMULATOR_RECEIVES, fd);
		close(fd);
		if (failed)
			return report_join_failure(f, k->pair[end], failed);
	}
	return ST_OK;
}

/* ---- between machines ---- */

static int connect_to_card(const struct joining *j, int cable, uint32_t lane, int rank)
{
	const struct fpga_card *theirs = &j->cards[rank], *mine = &j->cards[j->f->ep.job->rank];
	struct cable_hello h = { .cable = (uint32_t)cable, .lane = lane };
	struct addr list[ADDRESSES];
	int n = net_near_first(theirs->at, theirs->n, mine->at, mine->n, list), fd = -EHOSTUNREACH;
	double until = clock_wall() + JOIN_S;

	memcpy(h.key, j->cards[0].key, sizeof(h.key));
	for (int i = 0; i < n && fd < 0; i++)
		fd = net_connect(&list[i], until, NULL, NULL);
	if (fd >= 0 && net_write(fd, &h, sizeof(h), until)) {
		close(fd);
		fd = -1;
	}
	if (fd < 0)
		error_report("rank %d on host '%s' cannot reach the card of rank %d on host '%s' "
			     "by TCP", j->f->ep.job->rank, mine->host, rank, theirs->host);
	return fd;
}

/* Makes a connection carry one lane at one end of a cable. Returns ST_OK or ST_FAILED. */
static int join_socket(const struct joining *j, const struct cable *k, int end, uint32_t lane,
		       int fd)
{
	unsigned channel = CHANNEL_OF(j->f->pairs, k->pair[end], lane);
	int err = j->f->emulator->socket(j->f->index, channel, fd);

	close(fd);
	return err ? report_join_failure(j->f, k->pair[end], err) : ST_OK;
}

/*
 * Accepts the connections that ranks on other machines make for cables of this rank. Returns ST_OK
 * or ST_FAILED.
 */
static int accept_connections(const struct joining *j)
{
	double until = clock_wall() + JOIN_S;
	int err = ST_OK;

	for (int expected = j->expected; expected > 0 && !err;) {
		struct cable_hello h;
		int fd;

		if (!net_wait(j->door, POLLIN, until))
			return error_report("rank %d: %d cables from other hosts are missing",
					    j->f->ep.job->rank, expected);
		fd = accept4(j->door, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd < 0)
			continue;
		if (net_read(fd, &h, sizeof(h), clock_wall() + 1) ||
		    memcmp(h.key, j->cards[0].key, sizeof(h.key)) ||
		    h.cable >= (uint32_t)j->cables->n || h.lane >= j->f->lanes) {
			close(fd);
			continue;
		}
		err = join_socket(j, &j->cables->list[h.cable], 0, h.lane, fd);
		expected--;
	}
	return err;
}

/*
 * Joins a lane of a cable whose other end is on another machine. One end makes the connection. The
 * other end only increases `expected`, and accept_connections accepts the connection later. Returns
 * ST_OK or ST_FAILED.
 */
static int join_remote(struct joining *j, int cable, uint32_t lane)
{
	const struct cable *k = &j->cables->list[cable];
	int me = j->f->ep.job->rank, fd;

	j->expected += k->rank[0] == me && !is_local(j, k->rank[1]);
	if (k->rank[1] != me || is_local(j, k->rank[0]))
		return ST_OK;
	fd = connect_to_card(j, cable, lane, k->rank[0]);
	return fd < 0 ? ST_FAILED : join_socket(j, k, 1, lane, fd);
}

/* Joins a lane of a cable that has both ends on this machine. */
static int join_local(struct joining *j, int cable, uint32_t lane)
{
	const struct cable *k = &j->cables->list[cable];
	int me = j->f->ep.job->rank, err = ST_OK;

	if (k->rank[0] == me && k->rank[1] == me) {
		unsigned a = CHANNEL_OF(j->f->pairs, k->pair[0], lane);
		unsigned b = CHANNEL_OF(j->f->pairs, k->pair[1], lane);

		err = j->f->emulator->loop(j->f->index, a, b);
		if (!err && a != b)
			err = j->f->emulator->loop(j->f->index, b, a);
		return err ? report_join_failure(j->f, k->pair[0], err) : ST_OK;
	}
	for (int end = 0; end < 2 && !err; end++)
		if (k->rank[end] == me && is_local(j, k->rank[1 - end]))
			err = join_ring(j, k, lane, end);
	return err;
}

/* Joins all lanes that are not dead. Stops at the first failure. */
static int join_lanes(struct joining *j, int (*join)(struct joining *, int cable, uint32_t lane))
{
	int err = ST_OK;

	for (int i = 0; i < j->cables->n; i++)
		for (uint32_t lane = 0; lane < j->f->lanes && !err; lane++)
			if (!(j->cables->list[i].dead >> lane & 1))
				err = join(j, i, lane);
	return err;
}

int fpga_agree_on_error(struct fpga *f, int err)
{
	const int *all = f->ep.job->kind->allgather(f->ep.job, &err, sizeof(err));

	for (int r = 0; r < f->ep.job->size && !err; r++)
		err = all[r];
	return err;
}

/* Gathers the current descriptions of all cards in j->cards. Collective. */
static void gather_cards(struct joining *j)
{
	struct job *job = j->f->ep.job;

	memcpy(j->cards, job->kind->allgather(job, &j->mine, sizeof(j->mine)),
	       (size_t)job->size * sizeof(j->mine));
}

/*
 * Fills this rank's description of its card. If this rank is at the first end of a cable, creates
 * the cable's rings in memory.
 */
static int describe_own_card(struct joining *j)
{
	struct fpga_card *mine = &j->mine;
	const struct cable *list = j->cables->list;
	ssize_t len = readlink("/proc/self/ns/pid", mine->processes, sizeof(mine->processes) - 1);
	int me = j->f->ep.job->rank;

	mine->processes[len > 0 ? len : 0] = '\0';
	snprintf(mine->network, sizeof(mine->network), "%s", local_network_id());
	gethostname(mine->host, sizeof(mine->host) - 1);
	mine->pid = getpid();
	if (getrandom(mine->key, sizeof(mine->key), 0) != sizeof(mine->key))
		return error_report("rank %d has no random numbers", me);
	for (const struct cable *k = list; k < list + j->cables->n; k++)
		for (uint32_t i = 0; i < 2 * j->f->lanes; i++) {
			int fd;

			if (k->rank[0] != me || k->rank[1] == me)
				continue;
			fd = j->f->emulator->ring_file();
			if (fd < 0)
				return report_join_failure(j->f, k->pair[0], fd);
			mine->rings[k->pair[0]][i / 2][i % 2] = fd;
		}
	return ST_OK;
}

/*
 * Exchanges the descriptions of all cards. All ranks listen for connections if some rank is on
 * another machine.
 */
static int exchange_cards(struct joining *j)
{
	struct addr any[ADDR_ANY], bound;
	int err = fpga_agree_on_error(j->f, describe_own_card(j)), r = 0;

	if (err)
		return err;
	gather_cards(j);
	while (r < j->f->ep.job->size && is_local(j, r))
		r++;
	if (r == j->f->ep.job->size)
		return ST_OK;
	j->door = net_listen(any, addr_any(0, any), KERNELS_MAX_CHANNELS, &bound);
	if (j->door < 0)
		err = error_report("rank %d cannot listen for other hosts: %s", j->f->ep.job->rank,
				   strerror(-j->door));
	j->mine.n = net_local(NULL, AF_UNSPEC, j->mine.at, ADDRESSES);
	for (int i = 0; i < j->mine.n && !err; i++)
		addr_set_port(&j->mine.at[i].addr, addr_port(&bound));
	err = fpga_agree_on_error(j->f, err);
	if (!err)
		gather_cards(j);
	return err;
}

static int join_channels(struct fpga *f, const struct cables *c)
{
	struct joining j = { .f = f,
			     .cables = c,
			     .cards = calloc((size_t)f->ep.job->size, sizeof(struct fpga_card)),
			     .door = -1 };
	int *fd = &j.mine.rings[0][0][0];
	int err;

	if (!j.cards)
		return error_report("no memory for a list of cards");
	memset(j.mine.rings, -1, sizeof(j.mine.rings));
	err = exchange_cards(&j);
	if (!err)
		err = fpga_agree_on_error(f, join_lanes(&j, join_local));
	for (size_t i = 0; i < sizeof(j.mine.rings) / sizeof(*fd); i++)
		if (fd[i] >= 0)
			close(fd[i]);
	if (!err) {
		err = join_lanes(&j, join_remote);
		err = fpga_agree_on_error(f, err ? err : accept_connections(&j));
	}
	if (j.door >= 0)
		close(j.door);
	free(j.cards);
	return err;
}

int fpga_join_cables(struct fpga *f)
{
	const struct fpga_opts *o = f->options;
	int most;

	f->plugged = !strcmp(o->wiring, "plug");
	f->wired = f->plugged ? "loop-back plugs" : !strcmp(o->wiring, "ring") ? "a ring" :
		   !strcmp(o->wiring, "loopback") ? "loop-back" : "as the wiring file says";
	find_neighbours(f, &o->said);
	most = f->left > f->right ? f->left : f->right;
	if (most >= (int)f->pairs)
		return error_usage("'--wiring' names pair %d, but image '%s' has pairs 0 to %u",
				   most, f->image, f->pairs - 1);
	return f->emulator ? join_channels(f, o->cables ? &o->really : &o->said) : ST_OK;
}
