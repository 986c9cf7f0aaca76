/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/sink/histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SUB_BITS 8			/* 2^8 buckets per octave */
#define BUCKETS ((64 - SUB_BITS + 1) << SUB_BITS)

struct hist {
	uint64_t n, min, max;
	uint64_t count[BUCKETS];
};

/*
 * Returns log2 of the width of a bucket: the number of low bits of a value that the bucket ignores.
 */
static unsigned int bucket_shift(size_t bucket)
{
	return bucket < 1u << SUB_BITS ? 0 : (unsigned int)(bucket >> SUB_BITS) - 1;
}

static uint64_t bucket_low(size_t bucket)
{
	uint64_t lead = 1u << SUB_BITS;

	if (bucket < lead)
		return bucket;
	return (lead | (bucket & (lead - 1))) << bucket_shift(bucket);
}

struct hist *hist_new(void)
{
	struct hist *h = malloc(sizeof(*h));

	if (h)
		hist_clear(h);
	return h;
}

/* Uses memset, which makes the pages exist before the first sample. (calloc would not.) */
void hist_clear(struct hist *h)
{
	memset(h, 0, sizeof(*h));
	h->min = UINT64_MAX;
}

void hist_add(struct hist *h, uint64_t value)
{
	size_t bucket = value;

	if (value >= 1u << SUB_BITS) {
		unsigned int e = 63 - (unsigned int)__builtin_clzll(value);

		bucket = ((size_t)(e - SUB_BITS + 1) << SUB_BITS) +
			 ((value >> (e - SUB_BITS)) & ((1u << SUB_BITS) - 1));
	}
	h->n++;
	h->count[bucket]++;
	if (value < h->min)
		h->min = value;
	if (value > h->max)
		h->max = value;
}

/*
 * Returns the value with this rank (1 to n) in rising order: the middle of its bucket, limited to
 * [min, max].
 */
static double value_at_rank(const void *population, uint64_t rank)
{
	const struct hist *h = population;
	uint64_t seen = 0;
	size_t i = 0;
	double middle;

	if (rank == 1)
		return (double)h->min;
	if (rank == h->n)
		return (double)h->max;
	while ((seen += h->count[i]) < rank)
		i++;
	middle = (double)bucket_low(i) + (double)((UINT64_C(1) << bucket_shift(i)) - 1) / 2;
	return fmin(fmax(middle, (double)h->min), (double)h->max);
}

struct summary hist_summary(const struct hist *h)
{
	return summarise_ordered(h->n, value_at_rank, h);
}

void hist_for_each(const struct hist *h, void (*visit)(void *arg, uint64_t value, uint64_t count),
	       void *arg)
{
	for (size_t i = 0; i < BUCKETS; i++)
		if (h->count[i])
			visit(arg, bucket_low(i), h->count[i]);
}
