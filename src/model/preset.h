/* SPDX-License-Identifier: Apache-2.0 */
/* Named configurations of an RDMA connection from the RDMA document: pairs of window and batch. */
#ifndef NETBENCH_MODEL_PRESET_H
#define NETBENCH_MODEL_PRESET_H

#include <stddef.h>
#include <stdint.h>

struct preset {
	uint32_t window, batch;
};

/* Names of the presets, ended by NULL, and the presets in the same order. */
#define PRESETS 3
extern const char *const preset_names[PRESETS + 1];
extern const struct preset presets[PRESETS];

/*
 * Returns the name of the preset with this window and batch, or NULL if there is none. Both may be
 * NaN. Pure.
 */
const char *preset_name(double window, double batch);

#endif
