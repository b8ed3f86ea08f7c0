//===- FromH13FormTest.cpp - Tasks of H14 from those of H13 ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskMaker.h"

#include "ane/HW/FromH13Form.h"

#include "ane/HW/H13.h"
#include "ane/HW/H14.h"
#include "ane/HW/Program.h"

#include "gtest/gtest.h"

using namespace ane::hw;

namespace {
constexpr StreamStyle clean, sparse = {/*leavesOutResets=*/true,
                                       /*fillsTasks=*/true};

struct Maker : TaskMaker<Maker> {
  Task in(const StreamStyle &style) const {
    absl::StatusOr<Task> made = fromH13Form(Generation::H14, task, style);
    EXPECT_TRUE(made.ok()) << made.status().message();
    return made.ok() ? *std::move(made) : Task();
  }
};

} // namespace

/// What every task has: sizes, formats, kernel of one pixel, L2.
static Maker makeTask(h13::Common::TaskType type) {
  namespace C = h13::Common;
  using C::Format;
  Maker maker;
  maker.set(C::Cfg_TaskType, type)
      .set(C::Cfg_Src1En, 1)
      .set(C::InDim_Win, 8)
      .set(C::InDim_Hin, 4)
      .set(C::OutDim_Wout, 8)
      .set(C::OutDim_Hout, 4)
      .set(C::InDepth_Din, 1)
      .set(C::OutDepth_Dout, 1)
      .set(C::ChCfg_InFmt, Format::Float16)
      .set(C::ChCfg_OutFmt, Format::Float16)
      .set(C::Cin_Cin, 64)
      .set(C::Cout_Cout, 64)
      .set(C::GroupConvCfg_NumGroups, 1)
      .set(C::GroupConvCfg_UnicastCin, 1)
      .set(C::TileCfg_TileHeight, 4)
      .set(h13::L2::SourceCfg_DMAInterleave, 1)
      .set(h13::L2::ResultCfg_DMAInterleave, 1);
  for (const FieldRef &one :
       {C::ConvCfg_Kw, C::ConvCfg_Kh, C::ConvCfg_Sx, C::ConvCfg_Sy,
        C::ConvCfg_Ox, C::ConvCfg_Oy, C::ConvCfg3D_Kd, C::ConvCfg3D_Sz,
        C::ConvCfg3D_Oz})
    maker.set(one, 1);
  return maker;
}

static Maker makePlanar() {
  Maker maker = makeTask(h13::Common::TaskType::PEUnary);
  maker.set(h13::PE::BiasScale_Scale, 0x3c00)
      .set(h13::PE::PreScale_PreScale, 0x3c00)
      .set(h13::PE::FinalScale_FinalScale, 0x3f800000);
  return maker;
}

/// A copy of the neural engines; they have no coefficients.
static Maker makeCopy() {
  Maker maker = makeTask(h13::Common::TaskType::NE);
  maker.set(h13::NE::MACCfg_OpMode, h13::NE::OpMode::Bypass)
      .set(h13::NE::MACCfg_KernelMode, 1)
      .set(h13::NE::KernelCfg_KernelFmt, h13::NE::KernelFmt::Float16)
      .set(h13::NE::KernelCfg_PalettizedBits, 8)
      .set(h13::NE::PostScale_PostScale, 0x3c00)
      .set(h13::Common::GroupConvCfg_UnicastEn, 1);
  return maker;
}

static Maker &load(Maker &maker, uint32_t base, uint32_t offset) {
  return maker.set(h13::TileDMASrc::Src1DMAConfig_En, 1)
      .set(h13::Header::RBE0, 1)
      .set(h13::Header::RBase0, base)
      .set(h13::TileDMASrc::Src1BaseAddr_Addr, offset)
      .set(h13::TileDMASrc::Src1RowStride_Stride, 0x40)
      .set(h13::TileDMASrc::Src1PlaneStride_Stride, 0x100);
}

static const Record *recordAt(const Task &task, uint32_t address) {
  for (const Record &record : task.records)
    if (record.address == address)
      return &record;
  return nullptr;
}

namespace {
TEST(FromH13Form, LeavesOutWhatHasItsResetValue) {
  Task task = makePlanar().in(sparse);
  const Record *common = recordAt(task, h14::Common::InDim);
  ASSERT_TRUE(common);
  EXPECT_EQ(common->kind, RecordKind::Scatter);
  EXPECT_TRUE(task.writes(h14::Common::TaskInfo)); // though it is 0
  for (uint32_t left :
       {h14::Common::InDepth, h14::Common::ChCfg, h14::Common::OCGSize,
        h14::Common::ConvCfg, h14::Common::GroupConvCfg, h14::PE::BiasScale,
        h14::NE::KernelCfg, h14::TileDMASrc::Src1DMAConfig,
        h14::TileDMADst::DMAConfig})
    EXPECT_FALSE(task.writes(left)) << std::hex << left;
}

TEST(FromH13Form, WritesAllOfUsedBlocksInCleanStyle) {
  Maker maker = makeCopy();
  Task task = load(maker, 4, 0).in(clean);
  for (const Record &record : task.records)
    EXPECT_EQ(record.kind, RecordKind::Dense);
  for (uint32_t there : {h14::Common::InDepth, h14::Common::ConvCfg,
                         h14::NE::KernelCfg, h14::TileDMASrc::Src1RowStride})
    EXPECT_TRUE(task.writes(there)) << std::hex << there;
  for (uint32_t unused :
       {h14::PE::Cfg, h14::TileDMADst::DMAConfig, h14::TileDMADst::Spare})
    EXPECT_FALSE(task.writes(unused)) << std::hex << unused;
}

// Neighbours are dense if something is out of reach of a scatter record.
TEST(FromH13Form, PacksRunsAndRests) {
  Maker maker = makePlanar();
  load(maker, 4, 0)
      .set(h13::Header::RBE1, 1)
      .set(h13::Header::RBase1, 5)
      .set(h13::TileDMASrc::Src1DMAConfig_CacheHint, h13::CacheHint::Drop)
      .set(h13::TileDMASrc::Src1DMAConfig_CacheHintReuse, h13::CacheHint::Reuse)
      .set(h13::TileDMASrc::Src2DMAConfig_CacheHint, h13::CacheHint::Drop)
      .set(h13::TileDMASrc::Src2DMAConfig_CacheHintReuse, h13::CacheHint::Reuse)
      .set(h13::TileDMASrc::Src2PlaneStride_Stride, 0x100);
  Task task = maker.in(sparse);
  const Record *run = recordAt(task, h14::TileDMASrc::Src1DMAConfig);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->kind, RecordKind::Dense);
  EXPECT_EQ(run->words.size(), 4u);
  const Record *rest = recordAt(task, h14::TileDMASrc::Src1RowStride);
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->kind, RecordKind::Scatter);
  EXPECT_TRUE(rest->indexOf(h14::TileDMASrc::Src2Fmt));
  EXPECT_FALSE(rest->indexOf(h14::TileDMASrc::Src1DepthStride));
}

TEST(FromH13Form, NamesBasesInRecords) {
  Maker maker = makeCopy();
  Task task = load(maker, 6, 0x1c0).in(sparse);
  const Record &last = task.records.back();
  EXPECT_EQ(last.address, h14::TileDMASrc::Src1BaseAddr);
  EXPECT_EQ(last.base, std::optional<uint8_t>(6));
  EXPECT_EQ(last.words, (std::vector<uint32_t>{0x1c0, 0}));
  EXPECT_EQ(task.get(h14::TileDMASrc::Src1DMAConfig_DataSetId), 14u);
  Maker constant = makeCopy();
  Task other = load(constant, BaseConst, 0).in(sparse);
  // A constant counts as the first tensor.
  EXPECT_EQ(other.get(h14::TileDMASrc::Src1DMAConfig_DataSetId),
            load(maker, BaseFirstTensor, 0)
                .in(sparse)
                .get(h14::TileDMASrc::Src1DMAConfig_DataSetId));
}

TEST(FromH13Form, FillsTasksThatEndAtMultiplesOf64Bytes) {
  auto fillers = [](const Task &task) {
    unsigned count = 0;
    for (const Record &record : task.records)
      count += record.address == h14::TileDMADst::Spare;
    return count;
  };
  Maker maker = makeCopy();
  unsigned filled = 0;
  for (uint64_t before : {0u, 16u, 32u, 48u}) {
    StreamStyle style = sparse;
    style.before = before;
    Task task = maker.in(style);
    EXPECT_NE((16 + before + (uint64_t(task.byteSize()) + 15) / 16 * 16) % 64,
              0u);
    filled += fillers(task) > 0;
    style.fillsTasks = false;
    EXPECT_EQ(fillers(maker.in(style)), 0u);
  }
  EXPECT_EQ(filled, 1u);
}

TEST(FromH13Form, GivesTablesAStream) {
  namespace K13 = h13::KernelDMASrc;
  namespace K = h14::KernelDMASrc;
  Maker maker = makeCopy();
  maker.set(h13::Header::KBE0, 1)
      .set(h13::Header::KBase0, BaseConst)
      .set(h13::Header::TID, 300)
      .set(K13::MasterConfig_MasterEnable, 1)
      .set(h13::NE::MACCfg_NonlinearMode, h13::NE::NonlinearMode::LUT);
  for (uint32_t i = 0; i < 16; ++i)
    maker.set(K13::CoeffDMAConfig_En(i), 1)
        .set(K13::CoeffBaseAddr_Addr(i), 0x80)
        .set(K13::CoeffBfrSize_MemBfrSize(i), 0x80);
  Task task = maker.in(sparse);
  EXPECT_EQ(task.get(K::NonlinearLutDMAConfig_En), 1u);
  EXPECT_EQ(task.get(K::NonlinearLutBfrSize_MemBfrSize), 0x80u);
  EXPECT_EQ(task.get(K::NonlinearLutBaseAddr_Addr), 0x80u);
  EXPECT_EQ(task.get(K::NonlinearLutBase_Addr), 0x80u);
  EXPECT_EQ(task.get(h14::NE::KernelCfg_RuntimeKernel), 1u);
  EXPECT_EQ(task.get(K::CoeffDMAConfig_En(0)), 0u);
  EXPECT_EQ(task.get(K::CoeffDMAConfig_UserTag(0)), 300u % 256);
  EXPECT_FALSE(task.writes(K::CoeffBfrSize(0)));
}

TEST(FromH13Form, SaysWhereCoefficientsComeFrom) {
  namespace K13 = h13::KernelDMASrc;
  namespace K = h14::KernelDMASrc;
  Maker maker = makeCopy();
  maker.set(h13::NE::MACCfg_OpMode, h13::NE::OpMode::Conv)
      .set(h13::NE::MACCfg_KernelMode, 0)
      .set(h13::Header::KBE0, 1)
      .set(h13::Header::KBase0, BaseScratch)
      .set(h13::Header::TDE, 1)
      .set(h13::Common::Cfg_ActiveNE, 1)
      .set(h13::Common::ConvCfg_OCGSize, 5)
      .set(K13::MasterConfig_MasterEnable, 1);
  for (uint32_t i = 0; i < 2; ++i)
    maker.set(K13::CoeffDMAConfig_En(i), 1)
        .set(K13::CoeffBaseAddr_Addr(i), 0x400 * i)
        .set(K13::CoeffBfrSize_MemBfrSize(i), 0x400);
  maker.set(K13::CoeffBfrSize_MemBfrSize(2), 0x40);
  maker.task.header.push_back(7);
  Task task = maker.in(sparse);
  ASSERT_EQ(task.header.size(), 9u);
  EXPECT_EQ(task.get(h14::Header::DTID), 7u);
  EXPECT_EQ(task.header[7] & 3, 3u);
  EXPECT_EQ(task.get(K::OCGStride_Stride), 0x800u);
  EXPECT_EQ(task.get(K::CoeffDMAConfig_CacheHint(1)),
            h14::CacheHint::ReadScratch);
  EXPECT_EQ(task.get(K::CoeffBfrSize_MemBfrSize(1)), 0x400u);
  EXPECT_FALSE(task.writes(K::CoeffBfrSize(2))); // off

  // Those of a second pass lie a stride further, but those of constants.
  maker.set(h13::Common::ConvCfg_OCGSize, 4);
  EXPECT_EQ(fromH13Form(Generation::H14, maker.task, sparse).status().message(),
            "coefficients that a task made for 64 output channels take several "
            "passes of 32, which have to be whole and a stride apart; use "
            "several tasks");
  maker.task.passStride = 0x1000;
  EXPECT_EQ(maker.in(sparse).get(K::OCGStride_Stride), 0x1000u);
  maker.task.header.pop_back();
  maker.set(h13::Header::KBase0, BaseConst);
  EXPECT_EQ(maker.in(sparse).get(K::CoeffBfrSize_MemBfrSize(1)), 0x400u);
}

TEST(FromH13Form, KeepsTasksOfH13) {
  Maker maker = makeCopy();
  absl::StatusOr<Task> same = fromH13Form(Generation::H13, maker.task, clean);
  ASSERT_TRUE(same.ok());
  EXPECT_EQ(same->records.size(), maker.task.records.size());
}

} // namespace
