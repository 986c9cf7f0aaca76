/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/measure/journal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/error.h"
#include "job/local.h"

#define ENDING ".visits.csv"

int journal_open(struct journal *j, const struct output_options *o)
{
	char path[PATH_MAX + sizeof(ENDING)], words[JOB_WORDS];
	struct stat st;
	int err;

	*j = (struct journal){ .open = false };
	if (!o->outputs.n || (!stat(o->outputs.v[0], &st) && !S_ISREG(st.st_mode)))
		return ST_OK;
	snprintf(path, sizeof(path), "%s" ENDING, o->outputs.v[0]);
	if (!stat(path, &st) && st.st_size > 0)
		return error_usage("'%s' already exists, from a run that was interrupted or still "
				   "runs: judge it with 'netbench map --from', or move or remove "
				   "it", path);
	err = out_open_file(&j->out, path, NULL);
	if (!err)
		err = out_begin(&j->out);
	if (err) {
		out_discard(&j->out);
		return err;
	}
	j->out.created = true;		/* an earlier file was empty, so it may be removed */
	j->open = true;
	snprintf(words, sizeof(words), "netbench: interrupted before rows were written: '%s" ENDING
		 "' has what was measured; judge it by 'netbench map --from'\n", o->outputs.v[0]);
	job_set_last_words(words);
	out_printf(&j->out, "visit,round,sender,receiver");
	for (int q = 0; q < NQUANTITIES; q++)
		out_printf(&j->out, ",%s", quantity_names[q].column);
	out_printf(&j->out, "\n");
	return ST_OK;
}

void journal_add(struct journal *j, const struct study *s, const struct measurement *o)
{
	struct out *to = &j->out;

	if (!j->open)
		return;
	out_printf(to, "%llu,", (unsigned long long)s->label[o->visit]);
	if (o->round != STUDY_NO_ROUND)
		out_printf(to, "%u", o->round);
	out_printf(to, ",%s,%s", s->name[o->sender], s->name[o->receiver]);
	for (int q = 0; q < NQUANTITIES; q++) {
		out_printf(to, ",");
		if (!isnan(o->value[q]))
			out_printf(to, "%.7g", o->value[q]);
	}
	out_printf(to, "\n");
}

void journal_commit(struct journal *j)
{
	if (j->open)
		out_commit(&j->out, j->out.len);
}

void journal_close(struct journal *j)
{
	job_set_last_words(NULL);
	if (j->open)
		out_discard(&j->out);
	j->open = false;
}
