//===- Facts.h - Numbers of compiler 9.509 ----------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers that several of its rules have in common, and how rows in L2 are
// moved apart. What the hardware dictates is in GenerationInfo: the records are
// of H13, and memories and banks of H14 are the same.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_FLAVOURS_ZIN9509_FACTS_H
#define ANE_LIB_FLAVOURS_ZIN9509_FACTS_H

#include "ane/HW/Generation.h"

namespace mlir::ane::zin9509 {

/// The generation of most records.
inline const ::ane::hw::GenerationInfo &recorded() {
  return ::ane::hw::info(::ane::hw::Generation::H13);
}

/// Rows of a source that the NEs read at once.
inline constexpr int64_t rowsAtOnce = 4;
/// Words of each of them that a work unit reads, by its code; 0 where rows may
/// meet.
inline constexpr int64_t wordsOfUnit[] = {0, 0, 5, 3, 2};

/// Columns of the strips in which the NEs work through a wide image, as many
/// halves as a unit of theirs covers.
inline constexpr int64_t neStripColumns = 128;

/// Columns of the widest patch of several rows that are reduced (seen once; 16
/// and 32 are patches as they are).
inline constexpr int64_t reducedColumns = 64;

/// Words by which rows move apart that begin `distance` words after each other,
/// so that of `rows` that are `stride` apart no two have any of `words` words
/// in one bank. 0 where they do not meet, and where no distance helps.
int64_t paddingOfRows(int64_t distance, int64_t rows, int64_t words,
                      int64_t stride = 1);
/// Words by which rows move apart of which the NEs read those of a work unit of
/// this code at once.
int64_t paddingOfUnits(int64_t distance, unsigned code);
/// The same for rows that must not be 0, 1 or 32 banks apart; with `exchanged`
/// neither 8 nor 16.
int64_t paddingFromBanks(int64_t distance, bool exchanged = false);

} // namespace mlir::ane::zin9509

#endif // ANE_LIB_FLAVOURS_ZIN9509_FACTS_H
