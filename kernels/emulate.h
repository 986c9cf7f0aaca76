/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The emulator, as a host program meets it: libxrt_netbench.so.2 stands in for XRT's shim, so that
 * the ordinary XRT C API runs images of kernels/ on this machine's processors.
 *
 *	unsetenv("XCL_EMULATION_MODE");
 *	shim = dlopen(".../libxrt_netbench.so.2", RTLD_NOW);	before XRT's first call, not undone
 *	emulator = dlsym(shim, EMULATOR_SYMBOL);			compare abi
 *	card = xrtDeviceOpen(i); xrtDeviceLoadXclbinFile(card, image);
 *	emulator->loop(i, ...) or ring or socket		for each channel
 *	kernels, buffers, runs with XRT as on a card
 *	xrtDeviceClose(card)					abandons what still runs, unwires
 *
 * A card is named by the number given to xrtDeviceOpen; any is accepted, one open handle each.
 * A channel leads two ways: what its card transmits, and what it receives. Unwired, a kernel that
 * uses it waits until the card is closed, as it would in front of a dead link. Loading an image, or
 * closing the card, unwires all.
 *
 * Functions return 0 or a negative errno:
 *	-ENODEV		no such card is open
 *	-ENXIO		no image with channels of this project is loaded
 *	-ECHRNG		the card has no such channel
 *	-EBUSY		a kernel is running
 *	-EPROTO		the other side's chunks are of another width
 * and any of mmap, ftruncate, pthread_create. Not to be called from two threads for the same card.
 */
#ifndef NETBENCH_EMULATE_H
#define NETBENCH_EMULATE_H

#define EMULATOR_SYMBOL "netbench_emulator"
#define EMULATOR_ABI 3

enum emulator_end { EMULATOR_TRANSMITS, EMULATOR_RECEIVES };

struct netbench_emulator {
	unsigned abi;

	/*
	 * What channel `from` transmits, channel `to` of the same card receives; they may be equal.
	 */
	int (*loop)(unsigned card, unsigned from, unsigned to);

	/*
	 * A new file for a ring, close-on-exec, to be handed to `ring` on one card as the end that
	 * transmits and on another, in whatever process of this machine, as the end that receives.
	 * Any empty file that can be mapped will do as well. Returns the descriptor, the caller's,
	 * or a negative errno.
	 */
	int (*ring_file)(void);

	/*
	 * One end of channel `channel` is one end of the ring in this file. The descriptor stays
	 * the caller's and may be closed afterwards.
	 */
	int (*ring)(unsigned card, unsigned channel, enum emulator_end end, int fd);

	/*
	 * Both ends of the channel go over a connected stream socket, which nobody else may use any
	 * more and which becomes blocking. The descriptor is duplicated; the caller closes his.
	 * Closing the card first waits up to 0.5 s for what was sent; a barrier before is better.
	 */
	int (*socket)(unsigned card, unsigned channel, int fd);

	/*
	 * Kernels that start from now on follow the model of a board with serial channels: a
	 * channel moves a chunk every 1/clock_hz s, and a message arrives latency_s after it has
	 * left. A run lasts until its model time is over, or longer where the machine is slower
	 * than that. clock_hz 0: as fast as it goes. The kernels take the cycles of their pipelines
	 * as well (unit.h), at kernel_hz; 0: none. A kernel begins launch_s after it was started.
	 */
	int (*pace)(unsigned card, double clock_hz, double latency_s, double kernel_hz,
		    double launch_s);

	/*
	 * Model time, s, of the last run of a compute unit ("recv_0") that has ended, the time of
	 * its start being 0, before its launch: the closed form, whatever the machine's speed, if
	 * the runs that meet in a channel were started together. NAN if there is none, or it was
	 * not paced.
	 */
	double (*elapsed)(unsigned card, const char *unit);
};

#endif
