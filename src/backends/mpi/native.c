/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/mpi/native.h"

#include <stdlib.h>

#include "base/error.h"
#include "model/schedule/operation.h"

/*
 * MPI has these functions since version 4. Open MPI 4 has them with the prefix MPIX. The library
 * may be older than mpi.h.
 */
#define PERSISTENT(name, ...) \
	extern int MPI_##name(__VA_ARGS__, MPI_Comm, MPI_Info, MPI_Request *) \
		__attribute__((weak)); \
	extern int MPIX_##name(__VA_ARGS__, MPI_Comm, MPI_Info, MPI_Request *) \
		__attribute__((weak)); \
	static __typeof__(&MPI_##name) find_##name(void) \
	{ \
		return MPI_##name ? MPI_##name : MPIX_##name; \
	}
PERSISTENT(Bcast_init, void *, int, MPI_Datatype, int)
PERSISTENT(Scatter_init, const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int)
PERSISTENT(Gather_init, const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int)
PERSISTENT(Allgather_init, const void *, int, MPI_Datatype, void *, int, MPI_Datatype)
PERSISTENT(Alltoall_init, const void *, int, MPI_Datatype, void *, int, MPI_Datatype)
PERSISTENT(Reduce_init, const void *, void *, int, MPI_Datatype, MPI_Op, int)
PERSISTENT(Allreduce_init, const void *, void *, int, MPI_Datatype, MPI_Op)
PERSISTENT(Reduce_scatter_init, const void *, void *, const int *, MPI_Datatype, MPI_Op)
extern int MPI_Barrier_init(MPI_Comm, MPI_Info, MPI_Request *) __attribute__((weak));
extern int MPIX_Barrier_init(MPI_Comm, MPI_Info, MPI_Request *) __attribute__((weak));

static __typeof__(&MPI_Barrier_init) find_Barrier_init(void)
{
	return MPI_Barrier_init ? MPI_Barrier_init : MPIX_Barrier_init;
}

const char *const native_calls[] = {
	"MPI_Barrier",	"MPI_Bcast",  "MPI_Scatter",   "MPI_Gather",	     "MPI_Allgather",
	"MPI_Alltoall", "MPI_Reduce", "MPI_Allreduce", "MPI_Reduce_scatter",
};

uint32_t native_operations(void)
{
	return (1U << OPERATIONS) - 1;
}

uint32_t native_persistent_operations(void)
{
	const bool has[OPERATIONS] = {
		find_Barrier_init(), find_Bcast_init(), find_Scatter_init(), find_Gather_init(),
		find_Allgather_init(), find_Alltoall_init(), find_Reduce_init(),
		find_Allreduce_init(), find_Reduce_scatter_init(),
	};
	uint32_t set = 0;

	for (uint32_t op = 0; op < OPERATIONS; op++)
		set |= (uint32_t)has[op] << op;
	return set;
}

int native_prepare(struct native_args *a, const struct round *r)
{
	int size;

	a->combine = r->block.max ? MPI_MAX : MPI_SUM;
	a->compute_s = r->block.compute_s;
	a->timed = r->xfers + (r->block.head < r->nsteps ? r->steps[r->block.head].first : 0);
	for (uint32_t i = 0; i < r->nxfers; i++) {
		const struct xfer *x = &r->xfers[i];
		struct cut c;

		if (x->op != OP_NATIVE || x->lane != OPERATION_REDUCE_SCATTER)
			continue;
		MPI_Comm_size(a->comm, &size);
		c = cut_vector(x->len, (uint32_t)size);
		if (!a->counts)
			a->counts = calloc((size_t)size, sizeof(*a->counts));
		if (!a->counts)
			return error_report("no memory for %d ranks", size);
		for (uint32_t v = 0; v < (uint32_t)size; v++)
			a->counts[v] = (int)(cut_stretch(c, v, v + 1).len / 8);
	}
	return ST_OK;
}

void native_close(struct native_args *a)
{
	free(a->counts);
}

/*
 * input_buffer returns the send buffer of an operation, and output_buffer its receive buffer. Each
 * returns MPI_IN_PLACE if the transfer has no such buffer.
 */
static const void *input_buffer(const struct xfer *x)
{
	return x->from ? x->from : MPI_IN_PLACE;
}

static void *output_buffer(const struct xfer *x)
{
	return x->buf ? x->buf : MPI_IN_PLACE;
}

int native_perform(const struct native_args *a, const struct xfer *x)
{
	const void *in = input_buffer(x);
	void *out = output_buffer(x);
	int n = (int)x->len;

	switch ((enum operation)x->lane) {
	case OPERATION_BARRIER:
		return MPI_Barrier(a->comm);
	case OPERATION_BCAST:
		return MPI_Bcast(x->buf, n, MPI_BYTE, x->peer, a->comm);
	case OPERATION_SCATTER:
		return MPI_Scatter(x->from, n, MPI_BYTE, out, n, MPI_BYTE, x->peer, a->comm);
	case OPERATION_GATHER:
		return MPI_Gather(in, n, MPI_BYTE, x->buf, n, MPI_BYTE, x->peer, a->comm);
	case OPERATION_ALLGATHER:
		return MPI_Allgather(in, n, MPI_BYTE, x->buf, n, MPI_BYTE, a->comm);
	case OPERATION_ALLTOALL:
		return MPI_Alltoall(in, n, MPI_BYTE, x->buf, n, MPI_BYTE, a->comm);
	case OPERATION_REDUCE:
		return MPI_Reduce(in, x->buf, n / 8, MPI_DOUBLE, a->combine, x->peer, a->comm);
	case OPERATION_ALLREDUCE:
		return MPI_Allreduce(in, x->buf, n / 8, MPI_DOUBLE, a->combine, a->comm);
	case OPERATION_REDUCE_SCATTER:
		return MPI_Reduce_scatter(in, x->buf, a->counts, MPI_DOUBLE, a->combine, a->comm);
	}
	return MPI_ERR_OP;
}

int native_start(const struct native_args *a, const struct xfer *x, MPI_Request *q)
{
	const void *in = input_buffer(x);
	void *out = output_buffer(x);
	int n = (int)x->len;

	switch ((enum operation)x->lane) {
	case OPERATION_BARRIER:
		return MPI_Ibarrier(a->comm, q);
	case OPERATION_BCAST:
		return MPI_Ibcast(x->buf, n, MPI_BYTE, x->peer, a->comm, q);
	case OPERATION_SCATTER:
		return MPI_Iscatter(x->from, n, MPI_BYTE, out, n, MPI_BYTE, x->peer, a->comm, q);
	case OPERATION_GATHER:
		return MPI_Igather(in, n, MPI_BYTE, x->buf, n, MPI_BYTE, x->peer, a->comm, q);
	case OPERATION_ALLGATHER:
		return MPI_Iallgather(in, n, MPI_BYTE, x->buf, n, MPI_BYTE, a->comm, q);
	case OPERATION_ALLTOALL:
		return MPI_Ialltoall(in, n, MPI_BYTE, x->buf, n, MPI_BYTE, a->comm, q);
	case OPERATION_REDUCE:
		return MPI_Ireduce(in, x->buf, n / 8, MPI_DOUBLE, a->combine, x->peer, a->comm, q);
	case OPERATION_ALLREDUCE:
		return MPI_Iallreduce(in, x->buf, n / 8, MPI_DOUBLE, a->combine, a->comm, q);
	case OPERATION_REDUCE_SCATTER:
		return MPI_Ireduce_scatter(in, x->buf, a->counts, MPI_DOUBLE, a->combine, a->comm,
					   q);
	}
	return MPI_ERR_OP;
}

int native_make_persistent(const struct native_args *a, const struct xfer *x, MPI_Request *q)
{
	const void *in = input_buffer(x);
	void *out = output_buffer(x);
	const MPI_Info none = MPI_INFO_NULL;
	int n = (int)x->len;

	switch ((enum operation)x->lane) {
	case OPERATION_BARRIER:
		return find_Barrier_init()(a->comm, none, q);
	case OPERATION_BCAST:
		return find_Bcast_init()(x->buf, n, MPI_BYTE, x->peer, a->comm, none, q);
	case OPERATION_SCATTER:
		return find_Scatter_init()(x->from, n, MPI_BYTE, out, n, MPI_BYTE, x->peer,
					   a->comm, none, q);
	case OPERATION_GATHER:
		return find_Gather_init()(in, n, MPI_BYTE, x->buf, n, MPI_BYTE, x->peer, a->comm,
					  none, q);
	case OPERATION_ALLGATHER:
		return find_Allgather_init()(in, n, MPI_BYTE, x->buf, n, MPI_BYTE, a->comm, none,
					     q);
	case OPERATION_ALLTOALL:
		return find_Alltoall_init()(in, n, MPI_BYTE, x->buf, n, MPI_BYTE, a->comm, none, q);
	case OPERATION_REDUCE:
		return find_Reduce_init()(in, x->buf, n / 8, MPI_DOUBLE, a->combine, x->peer,
					  a->comm, none, q);
	case OPERATION_ALLREDUCE:
		return find_Allreduce_init()(in, x->buf, n / 8, MPI_DOUBLE, a->combine, a->comm,
					     none, q);
	case OPERATION_REDUCE_SCATTER:
		return find_Reduce_scatter_init()(in, x->buf, a->counts, MPI_DOUBLE, a->combine,
						  a->comm, none, q);
	}
	return MPI_ERR_OP;
}
