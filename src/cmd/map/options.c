/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/options.h"

#include "base/error.h"
#include "cmd/map/limits.h"

int map_check_options(const struct map_options *o)
{
	struct map_limits limits;

	if (o->classes && o->topology)
		return error_usage("options '--classes' and '--topology' exclude each other");
	return limits_parse(&limits, o->fail_if, o->min_effect / 100);
}
