/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What comes to a rank over its connection to another: as rank 0 that gathers from one other, and
 * as the other that is told.
 */
#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>

#include "job/star.h"
#include "fuzz.h"

static jmp_buf ended;

__attribute__((noreturn)) static void end(struct job *job, int status)
{
	(void)job;
	longjmp(ended, status ? status : 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct job_kind kind = { .name = "fuzz", .abort = end };
	atomic_int stop = 0;
	struct job job = { .kind = &kind, .size = 2, .local_size = 2, .cpus = 1, .stop = &stop };
	struct star *volatile s;
	unsigned char shared[64];

	if (!size || size > 65536)
		return 0;
	job.rank = data[0] & 1;
	s = star_new(&job, false);
	if (!s)
		abort();
	fuzz_hush();
	star_connect(s, !job.rank, fuzz_socket(data + 1, size - 1), "elsewhere");
	if (!setjmp(ended))
		for (;;) {	/* until the connection ends */
			star_gather(s, "mine", 4);
			star_allgather(s, "mine", 4);
			star_bcast(s, shared, sizeof(shared));
		}
	star_free(s);
	return 0;
}
