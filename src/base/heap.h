/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A binary heap in an array. The comparison is compiled in.
 *
 *	HEAP(events, struct event *, event_before, event_moved)
 *
 * defines the functions below for elements of that type. event_before(a, b) is true if a comes
 * before b. The heap calls event_moved(a, at) when a has moved to v[at]. Use HEAP_UNTRACKED if
 * nothing needs to know the positions.
 *
 *	events_push(v, &n, x)		adds x to v[0..n), which has room for it
 *	events_pop(v, &n)		removes and returns the first element
 *	events_remove(v, &n, at)	removes v[at] without comparing it
 *	events_rise(v, at, x)		replaces v[at] by x, which must not come later
 *	events_sink(v, n, at, x)	replaces v[at] by x, which must not come earlier
 *
 * v[0] is the first of all elements. Elements are copied by value.
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
