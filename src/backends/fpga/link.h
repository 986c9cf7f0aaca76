/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the cables before measuring. */
#ifndef NETBENCH_BACKENDS_FPGA_LINK_H
#define NETBENCH_BACKENDS_FPGA_LINK_H

#include "backends/fpga/fpga.h"

/* Sends a message over each cable; reports those missing, wrong or damaged. Collective. */
int fpga_test_links(struct fpga *f);

#endif
