//===- FuzzHWX.cpp - Any bytes as a .hwx or .anec file --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The readers take any bytes or say what is wrong. What that of .hwx files
// takes is written back as it was; its tasks are read, and written back as
// well. An .anec file has no magic: what is no .hwx file may be one, and the
// program in it is the same once it is written and read again.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/AnecFile.h"
#include "ane/HW/Container.h"
#include "ane/HW/Task.h"

#include <cstdlib>

using namespace ane::hw;

static void readAsAnec(absl::Span<const uint8_t> bytes) {
  absl::StatusOr<Program> program = readAnec(bytes);
  if (!program.ok()) {
    if (program.status().message().empty())
      std::abort();
    return;
  }
  absl::StatusOr<std::vector<uint8_t>> file = writeAnec(*program);
  if (!file.ok())
    std::abort();
  absl::StatusOr<Program> again = readAnec(*file);
  if (!again.ok() || *writeAnec(*again) != *file)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  absl::Span<const uint8_t> bytes(data, size);
  readAsAnec(bytes);
  absl::StatusOr<Container> container = readContainer(bytes);
  if (!container.ok())
    return container.status().message().empty() ? std::abort(), 0 : 0;
  absl::StatusOr<std::vector<uint8_t>> again = writeContainer(*container);
  if (!again.ok() || absl::MakeConstSpan(*again) != bytes)
    std::abort();
  return 0;
}
