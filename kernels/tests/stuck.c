/* SPDX-License-Identifier: Apache-2.0 */
/* An image whose kernel `describe` never ends and never looks at a channel. */
#include "unit.h"

kernel_fn netbench_kernel_describe;
extern const struct image_info netbench_image;

void netbench_kernel_describe(struct unit *u)
{
	for (volatile unsigned pair = u->pair;; pair++)
		;
}

const struct image_info netbench_image = { UNIT_ABI, KERNELS_VERSION, 32, 2 };
