//===- Memory.cpp - L2 as compiler 9.509 uses it -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The NEs read four rows of a source at once, and rows are moved apart until
// those do not meet in a bank of L2. Fitted on records of
// 157 convolutions and 158 PE tasks; counts of how many agree are given.
//
//===----------------------------------------------------------------------===//

#include "../WorkUnits.h"
#include "Facts.h"
#include "Zin.h"

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/HW/WorkUnits.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::zin9509;
using namespace mlir::ane::workunits;

namespace {

/// What a convolution computes, as far as L2 is concerned.
struct ConvTask {
  ConvTask(NeConvOp conv, ::ane::hw::Generation generation);

  NeConvOp conv;
  int64_t channels, rows, columns; ///< of the source; of one group
  int64_t outHeight, outWidth;     ///< before an exchange
  int64_t kernelHeight, kernelWidth, stride, padLeft;
  bool small;    ///< Common.Cfg.SmallSourceMode
  unsigned code; ///< Common.Cfg.ShMax
};

} // namespace

ConvTask::ConvTask(NeConvOp conv, ::ane::hw::Generation generation)
    : conv(conv) {
  MemRefType source = conv.getInput().getType();
  channels = source.getDimSize(1);
  rows = source.getDimSize(2);
  columns = source.getDimSize(3);
  outHeight = conv.getType().getDimSize(2);
  outWidth = conv.getType().getDimSize(conv.getExchange() ? 1 : 3);
  // One group after the other lies there.
  if (!conv.isDepthwise())
    channels /= conv.getGroups();
  kernelHeight = conv.getKernel().getType().getDimSize(2);
  kernelWidth = conv.getKernel().getType().getDimSize(3);
  stride = conv.getStrides()[1];
  padLeft = conv.getPad()[1];
  NeWork work;
  work.channels = channels;
  work.height = outHeight;
  work.width = outWidth;
  work.taps = kernelHeight * kernelWidth;
  work.weightBytes = 2 * conv.getKernel().getType().getNumElements();
  small = isSmallMatrix(work) &&
          (generation == ::ane::hw::Generation::H13 || !takesLeastUnit(work));
  code = isOneUnit(work) && !small ? ::ane::hw::minAreaUnit(outHeight, outWidth)
                                   : widthCode(outWidth);
}

// Bytes of a channel's row in L2. Wide images go through in strips of columns
// of the result; windows reach beyond them, and rows are fetched in granules of
// eight columns a step (7 of 8 tasks).
static int64_t channelBytes(const ConvTask &task, bool streamed) {
  constexpr int64_t strip = neStripColumns;
  int64_t columns = task.columns;
  if (streamed && task.outWidth > strip) {
    int64_t granule = 8 * task.stride, most = 0;
    for (int64_t x = 0; x < task.outWidth; x += strip) {
      int64_t last = std::min(x + strip, task.outWidth) - 1;
      int64_t first = std::max<int64_t>(0, x * task.stride - task.padLeft);
      int64_t end = std::min(task.columns, last * task.stride - task.padLeft +
                                               task.kernelWidth);
      most = std::max<int64_t>(most, llvm::alignTo(end, granule) -
                                         first / granule * granule);
    }
    columns = std::min(columns, most);
  }
  return llvm::alignTo(2 * columns, recorded().l2Align);
}

// Words that the NEs read of a row at once, 0 when rows may meet: by the work
// unit, but small sources, and those that stay for a later task, differ.
static int64_t wordsAtOnce(const ConvTask &task, bool streamed) {
  if (task.small)
    return 3;
  // One that stays and does not fill its units is read like a stream (3 of 3).
  if (!streamed && task.outWidth % (128 >> task.code) == 0)
    return task.code ? 3 : 0;
  return wordsOfUnit[task.code];
}

// 148 of 150 convolutions.
static int64_t rowPadding(const ConvTask &task, int64_t row, bool streamed) {
  int64_t words = wordsAtOnce(task, streamed);
  const int64_t align = recorded().l2Align;
  return words ? align *
                     paddingOfRows(row / align, rowsAtOnce, words, task.stride)
               : 0;
}

static L2Tile sourceTile(const ConvTask &task, bool streamed) {
  L2Tile tile;
  tile.channelStride = channelBytes(task, streamed);
  tile.dense = tile.channelStride * task.channels;
  tile.row = tile.dense + rowPadding(task, tile.dense, streamed);
  return tile;
}

static int64_t rowsHeld(const ConvTask &task, int64_t tileHeight) {
  NeConvOp conv = task.conv;
  SmallVector<int64_t> rows = conv.getTileRows(tileHeight);
  return *llvm::max_element(rows);
}

// Tiles are whole steps of 128 pixels and as high as possible (8 of 15 tasks),
// but 1x1 convolutions at stride 1 are not padded, and those whose height is
// whole steps have tiles of one step (5 of 5). A last tile below one step is
// avoided (fits one task; no formula is known for the others: guess).
static int64_t tileHeight(const ConvTask &task, int64_t bytes,
                          const L2Tile &source) {
  int64_t step =
      128 / std::min<int64_t>(
                128, llvm::PowerOf2Ceil(std::max<int64_t>(8, task.outWidth)));
  auto fits = [&](int64_t height) {
    return rowsHeld(task, height) * source.row <= bytes;
  };
  bool isPoint = task.kernelHeight == 1 && task.kernelWidth == 1;
  if (isPoint && task.outHeight % step == 0 && fits(step))
    return step;
  int64_t most = 0;
  for (int64_t height = llvm::alignTo(task.outHeight, step) - step;
       height >= step; height -= step) {
    if (!fits(height))
      continue;
    most = most ? most : height;
    int64_t rest = task.outHeight % height;
    if (!rest || rest >= step)
      return height;
  }
  for (int64_t height = std::min(step, task.outHeight) - 1; !most && height > 0;
       --height)
    if (fits(height))
      return height;
  return most;
}

template <::ane::hw::Generation Generation>
static ConvTiling zinTiling(Operation *conv, int64_t base) {
  ConvTask task(cast<NeConvOp>(conv), Generation);
  // Two sources that are cut fill it exactly (15 of 15 tasks). The rest is the
  // result's. That a source that is not cut may fill no more is a guess:
  // 0xc7380 bytes are not cut, 0x200000 are.
  int64_t bytes = recorded().l2SourceBytes - base;
  ConvTiling tiling;
  tiling.source = sourceTile(task, /*streamed=*/true);
  tiling.tileHeight = task.outHeight;
  if (task.rows * tiling.source.row <= bytes)
    return tiling;
  if (task.kernelHeight == 1 && task.kernelWidth == 1 && task.stride == 1)
    tiling.source.row = tiling.source.dense;
  tiling.tileHeight = tileHeight(task, bytes, tiling.source);
  return tiling;
}

template <::ane::hw::Generation Generation>
static L2Tile zinResident(Operation *conv) {
  return sourceTile(ConvTask(cast<NeConvOp>(conv), Generation),
                    /*streamed=*/false);
}

template <::ane::hw::Generation Generation>
static int64_t zinPadding(const L2Row &row) {
  if (row.user == L2User::ConvSource || row.user == L2User::ConvResult)
    return 0;
  if (row.user != L2User::BypassResult || !row.compute)
    return getPlanarPadding(row, Generation);
  std::optional<NarrowUnits> narrow = narrowUnits(row.compute, Generation);
  if (!narrow)
    return getPlanarPadding(row, Generation);
  // The rows that a unit writes at once do not meet (8 of 8).
  const int64_t align = recorded().l2Align;
  return align * paddingOfRows(row.bytes / align, int64_t(1) << narrow->code,
                               /*words=*/16 >> narrow->code);
}

// A patch has 512 elements with one source, 256 with two. A row of up to 256 is
// never cut; wider ones are cut into the largest whole parts, or into 512
// columns if there is one row only (158 of 158 PE tasks).
static PatchShape zinPatch(int64_t width, int64_t height, unsigned sources) {
  unsigned columns = 9;
  if (width <= 256)
    columns = std::max(4u, llvm::Log2_64_Ceil(width));
  else if (height > 1)
    columns = std::clamp<unsigned>(llvm::countr_zero(uint64_t(width)), 5, 9);
  unsigned elements = sources > 1 ? 8 : 9;
  return {columns, std::min({llvm::Log2_64_Ceil(height),
                             elements - std::min(columns, elements), 5u})};
}

template <::ane::hw::Generation Generation>
static bool zinStages(Operation *compute) {
  return stagesResult(compute) || narrowUnits(compute, Generation);
}

template <::ane::hw::Generation Generation>
static int64_t zinStrip(L2User user, MemRefType type, Operation *compute) {
  if (user == L2User::BypassResult && compute)
    if (std::optional<NarrowUnits> narrow = narrowUnits(compute, Generation))
      return std::min(type.getShape().back(), narrow->columns);
  return getStripColumns(user, type, compute);
}

template <::ane::hw::Generation Generation> static MemoryPolicy zinPolicy() {
  MemoryPolicy policy = {zinPadding<Generation>,
                         /*stagesConvResults=*/false, zinStrip<Generation>,
                         zinStages<Generation>, zinPatch};
  policy.tileConv = zinTiling<Generation>;
  policy.convResident = zinResident<Generation>;
  policy.reducedRows = 32;
  policy.reducedColumns = reducedColumns;
  policy.exchangesInUnits = true;
  policy.placeResidents = placeResidents;
  if (stacksUnits(Generation))
    policy.stackedRows = stackedRows;
  return policy;
}

const MemoryPolicy &zin9509::getMemory(::ane::hw::Generation generation) {
  using ::ane::hw::Generation;
  static const MemoryPolicy policies[] = {
      zinPolicy<Generation::H13>(), zinPolicy<Generation::H14>(),
      zinPolicy<Generation::H15>(), zinPolicy<Generation::H16>(),
      zinPolicy<Generation::H17>(), zinPolicy<Generation::H18>()};
  return policies[static_cast<size_t>(generation)];
}
