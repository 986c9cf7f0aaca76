/* SPDX-License-Identifier: Apache-2.0 */
#include "transport/backend.h"

static const struct {
	unsigned cap;
	const char *name;
} caps[] = {
	{ CAP_RING, "ring" },	  { CAP_PAIR, "pair" }, { CAP_WINDOW, "window" },
	{ CAP_STAMPS, "stamps" }, { CAP_MSG, "msg" },	{ CAP_ANY, "any" },
	{ CAP_READ, "read" }, { CAP_VIRTUAL, "virtual" },
	{ CAP_CONTENT, "content" }, { CAP_BCAST, "bcast" },
	{ CAP_EMULATED, "emulated" },
};

const char *cap_name(unsigned bits)
{
	for (size_t i = 0; i < sizeof(caps) / sizeof(caps[0]); i++)
		if (bits & caps[i].cap)
			return caps[i].name;
	return NULL;
}

int backend_probe(const struct backend *be, const void *options, char *why, size_t len)
{
	why[0] = '\0';
	return be->probe ? be->probe(options, why, len) : 0;
}
