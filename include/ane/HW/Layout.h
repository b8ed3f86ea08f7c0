//===- Layout.h - How a tensor lies in DRAM ---------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The planar layout maps (n, c, h, w) to n*batch + c*plane + h*row + w*size.
// Worked example, fp16, C=2 H=2 W=3:
//
//            w: 0     1     2       row   = 0x40 although 3*2 = 6 bytes are
//            used:
//   c0 h0    0x00  0x02  0x04               the tile DMA has no finer stride
//   c0 h1    0x40  0x42  0x44       plane = row * H    = 0x80
//   c1 h0    0x80  0x82  0x84       batch = plane * C  = 0x100
//   c1 h1    0xc0  0xc2  0xc4
//
// Seen in every real file (docs/Formats/HWX.md).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_LAYOUT_H
#define ANE_HW_LAYOUT_H

#include "ane/HW/Program.h"

namespace ane::hw {

constexpr uint64_t alignTo(uint64_t value, uint64_t align) {
  return (value + align - 1) / align * align;
}

struct PlanarLayout {
  uint64_t row = 0, plane = 0, batch = 0; ///< strides in bytes
  uint64_t bytes = 0;                     ///< of all N, rows padded
};

/// The layout of N x C x H x W elements of `type`.
PlanarLayout planarLayout(const GenerationInfo &generation, ElementType type,
                          uint32_t n, uint32_t c, uint32_t h, uint32_t w);

/// Fills strides and bytes of `tensor` from its shape and type.
void setPlanar(const GenerationInfo &generation, Tensor &tensor);

/// Fails if the surface of a tensor from outside cannot be one: more bytes than
/// addresses of 32 bits reach, or more elements than its bytes hold.
absl::Status checkSurface(const Tensor &tensor);

/// Copies dense NCHW data (`tensor.elementCount()` elements) into the surface.
/// `surface` has tensor.bytes bytes; padding is left as it is.
absl::Status packSurface(const Tensor &tensor, absl::Span<const uint8_t> dense,
                         absl::Span<uint8_t> surface);
/// The reverse.
absl::Status unpackSurface(const Tensor &tensor,
                           absl::Span<const uint8_t> surface,
                           absl::Span<uint8_t> dense);

/// Bytes of L2 that a result passes through on its way to DRAM when it does not
/// lie there as a whole: no word of a program says how many. Less than a tile
/// (seen: real programs would run past the end of L2); a row of all channels
/// (deduced) fits all of them. Guess: no wider than the engine works at once,
/// as sources lie in strips of that width (seen); no program has a wider row
/// and something above it that would tell.
uint64_t streamedResultBytes(uint64_t channels, uint64_t columns,
                             uint64_t elementBytes, bool isNeural);

} // namespace ane::hw

#endif // ANE_HW_LAYOUT_H
