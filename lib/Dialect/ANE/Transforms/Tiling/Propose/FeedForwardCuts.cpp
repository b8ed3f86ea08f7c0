//===- FeedForwardCuts.cpp - How hidden layers are cut --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FeedForwardCuts.h"

#include "ane/HW/Chip.h"
#include "ane/Simulator/CostModel.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::feedforward;

int64_t feedforward::channelsOfPart(ConvOp op, int64_t parts, int64_t engines) {
  int64_t channels = typeOf(op.getInput()).getDimSize(1);
  return llvm::divideCeil(llvm::divideCeil(channels, parts), engines) * engines;
}

ElementwiseOp feedforward::shortcutOf(ConvOp op) {
  if (!op->hasOneUse() || op.getActivation())
    return {};
  auto add = dyn_cast<ElementwiseOp>(*op->user_begin());
  bool isPlain = add && add.getKind() == ElementwiseKind::Add &&
                 add.isPlain() &&
                 add.getLhs().getType() == add.getRhs().getType() &&
                 add.getLhs() != add.getRhs();
  return isPlain ? add : ElementwiseOp();
}

namespace {

/// Bytes for one of some tiles of columns.
struct TileBytes {
  int64_t in, hidden, out;
};

} // namespace

static TileBytes bytesOfTile(ConvOp op, const Layer &layer, int64_t strips,
                             const ::ane::hw::GenerationInfo &info) {
  // Strips start where parts of a row can.
  int64_t columns = typeOf(op).getDimSize(3);
  int64_t size = columns;
  if (strips > 1)
    size = llvm::alignTo(llvm::divideCeil(columns, strips),
                         info.dmaAlign / sizeof(uint16_t));
  auto ofStrip = [&](int64_t bytes) { return bytes / columns * size; };
  return {ofStrip(layer.inputBytes), ofStrip(halfBytesOf(op.getInput())),
          ofStrip(halfBytesOf(op.getResult()))};
}

// So that L2 has room for `tensors` as large as a slice of the layer beside
// `others` and for some of the sums. Slices and a few more of them: more read
// more tables and biases, but leave room for more of the sums at a time.
static void addCuts(ConvOp op, const TileBytes &bytes, int64_t tensors,
                    int64_t others, int64_t most, int64_t engines,
                    CutTiles tiles, SmallVectorImpl<CutTiles> &found) {
  constexpr int64_t slack = 0x8000; // as the planner has it for streams
  // Beside one of several tiles lies what the others need, which the plan of the
  // layer alone does not show.
  const unsigned tries = tiles.count == 1 ? 3 : 1;
  // Groups of outputs are tasks of their own.
  constexpr int64_t maxGroups = 2;
  const int64_t room = most - slack - others;
  int64_t channels = typeOf(op.getInput()).getDimSize(1);
  int64_t outputs = typeOf(op).getDimSize(1);
  int64_t all = bytes.hidden * tensors;
  if (room < most / 8) // the slices would be too many to be tasks
    return;
  const size_t before = found.size();
  for (int64_t parts = llvm::divideCeil(all, room);; ++parts) {
    tiles.cut.hidden = channelsOfPart(op, parts, engines);
    int64_t rest = room - all * tiles.cut.hidden / channels;
    int64_t fit = rest * outputs / bytes.out / engines * engines;
    if (fit > 0 && llvm::divideCeilSigned(outputs, fit) <= maxGroups * parts) {
      int64_t groups = llvm::divideCeil(outputs, fit);
      tiles.cut.outputs =
          llvm::alignTo(llvm::divideCeil(outputs, groups), engines);
      found.push_back(tiles);
    }
    if (tiles.cut.hidden <= engines || found.size() == before + tries)
      return;
  }
}

bool feedforward::fits(ConvOp op, const Layer &layer,
                       const ::ane::hw::GenerationInfo &info) {
  return layer.inputBytes + halfBytesOf(op.getResult()) +
             halfBytesOf(op.getInput()) * int64_t(layer.convs.size()) <=
         int64_t(info.l2SourceBytes);
}

// Of some of the channels.
static double secondsOf(ConvOp conv, int64_t channels,
                        const ::ane::hw::GenerationInfo &info) {
  ArrayRef<int64_t> weight = typeOf(conv.getWeight()).getShape();
  ArrayRef<int64_t> out = typeOf(conv).getShape();
  ::ane::sim::TaskWork work;
  work.cout = channels;
  work.kernelWidth = weight[3];
  work.macs = channels * weight[1] * weight[2] * weight[3] * out[2] * out[3];
  return ::ane::sim::predict(::ane::hw::chipOf(info.id), work).compute;
}

Strips feedforward::stripsOf(ConvOp op, const Layer &layer, int64_t step,
                             const ::ane::hw::GenerationInfo &info) {
  ArrayRef<int64_t> out = typeOf(op).getShape();
  unsigned dim = out[2] > 1 ? 2 : 3;
  ArrayRef<int64_t> window = typeOf(op.getWeight()).getShape();
  int64_t channels = typeOf(op.getInput()).getDimSize(1);
  int64_t parts = llvm::divideCeil(channels, step);
  double extent = out[dim];
  auto bytesOfRow = [&](int64_t count) {
    return 2.0 * count * out[2] * out[3] / extent;
  };
  int64_t haloIn = 0;
  for (ConvOp conv : layer.convs)
    haloIn = std::max(haloIn, typeOf(conv.getWeight()).getDimSize(dim) - 1);
  int64_t halo = window[dim] - 1;
  double hidden = bytesOfRow(step * layer.convs.size());
  double in = layer.inputBytes / extent;
  double sums = bytesOfRow(parts > 1 ? 2 * out[1] : out[1]);
  constexpr double slack = 0x20000; // of L2, for tiles
  double height =
      (info.l2SourceBytes - slack - halo * hidden - (halo + haloIn) * in) /
      (hidden + in + sums);
  Strips strips;
  height = std::max(1.0, height);
  strips.count = std::max(1.0, extent / height);
  const ::ane::hw::ChipInfo &chip = ::ane::hw::chipOf(info.id);
  double elements = (parts - 1) * typeOf(op).getNumElements();
  double seconds = elements / chip.elementsPerSecond;
  for (ConvOp conv : layer.convs)
    seconds += parts * secondsOf(conv, step, info) * (1 + halo / height);
  // Weights of the next task load during it.
  constexpr double arithmetic = 0.5;
  strips.seconds = strips.count *
                       double(layer.weightBytes + halfBytesOf(op.getWeight())) /
                       chip.weightBytesPerSecond +
                   arithmetic * seconds;
  return strips;
}

// The layer in DRAM. What is stored passes through L2 beside what it is
// computed from; half of what the input leaves is for that, as slices of all
// sizes leave gaps.
static std::optional<int64_t>
findStored(ConvOp op, const Layer &layer, const TileBytes &bytes,
           const ::ane::hw::GenerationInfo &info) {
  int64_t room = (int64_t(info.l2SourceBytes) - bytes.in) / 2;
  int64_t tensors = layer.convs.size() + 1;
  int64_t channels = typeOf(op.getInput()).getDimSize(1);
  int64_t fit = room * channels / (bytes.hidden * tensors);
  if (fit < int64_t(info.neCount))
    return std::nullopt;
  return llvm::alignDown(fit, int64_t(info.neCount));
}

SmallVector<CutTiles>
feedforward::proposeCuts(ConvOp op, const Layer &layer, bool isOfColumns,
                         const ::ane::hw::GenerationInfo &info) {
  // The tiles of the layer as it is: a cut has fewer, to read weights less
  // often.
  const double whole =
      stripsOf(op, layer, typeOf(op.getInput()).getDimSize(1), info).count;
  // Of each kind, the fewest tiles that L2 holds, and one more.
  constexpr int enough = 2;
  SmallVector<CutTiles> found;
  int ofL2 = 0, ofDram = 0;
  for (int64_t count = 1; count == 1 || (isOfColumns && count + 1 < whole);
       ++count) {
    TileBytes bytes = bytesOfTile(op, layer, count, info);
    CutTiles tiles;
    tiles.count = count;
    tiles.cut.takesShortcut = bool(shortcutOf(op));
    size_t before = found.size();
    // With a shortcut in the sums nothing else waits beside them.
    if (ofL2 < enough)
      addCuts(op, bytes, layer.convs.size(), bytes.in + bytes.out,
              shortcutOf(op) ? info.l2Bytes : info.l2SourceBytes, info.neCount,
              tiles, found);
    ofL2 += found.size() > before;
    before = found.size();
    std::optional<int64_t> stored = findStored(op, layer, bytes, info);
    if (stored && ofDram < enough && isOfColumns && count + 1 < whole)
      addCuts(op, bytes, 1, bytes.out, info.l2SourceBytes, info.neCount, tiles,
              found);
    for (CutTiles &tiles : MutableArrayRef(found).drop_front(before))
      tiles.cut.stored = std::min(tiles.cut.hidden, *stored);
    ofDram += found.size() > before;
  }
  return found;
}
