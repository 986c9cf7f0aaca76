/* SPDX-License-Identifier: Apache-2.0 */
/* AuroraFlow, the link layer of some card images. */
#ifndef NETBENCH_BACKENDS_FPGA_PORTS_H
#define NETBENCH_BACKENDS_FPGA_PORTS_H

#include "backends/fpga/fpga.h"

/*
 * Waits up to '--link-timeout' until the wired ports are up, and reports each that is not. Warns if
 * their registers cannot be read. Returns ST_OK or ST_FAILED. Collective.
 */
int fpga_await_ports(struct fpga *f);

/* Hook `counters`: the ports' counters, counted from the time when the ports came up. */
int fpga_counters(struct endpoint *ep, struct counter *c);

/* Warns of ports whose counters show faults. */
void fpga_warn_of_ports(struct fpga *f);

#endif
