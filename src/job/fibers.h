/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fibers under a virtual clock. Each has its own time. Of those that can go on, the one with the
 * smallest time does (ties: the lowest number). So nothing that happens before a fiber's time can
 * come after its decisions, and every run is the same.
 */
#ifndef NETBENCH_JOB_FIBERS_H
#define NETBENCH_JOB_FIBERS_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

/* Time at which a fiber waits that only fibers_wake can end. */
#define FIBERS_NEVER __builtin_inf()

/* Prepares n fibers at time 0. NULL without memory. */
struct fibers *fibers_new(int n);
void fibers_free(struct fibers *f);

/*
 * Runs body(i, arg) on each fiber until all have returned, and returns 0; or until one calls
 * fibers_exit(status), and returns that status; or until none can go on: returns -1.
 */
int fibers_run(struct fibers *f, void (*body)(int i, void *arg), void *arg);

/* From a fiber: ends them all. */
__attribute__((noreturn)) void fibers_exit(struct fibers *f, int status);

/*
 * From a fiber: asks `over(arg)` now and then while fibers switch. Once that is true the others are
 * given up where they are, and this one goes on at `back` (_longjmp); it is to end with
 * fibers_exit. NULL: asks no more.
 */
void fibers_watch(struct fibers *f, bool (*over)(void *arg), void *arg, jmp_buf *back);

/* Fiber i's time. The running fiber advances its own; others' may be set while they are blocked. */
double *fibers_clock(struct fibers *f, int i);

/*
 * From the running fiber: waits until no other fiber that can go on has a time before `when`, or
 * until woken for an earlier time. FIBERS_NEVER: until woken. Returns the time of its resumption:
 * all that others still do happens later. The caller advances its own clock.
 */
double fibers_block(struct fibers *f, double when);

/* From the running fiber: the time at which the first of the others goes on; FIBERS_NEVER: none. */
double fibers_next(const struct fibers *f);

/* Lets blocked fiber i go on at `when` at the latest. */
void fibers_wake(struct fibers *f, int i, double when);

#endif
