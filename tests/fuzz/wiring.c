/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes a file of cables and the neighbours that it makes. Its first byte is the number of ranks.
 */
#include "backends/fpga/wire.c"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fpga_opts o = { .wiring = "ring" };
	struct job job = { .size = size ? data[0] % 64 + 1 : 1 };
	struct fpga f = { .ep.job = &job };

	fuzz_hush();
	o.cables = fuzz_file(data + !!size, size - !!size);
	if (fpga_read_cables(&o, job.size))
		return 0;
	for (; job.rank < job.size; job.rank++)
		find_neighbours(&f, &o.really);
	return 0;
}
