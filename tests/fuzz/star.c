/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes the data that a rank receives over its connection to another rank. The rank is rank 0,
 * which gathers from one other rank, or the other rank, which receives. The first byte chooses, and
 * says whether the rest is sent unchanged or in frames under the right keys: a byte each for kind
 * and status, two for the length, the data.
 */
#include <setjmp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "job/star.h"
#include "fuzz.h"

static jmp_buf ended;

__attribute__((noreturn)) static void end(struct job *job, int status)
{
	longjmp(ended, status ? status : 1);
}

/* The other rank's side of the connection: sends all data, then nothing more. */
static void say(struct channel *c, bool framed, const uint8_t *data, size_t size)
{
	while (framed && size >= 4) {
		size_t len = data[2] + 256U * data[3];
		struct frame f = { .say = data[0], .status = data[1],
				   .len = (uint32_t)(len < size - 4 ? len : size - 4) };

		if (channel_send(c, &f, data + 4, clock_wall()))
			break;
		data += 4 + f.len;
		size -= 4 + f.len;
	}
	send(c->fd, data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
	shutdown(c->fd, SHUT_WR);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct job_kind kind = { .name = "fuzz", .abort = end };
	static const unsigned char there[CHANNEL_KEY] = "to this rank", back[CHANNEL_KEY] = "back";
	atomic_int stop = 0;
	struct star_job j = { .job = { .kind = &kind, .size = 2, .local_size = 2, .cpus = 1, .stop = &stop } };
	struct job *job = &j.job;
	struct star *volatile s;
	struct channel mine, theirs;
	unsigned char shared[64];
	int ends[2];

	if (!size || size > 65536)
		return 0;
	fuzz_hush();
	fuzz_pair(ends);
	channel_open(&mine, ends[0], back, there);
	channel_open(&theirs, ends[1], there, back);
	say(&theirs, data[0] & 2, data + 1, size - 1);
	job->rank = data[0] & 1;
	s = j.star = star_new(job, false);
	if (!s)
		abort();
	fuzz_hush();	/* the star has redirected the faults */
	star_connect(s, !job->rank, &mine, "elsewhere");
	if (!setjmp(ended))
		for (;;) {	/* until the connection ends */
			star_gather(job, "mine", 4);
			star_allgather(job, "mine", 4);
			star_bcast(job, shared, sizeof(shared));
		}
	star_free(s);
	channel_close(&theirs);
	return 0;
}
