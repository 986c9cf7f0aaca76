/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/monitor/options.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/values.h"

#define YEAR_S (366 * 24 * 3600.0)

#define AT(member) offsetof(struct monitoring, member)

const struct opt monitoring_options[] = {
	{ 0, "duration", "time", OPT_SECONDS, AT(duration_s), .max = 100 * YEAR_S,
	  .aka = "monitor watch",
	  .help = "measure again at the start of each interval for this time, as 24h; the rows of "
		  "all intervals go to CSV" },
	{ 0, "interval", "time", OPT_SECONDS, AT(interval_s), .def = "10s", .min = 1e-3,
	  .max = YEAR_S, .help = "with --duration: time from start to start of intervals" },
	{ 0, "resume", "file", OPT_TEXT, AT(resume), .file = OPT_WRITTEN,
	  .help = "with --duration: go on with this CSV file of an earlier run with the same "
		  "options, ranks and hosts; begin the file if it does not exist" },
	{ 0, "metrics", "file", OPT_TEXT, AT(metrics), .file = OPT_WRITTEN,
	  .help = "with --duration: write the values of the latest interval to this file, for "
		  "Prometheus" },
	{ 0, "change", "percent", OPT_REAL, AT(change), .def = "5", .min = 0, .max = 1000,
	  .help = "with --duration: report lasting changes of more than this" },
	{ 0, "flap", "time", OPT_SECONDS, AT(flap_s), .def = "5m", .max = YEAR_S,
	  .help = "with --duration: a time that is down or slow counts as a flap if it is "
		  "shorter" },
	{ 0, "fail-if", "list", OPT_TEXT, AT(fail_if),
	  .help = "with --duration: exit with status 1 on a change for the worse, on flaps or on "
		  "low availability, as change:10%,flap:1,availability:99.9%" },
	{ 0 },
};

int monitoring_parse_limits(const char *list, struct monitor_limits *to)
{
	const struct {
		const char *name;
		bool percent;
		double *to;
	} kinds[] = {
		{ "change:", true, &to->change }, { "flap:", false, &to->flaps },
		{ "availability:", true, &to->availability },
	};
	char *copy = strdup(list), *rest = copy, *item;
	bool good = copy;

	while (good && (item = strsep(&rest, ","))) {
		size_t i = 0, len = strlen(item);
		bool percent = len && item[len - 1] == '%';

		item[len - percent] = '\0';
		while (i < LENGTH(kinds) && strncmp(item, kinds[i].name, strlen(kinds[i].name)))
			i++;
		good = i < LENGTH(kinds) && percent == kinds[i].percent &&
		       scan_real(item + strlen(kinds[i].name), kinds[i].to) == V_OK &&
		       *kinds[i].to > 0 && (kinds[i].to != &to->availability ||
					    *kinds[i].to <= 100);
		if (good && percent)
			*kinds[i].to /= 100;
	}
	free(copy);
	return good ? ST_OK
		    : error_usage("value '%s' of '--fail-if': expected a list of change:PERCENT%%, "
				  "flap:NUMBER and availability:PERCENT%%, such as "
				  "change:10%%,flap:1,availability:99.9%%", list);
}

int monitoring_check(struct monitoring *m, const struct arguments *given,
		     struct output_options *output)
{
	static const char *const refused[] = { "predict", "samples", "guidelines" };
	/* a command may have an option of this name, which then has the text */
	const char *limits = arguments_value(given, "fail-if");
	bool csv = output->format == FORMAT_CSV || m->resume;

	m->limits = (struct monitor_limits){ NAN, NAN, NAN };
	for (const struct opt *o = monitoring_options; o->name && !(m->duration_s > 0); o++)
		if (strcmp(o->name, "duration") && arguments_given(given, o->name) &&
		    (strcmp(o->name, "fail-if") || m->fail_if))
			return error_usage("option '--%s' needs '--duration'", o->name);
	if (!(m->duration_s > 0))
		return ST_OK;
	for (size_t i = 0; i < LENGTH(refused); i++)
		if (arguments_given(given, refused[i]))
			return error_usage("option '--%s' has no meaning with '--duration'",
					   refused[i]);
	for (size_t i = 0; i < output->outputs.n; i++) {
		const char *suffix = strrchr(output->outputs.v[i], '.');

		csv |= suffix && !strcmp(suffix, ".csv");
	}
	if (!csv)
		return error_usage("option '--duration' needs CSV for its rows: give '--output "
				   "FILE.csv', '--resume FILE.csv' or '--format csv'");
	if (m->resume && output->csv_header != CSV_FULL)
		return error_usage("option '--resume' needs '--csv-header full', which has the "
				   "options of the run");
	output->monitors = true;
	output->resume = m->resume;
	m->fail_if = limits;
	if (limits && monitoring_parse_limits(limits, &m->limits))
		return ST_USAGE;
	/* changes as small as the limit must be looked for */
	m->change = fmin(m->change, isnan(m->limits.change) ? m->change : 100 * m->limits.change);
	return ST_OK;
}
