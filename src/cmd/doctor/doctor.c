/* SPDX-License-Identifier: Apache-2.0 */
/* What there is for measurements, what is missing, and what would spoil them. Measures nothing. */
#include "cmd/doctor/doctor.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "cli/command.h"
#include "host/devices.h"
#include "host/links.h"
#include "host/machines.h"
#include "host/pin.h"
#include "host/record.h"
#include "result/reader.h"
#include "transport/registry.h"

/* Where proc, sys and dev are, in place of the root directory. */
#define ROOT "NETBENCH_ROOT"

struct doctor_options {
	const char *backend, *job;
	uint64_t ranks;
	bool strict;
};

#define AT(member) offsetof(struct doctor_options, member)

static const struct opt options[] = {
	{ 0, "strict", NULL, OPT_FLAG, AT(strict),
	  .help = "exit status 1 if something is wrong" },
	{ 'b', "backend", "name", OPT_TEXT, AT(backend),
	  .help = "that is to be used: it is wrong if it does not run here" },
	{ 0, "job", "kind", OPT_TEXT, AT(job),
	  .help = "who takes part: fork (this machine), mpi (what mpirun or srun started), join; "
		  "by default as started" },
	{ 'n', "ranks", "count", OPT_UINT, AT(ranks), .min = 1, .max = 1000000,
	  .help = "with --listen: number of ranks, one a host suffices" },
	{ 0 },
};

static const enum column_id cols[] = {
	COL_FINDING, COL_SEVERITY, COL_SUBJECT, COL_FOUND_ON, COL_FOUND, COL_REMEDY,
};

static uint64_t visitors(const struct settings *st)
{
	return ((const struct doctor_options *)st->own)->ranks;
}

/* ---- one host ---- */

static double shared_bytes(const char *root)
{
	struct statvfs fs;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/dev/shm", root);
	return statvfs(path, &fs) ? -1 : (double)fs.f_blocks * (double)fs.f_frsize;
}

/* The directories and files of modules, NULL at the end; NULL without memory. For free(). */
static const char **module_places(void)
{
	const char **all;
	size_t n = 0;

	while (module_place(n))
		n++;
	all = calloc(n + 1, sizeof(*all));
	for (size_t i = 0; all && i < n; i++)
		all[i] = module_place(i);
	return all;
}

/* The links that matter, among the facts that hosts should have alike. */
static json_t *facts_of(const json_t *links, const json_t *matter)
{
	json_t *facts = machines_facts(NULL), *name;
	size_t k;

	json_array_foreach(matter, k, name)
		machines_add_link(facts, k, json_string_value(name),
				  json_object_get(links, json_string_value(name)));
	return facts;
}

static struct scene scene_here(const struct settings *st, const struct job *job, json_t *env,
			       json_t *links, const char *root)
{
	const struct doctor_options *o = st->own;

	/* devices as the root has them, whatever record they are in */
	json_object_set_new(env, "network", json_pack("{s:o?, s:o}", "devices",
						      devices_network_in(root), "infiniband",
						      devices_infiniband_in(root)));
	return (struct scene){ .root = root, .env = env, .links = links, .backend = o->backend,
			       .shm_B = shared_bytes(root), .ranks = job->local_size,
			       .cpus = job->cpus, .launched = job->kind->enter != NULL };
}

static json_t *look(const struct scene *s, const char *host)
{
	json_t *findings = json_array(), *matter = links_that_matter(s->links);

	find_system(findings, s);
	find_network(findings, s);
	find_limits(findings, s);
	find_modules(findings, s);
	find_backends(findings, s);
	return json_pack("{s:s, s:o, s:o, s:o}", "host", host, "findings", findings, "facts",
			 facts_of(s->links, matter), "links", matter);
}

/* ---- all hosts ---- */

/* Marks the first rank of each host. */
static void mark_first(char *first, const struct place *places, int n)
{
	json_t *seen = json_object();

	for (int r = 0; r < n; r++) {
		first[r] = !json_object_get(seen, places[r].host);
		json_object_set_new(seen, places[r].host, json_true());
	}
	json_decref(seen);
}

/*
 * Whether this rank is the first of its host, which looks for all of them. Rank 0 gets the places
 * of all ranks as the record has them. Collective.
 */
static bool is_first(struct job *job, const struct place *here, json_t **places)
{
	size_t n = (size_t)job->size, part;
	const struct place *all = job->kind->gather(job, here, sizeof(*here));
	char *first = calloc(n, 1);
	bool mine;

	if (!first)
		job->kind->abort(job, error_report("no memory for %d ranks", job->size));
	if (all) {
		mark_first(first, all, job->size);
		*places = host_places(all, n);
	}
	for (size_t done = 0; done < n; done += part) {
		part = n - done < JOB_GATHER_MAX ? n - done : JOB_GATHER_MAX;
		job->kind->bcast(job, first + done, part);
	}
	mine = first[job->rank];
	free(first);
	return mine;
}

/* Leaves out the ranks that have not looked. Takes the list. */
static json_t *those_that_looked(json_t *looks)
{
	json_t *kept = json_array(), *one;
	size_t i;

	json_array_foreach(looks, i, one)
		if (json_is_object(one))
			json_array_append(kept, one);
	json_decref(looks);
	return kept;
}

/* ---- the result ---- */

/* "n1 n4 n5"; "" of a finding that all have. For free(). */
static char *hosts_of(const json_t *finding)
{
	char *text = NULL;
	size_t len, i;
	FILE *to = open_memstream(&text, &len);
	const json_t *host;

	if (!to)
		return NULL;
	json_array_foreach(json_object_get(finding, "hosts"), i, host)
		fprintf(to, "%s%s", i ? " " : "", json_string_value(host));
	return text_close(to, &text);
}

static int write_row(struct outlets *r, const struct record *rec, const json_t *finding)
{
	char *hosts = hosts_of(finding);
	struct row row = { 0 };
	int err;

	ROW_PUT(&row, rec, { COL_FINDING, val_text(result_text(finding, "id")) },
		{ COL_SEVERITY, val_text(result_text(finding, "severity")) },
		{ COL_SUBJECT, val_text(result_text(finding, "subject")) },
		{ COL_FOUND_ON, val_text(hosts ? hosts : "") },
		{ COL_FOUND, val_text(result_text(finding, "text")) },
		{ COL_REMEDY, val_text(result_text(finding, "remedy")) });
	err = report_row(r, rec, &row);
	free(hosts);
	return err;
}

static int write_record(const struct settings *st, const struct record *rec, const json_t *findings)
{
	struct outlets *r = NULL;
	const json_t *finding;
	size_t i;
	int err = report_open(&r, &st->output), closed;

	err = err ? err : report_begin(r, rec);
	json_array_foreach(findings, i, finding)
		err = err ? err : write_row(r, rec, finding);
	err = err ? err : report_end(r, rec);
	closed = report_close(r, !err);
	return err ? err : closed;
}

static void name_title(char *title, size_t len, const json_t *looks, int ranks)
{
	size_t n = json_array_size(looks);

	if (n < 2)
		snprintf(title, len, "on host %s", result_text(json_array_get(looks, 0), "host"));
	else
		snprintf(title, len, "on %zu hosts (%d ranks)", n, ranks);
}

/* "wrong", "notes": how many there are; "choices"; of several hosts what they have in common. */
static json_t *summarise(const struct diagnosis *d, const json_t *looks, json_t *common)
{
	json_t *summary = json_pack("{s:I, s:I, s:O, s:O}", "wrong",
				    (json_int_t)d->count[SEVERITY_WRONG], "notes",
				    (json_int_t)d->count[SEVERITY_NOTE], "choices", d->choices,
				    "links", d->links);

	if (json_array_size(looks) > 1)
		json_object_set_new(summary, "machines",
				    json_pack("{s:O, s:O}", "common", common, "hosts", looks));
	return summary;
}

static int report(const struct settings *st, struct diagnosis *d, json_t *env, json_t *looks,
		  json_t *common)
{
	const struct doctor_options *o = st->own;
	char *words = doctor_words(d);
	struct record rec = {
		.command = "doctor", .definition = "doctor.v1", .cols = cols,
		.ncols = LENGTH(cols), .words = true, .options = st->options, .environment = env,
		.summary = summarise(d, looks, common), .warnings = json_array(),
		.status = "complete", .footer = words,
	};
	int err = write_record(st, &rec, d->findings);
	size_t wrong = d->count[SEVERITY_WRONG];

	json_decref(rec.summary);
	json_decref(rec.warnings);
	free(words);
	if (err || !o->strict || !wrong)
		return err;
	return error_report("%zu thing%s wrong (--strict)", wrong, wrong == 1 ? " is" : "s are");
}

/* Rank 0: what all have found. Takes looks. */
static int conclude(const struct settings *st, const struct job *job, const struct scene *s,
		    json_t *env, json_t *looks)
{
	json_t *findings, *choices, *common = NULL, *finding;
	struct diagnosis d = { .links = s->links };
	char title[160];
	size_t i;
	int err;

	looks = those_that_looked(looks);
	name_title(title, sizeof(title), looks, job->size);
	findings = find_hosts(looks, &common);
	choices = choices_of(s, job, st->why_job);
	d.title = title;
	d.findings = findings;
	d.choices = choices;
	json_array_foreach(findings, i, finding)
		d.count[finding_severity(finding)]++;
	err = report(st, &d, env, looks, common);
	json_decref(findings);
	json_decref(choices);
	json_decref(common);
	json_decref(looks);
	return err;
}

/* One rank of each host looks, rank 0 among them, and reports what all have found. */
static int visit(struct job *job, const struct settings *st)
{
	const char *root = secure_getenv(ROOT) ? secure_getenv(ROOT) : "";
	json_t *env = NULL, *links = NULL, *mine = NULL, *looks, *places = NULL;
	const char **modules = NULL;
	struct scene s = { .root = root };
	struct place here;
	int err = ST_OK;

	memset(&here, 0, sizeof(here));
	place_here(&here);
	if (is_first(job, &here, &places)) {
		env = host_collect();
		links = links_look(root, here.numa);
		s = scene_here(st, job, env, links, root);
		s.modules = modules = module_places();
		mine = look(&s, here.host);
	}
	looks = machines_gather(job, mine);
	if (job->rank == 0) {
		json_object_set_new(env, "nranks", json_integer(job->size));
		json_object_set_new(env, "ranks", places);
		json_object_set_new(env, "job", json_pack("{s:s, s:s}", "name", job->kind->name,
							  "chosen", st->why_job));
		err = conclude(st, job, &s, env, looks);
	}
	job->kind->barrier(job);
	json_decref(env);
	json_decref(links);
	free(modules);
	return err;
}

const struct command cmd_doctor = {
	.name = "doctor",
	.summary = "what is here, what is missing, what would spoil measurements",
	.tool = true,
	.options = options,
	.options_size = sizeof(struct doctor_options),
	.output = true,
	.visit = visit,
	.visitors = visitors,
};
