/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/faults.h"

#include <time.h>

#include "base/error.h"

/* The first fault of this process; text is "" if there was none. */
static struct {
	char text[ERROR_TEXT];
	int status;
} first;

/* Keeps the first fault of this process. */
static void keep_first_fault(const char *text, int status)
{
	if (first.text[0])
		return;
	snprintf(first.text, sizeof(first.text), "%s", text);
	first.status = status;
}

/* Reports the kept fault. Returns the exit status of the fault. */
static int report_kept_fault(void)
{
	return first.status == ST_USAGE		? error_usage("%s", first.text)
	       : first.status == ST_UNAVAILABLE ? error_unavailable("%s", first.text)
						: error_report("%s", first.text);
}

void faults_keep(void)
{
	error_route(keep_first_fault);
}

void faults_print(void)
{
	error_route(NULL);
	if (first.text[0])
		report_kept_fault();
	first.text[0] = '\0';
}

/* Runs as the rank's body if the rank cannot take part: ends the job with the kept fault. */
__attribute__((noreturn)) static int abort_with_kept(struct job *job, void *arg)
{
	job->kind->abort(job, report_kept_fault());
}

int faults_end(struct command_line *line, int status)
{
	const struct job_kind *job = line->settings.job;
	struct timespec nap = { 2, 0 };
	bool launched = job && line->settings.launch.rank >= 0;
	struct launch l = job_launch(launched ? job->name : NULL);
	char **argv = NULL;
	int argc = 0;
	void *options;

	if (!first.text[0])
		return status;
	options = job ? command_line_values(line, job->options, job->options_size) : NULL;
	if (launched && !job->enter(options, &l, &argc, &argv)) {
		error_route(NULL);
		return job->run(options, &l, l.size, 1, abort_with_kept, NULL);
	}
	error_route(NULL);
	/* rank 0 likely reports the same fault and exits, and some launchers then end this rank */
	if (l.rank > 0)
		nanosleep(&nap, NULL);
	return l.local > 0 ? first.status : report_kept_fault();
}
