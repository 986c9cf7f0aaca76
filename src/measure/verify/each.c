/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/verify/each.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "measure/session.h"
#include "measure/verify/choice.h"

/* ---- memory ---- */

/*
 * Returns the largest number of a spec's messages that any rank keeps in memory at the same time.
 */
static uint64_t count_kept_messages(const struct plan *p, const struct spec *spec)
{
	uint64_t most = each_max_loops(p->settings, spec, p->ranks);
	uint64_t loops = each_is_timed(p->settings, spec) ? 1 : most;

	if (!each_is_asked(p->settings, spec) || loops == UINT64_MAX)
		return 0;
	return loops * (uint64_t)spec_max_messages(spec, p->ranks);
}

size_t each_memory_size(const struct plan *p)
{
	size_t most = 0;

	for (const struct spec *spec = p->specs; spec < p->specs + p->n; spec++) {
		size_t bytes = count_kept_messages(p, spec) * each_stride(spec->size);

		most = bytes > most ? bytes : most;
	}
	return (most + BACKEND_PAGE - 1) / BACKEND_PAGE * BACKEND_PAGE;
}

static int allocate_cells(struct session *s)
{
	struct each *e = &s->part.each;
	uint64_t most = 0;

	for (size_t i = 0; i < s->plan->n; i++) {
		uint64_t n = count_kept_messages(s->plan, &s->plan->specs[i]);

		most = n > most ? n : most;
	}
	e->cells = calloc(most, sizeof(*e->cells));
	for (; e->cells && e->ncells < most; e->ncells++)
		if (!(e->cells[e->ncells] = s->ep->be->alloc(s->ep, EACH_LINE)))
			break;
	return e->ncells == most ? ST_OK : error_report("no memory for %llu messages",
							(unsigned long long)most);
}

int each_open(struct session *s)
{
	size_t bytes = each_memory_size(s->plan);

	if (!bytes)
		return ST_OK;
	if (s->ep->limits.content_len < bytes)
		return allocate_cells(s);
	s->part.each.memory = s->ep->be->alloc(s->ep, bytes);
	if (!s->part.each.memory)
		return error_report("no memory for the messages of a round: %zu bytes", bytes);
	/* after this write the pages exist, in memory near the rank */
	memset(s->part.each.memory, 1, bytes);
	return ST_OK;
}

void each_close(struct session *s)
{
	struct each *e = &s->part.each;

	if (e->memory)
		s->ep->be->release(s->ep, e->memory);
	for (uint64_t i = 0; i < e->ncells; i++)
		s->ep->be->release(s->ep, e->cells[i]);
	free(e->cells);
	free(e->number);
	free(e->of_pair);
	free(e->requests);
}

/* ---- the list of transfers ---- */

static uint32_t count_messages(const struct round *r)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->nsteps; i++)
		n += r->steps[i].n * r->steps[i].repeat;
	return n;
}

/*
 * Returns the buffer of a transfer. All transfers of a shared message use the buffer of its first
 * transfer in the iteration.
 */
static void *assign_buffer(const struct each *e, const struct xfer *x, uint64_t *used,
			       void **shared, size_t len)
{
	void *buf;

	if (x->origin != XFER_OWN && *shared)
		return *shared;
	buf = e->cells ? e->cells[*used] : e->memory + *used * len;
	*used += 1;
	if (x->origin != XFER_OWN)
		*shared = buf;
	return buf;
}

/*
 * Numbers the transfers of an iteration, separately for each peer and direction. Returns ST_OK, or
 * ST_FAILED (reported).
 */
static int number(struct each *e, const struct xfer *x, int nranks)
{
	uint32_t *sums = calloc(2 * (size_t)nranks, sizeof(*sums));

	free(e->number);
	free(e->of_pair);
	e->number = calloc(e->n + 1, sizeof(*e->number));
	e->of_pair = calloc(e->n + 1, sizeof(*e->of_pair));
	for (int pass = 0; sums && e->number && e->of_pair && pass < 2; pass++)
		for (uint32_t i = 0; i < e->n; i++) {
			uint32_t *sum = &sums[2 * x[i].peer + (x[i].op == OP_SEND)];

			if (x[i].origin != XFER_OWN)
				e->of_pair[i] = 1;
			else if (pass)
				e->of_pair[i] = *sum;
			else
				e->number[i] = (*sum)++;
		}
	free(sums);
	return sums && e->number && e->of_pair ? ST_OK : error_report("no memory for a round");
}

int each_list_transfers(struct session *s, const struct spec *spec)
{
	struct each *e = &s->part.each;
	struct round *r = &s->part.round;
	bool timed = each_is_timed(s->settings, spec);
	uint64_t loops = timed ? 1 : r->count, used = 0;
	struct xfer *all, *x;

	e->n = count_messages(r);
	all = x = calloc(loops * e->n + 1, sizeof(*all));
	if (!all)
		return error_report("no memory for a round");
	for (uint64_t i = 0; i < loops; i++) {
		void *shared = NULL;

		for (struct step *t = r->steps; t < r->steps + r->nsteps; t++)
			for (uint32_t k = 0; k < t->repeat * t->n; k++) {
				*x = r->xfers[t->first + k % t->n];
				x->buf = assign_buffer(e, x, &used, &shared,
							   each_stride(spec->size));
				x++;
			}
	}
	for (uint32_t i = 0, first = 0; i < r->nsteps; i++) {
		r->steps[i].first = first;
		first += r->steps[i].n * r->steps[i].repeat;
	}
	free(r->xfers);
	r->xfers = all;
	r->nxfers = (uint32_t)(loops * e->n);
	r->each = true;
	free(e->requests);
	e->requests = timed ? calloc(e->n + 1, sizeof(*e->requests)) : NULL;
	if (timed && !e->requests)
		return error_report("no memory for a round");
	return number(e, all, s->job->size);
}
