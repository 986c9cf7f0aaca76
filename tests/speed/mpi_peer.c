/* SPDX-License-Identifier: Apache-2.0 */
/*
 * netbench's latency, bandwidth and msgrate over bare MPI, by the same definitions, for speed.py:
 *
 *	mpirun -n 2 mpi_peer latency|bandwidth|msgrate
 *
 * Repetitions last about 10 ms, begin with a barrier and are timed on rank 0. Prints lines "key
 * value" in SI units: the median over the repetitions and the best of them.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPETITIONS 20
#define REPETITION_S 10e-3
#define PILOT_S 1e-3
#define WINDOW 64

/* One iteration on either rank. */
struct peer {
	int rank, len;
	void *out, *in;
};

static void trip(const struct peer *p)
{
	if (p->rank == 0)
		MPI_Send(p->out, p->len, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
	MPI_Recv(p->in, p->len, MPI_BYTE, !p->rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (p->rank == 1)
		MPI_Send(p->out, p->len, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
}

/* A window of messages, all in flight, then a reply of one byte. */
static void window(const struct peer *p)
{
	MPI_Request req[WINDOW];

	for (int i = 0; i < WINDOW; i++) {
		if (p->rank == 0)
			MPI_Isend(p->out, p->len, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &req[i]);
		else
			MPI_Irecv(p->in, p->len, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &req[i]);
	}
	MPI_Waitall(WINDOW, req, MPI_STATUSES_IGNORE);
	if (p->rank == 0)
		MPI_Recv(p->in, 1, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	else
		MPI_Send(p->out, 1, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
}

/* The result is work / time for a rate, else time / work. */
static const struct mode {
	const char *name, *key;
	int len;
	void (*iterate)(const struct peer *p);
	double work;		/* of an iteration: half round trips, bytes, messages */
	int is_rate;
} modes[] = {
	{ "latency", "half_rtt", 8, trip, 2, 0 },
	{ "bandwidth", "bandwidth", 1 << 20, window, WINDOW * (double)(1 << 20), 1 },
	{ "msgrate", "rate", 8, window, WINDOW, 1 },
};

static double repeat(const struct mode *mode, const struct peer *p, long loops)
{
	double start;

	MPI_Barrier(MPI_COMM_WORLD);
	start = MPI_Wtime();
	for (long i = 0; i < loops; i++)
		mode->iterate(p);
	return MPI_Wtime() - start;
}

/* Loops that last as long as a repetition should, the same on both ranks. */
static long pilot(const struct mode *mode, const struct peer *p)
{
	double s = 0;
	long loops = 1;

	for (;;) {
		s = repeat(mode, p, loops);
		MPI_Bcast(&s, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
		if (s >= PILOT_S)
			break;
		loops *= 2;
	}
	return (long)((double)loops * REPETITION_S / s) + 1;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double value(const struct mode *mode, double s, long loops)
{
	double work = mode->work * (double)loops;

	return mode->is_rate ? work / s : s / work;
}

static void measure(const struct mode *mode, const struct peer *p)
{
	long loops = pilot(mode, p);
	double s[REPETITIONS];
	const char *unit = mode->is_rate ? mode->len > 8 ? "Bps" : "msgps" : "s";

	repeat(mode, p, loops);
	for (int i = 0; i < REPETITIONS; i++)
		s[i] = repeat(mode, p, loops);
	if (p->rank)
		return;
	qsort(s, REPETITIONS, sizeof(*s), compare);
	printf("%s_%s %.6g\n", mode->key, unit,
	       value(mode, (s[REPETITIONS / 2 - 1] + s[REPETITIONS / 2]) / 2, loops));
	printf("%s_best_%s %.6g\n", mode->key, unit, value(mode, s[0], loops));
}

static int measure_named(const char *name, struct peer *p)
{
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(name, modes[i].name) != 0)
			continue;
		p->len = modes[i].len;
		p->out = calloc(2, (size_t)p->len);
		if (!p->out)
			return 1;
		p->in = (char *)p->out + p->len;
		memset(p->out, p->rank + 1, 2 * (size_t)p->len);
		measure(&modes[i], p);
		free(p->out);
		return 0;
	}
	return 2;
}

int main(int argc, char **argv)
{
	struct peer p = { 0 };
	int size, err;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	err = argc == 2 && size == 2 ? measure_named(argv[1], &p) : 2;
	if (err && p.rank == 0)
		fprintf(stderr, "usage: mpirun -n 2 mpi_peer latency|bandwidth|msgrate\n");
	MPI_Finalize();
	return err;
}
