/* SPDX-License-Identifier: Apache-2.0 */
/* Reads registers of compute units that run without the host, through xrt::ip. */
#include "backends/fpga/ip.h"

#include <cstdio>
#include <exception>

#include <experimental/xrt_ip.h>
#include <xrt/xrt_device.h>

/* Converts "kernel:unit" to "kernel:{unit}", the form that xrt::ip uses. */
static std::string xrt_name(const char *unit)
{
	std::string name(unit);
	std::size_t colon = name.find(':');

	return name.substr(0, colon + 1) + "{" + name.substr(colon + 1) + "}";
}

extern "C" int fpga_read_ip(void *card, const unsigned char image[16], const char *unit, uint32_t offset,
			    uint32_t *value, char *why, size_t len)
{
	try {
		xrt::device device(static_cast<xclDeviceHandle>(card));
		xrt::ip ip(device, xrt::uuid(image), xrt_name(unit));

		*value = ip.read_register(offset);
		return 0;
	} catch (const std::exception &e) {
		std::snprintf(why, len, "%s", e.what());
	}
	return -1;
}
