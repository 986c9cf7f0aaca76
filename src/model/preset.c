/* SPDX-License-Identifier: Apache-2.0 */
#include "model/preset.h"

/*
 * sequential: one message at a time. unbatched: a window of messages. batched: a window posted in
 * batches.
 */
const char *const preset_names[PRESETS + 1] = { "sequential", "unbatched", "batched", NULL };
const struct preset presets[PRESETS] = { { 1, 1 }, { 64, 1 }, { 256, 8 } };

const char *preset_name(double window, double batch)
{
	for (size_t i = 0; i < PRESETS; i++)
		if (presets[i].window == window && presets[i].batch == batch)
			return preset_names[i];
	return NULL;
}
