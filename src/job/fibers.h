/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fibers under a virtual clock. Each fiber has its own time. Among the fibers that can continue,
 * the one with the smallest time runs (ties: the lowest number). So no fiber decides before
 * everything that happens earlier has happened, and every run is the same.
 */
#ifndef NETBENCH_JOB_FIBERS_H
#define NETBENCH_JOB_FIBERS_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

/* Time of a wait that only fibers_wake can end. */
#define FIBERS_NEVER __builtin_inf()

/* Prepares n fibers at time 0. Returns NULL if memory is short. */
struct fibers *fibers_new(int n);
void fibers_free(struct fibers *f);

/*
 * Runs body(i, arg) on each fiber. Returns 0 when all have returned. Returns `status` if a fiber
 * calls fibers_exit(status). Returns -1 if no fiber can continue.
 */
int fibers_run(struct fibers *f, void (*body)(int i, void *arg), void *arg);

/* Called by a fiber: ends all fibers. */
__attribute__((noreturn)) void fibers_exit(struct fibers *f, int status);

/*
 * Called by a fiber: calls over(arg) now and then while fibers switch. Once it returns true, the
 * other fibers are abandoned where they are, and this fiber continues at `back` (_longjmp); it must
 * end with fibers_exit. `over` NULL: stops these calls.
 */
void fibers_watch(struct fibers *f, bool (*over)(void *arg), void *arg, jmp_buf *back);

/*
 * Returns the address of fiber i's time. The running fiber advances its own time. The time of other
 * fibers may be set while they are blocked.
 */
double *fibers_clock(struct fibers *f, int i);

/*
 * Called by the running fiber. Waits until all other fibers that can continue have a time of at
 * least `when`, or until it is woken for an earlier time. With FIBERS_NEVER it waits until it is
 * woken. Returns the time at which it continues: everything that other fibers do from now on
 * happens later. The caller must advance its own clock.
 */
double fibers_block(struct fibers *f, double when);

/*
 * Called by the running fiber: returns the time at which the first of the other fibers continues;
 * FIBERS_NEVER if none will.
 */
double fibers_next(const struct fibers *f);

/* Makes blocked fiber i continue at time `when` at the latest. */
void fibers_wake(struct fibers *f, int i, double when);

#endif
