/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void need(bool ok, const char *what)
{
	if (!ok) {
		fprintf(stderr, "%s failed\n", what);
		abort();
	}
}

double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

const struct netbench_emulator *host_emulator(void)
{
	static const struct netbench_emulator *emulator;
	void *shim;

	if (emulator)
		return emulator;
	unsetenv("XCL_EMULATION_MODE");
	shim = dlopen(SHIM_DIR "/libxrt_netbench.so.2", RTLD_NOW);
	if (!shim) {
		printf("1..0 # SKIP %s\n", dlerror());
		exit(77);
	}
	emulator = dlsym(shim, EMULATOR_SYMBOL);
	need(emulator && emulator->abi == EMULATOR_ABI, "finding the emulator");
	return emulator;
}

struct host host_open(unsigned index, const char *image)
{
	struct host h = { .index = index, .emulator = host_emulator() };
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", SHIM_DIR, image);
	if (access(path, R_OK))
		snprintf(path, sizeof(path), "%s/%s", TEST_DIR, image);
	h.card = xrtDeviceOpen(index);
	need(h.card, "opening the card");
	need(!xrtDeviceLoadXclbinFile(h.card, path), "loading the image");
	need(!xrtDeviceGetXclbinUUID(h.card, h.image), "the image's name");
	return h;
}

void host_close(struct host *h)
{
	xrtDeviceClose(h->card);
}

void host_loop_back(const struct host *h, unsigned channels)
{
	for (unsigned i = 0; i < channels; i++)
		need(!h->emulator->loop(h->index, i, i), "wiring");
}

xrtBufferHandle host_buffer(const struct host *h, size_t len, int fill)
{
	xrtBufferHandle b = xrtBOAlloc(h->card, (len + 4095) / 4096 * 4096, XRT_BO_FLAGS_NONE, 0);
	void *bytes;

	need(b, "allocating a buffer");
	bytes = xrtBOMap(b);
	need(bytes, "mapping a buffer");
	memset(bytes, fill, len);
	need(!xrtBOSync(b, XCL_BO_SYNC_BO_TO_DEVICE, len, 0), "synchronising");
	return b;
}

const unsigned char *host_fetch(xrtBufferHandle buffer, size_t len)
{
	need(!xrtBOSync(buffer, XCL_BO_SYNC_BO_FROM_DEVICE, len, 0), "synchronising");
	return xrtBOMap(buffer);
}

static void set_stage(xrtRunHandle run, const struct stage *s, bool sends, int i,
		      uint32_t iterations)
{
	int base = sends ? SEND_ARG(i, 0) : RECV_ARG(i, 0);
	uint64_t messages = (uint64_t)s->count * iterations;

	need(!xrtRunSetArg(run, base + STAGE_SIZE, s->size), "argument size");
	need(!xrtRunSetArg(run, base + STAGE_COUNT, s->count), "argument count");
	need(!xrtRunSetArg(run, base + STAGE_FLAGS, s->flags), "argument flags");
	if (!sends && s->buffer)
		need(!xrtRunSetArg(run, base + STAGE_MESSAGE, s->buffer), "argument message");
	if (!sends)
		return;
	need(!xrtRunSetArg(run, base + STAGE_FIRST, s->first), "argument first");
	need(!xrtRunSetArg(run, base + STAGE_STEP, s->step), "argument step");
	need(!xrtRunSetArg(run, base + STAGE_LAST, s->first + s->step * (messages - 1)),
	     "argument last");
}

struct started host_prepare(const struct host *h, const struct program *p)
{
	struct started s;
	char name[64];

	snprintf(name, sizeof(name), "%s:{%s_%u}", p->kernel, p->kernel, p->pair);
	s.kernel = xrtPLKernelOpen(h->card, h->image, name);
	need(s.kernel, "opening a kernel");
	s.run = xrtRunOpen(s.kernel);
	need(!xrtRunSetArg(s.run, ARG_ITERATIONS, p->iterations), "argument iterations");
	for (int i = 0; i < STAGES; i++)
		set_stage(s.run, &p->stages[i], !strcmp(p->kernel, KERNEL_SEND), i, p->iterations);
	return s;
}

void host_go(struct started *s)
{
	need(!xrtRunStart(s->run), "starting");
}

struct started host_start(const struct host *h, const struct program *p)
{
	struct started s = host_prepare(h, p);

	host_go(&s);
	return s;
}

int host_finish(struct started *s)
{
	int state = xrtRunWaitFor(s->run, 20000);

	xrtRunClose(s->run);
	xrtKernelClose(s->kernel);
	return state;
}

size_t host_compare(const unsigned char *bytes, size_t len, uint64_t first)
{
	for (size_t i = 0; i < len; i++) {
		uint64_t word = (first + i / 8 * KERNELS_GOLDEN) | KERNELS_ODD;

		if (bytes[i] != (unsigned char)(word >> 8 * (i % 8)))
			return i;
	}
	return len;
}
