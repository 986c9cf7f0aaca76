/* SPDX-License-Identifier: Apache-2.0 */
/* Buffer objects. Card memory is separate from host memory: only synchronised data are there. */
#include "card.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE UINT64_C(4096)
#define MEMORY_MOST (UINT64_C(4) << 30)	/* the size in the image's topology */
#define MEMORY_LEAST (UINT64_C(64) << 20)

int memory_open(struct card *c)
{
	void *m = MAP_FAILED;
	uint64_t size = MEMORY_MOST * 2;

	while (m == MAP_FAILED && size > MEMORY_LEAST) {
		size /= 2;
		m = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	}
	if (m == MAP_FAILED)
		return -ENOMEM;
	c->memory = m;
	c->memory_size = size;
	return 0;
}

static void release_buffer(struct buffer *b)
{
	if (b->owned)
		free(b->host);
	*b = (struct buffer){ 0 };
}

void memory_close(struct card *c)
{
	for (size_t i = 0; i < c->nbuffers; i++)
		release_buffer(&c->buffers[i]);
	free(c->buffers);
	c->buffers = NULL;
	c->nbuffers = 0;
	munmap(c->memory, c->memory_size);
	c->memory = NULL;
	c->memory_size = 0;
}

struct buffer *memory_buffer(struct card *c, xclBufferHandle handle)
{
	return handle < c->nbuffers && c->buffers[handle].used ? &c->buffers[handle] : NULL;
}

static uint64_t round_to_pages(size_t size)
{
	return (size + PAGE - 1) / PAGE * PAGE;
}

static bool in_memory(const struct buffer *b)
{
	return b->used && !(b->flags & XCL_BO_FLAGS_EXECBUF);
}

/* Returns a buffer that overlaps [at, at + size); NULL: there is none. */
static const struct buffer *overlapping(const struct card *c, uint64_t at, size_t size)
{
	for (size_t i = 0; i < c->nbuffers; i++) {
		const struct buffer *b = &c->buffers[i];

		if (in_memory(b) && at < b->address + round_to_pages(b->size) &&
		    b->address < at + round_to_pages(size))
			return b;
	}
	return NULL;
}

uint64_t memory_bank(const struct card *c, unsigned bank)
{
	return c->banks ? c->memory_size / c->banks * bank : 0;
}

/*
 * Finds the first gap that fits in the bank that `flags` names. Address 0 is never used, so that an
 * argument that was not set is no buffer.
 */
static int place_buffer(const struct card *c, unsigned flags, size_t size, uint64_t *address)
{
	unsigned bank = flags & XRT_BO_FLAGS_MEMIDX_MASK;
	uint64_t at = memory_bank(c, bank);
	uint64_t end = c->banks ? memory_bank(c, bank + 1) : c->memory_size;
	const struct buffer *b;

	at = at ? at : PAGE;
	if (size > c->memory_size || (c->banks && bank >= c->banks))
		return -ENOMEM;
	while ((b = overlapping(c, at, size)))
		at = b->address + round_to_pages(b->size);
	*address = at;
	return at + round_to_pages(size) <= end ? 0 : -ENOMEM;
}

/* Returns a free handle; XRT_NULL_BO without memory. */
static xclBufferHandle free_handle(struct card *c)
{
	struct buffer *more;

	for (size_t i = 0; i < c->nbuffers; i++)
		if (!c->buffers[i].used)
			return (xclBufferHandle)i;
	more = realloc(c->buffers, (2 * c->nbuffers + 16) * sizeof(*more));
	if (!more)
		return XRT_NULL_BO;
	memset(more + c->nbuffers, 0, (c->nbuffers + 16) * sizeof(*more));
	c->buffers = more;
	c->nbuffers = 2 * c->nbuffers + 16;
	return (xclBufferHandle)((c->nbuffers - 16) / 2);
}

static xclBufferHandle add_buffer(struct card *c, struct buffer b)
{
	xclBufferHandle handle;

	pthread_mutex_lock(&c->lock);
	handle = free_handle(c);
	if (handle != XRT_NULL_BO) {
		b.used = true;
		b.serial = ++c->serial;
		if (in_memory(&b) && place_buffer(c, b.flags, b.size, &b.address))
			handle = XRT_NULL_BO;
		else
			c->buffers[handle] = b;
	}
	pthread_mutex_unlock(&c->lock);
	if (handle == XRT_NULL_BO) {
		errno = ENOMEM;
		if (b.owned)
			free(b.host);
	}
	return handle;
}

xclBufferHandle xclAllocBO(xclDeviceHandle handle, size_t size, int unused, unsigned flags)
{
	struct buffer b = { .owned = true, .size = size, .flags = flags };

	(void)unused;
	b.host = aligned_alloc(PAGE, round_to_pages(size ? size : 1));
	if (!b.host) {
		errno = ENOMEM;
		return XRT_NULL_BO;
	}
	memset(b.host, 0, round_to_pages(size ? size : 1));
	return add_buffer(handle, b);
}

xclBufferHandle xclAllocUserPtrBO(xclDeviceHandle handle, void *host, size_t size, unsigned flags)
{
	return add_buffer(handle, (struct buffer){ .host = host, .size = size, .flags = flags });
}

void xclFreeBO(xclDeviceHandle handle, xclBufferHandle id)
{
	struct card *c = handle;
	struct buffer *b;

	pthread_mutex_lock(&c->lock);
	b = memory_buffer(c, id);
	if (b) {
		if (in_memory(b))
			madvise(c->memory + b->address, round_to_pages(b->size), MADV_DONTNEED);
		release_buffer(b);
	}
	pthread_mutex_unlock(&c->lock);
}

void *xclMapBO(xclDeviceHandle handle, xclBufferHandle id, bool write)
{
	struct card *c = handle;
	struct buffer *b;
	void *host;

	(void)write;
	pthread_mutex_lock(&c->lock);
	b = memory_buffer(c, id);
	host = b ? b->host : NULL;
	pthread_mutex_unlock(&c->lock);
	return host;
}

int xclUnmapBO(xclDeviceHandle handle, xclBufferHandle id, void *host)
{
	(void)handle;
	(void)id;
	(void)host;
	return 0;
}

static bool within(const struct buffer *b, size_t size, size_t offset)
{
	return b && in_memory(b) && offset <= b->size && size <= b->size - offset;
}

int xclSyncBO(xclDeviceHandle handle, xclBufferHandle id, enum xclBOSyncDirection dir, size_t size,
	      size_t offset)
{
	struct card *c = handle;
	struct buffer b = { 0 };

	pthread_mutex_lock(&c->lock);
	if (memory_buffer(c, id))
		b = *memory_buffer(c, id);
	pthread_mutex_unlock(&c->lock);
	if (!within(&b, size, offset))
		return -EINVAL;
	if (dir == XCL_BO_SYNC_BO_TO_DEVICE)
		memcpy(c->memory + b.address + offset, (char *)b.host + offset, size);
	else if (dir == XCL_BO_SYNC_BO_FROM_DEVICE)
		memcpy((char *)b.host + offset, c->memory + b.address + offset, size);
	else
		return -EINVAL;
	return 0;
}

int xclCopyBO(xclDeviceHandle handle, xclBufferHandle to, xclBufferHandle from, size_t size,
	      size_t to_offset, size_t from_offset)
{
	struct card *c = handle;
	const struct buffer *dst, *src;
	int err = -EINVAL;

	pthread_mutex_lock(&c->lock);
	dst = memory_buffer(c, to);
	src = memory_buffer(c, from);
	if (within(dst, size, to_offset) && within(src, size, from_offset)) {
		memmove(c->memory + dst->address + to_offset,
			c->memory + src->address + from_offset, size);
		err = 0;
	}
	pthread_mutex_unlock(&c->lock);
	return err;
}

int xclGetBOProperties(xclDeviceHandle handle, xclBufferHandle id, struct xclBOProperties *p)
{
	struct card *c = handle;
	const struct buffer *b;

	pthread_mutex_lock(&c->lock);
	b = memory_buffer(c, id);
	if (b)
		*p = (struct xclBOProperties){ .handle = id, .flags = b->flags, .size = b->size,
					       .paddr = b->address };
	pthread_mutex_unlock(&c->lock);
	return b ? 0 : -EINVAL;
}
