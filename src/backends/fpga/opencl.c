/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drives cards with the Intel FPGA SDK for OpenCL and images of kernels/beff_intel.cl. Each compute
 * unit is a kernel with its own queue, because all units run at the same time. The OpenCL library
 * is never unloaded, because drivers leave threads running.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "backends/fpga/card.h"

#define LIBRARY "libOpenCL.so.1"

/*
 * The vendor's platform has PLATFORM in its name. The platform of the vendor's emulator has both
 * PLATFORM and EMULATION in its name. The emulator is used if the variable EMULATED_CARDS is set.
 * Older SDKs have no separate emulator: if EMULATED_CARDS is set, their vendor's platform itself
 * has emulated cards.
 */
#define PLATFORM "Intel(R) FPGA"
#define EMULATION "Emulation"
#define EMULATED_CARDS "CL_CONTEXT_EMULATOR_DEVICE_INTELFPGA"
#define PLATFORMS 16
#define DEVICES 64

/* Longest wait until the drivers have listed the cards, s. */
#define LISTING_S 10.0
#define LISTING_TEXT sizeof(((struct text *)NULL)->s)	/* less than PIPE_BUF */
#define NAME_TEXT 256

/* a waiting rank yields its processor once it has waited this long */
#define SPIN_S 20e-6
#define YIELD_S 50e-3		/* it sleeps between polls once it has waited this long */
#define NAP_SHARE 1e-3		/* length of a sleep, as a share of the time waited so far */
#define NAP_MOST_S 1e-3		/* longest sleep */

/* ---- the library ---- */

#define FUNCTIONS(F)                                                                               \
	F(clGetPlatformIDs) F(clGetPlatformInfo) F(clGetDeviceIDs) F(clGetDeviceInfo)              \
	F(clCreateContext) F(clReleaseContext) F(clCreateProgramWithBinary) F(clBuildProgram)      \
	F(clReleaseProgram) F(clCreateKernel) F(clReleaseKernel) F(clSetKernelArg)                 \
	F(clCreateCommandQueue) F(clReleaseCommandQueue) F(clCreateBuffer) F(clReleaseMemObject)   \
	F(clEnqueueWriteBuffer) F(clEnqueueReadBuffer) F(clEnqueueTask) F(clFlush)                 \
	F(clGetEventInfo) F(clReleaseEvent)

#define MEMBER(name) __typeof__(name) *name;
static struct library {
	FUNCTIONS(MEMBER)
} cl;

#define ENTRY(name) { #name, offsetof(struct library, name) },
static const struct fpga_function functions[] = { FUNCTIONS(ENTRY) };

static bool load_library(struct text *why)
{
	void *lib = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	const char *missing = lib ? fpga_find_functions(lib, functions, LENGTH(functions), &cl)
				  : NULL;

	if (!lib)
		text_add(why, LIBRARY " is not here: %s", dlerror());
	else if (missing)
		text_add(why, LIBRARY " has no function '%s'", missing);
	return lib && !missing;
}

/* ---- finding cards ---- */

static bool wants_emulation(void)
{
	const char *cards = getenv(EMULATED_CARDS);

	return cards && *cards;
}

static void read_platform_name(cl_platform_id id, char name[NAME_TEXT])
{
	name[0] = '\0';
	cl.clGetPlatformInfo(id, CL_PLATFORM_NAME, NAME_TEXT, name, NULL);
}

/*
 * Finds the vendor's platform, or its emulator if the emulator is requested and installed. Returns
 * NULL, with the reason in `why`, if OpenCL has neither.
 */
static cl_platform_id find_platform(char name[NAME_TEXT], struct text *why)
{
	cl_platform_id ids[PLATFORMS] = { NULL };
	cl_uint n = 0;
	cl_int status = cl.clGetPlatformIDs(PLATFORMS, ids, &n);

	if (status != CL_SUCCESS || !n) {
		text_add(why, LIBRARY " knows no platform (OpenCL error %d): is the driver "
			 "installed, and named in /etc/OpenCL/vendors?", status);
		return NULL;
	}
	n = n < PLATFORMS ? n : PLATFORMS;
	for (int emulation = wants_emulation(); emulation >= 0; emulation--)
		for (cl_uint i = 0; i < n; i++) {
			read_platform_name(ids[i], name);
			if (strstr(name, PLATFORM) && !strstr(name, EMULATION) == !emulation)
				return ids[i];
		}
	text_add(why, "OpenCL has no platform of cards, '" PLATFORM "', but only");
	for (cl_uint i = 0; i < n; i++) {
		read_platform_name(ids[i], name);
		text_add(why, "%s '%s'", i ? "," : "", name);
	}
	return NULL;
}

/* Stores the devices of a platform in `ids`. Returns their number. */
static cl_uint find_devices(cl_platform_id platform, cl_device_id ids[DEVICES])
{
	static const cl_device_type types[] = { CL_DEVICE_TYPE_ACCELERATOR, CL_DEVICE_TYPE_ALL };

	for (int i = 0; i < 2; i++) {
		cl_uint n = 0;

		if (cl.clGetDeviceIDs(platform, types[i], DEVICES, ids, &n) == CL_SUCCESS && n)
			return n < DEVICES ? n : DEVICES;
	}
	return 0;
}

/* Writes "+" and a line for each device to t. If there is no device, writes "-" and the reason. */
static void list_devices(struct text *t)
{
	cl_device_id ids[DEVICES] = { NULL };
	struct text why = { .n = 0 };
	char name[NAME_TEXT] = "";
	cl_platform_id platform = load_library(&why) ? find_platform(name, &why) : NULL;
	cl_uint n = platform ? find_devices(platform, ids) : 0;

	text_add(t, n ? "+" : "-");
	if (!platform)
		text_add(t, "%s", why.s);
	else if (!n)
		text_add(t, "platform '%s' has no card", name);
	for (cl_uint i = 0; i < n; i++) {
		name[0] = '\0';
		cl.clGetDeviceInfo(ids[i], CL_DEVICE_NAME, sizeof(name), name, NULL);
		text_add(t, "%s%u: %s", i ? "\n" : "", i, name);
	}
}

__attribute__((noreturn)) static void send_device_list(int to)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct text seen = { .n = 0 };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/*
	 * stdio's buffers may hold output of the parent process, so this child neither prints nor
	 * flushes
	 */
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	list_devices(&seen);
	_exit(write(to, seen.s, seen.n + 1) < 0);
}

/*
 * Reads the list that send_device_list sends in one write, and stores it in `text`. If no list
 * arrives within LISTING_S, stores the reason there instead.
 */
static void receive_device_list(int from, char text[LISTING_TEXT])
{
	struct pollfd p = { .fd = from, .events = POLLIN };
	int ready;

	do
		ready = poll(&p, 1, (int)(LISTING_S * 1e3));
	while (ready < 0 && errno == EINTR);
	if (ready <= 0 || read(from, text, LISTING_TEXT) <= 0)
		snprintf(text, LISTING_TEXT, "-the OpenCL drivers %s when they are asked for cards",
			 ready > 0 ? "end the program" : "do not answer");
}

/*
 * Returns the list of cards, or the reason why there is none, in the form that list_devices writes.
 * Finds the cards only once, in a separate process. This process forks ranks later, and drivers do
 * not survive a fork: they start threads and map the card. Intel's driver serves only the process
 * that first asks it for platforms.
 */
static const char *find_all_cards(void)
{
	static char text[LISTING_TEXT];
	int ends[2], how;
	pid_t child;

	if (text[0])
		return text;
	if (pipe2(ends, O_CLOEXEC))
		return "-no pipe to a process that looks for cards";
	child = fork();
	if (child == 0)
		send_device_list(ends[1]);
	close(ends[1]);
	if (child > 0) {
		receive_device_list(ends[0], text);
		kill(child, SIGKILL);
		while (waitpid(child, &how, 0) < 0 && errno == EINTR)
			;
	}
	close(ends[0]);
	return child > 0 ? text : "-no process that looks for cards";
}

static int probe_cards(const struct fpga_opts *o, char *why, size_t len)
{
	const char *seen = find_all_cards();

	if (seen[0] == '+')
		return 0;
	snprintf(why, len, "%s", seen + 1);
	return -1;
}

/* ---- images ---- */

/*
 * Returns whether an image may be an .aocx file. This function only checks that it is an ELF file;
 * the driver checks the rest.
 */
static bool is_aocx(const unsigned char *image, size_t len)
{
	return len > 4 && !memcmp(image, "\177ELF", 4);
}

/* ---- opening ---- */

/* Memory with a copy on the host and one on the card. */
struct memory {
	cl_mem mem;
	void *here;
	struct memory *next;
};

/* An open card: the `context` of struct fpga. */
struct opencl {
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_program program;
	cl_command_queue copier;
	struct memory *memories;
	bool stuck;			/* a kernel still runs, but nobody waits for it any more */
	char platform_name[NAME_TEXT];
};

/*
 * Finds the card with the number that '--device' gives. Without '--device' this is the rank's
 * number on its machine, modulo the number of cards. Returns an exit status.
 */
static int find_card(struct fpga *f, struct opencl *o)
{
	const char *asked = f->options->device;
	unsigned long number = asked ? strtoul(asked, NULL, 10) : (unsigned)f->ep.job->local_rank;
	cl_device_id ids[DEVICES] = { NULL };
	struct text why = { .n = 0 };
	struct fpga_caught h = fpga_catch_output();
	cl_uint n = 0;

	o->platform = load_library(&why) ? find_platform(o->platform_name, &why) : NULL;
	if (o->platform)
		n = find_devices(o->platform, ids);
	fpga_release_output(h, NULL, 0);
	if (!o->platform)
		return error_unavailable("%s", why.s);
	if (asked && (!*asked || asked[strspn(asked, "0123456789")]))
		return error_usage("value '%s' of '--device' is no number: with '--platform "
				   "intel' cards have only numbers", asked);
	if (!n)
		return error_unavailable("platform '%s' has no card", o->platform_name);
	if (asked && number >= n)
		return error_unavailable("there is no card '%s': platform '%s' has 0 to %u", asked,
					 o->platform_name, n - 1);
	f->index = (unsigned)(number % n);
	snprintf(f->device, sizeof(f->device), "%u", f->index);
	o->device = ids[f->index];
	return ST_OK;
}

/* Opens the card and loads the image. Returns an exit status. */
static int open_card(struct fpga *f, struct opencl *o)
{
	cl_context_properties properties[] = { CL_CONTEXT_PLATFORM,
					       (cl_context_properties)o->platform, 0 };
	size_t len;
	unsigned char *image = fpga_read_image(f->image, &len);
	const unsigned char *const_image = image;
	bool good = image && is_aocx(image, len);
	struct fpga_caught h = fpga_catch_output();
	cl_int status = CL_SUCCESS, binary = CL_SUCCESS;

	o->context = cl.clCreateContext(properties, 1, &o->device, NULL, NULL, &status);
	if (o->context)
		o->copier = cl.clCreateCommandQueue(o->context, o->device, 0, &status);
	if (o->copier && good)
		o->program = cl.clCreateProgramWithBinary(o->context, 1, &o->device, &len,
							  &const_image, &binary, &status);
	if (o->program && binary != CL_SUCCESS)
		status = binary;
	else if (o->program)
		status = cl.clBuildProgram(o->program, 1, &o->device, "", NULL, NULL);
	fpga_release_output(h, NULL, 0);
	free(image);
	if (!o->copier)
		return error_unavailable("card '%s' cannot be opened: OpenCL error %d", f->device,
					 status);
	if (!good)
		return error_report("image '%s' is no .aocx", f->image);
	if (!o->program || status != CL_SUCCESS)
		return error_report("image '%s' cannot be loaded on card '%s': OpenCL error %d",
				    f->image, f->device, status);
	return ST_OK;
}

static int intel_open(struct fpga *f)
{
	struct opencl *o = calloc(1, sizeof(*o));
	int err;

	f->context = o;
	f->vendor_emulator = wants_emulation() ? "Intel's emulator" : NULL;
	if (!o)
		return error_report("no memory for a card's state");
	err = find_card(f, o);
	return err ? err : open_card(f, o);
}

static void release_memory(struct opencl *o, struct memory **at)
{
	struct memory *m = *at;

	*at = m->next;
	if (!o->stuck)
		cl.clReleaseMemObject(m->mem);
	free(m->here);
	free(m);
}

/*
 * Closes the card. Releases nothing if a kernel still runs, because the driver might then wait for
 * the kernel. The end of the process releases everything.
 */
static void intel_close(struct fpga *f)
{
	struct opencl *o = f->context;

	while (o && o->memories)
		release_memory(o, &o->memories);
	if (o && o->copier && !o->stuck)
		cl.clReleaseCommandQueue(o->copier);
	if (o && o->program && !o->stuck)
		cl.clReleaseProgram(o->program);
	if (o && o->context && !o->stuck)
		cl.clReleaseContext(o->context);
	free(o);
	f->context = NULL;
}

/* ---- kernels ---- */

static bool open_unit(struct fpga *f, struct fpga_unit *u, const char *kernel, unsigned number)
{
	struct opencl *o = f->context;
	struct fpga_caught h = fpga_catch_output();

	snprintf(u->name, sizeof(u->name), "%s_%u", kernel, number);
	u->kernel = cl.clCreateKernel(o->program, u->name, NULL);
	u->run = u->kernel ? cl.clCreateCommandQueue(o->context, o->device, 0, NULL) : NULL;
	fpga_release_output(h, NULL, 0);
	return u->run;
}

/*
 * Returns the status of a kernel: CL_COMPLETE, a smaller value if the kernel failed, or CL_QUEUED.
 * Also returns CL_QUEUED if the driver does not report a status.
 */
static cl_int read_status(const struct fpga_unit *u)
{
	cl_int status = CL_QUEUED;

	return cl.clGetEventInfo(u->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
				 &status, NULL) == CL_SUCCESS ? status : CL_QUEUED;
}

static void close_unit(struct fpga *f, struct fpga_unit *u)
{
	struct opencl *o = f->context;

	if (u->event && read_status(u) > CL_COMPLETE) {
		o->stuck = true;
	} else {
		if (u->event)
			cl.clReleaseEvent(u->event);
		if (u->run)
			cl.clReleaseCommandQueue(u->run);
		if (u->kernel)
			cl.clReleaseKernel(u->kernel);
	}
	u->event = u->run = u->kernel = NULL;
}

static bool set_value(struct fpga_unit *u, int arg, const void *value, size_t len)
{
	return cl.clSetKernelArg(u->kernel, (cl_uint)arg, len, value) == CL_SUCCESS;
}

static bool set_buffer(struct fpga *f, struct fpga_unit *u, int arg, struct fpga_buffer *b)
{
	struct memory *m = b->bo;

	return set_value(u, arg, &m->mem, sizeof(m->mem));
}

static bool start_kernel(struct fpga_unit *u)
{
	cl_event event = NULL;

	if (cl.clEnqueueTask(u->run, u->kernel, 0, NULL, &event) != CL_SUCCESS)
		return false;
	if (u->event)
		cl.clReleaseEvent(u->event);
	u->event = event;
	return cl.clFlush(u->run) == CL_SUCCESS;
}

static enum fpga_end await_kernel(struct fpga_unit *u, double seconds)
{
	double begin = clock_wall(), waited = 0;
	cl_int status = CL_QUEUED;

	/*
	 * each sleep is longer than the one before: other processes may need the processor to run
	 * the kernel
	 */
	while (u->event && (status = read_status(u)) > CL_COMPLETE && waited < seconds) {
		double nap = fmin(waited * NAP_SHARE, NAP_MOST_S);

		if (waited > YIELD_S)
			nanosleep(&(struct timespec){ .tv_nsec = (long)(nap * 1e9) }, NULL);
		else if (waited > SPIN_S)
			sched_yield();
		waited = clock_wall() - begin;
	}
	if (status > CL_COMPLETE)
		return FPGA_RUNS;
	cl.clReleaseEvent(u->event);
	u->event = NULL;
	return status == CL_COMPLETE ? FPGA_ENDED : FPGA_FAILED;
}

/* ---- memory ---- */

static bool get_memory(struct fpga *f, struct fpga_buffer *b)
{
	struct opencl *o = f->context;
	struct memory *m = calloc(1, sizeof(*m));

	if (!m)
		return false;
	m->here = aligned_alloc(BACKEND_PAGE, b->len);
	if (m->here)
		m->mem = cl.clCreateBuffer(o->context, CL_MEM_READ_WRITE, b->len, NULL, NULL);
	if (!m->mem) {
		free(m->here);
		free(m);
		return false;
	}
	m->next = o->memories;
	o->memories = m;
	b->bo = m;
	b->mem = m->here;
	return true;
}

static void free_memory(struct fpga *f, struct fpga_buffer *b)
{
	struct opencl *o = f->context;
	struct memory *m = b->bo, **at = &o->memories;

	while (*at && *at != m)
		at = &(*at)->next;
	if (*at)
		release_memory(o, at);
}

static bool copy_memory(struct fpga *f, struct fpga_buffer *b, bool to_card, size_t len)
{
	struct opencl *o = f->context;
	struct memory *m = b->bo;

	if (to_card)
		return cl.clEnqueueWriteBuffer(o->copier, m->mem, CL_TRUE, 0, len, m->here, 0,
					       NULL, NULL) == CL_SUCCESS;
	return cl.clEnqueueReadBuffer(o->copier, m->mem, CL_TRUE, 0, len, m->here, 0, NULL,
				      NULL) == CL_SUCCESS;
}

/* ---- record and list ---- */

static void describe_card(struct fpga *f, struct facts *facts)
{
	struct opencl *o = f->context;
	const struct {
		const char *key;
		cl_device_info what;
	} known[] = { { "opencl_device", CL_DEVICE_NAME },
		      { "opencl_version", CL_DEVICE_VERSION }, { "driver", CL_DRIVER_VERSION } };
	char text[256];

	fact_text(facts, "opencl_platform", o->platform_name);
	for (size_t i = 0; i < LENGTH(known); i++)
		if (cl.clGetDeviceInfo(o->device, known[i].what, sizeof(text), text, NULL) ==
		    CL_SUCCESS)
			fact_text(facts, known[i].key, text);
}

static void list_cards(int n, char **images, struct facts *facts)
{
	const char *seen = find_all_cards();
	char text[LISTING_TEXT + 8], *next = text;

	snprintf(text, sizeof(text), "%s%s", seen[0] == '+' ? "" : "none: ", seen + 1);
	while (next)
		fact_text(facts, "card", strsep(&next, "\n"));
	for (int i = 0; i < n; i++) {
		size_t len;
		unsigned char *image = fpga_read_image(images[i], &len);

		fact_text(facts, "image", images[i]);
		fact_text(facts, "", !image ? "cannot be read" : !is_aocx(image, len) ? "no .aocx" :
		    "an .aocx, by its first bytes; its kernels are known once it is on a card");
		free(image);
	}
}

const struct fpga_platform fpga_intel = {
	.name = "intel",
	.probe = probe_cards, .open = intel_open, .close = intel_close,
	.open_unit = open_unit, .close_unit = close_unit,
	.get_memory = get_memory, .free_memory = free_memory, .copy = copy_memory,
	.set_buffer = set_buffer, .set_value = set_value,
	.start = start_kernel, .wait = await_kernel,
	.describe = describe_card, .list = list_cards,
};
