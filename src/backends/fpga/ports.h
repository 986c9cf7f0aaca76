/* SPDX-License-Identifier: Apache-2.0 */
/* AuroraFlow, the link layer of cards whose image has it. */
#ifndef NETBENCH_BACKENDS_FPGA_PORTS_H
#define NETBENCH_BACKENDS_FPGA_PORTS_H

#include "backends/fpga/fpga.h"

/*
 * Waits '--link-timeout' for the ports that are wired; reports each that is not up. Warns if
 * their registers cannot be read. ST_OK or ST_FAILED. Collective.
 */
int fpga_await_ports(struct fpga *f);

/* The ports' counters, from the moment when they were up. */
int fpga_counters(struct endpoint *ep, struct counter *c);

/* Warns of ports that have counted faults. */
void fpga_judge_ports(struct fpga *f);

#endif
