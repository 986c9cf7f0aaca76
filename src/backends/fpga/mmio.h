/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface to a driver that only reads and writes 32-bit registers of link cores. A library
 * for each such driver offers these functions: libnetbench_vrt.so for VRT of SLASH (v80.cpp).
 * mmio.c loads it, so that netbench itself depends on no driver.
 */
#ifndef NETBENCH_BACKENDS_FPGA_MMIO_H
#define NETBENCH_BACKENDS_FPGA_MMIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MMIO_ABI 1

/* The functions of a driver. Those that fail write the reason to `why`, unless it is NULL. */
struct netbench_mmio {
	int abi;		/* MMIO_ABI */

	/*
	 * Puts an image on the card at a PCI address. Returns the card, or NULL. Sets *clock_hz to
	 * the clock of the image's cores, 0: unknown.
	 */
	void *(*open_card)(const char *address, const char *image, double *clock_hz, char *why,
			   size_t len);
	void (*close_card)(void *card);

	/* Opens a unit of the image, such as "nb_link_0". Returns NULL if there is none. */
	void *(*open_core)(void *card, const char *name, char *why, size_t len);
	void (*close_core)(void *core);

	/* Read or write the register at an offset. Return false on failure. */
	bool (*read32)(void *core, uint32_t offset, uint32_t *value);
	bool (*write32)(void *core, uint32_t offset, uint32_t value);
};

/* The name of a library's only symbol, a struct netbench_mmio. */
#define MMIO_SYMBOL "netbench_mmio"
extern const struct netbench_mmio netbench_mmio;

#ifdef __cplusplus
}
#endif

#endif
