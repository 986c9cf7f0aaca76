/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/verify/pass.h"

#include "base/error.h"
#include "job/job.h"
#include "job/watchdog.h"
#include "measure/part.h"
#include "measure/session.h"
#include "measure/verify/verify.h"

/*
 * Copies the transfers of a round, each only once, and the round's member `each` (xfer.h). Returns
 * 0, or non-zero if memory runs out.
 */
static int copy_without_repeats(struct round *to, const struct round *r)
{
	int err = 0;

	round_reset(to);
	to->each = r->each;
	for (uint32_t k = 0; k < r->nsteps && !err; k++) {
		const struct xfer *x = r->xfers + r->steps[k].first, *end = x + r->steps[k].n;

		err = round_step(to, 1, 1, 1);
		for (; x < end && !err; x++) {
			err = round_add(to, x->op, x->peer, x->lane, x->buf, x->len);
			if (!err) {
				to->xfers[to->nxfers - 1].origin = x->origin;
				to->xfers[to->nxfers - 1].from = x->from;
			}
		}
	}
	return err;
}

uint64_t verify_one_by_one(struct session *s, uint64_t times, uint64_t *checked)
{
	const struct backend *be = s->ep->be;
	struct round *round = &s->part.single;
	uint64_t wrong = 0;
	double seconds;

	if (copy_without_repeats(round, &s->part.round))
		session_abort(s, error_report("no memory for a round"));
	/*
	 * in virtual time, wait until all ranks have ended their rounds, because the messages sent
	 * here would delay other ranks
	 */
	if (s->ep->caps & CAP_VIRTUAL)
		s->job->kind->barrier(s->job);
	for (uint64_t i = 0; i < times; i++) {
		uint64_t seq = s->seq++;
		int err;

		if (s->part.lost)
			continue;
		verify_prepare(s, round, seq);
		err = be->arm ? be->arm(s->ep, round) : ST_OK;
		part_announce_round(s, 1);
		if (!err)
			err = be->run(s->ep, round, &seconds);
		doing_round_end(s->job->doing);
		s->part.lost = err == ST_LOST;
		if (err && !s->part.lost)
			session_abort(s, err);
		if (!err)
			wrong += verify_check(s, round, seq, seq, checked);
	}
	return wrong;
}
