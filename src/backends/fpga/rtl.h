/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles images with link cores (kernels/rtl/) in place of the kernels send and recv. A core
 * makes, sends, receives and compares messages, and times them with its own clock. The host writes
 * the core's arguments, starts the core, and reads its counters.
 */
#ifndef NETBENCH_BACKENDS_FPGA_RTL_H
#define NETBENCH_BACKENDS_FPGA_RTL_H

#include "backends/fpga/fpga.h"

/*
 * Opens the image's cores, and reads their version and geometry. Returns ST_OK or another exit
 * status.
 */
int fpga_open_cores(struct fpga *f);

/*
 * Gives emulated cores and their links the clocks of `--board` and `--kernel-clock`. Returns ST_OK
 * or another exit status.
 */
int fpga_set_core_clock(struct fpga *f);

/*
 * Measures the frequency of the cores' clock with the host's clock, and stores it in f->clock_hz.
 * Fails if the frequency differs by more than 0.1 % from that in the image. Returns ST_OK or
 * ST_FAILED.
 */
int fpga_measure_clock(struct fpga *f);

/*
 * Drops the beats that earlier runs have left in the links. Then tests each cable. Returns an exit
 * status. Collective.
 */
int fpga_test_cores(struct fpga *f);

/*
 * The hooks arm and run of an endpoint with cores. Before fpga_arm_cores, fpga.c must have planned
 * the stages.
 */
int fpga_arm_cores(struct fpga *f, const struct round *r);
int fpga_run_cores(struct fpga *f, const struct round *r, double *seconds);

/* Adds the cores to the record. For images without cores, the record has kernels in that place. */
void fpga_describe_cores(const struct fpga *f, struct facts *facts);

#endif
