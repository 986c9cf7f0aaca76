/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads and writes registers of link cores on a V80 through VRT, the runtime of SLASH
 * (https://github.com/Xilinx/SLASH). It compiles against SLASH's headers, and was never run on a
 * card. The tests run it over a double of VRT.
 */
#include "backends/fpga/mmio.h"

#include <cstdio>
#include <exception>
#include <string>

#include <vrt/device.hpp>
#include <vrt/kernel.hpp>

/* Calls `what`. Returns false if it throws, with the reason in `why`. */
template <typename Call>
static bool try_call(Call what, char *why, std::size_t len)
{
	try {
		what();
		return true;
	} catch (const std::exception &e) {
		if (why)
			std::snprintf(why, len, "%s", e.what());
	}
	return false;
}

static void *open_card(const char *address, const char *image, double *clock_hz, char *why,
		       std::size_t len)
{
	vrt::Device *card = nullptr;

	try_call([&] {
		card = new vrt::Device(address, image);
		*clock_hz = static_cast<double>(card->getFrequency());
	}, why, len);
	return card;
}

static void close_card(void *card)
{
	vrt::Device *device = static_cast<vrt::Device *>(card);

	try_call([&] { device->cleanup(); }, nullptr, 0);
	delete device;
}

static void *open_core(void *card, const char *name, char *why, std::size_t len)
{
	vrt::Kernel *core = nullptr;

	try_call([&] { core = new vrt::Kernel(*static_cast<vrt::Device *>(card), name); }, why, len);
	return core;
}

static void close_core(void *core)
{
	delete static_cast<vrt::Kernel *>(core);
}

static bool read32(void *core, uint32_t offset, uint32_t *value)
{
	return try_call([&] { *value = static_cast<vrt::Kernel *>(core)->read(offset); }, nullptr, 0);
}

static bool write32(void *core, uint32_t offset, uint32_t value)
{
	return try_call([&] { static_cast<vrt::Kernel *>(core)->write(offset, value); }, nullptr, 0);
}

extern "C" __attribute__((visibility("default")))
const struct netbench_mmio netbench_mmio = {
	MMIO_ABI, open_card, close_card, open_core, close_core, read32, write32,
};
