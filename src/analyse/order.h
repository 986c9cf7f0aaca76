/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Orders hosts by how slow their pairs are. slow[sender * n + receiver] is a logarithm; NaN: no
 * value. Each function fills order[] with the numbers of the n hosts. Pure.
 */
#ifndef NETBENCH_ANALYSE_ORDER_H
#define NETBENCH_ANALYSE_ORDER_H

#include <stddef.h>

/*
 * Puts the slowest host first. The value of a host is the median over its pairs as a sender or as a
 * receiver, whichever is slower. Hosts without a value come at the end.
 */
void order_by_effect(size_t *order, const float *slow, size_t n);

/*
 * Puts similar hosts side by side, by average linkage. The time grows with n cubed, so n must be at
 * most ORDER_CLUSTER_MOST.
 */
#define ORDER_CLUSTER_MOST 1024
void order_by_cluster(size_t *order, const float *slow, size_t n);

#endif
