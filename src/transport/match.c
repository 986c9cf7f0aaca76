/* SPDX-License-Identifier: Apache-2.0 */
#include "transport/match.h"

#include <stdlib.h>

#include "base/error.h"

int pool_arm(struct pool *p, const struct round *r)
{
	uint64_t most = round_in_flight(r);

	if (most <= p->size)
		return ST_OK;
	if (most > UINT32_MAX)
		return error_report("%llu messages in flight are too many: use a smaller "
				    "'--window'", (unsigned long long)most);
	pool_free(p);
	p->mem = calloc(most, sizeof(*p->mem));
	if (!p->mem)
		return error_report("no memory for %llu requests", (unsigned long long)most);
	p->size = (uint32_t)most;
	for (uint32_t i = 0; i < p->size; i++)
		pool_done(p, &p->mem[i]);
	return ST_OK;
}

void pool_free(struct pool *p)
{
	free(p->mem);
	*p = (struct pool){ 0 };
}
