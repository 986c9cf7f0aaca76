/* SPDX-License-Identifier: Apache-2.0 */
/* Cables between cards. */
#ifndef NETBENCH_BACKENDS_FPGA_WIRE_H
#define NETBENCH_BACKENDS_FPGA_WIRE_H

#include "backends/fpga/fpga.h"

/*
 * Reads the cables of `--wiring` and `--emulate-cables` for `nranks` ranks. Call this function
 * once, before any rank exists. Returns ST_OK or ST_USAGE.
 *
 * ring      pair 1 of each rank is joined to pair 0 of the next rank
 * loopback  pair 1 of each rank is joined to its own pair 0
 * plug      pairs 0 and 1 of the only rank are each joined to themselves
 * a file    one cable per line, "rank pair rank pair"; for emulated cables its dead lanes follow
 */
int fpga_read_cables(struct fpga_opts *o, int nranks);

/*
 * Finds which pairs are wired to the neighbours, and joins the channels of emulated cards. Returns
 * ST_OK or another exit status. Collective.
 */
int fpga_join_cables(struct fpga *f);

/*
 * Makes all ranks fail if any rank has failed. `err` is this rank's exit status. Returns err if it
 * is not 0, else another rank's exit status that is not 0, else 0. Collective.
 */
int fpga_agree_on_error(struct fpga *f, int err);

#endif
