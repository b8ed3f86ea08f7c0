//===- L2.cpp - The software-managed memory of the engine -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "L2.h"

#include "absl/strings/str_format.h"

#include <algorithm>

namespace ane::sim {

L2Memory::L2Memory(uint64_t size) : bytes(size), written(size) {}

void L2Memory::clear() { std::fill(bytes.begin(), bytes.end(), uint8_t(0)); }

absl::Status L2Memory::checkEnd(const Pattern &pattern,
                                absl::string_view user) const {
  if (pattern.end() <= bytes.size())
    return absl::OkStatus();
  return absl::OutOfRangeError(absl::StrFormat(
      "%s (%s) covers L2 bytes 0x%x to 0x%x, but L2 has 0x%x bytes", user,
      text(pattern.dims), pattern.base, pattern.end(), bytes.size()));
}

absl::Status L2Memory::missing(absl::string_view reader, uint64_t at) const {
  for (auto range = streamed.rbegin(); range != streamed.rend(); ++range)
    if (range->begin <= at && at < range->end)
      return absl::FailedPreconditionError(absl::StrFormat(
          "%s reads L2 byte 0x%x, over which a tile of task %d was streamed",
          reader, at, range->task));
  return absl::FailedPreconditionError(absl::StrFormat(
      "%s reads L2 byte 0x%x, which no task wrote", reader, at));
}

absl::StatusOr<const uint8_t *> L2Memory::open(const Pattern &pattern,
                                               uint32_t task,
                                               absl::string_view reader) {
  if (absl::Status status = checkEnd(pattern, reader); !status.ok())
    return status;
  highest = std::max(highest, pattern.end());
  for (const hw::Footprint &part : pattern.footprints()) {
    if (std::optional<uint64_t> at = part.firstMissing(written))
      return missing(reader, *at);
    if (absl::Status status = live.read(part, task, reader); !status.ok())
      return status;
  }
  return bytes.data();
}

absl::StatusOr<uint8_t *> L2Memory::openResult(const Pattern &pattern,
                                               uint32_t task,
                                               absl::string_view writer) {
  if (absl::Status status = checkEnd(pattern, writer); !status.ok())
    return status;
  if (absl::Status status = pattern.checkDistinct(writer); !status.ok())
    return status;
  highest = std::max(highest, pattern.end());
  for (const hw::Footprint &part : pattern.footprints()) {
    live.write(part, task);
    part.insertInto(written);
  }
  return bytes.data();
}

void L2Memory::streamOver(uint64_t begin, uint64_t end, uint32_t task) {
  highest = std::max(highest, end);
  begin = std::min<uint64_t>(begin, bytes.size());
  end = std::min<uint64_t>(end, bytes.size());
  if (begin >= end)
    return;
  written.erase(begin, end);
  streamed.push_back({begin, end, task});
}

uint64_t L2Memory::takeHighest() {
  uint64_t result = highest;
  highest = 0;
  return result;
}

} // namespace ane::sim
