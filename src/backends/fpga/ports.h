/* SPDX-License-Identifier: Apache-2.0 */
/* AuroraFlow, the link layer of cards whose image has it. */
#ifndef NETBENCH_BACKENDS_FPGA_PORTS_H
#define NETBENCH_BACKENDS_FPGA_PORTS_H

#include "backends/fpga/fpga.h"

/*
 * Waits '--link-timeout' for the ports that are wired; reports those that are not up. Warns if
 * their registers cannot be read. ST_OK or ST_FAILED. Collective.
 */
int fpga_await_ports(struct fpga *f);

/* What the ports have counted since they were up. */
int fpga_counters(struct endpoint *ep, struct counter *c);

/* Warns of the ports that have counted what should not be. */
void fpga_judge_ports(struct fpga *f);

#endif
