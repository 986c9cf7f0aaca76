/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels as a shared object for the emulator. -D CHANNEL_WIDTH=32|64 -D LANES=... */
#include "unit.h"

#ifndef CHANNEL_WIDTH
#define CHANNEL_WIDTH 32
#endif
#ifndef LANES
#define LANES 2
#endif
#define CHUNK_WORDS (CHANNEL_WIDTH / 8)

typedef uint32_t word32;
typedef uint64_t word64;

struct chunk {
	word64 word[CHUNK_WORDS];
};

static word64 read_credit(struct unit *u)
{
	word64 value;

	unit_read(u, &u->credit, &value, sizeof(value), true);
	return value;
}

static void write_credit(struct unit *u, word64 value)
{
	unit_write(u, &u->credit, &value, sizeof(value), true);
}

#define NAME(name) name
#define STATIC static
#define UNROLL
#define ONCE
#define IN_UNROLL
/* Marks the beginning and the end of the next loop for the model of time. */
#define PIPELINE for (bool in = unit_enter(u); in; in = unit_leave(u))
#define IN_PIPELINE unit_iterate(u);
#define OUT struct unit *u,
#define IN OUT
#define TAKE
#define GIVE
#define STORE struct chunk *message,
#define STORES struct chunk *message, struct chunk *message1,
#define PASS_OUT u,
#define PASS_IN u,
#define PASS_GIVE
#define PASS_STORE(second) (second) ? message1 : message,
#define CHANNEL_WRITE(lane, chunk, beat, last) \
	unit_write(u, &u->lanes[lane], &(chunk), CHANNEL_WIDTH, last)
#define CHANNEL_READ(lane, chunk, beat, last) \
	unit_read(u, &u->lanes[lane], &(chunk), CHANNEL_WIDTH, last)
#define CREDIT_WRITE(value) write_credit(u, value)
#define CREDIT_READ() read_credit(u)
#define KEEP(really, k, chunk) unit_keep(u, really ? &message[k] : NULL, &(chunk), CHANNEL_WIDTH)
#include "body.h"

/* Returns argument n of a kernel with these types. A register that was not set is 0. */
static uint64_t argument(const struct unit *u, const char *types, int n)
{
	size_t at = 0;
	uint64_t low, high;

	for (int i = 0; i < n; i++)
		at += REGISTER_ROOM(types[i]) / 4;
	low = at < u->nregisters ? u->registers[at] : 0;
	high = types[n] != 'i' && at + 1 < u->nregisters ? u->registers[at + 1] : 0;
	return high << 32 | low;
}

#define SEND32(stage, which) (word32)argument(u, SEND_TYPES, SEND_ARG(stage, which))
#define SEND64(stage, which) argument(u, SEND_TYPES, SEND_ARG(stage, which))
#define RECV32(stage, which) (word32)argument(u, RECV_TYPES, RECV_ARG(stage, which))
#define RECV64(stage, which) argument(u, RECV_TYPES, RECV_ARG(stage, which))

/*
 * Returns the memory for the last message of a stage, in whole beats; NULL: the stage has no
 * message.
 */
static struct chunk *message_memory(struct unit *u, int stage)
{
	struct stage_of_kernel s = make_stage(RECV32(stage, STAGE_SIZE), 1, 0, 0, 0, 0);

	if (!RECV32(stage, STAGE_COUNT))
		return NULL;
	return u->calls->memory(u, RECV64(stage, STAGE_MESSAGE),
				s.total * CHANNEL_WIDTH * LANES);
}

kernel_fn netbench_kernel_send, netbench_kernel_recv, netbench_kernel_describe;
extern const struct image_info netbench_image;

void netbench_kernel_send(struct unit *u)
{
	send_body(u, (word32)argument(u, SEND_TYPES, ARG_ITERATIONS), SEND32(0, STAGE_SIZE),
		  SEND32(0, STAGE_COUNT), SEND32(0, STAGE_FLAGS), SEND64(0, STAGE_FIRST),
		  SEND64(0, STAGE_STEP), SEND64(0, STAGE_LAST), SEND32(1, STAGE_SIZE),
		  SEND32(1, STAGE_COUNT), SEND32(1, STAGE_FLAGS), SEND64(1, STAGE_FIRST),
		  SEND64(1, STAGE_STEP), SEND64(1, STAGE_LAST));
}

void netbench_kernel_recv(struct unit *u)
{
	recv_body(u, message_memory(u, 0), message_memory(u, 1),
		  (word32)argument(u, RECV_TYPES, ARG_ITERATIONS), RECV32(0, STAGE_SIZE),
		  RECV32(0, STAGE_COUNT), RECV32(0, STAGE_FLAGS), RECV32(1, STAGE_SIZE),
		  RECV32(1, STAGE_COUNT), RECV32(1, STAGE_FLAGS));
}

void netbench_kernel_describe(struct unit *u)
{
	word32 *record = u->calls->memory(u, argument(u, DESCRIBE_TYPES, DESCRIBE_RECORD),
					  DESCRIBE_WORDS * sizeof(*record));

	memset(record, 0, DESCRIBE_WORDS * sizeof(*record));
	record[DESCRIBE_MAGIC] = KERNELS_MAGIC;
	record[DESCRIBE_VERSION] = KERNELS_VERSION;
	record[DESCRIBE_WIDTH] = CHANNEL_WIDTH;
	record[DESCRIBE_LANES] = LANES;
	record[DESCRIBE_PAIRS] = u->pairs;
}

const struct image_info netbench_image = { UNIT_ABI, KERNELS_VERSION, CHANNEL_WIDTH, LANES };
