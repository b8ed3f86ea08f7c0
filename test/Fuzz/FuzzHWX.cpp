//===- FuzzHWX.cpp - Any bytes as a .hwx file -----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reader takes any bytes or says what is wrong. What it takes is written
// back as it was; its tasks are read, and written back as well.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Container.h"

#include <cstdlib>

using namespace ane::hw;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  absl::Span<const uint8_t> bytes(data, size);
  absl::StatusOr<Container> container = readContainer(bytes);
  if (!container.ok())
    return container.status().message().empty() ? std::abort(), 0 : 0;
  absl::StatusOr<std::vector<uint8_t>> again = writeContainer(*container);
  if (!again.ok() || absl::MakeConstSpan(*again) != bytes)
    std::abort();
  return 0;
}
