/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Orders of hosts by how slow their pairs are: slow[sender * n + receiver] on a logarithmic scale,
 * NaN without a value. Each fills in order[], n numbers of hosts. Pure.
 */
#ifndef NETBENCH_ANALYSE_ORDER_H
#define NETBENCH_ANALYSE_ORDER_H

#include <stddef.h>

/* The slowest first, by the median of what it sends or receives; without a value last. */
void order_by_effect(size_t *order, const float *slow, size_t n);

/* Similar hosts side by side, by average linkage. Takes time like n cubed: n is limited. */
#define ORDER_CLUSTER_MOST 1024
void order_by_cluster(size_t *order, const float *slow, size_t n);

#endif
