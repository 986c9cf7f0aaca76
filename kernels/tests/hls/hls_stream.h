/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hls::stream as on a card: between threads, each a kernel or a process of a dataflow region; who writes beyond its depth, or
 * reads what is not there, waits. One within a kernel has the depth of its type, or HLS's 2; of the others the test tells it.
 */
#ifndef NETBENCH_CHECK_HLS_STREAM_H
#define NETBENCH_CHECK_HLS_STREAM_H

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace hls
{

template <typename T, int DEPTH = 2> class stream
{
	std::deque<T> items;
	std::mutex lock;
	std::condition_variable moved;
	std::size_t depth;
	unsigned long nwritten;
	bool waits;		/* a reader does, for the next item */

public:
	stream(std::size_t many = DEPTH) : depth(many), nwritten(0), waits(false)
	{
	}
	void write(const T &item)
	{
		std::unique_lock<std::mutex> held(lock);

		moved.wait(held, [this] { return items.size() < depth; });
		items.push_back(item);
		nwritten++;
		moved.notify_all();
	}
	T read()
	{
		std::unique_lock<std::mutex> held(lock);

		waits = true;
		moved.notify_all();
		moved.wait(held, [this] { return !items.empty(); });
		waits = false;
		T item = items.front();
		items.pop_front();
		moved.notify_all();
		return item;
	}
	bool empty()
	{
		std::unique_lock<std::mutex> held(lock);

		return items.empty();
	}
	/* What was written so far. */
	unsigned long written()
	{
		std::unique_lock<std::mutex> held(lock);

		return nwritten;
	}
	/* Returns when the reader has all, and waits for more. */
	void await_reader()
	{
		std::unique_lock<std::mutex> held(lock);

		moved.wait(held, [this] { return waits && items.empty(); });
	}
};

/* The processes of a dataflow region, a thread each; the region ends when all have. */
class processes
{
	std::vector<std::thread> threads;

public:
	template <typename F> void start(F process)
	{
		threads.emplace_back(process);
	}
	~processes()
	{
		for (std::thread &one : threads)
			one.join();
	}
};

}

#endif
