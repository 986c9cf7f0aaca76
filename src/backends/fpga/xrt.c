/* SPDX-License-Identifier: Apache-2.0 */
/* Drives real and emulated cards through Xilinx XRT's C API. */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <experimental/xrt-next.h>
#include <experimental/xrt_ini.h>
#include <xclbin.h>
#include <xrt/xrt_bo.h>
#include <xrt/xrt_device.h>
#include <xrt/xrt_kernel.h>

#include "backends/fpga/card.h"
#include "backends/fpga/ip.h"
#include "backends/fpga/open.h"

/* Longest single wait, s. XRT would treat 1000 ms as a wait without end. */
#define WAIT_S 0.2

#define CARDS "/sys/bus/pci/drivers/xocl"
#define CARDS_MOST 4096	/* all numbers of cards, real or emulated, are below this */

/* ---- finding cards ---- */

/*
 * Returns the number of cards bound to XRT's driver. Unless `facts` is NULL, also lists the cards
 * there.
 */
static int list_bound_cards(struct facts *facts)
{
	DIR *d = opendir(CARDS);
	struct dirent *e;
	int n = 0;

	while (d && (e = readdir(d))) {
		if (facts && strchr(e->d_name, ':'))
			fact_text(facts, "card", e->d_name);
		n += !!strchr(e->d_name, ':');
	}
	if (d)
		closedir(d);
	return n;
}

/* The emulators of Vitis. If this variable names one, XRT uses that emulator in place of a card. */
#define VITIS_EMULATION "XCL_EMULATION_MODE"
static const struct {
	const char *mode, *name, *library;
} vitis[] = { { "hw_emu", "Vitis hw_emu", "libxrt_hwemu.so.2" },
	      { "sw_emu", "Vitis sw_emu", "libxrt_swemu.so.2" } };
#define VITIS (int)LENGTH(vitis)

/*
 * Returns the index in `vitis` of the emulator that the user selects, -1 if none is selected, or
 * VITIS if its name is unknown.
 */
static int find_vitis_emulator(void)
{
	const char *mode = getenv(VITIS_EMULATION);
	int i = 0;

	while (mode && i < VITIS && strcmp(mode, vitis[i].mode))
		i++;
	return mode && *mode ? i : -1;
}

/*
 * This variable names the folder of the file that describes the emulated card. Without it the
 * emulator searches the program's folder.
 */
#define VITIS_CONFIG "EMCONFIG_PATH"

/*
 * Checks that the file that describes the emulated card exists. Without it the emulator would use
 * another card, and wait for that card or end the process. Returns 0, or -1 with the reason in
 * `why`.
 */
static int probe_vitis(char *why, size_t len)
{
	const char *where = getenv(VITIS_CONFIG) ? getenv(VITIS_CONFIG) : ".";
	char path[512];

	snprintf(path, sizeof(path), "%s/emconfig.json", where);
	if (find_vitis_emulator() == VITIS)
		snprintf(why, len, VITIS_EMULATION "=%s: expected hw_emu or sw_emu",
			 getenv(VITIS_EMULATION));
	else if (access(path, R_OK))
		snprintf(why, len, "no '%s' for " VITIS_EMULATION "=%s: emconfigutil makes it, and "
			 VITIS_CONFIG " says where it is", path, getenv(VITIS_EMULATION));
	else
		return 0;
	return -1;
}

static int probe_cards(const struct fpga_opts *o, char *why, size_t len)
{
	char path[512];

	if (o->emulate == EMULATE_OFF && find_vitis_emulator() >= 0)
		return probe_vitis(why, len);
	if (o->emulate == EMULATE_OFF) {
		if (list_bound_cards(NULL))
			return 0;
		snprintf(why, len, "no card with XRT's driver; '--emulate fast' runs the kernels "
			 "on this machine's processors");
		return -1;
	}
	if (fpga_find_beside(FPGA_SHIM, path, sizeof(path)))
		return 0;
	snprintf(why, len, "the emulator '%s' is missing: it was not built, or is elsewhere than "
		 "this module", FPGA_SHIM);
	return -1;
}

/* ---- images ---- */

/* Returns whether an image of `len` bytes contains everything that its header lists. */
static bool is_complete_image(const struct axlf *a, uint64_t len)
{
	const struct axlf_section_header *s = a->m_sections;
	uint32_t n = a->m_header.m_numSections;

	if (memcmp(a->m_magic, "xclbin2", 8) || a->m_header.m_length != len ||
	    n > XCLBIN_MAX_NUM_SECTION || offsetof(struct axlf, m_sections) + n * sizeof(*s) > len)
		return false;
	for (; n; n--, s++)
		if (s->m_sectionOffset > len || s->m_sectionSize > len - s->m_sectionOffset)
			return false;
	return true;
}

/* Reads an image. The caller frees it. Returns NULL if it cannot be read or is incomplete. */
static struct axlf *read_image(const char *path)
{
	size_t len;
	struct axlf *a = fpga_read_image(path, &len);

	if (a && len >= sizeof(*a) && is_complete_image(a, len))
		return a;
	free(a);
	return NULL;
}

/* The compute units of an image: their number for each kernel, and the names of all units. */
struct units {
	unsigned send, recv, describe, core;
	struct text names;
};

/* Returns whether the unit `name`, "kernel:unit", belongs to this kernel. */
static bool is_unit_of(const char *name, const char *kernel)
{
	return !strncmp(name, kernel, strlen(kernel)) && name[strlen(kernel)] == ':';
}

/* Returns whether the image has a unit of this name, "kernel:unit". */
static bool has_unit(const struct units *u, const char *name)
{
	size_t len = strlen(name);
	const char *at = u->names.s;

	while ((at = strstr(at, name)) && !((at == u->names.s || at[-1] == ' ') &&
					    (at[len] == ' ' || !at[len])))
		at++;
	return at;
}

static struct units find_units(const struct axlf *a)
{
	struct units u = { 0 };

	for (uint32_t s = 0; s < a->m_header.m_numSections; s++) {
		const struct axlf_section_header *h = &a->m_sections[s];
		const void *at = (const char *)a + h->m_sectionOffset;
		const struct ip_layout *ips = at;

		if (h->m_sectionKind != IP_LAYOUT || h->m_sectionSize < sizeof(*ips) ||
		    h->m_sectionOffset % _Alignof(struct ip_layout) || ips->m_count < 0 ||
		    offsetof(struct ip_layout, m_ip_data) +
				    (uint64_t)ips->m_count * sizeof(ips->m_ip_data[0]) >
			    h->m_sectionSize)
			continue;
		for (int i = 0; i < ips->m_count; i++) {
			char name[sizeof(ips->m_ip_data[i].m_name) + 1] = "";

			memcpy(name, ips->m_ip_data[i].m_name, sizeof(name) - 1);
			if (ips->m_ip_data[i].m_type != IP_KERNEL)
				continue;
			u.send += is_unit_of(name, KERNEL_SEND);
			u.recv += is_unit_of(name, KERNEL_RECV);
			u.describe += is_unit_of(name, KERNEL_DESCRIBE);
			u.core += is_unit_of(name, NB_KERNEL);
			text_add(&u.names, "%s%s", u.names.n ? " " : "", name);
		}
	}
	return u;
}

static bool has_kernels(const struct units *u)
{
	return u->send && u->recv && u->describe;
}

/* Returns the clock of an image's kernels in Hz, or 0 if the image gives none. */
static double find_clock(const struct axlf *a)
{
	for (uint32_t s = 0; s < a->m_header.m_numSections; s++) {
		const struct axlf_section_header *h = &a->m_sections[s];
		const struct clock_freq_topology *list;
		uint64_t room = offsetof(struct clock_freq_topology, m_clock_freq);

		if (h->m_sectionKind != CLOCK_FREQ_TOPOLOGY || h->m_sectionSize < room ||
		    h->m_sectionOffset % _Alignof(struct clock_freq_topology))
			continue;
		list = (const void *)((const char *)a + h->m_sectionOffset);
		room = (h->m_sectionSize - room) / sizeof(list->m_clock_freq[0]);
		for (int i = 0; i < list->m_count && (uint64_t)i < room; i++)
			if (list->m_clock_freq[i].m_type == CT_DATA)
				return 1e6 * list->m_clock_freq[i].m_freq_Mhz;
	}
	return 0;
}

/*
 * Checks that the image is complete, because XRT would read past the end of a truncated image.
 * Finds the image's units and clock. Returns ST_OK or ST_FAILED.
 */
static int check_image(struct fpga *f, struct units *u)
{
	struct axlf *a = read_image(f->image);

	if (!a)
		return error_report("image '%s' is damaged, or not for XRT", f->image);
	*u = find_units(a);
	f->image_hz = find_clock(a);
	free(a);
	if (!has_kernels(u) && !u->core)
		return error_report("image '%s' has no kernels of netbench", f->image);
	f->cores = !has_kernels(u);
	f->pairs = f->cores ? u->core : 0;
	if (f->pairs > KERNELS_MAX_PAIRS)
		return error_report("image '%s' has %u link cores: netbench takes up to %d",
				    f->image, f->pairs, KERNELS_MAX_PAIRS);
	return ST_OK;
}

/* ---- opening ---- */

/* An open card: the `context` of struct fpga. */
struct xrt {
	xuid_t image;
	struct units units;		/* units of the image */
	void *library;			/* XRT's driver library */
	/* memory bank that kernel `describe` uses; -1: not known yet */
	int bank;
};

/* Loads netbench's own emulator. Returns an exit status. */
static int load_emulator(struct fpga *f, struct xrt *x)
{
	char path[512];

	unsetenv(VITIS_EMULATION);
	if (fpga_find_beside(FPGA_SHIM, path, sizeof(path)))
		x->library = dlopen(path, RTLD_NOW);
	f->emulator = x->library ? dlsym(x->library, EMULATOR_SYMBOL) : NULL;
	if (!f->emulator)
		return error_unavailable("the emulator cannot be loaded: %s",
					 x->library ? "the library is another one" : dlerror());
	return f->emulator->abi == EMULATOR_ABI ? ST_OK :
	       error_unavailable("the emulator '%s' has another version", path);
}

/*
 * Loads XRT's driver library. If the driver library is missing, XRT's upper library would end the
 * program. So this function loads the driver library first. Returns an exit status.
 */
static int load_driver(struct fpga *f, struct xrt *x)
{
	int emulation = find_vitis_emulator();
	const char *name = emulation < 0 ? "libxrt_core.so.2" : vitis[emulation].library;
	const char *xrt = secure_getenv("XILINX_XRT");
	char path[512];

	xrtIniStringSet("Runtime.runtime_log", "null");
	if (f->options->emulate != EMULATE_OFF)
		return load_emulator(f, x);
	f->vendor_emulator = emulation < 0 ? NULL : vitis[emulation].name;
	if (f->vendor_emulator)
		setenv(VITIS_CONFIG, ".", 0);
	x->library = dlopen(name, RTLD_NOW);
	if (x->library)
		return ST_OK;
	snprintf(path, sizeof(path), "%s/lib/%s", xrt ? xrt : "/opt/xilinx/xrt", name);
	x->library = dlopen(path, RTLD_NOW);
	return x->library ? ST_OK :
	       error_unavailable("XRT's driver library cannot be loaded: %s", dlerror());
}

static void open_card(struct fpga *f)
{
	const char *asked = f->options->device;
	size_t digits = asked ? strspn(asked, "0123456789") : 0;
	unsigned long number = digits ? strtoul(asked, NULL, 10) : 0;

	if (!asked || (digits && !asked[digits] && number < CARDS_MOST)) {
		f->index = asked ? (unsigned)number : (unsigned)f->ep.job->local_rank;
		if (!asked && !f->emulator)
			f->index %= (unsigned)list_bound_cards(NULL) + !list_bound_cards(NULL);
		snprintf(f->device, sizeof(f->device), "%u", f->index);
		f->dev = xrtDeviceOpen(f->index);
	} else {
		snprintf(f->device, sizeof(f->device), "%s", asked);
		f->dev = strchr(asked, ':') ? xrtDeviceOpenByBDF(asked) : NULL;
	}
}

static int xrt_open(struct fpga *f)
{
	struct xrt *x = calloc(1, sizeof(*x));
	struct fpga_caught hush;
	int err;

	f->context = x;
	if (!x)
		return error_report("no memory for a card's state");
	err = check_image(f, &x->units);
	if (!err)
		err = load_driver(f, x);
	if (err)
		return err;
	x->bank = -1;
	hush = fpga_catch_output();
	open_card(f);
	err = f->dev && (xrtDeviceLoadXclbinFile(f->dev, f->image) ||
			 xrtDeviceGetXclbinUUID(f->dev, x->image));
	fpga_release_output(hush, f->why, sizeof(f->why));
	if (!f->dev)
		return error_unavailable("there is no card '%s'%s%s", f->device,
					 *f->why ? ": " : "", f->why);
	return err ? error_report("image '%s' cannot be loaded on card '%s'%s%s", f->image,
				  f->device, *f->why ? ": " : "", f->why)
		   : ST_OK;
}

static void xrt_close(struct fpga *f)
{
	if (f->dev)
		xrtDeviceClose(f->dev);
	free(f->context);
}

/* ---- kernels ---- */


static bool open_unit(struct fpga *f, struct fpga_unit *u, const char *kernel, unsigned number)
{
	struct xrt *x = f->context;
	struct fpga_caught hush = fpga_catch_output();
	char name[64];

	snprintf(u->name, sizeof(u->name), "%s_%u", kernel, number);
	snprintf(name, sizeof(name), "%s:{%s}", kernel, u->name);
	/* XRT only reads registers of units that were opened exclusively */
	u->kernel = strcmp(kernel, NB_KERNEL) ? xrtPLKernelOpen(f->dev, x->image, name)
					      : xrtPLKernelOpenExclusive(f->dev, x->image, name);
	u->run = u->kernel ? xrtRunOpen(u->kernel) : NULL;
	fpga_release_output(hush, f->why, sizeof(f->why));
	if (u->run && !strcmp(kernel, KERNEL_DESCRIBE))
		x->bank = xrtKernelArgGroupId(u->kernel, DESCRIBE_RECORD);
	return u->run;
}

static void close_unit(struct fpga *f, struct fpga_unit *u)
{
	if (u->run)
		xrtRunClose(u->run);
	if (u->kernel)
		xrtKernelClose(u->kernel);
	u->run = u->kernel = NULL;
}

/*
 * A buffer on the host has a buffer object in each memory bank whose kernels use it. v++ decides
 * which bank a kernel's argument uses. The buffer object of the first bank always exists. Objects
 * of other banks are created when they are needed.
 */
#define BANKS 8
struct bank_buffers {
	int bank[BANKS], n;
	xrtBufferHandle place[BANKS];
	/* buffer object in the bank of the kernel that most recently got this buffer */
	xrtBufferHandle last;
};

/* Returns the buffer object in a bank, and creates it if needed. Returns NULL on failure. */
static xrtBufferHandle find_bank_buffer(struct fpga *f, struct fpga_buffer *b, int bank)
{
	struct bank_buffers *m = b->bo;
	int i = 0;

	while (i < m->n && m->bank[i] != bank)
		i++;
	if (i == m->n && i < BANKS && bank >= 0) {
		m->place[i] = xrtBOAllocUserPtr(f->dev, b->mem, b->len, XRT_BO_FLAGS_NONE,
						(unsigned)bank);
		m->bank[i] = bank;
		m->n += m->place[i] != NULL;
	}
	return i < m->n ? m->place[i] : NULL;
}

static bool set_buffer(struct fpga *f, struct fpga_unit *u, int arg, struct fpga_buffer *b)
{
	struct bank_buffers *m = b->bo;
	xrtBufferHandle place = find_bank_buffer(f, b, xrtKernelArgGroupId(u->kernel, arg));

	if (!place)
		return false;
	m->last = place;
	return !xrtRunSetArg(u->run, arg, place);
}

static bool set_value(struct fpga_unit *u, int arg, const void *value, size_t len)
{
	if (len == sizeof(uint64_t))
		return !xrtRunSetArg(u->run, arg, *(const uint64_t *)value);
	return !xrtRunSetArg(u->run, arg, *(const uint32_t *)value);
}

static bool start_kernel(struct fpga_unit *u)
{
	return !xrtRunStart(u->run);
}

static enum fpga_end await_kernel(struct fpga_unit *u, double seconds)
{
	double end = clock_wall() + seconds;
	enum ert_cmd_state state;

	do {
		double left = end - clock_wall();

		state = xrtRunWaitFor(u->run, left < WAIT_S ? (unsigned)(left * 1e3) + 1
							    : (unsigned)(WAIT_S * 1e3));
		if (state == ERT_CMD_STATE_COMPLETED)
			return FPGA_ENDED;
		if (state == ERT_CMD_STATE_ERROR || state == ERT_CMD_STATE_ABORT)
			return FPGA_FAILED;
	} while (clock_wall() < end);
	return FPGA_RUNS;
}

/* ---- registers ---- */

/* Reads a register of a unit. Holds the unit exclusively while it reads. */
static enum fpga_register read_register(struct fpga *f, const char *unit, uint32_t offset,
					uint32_t *value)
{
	struct xrt *x = f->context;

	if (!has_unit(&x->units, unit))
		return REGISTER_NO_UNIT;
#ifdef FPGA_IP
	struct fpga_caught hush = fpga_catch_output();
	int failed = fpga_read_ip(xrtDeviceToXclDevice(f->dev), x->image, unit, offset, value,
				  f->why, sizeof(f->why));

	fpga_release_output(hush, NULL, 0);
	return failed ? REGISTER_FAILED : REGISTER_READ;
#else
	snprintf(f->why, sizeof(f->why), "this netbench was built without a C++ compiler");
	return REGISTER_FAILED;
#endif
}

static bool read_core(struct fpga_unit *u, uint32_t offset, uint32_t *value)
{
	return !xrtKernelReadRegister(u->kernel, offset, value);
}

/* ---- memory ---- */

/*
 * Frees all buffer objects. The first object owns the host's memory, so it is freed after the
 * others.
 */
static void free_memory(struct fpga *f, struct fpga_buffer *b)
{
	struct bank_buffers *m = b->bo;

	while (m->n)
		xrtBOFree(m->place[--m->n]);
	free(m);
	b->bo = NULL;
}

static bool get_memory(struct fpga *f, struct fpga_buffer *b)
{
	const struct xrt *x = f->context;
	struct bank_buffers *m = calloc(1, sizeof(*m));

	if (!m)
		return false;
	m->bank[0] = x->bank < 0 ? 0 : x->bank;
	m->last = m->place[0] = xrtBOAlloc(f->dev, b->len, XRT_BO_FLAGS_NONE,
					   (unsigned)m->bank[0]);
	m->n = m->last != NULL;
	b->bo = m;
	b->mem = m->last ? xrtBOMap(m->last) : NULL;
	if (!b->mem)
		free_memory(f, b);
	return b->mem;
}

static bool copy_memory(struct fpga *f, struct fpga_buffer *b, bool to_card, size_t len)
{
	const struct bank_buffers *m = b->bo;

	return !xrtBOSync(m->last, to_card ? XCL_BO_SYNC_BO_TO_DEVICE : XCL_BO_SYNC_BO_FROM_DEVICE,
			  len, 0);
}

/* ---- the list ---- */

static void list_image(struct facts *facts, const char *path)
{
	struct axlf *a = read_image(path);
	struct units u;

	fact_text(facts, "image", path);
	if (!a) {
		fact_text(facts, "",
			  access(path, R_OK) ? "cannot be read" : "damaged, or not for XRT");
		return;
	}
	u = find_units(a);
	fact_format(facts, "", "%s: %s", has_kernels(&u) ? "kernels" : u.core ? "link cores" :
		    "not netbench's kernels",
		    u.names.n ? u.names.s : "none");
	fact_format(facts, "", "platform %.64s", (const char *)a->m_header.m_platformVBNV);
	if (u.core && find_clock(a) > 0)
		fact_format(facts, "", "clock %g MHz", find_clock(a) / 1e6);
	free(a);
}

static void list_cards(int n, char **images, struct facts *facts)
{
	char path[512];

	if (!list_bound_cards(facts))
		fact_text(facts, "card", "none bound to XRT's driver (" CARDS ")");
	fact_text(facts, "emulator", fpga_find_beside(FPGA_SHIM, path, sizeof(path)) ? path :
		  "missing: it was not built, or is elsewhere than this module");
	if (fpga_find_beside(FPGA_EMULATED_IMAGE, path, sizeof(path)))
		list_image(facts, path);
	for (int i = 0; i < n; i++)
		list_image(facts, images[i]);
}

const struct fpga_platform fpga_xrt = {
	.name = "xrt",
	.probe = probe_cards, .open = xrt_open, .close = xrt_close,
	.open_unit = open_unit, .close_unit = close_unit,
	.get_memory = get_memory, .free_memory = free_memory, .copy = copy_memory,
	.set_buffer = set_buffer, .set_value = set_value,
	.start = start_kernel, .wait = await_kernel,
	.read_register = read_register, .read_core = read_core, .list = list_cards,
};
