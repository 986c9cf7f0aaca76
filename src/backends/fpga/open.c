/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `fpga`: defines its options, opens and closes a card with its kernels, and fills the
 * record.
 */
#include <dlfcn.h>
#include <sys/stat.h>

#include "backends/fpga/card.h"
#include "backends/fpga/link.h"
#include "backends/fpga/open.h"
#include "backends/fpga/ports.h"
#include "backends/fpga/rtl.h"
#include "backends/fpga/wire.h"
#include "base/sort.h"

#define LAUNCHES 101		/* number of launches timed */
#define LAUNCHES_EMULATED 3	/* number of launches timed with a slow emulator */
#define DESCRIBE_S 3.0		/* s; longest wait for a kernel that needs no messages */
#define TRIED_MEMORY (1 << 20)	/* bytes that test_memory writes and reads */

/*
 * Default slowdown, per rank on this machine: the number of seconds that the machine takes to
 * emulate one second of the board.
 */
#define SLOWDOWN 2048

enum { XRT, INTEL, VRT, PLATFORMS };
static const char *const platform_names[] = { [XRT] = "xrt", [INTEL] = "intel", [VRT] = "vrt",
					      NULL };

/* The platforms; a platform that this build lacks is NULL. */
static const struct fpga_platform *const platforms[PLATFORMS] = {
#ifdef FPGA_XRT
	[XRT] = &fpga_xrt,
#endif
#ifdef FPGA_INTEL
	[INTEL] = &fpga_intel,
#endif
	[VRT] = &fpga_vrt,
};
/* Words that --wiring accepts in place of a file name. */
static const char *const wiring_words[] = { "ring", "loopback", "plug", NULL };
static const char *const emulate_names[] = { "off", "fast", "timed", "rtl", NULL };

const struct opt fpga_options[] = {
	{ 0, "platform", "name", OPT_CHOICE, offsetof(struct fpga_opts, platform), .def = "xrt",
	  .choices = platform_names,
	  .help = "what drives the cards: xrt (Xilinx XRT), intel (Intel FPGA SDK for OpenCL), vrt "
		  "(VRT of SLASH, for a V80)" },
	{ 0, "device", "card", OPT_TEXT, offsetof(struct fpga_opts, device),
	  .help = "number or, with XRT or VRT, PCI address (0000:03:00.1) of the card; by default "
		  "the number of the rank on its host, modulo the number of cards; VRT needs the "
		  "address" },
	{ 0, "xclbin", "file", OPT_TEXT, offsetof(struct fpga_opts, xclbin),
	  .file = OPT_READ,
	  .help = "image with netbench's kernels (.xclbin; .aocx with '--platform intel', .vbin "
		  "with vrt); with '--emulate' by default the one that comes with netbench" },
	{ 0, "wiring", "how", OPT_TEXT, offsetof(struct fpga_opts, wiring), .def = "ring",
	  .file = OPT_READ, .choices = wiring_words,
	  .help = "which cards are joined: ring (pair 1 of each rank's card with pair 0 of the "
		  "next rank's), loopback (pair 1 with pair 0 of the same card), plug (each pair "
		  "of the only card with itself), or a file with one cable per line: rank pair "
		  "rank pair" },
	{ 0, "emulate", "how", OPT_CHOICE, offsetof(struct fpga_opts, emulate), .def = "off",
	  .choices = emulate_names,
	  .help = "run the kernels on this machine's processors: fast (at full speed), timed "
		  "(channels have the pace of '--board'), rtl (link cores, cycle by cycle); "
		  "the variable NETBENCH_FPGA=emulate, timed or rtl has the same effect" },
	{ 0, "board", "name", OPT_TEXT, offsetof(struct fpga_opts, board), .def = "520n",
	  .help = "with '--emulate timed' or rtl: the board whose clock and latency the channels "
		  "follow, see netbench model" },
	{ 0, "slowdown", "factor", OPT_UINT, offsetof(struct fpga_opts, slowdown), .def = "auto",
	  .word = "auto", .min = 1, .max = 1000000,
	  .help = "with '--emulate timed': seconds of this machine per second of the board; auto: "
		  "2048 for each rank on this machine" },
	{ 0, "kernel-clock", "MHz", OPT_REAL, offsetof(struct fpga_opts, kernel_clock),
	  .def = "0", .min = 0, .max = 100000,
	  .help = "with '--emulate timed': clock of the kernels, whose pipelines then add their "
		  "cycles; 0: they add none, so that the times are the link's. With rtl: the "
		  "cores' clock; 0: that of the board" },
	{ 0, "emulate-launch", "time", OPT_SECONDS, offsetof(struct fpga_opts, launch),
	  .def = "0", .min = 0, .max = 1,
	  .help = "with '--emulate timed': delay of a kernel after its start, in the board's time, "
		  "as on a card" },
	{ 0, "emulate-cables", "file", OPT_TEXT, offsetof(struct fpga_opts, cables),
	  .file = OPT_READ,
	  .help = "file with the real cables of emulated cards, if they differ from '--wiring'" },
	{ 0, "link-timeout", "time", OPT_SECONDS, offsetof(struct fpga_opts, link_timeout),
	  .def = "10s", .min = 0.1, .max = 86400,
	  .help = "longest wait for data over each cable; a silent cable ends the run before it "
		  "begins" },
	{ 0, "kernel-timeout", "time", OPT_SECONDS, offsetof(struct fpga_opts, kernel_timeout),
	  .def = "30s", .min = 0, .max = 86400,
	  .help = "longest wait for a kernel; one that runs longer ends the run; 0: no limit" },
	{ 0 },
};

/* ---- probe and check ---- */

/*
 * Stores the requested emulation in *how: the value of '--emulate' or, if that is off, of the
 * variable NETBENCH_FPGA. If NETBENCH_FPGA has an invalid value, returns that value, else NULL.
 */
static const char *find_emulation(const struct fpga_opts *o, uint64_t *how)
{
	static const struct {
		const char *word;
		enum fpga_emulate means;
	} words[] = { { "", EMULATE_OFF }, { "off", EMULATE_OFF }, { "emulate", EMULATE_FAST },
		      { "fast", EMULATE_FAST }, { "timed", EMULATE_TIMED },
		      { "rtl", EMULATE_RTL } };
	const char *asked = getenv("NETBENCH_FPGA");

	*how = o->emulate;
	if (!asked || o->emulate != EMULATE_OFF)
		return NULL;
	for (size_t i = 0; i < LENGTH(words); i++)
		if (!strcmp(asked, words[i].word)) {
			*how = words[i].means;
			return NULL;
		}
	return asked;
}

bool fpga_find_beside(const char *name, char *path, size_t len)
{
	Dl_info here;
	const char *end;
	int folder;

	if (!dladdr((void *)(uintptr_t)fpga_probe, &here) || !here.dli_fname)
		return false;
	end = strrchr(here.dli_fname, '/');
	folder = end ? (int)(end + 1 - here.dli_fname) : 0;
	snprintf(path, len, "%.*s%s", folder, here.dli_fname, name);
	if (!access(path, R_OK))
		return true;
	snprintf(path, len, "%.*skernels/%s", folder, here.dli_fname, name);
	if (!access(path, R_OK))
		return true;
	snprintf(path, len, "%.*skernels/rtl/%s", folder, here.dli_fname, name);
	return !access(path, R_OK);
}

int fpga_probe(const void *options, char *why, size_t len)
{
	struct fpga_opts o = *(const struct fpga_opts *)options;
	const char *wrong = find_emulation(&o, &o.emulate);

	if (!wrong && platforms[o.platform])
		return platforms[o.platform]->probe(&o, why, len);
	if (wrong)
		snprintf(why, len, "NETBENCH_FPGA=%s: expected emulate, fast, timed, rtl or off",
			 wrong);
	else
		snprintf(why, len, "this netbench was built without platform '%s'",
			 platform_names[o.platform]);
	return -1;
}

/* Refuses an option that is given without the option it needs. Returns ST_OK or ST_USAGE. */
static int check_dependencies(const struct fpga_opts *o, const struct arguments *given)
{
	static const struct {
		const char *option;
		bool rtl;	/* the option is also allowed with '--emulate rtl' */
	} timed[] = { { "board", true }, { "slowdown", false }, { "kernel-clock", true },
		      { "emulate-launch", false } };
	bool off = o->emulate == EMULATE_OFF;

	if (off && o->cables)
		return error_usage("option '--emulate-cables' needs '--emulate'");
	for (size_t i = 0; i < LENGTH(timed); i++)
		if (o->emulate != EMULATE_TIMED && !(timed[i].rtl && o->emulate == EMULATE_RTL) &&
		    arguments_given(given, timed[i].option))
			return error_usage("option '--%s' needs '--emulate timed'%s",
					   timed[i].option, timed[i].rtl ? " or rtl" : "");
	if (!off && o->platform != XRT)
		return error_usage("option '--emulate' needs '--platform xrt'");
	if (off && !o->xclbin)
		return error_usage("option '--xclbin' has to name an image (see netbench-fpga(7)); "
				   "'--emulate fast' needs none");
	return ST_OK;
}

int fpga_check(void *options, const struct arguments *given, int nranks)
{
	struct fpga_opts *o = options;
	const char *wrong = find_emulation(o, &o->emulate);
	struct board board;
	int err;

	if (wrong)
		return error_usage("NETBENCH_FPGA=%s: expected emulate, fast, timed, rtl or off",
				   wrong);
	err = check_dependencies(o, given);
	if (!err)
		err = fpga_read_cables(o, nranks);
	if (err || o->emulate == EMULATE_OFF || o->emulate == EMULATE_FAST)
		return err;
	err = board_find(o->board, &board);
	if (err)
		return err;
	if (board.line_rate > 0)
		return error_usage("board '%s' has no serial channels: '--emulate %s' cannot "
				   "follow it", o->board, emulate_names[o->emulate]);
	if (board.serial)
		return error_usage("board '%s' sends and receives one after the other, but "
				   "emulated kernels do both at once: '--emulate %s' cannot "
				   "follow it", o->board, emulate_names[o->emulate]);
	return ST_OK;
}

/* ---- card and image ---- */

/*
 * Returns how long to wait, s, for a kernel that needs no messages. With a vendor's emulator, which
 * is slow, this is '--link-timeout'.
 */
static double describe_wait_s(const struct fpga *f)
{
	return f->vendor_emulator ? f->options->link_timeout : DESCRIBE_S;
}

/* Fails if two ranks on one machine share a card. Returns ST_OK or ST_FAILED. Collective. */
static int check_cards_not_shared(struct fpga *f)
{
	struct holder {
		char network[NETWORK_ID], device[64];
	} mine = { "", "" };
	const struct holder *all;

	snprintf(mine.network, sizeof(mine.network), "%s", local_network_id());
	snprintf(mine.device, sizeof(mine.device), "%s", f->device);
	all = f->ep.job->kind->allgather(f->ep.job, &mine, sizeof(mine));
	/*
	 * the vendors' emulators give each process its own cards, so nothing is checked with them
	 */
	for (int r = 0; r < f->ep.job->rank && !f->vendor_emulator; r++)
		if (!strcmp(all[r].network, mine.network) && !strcmp(all[r].device, mine.device))
			return error_report("ranks %d and %d of one host share card '%s': each "
					    "needs its own", r, f->ep.job->rank, f->device);
	return ST_OK;
}

/* Opens the card through its driver, and loads the image. Returns an exit status. */
static int open_card(struct fpga *f)
{
	const char *asked = f->options->xclbin;
	bool rtl = f->options->emulate == EMULATE_RTL;
	const char *own = rtl ? FPGA_RTL_IMAGE : FPGA_EMULATED_IMAGE;
	struct stat st;
	double begin;
	int err;

	if (asked && strlen(asked) >= sizeof(f->image))
		return error_unavailable("the path of image '%.40s...' is too long", asked);
	if (asked)
		snprintf(f->image, sizeof(f->image), "%s", asked);
	else if (!fpga_find_beside(own, f->image, sizeof(f->image)))
		return error_unavailable("no image '%s' beside this module%s", own,
					 rtl ? ": building it needs Verilator" : "");
	if (access(f->image, R_OK) || stat(f->image, &st) || !S_ISREG(st.st_mode))
		return error_unavailable("image '%s' cannot be read", f->image);
	begin = clock_ticks();
	err = f->on->open(f);
	if (err)
		return err;
	if (f->emulator && f->cores != (f->options->emulate == EMULATE_RTL))
		return error_report("image '%s' has %s: use '--emulate %s'", f->image,
				    f->cores ? "link cores" : "no link cores",
				    f->cores ? "rtl" : "fast");
	f->open_s = (clock_ticks() - begin) * host_clock.tick_s;
	error_note("rank %d: card '%s' is open, with image '%s', after %.3g s", f->ep.job->rank,
		   f->device, f->image, f->open_s);
	return ST_OK;
}

/* ---- kernels ---- */

/* Reads version and geometry from the image's kernel `describe`. Returns ST_OK or ST_FAILED. */
static int read_geometry(struct fpga *f)
{
	struct fpga_unit u = { .kernel = NULL };
	uint32_t answer[DESCRIBE_WORDS] = { 0 };
	int err = ST_OK;

	if (!f->on->open_unit(f, &u, KERNEL_DESCRIBE, 0))
		err = error_report("image '%s' has no kernels of netbench", f->image);
	/* comes after open_unit, which finds the memory bank */
	else if (!fpga_get_memory(f, BACKEND_PAGE, &f->spare))
		err = ST_FAILED;
	else if (!f->on->set_buffer(f, &u, DESCRIBE_RECORD, &f->spare) || !f->on->start(&u))
		err = fpga_report_kernel(f, &u, "does not start");
	else
		err = fpga_await_kernel(f, &u, describe_wait_s(f), "");
	if (!err && !fpga_copy(f, &f->spare, false, sizeof(answer)))
		err = ST_FAILED;
	f->on->close_unit(f, &u);
	if (err)
		return err;
	memcpy(answer, f->spare.mem, sizeof(answer));
	if (answer[DESCRIBE_MAGIC] != KERNELS_MAGIC)
		return error_report("image '%s' has no kernels of netbench", f->image);
	if (answer[DESCRIBE_VERSION] != KERNELS_VERSION)
		return error_report("image '%s' has kernels of version %u, but this netbench needs "
				    "version %u", f->image, answer[DESCRIBE_VERSION],
				    KERNELS_VERSION);
	f->width = answer[DESCRIBE_WIDTH];
	f->lanes = answer[DESCRIBE_LANES];
	f->pairs = answer[DESCRIBE_PAIRS];
	if (!f->pairs || f->pairs > KERNELS_MAX_PAIRS || !f->lanes ||
	    f->lanes > KERNELS_MAX_LANES || !f->width || f->width % 8)
		return error_report("image '%s' has %u pairs of kernels with %u channels of %u B: "
				    "netbench takes 1 to %d pairs, 1 to %d channels, and multiples "
				    "of 8 B", f->image, f->pairs, f->lanes, f->width,
				    KERNELS_MAX_PAIRS, KERNELS_MAX_LANES);
	return ST_OK;
}

static int open_kernels(struct fpga *f)
{
	int err = read_geometry(f);

	if (err)
		return err;
	for (uint32_t p = 0; p < f->pairs; p++)
		if (!f->on->open_unit(f, &f->send[p], KERNEL_SEND, p) ||
		    !f->on->open_unit(f, &f->recv[p], KERNEL_RECV, p))
			return error_report("image '%s' lacks kernels of pair %u%s%s", f->image, p,
					    *f->why ? ": " : "", f->why);
	error_note("rank %d: the image has %u pairs of %u channels of %u B, version %d",
		   f->ep.job->rank, f->pairs, f->lanes, f->width, KERNELS_VERSION);
	return ST_OK;
}

/*
 * Fails if the ranks' images differ in geometry, because a kernel understands only messages of its
 * own geometry. Returns ST_OK or ST_FAILED. Collective.
 */
static int compare_images(struct fpga *f)
{
	struct geometry {
		uint32_t width, lanes, cores;
	} mine = { f->width, f->lanes, f->cores };
	const struct geometry *all = f->ep.job->kind->allgather(f->ep.job, &mine, sizeof(mine));

	for (int r = 1; r < f->ep.job->size; r++)
		if (all[r].cores != all[0].cores)
			return error_report("the image of rank %d has link cores, but that of rank "
					    "%d has kernels: the two cannot exchange messages",
					    all[0].cores ? 0 : r, all[0].cores ? r : 0);
	for (int r = 1; r < f->ep.job->size; r++)
		if (all[r].width != all[0].width || all[r].lanes != all[0].lanes)
			return error_report("the image of rank 0 has pairs of %u channels of %u B, "
					    "but that of rank %d has pairs of %u channels of %u B",
					    all[0].lanes, all[0].width, r, all[r].lanes,
					    all[r].width);
	return ST_OK;
}

/* Writes a pattern into the card's memory and reads it back. Returns ST_OK or ST_FAILED. */
static int test_memory(struct fpga *f)
{
	uint32_t *words, i, n = TRIED_MEMORY / sizeof(*words);
	struct fpga_buffer b;
	double begin;
	bool good;

	if (!fpga_get_memory(f, TRIED_MEMORY, &b))
		return ST_FAILED;
	words = (uint32_t *)(void *)b.mem;
	for (i = 0; i < n; i++)
		words[i] = (i + 1) * UINT32_C(2654435761);
	begin = clock_ticks();
	good = fpga_copy(f, &b, true, TRIED_MEMORY);
	memset(b.mem, 0, TRIED_MEMORY);
	good = good && fpga_copy(f, &b, false, TRIED_MEMORY);
	if (good)
		error_note("rank %d: 1 MiB into memory of card '%s' and back takes %.3g us",
			   f->ep.job->rank, f->device,
			   (clock_ticks() - begin) * host_clock.tick_s * 1e6);
	for (i = 0; good && i < n && words[i] == (i + 1) * UINT32_C(2654435761);)
		i++;
	f->on->free_memory(f, &b);
	if (!good || i == n)
		return good ? ST_OK : ST_FAILED;
	return error_report("rank %d: memory of card '%s' has other bytes than were written, from "
			    "byte %zu of %d on", f->ep.job->rank, f->device, i * sizeof(*words),
			    TRIED_MEMORY);
}

/*
 * Measures the time of a launch on the endpoint's clock: from the start of a kernel without
 * iterations until the host sees the kernel's end. An emulated launch takes long on this machine.
 * Returns ST_OK or ST_FAILED.
 */
static int measure_launch(struct fpga *f)
{
	struct fpga_unit *u = &f->send[0];
	double t[LAUNCHES] = { 0 };
	double launch = f->paced ? f->options->launch * f->slowdown : 0;
	int n = f->vendor_emulator || launch > 0 ? LAUNCHES_EMULATED : LAUNCHES;
	int err = fpga_set_arguments(f, u, true, 0);

	for (int i = 0; i < n && !err; i++) {
		double begin = clock_ticks();

		err = f->on->start(u) ? fpga_await_kernel(f, u, describe_wait_s(f) + 2 * launch, "")
				      : fpga_report_kernel(f, u, "does not start");
		t[i] = (clock_ticks() - begin) * host_clock.tick_s;
	}
	f->ep.launch_s = median(t, n) / f->slowdown;
	if (!err)
		error_note("rank %d: a launch takes %.3g us", f->ep.job->rank,
			   f->ep.launch_s * 1e6);
	return err;
}

/*
 * Measures the time of a core's launch, only for the record. The times that cores measure do not
 * contain this time.
 */
static int measure_core_launch(struct fpga *f)
{
	struct fpga_unit *u = &f->core[0].unit;
	double t[LAUNCHES] = { 0 };
	int n = f->vendor_emulator || f->emulator ? LAUNCHES_EMULATED : LAUNCHES, err = ST_OK;

	for (int i = 0; i < n && !err; i++) {
		double begin = clock_ticks();

		err = f->on->start(u) && f->on->wait(u, describe_wait_s(f)) == FPGA_ENDED
			      ? ST_OK : fpga_report_kernel(f, u, "does not start");
		t[i] = (clock_ticks() - begin) * host_clock.tick_s;
	}
	f->core_launch_s = median(t, n);
	return err;
}

/* ---- opening ---- */

/*
 * Makes the channels of emulated cards follow the board's speed, divided by the slowdown. Returns
 * an exit status.
 */
static int set_pace(struct fpga *f)
{
	int err = board_find(f->options->board, &f->board);

	if (err || f->options->emulate != EMULATE_TIMED)
		return err;
	if (f->board.c != f->lanes || f->board.w != f->width)
		return error_report("board '%s' has %llu channels of %llu B per pair, but image "
				    "'%s' has %u of %u B: choose another image with '--xclbin'",
				    f->board.name, (unsigned long long)f->board.c,
				    (unsigned long long)f->board.w, f->image, f->lanes, f->width);
	f->slowdown = f->options->slowdown == OPT_AUTO ? SLOWDOWN * f->ep.job->local_size
						       : (double)f->options->slowdown;
	f->ep.slowdown = f->slowdown;
	f->paced = true;
	if (f->emulator->pace(f->index, f->board.f / f->slowdown, f->board.lat * f->slowdown,
			      1e6 * f->options->kernel_clock / f->slowdown,
			      f->options->launch * f->slowdown))
		return error_report("the emulator does not follow board '%s'", f->options->board);
	if (f->options->launch > 0)
		return measure_launch(f);
	f->ep.launch_s /= f->slowdown;
	return ST_OK;
}

int fpga_open(struct endpoint **ep, struct job *job, const void *options, size_t heap)
{
	/* the steps of opening, in order; after a step fails, the others are skipped */
	static int (*const steps[])(struct fpga *f) = {
		open_card, check_cards_not_shared, open_kernels, compare_images, test_memory,
		measure_launch, fpga_join_cables, fpga_await_ports, fpga_test_links, set_pace
	}, (*const core_steps[])(struct fpga *f) = {
		fpga_open_cores, compare_images, fpga_set_core_clock, fpga_measure_clock,
		measure_core_launch, fpga_join_cables, fpga_await_ports, fpga_test_cores
	};
	struct fpga *f = calloc(1, sizeof(*f));
	int err = ST_OK;

	if (!f)
		return error_report("no memory for backend 'fpga'");
	f->options = options;
	f->on = platforms[f->options->platform];
	f->slowdown = 1;
	f->ep = (struct endpoint){ .job = job,
				   .caps = FPGA_CAPS | (f->options->emulate ? CAP_EMULATED : 0),
				   .limits = { 1U << 30, UINT32_MAX, UINT32_MAX, SIZE_MAX },
				   .tick_s = host_clock.tick_s };
	for (size_t i = 0; i < LENGTH(steps) && !err && !(f->cores && i > 1); i++)
		err = steps[i](f);
	for (size_t i = 0; i < LENGTH(core_steps) && !err && f->cores; i++)
		err = core_steps[i](f);
	if (err) {
		fpga_close(&f->ep);
		return err;
	}
	if (f->vendor_emulator)
		f->ep.caps |= CAP_EMULATED;
	if (f->cores)
		f->ep.caps |= CAP_STAMPS;
	f->ep.counts_link = f->cores;
	if ((f->ep.caps & CAP_EMULATED) && job->rank == 0)
		error_warn(f->cores ? "the cards are emulated: cycles of the core, not of a network"
				    : "the cards are emulated: times of an emulator, not of a "
				      "network");
	*ep = &f->ep;
	return ST_OK;
}

void fpga_close(struct endpoint *ep)
{
	struct fpga *f = fpga_of(ep);

	if (!f)
		return;
	fpga_warn_of_ports(f);
	for (uint32_t u = 0; u < 2 * KERNELS_MAX_PAIRS; u++)
		f->on->close_unit(f, fpga_nth_unit(f, u));
	for (uint32_t p = 0; p < KERNELS_MAX_PAIRS; p++)
		f->on->close_unit(f, &f->core[p].unit);
	for (int i = 0; i < f->nbufs; i++)
		fpga_release(&f->ep, f->bufs[i].mem);
	if (f->spare.mem)
		f->on->free_memory(f, &f->spare);
	f->on->close(f);
	free(f);
}

/* ---- the record ---- */

/* Appends a time with its unit, such as "60.1 us". */
static void append_time(struct text *t, double s)
{
	if (s < 1e-6)
		text_add(t, "%.3g ns", s * 1e9);
	else if (s < 1e-3)
		text_add(t, "%.3g us", s * 1e6);
	else
		text_add(t, "%.3g ms", s * 1e3);
}

void fpga_describe(struct endpoint *ep, struct facts *facts)
{
	struct fpga *f = fpga_of(ep);
	struct text pace = { .n = 0 }, launch = { .n = 0 };

	if (f->paced)
		text_add(&pace, ", pace of %s 1 : %g", f->board.name, f->slowdown);
	if (f->paced && f->options->kernel_clock > 0)
		text_add(&pace, ", kernels %g MHz", f->options->kernel_clock);
	if (f->cores)
		fpga_describe_cores(f, facts);
	else
		fact_format(facts, "method", "%s%s, %u pairs of %u channels of %u B",
			    f->emulator ? "emulated" : f->vendor_emulator ? f->vendor_emulator
									  : f->on->name,
			    pace.s, f->pairs, f->lanes, f->width);
	text_add(&launch, "a launch takes ");
	append_time(&launch, f->cores ? f->core_launch_s : ep->launch_s);
	if (f->paced) {
		text_add(&launch, ", ");
		append_time(&launch, ep->launch_s * f->slowdown);
		text_add(&launch, " of this machine");
	}
	fact_text(facts, "beside", launch.s);
	fact_text(facts, "emulated", f->ep.caps & CAP_EMULATED ? "yes" : "no");
	fact_text(facts, "platform", f->on->name);
	if (!f->cores)
		fact_text(facts, "clock", "the host's, from the start of the senders to the end "
					  "of the last kernel");
	if (f->paced) {
		fact_text(facts, "board", f->board.name);
		fact_int(facts, "slowdown", (long long)f->slowdown);
		fact_real(facts, "kernel_clock_Hz", 1e6 * f->options->kernel_clock);
		fact_real(facts, "emulated_launch_s", f->options->launch);
	}
	fact_text(facts, "card", f->device);
	if (f->on->describe)
		f->on->describe(f, facts);
	fact_text(facts, "image", f->image);
	fact_int(facts, "pairs", f->pairs);
	fact_int(facts, "lanes", f->lanes);
	fact_int(facts, "channel_width_B", f->width);
	fact_text(facts, "wiring", f->wired);
	fact_real(facts, "open_s", f->open_s);
	fact_real(facts, "launch_s", f->cores ? f->core_launch_s : ep->launch_s);
	if (!f->cores)
		fact_text(facts, "contents", "made on the card; the last message of a round is "
					     "stored and verified");
}

void fpga_list(int n, char **images, struct facts *facts)
{
	for (int i = 0; i < PLATFORMS; i++) {
		if (!platforms[i])
			continue;
		fact_text(facts, "platform", platforms[i]->name);
		platforms[i]->list(n, images, facts);
	}
}
