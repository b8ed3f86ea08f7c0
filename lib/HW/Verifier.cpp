//===- Verifier.cpp - Proves that a program stays in its memory -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tasks are walked once, in the order of the stream, in the registers of H13
// (H13Form.h). An operand is a box: five counts and strides in one memory. Its
// end is compared with the memory in 128 bits, so that no word can wrap it
// around; only then its bytes are looked up in the set of what was written.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Verifier.h"

#include "L2Owners.h"

#include "ane/HW/FieldRules.h"
#include "ane/HW/Footprint.h"
#include "ane/HW/H13Form.h"
#include "ane/HW/Layout.h"
#include "ane/HW/LookupTable.h"
#include "ane/HW/RegisterFile.h"

#include "absl/numeric/int128.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

#include <algorithm>

namespace ane::hw {

namespace {
using absl::StrCat;
using absl::StrFormat;

struct Dims {
  uint64_t g = 1, d = 1, c = 1, h = 1, w = 1;
  bool operator==(const Dims &o) const {
    return g == o.g && d == o.d && c == o.c && h == o.h && w == o.w;
  }
  absl::uint128 count() const {
    return absl::uint128(g) * d * c * h * w; // 5 * 17 bits
  }
};

} // namespace

static std::string text(const Dims &n) {
  return StrFormat("G%d D%d C%d H%d W%d", n.g, n.d, n.c, n.h, n.w);
}

namespace {
/// The registers that place an operand in a memory.
struct BoxFields {
  FieldRef base, row, plane, depth, group;
};

const BoxFields dmaSource1 = {h13::TileDMASrc::Src1BaseAddr_Addr,
                              h13::TileDMASrc::Src1RowStride_Stride,
                              h13::TileDMASrc::Src1PlaneStride_Stride,
                              h13::TileDMASrc::Src1DepthStride_Stride,
                              h13::TileDMASrc::Src1GroupStride_Stride};
const BoxFields dmaSource2 = {h13::TileDMASrc::Src2BaseAddr_Addr,
                              h13::TileDMASrc::Src2RowStride_Stride,
                              h13::TileDMASrc::Src2PlaneStride_Stride,
                              h13::TileDMASrc::Src2DepthStride_Stride,
                              h13::TileDMASrc::Src2GroupStride_Stride};
const BoxFields dmaResult = {
    h13::TileDMADst::BaseAddr_Addr, h13::TileDMADst::RowStride_Stride,
    h13::TileDMADst::PlaneStride_Stride, h13::TileDMADst::DepthStride_Stride,
    h13::TileDMADst::GroupStride_Stride};
const BoxFields l2Source1 = {
    h13::L2::SourceBase_Addr, h13::L2::SourceRowStride_Stride,
    h13::L2::SourceChannelStride_Stride, h13::L2::SourceDepthStride_Stride,
    h13::L2::SourceGroupStride_Stride};
const BoxFields l2Source2 = {
    h13::L2::Source2Base_Addr, h13::L2::Source2RowStride_Stride,
    h13::L2::Source2ChannelStride_Stride, h13::L2::Source2DepthStride_Stride,
    h13::L2::Source2GroupStride_Stride};
const BoxFields l2Result = {
    h13::L2::ResultBase_Addr, h13::L2::ResultRowStride_Stride,
    h13::L2::ResultChannelStride_Stride, h13::L2::ResultDepthStride_Stride,
    h13::L2::ResultGroupStride_Stride};

/// The registers that say how the elements of an operand look in DRAM.
struct FormatFields {
  FieldRef interleave, mode, memory, truncate;
  uint32_t halfMode; ///< of mode: 1, and 0 for source 2
};
const FormatFields formatSource1 = {
    h13::TileDMASrc::Src1Fmt_Interleave, h13::TileDMASrc::Src1Fmt_FmtMode,
    h13::TileDMASrc::Src1Fmt_MemFmt, h13::TileDMASrc::Src1Fmt_Truncate, 1};
const FormatFields formatSource2 = {
    h13::TileDMASrc::Src2Fmt_Interleave, h13::TileDMASrc::Src2Fmt_FmtMode,
    h13::TileDMASrc::Src2Fmt_MemFmt, h13::TileDMASrc::Src2Fmt_Truncate, 0};
const FormatFields formatResult = {
    h13::TileDMADst::Fmt_Interleave, h13::TileDMADst::Fmt_FmtMode,
    h13::TileDMADst::Fmt_MemFmt, h13::TileDMADst::Fmt_Truncate, 1};

struct Box {
  const BoxFields *fields;
  Dims n;
  uint64_t size = 2; ///< of an element
  uint64_t base = 0, row = 0, plane = 0, depth = 0, group = 0;
  uint64_t interleave = 1;
  bool exchange = false; ///< channels lie side by side, columns in planes

  uint64_t planes() const { return exchange ? n.w : n.c; }
  uint64_t wide() const { return exchange ? n.c : n.w; }

  absl::uint128 end() const {
    const uint64_t lastPlane = (planes() - 1) / interleave;
    absl::uint128 bytes = absl::uint128(wide()) * interleave * size;
    // The last plane may lack channels: its bytes end earlier.
    const uint64_t rest = planes() % interleave;
    absl::uint128 last = rest ? bytes - (interleave - rest) * size : bytes;
    if (rest && lastPlane && plane < (interleave - rest) * size)
      last = bytes - plane; // the plane in front reaches further
    return absl::uint128(base) + absl::uint128(n.g - 1) * group +
           absl::uint128(n.d - 1) * depth + absl::uint128(lastPlane) * plane +
           absl::uint128(n.h - 1) * row + last;
  }

  absl::InlinedVector<Footprint, 2> parts() const {
    const uint64_t full = planes() / interleave, rest = planes() % interleave;
    absl::InlinedVector<Footprint, 2> parts;
    if (full)
      parts.push_back(
          {base,
           wide() * interleave * size,
           {{n.g, group}, {n.d, depth}, {full, plane}, {n.h, row}}});
    if (rest)
      parts.push_back({base + full * plane,
                       rest * size,
                       {{n.g, group},
                        {n.d, depth},
                        {n.h, row},
                        {wide(), interleave * size}}});
    return parts;
  }

  /// The field that takes the operand furthest.
  const FieldRef &widest(uint64_t &value) const {
    struct Reach {
      const FieldRef *field;
      uint64_t value;
      absl::uint128 bytes;
    };
    const Reach reaches[] = {
        {&fields->base, base, base},
        {&fields->group, group, absl::uint128(n.g - 1) * group},
        {&fields->depth, depth, absl::uint128(n.d - 1) * depth},
        {&fields->plane, plane,
         absl::uint128((planes() - 1) / interleave) * plane},
        {&fields->row, row, absl::uint128(n.h - 1) * row}};
    const Reach *most = std::max_element(
        std::begin(reaches), std::end(reaches),
        [](const Reach &a, const Reach &b) { return a.bytes < b.bytes; });
    value = most->value;
    return *most->field;
  }
};

enum class Place : uint8_t { None, L2, DRAM, Kept, Chained };

struct Operand {
  const char *name = "";
  Place place = Place::None;
  uint32_t base = 0;
  Box dram{&dmaSource1, {}}, l2{&l2Source1, {}};
};

struct Range {
  uint64_t begin, end;
};

/// The streams of coefficients of a task.
struct Streams {
  uint32_t base = 0;
  std::vector<uint64_t> offsets, sizes;
};

/// A memory that a base names.
struct Memory {
  std::string name;
  uint64_t bytes = 0;
  bool mayWrite = false;
  /// Whether only what a task wrote may be read.
  bool startsEmpty = false;
  ByteSet written; ///< made when it is first written
};

class Verifier {
public:
  Verifier(const Program &program, const VerifyOptions &options)
      : program(program), options(options),
        generation(info(program.generation)), l2Written(generation.l2Bytes) {}

  VerifyReport run();

private:
  // Of the program.
  void bindMemories();
  void checkStream();

  // Of a task; each returns false where the rest of the task makes no sense.
  void runTask();
  bool checkValues();
  bool checkBits();
  bool decode();
  bool decodeSource1();
  bool decodeSource2();
  bool decodeResult();
  bool decodeNeural();
  bool decodePlanar();
  bool decodeStreams();
  bool checkHeader();
  bool checkIdleStreams();
  bool checkSizes();
  bool checkWindows();
  bool checkBroadcasts();
  bool checkTiles();
  bool checkKernel();
  bool checkUnits(size_t stream);
  bool streamSizes(std::vector<uint64_t> &needed, uint64_t &passes);
  bool readOperand(Operand &operand, uint64_t rows);
  bool writeResult();
  bool place(Box &box, const BoxFields &fields);
  bool format(Box &box, const FormatFields &fields, const FieldRef &elements,
              bool byDMA);
  bool bound(const FieldRef &enable, const FieldRef &index, const char *user,
             uint32_t &base);
  bool openDRAM(const Operand &operand, bool writes, Memory *&memory);
  bool openL2(const Operand &operand, bool writes);
  bool written(const Operand &operand, const Box &box, const ByteSet &set,
               absl::string_view where);
  bool distinct(const Operand &operand, const Box &box);
  void streamOver(const Operand &operand, uint64_t rows);
  Range tileRange(const Operand &operand, uint64_t rows) const;
  uint64_t sourceRows() const;

  // Faults.
  bool fault(VerifyFault::Kind kind, absl::string_view field, uint64_t value,
             absl::string_view message);
  bool law(const FieldRef &field, bool holds, absl::string_view expected) {
    return holds || fault(VerifyFault::Value, field.path, get(field),
                          StrFormat("%s is 0x%x, expected %s", field.path,
                                    get(field), expected));
  }
  bool shape(absl::string_view message) {
    return fault(VerifyFault::Shape, "", 0, message);
  }

  uint32_t get(const FieldRef &field) {
    if (!missing && !field.inHeader && !task.writes(field.address))
      missing = field.path;
    return task.get(field);
  }
  template <typename E> E get(const EnumFieldRef<E> &field) {
    return static_cast<E>(get(static_cast<const FieldRef &>(field)));
  }

  const Program &program;
  const VerifyOptions &options;
  const GenerationInfo &generation;
  VerifyReport report;
  std::map<uint32_t, Memory> memories;
  uint64_t allBytes = 0; ///< of all memories and L2
  RegisterFile registers;
  ByteSet l2Written;
  L2Owners owners;
  std::optional<Dims> chained; ///< what the task before passes on

  // The task at hand.
  Task task;
  uint32_t index = 0;
  const char *missing = nullptr; ///< a field that nothing wrote
  bool isNeural = false, hasKernel = false, hasTable = false;
  bool scaleBias = false, binary = false, reduces = false;
  Dims computed; ///< of the source, before axes are repeated
  uint64_t tileRows = 0;
  Operand source1, source2, result;
  Streams streams;
};

} // namespace

bool Verifier::fault(VerifyFault::Kind kind, absl::string_view field,
                     uint64_t value, absl::string_view message) {
  VerifyFault fault;
  fault.kind = kind;
  fault.task = index;
  fault.field = inFieldsOf(program.generation, field);
  fault.value = value;
  fault.message = inFieldsOf(program.generation, message);
  report.faults.push_back(std::move(fault));
  return false;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

void Verifier::bindMemories() {
  auto fail = [&](std::string message) {
    report.faults.push_back(
        {VerifyFault::Access, std::nullopt, "", 0, std::move(message)});
  };
  memories[BaseConst] = {"the constants", program.constantBytes().size(), false,
                         false, ByteSet()};
  if (program.scratchBytes)
    memories[BaseScratch] = {"the scratch memory", program.scratchBytes, true,
                             true, ByteSet()};
  absl::uint128 total = absl::uint128(program.scratchBytes) +
                        program.constantBytes().size() + program.textBytes;
  for (const Tensor &tensor : program.tensors) {
    total += tensor.bytes;
    const bool isOutput = tensor.kind == TensorKind::Output;
    if (tensor.base < generation.firstTensorBase ||
        tensor.base >= generation.baseCount) {
      fail(StrFormat("tensor '%s' has base %d, expected one from %d to %d",
                     tensor.name, tensor.base, generation.firstTensorBase,
                     generation.baseCount - 1));
      continue;
    }
    Memory memory = {StrFormat("surface '%s'", tensor.name), tensor.bytes,
                     isOutput, isOutput, ByteSet()};
    auto [at, isNew] = memories.emplace(tensor.base, std::move(memory));
    if (!isNew)
      fail(StrFormat("tensor '%s' has base %d, which %s has already",
                     tensor.name, tensor.base, at->second.name));
    absl::uint128 last = absl::uint128(tensor.shape[3]) *
                         elementBytes(tensor.type) * tensor.interleave;
    for (size_t axis : {0, 1, 2, 4}) {
      uint64_t count = tensor.shape[axis];
      if (axis == 1 && tensor.interleave)
        count = (count + tensor.interleave - 1) / tensor.interleave;
      if (count)
        last += absl::uint128(count - 1) * tensor.strides[axis];
    }
    if (tensor.elementCount() && last > tensor.bytes)
      fail(StrFormat("tensor '%s' reaches byte 0x%x of a surface of 0x%x bytes",
                     tensor.name,
                     uint64_t(std::min<absl::uint128>(last, UINT64_MAX)),
                     tensor.bytes));
  }
  if (total > UINT32_MAX)
    fail(StrFormat(
        "tasks, constants, tensors and scratch memory have %d bytes, "
        "expected at most %d: addresses have 32 bits",
        uint64_t(std::min<absl::uint128>(total, UINT64_MAX)), UINT32_MAX));
  else
    allBytes = uint64_t(total) - program.textBytes + generation.l2Bytes;
}

/// Tasks stand in the text where links and sizes say.
void Verifier::checkStream() {
  const std::vector<Task> &tasks = program.tasks;
  if (tasks.empty()) {
    report.faults.push_back(
        {VerifyFault::Order, std::nullopt, "", 0, "the program has no tasks"});
    return;
  }
  const bool isLinked = generation.stream == StreamKind::Linked;
  std::vector<std::pair<uint64_t, uint32_t>> places;
  places.reserve(tasks.size());
  for (uint32_t i = 0; i < tasks.size(); ++i)
    places.push_back({tasks[i].offset, i});
  std::sort(places.begin(), places.end());
  for (size_t i = 0; i < places.size(); ++i) {
    index = places[i].second;
    const uint64_t end = places[i].first + tasks[index].byteSize();
    const uint64_t limit =
        i + 1 < places.size() ? places[i + 1].first : program.textBytes;
    if (end > limit)
      fault(
          VerifyFault::Access, "", end,
          StrFormat("its words take bytes 0x%x to 0x%x of the text, but %s at "
                    "0x%x",
                    places[i].first, end,
                    i + 1 < places.size() ? "the next task starts"
                                          : "the text ends",
                    limit));
  }
  if (!isLinked)
    return;
  for (uint32_t i = 0; i < tasks.size(); ++i) {
    index = i;
    const bool isLast = i + 1 == tasks.size();
    const uint32_t pointer = tasks[i].get(h13::Header::NextPointer),
                   size = tasks[i].get(h13::Header::NextSize);
    const uint32_t want = isLast ? 0 : tasks[i + 1].offset;
    if (pointer != want)
      fault(VerifyFault::Order, h13::Header::NextPointer.path, pointer,
            StrFormat("%s is 0x%x, expected 0x%x, %s",
                      h13::Header::NextPointer.path, pointer, want,
                      isLast ? "since no task follows"
                             : "where the next task is"));
    const uint32_t words = isLast ? 0 : tasks[i + 1].byteSize() / 4 - 1;
    if (size != words)
      fault(VerifyFault::Order, h13::Header::NextSize.path, size,
            StrFormat("%s is %d, expected %d, the words of the next task less "
                      "one; 0 where none follows",
                      h13::Header::NextSize.path, size, words));
  }
}

VerifyReport Verifier::run() {
  bindMemories();
  checkStream();
  // Where each access would have to be looked for in memories that are wrong,
  // no more is said.
  if (!report.ok())
    return std::move(report);
  auto tasks =
      inH13Form(program.generation, program.tasks, constantPlaces(program));
  if (!tasks.ok()) {
    report.faults.push_back({VerifyFault::Value, std::nullopt, "", 0,
                             std::string(tasks.status().message())});
    return std::move(report);
  }
  for (index = 0; index < tasks->size(); ++index) {
    task = registers.execute(std::move((*tasks)[index]));
    runTask();
    ++report.tasks;
    if (report.faults.size() >= options.maxFaults)
      break;
  }
  return std::move(report);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool Verifier::checkBits() {
  const RegisterMap &map = hw::registers(Generation::H13);
  const EngineKind engine = isNeural ? EngineKind::Neural : EngineKind::Planar;
  auto check = [&](const std::string &path, uint32_t word, uint32_t known) {
    const uint32_t unknown = word & ~known;
    return !unknown ||
           fault(VerifyFault::Value, path, word,
                 StrFormat("%s is 0x%x, expected bits 0x%x to be 0: nothing is "
                           "known of them",
                           path, word, unknown));
  };
  bool good = true;
  for (uint32_t i = 0; i < task.header.size(); ++i) {
    const Register *word = map.headerWord(i);
    good &= check(StrFormat("Header[%d]", i), task.header[i],
                  word ? word->knownMask : 0);
  }
  for (const Record &record : task.records)
    for (size_t i = 0; i < record.words.size(); ++i) {
      const uint32_t address = record.addressOf(i);
      const Block *block = map.blockAt(address);
      if (block && (!record.words[i] || !readsBlock(engine, block->name)))
        continue;
      const Register *reg = block ? map.registerAt(address) : nullptr;
      good &= check(reg ? StrCat(block->name, ".", displayName(*reg))
                        : StrFormat("the register at 0x%x", address),
                    record.words[i], reg ? reg->knownMask : 0);
    }
  return good;
}

bool Verifier::checkValues() {
  using Type = h13::Common::TaskType;
  const Type type = get(h13::Common::Cfg_TaskType);
  if (!law(h13::Common::Cfg_TaskType,
           type == Type::NE || (type > static_cast<Type>(1) &&
                                type <= Type::PEElementwiseReduction),
           "0 (neural engines) or 2 to 6 (planar engine)"))
    return false;
  isNeural = type == Type::NE;
  binary = type == Type::PEElementwise || type == Type::PEElementwiseReduction;
  scaleBias = type == Type::PEScaleBias;
  reduces = type == Type::PEReduction || type == Type::PEElementwiseReduction;
  bool good = checkBits();
  const EngineKind engine = isNeural ? EngineKind::Neural : EngineKind::Planar;
  for (const FieldRule &rule : fieldRules()) {
    if (rule.values.isAll() || !rule.holdsFor(engine))
      continue;
    for (uint32_t i = 0; i < rule.count; ++i) {
      const uint32_t value = task.get(ruleField(rule, i));
      if (rule.values.contains(value))
        continue;
      const std::string path = rulePath(rule, i);
      const bool isAllowed =
          rule.use == FieldUse::Hint &&
          std::find(options.allowed.begin(), options.allowed.end(), path) !=
              options.allowed.end();
      if (!isAllowed)
        good = fault(
            VerifyFault::Value, path, value,
            StrFormat("%s is 0x%x, expected %s", path, value, describe(rule)));
    }
  }
  return good;
}

//===----------------------------------------------------------------------===//
// What a task says
//===----------------------------------------------------------------------===//

bool Verifier::place(Box &box, const BoxFields &fields) {
  box.fields = &fields;
  box.base = get(fields.base);
  box.row = get(fields.row);
  box.plane = get(fields.plane);
  box.depth = get(fields.depth);
  box.group = get(fields.group);
  return true;
}

/// What the DMA would convert on its way is not known.
bool Verifier::format(Box &box, const FormatFields &fields,
                      const FieldRef &elements, bool byDMA) {
  const auto type = static_cast<ElementType>(get(elements));
  box.size = elementBytes(type);
  box.interleave = std::max(1u, get(fields.interleave));
  if (!byDMA)
    return true;
  const bool half = type == ElementType::Float16;
  auto fits = [&](const FieldRef &field, uint32_t value) {
    return law(field, get(field) == value,
               StrFormat("%d for %s elements", value, elementName(type)));
  };
  return fits(fields.mode, half ? fields.halfMode : 0) &&
         fits(fields.memory, half ? 2 : 0) &&
         fits(fields.truncate, half ? 3 : 0);
}

bool Verifier::bound(const FieldRef &enable, const FieldRef &index,
                     const char *user, uint32_t &base) {
  if (!law(enable, get(enable),
           StrFormat("1, since %s goes by DMA and needs a base", user)))
    return false;
  base = get(index);
  return law(index, memories.count(base),
             StrFormat("a base to which something is bound, for %s", user));
}

/// Bits W, H, D, C of a mask repeat an axis.
static Dims repeated(Dims n, uint32_t mask) {
  uint64_t *axes[] = {&n.w, &n.h, &n.d, &n.c};
  for (size_t i = 0; i < 4; ++i)
    if (mask >> i & 1)
      *axes[i] = 1;
  return n;
}

bool Verifier::decodeSource1() {
  using Type = h13::L2::SourceType;
  source1 = {};
  source1.name = "source 1";
  computed = {get(h13::Common::GroupConvCfg_NumGroups),
              get(h13::Common::InDepth_Din), get(h13::Common::Cin_Cin),
              get(h13::Common::InDim_Hin), get(h13::Common::InDim_Win)};
  const Dims n =
      isNeural ? computed
               : repeated(computed, get(h13::Common::PECfg_Src1Broadcast));
  const Type type = get(h13::L2::SourceCfg_SourceType);
  const bool byDMA = type == Type::DMA || type == Type::DMAKept;
  for (Box *box : {&source1.dram, &source1.l2}) {
    box->n = n;
    box->exchange = !isNeural && get(h13::Common::PECfg_Src1Exchange);
  }
  place(source1.dram, dmaSource1);
  place(source1.l2, l2Source1);
  if (!format(source1.dram, formatSource1, h13::Common::ChCfg_InFmt, byDMA))
    return false;
  source1.l2.size = source1.dram.size;
  source1.place = type == Type::Resident  ? Place::L2
                  : type == Type::Chained ? Place::Chained
                  : type == Type::DMAKept ? Place::Kept
                                          : Place::DRAM;
  if (source1.place == Place::Kept &&
      !law(h13::TileDMASrc::Src1Fmt_Interleave, source1.dram.interleave == 1,
           "1 where a source is kept in L2"))
    return false;
  return !byDMA || bound(h13::Header::RBE0, h13::Header::RBase0, "source 1",
                         source1.base);
}

bool Verifier::decodeSource2() {
  source2 = {};
  source2.name = "source 2";
  if (!binary && !scaleBias)
    return true;
  const bool byDMA = get(h13::L2::SourceCfg_Src2Dma);
  Dims n = repeated(computed, get(h13::Common::PECfg_Src2Broadcast));
  if (scaleBias) { // a row of biases, a row of factors
    n.w = 1;
    n.h = 2;
  }
  for (Box *box : {&source2.dram, &source2.l2}) {
    box->n = n;
    box->exchange = get(h13::Common::PECfg_Src2Exchange);
  }
  place(source2.dram, dmaSource2);
  place(source2.l2, l2Source2);
  if (!law(h13::Common::Cfg_Src2En, bool(get(h13::Common::Cfg_Src2En)) == byDMA,
           "the value of L2.SourceCfg.Src2Dma") ||
      !format(source2.dram, formatSource2, h13::Common::ChCfg_Src2InFmt, byDMA))
    return false;
  source2.l2.size = source2.dram.size;
  source2.place = byDMA ? Place::DRAM : Place::L2;
  return !byDMA || bound(h13::Header::RBE1, h13::Header::RBase1, "source 2",
                         source2.base);
}

bool Verifier::decodeResult() {
  using Type = h13::L2::ResultType;
  result = {};
  result.name = "the result";
  Dims n{get(h13::Common::GroupConvCfg_NumGroups),
         get(h13::Common::OutDepth_Dout), get(h13::Common::Cout_Cout),
         get(h13::Common::OutDim_Hout), get(h13::Common::OutDim_Wout)};
  if (reduces)
    n.d = n.h = n.w = 1; // the registers keep the sizes of the source
  const Type type = get(h13::L2::ResultCfg_ResultType);
  const bool byDMA = type == Type::DMA || type == Type::DMAStaged;
  for (Box *box : {&result.dram, &result.l2}) {
    box->n = n;
    box->exchange = isNeural ? get(h13::Common::Cfg_ResultExchange)
                             : get(h13::Common::PECfg_ResultExchange);
  }
  place(result.dram, dmaResult);
  place(result.l2, l2Result);
  if (!law(h13::TileDMADst::DMAConfig_En,
           bool(get(h13::TileDMADst::DMAConfig_En)) == byDMA,
           byDMA ? "1, since L2.ResultCfg.ResultType is a store"
                 : "0, since L2.ResultCfg.ResultType keeps the result in L2") ||
      !format(result.dram, formatResult, h13::Common::ChCfg_OutFmt, byDMA))
    return false;
  result.l2.size = result.dram.size;
  result.place = byDMA                   ? Place::DRAM
                 : type == Type::Chained ? Place::Chained
                                         : Place::L2;
  if (result.place == Place::L2 &&
      !law(h13::TileDMADst::Fmt_Interleave, result.dram.interleave == 1,
           "1 where a result stays in L2"))
    return false;
  tileRows = get(h13::Common::TileCfg_TileHeight);
  if (!tileRows)
    tileRows = n.h;
  return !byDMA ||
         bound(h13::Header::WBE, h13::Header::WBase, "the result", result.base);
}

bool Verifier::decodeStreams() {
  streams = {};
  if (!hasKernel && !hasTable)
    return true;
  for (uint32_t i = 0; i < generation.neCount; ++i) {
    if (!get(h13::KernelDMASrc::CoeffDMAConfig_En(i)))
      continue;
    if (!law(h13::KernelDMASrc::CoeffDMAConfig_En(i),
             streams.offsets.size() == i, "the first streams to be enabled"))
      return false;
    streams.offsets.push_back(get(h13::KernelDMASrc::CoeffBaseAddr_Addr(i)));
    streams.sizes.push_back(get(h13::KernelDMASrc::CoeffBfrSize_MemBfrSize(i)));
  }
  const FieldRef master = h13::KernelDMASrc::MasterConfig_MasterEnable;
  if (!law(h13::KernelDMASrc::CoeffDMAConfig_En(0), !streams.offsets.empty(),
           "a stream for the kernel or the table") ||
      !law(master, get(master), "1 where a stream is enabled") ||
      !bound(h13::Header::KBE0, h13::Header::KBase0, "the kernel",
             streams.base))
    return false;
  const bool isRuntime = streams.base != BaseConst;
  return law(h13::NE::KernelCfg_RuntimeKernel,
             bool(get(h13::NE::KernelCfg_RuntimeKernel)) == isRuntime,
             isRuntime ? "1, since the kernel is no constant"
                       : "0, since the kernel is in the constants");
}

bool Verifier::decodeNeural() {
  using Op = h13::NE::OpMode;
  const Op op = get(h13::NE::MACCfg_OpMode);
  hasKernel = !get(h13::NE::MACCfg_KernelMode);
  hasTable = get(h13::NE::MACCfg_NonlinearMode) == h13::NE::NonlinearMode::LUT;
  const bool skipsZeros = get(h13::NE::KernelCfg_SparseFmt);
  const bool multiplies = get(h13::Common::GroupConvCfg_ElemMultMode);
  if (!law(h13::NE::MACCfg_OpMode, !hasKernel || op == Op::Conv,
           "0 (Conv) in a task with a kernel") ||
      !law(h13::NE::MACCfg_BiasMode,
           hasKernel || !get(h13::NE::MACCfg_BiasMode),
           "0 in a task without a kernel") ||
      !law(h13::Common::GroupConvCfg_ElemMultMode,
           multiplies == (op == Op::ElementMultiply),
           "1 exactly where NE.MACCfg.OpMode is 2") ||
      !law(h13::L2::L2Cfg_PaddingMode,
           !get(h13::L2::L2Cfg_PaddingMode) || op == Op::ChannelMax,
           "0 where NE.MACCfg.OpMode is not 3 (ChannelMax)") ||
      !law(h13::NE::KernelCfg_SparseFmt,
           skipsZeros == bool(get(h13::KernelDMASrc::MasterConfig_ZeroSkipEn)),
           "the value of KernelDMASrc.MasterConfig.ZeroSkipEn"))
    return false;
  if (hasKernel) {
    const bool two =
        get(h13::Common::ConvCfg_Sx) == 2 && get(h13::Common::ConvCfg_Sy) == 2;
    const bool oneInput = !get(h13::Common::GroupConvCfg_UnicastEn) ||
                          get(h13::Common::GroupConvCfg_UnicastCin) == 1;
    if (!law(h13::NE::KernelCfg_KernelFmt,
             get(h13::NE::KernelCfg_KernelFmt) == h13::NE::KernelFmt::Float16,
             "2 (float16 coefficients)") ||
        !law(h13::NE::MACCfg_BinaryPoint,
             get(h13::NE::MACCfg_BinaryPoint) == 28,
             "28 in a convolution of halves") ||
        !law(h13::NE::KernelCfg_SparseFmt, !skipsZeros || two,
             "0 where a stride is not 2") ||
        !law(h13::Common::GroupConvCfg_UnicastCin, !skipsZeros || oneInput,
             "1 in a zero-skipping convolution"))
      return false;
  }
  return decodeStreams();
}

bool Verifier::decodePlanar() {
  hasKernel = hasTable = false;
  streams = {};
  const auto pool = get(h13::PE::Cfg_PoolMode);
  const bool hasSecond = get(h13::PE::Cfg_SecSrc) != h13::PE::SecSrc::None;
  return law(h13::PE::Cfg_PoolMode, reduces || pool == h13::PE::PoolMode::Sum,
             "0 in a task that does not reduce") &&
         law(h13::L2::L2Cfg_PaddingMode,
             !get(h13::L2::L2Cfg_PaddingMode) ||
                 (reduces && pool == h13::PE::PoolMode::Max),
             "0 where a task does not reduce by maximum") &&
         law(h13::PE::Cfg_SecSrc, hasSecond == (binary || scaleBias),
             hasSecond ? "0 in a task with one source"
                       : "2 or 3 in a task with two sources");
}

bool Verifier::decode() {
  if (!(isNeural ? decodeNeural() : decodePlanar()) || !decodeSource1() ||
      !decodeSource2() || !decodeResult())
    return false;
  if (missing)
    return fault(VerifyFault::Value, missing, 0,
                 StrCat(missing, " is read, but no record of this task or an "
                                 "earlier one writes it"));
  return checkHeader() && checkIdleStreams();
}

/// What real programs have without exception, and what would make the engine
/// look at memory that nobody gave it.
bool Verifier::checkHeader() {
  const bool isLast = index + 1 == program.tasks.size();
  if (bool(get(h13::Header::EON)) != isLast)
    return fault(VerifyFault::Order, h13::Header::EON.path, !isLast,
                 StrFormat("%s is %d, expected %d: %d tasks follow",
                           h13::Header::EON.path, !isLast, isLast,
                           program.tasks.size() - index - 1));
  const std::pair<const FieldRef &, const FieldRef &> bases[] = {
      {h13::Header::WBE, h13::Header::WBase},
      {h13::Header::RBE0, h13::Header::RBase0},
      {h13::Header::RBE1, h13::Header::RBase1},
      {h13::Header::KBE0, h13::Header::KBase0}};
  for (const auto &[enable, base] : bases)
    if (!law(base, !get(enable) || memories.count(get(base)),
             "a base to which something is bound"))
      return false;
  return law(h13::Header::RBE1,
             bool(get(h13::Header::RBE1)) == (source2.place == Place::DRAM),
             "1 exactly where source 2 goes by DMA") &&
         law(h13::Header::KBE0,
             bool(get(h13::Header::KBE0)) == (hasKernel || hasTable),
             "1 exactly where a task has a kernel or a table");
}

/// No stream is enabled in a task that needs none.
bool Verifier::checkIdleStreams() {
  if (hasKernel || hasTable)
    return true;
  const FieldRef master = h13::KernelDMASrc::MasterConfig_MasterEnable;
  if (!law(master, !task.get(master), "0 in a task without kernel and table"))
    return false;
  for (uint32_t i = 0; i < generation.neCount; ++i) {
    const FieldRef enable = h13::KernelDMASrc::CoeffDMAConfig_En(i);
    if (!law(enable, !task.get(enable),
             StrFormat("0 in stream %d of a task without kernel and table", i)))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

bool Verifier::checkSizes() {
  // A batch that repeats a source reads its bytes more than once.
  constexpr uint64_t repeats = 16;
  // Also what a simulator can hold at once.
  const absl::uint128 most = std::min<absl::uint128>(
      absl::uint128(repeats) * allBytes, absl::uint128(1) << 28);
  for (const Dims &n :
       {computed, source1.dram.n, source2.dram.n, result.dram.n})
    if (n.count() > most)
      return shape(StrFormat("a tensor of %s has more than %d elements, %d for "
                             "each byte of memory",
                             text(n), uint64_t(most), repeats));
  return isNeural ? checkWindows() : checkBroadcasts();
}

bool Verifier::checkWindows() {
  using Op = h13::NE::OpMode;
  const Dims &in = source1.dram.n, &out = result.dram.n;
  const uint64_t kh = get(h13::Common::ConvCfg_Kh),
                 kw = get(h13::Common::ConvCfg_Kw),
                 sy = get(h13::Common::ConvCfg_Sy),
                 sx = get(h13::Common::ConvCfg_Sx),
                 py = get(h13::Common::ConvCfg_Py),
                 px = get(h13::Common::ConvCfg_Px);
  const bool unicast = get(h13::Common::GroupConvCfg_UnicastEn);
  const uint64_t unicastCin = get(h13::Common::GroupConvCfg_UnicastCin);
  auto sizes = [&](absl::string_view what) {
    return shape(StrFormat("%s: source %s, result %s, kernel %dx%d, stride "
                           "%dx%d, padding %dx%d",
                           what, text(in), text(out), kh, kw, sy, sx, py, px));
  };
  if (in.d != out.d)
    return sizes("source and result differ in depth");
  if (hasKernel) {
    if ((out.h - 1) * sy >= in.h + py || (out.w - 1) * sx >= in.w + px)
      return sizes("the last window starts outside of the source");
    if (unicast && in.c != out.c * unicastCin)
      return sizes("each result channel has UnicastCin channels of the source");
    // A task's time has 16 bits of microseconds.
    const absl::uint128 products =
        out.count() * (unicast ? unicastCin : in.c) * kh * kw;
    if (products > absl::uint128(1) << 40)
      return sizes("more products than a task can have");
    return true;
  }
  const Op op = get(h13::NE::MACCfg_OpMode);
  if (kh != 1 || kw != 1 || sy != 1 || sx != 1 || py || px)
    return sizes("a window, but no kernel");
  if (!unicast && (op != Op::Conv || out.c != 1))
    return sizes("channels are only added up to one");
  if (op == Op::Bypass && unicastCin != 1)
    return sizes("a copy has UnicastCin 1");
  if (in.c != out.c * (unicast ? unicastCin : in.c) || in.h != out.h ||
      in.w != out.w)
    return sizes("a result without a kernel has the rows and columns of its "
                 "source");
  return true;
}

bool Verifier::checkBroadcasts() {
  Dims full = result.dram.n;
  if (reduces)
    for (const Operand *operand : {&source1, &source2})
      if (operand == &source1 || binary) {
        full.d = std::max(full.d, operand->dram.n.d);
        full.h = std::max(full.h, operand->dram.n.h);
        full.w = std::max(full.w, operand->dram.n.w);
      }
  auto fits = [&](const Operand &operand, bool hasRows) {
    const Dims &n = operand.dram.n;
    const std::pair<uint64_t, uint64_t> axes[] = {{n.g, full.g},
                                                  {n.d, full.d},
                                                  {n.c, full.c},
                                                  {hasRows ? 1 : n.h, full.h},
                                                  {hasRows ? 1 : n.w, full.w}};
    for (const auto &[have, want] : axes)
      if (have != want && have != 1)
        return shape(StrFormat("%s is %s, expected an axis of %s or 1 each",
                               operand.name, text(n), text(full)));
    return true;
  };
  return fits(source1, false) &&
         (source2.place == Place::None || fits(source2, scaleBias));
}

//===----------------------------------------------------------------------===//
// L2
//===----------------------------------------------------------------------===//

/// Rows of the source that the largest tile reads.
uint64_t Verifier::sourceRows() const {
  const uint64_t rows = result.dram.n.h, height = computed.h;
  if (!isNeural)
    return std::min(tileRows, height);
  const int64_t sy = task.get(h13::Common::ConvCfg_Sy),
                py = task.get(h13::Common::ConvCfg_Py),
                kh = task.get(h13::Common::ConvCfg_Kh);
  int64_t most = 0;
  for (uint64_t first = 0; first < rows; first += tileRows) {
    const int64_t last = std::min(first + tileRows, rows) - 1;
    const int64_t begin = std::max<int64_t>(0, int64_t(first) * sy - py),
                  end = std::min<int64_t>(height, last * sy - py + kh);
    most = std::max(most, end - begin);
  }
  return most;
}

Range Verifier::tileRange(const Operand &operand, uint64_t rows) const {
  const Box &box = operand.l2;
  uint64_t size = std::min(rows, box.n.h) * box.row;
  if (!size)
    size = streamedResultBytes(box.n.c, box.n.w, box.size,
                               &operand != &result || isNeural);
  return {box.base, box.base + size};
}

bool Verifier::checkTiles() {
  struct Use {
    const Operand *operand;
    Range range;
    bool streams;
  };
  std::vector<Use> uses;
  const uint64_t rows = sourceRows();
  for (const Operand *operand : {&source1, &source2, &result}) {
    if (operand->place == Place::None || operand->place == Place::Chained)
      continue;
    const bool streams = operand->place == Place::DRAM;
    if (streams) {
      uses.push_back({operand,
                      tileRange(*operand, operand == &result ? tileRows : rows),
                      true});
    } else {
      const absl::uint128 end = operand->l2.end();
      uses.push_back({operand,
                      {operand->l2.base,
                       absl::Uint128High64(end) ? UINT64_MAX : uint64_t(end)},
                      false});
    }
    if (const Use &use = uses.back(); use.range.end > generation.l2Bytes) {
      uint64_t value = 0;
      const FieldRef &field = operand->l2.widest(value);
      return fault(
          VerifyFault::Access, field.path, value,
          StrFormat("%s is 0x%x: %s (%s) %s L2 bytes 0x%x to 0x%x, "
                    "but L2 has 0x%x",
                    field.path, value, operand->name, text(operand->l2.n),
                    streams ? "streams through" : "covers", use.range.begin,
                    use.range.end, generation.l2Bytes));
    }
    ++report.accesses;
  }
  for (size_t i = 0; i < uses.size(); ++i)
    for (size_t k = i + 1; k < uses.size(); ++k) {
      const Use &a = uses[i], &b = uses[k];
      if ((a.streams || b.streams) && a.range.begin < b.range.end &&
          b.range.begin < a.range.end)
        return fault(
            VerifyFault::Order, b.operand->l2.fields->base.path,
            b.operand->l2.base,
            StrFormat("%s is 0x%x: L2 bytes 0x%x to 0x%x of %s overlap "
                      "0x%x to 0x%x of %s",
                      b.operand->l2.fields->base.path, b.operand->l2.base,
                      a.range.begin, a.range.end, a.operand->name,
                      b.range.begin, b.range.end, b.operand->name));
    }
  return true;
}

bool Verifier::written(const Operand &operand, const Box &box,
                       const ByteSet &set, absl::string_view where) {
  for (const Footprint &part : box.parts())
    if (std::optional<uint64_t> at = part.firstMissing(set))
      return fault(VerifyFault::Order, box.fields->base.path, box.base,
                   StrFormat("%s is 0x%x: %s (%s) reads byte 0x%x of %s, which "
                             "no task wrote",
                             box.fields->base.path, box.base, operand.name,
                             text(box.n), *at, where));
  return true;
}

bool Verifier::distinct(const Operand &operand, const Box &box) {
  auto parts = box.parts();
  std::optional<uint64_t> clash = findSharedByte(parts);
  return !clash ||
         fault(VerifyFault::Shape, box.fields->row.path, box.row,
               StrFormat("%s is 0x%x: %s (%s) writes byte 0x%x twice, with "
                         "0x%x between channels, 0x%x between groups",
                         box.fields->row.path, box.row, operand.name,
                         text(box.n), *clash, box.plane, box.group));
}

void Verifier::streamOver(const Operand &operand, uint64_t rows) {
  const Range range = tileRange(operand, rows); // inside: checkTiles
  l2Written.erase(range.begin, range.end);
}

bool Verifier::openL2(const Operand &operand, bool writes) {
  const Box &box = operand.l2;
  if (!writes) {
    if (!written(operand, box, l2Written, "L2"))
      return false;
    for (const Footprint &part : box.parts())
      if (std::optional<L2Owners::Torn> torn = owners.read(part, index))
        return fault(VerifyFault::Order, box.fields->base.path, box.base,
                     StrFormat("%s is 0x%x: %s (%s) reads the result of task "
                               "%d, but task %d wrote over L2 byte 0x%x of it",
                               box.fields->base.path, box.base, operand.name,
                               text(box.n), torn->owner, torn->by, torn->at));
    return true;
  }
  if (!distinct(operand, box))
    return false;
  owners.beginWrite(index);
  for (const Footprint &part : box.parts()) {
    owners.write(part);
    part.insertInto(l2Written);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// DRAM
//===----------------------------------------------------------------------===//

bool Verifier::openDRAM(const Operand &operand, bool writes, Memory *&memory) {
  const Box &box = operand.dram;
  memory = &memories.at(operand.base);
  if (writes && !memory->mayWrite)
    return fault(VerifyFault::Access, h13::Header::WBase.path, operand.base,
                 StrFormat("%s is %d: the result goes to %s, expected the "
                           "scratch memory or an output",
                           h13::Header::WBase.path, operand.base,
                           memory->name));
  const absl::uint128 end = box.end();
  if (end > memory->bytes) {
    uint64_t value = 0;
    const FieldRef &field = box.widest(value);
    return fault(
        VerifyFault::Access, field.path, value,
        StrFormat("%s is 0x%x: DMA of %s (%s) covers bytes 0x%x to 0x%x of %s "
                  "(base %d), which has 0x%x",
                  field.path, value, operand.name, text(box.n), box.base,
                  uint64_t(std::min<absl::uint128>(end, UINT64_MAX)),
                  memory->name, operand.base, memory->bytes));
  }
  ++report.accesses;
  return true;
}

bool Verifier::readOperand(Operand &operand, uint64_t rows) {
  switch (operand.place) {
  case Place::None:
    return true;
  case Place::L2:
    return openL2(operand, /*writes=*/false);
  case Place::Chained: {
    const std::optional<Dims> before = std::exchange(chained, std::nullopt);
    if (!before)
      return fault(
          VerifyFault::Order, h13::L2::SourceCfg_SourceType.path,
          static_cast<uint64_t>(task.get(h13::L2::SourceCfg_SourceType)),
          StrCat(operand.name, " is the result of the task before, "
                               "which passes nothing on"));
    return *before == operand.dram.n ||
           shape(StrFormat("%s is %s, but the task before passes on %s",
                           operand.name, text(operand.dram.n), text(*before)));
  }
  case Place::DRAM:
  case Place::Kept:
    break;
  }
  Memory *memory = nullptr;
  if (!openDRAM(operand, /*writes=*/false, memory))
    return false;
  if (memory->startsEmpty) {
    if (memory->written.empty())
      memory->written = ByteSet(memory->bytes);
    if (!written(operand, operand.dram, memory->written, memory->name))
      return false;
  }
  if (operand.place == Place::Kept)
    return openL2(operand, /*writes=*/true);
  streamOver(operand, rows);
  return true;
}

bool Verifier::writeResult() {
  chained.reset();
  switch (result.place) {
  case Place::Chained:
    chained = result.dram.n;
    return true;
  case Place::L2:
    return openL2(result, /*writes=*/true);
  default:
    break;
  }
  Memory *memory = nullptr;
  if (!openDRAM(result, /*writes=*/true, memory) ||
      !distinct(result, result.dram))
    return false;
  streamOver(result, tileRows);
  if (memory->written.empty())
    memory->written = ByteSet(memory->bytes);
  for (const Footprint &part : result.dram.parts())
    part.insertInto(memory->written);
  return true;
}

//===----------------------------------------------------------------------===//
// Coefficients
//===----------------------------------------------------------------------===//

/// The bytes that the words need of each stream, for one of `passes` that lie
/// a stride apart.
bool Verifier::streamSizes(std::vector<uint64_t> &needed, uint64_t &passes) {
  const bool unicast = get(h13::Common::GroupConvCfg_UnicastEn),
             skipsZeros = get(h13::NE::KernelCfg_SparseFmt);
  uint64_t groups = source1.dram.n.g, channels = result.dram.n.c;
  if (unicast)
    channels *= std::exchange(groups, 1);
  const uint64_t engines = uint64_t(1) << get(h13::Common::Cfg_ActiveNE);
  const uint64_t lanes =
      unicast ? 1 : uint64_t(1) << get(h13::Common::ConvCfg_OCGSize);
  const uint64_t inputs =
      unicast ? get(h13::Common::GroupConvCfg_UnicastCin) : source1.dram.n.c;
  const uint64_t perChannel = 2 * (inputs * get(h13::Common::ConvCfg_Kh) *
                                       get(h13::Common::ConvCfg_Kw) +
                                   get(h13::NE::MACCfg_BiasMode));
  const uint64_t ofEngine = (channels + engines - 1) / engines;
  passes = 1;
  if (task.passStride) {
    if (groups != 1 || unicast || skipsZeros || hasTable)
      return shape(
          "passes of coefficients lie a stride apart, expected a plain "
          "convolution");
    passes = (ofEngine + lanes - 1) / lanes;
    if (ofEngine % lanes)
      return shape(
          StrFormat("passes of %d channels lie a stride apart, expected "
                    "%d channels of each engine to fill them",
                    lanes, ofEngine));
  }
  const uint64_t expected = std::min(engines, channels);
  if (streams.offsets.size() != expected)
    return shape(
        StrFormat("%d coefficient streams are enabled, expected %d for "
                  "%d channels",
                  streams.offsets.size(), expected, channels));
  for (uint64_t engine = 0; engine < expected; ++engine) {
    uint64_t bytes = hasTable ? tableBytes : 0;
    if (skipsZeros) {
      // Three bytes with the length, and a mask for the entries of each tap:
      // the least. How many coefficients follow is in the masks.
      bytes += 3;
    } else if (unicast) {
      bytes += perChannel * ((channels - engine + engines - 1) / engines);
    } else if (task.passStride) {
      bytes += perChannel * lanes;
    } else {
      // Passes of several groups start at multiples of the alignment.
      auto pass = [&](uint64_t lanes) {
        const uint64_t size = perChannel * lanes;
        return groups > 1 ? alignTo(size, generation.streamAlign) : size;
      };
      if (groups > 1 && hasTable)
        bytes = alignTo(bytes, generation.streamAlign);
      bytes += groups * (ofEngine / lanes * pass(lanes) +
                         (ofEngine % lanes ? pass(ofEngine % lanes) : 0));
    }
    needed.push_back(skipsZeros ? bytes
                                : alignTo(bytes, generation.streamAlign));
  }
  return true;
}

/// The units of a zero-skipping stream have their lengths in front, and fill
/// the stream.
bool Verifier::checkUnits(size_t stream) {
  const bool unicast = get(h13::Common::GroupConvCfg_UnicastEn);
  const uint64_t engines = uint64_t(1) << get(h13::Common::Cfg_ActiveNE);
  uint64_t groups = source1.dram.n.g, channels = result.dram.n.c;
  if (unicast)
    channels *= std::exchange(groups, 1);
  const uint64_t lanes =
      unicast ? 1 : uint64_t(1) << get(h13::Common::ConvCfg_OCGSize);
  const uint64_t ofEngine = unicast
                                ? (channels - stream + engines - 1) / engines
                                : (channels + engines - 1) / engines;
  const uint64_t size = streams.sizes[stream];
  const auto bytes =
      program.constantBytes().subspan(streams.offsets[stream], size);
  constexpr uint64_t lengthBytes = 3;
  uint64_t at = hasTable ? tableBytes : 0;
  bool fits = at <= size;
  for (uint64_t group = 0; group < groups && fits; ++group)
    for (uint64_t done = 0; done < ofEngine && fits; done += lanes) {
      if (get(h13::NE::MACCfg_BiasMode))
        at += 2 * std::min(lanes, ofEngine - done);
      fits = at + lengthBytes <= size;
      if (!fits)
        break;
      at +=
          lengthBytes + (bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16);
      fits = at <= size;
      if (!unicast)
        at = alignTo(at, generation.streamAlign);
    }
  const FieldRef field = h13::KernelDMASrc::CoeffBfrSize_MemBfrSize(stream);
  return (fits && alignTo(at, generation.streamAlign) == size) ||
         fault(VerifyFault::Shape, field.path, size,
               StrFormat("%s of stream %d is 0x%x, but its zero-skipping units "
                         "%s",
                         field.path, stream, size,
                         fits ? StrFormat("take 0x%x bytes",
                                          alignTo(at, generation.streamAlign))
                              : "go on after it"));
}

bool Verifier::checkKernel() {
  if (!hasKernel && !hasTable)
    return true;
  Memory &memory = memories.at(streams.base);
  std::vector<uint64_t> needed(streams.offsets.size(), tableBytes);
  uint64_t passes = 1;
  if (hasKernel) {
    needed.clear();
    if (!streamSizes(needed, passes))
      return false;
  }
  const bool isExact = !hasKernel || !get(h13::NE::KernelCfg_SparseFmt);
  for (size_t i = 0; i < streams.offsets.size(); ++i) {
    const FieldRef at = h13::KernelDMASrc::CoeffBaseAddr_Addr(i),
                   size = h13::KernelDMASrc::CoeffBfrSize_MemBfrSize(i);
    if (isExact ? streams.sizes[i] != needed[i] : streams.sizes[i] < needed[i])
      return fault(VerifyFault::Shape, size.path, streams.sizes[i],
                   StrFormat("%s of stream %d is 0x%x, expected %s0x%x, the "
                             "bytes of its coefficients",
                             size.path, i, streams.sizes[i],
                             isExact ? "" : "at least ", needed[i]));
    for (uint64_t pass = 0; pass < passes; ++pass) {
      const uint64_t begin = streams.offsets[i] + pass * task.passStride;
      const uint64_t bytes =
          hasTable ? std::max<uint64_t>(streams.sizes[i], tableBytes)
                   : streams.sizes[i];
      if (begin > memory.bytes || bytes > memory.bytes - begin)
        return fault(VerifyFault::Access, at.path, streams.offsets[i],
                     StrFormat("%s of stream %d is 0x%x: pass %d covers bytes "
                               "0x%x to 0x%x of %s, which has 0x%x",
                               at.path, i, streams.offsets[i], pass, begin,
                               begin + bytes, memory.name, memory.bytes));
      ++report.accesses;
      if (!isExact && streams.base == BaseConst && !checkUnits(i))
        return false;
      if (!memory.startsEmpty)
        continue;
      if (memory.written.empty())
        memory.written = ByteSet(memory.bytes);
      // What pads a stream may be anything.
      uint64_t used = bytes;
      if (isExact && hasKernel && source1.dram.n.g == 1) {
        const bool unicast = get(h13::Common::GroupConvCfg_UnicastEn);
        const uint64_t inputs = unicast
                                    ? get(h13::Common::GroupConvCfg_UnicastCin)
                                    : source1.dram.n.c;
        const uint64_t engines = uint64_t(1) << get(h13::Common::Cfg_ActiveNE);
        const uint64_t channels =
            task.passStride ? uint64_t(1) << get(h13::Common::ConvCfg_OCGSize)
                            : (result.dram.n.c + engines - 1) / engines;
        used = std::min(bytes, 2 * channels *
                                       (inputs * get(h13::Common::ConvCfg_Kh) *
                                            get(h13::Common::ConvCfg_Kw) +
                                        get(h13::NE::MACCfg_BiasMode)) +
                                   (hasTable ? tableBytes : 0));
      }
      if (!memory.written.contains(begin, begin + used))
        return fault(VerifyFault::Order, at.path, streams.offsets[i],
                     StrFormat("%s of stream %d is 0x%x: it reads byte 0x%x of "
                               "%s, which no task wrote",
                               at.path, i, streams.offsets[i],
                               memory.written.firstMissing(begin, begin + used),
                               memory.name));
    }
  }
  return true;
}

void Verifier::runTask() {
  missing = nullptr;
  // After a fault it is not known what the memories hold: of the tasks that
  // follow, the words alone are looked at.
  const bool memoriesKnown = report.ok();
  if (!checkValues() || !decode() || !checkSizes() || !checkTiles() ||
      !memoriesKnown)
    return;
  const uint64_t rows = sourceRows();
  if (!readOperand(source1, rows) || !readOperand(source2, rows) ||
      !checkKernel())
    return;
  writeResult();
}

absl::Status VerifyReport::status() const {
  if (ok())
    return absl::OkStatus();
  const VerifyFault &first = faults.front();
  std::string message =
      first.task ? StrFormat("task %d: %s", *first.task, first.message)
                 : first.message;
  if (faults.size() > 1)
    absl::StrAppend(&message, " (and ", faults.size() - 1,
                    faults.size() == 2 ? " more fault)" : " more faults)");
  switch (first.kind) {
  case VerifyFault::Access:
    return absl::OutOfRangeError(message);
  case VerifyFault::Order:
    return absl::FailedPreconditionError(message);
  case VerifyFault::Value:
    return absl::UnimplementedError(message);
  case VerifyFault::Shape:
    break;
  }
  return absl::InvalidArgumentError(message);
}

VerifyReport verify(const Program &program, const VerifyOptions &options) {
  return Verifier(program, options).run();
}

} // namespace ane::hw
