/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of backend `fpga` share: fpga.c makes stages of rounds and runs them, fpga_card.c is the card that they run
 * on, fpga_open.c opens card and image, fpga_wire.c knows which card is wired to which, and joins emulated ones, fpga_link.c
 * looks whether it is so; a file each for what drives cards.
 */
#ifndef NETBENCH_BACKENDS_FPGA_FPGA_H
#define NETBENCH_BACKENDS_FPGA_FPGA_H

#include "transport/backend.h"
#include "job/local.h"
#include "kernels.h"
#include "model/channel.h"

struct netbench_emulator;

enum fpga_emulate { EMULATE_OFF, EMULATE_FAST, EMULATE_TIMED };

/* Longest list of cables. */
#define FPGA_CABLES 512

#define FPGA_STEP KERNELS_GOLDEN
#define FPGA_CAPS (CAP_RING | CAP_WINDOW | CAP_CONTENT)

/* A cable joins a pair of kernels of one rank's card with one of another's, or of its own: all lanes, both ways. */
struct cable {
	int rank[2];
	uint32_t pair[2];
};

struct cables {
	struct cable list[FPGA_CABLES];
	int n;
};

struct fpga_opts {
	const char *device, *xclbin, *wiring, *cables, *board;
	uint64_t platform, emulate, slowdown;
	double kernel_timeout;
	/* Read once, by check: cables as `--wiring` says, and as emulated ones are with `--emulate-cables`. */
	struct cables said, really;
};
extern const struct opt fpga_options[];

/* Memory that is here and on the card. */
struct fpga_buffer {
	void *bo;			/* the platform's */
	char *mem;
	size_t len;
};

/* What a kernel is told of a stage. */
struct fpga_stage {
	uint32_t size, count, flags;
	uint64_t first;			/* content of the first message that send makes; each one after adds FPGA_STEP */
	struct fpga_buffer *buf;	/* NULL: none */
};

/* A kernel of the card. */
struct fpga_unit {
	void *kernel, *run, *event;	/* the platform's */
	char name[32];			/* "send_0" */
	struct fpga_stage stages[STAGES];	/* of the round that is armed */
	bool used;
};

#define FPGA_BUFFERS 64

/* How a wait for a kernel ends. */
enum fpga_end { FPGA_RUNS, FPGA_ENDED, FPGA_FAILED };

struct fpga;

/* What drives cards. Functions yield whether it worked, and are quiet about it, but for open. */
struct fpga_platform {
	const char *name;		/* as `--platform` has it */

	/* 0 if there is a card, or -1 with the reason. Quick. */
	int (*probe)(const struct fpga_opts *o, char *why, size_t len);

	/* Loads the driver's library and f->image on the card of `--device`; fills f->device and index. An exit status, after saying why. */
	int (*open)(struct fpga *f);
	/* Also after an open that failed, and with kernels that still run. */
	void (*close)(struct fpga *f);

	/* Compute unit number `number` of a kernel; close_unit also after an open_unit that failed. */
	bool (*open_unit)(struct fpga *f, struct fpga_unit *u, const char *kernel, unsigned number);
	void (*close_unit)(struct fpga *f, struct fpga_unit *u);

	/* b->len bytes, a multiple of BACKEND_PAGE, here and on the card. */
	bool (*get_memory)(struct fpga *f, struct fpga_buffer *b);
	void (*free_memory)(struct fpga *f, struct fpga_buffer *b);
	/* Copies the first len bytes to the card or from it, and waits for that. */
	bool (*copy)(struct fpga *f, struct fpga_buffer *b, bool to_card, size_t len);

	/* Arguments by number: a buffer, or a value of 4 or 8 bytes. */
	bool (*set_buffer)(struct fpga_unit *u, int arg, struct fpga_buffer *b);
	bool (*set_value)(struct fpga_unit *u, int arg, const void *value, size_t len);

	/* start does not wait; wait does until the kernel has ended, for so many seconds at most. */
	bool (*start)(struct fpga_unit *u);
	enum fpga_end (*wait)(struct fpga_unit *u, double seconds);

	/* What the record should say of driver and card; may be NULL. */
	void (*describe)(struct fpga *f, struct facts *facts);

	/* The cards that are here, and what images at these paths hold. */
	void (*list)(int n, char **images, struct facts *facts);
};

struct fpga {
	struct endpoint ep;
	const struct fpga_opts *options;
	const struct fpga_platform *on;
	void *dev, *context;		/* the platform's */
	char why[300];			/* what the platform can say of what did not work; "": nothing */
	const struct netbench_emulator *emulator;	/* NULL: a card */
	unsigned index;			/* of the card */
	char device[64], image[4096];
	uint32_t width, lanes, pairs;
	struct fpga_unit send[KERNELS_MAX_PAIRS], recv[KERNELS_MAX_PAIRS];
	struct fpga_buffer bufs[FPGA_BUFFERS], spare;	/* spare: for arguments that mean nothing */
	int nbufs;
	int right, left;		/* pair that faces the neighbour; -1: none does */
	struct board board;		/* with EMULATE_TIMED */
	bool paced;			/* with EMULATE_TIMED */
	double slowdown;		/* seconds of this machine to one of the card; 1 if not paced */
	double patience_s;		/* with kernels of the round that is armed */
	unsigned late;			/* paced rounds since the last that kept the pace */
	bool warned_slow;
	double open_s;			/* driver's library, card and image */
	double launch_s;		/* start to finish of a kernel that does nothing, median */
	const char *wired;		/* how cables were found to be */
};

static inline struct fpga *fpga_of(struct endpoint *ep)
{
	return (struct fpga *)ep;
}

/* ---- fpga.c ---- */

/* ---- fpga_card.c ---- */

void *fpga_alloc(struct endpoint *ep, size_t len);
void fpga_release(struct endpoint *ep, void *buf);

/* len bytes, rounded up to pages, zeroed here. Says why not. */
bool fpga_memory(struct fpga *f, size_t len, struct fpga_buffer *b);

/* The card's buffer whose memory alloc gave out; the spare one for NULL; NULL for other memory. */
struct fpga_buffer *fpga_buffer(struct fpga *f, const void *mem);

/* Sets a kernel's arguments from its stages. ST_OK or ST_FAILED. */
int fpga_set(struct fpga *f, struct fpga_unit *u, bool sends, uint32_t iterations);

/* Waits for a kernel; says so if it has not ended in time, or has failed. ST_OK or ST_FAILED. */
int fpga_await(struct fpga *f, struct fpga_unit *u, double seconds, const char *hint);

/* ---- fpga_open.c ---- */

int fpga_probe(const void *options, char *why, size_t len);
int fpga_check(void *options, int nranks);
int fpga_open(struct endpoint **ep, struct job *job, const void *options, size_t heap);
void fpga_close(struct endpoint *ep);
void fpga_list(int n, char **images, struct facts *facts);
void fpga_describe(struct endpoint *ep, struct facts *facts);

/* A file that comes with this module: beside it, or in kernels/ there as in a build. Whether there is one. */
bool fpga_find_beside(const char *name, char *path, size_t len);

/* ---- fpga_xrt.c, fpga_opencl.c; those that could be compiled ---- */

extern const struct fpga_platform fpga_xrt, fpga_intel;

/* The emulator's shim, and the image that runs on it. */
#define FPGA_SHIM "libxrt_netbench.so.2"
#define FPGA_EMULATED_IMAGE "netbench-emulated.xclbin"

/* ---- fpga_wire.c ---- */

/*
 * Reads both lists of cables for so many ranks: "ring" (pair 1 of each rank faces pair 0 of the next), "loopback" (of each rank itself), or a
 * file with a cable a line, "rank pair rank pair". Once, before there are ranks. ST_OK or ST_USAGE.
 */
int fpga_read_cables(struct fpga_opts *o, int nranks);

/* Finds which pairs face the neighbours, joins the channels of emulated cards. Collective. ST_OK or an exit status. */
int fpga_wire(struct fpga *f);

/* Ranks go on together, or not at all: `err`, or that of another rank. Collective. */
int fpga_together(struct fpga *f, int err);

/* ---- fpga_link.c ---- */

/* Sends each neighbour a message over each cable that is to be there, and names those that are not. Collective. */
int fpga_test_links(struct fpga *f);

#endif
