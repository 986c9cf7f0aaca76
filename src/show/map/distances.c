/* SPDX-License-Identifier: Apache-2.0 */
#include "show/map/distances.h"

#include "analyse/map/study/distance.h"

void distances_lines(FILE *to, const struct study *s, enum rate_unit rates)
{
	for (int d = 0; d < NDISTANCES; d++) {
		size_t n = distance_pairs(s, (enum distance)d);
		char text[32];

		if (!n)
			continue;
		fprintf(to, "%s: %zu ordered pair%s", distance_names[d], n, n == 1 ? "" : "s");
		for (int q = 0; q < NQUANTITIES; q++)
			if (s->at_distance[q][d])
				fprintf(to, ", %s %s", quantity_names[q].text,
					format_rate(text, sizeof(text),
						    study_unit((enum quantity)q, s->median[q][d]),
						    quantity_names[q].unit, rates));
		fprintf(to, "%s\n", distance_is_judged(s, (enum distance)d, n)
			? "" : ": too few to be judged");
	}
}

json_t *distances_json(const struct study *s)
{
	json_t *list = json_array();

	for (int d = 0; d < NDISTANCES; d++) {
		size_t n = distance_pairs(s, (enum distance)d);
		json_t *one;

		if (!n)
			continue;
		one = json_pack("{s:s, s:I}", "class", distance_names[d], "pairs", (json_int_t)n);
		for (int q = 0; q < NQUANTITIES; q++) {
			char name[64];

			snprintf(name, sizeof(name), "%s_median_%s", quantity_names[q].part,
				 quantity_names[q].suffix);
			if (s->at_distance[q][d])
				json_object_set_new(one, name,
						    json_real(study_unit((enum quantity)q,
									 s->median[q][d])));
		}
		json_array_append_new(list, one);
	}
	return list;
}
