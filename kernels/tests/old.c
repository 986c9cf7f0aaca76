/* SPDX-License-Identifier: Apache-2.0 */
/* An image of an older version of the kernels. */
#include "kernels.h"

#undef KERNELS_VERSION
#define KERNELS_VERSION 1
#include "beff_emulated.c"
