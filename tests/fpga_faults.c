/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library that tests load before XRT's. It simulates errors of a host program and faults of a
 * card. FPGA_FAULT is the fault: "content" (kernels keep the arguments of the last message),
 * "from-card" (buffers are no longer copied from the card), "start" (a kernel is not started) or
 * "end" (no kernel ends any more). The fault begins after call number FPGA_FAULT_AFTER of that
 * kind.
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xrt/xrt_bo.h>
#include <xrt/xrt_kernel.h>

#include "kernels.h"

/* True if this call must fail. *n counts the calls of its kind. */
static int fails(const char *fault, long *n)
{
	const char *asked = getenv("FPGA_FAULT"), *after = getenv("FPGA_FAULT_AFTER");

	return asked && !strcmp(asked, fault) && ++*n > (after ? atol(after) : 0);
}

int xrtBOSync(xrtBufferHandle bo, enum xclBOSyncDirection dir, size_t size, size_t offset)
{
	static long from;
	int (*real)(xrtBufferHandle, enum xclBOSyncDirection, size_t, size_t);

	if (dir != XCL_BO_SYNC_BO_TO_DEVICE && fails("from-card", &from))
		return 0;
	*(void **)&real = dlsym(RTLD_NEXT, "xrtBOSync");
	return real(bo, dir, size, offset);
}

/* Every argument is passed on as a 64 bit argument, which is equivalent on x86-64. */
int xrtRunSetArg(xrtRunHandle run, int index, ...)
{
	static long n;
	int (*real)(xrtRunHandle, int, ...);
	uint64_t value;
	va_list args;

	if (index == SEND_ARG(0, STAGE_LAST) && fails("content", &n))
		return 0;
	va_start(args, index);
	value = va_arg(args, uint64_t);
	va_end(args);
	*(void **)&real = dlsym(RTLD_NEXT, "xrtRunSetArg");
	return real(run, index, value);
}

int xrtRunStart(xrtRunHandle run)
{
	static long n;
	int (*real)(xrtRunHandle);

	if (fails("start", &n))
		return 0;
	*(void **)&real = dlsym(RTLD_NEXT, "xrtRunStart");
	return real(run);
}

enum ert_cmd_state xrtRunWaitFor(xrtRunHandle run, unsigned ms)
{
	static long n;
	enum ert_cmd_state (*real)(xrtRunHandle, unsigned);

	if (fails("end", &n)) {
		usleep(1000 * ms);
		return ERT_CMD_STATE_TIMEOUT;
	}
	*(void **)&real = dlsym(RTLD_NEXT, "xrtRunWaitFor");
	return real(run, ms);
}
