//===- FromH13Form.cpp - Tasks of later generations from those of H13 -----===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// First the words of all registers: reset values, over them the counterparts of
// what the H13 task has, over them what has no counterpart. Then the records.
// Rules are *seen* in all 37 recorded tasks of H14 unless a comment says
// otherwise.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/FromH13Form.h"

#include "ane/HW/H13.h"
#include "ane/HW/H14.h"
#include "ane/HW/Program.h"

#include "absl/container/btree_map.h"
#include "absl/strings/str_format.h"

namespace ane::hw {

namespace {
class Translator {
public:
  Translator(const Task &from, const StreamStyle &style)
      : from(from), style(style) {}

  absl::StatusOr<Task> run();

private:
  void setReset();
  void setCounterparts();
  void setCommon();
  void setSources();
  void setTarget();
  void setCoefficients();
  void setKernelStride(uint32_t bytes);
  uint32_t firstStream() const;
  void setTable();
  void writeBlock(const Block &block);
  void packBlock(absl::Span<const std::pair<uint32_t, uint32_t>> writes);
  void addBases();
  void fill();

  void set(const FieldRef &field, uint32_t value);
  template <typename E> void set(const EnumFieldRef<E> &field, E value) {
    set(static_cast<const FieldRef &>(field), static_cast<uint32_t>(value));
  }
  uint32_t get(const FieldRef &field) const { return from.get(field); }
  /// What the block has when the task does not use it.
  void reset(absl::string_view block);
  void reset(const Register &reg);
  bool usesBlock(absl::string_view block) const;
  bool isForced(uint32_t address) const;
  /// Base records write these.
  static bool isBase(uint32_t address);

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
  const RegisterMap &map = registers(Generation::H14);
  Task to;
  absl::btree_map<uint32_t, uint32_t> words; ///< by address
  absl::Status status;
};

} // namespace

void Translator::set(const FieldRef &field, uint32_t value) {
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
      set(pair.field, get(pair.h13));
  }
}

void Translator::setCommon() {
  namespace C = h14::Common;
  // Source 2 is fp16 also where there is none.
  if (!get(h13::Common::ChCfg_Src2InFmt))
    set(C::ChCfg_Src2InFmt, C::Format::Float16);
  if (!isNe()) {
    reset("NE");
    reset(*map.registerAt(C::OCGSize));
    // What stays in L2 has no format there.
    if (!stores())
      set(h14::L2::ResultCfg_DMAFmt, h14::L2::DMAFmt::Bits8);
    return;
  }
  reset("PE");
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

void Translator::setSources() {
  namespace S = h14::TileDMASrc;
  if (!loads())
    return reset("TileDMASrc");
  uint32_t task = tagOf(get(h13::Header::TID));
  set(S::Src1DMAConfig_UserTag, task);
  // A constant counts as a tensor here.
  const uint32_t base = get(h13::Header::RBase0);
  set(S::Src1DMAConfig_DataSetId,
      dataSetOf(get(h13::Header::RBE0) && base != BaseConst ? base
                                                            : BaseFirstTensor));
  if (get(h13::Header::RBE1)) {
    set(S::Src2DMAConfig_UserTag, task);
    set(S::Src2DMAConfig_DataSetId, dataSetOf(get(h13::Header::RBase1)));
    set(S::Src2Fmt_FmtMode, 1);
    set(S::Src2Fmt_Interleave, 1);
    return;
  }
  for (uint32_t address :
       {S::Src2DMAConfig, S::Src2CacheHints, S::Src2RowStride,
        S::Src2PlaneStride, S::Src2DepthStride, S::Src2GroupStride, S::Src2Fmt})
    reset(*map.registerAt(address));
}

void Translator::setTarget() {
  namespace D = h14::TileDMADst;
  if (!stores())
    return reset("TileDMADst");
  set(D::DMAConfig_UserTag, tagOf(get(h13::Header::TID)));
  set(D::DMAConfig_DataSetId, dataSetOf(get(h13::Header::WBase)));
}

void Translator::setCoefficients() {
  namespace K = h14::KernelDMASrc;
  // Coefficients have no streams beside them, what has none has no stream.
  const bool hasCoefficients = hasKernel() && !hasTableAlone();
  for (const Register &reg : map.block("KernelDMASrc")->registers)
    if (reg.address != K::MasterConfig &&
        (!hasCoefficients || reg.address >= K::BiasDMAConfig))
      reset(reg);
  if (!hasKernel())
    return;
  set(K::MasterConfig_NextTID, get(h13::Header::TID) + 1);
  set(K::MasterConfig_KernelEn, 1);
  if (hasTableAlone())
    return setTable();
  uint32_t base = get(h13::Header::KBase0), bytes = 0;
  for (uint32_t i = 0; i < info(Generation::H14).neCount; ++i) {
    set(K::CoeffDMAConfig_UserTag(i), tagOf(get(h13::Header::TID)));
    if (get(h13::KernelDMASrc::CoeffDMAConfig_En(i))) {
      set(K::CoeffDMAConfig_DataSetId(i), dataSetOf(base));
      if (base == BaseScratch)
        set(K::CoeffDMAConfig_CacheHint(i), h14::CacheHint::ReadScratch);
      bytes += get(h13::KernelDMASrc::CoeffBfrSize_MemBfrSize(i));
      continue;
    }
    reset(*map.registerAt(K::CoeffBaseAddr(i)));
    reset(*map.registerAt(K::CoeffBfrSize(i)));
  }
  if (base != BaseConst)
    return setKernelStride(bytes);
  // Streams of constants lie behind the first (4 of 4 tasks).
  for (uint32_t i = 0; i < info(Generation::H14).neCount; ++i)
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
  for (uint32_t i = 0; i < info(Generation::H14).neCount; ++i)
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
  for (uint32_t i = 0; i < info(Generation::H14).neCount; ++i)
    set(K::CoeffDMAConfig_UserTag(i), task);
  set(K::BiasDMAConfig_UserTag, task);
  set(K::PostScaleDMAConfig_UserTag, task);
  set(K::PaletteDMAConfig_UserTag, task);
  set(K::NonlinearLutDMAConfig_UserTag, task);
  set(K::NonlinearLutDMAConfig_En, 1);
  set(K::NonlinearLutBfrSize_MemBfrSize, get(K13::CoeffBfrSize_MemBfrSize(0)));
  set(h14::NE::KernelCfg_RuntimeKernel, 1);
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

bool Translator::isBase(uint32_t address) {
  for (uint32_t base :
       {h14::KernelDMASrc::CoeffBase, h14::KernelDMASrc::CoeffBaseHi,
        h14::KernelDMASrc::NonlinearLutBaseAddr,
        h14::KernelDMASrc::NonlinearLutBase,
        h14::KernelDMASrc::NonlinearLutBaseHi, h14::TileDMASrc::Src1BaseAddr,
        h14::TileDMASrc::Src1BaseAddrHi, h14::TileDMASrc::Src2BaseAddr,
        h14::TileDMASrc::Src2BaseAddrHi, h14::TileDMADst::BaseAddr,
        h14::TileDMADst::BaseAddrHi, h14::TileDMADst::Spare})
    if (address == base)
      return true;
  return false;
}

/// Written also with its reset value.
bool Translator::isForced(uint32_t address) const {
  return address == h14::Common::TaskInfo ||
         (isNe() && address == h14::NE::PostScale);
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

void Translator::addBases() {
  namespace H = h13::Header;
  std::vector<Record> bases;
  if (hasTableAlone()) {
    namespace K = h14::KernelDMASrc;
    uint32_t offset = get(h13::KernelDMASrc::CoeffBaseAddr_Addr(0));
    bases.push_back(
        baseRecord(K::NonlinearLutBase_Addr.address, get(H::KBase0), offset));
    Record table;
    table.address = K::NonlinearLutBaseAddr_Addr.address;
    table.words = {offset};
    table.base = get(H::KBase0);
    bases.push_back(std::move(table));
  } else if (hasKernel()) {
    bases.push_back(baseRecord(h14::KernelDMASrc::CoeffBase, get(H::KBase0),
                               firstStream()));
  }
  if (loads() && get(H::RBE0))
    bases.push_back(baseRecord(h14::TileDMASrc::Src1BaseAddr, get(H::RBase0),
                               get(h13::TileDMASrc::Src1BaseAddr_Addr)));
  if (loads() && get(H::RBE1))
    bases.push_back(baseRecord(h14::TileDMASrc::Src2BaseAddr, get(H::RBase1),
                               get(h13::TileDMASrc::Src2BaseAddr_Addr)));
  if (stores())
    bases.push_back(baseRecord(h14::TileDMADst::BaseAddr, get(H::WBase),
                               get(h13::TileDMADst::BaseAddr_Addr)));
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
  record.address = h14::TileDMADst::Spare;
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
  to.header.resize(info(Generation::H14).headerWords + hasWriter);
  setReset();
  setCounterparts();
  setCommon();
  setSources();
  setTarget();
  setCoefficients();
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
  if (generation != Generation::H14)
    return absl::UnimplementedError(
        absl::StrFormat("no tasks of %s can be made", info(generation).name));
  return Translator(task, style).run();
}

} // namespace ane::hw
