/* SPDX-License-Identifier: Apache-2.0 */
/* Cables between cards. */
#ifndef NETBENCH_BACKENDS_FPGA_WIRE_H
#define NETBENCH_BACKENDS_FPGA_WIRE_H

#include "backends/fpga/fpga.h"

/*
 * Reads the cables of `--wiring` and of `--emulate-cables` for `nranks` ranks. Once, before
 * any rank exists. ST_OK or ST_USAGE.
 *
 * ring      pair 1 of each rank faces pair 0 of the next
 * loopback  pair 1 of each rank faces its own pair 0
 * plug      pairs 0 and 1 of the only rank each face themselves
 * a file    has a cable a line, "rank pair rank pair"; behind an emulated cable its dead lanes
 */
int fpga_read_cables(struct fpga_opts *o, int nranks);

/* Finds the neighbours' pairs; joins emulated channels. ST_OK or an exit status. Collective. */
int fpga_wire(struct fpga *f);

/* If any rank has failed, all do: returns err, or else the err of another rank. Collective. */
int fpga_together(struct fpga *f, int err);

#endif
