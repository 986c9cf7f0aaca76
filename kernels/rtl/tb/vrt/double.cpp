/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A test double of SLASH's VRT: a card with two link cores that Verilator has made, wired to each
 * other. A thread runs their clock. netbench reaches them only by their registers.
 *
 * Environment variables:
 *	NETBENCH_DOUBLE_MHZ	the clock that the image states, by default unknown
 */
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <vrt/device.hpp>
#include <vrt/kernel.hpp>

#include "core.h"

#define CORES 2
#define DELAY 83	/* cycles from handshake to handshake */

namespace {

struct beat {
	uint64_t at;
	unsigned char bytes[CORE_WIDTH];
};

/* The card. `lock` protects its cores and wires. */
struct card {
	std::mutex lock;
	struct core *cores[CORES];
	std::deque<beat> wires[CORES];		/* wires[i] leads to core i */
	uint64_t cycle = 0;
	std::atomic<int> readers{0};
	std::atomic<bool> over{false};
	std::thread clock;

	card()
	{
		for (auto &c : cores)
			c = core_new();
		clock = std::thread([this] {
			while (!over) {
				while (readers)
					std::this_thread::yield();
				std::lock_guard<std::mutex> held(lock);
				for (int i = 0; i < 64; i++)
					tick();
			}
		});
	}

	void tick()
	{
		for (int i = 0; i < CORES; i++) {
			std::deque<beat> &in = wires[i];
			bool there = !in.empty() && in.front().at <= cycle;
			beat sent;
			int did = core_cycle(cores[i], true, there ? in.front().bytes : nullptr,
					     sent.bytes);

			if (did & CORE_TAKES)
				in.pop_front();
			sent.at = cycle + DELAY;
			if (did & CORE_SENDS)
				wires[1 - i].push_back(sent);
		}
		cycle++;
	}

	uint32_t access(int i, bool writes, uint32_t offset, uint32_t value)
	{
		readers++;
		std::lock_guard<std::mutex> held(lock);
		readers--;
		core_access(cores[i], writes, offset, value);
		while (!core_accessed(cores[i], &value))
			tick();
		return value;
	}
};

card *the_card;

}

namespace vrt {

Device::Device(const std::string &bdf, const std::string &path, bool)
{
	if (bdf != "0000:21:00.0")
		throw std::runtime_error("Failed to find device " + bdf);
	if (path.find(".vbin") == std::string::npos)
		throw std::runtime_error("Failed to extract " + path);
	the_card = new card();
}

uint64_t Device::getFrequency()
{
	const char *mhz = getenv("NETBENCH_DOUBLE_MHZ");

	return mhz ? 1000000 * strtoull(mhz, nullptr, 10) : 0;
}

void Device::cleanup()
{
	the_card->over = true;
	the_card->clock.join();
}

Kernel::Kernel(Device, const std::string &name) : number(name.back() - '0')
{
	if (name != "nb_link_0" && name != "nb_link_1")
		throw std::runtime_error("Kernel '" + name + "' not found in system_map metadata");
}

void Kernel::write(uint32_t offset, uint32_t value)
{
	the_card->access(number, true, offset, value);
}

uint32_t Kernel::read(uint32_t offset)
{
	return the_card->access(number, false, offset, 0);
}

}
