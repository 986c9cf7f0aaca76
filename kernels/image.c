/* SPDX-License-Identifier: Apache-2.0 */
/* Loads images: compute units from IP_LAYOUT, kernels from BITSTREAM, which is a shared object. */
#include "card.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define UNITS_MAX 128	/* number of bits in a command's mask */

/* True if the header, the table and every section are within the image. */
static bool is_consistent(const struct axlf *a)
{
	uint64_t length = a->m_header.m_length, n = a->m_header.m_numSections;

	if (memcmp(a->m_magic, "xclbin2", 8) || length < sizeof(*a) || n > XCLBIN_MAX_NUM_SECTION ||
	    offsetof(struct axlf, m_sections) + n * sizeof(a->m_sections[0]) > length)
		return false;
	for (uint64_t i = 0; i < n; i++) {
		const struct axlf_section_header *s = &a->m_sections[i];

		if (s->m_sectionOffset > length || s->m_sectionSize > length - s->m_sectionOffset ||
		    s->m_sectionOffset % 8)
			return false;
	}
	return true;
}

/* Returns the bytes of a section; if it is absent, NULL with *size 0. */
static const void *find_section(const struct axlf *a, uint32_t kind, uint64_t *size)
{
	*size = 0;
	for (uint32_t i = 0; i < a->m_header.m_numSections; i++) {
		const struct axlf_section_header *s = &a->m_sections[i];

		if (s->m_sectionKind != kind)
			continue;
		*size = s->m_sectionSize;
		return (const char *)a + s->m_sectionOffset;
	}
	return NULL;
}

static int by_base(const void *a, const void *b)
{
	const struct compute_unit *x = a, *y = b;

	return x->base < y->base ? -1 : x->base > y->base;
}

/* Splits "kernel:unit". The number at the end of the unit's name is its pair. */
static int name_unit(struct compute_unit *u, const uint8_t text[64])
{
	char name[65] = "", *colon, *number;

	memcpy(name, text, 64);
	colon = strchr(name, ':');
	if (!colon || colon == name || !colon[1])
		return -EINVAL;
	*colon = '\0';
	snprintf(u->kernel, sizeof(u->kernel), "%.63s", name);
	snprintf(u->name, sizeof(u->name), "%.63s", colon + 1);
	number = strrchr(u->name, '_');
	u->unit.pair = number ? (unsigned)strtoul(number + 1, NULL, 10) : 0;
	return 0;
}

/*
 * Returns the bank of memory that the pointers of a unit reach. `unit` is its number in IP_LAYOUT.
 */
static unsigned bank_of(const struct card *c, const struct axlf *a, int unit)
{
	uint64_t size;
	const struct connectivity *list = find_section(a, CONNECTIVITY, &size);
	const struct connection *at = list ? list->m_connection : NULL;

	for (int32_t i = 0; list && size >= sizeof(*list) && i < list->m_count; i++, at++)
		if ((uint64_t)((const char *)(at + 1) - (const char *)list) > size)
			break;
		else if (at->m_ip_layout_index == unit)
			return (unsigned)at->mem_data_index % c->banks;
	return 0;
}

static void read_banks(struct card *c, const struct axlf *a)
{
	uint64_t size;
	const struct mem_topology *m = find_section(a, MEM_TOPOLOGY, &size);

	c->banks = m && size >= sizeof(m->m_count) && m->m_count > 0 &&
		   m->m_count <= KERNELS_MAX_PAIRS ? (unsigned)m->m_count : 1;
}

static int read_units(struct card *c, const struct axlf *a)
{
	uint64_t size;
	const struct ip_layout *ips = find_section(a, IP_LAYOUT, &size);
	int err = 0;

	if (!ips)
		return 0;
	if (size < offsetof(struct ip_layout, m_ip_data) || ips->m_count < 0 ||
	    ips->m_count > UNITS_MAX || offsetof(struct ip_layout, m_ip_data) +
	    (uint64_t)ips->m_count * sizeof(ips->m_ip_data[0]) > size)
		return -EINVAL;
	c->units = calloc((size_t)ips->m_count + 1, sizeof(*c->units));
	if (!c->units)
		return -ENOMEM;
	for (int i = 0; i < ips->m_count && !err; i++) {
		struct compute_unit *u = &c->units[c->nunits];

		if (ips->m_ip_data[i].m_type != IP_KERNEL)
			continue;
		u->card = c;
		u->base = ips->m_ip_data[i].m_base_address;
		u->by_itself = (ips->m_ip_data[i].properties & IP_CONTROL_MASK) >>
			       IP_CONTROL_SHIFT == AP_CTRL_NONE;
		u->bank = bank_of(c, a, i);
		u->elapsed_s = NAN;
		err = name_unit(u, ips->m_ip_data[i].m_name);
		c->nunits++;
	}
	qsort(c->units, c->nunits, sizeof(*c->units), by_base);
	return err;
}

/*
 * Opens the bytes with dlopen. c->image stays NULL if they are no shared object. The file stays
 * open: the linker identifies objects by path, so the next image must get another path.
 */
static void load_object(struct card *c, const void *bytes, uint64_t size)
{
	char path[64];
	int fd = memfd_create("netbench-image", MFD_CLOEXEC);

	if (fd < 0)
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, bytes, size) == (ssize_t)size)
		c->image = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (c->image)
		c->image_fd = fd;
	else
		close(fd);
}

static bool is_compatible(const struct image_info *info)
{
	return info && info->abi == UNIT_ABI && info->lanes && info->lanes <= KERNELS_MAX_LANES &&
	       info->width >= 8 && info->width <= CHUNK_MAX;
}

static void find_kernel(struct card *c, struct compute_unit *u)
{
	char symbol[sizeof(KERNEL_PREFIX) + sizeof(u->kernel)];
	void *found;

	snprintf(symbol, sizeof(symbol), "%s%s", KERNEL_PREFIX, u->kernel);
	found = dlsym(c->image, symbol);
	memcpy(&u->run, &found, sizeof(found));
	if (u->unit.pair >= KERNELS_MAX_PAIRS)
		u->run = NULL;
	else if (u->run && u->unit.pair >= c->pairs &&
		 (!strcmp(u->kernel, KERNEL_SEND) || !strcmp(u->kernel, NB_KERNEL)))
		c->pairs = u->unit.pair + 1;
}

/*
 * Finds the kernels of an image. An image of another project also loads, but its kernels fail when
 * started.
 */
static int read_kernels(struct card *c, const struct axlf *a)
{
	uint64_t size;
	const void *bytes = find_section(a, BITSTREAM, &size);
	void *found;

	if (bytes && size)
		load_object(c, bytes, size);
	if (!c->image)
		return 0;
	c->info = dlsym(c->image, IMAGE_SYMBOL);
	if (c->info && !is_compatible(c->info))
		return -ENOEXEC;
	for (size_t i = 0; i < c->nunits && c->info; i++)
		find_kernel(c, &c->units[i]);
	found = dlsym(c->image, REGISTER_SYMBOL);
	memcpy(&c->read_register, &found, sizeof(found));
	return 0;
}

static void clear_image(struct card *c)
{
	free(c->units);
	c->units = NULL;
	c->nunits = 0;
	c->pairs = 0;
	c->banks = 0;
	c->info = NULL;
	c->read_register = NULL;
	c->paced = false;
	if (c->image) {
		dlclose(c->image);
		close(c->image_fd);
	}
	c->image = NULL;
}

int image_load(struct card *c, const struct axlf *a)
{
	int err = is_consistent(a) ? 0 : -EINVAL;

	if (!err) {
		read_banks(c, a);
		err = read_units(c, a);
	}
	if (!err)
		err = read_kernels(c, a);
	if (!err)
		err = wires_open(c);
	if (!err)
		err = compute_start(c);
	if (err) {
		wires_close(c);
		clear_image(c);
	}
	return err;
}

bool image_unload(struct card *c)
{
	if (!compute_stop(c))
		return false;
	wires_close(c);
	clear_image(c);
	return true;
}
