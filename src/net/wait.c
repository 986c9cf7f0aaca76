/* SPDX-License-Identifier: Apache-2.0 */
#include "net/wait.h"

#include <stddef.h>

const char *const wait_names[] = { "auto", "spin", "yield", "block", NULL };
const char *const wait_texts[] = { "spin, yield, block", "spin", "yield", "block" };

struct patience patience_of(enum waiting how, struct patience usual)
{
	static const struct patience of[] = {
		[WAIT_SPIN] = { PATIENCE_WITHOUT_END, 0 },
		[WAIT_YIELD] = { 0, PATIENCE_WITHOUT_END },
		[WAIT_BLOCK] = { 0, 0 },
	};

	return how == WAIT_AUTO ? usual : of[how];
}
