//===- Parallel.h - Work on several threads ---------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads live for one call. A task of a program takes milliseconds where this
// is used, a thread some 20 us to start, so a pool would not pay for its state.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_SIMULATOR_PARALLEL_H
#define ANE_LIB_SIMULATOR_PARALLEL_H

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace ane::sim {

/// Calls `body(i)` for i in [0, count) on at most `threads` threads (0: as many
/// as the machine has). The order is open; bodies must not share what they
/// write.
template <typename Body>
void parallelFor(size_t count, unsigned threads, const Body &body) {
  if (!threads)
    threads = std::max(1u, std::thread::hardware_concurrency());
  threads = static_cast<unsigned>(std::min<size_t>(threads, count));
  std::atomic<size_t> next{0};
  auto work = [&] {
    for (size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;)
      body(i);
  };
  std::vector<std::thread> helpers;
  for (unsigned t = 1; t < threads; ++t)
    helpers.emplace_back(work);
  work();
  for (std::thread &helper : helpers)
    helper.join();
}

} // namespace ane::sim

#endif // ANE_LIB_SIMULATOR_PARALLEL_H
