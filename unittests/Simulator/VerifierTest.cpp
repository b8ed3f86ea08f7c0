//===- VerifierTest.cpp - What the verifier refuses -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program of each kind of access with one fault at a time. What the simulator
// does not refuse either is marked: the verifier is to refuse more.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Verifier.h"

#include "Machine.h"

#include "gmock/gmock.h"

using namespace ane;
using namespace ane::test;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {
const Shape in{1, 8, 6, 20}, out{1, 24, 6, 20};

/// A convolution to L2, a sum with an input to scratch, a copy to the output.
struct Network : Machine {
  Network() {
    input("x", in, randomValues(in.count(), 1));
    input("z", out, randomValues(out.count(), 2));
    output("y", out);
    task(in, out, 4, 6);
    hw::KernelShape shape;
    shape.cout = out.c;
    shape.cin = in.c;
    shape.hasBias = true;
    hw::chooseLanes(hw::info(program.generation), shape, out.h, out.w);
    kernel(shape, randomValues(size_t(out.c) * in.c, 3),
           randomValues(out.c, 4));
    set(h13::Header::WBE, 0);
    resultInL2(out, 0x40000);
    task(out, out, 4, hw::BaseScratch);
    planarEngine(2);
    sourceInL2(out, 0x40000);
    source2(out, 5);
    set(h13::Common::Cfg_TaskType, 3);
    program.scratchBytes = program.tensors[2].bytes;
    task(out, out, hw::BaseScratch, 6);
    link();
  }
  hw::VerifyReport verify(const hw::VerifyOptions &options = {}) {
    return hw::verify(program, options);
  }
  /// The message for the program with a field of a task changed.
  std::string with(size_t task, const hw::FieldRef &field, uint32_t value) {
    EXPECT_TRUE(program.tasks[task].set(field, value).ok());
    return message();
  }
  std::string message() { return std::string(verify().status().message()); }
};

TEST(Verifier, AcceptsWhatIsRight) {
  Network network;
  hw::VerifyReport report = network.verify();
  EXPECT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report.tasks, 3u);
  // Of DRAM: x, 16 streams, z, scratch twice, y; of L2: each source and result.
  EXPECT_EQ(report.accesses, 1 + 16 + 1 + 2 + 1 + (2 + 3 + 2));
  EXPECT_TRUE(network.run().ok());
}

TEST(Verifier, NamesTaskFieldValueAndBound) {
  Network network;
  const hw::FieldRef base = h13::TileDMASrc::Src2BaseAddr_Addr;
  EXPECT_EQ(network.with(1, base, 0x10000),
            "task 1: TileDMASrc.Src2BaseAddr.Addr is 0x10000: DMA of source 2 "
            "(G1 D1 C24 H6 W20) covers bytes 0x10000 to 0x123e8 of surface 'z' "
            "(base 5), which has 0x2400");
  const hw::VerifyFault fault = network.verify().faults.front();
  EXPECT_EQ(fault.kind, hw::VerifyFault::Access);
  EXPECT_EQ(fault.task, 1u);
  EXPECT_EQ(fault.field, base.path);
  EXPECT_EQ(fault.value, 0x10000u);
}

TEST(Verifier, EveryAccessOfDRAM) {
  const std::pair<size_t, hw::FieldRef> places[] = {
      {0, h13::TileDMASrc::Src1BaseAddr_Addr},
      {0, h13::TileDMASrc::Src1PlaneStride_Stride},
      {0, h13::TileDMASrc::Src1RowStride_Stride},
      {0, h13::KernelDMASrc::CoeffBaseAddr_Addr(15)},
      {1, h13::TileDMASrc::Src2PlaneStride_Stride},
      {1, h13::TileDMADst::RowStride_Stride},
      {2, h13::TileDMADst::BaseAddr_Addr}};
  for (const auto &[task, field] : places) {
    Network network;
    EXPECT_THAT(network.with(task, field, 0x7fffffc0),
                StartsWith("task " + std::to_string(task) + ": " +
                           std::string(field.path)
                               .substr(0, std::string(field.path).find('['))))
        << field.path;
    EXPECT_TRUE(absl::IsOutOfRange(network.verify().status()))
        << network.verify().status();
    EXPECT_FALSE(network.run().ok());
  }
}

TEST(Verifier, Bases) {
  Network network;
  EXPECT_THAT(network.with(2, h13::Header::WBase, 4),
              HasSubstr("Header[8].WBase is 4: the result goes to surface 'x', "
                        "expected the scratch memory or an output"));
  network = Network();
  EXPECT_THAT(network.with(0, h13::Header::RBase0, 7),
              HasSubstr("RBase0 is 0x7, expected a base to which something is "
                        "bound"));
  // The simulator does not look at bases that it has no use for.
  network = Network();
  ASSERT_TRUE(network.program.tasks[2].set(h13::Header::KBE0, 1).ok());
  ASSERT_TRUE(network.program.tasks[2].set(h13::Header::KBase0, 1).ok());
  EXPECT_TRUE(network.run().ok());
  EXPECT_THAT(network.message(), HasSubstr("expected 1 exactly where a task "
                                           "has a kernel or a table"));
  network = Network();
  network.program.tensors[2].base = 4;
  EXPECT_EQ(network.message(),
            "tensor 'y' has base 4, which surface 'x' has already");
  network = Network();
  network.program.tensors[0].strides[1] = 0x10000;
  EXPECT_THAT(network.message(), HasSubstr("tensor 'x' reaches byte 0x70168 of "
                                           "a surface of 0xc00 bytes"));
  network = Network();
  network.program.scratchBytes = UINT32_MAX;
  EXPECT_THAT(network.message(), HasSubstr("addresses have 32 bits"));
}

TEST(Verifier, L2) {
  Network network;
  EXPECT_THAT(network.with(0, h13::L2::ResultBase_Addr, 0x1ff000),
              HasSubstr("the result (G1 D1 C24 H6 W20) covers L2 bytes "
                        "0x1ff000 to 0x200af8, but L2 has 0x200000"));
  network = Network();
  EXPECT_THAT(network.with(1, h13::L2::SourceBase_Addr, 0x40010),
              HasSubstr("of L2, which no task wrote"));
  // A tile of source 2 streams over the result of the convolution.
  network = Network();
  EXPECT_THAT(network.with(1, h13::L2::Source2Base_Addr, 0x40010),
              HasSubstr("overlap"));
  network = Network();
  EXPECT_THAT(
      network.with(2, h13::L2::SourceBase_Addr, 0x1fff00),
      HasSubstr("source 1 (G1 D1 C24 H6 W20) streams through L2 bytes"));
}

TEST(Verifier, ReadsFollowWrites) {
  Network network;
  EXPECT_THAT(network.with(2, h13::TileDMASrc::Src1BaseAddr_Addr, 0x40),
              HasSubstr("covers bytes 0x40 to"));
  network.program.scratchBytes += 0x40;
  EXPECT_THAT(network.message(), HasSubstr("of the scratch memory, which no "
                                           "task wrote"));
  EXPECT_FALSE(network.run().ok());
}

TEST(Verifier, TornResults) {
  // Two results in L2, of which the second lies over the end of the first.
  Machine machine;
  const Shape shape{1, 1, 1, 64};
  machine.input("x", shape, randomValues(shape.count(), 5));
  machine.output("y", shape);
  for (uint32_t address : {0x40000, 0x40040}) {
    machine.task(shape, shape, 4, 5);
    machine.resultInL2(shape, address);
    machine.set(h13::Header::WBE, 0);
  }
  machine.task(shape, shape, 4, 5);
  machine.sourceInL2(shape, 0x40000);
  machine.link();
  EXPECT_THAT(std::string(hw::verify(machine.program).status().message()),
              HasSubstr("reads the result of task 0, but task 1 wrote over L2 "
                        "byte 0x40040 of it"));
  EXPECT_FALSE(machine.run().ok());
  machine.sourceInL2(shape, 0x40040);
  EXPECT_TRUE(hw::verify(machine.program).ok());
}

TEST(Verifier, Streams) {
  Network network;
  EXPECT_THAT(
      network.with(0, h13::KernelDMASrc::CoeffBfrSize_MemBfrSize(3), 0x80),
      HasSubstr("of stream 3 is 0x80, expected 0x40, the bytes of its "
                "coefficients"));
  network = Network();
  EXPECT_THAT(network.with(0, h13::Common::Cfg_ActiveNE, 3),
              HasSubstr("16 coefficient streams are enabled, expected 8"));
  // The simulator does not look at streams of tasks without a kernel.
  network = Network();
  ASSERT_TRUE(network.program.tasks[2]
                  .set(h13::KernelDMASrc::MasterConfig_MasterEnable, 1)
                  .ok());
  EXPECT_TRUE(network.run().ok());
  EXPECT_THAT(network.message(),
              HasSubstr("task 2: KernelDMASrc.MasterConfig.MasterEnable is "
                        "0x1, expected 0 in a task without kernel and table"));
}

TEST(Verifier, OrderOfTasks) {
  const std::pair<hw::FieldRef, const char *> fields[] = {
      {h13::Header::NextPointer, "NextPointer is 0x40, expected 0x"},
      {h13::Header::NextSize, "NextSize is 64, expected 156"}};
  for (const auto &[field, text] : fields) {
    Network network;
    EXPECT_THAT(network.with(0, field, 0x40), HasSubstr(text));
    EXPECT_TRUE(network.run().ok()); // not a matter of the simulator
  }
  Network network;
  EXPECT_THAT(network.with(1, h13::Header::EON, 1),
              HasSubstr("EON is 1, expected 0: 1 tasks follow"));
  network = Network();
  EXPECT_THAT(network.with(2, h13::Header::EON, 0),
              HasSubstr("EON is 0, expected 1: 0 tasks follow"));
  network = Network();
  network.program.tasks[1].offset = network.program.tasks[0].offset + 0x40;
  EXPECT_THAT(network.message(), HasSubstr("the next task starts at 0x40"));
  network = Network();
  network.program.textBytes -= 4;
  EXPECT_THAT(network.message(), HasSubstr("the text ends at"));
  network.program.tasks.clear();
  EXPECT_EQ(network.message(), "the program has no tasks");
}

TEST(Verifier, ValuesAndWhatIsAllowed) {
  Network network;
  EXPECT_THAT(network.with(0, h13::Header::KPC, 1),
              HasSubstr("KPC is 0x1, expected 0 (never set)"));
  hw::VerifyOptions options;
  options.allowed = {h13::Header::KPC.path};
  EXPECT_TRUE(network.verify(options).ok()) << network.verify(options).status();
  // What decides accesses is never let through.
  network = Network();
  options.allowed = {h13::Common::ConvCfg_Ox.path};
  EXPECT_TRUE(network.program.tasks[0].set(h13::Common::ConvCfg_Ox, 2).ok());
  EXPECT_FALSE(network.verify(options).ok());
}

TEST(Verifier, AllFaultsUpToALimit) {
  Network network;
  for (hw::Task &task : network.program.tasks)
    ASSERT_TRUE(task.set(h13::Header::KPC, 1).ok());
  EXPECT_EQ(network.verify().faults.size(), 3u);
  EXPECT_THAT(network.message(), HasSubstr("(and 2 more faults)"));
  hw::VerifyOptions options;
  options.maxFaults = 2;
  EXPECT_EQ(network.verify(options).faults.size(), 2u);
}

} // namespace
