/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `shm`: its options, and the anonymous file of shared memory that all ranks map (see
 * shm.c).
 */
#include <fcntl.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>

#include "backends/shm/open.h"
#include "base/clock.h"

#define PAGE BACKEND_PAGE
/* bytes; two copies of a message that is not longer cost less than a system call */
#define EAGER_CMA 4096

static const char *const copy_names[] = { "auto", "cma", "ring", NULL };

const struct opt shm_options[] = {
	{ 0, "ring-size", "size", OPT_SIZE, offsetof(struct shm_opts, ring_size), .def = "64k",
	  .min = 4096, .max = 1 << 26,
	  .help = "size of the ring's data area, for each ordered pair of ranks; a power of two" },
	{ 0, "eager", "size", OPT_SIZE, offsetof(struct shm_opts, eager), .def = "auto",
	  .max = 1 << 30, .word = "auto",
	  .help = "longest message that goes through the ring; longer ones are copied once; auto: "
		  "52 from memory that all ranks map, 4k with process_vm_readv; messages up to 52 "
		  "always go through the ring" },
	{ 0, "shm-copy", "how", OPT_CHOICE, offsetof(struct shm_opts, copy), .def = "auto",
	  .choices = copy_names,
	  .help = "how long messages are copied: auto (from memory that all ranks map), cma (from "
		  "private memory by process_vm_readv), ring (from private memory through the "
		  "ring)" },
	{ 0, "shm-wait", "how", OPT_CHOICE, offsetof(struct shm_opts, wait), .def = "auto",
	  .choices = wait_names,
	  .help = "how a rank waits for a message: spin, yield (gives up the processor between "
		  "polls), block (sleeps on a futex), auto (spin, yield, then block)" },
	{ 0 },
};

int shm_probe(const void *options, char *why, size_t len)
{
	int fd = memfd_create("netbench", MFD_CLOEXEC);

	if (fd < 0) {
		snprintf(why, len, "memfd_create: %s", strerror(errno));
		return -1;
	}
	close(fd);
	return 0;
}

int shm_check(void *options, const struct arguments *given, int nranks)
{
	const struct shm_opts *o = options;

	if (o->ring_size & (o->ring_size - 1))
		return error_usage("value '%llu' of '--ring-size' is not a power of two",
				   (unsigned long long)o->ring_size);
	if (o->copy == COPY_RING && arguments_given(given, "eager"))
		return error_usage("option '--eager' has no meaning with '--shm-copy ring'");
	return ST_OK;
}

static struct ring_size ring_size(const struct shm *s)
{
	uint32_t data = (uint32_t)s->options->ring_size;

	return (struct ring_size){ .cells = data / 256 < 16 ? 16 : data / 256, .data = data };
}

static size_t round_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

/*
 * Rank 0 creates the shared file, and the other ranks open this file through /proc. Every rank maps
 * the file. Returns an exit status. Collective.
 */
static int map_shared(struct shm *s)
{
	struct { pid_t pid; int fd; } mine = { getpid(), -1 };
	const struct { pid_t pid; int fd; } *all;
	struct job *job = s->t.ep.job;
	char path[64];
	int fd;

	if (job->rank == 0) {
		mine.fd = memfd_create("netbench", MFD_CLOEXEC);
		if (mine.fd < 0 || ftruncate(mine.fd, (off_t)s->map_len))
			return error_report("cannot make %zu bytes of shared memory: %s",
					    s->map_len, strerror(errno));
	}
	if (job->local_size < job->size)
		return error_unavailable("backend 'shm' works within one machine only; of %d ranks "
					 "only %d are on the machine of rank %d", job->size,
					 job->local_size, job->rank);
	all = job->kind->allgather(job, &mine, sizeof(mine));
	for (int i = 0; i < job->size; i++)
		s->peers[i].pid = all[i].pid;
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", all[0].pid, all[0].fd);
	fd = job->rank ? open(path, O_RDWR | O_CLOEXEC) : mine.fd;
	if (fd < 0)
		return error_report("cannot open rank 0's shared memory '%s': %s", path,
				    strerror(errno));
	s->map = mmap(NULL, s->map_len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (s->map == MAP_FAILED) {
		s->map = NULL;
		error_report("cannot map %zu bytes of shared memory: %s", s->map_len,
			     strerror(errno));
		close(fd);
		return ST_FAILED;
	}
	job->kind->barrier(job);	/* all ranks have opened rank 0's file */
	close(fd);
	return ST_OK;
}

/*
 * Returns true if every rank can read its right neighbour's memory with process_vm_readv.
 * Collective.
 */
static bool probe_cma(struct shm *s)
{
	struct job *job = s->t.ep.job;
	int right = (job->rank + 1) % job->size;
	uint64_t secret = 0x6e657462656e6368U + (uint64_t)job->rank, got = 0;
	uint64_t at = (uint64_t)(uintptr_t)&secret;
	const uint64_t *all = job->kind->allgather(job, &at, sizeof(at));
	struct iovec here = { &got, sizeof(got) };
	struct iovec there = { (void *)(uintptr_t)all[right], sizeof(got) };
	const char *ok;
	char mine;

	mine = process_vm_readv(s->peers[right].pid, &here, 1, &there, 1, 0) == sizeof(got) &&
	       got == 0x6e657462656e6368U + (uint64_t)right;
	ok = job->kind->allgather(job, &mine, 1);
	for (int i = 0; i < job->size; i++)
		if (!ok[i])
			return false;
	return true;
}

void shm_close(struct endpoint *ep)
{
	struct shm *s = shm_of(ep);

	if (!s)
		return;
	if (s->map)
		munmap(s->map, s->map_len);
	free(s->peers);
	free(s->t.active);
	pool_free(&s->t.pool);
	free(s);
}

static int open_shared_memory(struct shm *s, size_t heap)
{
	size_t n = (size_t)s->t.ep.job->size, me = (size_t)s->t.ep.job->rank;
	size_t bells = round_up(n * sizeof(struct bell), PAGE);
	size_t bytes = round_up(ring_bytes(ring_size(s)), PAGE), before = bells + n * n * bytes;
	int err;

	heap = s->copy == COPY_AUTO ? heap : 0;
	s->map_len = before + n * heap;
	s->heap_at = before + me * heap;
	s->heap_end = s->heap_at + heap;
	err = map_shared(s);
	if (err)
		return err;
	for (size_t i = 0; i < n; i++) {
		struct peer *p = &s->peers[i];
		void *tx = s->map + bells + (me * n + i) * bytes;
		void *rx = s->map + bells + (i * n + me) * bytes;

		p->base.rank = (int)i;
		p->bell = (struct bell *)s->map + i;
		ring_attach(&p->tx, tx, ring_size(s), i == me ? NULL : &p->rx);
		ring_attach(&p->rx, rx, ring_size(s), i == me ? NULL : &p->tx);
	}
	s->bell = s->peers[me].bell;
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	s->cma = s->copy != COPY_RING && probe_cma(s);
	if (s->copy == COPY_CMA && !s->cma)
		return error_unavailable("process_vm_readv between ranks is not permitted here; "
					 "try '--shm-copy ring'");
	if (s->copy == COPY_RING)
		s->eager = s->eager_cma = SIZE_MAX;
	s->membarrier = !syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0);
	return ST_OK;
}

int shm_open_endpoint(struct endpoint **ep, struct job *job, const void *options, size_t heap)
{
	const struct shm_opts *o = options;
	struct shm *s = calloc(1, sizeof(*s));
	int err;

	if (!s)
		return error_report("no memory for backend 'shm'");
	s->t.ep = (struct endpoint){
		.job = job,
		.caps = SHM_CAPS,
		.limits = { SIZE_MAX, UINT32_MAX / 4, UINT64_MAX, SIZE_MAX },
		.tick_s = host_clock.tick_s,
	};
	s->peers = calloc((size_t)job->size, sizeof(struct peer));
	s->t.active = calloc((size_t)job->size, sizeof(*s->t.active));
	s->options = o;
	s->copy = (enum copy)o->copy;
	s->eager = o->eager == OPT_AUTO ? CELL_DATA : o->eager;
	s->eager_cma = o->eager == OPT_AUTO ? EAGER_CMA : o->eager;
	s->t.patience = patience_of((enum waiting)o->wait,
				    patience_for(job->local_size, job->cpus));
	err = s->peers && s->t.active ? open_shared_memory(s, heap)
				    : error_report("no memory for %d peers", job->size);
	if (err) {
		shm_close(&s->t.ep);
		return err;
	}
	*ep = &s->t.ep;
	return ST_OK;
}

/*
 * Returns len bytes of the mapping that all ranks share. Returns private memory instead if the
 * option --shm-copy requires it. The page before private memory holds the memory's length.
 */
void *shm_alloc(struct endpoint *ep, size_t len)
{
	struct shm *s = shm_of(ep);
	size_t bytes = round_up(len ? len : 1, PAGE), *p;

	if (s->copy != COPY_AUTO) {
		p = mmap(NULL, bytes + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);
		if (p == MAP_FAILED)
			return NULL;
		*p = bytes + PAGE;
		return (char *)p + PAGE;
	}
	if (bytes > s->heap_end - s->heap_at)
		return NULL;
	s->heap_at += bytes;
	return s->map + s->heap_at - bytes;
}

/* Releases private memory. shm_close releases the shared mapping as a whole. */
void shm_release(struct endpoint *ep, void *buf)
{
	size_t *p;

	if (!buf || is_mapped(shm_of(ep), buf))
		return;
	p = (size_t *)((char *)buf - PAGE);
	munmap(p, *p);
}

void shm_describe(struct endpoint *ep, struct facts *f)
{
	static const char *const how[] = {
		[COPY_AUTO] = "one copy from memory that all ranks map",
		[COPY_CMA] = "one copy with process_vm_readv from private memory",
		[COPY_RING] = "two copies through a ring from private memory",
	};
	const struct shm *s = shm_of(ep);
	enum waiting waiting = (enum waiting)s->options->wait;
	char method[128];

	snprintf(method, sizeof(method), "%s%s%s", how[s->copy], waiting ? ", waiting: " : "",
		 waiting ? wait_texts[waiting] : "");
	fact_text(f, "method", method);
	fact_int(f, "ring_B", (long long)s->options->ring_size);
	if (s->copy != COPY_RING)
		fact_int(f, "eager_B", (long long)(s->copy == COPY_CMA ? s->eager_cma : s->eager));
	fact_text(f, "process_vm_readv", s->cma ? "permitted" : "not used");
	fact_text(f, "waiting", wait_texts[waiting]);
	if (waiting == WAIT_AUTO || waiting == WAIT_BLOCK)
		fact_text(f, "asleep", s->membarrier ? "on a futex, with membarrier"
						     : "on a futex, for 1 ms at most");
}
