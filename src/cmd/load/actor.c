/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/load/actor.h"

int actor_complete_sends(struct actor *a, struct message_slots *r)
{
	int err = ST_OK;

	for (uint32_t i = 0; i < r->n && r->req && !err; i++)
		if (!r->req[i].done)
			err = a->be->wait(a->ep, &r->req[i]);
	return err;
}

uint32_t actor_slots(const struct load_args *a)
{
	return a->window > LOAD_PACED ? a->window : LOAD_PACED;
}

void actor_pause_until(struct actor *a, double until)
{
	double t = look_at_clock(a);

	if (a->ep->caps & CAP_VIRTUAL && t < until)
		a->be->compute(a->ep, (until - t) * a->ep->tick_s);
	while (look_at_clock(a) < until)
		if (actor_shares_cpus(a))
			sched_yield();
}
