/* SPDX-License-Identifier: Apache-2.0 */
#include "rerun/journal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "result/document.h"
#include "result/reader.h"

#define ENDING ".runs"

int runs_journal_open(struct runs_journal *j, const struct output_options *o, const char *resumed)
{
	struct stat st;
	int err;

	*j = (struct runs_journal){ .open = false };
	if (!o->outputs.n || (!stat(o->outputs.v[0], &st) && !S_ISREG(st.st_mode)))
		return ST_OK;
	if (asprintf(&j->path, "%s" ENDING, o->outputs.v[0]) < 0)
		return error_report("no memory for a file's name");
	if ((!resumed || strcmp(resumed, j->path) != 0) && !stat(j->path, &st) && st.st_size > 0)
		return error_usage("'%s' already exists, with the runs of a command that was "
				   "killed or is still running: continue it by '--resume', move or "
				   "remove it", j->path);
	if (resumed && !strcmp(resumed, j->path))
		unlink(j->path); /* the new journal will contain the runs of this old one */
	err = out_open_file(&j->out, j->path, NULL);
	if (!err)
		err = out_begin(&j->out);
	if (err) {
		out_discard(&j->out);
		return err;
	}
	j->out.created = true;
	j->open = true;
	return ST_OK;
}

void runs_journal_add(struct runs_journal *j, const json_t *line)
{
	char *text = j->open ? json_dumps(line, JSON_COMPACT) : NULL;

	if (!text)
		return;
	out_printf(&j->out, "%s\n", text);
	out_commit(&j->out, j->out.len);
	free(text);
}

void runs_journal_close(struct runs_journal *j, bool remove)
{
	if (j->open && remove)
		out_discard(&j->out);
	else if (j->open)
		error_report("'%s' has the runs so far: continue by '--resume %s'", j->path,
			     j->path);
	if (j->open && !remove)
		out_close(&j->out, true);
	free(j->path);
	*j = (struct runs_journal){ .open = false };
}

json_t *runs_journal_head(const struct run_lines *lines, uint64_t seed)
{
	json_t *list = json_array();

	for (size_t i = 0; i < lines->n; i++)
		json_array_append_new(list, json_pack("{s:s, s:o?}", "label", lines->at[i].label,
						      "words", json_string(lines->at[i].text)));
	return json_pack("{s:s, s:o, s:I}", "schema", "netbench runs", "commands", list, "seed",
			 (json_int_t)seed);
}

/* Reads the lines of a journal. Ignores an incomplete last line. */
static int read_lines(const char *path, FILE *f, json_t **head, json_t **runs)
{
	char *line = NULL;
	size_t room = 0;

	*runs = json_array();
	*head = NULL;
	while (getline(&line, &room, f) > 0) {
		json_t *one = json_loads(line, JSON_REJECT_DUPLICATES, NULL);

		if (!one)
			break;
		if (*head)
			json_array_append_new(*runs, one);
		else
			*head = one;
	}
	free(line);
	if (!strcmp(result_text(*head, "schema"), "netbench runs"))
		return ST_OK;
	json_decref(*head);
	json_decref(*runs);
	*head = *runs = NULL;
	return error_usage("'%s' is neither a result of 'netbench runs' nor its file of runs",
			   path);
}

int runs_journal_read(const char *path, json_t **head, json_t **runs)
{
	const char *end = strrchr(path, '.'), *why;
	json_t *doc;
	FILE *f;
	int err;

	if (end && !strcmp(end, ENDING)) {
		f = file_open(path, &why);
		if (!f)
			return error_usage("cannot read '%s': %s", path, why);
		err = read_lines(path, f, head, runs);
		fclose(f);
		return err;
	}
	err = result_read(path, &doc);
	if (err)
		return err;
	if (!document_runs(doc))
		err = error_usage("'%s' is not a result of 'netbench runs' or 'check --runs' in "
				  "JSON, which keeps each run", path);
	*head = err ? NULL : json_incref(document_summary(doc));
	*runs = err ? NULL : json_incref(document_runs(doc));
	json_decref(doc);
	return err;
}
