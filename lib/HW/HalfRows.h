//===- HalfRows.h - The loops of kernel packing -----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What moves every weight once, as vector code. What the order of the halfwords
// means is in KernelPacking.cpp. Private to lib/HW.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_HW_HALFROWS_H
#define ANE_LIB_HW_HALFROWS_H

#include <cstddef>
#include <cstdint>

namespace ane::hw {

/// Rows of halfwords that are to stand beside each other.
struct HalfRows {
  const uint16_t *first;
  size_t stride;  ///< halfwords from a row to the next
  uint32_t count; ///< rows that exist; the others are zero
  size_t steps;   ///< halfwords of a row
  size_t next;    ///< halfwords to the rows that are read after these
};

/// Whether a result is read soon or goes past the caches.
enum class Fate { ReadSoon, Stored };

/// Writes `steps` x `lanes` halfwords: lane l of step s is halfword s of row l.
/// `lanes` is 1 to 32 and at least `rows.count`.
void interleaveRows(const HalfRows &rows, uint32_t lanes, Fate fate,
                    uint8_t *out);

/// Pieces of halfwords at equal distances.
struct Pieces {
  const uint16_t *first;
  size_t stride; ///< halfwords from a piece to the next
  size_t each;   ///< halfwords of a piece
  size_t count;
  size_t safe; ///< of the first so many, 64 bytes may be read
};

/// Writes the pieces, in their order, `stride` bytes apart. Up to 64 bytes from
/// the start of a piece on are overwritten.
void gatherPieces(const Pieces &pieces, uint8_t *to, size_t stride);

/// memcpy of what is not read soon.
void storeBytes(const uint8_t *from, size_t bytes, uint8_t *to);

/// Bytes behind its result that squeezeZeros may overwrite.
constexpr size_t squeezeSlack = 16;

/// Writes the halfwords of `blocks` in their order, `each` (a multiple of 8) a
/// block, without those that are zero (of either sign): for every 8 a byte with
/// a bit for each that stays, then those. A block of null is zeros; it has at
/// most 128. Returns the end.
uint8_t *squeezeZeros(const uint16_t *const *blocks, size_t count, size_t each,
                      uint8_t *out);

/// Bytes of a byte of bits and the eight halfwords that stay.
constexpr uint32_t squeezedGroup = 17;

/// Writes lanes 8 * g to 8 * g + 7 of step s to `places[s]` + g * squeezedGroup
/// of `out`, where no halfword of theirs was left out. Rows and steps are
/// multiples of 8. Returns whether no halfword is zero (of either sign); what
/// was written is right only then.
bool placeRows(const HalfRows &rows, const uint32_t *places, uint8_t *out);

} // namespace ane::hw

#endif // ANE_LIB_HW_HALFROWS_H
