/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The emulator's interface for a host program. libxrt_netbench.so.2 replaces XRT's shim, so that
 * the ordinary XRT C API runs images of kernels/ on this machine's processors:
 *
 *	unsetenv("XCL_EMULATION_MODE");
 *	shim = dlopen(".../libxrt_netbench.so.2", RTLD_NOW);	before the first call of XRT
 *	emulator = dlsym(shim, EMULATOR_SYMBOL);			compare abi
 *	card = xrtDeviceOpen(i); xrtDeviceLoadXclbinFile(card, image);
 *	emulator->loop(i, ...) or ring or socket		for each channel
 *	kernels, buffers, runs with XRT as on a card
 *	xrtDeviceClose(card)					abandons running kernels, unwires
 *
 * The number given to xrtDeviceOpen names a card. Any number is accepted; a card has one open
 * handle. A channel has two directions: its card transmits, and its card receives. A kernel that
 * uses an unwired channel waits until the card is closed, as it would in front of a dead link.
 * Loading an image or closing the card unwires all channels.
 *
 * Functions return 0 or a negative errno:
 *	-ENODEV		no such card is open
 *	-ENXIO		no image with channels of this project is loaded
 *	-ECHRNG		the card has no such channel
 *	-EBUSY		a kernel is running
 *	-EPROTO		the other card's chunks have another width
 * or an error of mmap, ftruncate or pthread_create. Two threads must not call them for the same
 * card.
 */
#ifndef NETBENCH_EMULATE_H
#define NETBENCH_EMULATE_H

#define EMULATOR_SYMBOL "netbench_emulator"
#define EMULATOR_ABI 3

enum emulator_end { EMULATOR_TRANSMITS, EMULATOR_RECEIVES };

struct netbench_emulator {
	unsigned abi;

	/*
	 * Wires channel `from` to channel `to` of the same card: `to` receives what `from`
	 * transmits. They may be equal.
	 */
	int (*loop)(unsigned card, unsigned from, unsigned to);

	/*
	 * Makes a file for a ring, close-on-exec. Hand it to `ring` as the transmitting end on one
	 * card and as the receiving end on another card, in any process of this machine. Any other
	 * empty file that can be mapped also serves. Returns the descriptor, which the caller owns,
	 * or a negative errno.
	 */
	int (*ring_file)(void);

	/*
	 * Wires one direction of a channel to an end of the ring in this file. The caller keeps the
	 * descriptor and may close it afterwards.
	 */
	int (*ring)(unsigned card, unsigned channel, enum emulator_end end, int fd);

	/*
	 * Wires both directions of the channel over a connected stream socket. The socket becomes
	 * blocking, and nobody else may use it. The descriptor is duplicated; the caller closes its
	 * own. Closing the card waits up to 0.5 s until all is sent. A barrier before closing is
	 * more reliable.
	 */
	int (*socket)(unsigned card, unsigned channel, int fd);

	/*
	 * Makes kernels that start from now on follow the model of a board with serial channels. A
	 * channel moves a chunk every 1/clock_hz s, and a message arrives latency_s after it has
	 * left. A run lasts as long as the model says, or longer if the machine is slower. With
	 * clock_hz 0 it runs as fast as possible. Kernels also take the cycles of their pipelines
	 * (unit.h) at kernel_hz; 0: none. A kernel begins launch_s after it was started.
	 */
	int (*pace)(unsigned card, double clock_hz, double latency_s, double kernel_hz,
		    double launch_s);

	/*
	 * Returns the model time, in s, of the last completed run of a compute unit ("recv_0"). It
	 * counts from the start of the run, before its launch. It is the closed form at any speed
	 * of the machine if runs that share a channel were started together. NAN if there was no
	 * run or it was not paced.
	 */
	double (*elapsed)(unsigned card, const char *unit);
};

#endif
