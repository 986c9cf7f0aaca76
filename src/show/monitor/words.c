/* SPDX-License-Identifier: Apache-2.0 */
#include "show/monitor/words.h"

#include <stdlib.h>
#include <string.h>

#include "analyse/monitor/judge.h"
#include "base/text.h"
#include "base/values.h"
#include "result/document.h"
#include "show/chart/words.h"

#define SPAN "{intervals:#interval} of {interval_s:s}, {from} to {to} UTC[, {gaps:#gap}]" \
	     "[, thinned by {removed:#interval} to save memory]; "
#define VISIBLE "[; a lasting change of {effect:%} or more would have been seen]"

const struct sentence monitor_sentences[] = {
	{ "monitor", { SPAN "{changed} of {series} series changed" VISIBLE,
		       SPAN "no lasting change" VISIBLE, SPAN "{why}" }, NULL },
	{ "change", { "{quantity}[ ({point})] {verb} by {by:%} at {at}", NULL, NULL }, NULL },
	{ "change_limit", { "{quantity}[ ({point})] became worse by {effect:%}: '--fail-if' allows "
			    "less than {limit:%}",
			    "no change for the worse by {limit:%} or more",
			    "cannot tell whether a change for the worse reaches {limit:%}: {why}" },
	  NULL },
	{ "flaps", { "{effect:#flap}{flapping}, the first at {at}, the longest {longest_s:s}, "
		     "{total_s:s} in all", "{effect:#flap}",
		     "flaps cannot be counted: {why}" }, NULL },
	{ "availability", { "availability {percent} % ({up} of {intervals:#interval}): '--fail-if' "
			    "needs {limit} %",
			    "availability {percent} % ({up} of {intervals:#interval})",
			    "availability is unknown: {why}" }, NULL },
	{ NULL, { NULL }, NULL },
};

json_t *monitor_words(const struct findings *found)
{
	const struct finding *f = found->at, *end = found->at + found->n, *first;
	json_t *lines = json_array();

	while (f < end) {
		struct text t = { .n = 0 };
		char *words;

		if (strcmp(f->kind, "change") != 0) {
			words = memory_or_exit(finding_words(
				f, finding_sentence(monitor_sentences, f->kind), RATE_BYTE));
			json_array_append_new(lines, json_string(words));
			free(words);
			f++;
			continue;
		}
		text_add(&t, "%s", words_of(f->quantity).s);
		if (*f->subject)
			text_add(&t, " (%s)", f->subject);
		for (first = f; f < end && !strcmp(f->kind, "change") && f->of == first->of; f++)
			text_add(&t, "%s %s by %s %% at %s", f > first ? "," : "",
				 result_text(f->evidence, "verb"),
				 plain(100 * result_number(f->evidence, "by"), 2).s,
				 result_text(f->evidence, "at"));
		json_array_append_new(lines, json_string(t.s));
	}
	return lines;
}

bool monitor_is_result(const json_t *doc)
{
	return result_number(document_options(doc), "duration") > 0;
}

json_t *monitor_words_of_result(const json_t *doc)
{
	struct timeline_rules rules = timeline_rules_from(document_options(doc));
	struct findings found = { .n = 0 };
	struct monitored t = { .n = 0 };
	json_t *words = NULL, *row;
	size_t i;

	if (!monitor_is_result(doc))
		return NULL;
	if (!json_array_size(document_rows(doc)))
		return json_incref(result_at(document_summary(doc), "over_time"));
	json_array_foreach(document_rows(doc), i, row)
		timeline_add(&t, row);
	timeline_drop_incomplete(&t);
	if (t.n && !timeline_judge(&t, 0, &rules, &found))
		words = monitor_words(&found);
	findings_free(&found);
	timeline_free(&t);
	return words;
}
