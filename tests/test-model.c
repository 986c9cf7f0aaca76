/* SPDX-License-Identifier: Apache-2.0 */
#include "model/atlas.h"
#include "model/channel.h"
#include "model/knee.h"
#include "model/loggp.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/random.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define BEFF_SIZES 21
#define MOST 40		/* messages of a simulated exchange */

static void near(double got, double want, double relative)
{
	if (isnan(want) ? isnan(got) : fabs(got - want) <= relative * fabs(want))
		return;
	fail_msg("got %.17g, want %.17g", got, want);
}

static struct board shipped(const char *name)
{
	struct board b;

	assert_int_equal(board_find(name, &b), ST_OK);
	assert_string_equal(b.name, name);
	return b;
}

/* Captures stderr while a text is parsed. Returns what parsing returned. */
static int overhear(int (*parse)(const char *text, void *arg), const char *text, void *arg,
		    char *said, size_t room)
{
	FILE *tmp = tmpfile();
	int err, before = dup(STDERR_FILENO);
	size_t n;

	assert_non_null(tmp);
	assert_int_equal(dup2(fileno(tmp), STDERR_FILENO), STDERR_FILENO);
	err = parse(text, arg);
	fflush(stderr);
	assert_int_equal(dup2(before, STDERR_FILENO), STDERR_FILENO);
	close(before);
	rewind(tmp);
	n = fread(said, 1, room - 1, tmp);
	said[n] = '\0';
	fclose(tmp);
	return err;
}

static void assert_one_line(const char *said)
{
	const char *end = strchr(said, '\n');

	assert_non_null(end);
	assert_string_equal(end, "\n");
}

/* METHODS 1.7 has the times, DEFINITIONS 6 the bandwidths. */
static void times_and_bandwidths_of_circuits_are_the_published_ones(void **state)
{
	static const struct {
		uint64_t len;
		double ns, Bps;
	} rows[] = {
		{ 1, 526.4, 1.899696e6 }, { 2, 526.4, 3.799392e6 }, { 64, 526.4, 1.215805e8 },
		{ 65, 532.8, 1.219970e8 }, { 128, 532.8, 2.402402e8 },
		{ 1024, 622.4, 1.645244e9 }, { 4096, 929.6, 4.406196e9 },
		{ 65536, 7073.6, 9.264872e9 }, { 1 << 20, 105377.6, 9.950654e9 },
		{ 0, 520, NAN },
	};
	struct board b = shipped("520n"), serial = b;

	serial.serial = true;
	for (size_t i = 0; i < COUNT(rows); i++) {
		near(board_time(&b, rows[i].len), rows[i].ns * 1e-9, 1e-12);
		near(board_pair_bandwidth(&b, rows[i].len), rows[i].Bps, 5e-7);
		near(board_time(&serial, rows[i].len), 2 * rows[i].ns * 1e-9, 1e-12);
		near(board_busy(&serial, rows[i].len) + b.lat, rows[i].ns * 1e-9, 1e-12);
	}
	near(board_time(&b, UINT64_MAX), 0x1p58 / 156.25e6, 1e-12);
}

static void the_published_b_eff_of_boards_is_computed(void **state)
{
	static const struct {
		const char *name;
		double pair, card, relative;
	} rows[] = {
		{ "520n", 3.885888e9, 7.771777e9, 1.5e-7 },
		{ "520n-meas", 3.751e9 / 2, 3.751e9, 1.3e-4 },
		{ "u280", 4.491680e9, 8.983360e9, 1e-6 },
	};
	uint64_t sizes[BEFF_SIZES], with_none[] = { 0, 1 };

	for (size_t i = 0; i < BEFF_SIZES; i++)
		sizes[i] = UINT64_C(1) << i;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct board b = shipped(rows[i].name);
		size_t n;
		double pair = board_pair_beff(&b, sizes, BEFF_SIZES, &n);

		near(pair, rows[i].pair, rows[i].relative);
		near((double)b.R * pair, rows[i].card, rows[i].relative);
		near(board_pair_beff(&b, sizes, 0, &n), NAN, 0);
		near(board_pair_beff(&b, with_none, 2, &n), board_pair_bandwidth(&b, with_none[1]), 0);
		assert_int_equal(n, 1);
	}
}

/* The theoretical column of the VNx notebooks, METHODS 6: payload p of every packet. */
static void the_goodput_of_packets_is_the_published_one(void **state)
{
	static const struct {
		uint64_t payload;
		double Gbps;
	} rows[] = {
		{ 64, 49.231 }, { 1408, 95.522 }, { 1472, 95.709 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct board b = shipped("vnx-100g");
		double one = 8 * (double)rows[i].payload / board_busy(&b, rows[i].payload);

		near(one / 1e9, rows[i].Gbps, 1e-5);
		b.payload = rows[i].payload;
		near(8 * 1e9 / board_busy(&b, 1000000000) / 1e9, rows[i].Gbps, 1e-5);
	}
}

static void times_of_packets_are_those_worked_by_hand(void **state)
{
	static const struct {
		const char *name;
		uint64_t len;
		double ns;
	} rows[] = {
		{ "vnx-100g", 0, 535 + 5.28 },
		{ "vnx-100g", 1, 535 + 5.36 },
		{ "vnx-100g", 1472, 535 + 123.04 },
		{ "vnx-100g", 14720, 535 + 1230.4 },
		{ "vnx-100g-switch", 1472, 1380 + 123.04 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct board b = shipped(rows[i].name);

		near(board_time(&b, rows[i].len), rows[i].ns * 1e-9, 1e-12);
		assert_true(b.R == (strcmp(b.name, "vnx-100g") ? 1 : 2));
	}
}

static void only_confirmed_boards(void **state)
{
	static const char *const names[] = { "520n", "520n-meas", "u280", "vnx-100g",
					     "vnx-100g-switch" };

	for (size_t i = 0; i < COUNT(names); i++) {
		assert_string_equal(boards[i].name, names[i]);
		assert_non_null(boards[i].summary);
	}
	assert_null(boards[COUNT(names)].name);
}

static void custom_boards_are_read(void **state)
{
	static const struct {
		const char *text;
		uint64_t c, w, R;
		double f, lat;
	} rows[] = {
		{ "custom:c=2,w=32,f=156.25e6,lat=520e-9,R=2", 2, 32, 2, 156.25e6, 520e-9 },
		{ "custom:R=1,lat=520ns,f=3e8,w=64,c=1", 1, 64, 1, 3e8, 520e-9 },
		{ "custom:c=1,w=8,f=1e8,lat=0,R=4", 1, 8, 4, 1e8, 0 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct board b;

		assert_int_equal(board_find(rows[i].text, &b), ST_OK);
		assert_string_equal(b.name, "custom");
		assert_non_null(b.summary);
		assert_int_equal(b.c, rows[i].c);
		assert_int_equal(b.w, rows[i].w);
		assert_int_equal(b.R, rows[i].R);
		near(b.f, rows[i].f, 1e-15);
		near(b.lat, rows[i].lat, 1e-15);
		assert_true(b.line_rate == 0 && b.payload == 0 && !b.serial);
	}
}

static int parse_board(const char *text, void *b)
{
	return board_find(text, b);
}

static void bad_boards_are_refused_by_name(void **state)
{
	static const struct {
		const char *text, *names;	/* names that the message must contain */
	} rows[] = {
		{ "", "520n-meas" },
		{ "521n", "'521n'" },
		{ "521n", "520n, 520n-meas, u280, vnx-100g, vnx-100g-switch, custom:c=..," },
		{ "520", "'520'" },
		{ "520n,serial", "'520n,serial'" },
		{ "520n:c=2", "'520n:c=2'" },
		{ "customs:c=2", "'customs:c=2'" },
		{ "custom", "custom" },
		{ "custom:", "custom" },
		{ "custom:w=32,f=1e8,lat=0,R=2", "c" },
		{ "custom:c=2,f=1e8,lat=0,R=2", "w" },
		{ "custom:c=2,w=32,lat=0,R=2", "f" },
		{ "custom:c=2,w=32,f=1e8,R=2", "lat" },
		{ "custom:c=2,w=32,f=1e8,lat=0", "R" },
		{ "custom:c=0,w=32,f=1e8,lat=0,R=2", "c" },
		{ "custom:c=2,w=0,f=1e8,lat=0,R=2", "w" },
		{ "custom:c=2,w=32,f=0,lat=0,R=2", "f" },
		{ "custom:c=2,w=32,f=1e8,lat=0,R=0", "R" },
		{ "custom:c=-2,w=32,f=1e8,lat=0,R=2", "c" },
		{ "custom:c=2,w=32,f=1e8,lat=-1ns,R=2", "lat" },
		{ "custom:c=2,w=32,f=nan,lat=0,R=2", "f" },
		{ "custom:c=2,w=32,f=1e8,lat=0,R=2,q=1", "q" },
		{ "custom:c=2,c=2,w=32,f=1e8,lat=0,R=2", "c" },
		{ "custom:c=two,w=32,f=1e8,lat=0,R=2", "c" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct board b = { .name = "untouched" };
		char said[1024];

		assert_int_equal(overhear(parse_board, rows[i].text, &b, said, sizeof(said)),
				 ST_USAGE);
		assert_one_line(said);
		assert_non_null(strstr(said, "board"));
		assert_non_null(strstr(said, rows[i].names));
		assert_string_equal(b.name, "untouched");
	}
}

static void parameters_are_read_from_a_text(void **state)
{
	static const struct {
		const char *text;
		struct loggp want;
	} rows[] = {
		{ "L=1us,o=200ns,g=300ns,G=0.1ns", { 1e-6, 2e-7, 2e-7, 3e-7, 1e-10 } },
		{ "L=1000,o=200,g=300,G=0.1", { 1e-6, 2e-7, 2e-7, 3e-7, 1e-10 } },
		{ "o_s=7", { 1, 7e-9, 3, 4, 5 } },
		{ "o_r=7", { 1, 2, 7e-9, 4, 5 } },
		{ "o=7", { 1, 7e-9, 7e-9, 4, 5 } },
		{ "o=7,o_r=8", { 1, 7e-9, 8e-9, 4, 5 } },
		{ "o_s=8,o=7", { 1, 8e-9, 7e-9, 4, 5 } },
		{ "G=0", { 1, 2, 3, 4, 0 } },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct loggp p = { 1, 2, 3, 4, 5 };

		assert_int_equal(loggp_parse(rows[i].text, &p), ST_OK);
		near(p.L, rows[i].want.L, 1e-12);
		near(p.o_s, rows[i].want.o_s, 1e-12);
		near(p.o_r, rows[i].want.o_r, 1e-12);
		near(p.g, rows[i].want.g, 1e-12);
		near(p.G, rows[i].want.G, 1e-12);
	}
}

static int parse_loggp(const char *text, void *p)
{
	return loggp_parse(text, p);
}

static void bad_parameters_are_refused_and_change_nothing(void **state)
{
	static const char *const rows[] = { "L=-1", "x=1", "L=1,L=2", "L=", "L", "G=fast",
					   "o=1m2" };
	const struct loggp before = { 1, 2, 3, 4, 5 };

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct loggp p = before;
		char said[1024];

		assert_int_equal(overhear(parse_loggp, rows[i], &p, said, sizeof(said)), ST_USAGE);
		assert_one_line(said);
		assert_memory_equal(&p, &before, sizeof(p));
	}
}

/* Two ranks by SIM.md (78)-(82). */
struct rank {
	const char *todo;	/* the program: 's' sends to the other rank, 'r' receives */
	double cpu_free, out_free, in_free;
	double there[MOST];	/* times at which this rank can take its messages */
	size_t nthere, nread;
};

static void do_send(const struct loggp *p, double tail, struct rank *me, struct rank *other)
{
	double x = fmax(me->cpu_free += p->o_s, me->out_free);
	double d = fmax(x + p->L, other->in_free) + tail;

	me->out_free = x + p->g + tail;
	assert_true(other->nthere < MOST);
	other->there[other->nthere++] = d;
	other->in_free = d + p->g;
}

static void do_receive(const struct loggp *p, struct rank *me)
{
	me->cpu_free = fmax(me->cpu_free, me->there[me->nread++]) + p->o_r;
}

/* Returns the time at which both ranks have ended their programs. */
static double simulate(const struct loggp *p, uint64_t k, const char *todo0, const char *todo1)
{
	struct rank rank[2] = { { .todo = todo0 }, { .todo = todo1 } };
	double tail = k > 1 ? (double)(k - 1) * p->G : 0;

	for (bool moved = true; moved;) {
		moved = false;
		for (int i = 0; i < 2; i++) {
			struct rank *me = &rank[i];

			if (*me->todo == 's')
				do_send(p, tail, me, &rank[!i]);
			else if (*me->todo == 'r' && me->nread < me->nthere)
				do_receive(p, me);
			else
				continue;
			me->todo++;
			moved = true;
		}
	}
	assert_true(!*rank[0].todo && !*rank[1].todo);
	return fmax(rank[0].cpu_free, rank[1].cpu_free);
}

/* Repeats a word `times` times. */
static const char *repeat(char *to, const char *word, size_t times)
{
	*to = '\0';
	for (size_t i = 0; i < times; i++)
		strcat(to, word);
	return to;
}

static double uniform(struct rng *r)
{
	return (double)(rng_next(r) >> 11) * 0x1p-53;
}

/* In some case each parameter is the limiting one, or zero. */
static double draw(struct rng *r)
{
	return rng_next(r) % 8 ? pow(10, 4 * uniform(r) - 2) : 0;
}

static void check_against_simulation(const struct loggp *p, uint64_t k, size_t n)
{
	char a[2 * MOST + 1], b[2 * MOST + 1];

	near(loggp_one_way(p, k), simulate(p, k, "s", "r"), 1e-12);
	near(loggp_stream(p, k, n), simulate(p, k, repeat(a, "s", n), repeat(b, "r", n)), 1e-12);
	near(loggp_pingpong(p, k, n), simulate(p, k, repeat(a, "sr", n), repeat(b, "rs", n)),
	     1e-12);
	repeat(a, "s", n);
	repeat(a + n, "r", n);
	near(loggp_exchange(p, k, n), simulate(p, k, a, a), 1e-12);
}

static void closed_forms_equal_the_simulation(void **state)
{
	static const uint64_t ks[] = { 0, 1, 2, 17, 4096 };
	struct rng r;

	rng_seed(&r, 11);
	for (int i = 0; i < 4000; i++) {
		struct loggp p = { draw(&r), draw(&r), draw(&r), draw(&r), draw(&r) / 100 };

		if (i % 2)
			p.o_r = p.o_s;
		for (size_t k = 0; k < COUNT(ks); k++)
			check_against_simulation(&p, ks[k], rng_next(&r) % (MOST + 1));
	}
}

/* DEFINITIONS 5.2: the short-message forms of LogP, L=6 o=2 g=4; SIM.md (87). */
static void closed_forms_of_logp(void **state)
{
	const struct loggp p = { .L = 6, .o_s = 2, .o_r = 2, .g = 4, .G = 0.5 };

	near(loggp_one_way(&p, 0), 10, 0);
	near(loggp_one_way(&p, 1), 10, 0);
	near(loggp_one_way(&p, 3), 11, 0);
	near(loggp_gamma(&p, 0), 4, 0);
	near(loggp_gamma(&p, 5), 6, 0);
	near(loggp_send_interval(&p, 1), 4, 0);
	near(loggp_stream(&p, 1, 3), 18, 0);
	near(loggp_pingpong(&p, 1, 3), 60, 0);
	near(loggp_exchange(&p, 1, 2), 14, 0);
	near(loggp_exchange(&p, 1, 4), 22, 0);
	near(loggp_stream(&p, 1, 0) + loggp_pingpong(&p, 1, 0) + loggp_exchange(&p, 1, 0), 0, 0);
}

/* ---- the ATLAS benchmarks ---- */

/*
 * METHODS 17, 18, SIM.md (87), (91), (92), computed by hand: L=6 o=2 g=4, one byte a message, so
 * that only control packets depend on G.
 */
static void closed_forms_of_atlas_are_those_worked_by_hand(void **state)
{
	const struct loggp p = { .L = 6, .o_s = 2, .o_r = 2, .g = 4, .G = 0 };
	static const struct {
		struct atlas_farm (*of)(const struct loggp *p, uint64_t k, uint64_t S, double t);
		uint64_t S;
		double occupation, supervisor, destination, event, enough;
	} farms[] = {
		/* supervisor max(4*4, 5*2), destination 3*4 + max(4, 4), event 3*10 + 3*4 */
		{ atlas_push, 4, 0, 16, 16, 42, 1 },
		/* destination 4*7 + 2, event 3*10 + 5 + 3*7 */
		{ atlas_push, 4, 5, 16, 30, 56, 2 },
		/* from the first request to the last packet 20 + 3*4, and 4; with work 25 + 3*7 */
		{ atlas_pull, 4, 0, 4, 36, 52, 9 },
		{ atlas_pull, 4, 5, 4, 50, 66, 13 },
		{ atlas_pull, 1, 0, 4, 24, 40, 6 },
	};
	struct atlas_prediction x;
	struct atlas_pipeline t;

	near(atlas_outfarming(&p, 1, 7), 34, 0);
	near(atlas_funnel(&p, 1, 7), 34, 0);
	for (size_t i = 0; i < COUNT(farms); i++) {
		struct atlas_farm f = farms[i].of(&p, 1, farms[i].S, farms[i].occupation);

		near(f.supervisor, farms[i].supervisor, 1e-12);
		near(f.source, 4, 1e-12);
		near(f.destination, farms[i].destination, 1e-12);
		near(f.event, farms[i].event, 1e-12);
		near(atlas_farm_destinations(&f), farms[i].enough, 1e-12);
		near(atlas_farm_frequency(&f, 1, 0),
		     1 / fmax(farms[i].supervisor, farms[i].destination), 1e-12);
		near(atlas_farm_frequency(&f, 1, 1), 1 / farms[i].event, 1e-12);
		near(atlas_farm_frequency(&f, farms[i].enough, 0), 1 / farms[i].supervisor, 1e-12);
		near(atlas_farm_frequency(&f, farms[i].enough, 2), 2 / farms[i].event, 1e-12);
	}
	/* stage max(2*2 + 2, 2*4) = 8, source 4, destination 2*4 = 8 */
	t = atlas_pipeline(&p, 1, 4, 2, 1, 0);
	near(atlas_pipeline_frequency(&t, 1), 1.0 / 8, 1e-12);
	near(atlas_pipeline_frequency(&t, 2), 2.0 / 8, 1e-12);
	t = atlas_pipeline(&p, 1, 8, 4, 2, 10);
	near(t.stage, 26, 1e-12);
	near(atlas_pipeline_frequency(&t, 2), 2.0 / 26, 1e-12);
	assert_int_equal(atlas_predict("1.3", &p, 1, 8, &x), 0);
	near(x.event, loggp_exchange(&p, 1, 7), 0);
	assert_int_equal(atlas_predict("1.6", &p, 1, 8, &x), 0);
	near(x.event, 30, 0);
	assert_int_equal(atlas_predict("1.1", &p, 1, 1000, &x), 0);
	near(x.event, 10, 0);
	near(x.frequency, 0.1, 1e-12);
	assert_int_equal(atlas_predict("2.1", &p, 1, 6, &x), 0);
	near(x.frequency, 1.0 / 16, 1e-12);
	assert_int_equal(atlas_predict("2.3", &p, 1, 6, &x), -1);
	assert_int_equal(atlas_predict("3.1", &p, 1, 6, &x), -1);
}

/* Rates of min(W / RTT, R), with a smooth bend, or with one outlier. */
static void knees_of_rates_are_found(void **state)
{
	static const struct {
		double rates[7];	/* for windows 1, 2, 4, ... 64 */
		size_t n;
		double window, softness;
		bool at_least;
		enum knee_lack lack;
	} rows[] = {
		{ { 1, 2, 4, 8, 10, 10, 10 }, 7, 10, 1, false, KNEE_LACKS_NOTHING },
		{ { 1, 2, 4, 7, 10, 10, 10 }, 7, 10, 0.875, false, KNEE_LACKS_NOTHING },
		{ { 1, 2, 4, 8, 3, 10, 10 }, 7, 10, 1, false, KNEE_LACKS_NOTHING },
		{ { 1, 2, 4, 8 }, 4, 8, 1, true, KNEE_OPEN },
		{ { 5, 5, 5 }, 3, 1, 1, false, KNEE_LACKS_NOTHING },
		{ { 12, 2, 4, 8, 10, 10, 10 }, 7, 10, 1, false, KNEE_FIRST },
		{ { 8, 1, 1, 1 }, 4, 0.125, 8, false, KNEE_BELOW },
		{ { 1, 2, 4, 4, 10, 10, 10 }, 7, 10, 0.5, false, KNEE_SOFT },
	};
	double windows[7];

	for (int i = 0; i < 7; i++)
		windows[i] = 1 << i;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct knee k;

		assert_true(knee_find(windows, rows[i].rates, rows[i].n, &k));
		assert_true(fabs(k.window - rows[i].window) < 1e-9);
		assert_true(fabs(k.softness - rows[i].softness) < 1e-9);
		assert_int_equal(k.at_least, rows[i].at_least);
		assert_int_equal(k.lack, rows[i].lack);
	}
	assert_false(knee_find(windows, rows[0].rates, 2, &(struct knee){ 0 }));
}

/*
 * Rates of six visits, one of which is an outlier. The interval holds the knee, and is as wide as
 * they spread.
 */
static void a_knee_has_an_interval_of_its_visits(void **state)
{
	static const double rates[7] = { 1, 2, 4, 8, 10, 10, 10 };
	static const double visits[] = { 1, 1.02, 0.98, 1.01, 0.99, 0.5 };
	struct knee_point points[7];
	double values[7][6];
	struct interval joint, few;

	for (int i = 0; i < 7; i++) {
		for (int v = 0; v < 6; v++)
			values[i][v] = rates[i] * (i < 4 ? 1 : visits[v]);
		points[i] = (struct knee_point){ 1 << i, { values[i], 6, 0 } };
	}
	joint = knee_interval(points, 7, 400, 1);
	assert_true(joint.lo < 10 && joint.lo > 7 && joint.hi > 10 && joint.hi < 10.3);
	points[2].rates.n = 5;
	few = knee_interval(points, 7, 400, 1);
	assert_true(isnan(few.lo) && isnan(few.hi));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_and_bandwidths_of_circuits_are_the_published_ones),
		cmocka_unit_test(the_published_b_eff_of_boards_is_computed),
		cmocka_unit_test(the_goodput_of_packets_is_the_published_one),
		cmocka_unit_test(times_of_packets_are_those_worked_by_hand),
		cmocka_unit_test(only_confirmed_boards),
		cmocka_unit_test(custom_boards_are_read),
		cmocka_unit_test(bad_boards_are_refused_by_name),
		cmocka_unit_test(parameters_are_read_from_a_text),
		cmocka_unit_test(bad_parameters_are_refused_and_change_nothing),
		cmocka_unit_test(closed_forms_equal_the_simulation),
		cmocka_unit_test(closed_forms_of_logp),
		cmocka_unit_test(closed_forms_of_atlas_are_those_worked_by_hand),
		cmocka_unit_test(knees_of_rates_are_found),
		cmocka_unit_test(a_knee_has_an_interval_of_its_visits),
	};

	return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
