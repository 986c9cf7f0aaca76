/* SPDX-License-Identifier: Apache-2.0 */
/* Handles the ports of AuroraFlow, the link layer of some card images. */
#ifndef NETBENCH_BACKENDS_FPGA_PORTS_H
#define NETBENCH_BACKENDS_FPGA_PORTS_H

#include "backends/fpga/fpga.h"

/*
 * Waits at most '--link-timeout' until the wired ports are up, and reports each port that is not.
 * Warns if the ports' registers cannot be read. Returns ST_OK or ST_FAILED. Collective.
 */
int fpga_await_ports(struct fpga *f);

/* Hook `counters`: reads the ports' counters. They have counted since the ports came up. */
int fpga_counters(struct endpoint *ep, struct counter *c);

/* Warns of ports whose counters show faults of the link. */
void fpga_warn_of_ports(struct fpga *f);

#endif
