/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults of a rank that a launcher has started, before its job begins: in its options, its plan, its modules.
 * They are told once, by rank 0, to which the job brings them; so a rank that cannot take part still comes, to
 * say why, and nobody waits for it.
 */
#ifndef NETBENCH_CLI_OUTSET_H
#define NETBENCH_CLI_OUTSET_H

#include "cli/choose.h"

/* From here on the first fault of this process is kept. Only where a launcher has started it. */
void outset_begin(void);

/* This process is no part of the launcher's job after all: faults are printed, that which was kept first. */
void outset_leave(void);

/*
 * The end of a command with `status`: tells what was kept, in the launcher's job if that is the kind chosen, else
 * from here, unless rank 0 says the same from another process. Returns the exit status.
 */
int outset_end(const struct choice *c, int status);

#endif
