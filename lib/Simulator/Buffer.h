//===- Buffer.h - Memory for tensors ----------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every task needs a few arrays of some megabytes for a moment. Fresh pages
// from the operating system cost more than the arithmetic of a depthwise
// convolution (measured: about 1 us for 4 KiB), so blocks are kept for the next
// task, and elements that nobody asked to be zero are not made zero.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_SIMULATOR_BUFFER_H
#define ANE_LIB_SIMULATOR_BUFFER_H

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

namespace ane::sim {

/// Bytes behind every buffer that may be read, so that loops may use whole
/// vectors. What is there means nothing.
constexpr size_t kBufferSlack = 256;

/// A block of at least `bytes` and kBufferSlack more, aligned to 64. Blocks
/// that were given back are used again; all threads share them.
void *takeBlock(size_t bytes);
/// Gives back what takeBlock(bytes) returned.
void giveBlock(void *block, size_t bytes);

/// Leaves elements without initial value as they are.
template <typename T> struct BufferAllocator {
  using value_type = T;
  BufferAllocator() = default;
  template <typename U> BufferAllocator(const BufferAllocator<U> &) {}

  T *allocate(size_t count) {
    return static_cast<T *>(takeBlock(count * sizeof(T)));
  }
  void deallocate(T *block, size_t count) {
    giveBlock(block, count * sizeof(T));
  }
  template <typename U> void construct(U *at) {
    ::new (static_cast<void *>(at)) U;
  }
  template <typename U, typename... Args>
  void construct(U *at, Args &&...args) {
    ::new (static_cast<void *>(at)) U(std::forward<Args>(args)...);
  }
  bool operator==(const BufferAllocator &) const { return true; }
  bool operator!=(const BufferAllocator &) const { return false; }
};

template <typename T> using Buffer = std::vector<T, BufferAllocator<T>>;

} // namespace ane::sim

#endif // ANE_LIB_SIMULATOR_BUFFER_H
