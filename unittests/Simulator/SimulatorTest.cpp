//===- SimulatorTest.cpp - Memories, chains, counts and errors ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "gmock/gmock.h"

using namespace ane;
using namespace ane::test;
using ::testing::HasSubstr;

namespace {

const Shape small{1, 3, 4, 5};

/// A machine with input `x` (base 4), output `y` (base 5) and a copy.
struct Copy : Machine {
  Copy() {
    input("x", small, randomValues(small.count(), 41));
    output("y", small);
    task(small, small, 4, 5);
  }
};

TEST(Simulator, CopyCountsItsBytes) {
  Copy machine;
  auto stats = machine.run();
  ASSERT_TRUE(stats.ok()) << stats.status();
  EXPECT_EQ(machine.values[1], machine.values[0]);
  EXPECT_EQ(stats->tasks.size(), 1u);
  EXPECT_EQ(stats->tasks[0].unit, "NE");
  EXPECT_EQ(stats->read.input, 2 * small.count());
  EXPECT_EQ(stats->written.output, 2 * small.count());
  EXPECT_EQ(stats->read.total() + stats->written.total(), 4 * small.count());
  EXPECT_EQ(stats->compulsoryBytes, 4 * small.count());
  EXPECT_GT(stats->l2PeakBytes, 0u);
  EXPECT_GT(stats->predictedMs, 0);
  EXPECT_LT(stats->predictedMs, 1);
}

TEST(Simulator, L2PeakIsThatOfTheTiles) {
  Copy machine; // source rows of 3 * 16 bytes from 0, result at 0x100000
  machine.set(h13::Common::TileCfg_TileHeight, 2);
  machine.set(h13::L2::ResultRowStride_Stride, 0x40);
  auto stats = machine.run();
  ASSERT_TRUE(stats.ok()) << stats.status();
  EXPECT_EQ(stats->l2PeakBytes, 0x100000u + 2 * 0x40);
  machine.set(h13::L2::ResultBase_Addr, 0x60); // after two rows of the source
  stats = machine.run();
  ASSERT_TRUE(stats.ok()) << stats.status();
  EXPECT_EQ(stats->l2PeakBytes, 0x60u + 2 * 0x40);
  machine.set(h13::L2::ResultRowStride_Stride, 0); // streams out
  stats = machine.run();
  ASSERT_TRUE(stats.ok()) << stats.status();
  EXPECT_EQ(stats->l2PeakBytes, 0x60u + 2 * 3 * 5); // a row of all channels
}

TEST(Simulator, SlicesOfAConcatenation) {
  Shape a{1, 2, 3, 4}, b{1, 5, 3, 4}, both{1, 7, 3, 4};
  Machine machine;
  machine.input("a", a, randomValues(a.count(), 42));
  machine.input("b", b, randomValues(b.count(), 43));
  machine.output("y", both);
  machine.task(a, a, 4, 6);
  machine.task(b, b, 5, 6);
  machine.set(h13::TileDMADst::BaseAddr_Addr, 2 * 3 * 64);
  ASSERT_TRUE(machine.run().ok());
  std::vector<float> expected = machine.values[0];
  expected.insert(expected.end(), machine.values[1].begin(),
                  machine.values[1].end());
  EXPECT_EQ(machine.values[2], expected);
}

TEST(Simulator, ChainThroughScratch) {
  Copy machine;
  machine.program.scratchBytes = 0x4000;
  machine.set(h13::Header::WBase, hw::BaseScratch);
  machine.set(h13::TileDMADst::BaseAddr_Addr, 0x1000);
  machine.task(small, small, hw::BaseScratch, 5);
  machine.set(h13::TileDMASrc::Src1BaseAddr_Addr, 0x1000);
  auto stats = machine.run();
  ASSERT_TRUE(stats.ok()) << stats.status();
  EXPECT_EQ(machine.values[1], machine.values[0]);
  EXPECT_EQ(stats->written.intermediate, 2 * small.count());
  EXPECT_EQ(stats->read.intermediate, 2 * small.count());
  EXPECT_EQ(stats->compulsoryBytes, 4 * small.count());
}

TEST(Simulator, ChainThroughL2) {
  Copy machine;
  machine.resultInL2(small, 0x8000);
  machine.task(small, small, 4, 5);
  machine.sourceInL2(small, 0x8000);
  auto stats = machine.run();
  ASSERT_TRUE(stats.ok()) << stats.status();
  EXPECT_EQ(machine.values[1], machine.values[0]);
  EXPECT_EQ(stats->read.intermediate + stats->written.intermediate, 0u);
}

TEST(Simulator, KeptSourceServesLaterTasks) {
  Copy machine;
  machine.set(h13::L2::SourceCfg_SourceType, 1);
  machine.l2Source(small, 0x4000);
  machine.output("z", small);
  machine.task(small, small, 4, 6);
  machine.sourceInL2(small, 0x4000);
  auto stats = machine.run();
  ASSERT_TRUE(stats.ok()) << stats.status();
  EXPECT_EQ(machine.values[2], machine.values[0]);
  EXPECT_EQ(stats->read.input, 2 * small.count()); // once
}

TEST(Simulator, PatchesPassFromTaskToTask) {
  Copy machine;
  machine.set(h13::L2::ResultCfg_ResultType, 3);
  machine.set(h13::TileDMADst::DMAConfig_En, 0);
  machine.set(h13::NE::PostScale_PostScale, hw::toHalfBits(2));
  machine.task(small, small, 4, 5);
  machine.set(h13::L2::SourceCfg_SourceType, 3);
  ASSERT_TRUE(machine.run().ok());
  for (size_t i = 0; i < small.count(); ++i)
    EXPECT_EQ(machine.values[1][i], 2 * machine.values[0][i]);
}

TEST(Simulator, ChainNeedsAProducerOfTheSameSize) {
  Copy machine;
  machine.set(h13::L2::SourceCfg_SourceType, 3);
  EXPECT_THAT(machine.error(),
              HasSubstr("task 0: source 1 is the result of the task before, "
                        "which passes nothing on"));
  Copy other;
  other.set(h13::L2::ResultCfg_ResultType, 3);
  other.set(h13::TileDMADst::DMAConfig_En, 0);
  other.task({1, 3, 4, 4}, {1, 3, 4, 4}, 4, 5);
  other.set(h13::L2::SourceCfg_SourceType, 3);
  EXPECT_THAT(other.error(),
              HasSubstr("task 1: source 1 is G1 D1 C3 H4 W4, but the task "
                        "before passes on G1 D1 C3 H4 W5"));
}

//===----------------------------------------------------------------------===//
// Memory errors
//===----------------------------------------------------------------------===//

TEST(SimulatorErrors, SourceLeavesItsSurface) {
  Copy machine;
  machine.set(h13::TileDMASrc::Src1PlaneStride_Stride, 0x1000);
  EXPECT_THAT(
      machine.error(),
      HasSubstr("task 0: DMA of source 1 (G1 D1 C3 H4 W5) covers bytes 0x0 to "
                "0x20ca of surface 'x' (base 4), which has"));
}

TEST(SimulatorErrors, ResultLeavesItsSurface) {
  Copy machine;
  machine.set(h13::TileDMADst::BaseAddr_Addr, 0x40);
  EXPECT_THAT(machine.error(),
              HasSubstr("task 0: the result (G1 D1 C3 H4 W5) covers bytes"));
}

TEST(SimulatorErrors, NothingBound) {
  Copy machine;
  machine.set(h13::Header::RBase0, 9);
  EXPECT_THAT(machine.error(), HasSubstr("task 0: DMA of source 1 uses base 9, "
                                         "to which nothing is bound"));
}

TEST(SimulatorErrors, BaseIsNotEnabled) {
  Copy machine;
  machine.set(h13::Header::WBE, 0);
  EXPECT_THAT(machine.error(), HasSubstr("since the result goes by DMA"));
}

TEST(SimulatorErrors, InputsAndConstantsAreReadOnly) {
  Copy machine;
  machine.set(h13::Header::WBase, 4);
  EXPECT_THAT(machine.error(), HasSubstr("surface 'x'; expected the scratch"));
}

TEST(SimulatorErrors, ScratchThatNobodyWrote) {
  Copy machine;
  machine.program.scratchBytes = 0x4000;
  machine.set(h13::Header::RBase0, hw::BaseScratch);
  EXPECT_THAT(machine.error(), HasSubstr("reads byte 0x0 of the scratch "
                                         "memory, which no task wrote"));
}

TEST(SimulatorErrors, ScratchBeyondAddresses) {
  Copy machine;
  machine.program.scratchBytes = uint64_t(1) << 32;
  EXPECT_THAT(machine.error(), HasSubstr("scratch memory of 4294967296 bytes "
                                         "is beyond the 32 bits"));
}

TEST(SimulatorErrors, L2ThatNobodyWrote) {
  Copy machine;
  machine.sourceInL2(small, 0x200);
  EXPECT_THAT(machine.error(),
              HasSubstr("task 0: source 1 reads L2 byte 0x200, "
                        "which no task wrote"));
}

TEST(SimulatorErrors, L2ThatWasStreamedOver) {
  Copy machine;
  machine.set(h13::L2::SourceBase_Addr, 0x4000);
  machine.resultInL2(small, 0x40);
  machine.task(small, small, 4, 5); // its source streams through L2 from 0
  machine.task(small, small, 4, 5);
  machine.sourceInL2(small, 0x40);
  EXPECT_THAT(
      machine.error(),
      HasSubstr("task 2: source 1 reads L2 byte 0x40, over which a tile "
                "of task 1 was streamed"));
}

TEST(SimulatorErrors, EndOfL2) {
  Copy machine;
  machine.resultInL2(small, 0x1fffc0);
  EXPECT_THAT(machine.error(), HasSubstr("but L2 has 0x200000 bytes"));
}

TEST(SimulatorErrors, PartOfAResultWasWrittenOver) {
  Shape row{1, 3, 1, 5}; // 3 * 0x10 bytes
  auto tasks = [&](Machine &machine, bool inPlace) {
    machine.input("x", small, randomValues(small.count(), 50));
    machine.output("y", small);
    machine.task(small, small, 4, 5); // [0x8000, 0x80c0)
    machine.resultInL2(small, 0x8000);
    machine.task(row, row, 4, 5); // row 2 of it
    if (inPlace)
      machine.sourceInL2(row, 0x8060);
    machine.resultInL2(row, 0x8060);
    machine.task(small, small, 4, 5);
    machine.sourceInL2(small, 0x8000);
  };
  Machine torn;
  tasks(torn, false);
  EXPECT_THAT(torn.error(),
              HasSubstr("task 2: source 1 reads the result of task 0 in L2, "
                        "but task 1 wrote over a part of it, at byte 0x8060"));
  Machine updated;
  tasks(updated, true);
  EXPECT_EQ(updated.error(), "");
  EXPECT_EQ(updated.values[1], updated.values[0]);
}

TEST(SimulatorErrors, WrittenOverAsAWhole) {
  Copy machine;
  machine.resultInL2(small, 0x8000);
  machine.task(small, small, 4, 5);
  machine.resultInL2(small, 0x8000);
  machine.task(small, small, 4, 5);
  machine.sourceInL2(small, 0x8000);
  EXPECT_EQ(machine.error(), "");
}

TEST(SimulatorErrors, TilesOfATaskOverlap) {
  Copy machine;
  machine.set(h13::L2::ResultBase_Addr, 0xb0);
  EXPECT_THAT(machine.error(),
              HasSubstr("task 0: L2 bytes 0x0 to 0xc0 of source 1 overlap 0xb0 "
                        "to 0xce of the result"));
  machine.set(h13::L2::ResultBase_Addr, 0xc0);
  EXPECT_EQ(machine.error(), "");
  machine.planarEngine(3);
  machine.source2(small, 4);
  machine.set(h13::L2::Source2Base_Addr, 0xd0);
  EXPECT_THAT(machine.error(), HasSubstr("of the result"));
}

TEST(SimulatorErrors, TilesPassTheEndOfL2) {
  Copy machine; // small is 0x1e bytes without padding between its channels
  machine.set(h13::L2::ResultBase_Addr, 0x1ffff0);
  EXPECT_THAT(machine.error(),
              HasSubstr("task 0: a tile of the result passes through L2 bytes "
                        "0x1ffff0 to 0x20000e, but L2 has 0x200000 bytes"));
  machine.set(h13::L2::ResultBase_Addr, 0x1fffe0);
  EXPECT_EQ(machine.error(), "");
}

TEST(SimulatorErrors, TilesAtTheEdgesHoldNoPadding) {
  Shape in{1, 1, 8, 8};
  Machine machine;
  machine.input("x", in, randomValues(in.count(), 51));
  machine.output("y", in);
  machine.task(in, in, 4, 5);
  hw::KernelShape shape;
  shape.kh = shape.kw = 3;
  machine.kernel(shape, randomValues(9, 52), {});
  machine.set(h13::Common::ConvCfg_Px, 1);
  machine.set(h13::Common::ConvCfg_Py, 1);
  machine.set(h13::Common::TileCfg_TileHeight, 4);
  machine.set(h13::L2::ResultBase_Addr, 5 * 16); // rows 0 to 4, then 3 to 7
  EXPECT_EQ(machine.error(), "");
  machine.set(h13::L2::ResultBase_Addr, 4 * 16);
  EXPECT_THAT(machine.error(), HasSubstr("of source 1 overlap"));
}

TEST(SimulatorErrors, ResultOverlapsItself) {
  Copy dram;
  dram.set(h13::TileDMADst::PlaneStride_Stride, 0x40);
  EXPECT_THAT(dram.error(),
              HasSubstr("task 0: the result (G1 D1 C3 H4 W5) writes byte 0x40 "
                        "twice: strides of 0x40 for rows, 0x40 for channels"));
  Copy l2;
  l2.resultInL2(small, 0x8000);
  l2.set(h13::L2::ResultChannelStride_Stride, 0);
  EXPECT_THAT(l2.error(), HasSubstr("task 0: the result (G1 D1 C3 H4 W5) "
                                    "writes byte 0x8000 twice"));
  Copy kept;
  kept.set(h13::L2::SourceCfg_SourceType, 1);
  kept.l2Source(small, 0x4000);
  kept.set(h13::L2::SourceRowStride_Stride, 0x10);
  EXPECT_THAT(kept.error(), HasSubstr("task 0: source 1 (G1 D1 C3 H4 W5) "
                                      "writes byte 0x4010 twice"));
}

TEST(SimulatorErrors, OutputThatNobodyWrote) {
  Copy machine;
  machine.set(h13::Header::RBase0, 5);
  EXPECT_THAT(machine.error(), HasSubstr("task 0: DMA of source 1 reads byte "
                                         "0x0 of surface 'y', which no task "
                                         "wrote"));
}

TEST(SimulatorErrors, OutputsMayBeReadBack) {
  Copy machine;
  machine.output("z", small);
  machine.task(small, small, 5, 6);
  EXPECT_EQ(machine.error(), "");
  EXPECT_EQ(machine.values[2], machine.values[0]);
}

TEST(SimulatorErrors, MoreElementsThanTheMemoryHolds) {
  Copy machine;
  machine.resultInL2(small, 0x8000);
  for (auto field : {h13::TileDMASrc::Src1RowStride_Stride,
                     h13::TileDMASrc::Src1PlaneStride_Stride})
    machine.set(field, 0);
  machine.set(h13::Common::Cin_Cin, 50000);
  machine.set(h13::Common::InDim_Hin, 1000);
  EXPECT_THAT(machine.error(),
              HasSubstr("task 0: a tensor of G1 D1 C50000 H1000 W5 has "
                        "250000000 elements, expected at most"));
}

TEST(SimulatorErrors, MoreProductsThanATaskCanHave) {
  Copy machine;
  hw::KernelShape shape;
  shape.cout = shape.cin = 3;
  shape.activeNeLog2 = 2;
  machine.kernel(shape, randomValues(9, 53), {});
  for (auto field : {h13::Common::Cin_Cin, h13::Common::Cout_Cout})
    machine.set(field, 64);
  for (auto field : {h13::Common::InDim_Win, h13::Common::InDim_Hin,
                     h13::Common::OutDim_Wout, h13::Common::OutDim_Hout})
    machine.set(field, 700);
  for (auto field : {h13::Common::ConvCfg_Kh, h13::Common::ConvCfg_Kw})
    machine.set(field, 31);
  EXPECT_EQ(machine.error(), "task 0: a convolution has 1928765440000 "
                             "products, expected at most 1099511627776");
}

TEST(SimulatorErrors, KernelLeavesTheConstants) {
  Copy machine;
  hw::KernelShape shape;
  shape.cout = shape.cin = 3;
  shape.activeNeLog2 = 2;
  machine.kernel(shape, randomValues(9, 44), {});
  machine.set(h13::KernelDMASrc::CoeffBaseAddr_Addr(1), 0x10000);
  EXPECT_THAT(machine.error(), HasSubstr("task 0: coefficient stream 1 covers "
                                         "bytes 0x10000 to"));
}

// What a run without tensors cannot know are their values.
TEST(Simulator, CountsKernelsOfTensors) {
  for (bool skipsZeros : {false, true}) {
    const Shape out{1, 3, skipsZeros ? 2u : 4u, skipsZeros ? 3u : 5u};
    Machine machine;
    machine.input("x", small, randomValues(small.count(), 41));
    machine.output("y", out);
    machine.task(small, out, 4, 5);
    machine.set(h13::Common::ConvCfg_Sx, skipsZeros ? 2 : 1);
    machine.set(h13::Common::ConvCfg_Sy, skipsZeros ? 2 : 1);
    hw::KernelShape shape;
    shape.cout = shape.cin = 3;
    shape.hasBias = true;
    shape.zeroSkipping = skipsZeros;
    machine.kernel(shape, randomValues(9, 1), randomValues(3, 2));
    auto known = machine.count();
    ASSERT_TRUE(known.ok()) << known.status();
    machine.input("w", {1, 16, 16, 16}, randomValues(4096, 3));
    machine.set(h13::Header::KBase0, machine.program.tensors.back().base);
    machine.set(h13::NE::KernelCfg_RuntimeKernel, 1);
    auto counted = machine.count();
    ASSERT_TRUE(counted.ok()) << counted.status();
    EXPECT_EQ(counted->macs, known->macs);
    EXPECT_EQ(counted->read.total(), known->read.total());
    machine.program.tensors.back().bytes = 16;
    EXPECT_THAT(machine.count().status().ToString(),
                HasSubstr("coefficient stream 0 covers"));
  }
}

TEST(SimulatorErrors, WrongBuffers) {
  Copy machine;
  auto stats = sim::run(machine.program, {});
  EXPECT_THAT(std::string(stats.status().message()),
              HasSubstr("0 buffers for a program with 2 tensors"));
}

//===----------------------------------------------------------------------===//
// Words that are not understood
//===----------------------------------------------------------------------===//

// Single fields and laws between fields stand in FieldRulesTest.cpp.

TEST(SimulatorErrors, SizesThatDoNotFit) {
  struct {
    bool planar;
    hw::FieldRef field;
    uint32_t value;
    const char *message;
  } const cases[] = {
      {false, h13::Common::ConvCfg_Kw, 3,
       "a window without a kernel is not understood"},
      {false, h13::Common::GroupConvCfg_UnicastCin, 2, "UnicastCin 2"},
      {true, h13::Common::OutDim_Wout, 4, "which does not fit"},
  };
  for (const auto &one : cases) {
    Copy machine;
    if (one.planar)
      machine.planarEngine(2);
    machine.set(one.field, one.value);
    std::string error = machine.error();
    EXPECT_THAT(error, HasSubstr("task 0: "));
    EXPECT_THAT(error, HasSubstr(one.message));
  }
}

TEST(SimulatorErrors, RecordWithoutARegister) {
  Copy machine;
  machine.program.tasks[0].records.push_back({0x30000, {7}});
  EXPECT_THAT(machine.error(), HasSubstr("task 0: a record writes 0x7 to "
                                         "address 0x30000, where no register"));
}

TEST(SimulatorErrors, MoreElementsThanMemory) {
  Copy machine;
  machine.set(h13::Common::InDim_Win, 32767);
  machine.set(h13::Common::InDim_Hin, 32767);
  EXPECT_THAT(machine.error(),
              HasSubstr("task 0: a tensor of G1 D1 C3 H32767 W32767 has more "
                        "than 268435456 elements"));
}

/// Runs a program again and again, each time with one bit of a task changed.
void flipBits(Machine &machine, uint32_t seed) {
  std::mt19937 random(seed);
  const hw::Task whole = machine.program.tasks.back();
  uint32_t failures = 0;
  for (int i = 0; i < 1500; ++i) {
    hw::Task &task = machine.program.tasks.back();
    task = whole;
    size_t record = random() % (task.records.size() + 1);
    std::vector<uint32_t> &words = record == task.records.size()
                                       ? task.header
                                       : task.records[record].words;
    words[random() % words.size()] ^= 1u << random() % 32;
    auto stats = machine.run();
    if (stats.ok())
      continue;
    ++failures;
    EXPECT_THAT(std::string(stats.status().message()), HasSubstr("task 0: "));
  }
  EXPECT_GT(failures, 300u);
  EXPECT_LT(failures, 1500u);
}

TEST(SimulatorErrors, AnyWordsGiveAResultOrAnError) {
  Machine conv;
  uint32_t from = conv.input("x", small, randomValues(small.count(), 45));
  conv.task(small, {1, 6, 4, 5}, from, conv.output("y", {1, 6, 4, 5}));
  hw::KernelShape shape;
  shape.cin = 3;
  shape.cout = 6;
  shape.hasBias = true;
  hw::chooseLanes(hw::info(hw::Generation::H13), shape, 4, 5);
  conv.kernel(shape, randomValues(18, 46), randomValues(6, 47));
  flipBits(conv, 1);

  Machine binary;
  uint32_t a = binary.input("a", small, randomValues(small.count(), 48));
  uint32_t b = binary.input("b", small, randomValues(small.count(), 49));
  binary.task(small, small, a, binary.output("y", small));
  binary.planarEngine(3);
  binary.source2(small, b);
  flipBits(binary, 2);
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

} // namespace
