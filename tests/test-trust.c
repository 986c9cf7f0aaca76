/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests what an attacker between two ranks, or one that connects, can and cannot do: relays that
 * read, change, repeat and swap data.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sodium.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "job/star.h"

static const struct secret right = { .key = "a right secret", .len = 14 };
static const struct secret wrong = { .key = "a wrong secret", .len = 14 };

/* Data that the processes of this test share. */
static struct {
	char text[HANDSHAKE_TEXT];	/* why the last guest was refused */
	size_t n[2];	/* numbers of bytes that a relay has seen: from the host, from the guest */
	unsigned char bytes[2][1 << 16];
} *shared;

static int end_of(pid_t pid)
{
	int how;

	waitpid(pid, &how, 0);
	return WIFEXITED(how) ? WEXITSTATUS(how) : 99;
}

/*
 * Captures output from capture_begin on. capture_end returns it, in memory that the next call
 * reuses.
 */
static int capture_begin(void)
{
	int kept = dup(STDERR_FILENO), fd = open("/tmp", O_TMPFILE | O_RDWR, 0600);

	assert_true(fd >= 0 && kept >= 0);
	dup2(fd, STDERR_FILENO);
	close(fd);
	return kept;
}

static const char *capture_end(int kept)
{
	static char text[1 << 16];
	ssize_t n = pread(STDERR_FILENO, text, sizeof(text) - 1, 0);

	dup2(kept, STDERR_FILENO);
	close(kept);
	text[n > 0 ? n : 0] = '\0';
	return text;
}

static int lines_of(const char *text)
{
	int n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* ---- the one in the middle ---- */

enum attack_kind { LISTEN, FLIP, REPEAT, SWAP, DROP, OLD, REFLECT };

/*
 * Attacks data from the host (0) or the guest (1): a byte of the stream, or a byte of a frame among
 * frames of `len` bytes.
 */
struct attack {
	enum attack_kind kind;
	int from;
	size_t at, len;
};

struct middle {
	const struct attack *attack;
	int fd[2];			/* sockets to the host and to the guest */
	size_t seen[2];
	unsigned char last[256], held[256];
	size_t nheld, frame;
};

static void pass(struct middle *m, int from, const unsigned char *bytes, size_t n)
{
	net_write(m->fd[!from], bytes, n, clock_wall() + 2);
}

/* Attacks a whole frame of this direction. */
static void pass_frame(struct middle *m, int from, unsigned char *frame, size_t len)
{
	size_t i = m->frame++;
	enum attack_kind kind = i == m->attack->at ? m->attack->kind : LISTEN;

	if (kind == REFLECT)
		pass(m, !from, frame, len);
	if (kind == REPEAT)
		pass(m, from, frame, len);
	if (kind == SWAP || kind == DROP) {
		memcpy(m->last, frame, len);
		return;
	}
	pass(m, from, kind == OLD ? m->last : frame, len);
	if (m->attack->kind == SWAP && i == m->attack->at + 1)
		pass(m, from, m->last, len);
	memcpy(m->last, frame, len);
}

static void take_bytes(struct middle *m, int from, unsigned char *bytes, size_t n)
{
	const struct attack *a = m->attack;
	size_t room = sizeof(shared->bytes[0]) - shared->n[from], kept = n < room ? n : room;

	memcpy(shared->bytes[from] + shared->n[from], bytes, kept);
	shared->n[from] += kept;
	if (a->from == from && a->kind == FLIP && a->at >= m->seen[from] && a->at < m->seen[from] + n)
		bytes[a->at - m->seen[from]] ^= 4;
	m->seen[from] += n;
	while (n && a->from == from && a->kind > FLIP && m->frame <= a->at + 1) {
		size_t more = a->len - m->nheld < n ? a->len - m->nheld : n;

		memcpy(m->held + m->nheld, bytes, more);
		m->nheld += more;
		bytes += more;
		n -= more;
		if (m->nheld == a->len) {
			m->nheld = 0;
			pass_frame(m, from, m->held, a->len);
		}
	}
	if (n)
		pass(m, from, bytes, n);
}

/* Relays until both ends are closed. */
static void be_between(int host, int guest, const struct attack *a)
{
	struct middle m = { .attack = a, .fd = { host, guest } };
	struct pollfd p[2] = { { host, POLLIN, 0 }, { guest, POLLIN, 0 } };
	unsigned char bytes[4096];

	while ((p[0].fd >= 0 || p[1].fd >= 0) && poll(p, 2, 10000) > 0)
		for (int from = 0; from < 2; from++) {
			ssize_t n = p[from].fd >= 0 && p[from].revents ? recv(m.fd[from], bytes, sizeof(bytes), 0) : -2;

			if (n == 0 || n == -1) {
				shutdown(m.fd[!from], SHUT_WR);
				p[from].fd = -1;
			} else if (n > 0) {
				take_bytes(&m, from, bytes, (size_t)n);
			}
		}
}

/* Starts a process that accepts one connection at *at and relays it to the address `host`. */
static pid_t send_relay(const struct addr *host, const struct attack *a, struct addr *at)
{
	struct addr any = { .a.ss_family = AF_INET, .len = sizeof(struct sockaddr_in) };
	int door = net_listen(&any, 1, 4, at), in;
	pid_t pid = fork();

	assert_true(door >= 0);
	if (!pid) {
		net_wait(door, POLLIN, clock_wall() + 5);
		in = accept(door, NULL, NULL);
		be_between(net_connect(host, clock_wall() + 2, NULL, NULL), in, a);
		_exit(0);
	}
	close(door);
	return pid;
}

/* ---- the handshake ---- */

static struct meeting *open_meeting(int end, struct addr *at)
{
	struct addr any = { .a.ss_family = AF_INET, .len = sizeof(struct sockaddr_in) };
	struct meeting *m = meeting_open(net_listen(&any, 1, 128, at), &right, 1, end);

	assert_non_null(m);
	return m;
}

static const char words[] = "latency\0--sizes\0eight-words-in-clear";

/*
 * A guest. It exits with 0 if it is welcome and, if it expects words, has them; with 10 if refused,
 * with the reason in `shared`; else with 20.
 */
static pid_t send_guest(const struct addr *at, const struct secret *s, int rank, bool expects)
{
	struct visit v = { .at = at, .n = 1, .secret = s, .rank = rank, .patience = 3,
			   .retry = expects ? 0 : 0.05, .sure = s == &wrong || expects };
	struct channel c;
	struct answer a;
	struct frame f;
	pid_t pid = fork();
	void *got;
	int err;

	if (pid)
		return pid;
	err = handshake_connect(&v, clock_wall() + 5, &a, &c);
	memcpy(shared->text, a.text, sizeof(shared->text));
	if (err)
		_exit(err == -EACCES ? 10 : 20);
	got = expects ? channel_receive(&c, &f, 1000, clock_wall() + 3, &err) : NULL;
	_exit(!expects || (got && f.len == sizeof(words) && !memcmp(got, words, sizeof(words))) ? 0 : 20);
}

/* Admits guests until this one has ended. Returns its exit status. */
static int host_until_end(struct meeting *m, pid_t guest)
{
	struct guest g;
	int how;

	while (waitpid(guest, &how, WNOHANG) == 0)
		if (meeting_admit_guest(m, clock_wall() + 0.01, words, sizeof(words), &g))
			channel_close(&g.channel);
	return WIFEXITED(how) ? WEXITSTATUS(how) : 99;
}

/* A relay of a whole session can read neither the secret nor the command line. */
static void who_relays_a_session_has_read_nothing(void **state)
{
	const struct attack none = { .kind = LISTEN };
	struct addr at, by;
	struct meeting *m = open_meeting(4, &at);
	pid_t relay = send_relay(&at, &none, &by);

	shared->n[0] = shared->n[1] = 0;
	assert_int_equal(host_until_end(m, send_guest(&by, &right, 2, true)), 0);
	meeting_close(m);
	end_of(relay);
	assert_true(shared->n[0] > sizeof(words) && shared->n[1] > 100);
	for (int from = 0; from < 2; from++) {
		assert_null(memmem(shared->bytes[from], shared->n[from], "--sizes", 7));
		assert_null(memmem(shared->bytes[from], shared->n[from], "in-clear", 8));
		assert_null(memmem(shared->bytes[from], shared->n[from], right.key, right.len));
	}
}

/*
 * A bit changed anywhere in the handshake, including its versions, or in the data after it, keeps
 * the guest out.
 */
static void what_is_changed_on_the_way_is_refused(void **state)
{
	static const size_t lens[2] = { sizeof(struct challenge) + 208 + CHANNEL_HEAD + sizeof(words),
					sizeof(struct proof) };

	for (int from = 0; from < 2; from++)
		for (size_t at = 0; at < lens[from]; at += 11) {
			const struct attack flip = { FLIP, from, at, 0 };
			struct addr door, by;
			struct meeting *m = open_meeting(4, &door);
			int kept = capture_begin(), end;
			pid_t relay = send_relay(&door, &flip, &by);

			end = host_until_end(m, send_guest(&by, &right, 2, true));
			meeting_close(m);
			end_of(relay);
			capture_end(kept);
			if (!end)
				fail_msg("byte %zu from %s", at, from ? "the guest" : "the host");
		}
}

/* The recorded messages of a host are useless to an attacker that repeats them. */
static void what_a_host_has_said_is_of_no_use_to_another(void **state)
{
	const struct attack none = { .kind = LISTEN };
	struct addr any = { .a.ss_family = AF_INET, .len = sizeof(struct sockaddr_in) }, at, by;
	struct meeting *m = open_meeting(4, &at);
	pid_t relay = send_relay(&at, &none, &by), guest;
	int door, in;

	shared->n[0] = shared->n[1] = 0;
	assert_int_equal(host_until_end(m, send_guest(&by, &right, 2, true)), 0);
	meeting_close(m);
	end_of(relay);
	door = net_listen(&any, 1, 4, &by);
	guest = send_guest(&by, &right, 2, true);
	net_wait(door, POLLIN, clock_wall() + 2);
	in = accept(door, NULL, NULL);
	net_write(in, shared->bytes[0], shared->n[0], clock_wall() + 2);
	assert_int_equal(end_of(guest), 10);
	assert_string_equal(shared->text, "the listener does not know the secret");
	close(in);
	close(door);
}

/* Connects with another version and its MAC under `s`. `text` gets the host's answer. */
static void knock(struct meeting *m, const struct addr *at, const struct secret *s, const char *version,
		  char text[HANDSHAKE_TEXT])
{
	struct handshake h = { .proof = { .host = "elsewhere" } };
	unsigned char side = 'G', reply[16 + HANDSHAKE_TEXT + HANDSHAKE_MAC];
	crypto_auth_hmacsha256_state state;
	int fd = net_connect(at, clock_wall() + 1, NULL, NULL);
	struct guest g;

	assert_int_equal(meeting_next(m, clock_wall() + 0.05, &g), 0);
	assert_int_equal(net_read(fd, &h.challenge, sizeof(h.challenge), clock_wall() + 1), 0);
	memcpy(h.proof.magic, h.challenge.magic, sizeof(h.proof.magic));
	memcpy(h.proof.version, version, strlen(version));
	crypto_auth_hmacsha256_init(&state, s->key, s->len);
	crypto_auth_hmacsha256_update(&state, &side, 1);
	crypto_auth_hmacsha256_update(&state, (unsigned char *)&h.challenge, sizeof(h.challenge));
	crypto_auth_hmacsha256_update(&state, (unsigned char *)&h.proof, offsetof(struct proof, mac));
	crypto_auth_hmacsha256_final(&state, h.proof.mac);
	net_write(fd, &h.proof, sizeof(h.proof), clock_wall() + 1);
	assert_int_equal(meeting_next(m, clock_wall() + 0.1, &g), 0);
	assert_int_equal(net_read(fd, reply, sizeof(reply), clock_wall() + 1), 0);
	memcpy(text, reply + 16, HANDSHAKE_TEXT);
	close(fd);
}

/*
 * The host names another version to a guest that knows the secret. It does not repeat a stranger's
 * version to anyone.
 */
static void another_version_is_named_to_who_knows_the_secret(void **state)
{
	char text[HANDSHAKE_TEXT];
	struct addr at;
	struct meeting *m = open_meeting(4, &at);
	int kept = capture_begin();
	const char *said;

	knock(m, &at, &right, "9.9.9/64l", text);
	assert_non_null(strstr(text, "netbench 9.9.9/64l does not join netbench "));
	knock(m, &at, &right, "\033[2Jclear", text);
	assert_non_null(strstr(text, "netbench ?[2Jclear does not join"));
	knock(m, &at, &wrong, "\033[31mred", text);
	assert_string_equal(text, "wrong secret");
	said = capture_end(kept);
	assert_null(strchr(said, '\033'));
	assert_non_null(strstr(said, "9.9.9/64l does not join"));
	assert_null(strstr(said, "red"));
	assert_int_equal(atomic_load(meeting_refused_count(m)), 3);
	meeting_close(m);
}

/*
 * A host with the previous protocol, and a host whose refusal would send control codes to the
 * terminal.
 */
static void another_protocol_is_told_and_its_text_tamed(void **state)
{
	static const struct {
		const char *magic;
		size_t len;		/* length of its challenge */
		const char *refusal, *text;
	} rows[] = {
		{ "NETBNCH1", 64, "", "it is a netbench of another version" },
		{ "NETBNCH2", sizeof(struct challenge), "no\033[2J\n", "no?[2J?" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct addr any = { .a.ss_family = AF_INET, .len = sizeof(struct sockaddr_in) }, at;
		int door = net_listen(&any, 1, 4, &at), in;
		unsigned char reply[16 + HANDSHAKE_TEXT + HANDSHAKE_MAC] = { 0 };
		struct challenge hello = { .nonce = { 1 } };
		pid_t guest = send_guest(&at, &right, 2, true);

		memcpy(hello.magic, rows[i].magic, sizeof(hello.magic));
		memcpy(reply + 16, rows[i].refusal, strlen(rows[i].refusal));
		net_wait(door, POLLIN, clock_wall() + 2);
		in = accept(door, NULL, NULL);
		net_write(in, &hello, rows[i].len, clock_wall() + 1);
		if (rows[i].len == sizeof(hello))
			net_write(in, reply, sizeof(reply), clock_wall() + 1);
		assert_int_equal(end_of(guest), 10);
		assert_string_equal(shared->text, rows[i].text);
		close(in);
		close(door);
	}
}

/* ---- the door ---- */

/* Ranks 1 to 3: the answer to each guest, without a retry. */
static void each_guest_of_a_full_job_is_told_why(void **state)
{
	static const struct {
		int asks, end;
		const char *text;
	} rows[] = {
		{ 2, 0, "" }, { 2, 10, "rank 2 is taken by host '" }, { -1, 0, "" }, { -1, 0, "" },
		{ -1, 10, "the job is full: all of its 4 ranks have joined" }, { 3, 10, "rank 3 is taken by host '" },
		{ 4, 10, "rank 4 is out of range: 1 to 3" },
	};
	struct addr at;
	struct meeting *m = open_meeting(4, &at);
	int kept = capture_begin();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double start = clock_wall();

		assert_int_equal(host_until_end(m, send_guest(&at, &right, rows[i].asks, false)), rows[i].end);
		assert_true(clock_wall() - start < 2);
		if (rows[i].end)
			assert_non_null(strstr(shared->text, rows[i].text));
	}
	assert_int_equal(lines_of(capture_end(kept)), 4);
	assert_int_equal(atomic_load(meeting_refused_count(m)), 4);
	meeting_close(m);
}

/* During the run all guests are refused with the reason, and counted. Few lines are printed. */
static void during_the_run_all_are_refused_and_counted(void **state)
{
	struct addr at;
	struct meeting *m = open_meeting(2, &at);
	int kept = capture_begin(), how, n, fds[100];

	error_verbose(true);
	assert_int_equal(host_until_end(m, send_guest(&at, &right, 1, false)), 0);
	for (int i = 0; i < 40; i++) {
		pid_t guest = send_guest(&at, i % 4 ? &right : &wrong, i % 4 > 1 ? 1 : -1, false);

		while (waitpid(guest, &how, WNOHANG) == 0)
			meeting_refuse_late(m);
		assert_int_equal(WEXITSTATUS(how), 10);
		assert_non_null(strstr(shared->text, i % 4 == 0 ? "wrong secret"
						     : i % 4 == 1 ? "the run has begun: the job is full"
								  : "the run has begun: rank 1 is taken"));
	}
	/* more at once than the host listens to; half of them are silent */
	for (int i = 0; i < 100; i++) {
		fds[i] = net_connect(&at, clock_wall() + 1, NULL, NULL);
		if (i % 2)
			net_write(fds[i], "GET / HTTP/1.1\r\n\r\n", 18, clock_wall() + 1);
	}
	meeting_refuse_late(m);
	meeting_refuse_late(m);
	for (int i = 0; i < 100; i++)
		close(fds[i]);
	for (double until = clock_wall() + 5; meeting_pending(m) && clock_wall() < until;)
		meeting_refuse_late(m);
	n = lines_of(capture_end(kept));
	error_verbose(false);
	assert_int_equal(n, 2 * 9);	/* of guests and of others */
	assert_int_equal(atomic_load(meeting_refused_count(m)), 140);
	meeting_close(m);
}

/* ---- the star ---- */

#define RANKS 4
#define FRAME (CHANNEL_HEAD + 8)

__attribute__((noreturn)) static void fake_abort(struct job *job, int status)
{
	_exit(star_abort(((struct star_job *)job)->star, status));
}

static atomic_int no_stop;

static const struct job_kind fake = { .name = "fake", .abort = fake_abort };

/*
 * Receives frames of one length from rank 0, several of which are in flight at once. Returns 50 if
 * a frame differs from the sent one.
 */
static int tell(struct star *s)
{
	uint64_t number;

	for (uint64_t i = 0; i < 8; i++) {
		number = s->job->rank ? 0 : i;
		star_bcast(s->job, &number, sizeof(number));
		if (number != i)
			_exit(50);
	}
	star_gather(s->job, "", 0);
	return 0;
}

/* Sends frames of one length to rank 0. */
static int collect(struct star *s)
{
	const uint64_t *all;
	uint64_t number;

	for (uint64_t i = 0; i < 8; i++) {
		number = (uint64_t)s->job->rank + i;
		all = star_gather(s->job, &number, sizeof(number));
		for (uint64_t r = 0; all && r < RANKS; r++)
			if (all[r] != r + i)
				_exit(50);
	}
	return 0;
}

/* Rank 2 reports a fault with a status that does not exist. */
static int wrong_status(struct star *s)
{
	const struct frame fault = { 3, 77, 4 };

	if (s->job->rank == 2)
		channel_send(&s->spoke[0].channel, &fault, "oops", clock_wall() + 1);
	star_gather(s->job, "", 0);
	return 0;
}

/*
 * Runs a star of processes with an attacker between rank 0 and rank 2. Stores their exit statuses,
 * and returns their output.
 */
static const char *run_star(int (*act)(struct star *s), const struct attack *a, int status[RANKS])
{
	static const unsigned char keys[2][CHANNEL_KEY] = { "to the guest", "to the host" };
	pid_t pids[RANKS], relay;
	int ends[RANKS][2], host[2], guest[2], kept = capture_begin();

	for (int r = 1; r < RANKS; r++)
		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends[r]), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, guest), 0);
	host[0] = ends[2][0];
	host[1] = ends[2][1];
	ends[2][1] = guest[1];
	relay = fork();
	if (!relay) {
		for (int r = 1; r < RANKS; r++)
			for (int k = 0; k < 2; k++)
				close(ends[r][k]);
		be_between(host[1], guest[0], a);
		_exit(0);
	}
	close(host[1]);
	close(guest[0]);
	for (int r = 0; r < RANKS; r++) {
		struct star_job j = { .job = { .kind = &fake, .rank = r, .size = RANKS, .local_size = RANKS, .cpus = 2,
				      .stop = &no_stop } };

		pids[r] = fork();
		if (pids[r])
			continue;
		j.star = star_new(&j.job, false);
		for (int k = 1; k < RANKS; k++) {
			struct channel c;

			channel_open(&c, ends[k][r ? 1 : 0], keys[r ? 1 : 0], keys[r ? 0 : 1]);
			close(ends[k][r ? 0 : 1]);
			if (!r || k == r)
				star_connect(j.star, r ? 0 : k, &c, "here");
			else
				channel_close(&c);
		}
		if (star_watch(j.star, NULL))
			_exit(60);
		status[r] = act(j.star);
		star_expect_end(j.star);
		star_gather(&j.job, "", 0);
		star_finish(j.star);
		_exit(status[r]);
	}
	for (int r = 1; r < RANKS; r++) {
		close(ends[r][0]);
		close(ends[r][1]);
	}
	for (int r = 0; r < RANKS; r++)
		status[r] = end_of(pids[r]);
	end_of(relay);
	return capture_end(kept);
}

/* Each attack ends the run with one line. No manipulated data are accepted. */
static void each_changed_frame_ends_the_run_with_a_line(void **state)
{
	static const struct attack rows[] = {
		{ FLIP, 0, 3 * FRAME + 2, 0 },	{ FLIP, 0, 3 * FRAME + 10, 0 }, { FLIP, 0, 3 * FRAME + 20, 0 },
		{ FLIP, 0, 3 * FRAME + 40, 0 }, { FLIP, 0, 3 * FRAME + 45, 0 }, { REPEAT, 0, 3, FRAME },
		{ SWAP, 0, 3, FRAME },		{ DROP, 0, 3, FRAME },		{ OLD, 0, 3, FRAME },
		{ FLIP, 1, 3 * FRAME + 2, 0 },	{ FLIP, 1, 3 * FRAME + 11, 0 }, { FLIP, 1, 3 * FRAME + 20, 0 },
		{ FLIP, 1, 3 * FRAME + 40, 0 }, { FLIP, 1, 3 * FRAME + 51, 0 }, { REPEAT, 1, 3, FRAME },
		{ OLD, 1, 3, FRAME },		{ REFLECT, 1, 3, FRAME },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool at_root = rows[i].from == 1 && rows[i].kind != REFLECT;
		const char *line = at_root ? "netbench: rank 0 did not get what rank 2 on host 'here' sent: "
					   : "netbench: rank 2 did not get what rank 0 on host 'here' sent: ";
		int status[RANKS];
		const char *said = run_star(rows[i].from ? collect : tell, &rows[i], status);

		for (int r = 0; r < RANKS; r++)
			if (status[r] != ST_FAILED)
				fail_msg("attack %zu: rank %d ended with %d: %s", i, r, status[r], said);
		if (strncmp(said, line, strlen(line)) || lines_of(said) != 1)
			fail_msg("attack %zu: %s", i, said);
	}
}

static void a_star_that_is_relayed_unharmed_works(void **state)
{
	const struct attack none = { .kind = LISTEN };
	int status[RANKS];

	assert_string_equal(run_star(tell, &none, status), "");
	for (int r = 0; r < RANKS; r++)
		assert_int_equal(status[r], 0);
	assert_string_equal(run_star(collect, &none, status), "");
	for (int r = 0; r < RANKS; r++)
		assert_int_equal(status[r], 0);
}

static void a_status_out_of_range_is_told(void **state)
{
	const struct attack none = { .kind = LISTEN };
	int status[RANKS];

	assert_string_equal(run_star(wrong_status, &none, status),
			    "netbench: rank 2 on host 'here' sent status 77, expected 1 to 3\n");
	for (int r = 0; r < RANKS; r++)
		assert_int_equal(status[r], ST_FAILED);
}

/* ---- keys of a job ---- */

static unsigned char on_the_way[JOB_KEY];

static void note_bcast(struct job *job, void *data, size_t len)
{
	assert_int_equal(len, JOB_KEY);
	memcpy(on_the_way, data, len);
}

static void derive(struct job *job, const char *purpose, const unsigned char nonce[JOB_KEY], unsigned char key[JOB_KEY])
{
	secret_derive(&right, purpose, nonce, key);
}

/* A broadcast does not carry the key where others may read it. The key is new each time. */
static void a_key_is_not_what_is_broadcast_and_differs(void **state)
{
	static const struct job_kind open_ground = { .name = "fake", .bcast = note_bcast, .key = derive };
	struct job job = { .kind = &open_ground, .size = 2 };
	unsigned char a[JOB_KEY], b[JOB_KEY], c[JOB_KEY];

	assert_non_null(job_join.key);
	assert_int_equal(job_key(&job, "one", a), ST_OK);
	assert_memory_not_equal(a, on_the_way, JOB_KEY);
	secret_derive(&right, "one", on_the_way, b);
	assert_memory_equal(a, b, JOB_KEY);
	secret_derive(&wrong, "one", on_the_way, b);
	secret_derive(&right, "two", on_the_way, c);
	assert_memory_not_equal(a, b, JOB_KEY);
	assert_memory_not_equal(a, c, JOB_KEY);
	assert_int_equal(job_key(&job, "one", b), ST_OK);
	assert_memory_not_equal(a, b, JOB_KEY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_relays_a_session_has_read_nothing),
		cmocka_unit_test(what_is_changed_on_the_way_is_refused),
		cmocka_unit_test(what_a_host_has_said_is_of_no_use_to_another),
		cmocka_unit_test(another_version_is_named_to_who_knows_the_secret),
		cmocka_unit_test(another_protocol_is_told_and_its_text_tamed),
		cmocka_unit_test(each_guest_of_a_full_job_is_told_why),
		cmocka_unit_test(during_the_run_all_are_refused_and_counted),
		cmocka_unit_test(a_star_that_is_relayed_unharmed_works),
		cmocka_unit_test(each_changed_frame_ends_the_run_with_a_line),
		cmocka_unit_test(a_status_out_of_range_is_told),
		cmocka_unit_test(a_key_is_not_what_is_broadcast_and_differs),
	};

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED || handshake_init())
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
