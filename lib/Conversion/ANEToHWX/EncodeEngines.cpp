//===- EncodeEngines.cpp - What the NEs and the PE compute ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskEncoder.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/HW/H13.h"
#include "ane/HW/WorkUnits.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <cstring>

// After all others: its macros have short names.
#include "ExecuteRules.h"

using namespace mlir;
using namespace mlir::ane;
namespace hw = ::ane::hw;
namespace h13 = ::ane::hw::h13;

//===----------------------------------------------------------------------===//
// Coefficients
//===----------------------------------------------------------------------===//

void TaskEncoder::encodeKernelDefaults() {
  using h13::CacheHint;
#include "Rules/KernelDefaults.def"
}

// What the registers of the NEs hold in every task of the flavour.
void TaskEncoder::encodeIdleNe() {
#include "Rules/IdleNe.def"
  encodeKernelDefaults();
}

NeWork TaskEncoder::neWork() {
  NeWork work;
  work.channels = computed[1];
  work.height = computed[2];
  work.width = computed[3];
  work.macs = macs;
  work.dramBytes = dramBytes();
  work.elementBytes = elementBytes(sourceType);
  work.keepsSource = place.keepsSource;
  work.exchanged = isExchanged();
  work.fromDram = place.sources[0].has_value();
  constexpr uint32_t behindPlanar = 2;
  work.followsPlanar = place.fineWait == behindPlanar;
  auto writer = sources[0].value.getDefiningOp<TaskOp>();
  work.waitsForPlanar =
      !place.fineWait && writer && isa<PeElementwiseOp>(writer.getCompute());
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
  assert(places.offsets.size() <= info.neCount && "a stream for each engine");
  // Readers take a header with both of the lowest bits set for a longer one,
  // which belongs to scratch memory (hw::Task).
  if ((base & 3) == 3 && base != hw::BaseScratch)
    return compute->emitOpError("reads coefficients from the tensor with base ")
           << base
           << ", which a header cannot name; copy them to an ane.buffer";
  task.passStride = places.passStride;
#include "Rules/Streams.def"
  // A table alone does not count (seen).
  if (isa<NeConvOp>(compute))
    for (auto size : places.sizes)
      kernelBytes += size;
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
    assert(info.stridesPasses && "kernel_load_c6");
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

UnitStack TaskEncoder::stackOf(uint32_t activeNe) const {
  return flavour.stackUnits
             ? flavour.stackUnits(compute,
                                  llvm::Log2_32(info.neCount) - activeNe)
             : UnitStack();
}

void TaskEncoder::encodeShapeCodes(const ShapeCodes &codes, uint32_t activeNe,
                                   bool smallSource, UnitStack stack) {
#include "Rules/ShapeCodes.def"
}

LogicalResult TaskEncoder::encodeNe() {
#include "Rules/Ne.def"
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
#include "Rules/Groups.def"
}

LogicalResult TaskEncoder::encodeConv(NeConvOp conv) {
  namespace N = h13::NE;
  auto load = conv.getKernel().getDefiningOp<KernelLoadOp>();
  int64_t strideY = conv.getStrides()[0], strideX = conv.getStrides()[1];
  hw::KernelShape shape = kernelShape(conv);
  auto workOf = [&] {
    NeWork work = neWork();
    work.channels = shape.cin;
    work.oneLane = !shape.depthwise && shape.lanesLog2 == 0;
    work.lanesLog2 = shape.lanesLog2;
    work.taps = int64_t(shape.kh) * shape.kw;
    work.weightBytes =
        2 * work.taps * shape.cout * (shape.depthwise ? 1 : int64_t(shape.cin));
    return work;
  };
  shape.smallSource = flavour.isSmallSource(workOf());
  const bool isRuntime = bool(load.getSource());
#include "Rules/Conv.def"
  encodeGroups(shape);

  FailureOr<StreamPlaces> places =
      isRuntime ? runtimeStreams(load) : constants.addKernel(load, shape);
  if (failed(places) ||
      failed(encodeStreams(*places,
                           isRuntime ? place.kernel->base : hw::BaseConst)))
    return failure();
  macs = int64_t(shape.cout) * shape.kh * shape.kw * computed[2] * computed[3] *
         (shape.depthwise ? 1 : shape.cin);
  const NeWork work = workOf();
  const ShapeCodes codes = flavour.convShape(work);
  encodeShapeCodes(codes, shape.activeNeLog2, shape.smallSource);
  unitShare = hw::unitShare(codes.maximum, work.height, work.width);
#include "Rules/ConvWork.def"
  return success();
}

LogicalResult TaskEncoder::encodeBypass(NeBypassOp bypass) {
  namespace N = h13::NE;
  int64_t channels = computed[1];
  NeWork work = neWork();
  if (isExchanged() && flavour.exchangesLanes)
    work.lanesLog2 = hw::exchangeLanesLog2(computed[1], info.neCount);
  // An exchanged result has its columns on the engines: 8 of them up to 8
  // columns, 16 from 64 on (48 of 48; between them is a guess), and all where
  // one exchanges several channels.
  constexpr int64_t fewColumns = 8;
  if (isExchanged() && flavour.exchangesByColumns)
    channels =
        work.lanesLog2 ? info.neCount : std::max(fewColumns, computed[3]);
  uint32_t activeNe =
      llvm::Log2_64_Ceil(std::min<int64_t>(info.neCount, channels));
  encodeShapeCodes(flavour.bypassShape(work), activeNe, /*smallSource=*/false,
                   stackOf(activeNe));
  std::optional<ActivationAttr> act = bypass.getActivation();
  const bool addsEpsilon =
      act && act->getKind() == ActivationKind::Rsqrt && act->getAlpha() != 0;
  const bool tellsBytesApart =
      act && act->getKind() == ActivationKind::WherePositive &&
      !std::isfinite(act->getBeta()) &&
      sourceType.getElementType().isUnsignedInteger(8);
#include "Rules/Bypass.def"
  if (!bypass.getKernel())
    return success();
  // One channel reads one table, also if its columns are on many engines.
  FailureOr<StreamPlaces> places =
      constants.addTable(bypass.getKernel().getDefiningOp<KernelLoadOp>(),
                         std::min(channels, computed[1]));
  if (failed(places))
    return failure();
  return encodeStreams(*places, hw::BaseConst);
}

// A maximum is over neighbouring channels of each engine; a sum is a
// convolution without coefficients (seen with the table of 1/x).
LogicalResult TaskEncoder::encodeNeReduce(NeReduceOp reduce) {
  namespace N = h13::NE;
  bool isMax = reduce.getKind() == ReduceKind::Max;
  NeWork work = neWork();
  work.channels = sourceType.getDimSize(1);
  work.addsChannels = !isMax;
  encodeShapeCodes(flavour.bypassShape(work), 0,
                   !isMax && flavour.isSmallSource(work));
#include "Rules/NeReduce.def"
  if (!reduce.getKernel())
    return success();
  FailureOr<StreamPlaces> places =
      constants.addTable(reduce.getKernel().getDefiningOp<KernelLoadOp>(), 1);
  if (failed(places))
    return failure();
  return encodeStreams(*places, hw::BaseConst);
}

LogicalResult TaskEncoder::encodeNeProduct(NeProductOp product) {
  namespace N = h13::NE;
  const uint32_t activeNe =
      llvm::Log2_64_Ceil(std::min<int64_t>(info.neCount, computed[1]));
  const UnitStack stack = stackOf(activeNe);
  ShapeCodes codes = channelProductShape(neWork());
  codes.maximum += stack.isFat;
  encodeShapeCodes(codes, activeNe, /*smallSource=*/false, stack);
#include "Rules/NeProduct.def"
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
#include "Rules/PeEpilogue.def"
}

LogicalResult TaskEncoder::encodeReduce(PeReduceOp reduce) {
  namespace C = h13::Common;
  namespace P = h13::PE;
  encodePeEpilogue(1, 0, std::nullopt);
  SmallVector<int64_t> whole = wholeShape();
  std::optional<ActivationAttr> act = reduce.getActivation();
#include "Rules/PeReduce.def"
  if (reduce.getKind() != ReduceKind::Mean &&
      reduce.getKind() != ReduceKind::MeanSquare)
    return success();
  int64_t count = whole.back() *
                  (hasRowGroups() ? 1 : whole[whole.size() - 2]) *
                  (whole.size() == 5 ? whole[2] : 1);
  float factor = 1.0f / static_cast<float>(count);
  uint32_t bits;
  std::memcpy(&bits, &factor, sizeof(bits));
#include "Rules/PeMean.def"
  return success();
}

// A copy whose result is interleaved (TaskEncoder.cpp).
void TaskEncoder::encodeInterleave(PeInterleaveOp) {
#include "Rules/PeInterleave.def"
  encodePeEpilogue(1, 0, std::nullopt);
}

LogicalResult TaskEncoder::encodeNormalize(PeNormalizeOp normalize) {
  namespace C = h13::Common;
  namespace P = h13::PE;
#include "Rules/PeNormalize.def"
  encodePeEpilogue(1, 0, normalize.getActivation());
  return success();
}

PatchShape TaskEncoder::patchOf(ArrayRef<int64_t> whole) const {
  int64_t height = hasRowGroups() ? 1 : whole[whole.size() - 2];
  PatchShape patch =
      flavour.memory->patch(whole.back(), height, secondType ? 2 : 1);
  if (int64_t columns = flavour.memory->reducedColumns;
      columns && height > 1 && isa<PeReduceOp>(compute))
    patch.width = std::min(patch.width, llvm::Log2_64(columns));
  return patch;
}

void TaskEncoder::encodePatch(ArrayRef<int64_t> whole) {
  int64_t height = hasRowGroups() ? 1 : whole[whole.size() - 2];
  int64_t width = whole.back();
  PatchShape patch = patchOf(whole);
  // What the NEs take patch by patch comes in their work units (12 of 12).
  if (place.feedsNeural && isa<PeElementwiseOp>(compute)) {
    uint32_t unit = hw::minAreaUnit(height, width, /*elementBytes=*/2,
                                    /*last=*/4, hw::UnitTies::Largest);
    constexpr PatchShape units[] = {{7, 0}, {6, 1}, {5, 2}, {4, 3}, {4, 4}};
    patch = units[unit];
  }
#include "Rules/PePatch.def"
}

LogicalResult TaskEncoder::encodePair(PeElementwiseOp pair,
                                      ArrayRef<int64_t> whole,
                                      uint32_t firstMask) {
  namespace C = h13::Common;
  namespace P = h13::PE;
#include "Rules/PePairMasks.def"
  uint32_t secondMask = broadcastMask(secondType, whole, sources[1].exchanged);
  auto isRepeated = [&](uint32_t mask, MemRefType type) {
    return mask || type.getDimSize(0) != resultType.getDimSize(0);
  };
  if (!info.configuresSources &&
      ((isRepeated(firstMask, sourceType) && place.sources[0]) ||
       (isRepeated(secondMask, secondType) && place.sources[1])))
    if (failed(unproven("a broadcast of a source of a pair that comes from "
                        "DRAM")))
      return failure();
#include "Rules/PePair.def"
  encodePeEpilogue(pair.getScale().convertToFloat(),
                   pair.getBias().convertToFloat(), pair.getActivation());
  return success();
}

LogicalResult TaskEncoder::encodePe() {
  namespace C = h13::Common;
#include "Rules/Pe.def"
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
#include "Rules/PeFirstMask.def"
  if (auto unary = dyn_cast<PeUnaryOp>(compute)) {
#include "Rules/PeUnary.def"
    encodePeEpilogue(unary.getScale().convertToFloat(),
                     unary.getBias().convertToFloat(), unary.getActivation());
    return success();
  }
  return encodePair(cast<PeElementwiseOp>(compute), whole, firstMask);
}
