//===- LiveResults.h - Results in L2 that may still be read -----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No word says how long a result in L2 is needed, but a reader does: one that
// reads a part of a result needs all it reads of it. Where a task that did not
// read that result wrote over some of it in between, two live ranges overlap,
// and the reader would mix two tensors. A task may write over what it reads.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SIMULATOR_LIVERESULTS_H
#define ANE_SIMULATOR_LIVERESULTS_H

#include "ane/HW/Footprint.h"

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace ane::sim {

class LiveResults {
public:
  /// `task` reads a source; fails where a result in it was torn. `reader` is
  /// for the message: "source 1".
  absl::Status read(const hw::Footprint &bytes, uint32_t task,
                    absl::string_view reader);
  void write(const hw::Footprint &bytes, uint32_t task);

private:
  /// A result and the bytes that it still has, from `first` on.
  struct Result {
    uint32_t task;
    uint64_t first, end;
    hw::ByteSet held, torn;
    bool isTorn = false;
    uint32_t tornBy = 0;
  };

  void tear(Result &result, const hw::Footprint &bytes, uint32_t task);

  std::vector<Result> results;
  std::vector<hw::Footprint> sources; ///< what `reader` has read in L2
  uint32_t reader = 0;
};

} // namespace ane::sim

#endif // ANE_SIMULATOR_LIVERESULTS_H
