//===- BlobPacking.h - Elements of less than a byte -------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weight files pack elements of 1, 2, 3, 4 and 6 bits without gaps, the first
// in the lowest bits:
//
//    uint4    byte 0 = e1 e0                byte 1 = e3 e2
//    uint3    byte 0 = e2[1:0] e1 e0        byte 1 = e5[0] e4 e3 e2[2]
//
// Eight elements are as many bytes as an element has bits, so work is done by
// eights, and a sequence can be cut at each multiple of eight.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TARGET_MIL_BLOBPACKING_H
#define ANE_TARGET_MIL_BLOBPACKING_H

#include "llvm/Support/MathExtras.h"
#include <cstdint>
#include <cstring>

namespace mlir::ane::mil {

/// Bytes of `count` packed elements; they must be less than 2^61.
constexpr uint64_t getPackedSize(uint64_t count, unsigned bits) {
  return (count * bits + 7) / 8;
}

/// One element a byte, whose higher bits are not looked at -> packed. Writes
/// getPackedSize(count, bits) bytes; bits after the last element are zero.
inline void packElements(const uint8_t *from, uint64_t count, unsigned bits,
                         uint8_t *to) {
  const uint64_t mask = (uint64_t(1) << bits) - 1;
  for (uint64_t i = 0; i < count; i += 8, to += bits) {
    uint64_t few = count - i < 8 ? count - i : 8;
    uint64_t eight = 0;
    for (uint64_t k = 0; k < few; ++k)
      eight |= (from[i + k] & mask) << (k * bits);
    std::memcpy(to, &eight, getPackedSize(few, bits));
  }
}

/// Packed -> one element a byte, higher bits zero. Reads getPackedSize(count,
/// bits) bytes.
inline void unpackElements(const uint8_t *from, uint64_t count, unsigned bits,
                           uint8_t *to) {
  const uint64_t mask = (uint64_t(1) << bits) - 1;
  for (uint64_t i = 0; i < count; i += 8, from += bits) {
    uint64_t few = count - i < 8 ? count - i : 8;
    uint64_t eight = 0;
    std::memcpy(&eight, from, getPackedSize(few, bits));
    for (uint64_t k = 0; k < few; ++k)
      to[i + k] = (eight >> (k * bits)) & mask;
  }
}

} // namespace mlir::ane::mil

#endif // ANE_TARGET_MIL_BLOBPACKING_H
