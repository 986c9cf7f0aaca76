/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images with link cores (kernels/rtl/) in place of kernels send and recv. A core makes, sends,
 * receives and compares messages, and times them by its own clock. The host writes arguments,
 * starts it, and reads what it has counted.
 */
#ifndef NETBENCH_BACKENDS_FPGA_RTL_H
#define NETBENCH_BACKENDS_FPGA_RTL_H

#include "backends/fpga/fpga.h"

/* Opens the image's cores; reads their version and geometry. ST_OK or an exit status. */
int fpga_open_cores(struct fpga *f);

/*
 * Emulated cores and their lines get the clocks of `--board` and `--kernel-clock`. ST_OK or an
 * exit status.
 */
int fpga_set_core_clock(struct fpga *f);

/*
 * Measures the cores' clock against the host's, into f->clock_hz. A clock that is more than 0.1 %
 * apart from the image's is a fault.
 */
int fpga_measure_clock(struct fpga *f);

/* Drops what earlier runs have left in the links, then tests each cable. Collective. */
int fpga_test_cores(struct fpga *f);

/* Plans the stages of the cores; the hooks arm and run of an endpoint with cores. */
int fpga_arm_cores(struct fpga *f, const struct round *r);
int fpga_run_cores(struct fpga *f, const struct round *r, double *seconds);

/* Facts of the cores for the record, in place of those of kernels. */
void fpga_describe_cores(const struct fpga *f, struct facts *facts);

#endif
