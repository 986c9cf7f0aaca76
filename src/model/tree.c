/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tree.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

const char *const tree_names[] = {
	"linear", "binary", "k-ary", "binomial", "k-nomial", "optimal", NULL,
};

/* Returns i with its lowest nonzero digit in base k set to 0. */
static uint32_t nomial_parent(uint32_t i, uint32_t k)
{
	uint64_t unit = 1;

	while (i / unit % k == 0)
		unit *= k;
	return (uint32_t)(i - i / unit % k * unit);
}

/*
 * A possible send by `parent`, which has the message. The message would arrive at time `at`. Of two
 * sends with equal times, the one with the lower `number` comes first.
 */
struct candidate {
	double at;
	uint32_t parent, number;
};

static bool is_earlier(struct candidate a, struct candidate b)
{
	return a.at < b.at || (a.at <= b.at && a.number < b.number);
}

HEAP(chances, struct candidate, is_earlier, HEAP_UNTRACKED)

/*
 * Builds the tree greedily: of all possible sends, makes the one that arrives earliest. Each send
 * makes two more sends possible (METHODS 1.2). Returns 0, or -1 if memory runs out.
 */
static int find_optimal_parents(uint32_t *parent, uint32_t n, double A, double m)
{
	struct candidate *heap = malloc(((size_t)n + 1) * sizeof(*heap));
	uint32_t waiting = 0;

	if (!heap)
		return -1;
	chances_push(heap, &waiting, (struct candidate){ A, 0, 0 });
	for (uint32_t i = 1; i < n; i++) {
		struct candidate c = chances_pop(heap, &waiting);

		parent[i] = c.parent;
		chances_push(heap, &waiting, (struct candidate){ c.at + m, c.parent, 2 * i - 1 });
		chances_push(heap, &waiting, (struct candidate){ c.at + A, i, 2 * i });
	}
	free(heap);
	return 0;
}

/* Returns the arity of a tree: 2 for binary and binomial trees, else k. */
static uint32_t effective_arity(enum tree_kind kind, uint32_t k)
{
	return kind == TREE_BINARY || kind == TREE_BINOMIAL ? 2 : k;
}

/*
 * Orders the nodes 1 to n-1 so that siblings are in the order of sending. With k = 0 the nodes are
 * in the order of their numbers. In a k-nomial tree (k > 0), each sibling differs from the parent
 * in one digit. Siblings that differ in a higher digit come first.
 */
static void order_nodes(uint32_t *order, uint32_t n, uint32_t k)
{
	uint64_t unit = 1;
	uint32_t at = 0;

	for (uint32_t i = 1; i < n && !k; i++)
		order[at++] = i;
	while (k && unit * k < n)
		unit *= k;
	for (; k && unit; unit /= k)
		for (uint64_t v = 0; v < n; v += unit * k)
			for (uint64_t i = v + unit; i < v + unit * k && i < n; i += unit)
				order[at++] = (uint32_t)i;
}

/* Fills the lists of children from t->parent, with children in the order of `order`. */
static void list_children(struct tree *t, const uint32_t *order)
{
	uint32_t *end = t->first + 1;	/* end of the list of node i, which is first[i+1] */

	for (uint32_t i = 1; i < t->n; i++)
		t->first[t->parent[i]]++;
	for (uint32_t i = 0, sum = 0; i <= t->n; i++) {
		uint32_t len = t->first[i];

		t->first[i] = sum;
		sum += len;
	}
	/*
	 * first is shifted by one: end[i] begins as the start of the list of node i and grows to
	 * its end
	 */
	memmove(end, t->first, t->n * sizeof(*end));
	for (uint32_t i = 0; i + 1 < t->n; i++)
		t->child[end[t->parent[order[i]]]++] = order[i];
}

int tree_build(struct tree *t, enum tree_kind kind, uint32_t k, uint32_t n, double A, double m)
{
	uint32_t *order = malloc(n * sizeof(*order));
	bool nomial = kind == TREE_BINOMIAL || kind == TREE_KNOMIAL;
	int err = -1;

	k = effective_arity(kind, k);
	*t = (struct tree){ n, calloc(n, sizeof(*t->parent)), calloc(n + 1UL, sizeof(*t->first)),
			    calloc(n, sizeof(*t->child)) };
	if (order && t->parent && t->first && t->child)
		err = kind == TREE_OPTIMAL ? find_optimal_parents(t->parent, n, A, m) : 0;
	for (uint32_t i = 1; i < n && !err && kind != TREE_LINEAR && kind != TREE_OPTIMAL; i++)
		t->parent[i] = nomial ? nomial_parent(i, k) : (i - 1) / k;
	if (!err) {
		order_nodes(order, n, nomial ? k : 0);
		list_children(t, order);
	}
	free(order);
	return err;
}

void tree_free(struct tree *t)
{
	free(t->parent);
	free(t->first);
	free(t->child);
	*t = (struct tree){ 0 };
}

double tree_time(const struct tree *t, double A, double m, double *when)
{
	double *at = when ? when : malloc(t->n * sizeof(*at)), last = 0;

	if (!at)
		return -1;
	at[0] = 0;
	for (uint32_t v = 0; v < t->n; v++)	/* parents have lower numbers than their children */
		for (uint32_t i = t->first[v]; i < t->first[v + 1]; i++) {
			double then = at[v] + (i - t->first[v]) * m + A;

			at[t->child[i]] = then;
			last = then > last ? then : last;
		}
	if (!when)
		free(at);
	return last;
}

double tree_build_time(enum tree_kind kind, uint32_t k, uint32_t n, double A, double m)
{
	struct tree t;
	double time = tree_build(&t, kind, k, n, A, m) ? -1 : tree_time(&t, A, m, NULL);

	tree_free(&t);
	return time;
}

#define DIGITS 32	/* most digits of the number of a node, in base 2 */

/*
 * Returns the time of a heap. The time of a node is the time of its path from the root: A for each
 * level, and m for each elder sibling on the path. All levels except the deepest are full. The path
 * of the last node is the largest on the deepest level. So the longest path is the path of the last
 * node; or it follows that path up to a smaller digit, and all digits after that are k - 1.
 */
static double heap_span(uint32_t k, uint32_t n, double A, double m)
{
	uint32_t digit[DIGITS], h = 0;
	double last = 0, before = 0;

	for (uint32_t v = n - 1; v; v = (v - 1) / k)
		digit[h++] = (v - 1) % k;
	if (!h)
		return 0;
	for (uint32_t j = h; j--; before += digit[j])
		if (digit[j])
			last = fmax(last, before + digit[j] - 1 + j * (k - 1.0));
	last = fmax(last, before);
	return fmax((h - 1) * (A + (k - 1.0) * m), h * A + last * m);
}

/*
 * Returns the time of the first r nodes of a k-nomial tree, 1 < r <= k^l. At most one subtree of
 * the root is not full: the subtree at the highest digit.
 */
static double nomial_span(uint32_t k, uint64_t r, double A, double m, const double full[DIGITS])
{
	double last = 0, sent = 0;
	uint64_t unit = 1;
	uint32_t place = 0;

	for (; unit * k < r; unit *= k)
		place++;
	for (;; unit /= k, place--) {
		uint64_t most = (r - 1) / unit, children = most < k - 1 ? most : k - 1;
		uint64_t rest = r - children * unit;
		double start = (sent + (double)children - 1) * m + A, under;

		under = rest >= unit ? full[place]
			: rest > 1   ? nomial_span(k, rest, A, m, full)
				     : 0;
		last = fmax(last, start + under);
		if (children > 1)
			last = fmax(last, start - m + full[place]);
		sent += (double)children;
		if (unit == 1)
			return last;
	}
}

double tree_span(enum tree_kind kind, uint32_t k, uint32_t n, double A, double m)
{
	/*
	 * time of the subtree of a node's last child, counted from when this child has the message
	 */
	double full[DIGITS] = { 0 }, under = 0;

	if (kind == TREE_OPTIMAL)
		return tree_build_time(kind, k, n, A, m);
	if (n < 2)
		return 0;
	if (kind == TREE_LINEAR)
		return A + (n - 2.0) * m;
	k = effective_arity(kind, k);
	if (kind == TREE_BINARY || kind == TREE_KARY)
		return heap_span(k, n, A, m);
	for (uint32_t l = 1; l < DIGITS; l++) {	/* full[l] is the time of k^l nodes */
		under = l > 1 ? fmax(under + (k - 1.0) * m, full[l - 1]) : 0;
		full[l] = A + (k - 2.0) * m + under;
	}
	return nomial_span(k, n, A, m, full);
}
