//===- Tile.h - Tensors inside the simulator --------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between memory and engine a tensor is a dense array of singles with five
// axes. A single holds every value of every element type, so nothing is rounded
// here. Patterns say which bytes of a memory the elements are.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_SIMULATOR_TILE_H
#define ANE_LIB_SIMULATOR_TILE_H

#include "Buffer.h"

#include "ane/Simulator/Pattern.h"

#include <vector>

namespace ane::sim {

struct Tile {
  Dims dims;
  Buffer<float> data; ///< [g][d][c][h][w]
};

/// Reads all elements from `memory` (which starts at byte 0 of the pattern)
/// into the tile, and the reverse.
void loadTile(const Pattern &pattern, const uint8_t *memory, Tile &tile,
              unsigned threads);
void storeTile(const Pattern &pattern, const Tile &tile, uint8_t *memory,
               unsigned threads);

/// Whether elements are infinite or NaN.
bool hasSpecial(const Tile &tile);

/// Rounds values to what `type` holds: a half, or a byte after rounding to
/// nearest even and clamping.
void roundTo(hw::ElementType type, float *values, size_t count);

} // namespace ane::sim

#endif // ANE_LIB_SIMULATOR_TILE_H
