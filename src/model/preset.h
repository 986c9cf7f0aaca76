/* SPDX-License-Identifier: Apache-2.0 */
/* The configurations of a connection that the RDMA text names: windows and batches of messages. */
#ifndef NETBENCH_MODEL_PRESET_H
#define NETBENCH_MODEL_PRESET_H

#include <stddef.h>
#include <stdint.h>

struct preset {
	uint32_t window, batch;
};

/* Their names, ended by NULL, and by the same index what they are. */
#define PRESETS 3
extern const char *const preset_names[PRESETS + 1];
extern const struct preset presets[PRESETS];

/* The name of a window and a batch, which may be NaN; NULL if they have none. Pure. */
const char *preset_name(double window, double batch);

#endif
