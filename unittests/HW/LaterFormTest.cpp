//===- LaterFormTest.cpp - Tasks of H16 and H18 in registers of H13 -------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What differs from H14: programs that compute the same for all generations are
// in test/Tools/ane-compile/target-later.mlir.
//
//===----------------------------------------------------------------------===//

#include "TaskMaker.h"

#include "ane/HW/FromH13Form.h"
#include "ane/HW/H13Form.h"

#include "ane/HW/H13.h"

#include "ane/HW/H16Enums.h.inc"
#include "ane/HW/H18Enums.h.inc"

#include "ane/HW/H16Views.h.inc"
#include "ane/HW/H18Views.h.inc"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ane::hw;
using testing::HasSubstr;

namespace {
constexpr uint32_t kernelBase = 9;

struct Maker : TaskMaker<Maker> {
  absl::StatusOr<Task> in(Generation generation) const {
    StreamStyle style;
    style.kernelBase = kernelBase;
    return fromH13Form(generation, task, style);
  }
};
} // namespace

/// The sum of two tensors, of which `second` has the base 7.
static Maker makeSum() {
  namespace S = h13::TileDMASrc;
  namespace L = h13::L2;
  Maker maker;
  maker.set(h13::Common::Cfg_TaskType, h13::Common::TaskType::PEElementwise)
      .set(h13::Common::Cfg_Src1En, 1)
      .set(h13::Common::Cfg_Src2En, 1)
      .set(h13::Common::ChCfg_InFmt, h13::Common::Format::Float16)
      .set(h13::Common::ChCfg_Src2InFmt, h13::Common::Format::Float16)
      .set(h13::Common::ChCfg_OutFmt, h13::Common::Format::Float16)
      .set(h13::Common::Cin_Cin, 64)
      .set(h13::PE::BiasScale_Scale, 0x3c00)
      .set(h13::PE::BiasScale_Bias, 0x3800)
      .set(h13::PE::PreScale_PreScale, 0x3c00)
      .set(h13::Header::RBE0, 1)
      .set(h13::Header::RBase0, 6)
      .set(h13::Header::RBE1, 1)
      .set(h13::Header::RBase1, 7)
      .set(S::Src1DMAConfig_En, 1)
      .set(L::SourceCfg_SourceType, L::SourceType::DMA)
      .set(L::SourceCfg_Src2Dma, 1)
      .set(L::SourceCfg_DMAFmt, L::DMAFmt::Bits16)
      .set(L::SourceCfg_DMAInterleave, 1)
      .set(L::ResultCfg_DMAInterleave, 1);
  for (const FieldRef &format : {S::Src1Fmt_MemFmt, S::Src2Fmt_MemFmt})
    maker.set(format, 2);
  for (const FieldRef &format : {S::Src1Fmt_Truncate, S::Src2Fmt_Truncate})
    maker.set(format, 3);
  maker.set(S::Src1Fmt_FmtMode, 1).set(S::Src1Fmt_Interleave, 1);
  maker.set(S::Src2Fmt_Interleave, 1);
  return maker;
}

static void write(Task &task, const FieldRef &field, uint32_t value) {
  Record record;
  record.address = field.address;
  record.words = {task.word(field)};
  EXPECT_TRUE(field.encode(record.words[0], value).ok());
  task.records.push_back(record);
}

static absl::StatusOr<Task> form(Generation generation, const Task &task,
                                 uint64_t tensors = 0) {
  ConstantPlaces places;
  places.kernelBase = kernelBase;
  places.tensors = tensors;
  auto tasks = inH13Form(generation, absl::MakeConstSpan(&task, 1), places);
  if (!tasks.ok())
    return tasks.status();
  return tasks->front();
}

static std::string errorOf(Generation generation, const Task &task) {
  return std::string(form(generation, task).status().message());
}

namespace {
TEST(LaterForm, SumsComeBack) {
  const Maker maker = makeSum();
  for (Generation generation :
       {Generation::H15, Generation::H16, Generation::H17, Generation::H18}) {
    absl::StatusOr<Task> made = maker.in(generation);
    ASSERT_TRUE(made.ok()) << made.status().message();
    absl::StatusOr<Task> back = form(generation, *made);
    ASSERT_TRUE(back.ok()) << back.status().message();
    for (const FieldRef &field :
         {FieldRef(h13::Common::Cfg_Src1En), FieldRef(h13::Common::Cfg_Src2En),
          FieldRef(h13::Common::Cin_Cin), FieldRef(h13::PE::BiasScale_Bias),
          FieldRef(h13::PE::BiasScale_Scale), FieldRef(h13::Header::RBase0),
          FieldRef(h13::Header::RBase1), FieldRef(h13::L2::SourceCfg_Src2Dma),
          FieldRef(h13::L2::SourceCfg_DMAFmt),
          FieldRef(h13::TileDMASrc::Src1DMAConfig_En),
          FieldRef(h13::TileDMASrc::Src2DMAConfig_En),
          FieldRef(h13::TileDMASrc::Src1Fmt_MemFmt),
          FieldRef(h13::TileDMASrc::Src2Fmt_FmtMode)})
      EXPECT_EQ(back->get(field), maker.task.get(field)) << field.path;
  }
}

// Bits of L2.Source2Cfg that H13 has no place for.
TEST(LaterForm, SecondSourcesWaitForThemselves) {
  Maker maker = makeSum();
  maker.task.source2Waits = {false, true, false, true};
  absl::StatusOr<Task> task = maker.in(Generation::H16);
  ASSERT_TRUE(task.ok());
  EXPECT_EQ(task->get(h16::L2::Source2Cfg_AliasConvSrc), 0u);
  EXPECT_EQ(task->get(h16::L2::Source2Cfg_AliasConvRslt), 1u);
  EXPECT_EQ(task->get(h16::L2::Source2Cfg_AliasPlanarSrc), 0u);
  EXPECT_EQ(task->get(h16::L2::Source2Cfg_AliasPlanarRslt), 1u);
  EXPECT_EQ(task->get(h16::L2::SourceCfg_AliasConvRslt), 0u);
}

TEST(LaterForm, NumbersThatH13CannotHold) {
  absl::StatusOr<Task> made = makeSum().in(Generation::H16);
  ASSERT_TRUE(made.ok());
  Task task = *made;
  write(task, h16::PE::Scale_Scale, 0x3f800001);
  EXPECT_THAT(errorOf(Generation::H16, task),
              HasSubstr("PE.Scale.Scale (0x4508) is 0x3f800001, which is not "
                        "understood; expected a number that f16 holds"));
  task = *made;
  write(task, h16::NE::MACCfg_BinaryPoint, 0x1c);
  EXPECT_THAT(errorOf(Generation::H16, task),
              HasSubstr("expected the bits above the fifth to repeat it"));
  task = *made;
  write(task, h16::PE::Cfg_Cond, 1);
  EXPECT_THAT(errorOf(Generation::H16, task), HasSubstr("expected 0, or 7"));
}

TEST(LaterForm, SourcesAndFormatsOnRecord) {
  absl::StatusOr<Task> made = makeSum().in(Generation::H18);
  ASSERT_TRUE(made.ok());
  Task task = *made;
  write(task, h18::L2::Source2Cfg_SourceType, 1);
  EXPECT_THAT(errorOf(Generation::H18, task),
              HasSubstr("a second source that stays is on no record"));
  task = *made;
  write(task, h18::L2::Source2Cfg_DMAFmt, 0);
  EXPECT_THAT(errorOf(Generation::H18, task),
              HasSubstr("L2.Source2Cfg.DMAFmt (0x4108) is 0x0"));
  task = *made;
  write(task, h18::TileDMASrc::Src1Fmt_Unknown, 0x3210);
  EXPECT_THAT(errorOf(Generation::H18, task),
              HasSubstr("expected 0, or 0x3211"));
  Maker bytes = makeSum();
  bytes.set(h13::TileDMASrc::Src1Fmt_MemFmt, 0);
  EXPECT_EQ(bytes.in(Generation::H18).status().message(),
            "no record has other elements than halves in memory for h18");
  Maker interleaved = makeSum();
  interleaved.set(h13::TileDMADst::DMAConfig_En, 1)
      .set(h13::TileDMADst::Fmt_MemFmt, 2)
      .set(h13::TileDMADst::Fmt_Interleave, 2);
  EXPECT_EQ(interleaved.in(Generation::H18).status().message(),
            "no record has interleaved channels for h18");
}

TEST(LaterForm, ConditionsOnRecord) {
  Maker maker = makeSum();
  maker.set(h13::PE::Cfg_Cond, h13::PE::Cond::Abs);
  absl::StatusOr<Task> task = maker.in(Generation::H16);
  ASSERT_TRUE(task.ok());
  EXPECT_EQ(static_cast<uint32_t>(task->get(h16::PE::Cfg_Cond)), 7u);
  EXPECT_EQ(form(Generation::H16, *task)->get(h13::PE::Cfg_Cond),
            h13::PE::Cond::Abs);
  maker.set(static_cast<const FieldRef &>(h13::PE::Cfg_Cond), 2);
  EXPECT_EQ(maker.in(Generation::H16).status().message(),
            "no record has PE.Cfg.Cond 2 for h16");
}

// Coefficients and constant tensors are in sections of their own.
TEST(LaterForm, ConstantsHaveTwoPlaces) {
  Maker maker = makeSum();
  maker.set(h13::Header::RBase1, BaseConst)
      .set(h13::TileDMASrc::Src2BaseAddr_Addr, 0x40);
  absl::StatusOr<Task> task = maker.in(Generation::H16);
  ASSERT_TRUE(task.ok());
  absl::StatusOr<Task> back = form(Generation::H16, *task, /*tensors=*/0x1000);
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_EQ(back->get(h13::Header::RBase1), BaseConst);
  EXPECT_EQ(back->get(h13::TileDMASrc::Src2BaseAddr_Addr), 0x1040u);
  EXPECT_THAT(
      std::string(form(Generation::H16, *task, 0xfffffff0).status().message()),
      HasSubstr("expected constants within 4 GiB"));
  for (Record &record : task->records)
    if (record.base == BaseConst)
      record.base = kernelBase;
  EXPECT_THAT(errorOf(Generation::H16, *task),
              HasSubstr("a record adds base 9, the kernel segment, to address "
                        "0x4d28, which is not understood; expected it for "
                        "coefficients and tables"));
}
} // namespace
