/* SPDX-License-Identifier: Apache-2.0 */
#include "net/claim.h"

#include <stddef.h>

const char *claim_fault(const struct claim *c, const struct expected *x)
{
	if (c->len < x->least || c->len > x->most)
		/* checked first: a short message lacks other members */
		return "its length is wrong";
	if (c->run != x->run)
		return "it belongs to another run";
	if (c->from < x->first || c->from >= x->end)
		return "its rank is out of range";
	if (!c->timely)
		return "such a message is not allowed now";
	return NULL;
}
