/* SPDX-License-Identifier: Apache-2.0 */
/* An image for a card: its header, which gets the right length, its sections, and the kernels in it. */
#include "backends/fpga/xrt.c"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct axlf *a = malloc(size + 1);

	fuzz_hush();
	memcpy(a, data, size);
	if (size >= sizeof(*a))
		a->m_header.m_length = size;
	check_image(fuzz_file((uint8_t *)a, size), &(struct units){ 0 });
	free(a);
	return 0;
}
