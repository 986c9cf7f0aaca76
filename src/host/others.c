/* SPDX-License-Identifier: Apache-2.0 */
#include "host/others.h"

#include <unistd.h>

#include "base/clock.h"
#include "host/files.h"

/*
 * Returns the CPU seconds that this machine has been busy since boot; negative if /proc has no CPU
 * times.
 */
static double read_busy_s(void)
{
	unsigned long long user, nice, system, irq, softirq, steal, sum;
	char line[256];

	if (!file_line("/proc/stat", line, sizeof(line)) ||
	    sscanf(line, "cpu %llu %llu %llu %*u %*u %llu %llu %llu", &user, &nice, &system, &irq,
		   &softirq, &steal) != 6)
		return -1;
	sum = user + nice + system + irq + softirq + steal;
	return sum ? (double)sum / (double)sysconf(_SC_CLK_TCK) : -1;
}

void cpu_usage_start(struct cpu_usage *u)
{
	*u = (struct cpu_usage){ .busy_s = read_busy_s(), .wall_s = clock_wall() };
}

double cpu_usage_by_others(const struct cpu_usage *start, double own_cpu_s)
{
	double busy_s = read_busy_s(), wall_s = clock_wall() - start->wall_s;
	double others_s = busy_s - start->busy_s - own_cpu_s;

	if (start->busy_s < 0 || busy_s < 0 || wall_s <= 0)
		return -1;
	return others_s > 0 ? others_s / wall_s : 0;
}
