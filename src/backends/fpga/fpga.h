/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types that the files of backend `fpga` share. fpga.c turns rounds into stages of kernels and
 * runs them. card.c has a card's memory and kernels, open.c opens card and image. wire.c finds each
 * card's neighbours and joins emulated cards. link.c tests the cables, ports.c reads the registers
 * of a link layer. rtl.c does rounds, links and clock of images with link cores. xrt.c and opencl.c
 * each drive cards by a vendor's library.
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

#define FPGA_CABLES 512		/* most in a list */
#define FPGA_STEP KERNELS_GOLDEN
#define FPGA_CAPS (CAP_RING | CAP_WINDOW | CAP_CONTENT | CAP_MAKES)

/* A cable joins the lanes of two pairs of kernels, on one card or two, both ways. */
struct cable {
	int rank[2];
	uint32_t pair[2];
	uint32_t dead;		/* bits of lanes that an emulated cable lacks */
};

struct cables {
	struct cable list[FPGA_CABLES];
	int n;
};

struct fpga_opts {
	const char *device, *xclbin, *wiring, *cables, *board;
	uint64_t platform, emulate, slowdown;
	double kernel_timeout, link_timeout, kernel_clock, launch;	/* s, s, MHz, s */
	/* read once, by check: cables of `--wiring`, and emulated ones of `--emulate-cables` */
	struct cables said, really;
};

/* Memory with a copy on the host and one on the card. */
struct fpga_buffer {
	void *bo;			/* of the platform */
	char *mem;
	size_t len;
};

/* A stage of a kernel: its arguments. */
struct fpga_stage {
	uint32_t size, count, flags;
	uint64_t first;			/* of send: content of message 0; each adds FPGA_STEP */
	uint64_t last;			/* of send: content of the last message of all */
	struct fpga_buffer *buf;	/* of recv, for the last message of all; NULL: none */
};

/* A kernel of the card. */
struct fpga_unit {
	void *kernel, *run, *event;	/* of the platform */
	char name[32];			/* "send_0" */
	struct fpga_stage stages[STAGES];	/* of the armed round */
	bool used;
};

/* The arguments of a link core, by their names in registers.h. */
struct core_program {
#define FPGA_FIELD(NAME, name, offset, bits, meaning) uint##bits##_t name;
	NB_ARGUMENTS(FPGA_FIELD)
#undef FPGA_FIELD
};

/* A link core and its present round. */
struct fpga_core {
	struct fpga_unit unit;
	struct core_program program;
	uint64_t words[STAGES];		/* first words of the messages that the stages receive */
	uint32_t least;			/* cycles of the program's quickest sample; 0: none yet */
};

#define FPGA_BUFFERS 64

/* How a wait for a kernel ends. */
enum fpga_end { FPGA_RUNS, FPGA_ENDED, FPGA_FAILED };

/* How the reading of a register ends. */
enum fpga_register { REGISTER_READ, REGISTER_NO_UNIT, REGISTER_FAILED };

struct fpga;

/* What drives cards. Functions return whether they worked and report nothing, except open. */
struct fpga_platform {
	const char *name;		/* as `--platform` has it */

	/* 0 if there is a card, or -1 with the reason. Quick. */
	int (*probe)(const struct fpga_opts *o, char *why, size_t len);

	/*
	 * Loads the driver's library, and f->image on the card of `--device`; fills f->device,
	 * f->index and f->vendor_emulator. Reports its fault; ST_OK or an exit status.
	 */
	int (*open)(struct fpga *f);
	/* Also called after an open that failed, and while kernels still run. */
	void (*close)(struct fpga *f);

	/* Compute unit `number` of a kernel; close_unit also follows an open_unit that failed. */
	bool (*open_unit)(struct fpga *f, struct fpga_unit *u, const char *kernel, unsigned number);
	void (*close_unit)(struct fpga *f, struct fpga_unit *u);

	/* b->len bytes, a multiple of BACKEND_PAGE, on the host and on the card. */
	bool (*get_memory)(struct fpga *f, struct fpga_buffer *b);
	void (*free_memory)(struct fpga *f, struct fpga_buffer *b);
	/*
	 * Copies the first len bytes to the card or from it, and waits for the copy. Where kernels
	 * reach several memories, the bytes are those of the kernel that got the buffer last.
	 */
	bool (*copy)(struct fpga *f, struct fpga_buffer *b, bool to_card, size_t len);

	/* Arguments by number: a buffer, or a value of 4 or 8 bytes. */
	bool (*set_buffer)(struct fpga *f, struct fpga_unit *u, int arg, struct fpga_buffer *b);
	bool (*set_value)(struct fpga_unit *u, int arg, const void *value, size_t len);

	/* start does not wait; wait returns when the kernel has ended, or after `seconds`. */
	bool (*start)(struct fpga_unit *u);
	enum fpga_end (*wait)(struct fpga_unit *u, double seconds);

	/*
	 * A register of a compute unit "kernel:unit" that runs by itself, without the host. With
	 * REGISTER_FAILED the image has such a unit, and f->why says what fails. NULL: images have
	 * none.
	 */
	enum fpga_register (*read_register)(struct fpga *f, const char *unit, uint32_t offset,
					    uint32_t *value);

	/* A register of a link core that runs nothing. NULL: images have no cores. */
	bool (*read_core)(struct fpga_unit *u, uint32_t offset, uint32_t *value);

	/* Facts about driver and card, for the record; may be NULL. */
	void (*describe)(struct fpga *f, struct facts *facts);

	/* Facts about the cards of this machine, and about the images at these paths. */
	void (*list)(int n, char **images, struct facts *facts);
};

/* xrt.c and opencl.c, where they could be compiled */
extern const struct fpga_platform fpga_xrt, fpga_intel;

#define FPGA_PORT_COUNTS 5

/* A port of AuroraFlow. */
struct fpga_port {
	bool there;		/* it has a cable and was up, and its registers can be read */
	uint32_t last[FPGA_PORT_COUNTS];	/* what its counters had when they were last read */
	uint64_t grown[FPGA_PORT_COUNTS];	/* by how much, since it was up */
};

struct fpga {
	struct endpoint ep;
	const struct fpga_opts *options;
	const struct fpga_platform *on;
	void *dev, *context;		/* of the platform */
	char why[300];			/* the driver's message about the last failure; may be "" */
	const struct netbench_emulator *emulator;	/* netbench's own; NULL: none */
	/* the vendor's emulator that its variable asks for ("Vitis hw_emu"); NULL: none */
	const char *vendor_emulator;
	unsigned index;			/* of the card */
	char device[64], image[4096];
	uint32_t width, lanes, pairs;
	struct fpga_unit send[KERNELS_MAX_PAIRS], recv[KERNELS_MAX_PAIRS];
	/* with cores, send and recv have the stages of a round alone */
	bool cores;			/* the image has link cores */
	struct fpga_core core[KERNELS_MAX_PAIRS];
	double clock_hz, image_hz;	/* the cores': as measured; by the image, 0: unknown */
	double longest;			/* cycles of the longest round with these messages */
	double core_launch_s;		/* of a core, by the host's clock */
	uint64_t lost, flipped;		/* rounds in which a core has found a beat so */
	struct fpga_buffer bufs[FPGA_BUFFERS], spare;	/* spare: for arguments without meaning */
	int nbufs;
	int right, left;		/* pair wired to that neighbour; -1: none */
	bool plugged;			/* what a pair sends comes back to it */
	struct fpga_port ports[AURORA_PORTS];	/* port p has the channels of pair p */
	bool counts;			/* there is a port on the card of some rank */
	struct board board;		/* with EMULATE_TIMED */
	bool paced;			/* with EMULATE_TIMED */
	double slowdown;		/* seconds of this machine per second of the card */
	double patience_s;		/* longest wait for a kernel of the armed round */
	unsigned late;			/* rounds in a row that were too slow for the pace */
	bool warned_slow;
	double open_s;			/* to load driver library and image */
	const char *wired;		/* how cards are cabled, for the record */
};

static inline struct fpga *fpga_of(struct endpoint *ep)
{
	return (struct fpga *)ep;
}

/* All kernels by number: of each pair the sending one first. */
static inline struct fpga_unit *fpga_unit(struct fpga *f, uint32_t i)
{
	return i % 2 ? &f->recv[i / 2] : &f->send[i / 2];
}

#endif
