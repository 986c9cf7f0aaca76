/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cmd/doctor/scene.h"

/* Network devices, and obstacles to packets. */
void find_network(json_t *list, const struct scene *s);
