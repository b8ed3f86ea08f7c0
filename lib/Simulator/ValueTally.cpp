//===- ValueTally.cpp - Counting what is no number ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueTally.h"

#include "ane/HW/Float16.h"
#include "ane/HW/Layout.h"

#include <algorithm>
#include <cstring>

namespace ane::sim {

static ValueCounts countHalves(const std::vector<uint8_t> &bytes) {
  constexpr uint16_t sizeBits = 0x7fff, infinity = 0x7c00, normal = 0x400;
  ValueCounts counts;
  counts.elements = bytes.size() / sizeof(uint16_t);
  uint16_t largest = 0;
  for (size_t i = 0; i < counts.elements; ++i) {
    uint16_t bits;
    std::memcpy(&bits, bytes.data() + i * sizeof(bits), sizeof(bits));
    bits &= sizeBits;
    counts.infinities += bits == infinity;
    counts.nans += bits > infinity;
    counts.subnormals += bits && bits < normal;
    largest = std::max(largest, bits < infinity ? bits : uint16_t(0));
  }
  counts.largest = hw::fromHalfBits(largest);
  return counts;
}

ValueCounts countValues(const hw::Tensor &tensor,
                        absl::Span<const uint8_t> surface) {
  std::vector<uint8_t> dense(tensor.elementCount() *
                             hw::elementBytes(tensor.type));
  if (!hw::unpackSurface(tensor, surface, absl::MakeSpan(dense)).ok())
    return {};
  if (tensor.type == hw::ElementType::Float16)
    return countHalves(dense);
  ValueCounts counts;
  for (uint8_t byte : dense) {
    const float value = tensor.type == hw::ElementType::Int8
                            ? static_cast<int8_t>(byte)
                            : static_cast<float>(byte);
    countValue(value, value, counts);
  }
  return counts;
}

} // namespace ane::sim
