/* SPDX-License-Identifier: Apache-2.0 */
#include "model/channel.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/read/fields.h"

#define CUSTOM "custom"
#define CUSTOM_FORM CUSTOM ":c=..,w=..,f=..,lat=..,R=.."

/*
 * Bytes that a packet occupies on the line beside its payload: Ethernet 18, preamble and gap 20, IP
 * 20, UDP 8.
 */
#define PACKET_EXTRA 66

const struct board boards[] = {
	{ .name = "520n",
	  .summary = "BittWare 520N, 4 serial channels, nominal figures of its board package guide "
		     "as quoted by HPCC_FPGA",
	  .c = 2, .w = 32, .f = 156.25e6, .lat = 520e-9, .R = 2 },
	{ .name = "520n-meas",
	  .summary = "BittWare 520N, sequential kernel, our fit to HPCC_FPGA's published "
		     "single-card b_eff table, residuals to 0.27 %",
	  .c = 2, .w = 32, .f = 154.99e6, .lat = 610.4e-9, .R = 2, .serial = true },
	{ .name = "u280",
	  .summary = "Alveo U280 with AuroraFlow, two ports, through an optical switch; latency "
		     "and rate are the best of its authors' measurements, 0.51 us and 95.03 Gbit/s",
	  .c = 1, .w = 64, .f = 185.6e6, .lat = 510e-9, .R = 2 },
	{ .name = "vnx-100g",
	  .summary = "Alveo card with VNx UDP at 100 Gbit/s, two ports, direct cable; latency is "
		     "half the round trip of 18 B in the VNx notebooks",
	  .c = 1, .w = 64, .f = 322.27e6, .lat = 535e-9, .R = 2, .line_rate = 100e9,
	  .payload = 1472 },
	{ .name = "vnx-100g-switch",
	  .summary = "Alveo card with VNx UDP at 100 Gbit/s, one port, through a switch; latency "
		     "is half the round trip of 18 B in the VNx notebooks",
	  .c = 1, .w = 64, .f = 322.27e6, .lat = 1380e-9, .R = 1, .line_rate = 100e9,
	  .payload = 1472 },
	{ 0 },
};

static const struct field custom_fields[] = {
	{ "c", NUMBER_WHOLE, offsetof(struct board, c), .min = 1, .max = 1024, .required = true },
	{ "w", NUMBER_WHOLE, offsetof(struct board, w), .min = 1, .max = 65536, .required = true },
	{ "f", NUMBER_REAL, offsetof(struct board, f), .min = 1, .max = 1e12, .required = true },
	{ "lat", NUMBER_SECONDS, offsetof(struct board, lat), .max = 1, .required = true },
	{ "R", NUMBER_WHOLE, offsetof(struct board, R), .min = 1, .max = 1024, .required = true },
	{ 0 },
};

int board_find(const char *text, struct board *b)
{
	struct board custom = { .name = CUSTOM, .summary = "given on the command line" };
	struct text names = { .n = 0 };
	size_t len = strcspn(text, ":");
	int err;

	for (const struct board *known = boards; known->name; known++) {
		if (!strcmp(text, known->name)) {
			*b = *known;
			return ST_OK;
		}
		text_add(&names, "%s, ", known->name);
	}
	if (len != strlen(CUSTOM) || strncmp(text, CUSTOM, len) != 0)
		return error_usage("no board named '%s' (known: %s" CUSTOM_FORM ")", text,
				   names.s);
	text += len + (text[len] == ':');
	err = fields_parse("board '" CUSTOM "'", text, custom_fields, 1, &custom);
	if (!err)
		*b = custom;
	return err;
}

double board_busy(const struct board *b, uint64_t len)
{
	double packet = (double)(len < b->payload ? len : b->payload);
	uint64_t granule = b->c * b->w;

	if (!(b->line_rate > 0))
		return (double)(len / granule + (len % granule != 0)) / b->f;
	if (!len) /* 0 bytes: the formula's limit is the time of one packet without payload */
		return 8 * PACKET_EXTRA / b->line_rate;
	return 8 * (double)len * (packet + PACKET_EXTRA) / (b->line_rate * packet);
}

double board_time(const struct board *b, uint64_t len)
{
	return (board_busy(b, len) + b->lat) * (b->serial ? 2 : 1);
}

double board_pair_bandwidth(const struct board *b, uint64_t len)
{
	return len ? (double)len / board_time(b, len) : NAN;
}

double board_pair_beff(const struct board *b, const uint64_t *sizes, size_t n, size_t *counted)
{
	double sum = 0;

	*counted = 0;
	for (size_t i = 0; i < n; i++) {
		if (!sizes[i])
			continue;
		sum += board_pair_bandwidth(b, sizes[i]);
		++*counted;
	}
	return *counted ? sum / (double)*counted : NAN;
}
