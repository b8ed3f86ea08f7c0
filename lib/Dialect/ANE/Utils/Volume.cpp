//===- Volume.cpp - Convolution and pooling of volumes --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/Volume.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/Padding.h"

#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;
using namespace mlir::ane;

namespace {

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

struct Emitter : AneBuilder {
  using AneBuilder::AneBuilder;

  /// N x C x D x H x W and N x D x C x H x W, either from the other.
  Value swapPlanes(Value x) { return transpose(x, {0, 2, 1, 3, 4}); }

  /// The parts of `x` along dimension 0, of size 1, each done by `each`.
  Value forImages(Value x, function_ref<Value(Value)> each) {
    SmallVector<Value> results;
    for (int64_t i = 0; i < shapeOf(x)[0]; ++i)
      results.push_back(each(slice(x, 0, i, 1)));
    return concat(results, 0);
  }
};

/// The rows and columns of a window, as ops of images have them.
struct Image {
  explicit Image(const VolumeWindow &window)
      : strides(ArrayRef(window.strides).drop_front()),
        dilations(ArrayRef(window.dilations).drop_front()),
        kernel(ArrayRef(window.kernel).drop_front()),
        pad(ArrayRef(window.pad).drop_front(2)) {}

  SmallVector<int64_t> strides, dilations, kernel, pad;
};

/// A plane of the input and the part of the kernel that meets it.
struct Tap {
  int64_t plane, depth;
};

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

/// A convolution of volumes, plane by plane of its result.
class VolumeConv {
public:
  VolumeConv(Emitter emitter, Value weight, Value bias,
             const VolumeWindow &window, int64_t groups, bool isTransposed)
      : emit(emitter), weight(weight), bias(bias), window(window),
        image(window), groups(groups), isTransposed(isTransposed) {
    channels = shapeOf(weight)[isTransposed ? 0 : 1];
    outputs = shapeOf(weight)[isTransposed ? 1 : 0];
    (isTransposed ? outputs : channels) *= groups;
  }

  /// `x` is one volume.
  Value run(Value x) {
    ArrayRef<int64_t> shape = shapeOf(x);
    int64_t depth = shape[2];
    image = Image(window);
    rows = sizeOf(shape[3], 1);
    columns = sizeOf(shape[4], 2);
    int64_t count = sizeOf(depth, 0);
    Value planes = emit.reshape(emit.swapPlanes(x),
                                {1, depth * channels, shape[3], shape[4]});
    if (!isTransposed)
      planes = padBeyondWindow(emit.builder, emit.loc, planes,
                               {window.extent(1), window.extent(2)}, image.pad);
    SmallVector<Value> results;
    for (int64_t i = 0; i < count; ++i)
      results.push_back(plane(planes, tapsOf(i, depth)));
    return emit.swapPlanes(emit.reshape(emit.concat(results, 1),
                                        {1, count, outputs, rows, columns}));
  }

private:
  int64_t sizeOf(int64_t size, int axis) const {
    return isTransposed ? window.countTransposed(size, axis)
                        : window.count(size, axis);
  }

  /// What plane `index` of the result is made of, in the order of planes.
  SmallVector<Tap> tapsOf(int64_t index, int64_t depth) const {
    SmallVector<Tap> taps;
    int64_t stride = window.strides[0], dilation = window.dilations[0];
    for (int64_t tap = 0; tap < window.kernel[0]; ++tap) {
      int64_t at = isTransposed
                       ? index + window.pad[0] - tap * dilation
                       : index * stride - window.pad[0] + tap * dilation;
      if (isTransposed && at % stride != 0)
        continue;
      int64_t plane = isTransposed ? at / stride : at;
      if (at >= 0 && plane < depth)
        taps.push_back({plane, tap});
    }
    if (isTransposed)
      std::reverse(taps.begin(), taps.end());
    return taps;
  }

  Value plane(Value planes, ArrayRef<Tap> taps) {
    // Padding only: the bias, and zeros.
    if (taps.empty())
      return convolve(emit.slice(planes, 1, 0, channels), zeros(), bias);
    if (groups == 1)
      return convolve(source(planes, taps), filter(taps), bias);
    // The channels of a group do not lie side by side in several planes.
    Value sum;
    for (const Tap &tap : taps) {
      Value part =
          convolve(source(planes, tap), filter(tap), sum ? Value() : bias);
      sum = sum ? emit.add(sum, part) : part;
    }
    return sum;
  }

  Value source(Value planes, ArrayRef<Tap> taps) {
    auto isNext = [](const Tap &a, const Tap &b) {
      return b.plane != a.plane + 1;
    };
    if (llvm::adjacent_find(taps, isNext) == taps.end())
      return emit.slice(planes, 1, taps.front().plane * channels,
                        taps.size() * channels);
    SmallVector<Value> parts;
    for (const Tap &tap : taps)
      parts.push_back(emit.slice(planes, 1, tap.plane * channels, channels));
    return emit.concat(parts, 1);
  }

  /// The weight of an image for the channels of these planes; the same for all
  /// results with the same taps.
  Value filter(ArrayRef<Tap> taps) {
    std::vector<int64_t> depths;
    for (const Tap &tap : taps)
      depths.push_back(tap.depth);
    Value &known = filters[depths];
    if (known)
      return known;
    ArrayRef<int64_t> shape = shapeOf(weight);
    SmallVector<Value> parts;
    for (int64_t depth : depths)
      parts.push_back(emit.reshape(emit.slice(weight, 2, depth, 1),
                                   {shape[0], shape[1], shape[3], shape[4]}));
    return known = emit.concat(parts, isTransposed ? 0 : 1);
  }

  Value zeros() {
    ArrayRef<int64_t> shape = shapeOf(weight);
    auto type = typeOf(weight).clone({shape[0], shape[1], shape[3], shape[4]});
    Attribute zero = emit.builder.getZeroAttr(type.getElementType());
    return ConstantOp::create(emit.builder, emit.loc,
                              DenseElementsAttr::get(type, zero));
  }

  Value convolve(Value x, Value filter, Value bias) {
    SmallVector<int64_t> result = {1, outputs, rows, columns};
    auto create = [&](auto op) -> Value {
      return decltype(op)::create(emit.builder, emit.loc,
                                  typeOf(x).clone(result), x, filter, bias,
                                  /*scale=*/Value(), image.strides, image.pad,
                                  image.dilations, groups, ActivationAttr());
    };
    return isTransposed ? create(ConvTransposeOp()) : create(ConvOp());
  }

  Emitter emit;
  Value weight, bias;
  const VolumeWindow &window;
  Image image;
  int64_t groups, channels, outputs, rows = 0, columns = 0;
  bool isTransposed;
  std::map<std::vector<int64_t>, Value> filters;
};

} // namespace

/// Whether the window is one element along `axis`, and stays on all of them.
static bool isIdle(const VolumeWindow &window, size_t axis) {
  return window.kernel[axis] == 1 && window.strides[axis] == 1 &&
         window.pad[2 * axis] == 0 && window.pad[2 * axis + 1] == 0;
}

// A task for each plane, as a rule, and a program has at most so many.
static constexpr int64_t maxPlanes = 65536;

static std::string tooMany(uint64_t count, StringRef what) {
  return (Twine("takes a volume apart into ") + Twine(count) + " " + what +
          ", but a program has at most " + Twine(maxPlanes) +
          " tasks; cut the volume into smaller ones")
      .str();
}

std::optional<std::string> mlir::ane::checkVolume(ArrayRef<int64_t> shape,
                                                  const VolumeWindow &window,
                                                  int64_t groups,
                                                  bool isTransposed) {
  int64_t planes = isTransposed ? window.countTransposed(shape[2], 0)
                                : window.count(shape[2], 0);
  int64_t taps = groups > 1 ? window.kernel[0] : 1;
  uint64_t count = llvm::SaturatingMultiply<uint64_t>(
      llvm::SaturatingMultiply<uint64_t>(shape[0], planes), taps);
  count = std::max<uint64_t>(count, window.kernel[0]);
  if (count > uint64_t(maxPlanes))
    return tooMany(count, "convolutions of planes");
  return std::nullopt;
}

std::optional<std::string>
mlir::ane::checkVolumePool(const VolumeWindow &window) {
  if (window.kernel[0] > maxPlanes)
    return tooMany(window.kernel[0], "planes of a window");
  return std::nullopt;
}

/// A volume whose rows and columns, or whose planes and rows, are no different
/// from each other to the window, is an image; null otherwise.
static Value convolveAsImage(Emitter emit, Value x, Value weight, Value bias,
                             const VolumeWindow &window, int64_t groups) {
  bool isFlat = isIdle(window, 0) && isIdle(window, 1);
  bool isDeep = !isFlat && isIdle(window, 1) && isIdle(window, 2);
  if (!isFlat && !isDeep)
    return {};
  ArrayRef<int64_t> shape = shapeOf(x);
  VolumeWindow flat = window;
  SmallVector<int64_t> input = {shape[0], shape[1], shape[2] * shape[3],
                                shape[4]};
  if (isDeep) {
    std::swap(flat.kernel[0], flat.kernel[1]);
    std::swap(flat.strides[0], flat.strides[1]);
    std::swap(flat.dilations[0], flat.dilations[1]);
    std::swap(flat.pad[0], flat.pad[2]);
    std::swap(flat.pad[1], flat.pad[3]);
    input = {shape[0], shape[1], shape[2], shape[3] * shape[4]};
  }
  int64_t outputs = shapeOf(weight)[0];
  Value filter = emit.reshape(
      weight, {outputs, shapeOf(weight)[1], flat.kernel[1], flat.kernel[2]});
  Value y = convolveImage(emit.builder, emit.loc, emit.reshape(x, input),
                          filter, bias, flat, groups);
  ArrayRef<int64_t> result = shapeOf(y);
  if (isDeep)
    return emit.reshape(y, {shape[0], outputs, result[2], shape[3], shape[4]});
  return emit.reshape(y, {shape[0], outputs, shape[2], shape[3], result[3]});
}

/// Zeros around `x` become padding of the window.
static Value takePadding(Value x, VolumeWindow &window) {
  auto pad = x.getDefiningOp<PadOp>();
  if (!pad || !pad.getValue().isZero())
    return x;
  ArrayRef<int64_t> low = pad.getLow(), high = pad.getHigh();
  if (low[0] || high[0] || low[1] || high[1])
    return x;
  for (size_t axis = 0; axis < 3; ++axis) {
    window.pad[2 * axis] += low[2 + axis];
    window.pad[2 * axis + 1] += high[2 + axis];
  }
  return pad.getInput();
}

Value mlir::ane::convolveImage(OpBuilder &builder, Location loc, Value x,
                               Value weight, Value bias,
                               const VolumeWindow &window, int64_t groups,
                               Type element) {
  ArrayRef<int64_t> shape = shapeOf(x);
  auto type = RankedTensorType::get(
      {shape[0], shapeOf(weight)[0], window.count(shape[2], 1),
       window.count(shape[3], 2)},
      element ? element : getElementTypeOrSelf(x));
  Image image(window);
  x = padBeyondWindow(builder, loc, x, {window.extent(1), window.extent(2)},
                      image.pad);
  return ConvOp::create(builder, loc, type, x, weight, bias, /*scale=*/Value(),
                        image.strides, image.pad, image.dilations, groups,
                        ActivationAttr());
}

Value mlir::ane::convolveVolume(OpBuilder &builder, Location loc, Value x,
                                Value weight, Value bias, VolumeWindow window,
                                int64_t groups) {
  Emitter emit{builder, loc};
  x = takePadding(x, window);
  if (Value y = convolveAsImage(emit, x, weight, bias, window, groups))
    return y;
  VolumeConv conv(emit, weight, bias, window, groups, /*isTransposed=*/false);
  return emit.forImages(x, [&](Value volume) { return conv.run(volume); });
}

Value mlir::ane::convolveVolumeTransposed(OpBuilder &builder, Location loc,
                                          Value x, Value weight, Value bias,
                                          const VolumeWindow &window,
                                          int64_t groups) {
  Emitter emit{builder, loc};
  VolumeConv conv(emit, weight, bias, window, groups, /*isTransposed=*/true);
  return emit.forImages(x, [&](Value volume) { return conv.run(volume); });
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

/// For each plane of the result one over the planes that its mean is of.
static SmallVector<float> sharesOf(const VolumeWindow &window, int64_t depth,
                                   int64_t count, bool countPadding) {
  SmallVector<float> shares;
  for (int64_t i = 0; i < count; ++i) {
    int64_t first = i * window.strides[0] - window.pad[0];
    int64_t end = std::min(first + window.kernel[0], depth);
    int64_t inside = end - std::max<int64_t>(first, 0);
    shares.push_back(
        1.0 / std::max<int64_t>(countPadding ? window.kernel[0] : inside, 1));
  }
  return shares;
}

Value mlir::ane::poolImage(OpBuilder &builder, Location loc, PoolKind kind,
                           Value x, const VolumeWindow &window,
                           bool countPadding) {
  ArrayRef<int64_t> shape = shapeOf(x);
  Image image(window);
  return PoolOp::create(
      builder, loc,
      typeOf(x).clone({shape[0], shape[1], window.count(shape[2], 1),
                       window.count(shape[3], 2)}),
      kind, x, image.kernel, image.strides, image.pad, countPadding);
}

// Images are pooled first, which leaves less to do for the depth.
Value mlir::ane::poolVolume(OpBuilder &builder, Location loc, PoolKind kind,
                            Value x, const VolumeWindow &window,
                            bool countPadding) {
  Emitter emit{builder, loc};
  bool isMean = kind == PoolKind::Average;
  SmallVector<int64_t> shape(shapeOf(x));
  Value planes = emit.reshape(
      emit.swapPlanes(x), {shape[0] * shape[2], shape[1], shape[3], shape[4]});
  planes = poolImage(builder, loc, kind, planes, window, countPadding);
  int64_t rows = shapeOf(planes)[2], columns = shapeOf(planes)[3];
  planes = emit.reshape(planes, {shape[0], shape[2], shape[1], rows, columns});
  int64_t front = window.pad[0], behind = window.pad[1];
  int64_t padded = shape[2] + front + behind, count = window.count(shape[2], 0);
  if (front || behind)
    planes = PadOp::create(
        builder, loc,
        typeOf(x).clone({shape[0], padded, shape[1], rows, columns}), planes,
        ArrayRef<int64_t>{0, front, 0, 0, 0},
        ArrayRef<int64_t>{0, behind, 0, 0, 0},
        llvm::APFloat(isMean ? 0.0f : -65504.0f));
  Value shares =
      isMean ? emit.numbers(sharesOf(window, shape[2], count, countPadding),
                            /*rank=*/5, /*dim=*/1)
             : Value();
  Value result;
  for (int64_t tap = 0; tap < window.kernel[0]; ++tap) {
    Value part = emit.slice(planes, 1, tap, count, window.strides[0]);
    // Each in front of the sum, which f16 may not hold.
    if (isMean)
      part = emit.binary(ElementwiseKind::Mul, part, shares);
    result = result ? emit.binary(isMean ? ElementwiseKind::Add
                                         : ElementwiseKind::Max,
                                  result, part)
                    : part;
  }
  return emit.swapPlanes(result);
}
