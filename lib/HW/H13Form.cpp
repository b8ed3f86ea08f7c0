//===- H13Form.cpp - Tasks of any generation in registers of H13 ----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most of it is a table that the register map has: a field and its counterpart.
// By hand remain
//
//   bases            flags of records, in H13 fields of the header
//   passes           their channels have a reset value, in H13 they are 0 in
//                    tasks of the planar engine
//   copies           UnicastCin is what an engine copies at once, in H13 1
//   source 2         its format has FmtMode 1 for halves, in H13 0
//   tables alone     on a stream of their own, in H13 on the first stream of
//                    the coefficients
//
// Input may be hostile: nothing here trusts a count or an address.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/H13Form.h"

#include "ane/HW/H13.h"
#include "ane/HW/H14.h"
#include "ane/HW/Program.h"

#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"

#include <algorithm>

namespace ane::hw {

static absl::Status notUnderstood(absl::string_view path, uint32_t value,
                                  absl::string_view expected) {
  return absl::UnimplementedError(
      absl::StrFormat("%s is 0x%x, which is not understood; expected %s", path,
                      value, expected));
}

namespace {
/// A register that a base may be added to, and where H13 has the base.
struct BaseField {
  FieldRef offset;
  FieldRef enable, index; ///< in the header of H13
  size_t words;           ///< of the record: the low and the high one, mostly
};

const BaseField baseFields[] = {
    {h14::TileDMASrc::Src1BaseAddr_Addr, h13::Header::RBE0, h13::Header::RBase0,
     2},
    {h14::TileDMASrc::Src2BaseAddr_Addr, h13::Header::RBE1, h13::Header::RBase1,
     2},
    {h14::TileDMADst::BaseAddr_Addr, h13::Header::WBE, h13::Header::WBase, 2},
    {h14::KernelDMASrc::CoeffBase_Addr, h13::Header::KBE0, h13::Header::KBase0,
     2},
    {h14::KernelDMASrc::NonlinearLutBaseAddr_Addr, h13::Header::KBE0,
     h13::Header::KBase0, 1},
    {h14::KernelDMASrc::NonlinearLutBase_Addr, h13::Header::KBE0,
     h13::Header::KBase0, 2},
};

/// Names of fields and what stands for them in a message.
using FieldNames = absl::flat_hash_map<std::string, std::string>;

} // namespace

static std::string withAddress(const FieldRef &field) {
  return field.inHeader
             ? std::string(field.path)
             : absl::StrFormat("%s (0x%x)", field.path, field.address);
}

/// `message` with other names for its fields. What is no field has no entry,
/// and two dots at least make a name so long that nothing else has it.
static std::string rename(absl::string_view message, const FieldNames &names) {
  auto isPart = [](char c) {
    return absl::ascii_isalnum(c) || c == '.' || c == '[' || c == ']';
  };
  std::string result;
  while (!message.empty()) {
    size_t length = 0;
    while (length < message.size() && isPart(message[length]))
      ++length;
    absl::string_view token = message.substr(0, std::max<size_t>(length, 1));
    message.remove_prefix(token.size());
    // A sentence may end after a field.
    absl::string_view name = token;
    while (absl::ConsumeSuffix(&name, ".")) {
    }
    auto found = names.find(std::string(name));
    absl::StrAppend(&result, found == names.end() ? name : found->second,
                    token.substr(name.size()));
  }
  return result;
}

/// The fields of H13, as a generation has them.
static FieldNames namesOfH13(const RegisterMap &map) {
  FieldNames names;
  for (const Block &block : registers(Generation::H13).blocks())
    for (const Register &reg : block.registers)
      for (const Field &field : reg.fields) {
        std::string path = fieldPath(block, reg, field);
        names[path] = path + " of h13";
      }
  for (const FieldPair &pair : map.pairs())
    if (pair.kind == FieldPair::Same)
      names[pair.h13.path] = withAddress(pair.field);
  // Records have the bases.
  for (const BaseField &base : baseFields) {
    std::string name = absl::StrCat("the base of ", withAddress(base.offset));
    for (const FieldRef &field : {base.enable, base.index})
      if (absl::StartsWith(names[field.path], field.path))
        names[field.path] = name;
  }
  return names;
}

/// Besides, the fields of the generation itself.
static FieldNames namesOf(const RegisterMap &map) {
  FieldNames names = namesOfH13(map);
  for (const FieldPair &pair : map.pairs())
    names[pair.field.path] = withAddress(pair.field);
  return names;
}

/// What a program without any record has.
static Task resetTask(const RegisterMap &map) {
  Task task = makeFullTask(map.generation);
  // A block may be more than a record can write.
  for (Record &record : task.records)
    for (const Register &reg : map.blockAt(record.address)->registers)
      if (std::optional<size_t> index = record.indexOf(reg.address))
        record.words[*index] = reg.reset;
  return task;
}

namespace {
class TaskFormer {
public:
  TaskFormer(const RegisterMap &map, const Task &reset, const Task &task)
      : map(map), reset(reset), task(task), full(reset),
        result(makeFullTask(Generation::H13)) {}

  absl::StatusOr<Task> form();

private:
  absl::Status checkWord(absl::string_view name, uint32_t word, uint32_t known);
  absl::Status readHeader();
  absl::Status readRecord(const Record &record);
  absl::Status readBase(const Record &record);
  absl::Status copyFields();
  absl::Status formStreams();
  absl::Status formPasses();
  absl::Status formSource2();
  absl::Status formCopy();
  absl::Status formTable();
  absl::Status checkKernelStride();
  absl::Status checkBases();
  bool readsCoefficients() const;

  uint32_t get(const FieldRef &field) const { return full.get(field); }
  template <typename E> E get(const EnumFieldRef<E> &field) const {
    return full.get(field);
  }
  absl::Status set(const FieldRef &field, uint32_t value);

  const RegisterMap &map;
  const Task &reset, &task;
  Task full; ///< `task` with all registers, in those of its generation
  Task result;
};

} // namespace

absl::Status TaskFormer::set(const FieldRef &field, uint32_t value) {
  if (absl::Status status = result.set(field, value); !status.ok())
    return absl::UnimplementedError(absl::StrCat(
        status.message(), " in the form that programs are judged in"));
  return absl::OkStatus();
}

absl::Status TaskFormer::checkWord(absl::string_view name, uint32_t word,
                                   uint32_t known) {
  if (uint32_t unknown = word & ~known)
    return notUnderstood(name, word,
                         absl::StrFormat("bits 0x%x to be clear", unknown));
  return absl::OkStatus();
}

absl::Status TaskFormer::readHeader() {
  full.header = task.header;
  for (uint32_t i = 0; i < task.header.size(); ++i) {
    const Register *reg = map.headerWord(i);
    if (absl::Status status =
            checkWord(absl::StrFormat("Header[%d]", i), task.header[i],
                      reg ? reg->knownMask : 0);
        !status.ok())
      return status;
  }
  // The word that names the writer of the coefficients is the last of both.
  if (task.header.size() > h14::Header::DTID.address)
    result.header.resize(h13::Header::DTID.address + 1);
  return absl::OkStatus();
}

absl::Status TaskFormer::readBase(const Record &record) {
  for (const BaseField &field : baseFields) {
    if (field.offset.address != record.address)
      continue;
    if (record.words.size() != field.words)
      return absl::UnimplementedError(absl::StrFormat(
          "the base of %s is added to %d words, which is not understood; "
          "expected %d",
          field.offset.path, record.words.size(), field.words));
    // Coefficients and a table alone exclude each other (formTable), but a
    // table has two places that must agree.
    if (result.get(field.enable) && result.get(field.index) != *record.base)
      return notUnderstood(absl::StrCat("the base of ", field.offset.path),
                           *record.base,
                           absl::StrFormat("%d as for the other address",
                                           result.get(field.index)));
    if (absl::Status status = set(field.enable, 1); !status.ok())
      return status;
    return set(field.index, *record.base);
  }
  return absl::UnimplementedError(absl::StrFormat(
      "a record adds base %d to address 0x%x, where none is understood",
      *record.base, record.address));
}

absl::Status TaskFormer::readRecord(const Record &record) {
  if (record.unknown)
    return notUnderstood(
        absl::StrFormat("the first word of the record at 0x%x", record.address),
        record.unknown, "these bits to be clear");
  for (size_t i = 0; i < record.words.size(); ++i) {
    const uint32_t address = record.addressOf(i), word = record.words[i];
    const Block *block = map.blockAt(address);
    const Register *reg = map.registerAt(address);
    const std::string name =
        !block ? absl::StrFormat("the word at 0x%x", address)
               : absl::StrCat(block->name, ".",
                              reg ? displayName(*reg)
                                  : absl::StrFormat("0x%x", address));
    if (absl::Status status = checkWord(name, word, reg ? reg->knownMask : 0);
        !status.ok())
      return status;
    if (!reg)
      continue;
    for (Record &whole : full.records)
      if (std::optional<size_t> index = whole.indexOf(address))
        whole.words[*index] = word;
  }
  return record.base ? readBase(record) : absl::OkStatus();
}

/// Fields without a counterpart that formTable and others look at.
static bool isHandled(const FieldRef &field) {
  return !field.inHeader && (field.address == h14::KernelDMASrc::OCGStride ||
                             field.address == h14::KernelDMASrc::CoeffBase);
}

absl::Status TaskFormer::copyFields() {
  for (const FieldPair &pair : map.pairs()) {
    const uint32_t value = get(pair.field);
    switch (pair.kind) {
    case FieldPair::NoEffect:
      break;
    case FieldPair::None:
      if (uint32_t usual = reset.get(pair.field);
          value != usual && !isHandled(pair.field))
        return notUnderstood(pair.field.path, value, absl::StrCat(usual));
      break;
    case FieldPair::Same:
      // An extension of the header that neither has.
      if (pair.h13.inHeader && pair.h13.address >= result.header.size() &&
          !value)
        break;
      if (absl::Status status = set(pair.h13, value); !status.ok())
        return status;
      break;
    }
  }
  return absl::OkStatus();
}

/// All streams lie behind one offset.
absl::Status TaskFormer::formStreams() {
  const uint32_t offset = get(h14::KernelDMASrc::CoeffBase_Addr);
  for (uint32_t i = 0; offset && i < info(Generation::H14).neCount; ++i) {
    if (!get(h14::KernelDMASrc::CoeffDMAConfig_En(i)))
      continue;
    const uint64_t address =
        uint64_t(get(h14::KernelDMASrc::CoeffBaseAddr_Addr(i))) + offset;
    if (address > UINT32_MAX)
      return notUnderstood(h14::KernelDMASrc::CoeffBase_Addr.path, offset,
                           "streams within 4 GiB");
    if (absl::Status status =
            set(h13::KernelDMASrc::CoeffBaseAddr_Addr(i), address);
        !status.ok())
      return status;
  }
  return absl::OkStatus();
}

/// The planar engine has no passes; the reset value is there in its tasks, too.
absl::Status TaskFormer::formPasses() {
  if (get(h14::Common::Cfg_TaskType) == h14::Common::TaskType::NE)
    return absl::OkStatus();
  return set(h13::Common::ConvCfg_OCGSize, 0);
}

/// The format of source 2 is written as that of source 1.
absl::Status TaskFormer::formSource2() {
  using h14::TileDMASrc::Src2Fmt_FmtMode;
  if (!get(h14::L2::SourceCfg_Src2Dma))
    return absl::OkStatus();
  const bool half =
      get(h14::Common::ChCfg_Src2InFmt) == h14::Common::Format::Float16;
  if (uint32_t mode = get(Src2Fmt_FmtMode); mode != half)
    return notUnderstood(Src2Fmt_FmtMode.path, mode,
                         half ? "1 for float16 elements by DMA"
                              : "0 for bytes by DMA");
  return set(h13::TileDMASrc::Src2Fmt_FmtMode, 0);
}

/// An engine copies OCGSize channels at once; which goes where is no matter of
/// UnicastCin, as it is on H13.
absl::Status TaskFormer::formCopy() {
  if (!get(h14::NE::MACCfg_KernelMode) ||
      get(h14::NE::MACCfg_OpMode) != h14::NE::OpMode::Bypass ||
      !get(h14::Common::GroupConvCfg_UnicastEn))
    return absl::OkStatus();
  const uint32_t atOnce = 1u << get(h14::Common::OCGSize_OCGSize);
  if (uint32_t channels = get(h14::Common::GroupConvCfg_UnicastCin);
      channels != atOnce)
    return notUnderstood(h14::Common::GroupConvCfg_UnicastCin.path, channels,
                         absl::StrFormat("%d in a copy, 2^%s", atOnce,
                                         h14::Common::OCGSize_OCGSize.path));
  return set(h13::Common::GroupConvCfg_UnicastCin, 1);
}

/// A table alone has a stream of its own.
absl::Status TaskFormer::formTable() {
  namespace from = h14::KernelDMASrc;
  namespace to = h13::KernelDMASrc;
  const bool isAlone = get(h14::NE::MACCfg_KernelMode);
  if (!get(from::NonlinearLutDMAConfig_En)) {
    if (isAlone &&
        get(h14::NE::MACCfg_NonlinearMode) == h14::NE::NonlinearMode::LUT)
      return notUnderstood(from::NonlinearLutDMAConfig_En.path, 0,
                           "1 in a task with a table and no coefficients");
    return absl::OkStatus();
  }
  if (!isAlone)
    return notUnderstood(from::NonlinearLutDMAConfig_En.path, 1,
                         "0 in a task with coefficients, whose table stands in "
                         "front of them");
  if (readsCoefficients())
    return notUnderstood(from::NonlinearLutDMAConfig_En.path, 1,
                         "0 where KernelDMASrc.CoeffDMAConfig.En is 1");
  const uint32_t offset = get(from::NonlinearLutBaseAddr_Addr);
  if (uint32_t other = get(from::NonlinearLutBase_Addr); other != offset)
    return notUnderstood(from::NonlinearLutBase_Addr.path, other,
                         absl::StrFormat("0x%x, the value of %s", offset,
                                         from::NonlinearLutBaseAddr_Addr.path));
  // Seen in all three: the flag of coefficients that are no constants.
  if (!get(h14::NE::KernelCfg_RuntimeKernel))
    return notUnderstood(h14::NE::KernelCfg_RuntimeKernel.path, 0,
                         "1 where a table has a stream of its own");
  const uint32_t base = result.get(h13::Header::KBase0);
  const std::pair<FieldRef, uint32_t> fields[] = {
      {to::CoeffDMAConfig_En(0), 1},
      {to::CoeffBaseAddr_Addr(0), offset},
      {to::CoeffBfrSize_MemBfrSize(0),
       get(from::NonlinearLutBfrSize_MemBfrSize)},
      {to::NonlinearLutDMAConfig_En, 0},
      {to::NonlinearLutBaseAddr_Addr, 0},
      {to::NonlinearLutBfrSize_MemBfrSize, 0},
      {h13::NE::KernelCfg_RuntimeKernel, base != BaseConst}};
  for (const auto &[field, value] : fields)
    if (absl::Status status = set(field, value); !status.ok())
      return status;
  return absl::OkStatus();
}

bool TaskFormer::readsCoefficients() const {
  for (uint32_t i = 0; i < info(map.generation).neCount; ++i)
    if (get(h14::KernelDMASrc::CoeffDMAConfig_En(i)))
      return true;
  return false;
}

/// What goes by DMA needs the base of a buffer.
absl::Status TaskFormer::checkBases() {
  using Source = h14::L2::SourceType;
  using Result = h14::L2::ResultType;
  const Source source = get(h14::L2::SourceCfg_SourceType);
  const Result kind = get(h14::L2::ResultCfg_ResultType);
  const bool table = get(h14::KernelDMASrc::NonlinearLutDMAConfig_En);
  const bool needed[] = {source == Source::DMA || source == Source::DMAKept,
                         bool(get(h14::L2::SourceCfg_Src2Dma)),
                         kind == Result::DMA || kind == Result::DMAStaged,
                         readsCoefficients(),
                         table,
                         table};
  static_assert(std::size(needed) == std::size(baseFields), "one for each");
  for (size_t i = 0; i < std::size(needed); ++i)
    if (needed[i] && !result.get(baseFields[i].enable))
      return absl::UnimplementedError(absl::StrFormat(
          "%s is an offset without a base, which is not understood; expected a "
          "record that adds the address of a buffer to it, since it goes by "
          "DMA",
          baseFields[i].offset.path));
  return absl::OkStatus();
}

/// Coefficients that a task made have the size of all streams beside them,
/// where those of the next pass follow (seen with 1 and 4 passes). H13 has all
/// passes in each stream and no register for it.
absl::Status TaskFormer::checkKernelStride() {
  namespace from = h14::KernelDMASrc;
  const uint32_t stride = get(from::OCGStride_Stride);
  if (!stride)
    return absl::OkStatus();
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < info(map.generation).neCount; ++i)
    if (get(from::CoeffDMAConfig_En(i)))
      bytes += get(from::CoeffBfrSize_MemBfrSize(i));
  if (stride != bytes)
    return notUnderstood(
        from::OCGStride_Stride.path, stride,
        absl::StrFormat("0, or 0x%x, the bytes of all streams", bytes));
  const uint64_t channels = get(h14::Common::Cout_Cout);
  const uint64_t inPass = uint64_t(1) << (get(h14::Common::OCGSize_OCGSize) +
                                          get(h14::Common::Cfg_ActiveNE));
  if (channels <= inPass)
    return absl::OkStatus();
  if (channels % inPass)
    return notUnderstood(
        h14::Common::Cout_Cout.path, channels,
        absl::StrFormat("a multiple of 0x%x, the channels of one pass, where "
                        "%s is not 0",
                        inPass, from::OCGStride_Stride.path));
  result.passStride = stride;
  return absl::OkStatus();
}

absl::StatusOr<Task> TaskFormer::form() {
  result.offset = task.offset;
  if (absl::Status status = readHeader(); !status.ok())
    return status;
  for (const Record &record : task.records)
    if (absl::Status status = readRecord(record); !status.ok())
      return status;
  for (auto step : {&TaskFormer::copyFields, &TaskFormer::formStreams,
                    &TaskFormer::formPasses, &TaskFormer::formSource2,
                    &TaskFormer::formCopy, &TaskFormer::formTable,
                    &TaskFormer::checkKernelStride, &TaskFormer::checkBases})
    if (absl::Status status = (this->*step)(); !status.ok())
      return status;
  return std::move(result);
}

absl::StatusOr<std::vector<Task>> inH13Form(Generation generation,
                                            absl::Span<const Task> tasks) {
  if (generation == Generation::H13)
    return std::vector<Task>(tasks.begin(), tasks.end());
  if (absl::Status status = checkTarget(generation, "simulated"); !status.ok())
    return status;
  const RegisterMap &map = registers(generation);
  const Task reset = resetTask(map);
  std::vector<Task> result;
  result.reserve(tasks.size());
  for (const Task &task : tasks) {
    absl::StatusOr<Task> formed = TaskFormer(map, reset, task).form();
    if (!formed.ok())
      return absl::Status(
          formed.status().code(),
          absl::StrCat("task ", result.size(), ": ",
                       rename(formed.status().message(), namesOf(map))));
    result.push_back(*std::move(formed));
  }
  return result;
}

std::string inFieldsOf(Generation generation, absl::string_view message) {
  if (generation == Generation::H13)
    return std::string(message);
  return rename(message, namesOfH13(registers(generation)));
}

} // namespace ane::hw
