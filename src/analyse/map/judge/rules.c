/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/rules.h"

#include <math.h>
#include <stddef.h>

#include "base/values.h"

struct thresholds thresholds_of(double effect)
{
	double host = -log1p(-effect), pair = -log1p(-PAIR_TO_HOST * effect);

	return (struct thresholds){
		.host_suspect = 0.8 * host, .host_again = 0.6 * host, .host_other = 0.64 * host,
		.host = host, .pair_suspect = 0.875 * pair, .pair_quick = 1.875 * pair,
		.pair_again = 0.5 * pair, .pair = pair,
	};
}

void thresholds_raise(struct thresholds *t, double host)
{
	double *const all[] = { &t->host_suspect, &t->host_again, &t->host_other, &t->pair_suspect,
				&t->pair_quick, &t->pair_again, &t->pair, &t->host };
	double by = host / t->host;

	for (size_t i = 0; i < LENGTH(all) && by > 1; i++)
		*all[i] *= by;
}
