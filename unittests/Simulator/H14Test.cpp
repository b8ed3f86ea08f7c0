//===- H14Test.cpp - Programs of H14 in the simulator ---------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/HW/H14.h"
#include "ane/HW/Float16.h"
#include "ane/HW/Layout.h"
#include "ane/HW/Program.h"
#include "ane/Simulator/Simulator.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <random>

using namespace ane;
using testing::HasSubstr;
namespace h14 = hw::h14;

namespace {

/// y = relu(x) on halves of 4 channels, 2 rows and 8 columns. Registers that
/// have their reset values are left out.
class Relu {
public:
  Relu() {
    program.generation = hw::Generation::H14;
    for (const char *name : {"x", "y"}) {
      hw::Tensor tensor;
      tensor.name = name;
      tensor.kind =
          *name == 'x' ? hw::TensorKind::Input : hw::TensorKind::Output;
      tensor.shape = {1, 4, 2, 8, 1};
      tensor.base = hw::BaseFirstTensor + program.tensors.size();
      hw::setPlanar(hw::info(program.generation), tensor);
      surfaces.emplace_back(tensor.bytes);
      program.tensors.push_back(tensor);
    }
    for (uint32_t i = 0; i < elements; ++i)
      put(surfaces[0], i, float(i) - 20);
    task().header.resize(hw::info(program.generation).headerWords);
    for (auto field : {h14::Common::InDim_Win, h14::Common::OutDim_Wout})
      set(field, 8);
    for (auto field : {h14::Common::InDim_Hin, h14::Common::OutDim_Hout,
                       h14::Common::TileCfg_TileHeight})
      set(field, 2);
    for (auto field : {h14::Common::Cin_Cin, h14::Common::Cout_Cout})
      set(field, 4);
    set(h14::Common::OCGSize_OCGSize, 0);
    set(h14::Common::GroupConvCfg_UnicastEn, 1);
    set(h14::Common::Cfg_ActiveNE, 2);
    set(h14::NE::MACCfg_KernelMode, 1);
    set(h14::NE::MACCfg_OpMode, uint32_t(h14::NE::OpMode::Bypass));
    set(h14::NE::MACCfg_NonlinearMode, uint32_t(h14::NE::NonlinearMode::ReLU));
    set(h14::NE::PostScale_PostScale, 0x3c00);
    source();
    result();
    set(h14::KernelDMASrc::MasterConfig_LastTask, 1);
  }

  hw::Task &task() {
    if (program.tasks.empty())
      program.tasks.emplace_back();
    return program.tasks[0];
  }
  void set(const hw::FieldRef &field, uint32_t value) {
    const hw::RegisterMap &map = hw::registers(program.generation);
    uint32_t word = task().writes(field.address)
                        ? task().word(field)
                        : map.registerAt(field.address)->reset;
    ASSERT_TRUE(field.encode(word, value).ok()) << field.path;
    task().records.push_back(hw::scatterRecord(field.address, 0, {word}));
  }
  absl::StatusOr<sim::Stats> run(sim::Mode mode) {
    std::vector<absl::Span<uint8_t>> spans;
    spans.reserve(surfaces.size());
    for (std::vector<uint8_t> &surface : surfaces)
      spans.push_back(absl::MakeSpan(surface));
    sim::Options options;
    options.mode = mode;
    return sim::run(program, spans, options);
  }
  float at(uint32_t index) const {
    const uint8_t *bytes = &surfaces[1][place(index)];
    return hw::fromHalfBits(bytes[0] | bytes[1] << 8);
  }

  static constexpr uint32_t elements = 4 * 2 * 8;
  hw::Program program;
  std::vector<std::vector<uint8_t>> surfaces;

private:
  void source() {
    set(h14::L2::SourceCfg_SourceType, uint32_t(h14::L2::SourceType::DMA));
    set(h14::L2::SourceChannelStride_Stride, 0x10);
    set(h14::L2::SourceRowStride_Stride, 0x40);
    task().records.push_back(
        hw::baseRecord(h14::TileDMASrc::Src1BaseAddr, 4, 0));
    set(h14::TileDMASrc::Src1RowStride_Stride, 0x40);
    set(h14::TileDMASrc::Src1PlaneStride_Stride, 0x80);
    set(h14::TileDMASrc::Src1Fmt_FmtMode, 1);
    set(h14::TileDMASrc::Src1Fmt_MemFmt, 2);
    set(h14::TileDMASrc::Src1Fmt_Truncate, 3);
  }
  void result() {
    set(h14::L2::ResultCfg_ResultType, uint32_t(h14::L2::ResultType::DMA));
    set(h14::L2::ResultBase_Addr, 0x100);
    set(h14::TileDMADst::DMAConfig_En, 1);
    task().records.push_back(hw::baseRecord(h14::TileDMADst::BaseAddr, 5, 0));
    set(h14::TileDMADst::RowStride_Stride, 0x40);
    set(h14::TileDMADst::PlaneStride_Stride, 0x80);
    set(h14::TileDMADst::Fmt_FmtMode, 1);
    set(h14::TileDMADst::Fmt_MemFmt, 2);
    set(h14::TileDMADst::Fmt_Truncate, 3);
  }
  /// Rows of 8 halves are padded to 64 bytes.
  static uint32_t place(uint32_t index) {
    return index / 8 * 64 + index % 8 * 2;
  }
  static void put(std::vector<uint8_t> &surface, uint32_t index, float value) {
    const uint16_t bits = hw::toHalfBits(value);
    surface[place(index)] = bits & 0xff;
    surface[place(index) + 1] = bits >> 8;
  }
};

TEST(H14, RunsInAllModes) {
  for (sim::Mode mode : {sim::Mode::Fast, sim::Mode::Exact, sim::Mode::Engine,
                         sim::Mode::Count}) {
    Relu relu;
    auto stats = relu.run(mode);
    ASSERT_TRUE(stats.ok()) << stats.status();
    ASSERT_EQ(stats->tasks.size(), 1u);
    EXPECT_EQ(stats->tasks[0].op, "relu");
    EXPECT_EQ(stats->read.input, 2 * Relu::elements);
    EXPECT_EQ(stats->written.output, 2 * Relu::elements);
    EXPECT_GT(stats->predictedMs, 0);
    for (uint32_t i = 0; mode != sim::Mode::Count && i < Relu::elements; ++i)
      EXPECT_EQ(relu.at(i), i < 20 ? 0 : float(i) - 20);
  }
}

TEST(H14, WhatATaskLeavesOutIsResetInEach) {
  Relu relu;
  hw::Task second = relu.task();
  // The first is not the last one, and reads from elsewhere in L2.
  relu.task().records.pop_back();
  relu.set(h14::L2::SourceBase_Addr, 0x4000);
  relu.program.tasks.push_back(second);
  auto stats = relu.run(sim::Mode::Fast);
  ASSERT_TRUE(stats.ok()) << stats.status();
  ASSERT_EQ(stats->tasks.size(), 2u);
  EXPECT_EQ(stats->tasks[0].operands[0].l2Begin, 0x4000u);
  EXPECT_EQ(stats->tasks[1].operands[0].l2Begin, 0u);
}

TEST(H14, AnyWordsGiveAResultOrAnError) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  int good = 0;
  for (int i = 0; i < 500; ++i) {
    Relu relu;
    for (int flips = 1 + random() % 3; flips-- > 0;) {
      hw::Task &task = relu.task();
      const size_t index = random() % (task.records.size() + 1);
      std::vector<uint32_t> &words =
          index < task.records.size() ? task.records[index].words : task.header;
      words[random() % words.size()] ^= 1u << random() % 32;
    }
    auto stats = relu.run(sim::Mode::Fast);
    good += stats.ok();
    if (!stats.ok()) {
      EXPECT_FALSE(stats.status().message().empty());
    }
  }
  EXPECT_GT(good, 0);
}

TEST(H14, ErrorsNameTaskAndRegister) {
  Relu relu;
  relu.set(h14::PE::Quant_Src1InputOffset, 1);
  EXPECT_THAT(
      std::string(relu.run(sim::Mode::Fast).status().message()),
      HasSubstr("task 0: PE.Quant.Src1InputOffset (0x910) is 0x1, which is "
                "not understood; expected 0"));
}

} // namespace
