/* SPDX-License-Identifier: Apache-2.0 */
#include "show/monitor/metrics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/values.h"
#include "result/columns.h"
#include "result/document.h"

/* The names of units in metrics. */
static const struct {
	const char *unit, *suffix;
} units[] = {
	{ "s", "_seconds" }, { "B/s", "_bytes_per_second" }, { "msg/s", "_messages_per_second" },
	{ "Hz", "_per_second" }, { "", "" },
};

/* Statistics that become a label. A column of them with another statistic gets no metric. */
static const struct {
	const char *part, *quantile;
} quantiles[] = {
	{ "_p50", "0.5" }, { "_p90", "0.9" }, { "_p99", "0.99" }, { "_p999", "0.999" },
};

/* Columns that get a metric although they are neither a quantile nor ROLE_MAIN. */
static const struct {
	enum column_id id;
	const char *name;
} others[] = {
	{ COL_LOAD_ACHIEVED, "netbench_load_achieved_ratio" },
	{ COL_RATE_ACHIEVED, "netbench_rate_achieved_per_second" },
	{ COL_UNANSWERED, "netbench_unanswered" }, { COL_ERRORS, "netbench_errors" },
	{ COL_LATE_SENDS, "netbench_late_sends" },
};

/* Removes the unit from the end of a column's name. */
static void strip_unit(char *name, const struct column *c)
{
	char *unit = *c->unit ? strrchr(name, '_') : NULL;

	if (unit)
		*unit = '\0';
}

bool metrics_name(const struct column *c, char name[METRIC_NAME], const char **quantile)
{
	enum column_id id = (enum column_id)(c - columns);
	bool known = column_role(id) == ROLE_MAIN;
	size_t u = 0;

	*quantile = NULL;
	for (size_t i = 0; i < LENGTH(others); i++)
		if (others[i].id == id) {
			snprintf(name, METRIC_NAME, "%s", others[i].name);
			return true;
		}
	while (u < LENGTH(units) && strcmp(units[u].unit, c->unit) != 0)
		u++;
	if (u == LENGTH(units))
		return false;
	snprintf(name, METRIC_NAME, "netbench_%s", c->name);
	strip_unit(name, c);
	for (size_t i = 0; i < LENGTH(quantiles); i++) {
		size_t n = strlen(name), part = strlen(quantiles[i].part);

		if (n > part && !strcmp(name + n - part, quantiles[i].part)) {
			name[n - part] = '\0';
			*quantile = quantiles[i].quantile;
			known = true;
		}
	}
	/* a median whose column names no statistic, beside columns of higher quantiles */
	if (known && !*quantile && column_part_id(id, "p99") != NCOLUMNS)
		*quantile = "0.5";
	strncat(name, units[u].suffix, METRIC_NAME - strlen(name) - 1);
	return known;
}

/* Adds a label. Escapes its value as both formats require. */
static void add_label(struct text *t, const char *name, const char *value)
{
	text_add(t, "%s%s=\"", t->n ? "," : "", name);
	for (; *value; value++)
		if (*value == '\n')
			text_add(t, "\\n");
		else
			text_add(t, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
	text_add(t, "\"");
}

/* Adds the lines of a row to the metrics by name: from each name to an array of lines. */
static void add_row(const struct metrics *m, const json_t *row, json_t *by_name)
{
	struct text labels = { .n = 0 }, line;
	const char *column, *quantile;
	char name[METRIC_NAME], *text;
	json_t *cell;

	add_label(&labels, "command", m->command);
	json_object_foreach((json_t *)(uintptr_t)row, column, cell) {
		const struct column *c = column_find(column);

		if (!c || column_role((enum column_id)(c - columns)) != ROLE_POINT ||
		    json_is_null(cell))
			continue;
		snprintf(name, sizeof(name), "%s", column);
		strip_unit(name, c);
		text = json_is_string(cell) ? NULL : json_dumps(cell, JSON_ENCODE_ANY);
		add_label(&labels, name, text ? text : json_string_value(cell));
		free(text);
	}
	json_object_foreach((json_t *)(uintptr_t)row, column, cell) {
		const struct column *c = column_find(column);

		if (!c || !json_is_number(cell) || !metrics_name(c, name, &quantile))
			continue;
		line = text_from("{%s", labels.s);
		if (quantile)
			text_add(&line, ",quantile=\"%s\"", quantile);
		text_add(&line, "} %.12g", json_number_value(cell));
		if (!json_object_get(by_name, name))
			json_object_set_new(by_name, name, json_pack("{s:s, s:[]}", "help",
								     c->definition, "lines"));
		json_array_append_new(result_at(json_object_get(by_name, name), "lines"),
				      json_string(line.s));
	}
}

/* Writes the lines about a metric that precede its samples. `help` is one line of text. */
static void put_head(FILE *to, const char *name, const char *help)
{
	fprintf(to, "# HELP %s %.*s\n# TYPE %s gauge\n", name, (int)strcspn(help, ".\n\\"), help,
		name);
}

char *metrics_text(const struct metrics *m)
{
	json_t *by_name = json_object(), *metric, *row, *line;
	const char *name;
	char *text = NULL;
	size_t i;
	FILE *to = text_open(&text);

	json_array_foreach(m->rows, i, row)
		add_row(m, row, by_name);
	json_object_foreach(by_name, name, metric) {
		put_head(to, name, result_text(metric, "help"));
		json_array_foreach(result_at(metric, "lines"), i, line)
			fprintf(to, "%s%s\n", name, json_string_value(line));
	}
	put_head(to, "netbench_up", "1 if each point had events and no wrong message");
	fprintf(to, "netbench_up{command=\"%s\"} %d\n", m->command, m->up);
	put_head(to, "netbench_last_interval_timestamp_seconds", "start of the latest interval");
	fprintf(to, "netbench_last_interval_timestamp_seconds{command=\"%s\"} %.3f\n# EOF\n",
		m->command, m->begun_s);
	json_decref(by_name);
	return memory_or_exit(text_close(to, &text));
}
