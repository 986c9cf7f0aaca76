/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/collective/adding.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/sort.h"
#include "measure/session.h"

#define VECTOR_B (32U << 10)	/* length of a vector, bytes */
#define ROUNDS 21
#define ADDITIONS 16		/* additions of a round */

double adding_measure(struct session *s, bool max)
{
	bool virtual = s->ep->caps & CAP_VIRTUAL;
	struct round r = { 0 };
	double *vectors = calloc(2, VECTOR_B), took[ROUNDS], mine, slowest = 0;
	size_t n = virtual ? 1 : ROUNDS;
	const double *all;
	int err = !vectors || round_step(&r, 1, 1, 1) ||
		  round_add_local(&r, (struct local){ true, vectors, vectors + VECTOR_B / 8,
						      VECTOR_B });

	if (err)
		session_abort(s, error_report("no memory for a round"));
	/* in virtual time only the time of the addition passes */
	r.block.on = true;
	r.block.hollow = virtual;
	r.block.max = max;
	r.count = virtual ? 1 : ADDITIONS;
	if (!virtual && s->ep->be->arm)		/* in virtual time, faults count rounds */
		err = s->ep->be->arm(s->ep, &r);
	for (size_t i = 0; i < n && !err; i++)
		err = s->ep->be->run(s->ep, &r, &took[i]);
	if (err)
		session_abort(s, err);
	mine = median(took, n) / (double)r.count / VECTOR_B;
	round_free(&r);
	free(vectors);
	all = session_gather(s, &mine, sizeof(mine));
	for (int i = 0; all && i < s->job->size; i++)
		slowest = fmax(slowest, all[i]);
	return slowest;
}
