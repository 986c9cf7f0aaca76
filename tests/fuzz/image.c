/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes an image for a card: its header, which gets the right length, its sections, and its
 * kernels.
 */
#include "backends/fpga/xrt.c"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct axlf *a = malloc(size + 1);
	static struct fpga f;

	fuzz_hush();
	memcpy(a, data, size);
	if (size >= sizeof(*a))
		a->m_header.m_length = size;
	snprintf(f.image, sizeof(f.image), "%s", fuzz_file((uint8_t *)a, size));
	check_image(&f, &(struct units){ 0 });
	free(a);
	return 0;
}
