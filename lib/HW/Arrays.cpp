//===- Arrays.cpp - Numbers of callers and elements -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Arrays.h"

#include "ane/HW/Float16.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ane::hw {

std::optional<size_t> lowOf(absl::Span<const Tensor> tensors, size_t index) {
  const size_t next = index + 1;
  if (next >= tensors.size() || !tensors[next].isLow || tensors[index].isLow)
    return std::nullopt;
  return next;
}

bool canBeLow(const Tensor &high, const Tensor &candidate) {
  auto isHalves = [](const Tensor &tensor) {
    return tensor.kind == TensorKind::Input &&
           tensor.type == ElementType::Float16;
  };
  return isHalves(high) && isHalves(candidate) && !high.isLow &&
         high.denseShape() == candidate.denseShape();
}

static void putHalf(float value, uint8_t *to) {
  const uint16_t bits = toHalfBits(value);
  std::memcpy(to, &bits, sizeof(bits));
}

static float halfAt(const uint8_t *from) {
  uint16_t bits;
  std::memcpy(&bits, from, sizeof(bits));
  return fromHalfBits(bits);
}

static uint8_t byteOf(ElementType type, float value) {
  const bool isSigned = type == ElementType::Int8;
  const float low = isSigned ? -128 : 0, high = isSigned ? 127 : 255;
  value = std::isnan(value) ? 0 : std::nearbyint(value);
  return static_cast<uint8_t>(static_cast<int>(std::clamp(value, low, high)));
}

Elements narrow(ElementType type, absl::Span<const uint8_t> numbers,
                bool isPair) {
  const size_t count = numbers.size() / sizeof(float);
  const uint32_t size = elementBytes(type);
  Elements result;
  result.dense.resize(count * size);
  const bool isHalf = type == ElementType::Float16;
  result.low.resize(isHalf && isPair ? count * size : 0);
  for (size_t i = 0; i < count; ++i) {
    float value;
    std::memcpy(&value, numbers.data() + i * sizeof(value), sizeof(value));
    uint8_t *to = &result.dense[i * size];
    if (!isHalf) {
      *to = byteOf(type, value);
      continue;
    }
    putHalf(value, to);
    const float high = halfAt(to);
    result.infinities += std::isinf(high) && std::isfinite(value);
    result.underflows += high == 0 && value != 0;
    // A difference of neighbours: exact.
    if (!result.low.empty() && std::isfinite(high))
      putHalf(value - high, &result.low[i * size]);
  }
  return result;
}

std::vector<float> widen(ElementType type, absl::Span<const uint8_t> dense) {
  const uint32_t size = elementBytes(type);
  std::vector<float> numbers(dense.size() / size);
  for (size_t i = 0; i < numbers.size(); ++i) {
    const uint8_t *from = &dense[i * size];
    numbers[i] = type == ElementType::Float16 ? halfAt(from)
                 : type == ElementType::Int8
                     ? static_cast<float>(static_cast<int8_t>(*from))
                     : static_cast<float>(*from);
  }
  return numbers;
}

} // namespace ane::hw
