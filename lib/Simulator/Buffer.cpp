//===- Buffer.cpp - Memory for tensors ------------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffer.h"

#include "absl/container/flat_hash_map.h"

#include <mutex>

namespace ane::sim {
namespace {

constexpr std::align_val_t kAlign{64};
/// Smaller blocks are the business of the C++ library.
constexpr size_t kSmallest = 16 << 10;
/// What is kept at most.
constexpr size_t kKept = 128 << 20;

/// Sizes in steps of a quarter of a power of two, so that blocks fit again.
size_t sizeClass(size_t bytes) {
  bytes += kBufferSlack;
  if (bytes < kSmallest)
    return bytes;
  size_t step = 1;
  while (step * 8 < bytes)
    step *= 2;
  return (bytes + step - 1) / step * step;
}

class Pool {
public:
  void *take(size_t size) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      std::vector<void *> &blocks = free[size];
      if (!blocks.empty()) {
        void *block = blocks.back();
        blocks.pop_back();
        kept -= size;
        return block;
      }
    }
    return ::operator new(size, kAlign);
  }
  void give(void *block, size_t size) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (kept + size <= kKept) {
        free[size].push_back(block);
        kept += size;
        return;
      }
    }
    ::operator delete(block, kAlign);
  }

private:
  std::mutex mutex;
  absl::flat_hash_map<size_t, std::vector<void *>> free;
  size_t kept = 0;
};

/// Never destroyed: buffers may outlive any other static object.
Pool &pool() {
  static Pool &instance = *new Pool;
  return instance;
}

} // namespace

void *takeBlock(size_t bytes) {
  size_t size = sizeClass(bytes);
  return size < kSmallest ? ::operator new(size, kAlign) : pool().take(size);
}

void giveBlock(void *block, size_t bytes) {
  size_t size = sizeClass(bytes);
  if (size < kSmallest)
    ::operator delete(block, kAlign);
  else
    pool().give(block, size);
}

} // namespace ane::sim
