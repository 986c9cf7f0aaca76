/* SPDX-License-Identifier: Apache-2.0 */
/* Prints pictures of the remote columns of an FFT's butterfly, one for each layout. */
#ifndef NETBENCH_SHOW_MODEL_BUTTERFLY_H
#define NETBENCH_SHOW_MODEL_BUTTERFLY_H

#include <stdbool.h>
#include <stdint.h>

/* The largest number of points in a picture. */
#define BUTTERFLY_MOST 1024

/*
 * Draws an FFT of n points on P processors (model/fft.h) on standard output, below a title. The
 * picture is text, or SVG with the layouts side by side. Each row of the butterfly has its number,
 * and a node for each column.
 */
void butterfly_put(uint64_t n, uint64_t P, const char *title, bool svg);

#endif
