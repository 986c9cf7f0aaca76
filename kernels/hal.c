/* SPDX-License-Identifier: Apache-2.0 */
/* XRT's shim functions for opening and loading. memory.c and compute.c have the others. */
#include "card.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Two C++ functions of XRT. The first returns a std::shared_ptr, which consists of two pointers. By
 * the x86-64 ABI the caller provides room for it and passes its address as a hidden first argument.
 */
void xrt_device_of(void *made[2], void *handle, unsigned index)
	__asm__("_ZN8xrt_core5swemu17get_userpf_deviceEPvj");
void xrt_register_image(void *device, const struct axlf *axlf)
	__asm__("_ZN8xrt_core6device13register_axlfEPK4axlf");

static pthread_mutex_t cards_lock = PTHREAD_MUTEX_INITIALIZER;
static struct card *cards;	/* never freed: libxrt_coreutil keeps their addresses */

struct card *card_find(unsigned index)
{
	struct card *c;

	pthread_mutex_lock(&cards_lock);
	for (c = cards; c && !(c->open && c->index == index); c = c->next)
		;
	pthread_mutex_unlock(&cards_lock);
	return c;
}

unsigned xclProbe(void)
{
	return 1;
}

static struct card *card_new(unsigned index)
{
	struct card *c = calloc(1, sizeof(*c));
	pthread_condattr_t attr;

	if (!c)
		return NULL;
	c->index = index;
	pthread_mutex_init(&c->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&c->done, &attr);
	pthread_condattr_destroy(&attr);
	return c;
}

/*
 * Returns a closed card of this number together with its XRT object, or a new card; NULL without
 * memory.
 */
static struct card *card_reuse_or_make(unsigned index)
{
	struct card *c;

	pthread_mutex_lock(&cards_lock);
	for (c = cards; c && (c->open || c->index != index); c = c->next)
		;
	if (!c && (c = card_new(index))) {
		c->next = cards;
		cards = c;
	}
	if (c)
		c->open = true;
	pthread_mutex_unlock(&cards_lock);
	return c;
}

xclDeviceHandle xclOpen(unsigned index, const char *log, enum xclVerbosityLevel level)
{
	struct card *c = card_reuse_or_make(index);

	(void)log;
	(void)level;
	if (!c)
		return NULL;
	if (memory_open(c)) {
		c->open = false;
		return NULL;
	}
	if (!c->xrt[0])
		xrt_device_of(c->xrt, c, index);
	atomic_store(&c->stop, false);
	c->unreported = 0;
	return c;
}

void xclClose(xclDeviceHandle handle)
{
	struct card *c = handle;

	if (!c || !c->open)
		return;
	if (image_unload(c))
		memory_close(c);
	else	/* a kernel runs on without using a channel, so it keeps its memory */
		c->index = (unsigned)-1;
	c->open = false;
}

int xclGetDeviceInfo2(xclDeviceHandle handle, struct xclDeviceInfo2 *info)
{
	const struct card *c = handle;

	memset(info, 0, sizeof(*info));
	info->mMagic = 0x586c0c6c;
	strcpy(info->mName, "netbench_emulated");
	info->mDDRSize = c->memory_size;
	info->mDDRFreeSize = c->memory_size;
	info->mDataAlignment = 4096;
	info->mMinTransferSize = 1;
	info->mDDRBankCount = 1;
	return 0;
}

int xclLoadXclBin(xclDeviceHandle handle, const struct axlf *axlf)
{
	struct card *c = handle;
	int err;

	if (!c || !c->open)
		return -ENODEV;
	if (!image_unload(c))
		return -EBUSY;
	atomic_store(&c->stop, false);
	err = image_load(c, axlf);
	if (!err)
		xrt_register_image(c->xrt[0], axlf);
	return err;
}

/* Returns the index of a compute unit by its name "kernel:unit". */
int xclIPName2Index(xclDeviceHandle handle, const char *name)
{
	const struct card *c = handle;
	char own[sizeof(c->units->kernel) + sizeof(c->units->name)];

	for (size_t i = 0; i < c->nunits; i++) {
		snprintf(own, sizeof(own), "%s:%s", c->units[i].kernel, c->units[i].name);
		if (!strcmp(own, name))
			return (int)i;
	}
	return -ENOENT;
}

/*
 * Opens a context. Only units whose registers are read have a count: one exclusive context, as XRT
 * requests.
 */
int xclOpenContext(xclDeviceHandle handle, const xuid_t image, unsigned unit, bool shared)
{
	struct card *c = handle;
	int err = 0;

	(void)image;
	if (unit == (unsigned)-1)
		return 0;
	if (unit >= c->nunits)
		return -EINVAL;
	pthread_mutex_lock(&c->lock);
	if (c->units[unit].by_itself && c->units[unit].owned)
		err = -EBUSY;
	else if (c->units[unit].by_itself)
		c->units[unit].owned = !shared;
	pthread_mutex_unlock(&c->lock);
	return err;
}

int xclCloseContext(xclDeviceHandle handle, const xuid_t image, unsigned unit)
{
	struct card *c = handle;

	(void)image;
	if (unit < c->nunits) {
		pthread_mutex_lock(&c->lock);
		c->units[unit].owned = false;
		pthread_mutex_unlock(&c->lock);
	}
	return 0;
}

/*
 * Reads a register of a unit that runs without commands, or of an idle link core. Call it under the
 * lock.
 */
static int read_register(const struct card *c, const struct compute_unit *u, uint32_t offset,
			 uint32_t *value)
{
	if (u->by_itself && !u->owned)
		return -EPERM;
	if (u->pending)
		return -EBUSY;
	if (!c->read_register)
		return -EIO;
	*value = c->read_register(u->unit.pair, wires_whole(c, u->unit.pair), offset, c->cycle_s);
	return 0;
}

/*
 * Reads a register. An ordinary compute unit has only register 0, idle or started, because
 * arguments come with commands. Units that run without commands and link cores have more.
 */
int xclRegRead(xclDeviceHandle handle, uint32_t unit, uint32_t offset, uint32_t *value)
{
	struct card *c = handle;
	int err = 0;

	if (unit >= c->nunits)
		return -EINVAL;
	pthread_mutex_lock(&c->lock);
	if (c->units[unit].by_itself || (offset && !strcmp(c->units[unit].kernel, NB_KERNEL)))
		err = read_register(c, &c->units[unit], offset, value);
	else
		*value = offset ? 0 : c->units[unit].pending ? 1 : 4;
	pthread_mutex_unlock(&c->lock);
	return err;
}

int xclRegWrite(xclDeviceHandle handle, uint32_t unit, uint32_t offset, uint32_t value)
{
	const struct card *c = handle;

	(void)offset;
	(void)value;
	return unit < c->nunits ? -ENOSYS : -EINVAL;
}
