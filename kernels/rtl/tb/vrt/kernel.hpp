/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in for the header of the same name of SLASH's VRT, as device.hpp does. */
#ifndef NETBENCH_KERNELS_VRT_KERNEL_HPP
#define NETBENCH_KERNELS_VRT_KERNEL_HPP

#include <vrt/device.hpp>

namespace vrt {

class Kernel {
	int number;

public:
	Kernel(Device device, const std::string &kernelName);
	void write(uint32_t offset, uint32_t value);
	uint32_t read(uint32_t offset);
};

}

#endif
