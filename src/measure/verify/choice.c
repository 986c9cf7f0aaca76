/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/verify/choice.h"

#define MOST_MESSAGES 65536
#define MOST_BYTES (64U << 20)
#define MOST_ALONE (1U << 30)	/* most bytes of a single iteration */

/* Largest number of messages in virtual time, where one process holds the messages of all ranks. */
#define MOST_VIRTUAL (1U << 20)

bool each_is_asked(const struct settings *st, const struct spec *spec)
{
	return st->m.verify >= VERIFY_EVERY && st->be->caps & CAP_CONTENT &&
	       !spec->pattern->program && !spec->collective;
}

bool each_is_timed(const struct settings *st, const struct spec *spec)
{
	return st->m.verify == VERIFY_EVERY_TIMED && each_is_asked(st, spec) &&
	       !spec->pattern->spaced;
}

unsigned each_capabilities(const struct settings *st, const struct spec *spec)
{
	if (!each_is_asked(st, spec))
		return 0;
	return each_is_timed(st, spec) || spec->pattern->spaced ? CAP_MSG : CAP_EACH;
}

size_t each_stride(uint64_t size)
{
	return size ? (size + EACH_LINE - 1) / EACH_LINE * EACH_LINE : EACH_LINE;
}

static uint64_t max_kept_messages(const struct settings *st, int ranks)
{
	uint64_t most = MOST_MESSAGES;

	if (settings_virtual(st) && most * (uint64_t)ranks > MOST_VIRTUAL)
		most = MOST_VIRTUAL / (uint64_t)ranks;
	return most;
}

uint64_t each_max_loops(const struct settings *st, const struct spec *spec, int ranks)
{
	uint64_t n, by_bytes, by_number;

	if (!each_is_asked(st, spec))
		return UINT64_MAX;
	n = (uint64_t)spec_max_messages(spec, ranks);
	if (!n)
		return UINT64_MAX;
	if (n * each_stride(spec->size) > MOST_ALONE)
		return 0;
	by_bytes = MOST_BYTES / (n * each_stride(spec->size));
	by_number = max_kept_messages(st, ranks) / n;
	by_number = by_number < by_bytes ? by_number : by_bytes;
	return by_number ? by_number : 1;
}
