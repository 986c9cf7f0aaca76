/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers of compute units that run by themselves. XRT has this as xrt::ip, in C++ alone; ip.cpp
 * is left out where there is no compiler for it.
 */
#ifndef NETBENCH_BACKENDS_FPGA_IP_H
#define NETBENCH_BACKENDS_FPGA_IP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads a register of compute unit "kernel:unit" of the image on a card, of which xrt.h has the
 * handle. Holds the unit alone meanwhile. 0, or -1 with the reason in why.
 */
int fpga_read_ip(void *card, const unsigned char image[16], const char *unit, uint32_t offset,
		 uint32_t *value, char *why, size_t len);

#ifdef __cplusplus
}
#endif

#endif
