//===- ChannelTask.h - Tasks that treat channels one by one -----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementwise work and unicast convolutions do little with each element, so a
// whole tensor in single precision would cost more than the work: it passes the
// cache three times. Such a task runs in slices of channels that stay in the
// cache from the load to the store, and the slices are spread over threads.
//
// Only the order in which channels are computed differs. Where the result lies
// over a source in another way than element by element, the task runs as a
// whole.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_SIMULATOR_CHANNELTASK_H
#define ANE_LIB_SIMULATOR_CHANNELTASK_H

#include "KernelDMA.h"
#include "ValueTally.h"

namespace ane::sim {

/// A tensor and the memory that it is in.
struct View {
  Pattern pattern;
  const uint8_t *bytes = nullptr; ///< null: there is none
};
struct ResultView {
  Pattern pattern;
  uint8_t *bytes = nullptr;
};

struct ChannelTask {
  const TaskConfig &task;
  View first, second;
  Kernel kernel;
  ResultView result;
};

/// Whether the task can run so, and is large enough.
bool worksByChannel(const TaskConfig &task);

/// What the engine has against the task; to be asked before the result is
/// opened.
absl::Status checkChannels(const ChannelTask &work);

/// Computes, counts and stores.
absl::Status computeChannels(const ChannelTask &work, const Options &options,
                             ValueTally &tally);

} // namespace ane::sim

#endif // ANE_LIB_SIMULATOR_CHANNELTASK_H
