/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `mpi` sends messages with the MPI calls of a normal program. It uses MPI_Send and
 * MPI_Recv if each step is a single message. If several messages are in flight, it uses MPI_Isend,
 * MPI_Irecv and MPI_Waitall, or persistent requests. Messages in flight are completed in the order
 * in which they were posted.
 */
#include <limits.h>
#include <unistd.h>

#include "backends/mpi/library.h"
#include "backends/mpi/native.h"
#include "transport/round.h"

enum form { FORM_AUTO, FORM_NONBLOCKING, FORM_PERSISTENT };

static const char *const form_names[] = { "auto", "nonblocking", "persistent", NULL };

struct mpi_opts {
	uint64_t form;
};

static const struct opt mpi_options[] = {
	{ 0, "mpi-form", "form", OPT_CHOICE, offsetof(struct mpi_opts, form), .def = "auto",
	  .choices = form_names,
	  .help = "MPI calls that carry a round: nonblocking (MPI_Isend, MPI_Irecv), persistent "
		  "(MPI_Send_init, MPI_Recv_init, MPI_Start), auto (MPI_Send and MPI_Recv if each "
		  "step is a single message, else nonblocking)" },
	{ 0 },
};

/*
 * The position of a transfer's persistent requests in `kept`. A transfer has one request for each
 * message of the window.
 */
struct slots {
	uint32_t first, n, next;
};

struct mpi {
	struct endpoint ep;
	MPI_Comm comm;
	MPI_Request *flight;		/* circular buffer of the requests in flight, in order */
	uint32_t room, head, count;	/* room: number of entries of `flight`, a power of two */
	const struct xfer *xfers;	/* transfers of the armed round, for the persistent form */
	struct slots *slots;
	MPI_Request *kept;
	uint32_t nkept;
	enum form form;
	struct native_args native;
};

static struct mpi *mpi_of(struct endpoint *ep)
{
	return (struct mpi *)ep;
}

/* Names of the MPI calls for messages, indexed by enum op. */
static const char *const calls[] = {
	[OP_SEND] = "MPI_Send", [OP_RECV] = "MPI_Recv"
};

static const char *call_name(const struct xfer *x)
{
	return x->op == OP_NATIVE ? native_calls[x->lane] : calls[x->op];
}

static inline int post_blocking(struct endpoint *ep, const struct xfer *x)
{
	struct mpi *m = mpi_of(ep);
	int err;

	if (x->op == OP_SEND)
		err = MPI_Send(x->buf, (int)x->len, MPI_BYTE, x->peer, 0, m->comm);
	else if (x->op == OP_NATIVE)
		err = native_perform(&m->native, x);
	else
		err = MPI_Recv(x->buf, (int)x->len, MPI_BYTE, x->peer, 0, m->comm,
			       MPI_STATUS_IGNORE);
	if (__builtin_expect(err, 0))
		return -mpi_report_failure(ep->job, call_name(x), x->peer, err);
	return 1;
}

static inline int no_poll(struct endpoint *ep)
{
	return 0;
}

static inline MPI_Request *next_in_flight(struct mpi *m)
{
	return &m->flight[(m->head + m->count++) & (m->room - 1)];
}

static inline int post_nonblocking(struct endpoint *ep, const struct xfer *x)
{
	struct mpi *m = mpi_of(ep);
	MPI_Request *q = next_in_flight(m);
	int err;

	if (x->op == OP_SEND)
		err = MPI_Isend(x->buf, (int)x->len, MPI_BYTE, x->peer, 0, m->comm, q);
	else if (x->op == OP_NATIVE)
		err = native_start(&m->native, x, q);
	else
		err = MPI_Irecv(x->buf, (int)x->len, MPI_BYTE, x->peer, 0, m->comm, q);
	if (__builtin_expect(err, 0))
		return -mpi_report_failure(ep->job, call_name(x), x->peer, err);
	if (x->op == OP_NATIVE)
		native_compute(&m->native, x);
	return 0;
}

static inline int post_persistent(struct endpoint *ep, const struct xfer *x)
{
	struct mpi *m = mpi_of(ep);
	struct slots *s = &m->slots[x - m->xfers];
	MPI_Request *q = &m->kept[s->first + s->next];
	int err;

	s->next = s->next + 1 < s->n ? s->next + 1 : 0;
	err = MPI_Start(q);
	*next_in_flight(m) = *q;
	if (__builtin_expect(err, 0))
		return -mpi_report_failure(ep->job, "MPI_Start", x->peer, err);
	if (x->op == OP_NATIVE)
		native_compute(&m->native, x);
	return 0;
}

/*
 * Completes requests in order, beginning with the oldest. Stops at the first request that is still
 * in progress. Returns the number of completed requests.
 */
static inline int poll_progress(struct endpoint *ep)
{
	struct mpi *m = mpi_of(ep);
	int done = 0, flag = 1;

	while (m->count) {
		int err = MPI_Test(&m->flight[m->head], &flag, MPI_STATUS_IGNORE);

		if (__builtin_expect(err, 0))
			return -mpi_report_failure(ep->job, "MPI_Test", -1, err);
		if (!flag)
			break;
		m->head = (m->head + 1) & (m->room - 1);
		m->count--;
		done++;
	}
	return done;
}

/*
 * Waits for all requests in flight: those from the head to the end of the circular buffer, then
 * those at its start. Returns their number, or a negative number after a failure.
 */
static inline int drain(struct endpoint *ep)
{
	struct mpi *m = mpi_of(ep);
	uint32_t all = m->count, first = m->room - m->head < all ? m->room - m->head : all;
	int err = MPI_Waitall((int)first, m->flight + m->head, MPI_STATUSES_IGNORE);

	if (!err && all > first)
		err = MPI_Waitall((int)(all - first), m->flight, MPI_STATUSES_IGNORE);
	if (__builtin_expect(err, 0))
		return -mpi_report_failure(ep->job, "MPI_Waitall", -1, err);
	m->head = m->count = 0;
	return (int)all;
}

static void free_persistent(struct mpi *m)
{
	for (uint32_t i = 0; i < m->nkept; i++)
		MPI_Request_free(&m->kept[i]);
	free(m->kept);
	free(m->slots);
	m->kept = NULL;
	m->slots = NULL;
	m->nkept = 0;
}

/*
 * Creates the persistent requests of one transfer, one for each of the `places` messages of the
 * window. Returns an exit status.
 */
static int make_persistent(struct mpi *m, const struct xfer *x, uint32_t places)
{
	int len = (int)x->len, err = MPI_SUCCESS;

	if (x->op == OP_NATIVE && !(native_persistent_operations() & 1U << x->lane) && places)
		return error_unavailable("this MPI has no persistent form of %s; use '--mpi-form "
					 "nonblocking'", native_calls[x->lane]);
	m->slots[x - m->xfers] = (struct slots){ m->nkept, places, 0 };
	for (uint32_t w = 0; w < places && !err; w++) {
		MPI_Request *q = &m->kept[m->nkept];

		if (x->op == OP_SEND)
			err = MPI_Send_init(x->buf, len, MPI_BYTE, x->peer, 0, m->comm, q);
		else if (x->op == OP_RECV)
			err = MPI_Recv_init(x->buf, len, MPI_BYTE, x->peer, 0, m->comm, q);
		else
			err = native_make_persistent(&m->native, x, q);
		m->nkept += !err;
	}
	return err ? mpi_report_failure(m->ep.job, call_name(x), x->peer, err) : ST_OK;
}

/* Creates the persistent requests of all transfers of a round. */
static int make_persistent_requests(struct mpi *m, const struct round *r)
{
	unsigned long long all = r->each ? r->nxfers : 0;
	int err = ST_OK;

	free_persistent(m);
	for (uint32_t i = 0; i < r->nsteps && !r->each; i++)
		all += (uint64_t)r->steps[i].n * r->steps[i].window;
	m->slots = calloc(r->nxfers + 1, sizeof(*m->slots));
	m->kept = calloc(all + 1, sizeof(*m->kept));
	if (!m->slots || !m->kept)
		return error_report("no memory for %llu requests", all);
	m->xfers = r->xfers;
	for (uint32_t i = 0; i < r->nxfers && r->each && !err; i++)
		err = make_persistent(m, &r->xfers[i], 1);
	for (const struct step *p = r->steps; p < r->steps + r->nsteps && !r->each; p++)
		for (uint32_t k = 0; k < p->n && !err; k++)
			err = make_persistent(m, &r->xfers[p->first + k], p->window);
	return err;
}

/* Makes `flight` large enough for all requests that the round has in flight. */
static int arm_round(struct endpoint *ep, const struct round *r)
{
	unsigned long long most = round_in_flight(r), room = 16;
	struct mpi *m = mpi_of(ep);

	if (most > INT_MAX / 2)
		return error_report("a window of %llu messages is too wide", most);
	while (room < most)
		room *= 2;
	m->head = m->count = 0;
	if (room > m->room) {
		free(m->flight);
		m->flight = malloc(room * sizeof(*m->flight));
		m->room = m->flight ? (uint32_t)room : 0;
		if (!m->flight)
			return error_report("no memory for %llu requests", room);
	}
	if (native_prepare(&m->native, r))
		return ST_FAILED;
	return m->form == FORM_PERSISTENT ? make_persistent_requests(m, r) : ST_OK;
}

static int run_round(struct endpoint *ep, const struct round *r, double *seconds)
{
	const struct driver blocking = { .post = post_blocking, .poll = no_poll,
					 .ticks = host_ticks };
	const struct driver nonblocking = { .post = post_nonblocking, .poll = poll_progress,
					    .ticks = host_ticks, .drain = drain, .in_order = true };
	const struct driver persistent = { .post = post_persistent, .poll = poll_progress,
					   .ticks = host_ticks, .drain = drain, .in_order = true };

	if (mpi_of(ep)->form == FORM_PERSISTENT)
		return round_drive(ep, r, persistent, seconds);
	if (mpi_of(ep)->form == FORM_AUTO && round_has_single_messages(r))
		return round_drive(ep, r, blocking, seconds);
	return round_drive(ep, r, nonblocking, seconds);
}

_Static_assert(sizeof(MPI_Request) <= sizeof(uint64_t), "struct request.id holds an MPI_Request");

/* Stores the request of a started call in r. Returns ST_OK, or reports the error `err`. */
static int store_request(struct endpoint *ep, struct request *r, MPI_Request q, const char *call,
			 int peer, int err)
{
	r->done = false;
	r->id = 0;
	memcpy(&r->id, &q, sizeof(q));
	return err ? mpi_report_failure(ep->job, call, peer, err) : ST_OK;
}

static int isend(struct endpoint *ep, int peer, const void *buf, size_t len, struct request *r)
{
	MPI_Request q;
	int err = MPI_Isend(buf, (int)len, MPI_BYTE, peer, 0, mpi_of(ep)->comm, &q);

	r->want = -1;
	return store_request(ep, r, q, "MPI_Isend", peer, err);
}

static int irecv(struct endpoint *ep, int peer, void *buf, size_t len, struct request *r)
{
	MPI_Request q;
	int err = MPI_Irecv(buf, (int)len, MPI_BYTE, peer == PEER_ANY ? MPI_ANY_SOURCE : peer, 0,
			    mpi_of(ep)->comm, &q);

	r->want = 1;
	return store_request(ep, r, q, "MPI_Irecv", peer, err);
}

/* Tests a request, or waits for the request, and stores its results. Returns ST_OK or ST_FAILED. */
static int finish_request(struct endpoint *ep, struct request *r, bool wait)
{
	int flag = 1, err, len = 0;
	MPI_Request q;
	MPI_Status status;

	if (r->done)
		return ST_OK;
	memcpy(&q, &r->id, sizeof(q));
	err = wait ? MPI_Wait(&q, &status) : MPI_Test(&q, &flag, &status);
	if (err)
		return mpi_report_failure(ep->job, wait ? "MPI_Wait" : "MPI_Test", -1, err);
	r->done = flag;
	if (!flag || r->want < 0)
		return ST_OK;
	MPI_Get_count(&status, MPI_BYTE, &len);
	r->peer = status.MPI_SOURCE;
	r->len = (size_t)len;
	return ST_OK;
}

static int test_request(struct endpoint *ep, struct request *r)
{
	return finish_request(ep, r, false);
}

static int wait_for_request(struct endpoint *ep, struct request *r)
{
	return finish_request(ep, r, true);
}

#define CAPS (CAP_RING | CAP_PAIR | CAP_WINDOW | CAP_STAMPS | CAP_MSG | CAP_ANY | CAP_CONTENT | \
	      CAP_NATIVE | CAP_EACH | CAP_FLOW)

static int open_mpi(struct endpoint **ep, struct job *job, const void *options, size_t heap)
{
	struct mpi *m = calloc(1, sizeof(*m));

	if (!m)
		return error_report("no memory for backend 'mpi'");
	m->ep = (struct endpoint){ .job = job, .caps = CAPS,
				   .limits = { INT_MAX, INT_MAX / 8, UINT64_MAX, SIZE_MAX },
				   .tick_s = host_clock.tick_s };
	m->comm = ((struct mpi_job *)job)->data;
	m->form = (enum form)((const struct mpi_opts *)options)->form;
	m->native.comm = m->comm;
	m->ep.natives = m->form == FORM_PERSISTENT ? native_persistent_operations()
						   : native_operations();
	m->ep.overlaps = m->form != FORM_AUTO;
	*ep = &m->ep;
	return ST_OK;
}

static void close_mpi(struct endpoint *ep)
{
	struct mpi *m = mpi_of(ep);

	if (!m)
		return;
	free_persistent(m);
	native_close(&m->native);
	free(m->flight);
	free(m);
}

static void describe(struct endpoint *ep, struct facts *f)
{
	static const char *const forms[] = {
		"blocking if a step is a single message, else non-blocking", "non-blocking",
		"persistent"
	};

	mpi_record(ep->job, f);
	fact_text(f, "form", forms[mpi_of(ep)->form]);
}

static void list(int n, char **files, struct facts *f)
{
	char abi[64];

	library_abi(abi, sizeof(abi));
	fact_text(f, "library", library_name());
	fact_text(f, "file", library_file());
	fact_text(f, "ABI", abi);
}

static int probe(const void *options, char *why, size_t len)
{
	if (library_fits())
		return 0;
	snprintf(why, len, "'%s' is %s, not %s", library_file(), library_name(), MPI_WORDS);
	return -1;
}

NETBENCH_EXPORT const struct backend netbench_backend = {
	.name = "mpi", .summary = "MPI, here " MPI_WORDS,
	.abi = BACKEND_ABI, .caps = CAPS, .job = &job_mpi, .max_ranks = 65536,
	.options = mpi_options, .options_size = sizeof(struct mpi_opts),
	.probe = probe, .list = list,
	.open = open_mpi, .close = close_mpi, .alloc = host_alloc, .release = host_release,
	.arm = arm_round, .run = run_round, .now = host_ticks, .compute = host_compute,
	.describe = describe,
	.isend = isend, .irecv = irecv, .test = test_request, .wait = wait_for_request,
};
