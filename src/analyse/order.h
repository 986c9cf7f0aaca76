/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Orders hosts by how slow their pairs are. slow[sender * n + receiver] is on a logarithmic scale,
 * NaN without a value. Each function fills order[] with the numbers of the n hosts. Pure.
 */
#ifndef NETBENCH_ANALYSE_ORDER_H
#define NETBENCH_ANALYSE_ORDER_H

#include <stddef.h>

/*
 * The slowest host first, by the median of the pairs to which it sends, or from which it receives
 * if that is slower. Hosts without a value are last.
 */
void order_by_effect(size_t *order, const float *slow, size_t n);

/*
 * Puts similar hosts side by side, by average linkage. Takes time like n cubed, so n is at most
 * ORDER_CLUSTER_MOST.
 */
#define ORDER_CLUSTER_MOST 1024
void order_by_cluster(size_t *order, const float *slow, size_t n);

#endif
