//===- TaskEncoder.cpp - The registers of one task ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of a descriptor that every task has: header, dimensions, DMA, L2.
// What the engines compute is in EncodeEngines.cpp. Block by block in the order
// of the generated register map (docs/Registers/H13.md).
//
//===----------------------------------------------------------------------===//

#include "TaskEncoder.h"

#include "ane/HW/Float16.h"
#include "ane/HW/H13.h"

#include <limits>

using namespace mlir;
using namespace mlir::ane;
namespace hw = ::ane::hw;
namespace h13 = ::ane::hw::h13;

TaskEncoder::TaskEncoder(TaskOp op, const TaskPlace &place,
                         const Flavour &flavour, const EncodingOptions &options,
                         ConstantSection &constants)
    : op(op), compute(op.getCompute()), place(place), flavour(flavour),
      options(options), info(hw::info(options.generation)),
      constants(constants), task(hw::makeFullTask(options.generation)) {
  sourceType = cast<MemRefType>(compute->getOperand(0).getType());
  if (auto pair = dyn_cast<PeElementwiseOp>(compute))
    secondType = pair.getRhs().getType();
  if (auto reduce = dyn_cast<PeReduceOp>(compute); reduce && reduce.getOffset())
    secondType = reduce.getOffset().getType();
  resultType = cast<MemRefType>(compute->getResult(0).getType());
  computed = getComputedShape(compute);
}

void TaskEncoder::set(const hw::FieldRef &field, uint64_t value) {
  if (!status.ok())
    return;
  if (value > std::numeric_limits<uint32_t>::max())
    status = absl::OutOfRangeError(std::string(field.path) + " would be " +
                                   std::to_string(value) +
                                   ", which does not fit 32 bits");
  else
    status = task.set(field, static_cast<uint32_t>(value));
}

void TaskEncoder::setHalf(const hw::FieldRef &field, float value) {
  set(field, hw::toHalfBits(value));
}

LogicalResult TaskEncoder::unproven(const Twine &mechanism) {
  if (options.allowUnproven)
    return success();
  return compute->emitOpError("needs ")
         << mechanism
         << ", which no recorded program shows; allow-unproven emits it";
}

bool TaskEncoder::hasRowGroups() const {
  return isa<PeReduceOp>(compute) && resultType.getDimSize(2) != 1;
}

bool TaskEncoder::isExchanged() const {
  if (auto conv = dyn_cast<NeConvOp>(compute))
    return conv.getExchange();
  auto bypass = dyn_cast<NeBypassOp>(compute);
  return bypass && bypass.getExchange();
}

bool TaskEncoder::isCopy() const {
  auto bypass = dyn_cast<NeBypassOp>(compute);
  return bypass && !bypass.getActivation();
}

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

// Seen: all bits but on copies; bit 13 is clear with the tables whose argument
// is split into mantissa and exponent.
static uint32_t debugEvents(Operation *compute) {
  constexpr uint32_t all = 0xfff800, split = 1u << 13;
  auto bypass = dyn_cast<NeBypassOp>(compute);
  if (!bypass)
    return all;
  if (!bypass.getActivation())
    return 0;
  switch (bypass.getActivation()->getKind()) {
  case ActivationKind::Sqrt:
  case ActivationKind::Rsqrt:
  case ActivationKind::Reciprocal:
  case ActivationKind::Log2:
    return all & ~split;
  default:
    return all;
  }
}

void TaskEncoder::encodeHeader() {
  namespace H = h13::Header;
  bool first = place.index == 0, last = place.index + 1 == place.count;
  set(H::TID, place.index);
  set(H::LNID, !first);
  set(H::EON, last);
  constexpr uint32_t events = 0x400, lastExtra = 0x022;
  set(H::LogEvents,
      events | (first ? flavour.logEventsFirst : 0) | (last ? lastExtra : 0));
  constexpr uint32_t firstEvents = 0x68, lastEvents = 0x6a;
  set(H::DebugLogEvents, debugEvents(compute) | (last    ? lastEvents
                                                 : first ? firstEvents
                                                         : 0));
  set(H::SPL, place.segmentStart);
  set(H::TSR, place.segmentEnd);
  set(H::TSE, place.segmentEnd);
  set(H::SrcLoc, place.sources[0] || place.sources[1]);
  set(H::DstLoc, place.target.has_value());
}

void TaskEncoder::encodeBases() {
  namespace H = h13::Header;
  if (place.sources[0]) {
    set(H::RBase0, place.sources[0]->base);
    set(H::RBE0, 1);
  }
  if (place.sources[1]) {
    set(H::RBase1, place.sources[1]->base);
    set(H::RBE1, 1);
  }
  if (place.target) {
    set(H::WBase, place.target->base);
    set(H::WBE, 1);
  }
  set(H::TBE, place.index + 1 != place.count);
}

//===----------------------------------------------------------------------===//
// Common
//===----------------------------------------------------------------------===//

void TaskEncoder::encodeCommon() {
  namespace C = h13::Common;
  bool reduce = isa<PeReduceOp>(compute);
  // A PE task has the size of its result, a reduction that of its source; sizes
  // of 1 that are broadcast are in the masks.
  // What is interleaved has the size of its source, too.
  bool sizeOfSource = reduce || isa<PeInterleaveOp>(compute);
  ArrayRef<int64_t> in =
      isNe() || sizeOfSource ? sourceType.getShape() : resultType.getShape();
  ArrayRef<int64_t> out =
      sizeOfSource ? sourceType.getShape() : ArrayRef<int64_t>(computed);
  bool rows = hasRowGroups();
  set(C::InDim_Win, in[3]);
  set(C::InDim_Hin, rows ? 1 : in[2]);
  set(C::OutDim_Wout, out[3]);
  set(C::OutDim_Hout, rows ? 1 : out[2]);
  set(C::InDepth_Din, 1);
  set(C::OutDepth_Dout, 1);
  auto format = [](MemRefType type) {
    return type.getElementType().isF16() ? C::Format::Float16
                                         : C::Format::UInt8;
  };
  set(C::ChCfg_InFmt, format(sourceType));
  set(C::ChCfg_OutFmt, format(resultType));
  if (secondType)
    set(C::ChCfg_Src2InFmt, C::Format::Float16);
  set(C::Cin_Cin, in[1]);
  set(C::Cout_Cout, out[1]);
  set(C::ConvCfg_Kw, 1);
  set(C::ConvCfg_Kh, 1);
  set(C::ConvCfg_Sx, 1);
  set(C::ConvCfg_Sy, 1);
  set(C::ConvCfg_Ox, 1);
  set(C::ConvCfg_Oy, 1);
  set(C::ConvCfg3D_Kd, 1);
  set(C::ConvCfg3D_Sz, 1);
  set(C::ConvCfg3D_Oz, 1);
  set(C::GroupConvCfg_NumGroups, rows ? in[2] : out[0]);
  set(C::GroupConvCfg_UnicastCin, 1);
  set(C::TileCfg_TileHeight, *op.getTileHeight());
  // Clear only where the PE reads source 1 from L2 and source 2 from DRAM.
  set(C::Cfg_Src1En, isNe() || place.sources[0] || !place.sources[1]);
  set(C::Cfg_Src2En, place.sources[1].has_value());
  set(C::Cfg_ResultExchange, isExchanged());
}

//===----------------------------------------------------------------------===//
// Tile DMA
//===----------------------------------------------------------------------===//

namespace {

struct Hints {
  h13::CacheHint hint, reuse, noReuse;
};

} // namespace

// All 410 recorded tasks fall into these; what the names mean is a guess.
static Hints cacheHints(const DramPlace &place) {
  using h13::CacheHint;
  if (place.readAgain)
    return {CacheHint::Reuse, CacheHint::Reuse, CacheHint::Reuse};
  if (place.isScratch)
    return {CacheHint::ReadScratch, CacheHint::Reuse, CacheHint::ReadScratch};
  if (place.readBefore)
    return {CacheHint::LastRead, CacheHint::Reuse, CacheHint::LastRead};
  return {CacheHint::Drop, CacheHint::Reuse, CacheHint::LastRead};
}

void TaskEncoder::encodeSources() {
  namespace S = h13::TileDMASrc;
  using h13::CacheHint;
  const std::optional<DramPlace> &first = place.sources[0],
                                 &second = place.sources[1];
  Hints unused = {CacheHint::Drop, CacheHint::Drop, CacheHint::Drop};
  Hints one = first ? cacheHints(*first) : unused;
  Hints two = second ? cacheHints(*second) : unused;
  // Enables the sources of the task, not only the first (seen).
  set(S::Src1DMAConfig_En, first || second);
  set(S::Src1DMAConfig_CacheHint, one.hint);
  set(S::Src1DMAConfig_CacheHintReuse, one.reuse);
  set(S::Src1DMAConfig_CacheHintNoReuse, one.noReuse);
  set(S::Src2DMAConfig_CacheHint, two.hint);
  set(S::Src2DMAConfig_CacheHintReuse, two.reuse);
  set(S::Src2DMAConfig_CacheHintNoReuse, two.noReuse);
  // Seen on 40 of 40 tasks that read the scratch region and on no other; that
  // it makes the load wait for the store is a guess.
  set(S::Src1DMAConfig_DependencyMode,
      (first && first->written) || (second && second->written));

  bool rows = hasRowGroups();
  auto groupStride = [&](const DramPlace &source, MemRefType type) -> uint64_t {
    if (rows)
      return source.layout.strides[2];
    if (resultType.getDimSize(0) == 1)
      return flavour.groupStrideOfOneGroup ? source.layout.strides[0] : 0;
    return type.getDimSize(0) == 1 ? 0 : source.layout.strides[0];
  };
  if (first) {
    set(S::Src1BaseAddr_Addr, first->offset);
    set(S::Src1RowStride_Stride, first->layout.strides[2]);
    set(S::Src1PlaneStride_Stride, first->layout.strides[1]);
    set(S::Src1DepthStride_Stride, first->layout.strides[0]);
    set(S::Src1GroupStride_Stride, groupStride(*first, sourceType));
    // Bytes are 0 throughout.
    bool isHalf = sourceType.getElementType().isF16();
    set(S::Src1Fmt_FmtMode, isHalf ? 1 : 0);
    set(S::Src1Fmt_Truncate, isHalf ? 3 : 0);
    set(S::Src1Fmt_MemFmt, isHalf ? 2 : 0);
  }
  set(S::Src1Fmt_Interleave, 1);
  if (second) {
    set(S::Src2BaseAddr_Addr, second->offset);
    set(S::Src2RowStride_Stride, second->layout.strides[2]);
    set(S::Src2PlaneStride_Stride, second->layout.strides[1]);
    set(S::Src2DepthStride_Stride, second->layout.strides[0]);
    set(S::Src2GroupStride_Stride, groupStride(*second, secondType));
    set(S::Src2Fmt_Truncate, 3);
    set(S::Src2Fmt_MemFmt, 2);
    if (!first)
      set(S::Src1Fmt_FmtMode, 1);
  }
  set(S::Word40_Unknown, isNe() || flavour.planarDefaults);
}

void TaskEncoder::encodeTarget() {
  namespace D = h13::TileDMADst;
  using h13::CacheHint;
  auto interleave = dyn_cast<PeInterleaveOp>(compute);
  set(D::Fmt_Interleave, interleave ? interleave.getFactor() : 1);
  set(D::DMAConfig_CacheHint, place.target && place.target->isScratch
                                  ? CacheHint::Intermediate
                                  : CacheHint::Depri);
  if (!place.target)
    return;
  const DramPlace &target = *place.target;
  set(D::DMAConfig_En, 1);
  set(D::BaseAddr_Addr, target.offset);
  set(D::RowStride_Stride, target.layout.strides[2]);
  set(D::PlaneStride_Stride, target.layout.strides[1]);
  set(D::DepthStride_Stride, target.layout.strides[0]);
  uint64_t group = target.layout.strides[0];
  if (hasRowGroups())
    group = target.layout.strides[2];
  else if (resultType.getDimSize(0) == 1 && !flavour.groupStrideOfOneGroup)
    group = 0;
  set(D::GroupStride_Stride, group);
  bool isHalf = resultType.getElementType().isF16();
  set(D::Fmt_FmtMode, isHalf ? 1 : 0);
  set(D::Fmt_Truncate, isHalf ? 3 : 0);
  set(D::Fmt_MemFmt, isHalf ? 2 : 0);
  bool zeroPad = isNe() || flavour.planarDefaults;
  set(D::Fmt_ZeroPadFirst, zeroPad);
  set(D::Fmt_ZeroPadLast, zeroPad);
}

//===----------------------------------------------------------------------===//
// L2
//===----------------------------------------------------------------------===//

// A source that comes by tile DMA and does not stay.
bool TaskEncoder::isStreamed(unsigned index) const {
  if (!place.sources[index])
    return false;
  auto load = compute->getOperand(index).getDefiningOp<DmaLoadOp>();
  return !load || load.getResidency() != Residency::Kept;
}

void TaskEncoder::encodeL2Source(MemRefType type, unsigned index) {
  namespace L = h13::L2;
  ByteLayout layout = *getByteLayout(type);
  // What every group finds at the same place has no distance between groups.
  uint64_t group = 0;
  if (!isStreamed(index)) {
    // One that is loaded and stays has a distance like one that is not (seen).
    bool hasDistance = type.getDimSize(0) > 1 || place.sources[index];
    group = hasRowGroups() && type.getDimSize(2) > 1 ? layout.strides[2]
            : hasDistance                            ? layout.strides[0]
                                                     : 0;
  } else if (hasRowGroups() || type.getDimSize(0) == resultType.getDimSize(0))
    group = layout.strides[0];
  if (index == 0) {
    set(L::SourceBase_Addr, layout.offset);
    set(L::SourceChannelStride_Stride, layout.strides[1]);
    set(L::SourceRowStride_Stride, layout.strides[2]);
    set(L::SourceDepthStride_Stride, layout.strides[0]);
    set(L::SourceGroupStride_Stride, group);
    return;
  }
  set(L::Source2Base_Addr, layout.offset);
  set(L::Source2ChannelStride_Stride, layout.strides[1]);
  set(L::Source2RowStride_Stride, layout.strides[2]);
  set(L::Source2DepthStride_Stride, layout.strides[0]);
  set(L::Source2GroupStride_Stride, group);
}

static h13::L2::DMAFmt dmaFormat(MemRefType type) {
  return type.getElementType().isF16() ? h13::L2::DMAFmt::Bits16
                                       : h13::L2::DMAFmt::Bits8;
}

void TaskEncoder::encodeL2() {
  namespace L = h13::L2;
  set(L::SourceCfg_SourceType, isStreamed(0)      ? L::SourceType::DMA
                               : place.sources[0] ? L::SourceType::DMAKept
                                                  : L::SourceType::Resident);
  if (place.sources[0] || place.sources[1])
    set(L::SourceCfg_DMAFmt, dmaFormat(sourceType));
  set(L::SourceCfg_DMAInterleave, 1);
  set(L::SourceCfg_Src2Dma, place.sources[1].has_value());
  set(L::SourceCfg_AliasConvSrc, place.source.neSource);
  set(L::SourceCfg_AliasConvRslt, place.source.neResult);
  set(L::SourceCfg_AliasPlanarSrc, place.source.peSource);
  set(L::SourceCfg_AliasPlanarRslt, place.source.peResult);
  encodeL2Source(sourceType, 0);
  if (secondType)
    encodeL2Source(secondType, 1);

  DmaStoreOp store = op.getStore();
  bool streamed = store && store.getResidency() == Residency::Streamed;
  set(L::ResultCfg_ResultType,
      store ? L::ResultType::DMA : L::ResultType::Resident);
  set(L::ResultCfg_L2BfrMode, streamed);
  set(h13::TileDMADst::DMAConfig_L2BfrMode, streamed);
  set(L::ResultCfg_DMAFmt, dmaFormat(resultType));
  auto interleave = dyn_cast<PeInterleaveOp>(compute);
  set(L::ResultCfg_DMAInterleave, interleave ? interleave.getFactor() : 1);
  set(L::ResultCfg_AliasConvSrc, place.result.neSource);
  set(L::ResultCfg_AliasConvRslt, place.result.neResult);
  set(L::ResultCfg_AliasPlanarSrc, place.result.peSource);
  set(L::ResultCfg_AliasPlanarRslt, place.result.peResult);
  ByteLayout layout = *getByteLayout(resultType);
  set(L::ResultBase_Addr, layout.offset);
  if (streamed)
    return;
  set(L::ResultChannelStride_Stride, layout.strides[1]);
  set(L::ResultRowStride_Stride, layout.strides[2]);
  set(L::ResultDepthStride_Stride, layout.strides[0]);
  if (store || resultType.getDimSize(0) > 1)
    set(L::ResultGroupStride_Stride, layout.strides[0]);
  else
    set(L::ResultGroupStride_Stride, hasRowGroups() ? layout.strides[2] : 0);
}

//===----------------------------------------------------------------------===//
// Task
//===----------------------------------------------------------------------===//

// Bytes of a tensor on its way through the tile DMA, padding of rows included.
static int64_t surfaceBytes(MemRefType type, const ByteLayout &layout,
                            int64_t rows) {
  return type.getDimSize(0) * type.getDimSize(1) * rows * layout.strides[2];
}

int64_t TaskEncoder::sourceRows() {
  int64_t rows = sourceType.getDimSize(2);
  auto conv = dyn_cast<NeConvOp>(compute);
  if (!conv || int64_t(*op.getTileHeight()) >= computed[2])
    return rows;
  // Tiles fetch what their windows share again (142 of 144 tasks).
  int64_t sum = 0;
  for (int64_t held : conv.getTileRows(*op.getTileHeight()))
    sum += held;
  return sum;
}

int64_t TaskEncoder::dramBytes() {
  int64_t bytes = kernelBytes;
  MemRefType types[] = {sourceType, secondType};
  for (int i = 0; i < 2; ++i)
    if (place.sources[i])
      bytes += surfaceBytes(types[i], place.sources[i]->layout,
                            i ? types[i].getDimSize(2) : sourceRows());
  if (place.target)
    bytes += surfaceBytes(resultType, place.target->layout,
                          resultType.getDimSize(2));
  return bytes;
}

// What a task takes at least: for its bytes, for its arithmetic, and four
// cycles of 900 MHz for each plane that it loads (agrees with all recorded
// tasks; the third is a guess as for its meaning).
void TaskEncoder::encodeEstimate() {
  if (!flavour.estimatesTime)
    return;
  constexpr double secondsPerPlane = 4 / 900e6;
  double planes = 0;
  MemRefType types[] = {sourceType, secondType};
  for (int i = 0; i < 2; ++i)
    if (place.sources[i])
      planes += types[i].getDimSize(0) * types[i].getDimSize(1);
  double seconds =
      std::max({dramBytes() / info.dramBytesPerSecond,
                macs / info.macsPerSecond, planes * secondsPerPlane});
  constexpr uint32_t most = 0xffff;
  set(h13::Header::ExeCycles,
      std::min<uint64_t>(most, static_cast<uint64_t>(seconds * 1e6)));
}

// Compiler 9.509 writes no coefficient addresses where there are none: 18 words
// of configurations, then the 12 of the side channels.
void TaskEncoder::shortenKernelRecord() {
  namespace K = h13::KernelDMASrc;
  if (!flavour.shortKernelRecords || task.get(h13::Header::KBE0))
    return;
  auto record = llvm::find_if(task.records, [](const hw::Record &record) {
    return record.address == K::MasterConfig_MasterEnable.address;
  });
  auto wordOf = [&](const hw::FieldRef &field) {
    return (field.address - record->address) / 4;
  };
  hw::Record side;
  side.address = K::BiasDMAConfig_CacheHint.address;
  side.words.assign(record->words.begin() + wordOf(K::BiasDMAConfig_CacheHint),
                    record->words.end());
  record->words.resize(wordOf(K::CoeffBaseAddr_Addr(0)));
  task.records.insert(record + 1, side);
}

FailureOr<hw::Task> TaskEncoder::encode() {
  // The word that says which task writes the coefficients.
  if (place.kernelWriter)
    task.header.push_back(*place.kernelWriter);
  encodeHeader();
  encodeBases();
  encodeCommon();
  encodeSources();
  encodeL2();
  encodeTarget();
  if (failed(isNe() ? encodeNe() : encodePe()))
    return failure();
  encodeEstimate();
  shortenKernelRecord();
  if (!status.ok())
    return compute->emitOpError("cannot be encoded: ")
           << std::string(status.message());
  return std::move(task);
}
