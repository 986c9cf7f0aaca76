/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/conclude.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "cmd/map/limits.h"
#include "result/out.h"
#include "show/map/words.h"

/* Hosts that a scheduler can leave out: those named by themselves. */
static int write_exclude(const char *path, bool overwrite, const struct verdicts *all)
{
	bool *named = calloc(all->s->n + 1, sizeof(*named));
	char *text = NULL;
	size_t len = 0;
	FILE *to = named ? open_memstream(&text, &len) : NULL;
	int err;

	for (size_t i = 0; i < all->n && to; i++) {
		for (size_t k = 0; k < all->at[i].j.n; k++) {
			const struct map_verdict *v = &all->at[i].j.at[k];
			bool host = limits_host(v->cause.kind) ||
				    v->cause.kind == KIND_UNSTEADY ||
				    (v->cause.kind == KIND_UNREACHABLE && !v->nmembers);

			if (!host || v->or.kind || named[v->cause.a])
				continue;
			named[v->cause.a] = true;
			fprintf(to, "%s\n", all->s->name[v->cause.a]);
		}
	}
	free(named);
	if (!to || fclose(to)) {
		free(text);
		return error_report("no memory for '%s'", path);
	}
	err = out_write_file(path, text, len, out_instead(overwrite));
	free(text);
	return err;
}

int map_conclude(const struct map_options *o, const struct output_options *output,
		 const struct verdicts *all)
{
	struct map_limits limits;
	char *text;
	int err = limits_parse(&limits, o->fail_if, o->min_effect / 100);

	if (!err && o->write_exclude)
		err = write_exclude(o->write_exclude, output->overwrite, all);
	if (!err)
		err = limits_check(&limits, all);
	for (size_t i = 0; i < all->n && !err; i++)
		if (!all->at[i].j.why || all->at[i].j.n)
			return ST_OK;
	if (err)
		return err;
	text = all->n ? words_no_verdict(all->s, &all->at[0].j) : NULL;
	error_no_verdict("%s", text ? text : all->n ? "no memory for a verdict"
						    : "no pair was measured");
	free(text);
	return ST_NO_VERDICT;
}
