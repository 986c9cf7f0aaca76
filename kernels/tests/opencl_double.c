/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A test double of OpenCL: a libOpenCL.so.1 with the functions that netbench uses. The name of its
 * platform says that it is a test. It runs the kernels of beff_intel.cl as C, each in a thread. The
 * memory of its cards is separate, and filled with 0xa5 before it is written. Any forbidden call
 * ends the program with a line on stderr; so do objects left when the context is released.
 *
 * Environment variables:
 *	NETBENCH_DOUBLE_CARDS	number of cards, by default 1
 *	NETBENCH_DOUBLE_FABRIC	an empty file that joins the cards of several processes to a ring;
 *				without it each card is joined to itself
 *	NETBENCH_DOUBLE_FAULT	the fault: an argument of fault() below. `stuck` and `failed` are
 *				followed by ":KERNEL:N", the kernel and which of its runs; no-kernel
 *				by ":KERNEL"
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "intel.h"

#define MAGIC "\177ELF netbench test double\n"
#define CARDS 8
#define ARGUMENTS 16
#define EXPORTED __attribute__((visibility("default")))

struct _cl_platform_id {
	const char *name;
};

struct _cl_device_id {
	unsigned number;
};

struct _cl_context {
	cl_device_id device;
	struct queue credits[QUEUE_CREDITS];
};

struct _cl_program {
	cl_context context;
};

struct _cl_mem {
	atomic_int holders;		/* number of holders: the program, and runs of kernels */
	size_t len;
	unsigned char *bytes;
};

union value {
	cl_mem mem;
	cl_uint word;
	cl_ulong wide;
	unsigned char bytes[8];
};

struct _cl_kernel {
	const struct known *known;
	unsigned runs;
	union value args[ARGUMENTS];
	bool set[ARGUMENTS];
};

struct _cl_event {
	/* number of holders: the program, the run, and the queue if it is the last */
	int holders;
	cl_int status;
};

struct _cl_command_queue {
	cl_context context;
	cl_event last;
	struct launch *waiting;		/* runs that wait for a flush, the last first */
};

/* A run of a kernel in a thread. */
struct launch {
	struct launch *next;
	const struct known *known;
	union value args[ARGUMENTS];
	cl_event event, before;
	bool stuck, fails;
};

static struct _cl_platform_id platform = { "Intel(R) FPGA SDK for OpenCL(TM) (netbench test)" };
static struct _cl_platform_id others[] = { { "Portable Nonsense" },
					   { "Intel(R) FPGA Emulation Platform for OpenCL(TM)" } };
static struct _cl_device_id devices[CARDS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;	/* protects events */
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static atomic_int held;			/* objects that the program has not released */

static void require(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "test double: %s\n", what);
	_exit(99);
}

/*
 * Returns NULL unless the environment requests this fault; else the text after its name and colon.
 */
static const char *fault(const char *word)
{
	const char *asked = getenv("NETBENCH_DOUBLE_FAULT");
	size_t len = strlen(word);

	if (!asked || strncmp(asked, word, len) || (asked[len] && asked[len] != ':'))
		return NULL;
	return asked[len] ? asked + len + 1 : asked + len;
}

static unsigned count_cards(void)
{
	const char *asked = getenv("NETBENCH_DOUBLE_CARDS");
	unsigned cards = asked ? (unsigned)atoi(asked) : 1;

	require(cards <= CARDS, "too many cards");
	return fault("no-card") ? 0 : cards;
}

/* ---- kernels ---- */

#define P(i) ((void *)a[i].mem->bytes)
#define I(i) a[i].word
#define L(i) a[i].wide

static void run_send(__typeof__(send_0) *kernel, const union value *a)
{
	kernel(I(0), I(1), I(2), I(3), L(4), L(5), L(6), I(7), I(8), I(9), L(10), L(11), L(12));
}

static void run_recv(__typeof__(recv_0) *kernel, const union value *a)
{
	kernel(I(0), I(1), I(2), I(3), P(4), I(5), I(6), I(7), P(8));
}

static void run_send_0(const union value *a)
{
	run_send(send_0, a);
}

static void run_send_1(const union value *a)
{
	run_send(send_1, a);
}

static void run_recv_0(const union value *a)
{
	run_recv(recv_0, a);
}

static void run_recv_1(const union value *a)
{
	run_recv(recv_1, a);
}

static void run_describe_0(const union value *a)
{
	describe_0(P(0));
}

static const struct known {
	const char *name, *types;
	void (*run)(const union value *a);
} knowns[] = {
	{ "send_0", SEND_TYPES, run_send_0 }, { "send_1", SEND_TYPES, run_send_1 },
	{ "recv_0", RECV_TYPES, run_recv_0 }, { "recv_1", RECV_TYPES, run_recv_1 },
	{ "describe_0", DESCRIBE_TYPES, run_describe_0 },
};

static size_t size_of(char type)
{
	return type == 'p' ? sizeof(cl_mem) : type == 'i' ? 4 : 8;
}

/* ---- channels ---- */

struct fabric {
	atomic_int state;		/* 1: being initialised, 2: ready */
	struct queue queues[CARDS * QUEUE_CHANNELS];
};

static void *fabric_of(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	void *p = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, sizeof(struct fabric)))
		p = mmap(NULL, sizeof(struct fabric), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	require(p != MAP_FAILED, "NETBENCH_DOUBLE_FABRIC is no file");
	close(fd);
	return p;
}

static void join_fabric(cl_context context)
{
	static struct fabric own;
	const char *path = getenv("NETBENCH_DOUBLE_FABRIC");
	struct fabric *f = path ? fabric_of(path) : &own;
	int none = 0;

	if (!path || atomic_compare_exchange_strong(&f->state, &none, 1)) {
		for (int i = 0; i < CARDS * QUEUE_CHANNELS; i++)
			queue_init(&f->queues[i]);
		atomic_store(&f->state, 2);
	}
	while (atomic_load(&f->state) != 2)
		usleep(1000);
	for (int i = 0; i < QUEUE_CREDITS; i++)
		queue_init(&context->credits[i]);
	wire(f->queues, path ? context->device->number : 0, path ? count_cards() : 1,
	     context->credits);
}

/* ---- platforms and devices; other libraries also ask for them, e.g. hwloc within MPI ---- */

/* Returns the platform that has cards: the emulator's if its environment variable is set. */
static cl_platform_id platform_with_cards(void)
{
	return getenv("CL_CONTEXT_EMULATOR_DEVICE_INTELFPGA") ? &others[1] : &platform;
}

EXPORTED cl_int clGetPlatformIDs(cl_uint n, cl_platform_id *ids, cl_uint *found)
{
	bool other = fault("other-platforms");

	if (fault("hang"))
		pause();
	if (fault("crash"))
		abort();
	if (fault("no-platform"))
		return -1001;
	if (n > 0)
		ids[0] = other ? &others[0] : &platform;
	if (n > 1)
		ids[1] = &others[1];
	if (found)
		*found = 2;
	return CL_SUCCESS;
}

static cl_int return_text(const char *text, size_t room, void *to, size_t *len)
{
	if (room < strlen(text) + 1)
		return CL_INVALID_VALUE;
	strcpy(to, text);
	if (len)
		*len = strlen(text) + 1;
	return CL_SUCCESS;
}

EXPORTED cl_int clGetPlatformInfo(cl_platform_id p, cl_platform_info what, size_t room, void *to,
				  size_t *len)
{
	return return_text(what == CL_PLATFORM_NAME ? p->name : "0.0 test double", room, to, len);
}

EXPORTED cl_int clGetDeviceIDs(cl_platform_id p, cl_device_type type, cl_uint n, cl_device_id *ids,
			       cl_uint *found)
{
	bool hidden = fault("no-accelerator") && type == CL_DEVICE_TYPE_ACCELERATOR;
	unsigned cards = p == platform_with_cards() && !hidden ? count_cards() : 0;

	for (unsigned i = 0; i < cards && i < n; i++) {
		devices[i].number = i;
		ids[i] = &devices[i];
	}
	if (found)
		*found = cards;
	return cards ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}

EXPORTED cl_int clGetDeviceInfo(cl_device_id d, cl_device_info what, size_t room, void *to,
				size_t *len)
{
	char name[64];

	if (what != CL_DEVICE_NAME && what != CL_DEVICE_VERSION && what != CL_DRIVER_VERSION)
		return CL_INVALID_VALUE;
	snprintf(name, sizeof(name), "netbench test card %u", d->number);
	return return_text(what == CL_DEVICE_NAME ? name : "0.0 test double", room, to, len);
}

EXPORTED cl_context clCreateContext(const cl_context_properties *properties, cl_uint n,
				    const cl_device_id *ids,
				    void(CL_CALLBACK *tell)(const char *, const void *, size_t,
							    void *),
				    void *arg, cl_int *status)
{
	cl_context context = calloc(1, sizeof(*context));

	(void)tell;
	(void)arg;
	require(n == 1 && properties[1] == (cl_context_properties)platform_with_cards(),
		"context of another platform");
	*status = fault("busy") ? CL_DEVICE_NOT_AVAILABLE : CL_SUCCESS;
	if (*status) {
		free(context);
		return NULL;
	}
	context->device = ids[0];
	join_fabric(context);
	held++;
	return context;
}

EXPORTED cl_int clReleaseContext(cl_context context)
{
	require(--held == 0, "objects are left when the context is released");
	free(context);
	return CL_SUCCESS;
}

/* ---- programs ---- */

EXPORTED cl_program clCreateProgramWithBinary(cl_context context, cl_uint n,
					      const cl_device_id *ids, const size_t *lens,
					      const unsigned char **binaries, cl_int *status_of,
					      cl_int *status)
{
	bool good = lens[0] >= strlen(MAGIC) && !memcmp(binaries[0], MAGIC, strlen(MAGIC));
	cl_program p = calloc(1, sizeof(*p));

	require(n == 1 && ids[0] == context->device, "program of another device");
	if (fault("noisy")) {
		printf("MMD INFO: reprogramming, at length\n");
		fprintf(stderr, "MMD INFO: reprogramming, at length\n");
	}
	*status_of = *status = good ? CL_SUCCESS : CL_INVALID_BINARY;
	if (!good) {
		free(p);
		return NULL;
	}
	p->context = context;
	held++;
	return p;
}

EXPORTED cl_int clBuildProgram(cl_program p, cl_uint n, const cl_device_id *ids,
			       const char *options, void(CL_CALLBACK *tell)(cl_program, void *),
			       void *arg)
{
	(void)n;
	(void)options;
	(void)tell;
	(void)arg;
	require(ids[0] == p->context->device, "program of another device");
	return fault("refused") ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS;
}

EXPORTED cl_int clReleaseProgram(cl_program p)
{
	free(p);
	held--;
	return CL_SUCCESS;
}

EXPORTED cl_kernel clCreateKernel(cl_program p, const char *name, cl_int *status)
{
	const char *lacking = fault("no-kernel");
	cl_kernel k = calloc(1, sizeof(*k));

	(void)p;
	for (size_t i = 0; i < sizeof(knowns) / sizeof(knowns[0]); i++)
		if (!strcmp(name, knowns[i].name) && !(lacking && !strcmp(name, lacking)))
			k->known = &knowns[i];
	if (status)
		*status = k->known ? CL_SUCCESS : CL_INVALID_KERNEL_NAME;
	if (!k->known) {
		free(k);
		return NULL;
	}
	held++;
	return k;
}

EXPORTED cl_int clReleaseKernel(cl_kernel k)
{
	free(k);
	held--;
	return CL_SUCCESS;
}

EXPORTED cl_int clSetKernelArg(cl_kernel k, cl_uint number, size_t len, const void *value)
{
	if (number >= strlen(k->known->types))
		return CL_INVALID_ARG_INDEX;
	if (len != size_of(k->known->types[number]))
		return CL_INVALID_ARG_SIZE;
	memcpy(k->args[number].bytes, value, len);
	k->set[number] = true;
	return CL_SUCCESS;
}

/* ---- memory ---- */

static void release_memory(cl_mem m)
{
	if (atomic_fetch_sub(&m->holders, 1) != 1)
		return;
	free(m->bytes);
	free(m);
}

EXPORTED cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t len, void *host,
			       cl_int *status)
{
	cl_mem m = calloc(1, sizeof(*m));

	(void)context;
	require(flags == CL_MEM_READ_WRITE && !host, "memory of another kind");
	if (status)
		*status = fault("no-memory") ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_SUCCESS;
	if (fault("no-memory")) {
		free(m);
		return NULL;
	}
	m->holders = 1;
	m->len = len;
	m->bytes = malloc(len);
	memset(m->bytes, 0xa5, len);
	held++;
	return m;
}

EXPORTED cl_int clReleaseMemObject(cl_mem m)
{
	release_memory(m);
	held--;
	return CL_SUCCESS;
}

EXPORTED cl_int clEnqueueWriteBuffer(cl_command_queue q, cl_mem m, cl_bool wait, size_t at,
				     size_t len, const void *from, cl_uint n, const cl_event *after,
				     cl_event *event)
{
	(void)q;
	require(wait && !n && !after && !event && at <= m->len && len <= m->len - at,
		"a copy beyond memory, or not waited for");
	if (fault("no-write"))
		return CL_OUT_OF_RESOURCES;
	memcpy(m->bytes + at, from, len);
	return CL_SUCCESS;
}

EXPORTED cl_int clEnqueueReadBuffer(cl_command_queue q, cl_mem m, cl_bool wait, size_t at,
				    size_t len, void *to, cl_uint n, const cl_event *after,
				    cl_event *event)
{
	(void)q;
	require(wait && !n && !after && !event && at <= m->len && len <= m->len - at,
		"a copy beyond memory, or not waited for");
	if (fault("no-read"))
		return CL_OUT_OF_RESOURCES;
	memcpy(to, m->bytes + at, len);
	return CL_SUCCESS;
}

/* ---- queues and events ---- */

/* Drops a reference to an event. Call it with the lock held. */
static void drop_event(cl_event e)
{
	if (e && !--e->holders)
		free(e);
}

EXPORTED cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
					       cl_command_queue_properties properties,
					       cl_int *status)
{
	cl_command_queue q = calloc(1, sizeof(*q));

	require(!properties && device == context->device, "a queue of another kind");
	if (status)
		*status = CL_SUCCESS;
	q->context = context;
	held++;
	return q;
}

EXPORTED cl_int clReleaseCommandQueue(cl_command_queue q)
{
	pthread_mutex_lock(&lock);
	require(!q->last || q->last->status <= CL_COMPLETE,
		"a queue is released while its kernel runs");
	drop_event(q->last);
	pthread_mutex_unlock(&lock);
	free(q);
	held--;
	return CL_SUCCESS;
}

static void set_status(cl_event e, cl_int status)
{
	pthread_mutex_lock(&lock);
	e->status = status;
	pthread_cond_broadcast(&ended);
	pthread_mutex_unlock(&lock);
}

static void *execute(void *arg)
{
	struct launch *l = arg;

	pthread_mutex_lock(&lock);
	while (l->before && l->before->status > CL_COMPLETE)
		pthread_cond_wait(&ended, &lock);
	drop_event(l->before);
	pthread_mutex_unlock(&lock);
	set_status(l->event, CL_RUNNING);
	while (l->stuck)
		pause();
	if (!l->fails)
		l->known->run(l->args);
	for (size_t i = 0; i < strlen(l->known->types); i++)
		if (l->known->types[i] == 'p')
			release_memory(l->args[i].mem);
	set_status(l->event, l->fails ? CL_OUT_OF_RESOURCES : CL_COMPLETE);
	pthread_mutex_lock(&lock);
	drop_event(l->event);
	pthread_mutex_unlock(&lock);
	free(l);
	return NULL;
}

/* True if a fault names this run of a kernel: "send_0:3". */
static bool is_named_run(cl_kernel k, const char *which)
{
	size_t len = strlen(k->known->name);

	return which && !strncmp(which, k->known->name, len) && which[len] == ':' &&
	       (unsigned)atoi(which + len + 1) == k->runs;
}

EXPORTED cl_int clEnqueueTask(cl_command_queue q, cl_kernel k, cl_uint n, const cl_event *after,
			      cl_event *event)
{
	struct launch *l = calloc(1, sizeof(*l));

	require(!n && !after && event, "a run of another kind");
	k->runs++;
	*l = (struct launch){ .known = k->known, .stuck = is_named_run(k, fault("stuck")),
			      .fails = is_named_run(k, fault("failed")) };
	for (size_t i = 0; i < strlen(k->known->types); i++) {
		require(k->set[i], "an argument is not set");
		l->args[i] = k->args[i];
		if (k->known->types[i] == 'p')
			l->args[i].mem->holders++;
	}
	l->event = calloc(1, sizeof(*l->event));
	*l->event = (struct _cl_event){ 3, CL_QUEUED };
	l->before = q->last;
	q->last = *event = l->event;
	l->next = q->waiting;
	q->waiting = l;
	held++;
	return CL_SUCCESS;
}

/* Starts the queued runs. None begins before, as is possible with a real OpenCL. */
EXPORTED cl_int clFlush(cl_command_queue q)
{
	pthread_t thread;

	while (q->waiting) {
		struct launch *l = q->waiting;

		q->waiting = l->next;
		require(!pthread_create(&thread, NULL, execute, l), "no thread");
		pthread_detach(thread);
	}
	return CL_SUCCESS;
}

EXPORTED cl_int clGetEventInfo(cl_event e, cl_event_info what, size_t room, void *to, size_t *len)
{
	(void)len;
	require(what == CL_EVENT_COMMAND_EXECUTION_STATUS && room == sizeof(cl_int),
		"another question to an event");
	pthread_mutex_lock(&lock);
	memcpy(to, &e->status, room);
	pthread_mutex_unlock(&lock);
	return CL_SUCCESS;
}

EXPORTED cl_int clReleaseEvent(cl_event e)
{
	pthread_mutex_lock(&lock);
	drop_event(e);
	pthread_mutex_unlock(&lock);
	held--;
	return CL_SUCCESS;
}
