//===- FuzzAnec.cpp - Any bytes as an .anec file --------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reader takes any bytes or says what is wrong. What it takes is written
// back as it was; the header of an older file grows by zeros.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/AnecFile.h"

#include <algorithm>
#include <cstdlib>

using namespace ane::hw;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  absl::Span<const uint8_t> bytes(data, size);
  absl::StatusOr<Program> program = readAnec(bytes);
  if (!program.ok())
    return program.status().message().empty() ? std::abort(), 0 : 0;
  absl::StatusOr<std::vector<uint8_t>> file = writeAnec(*program);
  if (!file.ok())
    std::abort();
  constexpr size_t oldHeader = 0x800, header = 0x1000;
  if (file->size() == size + header - oldHeader &&
      std::all_of(file->begin() + oldHeader, file->begin() + header,
                  [](uint8_t byte) { return byte == 0; }))
    file->erase(file->begin() + oldHeader, file->begin() + header);
  if (absl::MakeConstSpan(*file) != bytes)
    std::abort();
  return 0;
}
