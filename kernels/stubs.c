/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shim functions that netbench does not use. XRT's glue objects refer to them, so they must exist.
 * If one were missing, the linker would take all of XRT's own emulator out of the archive.
 */
#include <errno.h>
#include <stdint.h>

#include <xrt.h>

/* ---- C ---- */

int xclReClock2(xclDeviceHandle h, unsigned short region, const unsigned short *mhz)
{
	(void)h;
	(void)region;
	(void)mhz;
	return -ENOSYS;
}

ssize_t xclUnmgdPread(xclDeviceHandle h, unsigned flags, void *buf, size_t size, uint64_t offset)
{
	(void)h;
	(void)flags;
	(void)buf;
	(void)size;
	(void)offset;
	return -ENOSYS;
}

ssize_t xclUnmgdPwrite(xclDeviceHandle h, unsigned flags, const void *buf, size_t size,
		       uint64_t offset)
{
	(void)h;
	(void)flags;
	(void)buf;
	(void)size;
	(void)offset;
	return -ENOSYS;
}

xclBufferExportHandle xclExportBO(xclDeviceHandle h, xclBufferHandle b)
{
	(void)h;
	(void)b;
	return XRT_NULL_BO_EXPORT;
}

xclBufferHandle xclImportBO(xclDeviceHandle h, xclBufferExportHandle fd, unsigned flags)
{
	(void)h;
	(void)fd;
	(void)flags;
	return XRT_NULL_BO;
}

/* ---- C, undeclared or deprecated: STUB returns 0, REFUSAL an error ---- */

#define STUB(name, symbol) \
	long stub_##name(void) __asm__(symbol); \
	long stub_##name(void) \
	{ \
		return 0; \
	}

#define REFUSAL(name, symbol) \
	long stub_##name(void) __asm__(symbol); \
	long stub_##name(void) \
	{ \
		return -ENOSYS; \
	}

REFUSAL(read, "xclRead")
REFUSAL(write, "xclWrite")
REFUSAL(p2p, "xclP2pEnable")

/* ---- C++ ---- */

REFUSAL(gmio_wait, "_Z11xclGMIOWaitPvPKc")
REFUSAL(graph_end, "_Z11xclGraphEndPvm")
REFUSAL(graph_run, "_Z11xclGraphRunPvi")
REFUSAL(cma_enable, "_Z12xclCmaEnablePvbm")
STUB(graph_open, "_Z12xclGraphOpenPvPKhPKcN3xrt5graph11access_modeE")
REFUSAL(graph_wait, "_Z12xclGraphWaitPvm")
REFUSAL(sync_aie, "_Z12xclSyncBOAIEPvRN3xrt2boEPKc18xclBOSyncDirectionmm")
STUB(graph_close, "_Z13xclGraphClosePv")
REFUSAL(graph_reset, "_Z13xclGraphResetPv")
REFUSAL(graph_resume, "_Z14xclGraphResumePv")
REFUSAL(sync_aie_nb, "_Z14xclSyncBOAIENBPvRN3xrt2boEPKc18xclBOSyncDirectionmm")
REFUSAL(graph_read, "_Z15xclGraphReadRTPPvPKcPcm")
REFUSAL(graph_suspend, "_Z15xclGraphSuspendPv")
REFUSAL(graph_wait_done, "_Z16xclGraphWaitDonePvi")
REFUSAL(read_profiling, "_Z16xclReadProfilingPvi")
REFUSAL(reset_aie, "_Z16xclResetAIEArrayPv")
REFUSAL(stop_profiling, "_Z16xclStopProfilingPvi")
REFUSAL(aie_context, "_Z17xclAIEOpenContextPvN3xrt3aie11access_modeE")
STUB(graph_time, "_Z17xclGraphTimeStampPv")
REFUSAL(graph_update, "_Z17xclGraphUpdateRTPPvPKcS1_m")
STUB(load_meta, "_Z17xclLoadXclBinMetaPvPK4axlf")
REFUSAL(start_profiling, "_Z17xclStartProfilingPviPKcS1_j")
STUB(close_export, "_Z20xclCloseExportHandlei")
STUB(reset, "_Z22xclInternalResetDevicePv12xclResetKind")
STUB(scheduler_stat, "_Z22xclUpdateSchedulerStatPv")
STUB(device_query, "_ZN12xclcpuemhal29CpuemShim11deviceQueryEN8xrt_core5query8key_typeE")
STUB(handle_check, "_ZN12xclcpuemhal29CpuemShim11handleCheckEPv")
