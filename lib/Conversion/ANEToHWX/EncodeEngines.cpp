//===- EncodeEngines.cpp - What the NEs and the PE compute ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskEncoder.h"

#include "ane/HW/H13.h"
#include "ane/HW/WorkUnits.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::ane;
namespace hw = ::ane::hw;
namespace h13 = ::ane::hw::h13;

//===----------------------------------------------------------------------===//
// Coefficients
//===----------------------------------------------------------------------===//

void TaskEncoder::encodeKernelDefaults() {
  namespace K = h13::KernelDMASrc;
  using h13::CacheHint;
  for (uint32_t ne = 0; ne < info.neCount; ++ne) {
    set(K::CoeffDMAConfig_CacheHint(ne), CacheHint::Drop);
    set(K::CoeffBfrSize_MemBfrSize(ne), info.streamAlign);
  }
  set(K::BiasDMAConfig_CacheHint, CacheHint::Drop);
  set(K::PostScaleDMAConfig_CacheHint, CacheHint::Drop);
  set(K::PaletteDMAConfig_CacheHint, CacheHint::Drop);
  set(K::NonlinearLutDMAConfig_CacheHint, CacheHint::Drop);
  if (!flavour.planarDefaults)
    return;
  set(K::BiasBfrSize_MemBfrSize, info.streamAlign);
  set(K::PostScaleBfrSize_MemBfrSize, info.streamAlign);
  set(K::PaletteBfrSize_MemBfrSize, info.streamAlign);
  set(K::NonlinearLutBfrSize_MemBfrSize, info.streamAlign);
}

// What the registers of the NEs hold in every task of the flavour.
void TaskEncoder::encodeIdleNe() {
  set(h13::NE::KernelCfg_PalettizedBits, 8);
  set(h13::NE::MACCfg_ArgSel, 1);
  encodeKernelDefaults();
}

NeWork TaskEncoder::neWork() {
  NeWork work;
  work.channels = computed[1];
  work.height = computed[2];
  work.width = computed[3];
  work.macs = macs;
  work.dramBytes = dramBytes();
  work.elementBytes = sourceType.getElementType().getIntOrFloatBitWidth() / 8;
  work.keepsSource = place.keepsSource;
  work.exchanged = isExchanged();
  work.fromDram = place.sources[0].has_value();
  constexpr uint32_t behindPlanar = 2;
  work.followsPlanar = place.fineWait == behindPlanar;
  // A convolution that computes a product of matrices: its pixels were rows, or
  // become rows.
  if (isa<NeConvOp>(compute)) {
    auto before = sources[0].value.getDefiningOp<TaskOp>();
    Operation *writer = before ? before.getCompute() : nullptr;
    bool behindProduct = false;
    if (auto conv = dyn_cast_or_null<NeConvOp>(writer))
      behindProduct = conv.isPointwise();
    work.product = isExchanged() || place.kernel ||
                   (writer && isResultExchanged(writer)) || behindProduct;
  }
  return work;
}

LogicalResult TaskEncoder::encodeStreams(const StreamPlaces &places,
                                         uint32_t base) {
  namespace K = h13::KernelDMASrc;
  if (places.offsets.size() > info.neCount)
    return compute->emitOpError("has ")
           << places.offsets.size() << " coefficient streams, but there are "
           << info.neCount << " engines";
  // Readers take a header with both of the lowest bits set for a longer one,
  // which belongs to scratch memory (hw::Task).
  if ((base & 3) == 3 && base != hw::BaseScratch)
    return compute->emitOpError("reads coefficients from the tensor with base ")
           << base
           << ", which a header cannot name; copy them to an ane.buffer";
  set(h13::Header::KBase0, base);
  set(h13::Header::KBE0, 1);
  task.passStride = places.passStride;
  // Seen exactly on the tasks with the extra header word.
  set(h13::Header::TDE, place.kernelWriter.has_value());
  set(K::MasterConfig_MasterEnable, 1);
  for (auto [ne, offset] : llvm::enumerate(places.offsets)) {
    set(K::CoeffDMAConfig_En(ne), 1);
    set(K::CoeffBaseAddr_Addr(ne), offset);
    set(K::CoeffBfrSize_MemBfrSize(ne), places.sizes[ne]);
    // A table alone does not count (seen).
    if (isa<NeConvOp>(compute))
      kernelBytes += places.sizes[ne];
  }
  return success();
}

// Plane i of the tensor is the stream of engine i, in the next pass the plane
// that is as many further as there are engines.
FailureOr<StreamPlaces> TaskEncoder::runtimeStreams(KernelLoadOp load) const {
  MemRefType type = load.getSource().getType();
  StreamPlaces places;
  int64_t plane = place.kernel->layout.strides[1];
  uint64_t bytes =
      llvm::alignTo(type.getDimSize(3) * sizeof(uint16_t), info.streamAlign);
  int64_t planes = type.getDimSize(1), streams = planes;
  if (planes > info.neCount) {
    if (!info.stridesPasses)
      return compute->emitOpError("reads ")
             << planes << " planes of coefficients, but " << info.name
             << " has " << info.neCount
             << " engines and no passes of such coefficients; use several "
                "tasks";
    streams = info.neCount;
    places.passStride = streams * plane;
  }
  for (int64_t i = 0; i < streams; ++i) {
    places.offsets.push_back(place.kernel->offset + i * plane);
    places.sizes.push_back(bytes);
  }
  return places;
}

//===----------------------------------------------------------------------===//
// NE
//===----------------------------------------------------------------------===//

void TaskEncoder::encodeShapeCodes(const ShapeCodes &codes, uint32_t activeNe,
                                   bool smallSource) {
  namespace C = h13::Common;
  set(C::Cfg_ShPref, codes.preferred);
  set(C::Cfg_ShMin, codes.minimum);
  set(C::Cfg_ShMax, codes.maximum);
  set(C::Cfg_SmallSourceMode, smallSource);
  set(C::Cfg_ActiveNE, activeNe);
  set(h13::Header::ENE, activeNe + 1);
}

LogicalResult TaskEncoder::encodeNe() {
  set(h13::Common::Cfg_TaskType, h13::Common::TaskType::NE);
  set(h13::Common::TaskInfo_NID, 1);
  encodeIdleNe();
  if (auto conv = dyn_cast<NeConvOp>(compute))
    return encodeConv(conv);
  if (auto reduce = dyn_cast<NeReduceOp>(compute))
    return encodeNeReduce(reduce);
  if (auto product = dyn_cast<NeProductOp>(compute))
    return encodeNeProduct(product);
  return encodeBypass(cast<NeBypassOp>(compute));
}

static h13::NE::NonlinearMode
nonlinearMode(std::optional<ActivationAttr> activation) {
  if (!activation)
    return h13::NE::NonlinearMode::None;
  return activation->getKind() == ActivationKind::Relu
             ? h13::NE::NonlinearMode::ReLU
             : h13::NE::NonlinearMode::LUT;
}

// How the coefficients lie in the buffers of the engines.
hw::KernelShape TaskEncoder::kernelShape(NeConvOp conv) const {
  auto load = conv.getKernel().getDefiningOp<KernelLoadOp>();
  hw::KernelShape shape;
  ArrayRef<int64_t> kernel = conv.getKernel().getType().getShape();
  shape.cout = kernel[0];
  shape.cin = kernel[1];
  shape.kh = kernel[2];
  shape.kw = kernel[3];
  shape.depthwise = conv.isDepthwise();
  shape.groups = shape.depthwise ? shape.cout : conv.getGroups();
  shape.zeroSkipping = conv.getStrides()[1] == 2;
  shape.hasBias = bool(load.getBias());
  shape.hasTable = load.getTable().has_value();
  // 32 lanes are for small images that are stored as they are (62 of 62).
  constexpr int64_t notSmall = 9;
  int64_t width = computed[3];
  hw::chooseLanes(info, shape, computed[2],
                  isExchanged() ? std::max(width, notSmall) : width);
  if (std::optional<uint64_t> lanes = conv.getLanes())
    shape.lanesLog2 = llvm::Log2_64(*lanes);
  // Planes of a tensor are the engines.
  if (load.getSource()) {
    MemRefType planes = load.getSource().getType();
    int64_t engines = std::min<int64_t>(planes.getDimSize(1), info.neCount);
    if (llvm::isPowerOf2_64(engines)) {
      shape.activeNeLog2 = llvm::Log2_64(engines);
      shape.lanesLog2 = llvm::Log2_64_Ceil(planes.getDimSize(3) / shape.cin);
    }
  }
  return shape;
}

void TaskEncoder::encodeGroups(const hw::KernelShape &shape) {
  namespace C = h13::Common;
  // A depthwise convolution is one group in which each output has its own
  // input.
  set(C::GroupConvCfg_UnicastEn, shape.depthwise);
  if (shape.groups > 1 && !shape.depthwise) {
    int64_t groups = shape.groups;
    set(C::GroupConvCfg_NumGroups, groups);
    set(C::Cin_Cin, shape.cin);
    set(C::Cout_Cout, shape.cout / groups);
    if (place.sources[0])
      set(h13::TileDMASrc::Src1GroupStride_Stride,
          place.sources[0]->layout.strides[1] * shape.cin);
    if (place.target)
      set(h13::TileDMADst::GroupStride_Stride,
          place.target->layout.strides[1] * (shape.cout / groups));
  }
}

LogicalResult TaskEncoder::encodeConv(NeConvOp conv) {
  namespace C = h13::Common;
  namespace N = h13::NE;
  auto load = conv.getKernel().getDefiningOp<KernelLoadOp>();
  int64_t strideY = conv.getStrides()[0], strideX = conv.getStrides()[1];
  if (strideX != strideY || strideX > int64_t(info.maxStride))
    return conv.emitOpError("has strides ")
           << strideY << " x " << strideX
           << ", but both must be equal and at most " << info.maxStride;
  hw::KernelShape shape = kernelShape(conv);
  auto workOf = [&] {
    NeWork work = neWork();
    work.channels = shape.cin;
    work.oneLane = !shape.depthwise && shape.lanesLog2 == 0;
    return work;
  };
  shape.smallSource = flavour.isSmallSource(workOf());
  set(C::ConvCfg_Kw, shape.kw);
  set(C::ConvCfg_Kh, shape.kh);
  set(C::ConvCfg_Sx, strideX);
  set(C::ConvCfg_Sy, strideY);
  set(C::ConvCfg_Px, conv.getPad()[1]);
  set(C::ConvCfg_Py, conv.getPad()[0]);
  set(C::ConvCfg_OCGSize, shape.lanesLog2);
  encodeGroups(shape);
  set(h13::KernelDMASrc::MasterConfig_ZeroSkipEn, shape.zeroSkipping);
  set(N::KernelCfg_SparseFmt, shape.zeroSkipping);
  set(N::KernelCfg_KernelFmt, N::KernelFmt::Float16);
  set(N::MACCfg_OpMode, N::OpMode::Conv);
  set(N::MACCfg_BiasMode, shape.hasBias);
  constexpr uint32_t halfBinaryPoint = 28; // Seen with all fp16 kernels.
  set(N::MACCfg_BinaryPoint, halfBinaryPoint);
  set(N::MACCfg_NonlinearMode, nonlinearMode(conv.getActivation()));
  setHalf(N::PostScale_PostScale, conv.getPostScale().convertToFloat());

  bool isRuntime = bool(load.getSource());
  set(N::KernelCfg_RuntimeKernel, isRuntime);
  FailureOr<StreamPlaces> places =
      isRuntime ? runtimeStreams(load) : constants.addKernel(load, shape);
  if (failed(places) ||
      failed(encodeStreams(*places,
                           isRuntime ? place.kernel->base : hw::BaseConst)))
    return failure();
  macs = int64_t(shape.cout) * shape.kh * shape.kw * computed[2] * computed[3] *
         (shape.depthwise ? 1 : shape.cin);
  const NeWork work = workOf();
  encodeShapeCodes(flavour.convShape(work), shape.activeNeLog2,
                   shape.smallSource);
  set(C::Cfg_AccDoubleBufEn, flavour.doubleBuffers(shape.lanesLog2, work));
  return success();
}

LogicalResult TaskEncoder::encodeBypass(NeBypassOp bypass) {
  namespace C = h13::Common;
  namespace N = h13::NE;
  int64_t channels = computed[1];
  // An exchanged result has its columns on the engines: 8 of them up to 8
  // columns, 16 from 64 on (45 of 45; between them is a guess).
  constexpr int64_t fewColumns = 8;
  if (isExchanged() && flavour.exchangesByColumns)
    channels = std::max(fewColumns, computed[3]);
  uint32_t activeNe =
      llvm::Log2_64_Ceil(std::min<int64_t>(info.neCount, channels));
  set(C::GroupConvCfg_UnicastEn, 1);
  NeWork work = neWork();
  // Channels that an engine exchanges at once; more than 8 are not on record.
  constexpr uint32_t mostLanesLog2 = 3;
  if (isExchanged() && flavour.exchangesLanes)
    work.lanesLog2 = std::min<uint32_t>(
        mostLanesLog2,
        llvm::Log2_64_Ceil(llvm::divideCeil(computed[1], info.neCount)));
  set(C::ConvCfg_OCGSize, work.lanesLog2);
  encodeShapeCodes(flavour.bypassShape(work), activeNe);
  set(C::Cfg_AccDoubleBufEn, flavour.doubleBuffers(work.lanesLog2, work));
  set(N::MACCfg_OpMode, N::OpMode::Bypass);
  set(N::MACCfg_KernelMode, 1);
  // The epsilon of a reciprocal root is added in front of the table.
  if (std::optional<ActivationAttr> act = bypass.getActivation();
      act && act->getKind() == ActivationKind::Rsqrt && act->getAlpha() != 0) {
    set(N::MACCfg_OpMode, N::OpMode::Conv);
    setHalf(N::AccBias_AccBias, act->getAlpha());
    set(C::DPE_Category, 1);
  }
  // A number is added in front of a table in the same way as an epsilon: bytes
  // are told apart between 0 and 1, since an infinite sample at 0 has no value.
  if (std::optional<ActivationAttr> act = bypass.getActivation();
      act && act->getKind() == ActivationKind::WherePositive &&
      !std::isfinite(act->getBeta()) &&
      sourceType.getElementType().isUnsignedInteger(8)) {
    set(N::MACCfg_OpMode, N::OpMode::Conv);
    setHalf(N::AccBias_AccBias, -0.5);
    set(C::DPE_Category, 1);
  }
  set(N::MACCfg_NonlinearMode, nonlinearMode(bypass.getActivation()));
  // Not in tasks on bytes (seen).
  if (flavour.bypassKernelFormat && sourceType.getElementType().isF16()) {
    constexpr uint32_t halfBinaryPoint = 28;
    set(N::KernelCfg_KernelFmt, N::KernelFmt::Float16);
    set(N::MACCfg_BinaryPoint, halfBinaryPoint);
  }
  setHalf(N::PostScale_PostScale, bypass.getPostScale().convertToFloat());
  if (!bypass.getKernel())
    return success();
  FailureOr<StreamPlaces> places = constants.addTable(
      bypass.getKernel().getDefiningOp<KernelLoadOp>(), channels);
  if (failed(places))
    return failure();
  return encodeStreams(*places, hw::BaseConst);
}

// A maximum is over neighbouring channels of each engine; a sum is a
// convolution without coefficients (seen with the table of 1/x).
LogicalResult TaskEncoder::encodeNeReduce(NeReduceOp reduce) {
  namespace C = h13::Common;
  namespace N = h13::NE;
  bool isMax = reduce.getKind() == ReduceKind::Max;
  NeWork work = neWork();
  work.channels = sourceType.getDimSize(1);
  work.addsChannels = !isMax;
  set(C::GroupConvCfg_UnicastEn, isMax);
  set(C::GroupConvCfg_UnicastCin, isMax ? sourceType.getDimSize(1) : 1);
  encodeShapeCodes(flavour.bypassShape(work), 0,
                   !isMax && flavour.isSmallSource(work));
  set(C::Cfg_AccDoubleBufEn, flavour.doubleBuffers(0, work));
  set(C::DPE_Category, !isMax);
  set(h13::L2::L2Cfg_PaddingMode, isMax);
  set(N::MACCfg_OpMode, isMax ? N::OpMode::ChannelMax : N::OpMode::Conv);
  set(N::MACCfg_KernelMode, 1);
  set(N::MACCfg_NonlinearMode, nonlinearMode(reduce.getActivation()));
  if (flavour.bypassKernelFormat) {
    constexpr uint32_t halfBinaryPoint = 28;
    set(N::KernelCfg_KernelFmt, N::KernelFmt::Float16);
    set(N::MACCfg_BinaryPoint, halfBinaryPoint);
  }
  setHalf(N::PostScale_PostScale, 1);
  if (!reduce.getKernel())
    return success();
  FailureOr<StreamPlaces> places =
      constants.addTable(reduce.getKernel().getDefiningOp<KernelLoadOp>(), 1);
  if (failed(places))
    return failure();
  return encodeStreams(*places, hw::BaseConst);
}

// The only record of one has units of two rows of 64 columns, for one pixel.
LogicalResult TaskEncoder::encodeNeProduct(NeProductOp product) {
  namespace C = h13::Common;
  namespace N = h13::NE;
  constexpr uint32_t factors = 2, productCategory = 2, halfBinaryPoint = 28;
  set(C::GroupConvCfg_UnicastEn, 1);
  set(C::GroupConvCfg_ElemMultMode, 1);
  set(C::GroupConvCfg_UnicastCin, factors);
  encodeShapeCodes({1, 1, 1}, llvm::Log2_64_Ceil(std::min<int64_t>(
                                  info.neCount, computed[1])));
  set(C::Cfg_AccDoubleBufEn, flavour.doubleBuffers(0, neWork()));
  set(C::DPE_Category, productCategory);
  set(N::MACCfg_OpMode, N::OpMode::ElementMultiply);
  set(N::MACCfg_KernelMode, 1);
  set(N::MACCfg_NonlinearMode, nonlinearMode(product.getActivation()));
  set(N::KernelCfg_KernelFmt, N::KernelFmt::Float16);
  set(N::MACCfg_BinaryPoint, halfBinaryPoint);
  setHalf(N::PostScale_PostScale, 1);
  if (!product.getKernel())
    return success();
  FailureOr<StreamPlaces> places = constants.addTable(
      product.getKernel().getDefiningOp<KernelLoadOp>(), computed[1]);
  if (failed(places))
    return failure();
  return encodeStreams(*places, hw::BaseConst);
}

//===----------------------------------------------------------------------===//
// PE
//===----------------------------------------------------------------------===//

// Dimensions of size 1 that the engine repeats: 1 W, 2 H, 4 D, 8 C. A batch is
// repeated by a group stride of 0.
uint32_t TaskEncoder::broadcastMask(MemRefType source, ArrayRef<int64_t> whole,
                                    bool exchange) const {
  SmallVector<int64_t> shape(source.getShape());
  if (exchange)
    std::swap(shape[1], shape[3]);
  if (whole.size() == 5 && shape.size() == 4)
    shape.insert(shape.begin() + 2, 1);
  constexpr uint32_t bits[] = {0, 8, 2, 1}, deepBits[] = {0, 8, 4, 2, 1};
  uint32_t mask = 0;
  for (size_t dim = 1; dim < whole.size(); ++dim)
    if (shape[dim] != whole[dim])
      mask |= (whole.size() == 5 ? deepBits : bits)[dim];
  return mask;
}

void TaskEncoder::encodePeEpilogue(float scale, float bias,
                                   std::optional<ActivationAttr> activation) {
  namespace P = h13::PE;
  setHalf(P::BiasScale_Scale, scale);
  setHalf(P::BiasScale_Bias, bias);
  setHalf(P::PreScale_PreScale, 1);
  if (!activation)
    return;
  set(P::Cfg_ReluEn, activation->getKind() == ActivationKind::Relu);
  set(P::Cfg_Cond, activation->getKind() == ActivationKind::Abs
                       ? P::Cond::Abs
                       : P::Cond::None);
}

LogicalResult TaskEncoder::encodeReduce(PeReduceOp reduce) {
  namespace C = h13::Common;
  namespace P = h13::PE;
  bool isMax = reduce.getKind() == ReduceKind::Max;
  set(C::Cfg_TaskType, C::TaskType::PEReduction);
  set(P::Cfg_PoolMode, isMax ? P::PoolMode::Max : P::PoolMode::Sum);
  // Seen exactly on maxima.
  set(h13::L2::L2Cfg_PaddingMode, isMax);
  encodePeEpilogue(1, 0, std::nullopt);
  SmallVector<int64_t> whole = wholeShape();
  bool squares = reduce.getKind() == ReduceKind::SumSquare ||
                 reduce.getKind() == ReduceKind::MeanSquare;
  if (squares)
    set(P::Cfg_OpMode, P::OpMode::SquareSum);
  if (secondType) {
    set(C::Cfg_TaskType, C::TaskType::PEElementwiseReduction);
    set(C::PECfg_Src1Broadcast,
        broadcastMask(sourceType, whole, sources[0].exchanged));
    set(C::PECfg_Src2Broadcast,
        broadcastMask(secondType, whole, sources[1].exchanged));
    set(P::Cfg_SecSrc, P::SecSrc::Plain);
    set(P::Cfg_FirstSrc, reduce.getSubtractOffset());
  }
  if (std::optional<ActivationAttr> act = reduce.getActivation()) {
    bool isRoot = act->getKind() == ActivationKind::Rsqrt;
    set(P::Cfg_NLMode,
        isRoot ? P::NLMode::ReciprocalRoot : P::NLMode::Reciprocal);
    setHalf(P::PreScale_Epsilon, act->getAlpha());
  }
  if (reduce.getKind() != ReduceKind::Mean &&
      reduce.getKind() != ReduceKind::MeanSquare)
    return success();
  int64_t count = whole.back() *
                  (hasRowGroups() ? 1 : whole[whole.size() - 2]) *
                  (whole.size() == 5 ? whole[2] : 1);
  float factor = 1.0f / static_cast<float>(count);
  uint32_t bits;
  std::memcpy(&bits, &factor, sizeof(bits));
  set(P::FinalScale_FinalScale, bits);
  return success();
}

// A copy whose result is interleaved (TaskEncoder.cpp).
void TaskEncoder::encodeInterleave(PeInterleaveOp) {
  set(h13::Common::Cfg_TaskType, h13::Common::TaskType::PEUnary);
  encodePeEpilogue(1, 0, std::nullopt);
}

LogicalResult TaskEncoder::encodeNormalize(PeNormalizeOp normalize) {
  namespace C = h13::Common;
  namespace P = h13::PE;
  set(C::Cfg_TaskType, C::TaskType::PEScaleBias);
  set(P::Cfg_SecSrc,
      normalize.getAdd() ? P::SecSrc::Plain : P::SecSrc::Negated);
  // Rows and columns are repeated in any case.
  constexpr uint32_t channels = 8;
  set(C::PECfg_Src2Broadcast, normalize.getAllChannels() ? channels : 0);
  encodePeEpilogue(1, 0, normalize.getActivation());
  return success();
}

void TaskEncoder::encodePatch(ArrayRef<int64_t> whole) {
  namespace C = h13::Common;
  int64_t height = hasRowGroups() ? 1 : whole[whole.size() - 2];
  int64_t width = whole.back();
  PatchShape patch = flavour.memory->patch(width, height, secondType ? 2 : 1);
  // What the NEs take patch by patch comes in their work units (12 of 12).
  if (place.feedsNeural && isa<PeElementwiseOp>(compute)) {
    uint32_t unit = hw::leastAreaUnit(height, width, /*elementBytes=*/2,
                                      /*last=*/4, hw::UnitTies::Largest);
    constexpr PatchShape units[] = {{7, 0}, {6, 1}, {5, 2}, {4, 3}, {4, 4}};
    patch = units[unit];
  }
  set(C::PatchCfg_PatchWidth, patch.width);
  set(C::PatchCfg_PatchHeight, patch.height);
}

LogicalResult TaskEncoder::encodePair(PeElementwiseOp pair,
                                      ArrayRef<int64_t> whole,
                                      uint32_t firstMask) {
  namespace C = h13::Common;
  namespace P = h13::PE;
  set(h13::L2::L2Cfg_Src2InputReLU, pair.getReluRhs());
  uint32_t secondMask = broadcastMask(secondType, whole, sources[1].exchanged);
  auto isRepeated = [&](uint32_t mask, MemRefType type) {
    return mask || type.getDimSize(0) != resultType.getDimSize(0);
  };
  if ((isRepeated(firstMask, sourceType) && place.sources[0]) ||
      (isRepeated(secondMask, secondType) && place.sources[1]))
    if (failed(unproven("a broadcast of a source of a pair that comes from "
                        "DRAM")))
      return failure();
  set(C::PECfg_Src2Broadcast, secondMask);
  set(C::Cfg_TaskType, C::TaskType::PEElementwise);
  set(P::Cfg_SecSrc, pair.getKind() == ElementwiseKind::Sub ? P::SecSrc::Negated
                                                            : P::SecSrc::Plain);
  switch (pair.getKind()) {
  case ElementwiseKind::Mul:
    set(P::Cfg_OpMode, P::OpMode::Mul);
    break;
  case ElementwiseKind::Max:
    set(P::Cfg_OpMode, P::OpMode::Max);
    break;
  case ElementwiseKind::Min:
    set(P::Cfg_OpMode, P::OpMode::Min);
    break;
  default:
    set(P::Cfg_OpMode, P::OpMode::Add);
    break;
  }
  encodePeEpilogue(pair.getScale().convertToFloat(),
                   pair.getBias().convertToFloat(), pair.getActivation());
  return success();
}

LogicalResult TaskEncoder::encodePe() {
  namespace C = h13::Common;
  namespace P = h13::PE;
  constexpr uint32_t one = 0x3f800000;
  set(P::FinalScale_FinalScale, one);
  if (flavour.planarDefaults)
    encodeIdleNe();
  SmallVector<int64_t> whole = wholeShape();
  encodePatch(whole);
  if (auto reduce = dyn_cast<PeReduceOp>(compute))
    return encodeReduce(reduce);
  if (auto interleave = dyn_cast<PeInterleaveOp>(compute)) {
    encodeInterleave(interleave);
    return success();
  }
  if (auto normalize = dyn_cast<PeNormalizeOp>(compute))
    return encodeNormalize(normalize);
  uint32_t firstMask = broadcastMask(sourceType, whole, sources[0].exchanged);
  set(C::PECfg_Src1Broadcast, firstMask);
  if (auto unary = dyn_cast<PeUnaryOp>(compute)) {
    set(C::Cfg_TaskType, C::TaskType::PEUnary);
    encodePeEpilogue(unary.getScale().convertToFloat(),
                     unary.getBias().convertToFloat(), unary.getActivation());
    return success();
  }
  return encodePair(cast<PeElementwiseOp>(compute), whole, firstMask);
}
