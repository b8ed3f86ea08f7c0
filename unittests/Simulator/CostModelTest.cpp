//===- CostModelTest.cpp - How long tasks take ----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Simulator/CostModel.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"

using namespace ane;
using ::testing::HasSubstr;

/// Round numbers, so that expectations can be read.
static hw::ChipInfo roundChip() {
  hw::ChipInfo chip{};
  chip.neCount = 16;
  chip.macsPerCycle = 256;
  chip.pairsBytes = true;
  chip.l2Bytes = 2 << 20;
  chip.kernelBufferBytes = 64 << 10;
  chip.clockHertz = 1e12 / 4096;
  chip.sustained = 1; // 1e12 products a second
  chip.winograd = 1;
  chip.weightBytesPerSecond = 1e9;
  chip.tileBytesPerSecond = 1e9;
  chip.windowBytesPerSecond = 1e8;
  chip.depthwiseMacsPerSecond = 1e10;
  chip.elementsPerSecond = 1e9;
  chip.conversionsPerSecond = 1e9;
  chip.overlapLoss = 0.25;
  chip.prefetchesWeights = true;
  return chip;
}

static sim::TaskWork bigConv() {
  sim::TaskWork work;
  work.macs = 1000000000000; // 1 s
  work.cout = 64;
  return work;
}

namespace {

TEST(CostModel, TheLongestPartDecides) {
  const hw::ChipInfo chip = roundChip();
  sim::TaskWork work = bigConv();
  EXPECT_DOUBLE_EQ(sim::predict(chip, work).total, 1);
  work.weightBytes = 400000000;
  sim::TaskTime time = sim::predict(chip, work);
  EXPECT_DOUBLE_EQ(time.total, 1 + 0.25 * 0.4);
  EXPECT_EQ(time.bound(), sim::Unit::Compute);
  work.weightBytes = 2000000000;
  time = sim::predict(chip, work);
  EXPECT_DOUBLE_EQ(time.total, 2 + 0.25 * 1);
  EXPECT_EQ(time.bound(), sim::Unit::Weights);
  work.tileBytes = 4000000000;
  time = sim::predict(chip, work);
  EXPECT_DOUBLE_EQ(time.total, 4 + 0.25 * 3);
  EXPECT_EQ(time.bound(), sim::Unit::Tiles);
}

TEST(CostModel, IdleEnginesAndOddPairsCost) {
  const hw::ChipInfo chip = roundChip();
  sim::TaskWork work = bigConv();
  work.cout = 8; // half of the engines idle
  EXPECT_DOUBLE_EQ(sim::predict(chip, work).total, 2);
  work.cout = 24; // the second round fills half of them
  EXPECT_DOUBLE_EQ(sim::predict(chip, work).total, 4.0 / 3);
  work.cout = 64;
  work.byteOperands = true;
  EXPECT_DOUBLE_EQ(sim::predict(chip, work).total, 0.5);
  work.lanes = 1;
  EXPECT_DOUBLE_EQ(sim::predict(chip, work).total, 1);
  work.lanes = 3;
  EXPECT_DOUBLE_EQ(sim::predict(chip, work).total, 0.5 * 4 / 3);
}

TEST(CostModel, ElementwiseWorkConversionAndWindows) {
  const hw::ChipInfo chip = roundChip();
  sim::TaskWork work;
  work.elements = 3000000000;
  EXPECT_DOUBLE_EQ(sim::predict(chip, work).total, 3);
  work = bigConv();
  work.converted = 1000000000;
  EXPECT_DOUBLE_EQ(sim::predict(chip, work).total, 2); // one after the other
  work = bigConv();
  work.windowBytes = 50000000;
  EXPECT_DOUBLE_EQ(sim::predict(chip, work).total, 1); // hidden
  work.windowBytes = 300000000;
  EXPECT_DOUBLE_EQ(sim::predict(chip, work).total, 3);
  EXPECT_EQ(sim::predict(chip, work).bound(), sim::Unit::Tiles);
  work = bigConv();
  work.macs = 10000000000;
  work.depthwise = true;
  EXPECT_DOUBLE_EQ(sim::predict(chip, work).total, 1);
  work.results = work.macs; // 1x1: as slow as elementwise work
  EXPECT_DOUBLE_EQ(sim::predict(chip, work).total, 10);
}

TEST(CostModel, WeightsAreLoadedAheadWhereThereIsTimeAndRoom) {
  hw::ChipInfo chip = roundChip();
  const uint64_t buffers = chip.neCount * chip.kernelBufferBytes;
  sim::TaskWork work = bigConv();
  work.weightBytes = buffers / 4;
  const double alone = sim::predict(chip, work).total;
  const double quarter = work.weightBytes / chip.weightBytesPerSecond;

  sim::Sequence sequence(chip); // nothing runs before the first task
  EXPECT_DOUBLE_EQ(sequence.add(work).total, alone);
  sim::TaskTime time = sequence.add(work);
  EXPECT_DOUBLE_EQ(time.total, 1);
  EXPECT_DOUBLE_EQ(time.weightsAhead, quarter);
  EXPECT_DOUBLE_EQ(time.weights, 0);

  // No more than fits beside what the task before has.
  work.weightBytes = buffers;
  EXPECT_DOUBLE_EQ(sequence.add(work).weightsAhead, 3 * quarter);
  EXPECT_DOUBLE_EQ(sequence.add(work).weightsAhead, 0);

  // No more than there is time for: the DRAM is busy with tiles.
  work.weightBytes = 0;
  work.tileBytes = 2000000000;
  sequence.add(work); // 2 s of tiles, and the loss
  work.tileBytes = 0;
  work.weightBytes = buffers;
  EXPECT_DOUBLE_EQ(sequence.add(work).weightsAhead, buffers / 1e9);
  work.weightBytes = 0;
  work.macs = 1000000;   // 1 us
  work.tileBytes = 4000; // 4 us
  sequence.add(work);
  work.weightBytes = buffers;
  EXPECT_NEAR(sequence.add(work).weightsAhead, 0.25e-6, 2e-9); // the loss

  chip.prefetchesWeights = false;
  sim::Sequence without(chip);
  without.add(bigConv());
  EXPECT_DOUBLE_EQ(without.add(work).weightsAhead, 0);
}

TEST(CostModel, LayersAreCutWhereCoefficientsDoNotFit) {
  const hw::ChipInfo chip = roundChip();
  sim::LayerShape layer;
  layer.cin = layer.cout = 1024;
  layer.height = layer.width = 64;
  layer.kh = layer.kw = 3;
  // 18 KiB a channel: three fit, 64 channels of an engine take 22 passes.
  sim::TaskWork work = sim::workOf(chip, layer, true, true);
  EXPECT_EQ(work.macs, 1024ull * 1024 * 9 * 4096);
  EXPECT_EQ(work.lanes, 3u);
  EXPECT_EQ(work.weightBytes, 1024ull * 1024 * 9 * 2);
  EXPECT_EQ(work.tileBytes, 2ull * 1024 * 4096 * 2);
  EXPECT_EQ(work.windowBytes, 22ull * 1024 * 4096 * 2);
  // Exactly 16 KiB a channel: a fourth would leave no room.
  layer.kh = layer.kw = 4;
  layer.activationBytes = 1;
  layer.weightBytes = 1;
  layer.byteWeights = true;
  work = sim::workOf(chip, layer, true, false);
  EXPECT_EQ(work.lanes, 3u);
  EXPECT_TRUE(work.byteOperands);
  EXPECT_EQ(work.windowBytes, 0u); // bytes were not seen to suffer
  EXPECT_EQ(work.converted, 1024u * 4096);
  EXPECT_EQ(work.tileBytes, 1024u * 4096);
  // A pointwise convolution reads its large source once more for each pass.
  layer = sim::LayerShape();
  layer.cin = layer.cout = 1024;
  layer.height = layer.width = 64;
  work = sim::workOf(chip, layer, true, false);
  EXPECT_EQ(work.tileBytes, 3ull * 1024 * 4096 * 2);
  // What fits the L2 is read once.
  layer.height = layer.width = 16;
  work = sim::workOf(chip, layer, true, false);
  EXPECT_EQ(work.tileBytes, 1024u * 256 * 2);
  layer.groups = 1024;
  work = sim::workOf(chip, layer, false, false);
  EXPECT_TRUE(work.depthwise);
  EXPECT_EQ(work.macs, 1024u * 256);
  EXPECT_EQ(work.results, 1024u * 256);
  EXPECT_EQ(work.tileBytes, 0u);
}

TEST(CostModel, RatesAreReplacedByName) {
  hw::ChipInfo chip = *hw::findChip("m1");
  ASSERT_TRUE(hw::setRate(chip, "tiles=25.5e9").ok());
  EXPECT_EQ(chip.tileBytesPerSecond, 25.5e9);
  EXPECT_EQ(hw::findChip("m1")->tileBytesPerSecond, 51e9);
  auto errorOf = [&](const char *text) {
    return std::string(hw::setRate(chip, text).message());
  };
  EXPECT_EQ(errorOf("tiles=-1"),
            "rate 'tiles' is '-1', expected a positive number");
  EXPECT_EQ(errorOf("tiles=inf"),
            "rate 'tiles' is 'inf', expected a positive number");
  EXPECT_EQ(errorOf("loss"), "rate 'loss' is '', expected a positive number");
  EXPECT_THAT(errorOf("speed=1"),
              HasSubstr("no rate is called 'speed', expected one of: clock, "));
}

TEST(CostModel, GuessedRatesExist) {
  for (const hw::ChipInfo &chip : hw::chips())
    for (absl::string_view guessed : absl::StrSplit(chip.guessedRates, ' '))
      EXPECT_TRUE(absl::c_any_of(hw::chipRates(),
                                 [&](const hw::ChipRate &rate) {
                                   return rate.name == guessed &&
                                          rate.isGuessed(chip);
                                 }))
          << chip.name << " " << guessed;
}

TEST(CostModel, ChipsAreFoundByName) {
  for (const hw::ChipInfo &chip : hw::chips()) {
    auto found = hw::findChip(chip.name);
    ASSERT_TRUE(found.ok());
    EXPECT_STREQ(found->name, chip.name);
  }
  auto missing = hw::findChip("m0");
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(std::string(missing.status().message()),
              HasSubstr("no rates are known of chip 'm0', expected one of: "
                        "m1, m2, m4"));
  EXPECT_STREQ(hw::chipOf(hw::Generation::H13).name, "m1");
  EXPECT_STREQ(hw::chipOf(hw::Generation::H14).name, "m2");
}

} // namespace
