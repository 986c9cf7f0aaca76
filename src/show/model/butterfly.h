/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of the remote columns of an FFT's butterfly in each layout, on standard output. */
#ifndef NETBENCH_SHOW_MODEL_BUTTERFLY_H
#define NETBENCH_SHOW_MODEL_BUTTERFLY_H

#include <stdbool.h>
#include <stdint.h>

/* Points in a picture at most. */
#define BUTTERFLY_MOST 1024

/*
 * Draws n points on P processors (model/fft.h), with a title above: as text, or in SVG with the
 * layouts side by side. A row has its number, and a circle in each column.
 */
void butterfly_put(uint64_t n, uint64_t P, const char *title, bool svg);

#endif
