/* SPDX-License-Identifier: Apache-2.0 */
/* A picture of one message, step by step. */
#ifndef NETBENCH_SHOW_MODEL_MESSAGE_H
#define NETBENCH_SHOW_MODEL_MESSAGE_H

#include "model/stages.h"

/* Draws n stages between places of these names over time, in SVG on standard output. */
void message_put_svg(const char *title, const struct stage *stages, size_t n,
		     const char *const *places, unsigned nplaces, bool cycles);

#endif
