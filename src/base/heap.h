/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A binary heap in an array, with the comparison compiled in.
 *
 *	HEAP(events, struct event *, event_before, event_moved)
 *
 * defines for elements of that type, where event_before(a, b) says that a comes before b, and
 * event_moved(a, at) takes note that a is now at v[at] (HEAP_UNTRACKED: nobody needs to know):
 *
 *	events_push(v, &n, x)		adds x to v[0..n), which has room for it
 *	events_pop(v, &n)		takes out and yields the first
 *	events_remove(v, &n, at)	takes out v[at] without comparing it
 *	events_rise(v, at, x)		puts x, which comes no later than v[at] did, in its place
 *	events_sink(v, n, at, x)	the same for x that comes no earlier
 *
 * v[0] is the first of all. Elements are copied by value.
 */
#ifndef NETBENCH_BASE_HEAP_H
#define NETBENCH_BASE_HEAP_H

#include <stdint.h>

#define HEAP_UNTRACKED(x, at) ((void)0)

#define HEAP(name, type, before, moved)                                                            \
	static inline void name##_rise(type *v, uint32_t at, type x)                               \
	{                                                                                          \
		for (; at && before(x, v[(at - 1) / 2]); at = (at - 1) / 2) {                      \
			v[at] = v[(at - 1) / 2];                                                   \
			moved(v[at], at);                                                          \
		}                                                                                  \
		v[at] = x;                                                                         \
		moved(x, at);                                                                      \
	}                                                                                          \
                                                                                                   \
	static inline void name##_sink(type *v, uint32_t n, uint32_t at, type x)                   \
	{                                                                                          \
		for (uint32_t child; (child = 2 * at + 1) < n; at = child) {                       \
			if (child + 1 < n && before(v[child + 1], v[child]))                       \
				child++;                                                           \
			if (!before(v[child], x))                                                  \
				break;                                                             \
			v[at] = v[child];                                                          \
			moved(v[at], at);                                                          \
		}                                                                                  \
		v[at] = x;                                                                         \
		moved(x, at);                                                                      \
	}                                                                                          \
                                                                                                   \
	static inline void name##_push(type *v, uint32_t *n, type x)                               \
	{                                                                                          \
		name##_rise(v, (*n)++, x);                                                         \
	}                                                                                          \
                                                                                                   \
	static inline void name##_remove(type *v, uint32_t *n, uint32_t at)                        \
	{                                                                                          \
		type last = v[--*n];                                                               \
                                                                                                   \
		if (at == *n)                                                                      \
			return;                                                                    \
		if (at && before(last, v[(at - 1) / 2]))                                           \
			name##_rise(v, at, last);                                                  \
		else                                                                               \
			name##_sink(v, *n, at, last);                                              \
	}                                                                                          \
                                                                                                   \
	static inline type name##_pop(type *v, uint32_t *n)                                        \
	{                                                                                          \
		type first = v[0];                                                                 \
		type last = v[--*n];                                                               \
                                                                                                   \
		if (*n)                                                                            \
			name##_sink(v, *n, 0, last);                                               \
		return first;                                                                      \
	}

#endif
