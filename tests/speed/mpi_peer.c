/* SPDX-License-Identifier: Apache-2.0 */
/*
 * netbench's latency, bandwidth and msgrate over bare MPI, by the same definitions, for speed.py:
 *
 *	mpirun -n 2 mpi_peer latency|bandwidth|msgrate [SIZE]
 *
 * Repetitions last about 10 ms, begin with a barrier and are timed on rank 0. Messages go out of
 * and into one buffer each, which begin at a page, as netbench's do. Prints lines "key value" in
 * SI units: the median over the repetitions and the best of them.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPETITIONS 20
#define REPETITION_S 10e-3
#define PILOT_S 1e-3
#define WINDOW 64
#define PAGE 4096
#define LONGEST (1L << 30)

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

enum result { TIME, BYTES, MESSAGES };

static const char *const units[] = { "s", "Bps", "msgps" };

static const struct mode {
	const char *name, *key;
	enum result result;	/* time a message, or bytes or messages a time */
	int len;		/* unless another is asked for */
	int messages;		/* of an iteration */
	void (*iterate)(const struct peer *p);
} modes[] = {
	{ "latency", "half_rtt", TIME, 8, 2, trip },
	{ "bandwidth", "bandwidth", BYTES, 1 << 20, WINDOW, window },
	{ "msgrate", "rate", MESSAGES, 8, WINDOW, window },
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

static double value(const struct mode *mode, const struct peer *p, double s, long loops)
{
	double messages = mode->messages * (double)loops;

	if (mode->result == TIME)
		return s / messages;
	return messages * (mode->result == BYTES ? p->len : 1) / s;
}

static void measure(const struct mode *mode, const struct peer *p)
{
	long loops = pilot(mode, p);
	double s[REPETITIONS];
	const char *unit = units[mode->result];

	repeat(mode, p, loops);
	for (int i = 0; i < REPETITIONS; i++)
		s[i] = repeat(mode, p, loops);
	if (p->rank)
		return;
	qsort(s, REPETITIONS, sizeof(*s), compare);
	printf("%s_%s %.6g\n", mode->key, unit,
	       value(mode, p, (s[REPETITIONS / 2 - 1] + s[REPETITIONS / 2]) / 2, loops));
	printf("%s_best_%s %.6g\n", mode->key, unit, value(mode, p, s[0], loops));
}

static void *buffer(int len, int fill)
{
	size_t bytes = ((size_t)len + PAGE) / PAGE * PAGE;
	void *buf = aligned_alloc(PAGE, bytes);

	if (buf)
		memset(buf, fill, bytes);
	return buf;
}

static int measure_in_buffers(const struct mode *mode, struct peer *p)
{
	p->out = buffer(p->len, p->rank + 1);
	p->in = buffer(p->len, 0);
	if (p->out && p->in)
		measure(mode, p);
	free(p->out);
	free(p->in);
	return !p->out || !p->in;
}

/* size: NULL for the mode's own. */
static int measure_named(const char *name, const char *size, struct peer *p)
{
	long len = size ? strtol(size, NULL, 10) : 0;

	if (size && (len < 1 || len > LONGEST))
		return 2;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(name, modes[i].name) != 0)
			continue;
		p->len = size ? (int)len : modes[i].len;
		return measure_in_buffers(&modes[i], p);
	}
	return 2;
}

int main(int argc, char **argv)
{
	struct peer p = { 0 };
	int size, err = 2;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if ((argc == 2 || argc == 3) && size == 2)
		err = measure_named(argv[1], argc == 3 ? argv[2] : NULL, &p);
	if (err == 2 && p.rank == 0)
		fprintf(stderr, "usage: mpirun -n 2 mpi_peer latency|bandwidth|msgrate [SIZE]\n");
	MPI_Finalize();
	return err;
}
