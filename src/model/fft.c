/* SPDX-License-Identifier: Apache-2.0 */
#include "model/fft.h"

const char *const fft_layouts[FFT_LAYOUTS] = { "block", "cyclic", "hybrid" };

uint64_t fft_butterflies(uint64_t n, uint64_t P)
{
	return n / P * (uint64_t)__builtin_ctzll(n);
}

size_t fft_steps(enum fft_layout layout, uint64_t n, uint64_t P, struct fft_step *steps)
{
	bool cyclic = layout != FFT_BLOCK;
	size_t count = 0;

	if (layout == FFT_HYBRID && n / P < P)
		return 0;
	for (uint64_t distance = n / 2; distance; distance /= 2) {
		if (layout == FFT_HYBRID && distance == P / 2) {
			steps[count++] = (struct fft_step){ 0, { true, false } };
			cyclic = false;
		}
		steps[count++] = (struct fft_step){ distance, { cyclic, cyclic } };
	}
	return count;
}

uint64_t fft_owner(const struct fft_step *s, int after, uint64_t n, uint64_t P, uint64_t row)
{
	return s->cyclic[after] ? row % P : row / (n / P);
}

uint64_t fft_source(const struct fft_step *s, uint64_t n, uint64_t P, uint64_t row)
{
	return fft_owner(s, 0, n, P, row ^ s->distance);
}

bool fft_is_remote(const struct fft_step *s, uint64_t n, uint64_t P)
{
	return !s->distance || fft_source(s, n, P, 0) != fft_owner(s, 1, n, P, 0);
}
