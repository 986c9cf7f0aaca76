/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads registers of compute units that run without the host. XRT offers this only in C++, as
 * xrt::ip. The build omits ip.cpp if it finds no C++ compiler that can compile it.
 */
#ifndef NETBENCH_BACKENDS_FPGA_IP_H
#define NETBENCH_BACKENDS_FPGA_IP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads a register of compute unit "kernel:unit" of the image on a card. `card` is the card's
 * handle of xrt.h. Holds the unit exclusively while it reads. Returns 0, or -1 with the reason in
 * `why`.
 */
int fpga_read_ip(void *card, const unsigned char image[16], const char *unit, uint32_t offset,
		 uint32_t *value, char *why, size_t len);

#ifdef __cplusplus
}
#endif

#endif
