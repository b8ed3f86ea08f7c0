//===- ImportWindows.cpp - linalg ops that move a window ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution or a pooling is known by its maps, whether it has a name or
// not: a dimension of the input follows an output loop and a kernel loop at
// once, d1 * stride + d4 * dilation. The other loops are what the operands say
// that have them:
//
//   input, result           images            input, kernel, result   groups
//   input, kernel           input channels    kernel, result          output
//                                                                     channels
//
// So every order of dimensions is one case, rows and volumes too. What the
// destination held before is nothing (a fill), a bias (a broadcast), or data.
//
//===----------------------------------------------------------------------===//

#include "Window.h"

#include "ane/Dialect/ANE/Utils/Search.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::ane;

/// Where `map` has each loop; -1 where it does not. Nothing for a map that does
/// more than to choose loops.
static std::optional<SmallVector<int64_t>> dimsOfLoops(AffineMap map) {
  if (!map.isProjectedPermutation())
    return std::nullopt;
  SmallVector<int64_t> dims(map.getNumDims(), -1);
  for (unsigned dim = 0, e = map.getNumResults(); dim != e; ++dim)
    dims[map.getDimPosition(dim)] = dim;
  return dims;
}

/// A dimension of the input that follows more than one loop, or one with a
/// stride.
static std::optional<Axis> axisOf(AffineExpr expr, int64_t dim,
                                  ArrayRef<int64_t> kernelDims,
                                  ArrayRef<int64_t> resultDims) {
  SmallVector<int64_t> coefficients; // of each loop, and a number
  unsigned loops = kernelDims.size();
  if (failed(getFlattenedAffineExpr(expr, loops, /*numSymbols=*/0,
                                    &coefficients)) ||
      coefficients.size() != loops + 1 || coefficients[loops] != 0)
    return std::nullopt;
  Axis axis{dim, loops, std::nullopt};
  for (unsigned loop = 0; loop != loops; ++loop) {
    int64_t factor = coefficients[loop];
    bool inKernel = kernelDims[loop] >= 0, inResult = resultDims[loop] >= 0;
    if (factor == 0)
      continue;
    if (factor < 0 || inKernel == inResult)
      return std::nullopt;
    if (inResult && axis.output == loops)
      axis.output = loop, axis.stride = factor;
    else if (inKernel && !axis.kernel)
      axis.kernel = loop, axis.dilation = factor;
    else
      return std::nullopt;
  }
  return axis.output == loops ? std::nullopt : std::optional(axis);
}

static std::optional<Window> windowOf(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto kernelDims = dimsOfLoops(maps[1]), resultDims = dimsOfLoops(maps[2]);
  if (maps[0].isProjectedPermutation() || !kernelDims || !resultDims)
    return std::nullopt;
  Window window;
  window.ranges = op.getStaticLoopRanges();
  window.inputDims.assign(op.getNumLoops(), -1);
  SmallVector<bool> inAxis(op.getNumLoops(), false);
  for (auto [dim, expr] : llvm::enumerate(maps[0].getResults())) {
    if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
      if (window.inputDims[loop.getPosition()] >= 0)
        return std::nullopt;
      window.inputDims[loop.getPosition()] = dim;
      continue;
    }
    if (expr == getAffineConstantExpr(0, op.getContext())) {
      window.unitDims.push_back(dim);
      continue;
    }
    auto axis = axisOf(expr, dim, *kernelDims, *resultDims);
    if (!axis || inAxis[axis->output] ||
        (axis->kernel && inAxis[*axis->kernel]))
      return std::nullopt;
    inAxis[axis->output] = true;
    if (axis->kernel)
      inAxis[*axis->kernel] = true;
    if (window.kernelSize(*axis) == 1) // and has no gaps
      axis->dilation = 1;
    window.axes.push_back(*axis);
  }
  for (unsigned loop = 0, e = op.getNumLoops(); loop != e; ++loop) {
    bool inInput = window.inputDims[loop] >= 0;
    bool inKernel = (*kernelDims)[loop] >= 0,
         inResult = (*resultDims)[loop] >= 0;
    if (inAxis[loop] ? inInput : inInput + inKernel + inResult < 2)
      return std::nullopt;
    if (!inAxis[loop])
      (!inKernel   ? window.images
       : !inResult ? window.inputs
       : inInput   ? window.groups
                   : window.outputs)
          .push_back(loop);
  }
  if (window.axes.empty() || window.axes.size() > 3)
    return std::nullopt;
  return window;
}

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

Value mlir::ane::toImages(FunctionImporter &importer, Location loc, Value value,
                          const Window &window, ArrayRef<unsigned> images,
                          ArrayRef<unsigned> channels) {
  SmallVector<int64_t> perm;
  for (ArrayRef<unsigned> loops : {images, channels})
    for (unsigned loop : loops)
      perm.push_back(window.inputDims[loop]);
  SmallVector<int64_t> shape = {window.size(images), window.size(channels)};
  if (window.axes.size() == 1)
    shape.push_back(1);
  for (const Axis &axis : window.axes) {
    perm.push_back(axis.dim);
    shape.push_back(shapeOf(value)[axis.dim]);
  }
  llvm::append_range(perm, window.unitDims);
  value = importer.reshape(loc, importer.transpose(loc, value, perm), shape);
  return importer.toImage(loc, value, /*isNHWC=*/false);
}

/// The kernel as output channels x input channels of a group x axes.
static Value toKernel(FunctionImporter &importer, Location loc, Value value,
                      const Window &window, AffineMap map) {
  SmallVector<int64_t> dims = *dimsOfLoops(map), perm;
  for (ArrayRef<unsigned> loops :
       {window.groups, window.outputs, window.inputs})
    for (unsigned loop : loops)
      perm.push_back(dims[loop]);
  SmallVector<int64_t> shape = {window.size(window.groups) *
                                    window.size(window.outputs),
                                window.size(window.inputs)};
  if (window.axes.size() == 1)
    shape.push_back(1);
  for (const Axis &axis : window.axes) {
    shape.push_back(window.kernelSize(axis));
    if (axis.kernel)
      perm.push_back(dims[*axis.kernel]);
  }
  return importer.reshape(loc, importer.transpose(loc, value, perm), shape);
}

/// Where the window stands, without the places after the last that the result
/// has.
static Value cutToResult(FunctionImporter &importer, Location loc, Value value,
                         const Window &window) {
  SmallVector<int64_t> shape(shapeOf(value));
  for (auto [axis, size] : llvm::zip_equal(
           window.axes, MutableArrayRef(shape).take_back(window.axes.size())))
    size = window.ranges[axis.output];
  SmallVector<int64_t> zeros(shape.size(), 0);
  return sliced(importer.builder, loc, value, zeros, shape);
}

Value mlir::ane::toResult(FunctionImporter &importer, linalg::LinalgOp op,
                          Value value, const Window &window,
                          ArrayRef<unsigned> images,
                          ArrayRef<unsigned> channels) {
  Location loc = op.getLoc();
  OpOperand *init = op.getDpsInitOperand(0);
  SmallVector<int64_t> dims = *dimsOfLoops(op.getMatchingIndexingMap(init));
  // Loops that stay neighbours are one dimension until the end.
  SmallVector<int64_t> first, shape;
  auto add = [&](unsigned loop, bool isNeighbour) {
    if (!isNeighbour) {
      first.push_back(dims[loop]);
      shape.push_back(window.ranges[loop]);
    } else {
      shape.back() *= window.ranges[loop];
    }
  };
  for (ArrayRef<unsigned> loops : {images, channels})
    for (auto [i, loop] : llvm::enumerate(loops))
      add(loop, i > 0 && dims[loop] == dims[loops[i - 1]] + 1);
  for (const Axis &axis : window.axes)
    add(axis.output, false);
  SmallVector<int64_t> perm =
      llvm::to_vector(llvm::seq<int64_t>(0, first.size()));
  llvm::sort(perm, [&](int64_t a, int64_t b) { return first[a] < first[b]; });
  value = cutToResult(importer, loc, value, window);
  value = importer.transpose(loc, importer.reshape(loc, value, shape), perm);
  return importer.reshape(loc, value, shapeOf(op->getResult(0)));
}

/// The vector that a convolution accumulates on, if its destination repeats one
/// value for each channel.
static Value biasOf(FunctionImporter &importer, linalg::LinalgOp op,
                    const Window &window) {
  OpOperand *init = op.getDpsInitOperand(0);
  Value vector;
  SmallVector<int64_t> repeated;
  if (auto broadcast = init->get().getDefiningOp<linalg::BroadcastOp>()) {
    vector = broadcast.getInput();
    llvm::append_range(repeated, broadcast.getDimensions());
  } else if (auto generic = init->get().getDefiningOp<linalg::GenericOp>()) {
    auto dims = linalg::isaBroadcastOpInterface(generic);
    if (!dims)
      return {};
    vector = generic.getDpsInputOperand(0)->get();
    repeated = *dims;
  }
  if (!vector || shapeOf(vector).size() != 1)
    return {};
  SmallVector<int64_t> dims = *dimsOfLoops(op.getMatchingIndexingMap(init));
  for (ArrayRef<unsigned> loops : {window.groups, window.outputs})
    for (unsigned loop : loops)
      if (!llvm::is_contained(repeated, dims[loop]) &&
          window.ranges[loop] ==
              window.size(window.groups) * window.size(window.outputs))
        return importer.lookup(vector);
  return {};
}

VolumeWindow mlir::ane::toVolume(const Window &window) {
  VolumeWindow volume;
  size_t first = 3 - window.axes.size();
  for (auto [i, axis] : llvm::enumerate(window.axes)) {
    volume.kernel[first + i] = window.kernelSize(axis);
    volume.strides[first + i] = axis.stride;
    volume.dilations[first + i] = axis.dilation;
  }
  return volume;
}

//===----------------------------------------------------------------------===//
// Convolutions and poolings
//===----------------------------------------------------------------------===//

namespace {
/// How a transposed convolution is written by a convolution: its input stands
/// in zeros, with gaps.
struct Transposed {
  Value source;
  SmallVector<int64_t, 2> strides;
  SmallVector<int64_t, 4> pad; // what the result is shorter by
};
} // namespace

static std::optional<Transposed> transposedOf(linalg::LinalgOp op,
                                              const Window &window) {
  auto insert =
      op.getDpsInputOperand(0)->get().getDefiningOp<tensor::InsertSliceOp>();
  if (!insert || uniformValue(insert.getDest()) != 0 ||
      window.axes.size() > 2 ||
      insert.getSourceType().getRank() != insert.getDestType().getRank())
    return std::nullopt;
  Transposed transposed{insert.getSource(), {}, {}};
  SmallVector<bool> isAxis(insert.getDestType().getRank(), false);
  if (window.axes.size() == 1)
    transposed.strides.push_back(1), transposed.pad.append({0, 0});
  for (const Axis &axis : window.axes) {
    isAxis[axis.dim] = true;
    int64_t offset = insert.getStaticOffset(axis.dim);
    int64_t stride = insert.getStaticStride(axis.dim);
    int64_t size = insert.getStaticSize(axis.dim);
    if (axis.stride != 1 || offset < 0 || stride < 1 || size < 1)
      return std::nullopt;
    // The first element is seen by the last place of the kernel first.
    int64_t reach = (window.kernelSize(axis) - 1) * axis.dilation;
    transposed.strides.push_back(stride);
    transposed.pad.push_back(reach - offset);
    transposed.pad.push_back((size - 1) * stride + 1 + offset -
                             window.ranges[axis.output]);
  }
  for (auto [dim, size] : llvm::enumerate(insert.getDestType().getShape()))
    if (!isAxis[dim] && insert.getSourceType().getDimSize(dim) != size)
      return std::nullopt;
  auto isNegative = [](int64_t size) { return size < 0; };
  auto isOne = [](int64_t stride) { return stride == 1; };
  if (llvm::any_of(transposed.pad, isNegative) ||
      llvm::all_of(transposed.strides, isOne))
    return std::nullopt;
  return transposed;
}

/// The kernel of a convolution, as that of the transposed one: turned round,
/// with input channels in front.
static Value turnKernel(FunctionImporter &importer, Location loc, Value kernel,
                        int64_t groups) {
  ArrayRef<int64_t> shape = shapeOf(kernel);
  int64_t outputs = shape[0] / groups, inputs = shape[1];
  SmallVector<int64_t, 4> turned = {groups * inputs, outputs, shape[2],
                                    shape[3]};
  Value value = importer.reshape(loc, kernel,
                                 {groups, outputs, inputs, shape[2], shape[3]});
  value = importer.reshape(loc, importer.transpose(loc, value, {0, 2, 1, 3, 4}),
                           turned);
  for (int64_t axis : {2, 3})
    value = takeAt(
        importer.builder, loc, value, axis,
        llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, turned[axis]))));
  return value;
}

static Value convolveTransposed(FunctionImporter &importer, Location loc,
                                Value x, Value kernel, Value bias,
                                const Window &window,
                                const Transposed &transposed) {
  int64_t groups = window.size(window.groups);
  SmallVector<int64_t> shape = {shapeOf(x)[0], shapeOf(kernel)[0]};
  SmallVector<int64_t> dilations;
  if (window.axes.size() == 1)
    shape.push_back(1), dilations.push_back(1);
  for (const Axis &axis : window.axes) {
    shape.push_back(window.ranges[axis.output]);
    dilations.push_back(axis.dilation);
  }
  auto type =
      RankedTensorType::get(shape, FunctionImporter::elementType({x, kernel}));
  return ConvTransposeOp::create(
      importer.builder, loc, type, x, turnKernel(importer, loc, kernel, groups),
      bias, /*scale=*/Value(), transposed.strides, transposed.pad, dilations,
      groups, ActivationAttr());
}

Value mlir::ane::convolve(FunctionImporter &importer, Location loc, Value x,
                          Value kernel, Value bias, const Window &window,
                          int64_t groups) {
  return convolveImage(importer.builder, loc, x, kernel, bias, toVolume(window),
                       groups, FunctionImporter::elementType({x, kernel}));
}

static LogicalResult importConv(FunctionImporter &importer, linalg::LinalgOp op,
                                const Window &window) {
  FailureOr<Value> input = importer.operand(op, 0),
                   weight = importer.operand(op, 1);
  if (failed(input) || failed(weight))
    return failure();
  Location loc = op.getLoc();
  SmallVector<unsigned> sources(window.groups), results(window.groups);
  llvm::append_range(sources, window.inputs);
  llvm::append_range(results, window.outputs);
  int64_t groups = window.size(window.groups);
  std::optional<Transposed> transposed = transposedOf(op, window);
  Value image = transposed ? importer.lookup(transposed->source) : *input;
  Value x = toImages(importer, loc, image, window, window.images, sources);
  Value w =
      toKernel(importer, loc, *weight, window, op.getIndexingMapsArray()[1]);
  Value bias = biasOf(importer, op, window);
  Value result;
  if (window.axes.size() == 3) {
    VolumeWindow volume = toVolume(window);
    if (auto why = checkVolume(shapeOf(x), volume, groups,
                               /*isTransposed=*/false))
      return op->emitOpError(*why);
    result = convolveVolume(importer.builder, loc, x, w, bias, volume, groups);
  } else if (transposed) {
    result = convolveTransposed(importer, loc, x, w, bias, window, *transposed);
  } else {
    result = convolve(importer, loc, x, w, bias, window, groups);
  }
  result = toResult(importer, op, result, window, window.images, results);
  if (!bias)
    return mapWithInit(importer, op, result, ElementwiseKind::Add);
  importer.map(op->getResult(0), result);
  return success();
}

FailureOr<bool> mlir::ane::importWindow(FunctionImporter &importer,
                                        linalg::LinalgOp op) {
  std::optional<Window> window = windowOf(op);
  if (!window)
    return false;
  bool isConv = isMultiplyAdd(op);
  std::optional<Combiner> combiner = combinerOf(op);
  bool isPool = combiner && combiner->kind &&
                combiner->value == op.getBlock()->getArgument(0) &&
                window->groups.empty() && window->inputs.empty() &&
                window->outputs.empty();
  if (!isConv && !isPool)
    return false;
  LogicalResult done = isConv
                           ? importConv(importer, op, *window)
                           : importPool(importer, op, *window, *combiner->kind);
  return failed(done) ? FailureOr<bool>(failure()) : true;
}
