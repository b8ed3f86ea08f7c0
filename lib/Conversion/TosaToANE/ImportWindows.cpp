//===- ImportWindows.cpp - TOSA convolutions and poolings -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops over windows of an NHWC image: a transpose, the op in NCHW and a
// transpose back. TOSA's paddings are in our order (top, bottom, left, right)
// already.
//
//===----------------------------------------------------------------------===//

#include "ImportTosa.h"

#include "ane/Dialect/ANE/Utils/Padding.h"
#include "ane/Dialect/ANE/Utils/Volume.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

/// The NCHW form of an NHWC shape.
static SmallVector<int64_t> shapeNCHW(Type type) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape();
  return {shape[0], shape[3], shape[1], shape[2]};
}

/// A window over the rows and columns of an image.
static VolumeWindow windowOf(ArrayRef<int64_t> kernel,
                             ArrayRef<int64_t> strides, ArrayRef<int64_t> pad) {
  VolumeWindow window;
  llvm::copy(kernel, window.kernel + 1);
  llvm::copy(strides, window.strides + 1);
  llvm::copy(pad, window.pad + 2);
  return window;
}

namespace {
/// The imported operands of a convolution, the image in NCHW.
struct ConvOperands {
  Value image, weight, bias;
  Type elementType;
  double factor = 0; ///< not 0: the result is an accumulator of integers
};
} // namespace

/// The power of 2 that makes every sum of products of `weight` with bytes fit
/// f16. `weight` is constant and has its output channels along `dim`.
static double factorOf(DenseIntElementsAttr weight, double zeroPoint,
                       int64_t outputs, int64_t stride) {
  constexpr double largestByte = 255, limit = 32768;
  SmallVector<double> sums(weight.isSplat() ? 1 : outputs, 0);
  if (weight.isSplat())
    sums[0] =
        double(weight.getNumElements()) / outputs *
        std::fabs(weight.getSplatValue<APInt>().getSExtValue() - zeroPoint);
  else
    for (auto [index, value] : llvm::enumerate(weight.getValues<APInt>()))
      sums[int64_t(index) / stride % outputs] +=
          std::fabs(value.getSExtValue() - zeroPoint);
  double bound = largestByte * std::max(1.0, *llvm::max_element(sums));
  return std::exp2(std::ceil(std::log2(bound / limit)));
}

/// Bytes: the numbers that they stand for, and weight and bias made smaller.
template <typename OpTy>
static LogicalResult quantize(FunctionImporter &importer, OpTy op,
                              ConvOperands &operands, int64_t outputs,
                              int64_t stride) {
  auto image = withoutZeroPoint(importer, op, operands.image, op.getInputZp(),
                                "an input zero point");
  auto weight = withoutZeroPoint(importer, op, operands.weight,
                                 op.getWeightZp(), "a weight zero point");
  // A reshape leaves the elements in their order.
  Value source = op.getWeight();
  while (auto reshape = source.template getDefiningOp<tosa::ReshapeOp>())
    source = reshape.getInput1();
  auto numbers = dyn_cast_or_null<DenseIntElementsAttr>(
      FunctionImporter::constant(source));
  if (failed(image) || failed(weight))
    return failure();
  if (!numbers)
    return op.emitOpError("has weights of integers that are not a constant of "
                          "the text");
  Location loc = op.getLoc();
  operands.factor = factorOf(
      numbers, *FunctionImporter::splat(op.getWeightZp()), outputs, stride);
  auto smaller = [&](Value value) {
    return createBinary(
        importer, loc, ElementwiseKind::Mul, value,
        createNumber(importer, loc, value, 1 / operands.factor));
  };
  operands.image = *image;
  operands.weight = smaller(*weight);
  operands.bias = smaller(operands.bias);
  return success();
}

/// Output channel i of the weight is where index / stride % outputs is i.
template <typename OpTy>
static FailureOr<ConvOperands> convOperands(FunctionImporter &importer, OpTy op,
                                            int64_t outputs, int64_t stride) {
  bool isQuantized = getElementTypeOrSelf(op.getInput().getType()).isInteger(8);
  if (!isQuantized &&
      (failed(checkZeroPoint(op, op.getInputZp(), "an input zero point")) ||
       failed(checkZeroPoint(op, op.getWeightZp(), "a weight zero point"))))
    return failure();
  FailureOr<Value> image = importer.operand(op, 0);
  FailureOr<Value> weight = importer.operand(op, 1);
  FailureOr<Value> bias = importer.operand(op, 2);
  if (failed(image) || failed(weight) || failed(bias))
    return failure();
  ConvOperands operands{*image, *weight, *bias, Type(), 0};
  if (isQuantized && failed(quantize(importer, op, operands, outputs, stride)))
    return failure();
  operands.image = importer.toImage(op.getLoc(), operands.image);
  operands.elementType =
      FunctionImporter::elementType({operands.image, *weight, *bias});
  return operands;
}

/// A bias of one element serves all channels; only a bias for each channel can
/// be part of a convolution.
static bool isPerChannel(Value bias, int64_t channels) {
  return shapeOf(bias)[0] == channels;
}

static Value addBias(FunctionImporter &importer, Location loc, Value image,
                     Value bias) {
  Value column = importer.reshape(loc, bias, {1, shapeOf(bias)[0], 1, 1});
  return ElementwiseOp::create(
      importer.builder, loc, image.getType(), ElementwiseKind::Add, image,
      column, llvm::APFloat(1.0f), llvm::APFloat(0.0f), ActivationAttr());
}

/// Builds the convolution with `weight` in OIHW and maps the result of `op`.
template <typename OpTy>
static LogicalResult finishConv(FunctionImporter &importer, OpTy op,
                                const ConvOperands &operands, Value weight,
                                int64_t groups) {
  Location loc = op.getLoc();
  bool fits = isPerChannel(operands.bias, shapeNCHW(op.getType())[1]);
  VolumeWindow window =
      windowOf(shapeOf(weight).take_back(2), op.getStride(), op.getPad());
  llvm::copy(op.getDilation(), window.dilations + 1);
  Value result = convolveImage(importer.builder, loc, operands.image, weight,
                               fits ? operands.bias : Value(), window, groups,
                               operands.elementType);
  if (!fits)
    result = addBias(importer, loc, result, operands.bias);
  result = importer.toNHWC(loc, result);
  if (operands.factor != 0)
    importer.mapScaled(op, result, operands.factor);
  else
    importer.map(op, result);
  return success();
}

static LogicalResult importConv2D(FunctionImporter &importer,
                                  tosa::Conv2DOp op) {
  auto shape = cast<RankedTensorType>(op.getWeight().getType()).getShape();
  FailureOr<ConvOperands> operands =
      convOperands(importer, op, shape[0], shape[1] * shape[2] * shape[3]);
  if (failed(operands))
    return failure();
  Value weight = importer.toNCHW(op.getLoc(), operands->weight);
  return finishConv(importer, op, *operands, weight, /*groups=*/1);
}

// Volumes: NDHWC, and a weight with its input channels last, too.
static LogicalResult importConv3D(FunctionImporter &importer,
                                  tosa::Conv3DOp op) {
  if (getElementTypeOrSelf(op.getInput().getType()).isInteger(8))
    return op.emitOpError("has volumes of bytes, which cannot be imported; use "
                          "floating-point numbers");
  if (failed(checkZeroPoint(op, op.getInputZp(), "an input zero point")) ||
      failed(checkZeroPoint(op, op.getWeightZp(), "a weight zero point")))
    return failure();
  FailureOr<Value> x = importer.operand(op, 0),
                   weight = importer.operand(op, 1),
                   bias = importer.operand(op, 2);
  if (failed(x) || failed(weight) || failed(bias))
    return failure();
  Location loc = op.getLoc();
  constexpr int64_t channelsFirst[] = {0, 4, 1, 2, 3};
  constexpr int64_t channelsLast[] = {0, 2, 3, 4, 1};
  Value volume = importer.transpose(loc, *x, channelsFirst);
  Value filter = importer.transpose(loc, *weight, channelsFirst);
  VolumeWindow window;
  llvm::copy(shapeOf(filter).drop_front(2), window.kernel);
  llvm::copy(op.getStride(), window.strides);
  llvm::copy(op.getDilation(), window.dilations);
  llvm::copy(op.getPad(), window.pad);
  if (auto why = checkVolume(shapeOf(volume), window, /*groups=*/1,
                             /*isTransposed=*/false))
    return op.emitOpError(*why);
  bool fits = isPerChannel(*bias, shapeOf(filter)[0]);
  Value result = convolveVolume(importer.builder, loc, volume, filter,
                                fits ? *bias : Value(), window, /*groups=*/1);
  result = importer.transpose(loc, result, channelsLast);
  if (!fits)
    result = createBinary(importer, loc, ElementwiseKind::Add, result,
                          importer.reshape(loc, *bias, {1, 1, 1, 1, 1}));
  importer.map(op, result);
  return success();
}

// The weight is Kh x Kw x C x M, and output channel c * M + m is made from
// input channel c: groups that follow each other.
static LogicalResult importDepthwise(FunctionImporter &importer,
                                     tosa::DepthwiseConv2DOp op) {
  auto shape = cast<RankedTensorType>(op.getWeight().getType()).getShape();
  FailureOr<ConvOperands> operands =
      convOperands(importer, op, shape[2] * shape[3], /*stride=*/1);
  if (failed(operands))
    return failure();
  Value weight =
      importer.transpose(op.getLoc(), operands->weight, {2, 3, 0, 1});
  weight = importer.reshape(op.getLoc(), weight,
                            {shape[2] * shape[3], 1, shape[0], shape[1]});
  return finishConv(importer, op, *operands, weight, /*groups=*/shape[2]);
}

// TOSA's `out_pad` adds rows and columns to the result, ours takes them away.
// Rows that lie outside of every window hold the bias alone: they are padded
// after the convolution, and then the bias comes last.
static LogicalResult importTransposeConv2D(FunctionImporter &importer,
                                           tosa::TransposeConv2DOp op) {
  auto weights = cast<RankedTensorType>(op.getWeight().getType()).getShape();
  FailureOr<ConvOperands> operands = convOperands(
      importer, op, weights[0], weights[1] * weights[2] * weights[3]);
  if (failed(operands))
    return failure();
  Location loc = op.getLoc();
  Value weight = importer.transpose(loc, operands->weight, {3, 0, 1, 2});
  SmallVector<int64_t> pad, low(4, 0), high(4, 0);
  SmallVector<int64_t> shape = shapeNCHW(op.getType()), inner = shape;
  for (int64_t i = 0; i < 4; ++i) {
    int64_t added = op.getOutPad()[i];
    pad.push_back(std::max<int64_t>(-added, 0));
    (i % 2 ? high : low)[2 + i / 2] = std::max<int64_t>(added, 0);
    inner[2 + i / 2] -= std::max<int64_t>(added, 0);
  }
  bool grows = inner != shape;
  bool fits = !grows && isPerChannel(operands->bias, shape[1]);
  Value result = ConvTransposeOp::create(
      importer.builder, loc,
      RankedTensorType::get(inner, operands->elementType), operands->image,
      weight, fits ? operands->bias : Value(), /*scale=*/Value(),
      op.getStride(), pad, /*dilations=*/ArrayRef<int64_t>{1, 1},
      /*groups=*/1, /*activation=*/ActivationAttr());
  if (grows)
    result =
        PadOp::create(importer.builder, loc, withShape(result.getType(), shape),
                      result, low, high, llvm::APFloat(0.0f));
  if (!fits)
    result = addBias(importer, loc, result, operands->bias);
  result = importer.toNHWC(loc, result);
  if (operands->factor != 0)
    importer.mapScaled(op, result, operands->factor);
  else
    importer.map(op, result);
  return success();
}

template <typename OpTy>
static LogicalResult importPool(FunctionImporter &importer, OpTy op,
                                PoolKind kind) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  Value image = importer.toImage(op.getLoc(), *input);
  Value result =
      poolImage(importer.builder, op.getLoc(), kind, image,
                windowOf(op.getKernel(), op.getStride(), op.getPad()),
                /*countPadding=*/false);
  importer.map(op, importer.toNHWC(op.getLoc(), result));
  return success();
}

/// An average of bytes is rounded to a byte.
static LogicalResult importAvgPool(FunctionImporter &importer,
                                   tosa::AvgPool2dOp op) {
  if (!getElementTypeOrSelf(op.getType()).isInteger(8)) {
    if (failed(checkZeroPoint(op, op.getInputZp(), "an input zero point")) ||
        failed(checkZeroPoint(op, op.getOutputZp(), "an output zero point")))
      return failure();
    return importPool(importer, op, PoolKind::Average);
  }
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  auto outputZp = numbersOf(op, op.getOutputZp(), "an output zero point");
  input = withoutZeroPoint(importer, op, *input, op.getInputZp(),
                           "an input zero point");
  if (failed(input) || failed(outputZp))
    return failure();
  Location loc = op.getLoc();
  Value image = importer.toImage(loc, *input);
  Value average =
      poolImage(importer.builder, loc, PoolKind::Average, image,
                windowOf(op.getKernel(), op.getStride(), op.getPad()),
                /*countPadding=*/false);
  importer.map(op, createByte(importer, loc, importer.toNHWC(loc, average),
                              outputZp->front()));
  return success();
}

void mlir::ane::addTosaWindowImport(FunctionImporter &importer) {
  importer.add<tosa::AvgPool2dOp>(importAvgPool);
  importer.add<tosa::Conv2DOp>(importConv2D);
  importer.add<tosa::Conv3DOp>(importConv3D);
  importer.add<tosa::DepthwiseConv2DOp>(importDepthwise);
  importer.add<tosa::MaxPool2dOp>(
      [](FunctionImporter &importer, tosa::MaxPool2dOp op) {
        return importPool(importer, op, PoolKind::Max);
      });
  importer.add<tosa::TransposeConv2DOp>(importTransposeConv2D);
}
