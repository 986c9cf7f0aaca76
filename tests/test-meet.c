/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests how ranks of several hosts meet, which are turned away, and the star that joins them; on
 * the loopback device.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sodium.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "job/local.h"
#include "job/star.h"

/* ---- texts ---- */

static void secrets_are_told_and_taken_and_differ(void **state)
{
	struct secret a, b;
	char text[33], again[33];

	secret_make(&a);
	secret_text(&a, text);
	assert_int_equal(strlen(text), 32);
	assert_int_equal(secret_parse(&b, text), 0);
	assert_int_equal(b.len, 16);
	assert_memory_equal(a.key, b.key, 16);
	secret_make(&b);
	secret_text(&b, again);
	assert_string_not_equal(text, again);
	assert_int_equal(secret_parse(&a, "1234567"), -1);
	assert_int_equal(secret_parse(&a, "12345678"), 0);
	assert_int_equal(a.len, 8);
	assert_int_equal(secret_parse(&a, "12345678901234567890123456789012345678901234567890123456789012345"), -1);
}

static void places_to_listen_are_read(void **state)
{
	static const struct {
		const char *text, *host;
		int port;	/* -1: refused */
	} rows[] = {
		{ "7471", "", 7471 },	    { "a:1", "a", 1 },	    { "[::1]:80", "::1", 80 },
		{ "*:0", "*", 0 },	    { "a.b-c:65535", "a.b-c", 65535 },
		{ "", "", -1 },		    { ":", "", -1 },	    { "a", "", -1 },
		{ "a:", "", -1 },	    { "a:65536", "", -1 }, { "a:b:1", "", -1 },
		{ "::1:80", "", -1 },	    { "a:1x", "", -1 },	    { "a:-1", "", -1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char host[32];
		uint16_t port = 0;
		int err = net_split("listen", rows[i].text, host, sizeof(host), &port);

		assert_int_equal(err, rows[i].port < 0 ? ST_USAGE : ST_OK);
		if (!err) {
			assert_string_equal(host, rows[i].host);
			assert_int_equal(port, rows[i].port);
		}
	}
}

static void the_first_host_of_a_list_is_found(void **state)
{
	static const char *const rows[][2] = {
		{ "n0", "n0" },		     { "n0,n1", "n0" },	     { "n[0-3]", "n0" },
		{ "n[02-07,9],m1", "n02" }, { "a[5,7]b,c", "a5b" }, { "r1n[10]", "r1n10" },
		{ "", "" },		     { "a-b.c", "a-b.c" },
		{ "rack[1-2]node[3-4]", "rack1node3" },
		{ "rack[01,3]node[3-4]x,b[1-2]", "rack01node3x" },
		{ "a[1-2", "a1" },	     { "a[1]b[2]c[3]d,e", "a1b2c3d" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char host[32];

		first_host_of_list(rows[i][0], host, sizeof(host));
		assert_string_equal(host, rows[i][1]);
	}
}

static struct addr address(const char *text, uint16_t port)
{
	struct addr list[1];
	char why[64];

	assert_int_equal(net_resolve(text, port, AF_UNSPEC, list, 1, why, sizeof(why)), 1);
	return list[0];
}

static void addresses_of_one_network_are_told_from_others(void **state)
{
	static const struct {
		const char *a, *b;
		int bits;
		bool same;
	} rows[] = {
		{ "10.0.0.1", "10.0.0.2", 24, true },  { "10.0.0.1", "10.0.1.2", 24, false },
		{ "10.0.0.1", "10.0.1.2", 23, true },  { "10.0.0.1", "10.0.0.1", 32, true },
		{ "10.0.0.1", "10.0.0.0", 32, false }, { "10.0.0.1", "99.0.0.1", 0, true },
		{ "::1", "::2", 64, true },	       { "::1", "::2", 127, false },
		{ "::1", "0.0.0.1", 0, false },
	};
	char text[ADDR_TEXT];
	struct addr mapped;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct addr a = address(rows[i].a, 1), b = address(rows[i].b, 1);

		assert_int_equal(addr_same_net(&a, &b, rows[i].bits), rows[i].same);
	}
	mapped = address("::ffff:10.1.2.3", 99);
	addr_text(&mapped, text);
	assert_string_equal(text, "10.1.2.3:99");
	mapped = address("::1", 99);
	addr_text(&mapped, text);
	assert_string_equal(text, "[::1]:99");
}

/* ---- meeting ---- */

static const struct secret right = { .key = "a right secret", .len = 14 };
static const struct secret wrong = { .key = "a wrong secret", .len = 14 };

static struct meeting *open_meeting(struct addr *at)
{
	struct addr any = address("127.0.0.1", 0);
	int fd = net_listen(&any, 1, 128, at);
	struct meeting *m = meeting_open(fd, &right, 1, 8);

	assert_true(fd >= 0);
	assert_non_null(m);
	return m;
}

/*
 * A guest in a process of its own. It exits with 0 if it is welcome as `rank` (-1: any), with 10 if
 * it is refused, else with 20.
 */
static pid_t send_guest(const struct addr *at, const struct secret *s, int rank)
{
	struct visit v = { .at = at, .n = 1, .secret = s, .rank = rank, .patience = 5, .sure = true };
	pid_t pid = fork();
	struct channel c;
	struct answer a;
	int err;

	if (pid)
		return pid;
	err = handshake_connect(&v, clock_wall() + 5, &a, &c);
	_exit(!err && a.welcome && (a.rank == rank || rank < 0) ? 0 : err == -EACCES && a.text[0] ? 10 : 20);
}

static int end_of(pid_t pid)
{
	int how;

	waitpid(pid, &how, 0);
	return WIFEXITED(how) ? WEXITSTATUS(how) : 99;
}

/* Receives one guest if one comes soon, and welcomes it. Returns its rank; -1: nobody came. */
static int receive(struct meeting *m)
{
	struct guest g;

	if (!meeting_admit_guest(m, clock_wall() + 1, NULL, 0, &g))
		return -1;
	channel_close(&g.channel);
	return g.rank;
}

/*
 * Each of these functions initialises libsodium before it uses it. The test runs them in a process
 * that has not initialised it.
 */
static int initialises(int which)
{
	struct addr any = { .len = 0 };
	struct visit v = { .at = &any, .secret = &right };
	struct channel c;
	struct answer a;
	struct secret s;
	pid_t pid = fork();

	if (pid)
		return end_of(pid);
	if (which == 0)
		secret_make(&s);
	else if (which == 1)
		meeting_open(-1, &right, 1, 2);
	else if (which == 2)
		handshake_connect(&v, 0, &a, &c);
	_exit(sodium_init());
}

static void sodium_is_initialised(void **state)
{
	for (int which = 0; which < 3; which++)
		assert_int_equal(initialises(which), 1);
	assert_int_equal(initialises(3), 0);
}

/* A peer that sends or receives one byte at a time does not postpone the deadline. */
static void a_peer_that_trickles_does_not_put_off_the_deadline(void **state)
{
	char bytes[64];
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds), 0);
	for (int i = 0; i < 64; i++)
		/* packets: each call of recv gets one byte */
		assert_int_equal(send(fds[0], "x", 1, 0), 1);
	assert_int_equal(net_read(fds[1], bytes, 4, clock_wall() + 5), 0);
	assert_int_equal(net_read(fds[1], bytes, 32, clock_wall() - 1), -ETIMEDOUT);
	assert_true(recv(fds[1], bytes, 1, MSG_DONTWAIT) == 1);
	close(fds[0]);
	close(fds[1]);
}

static void the_right_secret_joins_and_a_wrong_one_does_not(void **state)
{
	struct addr at;
	struct meeting *m = open_meeting(&at);
	pid_t a, b;

	a = send_guest(&at, &right, 3);
	assert_int_equal(receive(m), 3);
	assert_int_equal(end_of(a), 0);
	a = send_guest(&at, &wrong, 3);
	assert_int_equal(receive(m), -1);
	assert_int_equal(end_of(a), 10);
	a = send_guest(&at, &wrong, 1);
	b = send_guest(&at, &right, 2);
	assert_int_equal(receive(m), 2);
	assert_int_equal(end_of(b), 0);
	receive(m);
	assert_int_equal(end_of(a), 10);
	meeting_close(m);
}

/* Ranks 1 to 7 are awaited, each once. */
static void each_rank_has_one_seat(void **state)
{
	static const struct {
		int asks, gets, leaves;		/* -1: none */
	} rows[] = { { 2, 2, -1 }, { 2, -1, 2 }, { 2, 2, -1 }, { -1, 1, -1 }, { -1, 3, 1 }, { 0, -1, -1 },
		     { 8, -1, -1 }, { -1, 1, -1 } };
	struct addr at;
	struct meeting *m = open_meeting(&at);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		pid_t guest = send_guest(&at, &right, rows[i].asks);

		assert_int_equal(receive(m), rows[i].gets);
		assert_int_equal(end_of(guest), rows[i].gets < 0 ? 10 : 0);
		if (rows[i].leaves > 0)
			meeting_free_rank(m, rows[i].leaves);
	}
	meeting_close(m);
}

/* More guests than can wait: silent, invalid, or gone again. */
static void more_strangers_than_fit_do_no_harm(void **state)
{
	struct addr at;
	struct meeting *m = open_meeting(&at);
	int fds[150];
	pid_t guest;

	for (int i = 0; i < 150; i++) {
		fds[i] = net_connect(&at, clock_wall() + 1, NULL, NULL);
		assert_true(fds[i] >= 0);
		if (i % 3 == 1)
			net_write(fds[i], "GET / HTTP/1.1\r\n\r\n", 18, clock_wall() + 1);
		if (i % 3 == 2)
			close(fds[i]);
		if (i % 40 == 0)
			assert_int_equal(meeting_next(m, clock_wall() + 0.01, &(struct guest){ 0 }), 0);
	}
	guest = send_guest(&at, &right, 7);
	assert_int_equal(receive(m), 7);
	assert_int_equal(end_of(guest), 0);
	for (int i = 0; i < 150; i++)
		if (i % 3 != 2)
			close(fds[i]);
	meeting_close(m);
}

/* An overheard answer is refused the next time, because the host's nonce is another one. */
static void what_was_overheard_is_refused_the_next_time(void **state)
{
	struct addr at;
	struct meeting *m = open_meeting(&at);
	struct meeting *relay;
	struct addr relay_at;
	unsigned char hello[sizeof(struct challenge)], knock[256], reply[1024];
	struct guest g;
	pid_t guest;
	int fd, in;
	ssize_t n;

	relay = open_meeting(&relay_at);	/* it is used only for its socket */
	guest = send_guest(&relay_at, &right, 1);
	net_wait(meeting_fd(relay), 1, clock_wall() + 2);
	in = accept(meeting_fd(relay), NULL, NULL);
	fd = net_connect(&at, clock_wall() + 1, NULL, NULL);
	assert_int_equal(meeting_next(m, clock_wall() + 0.05, &g), 0);
	assert_int_equal(net_read(fd, hello, sizeof(hello), clock_wall() + 1), 0);
	net_write(in, hello, sizeof(hello), clock_wall() + 1);
	net_wait(in, 1, clock_wall() + 2);
	n = recv(in, knock, sizeof(knock), 0);
	assert_true(n > 100);
	net_write(fd, knock, (size_t)n, clock_wall() + 1);
	assert_int_equal(meeting_next(m, clock_wall() + 1, &g), 1);	/* the guest itself, relayed */
	close(g.fd);
	close(fd);
	fd = net_connect(&at, clock_wall() + 1, NULL, NULL);
	assert_int_equal(meeting_next(m, clock_wall() + 0.05, &g), 0);
	net_write(fd, knock, (size_t)n, clock_wall() + 1);
	assert_int_equal(meeting_next(m, clock_wall() + 0.2, &g), 0);
	n = recv(fd, reply, sizeof(reply), MSG_DONTWAIT);
	assert_true(n > 64 && memmem(reply, (size_t)n, "wrong secret", 12));
	close(fd);
	close(in);
	end_of(guest);
	meeting_close(m);
	meeting_close(relay);
}

/* ---- the star ---- */

__attribute__((noreturn)) static void fake_abort(struct job *job, int status)
{
	_exit(star_abort(((struct star_job *)job)->star, status));
}

static atomic_int no_stop;

static const struct job_kind fake = { .name = "fake", .abort = fake_abort };

static atomic_int nready;	/* number of threads that are ready */

static void *report_fault(void *letter)
{
	char text[ERROR_TEXT / 2];

	memset(text, *(char *)letter, sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	atomic_fetch_add(&nready, 1);
	while (atomic_load(&nready) < 2)
		;
	error_report("%s", text);
	return NULL;
}

/*
 * A rank reports one fault, even if two of its threads meet one at the same time. The report is the
 * whole of either fault.
 */
static void two_faults_at_once(void **state)
{
	static const char prefix[] = "netbench: ";
	int err = dup(STDERR_FILENO), ends[2];

	assert_int_equal(pipe(ends), 0);
	for (int i = 0; i < 3000; i++) {
		struct job alone = { .kind = &fake, .size = 1, .local_size = 1, .cpus = 1, .stop = &no_stop };
		struct star *s = star_new(&alone, false);
		char letters[2] = { 'a', 'b' }, line[2 * ERROR_TEXT];
		pthread_t other;
		ssize_t n;

		atomic_store(&nready, 0);
		assert_int_equal(pthread_create(&other, NULL, report_fault, &letters[1]), 0);
		report_fault(&letters[0]);
		pthread_join(other, NULL);
		dup2(ends[1], STDERR_FILENO);
		star_finish(s);
		dup2(err, STDERR_FILENO);
		n = read(ends[0], line, sizeof(line));
		assert_int_equal(n, sizeof(prefix) - 1 + ERROR_TEXT / 2 - 1 + 1);
		for (ssize_t k = sizeof(prefix) - 1; k < n - 1; k++)
			assert_int_equal(line[k], line[sizeof(prefix) - 1]);
	}
	close(ends[0]);
	close(ends[1]);
	close(err);
}

#define RANKS 4

static int gather_much(struct star *s)
{
	static const size_t lens[] = { 1, 8, 1000, JOB_GATHER_MAX };
	static unsigned char mine[JOB_GATHER_MAX];
	int bad = 0;

	for (int i = 0; i < 400; i++) {
		size_t len = lens[i % 4];
		const unsigned char *all;

		memset(mine, s->job->rank + i, len);
		all = star_allgather(s->job, mine, len);
		for (size_t r = 0; r < RANKS; r++)
			for (size_t k = 0; k < len; k++)
				bad += all[r * len + k] != (unsigned char)(r + (size_t)i);
	}
	star_expect_end(s);
	star_allgather(s->job, mine, 1);
	star_finish(s);
	return bad ? 50 : 0;
}

/* Transfers to rank 0, and from it; several of the latter may be in flight at once. */
static int gather_and_tell(struct star *s)
{
	static const size_t lens[] = { 0, 1, 8, 1000, JOB_GATHER_MAX };
	static unsigned char mine[JOB_GATHER_MAX];
	int bad = 0;

	for (int i = 0; i < 400; i++) {
		size_t len = lens[i % 5];
		const unsigned char *all;

		memset(mine, s->job->rank + i, sizeof(mine));
		all = star_gather(s->job, mine, len);
		bad += (all == NULL) != (s->job->rank != 0);
		for (size_t r = 0; all && r < RANKS; r++)
			for (size_t k = 0; k < len; k++)
				bad += all[r * len + k] != (unsigned char)(r + (size_t)i);
		for (int k = 0; k < i % 4; k++) {
			memset(mine, s->job->rank ? 0 : i + k, sizeof(mine));
			star_bcast(s->job, mine, len);
			for (size_t at = 0; at < len; at++)
				bad += mine[at] != (unsigned char)(i + k);
		}
	}
	star_expect_end(s);
	star_gather(s->job, mine, 1);
	star_finish(s);
	return bad ? 50 : 0;
}

/* Rank 3 dies while the others wait for news from rank 0, which waits for rank 3. */
static int early_death(struct star *s)
{
	char nothing = 0;

	if (s->job->rank == 3)
		_exit(77);
	if (s->job->rank == 0)
		star_gather(s->job, &nothing, 1);
	star_bcast(s->job, &nothing, 1);
	star_gather(s->job, &nothing, 1);
	return 53;
}

/* Rank 2 has a fault while rank 0 measures and the others wait for each other. */
static int fault(struct star *s)
{
	char nothing = 0;

	if (s->job->rank == 2)
		s->job->kind->abort(s->job, error_unavailable("rank 2 cannot"));
	if (s->job->rank == 0)
		sleep(5);
	star_allgather(s->job, &nothing, 1);
	return 51;
}

/* Rank 3 dies without a message. */
static int death(struct star *s)
{
	char nothing = 0;

	if (s->job->rank == 3)
		_exit(77);
	if (s->job->rank == 1)
		sleep(5);
	star_allgather(s->job, &nothing, 1);
	return 52;
}

/* One end of a connection whose two ends have the keys that a handshake would have made. */
static struct channel channel_of(int fd, bool host)
{
	static const unsigned char keys[2][CHANNEL_KEY] = { "to the guest", "to the host" };
	struct channel c;

	channel_open(&c, fd, keys[!host], keys[host]);
	return c;
}

/* Runs a star of processes. Returns their exit statuses. */
static void run_star(int (*act)(struct star *s), int status[RANKS])
{
	pid_t pids[RANKS];
	int ends[RANKS][2];
	struct addr any = address("127.0.0.1", 0), at;
	int door = net_listen(&any, 1, 16, &at);

	for (int r = 1; r < RANKS; r++) {
		ends[r][1] = net_connect(&at, clock_wall() + 1, NULL, NULL);
		net_wait(door, 1, clock_wall() + 1);
		ends[r][0] = accept(door, NULL, NULL);
	}
	for (int r = 0; r < RANKS; r++) {
		struct star_job j = { .job = { .kind = &fake, .rank = r, .size = RANKS, .local_size = RANKS, .cpus = 2,
				      .stop = &no_stop } };

		pids[r] = fork();
		if (pids[r])
			continue;
		j.star = star_new(&j.job, false);
		for (int k = 1; k < RANKS; k++) {
			struct channel c = channel_of(ends[k][r == 0 ? 0 : 1], r == 0);

			if (r == 0 || k == r)
				star_connect(j.star, r ? 0 : k, &c, "host");
			close(ends[k][r == 0 ? 1 : 0]);
			if (r && k != r)
				close(ends[k][1]);
		}
		if (star_watch(j.star, NULL))
			_exit(60);
		_exit(act(j.star));
	}
	for (int r = 1; r < RANKS; r++) {
		close(ends[r][0]);
		close(ends[r][1]);
	}
	close(door);
	for (int r = 0; r < RANKS; r++)
		status[r] = end_of(pids[r]);
}

static void a_star_gathers_tells_and_ends_with_a_fault(void **state)
{
	int status[RANKS];

	run_star(gather_much, status);
	for (int r = 0; r < RANKS; r++)
		assert_int_equal(status[r], 0);
	run_star(gather_and_tell, status);
	for (int r = 0; r < RANKS; r++)
		assert_int_equal(status[r], 0);
	run_star(fault, status);
	for (int r = 0; r < RANKS; r++)
		assert_int_equal(status[r], ST_UNAVAILABLE);
	run_star(death, status);
	for (int r = 0; r < RANKS; r++)
		assert_int_equal(status[r], r == 3 ? 77 : ST_FAILED);
	run_star(early_death, status);
	for (int r = 0; r < RANKS; r++)
		assert_int_equal(status[r], r == 3 ? 77 : ST_FAILED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sodium_is_initialised),
		cmocka_unit_test(a_peer_that_trickles_does_not_put_off_the_deadline),
		cmocka_unit_test(secrets_are_told_and_taken_and_differ),
		cmocka_unit_test(places_to_listen_are_read),
		cmocka_unit_test(the_first_host_of_a_list_is_found),
		cmocka_unit_test(addresses_of_one_network_are_told_from_others),
		cmocka_unit_test(the_right_secret_joins_and_a_wrong_one_does_not),
		cmocka_unit_test(each_rank_has_one_seat),
		cmocka_unit_test(more_strangers_than_fit_do_no_harm),
		cmocka_unit_test(what_was_overheard_is_refused_the_next_time),
		cmocka_unit_test(a_star_gathers_tells_and_ends_with_a_fault),
		cmocka_unit_test(two_faults_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
