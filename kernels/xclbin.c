/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes an .xclbin for the emulator: xclbin PAIRS PLATFORM KERNELS.so OUTPUT [PORTS [BANKS]]
 *				    or xclbin --link MHZ PAIRS PLATFORM CORE.so OUTPUT
 *
 * The container holds the kernels (a shared object, as BITSTREAM) and the metadata that XRT
 * requests before it opens a kernel: compute units, memory, which argument reaches which memory,
 * and the arguments in XML. PORTS of AuroraFlow are units without arguments that run without
 * commands. Unit i of recv reaches memory bank i modulo BANKS; other units reach bank 0. With
 * --link the image has a link core for each pair, and states MHZ as their clock. The same input
 * gives the same bytes.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xclbin.h>

#include "aurora.h"
#include "kernels.h"
#include "rtl/registers.h"

#define UNIT_BASE UINT64_C(0x1800000)
#define UNIT_STRIDE UINT64_C(0x10000)
#define MEMORY_KB (UINT64_C(4) << 20)

/* A kernel of the image: its number of compute units, and its arguments (kernels.h). */
struct kernel {
	const char *name, *types, *arguments;
	bool paired;		/* it has a unit for each pair; false: one unit */
};

static const struct kernel c_kernels[] = {
	{ KERNEL_SEND, SEND_TYPES, SEND_NAMES, true },
	{ KERNEL_RECV, RECV_TYPES, RECV_NAMES, true },
	{ KERNEL_DESCRIBE, DESCRIBE_TYPES, DESCRIBE_NAMES, false },
};

#define NB_TYPE_32 "i"
#define NB_TYPE_64 "l"
#define NB_TYPE(NAME, name, offset, bits, meaning) NB_TYPE_##bits
#define NB_NAME(NAME, name, offset, bits, meaning) #name " "
static const struct kernel link_core[] = {
	{ NB_KERNEL, NB_ARGUMENTS(NB_TYPE), NB_ARGUMENTS(NB_NAME), true },
};
/* The offsets of the core's arguments must match those that describe_kernel computes. */
_Static_assert(NB_ITERATIONS == REGISTERS_START && NB_S_FIRST == REGISTERS_START + 17 * 8 &&
	       NB_R_STEP == NB_S_FIRST + 3 * 12, "offsets of registers.h");

/* The kernels of the image. */
static const struct kernel *kernels = c_kernels;
static size_t nkernels = sizeof(c_kernels) / sizeof(c_kernels[0]);

/* A buffer that grows. */
struct bytes {
	char *at;
	size_t len, room;
};

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void append(struct bytes *b, const void *data, size_t len)
{
	if (b->len + len > b->room) {
		b->room = 2 * (b->len + len);
		b->at = realloc(b->at, b->room);
		if (!b->at)
			die("xclbin");
	}
	if (data)
		memcpy(b->at + b->len, data, len);
	else
		memset(b->at + b->len, 0, len);
	b->len += len;
}

__attribute__((format(printf, 2, 3)))
static void print(struct bytes *b, const char *format, ...)
{
	char line[512];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	append(b, line, (size_t)len);
}

static unsigned count_units(const struct kernel *k, unsigned pairs)
{
	return k->paired ? pairs : 1;
}

/* Returns the n-th word of a text, for printf's "%.*s". */
static const char *nth_word(const char *text, size_t n, int *len)
{
	for (; n; n--)
		text += strcspn(text, " ") + 1;
	*len = (int)strcspn(text, " ");
	return text;
}

static void describe_kernel(struct bytes *xml, const struct kernel *k)
{
	unsigned at = REGISTERS_START;

	print(xml, "<kernel name=\"%s\" language=\"c\">\n", k->name);
	for (size_t i = 0; k->types[i]; i++) {
		char type = k->types[i];
		unsigned size = type == 'i' ? 4 : 8;
		int len;
		const char *name = nth_word(k->arguments, i, &len);

		print(xml, "<arg name=\"%.*s\" addressQualifier=\"%d\" id=\"%zu\" size=\"0x%x\" "
		      "offset=\"0x%x\" hostOffset=\"0x0\" hostSize=\"0x%x\" type=\"%s\"/>\n",
		      len, name, type == 'p', i, size, at, size,
		      type == 'p' ? "void*" : type == 'i' ? "uint" : "ulong");
		at += REGISTER_ROOM(type);
	}
}

/*
 * Describes the ports. They follow all other units, so that these have the same numbers without
 * ports.
 */
static void describe_ports(struct bytes *xml, unsigned ports, uint64_t base)
{
	for (unsigned p = 0; p < ports; p++)
		print(xml, "<kernel name=\"" AURORA_KERNEL "%u\" language=\"ip_c\" "
		      "hwControlProtocol=\"ap_ctrl_none\">\n<instance name=\"" AURORA_KERNEL "%u\">"
		      "<addrRemap base=\"0x%llx\"/></instance>\n</kernel>\n", p, p,
		      (unsigned long long)(base + p * UNIT_STRIDE));
}

static struct bytes make_xml(unsigned pairs, unsigned ports)
{
	struct bytes xml = { 0 };
	uint64_t base = UNIT_BASE;

	print(&xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<project name=\"netbench\">\n"
	      "<platform vendor=\"netbench\" boardid=\"emulated\" name=\"netbench\">\n"
	      "<device name=\"fpga0\"><core name=\"OCL_REGION_0\" target=\"bitstream\">\n");
	for (size_t i = 0; i < nkernels; i++) {
		describe_kernel(&xml, &kernels[i]);
		for (unsigned u = 0; u < count_units(&kernels[i], pairs); u++) {
			print(&xml, "<instance name=\"%s_%u\"><addrRemap base=\"0x%llx\"/>"
			      "</instance>\n", kernels[i].name, u, (unsigned long long)base);
			base += UNIT_STRIDE;
		}
		print(&xml, "</kernel>\n");
	}
	describe_ports(&xml, ports, base);
	print(&xml, "</core></device></platform></project>\n");
	return xml;
}

/* Appends the n-th compute unit, named "kernel:unit". */
static void add_unit(struct bytes *b, int32_t n, uint32_t control, const char *kernel,
		     const char *unit)
{
	uint64_t base = UNIT_BASE + (uint64_t)n * UNIT_STRIDE;
	struct ip_data ip = { .m_type = IP_KERNEL, .m_base_address = base };

	ip.properties = control << IP_CONTROL_SHIFT;
	snprintf((char *)ip.m_name, sizeof(ip.m_name), "%s:%s", kernel, unit);
	append(b, &ip, sizeof(ip));
}

static struct bytes make_units(unsigned pairs, unsigned ports)
{
	struct bytes b = { 0 };
	int32_t n = 0;
	char name[32];

	append(&b, NULL, offsetof(struct ip_layout, m_ip_data));
	for (size_t i = 0; i < nkernels; i++)
		for (unsigned u = 0; u < count_units(&kernels[i], pairs); u++) {
			snprintf(name, sizeof(name), "%s_%u", kernels[i].name, u);
			add_unit(&b, n++, AP_CTRL_HS, kernels[i].name, name);
		}
	for (unsigned p = 0; p < ports; p++) {
		snprintf(name, sizeof(name), AURORA_KERNEL "%u", p);
		add_unit(&b, n++, AP_CTRL_NONE, name, name);
	}
	memcpy(b.at, &n, sizeof(n));
	return b;
}

static struct bytes make_memory(unsigned banks)
{
	struct bytes b = { 0 };
	int32_t n = (int32_t)banks;

	append(&b, NULL, offsetof(struct mem_topology, m_mem_data));
	for (unsigned i = 0; i < banks; i++) {
		struct mem_data m = { .m_type = MEM_DDR4, .m_used = 1, .m_size = MEMORY_KB / banks,
				      .m_base_address = i * (MEMORY_KB / banks) * 1024 };

		snprintf((char *)m.m_tag, sizeof(m.m_tag), "bank%u", i);
		append(&b, &m, sizeof(m));
	}
	memcpy(b.at, &n, sizeof(n));
	return b;
}

static struct bytes make_connectivity(unsigned pairs, unsigned banks)
{
	struct bytes b = { 0 };
	int32_t unit = 0, n = 0;

	append(&b, NULL, offsetof(struct connectivity, m_connection));
	for (size_t i = 0; i < nkernels; i++)
		for (unsigned u = 0; u < count_units(&kernels[i], pairs); u++, unit++)
			for (int a = 0; kernels[i].types[a]; a++) {
				struct connection c = { a, unit, 0 };

				if (kernels[i].types[a] != 'p')
					continue;
				if (!strcmp(kernels[i].name, KERNEL_RECV))
					c.mem_data_index = (int32_t)(u % banks);
				append(&b, &c, sizeof(c));
				n++;
			}
	memcpy(b.at, &n, sizeof(n));
	return b;
}

static struct bytes make_clocks(unsigned mhz)
{
	struct bytes b = { 0 };
	struct clock_freq_topology clocks = { .m_count = 1 };
	struct clock_freq *c = clocks.m_clock_freq;

	c->m_freq_Mhz = (u_int16_t)mhz;
	c->m_type = CT_DATA;
	snprintf(c->m_name, sizeof(c->m_name), "DATA_CLK");
	append(&b, &clocks, sizeof(clocks));
	return b;
}

static struct bytes read_file(const char *path)
{
	struct bytes b = { 0 };
	char part[65536];
	size_t n;
	FILE *f = fopen(path, "rb");

	if (!f)
		die(path);
	while ((n = fread(part, 1, sizeof(part), f)))
		append(&b, part, n);
	if (ferror(f))
		die(path);
	fclose(f);
	return b;
}

struct section {
	uint32_t kind;
	const char *name;
	struct bytes bytes;
};

/* Sets the identifier of the image to a hash of its content (FNV-1a, twice). */
static void set_identifier(struct axlf_header *h, const struct section *s, size_t n)
{
	uint64_t hash[2] = { 0xcbf29ce484222325U, 0x84222325cbf29ce4U };

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < s[i].bytes.len; j++)
			for (int k = 0; k < 2; k++)
				hash[k] = (hash[k] ^ (uint8_t)s[i].bytes.at[j]) * 0x100000001b3U;
	memcpy(h->uuid, hash, sizeof(h->uuid));
}

static size_t pad_length(size_t len)
{
	return (len + 7) / 8 * 8;
}

static struct bytes assemble(const struct section *s, size_t n, const char *platform)
{
	struct bytes b = { 0 };
	struct axlf a = { .m_magic = "xclbin2", .m_signature_length = -1 };
	size_t at = pad_length(sizeof(a) + (n - 1) * sizeof(a.m_sections[0])), first = at;
	struct axlf_section_header heads[8] = { 0 };

	for (size_t i = 0; i < n; i++) {
		heads[i].m_sectionKind = s[i].kind;
		snprintf(heads[i].m_sectionName, sizeof(heads[i].m_sectionName), "%s", s[i].name);
		heads[i].m_sectionOffset = at;
		heads[i].m_sectionSize = s[i].bytes.len;
		at += pad_length(s[i].bytes.len);
	}
	memset(a.reserved, 0xff, sizeof(a.reserved));
	memset(a.m_keyBlock, 0xff, sizeof(a.m_keyBlock));
	a.m_header = (struct axlf_header){ .m_length = at, .m_versionMajor = 2,
					   .m_versionMinor = 13, .m_versionPatch = 466,
					   .m_mode = XCLBIN_SW_EMU, .m_numSections = (uint32_t)n };
	snprintf((char *)a.m_header.m_platformVBNV, sizeof(a.m_header.m_platformVBNV), "%s",
		 platform);
	set_identifier(&a.m_header, s, n);
	append(&b, &a, offsetof(struct axlf, m_sections));
	append(&b, heads, n * sizeof(heads[0]));
	append(&b, NULL, first - b.len);
	for (size_t i = 0; i < n; i++) {
		append(&b, s[i].bytes.at, s[i].bytes.len);
		append(&b, NULL, pad_length(b.len) - b.len);
		free(s[i].bytes.at);
	}
	return b;
}

static int usage(void)
{
	fprintf(stderr, "usage: xclbin PAIRS PLATFORM KERNELS.so OUTPUT [PORTS [BANKS]]\n"
			"       xclbin --link MHZ PAIRS PLATFORM CORE.so OUTPUT\n"
			"PAIRS: of send and recv, or link cores, 1 to %d\n"
			"PORTS: of AuroraFlow, 0 to %d; default 0\n"
			"BANKS: of memory, 1 to %d; default 1\n"
			"MHZ: the cores' clock\n", KERNELS_MAX_PAIRS, AURORA_PORTS,
			KERNELS_MAX_PAIRS);
	return 2;
}

int main(int argc, char **argv)
{
	bool link = argc == 7 && !strcmp(argv[1], "--link");
	unsigned mhz = link ? (unsigned)atoi(argv[2]) : 0;
	unsigned pairs, ports, banks;
	struct bytes b;
	FILE *f;

	if (link) {
		kernels = link_core;
		nkernels = 1;
		argv += 2;
		argc -= 2;
	}
	pairs = argc >= 5 && argc <= 7 ? (unsigned)atoi(argv[1]) : 0;
	ports = argc >= 6 ? (unsigned)atoi(argv[5]) : 0;
	banks = argc == 7 ? (unsigned)atoi(argv[6]) : 1;
	if (!pairs || pairs > KERNELS_MAX_PAIRS || ports > AURORA_PORTS || !banks ||
	    banks > KERNELS_MAX_PAIRS || (link && (!mhz || mhz > UINT16_MAX)))
		return usage();
	b = assemble((struct section[]){
			     { IP_LAYOUT, "ip_layout", make_units(pairs, ports) },
			     { MEM_TOPOLOGY, "mem_topology", make_memory(banks) },
			     { CONNECTIVITY, "connectivity", make_connectivity(pairs, banks) },
			     { EMBEDDED_METADATA, "embedded_meta", make_xml(pairs, ports) },
			     { BITSTREAM, "bitstream", read_file(argv[3]) },
			     { CLOCK_FREQ_TOPOLOGY, "clocks",
			       link ? make_clocks(mhz) : (struct bytes){ 0 } },
		     }, link ? 6 : 5, argv[2]);
	f = fopen(argv[4], "wb");
	if (!f || fwrite(b.at, 1, b.len, f) != b.len || fclose(f))
		die(argv[4]);
	free(b.at);
	return 0;
}
