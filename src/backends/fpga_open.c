/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `fpga`: its options, the card or its emulator, the image with its kernels, memory, closing. */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/fpga.h"
#include "clock.h"
#include "emulate.h"
#include "error.h"

#define SHIM "libxrt_netbench.so.2"
#define EMULATED_IMAGE "netbench-emulated.xclbin"
#define LAUNCHES 101

static const char *const emulate_names[] = { "off", "fast", "timed", NULL };

struct fpga_opts fpga_opts;

const struct opt fpga_options[] = {
	{ 0, "device", "card", OPT_TEXT, offsetof(struct fpga_opts, device),
	  .help = "number or PCI address (0000:03:00.1) of the card; by default the number of the rank on its host" },
	{ 0, "xclbin", "file", OPT_TEXT, offsetof(struct fpga_opts, xclbin),
	  .help = "image with netbench's kernels; emulated by default the one that comes with netbench" },
	{ 0, "wiring", "how", OPT_TEXT, offsetof(struct fpga_opts, wiring), .def = "ring",
	  .help = "which cards are joined: ring (pair 1 of each rank's card with pair 0 of the next rank's), loopback (of its "
		  "own), or a file with a cable a line: rank pair rank pair" },
	{ 0, "emulate", "how", OPT_CHOICE, offsetof(struct fpga_opts, emulate), .def = "off", .choices = emulate_names,
	  .help = "run the kernels on this machine's processors: fast (as fast as they go), timed (times are those of the model of "
		  "'--board'); NETBENCH_FPGA=emulate or timed in the environment does so, too" },
	{ 0, "board", "name", OPT_TEXT, offsetof(struct fpga_opts, board), .def = "520n",
	  .help = "with '--emulate timed': the board whose clock and latency the channels follow, see netbench model" },
	{ 0, "emulate-cables", "file", OPT_TEXT, offsetof(struct fpga_opts, cables),
	  .help = "how emulated cards are really joined, if not as '--wiring' says" },
	{ 0, "kernel-timeout", "time", OPT_SECONDS, offsetof(struct fpga_opts, kernel_timeout), .def = "30s", .min = 0, .max = 86400,
	  .help = "a kernel that has not ended by then ends the run" },
	{ 0 },
};

/* ---- what there is ---- */

/* The environment may ask for emulation as the option does, which comes first. */
static void ask_environment(void)
{
	const char *asked = getenv("NETBENCH_FPGA");

	if (asked && fpga_opts.emulate == EMULATE_OFF)
		fpga_opts.emulate = !strcmp(asked, "timed") ? EMULATE_TIMED : !strcmp(asked, "emulate") ? EMULATE_FAST : EMULATE_OFF;
}

/* A file that comes with this module: beside it, or in kernels/ there as in a build. */
static bool find_beside(const char *name, char *path, size_t len)
{
	Dl_info here;
	const char *end;

	if (!dladdr((void *)(uintptr_t)fpga_probe, &here) || !here.dli_fname)
		return false;
	end = strrchr(here.dli_fname, '/');
	snprintf(path, len, "%.*s%s", (int)(end ? end + 1 - here.dli_fname : 0), here.dli_fname, name);
	if (!access(path, R_OK))
		return true;
	snprintf(path, len, "%.*skernels/%s", (int)(end ? end + 1 - here.dli_fname : 0), here.dli_fname, name);
	return !access(path, R_OK);
}

/* Whether a card is bound to XRT's driver. */
static bool has_card(void)
{
	DIR *d = opendir("/sys/bus/pci/drivers/xocl");
	struct dirent *e;
	bool found = false;

	while (d && (e = readdir(d)))
		found |= strchr(e->d_name, ':') != NULL;
	if (d)
		closedir(d);
	return found;
}

int fpga_probe(char *why, size_t len)
{
	char path[512];

	ask_environment();
	if (fpga_opts.emulate != EMULATE_OFF) {
		if (find_beside(SHIM, path, sizeof(path)))
			return 0;
		snprintf(why, len, "the emulator '%s' was not built, or not installed beside this module", SHIM);
		return -1;
	}
	if (has_card())
		return 0;
	snprintf(why, len, "no card with XRT's driver; '--emulate fast' runs the kernels on this machine");
	return -1;
}

int fpga_check(int nranks)
{
	static struct cables c;
	struct board board;
	int err = fpga_read_cables("wiring", fpga_opts.wiring, nranks, &c);

	ask_environment();
	if (!err && fpga_opts.cables)
		err = fpga_read_cables("emulate-cables", fpga_opts.cables, nranks, &c);
	if (!err && fpga_opts.cables && fpga_opts.emulate == EMULATE_OFF)
		err = error_usage("option '--emulate-cables' needs '--emulate'");
	if (!err && fpga_opts.emulate == EMULATE_TIMED)
		err = board_find(fpga_opts.board, &board);
	if (!err && fpga_opts.emulate == EMULATE_TIMED && board.line_rate > 0)
		err = error_usage("board '%s' has no serial channels: '--emulate timed' cannot follow it", fpga_opts.board);
	if (!err && fpga_opts.emulate == EMULATE_OFF && !fpga_opts.xclbin)
		err = error_usage("option '--xclbin' has to name an image; see kernels/README.md, or '--emulate fast' for none");
	return err;
}

/* ---- card and image ---- */

/*
 * XRT's own library looks for its lower half by XILINX_XRT alone and ends the program where it finds none; one that is loaded
 * already serves.
 */
static int load_lower_half(struct fpga *f)
{
	char path[512];
	void *lib;

	xrtIniStringSet("Runtime.runtime_log", "null");
	if (fpga_opts.emulate == EMULATE_OFF) {
		if (dlopen("libxrt_core.so.2", RTLD_NOW))
			return ST_OK;
		snprintf(path, sizeof(path), "%s/lib/libxrt_core.so.2", getenv("XILINX_XRT") ? getenv("XILINX_XRT") : "/opt/xilinx/xrt");
		return dlopen(path, RTLD_NOW) ? ST_OK : error_unavailable("XRT's driver library cannot be loaded: %s", dlerror());
	}
	unsetenv("XCL_EMULATION_MODE");
	lib = find_beside(SHIM, path, sizeof(path)) ? dlopen(path, RTLD_NOW) : NULL;
	f->emulator = lib ? dlsym(lib, EMULATOR_SYMBOL) : NULL;
	if (!f->emulator)
		return error_unavailable("the emulator cannot be loaded: %s", lib ? "it is another library" : dlerror());
	return f->emulator->abi == EMULATOR_ABI ? ST_OK : error_unavailable("the emulator '%s' is of another version", path);
}

/* XRT explains itself on stderr, at length: what fails is said in one line of ours instead. */
static int silence(void)
{
	int kept = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	fflush(stderr);
	if (null >= 0) {
		dup2(null, STDERR_FILENO);
		close(null);
	}
	return kept;
}

static void speak(int kept)
{
	fflush(stderr);
	if (kept >= 0) {
		dup2(kept, STDERR_FILENO);
		close(kept);
	}
}

static void open_card(struct fpga *f)
{
	char *end;
	unsigned long number = fpga_opts.device ? strtoul(fpga_opts.device, &end, 10) : 0;

	if (!fpga_opts.device || !*end) {
		f->index = fpga_opts.device ? (unsigned)number : (unsigned)f->ep.job->local_rank;
		snprintf(f->device, sizeof(f->device), "%u", f->index);
		f->dev = xrtDeviceOpen(f->index);
	} else {
		snprintf(f->device, sizeof(f->device), "%s", fpga_opts.device);
		f->dev = xrtDeviceOpenByBDF(fpga_opts.device);
	}
}

/* Ranks of one machine have a card each. */
static int share_out(struct fpga *f)
{
	struct {
		char machine[MACHINE_ID], device[64];
	} mine, *all;
	const void *got;
	int size = f->ep.job->size, err = ST_OK;

	memset(&mine, 0, sizeof(mine));
	snprintf(mine.machine, sizeof(mine.machine), "%s", machine_id());
	snprintf(mine.device, sizeof(mine.device), "%s", f->device);
	got = f->ep.job->kind->allgather(f->ep.job, &mine, sizeof(mine));
	all = malloc((size_t)size * sizeof(*all));
	if (!all)
		return error("no memory for a list of cards");
	memcpy(all, got, (size_t)size * sizeof(*all));
	for (int r = 0; r < f->ep.job->rank && !err; r++)
		if (!strcmp(all[r].machine, mine.machine) && !strcmp(all[r].device, mine.device))
			err = error("ranks %d and %d of one host share card '%s': each needs its own", r, f->ep.job->rank, f->device);
	free(all);
	return err;
}

static int find_image(struct fpga *f)
{
	if (fpga_opts.xclbin)
		snprintf(f->image, sizeof(f->image), "%s", fpga_opts.xclbin);
	else if (!find_beside(EMULATED_IMAGE, f->image, sizeof(f->image)))
		return error_unavailable("no image '%s' beside this module", EMULATED_IMAGE);
	return access(f->image, R_OK) ? error_unavailable("image '%s' cannot be read", f->image) : ST_OK;
}

/* An image that is not whole would be read beyond its end: its header says how long it is. */
static bool is_whole(const char *path)
{
	unsigned char head[312];
	uint64_t length;
	FILE *file = fopen(path, "rbe");
	bool ok = file && fread(head, sizeof(head), 1, file) == 1 && !memcmp(head, "xclbin2", 8);

	if (ok) {
		memcpy(&length, head + 304, sizeof(length));
		ok = !fseek(file, 0, SEEK_END) && (uint64_t)ftell(file) == length;
	}
	if (file)
		fclose(file);
	return ok;
}

static int load_image(struct fpga *f)
{
	int err = find_image(f), kept;

	if (err)
		return err;
	if (!is_whole(f->image))
		return error("image '%s' is damaged, or none for XRT", f->image);
	kept = silence();
	open_card(f);
	err = f->dev ? xrtDeviceLoadXclbinFile(f->dev, f->image) || xrtDeviceGetXclbinUUID(f->dev, f->uuid) : 0;
	speak(kept);
	if (!f->dev)
		return error_unavailable("there is no card '%s'", f->device);
	return err ? error("image '%s' cannot be loaded on card '%s'", f->image, f->device) : ST_OK;
}

/* ---- kernels ---- */

static bool open_unit(struct fpga *f, struct fpga_unit *u, const char *kernel, unsigned number)
{
	char name[64];

	snprintf(u->name, sizeof(u->name), "%s_%u", kernel, number);
	snprintf(name, sizeof(name), "%s:{%s}", kernel, u->name);
	u->kernel = xrtPLKernelOpen(f->dev, f->uuid, name);
	u->run = u->kernel ? xrtRunOpen(u->kernel) : NULL;
	return u->run;
}

static void close_unit(struct fpga_unit *u)
{
	if (u->run)
		xrtRunClose(u->run);
	if (u->kernel)
		xrtKernelClose(u->kernel);
	u->run = NULL;
	u->kernel = NULL;
}

static int make_buffer(struct fpga *f, size_t len, struct fpga_buffer *b)
{
	len = (len + BACKEND_PAGE) / BACKEND_PAGE * BACKEND_PAGE;
	b->bo = xrtBOAlloc(f->dev, len, XRT_BO_FLAGS_NONE, 0);
	b->mem = b->bo ? xrtBOMap(b->bo) : NULL;
	b->len = len;
	if (b->mem)
		memset(b->mem, 0, len);
	return b->mem ? ST_OK : error("card '%s' has no memory for %zu bytes", f->device, len);
}

/* What the image is, by its kernel `describe`. */
static int ask_image(struct fpga *f)
{
	struct fpga_unit u = { .kernel = NULL };
	uint32_t *said = (uint32_t *)(void *)f->spare.mem;
	bool ok = open_unit(f, &u, KERNEL_DESCRIBE, 0);

	if (ok) {
		xrtRunSetArg(u.run, DESCRIBE_RECORD, f->spare.bo);
		ok = !xrtRunStart(u.run) && fpga_wait(&u, 5) && !xrtBOSync(f->spare.bo, XCL_BO_SYNC_BO_FROM_DEVICE, 64, 0);
	}
	close_unit(&u);
	if (!ok || said[DESCRIBE_MAGIC] != KERNELS_MAGIC)
		return error("image '%s' has no kernels of netbench", f->image);
	if (said[DESCRIBE_VERSION] != KERNELS_VERSION)
		return error("image '%s' has kernels of version %u, this netbench needs version %u", f->image,
			     said[DESCRIBE_VERSION], KERNELS_VERSION);
	f->width = said[DESCRIBE_WIDTH];
	f->lanes = said[DESCRIBE_LANES];
	f->pairs = said[DESCRIBE_PAIRS];
	return f->pairs <= KERNELS_MAX_PAIRS ? ST_OK : error("image '%s' has %u pairs of kernels, more than %d", f->image, f->pairs,
							     KERNELS_MAX_PAIRS);
}

static int open_kernels(struct fpga *f)
{
	int kept = silence(), err = make_buffer(f, BACKEND_PAGE, &f->spare);

	err = err ? err : ask_image(f);
	for (uint32_t p = 0; p < f->pairs && !err; p++)
		if (!open_unit(f, &f->send[p], KERNEL_SEND, p) || !open_unit(f, &f->recv[p], KERNEL_RECV, p))
			err = ST_FAILED;
	speak(kept);
	if (err)
		return error("image '%s' does not have the kernels that netbench needs", f->image);
	return ST_OK;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* What starting a kernel and seeing its end takes. */
static void measure_launch(struct fpga *f)
{
	struct fpga_unit u = { .kernel = NULL };
	double t[LAUNCHES] = { 0 };
	int n = open_unit(f, &u, KERNEL_EMPTY, 0) ? LAUNCHES : 0;

	for (int i = 0; i < n; i++) {
		double begin = clock_ticks();

		if (xrtRunStart(u.run) || !fpga_wait(&u, 1))
			n = i;
		t[i] = (clock_ticks() - begin) * host_clock.tick_s;
	}
	close_unit(&u);
	qsort(t, (size_t)n, sizeof(*t), by_value);
	f->launch_s = n ? t[n / 2] : 0;
}

/* ---- opening ---- */

/* Says where it failed itself; says nothing twice. */
static int open_all(struct fpga *f)
{
	int err = load_lower_half(f);

	err = err ? err : load_image(f);
	err = err ? err : share_out(f);
	err = err ? err : open_kernels(f);
	err = err ? err : fpga_wire(f);
	err = err ? err : fpga_test_links(f);
	if (!err && fpga_opts.emulate == EMULATE_TIMED) {
		err = board_find(fpga_opts.board, &f->board);
		if (!err && f->emulator->pace(f->index, f->board.f, f->board.lat))
			err = error("the emulator does not follow board '%s'", fpga_opts.board);
	}
	if (!err)
		measure_launch(f);
	return err;
}

int fpga_open(struct endpoint **ep, struct job *job, size_t heap)
{
	struct fpga *f = calloc(1, sizeof(*f));
	int err;

	(void)heap;
	if (!f)
		return error("no memory for backend 'fpga'");
	f->ep = (struct endpoint){ .job = job, .caps = CAP_RING | CAP_WINDOW | CAP_CONTENT,
				   .limits = { 1U << 30, UINT32_MAX, UINT32_MAX, SIZE_MAX }, .tick_s = host_clock.tick_s };
	err = open_all(f);
	if (err) {
		fpga_close(&f->ep);
		return err;
	}
	if (f->emulator)
		warning("rank %d: card '%s' is emulated: these times are no network's", job->rank, f->device);
	*ep = &f->ep;
	return ST_OK;
}

void fpga_close(struct endpoint *ep)
{
	struct fpga *f = fpga_of(ep);

	if (!f)
		return;
	for (uint32_t p = 0; p < KERNELS_MAX_PAIRS; p++) {
		close_unit(&f->send[p]);
		close_unit(&f->recv[p]);
	}
	for (int i = 0; i < f->nbufs; i++)
		xrtBOFree(f->bufs[i].bo);
	if (f->spare.bo)
		xrtBOFree(f->spare.bo);
	if (f->dev)
		xrtDeviceClose(f->dev);
	free(f);
}

/* ---- memory ---- */

void *fpga_alloc(struct endpoint *ep, size_t len)
{
	struct fpga *f = fpga_of(ep);
	struct fpga_buffer *b = &f->bufs[f->nbufs];

	if (f->nbufs == FPGA_BUFFERS || make_buffer(f, len + (size_t)f->width * f->lanes, b))
		return NULL;
	f->nbufs++;
	return b->mem;
}

void fpga_release(struct endpoint *ep, void *buf)
{
	(void)ep;
	(void)buf;
}

struct fpga_buffer *fpga_buffer(struct fpga *f, const void *mem)
{
	for (int i = 0; i < f->nbufs && mem; i++)
		if (f->bufs[i].mem == mem)
			return &f->bufs[i];
	return &f->spare;
}

/* ---- the record ---- */

static void put_number(describe_fn put, void *arg, const char *key, long long value)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", value);
	put(arg, key, text);
}

void fpga_describe(struct endpoint *ep, describe_fn put, void *arg)
{
	static const char *const clocks[] = { "the host's, from the start of the senders to the end of the last kernel",
					      "the host's, from the start of the senders to the end of the last kernel",
					      "the model's: nothing of this is measured" };
	struct fpga *f = fpga_of(ep);
	char text[128];

	snprintf(text, sizeof(text), "%s%s, %u pairs of %u channels of %u B", f->emulator ? "emulated" : "card",
		 fpga_opts.emulate == EMULATE_TIMED ? ", time of the model" : "", f->pairs, f->lanes, f->width);
	put(arg, "method", text);
	put(arg, "emulated", f->emulator ? "yes" : "no");
	put(arg, "clock", clocks[fpga_opts.emulate]);
	if (fpga_opts.emulate == EMULATE_TIMED)
		put(arg, "board", f->board.name);
	put(arg, "card", f->device);
	put(arg, "image", f->image);
	put_number(put, arg, "pairs", f->pairs);
	put_number(put, arg, "lanes", f->lanes);
	put_number(put, arg, "channel_width_B", f->width);
	put(arg, "wiring", f->wired);
	snprintf(text, sizeof(text), "%.9g", f->launch_s);
	put(arg, "launch_s", text);
	put(arg, "contents", "made on the card but for the last message of a round, which comes from memory and is verified");
}
