/* SPDX-License-Identifier: Apache-2.0 */
/* Wires the channels of a card. Implements the emulator's interface for the host. */
#include "emulate.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "card.h"

int wires_open(struct card *c)
{
	for (unsigned i = 0; i < c->pairs; i++) {
		c->credits[i] = ring_new();
		if (!c->credits[i])
			return -ENOMEM;
	}
	return 0;
}

static void drop_wire(struct wire *w)
{
	if (!w->borrowed)
		ring_unmap(w->ring);
	*w = (struct wire){ 0 };
}

/* Unwires one or both directions of a channel. A loop loses its other end, too. */
static void drop_channel(struct card *c, unsigned channel, bool transmits, bool receives)
{
	struct ring *gone = transmits ? c->transmit[channel].ring : NULL;

	if (c->bridges[channel]) {
		bridge_close(c->bridges[channel]);
		c->bridges[channel] = NULL;
		drop_wire(&c->transmit[channel]);
		drop_wire(&c->receive[channel]);
		return;
	}
	for (unsigned i = 0; i < KERNELS_MAX_CHANNELS && gone; i++)
		if (c->receive[i].borrowed && c->receive[i].ring == gone)
			drop_wire(&c->receive[i]);
	if (transmits)
		drop_wire(&c->transmit[channel]);
	if (receives)
		drop_wire(&c->receive[channel]);
}

void wires_close(struct card *c)
{
	for (unsigned i = 0; i < KERNELS_MAX_CHANNELS; i++)
		drop_channel(c, i, true, true);
	for (unsigned i = 0; i < KERNELS_MAX_PAIRS; i++) {
		ring_unmap(c->credits[i]);
		c->credits[i] = NULL;
	}
}

bool wires_whole(const struct card *c, unsigned pair)
{
	if (!c->info || pair >= c->pairs)
		return false;
	for (unsigned i = 0; i < c->info->lanes; i++) {
		unsigned channel = CHANNEL_OF(c->pairs, pair, i);

		if (!c->transmit[channel].ring || !c->receive[channel].ring)
			return false;
	}
	return true;
}

void wires_rouse(struct card *c)
{
	for (unsigned i = 0; i < KERNELS_MAX_CHANNELS; i++) {
		ring_rouse(c->transmit[i].ring);
		ring_rouse(c->receive[i].ring);
	}
	for (unsigned i = 0; i < KERNELS_MAX_PAIRS; i++)
		ring_rouse(c->credits[i]);
}

/*
 * Returns the card if its channels a and b can be wired now; else NULL, with a negative errno in
 * *err.
 */
static struct card *card_to_wire(unsigned index, unsigned a, unsigned b, int *err)
{
	struct card *c = card_find(index);

	*err = 0;
	if (!c) {
		*err = -ENODEV;
		return NULL;
	}
	pthread_mutex_lock(&c->lock);
	if (!c->info || !c->pairs)
		*err = -ENXIO;
	else if (a >= c->pairs * c->info->lanes || b >= c->pairs * c->info->lanes)
		*err = -ECHRNG;
	else if (compute_busy(c))
		*err = -EBUSY;
	pthread_mutex_unlock(&c->lock);
	return *err ? NULL : c;
}

static int loop(unsigned card, unsigned from, unsigned to)
{
	int err;
	struct card *c = card_to_wire(card, from, to, &err);
	struct ring *r;

	if (!c)
		return err;
	r = ring_new();
	if (!r)
		return -ENOMEM;
	drop_channel(c, from, true, false);
	drop_channel(c, to, false, true);
	c->transmit[from] = (struct wire){ .ring = r };
	c->receive[to] = (struct wire){ .ring = r, .borrowed = true };
	return 0;
}

static int ring_file(void)
{
	int fd = memfd_create("netbench-channel", MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (ftruncate(fd, RING_BYTES)) {
		int err = -errno;

		close(fd);
		return err;
	}
	return fd;
}

static int ring(unsigned card, unsigned channel, enum emulator_end end, int fd)
{
	int err;
	struct card *c = card_to_wire(card, channel, channel, &err);
	struct ring *r;

	if (!c)
		return err;
	r = ring_map(fd);
	if (!r)
		return -errno;
	err = ring_agree(r, c->info->width);
	if (err) {
		ring_unmap(r);
		return err;
	}
	drop_channel(c, channel, end == EMULATOR_TRANSMITS, end == EMULATOR_RECEIVES);
	if (end == EMULATOR_TRANSMITS)
		c->transmit[channel] = (struct wire){ .ring = r };
	else
		c->receive[channel] = (struct wire){ .ring = r };
	return 0;
}

static int over_socket(unsigned card, unsigned channel, int fd)
{
	int err;
	struct card *c = card_to_wire(card, channel, channel, &err);
	struct ring *out, *in;

	if (!c)
		return err;
	drop_channel(c, channel, true, true);
	out = ring_new();
	in = out ? ring_new() : NULL;
	if (in)
		c->bridges[channel] = bridge_open(fd, out, in, c->info->width);
	if (!c->bridges[channel]) {
		err = in ? -errno : -ENOMEM;
		ring_unmap(out);
		ring_unmap(in);
		return err;
	}
	c->transmit[channel] = (struct wire){ .ring = out };
	c->receive[channel] = (struct wire){ .ring = in };
	return 0;
}

static int pace(unsigned card, double clock_hz, double latency_s, double kernel_hz,
		double launch_s)
{
	int err;
	struct card *c = card_to_wire(card, 0, 0, &err);

	if (!c)
		return err;
	if (!(clock_hz >= 0) || !(latency_s >= 0) || !(kernel_hz >= 0) || !(launch_s >= 0) ||
	    !isfinite(clock_hz) || !isfinite(latency_s) || !isfinite(kernel_hz) ||
	    !isfinite(launch_s))
		return -EINVAL;
	c->paced = clock_hz > 0;
	c->period_s = c->paced ? 1 / clock_hz : 0;
	c->latency_s = c->paced ? latency_s : 0;
	c->cycle_s = c->paced && kernel_hz > 0 ? 1 / kernel_hz : 0;
	c->launch_s = c->paced ? launch_s : 0;
	return 0;
}

static double elapsed(unsigned card, const char *unit)
{
	struct card *c = card_find(card);
	double s = NAN;

	if (!c)
		return s;
	pthread_mutex_lock(&c->lock);
	for (size_t i = 0; i < c->nunits; i++)
		if (!strcmp(c->units[i].name, unit))
			s = c->units[i].elapsed_s;
	pthread_mutex_unlock(&c->lock);
	return s;
}

extern const struct netbench_emulator netbench_emulator;
const struct netbench_emulator netbench_emulator = {
	.abi = EMULATOR_ABI,
	.loop = loop,
	.ring_file = ring_file,
	.ring = ring,
	.socket = over_socket,
	.pace = pace,
	.elapsed = elapsed,
};
