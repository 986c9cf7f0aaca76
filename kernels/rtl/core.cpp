/* SPDX-License-Identifier: Apache-2.0 */
/* C functions for a core made by Verilator. */
#include "core.h"

#include <memory>

#include "card.hpp"

double sc_time_stamp()
{
	return 0;
}

struct core {
	card c;
	std::unique_ptr<register_access> todo;
};

struct core *core_new(void)
{
	struct core *c = new core();

	for (int i = 0; i < 8; i++) {
		c->c.top.ap_rst_n = i >= 4;
		core_cycle(c, false, nullptr, nullptr);
	}
	return c;
}

int core_cycle(struct core *c, bool out_ready, const void *in, void *sent)
{
	int did;

	if (c->todo)
		c->todo->drive();
	c->c.settle(out_ready, in, static_cast<const beat_t *>(in));
	if (c->todo)
		c->todo->look();
	did = (c->c.sends() ? CORE_SENDS : 0) | (c->c.takes() ? CORE_TAKES : 0);
	if (did & CORE_SENDS)
		memcpy(sent, &c->c.top.out_tdata, CORE_WIDTH);
	c->c.edge();
	return did;
}

void core_access(struct core *c, bool writes, uint32_t offset, uint32_t value)
{
	if (writes)
		c->todo.reset(new register_access(c->c, offset, value));
	else
		c->todo.reset(new register_access(c->c, offset));
}

bool core_accessed(const struct core *c, uint32_t *value)
{
	*value = c->todo->value;
	return c->todo->done;
}
