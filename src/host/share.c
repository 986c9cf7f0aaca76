/* SPDX-License-Identifier: Apache-2.0 */
#include "host/share.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "job/local.h"

/* The CPUs that a rank may use before it is bound. */
struct allowance {
	char machine[MACHINE_ID];
	/* list of the CPUs as text; if it does not fit, the list's beginning and its length */
	char cpus[256];
	int ncpus;
};

/* Returns true if two ranks run on the same machine. */
static bool same_machine(const struct allowance *a, const struct allowance *b)
{
	return !memcmp(a->machine, b->machine, sizeof(a->machine));
}

/* Returns true if two ranks may use the same CPUs of the same machine. */
static bool same_cpus(const struct allowance *a, const struct allowance *b)
{
	return same_machine(a, b) && !strcmp(a->cpus, b->cpus);
}

/* Sets *mine to the CPUs that the calling rank may use. */
static void fill_allowance(struct allowance *mine)
{
	const char *all = placement_allowed();
	struct placement p;

	memset(mine, 0, sizeof(*mine));
	strcpy(mine->machine, local_machine_id());
	if (!all || placement_make(&p, "none", 1))
		return;
	mine->ncpus = p.npus;
	if (strlen(all) < sizeof(mine->cpus))
		strcpy(mine->cpus, all);
	else
		snprintf(mine->cpus, sizeof(mine->cpus), "%.200s... (%zu)", all, strlen(all));
}

/*
 * Returns the number of CPUs that the ranks of this machine use together. If all ranks are bound,
 * counts the CPUs to which they are bound. Otherwise counts the CPUs that they may use.
 */
static int count_cpus(const struct job *job, const struct allowance *ranks, const int *bound)
{
	bool all_bound = true;
	int given = 0, cpus = 0;

	for (int i = 0; i < job->size; i++) {
		bool first = true, alone = true;

		if (!same_machine(&ranks[i], &ranks[job->rank]))
			continue;
		for (int k = 0; k < i; k++) {
			first = first && !same_cpus(&ranks[k], &ranks[i]);
			alone = alone && !(same_machine(&ranks[k], &ranks[i]) &&
					   bound[k] == bound[i]);
		}
		given += first ? ranks[i].ncpus : 0;
		cpus += alone;
		all_bound = all_bound && bound[i] >= 0;
	}
	return all_bound ? cpus : given;
}

int pin_launched_rank(struct placement *p, const char *pin, struct job *job)
{
	int sharing = 0, before = 0, bound, err;
	struct allowance mine, *all;
	bool list = strcmp(pin, "core") && strcmp(pin, "none");

	fill_allowance(&mine);
	all = malloc((size_t)job->size * sizeof(*all));
	if (!all)
		return error_report("no memory for the places of %d ranks", job->size);
	memcpy(all, job->kind->allgather(job, &mine, sizeof(mine)),
	       (size_t)job->size * sizeof(*all));
	for (int i = 0; i < job->size; i++) {
		bool counts = list ? same_machine(&all[i], &mine) : same_cpus(&all[i], &mine);

		sharing += counts;
		before += counts && i < job->rank;
	}
	err = placement_make(p, pin, sharing);
	if (!err)
		err = placement_bind(p, before);
	bound = !err && p->pinned ? p->cpu[before] : -1;
	if (!err)
		job->cpus = count_cpus(job, all, job->kind->allgather(job, &bound, sizeof(bound)));
	free(all);
	return err;
}
