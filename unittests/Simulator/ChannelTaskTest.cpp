//===- ChannelTaskTest.cpp - Tasks that run in slices ---------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChannelTask.h"

#include "gtest/gtest.h"

using namespace ane;
using sim::Place;

namespace {

/// A large sum of two tensors in L2, result after them.
sim::TaskConfig largeSum() {
  sim::TaskConfig task;
  sim::Pattern pattern;
  pattern.dims = {1, 1, 64, 32, 32};
  pattern.row = 64;
  pattern.plane = 64 * 32;
  task.source1.place = task.source2.place = task.result.place = Place::L2;
  task.source1.l2 = task.source1.dram = pattern;
  task.source2.l2 = task.source2.dram = pattern;
  task.source2.l2.base = 0x40000;
  task.result.l2 = task.result.dram = pattern;
  task.result.l2.base = 0x80000;
  task.planar.binary = true;
  return task;
}

TEST(ChannelTask, LargeElementwiseWorkIsSliced) {
  sim::TaskConfig task = largeSum();
  EXPECT_TRUE(sim::worksByChannel(task));
  task.source2.l2.dims.c = 1; // repeated
  EXPECT_TRUE(sim::worksByChannel(task));
  task.source2.l2.dims.c = 2;
  EXPECT_FALSE(sim::worksByChannel(task));
  task = largeSum();
  task.source1.l2.interleave = 2;
  EXPECT_FALSE(sim::worksByChannel(task));
  task = largeSum();
  task.source1.place = Place::Chained;
  EXPECT_FALSE(sim::worksByChannel(task));
  task = largeSum();
  task.result.dram.dims.h = task.source1.dram.dims.h = 1; // few elements
  EXPECT_FALSE(sim::worksByChannel(task));
}

TEST(ChannelTask, AResultOverItsSourceMustBeInPlace) {
  sim::TaskConfig task = largeSum();
  task.result.l2.base = 0; // element over element
  EXPECT_TRUE(sim::worksByChannel(task));
  task.result.l2.base = 64 * 32; // a channel further on
  EXPECT_FALSE(sim::worksByChannel(task));
  task.result.l2.base = 0;
  task.result.l2.row = 128;
  EXPECT_FALSE(sim::worksByChannel(task));
  task = largeSum();
  task.result.l2.base = 0x40000 - 64; // over source 2
  EXPECT_FALSE(sim::worksByChannel(task));
  // The same addresses in another memory.
  task.result.place = Place::DRAM;
  EXPECT_TRUE(sim::worksByChannel(task));
  // Rows that are reduced are needed after the first element, too.
  task = largeSum();
  task.result.l2.base = 0;
  task.planar.reduces = true;
  EXPECT_FALSE(sim::worksByChannel(task));
}

TEST(ChannelTask, ConvolutionsAreSlicedWhereChannelsStayApart) {
  sim::TaskConfig task = largeSum();
  task.isNeural = true;
  task.source2 = {};
  task.neural.hasKernel = true;
  EXPECT_FALSE(sim::worksByChannel(task)); // sums over channels
  task.neural.unicast = true;
  EXPECT_TRUE(sim::worksByChannel(task));
  task.result.l2.base = 0; // a window reads neighbours
  EXPECT_FALSE(sim::worksByChannel(task));
  task.neural.hasKernel = false;
  EXPECT_TRUE(sim::worksByChannel(task));
  task.result.dram.dims.g = 2;
  EXPECT_FALSE(sim::worksByChannel(task));
}

} // namespace
