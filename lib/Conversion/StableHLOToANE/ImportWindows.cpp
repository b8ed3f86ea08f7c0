//===- ImportWindows.cpp - StableHLO ops over windows ---------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dimensions come in any order: a transpose to NCHW, the op, and a transpose
// back. A convolution of pixels that lie apart is a transposed one.
//
//===----------------------------------------------------------------------===//

#include "ImportStableHLO.h"

#include "ane/Dialect/ANE/Utils/Search.h"
#include "ane/Dialect/ANE/Utils/Volume.h"

using namespace mlir;
using namespace mlir::ane;
using stablehlo::numbersOf;

using Numbers = SmallVector<int64_t>;

static ArrayRef<int64_t> resultShape(Operation *op) {
  return cast<RankedTensorType>(op->getResult(0).getType()).getShape();
}

/// Takes away what negative padding of the last dimensions says.
static Value crop(FunctionImporter &importer, Location loc, Value value,
                  MutableArrayRef<int64_t> pad) {
  Numbers sizes(shapeOf(value)), offsets(sizes.size(), 0);
  size_t first = sizes.size() - pad.size() / 2;
  for (auto [i, each] : llvm::enumerate(pad)) {
    int64_t taken = std::max<int64_t>(-each, 0);
    sizes[first + i / 2] -= taken;
    if (i % 2 == 0)
      offsets[first + i / 2] = taken;
    each = std::max<int64_t>(each, 0);
  }
  return sliced(importer.builder, loc, value, offsets, sizes);
}

/// `value` with dimensions of one element in front of the last `spatial`, so
/// that there are two at least.
static Value toImageRank(FunctionImporter &importer, Location loc, Value value,
                         size_t spatial) {
  Numbers shape(shapeOf(value));
  if (spatial < 2)
    shape.insert(shape.begin() + 2, 2 - spatial, 1);
  return importer.reshape(loc, value, shape);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

namespace {
/// A convolution in channels-first order, of `count` spatial dimensions.
struct Convolution {
  stablehlo::ConvolutionOp op;
  Value image, weight; ///< weight: output x input / groups x ...
  size_t count;
  int64_t groups;
  Numbers strides, pad, spread, dilations;

  /// What `window` calls dimension `i`.
  size_t axis(size_t i) const { return 3 - count + i; }
  VolumeWindow window() const {
    VolumeWindow window;
    for (size_t i = 0; i != count; ++i) {
      window.kernel[axis(i)] = shapeOf(weight)[2 + i];
      window.strides[axis(i)] = strides[i];
      window.dilations[axis(i)] = dilations[i];
      window.pad[2 * axis(i)] = pad[2 * i];
      window.pad[2 * axis(i) + 1] = pad[2 * i + 1];
    }
    return window;
  }
  FailureOr<Value> plain(FunctionImporter &importer);
  FailureOr<Value> transposed(FunctionImporter &importer);
};
} // namespace

FailureOr<Value> Convolution::plain(FunctionImporter &importer) {
  Location loc = op.getLoc();
  image = crop(importer, loc, image, pad);
  Value x = toImageRank(importer, loc, image, count),
        filter = toImageRank(importer, loc, weight, count);
  if (count < 3)
    return convolveImage(importer.builder, loc, x, filter, /*bias=*/Value(),
                         window(), groups,
                         FunctionImporter::elementType({image, weight}));
  if (auto why = checkVolume(shapeOf(x), window(), groups,
                             /*isTransposed=*/false))
    return op.emitOpError(*why);
  return convolveVolume(importer.builder, loc, x, filter, /*bias=*/Value(),
                        window(), groups);
}

// Pixels that lie `spread` apart are what a transposed convolution makes of
// them, with the kernel turned around; what is padded beyond the kernel is
// zero.
FailureOr<Value> Convolution::transposed(FunctionImporter &importer) {
  Location loc = op.getLoc();
  if (llvm::any_of(strides, [](int64_t stride) { return stride != 1; }))
    return op.emitOpError("has both lhs_dilate and strides, which the engine "
                          "does not do at once; convolve, then slice");
  // C x O / groups x ...
  int64_t outputs = shapeOf(weight)[0], inputs = shapeOf(weight)[1];
  Numbers split = {groups, outputs / groups, inputs}, order = {0, 2, 1},
          merged = {groups * inputs, outputs / groups};
  for (size_t i = 0; i != count; ++i) {
    weight = reversed(importer.builder, loc, weight, 2 + i);
    split.push_back(shapeOf(weight)[2 + i]);
    merged.push_back(shapeOf(weight)[2 + i]);
    order.push_back(3 + i);
  }
  Value filter = importer.reshape(loc, weight, split);
  filter = importer.transpose(loc, filter, order);
  filter = importer.reshape(loc, filter, merged);
  Value x = toImageRank(importer, loc, image, count);
  filter = toImageRank(importer, loc, filter, count);

  VolumeWindow all = window();
  size_t rank = shapeOf(x).size();
  Numbers low(rank, 0), high(rank, 0), shape = {shapeOf(x)[0], outputs};
  for (size_t i = 0; i != count; ++i) {
    all.strides[axis(i)] = spread[i];
    for (int side : {0, 1}) {
      int64_t less = all.extent(axis(i)) - 1 - pad[2 * i + side];
      all.pad[2 * axis(i) + side] = std::max<int64_t>(less, 0);
      (side ? high : low)[rank - count + i] = std::max<int64_t>(-less, 0);
    }
  }
  for (size_t i = 2; i != rank; ++i) {
    shape.push_back(all.countTransposed(shapeOf(x)[i], 5 - rank + i - 2));
    if (shape.back() < 1)
      return op.emitOpError("pads so little that nothing is left; slice "
                            "the image first");
  }
  Value result;
  Type element = FunctionImporter::elementType({x, filter});
  if (count < 3) {
    result = ConvTransposeOp::create(
        importer.builder, loc, RankedTensorType::get(shape, element), x, filter,
        /*bias=*/Value(), /*scale=*/Value(),
        ArrayRef<int64_t>(all.strides).drop_front(),
        ArrayRef<int64_t>(all.pad).drop_front(2),
        ArrayRef<int64_t>(all.dilations).drop_front(), groups,
        ActivationAttr());
  } else {
    if (auto why = checkVolume(shapeOf(x), all, groups, /*isTransposed=*/true))
      return op.emitOpError(*why);
    result = convolveVolumeTransposed(importer.builder, loc, x, filter,
                                      /*bias=*/Value(), all, groups);
  }
  Numbers padded(shapeOf(result));
  for (auto [size, before, after] : llvm::zip_equal(padded, low, high))
    size += before + after;
  if (ArrayRef<int64_t>(padded) == shapeOf(result))
    return result;
  return PadOp::create(importer.builder, loc,
                       withShape(result.getType(), padded), result, low, high,
                       llvm::APFloat(0.0f))
      .getResult();
}

static LogicalResult importConvolution(FunctionImporter &importer,
                                       stablehlo::ConvolutionOp op) {
  FailureOr<Value> lhs = importer.operand(op, 0), rhs = importer.operand(op, 1);
  if (failed(FunctionImporter::checkFloat(op)) || failed(lhs) || failed(rhs))
    return failure();
  stablehlo::ConvDimensionsAttr dims = op.getDimensionNumbers();
  size_t count = dims.getInputSpatial().size();
  if (count < 1 || count > 3)
    return op.emitOpError("has ")
           << count << " spatial dimensions, but 1 to 3 can be imported";
  if (op.getBatchGroupCount() != 1)
    return op.emitOpError("has ")
           << op.getBatchGroupCount()
           << " groups of images, as gradients have, but the engine has groups "
              "of features only; convolve one group after the other";
  Location loc = op.getLoc();
  Numbers image = {static_cast<int64_t>(dims.getInputBatch()),
                   static_cast<int64_t>(dims.getInputFeature())},
          weight = {static_cast<int64_t>(dims.getKernelOutput()),
                    static_cast<int64_t>(dims.getKernelInput())},
          result = {static_cast<int64_t>(dims.getOutputBatch()),
                    static_cast<int64_t>(dims.getOutputFeature())};
  llvm::append_range(image, dims.getInputSpatial());
  llvm::append_range(weight, dims.getKernelSpatial());
  llvm::append_range(result, dims.getOutputSpatial());
  Convolution convolution{op,
                          importer.castTo(loc,
                                          importer.transpose(loc, *lhs, image),
                                          importer.builder.getF16Type()),
                          importer.transpose(loc, *rhs, weight),
                          count,
                          static_cast<int64_t>(op.getFeatureGroupCount()),
                          numbersOf(op.getWindowStridesAttr(), count, 1),
                          numbersOf(op.getPaddingAttr(), 2 * count),
                          numbersOf(op.getLhsDilationAttr(), count, 1),
                          numbersOf(op.getRhsDilationAttr(), count, 1)};
  for (auto [i, isReversed] :
       llvm::enumerate(numbersOf(op.getWindowReversalAttr(), count)))
    if (isReversed)
      convolution.weight =
          reversed(importer.builder, loc, convolution.weight, 2 + i);
  // One pixel lies apart from no other.
  for (auto [i, spread] : llvm::enumerate(convolution.spread))
    if (shapeOf(convolution.image)[2 + i] == 1)
      spread = 1;
  bool isSpread =
      llvm::any_of(convolution.spread, [](int64_t each) { return each != 1; });
  FailureOr<Value> made =
      isSpread ? convolution.transposed(importer) : convolution.plain(importer);
  if (failed(made))
    return failure();
  // Without the dimensions that an image has more.
  Numbers shape;
  for (int64_t dim : result)
    shape.push_back(resultShape(op)[dim]);
  Value value = importer.reshape(loc, *made, shape);
  importer.map(op, importer.transpose(loc, value, inverse(result)));
  return success();
}

//===----------------------------------------------------------------------===//
// Poolings
//===----------------------------------------------------------------------===//

namespace {
/// The windows of an op, one entry for each dimension of the tensor.
struct Windows {
  Numbers window, strides, pad;
  Numbers moved, still; ///< dimensions that windows move along, and others

  template <typename OpTy>
  explicit Windows(OpTy op)
      : window(numbersOf(op.getWindowDimensions())),
        strides(numbersOf(op.getWindowStridesAttr(), window.size(), 1)),
        pad(numbersOf(op.getPaddingAttr(), 2 * window.size())) {
    for (size_t i = 0; i != window.size(); ++i) {
      bool isMoved = window[i] != 1 || strides[i] != 1 || pad[2 * i] != 0 ||
                     pad[2 * i + 1] != 0;
      (isMoved ? moved : still).push_back(i);
    }
  }
  /// Those that do not move first.
  Numbers order() const {
    Numbers order(still);
    llvm::append_range(order, moved);
    return order;
  }
  /// `x` with its dimensions in that order, as an image or a volume.
  Value toImage(FunctionImporter &importer, Location loc, Value x) const {
    x = importer.castTo(loc, x, importer.builder.getF16Type());
    x = importer.transpose(loc, x, order());
    Numbers shape = {1, 1};
    for (size_t i = 0; i != still.size(); ++i)
      shape[i == 0 && still.size() > 1 ? 0 : 1] *= shapeOf(x)[i];
    llvm::append_range(shape, shapeOf(x).drop_front(still.size()));
    return toImageRank(importer, loc, importer.reshape(loc, x, shape),
                       moved.size());
  }
  /// The reverse, for a value that has the sizes of `result` then.
  Value fromImage(FunctionImporter &importer, Location loc, Value x,
                  ArrayRef<int64_t> result) const {
    Numbers shape;
    for (int64_t dim : order())
      shape.push_back(result[dim]);
    return importer.transpose(loc, importer.reshape(loc, x, shape),
                              inverse(order()));
  }
};

/// The windows of a reduction.
struct Pooling : Windows {
  stablehlo::ReduceWindowOp op;
  Numbers dilations;

  explicit Pooling(stablehlo::ReduceWindowOp op)
      : Windows(op), op(op),
        dilations(numbersOf(op.getWindowDilationsAttr(), window.size(), 1)) {}
  int64_t elements() const {
    int64_t count = 1;
    for (int64_t dim : moved)
      count *= window[dim];
    return count;
  }
  /// Whether all elements of windows are few enough to count one by one: a file
  /// of few bytes may say that there are billions.
  bool isCountable() const {
    constexpr int64_t most = 1 << 25;
    int64_t count = 1;
    for (int64_t dim : moved) {
      int64_t size = resultShape(op)[dim];
      if (size > most / count)
        return false;
      count *= size;
      if (window[dim] > most / count)
        return false;
    }
    return true;
  }
  bool hasGaps() const {
    return llvm::any_of(moved, [&](int64_t dim) {
      return window[dim] != 1 && dilations[dim] != 1;
    });
  }
  VolumeWindow volume() const {
    VolumeWindow volume;
    for (auto [i, dim] : llvm::enumerate(moved)) {
      size_t axis = 3 - moved.size() + i;
      volume.kernel[axis] = window[dim];
      volume.strides[axis] = strides[dim];
      volume.dilations[axis] = dilations[dim];
      volume.pad[2 * axis] = pad[2 * dim];
      volume.pad[2 * axis + 1] = pad[2 * dim + 1];
    }
    return volume;
  }
};
} // namespace

/// Sums over windows of one number: how many elements each window has.
static Value countElements(FunctionImporter &importer, const Pooling &pooling,
                           double number) {
  stablehlo::ReduceWindowOp op = pooling.op;
  ArrayRef<int64_t> from =
      cast<RankedTensorType>(op.getInputs()[0].getType()).getShape();
  Numbers shape(resultShape(op));
  for (int64_t dim : pooling.still)
    shape[dim] = 1;
  std::vector<float> sums = {static_cast<float>(number)};
  for (auto [dim, size] : llvm::enumerate(shape)) {
    std::vector<float> next;
    for (float sum : sums)
      for (int64_t i = 0; i != size; ++i) {
        int64_t inside = 0;
        for (int64_t k = 0; k != pooling.window[dim]; ++k) {
          int64_t at = i * pooling.strides[dim] + k * pooling.dilations[dim] -
                       pooling.pad[2 * dim];
          inside += at >= 0 && at < from[dim];
        }
        next.push_back(sum * inside);
      }
    sums = std::move(next);
  }
  auto type = RankedTensorType::get(shape, importer.builder.getF32Type());
  Value value =
      ConstantOp::create(importer.builder, op.getLoc(),
                         DenseElementsAttr::get(type, ArrayRef<float>(sums)));
  return repeatTo(importer, op.getLoc(), value, resultShape(op));
}

/// The sum of each window with gaps, as a convolution of each channel with
/// ones.
static FailureOr<Value> sumWithGaps(FunctionImporter &importer,
                                    const Pooling &pooling, Value x) {
  Location loc = pooling.op->getLoc();
  VolumeWindow window = pooling.volume();
  int64_t channels = shapeOf(x)[1];
  Numbers shape = {channels, 1};
  shape.append(window.kernel + (shapeOf(x).size() == 5 ? 0 : 1),
               window.kernel + 3);
  auto type = RankedTensorType::get(shape, importer.builder.getF32Type());
  Value ones = ConstantOp::create(importer.builder, loc,
                                  DenseElementsAttr::get(type, 1.0f));
  if (shape.size() == 4)
    return convolveImage(importer.builder, loc, x, ones, /*bias=*/Value(),
                         window, channels);
  stablehlo::ReduceWindowOp op = pooling.op;
  if (auto why = checkVolume(shapeOf(x), window, channels,
                             /*isTransposed=*/false))
    return op.emitOpError(*why);
  return convolveVolume(importer.builder, loc, x, ones, /*bias=*/Value(),
                        window, channels);
}

/// Windows of `x`, which is NCHW or NCDHW.
static FailureOr<Value> pool(FunctionImporter &importer, const Pooling &pooling,
                             ElementwiseKind kind, Value x) {
  stablehlo::ReduceWindowOp op = pooling.op;
  Location loc = op.getLoc();
  if (kind == ElementwiseKind::Add && pooling.hasGaps())
    return sumWithGaps(importer, pooling, x);
  if (pooling.hasGaps())
    return op.emitOpError("takes extremes of windows with gaps "
                          "(window_dilations), which cannot be imported; slice "
                          "the tensor and combine the slices");
  VolumeWindow window = pooling.volume();
  bool isVolume = shapeOf(x).size() == 5;
  if (isVolume)
    if (auto why = checkVolumePool(window))
      return op.emitOpError(*why);
  bool isSum = kind == ElementwiseKind::Add,
       isMin = kind == ElementwiseKind::Min;
  if (isMin)
    x = createUnary(importer, loc, ActivationKind::Neg, x);
  Value result = (isVolume ? poolVolume : poolImage)(
      importer.builder, loc, isSum ? PoolKind::Average : PoolKind::Max, x,
      window, /*countPadding=*/isSum);
  if (isMin)
    return createUnary(importer, loc, ActivationKind::Neg, result);
  // The engine averages; a division after it takes this away again.
  return isSum ? createBinary(
                     importer, loc, ElementwiseKind::Mul, result,
                     createNumber(importer, loc, result, pooling.elements()))
               : result;
}

static LogicalResult importReduceWindow(FunctionImporter &importer,
                                        stablehlo::ReduceWindowOp op) {
  if (op.getInputs().size() != 1)
    return op.emitOpError("reduces ") << op.getInputs().size()
                                      << " tensors at once, but one can be "
                                         "imported; search on the host";
  FailureOr<ElementwiseKind> kind = combinerKind(op, op.getBody());
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(kind) || failed(FunctionImporter::checkFloat(op)) || failed(input))
    return failure();
  Pooling pooling(op);
  if (*kind == ElementwiseKind::Mul)
    return op.emitOpError("multiplies the elements of windows, which the "
                          "engine does not do; use a sum of logarithms");
  if (llvm::any_of(numbersOf(op.getBaseDilationsAttr()),
                   [](int64_t each) { return each != 1; }))
    return op.emitOpError("has base_dilations, which the engine does not do; "
                          "pad between the elements on the host");
  if (!isNeutral(*kind, op.getInitValues()[0]))
    return op.emitOpError("starts with another number than the one that "
                          "changes nothing (0 of sums, an infinity of "
                          "extremes); combine the result with it instead");
  if (pooling.moved.size() > 3)
    return op.emitOpError("moves windows along ")
           << pooling.moved.size()
           << " dimensions, but at most 3 can be imported; reduce one after "
              "the other";
  for (int64_t dim : pooling.moved)
    for (int side : {0, 1})
      if (int64_t pad = pooling.pad[2 * dim + side];
          pad < 0 || pad > (pooling.window[dim] - 1) * pooling.dilations[dim])
        return op.emitOpError("pads dimension ")
               << dim << " by " << pad << ", expected 0 to "
               << (pooling.window[dim] - 1) * pooling.dilations[dim]
               << ", so that each window has an element; pad or slice before";
  Location loc = op.getLoc();
  std::optional<double> number = knownNumber(op.getInputs()[0]);
  if (*kind == ElementwiseKind::Add && number && pooling.isCountable()) {
    importer.map(op->getResult(0), countElements(importer, pooling, *number));
    return success();
  }
  FailureOr<Value> result =
      pool(importer, pooling, *kind, pooling.toImage(importer, loc, *input));
  if (failed(result))
    return failure();
  importer.map(op->getResult(0),
               pooling.fromImage(importer, loc, *result, resultShape(op)));
  return success();
}

//===----------------------------------------------------------------------===//
// Gradients of poolings
//===----------------------------------------------------------------------===//

namespace {
/// Each number of the source goes to the largest element of its window. An
/// element has it where it is equal to the maximum, and no element of the window
/// before it is; a transposed convolution with a kernel of one for each place in
/// a window puts all of them back, and adds where windows overlap. Elements
/// are above the lowest number of f16, which stands for the padding.
class Scatter {
public:
  Scatter(FunctionImporter &importer, Location loc, const Windows &windows,
          Search search)
      : importer(importer), loc(loc), search(search) {
    size_t first = 2 - windows.moved.size();
    for (auto [i, dim] : llvm::enumerate(windows.moved)) {
      kernel[first + i] = windows.window[dim];
      strides[first + i] = windows.strides[dim];
      low[first + i] = windows.pad[2 * dim];
      high[first + i] = windows.pad[2 * dim + 1];
    }
  }
  /// Of images.
  Value run(Value x, Value source) const;

private:
  SmallVector<Value> elementsOf(Value x, Value source) const;
  Value putBack(Value parts, ArrayRef<int64_t> shape) const;

  FunctionImporter &importer;
  Location loc;
  Search search;
  std::array<int64_t, 2> kernel = {1, 1}, strides = {1, 1}, low = {0, 0},
                         high = {0, 0};
};
} // namespace

// Of all windows, one place after the other.
SmallVector<Value> Scatter::elementsOf(Value x, Value source) const {
  constexpr float lowest = -65504;
  OpBuilder &builder = importer.builder;
  Numbers shape(shapeOf(x));
  shape[2] += low[0] + high[0];
  shape[3] += low[1] + high[1];
  if (ArrayRef<int64_t>(shape) != shapeOf(x))
    x = PadOp::create(builder, loc, withShape(x, shape), x,
                      Numbers{0, 0, low[0], low[1]},
                      Numbers{0, 0, high[0], high[1]}, llvm::APFloat(lowest));
  SmallVector<Value> elements;
  Numbers sizes(shapeOf(source));
  for (int64_t row = 0; row != kernel[0]; ++row)
    for (int64_t column = 0; column != kernel[1]; ++column)
      elements.push_back(SliceOp::create(
          builder, loc, withShape(x, sizes), x, Numbers{0, 0, row, column},
          sizes, Numbers{1, 1, strides[0], strides[1]}));
  return elements;
}

// `parts` has one channel for each channel and place.
Value Scatter::putBack(Value parts, ArrayRef<int64_t> shape) const {
  OpBuilder &builder = importer.builder;
  int64_t channels = shape[1], places = kernel[0] * kernel[1];
  std::vector<float> ones(channels * places * places, 0);
  for (int64_t i = 0; i != channels * places; ++i)
    ones[i * places + i % places] = 1;
  auto type = RankedTensorType::get(
      {channels * places, 1, kernel[0], kernel[1]}, builder.getF32Type());
  Value filter = ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, ArrayRef<float>(ones)));
  Numbers made(shape), after(4, 0), pad;
  for (int i : {0, 1}) {
    int64_t whole =
        (shapeOf(parts)[2 + i] - 1) * strides[i] + kernel[i] - low[i];
    int64_t more = whole - shape[2 + i];
    pad.append({low[i], std::max<int64_t>(more, 0)});
    after[2 + i] = std::max<int64_t>(-more, 0);
    made[2 + i] -= after[2 + i];
  }
  Value result = ConvTransposeOp::create(
      builder, loc, withShape(parts, made), parts, filter, /*bias=*/Value(),
      /*scale=*/Value(), Numbers(strides.begin(), strides.end()), pad,
      Numbers{1, 1}, channels, ActivationAttr());
  if (ArrayRef<int64_t>(made) == shape)
    return result;
  return PadOp::create(builder, loc, withShape(parts, shape), result,
                       Numbers(4, 0), after, llvm::APFloat(0.0f));
}

Value Scatter::run(Value x, Value source) const {
  if (!search.isMax)
    x = createUnary(importer, loc, ActivationKind::Neg, x);
  SmallVector<Value> elements = elementsOf(x, source), parts(elements.size());
  Value most = elements.front(), taken;
  for (Value element : ArrayRef(elements).drop_front())
    most = createBinary(importer, loc, ElementwiseKind::Max, most, element);
  Numbers shape(shapeOf(source));
  shape.insert(shape.begin() + 2, 1);
  for (size_t i = 0; i != elements.size(); ++i) {
    size_t place = search.isFirst ? i : elements.size() - 1 - i;
    Value found =
        createCompare(importer, loc, CompareKind::Equal, elements[place], most);
    if (taken) {
      Value next =
          createBinary(importer, loc, ElementwiseKind::Max, taken, found);
      found = createBinary(importer, loc, ElementwiseKind::Sub, next, taken);
      taken = next;
    } else {
      taken = found;
    }
    Value part =
        createBinary(importer, loc, ElementwiseKind::Mul, found, source);
    parts[place] = importer.reshape(loc, part, shape);
  }
  Numbers merged(shapeOf(source));
  merged[1] *= elements.size();
  Value all = concatDim(importer.builder, loc, parts, 2);
  return putBack(importer.reshape(loc, all, merged), shapeOf(x));
}

static LogicalResult importSelectAndScatter(FunctionImporter &importer,
                                            stablehlo::SelectAndScatterOp op) {
  FailureOr<Value> input = importer.operand(op, 0),
                   source = importer.operand(op, 1);
  if (failed(FunctionImporter::checkFloat(op)) || failed(input) ||
      failed(source))
    return failure();
  std::optional<Search> search = selectionOf(op.getSelect().front());
  FailureOr<ElementwiseKind> kind = combinerKind(op, op.getScatter());
  if (failed(kind))
    return failure();
  if (!search || *kind != ElementwiseKind::Add ||
      !isNeutral(*kind, op.getInitValue()))
    return op.emitOpError("does not add numbers to zeros where windows have "
                          "their largest or least element, as gradients of "
                          "poolings do; run it on the host");
  Windows windows(op);
  constexpr int64_t maxPlaces = 64;
  int64_t places = 1;
  for (int64_t dim : windows.moved) {
    if (windows.window[dim] > maxPlaces / places)
      return op.emitOpError("has windows of more than ")
             << maxPlaces << " elements, which cannot be imported";
    places *= windows.window[dim];
    for (int side : {0, 1})
      if (int64_t pad = windows.pad[2 * dim + side];
          pad < 0 || pad >= windows.window[dim])
        return op.emitOpError("pads dimension ")
               << dim << " by " << pad << ", expected 0 to "
               << windows.window[dim] - 1
               << ", so that each window has an element; pad or slice before";
  }
  if (windows.moved.size() > 2)
    return op.emitOpError("moves windows along ")
           << windows.moved.size()
           << " dimensions, but at most 2 can be imported";
  Location loc = op.getLoc();
  Value result = Scatter(importer, loc, windows, *search)
                     .run(windows.toImage(importer, loc, *input),
                          windows.toImage(importer, loc, *source));
  importer.map(op->getResult(0),
               windows.fromImage(importer, loc, result, resultShape(op)));
  return success();
}

void mlir::ane::addStableHLOWindowImport(FunctionImporter &importer) {
  importer.add<stablehlo::ConvolutionOp>(importConvolution);
  importer.add<stablehlo::ReduceWindowOp>(importReduceWindow);
  importer.add<stablehlo::SelectAndScatterOp>(importSelectAndScatter);
}
