//===- H13FormTest.cpp - Tasks of H14 in registers of H13 -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/HW/H13Form.h"

#include "ane/HW/H13.h"
#include "ane/HW/H14.h"
#include "ane/HW/Program.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <random>

using namespace ane::hw;
using testing::HasSubstr;

namespace {
const RegisterMap &map14 = registers(Generation::H14);

} // namespace

static Task emptyTask() {
  Task task;
  task.header.resize(info(Generation::H14).headerWords);
  return task;
}

/// Adds a record of one word that has `value` in `field` and, in the rest, what
/// the register has in `task` already or after a reset.
static void write(Task &task, const FieldRef &field, uint32_t value) {
  if (field.inHeader) {
    if (task.header.size() <= field.address)
      task.header.resize(field.address + 1);
    ASSERT_TRUE(field.encode(task.header[field.address], value).ok());
    return;
  }
  uint32_t word = task.writes(field.address)
                      ? task.word(field)
                      : map14.registerAt(field.address)->reset;
  ASSERT_TRUE(field.encode(word, value).ok()) << field.path << " " << value;
  Record record;
  record.address = field.address;
  record.words = {word};
  task.records.push_back(std::move(record));
}

template <typename E>
static void write(Task &task, const EnumFieldRef<E> &field, E value) {
  write(task, field, static_cast<uint32_t>(value));
}

static absl::StatusOr<Task> form(const Task &task) {
  auto tasks = inH13Form(Generation::H14, absl::MakeConstSpan(&task, 1));
  if (!tasks.ok())
    return tasks.status();
  return tasks->front();
}

static std::string errorOf(const Task &task) {
  return std::string(form(task).status().message());
}

static uint32_t resetOf(const FieldRef &field) {
  return field.inHeader ? 0
                        : field.decode(map14.registerAt(field.address)->reset);
}

/// As messages name it.
static std::string nameOf(const FieldRef &field) {
  return field.inHeader
             ? std::string(field.path)
             : absl::StrFormat("%s (0x%x)", field.path, field.address);
}

/// The largest value of a field.
static uint32_t topOf(const FieldRef &field) {
  if (field.codec == Codec::Log2)
    return 1u << std::min(31u, (1u << field.width()) - 1);
  uint32_t top = ~0u >> (32 - field.width());
  return field.codec == Codec::Shift ? top << field.amount : top;
}

/// Fields whose values depend on others; tests of their own are below.
static bool hasLaw(absl::string_view path) {
  for (absl::string_view law :
       {"KernelDMASrc.NonlinearLutDMAConfig.En", "KernelDMASrc.CoeffBase.Addr",
        "KernelDMASrc.OCGStride.Stride", "L2.SourceCfg.SourceType",
        "L2.SourceCfg.Src2Dma", "L2.ResultCfg.ResultType"})
    if (path == law)
      return true;
  return absl::StartsWith(path, "KernelDMASrc.CoeffDMAConfig[") &&
         absl::EndsWith(path, ".En");
}

namespace {
TEST(H13Form, RegistersThatNothingWritesHaveTheirResetValues) {
  auto formed = form(emptyTask());
  ASSERT_TRUE(formed.ok()) << formed.status();
  EXPECT_EQ(formed->header.size(), info(Generation::H13).headerWords);
  for (const FieldPair &pair : map14.pairs()) {
    if (pair.kind == FieldPair::Same && !pair.h13.inHeader) {
      EXPECT_EQ(formed->get(pair.h13), resetOf(pair.field)) << pair.field.path;
    }
  }
  // Some by name: 1x1 windows, no broadcast, factors of 1, all halves.
  EXPECT_EQ(formed->get(h13::Common::InDepth_Din), 1u);
  EXPECT_EQ(formed->get(h13::Common::ConvCfg_Kw), 1u);
  EXPECT_EQ(formed->get(h13::Common::ConvCfg_OCGSize), 3u);
  EXPECT_EQ(formed->get(h13::Common::GroupConvCfg_NumGroups), 1u);
  EXPECT_EQ(formed->get(h13::PE::BiasScale_Scale), 0x3c00u);
  EXPECT_EQ(formed->get(h13::PE::FinalScale_FinalScale), 0x3f800000u);
  EXPECT_EQ(formed->get(h13::Common::ChCfg_OutFmt),
            h13::Common::Format::Float16);
}

TEST(H13Form, CounterpartsHaveTheSameValues) {
  for (const FieldPair &pair : map14.pairs()) {
    if (pair.kind != FieldPair::Same || hasLaw(pair.field.path))
      continue;
    for (uint32_t value : {topOf(pair.field), resetOf(pair.field) ? 0u : 1u}) {
      uint32_t word = 0;
      if (!pair.field.encode(word, value).ok())
        continue; // 1 where values are shifted
      Task task = emptyTask();
      write(task, pair.field, value);
      auto formed = form(task);
      uint32_t other = 0;
      if (absl::Status fits = pair.h13.encode(other, value); !fits.ok()) {
        EXPECT_THAT(std::string(formed.status().message()),
                    HasSubstr(inFieldsOf(Generation::H14, fits.message())));
        continue;
      }
      ASSERT_TRUE(formed.ok()) << formed.status();
      EXPECT_EQ(formed->get(pair.h13), value) << pair.field.path;
    }
  }
}

TEST(H13Form, WhatChangesNoResultMayHaveAnyValue) {
  for (const FieldPair &pair : map14.pairs()) {
    if (pair.kind != FieldPair::NoEffect)
      continue;
    Task task = emptyTask();
    write(task, pair.field, topOf(pair.field));
    EXPECT_TRUE(form(task).ok()) << pair.field.path;
  }
}

TEST(H13Form, WhatHasNoCounterpartKeepsItsResetValue) {
  for (const FieldPair &pair : map14.pairs()) {
    if (pair.kind != FieldPair::None || hasLaw(pair.field.path))
      continue;
    Task task = emptyTask();
    write(task, pair.field, topOf(pair.field));
    EXPECT_THAT(errorOf(task), HasSubstr(absl::StrCat(
                                   "task 0: ", nameOf(pair.field), " is 0x")))
        << pair.field.path;
    EXPECT_THAT(errorOf(task), HasSubstr("which is not understood"));
  }
}

TEST(H13Form, StreamsLieBehindTheirBase) {
  namespace K = h14::KernelDMASrc;
  Task task = emptyTask();
  task.records = {baseRecord(K::CoeffBase, BaseConst, 0x1000)};
  write(task, K::CoeffDMAConfig_En(1), 1);
  write(task, K::CoeffBaseAddr_Addr(1), 0x80);
  auto formed = form(task);
  ASSERT_TRUE(formed.ok()) << formed.status();
  EXPECT_EQ(formed->get(h13::KernelDMASrc::CoeffBaseAddr_Addr(0)), 0u);
  EXPECT_EQ(formed->get(h13::KernelDMASrc::CoeffBaseAddr_Addr(1)), 0x1080u);
}

TEST(H13Form, BitsWithoutANameAreNotUnderstood) {
  for (const Block &block : map14.blocks())
    for (const Register &reg : block.registers) {
      const uint32_t unknown = ~reg.knownMask & -~reg.knownMask; // the lowest
      if (!unknown)
        continue;
      Task task = emptyTask();
      if (block.isHeader) {
        task.header.resize(
            std::max<size_t>(task.header.size(), reg.address + 1));
        task.header[reg.address] = unknown;
      } else {
        Record record;
        record.address = reg.address;
        record.words = {unknown | reg.reset};
        task.records.push_back(record);
      }
      EXPECT_THAT(errorOf(task), HasSubstr("to be clear")) << displayName(reg);
      EXPECT_THAT(errorOf(task), HasSubstr(displayName(reg)));
    }
  Task task = emptyTask();
  Record record;
  record.address = 0x3ffc;
  record.words = {1};
  task.records = {record};
  EXPECT_EQ(errorOf(task),
            "task 0: the word at 0x3ffc is 0x1, which is not understood; "
            "expected bits 0x1 to be clear");
  task.records[0].words = {0};
  EXPECT_TRUE(form(task).ok());
}

TEST(H13Form, RecordsOfBothKindsWriteRegisters) {
  Task task = emptyTask();
  task.records.push_back(scatterRecord(h14::Common::Cin, 0b101, {5, 6, 0x41}));
  auto formed = form(task);
  ASSERT_TRUE(formed.ok()) << formed.status();
  EXPECT_EQ(formed->get(h13::Common::Cin_Cin), 5u);
  EXPECT_EQ(formed->get(h13::Common::Cout_Cout), 6u);
  EXPECT_EQ(formed->get(h13::Common::OutDepth_Dout), 0x41u);
  // Of two records the later counts.
  write(task, h14::Common::Cin_Cin, 9);
  formed = form(task);
  ASSERT_TRUE(formed.ok()) << formed.status();
  EXPECT_EQ(formed->get(h13::Common::Cin_Cin), 9u);
}

TEST(H13Form, TheLastHeaderWordNamesTheWriterOfTheCoefficients) {
  Task task = emptyTask();
  write(task, h14::Header::DTID, 7);
  auto formed = form(task);
  ASSERT_TRUE(formed.ok()) << formed.status();
  EXPECT_EQ(formed->get(h13::Header::DTID), 7u);
}

} // namespace

//===----------------------------------------------------------------------===//
// Bases
//===----------------------------------------------------------------------===//

namespace {
TEST(H13Form, BasesGoToTheHeader) {
  const struct {
    uint32_t address;
    FieldRef enable, index, offset;
  } bases[] = {{h14::TileDMASrc::Src1BaseAddr, h13::Header::RBE0,
                h13::Header::RBase0, h13::TileDMASrc::Src1BaseAddr_Addr},
               {h14::TileDMASrc::Src2BaseAddr, h13::Header::RBE1,
                h13::Header::RBase1, h13::TileDMASrc::Src2BaseAddr_Addr},
               {h14::TileDMADst::BaseAddr, h13::Header::WBE, h13::Header::WBase,
                h13::TileDMADst::BaseAddr_Addr}};
  for (const auto &base : bases) {
    Task task = emptyTask();
    task.records = {baseRecord(base.address, 5, 0x1c0)};
    auto formed = form(task);
    ASSERT_TRUE(formed.ok()) << formed.status();
    EXPECT_EQ(formed->get(base.enable), 1u);
    EXPECT_EQ(formed->get(base.index), 5u);
    EXPECT_EQ(formed->get(base.offset), 0x1c0u);
  }
  Task task = emptyTask();
  task.records = {baseRecord(h14::KernelDMASrc::CoeffBase, BaseConst, 0)};
  auto formed = form(task);
  ASSERT_TRUE(formed.ok()) << formed.status();
  EXPECT_EQ(formed->get(h13::Header::KBE0), 1u);
  EXPECT_EQ(formed->get(h13::Header::KBase0), uint32_t(BaseConst));
}

TEST(H13Form, BasesThatAreNotUnderstood) {
  Task task = emptyTask();
  task.records = {baseRecord(h14::Common::InDim, 4, 0)};
  EXPECT_EQ(errorOf(task), "task 0: a record adds base 4 to address 0x0, where "
                           "none is understood");
  task.records = {baseRecord(h14::TileDMASrc::Src1BaseAddr, 40, 0)};
  EXPECT_THAT(errorOf(task),
              HasSubstr("the base of TileDMASrc.Src1BaseAddr.Addr (0x1110) is "
                        "40 (0x28), but must be at most 31"));
  task.records = {baseRecord(h14::TileDMASrc::Src1BaseAddr, 4, 0)};
  task.records[0].words.push_back(0);
  EXPECT_THAT(errorOf(task), HasSubstr("added to 3 words"));
  // Offsets of more than 32 bits.
  task.records = {
      baseRecord(h14::TileDMASrc::Src1BaseAddr, 4, uint64_t(1) << 32)};
  EXPECT_THAT(errorOf(task), HasSubstr("Src1BaseAddrHi.Addr (0x1114) is 0x1"));
}

TEST(H13Form, WhatGoesByDMANeedsABase) {
  const std::pair<FieldRef, const char *> cases[] = {
      {h14::L2::SourceCfg_SourceType, "TileDMASrc.Src1BaseAddr.Addr (0x1110)"},
      {h14::L2::ResultCfg_ResultType, "TileDMADst.BaseAddr.Addr (0x1508)"},
      {h14::KernelDMASrc::CoeffDMAConfig_En(3),
       "KernelDMASrc.CoeffBase.Addr (0x1908)"}};
  for (const auto &[field, path] : cases) {
    Task task = emptyTask();
    write(task, field, 1);
    EXPECT_THAT(errorOf(task),
                HasSubstr(absl::StrCat(path, " is an offset without a base")));
  }
}

} // namespace

//===----------------------------------------------------------------------===//
// What is no matter of one field
//===----------------------------------------------------------------------===//

static Task copyTask() {
  Task task = emptyTask();
  write(task, h14::NE::MACCfg_KernelMode, 1);
  write(task, h14::NE::MACCfg_OpMode, h14::NE::OpMode::Bypass);
  write(task, h14::Common::GroupConvCfg_UnicastEn, 1);
  write(task, h14::Common::OCGSize_OCGSize, 2);
  write(task, h14::Common::GroupConvCfg_UnicastCin, 4);
  return task;
}

namespace {
TEST(H13Form, CopiesTakeOneChannelForOne) {
  auto formed = form(copyTask());
  ASSERT_TRUE(formed.ok()) << formed.status();
  EXPECT_EQ(formed->get(h13::Common::GroupConvCfg_UnicastCin), 1u);

  Task task = copyTask();
  write(task, h14::Common::GroupConvCfg_UnicastCin, 3);
  EXPECT_THAT(
      errorOf(task),
      HasSubstr("UnicastCin (0x28) is 0x3, which is not understood; expected "
                "4 in a copy"));
  // A maximum over channels says how many.
  write(task, h14::NE::MACCfg_OpMode, h14::NE::OpMode::ChannelMax);
  formed = form(task);
  ASSERT_TRUE(formed.ok()) << formed.status();
  EXPECT_EQ(formed->get(h13::Common::GroupConvCfg_UnicastCin), 3u);
}

TEST(H13Form, ThePlanarEngineHasNoPasses) {
  Task task = emptyTask();
  write(task, h14::Common::Cfg_TaskType, h14::Common::TaskType::PEUnary);
  auto formed = form(task);
  ASSERT_TRUE(formed.ok()) << formed.status();
  EXPECT_EQ(formed->get(h13::Common::ConvCfg_OCGSize), 0u);
}

TEST(H13Form, FormatOfSource2) {
  Task task = emptyTask();
  task.records = {baseRecord(h14::TileDMASrc::Src2BaseAddr, 4, 0)};
  write(task, h14::L2::SourceCfg_Src2Dma, 1);
  EXPECT_THAT(
      errorOf(task),
      HasSubstr("Src2Fmt.FmtMode (0x1154) is 0x0, which is not understood; "
                "expected 1 for float16"));
  write(task, h14::TileDMASrc::Src2Fmt_FmtMode, 1);
  auto formed = form(task);
  ASSERT_TRUE(formed.ok()) << formed.status();
  EXPECT_EQ(formed->get(h13::TileDMASrc::Src2Fmt_FmtMode), 0u);
  EXPECT_EQ(formed->get(h13::L2::SourceCfg_Src2Dma), 1u);
  write(task, h14::Common::ChCfg_Src2InFmt, h14::Common::Format::UInt8);
  EXPECT_THAT(errorOf(task), HasSubstr("expected 0 for bytes by DMA"));
}

} // namespace

static Task tableTask() {
  Task task = emptyTask();
  write(task, h14::NE::MACCfg_KernelMode, 1);
  write(task, h14::NE::KernelCfg_RuntimeKernel, 1);
  write(task, h14::KernelDMASrc::NonlinearLutDMAConfig_En, 1);
  Record offset;
  offset.address = h14::KernelDMASrc::NonlinearLutBaseAddr;
  offset.words = {0x80};
  offset.base = BaseConst;
  task.records.push_back(offset);
  task.records.push_back(
      baseRecord(h14::KernelDMASrc::NonlinearLutBase, BaseConst, 0x80));
  write(task, h14::KernelDMASrc::NonlinearLutBfrSize_MemBfrSize, 0x80);
  return task;
}

namespace {
TEST(H13Form, ATableAloneIsTheFirstStream) {
  auto formed = form(tableTask());
  ASSERT_TRUE(formed.ok()) << formed.status();
  EXPECT_EQ(formed->get(h13::Header::KBE0), 1u);
  EXPECT_EQ(formed->get(h13::Header::KBase0), uint32_t(BaseConst));
  EXPECT_EQ(formed->get(h13::KernelDMASrc::CoeffDMAConfig_En(0)), 1u);
  EXPECT_EQ(formed->get(h13::KernelDMASrc::CoeffBaseAddr_Addr(0)), 0x80u);
  EXPECT_EQ(formed->get(h13::KernelDMASrc::CoeffBfrSize_MemBfrSize(0)), 0x80u);
  EXPECT_EQ(formed->get(h13::KernelDMASrc::NonlinearLutDMAConfig_En), 0u);
  EXPECT_EQ(formed->get(h13::NE::KernelCfg_RuntimeKernel), 0u);
}

TEST(H13Form, TablesThatAreNotUnderstood) {
  Task task = tableTask();
  write(task, h14::KernelDMASrc::NonlinearLutBase_Addr, 0x100);
  EXPECT_THAT(errorOf(task),
              HasSubstr("NonlinearLutBase.Addr (0x1a00) is 0x100, which "
                        "is not understood; expected 0x80"));
  task = tableTask();
  task.records.push_back(
      baseRecord(h14::KernelDMASrc::NonlinearLutBase, BaseScratch, 0x80));
  EXPECT_THAT(errorOf(task),
              HasSubstr("NonlinearLutBase.Addr (0x1a00) is 0x3, which is "
                        "not understood; expected 1 as for the "
                        "other address"));
  task = tableTask();
  write(task, h14::NE::MACCfg_NonlinearMode, h14::NE::NonlinearMode::LUT);
  EXPECT_TRUE(form(task).ok());
  write(task, h14::KernelDMASrc::NonlinearLutDMAConfig_En, 0);
  EXPECT_THAT(errorOf(task),
              HasSubstr("NonlinearLutDMAConfig.En (0x19e4) is 0x0, which "
                        "is not understood; expected 1"));
  task = tableTask();
  write(task, h14::NE::KernelCfg_RuntimeKernel, 0);
  EXPECT_THAT(errorOf(task),
              HasSubstr("KernelCfg.RuntimeKernel (0xd00) is 0x0"));
  task = tableTask();
  write(task, h14::NE::MACCfg_KernelMode, 0);
  EXPECT_THAT(errorOf(task), HasSubstr("0 in a task with coefficients"));
  task = tableTask();
  write(task, h14::KernelDMASrc::CoeffDMAConfig_En(2), 1);
  EXPECT_THAT(errorOf(task),
              HasSubstr("0 where KernelDMASrc.CoeffDMAConfig.En is 1"));
}

TEST(H13Form, CoefficientsOfATaskSayTheirSize) {
  Task task = emptyTask();
  task.records = {baseRecord(h14::KernelDMASrc::CoeffBase, BaseScratch, 0)};
  for (uint32_t i : {0, 1}) {
    write(task, h14::KernelDMASrc::CoeffDMAConfig_En(i), 1);
    write(task, h14::KernelDMASrc::CoeffBfrSize_MemBfrSize(i), 0x400);
  }
  EXPECT_TRUE(form(task).ok());
  write(task, h14::KernelDMASrc::OCGStride_Stride, 0x800);
  EXPECT_TRUE(form(task).ok());
  write(task, h14::KernelDMASrc::OCGStride_Stride, 0x840);
  EXPECT_THAT(
      errorOf(task),
      HasSubstr("OCGStride.Stride (0x1914) is 0x840, which is not understood; "
                "expected 0, or 0x800"));
}

TEST(H13Form, PassesOfCoefficientsOfATaskAreAStrideApart) {
  Task task = emptyTask();
  task.records = {baseRecord(h14::KernelDMASrc::CoeffBase, BaseScratch, 0)};
  write(task, h14::KernelDMASrc::CoeffDMAConfig_En(0), 1);
  write(task, h14::KernelDMASrc::CoeffBfrSize_MemBfrSize(0), 0x400);
  write(task, h14::Common::OCGSize_OCGSize, 3);
  write(task, h14::Common::Cfg_ActiveNE, 4);
  write(task, h14::Common::Cout_Cout, 129);
  EXPECT_TRUE(form(task).ok());
  write(task, h14::KernelDMASrc::OCGStride_Stride, 0x400);
  EXPECT_THAT(
      errorOf(task),
      HasSubstr("Common.Cout.Cout (0x10) is 0x81, which is not understood; "
                "expected a multiple of 0x80, the channels of one pass, where "
                "KernelDMASrc.OCGStride.Stride (0x1914) is not 0"));
  write(task, h14::Common::Cout_Cout, 128);
  ASSERT_TRUE(form(task).ok());
  EXPECT_EQ(form(task)->passStride, 0u);
  write(task, h14::Common::Cout_Cout, 512);
  ASSERT_TRUE(form(task).ok());
  EXPECT_EQ(form(task)->passStride, 0x400u);
}

} // namespace

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

namespace {
TEST(H13Form, MessagesNameFieldsOfTheGeneration) {
  auto text = [](absl::string_view message) {
    return inFieldsOf(Generation::H14, message);
  };
  // Another register, the same one elsewhere, elements of arrays.
  EXPECT_EQ(
      text("Common.ConvCfg.OCGSize is 0x6, not 5, see Common.ConvCfg.Kh."),
      "Common.OCGSize.OCGSize (0x1c) is 0x6, not 5, see "
      "Common.ConvCfg.Kh (0x20).");
  EXPECT_EQ(text("KernelDMASrc.CoeffDMAConfig[3].En"),
            "KernelDMASrc.CoeffDMAConfig[3].En (0x1924)");
  // Header words of H13 that are registers, records and nothing.
  EXPECT_EQ(text("Header[0].EON"),
            "KernelDMASrc.MasterConfig.LastTask (0x1900)");
  EXPECT_EQ(text("1 in Header[8].RBase0"),
            "1 in the base of TileDMASrc.Src1BaseAddr.Addr (0x1110)");
  EXPECT_EQ(text("Header[6].DPC is 1"), "Header[6].DPC of h13 is 1");
  // What is no field, and what is about H13.
  EXPECT_EQ(text("surface 'a.b' covers 0x0 to 0x86..."),
            "surface 'a.b' covers 0x0 to 0x86...");
  EXPECT_EQ(inFieldsOf(Generation::H13, "Common.ConvCfg.OCGSize is 0x6"),
            "Common.ConvCfg.OCGSize is 0x6");
}

TEST(H13Form, ErrorsHaveAddresses) {
  Task task = emptyTask();
  write(task, h14::Common::ConvCfg_Kh, 33);
  EXPECT_EQ(
      errorOf(task),
      "task 0: Common.ConvCfg.Kh (0x20) is 33 (0x21), but must be at most "
      "31 (0x1f) in the form that programs are judged in");
}

} // namespace

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

namespace {
TEST(H13Form, ErrorsHaveTheNumberOfTheTask) {
  std::vector<Task> tasks = {emptyTask(), emptyTask()};
  write(tasks[1], h14::PE::Quant_OutputZeroPoint, 3);
  EXPECT_EQ(inH13Form(Generation::H14, tasks).status().message(),
            "task 1: PE.Quant.OutputZeroPoint (0x910) is 0x3, which is not "
            "understood; expected 0");
}

TEST(H13Form, TasksOfH13StayTheSame) {
  Task task = makeFullTask(Generation::H13);
  task.header[0] = 0x1234;
  auto same = inH13Form(Generation::H13, absl::MakeConstSpan(&task, 1));
  ASSERT_TRUE(same.ok());
  EXPECT_EQ(same->front().header, task.header);
}

// Words at random places: an error or a task, never anything else.
TEST(H13Form, HostileWords) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (int i = 0; i < 2000; ++i) {
    Task task = emptyTask();
    task.header.resize(random() % 20);
    for (uint32_t &word : task.header)
      word = random() % 3 ? 0 : random();
    for (int records = random() % 4; records-- > 0;) {
      Record record;
      record.address = 4 * (random() % (random() % 2 ? 0x800 : 0x8000));
      record.kind = random() % 2 ? RecordKind::Dense : RecordKind::Scatter;
      record.follow = random();
      record.words.resize(random() % 65);
      for (uint32_t &word : record.words)
        word = random() % 8 ? 0 : random();
      if (random() % 4 == 0)
        record.base = random();
      task.records.push_back(std::move(record));
    }
    auto formed = form(task);
    if (formed.ok())
      EXPECT_GE(formed->header.size(), info(Generation::H13).headerWords);
    else
      EXPECT_THAT(std::string(formed.status().message()),
                  testing::StartsWith("task 0: "));
  }
}

} // namespace
