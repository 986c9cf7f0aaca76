/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles rounds, links and the clock of images with link cores. This file works with every
 * platform, because a platform only starts a core and accesses its 32-bit registers.
 *
 * The core compares every beat with the beat that its sender makes. The host chooses the first word
 * of the round's final message (kernels.h), and the words of all beats follow from that word.
 * Before the round, the sending rank sends the word over the link, in a launch of one beat for each
 * stage. After the round, the receiving host fills the received buffer with the beats that follow
 * from the word. If the core has found wrong beats, the host also copies the first wrong beat to
 * its place in the buffer.
 */
#include <endian.h>
#include <math.h>
#include <time.h>

#include "backends/fpga/card.h"
#include "backends/fpga/rtl.h"
#include "backends/fpga/wire.h"

#define SKIPPED 2		/* number of iterations at a round's start that are not measured */
/* iterations per sample if no credits pass between iterations, which then take 4 cycles each */
#define ONE_WAY_GROUP 4
/*
 * the histogram starts this many cycles below the shortest sample, so that short samples are
 * counted exactly
 */
#define BASE_ROOM 32
#define CLOCK_S 0.1		/* s; time between two readings of the core's clock */
#define CLOCK_TRIES 20		/* number of readings, of which the quickest counts */
#define CLOCK_APART 1e-3	/* largest relative difference from the image's clock */
#define SILENCE_EMULATED 128	/* time-out of an emulated core, in units of 1024 cycles */
#define SIMULATED_HZ 2e4	/* even a slow machine simulates this many cycles per second */
/*
 * default slowdown per rank: the number of seconds that this machine takes to emulate one second of
 * a core
 */
#define SLOWDOWN_EMULATED 512
#define TEST_LEN 5001		/* bytes of the message that tests a link */

/* ---- registers ---- */

static bool read32(struct fpga *f, struct fpga_core *c, uint32_t offset, uint32_t *value)
{
	if (f->on->read_core(&c->unit, offset, value))
		return true;
	error_report("rank %d: register 0x%x of core '%s' on card '%s' cannot be read",
		     f->ep.job->rank, (unsigned)offset, c->unit.name, f->device);
	return false;
}

static bool read64(struct fpga *f, struct fpga_core *c, uint32_t offset, uint64_t *value)
{
	uint32_t low, high;

	if (!read32(f, c, offset, &low) || !read32(f, c, offset + 4, &high))
		return false;
	*value = (uint64_t)high << 32 | low;
	return true;
}

static int set_program(struct fpga *f, struct fpga_core *c)
{
	const struct core_program *p = &c->program;
	bool ok = true;

#define SET(NAME, name, offset, bits, meaning) \
	ok = ok && f->on->set_value(&c->unit, NB_ARG_##NAME, &p->name, sizeof(p->name));
	NB_ARGUMENTS(SET)
#undef SET
	return ok ? ST_OK : error_report("rank %d: core '%s' does not take its arguments",
					 f->ep.job->rank, c->unit.name);
}

/* ---- launches ---- */

/* Returns the approximate number of cycles that all beats of the program take. */
static double program_cycles(const struct fpga *f, const struct core_program *p)
{
	double width = f->width;

	return (double)p->iterations *
	       ((p->s_size0 / width + 1) * p->s_count0 + (p->s_size1 / width + 1) * p->s_count1 +
		(p->r_size0 / width + 1) * p->r_count0 + (p->r_size1 / width + 1) * p->r_count1 +
		2000);
}

/*
 * Starts all cores in use, and waits until they have ended: at most `seconds` for each, or longer
 * if a core is emulated. Returns ST_OK or ST_FAILED.
 */
static int launch_cores(struct fpga *f, double seconds)
{
	double most = seconds;
	int err = ST_OK;

	for (uint32_t p = 0; p < f->pairs && !err; p++)
		if (f->core[p].unit.used)
			err = set_program(f, &f->core[p]);
	for (uint32_t p = 0; p < f->pairs && !err; p++) {
		struct fpga_core *c = &f->core[p];

		if (c->unit.used && !f->on->start(&c->unit))
			err = fpga_report_kernel(f, &c->unit, "does not start");
		if (f->emulator && c->unit.used)
			most = fmax(most, seconds + program_cycles(f, &c->program) / SIMULATED_HZ);
	}
	for (uint32_t p = 0; p < f->pairs && !err; p++) {
		struct fpga_unit *u = &f->core[p].unit;
		enum fpga_end how = u->used ? f->on->wait(u, most) : FPGA_ENDED;

		if (how == FPGA_FAILED)
			err = fpga_report_kernel(f, u, "has failed");
		else if (how == FPGA_RUNS)
			err = error_report("rank %d: core '%s' on card '%s' has not ended within "
					   "%g s: is the neighbour's rank alive, its link up?",
					   f->ep.job->rank, u->name, f->device, most);
	}
	return err;
}

/*
 * Returns the time-out for a core, in units of 1024 cycles. A core's time-out is shorter than
 * `seconds`, the time for which the host waits for that core.
 */
static uint32_t core_timeout(const struct fpga *f, double seconds)
{
	double n = 0.9 * seconds * f->clock_hz / 1024;

	if (f->emulator)
		return SILENCE_EMULATED;
	return isfinite(n) && n < UINT32_MAX ? (uint32_t)n : 0;
}

/* Returns how long the host waits at most for the end of a round, s. */
static double round_timeout(const struct fpga *f)
{
	return f->options->kernel_timeout > 0 ? f->options->kernel_timeout : INFINITY;
}

/* ---- content ---- */

static uint64_t count_beats(const struct fpga *f, uint32_t size)
{
	return size ? (size - 1) / f->width + 1 : 1;
}

/*
 * Returns the first word of beat k as the sender made it. k counts all beats that the core receives
 * in the round.
 */
static uint64_t expected_word(const struct fpga *f, const struct core_program *p, uint64_t k)
{
	uint64_t n0 = count_beats(f, p->r_size0), n1 = count_beats(f, p->r_size1);
	uint64_t whole = n0 * p->r_count0 + n1 * p->r_count1;
	uint64_t m = k / whole * (p->r_count0 + p->r_count1);

	k %= whole;
	if (k >= n0 * p->r_count0) {
		m += p->r_count0;
		k -= n0 * p->r_count0;
		n0 = n1;
	}
	return p->r_first + (m + k / n0) * p->r_step + k % n0 * (f->width / 8) * KERNELS_GOLDEN;
}

/*
 * Returns the number of bits in which a received beat differs from the beat that follows from word
 * `first`.
 */
static unsigned differing_bits(const struct fpga *f, const uint64_t *beat, uint64_t first)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < f->width / 8; i++)
		n += (unsigned)__builtin_popcountll(
			beat[i] ^ ((first + i * KERNELS_GOLDEN) | KERNELS_ODD));
	return n;
}

#define BEAT_WORDS 8
/* largest number of consecutive lost beats that read_errors recognises */
#define LOST_MOST 4096

/* The errors that a core has found. */
struct core_errors {
	/*
	 * beats, words: numbers of wrong beats and of wrong words. first: index of the first wrong
	 * beat.
	 */
	uint64_t beats, words, first;
	uint64_t beat[BEAT_WORDS];
	/* number of beats lost just before the first wrong beat; 0: none */
	uint64_t lost;
	unsigned bits;			/* number of bits that differ in the first wrong beat */
};

static bool read_errors(struct fpga *f, struct fpga_core *c, struct core_errors *w)
{
	bool ok = read64(f, c, NB_WRONG_BEATS, &w->beats) &&
		  read64(f, c, NB_WRONG_WORDS, &w->words) &&
		  read64(f, c, NB_WRONG_FIRST, &w->first);

	for (uint32_t i = 0; i < f->width / 8 && ok; i++)
		ok = read64(f, c, NB_WRONG_BEAT + 8 * i, &w->beat[i]);
	w->bits = 0;
	w->lost = 0;
	if (ok && w->beats)
		w->bits = differing_bits(f, w->beat, expected_word(f, &c->program, w->first));
	for (uint64_t n = 1; ok && w->beats && n <= LOST_MOST && !w->lost; n++)
		if (!differing_bits(f, w->beat, expected_word(f, &c->program, w->first + n)))
			w->lost = n;
	return ok;
}

/* ---- results ---- */

/* The values of a core's counters after a round. */
struct counts {
	uint32_t status, least, greatest;
	uint64_t begin, end, samples, stall, gap, received;
};

/*
 * Reads a core's counters. If the core sends, the times are those of its sending side. Returns
 * false if a register cannot be read.
 */
static bool read_counts(struct fpga *f, struct fpga_core *c, struct counts *n)
{
	bool sends = c->program.s_count0 || c->program.s_count1;

	return read32(f, c, NB_STATUS, &n->status) && read32(f, c, NB_LEAST, &n->least) &&
	       read32(f, c, NB_GREATEST, &n->greatest) && read64(f, c, NB_SAMPLES, &n->samples) &&
	       read64(f, c, sends ? NB_S_BEGIN : NB_R_BEGIN, &n->begin) &&
	       read64(f, c, sends ? NB_S_END : NB_R_END, &n->end) &&
	       read64(f, c, NB_S_STALL, &n->stall) && read64(f, c, NB_R_GAP, &n->gap) &&
	       read64(f, c, NB_R_MESSAGES, &n->received);
}

/* Drops the beats that still arrive at each core during one launch. Returns ST_OK or ST_FAILED. */
static int drain_links(struct fpga *f)
{
	for (uint32_t p = 0; p < f->pairs; p++) {
		struct fpga_core *c = &f->core[p];

		c->program = (struct core_program){ .flags = NB_FLAG_DRAIN | NB_FLAG_CLEAR };
		c->unit.used = true;
	}
	return launch_cores(f, f->options->link_timeout);
}

/*
 * Reports that a core's time-out ended its launch. Then drains the links, so that the cores stay
 * usable. Returns ST_FAILED.
 */
static int report_timeout(struct fpga *f, struct fpga_core *c, const struct counts *n,
			  const struct core_errors *w)
{
	int me = f->ep.job->rank;

	if (w->lost) {
		f->lost++;
		error_report("rank %d: core '%s' has received beat %llu when it expected beat "
			     "%llu: the link has lost %llu beat%s", me, c->unit.name,
			     (unsigned long long)(w->first + w->lost), (unsigned long long)w->first,
			     (unsigned long long)w->lost, w->lost > 1 ? "s" : "");
	} else if (w->beats) {
		error_report("rank %d: core '%s' has received beat %llu with %u wrong bits, then "
			     "too few beats", me, c->unit.name, (unsigned long long)w->first,
			     w->bits);
	} else {
		error_report("rank %d: core '%s' has received %llu correct messages, then nothing: "
			     "is the neighbour's rank alive, its link up?", me,
			     c->unit.name, (unsigned long long)n->received);
	}
	drain_links(f);
	return ST_FAILED;
}

/* ---- received messages ---- */

/* Copies the first wrong beat to its place in the buffer of the message that contains it. */
static void copy_wrong_beat(const struct fpga *f, const struct core_program *p,
			    const struct fpga_stage *stages, const struct core_errors *w)
{
	uint64_t n0 = count_beats(f, p->r_size0), whole0 = n0 * p->r_count0;
	uint64_t n1 = count_beats(f, p->r_size1), k = w->first % (whole0 + n1 * p->r_count1);
	const struct fpga_stage *s = &stages[k >= whole0];
	size_t at = (k >= whole0 ? (k - whole0) % n1 : k % n0) * f->width;

	for (uint32_t i = 0; i < f->width / 8 && at + 8 * i < s->size; i++) {
		uint64_t word = htole64(w->beat[i]);
		size_t left = s->size - (at + 8 * i);

		memcpy(s->buf->mem + at + 8 * i, &word, left < 8 ? left : 8);
	}
}

/*
 * Fills each stage's buffer with the final message that the stage received. Computes the content,
 * and copies only the first wrong beat from the core.
 */
static void make_messages(struct fpga *f, uint32_t pair, const struct core_errors *w)
{
	const struct fpga_stage *stages = f->recv[pair].stages;
	const struct fpga_core *c = &f->core[pair];

	for (const struct fpga_stage *s = stages; s < stages + STAGES; s++)
		for (uint32_t at = 0; s->count && at < s->size; at += 8) {
			uint64_t first = c->words[s - stages] + at / 8 * KERNELS_GOLDEN;
			uint64_t word = htole64(first | KERNELS_ODD);

			memcpy(s->buf->mem + at, &word, s->size - at < 8 ? s->size - at : 8);
		}
	if (w->beats)
		copy_wrong_beat(f, &c->program, stages, w);
}

/* ---- single iterations ---- */

/*
 * Appends time stamps of n iterations that took `ticks` each. *at is the index of the latest stamp,
 * and is updated.
 */
static void stamp_times(const struct round *r, uint64_t *at, uint64_t n, double ticks)
{
	for (; n && *at < r->count; n--, ++*at)
		r->stamps[*at + 1] = r->stamps[*at] + ticks;
}

/*
 * Makes time stamps from the core's histogram. The iterations are sorted from the shortest to the
 * longest, because the core does not record their order. Iterations without a sample get the mean
 * time of all iterations. Returns false if a register cannot be read.
 */
static bool make_stamps(struct fpga *f, struct fpga_core *c, const struct round *r,
			const struct counts *n)
{
	uint32_t group = c->program.flags >> 16, count, least, greatest;
	uint64_t at = 0;

	r->stamps[0] = 0;
	for (unsigned b = 0; b < NB_BUCKETS && n->samples; b++) {
		double value;

		if (!read32(f, c, NB_HISTOGRAM + 4 * b, &count))
			return false;
		nb_bucket_range(b, &least, &greatest);
		value = c->program.base + (least + (greatest - least) / 2.0);
		value = fmin(fmax(value, n->least), n->greatest);
		stamp_times(r, &at, (uint64_t)count * group, value / group);
	}
	if (n->samples) {	/* the core reports the shortest and the longest time exactly */
		double first = (double)n->least / group - (r->stamps[1] - r->stamps[0]);

		for (uint64_t i = 1; i <= at; i++)
			r->stamps[i] += first;
		r->stamps[at] = r->stamps[at - 1] + (double)n->greatest / group;
	}
	stamp_times(r, &at, r->count, (double)(n->end - n->begin) / (double)r->count);
	return true;
}

/* ---- rounds ---- */

/*
 * Returns the number of iterations per sample. This is 2 if both ends send at the same time,
 * because the difference between their start times then alternates from one iteration to the next.
 */
static uint32_t iterations_per_sample(const struct round *r, const struct core_program *p)
{
	bool waits = (p->s_flags0 | p->s_flags1) != 0, both = false;

	for (uint32_t s = 0; s < r->nsteps; s++)
		for (uint32_t i = 1; i < r->steps[s].n; i++)
			both |= r->xfers[r->steps[s].first + i].op !=
				r->xfers[r->steps[s].first].op;
	return !waits ? ONE_WAY_GROUP : both && r->count > 1 ? 2 : 1;
}

static void plan_core(struct fpga *f, const struct round *r, uint32_t pair)
{
	const struct fpga_stage *s = f->send[pair].stages, *q = f->recv[pair].stages;
	struct fpga_core *c = &f->core[pair];
	struct core_program p = {
		.iterations = (uint32_t)r->count + SKIPPED, .skip = SKIPPED,
		.s_size0 = s[0].size, .s_count0 = s[0].count, .s_flags0 = s[0].flags,
		.r_size0 = q[0].size, .r_count0 = q[0].count, .r_flags0 = q[0].flags,
		.s_size1 = s[1].size, .s_count1 = s[1].count, .s_flags1 = s[1].flags,
		.r_size1 = q[1].size, .r_count1 = q[1].count, .r_flags1 = q[1].flags,
		.s_step = FPGA_STEP, .r_step = FPGA_STEP,
		.timeout = core_timeout(f, round_timeout(f)),
	};

	p.flags = NB_FLAG_CLEAR | NB_FLAG_GROUP(iterations_per_sample(r, &p));
	if (p.s_size0 != c->program.s_size0 || p.s_count0 != c->program.s_count0 ||
	    p.s_flags0 != c->program.s_flags0 || p.r_size0 != c->program.r_size0 ||
	    p.r_count0 != c->program.r_count0 || p.flags != c->program.flags)
		c->least = 0, f->longest = 0;
	p.base = c->least > BASE_ROOM ? c->least - BASE_ROOM : 0;
	c->program = p;
	c->unit.used = f->send[pair].used || f->recv[pair].used;
}

/*
 * Returns the first word of a launch's first message, computed from the first word of the launch's
 * final message.
 */
static uint64_t first_word(const struct core_program *p, uint32_t count0, uint32_t count1,
			   uint64_t last0, uint64_t last1)
{
	uint64_t messages = (uint64_t)p->iterations * (count0 + count1);

	return (count1 ? last1 : last0) - (messages - 1) * FPGA_STEP;
}

/*
 * Reads the word that the core received before the round for stage k, and stores it in c->words[k].
 */
static int read_word(struct fpga *f, struct fpga_core *c, int k)
{
	struct counts n;

	if (!read_counts(f, c, &n))
		return ST_FAILED;
	if (n.status & NB_TIMED_OUT)
		return report_timeout(f, c, &n, &(struct core_errors){ 0 });
	return !c->program.r_count0 || read64(f, c, NB_LAST_WORD, &c->words[k]) ? ST_OK
										 : ST_FAILED;
}

/*
 * Sends the first words of this rank's final messages of the round to the neighbours. Receives the
 * neighbours' words. Returns ST_OK or ST_FAILED.
 */
static int exchange_words(struct fpga *f)
{
	struct core_program kept[KERNELS_MAX_PAIRS];
	int err = ST_OK;

	for (uint32_t p = 0; p < f->pairs; p++)
		kept[p] = f->core[p].program;
	for (int k = 0; k < STAGES && !err; k++) {
		bool any = false;

		for (uint32_t p = 0; p < f->pairs; p++) {
			const struct fpga_stage *s = &f->send[p].stages[k];
			struct fpga_core *c = &f->core[p];

			c->program = (struct core_program){
				.iterations = 1, .s_first = s->last, .s_count0 = s->count > 0,
				.r_count0 = f->recv[p].stages[k].count > 0,
				.timeout = core_timeout(f, round_timeout(f)) };
			c->unit.used = c->program.s_count0 || c->program.r_count0;
			any |= c->unit.used;
		}
		err = any ? launch_cores(f, round_timeout(f)) : ST_OK;
		for (uint32_t p = 0; p < f->pairs && !err; p++)
			err = f->core[p].unit.used ? read_word(f, &f->core[p], k) : ST_OK;
	}
	for (uint32_t p = 0; p < f->pairs; p++) {
		struct fpga_core *c = &f->core[p];

		c->program = kept[p];
		c->unit.used = f->send[p].used || f->recv[p].used;
		c->program.s_first = first_word(&kept[p], kept[p].s_count0, kept[p].s_count1,
						f->send[p].stages[0].last,
						f->send[p].stages[1].last);
		c->program.r_first = first_word(&kept[p], kept[p].r_count0, kept[p].r_count1,
						c->words[0], c->words[1]);
	}
	return err;
}

int fpga_arm_cores(struct fpga *f, const struct round *r)
{
	for (uint32_t p = 0; p < f->pairs; p++)
		plan_core(f, r, p);
	return ST_OK;
}

/* Reads the results of a core in a round. *cycles is the total time of the measured iterations. */
static int read_results(struct fpga *f, uint32_t pair, const struct round *r, double *cycles)
{
	struct fpga_core *c = &f->core[pair];
	double iterations = c->program.iterations, all;
	struct core_errors w = { 0 };
	struct counts n;

	if (!read_counts(f, c, &n) ||
	    (n.status & (NB_TIMED_OUT | NB_WRONG) && !read_errors(f, c, &w)))
		return ST_FAILED;
	if (n.status & NB_TIMED_OUT)
		return report_timeout(f, c, &n, &w);
	if (w.beats && !f->flipped++)
		error_warn("rank %d: core '%s' has received %llu wrong beats; in the first, number "
			   "%llu, %u bit%s flipped", f->ep.job->rank, c->unit.name,
			   (unsigned long long)w.beats, (unsigned long long)w.first, w.bits,
			   w.bits == 1 ? " is" : "s are");
	*cycles = (double)(n.end - n.begin);
	if (n.samples && (!c->least || n.least < c->least))
		c->least = n.least;
	/*
	 * the longest round with these messages counts, because it is a measured round and not a
	 * check
	 */
	if (*cycles >= f->longest && *cycles > 0) {
		/* stall and gap also count the iterations before the measured ones */
		all = *cycles / (iterations - SKIPPED) * iterations;
		f->ep.stall = fmin((double)n.stall / all, 1);
		f->ep.gap = fmin((double)n.gap / all, 1);
		f->longest = *cycles;
	}
	make_messages(f, pair, &w);
	if (r->stamps && !make_stamps(f, c, r, &n))
		return ST_FAILED;
	return ST_OK;
}

int fpga_run_cores(struct fpga *f, const struct round *r, double *seconds)
{
	double longest = 0;
	int err = exchange_words(f);

	if (!err)
		err = launch_cores(f, round_timeout(f));
	for (uint32_t p = 0; p < f->pairs && !err; p++) {
		double cycles = 0;

		if (f->core[p].unit.used)
			err = read_results(f, p, r, &cycles);
		longest = fmax(longest, cycles);
	}
	*seconds = longest / f->clock_hz;
	return err;
}

/* ---- opening ---- */

int fpga_open_cores(struct fpga *f)
{
	uint32_t magic, version, shape;

	for (uint32_t p = 0; p < f->pairs; p++) {
		struct fpga_core *c = &f->core[p];

		if (!f->on->open_unit(f, &c->unit, NB_KERNEL, p))
			return error_report("image '%s' lacks core '" NB_KERNEL "_%u'%s%s",
					    f->image, p, *f->why ? ": " : "", f->why);
		if (!read32(f, c, NB_R_MAGIC, &magic) || !read32(f, c, NB_R_VERSION, &version) ||
		    !read32(f, c, NB_SHAPE, &shape))
			return ST_FAILED;
		if (magic != NB_MAGIC)
			return error_report("core '%s' of image '%s' is not one of netbench's",
					    c->unit.name, f->image);
		if (version != NB_VERSION)
			return error_report("image '%s' has cores of version %u, but this netbench "
					    "needs version %u", f->image, version, NB_VERSION);
		f->width = shape & 0xffff;
		if (!f->width || f->width % 8 || f->width > 8 * BEAT_WORDS)
			return error_report("image '%s' has cores with beats of %u B: netbench "
					    "takes multiples of 8 B, up to %d B", f->image,
					    f->width, 8 * BEAT_WORDS);
	}
	f->lanes = 1;
	error_note("rank %d: the image has %u link cores with beats of %u B, version %u",
		   f->ep.job->rank, f->pairs, f->width, NB_VERSION);
	return ST_OK;
}

int fpga_set_core_clock(struct fpga *f)
{
	const struct fpga_opts *o = f->options;
	int err = f->emulator ? board_find(o->board, &f->board) : ST_OK;

	if (err || !f->emulator)
		return err;
	if (f->board.c * f->board.w != f->width)
		return error_report("board '%s' has %llu channels of %llu B per pair, but the "
				    "cores of image '%s' have beats of %u B", f->board.name,
				    (unsigned long long)f->board.c, (unsigned long long)f->board.w,
				    f->image, f->width);
	f->image_hz = o->kernel_clock > 0 ? 1e6 * o->kernel_clock : f->board.f;
	if (f->emulator->pace(f->index, f->board.f, f->board.lat, f->image_hz, 0))
		return error_report("the emulator does not follow board '%s'", o->board);
	f->ep.slowdown = SLOWDOWN_EMULATED * f->ep.job->local_size;
	return ST_OK;
}

/*
 * Reads the core's clock (cycles) and the host's clock (s) at nearly the same moment. Keeps the
 * quickest of CLOCK_TRIES readings. Returns false if a register cannot be read.
 */
static bool read_clocks(struct fpga *f, uint64_t *core, double *host)
{
	double best = INFINITY;

	*core = 0;
	*host = 0;
	for (int i = 0; i < CLOCK_TRIES; i++) {
		double begin = clock_wall(), end;
		uint64_t now;

		if (!read64(f, &f->core[0], NB_NOW, &now))
			return false;
		end = clock_wall();
		if (end - begin >= best)
			continue;
		best = end - begin;
		*core = now;
		*host = begin;	/* the core's low half of `now` is read first */
	}
	return true;
}

int fpga_measure_clock(struct fpga *f)
{
	struct timespec pause = { .tv_nsec = (long)(1e9 * CLOCK_S) };
	uint64_t core[2];
	double host[2];

	if (!read_clocks(f, &core[0], &host[0]))
		return ST_FAILED;
	nanosleep(&pause, NULL);
	if (!read_clocks(f, &core[1], &host[1]))
		return ST_FAILED;
	f->clock_hz = (double)(core[1] - core[0]) / (host[1] - host[0]);
	if (f->image_hz > 0 && fabs(f->clock_hz / f->image_hz - 1) > CLOCK_APART)
		return error_report("rank %d: the cores' clock is %.6g MHz, but the image says "
				    "%.6g MHz: times would be wrong by that ratio",
				    f->ep.job->rank, f->clock_hz / 1e6, f->image_hz / 1e6);
	error_note("rank %d: the cores' clock is %.6g MHz", f->ep.job->rank, f->clock_hz / 1e6);
	if (f->emulator)
		/* an emulated core counts cycles, so its clock is not measured */
		f->clock_hz = f->image_hz;
	f->ep.tick_s = 1 / f->clock_hz;
	return ST_OK;
}

/* ---- the test of links ---- */

/*
 * The first word of the test message is a label with rank and pair. The other words follow from the
 * label.
 */
/* upper bytes: twice the codes of the letters "nlink" */
#define LABEL UINT64_C(0xdcd8d2dcd6000000)

static uint64_t make_label(uint32_t rank, uint32_t pair)
{
	return LABEL | KERNELS_ODD | (rank & 0x7f) << 1 | (rank >> 7 & 0x7f) << 9 | pair << 17;
}

/*
 * Checks the message that `pair` has received. The message should come from pair `theirs` of the
 * given rank. Returns ST_OK or ST_FAILED.
 */
static int check_link(struct fpga *f, uint32_t pair, int rank, int theirs)
{
	int me = f->ep.job->rank;
	struct fpga_core *c = &f->core[pair];
	struct core_errors w = { 0 };
	struct counts n;
	uint64_t label;

	if (!read_counts(f, c, &n) || !read_errors(f, c, &w) ||
	    !read64(f, c, NB_LAST_WORD, &label))
		return ST_FAILED;
	if (!label)
		return error_report("rank %d: nothing comes from rank %d over pair %u: is the "
				    "cable plugged, its link set up? See '--link-timeout'", me,
				    rank, pair);
	if (label != make_label((uint32_t)rank, (uint32_t)theirs)) {
		uint32_t r = (uint32_t)(label >> 1 & 0x7f) | (uint32_t)(label >> 9 & 0x7f) << 7;
		uint32_t p = (uint32_t)(label >> 17 & 0x7f);

		if (label != make_label(r, p))
			return error_report("rank %d: data arrives damaged over pair %u", me, pair);
		return error_report("wrong wiring: rank %d, pair %u, is joined to rank %u, pair "
				    "%u, not to rank %d, pair %d", me, pair, r, p, rank, theirs);
	}
	if (w.lost || n.status & NB_TIMED_OUT)
		return error_report("rank %d: a message of %d bytes from rank %d does not arrive "
				    "whole over pair %u: the link loses data", me, TEST_LEN, rank,
				    pair);
	if (w.beats)
		return error_report("rank %d: beat %llu from the card of rank %d arrives damaged "
				    "over pair %u, in %u bits", me, (unsigned long long)w.first,
				    rank, pair, w.bits);
	error_note("rank %d: pair %u is joined to rank %d, pair %d", me, pair, rank, theirs);
	return ST_OK;
}

int fpga_test_cores(struct fpga *f)
{
	struct both_sides {
		int left, right;
	} mine = { f->left, f->right };
	int size = f->ep.job->size, me = f->ep.job->rank, n = 0, rank[2], theirs[2], pair[2];
	/* the agreement also waits until all ranks have drained their links */
	int err = fpga_agree_on_error(f, drain_links(f));
	const struct both_sides *all;

	if (err)
		return err;
	all = f->ep.job->kind->allgather(f->ep.job, &mine, sizeof(mine));
	for (uint32_t p = 0; p < f->pairs; p++)
		f->core[p].unit.used = false;
	for (int side = 0; side < 2; side++) {
		int p = side ? f->left : f->right;
		struct fpga_core *c = &f->core[p < 0 ? 0 : p];

		if (p < 0 || (side && f->left == f->right))
			continue;
		rank[n] = (me + (side ? size - 1 : 1)) % size;
		theirs[n] = f->plugged ? p : side ? all[rank[n]].right : all[rank[n]].left;
		pair[n] = p;
		c->unit.used = true;
		c->program = (struct core_program){
			.iterations = 1, .s_size0 = TEST_LEN, .s_count0 = 1,
			.r_size0 = TEST_LEN, .r_count0 = 1,
			.timeout = core_timeout(f, f->options->link_timeout),
			.s_first = make_label((uint32_t)me, (uint32_t)p),
			.r_first = make_label((uint32_t)rank[n], (uint32_t)theirs[n]),
		};
		n++;
	}
	err = launch_cores(f, f->options->link_timeout);
	for (int i = 0; i < n && !err; i++)
		err = check_link(f, (uint32_t)pair[i], rank[i], theirs[i]);
	return fpga_agree_on_error(f, err);
}

/* ---- the record ---- */

void fpga_describe_cores(const struct fpga *f, struct facts *facts)
{
	fact_format(facts, "method", "%s%s, %u link cores with beats of %u B",
		    f->emulator ? "emulated, cycles of the core" :
		    f->vendor_emulator ? f->vendor_emulator : f->on->name,
		    f->emulator ? "" : ", the core's clock", f->pairs, f->width);
	fact_text(facts, "clock", "the cores', from the end of the last skipped iteration to the "
				  "end of the last iteration");
	if (f->emulator)
		fact_text(facts, "board", f->board.name);
	fact_real(facts, "clock_Hz", f->clock_hz);
	if (f->image_hz > 0)
		fact_real(facts, "image_clock_Hz", f->image_hz);
	fact_text(facts, "contents", "made on the card; every beat is compared there, and the last "
				     "message of a round also on the host");
}
