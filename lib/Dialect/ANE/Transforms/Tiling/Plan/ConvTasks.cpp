//===- ConvTasks.cpp - How many tasks a convolution takes -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Tiling/Plan/ConvTasks.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/HW/KernelPacking.h"
#include "ane/HW/Layout.h"
#include "ane/Simulator/CostModel.h"

using namespace mlir;
using namespace mlir::ane;

bool mlir::ane::streamsCoefficients(ConvOp conv) {
  ArrayRef<int64_t> out = shapeOf(conv.getResult());
  return out[2] <= 8 && out[3] <= 8;
}

bool mlir::ane::isDepthwise(ConvOp conv) {
  int64_t channels = shapeOf(conv.getInput())[1];
  return int64_t(conv.getGroups()) == channels && channels > 1 &&
         shapeOf(conv.getResult())[1] == channels;
}

ConvTasks::ConvTasks(ConvOp conv, const ::ane::hw::GenerationInfo &info,
                     bool doubleBuffers)
    : conv(conv), info(info), doubleBuffers(doubleBuffers) {
  // Each task reads the source, so it has to stay in L2 beside the result.
  int64_t bytes = 0;
  for (Value value : {conv.getInput(), conv.getResult()}) {
    ArrayRef<int64_t> shape = shapeOf(value);
    bytes += shape[1] * shape[2] *
             ::ane::hw::alignTo(shape[3] * sizeof(uint16_t), info.l2Align);
  }
  this->doubleBuffers &= bytes <= int64_t(info.l2SourceBytes);
}

bool ConvTasks::fits(int64_t channels, int64_t groups) {
  ArrayRef<int64_t> weight = shapeOf(conv.getWeight());
  ArrayRef<int64_t> out = shapeOf(conv.getResult());
  ::ane::hw::KernelShape shape;
  shape.cout = channels;
  shape.cin = weight[1];
  shape.kh = weight[2];
  shape.kw = weight[3];
  shape.groups = groups;
  shape.depthwise = isDepthwise(conv);
  shape.zeroSkipping = conv.getStrides()[0] == 2;
  ::ane::hw::chooseLanes(info, shape, out[2], out[3]);
  // Weights only: the records that fill the buffer exactly have a bias too.
  return ::ane::hw::streamBytes(info, shape) <= info.kernelBufferBytes;
}

// Full passes where an engine has several, else an even number of lanes.
int64_t ConvTasks::most(int64_t channels) {
  bool depthwise = isDepthwise(conv);
  int64_t lanes = llvm::divideCeil(channels, info.neCount);
  auto fitsLanes = [&](int64_t lanes) {
    int64_t count = std::min<int64_t>(channels, lanes * info.neCount);
    return fits(count, depthwise ? count : 1);
  };
  if (streamsCoefficients(conv) || fitsLanes(lanes))
    return channels;
  while (lanes && !fitsLanes(lanes))
    --lanes;
  int64_t pass = info.maxLanes;
  if (lanes >= pass)
    lanes -= lanes % pass;
  else if (lanes > 1)
    lanes -= lanes % 2;
  return lanes * info.neCount;
}

// In a row of convolutions like this one.
double ConvTasks::secondsOf(int64_t channels, int64_t step) {
  ArrayRef<int64_t> weight = shapeOf(conv.getWeight());
  ArrayRef<int64_t> out = shapeOf(conv.getResult());
  ::ane::sim::Sequence sequence(::ane::hw::chipOf(info.id));
  double seconds = 0;
  for (int round = 0; round < 4; ++round) {
    seconds = 0;
    for (int64_t first = 0; first < channels; first += step) {
      ::ane::sim::TaskWork work;
      work.cout = std::min(step, channels - first);
      work.kernelWidth = weight[3];
      uint64_t count = work.cout * weight[1] * weight[2] * weight[3];
      work.macs = count * out[2] * out[3];
      work.weightBytes = count * sizeof(uint16_t);
      seconds += sequence.add(work).total;
    }
  }
  return seconds;
}

int64_t ConvTasks::channelsOfTask(int64_t channels) {
  int64_t step = most(channels), engines = info.neCount;
  if (!step || !doubleBuffers || isDepthwise(conv) || streamsCoefficients(conv))
    return step;
  constexpr double worthMoreTasks = 0.98;
  // Published: blocks of 128 KB move at the full rate.
  constexpr int64_t minBytes = 0x20000;
  ArrayRef<int64_t> weight = shapeOf(conv.getWeight());
  int64_t lane = weight[1] * weight[2] * weight[3] * sizeof(uint16_t);
  double least = secondsOf(channels, step);
  int64_t all = llvm::divideCeil(channels, engines);
  for (int64_t parts = 2; parts <= all; parts *= 2) {
    int64_t lanes = llvm::divideCeil(all, parts);
    lanes = llvm::alignTo(lanes, lanes > info.maxLanes ? info.maxLanes : 2);
    if (lanes * engines >= step)
      continue;
    if (lanes * engines * lane < minBytes)
      break;
    double seconds = secondsOf(channels, lanes * engines);
    if (seconds >= least * worthMoreTasks)
      continue;
    least = seconds;
    step = lanes * engines;
  }
  return step;
}
