/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzzes measurements of other programs, for map --from. */
#include <stdlib.h>

#include "cmd/map/read/from.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path[] = { fuzz_file(data, size), NULL };
	struct map_options o = { .from = { path, 1 } };
	struct study s = { .n = 0 };

	fuzz_hush();
	if (!from_read(&o, false, &s) && (s.n < 2 || !s.nvisits))
		abort();
	study_free(&s);
	return 0;
}
