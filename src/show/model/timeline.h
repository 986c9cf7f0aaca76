/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures in SVG, on standard output, of what is where when: a line for each place, over time.
 * What is drawn comes between timeline_begin and timeline_end.
 */
#ifndef NETBENCH_SHOW_MODEL_TIMELINE_H
#define NETBENCH_SHOW_MODEL_TIMELINE_H

#include "model/stages.h"

struct timeline {
	const char *title;
	const char *const *names;	/* of the places; NULL: their numbers */
	uint32_t nplaces;
	double last;			/* where the axis ends */
	bool cycles;			/* else seconds */
	int line;			/* height of a place */
	const char *legend[3];		/* what bars of class 0 to 2 are, until one is NULL */
};

/* The frame: title, legend, axis and names. */
void timeline_begin(const struct timeline *t);
void timeline_end(void);

/* A bar at a place, of one of the classes; a line from one place to another. */
void timeline_bar(const struct timeline *t, int class, uint32_t at, double from, double until);
void timeline_way(const struct timeline *t, uint32_t at, double from, uint32_t to, double until);

/* One message: n stages between places of these names, as a whole picture. */
void timeline_put_message(const char *title, const struct stage *stages, size_t n,
			  const char *const *places, unsigned nplaces, bool cycles);

#endif
