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

// What adds something as large to `op` and nothing else.
static ElementwiseOp shortcutOf(ConvOp op) {
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

/// Bytes for one of some strips of columns.
struct StripBytes {
  int64_t in, hidden, out;
};

} // namespace

static StripBytes bytesOfStrip(ConvOp op, const Layer &layer, int64_t strips,
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

// All sums pass through the planar engine once for each part. An addition is
// short: weights of the product after it are not all there when it ends.
static double secondsOfSums(ConvOp op, const Cut &cut, int64_t bytes,
                            const ::ane::hw::GenerationInfo &info) {
  const ::ane::hw::ChipInfo &chip = ::ane::hw::chipOf(info.id);
  int64_t outputs = typeOf(op).getDimSize(1);
  int64_t parts =
      llvm::divideCeil(typeOf(op.getInput()).getDimSize(1), cut.hidden);
  int64_t groups = llvm::divideCeil(outputs, cut.outputs);
  double pass = bytes / sizeof(uint16_t) / chip.elementsPerSecond;
  double weights = cut.hidden * cut.outputs * sizeof(uint16_t);
  // Half of the buffers of the engines: the next ones load into the other.
  double ofTask = chip.neCount * chip.kernelBufferBytes / 2;
  double load =
      weights / std::ceil(weights / ofTask) / chip.weightBytesPerSecond;
  double wait = std::max(0.0, load - pass * cut.outputs / outputs);
  return (parts - 1) * pass + parts * groups * chip.overlapLoss * wait;
}

// So that L2 has room for `tensors` as large as a part of the layer beside
// `others` and for some of the sums. None: there is no room for that. If nobody
// needs L2 for anything else, there is more of it, and the best of a few cuts
// is found: more parts would read more tables and biases.
static std::optional<Cut>
findCutOfStrip(ConvOp op, const StripBytes &bytes, int64_t tensors,
               int64_t others, bool isAlone,
               const ::ane::hw::GenerationInfo &info) {
  constexpr int64_t slack = 0x8000; // as the planner has it for streams
  int64_t most = isAlone ? info.l2Bytes : info.l2SourceBytes;
  int64_t room = most - slack - others;
  if (room < most / 8)
    return std::nullopt;
  // Groups of what parts add to make room, but are tasks of their own.
  int64_t tries = isAlone ? 3 : 1, maxGroups = isAlone ? 2 : 1;
  Cut cut;
  cut.shortcut = shortcutOf(op);
  int64_t channels = typeOf(op.getInput()).getDimSize(1);
  int64_t outputs = typeOf(op).getDimSize(1), engines = info.neCount;
  int64_t all = bytes.hidden * tensors;
  std::optional<Cut> best;
  double least = 0;
  for (int64_t parts = llvm::divideCeil(all, room); tries > 0; ++parts) {
    cut.hidden = channelsOfPart(op, parts, engines);
    int64_t rest = room - all * cut.hidden / channels;
    int64_t fit = rest * outputs / bytes.out / engines * engines;
    if (fit > 0 && llvm::divideCeilSigned(outputs, fit) <= maxGroups * parts) {
      int64_t groups = llvm::divideCeil(outputs, fit);
      cut.outputs = llvm::alignTo(llvm::divideCeil(outputs, groups), engines);
      double seconds = secondsOfSums(op, cut, bytes.out, info);
      if (!best || seconds < least)
        best = cut, least = seconds;
      --tries;
    }
    if (cut.hidden == engines)
      break;
  }
  return best;
}

// All in L2 at once.
std::optional<Cut> feedforward::findCut(ConvOp op, const Layer &layer,
                                        int64_t strips,
                                        const ::ane::hw::GenerationInfo &info) {
  StripBytes bytes = bytesOfStrip(op, layer, strips, info);
  std::optional<Cut> cut =
      findCutOfStrip(op, bytes, layer.convs.size(), bytes.in + bytes.out,
                     /*isAlone=*/false, info);
  // Without a shortcut in the sums it waits beside them. Where there is room
  // only if nothing else is there, the parts would be too many.
  if (!cut || !shortcutOf(op))
    return cut;
  return findCutOfStrip(op, bytes, layer.convs.size(), bytes.in + bytes.out,
                        /*isAlone=*/true, info);
}

// The layer in DRAM. What is stored passes through L2 beside what it is
// computed from; half of what the input leaves is for that, as parts of all
// sizes leave gaps.
static std::optional<Cut> findStoredCut(ConvOp op, const Layer &layer,
                                        int64_t strips,
                                        const ::ane::hw::GenerationInfo &info) {
  StripBytes bytes = bytesOfStrip(op, layer, strips, info);
  std::optional<Cut> cut =
      findCutOfStrip(op, bytes, 1, bytes.out, /*isAlone=*/false, info);
  int64_t room = (int64_t(info.l2SourceBytes) - bytes.in) / 2;
  int64_t tensors = layer.convs.size() + 1;
  int64_t channels = typeOf(op.getInput()).getDimSize(1);
  int64_t fit = room * channels / (bytes.hidden * tensors);
  if (!cut || fit < int64_t(info.neCount))
    return std::nullopt;
  cut->stored = std::min(cut->hidden,
                         int64_t(llvm::alignDown(fit, int64_t(info.neCount))));
  return cut;
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

// Of a layer whose weights are read `times` times.
static double secondsOf(ConvOp op, const Layer &layer, double times,
                        const ::ane::hw::GenerationInfo &info) {
  double products = secondsOf(op, typeOf(op).getDimSize(1), info);
  for (ConvOp conv : layer.convs)
    products += secondsOf(conv, typeOf(conv).getDimSize(1), info);
  const ::ane::hw::ChipInfo &chip = ::ane::hw::chipOf(info.id);
  double weights = times *
                   double(layer.weightBytes + halfBytesOf(op.getWeight())) /
                   chip.weightBytesPerSecond;
  return std::max(products, weights) +
         chip.overlapLoss * std::min(products, weights);
}

// Weights load during the task before, but not during `times` tasks of the
// planar engine, which are short. `weights` are those of all tasks after them.
static double waitingTime(double times, double weights,
                          const ::ane::hw::ChipInfo &chip) {
  double ahead = chip.neCount * chip.kernelBufferBytes / 2;
  return times * chip.overlapLoss * std::min(weights / times, ahead) /
         chip.weightBytesPerSecond;
}

// With what the additions, and a layer in DRAM, cost.
static double secondsOf(ConvOp op, const Layer &layer, const CutStrips &strips,
                        const ::ane::hw::GenerationInfo &info) {
  const ::ane::hw::ChipInfo &chip = ::ane::hw::chipOf(info.id);
  const Cut &cut = strips.cut;
  int64_t channels = typeOf(op.getInput()).getDimSize(1);
  int64_t parts = llvm::divideCeil(channels, cut.hidden);
  int64_t groups = llvm::divideCeil(typeOf(op).getDimSize(1), cut.outputs);
  int64_t steps =
      llvm::divideCeil(channels, cut.stored ? cut.stored : cut.hidden);
  double seconds =
      secondsOf(op, layer, strips.count, info) +
      (parts - 1) * typeOf(op).getNumElements() / chip.elementsPerSecond;
  seconds += strips.count *
             waitingTime(parts * groups, halfBytesOf(op.getWeight()), chip);
  if (layer.convs.size() > 1)
    seconds +=
        strips.count *
        waitingTime(steps, halfBytesOf(ConvOp(layer.convs[0]).getWeight()),
                    chip);
  if (!cut.stored)
    return seconds;
  // A tenth, as this knows nothing of what the planner keeps.
  return 1.1 *
         (seconds + 2 * halfBytesOf(op.getInput()) / chip.tileBytesPerSecond);
}

// Strips of the layer as it is.
static double countStrips(ConvOp op, const Layer &layer,
                          const ::ane::hw::GenerationInfo &info) {
  return stripsOf(op, layer, typeOf(op.getInput()).getDimSize(1), info).count;
}

std::optional<CutStrips>
feedforward::findStrips(ConvOp op, const Layer &layer,
                        const ::ane::hw::GenerationInfo &info) {
  const double whole = countStrips(op, layer, info);
  const ::ane::hw::ChipInfo &chip = ::ane::hw::chipOf(info.id);
  for (int64_t count = 2; count + 1 < whole; ++count)
    if (std::optional<Cut> cut = findCut(op, layer, count, info)) {
      double saved = (whole - count) *
                     double(layer.weightBytes + halfBytesOf(op.getWeight())) /
                     chip.weightBytesPerSecond;
      int64_t parts =
          llvm::divideCeil(typeOf(op.getInput()).getDimSize(1), cut->hidden);
      double added =
          (parts - 1) * typeOf(op).getNumElements() / chip.elementsPerSecond;
      if (saved < added)
        return std::nullopt;
      return CutStrips{count, *cut};
    }
  return std::nullopt;
}

std::optional<CutStrips>
feedforward::findStoredStrips(ConvOp op, const Layer &layer,
                              const std::optional<CutStrips> &others,
                              const ::ane::hw::GenerationInfo &info) {
  const double whole = countStrips(op, layer, info);
  std::optional<CutStrips> best;
  double least = others ? secondsOf(op, layer, *others, info)
                        : secondsOf(op, layer, whole, info);
  for (int64_t count = 1; count + 1 < whole; ++count)
    if (std::optional<Cut> cut = findStoredCut(op, layer, count, info)) {
      CutStrips strips = {count, *cut};
      if (double seconds = secondsOf(op, layer, strips, info);
          seconds < least) {
        least = seconds;
        best = strips;
      }
    }
  return best;
}
