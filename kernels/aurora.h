/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the host reads of AuroraFlow (https://github.com/pc2/AuroraFlow), a compute unit for each
 * QSFP port that runs by itself: the registers of aurora_flow_control_s_axi.v, and what
 * aurora_flow_monitor.v counts.
 */
#ifndef NETBENCH_AURORA_H
#define NETBENCH_AURORA_H

#define AURORA_KERNEL "aurora_flow_"	/* and the number of the port: of kernel and unit */
#define AURORA_PORTS 2
#define AURORA_LANES 4			/* of a port */

enum aurora_register {
	AURORA_STATUS = 0x20,
	/*
	 * How often the receiving FIFO was all but full: there is no room for what the other side
	 * sends until it stops.
	 */
	AURORA_RX_FULL = 0x2c,
	/* How often the sending FIFO was, which holds up the sender and does no harm. */
	AURORA_TX_FULL = 0x30,
	/* In cycles of the link's clock, 32 bits, that they lasted. */
	AURORA_HARD_ERRORS = 0x70,
	AURORA_SOFT_ERRORS = 0x74,
	AURORA_CHANNEL_DOWN = 0x78,
};

/* Bits of AURORA_STATUS; the first two are the first of one a lane. */
#define AURORA_POWERED 0x1u
#define AURORA_LANE_UP 0x10u
#define AURORA_PLL_LOCKED 0x100u
#define AURORA_CLOCK_LOST 0x200u
#define AURORA_HARD_ERROR 0x400u
#define AURORA_SOFT_ERROR 0x800u
#define AURORA_CHANNEL_UP 0x1000u
#define AURORA_STATUS_OK 0x11ffu

#endif
