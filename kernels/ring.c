/* SPDX-License-Identifier: Apache-2.0 */
#include "ring.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SPINS 100	/* polls in a row, for a writer that runs at the same time: 2-4 us */
#define YIELDS 50	/* polls that yield the processor in between, for a writer without a core */
#define NAP_NS 50000000		/* longest sleep, ns; so a lost wake-up costs no more */

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

static void sleep_on(_Atomic uint32_t *flag)
{
	struct timespec nap = { .tv_nsec = NAP_NS };

	syscall(SYS_futex, flag, FUTEX_WAIT, 1, &nap, NULL, 0);
}

static void wake(_Atomic uint32_t *flag)
{
	if (atomic_load(flag) && atomic_exchange(flag, 0))
		syscall(SYS_futex, flag, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Waits until *counter differs from `seen`. False if *stop became true. */
static bool wait_change(_Atomic uint32_t *counter, uint32_t seen, _Atomic uint32_t *flag,
			stop_flag *stop)
{
	for (int i = 0; i < SPINS; i++) {
		if (atomic_load_explicit(counter, memory_order_acquire) != seen)
			return !atomic_load_explicit(stop, memory_order_relaxed);
		relax();
	}
	for (int i = 0; i < YIELDS; i++) {
		sched_yield();
		if (atomic_load_explicit(counter, memory_order_acquire) != seen)
			return !atomic_load_explicit(stop, memory_order_relaxed);
	}
	while (!atomic_load(stop)) {
		atomic_store(flag, 1);
		if (atomic_load(counter) != seen)
			return true;
		if (!atomic_load(stop))
			sleep_on(flag);
		if (atomic_load(counter) != seen)
			return true;
	}
	return false;
}

/*
 * Waits at a channel that is not wired: no chunk ever comes or goes. Returns false when *stop is
 * true.
 */
static bool wait_for_ever(stop_flag *stop)
{
	while (!atomic_load(stop))
		nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
	return false;
}

struct ring *ring_new(void)
{
	void *r = mmap(NULL, RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return r == MAP_FAILED ? NULL : r;
}

struct ring *ring_map(int fd)
{
	struct stat st;
	void *r;

	if (fstat(fd, &st) || ((size_t)st.st_size < RING_BYTES && ftruncate(fd, RING_BYTES)))
		return NULL;
	r = mmap(NULL, RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return r == MAP_FAILED ? NULL : r;
}

void ring_unmap(struct ring *r)
{
	if (r)
		munmap(r, RING_BYTES);
}

int ring_agree(struct ring *r, uint32_t width)
{
	uint32_t set = 0;

	if (atomic_compare_exchange_strong(&r->width, &set, width) || set == width)
		return 0;
	return -EPROTO;
}

void port_writer(struct port *p, struct ring *r, uint32_t width)
{
	*p = (struct port){ .ring = r, .width = width };
	if (!r)
		return;
	p->at = p->shown = p->message = atomic_load(&r->head);
	p->limit = atomic_load(&r->tail) + RING_CHUNKS;
}

void port_reader(struct port *p, struct ring *r, uint32_t width)
{
	*p = (struct port){ .ring = r, .width = width };
	if (!r)
		return;
	p->at = p->shown = p->message = atomic_load(&r->tail);
	p->limit = atomic_load(&r->head);
}

void port_look(struct port *p)
{
	if (p->ring)
		p->limit = atomic_load(&p->ring->head);
}

void port_show_written(struct port *p)
{
	p->shown = p->at;
	atomic_store(&p->ring->head, p->at);
	wake(&p->ring->reader_sleeps);
}

void port_show_read(struct port *p)
{
	p->shown = p->at;
	atomic_store(&p->ring->tail, p->at);
	wake(&p->ring->writer_sleeps);
}

bool port_wait_room(struct port *p, stop_flag *stop)
{
	struct ring *r = p->ring;

	if (!r)
		return wait_for_ever(stop);
	if (p->shown != p->at)
		port_show_written(p);
	if (!wait_change(&r->tail, p->at - RING_CHUNKS, &r->writer_sleeps, stop))
		return false;
	p->limit = atomic_load(&r->tail) + RING_CHUNKS;
	return true;
}

bool port_wait_chunks(struct port *p, stop_flag *stop)
{
	struct ring *r = p->ring;

	if (!r)
		return wait_for_ever(stop);
	if (p->shown != p->at)
		port_show_read(p);
	if (!wait_change(&r->head, p->at, &r->reader_sleeps, stop))
		return false;
	p->limit = atomic_load(&r->head);
	return true;
}

void ring_rouse(struct ring *r)
{
	if (!r)
		return;
	atomic_store(&r->reader_sleeps, 1);
	wake(&r->reader_sleeps);
	atomic_store(&r->writer_sleeps, 1);
	wake(&r->writer_sleeps);
}
