/* SPDX-License-Identifier: Apache-2.0 */
#include "host/cache.h"

#include <stdio.h>

#define INDEXES 8	/* largest number of caches of a processor */
#define UNKNOWN_B (32U << 20)
#define LINE_B 64

size_t cache_largest_size(void)
{
	size_t largest = 0;

	for (int i = 0; i < INDEXES; i++) {
		unsigned long n = 0;
		char name[80], unit = 0;
		FILE *f;

		snprintf(name, sizeof(name), "/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
		f = fopen(name, "r");
		if (!f)
			break;
		if (fscanf(f, "%lu%c", &n, &unit) < 1)
			n = 0;
		fclose(f);
		n <<= unit == 'M' ? 20 : unit == 'K' ? 10 : 0;
		largest = n > largest ? n : largest;
	}
	return largest ? largest : UNKNOWN_B;
}

void cache_fill(unsigned char *at, size_t n)
{
	volatile unsigned char *line = at;

	for (size_t i = 0; i < n; i += LINE_B)
		line[i]++;
}
