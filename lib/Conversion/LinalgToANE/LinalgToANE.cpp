//===- LinalgToANE.cpp - linalg to the ane dialect ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass, named convolutions and poolings, and what a destination held before
// an op accumulates on it: nothing (a fill), a bias (a broadcast), or data.
//
//===----------------------------------------------------------------------===//

#include "ane/Conversion/LinalgToANE/LinalgToANE.h"

#include "ImportLinalg.h"

#include "ane/Dialect/ANE/Utils/Volume.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::ane;

namespace mlir {
namespace ane {
#define GEN_PASS_DEF_CONVERTLINALGTOANE
#include "ane/Conversion/Passes.h.inc"
} // namespace ane
} // namespace mlir

/// The value that a destination has everywhere, if it is that simple.
std::optional<double> mlir::ane::uniformValue(Value init) {
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    return FunctionImporter::splat(fill.getInputs().front());
  return FunctionImporter::splat(init);
}

LogicalResult mlir::ane::mapWithInit(FunctionImporter &importer,
                                     linalg::LinalgOp op, Value result,
                                     ElementwiseKind kind) {
  Value init = op.getDpsInits()[0];
  std::optional<double> uniform = uniformValue(init);
  // Maxima start from the least number of the type, whichever that is.
  bool changesNothing =
      uniform && (kind == ElementwiseKind::Max   ? *uniform <= -65504
                  : kind == ElementwiseKind::Min ? *uniform >= 65504
                                                 : *uniform == 0);
  if (!changesNothing) {
    Value before = importer.lookup(init);
    if (!before)
      return op->emitOpError("accumulates on a tensor that holds nothing; fill "
                             "its destination first");
    result = createBinary(importer, op->getLoc(), kind, result, before);
  }
  importer.map(op->getResult(0), result);
  return success();
}

//===----------------------------------------------------------------------===//
// Convolutions and poolings
//===----------------------------------------------------------------------===//

namespace {
/// How a named op stores its image and its weight.
struct WindowLayout {
  bool isNHWC;
  SmallVector<int64_t, 4> toOIHW; // permutation of the weight
  bool isDepthwise = false;       // the weight is then C x (M x) Kh x Kw
};
} // namespace

static SmallVector<int64_t> numbers(DenseIntElementsAttr attr) {
  return llvm::to_vector(attr.getValues<int64_t>());
}

static SmallVector<int64_t> shapeNCHW(Type type, bool isNHWC) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape();
  if (!isNHWC)
    return SmallVector<int64_t>(shape);
  return {shape[0], shape[3], shape[1], shape[2]};
}

/// The vector that a convolution accumulates on, if its destination repeats one
/// value for each channel.
static Value biasOf(FunctionImporter &importer, Value init, bool isNHWC) {
  auto broadcast = init.getDefiningOp<linalg::BroadcastOp>();
  if (!broadcast)
    return {};
  int64_t rank = cast<RankedTensorType>(init.getType()).getRank();
  auto others = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  others.erase(others.begin() + (isNHWC ? rank - 1 : 1));
  if (broadcast.getDimensions() != ArrayRef(others))
    return {};
  return importer.lookup(broadcast.getInput());
}

/// Ends the import of a convolution, whose bias may be what its destination
/// held before.
static LogicalResult mapConv(FunctionImporter &importer, linalg::LinalgOp op,
                             Value result, Value bias) {
  if (!bias)
    return mapWithInit(importer, op, result, ElementwiseKind::Add);
  importer.map(op->getResult(0), result);
  return success();
}

template <typename OpTy>
static LogicalResult importConv(FunctionImporter &importer, OpTy op,
                                const WindowLayout &layout) {
  FailureOr<Value> image = importer.operand(op, 0);
  FailureOr<Value> weight = importer.operand(op, 1);
  if (failed(image) || failed(weight))
    return failure();
  Location loc = op.getLoc();
  Value input = importer.toImage(loc, *image, layout.isNHWC);
  Value kernel = importer.transpose(loc, *weight, layout.toOIHW);
  int64_t groups = 1;
  if (layout.isDepthwise) {
    SmallVector<int64_t, 4> shape(shapeOf(kernel));
    if (shape.size() == 3)
      shape.insert(shape.begin() + 1, 1);
    groups = shape[0];
    kernel = importer.reshape(loc, kernel,
                              {shape[0] * shape[1], 1, shape[2], shape[3]});
  }
  Type resultType = op->getResult(0).getType();
  Value bias = biasOf(importer, op.getDpsInits()[0], layout.isNHWC);
  // A depthwise result is N x H x W x C x M; the last two are its channels.
  SmallVector<int64_t> shape = shapeNCHW(resultType, layout.isNHWC);
  shape[1] = shapeOf(kernel)[0];
  auto type = RankedTensorType::get(
      shape, FunctionImporter::elementType({input, kernel}));
  Value result = ConvOp::create(
      importer.builder, loc, type, input, kernel, bias, /*scale=*/Value(),
      numbers(op.getStrides()), ArrayRef<int64_t>{0, 0, 0, 0},
      numbers(op.getDilations()), groups, ActivationAttr());
  if (layout.isNHWC)
    result = importer.toNHWC(loc, result);
  result = importer.reshape(loc, result,
                            cast<RankedTensorType>(resultType).getShape());
  return mapConv(importer, op, result, bias);
}

template <typename OpTy>
static void addConv(FunctionImporter &importer, const WindowLayout &layout) {
  importer.add<OpTy>([layout](FunctionImporter &importer, OpTy op) {
    return importConv(importer, op, layout);
  });
}

/// Convolutions of another rank, as one of an image: `image` and `weight` say
/// how the operands become N x C x H x W and O x I x H x W.
template <typename OpTy>
static LogicalResult
importReshapedConv(FunctionImporter &importer, OpTy op,
                   ArrayRef<int64_t> imagePerm, ArrayRef<int64_t> image,
                   ArrayRef<int64_t> weightPerm, ArrayRef<int64_t> weight,
                   ArrayRef<int64_t> strides, ArrayRef<int64_t> dilations,
                   int64_t groups) {
  FailureOr<Value> input = importer.operand(op, 0);
  FailureOr<Value> kernel = importer.operand(op, 1);
  if (failed(input) || failed(kernel))
    return failure();
  Location loc = op.getLoc();
  Value x =
      importer.reshape(loc, importer.transpose(loc, *input, imagePerm), image);
  Value w = importer.reshape(loc, importer.transpose(loc, *kernel, weightPerm),
                             weight);
  SmallVector<int64_t, 4> shape = {image[0], weight[0], 0, 0};
  for (int i : {0, 1})
    shape[2 + i] =
        (image[2 + i] - (weight[2 + i] - 1) * dilations[i] - 1) / strides[i] +
        1;
  auto type =
      RankedTensorType::get(shape, FunctionImporter::elementType({x, w}));
  Value result = ConvOp::create(importer.builder, loc, type, x, w,
                                /*bias=*/Value(), /*scale=*/Value(), strides,
                                ArrayRef<int64_t>{0, 0, 0, 0}, dilations,
                                groups, ActivationAttr());
  // Back, with the channels where they were.
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> back(imagePerm.size());
  for (auto [to, from] : llvm::enumerate(imagePerm))
    back[from] = to;
  SmallVector<int64_t> permuted;
  for (int64_t dim : imagePerm)
    permuted.push_back(resultType.getDimSize(dim));
  result =
      importer.transpose(loc, importer.reshape(loc, result, permuted), back);
  return mapConv(importer, op, result, /*bias=*/Value());
}

/// A row of pixels is an image of height 1.
template <typename OpTy>
static void addConv1D(FunctionImporter &importer, ArrayRef<int64_t> toNCW,
                      ArrayRef<int64_t> toOIW) {
  SmallVector<int64_t> image(toNCW), weight(toOIW);
  importer.add<OpTy>([image, weight](FunctionImporter &importer, OpTy op) {
    auto size = [&](unsigned operand, int64_t dim) {
      return cast<RankedTensorType>(op->getOperand(operand).getType())
          .getDimSize(dim);
    };
    return importReshapedConv(
        importer, op, image,
        {size(0, image[0]), size(0, image[1]), 1, size(0, image[2])}, weight,
        {size(1, weight[0]), size(1, weight[1]), 1, size(1, weight[2])},
        {1, numbers(op.getStrides())[0]}, {1, numbers(op.getDilations())[0]},
        /*groups=*/1);
  });
}

/// Groups have a dimension of their own, in front of their channels.
template <typename OpTy>
static void addGroupedConv(FunctionImporter &importer,
                           ArrayRef<int64_t> toGOIHW) {
  SmallVector<int64_t> weight(toGOIHW);
  importer.add<OpTy>([weight](FunctionImporter &importer, OpTy op) {
    ArrayRef<int64_t> x =
        cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
    ArrayRef<int64_t> w =
        cast<RankedTensorType>(op->getOperand(1).getType()).getShape();
    return importReshapedConv(
        importer, op, {0, 1, 2, 3, 4}, {x[0], x[1] * x[2], x[3], x[4]}, weight,
        {w[0] * w[1], w[2], w[3], w[4]}, numbers(op.getStrides()),
        numbers(op.getDilations()), /*groups=*/x[1]);
  });
}

/// Windows of a volume that the destination has; it may leave out the last.
static Value cutToResult(FunctionImporter &importer, Operation *op,
                         Value windows) {
  auto type = withShape(windows.getType(), shapeOf(op->getResult(0)));
  if (type == windows.getType())
    return windows;
  SmallVector<int64_t> zeros(5, 0), ones(5, 1);
  return SliceOp::create(importer.builder, op->getLoc(), type, windows, zeros,
                         type.getShape(), ones);
}

/// Volumes, with channels in front or last (`channelsLast`); `toOIDHW` permutes
/// the weight.
template <typename OpTy>
static LogicalResult importConv3D(FunctionImporter &importer, OpTy op,
                                  bool channelsLast,
                                  ArrayRef<int64_t> toOIDHW) {
  FailureOr<Value> x = importer.operand(op, 0),
                   weight = importer.operand(op, 1);
  if (failed(x) || failed(weight))
    return failure();
  Location loc = op.getLoc();
  Value volume = *x;
  if (channelsLast)
    volume = importer.transpose(loc, volume, {0, 4, 1, 2, 3});
  Value filter = importer.transpose(loc, *weight, toOIDHW);
  VolumeWindow window;
  llvm::copy(shapeOf(filter).drop_front(2), window.kernel);
  llvm::copy(numbers(op.getStrides()), window.strides);
  llvm::copy(numbers(op.getDilations()), window.dilations);
  if (auto why = checkVolume(shapeOf(volume), window, /*groups=*/1,
                             /*isTransposed=*/false))
    return op.emitOpError(*why);
  Value bias = biasOf(importer, op.getDpsInits()[0], channelsLast);
  Value result = convolveVolume(importer.builder, loc, volume, filter, bias,
                                window, /*groups=*/1);
  if (channelsLast)
    result = importer.transpose(loc, result, {0, 2, 3, 4, 1});
  result = cutToResult(importer, op, result);
  return mapConv(importer, op, result, bias);
}

template <typename OpTy>
static void addConv3D(FunctionImporter &importer, bool channelsLast,
                      ArrayRef<int64_t> toOIDHW) {
  SmallVector<int64_t> perm(toOIDHW);
  importer.add<OpTy>([=](FunctionImporter &importer, OpTy op) {
    return importConv3D(importer, op, channelsLast, perm);
  });
}

/// Ends the import of a pooling.
static LogicalResult mapPool(FunctionImporter &importer, linalg::LinalgOp op,
                             Value result, PoolKind kind) {
  return mapWithInit(importer, op, result,
                     kind == PoolKind::Max ? ElementwiseKind::Max
                                           : ElementwiseKind::Add);
}

// The engine averages; a sum is the average times the elements of the window,
// which a division behind it cancels (ane-propagate-layout).
template <typename OpTy>
static LogicalResult importPool(FunctionImporter &importer, OpTy op,
                                PoolKind kind, bool isNHWC,
                                bool isMin = false) {
  FailureOr<Value> image = importer.operand(op, 0);
  if (failed(image))
    return failure();
  auto isOne = [](int64_t dilation) { return dilation == 1; };
  if (!llvm::all_of(numbers(op.getDilations()), isOne))
    return op.emitOpError("has dilations, but the engine pools over whole "
                          "windows; use a dilated convolution");
  Location loc = op.getLoc();
  Value input = importer.toImage(loc, *image, isNHWC);
  if (isMin)
    input = createUnary(importer, loc, ActivationKind::Neg, input);
  auto window = cast<RankedTensorType>(op->getOperand(1).getType()).getShape();
  auto type =
      withShape(input.getType(), shapeNCHW(op->getResult(0).getType(), isNHWC));
  Value result =
      PoolOp::create(importer.builder, loc, type, kind, input, window,
                     numbers(op.getStrides()), ArrayRef<int64_t>{0, 0, 0, 0},
                     /*count_include_pad=*/false);
  if (kind == PoolKind::Average) {
    auto scalar =
        RankedTensorType::get({1, 1, 1, 1}, importer.builder.getF32Type());
    Value count = ConstantOp::create(
        importer.builder, loc,
        DenseElementsAttr::get(scalar,
                               static_cast<float>(window[0] * window[1])));
    result = createBinary(importer, loc, ElementwiseKind::Mul, result, count);
  }
  if (isMin)
    result = createUnary(importer, loc, ActivationKind::Neg, result);
  if (isNHWC)
    result = importer.toNHWC(loc, result);
  if (isMin) {
    importer.map(op->getResult(0), result);
    return success();
  }
  return mapPool(importer, op, result, kind);
}

/// The largest element, or the sum, of windows of a volume, channels last.
template <typename OpTy>
static LogicalResult importPool3D(FunctionImporter &importer, OpTy op,
                                  PoolKind kind) {
  FailureOr<Value> x = importer.operand(op, 0);
  if (failed(x))
    return failure();
  auto isOne = [](int64_t dilation) { return dilation == 1; };
  if (!llvm::all_of(numbers(op.getDilations()), isOne))
    return op.emitOpError("has dilations, but volumes are pooled over whole "
                          "windows; use a dilated convolution");
  Location loc = op.getLoc();
  auto sizes = cast<RankedTensorType>(op->getOperand(1).getType()).getShape();
  VolumeWindow window;
  llvm::copy(sizes, window.kernel);
  llvm::copy(numbers(op.getStrides()), window.strides);
  if (auto why = checkVolumePool(window))
    return op.emitOpError(*why);
  Value result = poolVolume(importer.builder, loc, kind,
                            importer.transpose(loc, *x, {0, 4, 1, 2, 3}),
                            window, /*countPadding=*/false);
  result = cutToResult(importer, op,
                       importer.transpose(loc, result, {0, 2, 3, 4, 1}));
  if (kind == PoolKind::Average)
    result = createBinary(
        importer, loc, ElementwiseKind::Mul, result,
        createNumber(importer, loc, result, sizes[0] * sizes[1] * sizes[2]));
  return mapPool(importer, op, result, kind);
}

template <typename OpTy>
static void addPool3D(FunctionImporter &importer, PoolKind kind) {
  importer.add<OpTy>([=](FunctionImporter &importer, OpTy op) {
    return importPool3D(importer, op, kind);
  });
}

/// The least element of a window: the largest of the negative ones.
template <typename OpTy>
static void addMinPool(FunctionImporter &importer, bool isNHWC) {
  importer.add<OpTy>([=](FunctionImporter &importer, OpTy op) -> LogicalResult {
    std::optional<double> start = uniformValue(op.getDpsInits()[0]);
    if (!start || *start < 65504) {
      InFlightDiagnostic error = op.emitOpError("starts from ");
      if (start)
        error << *start;
      else
        error << "data";
      return error << ", but a least element can only be imported where it "
                      "starts from 65504 or more; fill the destination with "
                      "infinity";
    }
    return importPool(importer, op, PoolKind::Max, isNHWC, /*isMin=*/true);
  });
}

template <typename OpTy>
static void addPool(FunctionImporter &importer, PoolKind kind, bool isNHWC) {
  importer.add<OpTy>([=](FunctionImporter &importer, OpTy op) {
    return importPool(importer, op, kind, isNHWC);
  });
}

void mlir::ane::addLinalgWindowImport(FunctionImporter &importer) {
  addConv<linalg::Conv2DNchwFchwOp>(importer, {false, {0, 1, 2, 3}});
  addConv<linalg::Conv2DNhwcFhwcOp>(importer, {true, {0, 3, 1, 2}});
  addConv<linalg::Conv2DNhwcHwcfOp>(importer, {true, {3, 2, 0, 1}});
  // Without a multiplier the weight has three dimensions.
  addConv<linalg::DepthwiseConv2DNchwChwOp>(importer, {false, {0, 1, 2}, true});
  addConv<linalg::DepthwiseConv2DNhwcHwcOp>(importer, {true, {2, 0, 1}, true});
  addConv<linalg::DepthwiseConv2DNhwcHwcmOp>(importer,
                                             {true, {2, 3, 0, 1}, true});
  addConv1D<linalg::Conv1DNcwFcwOp>(importer, {0, 1, 2}, {0, 1, 2});
  addConv1D<linalg::Conv1DNwcWcfOp>(importer, {0, 2, 1}, {2, 1, 0});
  addGroupedConv<linalg::Conv2DNgchwFgchwOp>(importer, {1, 0, 2, 3, 4});
  addGroupedConv<linalg::Conv2DNgchwGfchwOp>(importer, {0, 1, 2, 3, 4});
  addConv3D<linalg::Conv3DNcdhwFcdhwOp>(importer, false, {0, 1, 2, 3, 4});
  addConv3D<linalg::Conv3DNdhwcDhwcfOp>(importer, true, {4, 3, 0, 1, 2});
  addMinPool<linalg::PoolingNhwcMinOp>(importer, true);
  addPool<linalg::PoolingNchwMaxOp>(importer, PoolKind::Max, false);
  addPool<linalg::PoolingNchwSumOp>(importer, PoolKind::Average, false);
  addPool<linalg::PoolingNhwcMaxOp>(importer, PoolKind::Max, true);
  addPool<linalg::PoolingNhwcSumOp>(importer, PoolKind::Average, true);
  addPool3D<linalg::PoolingNdhwcMaxOp>(importer, PoolKind::Max);
  addPool3D<linalg::PoolingNdhwcSumOp>(importer, PoolKind::Average);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

void mlir::ane::addLinalgImport(FunctionImporter &importer) {
  addTensorImport(importer);
  addLinalgWindowImport(importer);
  addLinalgLoopImport(importer);
}

namespace {
struct ConvertLinalgToANEPass
    : public ane::impl::ConvertLinalgToANEBase<ConvertLinalgToANEPass> {
  using ConvertLinalgToANEBase::ConvertLinalgToANEBase;

  void runOnOperation() override {
    FailureOr<func::FuncOp> chosen = findFunction(getOperation(), function);
    if (failed(chosen))
      return signalPassFailure();
    unrollLoops(*chosen);
    FunctionImporter importer(&getContext());
    addLinalgImport(importer);
    addArithImport(importer);
    if (failed(importer.importModule(getOperation(), function)))
      signalPassFailure();
  }
};
} // namespace
