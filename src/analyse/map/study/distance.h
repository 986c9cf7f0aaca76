/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distances of pairs. Levelling shifts the values of each distance as if all pairs had the usual
 * distance. The reason: an effect that the network has on all pairs of a distance is not the fault
 * of any pair.
 */
#ifndef NETBENCH_ANALYSE_MAP_STUDY_DISTANCE_H
#define NETBENCH_ANALYSE_MAP_STUDY_DISTANCE_H

#include "analyse/map/judge/tournament.h"
#include "analyse/map/study/study.h"

/* Names of the distances: "same host", "same switch", "other". */
extern const char *const distance_names[NDISTANCES];

/* Returns the distance of two hosts. The study must have a topology. */
enum distance distance_of(const struct study *s, uint32_t i, uint32_t j);

/*
 * Counts the measured pairs of each quantity and distance, and sets the median of their y. Call it
 * after study_finish(). Returns ST_OK, or ST_FAILED (reported).
 */
int distance_count(struct study *s);

/*
 * Returns the usual distance, which is the distance of most pairs. Levelling does not change the
 * values of these pairs.
 */
enum distance most_common_distance(const struct study *s);

/*
 * Returns the number of measured ordered pairs of a distance, from the quantity with most of them.
 */
size_t distance_pairs(const struct study *s, enum distance d);

/* True if pairs of this distance can be judged: it is the usual one, or has enough pairs. */
bool distance_is_judged(const struct study *s, enum distance d, size_t pairs);

/* ---- levelling ---- */

struct levelled {
	const struct study *s;
	enum quantity q;
	/*
	 * at_load[k]: usual y of pairs between switches at load k. The load is the number of
	 * streams that leave, or enter, a switch at the same time and share its link. NaN: not
	 * known. Lives as long as the memory in `room`.
	 */
	double *at_load;
};

/* Sets at_load, and returns the levelled matrix, which lives as long as the memory in `room`. */
struct matrix make_levelled_matrix(struct levelled *l, struct scratch *room);

/* Levels the n meetings of a round of a retest. */
void level_round(const struct levelled *l, struct scratch *room, struct encounter *meetings,
		 size_t n);

#endif
