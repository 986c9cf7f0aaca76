/* SPDX-License-Identifier: Apache-2.0 */
#include "model/schedule/schedule.h"

#include <stdlib.h>

void schedule_reset(struct schedule *s)
{
	s->nmoves = s->nsteps = 0;
	s->scratch = 0;
	s->failed = false;
}

void schedule_free(struct schedule *s)
{
	free(s->moves);
	free(s->first);
	*s = (struct schedule){ 0 };
}

static bool is_local(const struct move *m)
{
	return m->kind == MOVE_COPY || m->kind == MOVE_ADD;
}

/* Doubles the size of an array if it is full. Returns false if memory runs out. */
static bool grow_if_full(void **array, uint32_t n, uint32_t *room, size_t size)
{
	uint32_t more = *room ? 2 * *room : 16;
	void *larger = *array;

	if (n < *room)
		return true;
	larger = realloc(larger, more * size);
	if (!larger)
		return false;
	*array = larger;
	*room = more;
	return true;
}

void schedule_step(struct schedule *s)
{
	void *first = s->first;

	if (s->nsteps && s->first[s->nsteps - 1] == s->nmoves)
		return;
	if (!grow_if_full(&first, s->nsteps + 1, &s->room_steps, sizeof(*s->first))) {
		s->failed = true;
		return;
	}
	s->first = first;
	s->first[s->nsteps++] = s->nmoves;
	s->first[s->nsteps] = s->nmoves;
}

static void record_scratch_use(struct schedule *s, struct span part, uint64_t len)
{
	if (part.vector == VECTOR_SCRATCH && part.at + len > s->scratch)
		s->scratch = part.at + len;
}

static void add_move(struct schedule *s, struct move m)
{
	void *moves = s->moves;

	if (s->failed || !grow_if_full(&moves, s->nmoves, &s->room_moves, sizeof(m))) {
		s->failed = true;
		return;
	}
	s->moves = moves;
	s->moves[s->nmoves++] = m;
	s->first[s->nsteps] = s->nmoves;
	record_scratch_use(s, m.part, m.len);
	if (is_local(&m))
		record_scratch_use(s, m.from, m.len);
}

void schedule_send(struct schedule *s, uint32_t to, struct span part, uint64_t len)
{
	add_move(s, (struct move){ .kind = MOVE_SEND, .peer = to, .part = part, .len = len });
}

void schedule_receive(struct schedule *s, uint32_t from, struct span part, uint64_t len)
{
	add_move(s, (struct move){ .kind = MOVE_RECEIVE, .peer = from, .part = part, .len = len });
}

static void add_local(struct schedule *s, enum move_kind kind, struct span to, struct span from,
			   uint64_t len)
{
	if (!len || (kind == MOVE_COPY && to.vector == from.vector && to.at == from.at))
		return;
	if (!s->nsteps ||
	    (s->nmoves > s->first[s->nsteps - 1] && !is_local(&s->moves[s->nmoves - 1])))
		schedule_step(s);
	add_move(s, (struct move){ kind, 0, to, from, len });
}

void schedule_copy(struct schedule *s, struct span to, struct span from, uint64_t len)
{
	add_local(s, MOVE_COPY, to, from, len);
}

void schedule_add(struct schedule *s, struct span to, struct span from, uint64_t len)
{
	add_local(s, MOVE_ADD, to, from, len);
}
