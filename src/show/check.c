/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the report of check: warnings, figures, the verdict, and commands to run next. */
#include "show/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/stats.h"
#include "base/text.h"
#include "base/values.h"

#define WIDTH 79
#define SUBJECT 21		/* column where the number begins, after the subject */
#define WHAT 36			/* column where the meaning of a number begins */

/* An interval is shown as a factor if its half width is at least this, percent. */
#define VAGUE 50

static const uint64_t small = 8, large = 1 << 20;

const struct sentence check_sentences[] = {
	{ "below-link", { "bandwidth is below the required share of {subject}[, by {effect:%}]",
			  "bandwidth is the required share of {subject} or more",
			  "bandwidth: {why}" }, NULL },
	{ "unmet", { "{subject}: not met[, by {effect:%}]", "{subject}: met",
		     "{subject}: {why}" }, NULL },
	{ NULL, { NULL }, NULL },
};

/* Writes a figure with its unit, such as "161.5 ns". */
static const char *figure_text(char *buf, size_t len, const struct check_report *r,
			       const struct figure *f)
{
	return format_rate(buf, len, f->value, f->unit, r->rates);
}

/* ---- the figures ---- */

/* Writes a line: "latency, 8 B          161.5 ns    +- 1 %; half a round trip". */
static void put_figure(FILE *to, const struct check_report *r, const char *subject,
			const struct figure *f, const char *meaning)
{
	struct text t = { .n = 0 };
	char v[32];
	double half;

	if (!f && r->over)
		fprintf(to, "%-*s%-*snot measured\n", SUBJECT, subject, WHAT - SUBJECT, "-");
	if (!f)
		return;
	half = 50 * (f->hi - f->lo) / f->value;
	if (f->few)
		text_add(&t, "fewer than %d repetitions; ", FEWEST_REPETITIONS);
	fprintf(to, "%-*s%-*s", SUBJECT, subject, WHAT - SUBJECT, figure_text(v, sizeof(v), r, f));
	if (half >= VAGUE)
		text_add(&t, "uncertain by a factor of %s; ", plain(f->hi / f->lo, 2).s);
	else if (isfinite(half))
		text_add(&t, "+- %s %%; ", plain(half, 2).s);
	text_add(&t, "%s", meaning);
	text_wrap(to, t.s, WHAT, WIDTH);
}

static void put_latency(FILE *to, const struct check_report *r, const char *subject,
			const uint64_t *size)
{
	const struct figure *mean = find_figure(r->found, "latency", "half_rtt_mean_s", size);
	const struct figure *epoch = find_figure(r->found, "latency", "half_rtt_epoch_s", size);
	const struct figure *p50 = find_figure(r->found, "latency", "half_rtt_p50_s", size);
	const struct figure *p99 = find_figure(r->found, "latency", "half_rtt_p99_s", size);
	struct text t = { .n = 0 };
	char v[32];

	if (!p50 || isnan(p50->value)) {
		put_figure(to, r, subject, epoch, "half a round trip, a mean of many");
		return;
	}
	text_add(&t, "half a round trip");
	if (p99 && isfinite(p99->value))
		text_add(&t, ", 99 %% of them below %s", figure_text(v, sizeof(v), r, p99));
	if (mean && stalled_share(p50->value, mean->value) > STALLED)
		text_add(&t, "; interrupted by other work on these cores: their mean is %s",
			 figure_text(v, sizeof(v), r, mean));
	put_figure(to, r, subject, p50, t.s);
}

static void put_figures(FILE *to, const struct check_report *r)
{
	const struct figure *rate = find_figure(r->found, "msgrate", "rate_msgps", NULL);
	const struct figure *one = find_figure(r->found, "bandwidth", "bandwidth_Bps", NULL);
	const struct figure *both = find_figure(r->found, "both-ways", "bandwidth_Bps", NULL);
	struct text t = { .n = 0 };

	put_latency(to, r, "latency, 8 B", &small);
	put_latency(to, r, "latency, 1 MiB", &large);
	if (rate)
		text_add(&t, "a window of %llu messages of 8 B in flight",
			 (unsigned long long)rate->window);
	put_figure(to, r, "message rate", rate, t.s);
	t.n = 0;
	if (one)
		text_add(&t, "one way, %llu messages of 1 MiB in flight",
			 (unsigned long long)one->window);
	put_figure(to, r, "bandwidth", one, t.s);
	put_figure(to, r, "both ways at once", both, "of the two directions together");
	t.n = 0;
	text_add(&t, "a ring of all %d ranks, mean over sizes of 1 B to 1 MiB", r->ranks);
	put_figure(to, r, "b_eff", find_figure(r->found, "beff", "b_eff_Bps", NULL), t.s);
}

/* ---- the verdicts ---- */

/* Writes a judgement: "PASS  latency.half_rtt_p50_s <= 2us: 1.4 us". */
static void put_judgement(FILE *to, enum judgement j, const char *text)
{
	static const char *const words[] = { "PASS", "FAIL", "?" };

	fprintf(to, "%-6s", words[j]);
	text_wrap(to, text, 6, WIDTH);
}

/*
 * Writes the share of the link's bandwidth that was reached, or why the required share is unknown.
 */
static void put_promise(FILE *to, const struct check_report *r)
{
	const struct promise *p = r->promise;
	struct text t = { .n = 0 };
	bool judged = p->least_share > 0;
	char v[32];

	if (p->shared)
		text_add(&t, "bandwidth is %.0f %% of the %s usable out of %s",
			 100 * p->shared->value / p->Bps,
			 format_rate(v, sizeof(v), p->Bps, "B/s", r->rates), p->text);
	else if (judged && (*p->text || p->asked))
		text_add(&t, "bandwidth of at least %s %% of the link: %s",
			 plain(100 * p->least_share, 6).s,
			 *p->text ? "not measured" : promise_no_link);
	else
		return;
	if (p->shared && judged)
		text_add(&t, " (at least %g %% is required)", 100 * p->least_share);
	if (judged)
		put_judgement(to, p->judged, t.s);
	else
		text_wrap(to, t.s, 0, WIDTH);
}

static void put_requirements(FILE *to, const struct check_report *r)
{
	for (size_t i = 0; i < r->required->n; i++) {
		const struct requirement *q = &r->required->at[i];
		const char *lack = reason_unclear(q->judged, q->by);
		const struct figure *f = q->by;
		struct text t = { .n = 0 };
		char v[3][32];

		text_add(&t, "%s: %s", q->text, f ? figure_text(v[0], sizeof(v[0]), r, f) : lack);
		if (f && isfinite(f->lo) && isfinite(f->hi))
			text_add(&t, " [%s, %s]",
				 format_rate(v[1], sizeof(v[1]), f->lo, f->unit, r->rates),
				 format_rate(v[2], sizeof(v[2]), f->hi, f->unit, r->rates));
		if (f && *lack && r->runs > 1)
			text_add(&t, ": %s; more --runs may %s", lack,
				 isfinite(f->lo) ? "narrow it" : "give it one");
		else if (f && *lack)
			text_add(&t, ": %s; a longer --time %s", lack,
				 f->few			? "allows more"
				 : isfinite(f->lo) ? "narrows it"
						   : "gives it one");
		put_judgement(to, q->judged, t.s);
	}
}

/* ---- the whole report ---- */

char *check_words(const struct check_report *r)
{
	static const char *const verdicts[] = { "pass", "FAIL", "cannot be judged" };
	char *text = NULL;
	size_t len, i;
	FILE *to = open_memstream(&text, &len);
	const json_t *one;

	if (!to)
		return NULL;
	text_wrap(to, r->title, 0, WIDTH);
	putc('\n', to);
	json_array_foreach(r->warnings, i, one) {
		fputs(i ? "          " : "beware:   ", to);
		text_wrap(to, json_string_value(one), 10, WIDTH);
	}
	if (json_array_size(r->warnings))
		putc('\n', to);
	put_figures(to, r);
	putc('\n', to);
	put_promise(to, r);
	put_requirements(to, r);
	if (r->nothing_judged)
		text_wrap(to, "Nothing was required, and no device is known whose speed this could "
			  "be compared with.", 0, WIDTH);
	else
		fprintf(to, "verdict: %s\n", verdicts[r->verdict]);
	if (!r->over)
		fputs("\nnext: netbench latency --sizes '1:1M:*4'     latency over the size\n"
		      "      netbench bandwidth --window '1:64:*2'  gain by messages in flight\n"
		      "      netbench check -o before.json          keeps this result; later:\n"
		      "      netbench check --require before.json   what has become worse\n", to);
	return text_close(to, &text);
}
