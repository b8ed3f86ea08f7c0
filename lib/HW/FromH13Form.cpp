//===- FromH13Form.cpp - Tasks of later generations from those of H13 -----===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// First the words of all registers: reset values, over them the counterparts of
// what the H13 task has, over them what has no counterpart. Then the records.
// Fields have the names of H14; the form of a generation says where they are
// (PackedForm.h). Rules are *seen* in all recorded tasks of H14 and H16 unless a
// comment says otherwise.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/FromH13Form.h"

#include "PackedForm.h"

#include "ane/HW/H13.h"
#include "ane/HW/H14.h"
#include "ane/HW/Program.h"

#include "absl/container/btree_map.h"
#include "absl/strings/str_format.h"

namespace ane::hw {

namespace {
class Translator {
public:
  Translator(Generation generation, const Task &from, const StreamStyle &style)
      : from(from), style(style), form(packedForm(generation)), map(form.map) {}

  absl::StatusOr<Task> run();

private:
  void setReset();
  void setCounterparts();
  void setTerms();
  void setBinaryPoint();
  void setCond();
  void setFormats();
  void setCommon();
  void setSources();
  void setSource2Cfg();
  void setTarget();
  void setCoefficients();
  void setKernelStride(uint32_t bytes);
  uint32_t firstStream() const;
  void setTable();
  void setCache();
  void writeBlock(const Block &block);
  void packBlock(absl::Span<const std::pair<uint32_t, uint32_t>> writes);
  void addBases();
  void fill();

  /// A field of the generation itself.
  void put(const FieldRef &field, uint32_t value);
  /// One by its name on H14.
  void set(const FieldRef &fieldOfH14, uint32_t value) {
    put(form.at(fieldOfH14), value);
  }
  /// Where records of bases do not have it.
  void setDataSet(const FieldRef &field, uint32_t base);
  template <typename E> void set(const EnumFieldRef<E> &field, E value) {
    set(static_cast<const FieldRef &>(field), static_cast<uint32_t>(value));
  }
  uint32_t get(const FieldRef &field) const { return from.get(field); }
  /// What the block has when the task does not use it.
  void reset(absl::string_view block);
  void reset(const Register &reg);
  void reset(const FieldRef &field);
  bool usesBlock(absl::string_view block) const;
  bool isForced(uint32_t address) const;
  /// Base records write these.
  bool isBase(uint32_t address) const;
  void addBase(std::vector<Record> &bases, const FieldRef &field, uint32_t base,
               uint64_t offset) const;
  void addDataSet(std::vector<Record> &bases, const FieldRef &field) const;
  /// Entry of the base-address table for coefficients.
  uint32_t kernelBase() const;

  bool isNe() const {
    return from.get(h13::Common::Cfg_TaskType) == h13::Common::TaskType::NE;
  }
  bool isLast() const { return get(h13::Header::EON); }
  bool loads() const { return get(h13::TileDMASrc::Src1DMAConfig_En); }
  bool stores() const { return get(h13::TileDMADst::DMAConfig_En); }
  bool hasKernel() const { return get(h13::Header::KBE0); }
  /// What the task reads as coefficients is a table: its engines only copy,
  /// reduce or multiply.
  bool hasTableAlone() const {
    return hasKernel() && get(h13::NE::MACCfg_KernelMode);
  }

  const Task &from;
  const StreamStyle &style;
  const PackedForm &form;
  const RegisterMap &map;
  Task to;
  absl::btree_map<uint32_t, uint32_t> words; ///< by address
  absl::Status status;
};

} // namespace

void Translator::put(const FieldRef &field, uint32_t value) {
  if (!status.ok())
    return;
  uint32_t &word =
      field.inHeader ? to.header[field.address] : words[field.address];
  status.Update(field.encode(word, value));
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

void Translator::reset(const Register &reg) { words[reg.address] = reg.reset; }

void Translator::reset(const FieldRef &field) {
  reset(*map.registerAt(form.at(field).address));
}

void Translator::reset(absl::string_view name) {
  for (const Register &reg : map.block(name)->registers)
    reset(reg);
}

void Translator::setReset() {
  for (const Block &block : map.blocks())
    if (!block.isHeader)
      reset(block.name);
}

void Translator::setCounterparts() {
  for (const FieldPair &pair : map.pairs()) {
    if (pair.kind != FieldPair::Same)
      continue;
    bool isThere = pair.h13.inHeader ? pair.h13.address < from.header.size()
                                     : from.writes(pair.h13.address);
    bool hasPlace =
        !pair.field.inHeader || pair.field.address < to.header.size();
    if (isThere && hasPlace)
      put(pair.field, get(pair.h13));
  }
}

/// Halves of H13 are floats.
void Translator::setTerms() {
  for (const FloatTerm &term : form.terms)
    if (from.writes(term.half.address))
      put(term.single, singleOfHalf(get(term.half)));
}

/// A number with a sign, by its values.
void Translator::setBinaryPoint() {
  const FieldRef &point = form.at(h14::NE::MACCfg_BinaryPoint);
  const uint32_t bits = h13::NE::MACCfg_BinaryPoint.width();
  const uint32_t value = get(h13::NE::MACCfg_BinaryPoint);
  if (form.traits.extendsBinaryPoint && value >> (bits - 1))
    put(point, value | ((1u << point.width()) - (1u << bits)));
}

/// The numbers of conditions have changed.
void Translator::setCond() {
  const h13::PE::Cond cond = from.get(h13::PE::Cfg_Cond);
  if (form.traits.absoluteCond == static_cast<uint32_t>(h13::PE::Cond::Abs))
    return;
  if (cond == h13::PE::Cond::Abs)
    put(form.at(h14::PE::Cfg_Cond), form.traits.absoluteCond);
  else if (cond != h13::PE::Cond::None && !isNe())
    status.Update(absl::UnimplementedError(absl::StrFormat(
        "no record has %s %d for %s", h13::PE::Cfg_Cond.path,
        static_cast<uint32_t>(cond), info(map.generation).name)));
}

/// Formats are packed in another way, of which that of halves is known.
void Translator::setFormats() {
  if (!form.hasPackedFormats)
    return;
  namespace S = h13::TileDMASrc;
  namespace D = h13::TileDMADst;
  auto setHalf = [&](absl::string_view path, uint32_t value, uint32_t format) {
    constexpr uint32_t half = 2;
    if (format != half)
      status.Update(absl::UnimplementedError(
          absl::StrFormat("no record has other elements than halves in memory "
                          "for %s",
                          info(map.generation).name)));
    put(form.at(path), value);
  };
  if (loads() && get(h13::Header::RBE0))
    setHalf("TileDMASrc.Src1Fmt.Unknown", packedHalfSource,
            get(S::Src1Fmt_MemFmt));
  if (loads() && get(h13::Header::RBE1))
    setHalf("TileDMASrc.Src2Fmt.Unknown", packedHalfSource,
            get(S::Src2Fmt_MemFmt));
  if (!stores())
    return;
  setHalf("TileDMADst.Fmt.Unknown", packedHalfResult, get(D::Fmt_MemFmt));
  if (get(D::Fmt_Interleave) != 1)
    status.Update(absl::UnimplementedError(
        absl::StrFormat("no record has interleaved channels for %s",
                        info(map.generation).name)));
}

void Translator::setCommon() {
  namespace C = h14::Common;
  // Source 2 is fp16 also where there is none.
  if (!get(h13::Common::ChCfg_Src2InFmt))
    set(C::ChCfg_Src2InFmt, C::Format::Float16);
  if (!isNe()) {
    reset("NE");
    reset(C::OCGSize_OCGSize);
    // What stays in L2 has no format there.
    if (!stores())
      set(h14::L2::ResultCfg_DMAFmt, h14::L2::DMAFmt::Bits8);
    return;
  }
  reset("PE");
  // Engines beyond those of the channels take further units of the image.
  const uint32_t engines = get(h13::Header::ENE),
                 ofChannels = get(h13::Common::Cfg_ActiveNE) + 1;
  const FieldRef *stack = form.find("Common.NECfg.WUStackLog2");
  if (stack && engines > ofChannels) {
    const bool isFat =
        from.get(h13::NE::MACCfg_OpMode) == h13::NE::OpMode::ElementMultiply;
    put(form.at("Common.NECfg.FatTileEnable"), isFat);
    put(*stack, engines - ofChannels - isFat);
  }
  // Copies of several channels at once have as many for each of them.
  if (from.get(h13::NE::MACCfg_OpMode) == h13::NE::OpMode::Bypass)
    set(C::GroupConvCfg_UnicastCin, 1u << get(h13::Common::ConvCfg_OCGSize));
}

/// Tasks tag what they move with their number; it has eight bits.
static uint32_t tagOf(uint32_t task) { return task & 0xff; }

/// Constants are data set 0.
static uint32_t dataSetOf(uint32_t base) {
  constexpr uint32_t tensors = 14;
  return base == BaseConst ? 0 : tensors;
}

void Translator::setDataSet(const FieldRef &field, uint32_t base) {
  if (!form.traits.addsDataSets)
    set(field, dataSetOf(base));
}

void Translator::setSources() {
  namespace S = h14::TileDMASrc;
  if (!loads())
    return reset("TileDMASrc");
  uint32_t task = tagOf(get(h13::Header::TID));
  set(S::Src1DMAConfig_UserTag, task);
  // A constant counts as a tensor here.
  const uint32_t base = get(h13::Header::RBase0);
  setDataSet(S::Src1DMAConfig_DataSetId,
             get(h13::Header::RBE0) && base != BaseConst ? base
                                                         : BaseFirstTensor);
  if (form.traits.addsDataSets) {
    set(S::Src1DMAConfig_En, get(h13::Header::RBE0));
    set(S::Src2DMAConfig_En, get(h13::Header::RBE1));
  }
  if (get(h13::Header::RBE1)) {
    set(S::Src2DMAConfig_UserTag, task);
    setDataSet(S::Src2DMAConfig_DataSetId, get(h13::Header::RBase1));
    if (!form.hasPackedFormats) {
      set(S::Src2Fmt_FmtMode, 1);
      set(S::Src2Fmt_Interleave, 1);
    }
    return;
  }
  for (const FieldRef &field :
       {FieldRef(S::Src2DMAConfig_En),
        FieldRef(S::Src2CacheHints_CacheHintReuse),
        FieldRef(S::Src2RowStride_Stride), FieldRef(S::Src2PlaneStride_Stride),
        FieldRef(S::Src2DepthStride_Stride),
        FieldRef(S::Src2GroupStride_Stride)})
    reset(field);
  if (!form.hasPackedFormats)
    reset(S::Src2Fmt_FmtMode);
}

/// A configuration for each source. H13 has one, with what both wait for.
void Translator::setSource2Cfg() {
  if (!form.hasSource2Cfg)
    return;
  namespace L = h13::L2;
  const FieldRef &type = form.at("L2.Source2Cfg.SourceType");
  reset(*map.registerAt(type.address));
  for (size_t i = 0; i < from.source2Waits.size(); ++i)
    put(form.at(source2Alias[i]), from.source2Waits[i]);
  if (!get(L::SourceCfg_Src2Dma))
    return;
  put(type, static_cast<uint32_t>(L::SourceType::DMA));
  put(form.at("L2.Source2Cfg.DMAFmt"),
      static_cast<uint32_t>(L::DMAFmt::Bits16));
  // H13 has the format of what comes by DMA, also of source 2 alone.
  if (!get(h13::Header::RBE0))
    put(form.at(h14::L2::SourceCfg_DMAFmt),
        static_cast<uint32_t>(L::DMAFmt::Bits8));
}

void Translator::setTarget() {
  namespace D = h14::TileDMADst;
  if (!stores())
    return reset("TileDMADst");
  set(D::DMAConfig_UserTag, tagOf(get(h13::Header::TID)));
  if (form.traits.resultCacheHint)
    put(form.at(D::DMAConfig_CacheHint),
        static_cast<uint32_t>(*form.traits.resultCacheHint));
  setDataSet(D::DMAConfig_DataSetId, get(h13::Header::WBase));
}

void Translator::setCoefficients() {
  namespace K = h14::KernelDMASrc;
  // Coefficients have no streams beside them, what has none has no stream.
  const bool hasCoefficients = hasKernel() && !hasTableAlone();
  const Block &block = *map.block("KernelDMASrc");
  const uint32_t last = form.at(K::CoeffBfrSize_MemBfrSize(15)).address;
  for (const Register &reg : block.registers)
    if (reg.address != block.base && (!hasCoefficients || reg.address > last))
      reset(reg);
  if (!hasKernel())
    return;
  set(K::MasterConfig_NextTID, get(h13::Header::TID) + 1);
  set(K::MasterConfig_KernelEn, 1);
  if (hasCoefficients && form.traits.marksCoefficients) {
    constexpr uint32_t unit = 8;
    const bool isUnit = get(h13::Common::InDim_Win) <= unit &&
                        get(h13::Common::InDim_Hin) <= unit;
    const FieldRef *ofUnits = form.find("NE.MACCfg.Unknown27");
    put(isUnit && ofUnits ? *ofUnits : form.at("NE.KernelCfg.Unknown28"), 1);
  }
  if (hasTableAlone())
    return setTable();
  uint32_t base = get(h13::Header::KBase0), bytes = 0;
  for (uint32_t i = 0; i < info(map.generation).neCount; ++i) {
    set(K::CoeffDMAConfig_UserTag(i), tagOf(get(h13::Header::TID)));
    if (get(h13::KernelDMASrc::CoeffDMAConfig_En(i))) {
      setDataSet(K::CoeffDMAConfig_DataSetId(i), base);
      if (base == BaseScratch)
        set(K::CoeffDMAConfig_CacheHint(i), h14::CacheHint::ReadScratch);
      bytes += get(h13::KernelDMASrc::CoeffBfrSize_MemBfrSize(i));
      continue;
    }
    reset(K::CoeffBaseAddr_Addr(i));
    reset(K::CoeffBfrSize_MemBfrSize(i));
  }
  if (base != BaseConst)
    return setKernelStride(bytes);
  // Streams of constants lie after the first (4 of 4 tasks).
  for (uint32_t i = 0; i < info(map.generation).neCount; ++i)
    if (get(h13::KernelDMASrc::CoeffDMAConfig_En(i)))
      set(K::CoeffBaseAddr_Addr(i),
          get(h13::KernelDMASrc::CoeffBaseAddr_Addr(i)) - firstStream());
}

/// Where the first stream of constants begins.
uint32_t Translator::firstStream() const {
  namespace K = h13::KernelDMASrc;
  if (get(h13::Header::KBase0) != BaseConst)
    return 0;
  uint32_t first = UINT32_MAX;
  for (uint32_t i = 0; i < info(map.generation).neCount; ++i)
    if (get(K::CoeffDMAConfig_En(i)))
      first = std::min(first, get(K::CoeffBaseAddr_Addr(i)));
  return first == UINT32_MAX ? 0 : first;
}

/// Seen with coefficients in scratch; that tensors have it, too, is a guess.
/// With several passes the streams are those of the first, and the others lie a
/// stride apart (docs/Formats/HWX.md#ocgstride).
void Translator::setKernelStride(uint32_t bytes) {
  namespace C = h13::Common;
  const uint64_t inPass = uint64_t(1)
                          << (get(C::ConvCfg_OCGSize) + get(C::Cfg_ActiveNE));
  const uint32_t channels = get(C::Cout_Cout);
  if (channels > inPass && (!from.passStride || channels % inPass))
    return status.Update(absl::UnimplementedError(absl::StrFormat(
        "coefficients that a task made for %d output channels take several "
        "passes of %d, which have to be whole and a stride apart; use several "
        "tasks",
        channels, inPass)));
  set(h14::KernelDMASrc::OCGStride_Stride,
      channels > inPass ? from.passStride : bytes);
}

/// A table is no coefficients: it has a stream of its own, one for all engines.
void Translator::setTable() {
  namespace K = h14::KernelDMASrc;
  namespace K13 = h13::KernelDMASrc;
  uint32_t task = tagOf(get(h13::Header::TID));
  for (uint32_t i = 0; i < info(map.generation).neCount; ++i)
    set(K::CoeffDMAConfig_UserTag(i), task);
  if (form.traits.repeatsTableBase) {
    set(K::BiasDMAConfig_UserTag, task);
    set(K::PostScaleDMAConfig_UserTag, task);
    set(K::PaletteDMAConfig_UserTag, task);
  }
  set(K::NonlinearLutDMAConfig_UserTag, task);
  set(K::NonlinearLutDMAConfig_En, 1);
  set(K::NonlinearLutBfrSize_MemBfrSize, get(K13::CoeffBfrSize_MemBfrSize(0)));
  set(h14::NE::KernelCfg_RuntimeKernel, 1);
}

/// The same words in all recorded programs, in the last task; what they are for
/// is open.
void Translator::setCache() {
  if (!form.traits.lastTaskMark || !isLast())
    return;
  put(form.at("Header.Unknown24"), form.traits.lastTaskMark);
  put(form.at("Header.Flag3"), 1);
  const std::pair<const char *, uint32_t> values[] = {
      {"CacheDMA.TelemetryControl.EarlyTerm", 1},
      {"CacheDMA.TelemetryControl.Enable", 1},
      {"CacheDMA.TelemetryPre0.Unknown", 0xa000a0},
      {"CacheDMA.TelemetryPre1.TaskID", get(h13::Header::TID)},
      {"CacheDMA.EarlyTermArg34.Arg4", 0x7f},
      {"CacheDMA.BackoffControl.Unknown", 0x20010701}};
  for (const auto &[path, value] : values)
    put(form.at(path), value);
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

bool Translator::isBase(uint32_t address) const {
  namespace K = h14::KernelDMASrc;
  namespace S = h14::TileDMASrc;
  namespace D = h14::TileDMADst;
  auto isAt = [&](const FieldRef &field, uint32_t words) {
    const FieldRef *here = form.find(field);
    return here && address >= here->address &&
           address < here->address + 4 * words;
  };
  // The low and the high word.
  for (const FieldRef &base : {K::CoeffBase_Addr, K::NonlinearLutBaseAddr_Addr,
                               K::NonlinearLutBase_Addr, S::Src1BaseAddr_Addr,
                               S::Src2BaseAddr_Addr, D::BaseAddr_Addr})
    if (isAt(base, 2))
      return true;
  for (const FieldRef &field : dataSetFields(form))
    if (address == field.address)
      return true;
  return isAt(D::Spare_Unknown, 1);
}

/// Written also with its reset value.
bool Translator::isForced(uint32_t address) const {
  if (address == form.at(h14::Common::TaskInfo_NID).address)
    return true;
  if (isNe() && address == form.at(h14::NE::PostScale_PostScale).address)
    return true;
  return form.traits.lastTaskMark &&
         address == form.at("CacheDMA.TelemetryDSID.DataSetIdAndSize").address;
}

bool Translator::usesBlock(absl::string_view name) const {
  if (name == "KernelDMASrc")
    return hasKernel() || isLast();
  if (name == "TileDMASrc")
    return loads();
  if (name == "TileDMADst")
    return stores();
  if (name == "NE")
    return isNe();
  if (name == "PE")
    return !isNe();
  if (name == "CacheDMA")
    return isLast();
  return true;
}

void Translator::writeBlock(const Block &block) {
  std::vector<std::pair<uint32_t, uint32_t>> writes;
  for (const Register &reg : block.registers) {
    uint32_t word = words[reg.address];
    if (isBase(reg.address))
      continue;
    if (!style.leavesOutResets || word != reg.reset || isForced(reg.address))
      writes.emplace_back(reg.address, word);
  }
  packBlock(writes);
}

/// In as few words as possible (seen). Of ways of one length it
/// is one scatter record if that takes all that is left; else neighbours go into a dense record, and what has
/// none into a scatter record with what follows.
void Translator::packBlock(
    absl::Span<const std::pair<uint32_t, uint32_t>> writes) {
  constexpr uint32_t window = 16, maxDense = 64;
  auto runAt = [&](size_t first) {
    size_t run = 1;
    while (first + run < writes.size() && run < maxDense &&
           writes[first + run].first == writes[first].first + 4 * run)
      ++run;
    return run;
  };
  auto nearAt = [&](size_t first) {
    size_t near = 1;
    while (first + near < writes.size() &&
           writes[first + near].first <= writes[first].first + 4 * window)
      ++near;
    return near;
  };
  // How many records the best way has from each place on. Each adds a word.
  std::vector<size_t> records(writes.size() + 1, 0);
  std::vector<bool> scatters(writes.size(), false);
  for (size_t at = writes.size(); at-- > 0;) {
    const size_t run = runAt(at), near = nearAt(at);
    const size_t dense = records[at + run], scatter = records[at + near];
    if (style.leavesOutResets && near > run)
      scatters[at] =
          scatter < dense ||
          (scatter == dense && (run == 1 || at + near == writes.size()));
    records[at] = 1 + (scatters[at] ? scatter : dense);
  }
  for (size_t at = 0; at < writes.size();) {
    const uint32_t first = writes[at].first;
    const size_t count = scatters[at] ? nearAt(at) : runAt(at);
    Record record;
    record.address = first;
    for (size_t i = 0; i < count; ++i) {
      record.words.push_back(writes[at + i].second);
      if (scatters[at] && i)
        record.follow |= 1u << ((writes[at + i].first - first) / 4 - 1);
    }
    if (scatters[at])
      record.kind = RecordKind::Scatter;
    to.records.push_back(std::move(record));
    at += count;
  }
}

uint32_t Translator::kernelBase() const {
  const uint32_t base = get(h13::Header::KBase0);
  return base == BaseConst && info(map.generation).hasKernelSegment
             ? style.kernelBase
             : base;
}

void Translator::addBase(std::vector<Record> &bases, const FieldRef &field,
                         uint32_t base, uint64_t offset) const {
  bases.push_back(baseRecord(form.at(field).address, base, offset));
}

/// What H14 has as a number in a configuration is one that the loader adds.
void Translator::addDataSet(std::vector<Record> &bases,
                            const FieldRef &field) const {
  Record record;
  record.address = field.address;
  record.words = {words.at(record.address)};
  record.base = BaseDataSets;
  bases.push_back(std::move(record));
}

void Translator::addBases() {
  namespace H = h13::Header;
  namespace K = h14::KernelDMASrc;
  namespace S = h14::TileDMASrc;
  namespace D = h14::TileDMADst;
  std::vector<Record> bases;
  if (hasTableAlone()) {
    const uint32_t offset = get(h13::KernelDMASrc::CoeffBaseAddr_Addr(0));
    if (form.traits.repeatsTableBase) {
      addBase(bases, K::NonlinearLutBase_Addr, kernelBase(), offset);
      Record table;
      table.address = form.at(K::NonlinearLutBaseAddr_Addr).address;
      table.words = {offset};
      table.base = kernelBase();
      bases.push_back(std::move(table));
    } else {
      addBase(bases, K::NonlinearLutBaseAddr_Addr, kernelBase(), offset);
    }
  } else if (hasKernel()) {
    addBase(bases, K::CoeffBase_Addr, kernelBase(), firstStream());
  }
  const bool first = loads() && get(H::RBE0), second = loads() && get(H::RBE1);
  if (first)
    addBase(bases, S::Src1BaseAddr_Addr, get(H::RBase0),
            get(h13::TileDMASrc::Src1BaseAddr_Addr));
  for (int i = 0; second && i < (form.traits.repeatsSource2Base ? 2 : 1); ++i)
    addBase(bases, S::Src2BaseAddr_Addr, get(H::RBase1),
            get(h13::TileDMASrc::Src2BaseAddr_Addr));
  if (stores())
    addBase(bases, D::BaseAddr_Addr, get(H::WBase),
            get(h13::TileDMADst::BaseAddr_Addr));
  const std::vector<FieldRef> dataSets = dataSetFields(form);
  const bool uses[] = {first, second, stores()};
  for (size_t i = 0; i < dataSets.size(); ++i)
    if (uses[i])
      addDataSet(bases, dataSets[i]);
  for (Record &base : bases)
    to.records.push_back(std::move(base));
}

/// In front of the bases, where the task would end at a multiple of 64 bytes of
/// the stream (12 of 12 tasks; 58 others do not).
void Translator::fill() {
  if (!style.fillsTasks)
    return;
  constexpr uint32_t filler = 0xdead;
  constexpr uint64_t frame = 16, line = 64;
  size_t place = to.records.size();
  while (place > 0 && to.records[place - 1].base)
    --place;
  Record record;
  record.address = form.at(h14::TileDMADst::Spare_Unknown).address;
  record.words = {filler};
  auto end = [&] {
    uint64_t bytes = (to.byteSize() + frame - 1) / frame * frame;
    return frame + style.before + bytes;
  };
  while (end() % line == 0)
    to.records.insert(to.records.begin() + place, record);
}

absl::StatusOr<Task> Translator::run() {
  bool hasWriter = from.header.size() > info(Generation::H13).headerWords;
  to.header.resize(info(map.generation).headerWords + hasWriter);
  setReset();
  setCounterparts();
  setTerms();
  setBinaryPoint();
  setCond();
  setFormats();
  setCommon();
  setSources();
  setSource2Cfg();
  setTarget();
  setCoefficients();
  setCache();
  set(h14::Header::TSR, 1);
  if (!status.ok())
    return status;
  for (const Block &block : map.blocks())
    if (!block.isHeader && usesBlock(block.name))
      writeBlock(block);
  addBases();
  fill();
  return std::move(to);
}

absl::StatusOr<Task> fromH13Form(Generation generation, const Task &task,
                                 const StreamStyle &style) {
  if (generation == Generation::H13)
    return task;
  return Translator(generation, task, style).run();
}

void setLiveOuts(Generation generation, Task &task, uint32_t parts) {
  task.header[packedForm(generation).at(h14::Header::LiveOuts).address] = parts;
}

} // namespace ane::hw
