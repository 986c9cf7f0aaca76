/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/runs/kept.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "result/document.h"
#include "result/reader.h"

json_t *kept_run_json(const struct kept_run *run)
{
	return json_pack("{s:I, s:I, s:I, s:b, s:s, s:f, s:i, s:O?}", "command",
			 (json_int_t)run->command, "block", (json_int_t)run->block, "place",
			 (json_int_t)run->place, "counted", run->counted, "start", run->start,
			 "seconds", run->seconds, "exit_status", run->exit_status, "document",
			 run->doc);
}

/* True if a JSON value is a whole number that can be an index. */
static bool is_index(const json_t *v)
{
	return json_is_integer(v) && json_integer_value(v) >= 0 && json_integer_value(v) < 1 << 24;
}

int kept_run_read(const char *path, const json_t *member, struct kept_run *run)
{
	json_t *command = result_at(member, "command"), *block = result_at(member, "block");
	json_t *place = result_at(member, "place");

	if (!is_index(command) || !is_index(block) || !is_index(place))
		return error_usage("'%s' has a run without its command, block or place", path);
	*run = (struct kept_run){
		.command = (size_t)json_integer_value(command),
		.block = (size_t)json_integer_value(block),
		.place = (size_t)json_integer_value(place),
		.counted = json_is_true(result_at(member, "counted")),
		.seconds = result_number(member, "seconds"),
		.exit_status = (int)json_integer_value(result_at(member, "exit_status")),
		.doc = result_at(member, "document"),
	};
	snprintf(run->start, sizeof(run->start), "%s", result_text(member, "start"));
	if (!json_is_object(run->doc)) {
		run->doc = NULL;
		run->counted = false;
		return ST_OK;
	}
	return result_check(path, run->doc);
}
