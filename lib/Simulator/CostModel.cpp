//===- CostModel.cpp - How long a task takes ------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Simulator/CostModel.h"

#include <algorithm>
#include <cmath>

namespace ane::sim {

const char *name(Unit unit) {
  switch (unit) {
  case Unit::Compute:
    return "compute";
  case Unit::Weights:
    return "weights";
  case Unit::Tiles:
    break;
  }
  return "tiles";
}

Unit TaskTime::bound() const {
  if (compute >= weights && compute >= tiles)
    return Unit::Compute;
  return weights >= tiles ? Unit::Weights : Unit::Tiles;
}

static double computeTime(const hw::ChipInfo &chip, const TaskWork &work) {
  if (!work.macs) // copies and tables run at the speed of elementwise work
    return work.elements / chip.elementsPerSecond;
  // Published are windows of 3 x 3 only. Smaller ones are no faster than what
  // has no kernel at all.
  if (work.depthwise)
    return std::max(work.macs / chip.depthwiseMacsPerSecond,
                    work.results / chip.elementsPerSecond);
  double rate = chip.macsPerSecond();
  // The channels are dealt out to the engines in rounds; the last may be short.
  uint64_t rounds = (std::max(1u, work.cout) + chip.neCount - 1) / chip.neCount;
  rate *= work.cout / double(chip.neCount * rounds);
  if (work.byteOperands && chip.pairsBytes) {
    rate *= 2;
    // Deduced from M4: 1 of 2 with one channel, 3 of 4 with three.
    const uint32_t pairs = (work.lanes + 1) / 2;
    if (work.lanes)
      rate *= work.lanes / (2.0 * pairs);
  }
  if (work.kernelWidth == 3)
    rate *= chip.winograd;
  return work.macs / rate;
}

TaskTime predict(const hw::ChipInfo &chip, const TaskWork &work) {
  TaskTime time;
  time.compute = computeTime(chip, work);
  time.weights = work.weightBytes / chip.weightBytesPerSecond;
  time.tiles = work.tileBytes / chip.tileBytesPerSecond;
  const double longest = std::max({time.compute, time.weights, time.tiles});
  const double rest = time.compute + time.weights + time.tiles - longest;
  const double window = work.windowBytes / chip.windowBytesPerSecond;
  time.total = std::max(longest + chip.overlapLoss * rest, window) +
               work.converted / chip.conversionsPerSecond;
  time.tiles = std::max(time.tiles, window);
  return time;
}

TaskTime Sequence::add(const TaskWork &work) {
  const double rate = chip->weightBytesPerSecond;
  const uint64_t buffers = chip->neCount * chip->kernelBufferBytes;
  uint64_t ahead = 0;
  if (chip->prefetchesWeights)
    ahead = std::min({work.weightBytes, room, uint64_t(idle * rate)});
  TaskWork rest = work;
  rest.weightBytes -= ahead;
  TaskTime time = predict(*chip, rest);
  time.weightsAhead = ahead / rate;
  idle = std::max(0.0, time.total - time.weights - time.tiles);
  room = buffers - std::min(buffers, work.weightBytes);
  return time;
}

bool isWindowed(const hw::ChipInfo &chip, uint64_t sourceBytes,
                uint32_t elementBytes, uint32_t kh, uint32_t kw) {
  return sourceBytes > chip.l2Bytes && elementBytes == 2 && kh * kw > 1;
}

TaskWork workOf(const hw::ChipInfo &chip, const LayerShape &layer, bool reads,
                bool writes) {
  TaskWork work;
  const uint64_t pixels = uint64_t(layer.height) * layer.width;
  const uint64_t cin = layer.cin / std::max(1u, layer.groups);
  const uint64_t weights = cin * layer.cout * layer.kh * layer.kw;
  work.macs = weights * pixels;
  work.cout = layer.cout;
  work.kernelWidth = layer.kw;
  work.depthwise = layer.groups > 1;
  work.byteOperands = layer.byteWeights && layer.activationBytes == 1;
  work.weightBytes = static_cast<uint64_t>(weights * layer.weightBytes);
  const uint64_t inputs = layer.cin * pixels, outputs = layer.cout * pixels;
  const uint64_t source = inputs * layer.activationBytes;
  work.results = outputs;
  if (layer.activationBytes == 1)
    work.converted = (reads ? inputs : 0) + (writes ? outputs : 0);

  // Channels of one engine that leave room in its buffer, and the passes that
  // all channels of an engine then take.
  const double channelBytes = cin * layer.kh * layer.kw * layer.weightBytes;
  const uint64_t room = std::max<int64_t>(
      1, int64_t(std::ceil(chip.kernelBufferBytes / channelBytes)) - 1);
  const uint64_t all = (layer.cout + chip.neCount - 1) / chip.neCount;
  const uint64_t fit = std::min(room, all);
  const uint64_t passes = work.depthwise ? 1 : (all + fit - 1) / fit;
  // Many channels are worked on in groups of 16, which are even.
  work.lanes = work.depthwise || fit >= 16 ? 0 : uint32_t(fit);

  work.tileBytes =
      (reads ? source : 0) + (writes ? outputs * layer.activationBytes : 0);
  if (reads && passes > 1 && source > chip.l2Bytes) {
    if (isWindowed(chip, source, layer.activationBytes, layer.kh, layer.kw))
      work.windowBytes = source * passes;
    else if (layer.kh * layer.kw == 1)
      work.tileBytes += source * (passes - 1);
  }
  return work;
}

} // namespace ane::sim
