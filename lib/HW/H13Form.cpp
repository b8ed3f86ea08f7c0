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
//   second sources   with a configuration of L2 of their own since H15, in H13
//                    with one bit
//   constants        in two sections since H16, in H13 in one
//
// Input may be hostile: nothing here trusts a count or an address.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/H13Form.h"

#include "PackedForm.h"

#include "ane/HW/Float16.h"
#include "ane/HW/H13.h"
#include "ane/HW/H14.h"
#include "ane/HW/Layout.h"

#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace ane::hw {

static absl::Status notUnderstood(absl::string_view path, uint32_t value,
                                  absl::string_view expected) {
  return absl::UnimplementedError(
      absl::StrFormat("%s is 0x%x, which is not understood; expected %s", path,
                      value, expected));
}

/// Of source 1, source 2 and the result.
constexpr const char *packedFormats[] = {"TileDMASrc.Src1Fmt.Unknown",
                                         "TileDMASrc.Src2Fmt.Unknown",
                                         "TileDMADst.Fmt.Unknown"};

static bool isSame(const FieldRef &a, const FieldRef &b) {
  return absl::string_view(a.path) == b.path;
}

namespace {
/// A register that a base may be added to, and where H13 has the base.
struct BaseField {
  FieldRef offset;        ///< of H14; others have it elsewhere
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

/// The bases that a generation has records for.
static std::vector<BaseField> basesOf(const PackedForm &form) {
  std::vector<BaseField> result;
  for (BaseField base : baseFields) {
    const FieldRef *here = form.find(base.offset);
    if (!here)
      continue;
    // The address of a table has two words where it has one place.
    if (!form.traits.repeatsTableBase)
      base.words = 2;
    base.offset = *here;
    result.push_back(base);
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
  for (const BaseField &base : basesOf(packedForm(map.generation))) {
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
  TaskFormer(const PackedForm &form, const Task &reset, const Task &task,
             const ConstantPlaces &places)
      : form(form), map(form.map), places(places), bases(basesOf(form)),
        reset(reset), task(task), full(reset),
        result(makeFullTask(Generation::H13)) {}

  absl::StatusOr<Task> run();

private:
  absl::Status checkWord(absl::string_view name, uint32_t word, uint32_t known);
  absl::Status readHeader();
  absl::Status readRecord(const Record &record);
  absl::Status readBase(const Record &record);
  absl::StatusOr<uint32_t> baseOf(const Record &record, bool isKernel);
  bool isDataSet(const Record &record) const;
  bool isHandled(const FieldRef &field) const;
  bool hasOtherValues(const FieldRef &h13Field) const;
  absl::Status copyFields();
  absl::Status formTerms();
  absl::Status formBinaryPoint();
  absl::Status formCond();
  absl::Status formFormats();
  absl::Status formSources();
  absl::Status formConstants();
  absl::Status formStreams();
  absl::Status formPasses();
  absl::Status formSource2();
  absl::Status formCopy();
  absl::Status formTable();
  absl::Status checkKernelStride();
  absl::Status checkBases();
  bool readsCoefficients() const;

  /// The path of a field of H14, in the generation.
  const char *pathOf(const FieldRef &field) const {
    return form.at(field).path;
  }
  /// The value of a field by its name on H14.
  uint32_t get(const FieldRef &field) const { return full.get(form.at(field)); }
  template <typename E> E get(const EnumFieldRef<E> &field) const {
    return static_cast<E>(get(static_cast<const FieldRef &>(field)));
  }
  absl::Status set(const FieldRef &field, uint32_t value);

  const PackedForm &form;
  const RegisterMap &map;
  const ConstantPlaces &places;
  const std::vector<BaseField> bases;
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
  if (task.header.size() > info(map.generation).headerWords)
    result.header.resize(h13::Header::DTID.address + 1);
  return absl::OkStatus();
}

/// What a record adds to the configurations of the tile DMA is for the cache.
bool TaskFormer::isDataSet(const Record &record) const {
  if (!form.traits.addsDataSets || record.base != BaseDataSets ||
      record.words.size() != 1)
    return false;
  for (const FieldRef &field : dataSetFields(form))
    if (record.address == field.address)
      return true;
  return false;
}

/// The entry that H13 has for the same memory.
absl::StatusOr<uint32_t> TaskFormer::baseOf(const Record &record,
                                            bool isKernel) {
  if (!places.kernelBase ||
      (record.base != BaseConst && record.base != places.kernelBase))
    return *record.base;
  const bool isSegment = record.base == places.kernelBase;
  if (isSegment == isKernel)
    return uint32_t(BaseConst);
  return absl::UnimplementedError(absl::StrFormat(
      "a record adds base %d, the %s, to address 0x%x, which is not "
      "understood; expected it for %s",
      *record.base, isSegment ? "kernel segment" : "section of constants",
      record.address, isSegment ? "coefficients and tables" : "tensors"));
}

absl::Status TaskFormer::readBase(const Record &record) {
  if (isDataSet(record))
    return absl::OkStatus();
  for (const BaseField &field : bases) {
    if (field.offset.address != record.address)
      continue;
    if (record.words.size() != field.words)
      return absl::UnimplementedError(absl::StrFormat(
          "the base of %s is added to %d words, which is not understood; "
          "expected %d",
          field.offset.path, record.words.size(), field.words));
    // Coefficients and a table alone exclude each other (formTable), but a
    // table has two places that must agree.
    const bool isKernel = isSame(field.enable, h13::Header::KBE0);
    absl::StatusOr<uint32_t> base = baseOf(record, isKernel);
    if (!base.ok())
      return base.status();
    if (result.get(field.enable) && result.get(field.index) != *base)
      return notUnderstood(absl::StrCat("the base of ", field.offset.path),
                           *base,
                           absl::StrFormat("%d as for the other address",
                                           result.get(field.index)));
    if (absl::Status status = set(field.enable, 1); !status.ok())
      return status;
    return set(field.index, *base);
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
bool TaskFormer::isHandled(const FieldRef &field) const {
  if (field.inHeader)
    return false;
  for (const FieldRef &known :
       {h14::KernelDMASrc::OCGStride_Stride, h14::KernelDMASrc::CoeffBase_Addr})
    if (field.address == form.at(known).address)
      return true;
  for (const FloatTerm &term : form.terms)
    if (field.address == term.single.address)
      return true;
  if (form.hasPackedFormats)
    for (const char *path : packedFormats)
      if (isSame(field, form.at(path)))
        return true;
  return form.hasSource2Cfg &&
         (isSame(field, form.at("L2.Source2Cfg.SourceType")) ||
          isSame(field, form.at("L2.Source2Cfg.DMAFmt")));
}

/// Fields whose numbers mean something else on H13.
bool TaskFormer::hasOtherValues(const FieldRef &h13Field) const {
  return (form.traits.extendsBinaryPoint &&
          isSame(h13Field, h13::NE::MACCfg_BinaryPoint)) ||
         (form.traits.absoluteCond != 1 && isSame(h13Field, h13::PE::Cfg_Cond));
}

absl::Status TaskFormer::copyFields() {
  for (const FieldPair &pair : map.pairs()) {
    const uint32_t value = full.get(pair.field);
    switch (pair.kind) {
    case FieldPair::NoEffect:
      break;
    case FieldPair::None:
      if (uint32_t usual = reset.get(pair.field);
          value != usual && !isHandled(pair.field))
        return notUnderstood(pair.field.path, value, absl::StrCat(usual));
      break;
    case FieldPair::Same:
      if (hasOtherValues(pair.h13))
        break;
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
  for (uint32_t i = 0; offset && i < info(map.generation).neCount; ++i) {
    if (!get(h14::KernelDMASrc::CoeffDMAConfig_En(i)))
      continue;
    const uint64_t address =
        uint64_t(get(h14::KernelDMASrc::CoeffBaseAddr_Addr(i))) + offset;
    if (address > UINT32_MAX)
      return notUnderstood(pathOf(h14::KernelDMASrc::CoeffBase_Addr), offset,
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

/// Terms that are halves on H13.
absl::Status TaskFormer::formTerms() {
  for (const FloatTerm &term : form.terms) {
    const uint32_t bits = full.get(term.single);
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    const uint16_t half = toHalfBits(value);
    if (singleOfHalf(half) != bits)
      return notUnderstood(term.single.path, bits, "a number that f16 holds");
    if (absl::Status status = set(term.half, half); !status.ok())
      return status;
  }
  return absl::OkStatus();
}

/// A number with a sign, in more bits than on H13.
absl::Status TaskFormer::formBinaryPoint() {
  if (!form.traits.extendsBinaryPoint)
    return absl::OkStatus();
  const FieldRef &point = form.at(h14::NE::MACCfg_BinaryPoint);
  const FieldRef &h13Point = h13::NE::MACCfg_BinaryPoint;
  const uint32_t value = full.get(point), bits = h13Point.width();
  const uint32_t low = value & ((1u << bits) - 1);
  const uint32_t above = (1u << point.width()) - (1u << bits);
  if (value != (low >> (bits - 1) ? low | above : low))
    return notUnderstood(point.path, value,
                         "the bits above the fifth to repeat it");
  return set(h13Point, low);
}

/// The numbers of conditions have changed; no record has others than these.
absl::Status TaskFormer::formCond() {
  if (form.traits.absoluteCond == 1)
    return absl::OkStatus();
  const FieldRef &cond = form.at(h14::PE::Cfg_Cond);
  const uint32_t value = full.get(cond);
  if (value && value != form.traits.absoluteCond)
    return notUnderstood(cond.path, value,
                         absl::StrFormat("0, or %d", form.traits.absoluteCond));
  return set(h13::PE::Cfg_Cond, value ? 1 : 0);
}

/// Formats of the tile DMA that are packed in another way: those of halves.
absl::Status TaskFormer::formFormats() {
  if (!form.hasPackedFormats)
    return absl::OkStatus();
  namespace S = h13::TileDMASrc;
  namespace D = h13::TileDMADst;
  const std::array<std::array<FieldRef, 4>, 3> fields = {
      {{S::Src1Fmt_FmtMode, S::Src1Fmt_Truncate, S::Src1Fmt_MemFmt,
        S::Src1Fmt_Interleave},
       {S::Src2Fmt_FmtMode, S::Src2Fmt_Truncate, S::Src2Fmt_MemFmt,
        S::Src2Fmt_Interleave},
       {D::Fmt_FmtMode, D::Fmt_Truncate, D::Fmt_MemFmt, D::Fmt_Interleave}}};
  const uint32_t halves[] = {packedHalfSource, packedHalfSource,
                             packedHalfResult};
  constexpr uint32_t values[] = {1, 3, 2, 1};
  for (size_t i = 0; i < fields.size(); ++i) {
    const FieldRef &format = form.at(packedFormats[i]);
    const uint32_t value = full.get(format);
    if (!value)
      continue;
    if (value != halves[i])
      return notUnderstood(format.path, value,
                           absl::StrFormat("0, or 0x%x", halves[i]));
    for (size_t j = 0; j < fields[i].size(); ++j)
      if (absl::Status status = set(fields[i][j], values[j]); !status.ok())
        return status;
  }
  // Bits that a result of halves has on H13 besides.
  if (full.get(form.at(packedFormats[2])))
    for (const FieldRef &pad : {D::Fmt_ZeroPadFirst, D::Fmt_ZeroPadLast})
      if (absl::Status status = set(pad, 1); !status.ok())
        return status;
  return absl::OkStatus();
}

/// Which sources there are follows from where they are.
absl::Status TaskFormer::formSources() {
  using Type = h13::L2::SourceType;
  if (!form.hasSource2Cfg)
    return absl::OkStatus();
  const auto type =
      static_cast<Type>(full.get(form.at("L2.Source2Cfg.SourceType")));
  const auto first = get(h14::L2::SourceCfg_SourceType);
  const bool hasFirst = first == h14::L2::SourceType::DMA ||
                        first == h14::L2::SourceType::DMAKept;
  const bool hasSecond = type == Type::DMA;
  if (!hasSecond && type != Type::Resident)
    return notUnderstood("L2.Source2Cfg.SourceType",
                         static_cast<uint32_t>(type),
                         "0 or 2: a second source that stays is on no record");
  const auto format =
      static_cast<h13::L2::DMAFmt>(full.get(form.at("L2.Source2Cfg.DMAFmt")));
  const auto usual =
      hasSecond ? h13::L2::DMAFmt::Bits16 : h13::L2::DMAFmt::Bits8;
  if (format != usual)
    return notUnderstood("L2.Source2Cfg.DMAFmt", static_cast<uint32_t>(format),
                         absl::StrCat(static_cast<uint32_t>(usual)));
  const bool isNe = get(h14::Common::Cfg_TaskType) == h14::Common::TaskType::NE;
  const std::pair<FieldRef, uint32_t> fields[] = {
      {h13::L2::SourceCfg_Src2Dma, hasSecond},
      {h13::Common::Cfg_Src1En, isNe || hasFirst || !hasSecond},
      {h13::Common::Cfg_Src2En, hasSecond},
      {h13::TileDMASrc::Src1DMAConfig_En, hasFirst || hasSecond},
      {h13::TileDMASrc::Src2DMAConfig_En, 0},
      {h13::L2::SourceCfg_DMAFmt,
       hasSecond ? static_cast<uint32_t>(usual)
                 : result.get(FieldRef(h13::L2::SourceCfg_DMAFmt))}};
  for (const auto &[field, value] : fields)
    if (absl::Status status = set(field, value); !status.ok())
      return status;
  return absl::OkStatus();
}

/// Constant tensors lie after the coefficients.
absl::Status TaskFormer::formConstants() {
  namespace H = h13::Header;
  namespace S = h13::TileDMASrc;
  if (!places.kernelBase || !places.tensors)
    return absl::OkStatus();
  const std::tuple<FieldRef, FieldRef, FieldRef> sources[] = {
      {H::RBE0, H::RBase0, S::Src1BaseAddr_Addr},
      {H::RBE1, H::RBase1, S::Src2BaseAddr_Addr}};
  for (const auto &[enable, base, address] : sources) {
    if (!result.get(enable) || result.get(base) != BaseConst)
      continue;
    const uint64_t place = result.get(address) + places.tensors;
    if (place > UINT32_MAX)
      return notUnderstood(address.path, result.get(address),
                           "constants within 4 GiB");
    if (absl::Status status = set(address, place); !status.ok())
      return status;
  }
  return absl::OkStatus();
}

/// The format of source 2 is written as that of source 1.
absl::Status TaskFormer::formSource2() {
  using h14::TileDMASrc::Src2Fmt_FmtMode;
  if (!result.get(h13::L2::SourceCfg_Src2Dma))
    return absl::OkStatus();
  if (form.hasPackedFormats)
    return set(h13::TileDMASrc::Src2Fmt_FmtMode, 0);
  const bool half =
      get(h14::Common::ChCfg_Src2InFmt) == h14::Common::Format::Float16;
  if (uint32_t mode = get(Src2Fmt_FmtMode); mode != half)
    return notUnderstood(pathOf(Src2Fmt_FmtMode), mode,
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
    return notUnderstood(pathOf(h14::Common::GroupConvCfg_UnicastCin), channels,
                         absl::StrFormat("%d in a copy, 2^%s", atOnce,
                                         pathOf(h14::Common::OCGSize_OCGSize)));
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
  if (form.traits.repeatsTableBase)
    if (uint32_t other = get(from::NonlinearLutBase_Addr); other != offset)
      return notUnderstood(
          from::NonlinearLutBase_Addr.path, other,
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
                         bool(result.get(h13::L2::SourceCfg_Src2Dma)),
                         kind == Result::DMA || kind == Result::DMAStaged,
                         readsCoefficients(),
                         table,
                         table};
  static_assert(std::size(needed) == std::size(baseFields), "one for each");
  for (size_t i = 0; i < std::size(needed); ++i) {
    const FieldRef *offset = form.find(baseFields[i].offset);
    if (offset && needed[i] && !result.get(baseFields[i].enable))
      return absl::UnimplementedError(absl::StrFormat(
          "%s is an offset without a base, which is not understood; expected a "
          "record that adds the address of a buffer to it, since it goes by "
          "DMA",
          offset->path));
  }
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
        pathOf(from::OCGStride_Stride), stride,
        absl::StrFormat("0, or 0x%x, the bytes of all streams", bytes));
  const uint64_t channels = get(h14::Common::Cout_Cout);
  const uint64_t inPass = uint64_t(1) << (get(h14::Common::OCGSize_OCGSize) +
                                          get(h14::Common::Cfg_ActiveNE));
  if (channels <= inPass)
    return absl::OkStatus();
  if (channels % inPass)
    return notUnderstood(
        pathOf(h14::Common::Cout_Cout), channels,
        absl::StrFormat("a multiple of 0x%x, the channels of one pass, where "
                        "%s is not 0",
                        inPass, pathOf(from::OCGStride_Stride)));
  result.passStride = stride;
  return absl::OkStatus();
}

absl::StatusOr<Task> TaskFormer::run() {
  result.offset = task.offset;
  if (absl::Status status = readHeader(); !status.ok())
    return status;
  for (const Record &record : task.records)
    if (absl::Status status = readRecord(record); !status.ok())
      return status;
  for (auto step : {&TaskFormer::copyFields, &TaskFormer::formTerms,
                    &TaskFormer::formBinaryPoint, &TaskFormer::formCond,
                    &TaskFormer::formFormats, &TaskFormer::formSources,
                    &TaskFormer::formStreams, &TaskFormer::formPasses,
                    &TaskFormer::formSource2, &TaskFormer::formCopy,
                    &TaskFormer::formTable, &TaskFormer::formConstants,
                    &TaskFormer::checkKernelStride, &TaskFormer::checkBases})
    if (absl::Status status = (this->*step)(); !status.ok())
      return status;
  return std::move(result);
}

ConstantPlaces constantPlaces(const Program &program) {
  ConstantPlaces places;
  const GenerationInfo &generation = info(program.generation);
  if (!generation.hasKernelSegment)
    return places;
  places.kernelBase = program.kernelBase();
  places.tensors = alignTo(program.kernels().size(), generation.streamAlign);
  return places;
}

absl::StatusOr<std::vector<Task>> inH13Form(Generation generation,
                                            absl::Span<const Task> tasks,
                                            const ConstantPlaces &places) {
  if (generation == Generation::H13)
    return std::vector<Task>(tasks.begin(), tasks.end());
  const PackedForm &form = packedForm(generation);
  const Task reset = resetTask(form.map);
  std::vector<Task> result;
  result.reserve(tasks.size());
  for (const Task &task : tasks) {
    absl::StatusOr<Task> formed = TaskFormer(form, reset, task, places).run();
    if (!formed.ok())
      return absl::Status(
          formed.status().code(),
          absl::StrCat("task ", result.size(), ": ",
                       rename(formed.status().message(), namesOf(form.map))));
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
