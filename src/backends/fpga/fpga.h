/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types that the files of backend `fpga` share. fpga.c turns rounds into stages of kernels and
 * runs them. card.c handles a card's memory and kernels. open.c opens the card and its image.
 * wire.c finds each card's neighbours and joins emulated cards. link.c tests the cables. ports.c
 * reads the registers of a link layer. rtl.c handles rounds, links and the clock of images with
 * link cores. xrt.c and opencl.c each drive cards through a vendor's library.
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

#define FPGA_CABLES 512		/* most cables in a list */
#define FPGA_STEP KERNELS_GOLDEN
#define FPGA_CAPS (CAP_RING | CAP_WINDOW | CAP_CONTENT | CAP_MAKES)

/*
 * A cable joins the lanes of two pairs of kernels in both directions. The pairs are on one card or
 * on two.
 */
struct cable {
	int rank[2];
	uint32_t pair[2];
	uint32_t dead;		/* mask of lanes that an emulated cable lacks */
};

struct cables {
	struct cable list[FPGA_CABLES];
	int n;
};

struct fpga_opts {
	const char *device, *xclbin, *wiring, *cables, *board;
	uint64_t platform, emulate, slowdown;
	double kernel_timeout, link_timeout, kernel_clock, launch;	/* s, s, MHz, s */
	/* filled by hook check: cables of `--wiring`, emulated cables of `--emulate-cables` */
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
	/* send: first word of message 0; each next message adds FPGA_STEP */
	uint64_t first;
	uint64_t last;			/* send: first word of the very last message */
	struct fpga_buffer *buf;	/* recv: buffer for the very last message; NULL: none */
};

/* A kernel of the card. */
struct fpga_unit {
	void *kernel, *run, *event;	/* objects of the platform */
	char name[32];			/* "send_0" */
	struct fpga_stage stages[STAGES];	/* stages of the armed round */
	bool used;
};

/* The arguments of a link core, with the names of registers.h. */
struct core_program {
#define FPGA_FIELD(NAME, name, offset, bits, meaning) uint##bits##_t name;
	NB_ARGUMENTS(FPGA_FIELD)
#undef FPGA_FIELD
};

/* A link core and its current round. */
struct fpga_core {
	struct fpga_unit unit;
	struct core_program program;
	uint64_t words[STAGES];		/* first words of the messages that the stages receive */
	uint32_t least;			/* cycles of the program's shortest sample; 0: none yet */
};

#define FPGA_BUFFERS 64

/* Result of a wait for a kernel. */
enum fpga_end { FPGA_RUNS, FPGA_ENDED, FPGA_FAILED };

/* Result of reading a register. */
enum fpga_register { REGISTER_READ, REGISTER_NO_UNIT, REGISTER_FAILED };

struct fpga;

/*
 * A platform drives cards. All functions except open return whether they worked and report nothing.
 */
struct fpga_platform {
	const char *name;		/* value of `--platform` */

	/* Returns 0 if there is a card, or -1 with the reason in `why`. Quick. */
	int (*probe)(const struct fpga_opts *o, char *why, size_t len);

	/*
	 * Loads the driver's library, and loads f->image onto the card of `--device`. Fills
	 * f->device, f->index and f->vendor_emulator. Reports its faults. Returns an exit status.
	 */
	int (*open)(struct fpga *f);
	/* Closes the card. Also called after open has failed, and while kernels still run. */
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
	 * Copies the first len bytes to the card or from it, and waits for the copy. If kernels
	 * reach several memories, the bytes are in the memory of the kernel that got the buffer
	 * last.
	 */
	bool (*copy)(struct fpga *f, struct fpga_buffer *b, bool to_card, size_t len);

	/* Set argument number `arg` to a buffer, or to a value of 4 or 8 bytes. */
	bool (*set_buffer)(struct fpga *f, struct fpga_unit *u, int arg, struct fpga_buffer *b);
	bool (*set_value)(struct fpga_unit *u, int arg, const void *value, size_t len);

	/* start returns at once. wait returns when the kernel has ended, or after `seconds`. */
	bool (*start)(struct fpga_unit *u);
	enum fpga_end (*wait)(struct fpga_unit *u, double seconds);

	/*
	 * Reads a register of compute unit "kernel:unit", which runs without the host.
	 * REGISTER_FAILED: the image has the unit, but reading failed; f->why has the reason. NULL:
	 * images have no such units.
	 */
	enum fpga_register (*read_register)(struct fpga *f, const char *unit, uint32_t offset,
					    uint32_t *value);

	/* Reads a register of an idle link core. NULL: images have no cores. */
	bool (*read_core)(struct fpga_unit *u, uint32_t offset, uint32_t *value);

	/* Records the driver and the card; may be NULL. */
	void (*describe)(struct fpga *f, struct facts *facts);

	/* Lists the cards of this machine, and describes the images at these paths. */
	void (*list)(int n, char **images, struct facts *facts);
};

/* The platforms of xrt.c and opencl.c, if they were compiled. */
extern const struct fpga_platform fpga_xrt, fpga_intel;

#define FPGA_PORT_COUNTS 5

/* A port of AuroraFlow. */
struct fpga_port {
	bool there;		/* it has a cable, came up, and its registers can be read */
	uint32_t last[FPGA_PORT_COUNTS];	/* counter values when last read */
	uint64_t grown[FPGA_PORT_COUNTS];	/* growth of the counters since it came up */
};

struct fpga {
	struct endpoint ep;
	const struct fpga_opts *options;
	const struct fpga_platform *on;
	void *dev, *context;		/* objects of the platform */
	char why[300];			/* the driver's message about the last failure; may be "" */
	const struct netbench_emulator *emulator;	/* netbench's own emulator; NULL: none */
	/*
	 * the vendor's emulator that an environment variable selects ("Vitis hw_emu"); NULL: none
	 */
	const char *vendor_emulator;
	unsigned index;			/* number of the card */
	char device[64], image[4096];
	uint32_t width, lanes, pairs;
	struct fpga_unit send[KERNELS_MAX_PAIRS], recv[KERNELS_MAX_PAIRS];
	/* with cores, send and recv only hold the stages of a round */
	bool cores;			/* the image has link cores */
	struct fpga_core core[KERNELS_MAX_PAIRS];
	/* the cores' clock: measured; according to the image (0: unknown) */
	double clock_hz, image_hz;
	double longest;			/* cycles of the longest round with these messages */
	double core_launch_s;		/* time of a core's launch on the host's clock */
	/* rounds with lost beats found by a core, and rounds with wrong beats */
	uint64_t lost, flipped;
	struct fpga_buffer bufs[FPGA_BUFFERS], spare;	/* spare: for unused buffer arguments */
	int nbufs;
	int right, left;		/* pair wired to the right or left neighbour; -1: none */
	bool plugged;			/* each pair receives what it sends itself */
	struct fpga_port ports[AURORA_PORTS];	/* port p has the channels of pair p */
	bool counts;			/* some rank's card has a port */
	struct board board;		/* EMULATE_TIMED: the board to follow */
	bool paced;			/* EMULATE_TIMED: channels follow the board's pace */
	double slowdown;		/* seconds of this machine per second of the card */
	double patience_s;		/* longest wait for a kernel of the armed round */
	unsigned late;			/* consecutive rounds that were slower than the pace */
	bool warned_slow;
	double open_s;			/* time to load the driver's library and the image */
	const char *wired;		/* how cards are cabled, for the record */
};

static inline struct fpga *fpga_of(struct endpoint *ep)
{
	return (struct fpga *)ep;
}

/*
 * Returns kernel number i of all: for each pair, first its sending kernel, then its receiving one.
 */
static inline struct fpga_unit *fpga_nth_unit(struct fpga *f, uint32_t i)
{
	return i % 2 ? &f->recv[i / 2] : &f->send[i / 2];
}

#endif
