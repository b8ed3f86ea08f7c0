//===- Arrays.h - Numbers of callers and elements ----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Callers have numbers of single precision, surfaces have halves or bytes. An
// input whose last bits the network needs, such as the position of which it
// takes a sine, is a pair of surfaces:
//
//   number     p      = 3001.25
//   input p    high   = half(p)        = 3002
//   input p.low       = half(p - high) = -0.75
//
// The sum has 22 bits, so whole numbers up to 2^22 are exact (and up to 65504,
// the largest half). All that feeds programs calls `narrow`.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_ARRAYS_H
#define ANE_HW_ARRAYS_H

#include "ane/HW/Program.h"

namespace ane::hw {

/// The input with the low halves of input `index`; none where halves do.
std::optional<size_t> lowOf(absl::Span<const Tensor> tensors, size_t index);
/// Whether `candidate`, the input after `high`, can be its low half.
bool canBeLow(const Tensor &high, const Tensor &candidate);

/// Numbers as elements, and what became of them.
struct Elements {
  std::vector<uint8_t> dense;
  std::vector<uint8_t> low; ///< halves of what is left of them
  uint64_t infinities = 0;  ///< of finite numbers
  uint64_t underflows = 0;  ///< zeros of others
};

/// Numbers of single precision, four bytes each, as elements of `type`: rounded
/// to halves, or to whole numbers and clamped. `low` is filled for halves if
/// `isPair`; of what is infinite or NaN nothing is left.
Elements narrow(ElementType type, absl::Span<const uint8_t> numbers,
                bool isPair);

/// Elements as numbers of single precision.
std::vector<float> widen(ElementType type, absl::Span<const uint8_t> dense);

} // namespace ane::hw

#endif // ANE_HW_ARRAYS_H
