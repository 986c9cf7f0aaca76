/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trees that carry one rank's message to all others: senders and receivers in their order, and each
 * rank's time under LogP (METHODS 1.2). Pure.
 */
#ifndef NETBENCH_MODEL_TREE_H
#define NETBENCH_MODEL_TREE_H

#include <stddef.h>
#include <stdint.h>

/*
 * linear: the root sends to everyone.
 * binary, k-ary: a heap, node i has the children k i + 1 ... k i + k.
 * binomial, k-nomial: write node i in base k. It has a child for each other value of each digit
 * below its lowest digit that is not zero; the largest subtrees come first.
 * optimal: the schedule of Karp, Sahay, Santos and Schauser: every rank that has the message goes
 * on sending it (METHODS 13, 15).
 */
enum tree_kind { TREE_LINEAR, TREE_BINARY, TREE_KARY, TREE_BINOMIAL, TREE_KNOMIAL, TREE_OPTIMAL };

/* Names of the kinds; NULL ends them. k-ary and k-nomial go with an arity. */
extern const char *const tree_names[];

/*
 * Nodes 0 (the root) to n-1. The children of i, in the order of sending, are child[first[i]] to
 * child[first[i+1]-1].
 */
struct tree {
	uint32_t n;
	uint32_t *parent;		/* of 0: 0 */
	uint32_t *first;		/* n + 1 */
	uint32_t *child;		/* n - 1 */
};

/*
 * Builds the tree of n >= 1 nodes. k >= 2 is the arity of TREE_KARY and TREE_KNOMIAL. A (one-way
 * time) and m (interval of sends), in any one unit, shape only TREE_OPTIMAL; m > 0 or A > 0. O(n
 * log n). Returns 0, or -1 without memory; the caller frees the tree in either case.
 */
int tree_build(struct tree *t, enum tree_kind kind, uint32_t k, uint32_t n, double A, double m);
void tree_free(struct tree *t);

/* Builds such a tree and returns its tree_time; negative without memory. */
double tree_build_time(enum tree_kind kind, uint32_t k, uint32_t n, double A, double m);

/*
 * Time until the last node has the message: child i of v has it at T(v) + i m + A (METHODS 1.2),
 * exactly. A message of k bytes has A_k for A and I_k for m. If `when` is not NULL, it gets the
 * time of each of the n nodes; if it is NULL, the result is negative without memory.
 */
double tree_time(const struct tree *t, double A, double m, double *when);

/*
 * The same for the last node of n >= 1 without building the tree, but for rounding. O(log^2 n) and
 * no memory, so that a caller can try many arities. Only TREE_OPTIMAL is built, and is negative
 * without memory.
 */
double tree_span(enum tree_kind kind, uint32_t k, uint32_t n, double A, double m);

#endif
