//===- PlanarMemory.cpp - Rows in L2 that are not of convolutions ------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What compiler 9.509 does with the tiles of the PE and of passes of the NEs
// without a kernel. All rules are fitted on records of 158 tasks of the PE and
// 100 of the NEs; where fewer agree, a comment says how many.
//
//===----------------------------------------------------------------------===//

#include "Zin.h"

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/HW/WorkUnits.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::zin9509;

static constexpr int64_t bankBytes = 16, banks = 64;

static int64_t elementBytes(MemRefType type) {
  return type.getElementType().getIntOrFloatBitWidth() / 8;
}

//===----------------------------------------------------------------------===//
// Strips
//===----------------------------------------------------------------------===//

// Rows of a matrix that become pixels of 8 columns (TaskEncoder gives those a
// work unit of as many rows).
static bool isFewRows(Operation *compute) {
  constexpr int64_t few = 8;
  auto bypass = dyn_cast_or_null<NeBypassOp>(compute);
  if (!bypass || !bypass.getExchange() ||
      !bypass.getInput().getDefiningOp<DmaLoadOp>())
    return false;
  MemRefType type = bypass.getInput().getType();
  return type.getDimSize(1) <= few && type.getDimSize(2) <= few;
}

// The PE has tensors in columns as wide as its patches, but no narrower than
// what the tile DMA moves; one row is never cut. The NEs have 256 bytes.
int64_t zin9509::getStripColumns(L2User user, MemRefType type,
                                 Operation *compute) {
  constexpr int64_t dmaBytes = 64, neStripBytes = 256;
  int64_t width = type.getDimSize(3), height = type.getDimSize(2);
  bool planar = user == L2User::Planar || user == L2User::PlanarResult;
  bool conv = user == L2User::ConvSource || user == L2User::ConvResult;
  // The image of a product of matrices is one row.
  auto product = dyn_cast_or_null<NeConvOp>(compute);
  if (conv && !(product && height == 1 && product.isPointwise()))
    return width;
  if (!planar) {
    int64_t strip = neStripBytes / elementBytes(type);
    // Few channels are exchanged in units of as many rows as there are.
    if (user == L2User::Bypass && isFewRows(compute))
      strip = std::max(strip / height, dmaBytes / elementBytes(type));
    return std::min(width, strip);
  }
  if (height == 1)
    return width;
  unsigned log2 =
      getMemory(::ane::hw::Generation::H13).patch(width, height, 1).width;
  return std::min(width,
                  std::max(int64_t(1) << log2, dmaBytes / elementBytes(type)));
}

// Columns that do not fill their last strip are put together in L2 first; with
// bytes as a source, and through a table, they are not (seen once and three
// times). What is exchanged always is.
bool zin9509::stagesResult(Operation *compute) {
  auto source = cast<MemRefType>(compute->getOperand(0).getType());
  auto result = cast<MemRefType>(compute->getResult(0).getType());
  if (auto bypass = dyn_cast<NeBypassOp>(compute)) {
    if (bypass.getExchange())
      return true;
    if (bypass.getActivation())
      return false;
    return result.getDimSize(3) %
               getStripColumns(L2User::BypassResult, result, compute) !=
           0;
  }
  // Groups on their way out come one after the other.
  if (isa<PeReduceOp>(compute) && result.getDimSize(0) > 1)
    return true;
  return source.getElementType().isF16() &&
         result.getDimSize(3) %
                 getStripColumns(L2User::PlanarResult, result, compute) !=
             0;
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

// Rows that are 0, 1 or 32 banks apart meet.
static int64_t awayFromBanks(int64_t units) {
  int64_t padded = units;
  while (padded % banks == 0 || padded % banks == 1 || padded % banks == 32)
    ++padded;
  return padded - units;
}

// The NEs read the rows of a work unit at once: 16 rows of one word, 8 of two,
// or 4 of four; units of one or two rows need nothing.
static int64_t workUnitPadding(int64_t units, unsigned code) {
  if (code < 2)
    return 0;
  int64_t rows = int64_t(1) << code, words = (16 >> code) + 1;
  auto meets = [&](int64_t distance) {
    for (int64_t i = 1; i < rows; ++i) {
      int64_t apart = i * distance % banks;
      if (std::min(apart, banks - apart) < words)
        return true;
    }
    return false;
  };
  int64_t padding = 0;
  while (padding < banks && meets(units + padding))
    ++padding;
  return padding < banks ? padding : 0;
}

int64_t zin9509::getPlanarPadding(const L2Row &row,
                                  ::ane::hw::Generation generation) {
  int64_t units = row.bytes / bankBytes;
  switch (row.user) {
  case L2User::Bypass: {
    if (!row.compute || row.rows == 1)
      return 0;
    Value input = row.compute->getOperand(0);
    auto load = input.getDefiningOp<DmaLoadOp>();
    if (load && load.getResidency() == Residency::Kept)
      return awayFromBanks(units) * bankBytes;
    auto type = cast<MemRefType>(input.getType());
    unsigned code = ::ane::hw::bypassUnit(
        generation, row.rows, type.getDimSize(3), elementBytes(type));
    if (isFewRows(row.compute))
      code = row.rows == 8 ? 3 : 0;
    return workUnitPadding(units, code) * bankBytes;
  }
  case L2User::Planar: {
    // Wide patches need nothing (84 of 86).
    constexpr int64_t narrow = 32;
    return row.columns <= narrow ? awayFromBanks(units) * bankBytes : 0;
  }
  case L2User::BypassResult:
  case L2User::PlanarResult:
    return row.rows > 1 ? awayFromBanks(units) * bankBytes : 0;
  case L2User::ConvSource:
  case L2User::ConvResult:
    return 0;
  }
  llvm_unreachable("unknown user");
}
