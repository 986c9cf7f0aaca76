/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trees along which the message of one rank goes to all others: parents, children in the order of
 * sending, and the time of each rank under LogP (METHODS 1.2). Pure.
 */
#ifndef NETBENCH_MODEL_TREE_H
#define NETBENCH_MODEL_TREE_H

#include <stdint.h>

/*
 * linear: the root sends to all others.
 * binary, k-ary: a heap; node i has the children k i + 1 ... k i + k.
 * binomial, k-nomial: the number of node i is written in base k. For each digit below its lowest
 * nonzero digit, node i has one child for each nonzero value of this digit. The largest subtrees
 * come first.
 * optimal: the schedule of Karp, Sahay, Santos and Schauser. Every rank that has the message keeps
 * sending it to other ranks (METHODS 13, 15).
 */
enum tree_kind { TREE_LINEAR, TREE_BINARY, TREE_KARY, TREE_BINOMIAL, TREE_KNOMIAL, TREE_OPTIMAL };

/* Names of the kinds, ended by NULL. k-ary and k-nomial also need an arity k. */
extern const char *const tree_names[];

/*
 * A tree of the nodes 0 (the root) to n-1. The children of node i, in the order of sending, are
 * child[first[i]] to child[first[i+1]-1].
 */
struct tree {
	uint32_t n;
	uint32_t *parent;		/* parent of each node; 0 for the root */
	uint32_t *first;		/* n + 1 indices into child */
	uint32_t *child;		/* n - 1 nodes */
};

/*
 * Builds the tree of n >= 1 nodes. k >= 2 is the arity of TREE_KARY and TREE_KNOMIAL. A is the
 * one-way time and m the interval of sends, in the same unit. Only the shape of TREE_OPTIMAL
 * depends on A and m; this kind needs m > 0 or A > 0. Takes O(n log n). Returns 0, or -1 if memory
 * runs out. The caller frees the tree in both cases.
 */
int tree_build(struct tree *t, enum tree_kind kind, uint32_t k, uint32_t n, double A, double m);
void tree_free(struct tree *t);

/* Builds the tree and returns its tree_time. Returns a negative value if memory runs out. */
double tree_build_time(enum tree_kind kind, uint32_t k, uint32_t n, double A, double m);

/*
 * Returns the exact time until the last node has the message. Child i of v has it at T(v) + i m + A
 * (METHODS 1.2). For messages of k bytes, pass A_k as A and I_k as m. If `when` is not NULL, sets
 * when[i] to the time at which node i has the message. If `when` is NULL, the result is negative if
 * memory runs out.
 */
double tree_time(const struct tree *t, double A, double m, double *when);

/*
 * Like tree_build_time for n >= 1, but computed without building the tree, so that rounding may
 * differ. Takes O(log^2 n) and no memory, so a caller can try many arities. Only for TREE_OPTIMAL a
 * tree is built; the result is then negative if memory runs out.
 */
double tree_span(enum tree_kind kind, uint32_t k, uint32_t n, double A, double m);

#endif
