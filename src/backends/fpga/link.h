/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the cables before anything is measured. */
#ifndef NETBENCH_BACKENDS_FPGA_LINK_H
#define NETBENCH_BACKENDS_FPGA_LINK_H

#include "backends/fpga/fpga.h"

/*
 * Sends a message over each cable. Reports cables that are missing, wrong or damaged. Returns an
 * exit status. Collective.
 */
int fpga_test_links(struct fpga *f);

#endif
