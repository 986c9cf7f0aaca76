/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trees that carry one rank's message to all others: parents and children in the order of sending,
 * and each rank's time under LogP (METHODS 1.2). Pure.
 */
#ifndef NETBENCH_MODEL_TREE_H
#define NETBENCH_MODEL_TREE_H

#include <stddef.h>
#include <stdint.h>

/*
 * linear: the root sends to all others.
 * binary, k-ary: a heap; node i has the children k i + 1 ... k i + k.
 * binomial, k-nomial: write node i in base k. For each digit below its lowest nonzero digit, node i
 * has a child for each nonzero value of this digit. The largest subtrees come first.
 * optimal: the schedule of Karp, Sahay, Santos and Schauser: every rank that has the message
 * continues to send it (METHODS 13, 15).
 */
enum tree_kind { TREE_LINEAR, TREE_BINARY, TREE_KARY, TREE_BINOMIAL, TREE_KNOMIAL, TREE_OPTIMAL };

/* Names of the kinds, ended by NULL. k-ary and k-nomial need an arity. */
extern const char *const tree_names[];

/*
 * Nodes 0 (the root) to n-1. The children of i, in the order of sending, are child[first[i]] to
 * child[first[i+1]-1].
 */
struct tree {
	uint32_t n;
	uint32_t *parent;		/* parent of each node; the root's is 0 */
	uint32_t *first;		/* n + 1 indices into child */
	uint32_t *child;		/* n - 1 nodes */
};

/*
 * Builds the tree of n >= 1 nodes. k >= 2 is the arity of TREE_KARY and TREE_KNOMIAL. A (one-way
 * time) and m (interval of sends), in the same unit, shape only TREE_OPTIMAL; it needs m > 0 or A >
 * 0. O(n log n). Returns 0, or -1 without memory; the caller frees the tree in both cases.
 */
int tree_build(struct tree *t, enum tree_kind kind, uint32_t k, uint32_t n, double A, double m);
void tree_free(struct tree *t);

/* Builds the tree and returns its tree_time; negative without memory. */
double tree_build_time(enum tree_kind kind, uint32_t k, uint32_t n, double A, double m);

/*
 * Exact time until the last node has the message. Child i of v has it at T(v) + i m + A (METHODS
 * 1.2). For messages of k bytes, pass A_k as A and I_k as m. If `when` is not NULL, when[] gets the
 * time of each of the n nodes. If it is NULL, the result is negative without memory.
 */
double tree_time(const struct tree *t, double A, double m, double *when);

/*
 * Like tree_build_time for n >= 1, but computed without building the tree, so that rounding may
 * differ. O(log^2 n) and without memory: a caller can try many arities. Only TREE_OPTIMAL is built;
 * it is negative without memory.
 */
double tree_span(enum tree_kind kind, uint32_t k, uint32_t n, double A, double m);

#endif
