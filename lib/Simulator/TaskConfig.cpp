//===- TaskConfig.cpp - What the words of a task say ----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes, formats and places of sources and result. What the engines are told
// stands in EngineConfig.cpp.
//
//===----------------------------------------------------------------------===//

#include "ane/Simulator/TaskConfig.h"

#include "FieldChecks.h"
#include "FieldReader.h"

#include "absl/strings/str_format.h"

namespace ane::sim {

namespace {
using hw::FieldRef;

/// The three fields of a format register that must agree with the elements.
struct FormatFields {
  FieldRef mode, memory, truncate;
  uint32_t halfMode; ///< FmtMode of halves; 0 for source 2 (seen)
};

const FormatFields source1Format = {h13::TileDMASrc::Src1Fmt_FmtMode,
                                    h13::TileDMASrc::Src1Fmt_MemFmt,
                                    h13::TileDMASrc::Src1Fmt_Truncate, 1};
const FormatFields source2Format = {h13::TileDMASrc::Src2Fmt_FmtMode,
                                    h13::TileDMASrc::Src2Fmt_MemFmt,
                                    h13::TileDMASrc::Src2Fmt_Truncate, 0};
const FormatFields resultFormat = {h13::TileDMADst::Fmt_FmtMode,
                                   h13::TileDMADst::Fmt_MemFmt,
                                   h13::TileDMADst::Fmt_Truncate, 1};

class Decoder {
public:
  Decoder(hw::Generation generation, const hw::Task &task)
      : generation(generation), task(task), reader(task) {}

  absl::StatusOr<TaskConfig> decode();

private:
  absl::Status checkCounts();
  absl::Status checkFormat(const FormatFields &fields, hw::ElementType type);
  absl::Status decodeSource1();
  absl::Status decodeSource2();
  absl::Status decodeResult();
  absl::Status placeSource1();
  absl::Status placeResult();
  Dims sourceDims() const;

  uint32_t get(const FieldRef &field) const { return reader.get(field); }
  template <typename E> E get(const hw::EnumFieldRef<E> &field) const {
    return reader.get(field);
  }
  hw::ElementType format(const FieldRef &field) const {
    return static_cast<hw::ElementType>(reader.get(field));
  }

  const hw::Generation generation;
  const hw::Task &task;
  FieldReader reader;
  TaskConfig config;
  h13::Common::TaskType type = h13::Common::TaskType::NE;
};

} // namespace

absl::Status Decoder::checkCounts() {
  // Far beyond any surface; keeps words that make no sense, with strides of 0,
  // from taking all memory.
  constexpr uint64_t limit = uint64_t(1) << 28;
  for (const Dims &n : {config.computed, config.result.dram.dims}) {
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

/// What the tile DMA converts on its way is not known, so memory and engine
/// must have the same elements.
absl::Status Decoder::checkFormat(const FormatFields &fields,
                                  hw::ElementType type) {
  const bool half = type == hw::ElementType::Float16;
  const std::pair<const FieldRef *, uint32_t> expected[] = {
      {&fields.mode, half ? fields.halfMode : 0},
      {&fields.memory, half ? 2u : 0u},
      {&fields.truncate, half ? 3u : 0u}};
  for (const auto &[field, value] : expected)
    if (uint32_t actual = get(*field); actual != value)
      return notUnderstood(field->path, actual,
                           absl::StrFormat("%d for %s elements by DMA", value,
                                           hw::elementName(type)));
  return absl::OkStatus();
}

/// Sizes of a source after its broadcast mask: bit 0 W, 1 H, 2 D, 3 C.
static Dims broadcastDims(Dims dims, uint32_t mask) {
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

Dims Decoder::sourceDims() const {
  return {get(h13::Common::GroupConvCfg_NumGroups),
          get(h13::Common::InDepth_Din), get(h13::Common::Cin_Cin),
          get(h13::Common::InDim_Hin), get(h13::Common::InDim_Win)};
}

absl::Status Decoder::decodeSource1() {
  SourceConfig &source = config.source1;
  Pattern &dram = source.dram, &l2 = source.l2;
  dram.type = l2.type = format(h13::Common::ChCfg_InFmt);
  Dims dims = config.computed = sourceDims();
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
  return placeSource1();
}

absl::Status Decoder::placeSource1() {
  SourceConfig &source = config.source1;
  switch (get(h13::L2::SourceCfg_SourceType)) {
  case h13::L2::SourceType::Resident:
    source.place = Place::L2;
    return absl::OkStatus();
  case h13::L2::SourceType::Chained:
    source.place = Place::Chained;
    return absl::OkStatus();
  case h13::L2::SourceType::DMAKept:
    source.place = Place::DRAMKept;
    if (source.dram.interleave != 1)
      return notUnderstood(h13::TileDMASrc::Src1Fmt_Interleave.path,
                           source.dram.interleave,
                           "1 where a source is kept in L2");
    break;
  case h13::L2::SourceType::DMA:
    source.place = Place::DRAM;
    break;
  }
  if (absl::Status status = checkFormat(source1Format, source.dram.type);
      !status.ok())
    return status;
  return reader.base(h13::Header::RBE0, h13::Header::RBase0, "source 1",
                     source.base);
}

absl::Status Decoder::decodeSource2() {
  SourceConfig &source = config.source2;
  Pattern &dram = source.dram, &l2 = source.l2;
  dram.type = l2.type = format(h13::Common::ChCfg_Src2InFmt);
  Dims dims =
      broadcastDims(sourceDims(), get(h13::Common::PECfg_Src2Broadcast));
  // Row 0 is a bias, row 1 a factor; both hold for all pixels.
  if (config.planar.scaleBias) {
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
  if (absl::Status status = checkFormat(source2Format, dram.type); !status.ok())
    return status;
  return reader.base(h13::Header::RBE1, h13::Header::RBase1, "source 2",
                     source.base);
}

absl::Status Decoder::decodeResult() {
  ResultConfig &result = config.result;
  Pattern &dram = result.dram, &l2 = result.l2;
  dram.type = l2.type = format(h13::Common::ChCfg_OutFmt);
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
  return placeResult();
}

absl::Status Decoder::placeResult() {
  ResultConfig &result = config.result;
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
    if (result.dram.interleave != 1)
      return notUnderstood(h13::TileDMADst::Fmt_Interleave.path,
                           result.dram.interleave,
                           "1 where a result stays in L2");
    return absl::OkStatus();
  }
  result.place = Place::DRAM;
  if (absl::Status status = checkFormat(resultFormat, result.dram.type);
      !status.ok())
    return status;
  return reader.base(h13::Header::WBE, h13::Header::WBase, "the result",
                     result.base);
}

absl::StatusOr<TaskConfig> Decoder::decode() {
  using Type = h13::Common::TaskType;
  type = get(h13::Common::Cfg_TaskType);
  if (type == static_cast<Type>(1) || type > Type::PEElementwiseReduction)
    return notUnderstood(h13::Common::Cfg_TaskType.path,
                         static_cast<uint32_t>(type),
                         "0 (neural engines) or 2 to 6 (planar engine)");
  config.isNeural = type == Type::NE;
  config.endOfNetwork = get(h13::Header::EON);
  config.tileHeight = get(h13::Common::TileCfg_TileHeight);
  if (absl::Status status =
          checkFields(task, config.isNeural ? hw::EngineKind::Neural
                                            : hw::EngineKind::Planar);
      !status.ok())
    return status;
  absl::Status engine =
      config.isNeural
          ? decodeNeural(reader, hw::info(generation).neCount, config)
          : decodePlanar(reader, config);
  if (!engine.ok())
    return engine;
  if (absl::Status status = decodeSource1(); !status.ok())
    return status;
  if (config.planar.binary || config.planar.scaleBias)
    if (absl::Status status = decodeSource2(); !status.ok())
      return status;
  if (absl::Status status = decodeResult(); !status.ok())
    return status;
  if (const char *path = reader.firstMissing())
    return absl::FailedPreconditionError(absl::StrFormat(
        "%s is read, but no record of this task or an earlier one writes it",
        path));
  if (absl::Status status = checkCounts(); !status.ok())
    return status;
  return config;
}

absl::StatusOr<TaskConfig> decodeTask(hw::Generation generation,
                                      const hw::Task &task) {
  absl::StatusOr<TaskConfig> config = Decoder(generation, task).decode();
  if (config.ok())
    config->kernel.passStride = task.passStride;
  return config;
}

} // namespace ane::sim
