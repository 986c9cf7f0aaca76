/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stands in for the header of the same name of SLASH's VRT, in the tests. It declares those members
 * that netbench uses, with the types that they have there.
 */
#ifndef NETBENCH_KERNELS_VRT_DEVICE_HPP
#define NETBENCH_KERNELS_VRT_DEVICE_HPP

#include <cstdint>
#include <string>

namespace vrt {

class Device {
public:
	Device(const std::string &bdf, const std::string &vrtbinPath, bool program = true);
	uint64_t getFrequency();
	void cleanup();
};

}

#endif
