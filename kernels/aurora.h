/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registers of AuroraFlow (https://github.com/pc2/AuroraFlow) that the host reads. AuroraFlow
 * is a compute unit for each QSFP port, which runs without commands. The offsets are those of
 * aurora_flow_control_s_axi.v; aurora_flow_monitor.v counts.
 */
#ifndef NETBENCH_AURORA_H
#define NETBENCH_AURORA_H

/* followed by the number of the port, in the names of kernel and unit */
#define AURORA_KERNEL "aurora_flow_"
#define AURORA_PORTS 2
#define AURORA_LANES 4			/* lanes of a port */

enum aurora_register {
	AURORA_STATUS = 0x20,
	/*
	 * How often the receiving FIFO was almost full. It then has no room for data that the other
	 * card sends before it stops.
	 */
	AURORA_RX_FULL = 0x2c,
	/* How often the sending FIFO was almost full. This delays the sender but loses nothing. */
	AURORA_TX_FULL = 0x30,
	/* Durations of errors, in cycles of the link's clock, 32 bits. */
	AURORA_HARD_ERRORS = 0x70,
	AURORA_SOFT_ERRORS = 0x74,
	AURORA_CHANNEL_DOWN = 0x78,
};

/*
 * Bits of AURORA_STATUS. POWERED and LANE_UP have a bit for each lane; these are the bits of lane
 * 0.
 */
#define AURORA_POWERED 0x1u
#define AURORA_LANE_UP 0x10u
#define AURORA_PLL_LOCKED 0x100u
#define AURORA_CLOCK_LOST 0x200u
#define AURORA_HARD_ERROR 0x400u
#define AURORA_SOFT_ERROR 0x800u
#define AURORA_CHANNEL_UP 0x1000u
#define AURORA_STATUS_OK 0x11ffu

#endif
