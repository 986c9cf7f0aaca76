/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures, on standard output, of which columns of an FFT's butterfly are remote by layout. */
#ifndef NETBENCH_SHOW_MODEL_BUTTERFLY_H
#define NETBENCH_SHOW_MODEL_BUTTERFLY_H

#include <stdint.h>

/* Points in a picture at most. */
#define BUTTERFLY_MOST 1024

/* Of n points on P processors (model/fft.h), as text and in SVG, with a title above. */
void butterfly_put_text(uint64_t n, uint64_t P, const char *title);
void butterfly_put_svg(uint64_t n, uint64_t P, const char *title);

#endif
