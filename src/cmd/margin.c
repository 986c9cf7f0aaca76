/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/margin.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/values.h"

int margin_parse(const char *text, double *margin)
{
	char number[32];
	size_t len = strlen(text);

	snprintf(number, sizeof(number), "%.*s", (int)len - 1, text);
	if (len < 2 || len > sizeof(number) || text[len - 1] != '%' ||
	    scan_real(number, margin) != V_OK || !(*margin > 0 && *margin <= 1000))
		return error_usage(
			"'%s' in '--margin' is no percentage above 0 and up to 1000%%, such as "
			"5%%", text);
	*margin /= 100;
	return ST_OK;
}
