/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An hls::stream that behaves as on a card. It connects threads: kernels, or processes of a
 * dataflow region. A write to a full stream and a read from an empty one wait. A stream within a
 * kernel has the depth of its type, or HLS's default of 2. The test sets the depth of the others.
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
	bool waits;		/* a reader waits for the next item */

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
	/* Returns the number of items written so far. */
	unsigned long written()
	{
		std::unique_lock<std::mutex> held(lock);

		return nwritten;
	}
	/* Returns when the reader has taken all items and waits for more. */
	void await_reader()
	{
		std::unique_lock<std::mutex> held(lock);

		moved.wait(held, [this] { return waits && items.empty(); });
	}
};

/*
 * The processes of a dataflow region, each in a thread. The region ends when all processes have
 * ended.
 */
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
