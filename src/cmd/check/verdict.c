/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/check/verdict.h"

#include <stdlib.h>

#include "base/error.h"

static void record_verdict(json_t *summary, const struct check_report *r,
			   const struct findings *found)
{
	const struct promise *p = r->promise;
	json_t *promise;

	json_object_update_new(summary, json_pack("{s:o, s:s, s:o}", "requirements",
			       requirements_json(r->required), "verdict",
			       r->nothing_judged ? "nothing to judge" : judgement_names[r->verdict],
			       "findings", findings_json(found, check_sentences, r->rates)));
	if (!*p->text)
		return;
	promise = json_pack("{s:s, s:f, s:f}", "of", p->text, "Bps", p->Bps, "least_share",
			    p->least_share);
	if (p->shared && p->least_share > 0)
		json_object_update_new(promise,
				       json_pack("{s:f, s:s}", "value_Bps", p->shared->value,
						 "verdict", judgement_names[p->judged]));
	json_object_set_new(summary, "promise", promise);
}

/*
 * Judges the figures by the requirements in r->required and by the device's nominal bandwidth.
 * Returns the exit status.
 */
static int judge_figures(const struct settings *st, struct record *rec, struct check_report *r,
			 struct findings *found, char **text)
{
	const struct check_options *o = st->own;
	struct promise promise = read_promise(rec->environment);
	int status;

	promise.least_share = o->share / 100;
	promise.asked = o->share > 0 && settings_given(st, "of-link");
	r->promise = &promise;
	promise_judge(&promise, r->found, found);
	requirements_findings(r->required, found);
	status = findings_status(found);
	r->verdict = status == ST_FAILED       ? JUDGED_FAIL
		     : status == ST_NO_VERDICT ? JUDGED_UNCLEAR
					       : JUDGED_PASS;
	r->nothing_judged = !found->n;
	record_verdict(rec->summary, r, found);
	*text = check_words(r);
	r->promise = NULL;
	if (promise.asked && !*promise.text && status != ST_FAILED)
		return error_no_verdict("'--of-link' cannot be judged: %s", promise_no_link);
	return requirements_status(found);
}

int check_judge(const struct settings *st, struct record *rec, struct check_report *r,
		char **text)
{
	const struct check_options *o = st->own;
	struct requirements required = { .n = 0 };
	struct findings found = { .n = 0 };
	int err = ST_OK;

	r->rates = (enum rate_unit)st->output.rate_unit;
	for (size_t i = 0; i < o->require.n && !err; i++)
		err = requirements_read(&required, o->require.v[i], o->tolerance / 100);
	requirements_judge(&required, r->found);
	r->required = &required;
	if (!err)
		err = judge_figures(st, rec, r, &found, text);
	r->required = NULL;
	findings_free(&found);
	free(required.at);
	return err;
}
