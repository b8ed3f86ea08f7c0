//===- RegistersTest.cpp - Every field of every register map --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each field is written through its generated accessor and compared with the
// layout that its declaration gives: bit positions, and nothing shared with the
// code under test.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/H13.h"
#include "ane/HW/H14.h"
#include "ane/HW/Task.h"

// Generations that are only read have no header of their own.
#include "ane/HW/H15Enums.h.inc"
#include "ane/HW/H16Enums.h.inc"
#include "ane/HW/H17Enums.h.inc"
#include "ane/HW/H18Enums.h.inc"

#include "ane/HW/H15Views.h.inc"
#include "ane/HW/H16Views.h.inc"
#include "ane/HW/H17Views.h.inc"
#include "ane/HW/H18Views.h.inc"

#include "absl/strings/match.h"
#include "gtest/gtest.h"

#include <set>

using namespace ane::hw;

namespace {

struct FieldCase {
  Generation generation;
  FieldRef field;
  const char *path;
  bool inHeader;
  uint32_t address, msb, lsb, min, max, step;
};

#define ANE_FIELD_CASE(...) {ANE_GENERATION, __VA_ARGS__},
const FieldCase fieldCases[] = {
#define ANE_GENERATION Generation::H13
#include "ane/HW/H13FieldTests.inc"
#undef ANE_GENERATION
#define ANE_FIELD_CASE(...) {ANE_GENERATION, __VA_ARGS__},
#define ANE_GENERATION Generation::H14
#include "ane/HW/H14FieldTests.inc"
#undef ANE_GENERATION
#define ANE_FIELD_CASE(...) {ANE_GENERATION, __VA_ARGS__},
#define ANE_GENERATION Generation::H15
#include "ane/HW/H15FieldTests.inc"
#undef ANE_GENERATION
#define ANE_FIELD_CASE(...) {ANE_GENERATION, __VA_ARGS__},
#define ANE_GENERATION Generation::H16
#include "ane/HW/H16FieldTests.inc"
#undef ANE_GENERATION
#define ANE_FIELD_CASE(...) {ANE_GENERATION, __VA_ARGS__},
#define ANE_GENERATION Generation::H17
#include "ane/HW/H17FieldTests.inc"
#undef ANE_GENERATION
#define ANE_FIELD_CASE(...) {ANE_GENERATION, __VA_ARGS__},
#define ANE_GENERATION Generation::H18
#include "ane/HW/H18FieldTests.inc"
#undef ANE_GENERATION
};

} // namespace

static std::string nameOf(Generation generation) {
  return "H" + std::to_string(13 + int(generation));
}

namespace {

// GoogleTest calls it by this name.
// NOLINTNEXTLINE
[[maybe_unused]] void PrintTo(const FieldCase &c, std::ostream *os) {
  *os << nameOf(c.generation) << " " << c.path;
}

class RegisterField : public testing::TestWithParam<FieldCase> {
protected:
  /// A task that writes every block, with the extended header.
  static Task makeTask(uint32_t fill) {
    Task task;
    for (const Block &block : registers(GetParam().generation).blocks()) {
      if (block.isHeader) {
        task.header.assign(block.words, fill);
        continue;
      }
      Record &record = task.records.emplace_back();
      record.address = block.base;
      record.words.assign(block.words, fill);
    }
    return task;
  }
};

} // namespace

/// All words of a task: header first, then the blocks in their order.
static std::vector<uint32_t> image(const Task &task) {
  std::vector<uint32_t> words = task.header;
  for (const Record &record : task.records)
    words.insert(words.end(), record.words.begin(), record.words.end());
  return words;
}

/// Where image() has the word of a field.
static size_t position(const FieldCase &c) {
  size_t start = 0;
  for (const Block &block : registers(c.generation).blocks()) {
    if (block.isHeader && c.inHeader)
      return c.address;
    if (!block.isHeader && !c.inHeader && c.address >= block.base &&
        c.address < block.base + 4 * block.words)
      return start + (c.address - block.base) / 4;
    start += block.words;
  }
  ADD_FAILURE() << c.path << " is in no block";
  return 0;
}

TEST_P(RegisterField, AccessorSaysWhatTheDeclarationSays) {
  const FieldCase &c = GetParam();
  EXPECT_STREQ(c.field.path, c.path);
  EXPECT_EQ(c.field.inHeader, c.inHeader);
  EXPECT_EQ(c.field.address, c.address);
  EXPECT_EQ(c.field.msb, c.msb);
  EXPECT_EQ(c.field.lsb, c.lsb);
}

TEST_P(RegisterField, WalkingOneTouchesOnlyItsBit) {
  const FieldCase &c = GetParam();
  for (uint32_t bit = 0; bit <= c.msb - c.lsb; ++bit) {
    Task task = makeTask(0);
    auto expected = image(task);
    expected[position(c)] = 1u << (c.lsb + bit);
    uint32_t value = c.step << bit;
    ASSERT_TRUE(task.set(c.field, value).ok());
    EXPECT_EQ(image(task), expected);
    EXPECT_EQ(task.get(c.field), value);
  }
}

TEST_P(RegisterField, ClearingLeavesAllOtherBits) {
  const FieldCase &c = GetParam();
  Task task = makeTask(~0u);
  auto expected = image(task);
  for (uint32_t bit = c.lsb; bit <= c.msb; ++bit)
    expected[position(c)] &= ~(1u << bit);
  EXPECT_EQ(task.get(c.field), c.max);
  ASSERT_TRUE(task.set(c.field, c.min).ok());
  EXPECT_EQ(image(task), expected);
  EXPECT_EQ(task.get(c.field), c.min);
}

TEST_P(RegisterField, RejectsWhatDoesNotFit) {
  const FieldCase &c = GetParam();
  Task task = makeTask(0x5a5a5a5a);
  auto before = image(task);
  if (c.max <= UINT32_MAX - c.step) {
    absl::Status status = task.set(c.field, c.max + c.step);
    EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
    EXPECT_TRUE(absl::StrContains(status.message(), c.path));
  }
  if (c.step > 1) {
    absl::Status status = task.set(c.field, c.step + 1);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_TRUE(absl::StrContains(status.message(), "multiple of"));
  }
  EXPECT_EQ(image(task), before);
}

TEST_P(RegisterField, TableHasTheField) {
  const FieldCase &c = GetParam();
  const RegisterMap &map = registers(c.generation);
  const Register *reg =
      c.inHeader ? map.headerWord(c.address) : map.registerAt(c.address);
  ASSERT_NE(reg, nullptr);
  EXPECT_EQ(reg->address, c.address);
  const Block *block =
      c.inHeader ? map.block("Header") : map.blockAt(c.address);
  ASSERT_NE(block, nullptr);
  const Field *found = nullptr;
  for (const Field &field : reg->fields)
    if (fieldPath(*block, *reg, field) == c.path)
      found = &field;
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->msb, c.msb);
  EXPECT_EQ(found->lsb, c.lsb);
  EXPECT_EQ(found->mask() & ~reg->knownMask, 0u);
  uint32_t word = 0;
  ASSERT_TRUE(encodeField(*found, c.path, word, c.max).ok());
  EXPECT_EQ(word, found->mask());
  EXPECT_EQ(decodeField(*found, word), c.max);
}

INSTANTIATE_TEST_SUITE_P(All, RegisterField, testing::ValuesIn(fieldCases),
                         [](const auto &info) {
                           std::string name = nameOf(info.param.generation);
                           name += '_';
                           for (char c : std::string(info.param.path))
                             name += isalnum(c) ? c : '_';
                           return name;
                         });

TEST(Registers, BlocksStandInTheOrderOfTheStream) {
  std::vector<std::string> names;
  std::vector<uint32_t> words;
  for (const Block &block : registers(Generation::H13).blocks()) {
    names.push_back(block.name);
    words.push_back(block.words);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"Header", "KernelDMASrc", "Common",
                                             "TileDMASrc", "L2", "PE", "NE",
                                             "TileDMADst"}));
  EXPECT_EQ(words, (std::vector<uint32_t>{11, 62, 16, 28, 18, 4, 5, 7}));
}

TEST(Registers, EveryTableEntryHasAnAccessor) {
  std::set<std::string> paths;
  for (const GenerationInfo &info : generations()) {
    Generation generation = info.id;
    for (const FieldCase &c : fieldCases)
      if (c.generation == generation) {
        EXPECT_TRUE(paths.insert(c.path).second) << c.path;
      }
    for (const Block &block : registers(generation).blocks())
      for (const Register &reg : block.registers) {
        uint32_t mask = 0;
        for (const Field &field : reg.fields) {
          EXPECT_EQ(paths.erase(fieldPath(block, reg, field)), 1u);
          EXPECT_EQ(mask & field.mask(), 0u);
          mask |= field.mask();
          EXPECT_STRNE(field.provenance, "");
        }
        EXPECT_EQ(mask, reg.knownMask);
        EXPECT_EQ(reg.reset & ~mask, 0u);
      }
    EXPECT_TRUE(paths.empty());
  }
}

/// The pair of the field with a path.
static const FieldPair &pairOf(Generation generation, absl::string_view path) {
  for (const FieldPair &pair : registers(generation).pairs())
    if (path == pair.field.path)
      return pair;
  ADD_FAILURE() << "no field " << path;
  return registers(generation).pairs().front();
}

TEST(Registers, PairsNameCounterparts) {
  EXPECT_TRUE(registers(Generation::H13).pairs().empty());
  const FieldPair &width = pairOf(Generation::H14, "Common.ConvCfg.Kw");
  EXPECT_EQ(width.kind, FieldPair::Same);
  EXPECT_EQ(width.field.msb, h14::Common::ConvCfg_Kw.msb);
  EXPECT_EQ(width.h13.msb, h13::Common::ConvCfg_Kw.msb);
  // Moved to another register, to the header, in an array, without any.
  EXPECT_STREQ(pairOf(Generation::H14, "Common.OCGSize.OCGSize").h13.path,
               "Common.ConvCfg.OCGSize");
  EXPECT_STREQ(
      pairOf(Generation::H14, "KernelDMASrc.MasterConfig.LastTask").h13.path,
      "Header[0].EON");
  EXPECT_STREQ(
      pairOf(Generation::H14, "KernelDMASrc.CoeffBfrSize[7].MemBfrSize")
          .h13.path,
      "KernelDMASrc.CoeffBfrSize[7].MemBfrSize");
  EXPECT_EQ(pairOf(Generation::H14, "Header[7].TSR").kind, FieldPair::NoEffect);
  EXPECT_EQ(pairOf(Generation::H14, "L2.L2Cfg.Barrier").kind, FieldPair::None);
}

TEST(Registers, EveryFieldIsPairedOnce) {
  for (const GenerationInfo &info : generations()) {
    if (info.id == Generation::H13)
      continue;
    std::set<std::string> fields, twins;
    for (const FieldPair &pair : registers(info.id).pairs()) {
      EXPECT_TRUE(fields.insert(pair.field.path).second) << pair.field.path;
      if (pair.kind == FieldPair::Same) {
        EXPECT_TRUE(twins.insert(pair.h13.path).second) << pair.h13.path;
      }
    }
    for (const FieldCase &c : fieldCases) {
      if (c.generation == info.id) {
        EXPECT_EQ(fields.erase(c.path), 1u) << c.path;
      } else if (c.generation == Generation::H13) {
        twins.erase(c.path);
      }
    }
    EXPECT_TRUE(fields.empty());
    EXPECT_TRUE(twins.empty());
  }
}

TEST(Registers, LaterGenerationsHaveTheSameNamesElsewhere) {
  // Sizes of H16 are in registers of their own, L2 has grown twice.
  EXPECT_STREQ(pairOf(Generation::H16, "Common.InWidth.Win").h13.path,
               "Common.InDim.Win");
  for (Generation generation :
       {Generation::H15, Generation::H16, Generation::H18})
    EXPECT_STREQ(pairOf(generation, "L2.ResultBase.Addr").h13.path,
                 "L2.ResultBase.Addr");
  EXPECT_EQ(h15::L2::ResultCfg, 0x4134u);
  EXPECT_EQ(h16::L2::ResultCfg, 0x4148u);
  // Halves of H13 are no floats of 19 bits.
  EXPECT_EQ(pairOf(Generation::H15, "PE.Bias.Bias").kind, FieldPair::None);
  // A width of 256 is left out.
  EXPECT_EQ(registers(Generation::H17).registerAt(h17::Common::InWidth)->reset,
            256u);
  EXPECT_EQ(registers(Generation::H18).headerWord(9)->fields[0].msb, 15);
}

TEST(Registers, ResetValuesDescribeAConvolutionOfOnePixel) {
  auto reset = [](const FieldRef &field) {
    return field.decode(
        registers(Generation::H14).registerAt(field.address)->reset);
  };
  EXPECT_EQ(reset(h14::Common::ConvCfg_Kw), 1u);
  EXPECT_EQ(reset(h14::Common::ConvCfg_Sy), 1u);
  EXPECT_EQ(reset(h14::Common::GroupConvCfg_NumGroups), 1u);
  EXPECT_EQ(reset(h14::Common::OCGSize_OCGSize), 3u);
  EXPECT_EQ(reset(h14::NE::KernelCfg_KernelFmt),
            uint32_t(h14::NE::KernelFmt::Float16));
  EXPECT_EQ(reset(h14::PE::PreScale_PreScale), 0x3c00u);
}

TEST(Registers, LookupFailsOutsideOfBlocks) {
  const RegisterMap &map = registers(Generation::H13);
  EXPECT_EQ(map.block("Texture"), nullptr);
  EXPECT_EQ(map.blockAt(h13::Common::Base + 4 * h13::Common::Words), nullptr);
  EXPECT_EQ(map.blockAt(h13::NE::Base - 4), nullptr);
  EXPECT_EQ(map.registerAt(h13::Common::InDim + 1), nullptr);
  EXPECT_EQ(map.headerWord(11), nullptr);
  // A header index is no address, and the other way round.
  EXPECT_STREQ(map.registerAt(h13::Common::Cin)->name, "Cin");
  EXPECT_EQ(displayName(*map.headerWord(3)), "Header[3]");
  EXPECT_EQ(displayName(*map.registerAt(h13::KernelDMASrc::CoeffBfrSize(5))),
            "CoeffBfrSize[5]");
}

TEST(Registers, EnumerationsAreTyped) {
  Task task = makeFullTask(Generation::H13);
  ASSERT_TRUE(task.set(h13::NE::MACCfg_OpMode, h13::NE::OpMode::Bypass).ok());
  EXPECT_EQ(task.get(h13::NE::MACCfg_OpMode), h13::NE::OpMode::Bypass);
  EXPECT_EQ(task.word(h13::NE::MACCfg_OpMode), 4u);
  EXPECT_STREQ(stringify(h13::PE::OpMode::SquareSum), "SquareSum");
  EXPECT_STREQ(stringify(static_cast<h13::PE::OpMode>(7)), "");
  EXPECT_EQ(h13::Common::symbolizeTaskType("PEReduction"),
            h13::Common::TaskType::PEReduction);
  EXPECT_FALSE(h13::Common::symbolizeTaskType("Reduction").has_value());
  static_assert(std::is_same_v<h13::TileDMASrc::CacheHint, h13::CacheHint>);
}

TEST(Registers, MessagesSayValueAndRange) {
  Task task = makeFullTask(Generation::H13);
  EXPECT_EQ(task.set(h13::Common::InDim_Win, 40000).message(),
            "Common.InDim.Win is 40000 (0x9c40), but must be at most 32767 "
            "(0x7fff)");
  EXPECT_EQ(task.set(h13::TileDMADst::RowStride_Stride, 0x41).message(),
            "TileDMADst.RowStride.Stride is 65 (0x41), but must be a multiple "
            "of 0x40");
  EXPECT_EQ(task.set(h13::Header::DTID, 1).message(),
            "Header[10].DTID cannot be set: the task has 10 header words");
}

TEST(Registers, Log2FieldsHoldPowersOfTwo) {
  constexpr FieldRef field{"Log", false, 0, 7, 4, Codec::Log2, 0};
  uint32_t word = 0xffffff0f;
  ASSERT_TRUE(field.encode(word, 0x20).ok());
  EXPECT_EQ(word, 0xffffff5fu);
  EXPECT_EQ(field.decode(word), 0x20u);
  EXPECT_FALSE(field.encode(word, 0).ok());
  EXPECT_FALSE(field.encode(word, 3).ok());
  EXPECT_FALSE(field.encode(word, 0x10000).ok());
  EXPECT_EQ(word, 0xffffff5fu);
}

TEST(Generation, NamesAreParsed) {
  ASSERT_TRUE(parseGeneration("h13").ok());
  EXPECT_EQ(info(*parseGeneration("h13")).id, Generation::H13);
  EXPECT_EQ(parseGeneration("h12").status().message(),
            "unknown generation 'h12', expected one of: h13, h14, h15, h16, "
            "h17, h18");
}

TEST(Generation, TheTableIsInTheOrderOfTheEnumeration) {
  for (const GenerationInfo &generation : generations()) {
    EXPECT_EQ(&info(generation.id), &generation);
    EXPECT_EQ(*parseGeneration(generation.name), generation.id);
    EXPECT_EQ(registers(generation.id).generation, generation.id);
  }
}

TEST(Generation, WhoWantsToCompileIsToldTheChips) {
  EXPECT_EQ(*parseTarget("h13"), Generation::H13);
  std::string message(parseTarget("h12").status().message());
  EXPECT_EQ(message.substr(0, 105),
            "unknown generation 'h12', expected one of: h13 (A14 and "
            "the M1 family), h14 (A15 and the M2 family), h15 ");
}

TEST(Generation, FactsAgreeWithTheRegisters) {
  const GenerationInfo &h13 = info(Generation::H13);
  Task task = makeFullTask(Generation::H13);
  // The last L2 address is expressible, the one after it is not.
  EXPECT_TRUE(
      task.set(h13::L2::SourceBase_Addr, h13.l2Bytes - h13.l2Align).ok());
  EXPECT_FALSE(task.set(h13::L2::SourceBase_Addr, h13.l2Bytes).ok());
  EXPECT_FALSE(task.set(h13::L2::SourceBase_Addr, h13.l2Align / 2).ok());
  EXPECT_FALSE(
      task.set(h13::TileDMASrc::Src1RowStride_Stride, h13.dmaAlign / 2).ok());
  EXPECT_TRUE(task.set(h13::Common::InDim_Win, h13.maxWidth).ok());
  EXPECT_TRUE(task.set(h13::Common::InDim_Hin, h13.maxHeight).ok());
  EXPECT_TRUE(task.set(h13::Common::Cin_Cin, h13.maxChannels).ok());
  EXPECT_TRUE(task.set(h13::Common::ConvCfg_Kw, h13.maxKernelWidth).ok());
  EXPECT_TRUE(task.set(h13::Common::ConvCfg_Kh, h13.maxKernelHeight).ok());
  EXPECT_TRUE(task.set(h13::Common::ConvCfg_Sx, h13.maxStride).ok());
  EXPECT_TRUE(task.set(h13::Common::ConvCfg_Px, h13.maxKernelHeight - 1).ok());
}
