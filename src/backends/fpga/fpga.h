/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types that the files of backend `fpga` share. fpga.c turns rounds into stages of kernels and
 * runs them. card.c handles a card's memory and kernels. open.c opens the card and its image.
 * wire.c finds each card's neighbours and joins emulated cards. link.c tests the cables. ports.c
 * reads the registers of a link layer. rtl.c handles rounds, links and the clock of images with
 * link cores. xrt.c and opencl.c each drive cards through a vendor's library. mmio.c drives cards
 * with link cores through a driver that only accesses registers.
 */
#ifndef NETBENCH_BACKENDS_FPGA_FPGA_H
#define NETBENCH_BACKENDS_FPGA_FPGA_H

#include <stdio.h>
#include <unistd.h>

#include "transport/host.h"
#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "job/local.h"
#include "aurora.h"
#include "emulate.h"
#include "kernels.h"
#include "model/channel.h"
#include "rtl/registers.h"

enum fpga_emulate { EMULATE_OFF, EMULATE_FAST, EMULATE_TIMED, EMULATE_RTL };

#define FPGA_CABLES 512		/* largest number of cables in a list */
#define FPGA_STEP KERNELS_GOLDEN
#define FPGA_CAPS (CAP_RING | CAP_WINDOW | CAP_CONTENT | CAP_MAKES)

/*
 * A cable joins the lanes of two pairs of kernels in both directions. The pairs are on one card or
 * on two.
 */
struct cable {
	int rank[2];
	uint32_t pair[2];
	uint32_t dead;		/* mask of the lanes that do not work in an emulated cable */
};

struct cables {
	struct cable list[FPGA_CABLES];
	int n;
};

struct fpga_opts {
	const char *device, *xclbin, *wiring, *cables, *board;
	uint64_t platform, emulate, slowdown;
	double kernel_timeout, link_timeout, kernel_clock, launch;	/* s, s, MHz, s */
	/*
	 * said: cables of `--wiring`. really: cables of `--emulate-cables`. Hook check fills both.
	 */
	struct cables said, really;
};

/* Memory with a copy on the host and one on the card. */
struct fpga_buffer {
	void *bo;			/* the platform's buffer object */
	char *mem;
	size_t len;
};

/* The arguments of one stage of a kernel. */
struct fpga_stage {
	uint32_t size, count, flags;
	/* send: first word of message 0; the first word grows by FPGA_STEP with each message */
	uint64_t first;
	/* send: first word of the stage's final message in the round */
	uint64_t last;
	/* recv: buffer for the stage's final message in the round; NULL: none */
	struct fpga_buffer *buf;
};

/* A kernel of the card. */
struct fpga_unit {
	void *kernel, *run, *event;	/* objects of the platform */
	char name[32];			/* "send_0" */
	struct fpga_stage stages[STAGES];	/* stages of the armed round */
	bool used;
};

/* The arguments of a link core, named as in registers.h. */
struct core_program {
#define FPGA_FIELD(NAME, name, offset, bits, meaning) uint##bits##_t name;
	NB_ARGUMENTS(FPGA_FIELD)
#undef FPGA_FIELD
};

/* A link core and its state in the current round. */
struct fpga_core {
	struct fpga_unit unit;
	struct core_program program;
	uint64_t words[STAGES];		/* first words of the messages that the stages receive */
	/* cycles of the shortest sample with this program so far; 0: none yet */
	uint32_t least;
};

#define FPGA_BUFFERS 64

/* Result of a wait for a kernel. */
enum fpga_end { FPGA_RUNS, FPGA_ENDED, FPGA_FAILED };

/* Result of reading a register. */
enum fpga_register { REGISTER_READ, REGISTER_NO_UNIT, REGISTER_FAILED };

struct fpga;

/*
 * The functions that drive the cards of one vendor's platform. A function that returns bool returns
 * whether it succeeded. Only open reports its failures.
 */
struct fpga_platform {
	const char *name;		/* value of `--platform` */

	/* Returns 0 if this machine has a card, or -1 with the reason in `why`. Must be quick. */
	int (*probe)(const struct fpga_opts *o, char *why, size_t len);

	/*
	 * Loads the driver's library, and loads f->image onto the card of `--device`. Fills
	 * f->device, f->index and f->vendor_emulator. Reports a failure. Returns an exit status.
	 */
	int (*open)(struct fpga *f);
	/* Closes the card. Also called after open has failed, or while kernels still run. */
	void (*close)(struct fpga *f);

	/*
	 * Opens compute unit `number` of a kernel. close_unit is called even if open_unit failed.
	 */
	bool (*open_unit)(struct fpga *f, struct fpga_unit *u, const char *kernel, unsigned number);
	void (*close_unit)(struct fpga *f, struct fpga_unit *u);

	/* Allocates b->len bytes, a multiple of BACKEND_PAGE, on both the host and the card. */
	bool (*get_memory)(struct fpga *f, struct fpga_buffer *b);
	void (*free_memory)(struct fpga *f, struct fpga_buffer *b);
	/*
	 * Copies the first len bytes of a buffer to the card or from the card, and waits for the
	 * copy. If kernels reach several memories of the card, uses the memory of the kernel to
	 * which set_buffer last gave this buffer.
	 */
	bool (*copy)(struct fpga *f, struct fpga_buffer *b, bool to_card, size_t len);

	/* Set argument number `arg` of a kernel to a buffer, or to a value of 4 or 8 bytes. */
	bool (*set_buffer)(struct fpga *f, struct fpga_unit *u, int arg, struct fpga_buffer *b);
	bool (*set_value)(struct fpga_unit *u, int arg, const void *value, size_t len);

	/*
	 * start starts a kernel and returns at once. wait returns when the kernel has ended or
	 * failed, at the latest after `seconds`.
	 */
	bool (*start)(struct fpga_unit *u);
	enum fpga_end (*wait)(struct fpga_unit *u, double seconds);

	/*
	 * Reads a register of a compute unit that runs without the host. `unit` is its name,
	 * "kernel:unit". Returns REGISTER_FAILED, with the reason in f->why, if the image has the
	 * unit but reading failed. This pointer is NULL if images of the platform have no such
	 * units.
	 */
	enum fpga_register (*read_register)(struct fpga *f, const char *unit, uint32_t offset,
					    uint32_t *value);

	/*
	 * Reads a register of an idle link core. NULL if images of the platform have no cores. A
	 * platform whose images have only cores lacks get_memory, free_memory, copy and set_buffer.
	 */
	bool (*read_core)(struct fpga_unit *u, uint32_t offset, uint32_t *value);

	/* Records the driver and the card; may be NULL. */
	void (*describe)(struct fpga *f, struct facts *facts);

	/* Lists the cards of this machine, and describes the images at these paths. */
	void (*list)(int n, char **images, struct facts *facts);
};

/* The platforms of xrt.c and opencl.c, if this build contains them, and of mmio.c. */
extern const struct fpga_platform fpga_xrt, fpga_intel, fpga_vrt;

#define FPGA_PORT_COUNTS 5

/* A port of a card whose link layer is AuroraFlow. */
struct fpga_port {
	/* the port has a cable, it has come up, and its registers can be read */
	bool there;
	uint32_t last[FPGA_PORT_COUNTS];	/* counter values at the latest reading */
	uint64_t grown[FPGA_PORT_COUNTS];	/* growth of the counters since the port came up */
};

struct fpga {
	struct endpoint ep;
	const struct fpga_opts *options;
	const struct fpga_platform *on;
	void *dev, *context;		/* objects of the platform */
	/* the driver's message about the latest failure; may be "" */
	char why[300];
	const struct netbench_emulator *emulator;	/* netbench's own emulator; NULL: none */
	/*
	 * the vendor's emulator that an environment variable selects, such as "Vitis hw_emu"; NULL:
	 * none
	 */
	const char *vendor_emulator;
	unsigned index;			/* number of the card */
	char device[64], image[4096];
	uint32_t width, lanes, pairs;
	struct fpga_unit send[KERNELS_MAX_PAIRS], recv[KERNELS_MAX_PAIRS];
	/* if the image has link cores, `send` and `recv` only hold the stages of a round */
	bool cores;			/* the image has link cores */
	struct fpga_core core[KERNELS_MAX_PAIRS];
	/*
	 * clock of the cores, Hz. clock_hz: measured. image_hz: according to the image; 0: unknown.
	 */
	double clock_hz, image_hz;
	/* cycles of the longest round so far with messages like those of the armed round */
	double longest;
	double core_launch_s;		/* time that a core's launch takes on the host's clock */
	/*
	 * lost: number of rounds in which a core missed beats. flipped: number of rounds in which a
	 * core received wrong beats.
	 */
	uint64_t lost, flipped;
	struct fpga_buffer bufs[FPGA_BUFFERS], spare;	/* spare: for unused buffer arguments */
	int nbufs;
	/* numbers of the pairs wired to the right and to the left neighbour; -1: none */
	int right, left;
	/* each pair's sending side is wired to its own receiving side */
	bool plugged;
	struct fpga_port ports[AURORA_PORTS];	/* ports[p] carries the channels of pair p */
	bool counts;			/* the card of at least one rank has a port */
	struct board board;		/* EMULATE_TIMED: the channels run at this board's speed */
	/* EMULATE_TIMED: channels run at the board's speed, slowed down by `slowdown` */
	bool paced;
	double slowdown;		/* seconds of this machine per second of the card */
	double patience_s;		/* longest wait for a kernel of the armed round */
	/* number of consecutive rounds that took longer than the board's model predicts */
	unsigned late;
	bool warned_slow;
	double open_s;			/* time to load the driver's library and the image */
	const char *wired;		/* text for the record: how the cards are cabled */
};

static inline struct fpga *fpga_of(struct endpoint *ep)
{
	return (struct fpga *)ep;
}

/*
 * Returns kernel i of all kernels. Kernel 2 p is the sending kernel of pair p, and kernel 2 p + 1
 * is its receiving kernel.
 */
static inline struct fpga_unit *fpga_nth_unit(struct fpga *f, uint32_t i)
{
	return i % 2 ? &f->recv[i / 2] : &f->send[i / 2];
}

#endif
