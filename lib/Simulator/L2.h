//===- L2.h - The software-managed memory of the engine ---------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_SIMULATOR_L2_H
#define ANE_LIB_SIMULATOR_L2_H

#include "Tile.h"

#include "ane/Simulator/LiveResults.h"

#include "absl/status/statusor.h"

namespace ane::sim {

/// Remembers what each task left there, so that reading what nobody wrote, what
/// was streamed over since, or a result that was written over in part, is an
/// error and not a wrong number.
class L2Memory {
public:
  explicit L2Memory(uint64_t bytes);
  /// Zeros, for a task that reads what is not there yet.
  void clear();

  /// The memory in which `task` may read the pattern. `reader` is for the
  /// message: "source 1".
  absl::StatusOr<const uint8_t *> open(const Pattern &pattern, uint32_t task,
                                       absl::string_view reader);
  /// The memory in which `task` is about to write the pattern. `writer` is for
  /// the message: "the result".
  absl::StatusOr<uint8_t *> openResult(const Pattern &pattern, uint32_t task,
                                       absl::string_view writer);
  /// A tile of `task` streams through [begin, end): what was there is gone.
  void streamOver(uint64_t begin, uint64_t end, uint32_t task);

  /// End of the highest range that was touched since the last call.
  uint64_t takeHighest();

private:
  absl::Status checkEnd(const Pattern &pattern, absl::string_view user) const;
  absl::Status missing(absl::string_view reader, uint64_t at) const;

  struct Streamed {
    uint64_t begin, end;
    uint32_t task;
  };

  Buffer<uint8_t> bytes;
  hw::ByteSet written;            ///< what holds a result
  std::vector<Streamed> streamed; ///< in their order, for messages
  LiveResults live;
  uint64_t highest = 0;
};

} // namespace ane::sim

#endif // ANE_LIB_SIMULATOR_L2_H
