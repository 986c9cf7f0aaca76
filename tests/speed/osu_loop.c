/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loop of the OSU benchmarks' collectives (osu_bcast, osu_allgather, osu_alltoall, osu_allreduce 7.4), written out, for
 * collective.py:
 *
 *	mpirun -n 2 osu_loop SIZE,SIZE.. OPERATION..
 *
 * Each rank times each call by itself; MPI_Barrier follows each call, outside the time. A rank's latency is the mean of its own
 * times, and the printed ones are the mean, least and largest of these over the ranks. As with OSU, sizes above 8 KiB have fewer
 * iterations. Allreduce adds doubles, as netbench does. Prints lines "OPERATION SIZE AVG_S MIN_S MAX_S".
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGE 8192		/* OSU's LARGE_MESSAGE_SIZE */
#define PAGE 4096

/* OSU's numbers of iterations, and of those before that do not count. */
static const struct times { int iterations, skip; } small = { 1000, 100 }, large = { 100, 10 };

struct call {
	void *in, *out;
	int size;
};

static void bcast(const struct call *c)
{
	MPI_Bcast(c->in, c->size, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void allgather(const struct call *c)
{
	MPI_Allgather(c->in, c->size, MPI_CHAR, c->out, c->size, MPI_CHAR, MPI_COMM_WORLD);
}

static void alltoall(const struct call *c)
{
	MPI_Alltoall(c->in, c->size, MPI_CHAR, c->out, c->size, MPI_CHAR, MPI_COMM_WORLD);
}

static void allreduce(const struct call *c)
{
	MPI_Allreduce(c->in, c->out, c->size / (int)sizeof(double), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static const struct operation {
	const char *name;
	void (*run)(const struct call *c);
} operations[] = {
	{ "bcast", bcast }, { "allgather", allgather }, { "alltoall", alltoall }, { "allreduce", allreduce },
};

/* The mean of this rank's own times. */
static double own_mean(const struct operation *of, const struct call *c)
{
	struct times n = c->size > LARGE ? large : small;
	double sum = 0;

	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < n.iterations + n.skip; i++) {
		double start = MPI_Wtime(), end;

		of->run(c);
		end = MPI_Wtime();
		if (i >= n.skip)
			sum += end - start;
		MPI_Barrier(MPI_COMM_WORLD);
	}
	return sum / n.iterations;
}

static void measure(const struct operation *of, const struct call *c, int rank, int ranks)
{
	double mine = own_mean(of, c), least, most, sum;

	MPI_Reduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
	MPI_Reduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (!rank)
		printf("%s %d %.6g %.6g %.6g\n", of->name, c->size, sum / ranks, least, most);
}

/* Measures one operation at all sizes. Returns 2 if there is no such operation. */
static int measure_named(const char *name, const char *sizes, struct call *c, int rank, int ranks)
{
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
		if (strcmp(name, operations[i].name) != 0)
			continue;
		for (const char *at = sizes; at; at = strchr(at, ',')) {
			c->size = atoi(at += *at == ',');
			measure(&operations[i], c, rank, ranks);
		}
		return 0;
	}
	return 2;
}

int main(int argc, char **argv)
{
	struct call c = { .in = NULL };
	int rank, ranks, longest = 0, err = argc < 3 ? 2 : 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (const char *at = err ? NULL : argv[1]; at; at = strchr(at, ',')) {
		int size = atoi(at += *at == ',');

		longest = size > longest ? size : longest;
	}
	longest = (longest * ranks / PAGE + 1) * PAGE;
	c.in = aligned_alloc(PAGE, (size_t)longest);
	c.out = aligned_alloc(PAGE, (size_t)longest);
	if (!c.in || !c.out)
		err = 1;
	for (int i = 2; i < argc && !err; i++) {
		memset(c.in, 0, (size_t)longest);
		memset(c.out, 0, (size_t)longest);
		err = measure_named(argv[i], argv[1], &c, rank, ranks);
	}
	free(c.in);
	free(c.out);
	if (err == 2 && !rank)
		fprintf(stderr, "usage: mpirun -n 2 osu_loop SIZE,SIZE.. bcast|allgather|alltoall|allreduce..\n");
	MPI_Finalize();
	return err;
}
