/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hls::stream between threads, 64 deep; one with a depth of its own is within a kernel, whose processes run one after the other
 * as C++, and so takes all that is written.
 */
#ifndef NETBENCH_CHECK_HLS_STREAM_H
#define NETBENCH_CHECK_HLS_STREAM_H

#include <condition_variable>
#include <deque>
#include <mutex>

namespace hls
{

template <typename T, int DEPTH = 0> class stream
{
	std::deque<T> items;
	std::mutex lock;
	std::condition_variable moved;

public:
	void write(const T &item)
	{
		std::unique_lock<std::mutex> held(lock);

		moved.wait(held, [this] { return DEPTH || items.size() < 64; });
		items.push_back(item);
		moved.notify_all();
	}
	T read()
	{
		std::unique_lock<std::mutex> held(lock);

		moved.wait(held, [this] { return !items.empty(); });
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
};

}

#endif
