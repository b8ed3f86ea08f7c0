//===- Completion.cpp - A block that a request calls at its end -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Completion.h"

namespace ane::rt::apple {

absl::Status Completion::open(const Libraries &libraries) {
  Library system;
  if (absl::Status status = system.open(libraries.system); !status.ok())
    return status;
  return system.find("_NSConcreteStackBlock", stackBlock);
}

Id Completion::block() {
  static constexpr Descriptor descriptor = {0, sizeof(Block)};
  own = {stackBlock, 0, 0, end, &descriptor, this};
  std::lock_guard<std::mutex> hold(lock);
  hasEnded = false;
  error.clear();
  return reinterpret_cast<Id>(&own);
}

void Completion::end(Block *block, Bool isGood, Id object) {
  Completion &self = *block->completion;
  std::string said;
  // The thread is one of the system.
  (void)self.objc.guarded([&] {
    if (!isGood)
      said = self.foundation.describeError(object);
    return absl::OkStatus();
  });
  std::lock_guard<std::mutex> hold(self.lock);
  self.error = std::move(said);
  self.hasEnded = true;
  self.changed.notify_all();
}

std::string Completion::wait() {
  std::unique_lock<std::mutex> hold(lock);
  changed.wait(hold, [&] { return hasEnded; });
  return error;
}

} // namespace ane::rt::apple
