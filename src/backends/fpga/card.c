/* SPDX-License-Identifier: Apache-2.0 */
/* A card's memory, the arguments of its kernels, and waiting for them. */
#include <string.h>

#include "backends/fpga/fpga.h"
#include "base/error.h"

/* ---- memory ---- */

bool fpga_memory(struct fpga *f, size_t len, struct fpga_buffer *b)
{
	*b = (struct fpga_buffer){ .len = (len + BACKEND_PAGE) / BACKEND_PAGE * BACKEND_PAGE };
	if (!f->on->get_memory(f, b)) {
		error_report("card '%s' has no memory for %zu bytes", f->device, len);
		return false;
	}
	memset(b->mem, 0, b->len);
	return true;
}

/* With room for a whole last beat, which kernels read to its end. */
void *fpga_alloc(struct endpoint *ep, size_t len)
{
	struct fpga *f = fpga_of(ep);
	struct fpga_buffer *b = f->bufs;

	while (b < f->bufs + f->nbufs && b->mem)
		b++;
	if (b == f->bufs + FPGA_BUFFERS || !fpga_memory(f, len + (size_t)f->width * f->lanes, b))
		return NULL;
	if (b == f->bufs + f->nbufs)
		f->nbufs++;
	return b->mem;
}

void fpga_release(struct endpoint *ep, void *buf)
{
	struct fpga *f = fpga_of(ep);
	struct fpga_buffer *b = fpga_buffer(f, buf);

	if (b && b != &f->spare) {
		f->on->free_memory(f, b);
		*b = (struct fpga_buffer){ NULL, NULL, 0 };
	}
}

struct fpga_buffer *fpga_buffer(struct fpga *f, const void *mem)
{
	for (int i = 0; i < f->nbufs && mem; i++)
		if (f->bufs[i].mem == mem)
			return &f->bufs[i];
	return mem ? NULL : &f->spare;
}

/* ---- kernels ---- */

int fpga_not_started(const struct fpga *f, const struct fpga_unit *u)
{
	return error_report("rank %d: kernel '%s' does not start on card '%s'", f->ep.job->rank,
			    u->name, f->device);
}

int fpga_kernel_failed(const struct fpga *f, const struct fpga_unit *u)
{
	return error_report("rank %d: kernel '%s' has failed on card '%s'", f->ep.job->rank,
			    u->name, f->device);
}

int fpga_set(struct fpga *f, struct fpga_unit *u, bool sends, uint32_t iterations)
{
	const struct fpga_platform *on = f->on;
	const uint64_t step = FPGA_STEP;
	bool ok = on->set_value(u, ARG_ITERATIONS, &iterations, sizeof(iterations));

	for (int k = 0; k < STAGES && ok; k++) {
		const struct fpga_stage *s = &u->stages[k];
		int at = sends ? SEND_ARG(k, 0) : RECV_ARG(k, 0);

		ok = on->set_buffer(u, at + STAGE_MESSAGE, s->buf ? s->buf : &f->spare) &&
		     on->set_value(u, at + STAGE_SIZE, &s->size, sizeof(s->size)) &&
		     on->set_value(u, at + STAGE_COUNT, &s->count, sizeof(s->count)) &&
		     on->set_value(u, at + STAGE_FLAGS, &s->flags, sizeof(s->flags));
		if (ok && sends)
			ok = on->set_value(u, at + STAGE_FIRST, &s->first, sizeof(s->first)) &&
			     on->set_value(u, at + STAGE_STEP, &step, sizeof(step));
	}
	return ok ? ST_OK : error_report("rank %d: kernel '%s' does not take its arguments",
					 f->ep.job->rank, u->name);
}

int fpga_await(struct fpga *f, struct fpga_unit *u, double seconds, const char *hint)
{
	enum fpga_end how = f->on->wait(u, seconds);

	if (how == FPGA_ENDED)
		return ST_OK;
	if (how == FPGA_FAILED)
		return fpga_kernel_failed(f, u);
	return error_report("rank %d: kernel '%s' on card '%s' has not ended within %g s%s",
			    f->ep.job->rank, u->name, f->device, seconds, hint);
}

bool fpga_copy(struct fpga *f, struct fpga_buffer *b, bool to_card, size_t len)
{
	bool ok = f->on->copy(f, b, to_card, len);

	if (!ok)
		error_report("rank %d: memory of card '%s' cannot be %s", f->ep.job->rank,
			     f->device, to_card ? "written" : "read");
	return ok;
}
