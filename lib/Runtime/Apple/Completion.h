//===- Completion.h - A block that a request calls at its end ---*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A request with shared events returns at once and calls a block when it has
// ended. A block is an object with a function and what it captures, here the
// address of this.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_RUNTIME_APPLE_COMPLETION_H
#define ANE_LIB_RUNTIME_APPLE_COMPLETION_H

#include "Foundation.h"

#include <condition_variable>
#include <mutex>

namespace ane::rt::apple {

/// Of one run after the other. Lives until the last one has called.
class Completion {
public:
  Completion(const ObjC &objc, const Foundation &foundation)
      : objc(objc), foundation(foundation) {}
  absl::Status open(const Libraries &libraries);

  /// Of the next run; whoever keeps it copies it.
  Id block();
  /// Waits for the call; what the system says of a run that failed, else
  /// nothing.
  std::string wait();

private:
  struct Descriptor {
    uintptr_t reserved, size;
  };
  /// *seen* in the specification of blocks, which is public.
  struct Block {
    const void *isa;
    int32_t flags, reserved;
    void (*invoke)(Block *, Bool, Id);
    const Descriptor *descriptor;
    Completion *completion;
  };
  static void end(Block *block, Bool isGood, Id error);

  const ObjC &objc;
  const Foundation &foundation;
  const void *stackBlock = nullptr;
  Block own = {};
  std::mutex lock;
  std::condition_variable changed;
  bool hasEnded = false;
  std::string error; ///< empty: it went well
};

} // namespace ane::rt::apple

#endif // ANE_LIB_RUNTIME_APPLE_COMPLETION_H
