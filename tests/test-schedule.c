/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests algorithms of collective operations. Their exact times are compared with COLLECTIVES.md
 * section 3. Their results are computed in memory, where all places play with real numbers.
 */
#include "model/schedule/compose.h"
#include "model/schedule/time.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/random.h"
#include "measure/collective/block.h"
#include "measure/sync.h"
#include "model/collective.h"

#define MOST 33			/* places */
#define VECTOR 13440
#define BLOCK 1024

static const struct loggp sets[] = {
	{ .L = 1000, .o_s = 200, .o_r = 200, .g = 300, .G = .1 },
	{ .L = 5000, .o_s = 300, .o_r = 500, .g = 250, .G = .08 },
	{ .L = 200, .o_s = 100, .o_r = 150, .g = 900, .G = .04 },
};
static const uint32_t places[3][4] = { { 3, 4, 7, 16 }, { 4, 5, 7, 8 }, { 3, 5, 8, 16 } };

static double time_of(enum operation op, const char *name, struct shape shape, const struct loggp *p, double c)
{
	const struct algorithm *a = algorithm_find(op, name);

	for (uint32_t i = 0; i < compositions_count; i++)
		if (compositions[i].own.op == op && !strcmp(compositions[i].own.name, name))
			a = &compositions[i].own;
	assert_non_null(a);
	return schedule_time(a, &shape, p, c);
}

static void assert_near(double got, double want, const char *name, uint32_t P)
{
	if (!(fabs(got - want) <= 0.06))
		fail_msg("%s, P = %u: %.10g, not %.10g", name, P, got, want);
}

static bool is_of_blocks(enum operation op)
{
	return op == OPERATION_SCATTER || op == OPERATION_GATHER || op == OPERATION_ALLGATHER ||
	       op == OPERATION_ALLTOALL;
}

static struct shape golden(enum operation op, const char *name, uint32_t P)
{
	uint64_t k = op == OPERATION_BARRIER ? 0 : is_of_blocks(op) ? BLOCK : VECTOR;

	return (struct shape){ .P = P, .k = k, .segment = strcmp(name, "chain") ? 0 : k / 4 };
}

static void each_algorithm_takes_the_published_time(void **state)
{
	static const struct {
		enum operation op;
		const char *name;
		double ns[3][4];
	} rows[] = {
		{ OPERATION_BARRIER, "dissemination",
		  { { 2800, 2800, 4200, 5600 }, { 11600, 17400, 17400, 17400 }, { 1350, 2250, 2250, 3150 } } },
		{ OPERATION_BARRIER, "central",
		  { { 3400, 4000, 5800, 11200 }, { 13200, 14000, 15600, 16400 }, { 2700, 6300, 11700, 26100 } } },
		{ OPERATION_BARRIER, "tree",
		  { { 3400, 5600, 6200, 11200 }, { 23200, 24000, 24000, 34800 }, { 2700, 4650, 4500, 6300 } } },
		{ OPERATION_BCAST, "linear",
		  { { 4387.8, 6031.7, 10963.4, 25758.5 }, { 9525.4, 10850.5, 13500.7, 14825.8 },
		    { 2425.1, 5300.2, 9612.9, 21113.4 } } },
		{ OPERATION_BCAST, "binomial",
		  { { 4387.8, 5487.8, 7131.7, 10975.6 }, { 13750.2, 15075.4, 15075.4, 20625.4 },
		    { 2425.1, 3862.7, 3862.7, 5300.2 } } },
		{ OPERATION_BCAST, "chain",
		  { { 5379.5, 7115.4, 12323.1, 27946.2 }, { 20606.2, 26674.9, 38812.3, 44881 },
		    { 4271.8, 5440.5, 7193.6, 11868.5 } } },
		{ OPERATION_BCAST, "scatter+ring",
		  { { 6291.6, 9015.5, 13803.1, 29118.1 }, { 30612.4, 36769.8, 48492.5, 59880.8 },
		    { 3866.6, 6709.9, 9490.4, 17657.2 } } },
		{ OPERATION_SCATTER, "linear",
		  { { 1904.6, 2306.9, 3513.8, 7134.5 }, { 6545.5, 6877.4, 7541, 7872.9 },
		    { 1431.8, 3313.7, 6136.4, 13663.8 } } },
		{ OPERATION_SCATTER, "binomial",
		  { { 1904.6, 3107, 3714.1, 7135.6 }, { 11845.6, 12177.4, 12341.3, 17973.2 },
		    { 1431.8, 2413.7, 2536.6, 3764.2 } } },
		{ OPERATION_GATHER, "linear",
		  { { 1904.6, 2306.9, 3513.8, 7134.5 }, { 6881.8, 7381.8, 8381.8, 8881.8 },
		    { 1431.8, 3313.7, 6136.4, 13663.8 } } },
		{ OPERATION_GATHER, "binomial",
		  { { 1904.6, 3107, 3714.1, 7135.6 }, { 11845.6, 12345.6, 12427.5, 17973.2 },
		    { 1431.8, 2563.7, 2536.6, 3764.2 } } },
		{ OPERATION_ALLGATHER, "ring",
		  { { 3004.6, 4506.9, 9013.8, 22534.5 }, { 17645.5, 23527.4, 35291, 41172.9 },
		    { 1431.8, 3313.7, 6136.4, 13663.8 } } },
		{ OPERATION_ALLGATHER, "bruck",
		  { { 3004.6, 3107, 4814.1, 7135.6 }, { 11845.6, 17727.4, 17891.3, 17973.2 },
		    { 1431.8, 2413.7, 2536.6, 3764.2 } } },
		{ OPERATION_ALLTOALL, "linear",
		  { { 1904.6, 2306.9, 3513.8, 7134.5 }, { 6881.8, 7381.8, 8381.8, 8881.8 },
		    { 1431.8, 3313.7, 6136.4, 13663.8 } } },
		{ OPERATION_ALLTOALL, "bruck",
		  { { 3004.6, 3209.4, 5121.3, 8876.4 }, { 11927.5, 17809.4, 18137, 18382.8 },
		    { 1431.8, 2454.7, 2741.4, 4460.6 } } },
		{ OPERATION_REDUCE, "rabenseifner",
		  { { 6887.7, 7615.6, 10359.5, 13719.2 }, { 24812.5, 31687.6, 31687.6, 36681.1 },
		    { 3325.1, 5393.8, 5890.6, 7757.7 } } },
		{ OPERATION_ALLREDUCE, "recursive-doubling",
		  { { 7131.7, 5487.8, 10975.6, 10975.6 }, { 13750.2, 20625.4, 27500.5, 20625.4 },
		    { 3412.7, 4850.2, 3862.7, 5300.2 } } },
		{ OPERATION_ALLREDUCE, "rabenseifner",
		  { { 9631.6, 7615.6, 13103.4, 13719.2 }, { 24812.5, 38562.7, 38562.7, 36681.1 },
		    { 4312.6, 6381.4, 5890.6, 7757.7 } } },
		{ OPERATION_ALLREDUCE, "ring",
		  { { 7391.6, 10415.4, 19102.8, 44517 }, { 36412.3, 48119.7, 71442.2, 83080.5 },
		    { 3866.6, 7609.8, 13090.2, 27556.8 } } },
		{ OPERATION_REDUCE_SCATTER, "ring",
		  { { 3695.8, 5207.7, 9551.4, 22258.5 }, { 18206.2, 24059.8, 35721.1, 41540.2 },
		    { 1708.3, 3579.9, 6320.1, 13553.4 } } },
		{ OPERATION_REDUCE_SCATTER, "recursive-halving",
		  { { 5787.7, 3807.8, 8287.6, 6859.6 }, { 12406.2, 19120.1, 25350.1, 18340.6 },
		    { 2875.1, 3882.6, 2720.3, 3653.8 } } },
		/* the same as another row */
		{ OPERATION_REDUCE, "linear",
		  { { 4387.8, 6031.7, 10963.4, 25758.5 }, { 9525.4, 10850.5, 13500.7, 14825.8 },
		    { 2425.1, 5300.2, 9612.9, 21113.4 } } },
		{ OPERATION_REDUCE, "binomial",
		  { { 4387.8, 5487.8, 7131.7, 10975.6 }, { 13750.2, 14250.2, 15075.4, 20625.4 },
		    { 2425.1, 4012.7, 3862.7, 5300.2 } } },
		{ OPERATION_ALLTOALL, "pairwise",
		  { { 3004.6, 4506.9, 9013.8, 22534.5 }, { 17645.5, 23527.4, 35291, 41172.9 },
		    { 1431.8, 3313.7, 6136.4, 13663.8 } } },
		{ OPERATION_REDUCE_SCATTER, "pairwise",
		  { { 3695.8, 5207.7, 9551.4, 22258.5 }, { 18206.2, 24059.8, 35721.1, 41540.2 },
		    { 1708.3, 3579.9, 6320.1, 13553.4 } } },
		{ OPERATION_ALLGATHER, "recursive-doubling",
		  { { NAN, 3107, NAN, 7135.6 }, { 11845.6, NAN, NAN, 17973.2 }, { NAN, NAN, 2536.6, 3764.2 } } },
		{ OPERATION_BARRIER, "recursive-doubling",
		  { { NAN, 2800, NAN, 5600 }, { 11600, NAN, NAN, 17400 }, { NAN, NAN, 2250, 3150 } } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (int j = 0; j < 12; j++) {
			uint32_t P = places[j / 4][j % 4];
			double want = rows[i].ns[j / 4][j % 4];

			if (want == want)
				assert_near(time_of(rows[i].op, rows[i].name, golden(rows[i].op, rows[i].name, P),
						    &sets[j / 4], 0), want, rows[i].name, P);
		}
}

static void adding_and_unequal_blocks_take_the_published_time(void **state)
{
	static const struct {
		enum operation op;
		const char *name;
		double c;
		uint64_t k;
		uint32_t P[3];
		double ns[3];
	} rows[] = {
		{ OPERATION_REDUCE, "binomial", .05, VECTOR, { 4, 7, 16 }, { 6831.8, 8475.7, 13663.6 } },
		{ OPERATION_ALLREDUCE, "rabenseifner", .05, VECTOR, { 4, 7, 16 }, { 8119.6, 14279.4, 14349.2 } },
		{ OPERATION_ALLREDUCE, "ring", .05, VECTOR, { 4, 7, 16 }, { 10919.4, 19678.8, 45147 } },
		{ OPERATION_ALLREDUCE, "ring", 0, 1000, { 3, 7, 16 }, { 5734, 16971.6, 42189 } },
		{ OPERATION_ALLREDUCE, "rabenseifner", 0, 1000, { 3, 7, 16 }, { 5898.8, 8749.8, 11391.2 } },
		{ OPERATION_REDUCE_SCATTER, "recursive-halving", 0, 1000, { 3, 7, 16 }, { 3333.4, 5800.4, 5695.6 } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (int j = 0; j < 3; j++)
			assert_near(time_of(rows[i].op, rows[i].name,
					    (struct shape){ .P = rows[i].P[j], .k = rows[i].k }, &sets[0], rows[i].c),
				    rows[i].ns[j], rows[i].name, rows[i].P[j]);
}

/* (40), (45), and the closed forms of model/collective.h, on random networks. */
static void closed_forms_agree_on_random_networks(void **state)
{
	struct rng rng;

	rng_seed(&rng, 7);
	for (uint64_t draw = 1; draw <= 200; draw++) {
		double u[6];
		struct loggp p;
		uint32_t P;
		uint64_t k;

		for (int i = 0; i < 6; i++)
			u[i] = (double)(rng_next(&rng) >> 11) * 0x1p-53;
		p = (struct loggp){ .L = 3000 * u[0], .o_s = 400 * u[1], .o_r = 400 * u[2], .g = 900 * u[3], .G = .2 * u[4] };
		P = 2 + (uint32_t)(30 * u[5]);
		k = 8 * (1 + draw % 100);
		assert_near(time_of(OPERATION_BCAST, "binomial", (struct shape){ .P = P, .k = k }, &p, 0),
			    collective_binomial(&p, k, P), "binomial", P);
		assert_near(time_of(OPERATION_SCATTER, "binomial", (struct shape){ .P = P, .k = k }, &p, 0),
			    collective_scatter(&p, k, P), "scatter", P);
		assert_near(time_of(OPERATION_ALLGATHER, "ring", (struct shape){ .P = P, .k = k }, &p, 0),
			    collective_ring(&p, k, P), "ring", P);
		assert_near(time_of(OPERATION_ALLTOALL, "linear", (struct shape){ .P = P, .k = k }, &p, 0),
			    loggp_exchange(&p, k, P - 1), "alltoall", P);
		assert_near(time_of(OPERATION_BCAST, "linear", (struct shape){ .P = P, .k = k }, &p, 0),
			    loggp_one_way(&p, k) + (P - 2) * loggp_send_interval(&p, k), "linear", P);
		assert_near(time_of(OPERATION_GATHER, "linear", (struct shape){ .P = P, .k = k }, &p, 0),
			    loggp_one_way(&p, k) + (P - 2) * loggp_recv_interval(&p, k), "gather", P);
	}
}

/* ---- played in memory ---- */

struct letter {
	uint32_t from, to;
	uint64_t len;
	unsigned char *bytes;
	bool taken;
};

struct player {
	const struct schedule *s;
	unsigned char *vector[VECTORS];
	uint64_t len[VECTORS];
	uint32_t step, next;		/* next: the move of the step that is awaited */
	bool begun;
};

struct letters {
	struct letter *v;
	size_t n, first;
};

static unsigned char *at(const struct player *p, struct span s, uint64_t len)
{
	if (s.at + len > p->len[s.vector])
		fail_msg("bytes %llu to %llu of vector %d, which has %llu", (unsigned long long)s.at,
			 (unsigned long long)(s.at + len), (int)s.vector, (unsigned long long)p->len[s.vector]);
	return p->vector[s.vector] + s.at;
}

static void add_doubles(unsigned char *to, const unsigned char *from, uint64_t len)
{
	for (uint64_t i = 0; i < len; i += 8) {
		double a, b;

		memcpy(&a, to + i, 8);
		memcpy(&b, from + i, 8);
		a += b;
		memcpy(to + i, &a, 8);
	}
}

/* Data received in a step are used by no other move of the step. */
static void assert_no_overlap(const struct schedule *s, uint32_t step)
{
	for (uint32_t i = s->first[step]; i < s->first[step + 1]; i++)
		for (uint32_t j = s->first[step]; j < s->first[step + 1]; j++) {
			const struct move *a = &s->moves[i], *b = &s->moves[j];

			if (i == j || a->kind != MOVE_RECEIVE || a->part.vector != b->part.vector)
				continue;
			assert_true(a->part.at + a->len <= b->part.at || b->part.at + b->len <= a->part.at ||
				    !a->len || !b->len);
			assert_true(b->kind == MOVE_SEND || b->kind == MOVE_RECEIVE);
		}
}

static bool receive(struct player *p, uint32_t me, const struct move *m, struct letters *all)
{
	for (size_t i = all->first; i < all->n; i++) {
		struct letter *l = &all->v[i];

		if (l->taken || l->from != m->peer || l->to != me)
			continue;
		assert_int_equal(l->len, m->len);
		memcpy(at(p, m->part, m->len), l->bytes, l->len);
		free(l->bytes);
		l->taken = true;
		while (all->first < all->n && all->v[all->first].taken)
			all->first++;
		return true;
	}
	return false;
}

/* Does the sends and local moves of a step, in order. */
static void begin_step(struct player *p, uint32_t me, struct letters *all)
{
	const struct schedule *s = p->s;

	assert_no_overlap(s, p->step);
	for (uint32_t i = s->first[p->step]; i < s->first[p->step + 1]; i++) {
		const struct move *m = &s->moves[i];
		unsigned char *here = at(p, m->part, m->len);

		if (m->kind == MOVE_SEND) {
			all->v[all->n++] = (struct letter){ me, m->peer, m->len, malloc(m->len + 1), false };
			memcpy(all->v[all->n - 1].bytes, here, m->len);
		}
		if (m->kind == MOVE_COPY)
			memmove(here, at(p, m->from, m->len), m->len);
		if (m->kind == MOVE_ADD)
			add_doubles(here, at(p, m->from, m->len), m->len);
	}
	p->begun = true;
	p->next = s->first[p->step];
}

/* Does what a place can do now. True if it did something. */
static bool play(struct player *p, uint32_t me, struct letters *all)
{
	const struct schedule *s = p->s;
	bool any = false;

	for (; p->step < s->nsteps; p->step++, p->begun = false) {
		if (!p->begun) {
			begin_step(p, me, all);
			any = true;
		}
		for (; p->next < s->first[p->step + 1]; p->next++, any = true) {
			const struct move *m = &s->moves[p->next];

			if (m->kind == MOVE_RECEIVE && !receive(p, me, m, all))
				return any;
		}
	}
	return any;
}

/* Returns element i of place v's input for place `to`, and of a sum over all places. */
static double value(uint32_t v, uint32_t to, uint64_t i)
{
	return (double)(1 + i * 7919 % 1021) + v * (double)(3 + i * 104729 % 509) + 1e6 * to;
}

static double sum_of_values(uint32_t P, uint64_t i)
{
	double sum = 0;

	for (uint32_t v = 0; v < P; v++)
		sum += value(v, 0, i);
	return sum;
}

/* Returns byte i of a block that v has for `to`. */
static unsigned char byte_of(uint32_t v, uint32_t to, uint64_t i)
{
	return (unsigned char)(1 + (v * 37 + to * 101 + i * 11 + i / 251) % 255);
}

static void fill_blocks(unsigned char *to, uint32_t v, uint32_t first, uint32_t n, uint64_t k)
{
	for (uint32_t b = 0; b < n; b++)
		for (uint64_t i = 0; i < k; i++)
			to[b * k + i] = byte_of(v, first + b, i);
}

static void fill_doubles(unsigned char *to, uint32_t v, uint64_t k)
{
	for (uint64_t i = 0; i < k / 8; i++) {
		double x = value(v, 0, i);

		memcpy(to + 8 * i, &x, 8);
	}
}

static void fill_input(struct player *p, enum operation op, const struct shape *a, uint32_t v)
{
	unsigned char *in = p->vector[VECTOR_IN], *out = p->vector[VECTOR_OUT];
	bool own = a->in_place && op != OPERATION_GATHER && op != OPERATION_REDUCE;

	if (op == OPERATION_BCAST && !v)
		fill_blocks(out, 0, 0, 1, a->k);
	if (op == OPERATION_SCATTER && !v)
		fill_blocks(in, 0, 0, a->P, a->k);
	if (op == OPERATION_GATHER)
		fill_blocks(!v && a->in_place ? out : in, v, 0, 1, a->k);
	if (op == OPERATION_ALLGATHER)
		fill_blocks(own ? out + v * a->k : in, v, 0, 1, a->k);
	if (op == OPERATION_ALLTOALL)
		fill_blocks(in, v, 0, a->P, a->k);
	if (operation_adds(op))
		fill_doubles(own || (!v && a->in_place) ? out : in, v, a->k);
}

static void assert_byte(unsigned char got, unsigned char want, const char *name, uint32_t P, uint64_t k)
{
	if (got != want)
		fail_msg("%s, P = %u, %llu bytes: a byte is wrong", name, P, (unsigned long long)k);
}

static void check_result(const struct player *p, const struct algorithm *of, const struct shape *a, uint32_t v)
{
	const unsigned char *out = p->vector[VECTOR_OUT];
	struct stretch mine = cut_stretch(cut_vector(a->k, a->P), v, v + 1);
	struct extent e = operation_extent(of->op, a, v);
	uint64_t sums = of->op == OPERATION_REDUCE_SCATTER ? mine.len : operation_adds(of->op) ? e.out : 0;
	uint64_t first = of->op == OPERATION_REDUCE_SCATTER ? mine.at / 8 : 0;

	for (uint64_t i = 0; i < sums / 8; i++) {
		double got;

		memcpy(&got, out + 8 * i, 8);
		if (got != sum_of_values(a->P, first + i))
			fail_msg("%s, P = %u, %llu bytes: sum %llu of place %u is %.17g, not %.17g", of->name, a->P,
				 (unsigned long long)a->k, (unsigned long long)i, v, got,
				 sum_of_values(a->P, first + i));
	}
	if (operation_adds(of->op) || (of->op == OPERATION_SCATTER && a->in_place && !v))
		return;
	for (uint64_t i = 0; i < e.out; i++) {
		uint32_t block = a->k ? (uint32_t)(i / a->k) : 0;
		bool from_all = of->op == OPERATION_ALLTOALL || of->op == OPERATION_ALLGATHER ||
				of->op == OPERATION_GATHER;
		uint32_t from = from_all ? block : 0;
		uint32_t to = of->op == OPERATION_ALLTOALL || of->op == OPERATION_SCATTER ? v : 0;

		assert_byte(out[i], byte_of(from, to, i - (uint64_t)block * a->k), of->name, a->P, a->k);
	}
}

/*
 * All places play until none can continue. Then all must be done, and each message must be
 * received.
 */
static void play_all(const struct algorithm *of, const struct shape *a)
{
	struct ensemble *e = ensemble_make(of, a);
	struct player p[MOST] = { 0 };
	struct letters all = { 0 };
	bool any = true;

	assert_non_null(e);
	for (uint32_t v = 0; v < a->P; v++) {
		struct extent x = operation_extent(of->op, a, v);

		p[v].s = ensemble_schedule(e, v);
		p[v].len[VECTOR_IN] = x.in;
		p[v].len[VECTOR_OUT] = x.out;
		p[v].len[VECTOR_SCRATCH] = p[v].s->scratch;
		assert_true(p[v].s->scratch <= algorithm_scratch(of, a));
		if (composition_of(of)) {
			uint64_t len[VECTORS];

			composition_memory(composition_of(of), a, len);
			p[v].len[VECTOR_IN] = len[VECTOR_IN];
			p[v].len[VECTOR_OUT] = len[VECTOR_OUT];
		}
		for (int i = 0; i < VECTORS; i++)
			p[v].vector[i] = calloc(1, p[v].len[i] + 1);
		fill_input(&p[v], of->op, a, v);
		all.n += p[v].s->nmoves;
	}
	all.v = calloc(all.n + 1, sizeof(*all.v));
	all.n = 0;
	while (any) {
		any = false;
		for (uint32_t v = 0; v < a->P; v++)
			any |= play(&p[v], v, &all);
	}
	assert_int_equal(all.first, all.n);
	for (uint32_t v = 0; v < a->P; v++) {
		assert_int_equal(p[v].step, p[v].s->nsteps);
		check_result(&p[v], of, a, v);
		for (int i = 0; i < VECTORS; i++)
			free(p[v].vector[i]);
	}
	free(all.v);
	ensemble_free(e);
}

static void play_with_all_shapes(const struct algorithm *of)
{
	static const uint64_t sizes[] = { 0, 8, 24, 136, 1000, 13, 11 * 8 * 7 * 3 };

	for (uint32_t P = 1; P <= MOST; P++)
		for (size_t j = 0; j < sizeof(sizes) / sizeof(sizes[0]); j++)
			for (int in_place = 0; in_place < 2; in_place++) {
				struct shape a = { .P = P, .k = sizes[j], .segment = 40, .in_place = in_place };

				if (!algorithm_refusal(of, &a))
					play_all(of, &a);
			}
}

static void every_algorithm_does_what_its_operation_says(void **state)
{
	for (uint32_t i = 0; i < own_algorithms_count; i++)
		play_with_all_shapes(&own_algorithms[i]);
}

static void every_composition_does_what_its_operation_says(void **state)
{
	for (uint32_t i = 0; i < compositions_count; i++)
		play_with_all_shapes(&compositions[i].own);
}

/* The parts follow each other, so a composition takes at most as long as its parts together. */
static void a_composition_takes_the_time_of_its_parts(void **state)
{
	struct shape a = { .P = 8, .k = VECTOR };
	const struct loggp *p = &sets[0];
	double tree = time_of(OPERATION_BCAST, "binomial", a, p, 0);
	double block = time_of(OPERATION_REDUCE_SCATTER, "ring", a, p, 0);

	assert_near(time_of(OPERATION_ALLREDUCE, "own:reduce+bcast", a, p, 0), 2 * tree, "own:reduce+bcast", 8);
	assert_near(time_of(OPERATION_ALLREDUCE, "own:reduce-scatter+allgather", a, p, 0), 2 * block,
		    "own:reduce-scatter+allgather", 8);
	assert_near(time_of(OPERATION_REDUCE, "own:allreduce", a, p, 0), time_of(OPERATION_ALLREDUCE, "ring", a, p, 0),
		    "own:allreduce", 8);
}

static void an_algorithm_says_where_it_cannot_be_done(void **state)
{
	const struct algorithm *doubling = algorithm_find(OPERATION_ALLGATHER, "recursive-doubling");
	const struct algorithm *ring = algorithm_find(OPERATION_ALLREDUCE, "ring");

	assert_null(algorithm_find(OPERATION_BARRIER, "ring"));
	assert_non_null(algorithm_refusal(doubling, &(struct shape){ .P = 6, .k = 8 }));
	assert_null(algorithm_refusal(doubling, &(struct shape){ .P = 8, .k = 8 }));
	assert_non_null(algorithm_refusal(ring, &(struct shape){ .P = 8, .k = 12 }));
	assert_null(algorithm_refusal(ring, &(struct shape){ .P = 8, .k = 16 }));
}

static void many_places_are_evaluated(void **state)
{
	struct shape a = { .P = 4096, .k = 8 };

	assert_near(time_of(OPERATION_ALLREDUCE, "recursive-doubling", a, &sets[0], 0),
		    12 * loggp_one_way(&sets[0], 8), "recursive-doubling", 4096);
}

/* ---- what is made of the times ---- */

static void the_hidden_share_is_that_of_osu(void **state)
{
	/* an operation of 4 and computing of 4: all hidden, none, half of it, and beyond both ends */
	const struct { double all, want; } cases[] = { { 4, 1 }, { 8, 0 }, { 6, 0.5 }, { 3, 1 }, { 11, 0 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_true(block_hidden_share(4, cases[i].all, 4) == cases[i].want);
}

static void a_quantile_is_reliable_if_few_operations_began_late(void **state)
{
	assert_true(block_quantile_is_reliable(25, 75, 0.5) && !block_quantile_is_reliable(26, 74, 0.5));
	assert_true(block_quantile_is_reliable(5, 96, 0.9) && !block_quantile_is_reliable(6, 94, 0.9));
	assert_true(block_quantile_is_reliable(0, 1, 1) && !block_quantile_is_reliable(1, 1000, 1));
	assert_true(!block_quantile_is_reliable(3, 0, 0.5));
}

static void clocks_are_compared_when_the_error_may_have_doubled(void **state)
{
	const struct { double between, since; bool due; } cases[] = {
		{ 0, 0, true }, { 0.4, 0, true }, { 0.6, 0, false }, { 1, 0.8, false }, { 1, 0.83, true }, { 50, 40, false }, { 50, 42, true },
		{ 1000, 59, false }, { 1000, 61, true } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_true(sync_is_comparison_due(cases[i].between, cases[i].since) == cases[i].due);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clocks_are_compared_when_the_error_may_have_doubled),
		cmocka_unit_test(the_hidden_share_is_that_of_osu),
		cmocka_unit_test(a_quantile_is_reliable_if_few_operations_began_late),
		cmocka_unit_test(each_algorithm_takes_the_published_time),
		cmocka_unit_test(adding_and_unequal_blocks_take_the_published_time),
		cmocka_unit_test(closed_forms_agree_on_random_networks),
		cmocka_unit_test(every_algorithm_does_what_its_operation_says),
		cmocka_unit_test(every_composition_does_what_its_operation_says),
		cmocka_unit_test(a_composition_takes_the_time_of_its_parts),
		cmocka_unit_test(an_algorithm_says_where_it_cannot_be_done),
		cmocka_unit_test(many_places_are_evaluated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
