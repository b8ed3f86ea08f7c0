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

#include "../WorkUnits.h"
#include "Facts.h"
#include "Zin.h"

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/HW/WorkUnits.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::zin9509;

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
// what the tile DMA moves; one row is never cut. The NEs have strips of halves,
// and of twice as many bytes.
int64_t zin9509::getStripColumns(L2User user, MemRefType type,
                                 Operation *compute) {
  const int64_t dmaBytes = recorded().dmaAlign;
  int64_t width = type.getShape().end()[-1], height = type.getShape().end()[-2];
  bool planar = user == L2User::Planar || user == L2User::PlanarResult;
  if (user == L2User::PlanarExchanged)
    return width;
  bool conv = user == L2User::ConvSource || user == L2User::ConvResult;
  // The image of a product of matrices is one row.
  auto product = dyn_cast_or_null<NeConvOp>(compute);
  if (conv && !(product && height == 1 && product.isPointwise()))
    return width;
  if (!planar) {
    int64_t strip = 2 * neStripColumns / elementBytes(type);
    // Few channels are exchanged in units of as many rows as there are.
    if (user == L2User::Bypass && isFewRows(compute))
      strip = std::max(strip / height, dmaBytes / elementBytes(type));
    return std::min(width, strip);
  }
  if (height == 1)
    return width;
  unsigned log2 = getMemory(recorded().id).patch(width, height, 1).width;
  int64_t patch = int64_t(1) << log2;
  if (isa_and_nonnull<PeReduceOp>(compute) && user == L2User::Planar)
    patch = std::min(patch, reducedColumns);
  return std::min(width, std::max(patch, dmaBytes / elementBytes(type)));
}

// Columns that do not fill their last strip are put together in L2 first; with
// bytes as a source, and through a table, they are not (seen once and three
// times). What is exchanged always is.
bool zin9509::stagesResult(Operation *compute) {
  auto source = cast<MemRefType>(compute->getOperand(0).getType());
  auto result = cast<MemRefType>(compute->getResult(0).getType());
  if (auto bypass = dyn_cast<NeBypassOp>(compute)) {
    // Up to 8 channels become the columns of one work unit (3 of 3; 16 and 375
    // do not).
    constexpr int64_t unitColumns = 8;
    if (bypass.getExchange())
      return source.getDimSize(1) > unitColumns;
    if (bypass.getActivation())
      return false;
    return result.getDimSize(3) %
               getStripColumns(L2User::BypassResult, result, compute) !=
           0;
  }
  // Groups on their way out come one after the other, but not those that the
  // tile DMA brings (4 of 4).
  if (isa<PeReduceOp>(compute) && result.getDimSize(0) > 1)
    return !compute->getOperand(0).getDefiningOp<DmaLoadOp>();
  // A row of channels is put together.
  if (auto reduce = dyn_cast<PeReduceOp>(compute);
      reduce && reduce.getExchangeResult())
    return true;
  return source.getElementType().isF16() &&
         result.getDimSize(3) %
                 getStripColumns(L2User::PlanarResult, result, compute) !=
             0;
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

// A lone row of what is exchanged, by the flattest unit (seen once against 40
// whose units may have two rows or one).
static int64_t lonePadding(const L2Row &row, ::ane::hw::Generation generation) {
  auto bypass = dyn_cast<NeBypassOp>(row.compute);
  if (!bypass || !bypass.getExchange() || row.channels == 1 ||
      generation == ::ane::hw::Generation::H13)
    return 0;
  NeWork work;
  work.channels = row.channels;
  work.width = bypass.getInput().getType().getDimSize(3);
  work.lanesLog2 = ::ane::hw::exchangeLanesLog2(
      row.channels, ::ane::hw::info(generation).neCount);
  return paddingOfUnits(row.bytes / recorded().l2Align,
                        workunits::exchangeShape(work).minimum);
}

int64_t zin9509::getPlanarPadding(const L2Row &row,
                                  ::ane::hw::Generation generation) {
  const int64_t align = recorded().l2Align, units = row.bytes / align;
  switch (row.user) {
  case L2User::Bypass: {
    if (!row.compute)
      return 0;
    if (row.rows == 1)
      return lonePadding(row, generation) * align;
    Value input = row.compute->getOperand(0);
    auto load = input.getDefiningOp<DmaLoadOp>();
    if (load && load.getResidency() == Residency::Kept)
      return paddingFromBanks(units) * align;
    auto type = cast<MemRefType>(input.getType());
    unsigned code = ::ane::hw::copyUnit(generation, row.channels, row.rows,
                                        type.getDimSize(3), elementBytes(type));
    if (isFewRows(row.compute))
      code = row.rows == 8 ? 3 : 0;
    return paddingOfUnits(units, code) * align;
  }
  case L2User::Planar: {
    // Wide patches need nothing (84 of 86); reductions have wider ones (32 and
    // 64 columns are moved apart, 256 and 1024 not).
    const int64_t narrow = isa_and_present<PeReduceOp>(row.compute) ? 64 : 32;
    return row.columns <= narrow ? paddingFromBanks(units) * align : 0;
  }
  case L2User::PlanarExchanged: // a lone row, too (12 of 12)
    return paddingFromBanks(units) * align;
  case L2User::BypassResult:
  case L2User::PlanarResult:
    return row.rows > 1 ? paddingFromBanks(units) * align : 0;
  case L2User::ConvSource:
  case L2User::ConvResult:
    return 0;
  }
  llvm_unreachable("unknown user");
}
