/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drives cards whose images have link cores, through a driver that only reads and writes 32-bit
 * registers (mmio.h): VRT of SLASH, for a V80. Such a driver was never run on a card.
 */
#include <dlfcn.h>
#include <math.h>
#include <time.h>

#include "backends/fpga/card.h"
#include "backends/fpga/mmio.h"
#include "backends/fpga/open.h"

#define LIBRARY "libnetbench_vrt.so"

#define NAP_SHARE 1e-3		/* length of a sleep between polls, as a share of the time waited */
#define NAP_MOST_S 1e-3		/* longest sleep */

/* The offsets of the cores' arguments, by their numbers. */
static const uint32_t argument_offsets[NB_ARGUMENT_COUNT] = {
#define OFFSET(NAME, name, offset, bits, meaning) [NB_ARG_##NAME] = offset,
	NB_ARGUMENTS(OFFSET)
#undef OFFSET
};

/* ---- the driver's library ---- */

/* Loads the driver's library. Returns its functions, or NULL with the reason in `why`. */
static const struct netbench_mmio *load_driver(char *why, size_t len)
{
	const struct netbench_mmio *driver;
	char path[512];
	void *library = fpga_find_beside(LIBRARY, path, sizeof(path)) ? dlopen(path, RTLD_NOW)
								     : dlopen(LIBRARY, RTLD_NOW);

	if (!library) {
		snprintf(why, len, "%s: it is built where the headers of SLASH's VRT are",
			 dlerror());
		return NULL;
	}
	driver = dlsym(library, MMIO_SYMBOL);
	if (driver && driver->abi == MMIO_ABI)
		return driver;
	snprintf(why, len, "the library '" LIBRARY "' has another version");
	return NULL;
}

static int probe_cards(const struct fpga_opts *o, char *why, size_t len)
{
	if (!o->device) {
		snprintf(why, len, "platform vrt needs '--device', the PCI address of a V80");
		return -1;
	}
	return load_driver(why, len) ? 0 : -1;
}

/* ---- cards ---- */

static void close_unit(struct fpga *f, struct fpga_unit *u)
{
	const struct netbench_mmio *driver = f->context;

	if (u->kernel)
		driver->close_core(u->kernel);
	u->kernel = NULL;
}

static bool open_unit(struct fpga *f, struct fpga_unit *u, const char *kernel, unsigned number)
{
	const struct netbench_mmio *driver = f->context;

	snprintf(u->name, sizeof(u->name), "%s_%u", kernel, number);
	u->kernel = driver->open_core(f->dev, u->name, f->why, sizeof(f->why));
	u->run = f->context;	/* a unit's functions need the driver */
	return u->kernel;
}

/* Opens the card, and counts the cores of its image. Returns an exit status. */
static int mmio_open(struct fpga *f)
{
	const struct netbench_mmio *driver = load_driver(f->why, sizeof(f->why));
	struct fpga_unit tried = { .kernel = NULL };
	struct fpga_caught hush;

	if (!driver)
		return error_unavailable("%s", f->why);
	f->context = (void *)(uintptr_t)driver;
	snprintf(f->device, sizeof(f->device), "%s", f->options->device);
	hush = fpga_catch_output();
	f->dev = driver->open_card(f->device, f->image, &f->image_hz, f->why, sizeof(f->why));
	while (f->dev && f->pairs < KERNELS_MAX_PAIRS &&
	       open_unit(f, &tried, NB_KERNEL, f->pairs)) {
		close_unit(f, &tried);
		f->pairs++;
	}
	fpga_release_output(hush, NULL, 0);
	if (!f->dev)
		return error_unavailable("card '%s' with image '%s' cannot be opened: %s",
					 f->device, f->image, f->why);
	f->cores = f->pairs > 0;
	return f->cores ? ST_OK : error_report("image '%s' has no link cores of netbench: %s",
					       f->image, f->why);
}

static void mmio_close(struct fpga *f)
{
	const struct netbench_mmio *driver = f->context;

	if (f->dev)
		driver->close_card(f->dev);
}

/* ---- cores ---- */

static bool read_core(struct fpga_unit *u, uint32_t offset, uint32_t *value)
{
	const struct netbench_mmio *driver = u->run;

	return driver->read32(u->kernel, offset, value);
}

static bool set_value(struct fpga_unit *u, int arg, const void *value, size_t len)
{
	const struct netbench_mmio *driver = u->run;
	uint32_t words[2];

	memcpy(words, value, len);
	for (uint32_t i = 0; i < len / sizeof(*words); i++)
		if (!driver->write32(u->kernel, argument_offsets[arg] + 4 * i, words[i]))
			return false;
	return true;
}

/* Starts a core. Reading its control register clears the end of an earlier launch. */
static bool start_core(struct fpga_unit *u)
{
	const struct netbench_mmio *driver = u->run;
	uint32_t control;

	return driver->read32(u->kernel, NB_CONTROL, &control) &&
	       driver->write32(u->kernel, NB_CONTROL, NB_START);
}

static enum fpga_end await_core(struct fpga_unit *u, double seconds)
{
	double begin = clock_wall(), now = begin;

	do {
		double nap = fmin(NAP_SHARE * (now - begin), NAP_MOST_S);
		struct timespec pause = { .tv_nsec = (long)(1e9 * nap) };
		uint32_t control;

		if (!read_core(u, NB_CONTROL, &control))
			return FPGA_FAILED;
		if (control & NB_DONE)
			return FPGA_ENDED;
		nanosleep(&pause, NULL);
		now = clock_wall();
	} while (now - begin < seconds);
	return FPGA_RUNS;
}

/* ---- the list ---- */

static void list_cards(int n, char **images, struct facts *facts)
{
	char why[300] = "";

	fact_text(facts, "driver", load_driver(why, sizeof(why)) ? "SLASH's VRT: 'v80-smi list' "
				   "shows the cards" : why);
	for (int i = 0; i < n; i++) {
		fact_text(facts, "image", images[i]);
		fact_text(facts, "", access(images[i], R_OK) ? "cannot be read"
				     : "its cores are known once it is on a card");
	}
}

const struct fpga_platform fpga_vrt = {
	.name = "vrt",
	.probe = probe_cards, .open = mmio_open, .close = mmio_close,
	.open_unit = open_unit, .close_unit = close_unit,
	.set_value = set_value, .start = start_core, .wait = await_core,
	.read_core = read_core, .list = list_cards,
};
