/* SPDX-License-Identifier: Apache-2.0 */
#include "transport/backend.h"

#include "transport/handlers.h"

const char *cap_name(unsigned bits)
{
	static const char *const names[] = {	/* in the order of the bits */
		"ring", "pair", "window", "stamps", "msg", "any", "read", "virtual", "content",
		"native", "emulated", "each", "flow", "acked", "makes", "loss"
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (bits & 1U << i)
			return names[i];
	return NULL;
}

int backend_probe(const struct backend *be, const void *options, char *why, size_t len)
{
	struct handlers own;
	int err;

	why[0] = '\0';
	handlers_save(&own);
	err = be->probe ? be->probe(options, why, len) : 0;
	handlers_restore(&own);
	return err;
}
