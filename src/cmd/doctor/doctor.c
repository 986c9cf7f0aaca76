/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command doctor: finds the backends and devices that netbench can use here, missing parts, and
 * disturbances of measurements. It measures nothing.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "analyse/doctor.h"
#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "cli/command.h"
#include "cmd/doctor/backends.h"
#include "cmd/doctor/hosts.h"
#include "cmd/doctor/network.h"
#include "cmd/doctor/system.h"
#include "host/devices.h"
#include "host/links.h"
#include "host/machines.h"
#include "host/pin.h"
#include "host/record.h"
#include "result/document.h"
#include "show/doctor.h"
#include "transport/registry.h"

/*
 * Environment variable that names the directory which replaces "/". That directory contains proc,
 * sys and dev.
 */
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
	  .help = "backend to be used; reported as wrong if it does not run here" },
	{ 0, "job", "kind", OPT_TEXT, AT(job),
	  .help = "ranks that take part: fork (this machine), mpi (started by mpirun or srun), "
		  "join; default: according to the launcher" },
	{ 'n', "ranks", "count", OPT_UINT, AT(ranks), .min = 1, .max = 1000000,
	  .help = "with --listen: number of ranks; one per host suffices" },
	{ 0 },
};

static const enum column_id cols[] = {
	COL_FINDING, COL_SEVERITY, COL_SUBJECT, COL_FOUND_ON, COL_FOUND, COL_REMEDY,
};

static uint64_t requested_ranks(const struct settings *st)
{
	return ((const struct doctor_options *)st->own)->ranks;
}

/* ---- one host ---- */

/*
 * Examines this host. Returns an object with its findings, its relevant links, and the facts that
 * should be equal on all hosts (new reference).
 */
static json_t *examine_host(const struct scene *s, const char *host)
{
	static void (*const all[])(json_t *list, const struct scene *s) = {
		find_system, find_network, find_limits, find_modules, find_backends,
	};
	json_t *findings = json_array(), *matter = relevant_links(s->links);
	json_t *facts = machines_facts(NULL), *name;
	size_t k;

	for (size_t i = 0; i < LENGTH(all); i++)
		all[i](findings, s);
	json_array_foreach(matter, k, name)
		machines_add_link(facts, k, json_string_value(name),
				  json_object_get(s->links, json_string_value(name)));
	return json_pack("{s:s, s:o, s:o, s:o}", "host", host, "findings", findings, "facts",
			 facts, "links", matter);
}

/* ---- all hosts ---- */

/*
 * Returns whether this rank is the first of its host. The first rank examines the host for all
 * ranks on it. On rank 0, sets *places to the places of all ranks, in the form of the record (new
 * reference). Collective.
 */
static bool is_first_of_host(struct job *job, const struct place *here, json_t **places)
{
	size_t n = (size_t)job->size, part;
	const struct place *all = job->kind->gather(job, here, sizeof(*here));
	char *first = calloc(n, 1);
	bool mine;

	if (!first)
		job->kind->abort(job, error_report("no memory for %d ranks", job->size));
	if (all) {
		json_t *seen = json_object();

		for (size_t r = 0; r < n; r++) {
			first[r] = !json_object_get(seen, all[r].host);
			json_object_set_new(seen, all[r].host, json_true());
		}
		json_decref(seen);
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

/* ---- the result ---- */

static int put_rows(void *arg, struct outlets *r, const struct record *rec)
{
	const struct diagnosis *d = arg;
	json_t *finding;
	int err = ST_OK;
	size_t i;

	json_array_foreach(d->findings, i, finding) {
		struct row row = { 0 };
		/* "n1 n4 n5"; "" if all hosts have the finding */
		char *hosts = join_list(json_object_get(finding, "hosts"), " ");

		ROW_PUT(&row, rec, { COL_FINDING, val_text(result_text(finding, "id")) },
			{ COL_SEVERITY, val_text(result_text(finding, "severity")) },
			{ COL_SUBJECT, val_text(result_text(finding, "subject")) },
			{ COL_FOUND_ON, val_text(hosts ? hosts : "") },
			{ COL_FOUND, val_text(result_text(finding, "text")) },
			{ COL_REMEDY, val_text(result_text(finding, "remedy")) });
		err = report_row(r, rec, &row);
		free(hosts);
		if (err)
			break;
	}
	return err;
}

static int report_diagnosis(const struct settings *st, struct diagnosis *d, json_t *env,
			    json_t *host_reports, json_t *common)
{
	const struct doctor_options *o = st->own;
	char *words = doctor_words(d);
	size_t wrong = d->count[SEVERITY_WRONG], notes = d->count[SEVERITY_NOTE];
	json_t *machines = json_array_size(host_reports) < 2 ? NULL
			   : json_pack("{s:O, s:O}", "common", common, "hosts", host_reports);
	struct record rec = {
		.command = "doctor", .definition = "doctor.v1", .cols = cols,
		.ncols = LENGTH(cols), .words = true, .options = st->options, .environment = env,
		.summary = json_pack("{s:I, s:I, s:O, s:O, s:o*}", "wrong", (json_int_t)wrong,
				     "notes", (json_int_t)notes, "choices", d->choices, "links",
				     d->links, "machines", machines),
		.warnings = json_array(),
		.status = "complete", .footer = words,
	};
	struct findings found = { .n = 0 };
	int err;

	doctor_findings(d->findings, o->strict, &found);
	json_object_set_new(rec.summary, "findings",
			    findings_json(&found, doctor_sentences, RATE_BYTE));
	err = report_result(&st->output, &rec, put_rows, d);
	json_decref(rec.summary);
	json_decref(rec.warnings);
	free(words);
	if (!err && (err = findings_status(&found)))
		error_report("%zu thing%s wrong (--strict)", wrong, wrong == 1 ? " is" : "s are");
	findings_free(&found);
	return err;
}

/*
 * Rank 0: reports the findings of all hosts. Takes over the reference `host_reports`. Returns the
 * exit status.
 */
static int report_all_hosts(const struct settings *st, const struct job *job, const struct scene *s,
		    json_t *env, json_t *host_reports)
{
	json_t *findings, *choices, *common = NULL, *finding;
	struct diagnosis d = { .links = s->links };
	char title[160];
	size_t i;
	int err;

	/* removes the ranks without a report: only one rank of each host has one */
	for (i = json_array_size(host_reports); i-- > 0;)
		if (!json_is_object(json_array_get(host_reports, i)))
			json_array_remove(host_reports, i);
	if (json_array_size(host_reports) < 2)
		snprintf(title, sizeof(title), "on host %s",
			 result_text(json_array_get(host_reports, 0), "host"));
	else
		snprintf(title, sizeof(title), "on %zu hosts (%d ranks)",
			 json_array_size(host_reports), job->size);
	findings = find_hosts(host_reports, &common);
	choices = default_backends(s, job, st->why_job);
	d.title = title;
	d.findings = findings;
	d.choices = choices;
	json_array_foreach(findings, i, finding)
		d.count[finding_severity(finding)]++;
	err = report_diagnosis(st, &d, env, host_reports, common);
	json_decref(findings);
	json_decref(choices);
	json_decref(common);
	json_decref(host_reports);
	return err;
}

/*
 * One rank of each host examines the host. Rank 0 is one of these ranks. Rank 0 reports all
 * findings. Returns the exit status.
 */
static int run_doctor_rank(struct job *job, const struct settings *st)
{
	const struct doctor_options *o = st->own;
	const char *root = secure_getenv(ROOT) ? secure_getenv(ROOT) : "";
	char path[PATH_MAX];
	struct statvfs fs;
	bool shared;
	json_t *env = NULL, *links = NULL, *mine = NULL, *host_reports, *places = NULL;
	struct scene s = { .root = root };
	struct place here;
	int err = ST_OK;

	memset(&here, 0, sizeof(here));
	place_find(&here);
	if (is_first_of_host(job, &here, &places)) {
		env = host_collect();
		links = links_describe(root, here.numa);
		/* The devices below `root` replace those that host_collect found. */
		json_object_set_new(env, "network",
				    json_pack("{s:o?, s:o}", "devices", devices_network_in(root),
					      "infiniband", devices_infiniband_in(root)));
		snprintf(path, sizeof(path), "%s/dev/shm", root);
		shared = !statvfs(path, &fs);
		s = (struct scene){
			.root = root, .env = env, .links = links, .backend = o->backend,
			.shm_B = shared ? (double)fs.f_blocks * (double)fs.f_frsize : -1,
			.ranks = job->local_size, .cpus = job->cpus,
			.launched = job->kind->enter != NULL, .module = module_path };
		mine = examine_host(&s, here.host);
	}
	host_reports = machines_gather(job, mine);
	if (job->rank == 0) {
		json_object_set_new(env, "nranks", json_integer(job->size));
		json_object_set_new(env, "ranks", places);
		json_object_set_new(env, "job", json_pack("{s:s, s:s}", "name", job->kind->name,
							  "chosen", st->why_job));
		err = report_all_hosts(st, job, &s, env, host_reports);
	}
	job->kind->barrier(job);
	json_decref(env);
	json_decref(links);
	return err;
}

const struct command cmd_doctor = {
	.name = "doctor",
	.summary = "what is here, what is missing, and what would spoil measurements",
	.tool = true,
	.options = options,
	.options_size = sizeof(struct doctor_options),
	.output = true,
	.visit = run_doctor_rank,
	.visitors = requested_ranks,
};
