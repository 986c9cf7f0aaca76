/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs fibers under a virtual clock. Each fiber has its own time. Of the fibers that can continue,
 * the one with the smallest time runs. If several fibers have this time, the one with the lowest
 * number runs. So events happen in the order of virtual time, and every run is the same.
 */
#ifndef NETBENCH_JOB_FIBERS_H
#define NETBENCH_JOB_FIBERS_H

#include <setjmp.h>
#include <stdbool.h>

/* A time that never comes. Only fibers_wake ends a wait until this time. */
#define FIBERS_NEVER __builtin_inf()

/* Prepares n fibers at time 0. Returns NULL if memory is short. */
struct fibers *fibers_new(int n);
void fibers_free(struct fibers *f);

/*
 * Runs body(i, arg) on each fiber i. Returns 0 when all bodies have returned; `status` if a fiber
 * calls fibers_exit(status); -1 if no fiber can continue (deadlock).
 */
int fibers_run(struct fibers *f, void (*body)(int i, void *arg), void *arg);

/* Called by a fiber: ends all fibers. */
__attribute__((noreturn)) void fibers_exit(struct fibers *f, int status);

/*
 * Called by a fiber, the watcher. From now on, over(arg) is called at some of the switches between
 * fibers; `over` NULL ends this. When over returns true, all other fibers are abandoned, and the
 * watcher continues at `back` (_longjmp). The watcher must then end with fibers_exit.
 */
void fibers_watch(struct fibers *f, bool (*over)(void *arg), void *arg, jmp_buf *back);

/*
 * Returns the address of fiber i's time. The running fiber advances its own time there. The running
 * fiber may also set the time of blocked fibers.
 */
double *fibers_clock(struct fibers *f, int i);

/*
 * Called by the running fiber: blocks until time `when`, or until fibers_wake wakes it earlier.
 * With FIBERS_NEVER only fibers_wake ends the wait. Returns the time at which the fiber continues.
 * When it continues, no other fiber will do anything at an earlier time. The caller must advance
 * its own clock.
 */
double fibers_block(struct fibers *f, double when);

/*
 * Called by the running fiber: returns the earliest time at which another fiber continues;
 * FIBERS_NEVER if none will.
 */
double fibers_next(const struct fibers *f);

/* Makes blocked fiber i continue at time `when` at the latest. */
void fibers_wake(struct fibers *f, int i, double when);

#endif
