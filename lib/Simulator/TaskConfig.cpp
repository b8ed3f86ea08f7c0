//===- TaskConfig.cpp - What the words of a task say ----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskConfig.h"

#include "ane/HW/Float16.h"

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/str_format.h"

#include <cstring>

namespace ane::sim {
namespace {

using hw::FieldRef;

/// A field with the only value that is understood.
struct FixedField {
  FieldRef field;
  uint32_t value;
};

// Fields that are executed. Which value does what stands at their use below.
const FieldRef executedFields[] = {
    h13::KernelDMASrc::MasterConfig_MasterEnable,
    h13::KernelDMASrc::MasterConfig_ZeroSkipEn,
    h13::Common::InDim_Win,
    h13::Common::InDim_Hin,
    h13::Common::InDepth_Din,
    h13::Common::ChCfg_InFmt,
    h13::Common::ChCfg_Src2InFmt,
    h13::Common::ChCfg_OutFmt,
    h13::Common::Cin_Cin,
    h13::Common::Cout_Cout,
    h13::Common::OutDim_Wout,
    h13::Common::OutDim_Hout,
    h13::Common::OutDepth_Dout,
    h13::Common::ConvCfg_Kw,
    h13::Common::ConvCfg_Kh,
    h13::Common::ConvCfg_OCGSize,
    h13::Common::ConvCfg_Sx,
    h13::Common::ConvCfg_Sy,
    h13::Common::ConvCfg_Px,
    h13::Common::ConvCfg_Py,
    h13::Common::GroupConvCfg_NumGroups,
    h13::Common::GroupConvCfg_UnicastEn,
    h13::Common::GroupConvCfg_ElemMultMode,
    h13::Common::GroupConvCfg_UnicastCin,
    h13::Common::TileCfg_TileHeight,
    h13::Common::PECfg_Src1Broadcast,
    h13::Common::PECfg_Src2Broadcast,
    h13::Common::PECfg_Src1Exchange,
    h13::Common::PECfg_Src2Exchange,
    h13::Common::PECfg_ResultExchange,
    h13::Common::Cfg_Src2En,
    h13::Common::Cfg_TaskType,
    h13::Common::Cfg_ActiveNE,
    h13::Common::Cfg_ResultExchange,
    h13::TileDMASrc::Src1BaseAddr_Addr,
    h13::TileDMASrc::Src1RowStride_Stride,
    h13::TileDMASrc::Src1PlaneStride_Stride,
    h13::TileDMASrc::Src1DepthStride_Stride,
    h13::TileDMASrc::Src1GroupStride_Stride,
    h13::TileDMASrc::Src2BaseAddr_Addr,
    h13::TileDMASrc::Src2RowStride_Stride,
    h13::TileDMASrc::Src2PlaneStride_Stride,
    h13::TileDMASrc::Src2DepthStride_Stride,
    h13::TileDMASrc::Src2GroupStride_Stride,
    h13::TileDMASrc::Src1Fmt_Interleave,
    h13::TileDMASrc::Src2Fmt_Interleave,
    h13::L2::L2Cfg_InputReLU,
    h13::L2::L2Cfg_Src2InputReLU,
    h13::L2::L2Cfg_PaddingMode,
    h13::L2::SourceCfg_SourceType,
    h13::L2::SourceCfg_Src2Dma,
    h13::L2::SourceBase_Addr,
    h13::L2::SourceChannelStride_Stride,
    h13::L2::SourceRowStride_Stride,
    h13::L2::SourceDepthStride_Stride,
    h13::L2::SourceGroupStride_Stride,
    h13::L2::Source2Base_Addr,
    h13::L2::Source2ChannelStride_Stride,
    h13::L2::Source2RowStride_Stride,
    h13::L2::Source2DepthStride_Stride,
    h13::L2::Source2GroupStride_Stride,
    h13::L2::ResultCfg_ResultType,
    h13::L2::ResultBase_Addr,
    h13::L2::ResultChannelStride_Stride,
    h13::L2::ResultRowStride_Stride,
    h13::L2::ResultDepthStride_Stride,
    h13::L2::ResultGroupStride_Stride,
    h13::PE::Cfg_PoolMode,
    h13::PE::Cfg_OpMode,
    h13::PE::Cfg_ReluEn,
    h13::PE::Cfg_Cond,
    h13::PE::Cfg_NLMode,
    h13::PE::Cfg_FirstSrc,
    h13::PE::Cfg_SecSrc,
    h13::PE::BiasScale_Bias,
    h13::PE::BiasScale_Scale,
    h13::PE::PreScale_PreScale,
    h13::PE::PreScale_Epsilon,
    h13::PE::FinalScale_FinalScale,
    h13::NE::KernelCfg_KernelFmt,
    h13::NE::KernelCfg_SparseFmt,
    h13::NE::MACCfg_OpMode,
    h13::NE::MACCfg_KernelMode,
    h13::NE::MACCfg_BiasMode,
    h13::NE::MACCfg_NonlinearMode,
    h13::NE::AccBias_AccBias,
    h13::NE::PostScale_PostScale,
    h13::TileDMADst::BaseAddr_Addr,
    h13::TileDMADst::RowStride_Stride,
    h13::TileDMADst::PlaneStride_Stride,
    h13::TileDMADst::DepthStride_Stride,
    h13::TileDMADst::GroupStride_Stride,
    h13::TileDMADst::Fmt_Interleave,
};

// Fields that no recorded or real program needs for its result: cache hints,
// hazard flags, shapes of work units, formats that repeat ChCfg. *Deduced*: no
// single flipped bit of them changed what any of 26 programs computes.
const FieldRef hintFields[] = {
    h13::Common::PatchCfg_PatchWidth,
    h13::Common::PatchCfg_PatchHeight,
    h13::Common::Cfg_Src1En,
    h13::Common::Cfg_SmallSourceMode,
    h13::Common::Cfg_ShPref,
    h13::Common::Cfg_ShMin,
    h13::Common::Cfg_ShMax,
    h13::Common::Cfg_AccDoubleBufEn,
    h13::Common::TaskInfo_TaskID,
    h13::Common::TaskInfo_TaskQ,
    h13::Common::TaskInfo_NID,
    h13::Common::DPE_Category,
    h13::TileDMASrc::Src1Fmt_FmtMode,
    h13::TileDMASrc::Src1Fmt_Truncate,
    h13::TileDMASrc::Src1Fmt_MemFmt,
    h13::TileDMASrc::Src2Fmt_FmtMode,
    h13::TileDMASrc::Src2Fmt_Truncate,
    h13::TileDMASrc::Src2Fmt_MemFmt,
    h13::L2::SourceCfg_Dependent,
    h13::L2::SourceCfg_AliasConvSrc,
    h13::L2::SourceCfg_AliasConvRslt,
    h13::L2::SourceCfg_AliasPlanarSrc,
    h13::L2::SourceCfg_AliasPlanarRslt,
    h13::L2::SourceCfg_DMAFmt,
    h13::L2::SourceCfg_DMAInterleave,
    h13::L2::ResultCfg_L2BfrMode,
    h13::L2::ResultCfg_AliasConvSrc,
    h13::L2::ResultCfg_AliasConvRslt,
    h13::L2::ResultCfg_AliasPlanarSrc,
    h13::L2::ResultCfg_AliasPlanarRslt,
    h13::L2::ResultCfg_DMAFmt,
    h13::L2::ResultCfg_DMAInterleave,
    h13::NE::KernelCfg_PalettizedBits,
    h13::NE::KernelCfg_ChainIn,
    h13::NE::KernelCfg_ChainOut,
    h13::NE::KernelCfg_RuntimeKernel,
    h13::NE::MACCfg_BinaryPoint,
    h13::NE::MACCfg_ArgSel,
    h13::TileDMADst::Fmt_FmtMode,
    h13::TileDMADst::Fmt_Truncate,
    h13::TileDMADst::Fmt_MemFmt,
    h13::TileDMADst::Fmt_ZeroPadLast,
    h13::TileDMADst::Fmt_ZeroPadFirst,
};

// Words in which nothing but an enable bit matters; real programs set bits
// there that nobody has named.
const uint32_t hintWords[] = {
    h13::TileDMASrc::Src1DMAConfig,
    h13::TileDMASrc::Src2DMAConfig,
    h13::TileDMASrc::Word40,
    h13::TileDMADst::DMAConfig,
};

const FixedField fixedFields[] = {
    {h13::Common::ConvCfg_Ox, 1},
    {h13::Common::ConvCfg_Oy, 1},
    {h13::Common::ConvCfg3D_Kd, 1},
    {h13::Common::ConvCfg3D_Sz, 1},
    {h13::Common::ConvCfg3D_Pz, 0},
    {h13::Common::ConvCfg3D_Oz, 1},
    {h13::Common::Cfg_ContextSwitchIn, 0},
    {h13::Common::Cfg_ContextSwitchOut, 0},
    {h13::TileDMASrc::Src1Fmt_Shift, 0},
    {h13::TileDMASrc::Src1Fmt_OffsetCh, 0},
    {h13::TileDMASrc::Src1Fmt_CmpVec, 0},
    {h13::TileDMASrc::Src2Fmt_Shift, 0},
    {h13::TileDMASrc::Src2Fmt_OffsetCh, 0},
    {h13::TileDMASrc::Src2Fmt_CmpVec, 0},
    {h13::L2::SourceCfg_DMACmpVec, 0},
    {h13::L2::SourceCfg_DMAOffsetCh, 0},
    {h13::L2::ResultCfg_DMACmpVec, 0},
    {h13::L2::ResultCfg_DMAOffsetCh, 0},
    {h13::TileDMADst::Fmt_Shift, 0},
    {h13::TileDMADst::Fmt_OffsetCh, 0},
    {h13::TileDMADst::Fmt_CmpVecFill, 0},
    {h13::TileDMADst::Fmt_CmpVec, 0},
    {h13::Header::KBE1, 0},
    {h13::Header::KBE2, 0},
    {h13::Header::KBE3, 0},
};

const FixedField fixedNeuralFields[] = {
    {h13::KernelDMASrc::BiasDMAConfig_En, 0},
    {h13::KernelDMASrc::PostScaleDMAConfig_En, 0},
    {h13::KernelDMASrc::PaletteDMAConfig_En, 0},
    {h13::KernelDMASrc::NonlinearLutDMAConfig_En, 0},
    {h13::NE::KernelCfg_PalettizedEn, 0},
    {h13::NE::KernelCfg_GroupKernelReuse, 0},
    {h13::NE::MACCfg_PassEn, 0},
    {h13::NE::MACCfg_MatrixBiasEn, 0},
    {h13::NE::MACCfg_PostScaleMode, 0},
    {h13::NE::MatrixVectorBias_MatrixVectorBias, 0},
    {h13::NE::AccBias_AccBiasShift, 0},
    {h13::NE::PostScale_PostRightShift, 0},
};

/// The planar engine has no window in any program that was ever read.
const FixedField fixedPlanarFields[] = {
    {h13::Common::ConvCfg_Kw, 1}, {h13::Common::ConvCfg_Kh, 1},
    {h13::Common::ConvCfg_Sx, 1}, {h13::Common::ConvCfg_Sy, 1},
    {h13::Common::ConvCfg_Px, 0}, {h13::Common::ConvCfg_Py, 0},
};

uint32_t fieldMask(const FieldRef &field) {
  return (field.width() == 32 ? ~0u : (1u << field.width()) - 1) << field.lsb;
}

/// The bits of each register word that are executed, hints, or checked.
const absl::flat_hash_map<uint32_t, uint32_t> &understoodBits() {
  static const auto *masks = [] {
    auto *result = new absl::flat_hash_map<uint32_t, uint32_t>;
    auto add = [&](const FieldRef &field) {
      if (!field.inHeader)
        (*result)[field.address] |= fieldMask(field);
    };
    for (const FieldRef &field : executedFields)
      add(field);
    for (const FieldRef &field : hintFields)
      add(field);
    for (const FixedField &fixed : fixedFields)
      add(fixed.field);
    for (const FixedField &fixed : fixedNeuralFields)
      add(fixed.field);
    for (const FixedField &fixed : fixedPlanarFields)
      add(fixed.field);
    for (uint32_t address : hintWords)
      (*result)[address] = ~0u;
    return result;
  }();
  return *masks;
}

absl::Status notUnderstood(absl::string_view path, uint32_t value,
                           absl::string_view expected) {
  return absl::UnimplementedError(
      absl::StrFormat("%s is 0x%x, which is not understood; expected %s", path,
                      value, expected));
}

class Decoder {
public:
  Decoder(hw::Generation generation, const hw::Task &task)
      : map(hw::registers(generation)), task(task) {}

  absl::StatusOr<TaskConfig> decode();

private:
  absl::Status checkWords();
  absl::Status checkFixed(absl::Span<const FixedField> fields);
  absl::Status checkSizes();
  absl::Status checkCounts();
  absl::StatusOr<hw::ElementType> format(const FieldRef &field);
  absl::Status decodeSource1();
  absl::Status decodeSource2();
  absl::Status decodeResult();
  absl::Status decodeBase(const FieldRef &enable, const FieldRef &base,
                          absl::string_view user, uint32_t &index);
  absl::Status decodeKernel();
  absl::Status decodeNeural();
  absl::Status decodePlanar();

  uint32_t get(const FieldRef &field) const { return task.get(field); }
  template <typename E> E get(const hw::EnumFieldRef<E> &field) const {
    return task.get(field);
  }
  float half(const FieldRef &field) const {
    return hw::fromHalfBits(static_cast<uint16_t>(get(field)));
  }

  const hw::RegisterMap &map;
  const hw::Task &task;
  TaskConfig config;
  h13::Common::TaskType type = h13::Common::TaskType::NE;
};

absl::Status Decoder::checkWords() {
  for (const hw::Record &record : task.records)
    for (size_t i = 0; i < record.words.size(); ++i) {
      uint32_t address = record.address + 4 * i, word = record.words[i];
      if (!word)
        continue;
      const hw::Block *block = map.blockAt(address);
      if (!block)
        return absl::UnimplementedError(absl::StrFormat(
            "a record writes 0x%x to address 0x%x, where no register is known",
            word, address));
      absl::string_view name = block->name;
      // The other engine's block and streams that nobody reads carry leftovers.
      if (name == (config.isNeural ? "PE" : "NE") ||
          (name == "KernelDMASrc" && !config.isNeural))
        continue;
      if (name == "KernelDMASrc" && address != h13::KernelDMASrc::MasterConfig)
        continue; // streams, and side channels that are checked to be off
      const hw::Register *reg = map.registerAt(address);
      auto found = understoodBits().find(address);
      uint32_t known = found == understoodBits().end() ? 0 : found->second;
      if (word & ~known)
        return notUnderstood(
            absl::StrFormat("%s.%s", name,
                            reg ? hw::displayName(*reg)
                                : absl::StrFormat("0x%x", address)),
            word, absl::StrFormat("bits 0x%x to be clear", word & ~known));
    }
  return absl::OkStatus();
}

absl::Status Decoder::checkFixed(absl::Span<const FixedField> fields) {
  for (const FixedField &fixed : fields)
    if (uint32_t value = get(fixed.field); value != fixed.value)
      return notUnderstood(fixed.field.path, value,
                           absl::StrFormat("%d", fixed.value));
  return absl::OkStatus();
}

absl::Status Decoder::checkSizes() {
  for (const FieldRef &field :
       {FieldRef(h13::Common::InDim_Win), FieldRef(h13::Common::InDim_Hin),
        FieldRef(h13::Common::InDepth_Din), FieldRef(h13::Common::Cin_Cin),
        FieldRef(h13::Common::Cout_Cout), FieldRef(h13::Common::OutDim_Wout),
        FieldRef(h13::Common::OutDim_Hout),
        FieldRef(h13::Common::OutDepth_Dout),
        FieldRef(h13::Common::GroupConvCfg_NumGroups)})
    if (!get(field))
      return notUnderstood(field.path, 0, "at least 1");
  return absl::OkStatus();
}

absl::Status Decoder::checkCounts() {
  // Far beyond any surface; keeps words that make no sense, with strides of 0,
  // from taking all memory.
  constexpr uint64_t limit = uint64_t(1) << 28;
  for (const Pattern *pattern :
       {&config.source1.dram, &config.source2.dram, &config.result.dram}) {
    const Dims &n = pattern->dims;
    // Five axes of up to 17 bits do not fit 64.
    if (uint64_t(n.g) * n.d > limit || uint64_t(n.h) * n.w > limit ||
        uint64_t(n.c) * n.h * n.w > limit ||
        uint64_t(n.g) * n.d * (uint64_t(n.c) * n.h * n.w) > limit)
      return absl::OutOfRangeError(
          absl::StrFormat("a tensor of %s has more than %d elements, the most "
                          "that is simulated",
                          text(n), limit));
  }
  return absl::OkStatus();
}

absl::StatusOr<hw::ElementType> Decoder::format(const FieldRef &field) {
  uint32_t value = get(field);
  if (value > static_cast<uint32_t>(hw::ElementType::Float16))
    return notUnderstood(field.path, value,
                         "0 (uint8), 1 (int8) or 2 (float16)");
  return static_cast<hw::ElementType>(value);
}

absl::Status Decoder::decodeBase(const FieldRef &enable, const FieldRef &base,
                                 absl::string_view user, uint32_t &index) {
  if (!get(enable))
    return absl::UnimplementedError(absl::StrFormat(
        "%s goes by DMA, but %s is 0; expected 1 and a base index in %s", user,
        enable.path, base.path));
  index = get(base);
  return absl::OkStatus();
}

/// Sizes of a source after its broadcast mask: bit 0 W, 1 H, 2 D, 3 C.
Dims broadcastDims(Dims dims, uint32_t mask) {
  if (mask & 1)
    dims.w = 1;
  if (mask & 2)
    dims.h = 1;
  if (mask & 4)
    dims.d = 1;
  if (mask & 8)
    dims.c = 1;
  return dims;
}

absl::Status Decoder::decodeSource1() {
  SourceConfig &source = config.source1;
  auto element = format(h13::Common::ChCfg_InFmt);
  if (!element.ok())
    return element.status();
  Pattern &dram = source.dram, &l2 = source.l2;
  dram.type = l2.type = *element;
  Dims dims{get(h13::Common::GroupConvCfg_NumGroups),
            get(h13::Common::InDepth_Din), get(h13::Common::Cin_Cin),
            get(h13::Common::InDim_Hin), get(h13::Common::InDim_Win)};
  if (!config.isNeural) {
    dims = broadcastDims(dims, get(h13::Common::PECfg_Src1Broadcast));
    dram.exchange = l2.exchange = get(h13::Common::PECfg_Src1Exchange);
  }
  dram.dims = l2.dims = dims;
  dram.base = get(h13::TileDMASrc::Src1BaseAddr_Addr);
  dram.row = get(h13::TileDMASrc::Src1RowStride_Stride);
  dram.plane = get(h13::TileDMASrc::Src1PlaneStride_Stride);
  dram.depth = get(h13::TileDMASrc::Src1DepthStride_Stride);
  dram.group = get(h13::TileDMASrc::Src1GroupStride_Stride);
  dram.interleave = std::max(1u, get(h13::TileDMASrc::Src1Fmt_Interleave));
  l2.base = get(h13::L2::SourceBase_Addr);
  l2.row = get(h13::L2::SourceRowStride_Stride);
  l2.plane = get(h13::L2::SourceChannelStride_Stride);
  l2.depth = get(h13::L2::SourceDepthStride_Stride);
  l2.group = get(h13::L2::SourceGroupStride_Stride);
  source.relu = get(h13::L2::L2Cfg_InputReLU);
  source.negated = !config.isNeural && get(h13::PE::Cfg_FirstSrc);
  switch (get(h13::L2::SourceCfg_SourceType)) {
  case h13::L2::SourceType::Resident:
    source.place = Place::L2;
    return absl::OkStatus();
  case h13::L2::SourceType::Chained:
    source.place = Place::Chained;
    return absl::OkStatus();
  case h13::L2::SourceType::DMAKept:
    source.place = Place::DRAMKept;
    if (dram.interleave != 1)
      return notUnderstood(h13::TileDMASrc::Src1Fmt_Interleave.path,
                           dram.interleave, "1 where a source is kept in L2");
    break;
  case h13::L2::SourceType::DMA:
    source.place = Place::DRAM;
    break;
  }
  return decodeBase(h13::Header::RBE0, h13::Header::RBase0, "source 1",
                    source.base);
}

absl::Status Decoder::decodeSource2() {
  SourceConfig &source = config.source2;
  auto element = format(h13::Common::ChCfg_Src2InFmt);
  if (!element.ok())
    return element.status();
  Pattern &dram = source.dram, &l2 = source.l2;
  dram.type = l2.type = *element;
  Dims dims{get(h13::Common::GroupConvCfg_NumGroups),
            get(h13::Common::InDepth_Din), get(h13::Common::Cin_Cin),
            get(h13::Common::InDim_Hin), get(h13::Common::InDim_Win)};
  uint32_t mask = get(h13::Common::PECfg_Src2Broadcast);
  dims = broadcastDims(dims, mask);
  // Row 0 is a bias, row 1 a factor; both hold for all pixels.
  if (type == h13::Common::TaskType::PEScaleBias) {
    dims.w = 1;
    dims.h = 2;
  }
  dram.dims = l2.dims = dims;
  dram.exchange = l2.exchange = get(h13::Common::PECfg_Src2Exchange);
  dram.base = get(h13::TileDMASrc::Src2BaseAddr_Addr);
  dram.row = get(h13::TileDMASrc::Src2RowStride_Stride);
  dram.plane = get(h13::TileDMASrc::Src2PlaneStride_Stride);
  dram.depth = get(h13::TileDMASrc::Src2DepthStride_Stride);
  dram.group = get(h13::TileDMASrc::Src2GroupStride_Stride);
  dram.interleave = std::max(1u, get(h13::TileDMASrc::Src2Fmt_Interleave));
  l2.base = get(h13::L2::Source2Base_Addr);
  l2.row = get(h13::L2::Source2RowStride_Stride);
  l2.plane = get(h13::L2::Source2ChannelStride_Stride);
  l2.depth = get(h13::L2::Source2DepthStride_Stride);
  l2.group = get(h13::L2::Source2GroupStride_Stride);
  source.relu = get(h13::L2::L2Cfg_Src2InputReLU);
  source.negated = get(h13::PE::Cfg_SecSrc) == h13::PE::SecSrc::Negated;
  if (get(h13::Common::Cfg_Src2En) != get(h13::L2::SourceCfg_Src2Dma))
    return notUnderstood(h13::Common::Cfg_Src2En.path,
                         get(h13::Common::Cfg_Src2En),
                         "the value of L2.SourceCfg.Src2Dma");
  if (!get(h13::L2::SourceCfg_Src2Dma)) {
    source.place = Place::L2;
    return absl::OkStatus();
  }
  source.place = Place::DRAM;
  return decodeBase(h13::Header::RBE1, h13::Header::RBase1, "source 2",
                    source.base);
}

absl::Status Decoder::decodeResult() {
  ResultConfig &result = config.result;
  auto element = format(h13::Common::ChCfg_OutFmt);
  if (!element.ok())
    return element.status();
  Pattern &dram = result.dram, &l2 = result.l2;
  dram.type = l2.type = *element;
  Dims dims{get(h13::Common::GroupConvCfg_NumGroups),
            get(h13::Common::OutDepth_Dout), get(h13::Common::Cout_Cout),
            get(h13::Common::OutDim_Hout), get(h13::Common::OutDim_Wout)};
  if (config.planar.reduces) // the registers keep the sizes of the source
    dims.d = dims.h = dims.w = 1;
  dram.dims = l2.dims = dims;
  dram.exchange = l2.exchange = config.isNeural
                                    ? get(h13::Common::Cfg_ResultExchange)
                                    : get(h13::Common::PECfg_ResultExchange);
  dram.base = get(h13::TileDMADst::BaseAddr_Addr);
  dram.row = get(h13::TileDMADst::RowStride_Stride);
  dram.plane = get(h13::TileDMADst::PlaneStride_Stride);
  dram.depth = get(h13::TileDMADst::DepthStride_Stride);
  dram.group = get(h13::TileDMADst::GroupStride_Stride);
  dram.interleave = std::max(1u, get(h13::TileDMADst::Fmt_Interleave));
  l2.base = get(h13::L2::ResultBase_Addr);
  l2.row = get(h13::L2::ResultRowStride_Stride);
  l2.plane = get(h13::L2::ResultChannelStride_Stride);
  l2.depth = get(h13::L2::ResultDepthStride_Stride);
  l2.group = get(h13::L2::ResultGroupStride_Stride);
  bool store = get(h13::TileDMADst::DMAConfig_En);
  auto kind = get(h13::L2::ResultCfg_ResultType);
  bool byDMA = kind == h13::L2::ResultType::DMA ||
               kind == h13::L2::ResultType::DMAStaged;
  if (store != byDMA)
    return notUnderstood(h13::TileDMADst::DMAConfig_En.path, store,
                         byDMA ? "1, since L2.ResultCfg.ResultType is a store"
                               : "0, since L2.ResultCfg.ResultType keeps the "
                                 "result in L2");
  if (kind == h13::L2::ResultType::Chained) {
    result.place = Place::Chained;
    return absl::OkStatus();
  }
  if (kind == h13::L2::ResultType::Resident) {
    result.place = Place::L2;
    if (dram.interleave != 1)
      return notUnderstood(h13::TileDMADst::Fmt_Interleave.path,
                           dram.interleave, "1 where a result stays in L2");
    return absl::OkStatus();
  }
  result.place = Place::DRAM;
  return decodeBase(h13::Header::WBE, h13::Header::WBase, "the result",
                    result.base);
}

absl::Status Decoder::decodeKernel() {
  for (uint32_t i = 0; i < hw::info(map.generation).neCount; ++i) {
    if (!get(h13::KernelDMASrc::CoeffDMAConfig_En(i)))
      continue;
    if (config.kernel.offsets.size() != i)
      return notUnderstood(h13::KernelDMASrc::CoeffDMAConfig_En(i).path, 1,
                           "enabled streams to be the first ones");
    config.kernel.offsets.push_back(
        get(h13::KernelDMASrc::CoeffBaseAddr_Addr(i)));
    config.kernel.sizes.push_back(
        get(h13::KernelDMASrc::CoeffBfrSize_MemBfrSize(i)));
  }
  bool needed = config.neural.hasKernel ||
                config.neural.function == h13::NE::NonlinearMode::LUT;
  if (!needed)
    return absl::OkStatus();
  if (config.kernel.offsets.empty())
    return notUnderstood(
        h13::KernelDMASrc::CoeffDMAConfig_En(0).path, 0,
        "a coefficient stream for a task with a kernel or table");
  return decodeBase(h13::Header::KBE0, h13::Header::KBase0, "the kernel",
                    config.kernel.base);
}

absl::Status Decoder::decodeNeural() {
  if (absl::Status status = checkFixed(fixedNeuralFields); !status.ok())
    return status;
  NeuralConfig &ne = config.neural;
  ne.op = get(h13::NE::MACCfg_OpMode);
  ne.hasKernel = !get(h13::NE::MACCfg_KernelMode);
  ne.hasBias = get(h13::NE::MACCfg_BiasMode);
  ne.unicast = get(h13::Common::GroupConvCfg_UnicastEn);
  ne.multiply = get(h13::Common::GroupConvCfg_ElemMultMode);
  ne.unicastCin = get(h13::Common::GroupConvCfg_UnicastCin);
  ne.zeroSkipping = get(h13::NE::KernelCfg_SparseFmt);
  ne.kh = get(h13::Common::ConvCfg_Kh);
  ne.kw = get(h13::Common::ConvCfg_Kw);
  ne.sy = get(h13::Common::ConvCfg_Sy);
  ne.sx = get(h13::Common::ConvCfg_Sx);
  ne.py = get(h13::Common::ConvCfg_Py);
  ne.px = get(h13::Common::ConvCfg_Px);
  ne.lanesLog2 = get(h13::Common::ConvCfg_OCGSize);
  ne.activeNeLog2 = get(h13::Common::Cfg_ActiveNE);
  ne.accBias = half(h13::NE::AccBias_AccBias);
  ne.postScale = half(h13::NE::PostScale_PostScale);
  ne.function = get(h13::NE::MACCfg_NonlinearMode);
  using Op = h13::NE::OpMode;
  if (!ne.kh || !ne.kw || !ne.sy || !ne.sx)
    return notUnderstood("Common.ConvCfg", task.word(h13::Common::ConvCfg_Kw),
                         "kernel and stride of at least 1");
  if (ne.function > h13::NE::NonlinearMode::LUT)
    return notUnderstood(h13::NE::MACCfg_NonlinearMode.path,
                         static_cast<uint32_t>(ne.function),
                         "0 (none), 1 (ReLU) or 2 (table)");
  bool opKnown = ne.hasKernel
                     ? ne.op == Op::Conv
                     : ne.op == Op::Conv || ne.op == Op::ElementMultiply ||
                           ne.op == Op::ChannelMax || ne.op == Op::Bypass;
  if (!opKnown)
    return notUnderstood(h13::NE::MACCfg_OpMode.path,
                         static_cast<uint32_t>(ne.op),
                         ne.hasKernel ? "0 (convolution) with a kernel"
                                      : "0, 2, 3 or 4 without a kernel");
  if (ne.multiply != (ne.op == Op::ElementMultiply))
    return notUnderstood(h13::Common::GroupConvCfg_ElemMultMode.path,
                         ne.multiply, "1 exactly where NE.MACCfg.OpMode is 2");
  if (ne.hasKernel) {
    if (get(h13::NE::KernelCfg_KernelFmt) != h13::NE::KernelFmt::Float16)
      return notUnderstood(
          h13::NE::KernelCfg_KernelFmt.path,
          static_cast<uint32_t>(get(h13::NE::KernelCfg_KernelFmt)),
          "2 (float16 coefficients)");
    if (uint32_t mode = get(h13::L2::L2Cfg_PaddingMode))
      return notUnderstood(h13::L2::L2Cfg_PaddingMode.path, mode,
                           "0 in a convolution");
  } else if (ne.hasBias) {
    return notUnderstood(h13::NE::MACCfg_BiasMode.path, 1,
                         "0 where NE.MACCfg.KernelMode is 1");
  }
  if (ne.zeroSkipping != bool(get(h13::KernelDMASrc::MasterConfig_ZeroSkipEn)))
    return notUnderstood(h13::NE::KernelCfg_SparseFmt.path, ne.zeroSkipping,
                         "the value of KernelDMASrc.MasterConfig.ZeroSkipEn");
  return decodeKernel();
}

absl::Status Decoder::decodePlanar() {
  if (absl::Status status = checkFixed(fixedPlanarFields); !status.ok())
    return status;
  using Type = h13::Common::TaskType;
  PlanarConfig &pe = config.planar;
  pe.op = get(h13::PE::Cfg_OpMode);
  pe.pool = get(h13::PE::Cfg_PoolMode);
  pe.function = get(h13::PE::Cfg_NLMode);
  pe.relu = get(h13::PE::Cfg_ReluEn);
  pe.binary =
      type == Type::PEElementwise || type == Type::PEElementwiseReduction;
  pe.scaleBias = type == Type::PEScaleBias;
  pe.reduces =
      type == Type::PEReduction || type == Type::PEElementwiseReduction;
  pe.preScale = half(h13::PE::PreScale_PreScale);
  pe.epsilon = half(h13::PE::PreScale_Epsilon);
  pe.scale = half(h13::PE::BiasScale_Scale);
  pe.bias = half(h13::PE::BiasScale_Bias);
  uint32_t bits = get(h13::PE::FinalScale_FinalScale);
  std::memcpy(&pe.finalScale, &bits, sizeof(bits));
  auto cond = get(h13::PE::Cfg_Cond);
  if (cond > h13::PE::Cond::Abs)
    return notUnderstood(h13::PE::Cfg_Cond.path, static_cast<uint32_t>(cond),
                         "0 (nothing) or 1 (absolute value)");
  pe.abs = cond == h13::PE::Cond::Abs;
  if (pe.op > h13::PE::OpMode::SquareSum)
    return notUnderstood(h13::PE::Cfg_OpMode.path, static_cast<uint32_t>(pe.op),
                         "0 (add) to 4 (square of the sum)");
  if (pe.function > h13::PE::NLMode::ReciprocalRoot)
    return notUnderstood(h13::PE::Cfg_NLMode.path,
                         static_cast<uint32_t>(pe.function),
                         "0 (none), 1 (1/x) or 2 (1/sqrt(x))");
  bool poolKnown = pe.pool == h13::PE::PoolMode::Sum ||
                   (pe.reduces && pe.pool == h13::PE::PoolMode::Max);
  if (!poolKnown)
    return notUnderstood(h13::PE::Cfg_PoolMode.path,
                         static_cast<uint32_t>(pe.pool),
                         pe.reduces ? "0 (sum) or 2 (maximum)"
                                    : "0 in a task that does not reduce");
  auto second = get(h13::PE::Cfg_SecSrc);
  bool usesSecond =
      second == h13::PE::SecSrc::Plain || second == h13::PE::SecSrc::Negated;
  if (usesSecond != (pe.binary || pe.scaleBias) ||
      (!usesSecond && second != h13::PE::SecSrc::None))
    return notUnderstood(h13::PE::Cfg_SecSrc.path,
                         static_cast<uint32_t>(second),
                         usesSecond ? "0 in a task with one source"
                                    : "2 or 3 in a task with two sources");
  return absl::OkStatus();
}

absl::StatusOr<TaskConfig> Decoder::decode() {
  using Type = h13::Common::TaskType;
  type = get(h13::Common::Cfg_TaskType);
  switch (type) {
  case Type::NE:
  case Type::PEUnary:
  case Type::PEElementwise:
  case Type::PEScaleBias:
  case Type::PEReduction:
  case Type::PEElementwiseReduction:
    break;
  default:
    return notUnderstood(h13::Common::Cfg_TaskType.path,
                         static_cast<uint32_t>(type),
                         "0 (neural engines) or 2 to 6 (planar engine)");
  }
  config.isNeural = type == Type::NE;
  config.tileHeight = get(h13::Common::TileCfg_TileHeight);
  if (absl::Status status = checkWords(); !status.ok())
    return status;
  if (absl::Status status = checkFixed(fixedFields); !status.ok())
    return status;
  if (absl::Status status = checkSizes(); !status.ok())
    return status;
  absl::Status engine = config.isNeural ? decodeNeural() : decodePlanar();
  if (!engine.ok())
    return engine;
  if (absl::Status status = decodeSource1(); !status.ok())
    return status;
  if (config.planar.binary || config.planar.scaleBias)
    if (absl::Status status = decodeSource2(); !status.ok())
      return status;
  if (absl::Status status = decodeResult(); !status.ok())
    return status;
  if (absl::Status status = checkCounts(); !status.ok())
    return status;
  return config;
}

} // namespace

absl::StatusOr<TaskConfig> decodeTask(hw::Generation generation,
                                      const hw::Task &task) {
  return Decoder(generation, task).decode();
}

} // namespace ane::sim
