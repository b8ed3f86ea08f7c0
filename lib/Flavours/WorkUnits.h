//===- WorkUnits.h - Work units that are on record --------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shapes of the work units of the NEs as compilers chose them on record, for
// flavours that follow one, and all of H14, of which one compiler is known.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_FLAVOURS_WORKUNITS_H
#define ANE_LIB_FLAVOURS_WORKUNITS_H

#include "ane/Flavours/Flavour.h"

#include <optional>
#include <vector>

namespace mlir::ane::workunits {

/// Deduced: 73 of 73 tasks bound by memory, 2 bound by arithmetic; four cycles
/// of 900 MHz for each plane.
inline constexpr EstimateRates estimateOfH13{34.128e9, 5.85e12, 900e6 / 4};
/// Deduced: 5 of 5 tasks bound by arithmetic.
inline constexpr EstimateRates estimateOfH14{34.128e9, 7.96e12, 900e6 / 4};
/// Deduced: 1 us for 98,304 bytes, 20 for 1,064,960. Arithmetic: a guess.
inline constexpr EstimateRates estimateOfH15{51.2e9, 7.96e12, 900e6 / 4};
/// Deduced: 63 us for 4.33 MB, 173 for 1.678e9 products.
inline constexpr EstimateRates estimateOfM4{68.3e9, 9.73e12, 900e6 / 4};
/// Deduced: 17 us for 1,064,960 bytes, 7 for 2048 channels, 28 for 8192.
/// Arithmetic: a guess.
inline constexpr EstimateRates estimateOfH18{60e9, 7.96e12, 287.5e6};

/// The code of the widest unit that is not wider than an image of `width`
/// columns.
uint32_t widthCode(int64_t width);
/// Whether the narrowest unit covers the image.
bool isOneUnit(const NeWork &work);
/// That, for few enough channels.
bool isSmallMatrix(const NeWork &work);

bool isSmallSource(const NeWork &work);
/// Whether a convolution of H14 of a small source takes the narrowest unit only
/// as far as the image asks for it, like a product of matrices.
bool takesLeastUnit(const NeWork &work);
ShapeCodes convShape(const NeWork &work);
ShapeCodes bypassShape(const NeWork &work);

/// Whether engines that few channels leave idle take further units of the
/// image.
bool stacksUnits(::ane::hw::Generation generation);
UnitStack stackUnits(Operation *compute, uint32_t idle);
/// Rows of a tile of `compute` then, 0 where no tile is needed.
int64_t stackedRows(Operation *compute);

/// A result that lies in L2 as a whole before it is stored, because work units
/// are narrower than the image.
struct NarrowUnits {
  uint32_t code;
  int64_t columns; ///< of the strips in which it lies there
};
std::optional<NarrowUnits> narrowUnits(Operation *compute,
                                       ::ane::hw::Generation generation);

/// Work units of an exchange after H13.
ShapeCodes exchangeShape(const NeWork &work);

/// A flavour of each generation from that of H13: what is known of them is in a
/// table, and `change` is for all but H13.
std::vector<Flavour> makeForAll(const Flavour &h13,
                                void (*change)(Flavour &,
                                               ::ane::hw::Generation));

} // namespace mlir::ane::workunits

#endif // ANE_LIB_FLAVOURS_WORKUNITS_H
