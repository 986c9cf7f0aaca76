/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the kernels of beff_intel.cl as OpenCL C with pocl on this machine's processor. Each kernel
 * is the only work-item of its own queue. Values in shared memory replace channels (pocl.h). The
 * test is skipped without pocl.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

#define POOL_BYTES 4096
#define GOT_BYTES (4096 * 32)

static cl_device_id device;
static cl_context context;
static cl_program program;
static cl_command_queue queues[4];
static cl_kernel kernels[4];		/* send_0 send_1 recv_0 recv_1 */

static void need(bool good, const char *what)
{
	if (good)
		return;
	printf("Bail out! %s\n", what);
	exit(1);
}

static bool find_pocl(void)
{
	cl_platform_id ids[8];
	cl_uint n = 0;
	char name[64];

	if (clGetPlatformIDs(8, ids, &n) != CL_SUCCESS)
		return false;
	for (cl_uint i = 0; i < n && i < 8; i++)
		if (clGetPlatformInfo(ids[i], CL_PLATFORM_NAME, sizeof(name), name, NULL) ==
			    CL_SUCCESS &&
		    !strcmp(name, "Portable Computing Language"))
			return clGetDeviceIDs(ids[i], CL_DEVICE_TYPE_CPU, 1, &device, NULL) ==
			       CL_SUCCESS;
	return false;
}

static void build(const void *pool)
{
	static const char *const names[] = { "send_0", "send_1", "recv_0", "recv_1" };
	const char *source = "#include \"pocl.h\"\n#include \"beff_intel.cl\"\n";
	char options[512], log[4096] = "";

	context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	need(context, "no context");
	program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
	snprintf(options, sizeof(options), "-cl-std=CL1.2 -I %s -I %s/.. -D POOL=0x%llxUL", TESTS,
		 TESTS, (unsigned long long)(uintptr_t)pool);
	if (clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
		clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log,
				      NULL);
		need(false, log);
	}
	for (int i = 0; i < 4; i++) {
		kernels[i] = clCreateKernel(program, names[i], NULL);
		queues[i] = clCreateCommandQueue(context, device, 0, NULL);
		need(kernels[i] && queues[i], names[i]);
	}
}

static cl_mem buffer(size_t len)
{
	const unsigned char guard = GUARD;
	cl_mem b = clCreateBuffer(context, CL_MEM_READ_WRITE, len, NULL, NULL);

	need(b &&
		     clEnqueueFillBuffer(queues[0], b, &guard, 1, 0, len, 0, NULL, NULL) ==
			     CL_SUCCESS &&
		     clFinish(queues[0]) == CL_SUCCESS,
	     "no buffer");
	return b;
}

/* Sets the arguments in order. They have 4 or 8 bytes, depending on their types. */
static void set_arguments(cl_kernel k, const char *types, const uint64_t *values)
{
	for (cl_uint i = 0; types[i]; i++)
		need(clSetKernelArg(k, i, types[i] == 'i' ? 4 : 8, &values[i]) == CL_SUCCESS,
		     "an argument");
}

/* There are few iterations, because waiting kernels take the processor from working kernels. */
#define ITERATIONS 3

static bool run(const struct test *t)
{
	cl_mem got[2] = { buffer(GOT_BYTES), buffer(GOT_BYTES) },
	       reply[2] = { buffer(256), buffer(256) };
	static unsigned char bytes[GOT_BYTES];
	bool ok = true;

	for (int p = 0; p < 2; p++) {
		const struct stage *s = &t->send[p], *r = &t->recv[p];

		set_arguments(kernels[p], SEND_TYPES,
			      (uint64_t[]){ ITERATIONS, s->size, s->count, s->flags, s->first, 1,
					    LAST_OF(s->first), 1, t->reply, SEND_WAIT_AFTER, 5, 0,
					    LAST_OF(5) });
		set_arguments(kernels[2 + p], RECV_TYPES,
			      (uint64_t[]){ ITERATIONS, r->size, r->count, r->flags,
					    (uintptr_t)got[p], 1, t->reply, RECV_CREDIT,
					    (uintptr_t)reply[p] });
	}
	for (int i = 3; i >= 0; i--)
		need(clEnqueueTask(queues[i], kernels[i], 0, NULL, NULL) == CL_SUCCESS &&
		     clFlush(queues[i]) == CL_SUCCESS, "a kernel does not start");
	for (int i = 0; i < 4; i++)
		need(clFinish(queues[i]) == CL_SUCCESS, "a kernel fails");
	for (int p = 0; p < 2; p++) {
		need(clEnqueueReadBuffer(queues[0], got[p], CL_TRUE, 0, GOT_BYTES, bytes, 0, NULL,
					 NULL) == CL_SUCCESS,
		     "reading");
		ok = ok && wrong_byte(bytes, &t->send[1 - p]) < 0;
		clReleaseMemObject(got[p]);
		clReleaseMemObject(reply[p]);
	}
	return ok;
}

static bool describe(void)
{
	cl_kernel k = clCreateKernel(program, "describe_0", NULL);
	cl_mem b = buffer(DESCRIBE_WORDS * 4);
	uint32_t record[DESCRIBE_WORDS] = { 0 };

	need(k && clSetKernelArg(k, DESCRIBE_RECORD, sizeof(b), &b) == CL_SUCCESS &&
		     clEnqueueTask(queues[0], k, 0, NULL, NULL) == CL_SUCCESS &&
		     clEnqueueReadBuffer(queues[0], b, CL_TRUE, 0, sizeof(record), record, 0, NULL,
					 NULL) == CL_SUCCESS,
	     "describe_0");
	clReleaseMemObject(b);
	return record[DESCRIBE_VERSION] == KERNELS_VERSION && record[DESCRIBE_WIDTH] == 32;
}

int main(void)
{
	void *pool = aligned_alloc(POOL_BYTES, POOL_BYTES);

	if (!find_pocl()) {
		puts("1..0 # SKIP no pocl here");
		return 0;
	}
	memset(pool, 0, POOL_BYTES);
	build(pool);
	return run_all(run, describe());
}
