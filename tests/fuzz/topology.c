/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzzes Slurm's topology.conf, for a few hosts. */
#include <stdlib.h>

#include "analyse/map/study/distance.h"
#include "cmd/map/read/classes.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = { "n0", "n1:0", "n1:1", "m01.site.org" };
	struct study s = { .n = 0 };
	uint32_t host;

	fuzz_hush();
	for (size_t i = 0; i < 4; i++)
		if (!study_add_host(&s, names[i], &host))
			abort();
	if (study_finish(&s))
		abort();
	if (!topology_read(fuzz_file(data, size), &s) && distance_of(&s, 0, 1) >= NDISTANCES)
		abort();
	study_free(&s);
	return 0;
}
