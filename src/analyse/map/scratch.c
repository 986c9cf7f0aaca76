/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/scratch.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"

struct scratch_piece {
	struct scratch_piece *before;
	max_align_t data[];
};

int scratch_run(struct scratch *room, void (*compute)(void *arg), void *arg)
{
	jmp_buf out;

	*room = (struct scratch){ .out = &out };
	if (_setjmp(out)) {
		scratch_free(room, NULL);
		return ST_FAILED;
	}
	compute(arg);
	scratch_free(room, NULL);
	return ST_OK;
}

void *scratch_take(struct scratch *room, size_t n, size_t size)
{
	struct scratch_piece *piece = NULL;

	if (n < (SIZE_MAX - sizeof(*piece)) / size)
		piece = calloc(1, sizeof(*piece) + n * size);
	if (!piece) {
		error_report("no memory to judge: %zu values are too many", n);
		scratch_give_up(room);
	}
	piece->before = room->last;
	room->last = piece;
	return piece->data;
}

void scratch_free(struct scratch *room, struct scratch_piece *mark)
{
	while (room->last != mark) {
		struct scratch_piece *piece = room->last;

		room->last = piece->before;
		free(piece);
	}
}

void scratch_give_up(struct scratch *room)
{
	_longjmp(*room->out, 1);
}
