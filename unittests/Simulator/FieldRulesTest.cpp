//===- FieldRulesTest.cpp - Every value of every field --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks the table of rules and the register map: each row is tried with a value
// that it refuses, and each field of the map has a row.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/FieldRules.h"
#include "Machine.h"

#include "absl/algorithm/container.h"
#include "gmock/gmock.h"

using namespace ane;
using namespace ane::test;
using Engine = hw::EngineKind;
using ::testing::HasSubstr;

namespace {
const Shape small{1, 3, 4, 5};

/// A copy on either engine.
struct Copy : Machine {
  explicit Copy(Engine engine) {
    input("x", small, randomValues(small.count(), 61));
    output("y", small);
    task(small, small, 4, 5);
    if (engine == Engine::Planar)
      planarEngine(2);
  }
};

} // namespace

/// The smallest value that fits the bits of the field and is not understood.
static absl::optional<uint32_t> refusedValue(const hw::FieldRule &rule) {
  const hw::FieldRef &field = rule.field;
  uint32_t bits = field.width() >= 6 ? 63 : (1u << field.width()) - 1;
  for (uint32_t value = 0; value <= bits; ++value)
    if (!rule.values.contains(field.decode(value << field.lsb)))
      return field.decode(value << field.lsb);
  return absl::nullopt;
}

namespace {
class EachEngine : public ::testing::TestWithParam<Engine> {};
INSTANTIATE_TEST_SUITE_P(Engines, EachEngine,
                         ::testing::Values(Engine::Neural, Engine::Planar),
                         [](const auto &info) {
                           return info.param == Engine::Neural ? "Neural"
                                                               : "Planar";
                         });

TEST_P(EachEngine, RefusesWhatNoRuleAllows) {
  uint32_t tried = 0;
  for (const hw::FieldRule &rule : hw::fieldRules()) {
    if (rule.values.isAll() || !rule.holdsFor(GetParam()))
      continue;
    auto value = refusedValue(rule);
    if (!value)
      continue; // every value of an enumeration
    if (rule.field.path == absl::string_view("Common.Cfg.TaskType"))
      continue; // chooses the engine
    ++tried;
    Copy machine(GetParam());
    machine.set(rule.field, *value);
    std::string error = machine.error();
    EXPECT_THAT(error, HasSubstr("task 0: " + std::string(rule.field.path)));
    EXPECT_THAT(error, HasSubstr("which is not understood; expected "));
    EXPECT_THAT(error, HasSubstr(hw::describe(rule)));
  }
  EXPECT_GT(tried, 60u);
}

TEST_P(EachEngine, UnderstandsAllValuesOfHints) {
  for (const hw::FieldRule &rule : hw::fieldRules()) {
    if (rule.use != hw::FieldUse::Hint || !rule.holdsFor(GetParam()) ||
        (rule.field.inHeader && rule.field.address > 9))
      continue;
    for (uint32_t bit = 0; bit < rule.field.width(); ++bit) {
      uint32_t value = rule.field.decode(1u << (rule.field.lsb + bit));
      if (!rule.values.contains(value))
        continue;
      Copy machine(GetParam());
      machine.set(rule.field, value);
      auto stats = machine.run();
      ASSERT_TRUE(stats.ok()) << rule.field.path << ": " << stats.status();
      EXPECT_EQ(machine.values[1], machine.values[0]) << rule.field.path;
    }
  }
}

TEST(FieldRules, EveryFieldOfTheMapHasOneRule) {
  auto rules = hw::fieldRules();
  for (const hw::Block &block : hw::registers(hw::Generation::H13).blocks())
    for (const hw::Register &reg : block.registers)
      for (const hw::Field &field : reg.fields)
        for (Engine engine : {Engine::Neural, Engine::Planar}) {
          uint32_t found = 0, other = 0;
          for (const hw::FieldRule &rule : rules)
            for (uint32_t i = 0; i < rule.count; ++i)
              if (rule.field.inHeader == block.isHeader &&
                  rule.field.address + 4 * i == reg.address &&
                  rule.field.lsb == field.lsb && rule.field.msb == field.msb)
                ++(rule.holdsFor(engine) ? found : other);
          EXPECT_LE(found, 1u) << hw::fieldPath(block, reg, field);
          EXPECT_GE(found + other, 1u) << hw::fieldPath(block, reg, field);
        }
}

TEST(FieldRules, ElementsOfArraysAreNamed) {
  Copy machine(Engine::Neural);
  machine.set(h13::KernelDMASrc::CoeffDMAConfig_CrH(7), 2);
  EXPECT_THAT(machine.error(),
              HasSubstr("task 0: KernelDMASrc.CoeffDMAConfig[7].CrH is 0x2"));
}

TEST(FieldRules, TaskTypes) {
  for (uint32_t type : {1u, 7u, 15u}) {
    Copy machine(Engine::Neural);
    machine.set(h13::Common::Cfg_TaskType, type);
    EXPECT_THAT(machine.error(),
                HasSubstr("which is not understood; expected 0 (neural "
                          "engines) or 2 to 6 (planar engine)"));
  }
}

TEST(FieldRules, BitsWithoutAName) {
  Copy header(Engine::Neural);
  header.program.tasks[0].header[6] |= 1u << 7;
  EXPECT_THAT(header.error(), HasSubstr("task 0: Header[6] is 0x80, which is "
                                        "not understood; expected bits 0x80"));
  Copy word(Engine::Neural);
  for (hw::Record &record : word.program.tasks[0].records)
    if (record.address == h13::Common::InDim)
      record.words[2] |= 1u << 17;
  EXPECT_THAT(word.error(), HasSubstr("task 0: Common.ChCfg is 0x2"));
}

TEST(FieldRules, LeftoversOfTheOtherEngineAreNotRead) {
  Copy neural(Engine::Neural);
  neural.set(h13::PE::Cfg_OpMode, 7);
  EXPECT_EQ(neural.error(), "");
  Copy planar(Engine::Planar);
  planar.set(h13::NE::KernelCfg_PalettizedEn, 1);
  planar.set(h13::KernelDMASrc::PaletteDMAConfig_En, 1);
  EXPECT_EQ(planar.error(), "");
}

} // namespace

//===----------------------------------------------------------------------===//
// Laws between fields
//===----------------------------------------------------------------------===//

namespace {
struct BadField {
  hw::FieldRef field;
  uint32_t value;
  const char *message;
};

class Laws : public ::testing::TestWithParam<BadField> {};

TEST_P(Laws, OfTheNeuralEngines) {
  Copy machine(Engine::Neural);
  machine.set(GetParam().field, GetParam().value);
  EXPECT_THAT(machine.error(),
              HasSubstr("task 0: " + std::string(GetParam().message)));
}

INSTANTIATE_TEST_SUITE_P(
    Fields, Laws,
    ::testing::Values(
        BadField{h13::NE::MACCfg_KernelMode, 0,
                 "NE.MACCfg.OpMode is 0x4, which is not understood; expected "
                 "0 (Conv) where"},
        BadField{h13::NE::MACCfg_BiasMode, 1, "NE.MACCfg.BiasMode is 0x1"},
        BadField{h13::NE::KernelCfg_SparseFmt, 1,
                 "NE.KernelCfg.SparseFmt is 0x1"},
        BadField{h13::NE::MACCfg_NonlinearMode, 2,
                 "KernelDMASrc.CoeffDMAConfig[0].En is 0x0"},
        BadField{h13::Common::GroupConvCfg_ElemMultMode, 1,
                 "Common.GroupConvCfg.ElemMultMode is 0x1"},
        BadField{h13::L2::L2Cfg_PaddingMode, 1, "L2.L2Cfg.PaddingMode is 0x1"},
        BadField{h13::TileDMADst::DMAConfig_En, 0,
                 "TileDMADst.DMAConfig.En is 0x0, which is not understood; "
                 "expected 1, since"},
        BadField{h13::L2::ResultCfg_ResultType, 0,
                 "TileDMADst.DMAConfig.En is 0x1, which is not understood; "
                 "expected 0, since"},
        BadField{h13::TileDMASrc::Src1Fmt_MemFmt, 0,
                 "TileDMASrc.Src1Fmt.MemFmt is 0x0, which is not understood; "
                 "expected 2 for float16 elements by DMA"},
        BadField{h13::TileDMADst::Fmt_Truncate, 0,
                 "TileDMADst.Fmt.Truncate is 0x0"},
        BadField{h13::Common::ChCfg_InFmt, 1,
                 "TileDMASrc.Src1Fmt.FmtMode is 0x1, which is not understood; "
                 "expected 0 for int8 elements"},
        BadField{h13::Header::RBE0, 0, "Header[8].RBE0 is 0x0"}));

TEST(Laws, Coefficients) {
  auto conv = [](auto change, const char *message) {
    Machine machine;
    machine.input("x", small, randomValues(small.count(), 62));
    machine.output("y", small);
    machine.task(small, small, 4, 5);
    hw::KernelShape shape;
    shape.cin = shape.cout = 3;
    shape.activeNeLog2 = 2;
    machine.kernel(shape, randomValues(9, 63), {});
    EXPECT_EQ(machine.error(), "");
    change(machine);
    EXPECT_THAT(machine.error(), HasSubstr(message));
  };
  conv([](Machine &m) { m.set(h13::NE::KernelCfg_KernelFmt, 0); },
       "NE.KernelCfg.KernelFmt is 0x0, which is not understood; expected 2");
  conv([](Machine &m) { m.set(h13::NE::MACCfg_BinaryPoint, 0); },
       "NE.MACCfg.BinaryPoint is 0x0");
  conv([](Machine &m) { m.set(h13::NE::KernelCfg_RuntimeKernel, 1); },
       "NE.KernelCfg.RuntimeKernel is 0x1");
  conv([](Machine &m) { m.set(h13::Header::KBase0, 4); },
       "NE.KernelCfg.RuntimeKernel is 0x0");
  conv(
      [](Machine &m) {
        m.set(h13::KernelDMASrc::MasterConfig_MasterEnable, 0);
      },
      "KernelDMASrc.MasterConfig.MasterEnable is 0x0");
  conv([](Machine &m) { m.set(h13::KernelDMASrc::CoeffDMAConfig_En(1), 0); },
       "KernelDMASrc.CoeffDMAConfig[2].En is 0x1");
  conv(
      [](Machine &m) {
        m.set(h13::NE::KernelCfg_SparseFmt, 1);
        m.set(h13::KernelDMASrc::MasterConfig_ZeroSkipEn, 1);
      },
      "NE.KernelCfg.SparseFmt is 0x1, which is not understood; expected 0 "
      "where a stride");
  conv([](Machine &m) { m.set(h13::NE::MACCfg_OpMode, 4); },
       "NE.MACCfg.OpMode is 0x4");
}

TEST(Laws, OfThePlanarEngine) {
  auto planar = [](uint32_t type, hw::FieldRef field, uint32_t value,
                   const char *message) {
    Machine machine;
    machine.input("x", small, randomValues(small.count(), 64));
    machine.output("y", small);
    machine.task(small, small, 4, 5);
    machine.planarEngine(type);
    if (type == 3)
      machine.source2(small, 4);
    EXPECT_EQ(machine.error(), "");
    machine.set(field, value);
    EXPECT_THAT(machine.error(), HasSubstr(message));
  };
  planar(2, h13::PE::Cfg_PoolMode, 2, "PE.Cfg.PoolMode is 0x2");
  planar(2, h13::PE::Cfg_SecSrc, 2, "PE.Cfg.SecSrc is 0x2");
  planar(2, h13::L2::L2Cfg_PaddingMode, 1, "L2.L2Cfg.PaddingMode is 0x1");
  planar(3, h13::PE::Cfg_SecSrc, 0, "PE.Cfg.SecSrc is 0x0");
  planar(3, h13::Common::Cfg_Src2En, 0, "Common.Cfg.Src2En is 0x0");
  planar(3, h13::TileDMASrc::Src2Fmt_MemFmt, 0,
         "TileDMASrc.Src2Fmt.MemFmt is 0x0");
  planar(3, h13::Header::RBE1, 0, "Header[8].RBE1 is 0x0");
}

} // namespace

//===----------------------------------------------------------------------===//
// Registers between tasks
//===----------------------------------------------------------------------===//

namespace {
TEST(RegisterFile, UnwrittenRegistersKeepTheirValue) {
  Copy machine(Engine::Neural);
  machine.set(h13::NE::PostScale_PostScale, hw::toHalfBits(2));
  machine.output("z", small);
  machine.task(small, small, 4, 6);
  // The second task leaves all but its header and destination to the first.
  std::vector<hw::Record> &records = machine.program.tasks.back().records;
  std::vector<hw::Record> kept;
  absl::c_copy_if(
      records, std::back_inserter(kept),
      [](const hw::Record &record) { return record.address != h13::NE::Base; });
  records = std::move(kept);
  ASSERT_EQ(machine.error(), "");
  for (size_t i = 0; i < small.count(); ++i)
    EXPECT_EQ(machine.values[2][i], 2 * machine.values[0][i]);
}

TEST(RegisterFile, NothingWroteTheRegister) {
  Copy machine(Engine::Neural);
  std::vector<hw::Record> &records = machine.program.tasks[0].records;
  for (hw::Record &record : records)
    if (record.address == h13::NE::Base)
      record.words.resize(2);
  EXPECT_THAT(machine.error(),
              HasSubstr("task 0: NE.AccBias.AccBias is read, but no record of "
                        "this task or an earlier one writes it"));
}

TEST(RegisterFile, EndOfNetworkIsTheLastTask) {
  Copy machine(Engine::Neural);
  machine.set(h13::Header::EON, 1);
  EXPECT_EQ(machine.error(), "");
  machine.output("z", small);
  machine.task(small, small, 4, 6);
  EXPECT_THAT(machine.error(), HasSubstr("task 0: EON ends the "
                                         "program here, but 1 tasks follow"));
}

} // namespace
