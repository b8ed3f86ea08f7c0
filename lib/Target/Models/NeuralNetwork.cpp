//===- NeuralNetwork.cpp - Neural networks of .mlmodel files --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format has two ways to count dimensions. In the older one every value is
// [sequence, batch, channels, height, width]; since the batch is always 1, a
// value has the other four here. In the newer one values have the rank that
// they say, and layers of images look at the last three dimensions. What a
// layer computes is said in the comments of Core ML's own NeuralNetwork.proto.
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "RecurrentLayer.h"

#include "ane/HW/Float16.h"
#include "ane/Target/MLPackage/MLPackage.h"
#include "ane/Target/Models/Models.h"

#include "NeuralNetwork.pb.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/stubs/logging.h>

#include <cmath>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::models;
namespace pb = ::ane::layers;

namespace {

/// A value of a network. One of rank 5 has no dimension for its batch.
struct Blob {
  Value value;
  bool hasSequence = false;
};

class NetworkImporter {
public:
  NetworkImporter(ProgramBuilder &builder, bool exactArrays, bool rank4Images)
      : builder(builder), exactArrays(exactArrays), rank4Images(rank4Images) {}

  bool import(const google::protobuf::RepeatedPtrField<pb::Layer> &layers,
              const google::protobuf::RepeatedPtrField<pb::Preprocessing> &pre,
              const pb::Description &description, StringRef probabilities,
              llvm::StringMap<Value> &features);

private:
  using Outputs = SmallVector<Blob>;

  bool importLayer(const pb::Layer &layer);
  Outputs importOne(const pb::Layer &layer, ArrayRef<Blob> inputs);
  Outputs suppress(const pb::Suppression &layer, ArrayRef<Blob> inputs);
  Value preprocess(Value image, const pb::Feature &feature,
                   const pb::Preprocessing &message);

  Value convolution(const pb::Convolution &layer, Value x);
  Value pooling(const pb::Pooling &layer, Value x);
  Value activation(const pb::Activation &layer, Value x);
  Value innerProduct(const pb::InnerProduct &layer, const Blob &x);
  Value batchnorm(const pb::Batchnorm &layer, Value x);
  Value unary(const pb::Unary &layer, Value x);
  Value reduce(const pb::Reduce &layer, Value x);
  Value upsample(const pb::Upsample &layer, Value x);
  Value resize(const pb::ResizeBilinear &layer, Value x);
  Value reorganize(const pb::Reorganize &layer, Value x);
  Value reshape(const pb::Reshape &layer, Value x);
  Value crop(const pb::Crop &layer, ArrayRef<Blob> inputs);
  Value sliceStatic(const pb::SliceStatic &layer, const Blob &x);
  Value matmul(const pb::MatMul &layer, ArrayRef<Blob> inputs);
  Value layerNorm(const pb::LayerNorm &layer, Value x);
  Outputs recurrent(const pb::Layer &layer, ArrayRef<Blob> inputs);
  /// One weight after the other.
  std::vector<float> join(ArrayRef<const pb::Weights *> weights, int64_t count,
                          StringRef what);
  SmallVector<std::string>
  functionsOf(const google::protobuf::RepeatedPtrField<pb::Activation> &all,
              size_t count);
  std::vector<RecurrentDirection> directionsOf(const pb::LSTM &layer,
                                               bool isBoth);

  /// As a batch of images, and back.
  Value toImages(Value x);
  Value fromImages(Value y, Value x);
  /// A dimension of a value, as a layer counts it; -1 after an error.
  int64_t axis(const Blob &x, int64_t axis);
  Shape axes(const Blob &x,
             const google::protobuf::RepeatedField<int64_t> &all);
  Value foldMany(StringRef type, ArrayRef<Blob> inputs);
  Value expand(Value x, int64_t rank);
  SmallVector<Value> split(Value x, int64_t axis, ArrayRef<int64_t> sizes);

  /// The numbers of a weight; an error if it has not so many.
  std::optional<std::vector<float>> numbers(const pb::Weights &weights,
                                            int64_t count, StringRef what,
                                            int64_t channels = 1);
  Value weight(const pb::Weights &weights, ArrayRef<int64_t> shape,
               StringRef what, int64_t channels = 1);

  ProgramBuilder &builder;
  const bool exactArrays, rank4Images;
  llvm::StringMap<Blob> blobs;
};

} // namespace

template <typename T>
static Shape toShape(const google::protobuf::RepeatedField<T> &field) {
  return Shape(field.begin(), field.end());
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

std::optional<std::vector<float>>
NetworkImporter::numbers(const pb::Weights &weights, int64_t count,
                         StringRef what, int64_t channels) {
  auto hasCount = [&](uint64_t got) {
    if (got == uint64_t(count))
      return true;
    builder.refuse("has " + Twine(got) + " numbers for its " + what + ", but " +
                   Twine(count) + " are needed");
    return false;
  };
  if (!weights.int8_raw_value().empty()) {
    builder.refuse("multiplies with integers (int8DynamicQuantize)");
    return std::nullopt;
  }
  if (!weights.float16_value().empty()) {
    StringRef bytes = weights.float16_value();
    if (!hasCount(bytes.size() / 2))
      return std::nullopt;
    std::vector<float> result;
    result.reserve(count);
    for (int64_t i = 0; i < count; ++i)
      result.push_back(::ane::hw::fromHalfBits(
          uint16_t(uint8_t(bytes[2 * i]) | uint8_t(bytes[2 * i + 1]) << 8)));
    return result;
  }
  if (weights.raw_value().empty()) {
    if (!hasCount(weights.float_value_size()))
      return std::nullopt;
    return std::vector<float>(weights.float_value().begin(),
                              weights.float_value().end());
  }
  // Numbers of a few bits, the highest bit of the first one first.
  const pb::Quantization &quantization = weights.quantization();
  StringRef bytes = weights.raw_value();
  uint64_t bits = quantization.number_of_bits();
  if (bits < 1 || bits > 8 ||
      bytes.size() != llvm::divideCeil(uint64_t(count) * bits, 8)) {
    builder.refuse("has " + Twine(bytes.size()) + " bytes for its " + what +
                   ", which is not " + Twine(count) + " numbers of " +
                   Twine(bits) + " bits");
    return std::nullopt;
  }
  const auto &linear = quantization.linear();
  const auto &table = quantization.table();
  auto isFor = [&](int got) { return got == 1 || got == channels; };
  bool isLinear = quantization.has_linear();
  if (isLinear ? !isFor(linear.scale_size()) ||
                     !(linear.bias_size() == 0 || isFor(linear.bias_size()))
               : table.float_value_size() != 1 << bits) {
    builder.refuse("has scales or a table for its " + what +
                   " that do not fit " + Twine(bits) + " bits and " +
                   Twine(channels) + " channels");
    return std::nullopt;
  }
  std::vector<float> result;
  result.reserve(count);
  int64_t each = std::max<int64_t>(count / channels, 1);
  for (int64_t i = 0; i < count; ++i) {
    unsigned value = 0;
    for (uint64_t bit = i * bits; bit < (i + 1) * bits; ++bit)
      value = value << 1 | (uint8_t(bytes[bit / 8]) >> (7 - bit % 8) & 1);
    if (!isLinear) {
      result.push_back(table.float_value(value));
      continue;
    }
    int channel = i / each;
    float bias = linear.bias_size() == 0   ? 0
                 : linear.bias_size() == 1 ? linear.bias(0)
                                           : linear.bias(channel);
    result.push_back(
        linear.scale(linear.scale_size() == 1 ? 0 : channel) * value + bias);
  }
  return result;
}

Value NetworkImporter::weight(const pb::Weights &weights,
                              ArrayRef<int64_t> shape, StringRef what,
                              int64_t channels) {
  std::optional<int64_t> count = countOf(shape);
  if (!count) {
    builder.refuse("has a " + what + " of " + describe(shape) + " numbers");
    return {};
  }
  std::optional<std::vector<float>> values =
      numbers(weights, *count, what, channels);
  return values ? builder.weight(what, *values, builder.builder.getF32Type(),
                                 shape)
                : Value();
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

Value NetworkImporter::toImages(Value x) {
  Shape shape = builder.shapeOf(x);
  if (shape.size() < 3) {
    builder.refuse("has an input of rank " + Twine(shape.size()) +
                   ", but channels, height and width are expected");
    return {};
  }
  int64_t batch = 1;
  for (int64_t size : ArrayRef(shape).drop_back(3))
    batch *= size;
  return builder.reshape(x, {batch, shape[shape.size() - 3],
                             shape[shape.size() - 2], shape.back()});
}

Value NetworkImporter::fromImages(Value y, Value x) {
  Shape shape = builder.shapeOf(x);
  shape.truncate(shape.size() - 3);
  llvm::append_range(shape, ArrayRef(builder.shapeOf(y)).take_back(3));
  return builder.reshape(y, shape);
}

int64_t NetworkImporter::axis(const Blob &x, int64_t axis) {
  int64_t rank = builder.rankOf(x.value), counted = rank + x.hasSequence;
  int64_t place = axis < 0 ? axis + counted : axis;
  if (place < 0 || place >= counted || (x.hasSequence && place == 1)) {
    builder.refuse("has axis " + Twine(axis) + " of rank " + Twine(counted) +
                   (x.hasSequence ? ", whose batch is not split" : ""));
    return -1;
  }
  return x.hasSequence && place > 1 ? place - 1 : place;
}

Shape NetworkImporter::axes(
    const Blob &x, const google::protobuf::RepeatedField<int64_t> &all) {
  Shape result;
  for (int64_t each : all)
    if (int64_t place = axis(x, each);
        place >= 0 && !llvm::is_contained(result, place))
      result.push_back(place);
  return result;
}

/// With dimensions of 1 in front.
Value NetworkImporter::expand(Value x, int64_t rank) {
  Shape shape = builder.shapeOf(x);
  while (int64_t(shape.size()) < rank)
    shape.insert(shape.begin(), 1);
  return builder.reshape(x, shape);
}

Value NetworkImporter::foldMany(StringRef type, ArrayRef<Blob> inputs) {
  Value result = inputs[0].value;
  for (const Blob &each : inputs.drop_front())
    result = builder.binary(type, result, each.value);
  return result;
}

SmallVector<Value> NetworkImporter::split(Value x, int64_t axis,
                                          ArrayRef<int64_t> sizes) {
  Shape begin(builder.rankOf(x), 0), size = builder.shapeOf(x);
  int64_t total = 0;
  for (int64_t each : sizes)
    total += each;
  if (total != size[axis]) {
    builder.refuse("splits " + Twine(size[axis]) + " elements into " +
                   Twine(sizes.size()) + " that have " + Twine(total));
    return {};
  }
  SmallVector<Value> results;
  for (int64_t each : sizes) {
    size[axis] = each;
    results.push_back(builder.slice(x, begin, size));
    begin[axis] += each;
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

static Shape orDefault(const google::protobuf::RepeatedField<int64_t> &field,
                       int64_t value) {
  return field.empty() ? Shape(2, value) : toShape(field);
}

/// Padding that keeps the size, or the size over the stride.
static void padSame(Window &window, ArrayRef<int64_t> sizes, int32_t mode,
                    bool isTransposed) {
  for (size_t dim = 0; dim < 2; ++dim) {
    int64_t stride = window.strides[dim], size = sizes[dim], total;
    if (isTransposed)
      total = (size - 1) * stride + window.span(dim) - size * stride;
    else
      total =
          ((size + stride - 1) / stride - 1) * stride + window.span(dim) - size;
    total = std::max<int64_t>(total, 0);
    int64_t half = total / 2;
    window.low[dim] = mode == 1 ? total - half : half;
    window.high[dim] = total - window.low[dim];
  }
}

template <typename Message>
static bool padWindow(const Message &layer, Window &window,
                      ArrayRef<int64_t> sizes, bool isTransposed) {
  // Numbers above are refused when the window is applied.
  constexpr int64_t limit = int64_t(1) << 30;
  for (size_t dim = 0; dim < window.kernel.size(); ++dim)
    if (window.kernel[dim] < 1 || window.kernel[dim] > limit ||
        window.strides[dim] < 1 || window.strides[dim] > limit ||
        window.dilations[dim] < 1 || window.dilations[dim] > limit)
      return false;
  if (layer.has_same()) {
    padSame(window, sizes, layer.same().asymmetry_mode(), isTransposed);
    return true;
  }
  const auto &borders = layer.valid().padding_amounts().border_amounts();
  for (int dim = 0; dim < std::min(2, borders.size()); ++dim) {
    if (borders[dim].start_edge_size() > uint64_t(limit) ||
        borders[dim].end_edge_size() > uint64_t(limit))
      return false;
    window.low[dim] = borders[dim].start_edge_size();
    window.high[dim] = borders[dim].end_edge_size();
  }
  return true;
}

Value NetworkImporter::convolution(const pb::Convolution &layer, Value x) {
  Value images = toImages(x);
  if (!images)
    return {};
  Shape sizes = builder.shapeOf(images),
        kernel = orDefault(layer.kernel_size(), 3),
        strides = orDefault(layer.stride(), 1),
        dilations = orDefault(layer.dilation_factor(), 1);
  if (kernel.size() != 2 || strides.size() != 2 || dilations.size() != 2) {
    builder.refuse("has a kernel, strides or dilations that are not two");
    return {};
  }
  int64_t groups = std::max<int64_t>(layer.n_groups(), 1),
          outputs = layer.output_channels(), inputs = layer.kernel_channels();
  bool isTransposed = layer.is_deconvolution();
  Window window(kernel);
  window.strides = strides;
  window.dilations = dilations;
  if (outputs < 1 || inputs < 1 || groups > outputs || outputs % groups ||
      !padWindow(layer, window, ArrayRef(sizes).drop_front(2), isTransposed)) {
    builder.refuse("has " + Twine(inputs) + " to " + Twine(outputs) +
                   " channels in " + Twine(groups) + " groups, a kernel of " +
                   describe(kernel) + " and strides of " + describe(strides));
    return {};
  }
  Shape shape =
      isTransposed ? Shape{inputs, outputs / groups} : Shape{outputs, inputs};
  llvm::append_range(shape, kernel);
  Value weights =
      weight(layer.weights(), shape, "weights", isTransposed ? 1 : outputs);
  Value bias =
      layer.with_bias() ? weight(layer.bias(), {outputs}, "bias") : Value();
  if (!weights || (layer.with_bias() && !bias))
    return {};
  if (!isTransposed)
    return fromImages(builder.conv(images, weights, bias, window, groups), x);
  // What the size that is wanted lacks is cut off evenly.
  Shape wanted = toShape(layer.output_shape());
  if (!wanted.empty() && wanted.size() != 2) {
    builder.refuse("has an output shape of " + Twine(wanted.size()) + " sizes");
    return {};
  }
  for (size_t dim = 0; dim < wanted.size(); ++dim) {
    int64_t whole = (sizes[dim + 2] - 1) * strides[dim] + window.span(dim);
    int64_t total = whole - wanted[dim];
    if (wanted[dim] < 1 || total < 0) {
      builder.refuse("has an output of " + Twine(wanted[dim]) +
                     " elements, but gives " + Twine(whole));
      return {};
    }
    window.low[dim] = total / 2;
    window.high[dim] = total - window.low[dim];
  }
  return fromImages(
      builder.convTranspose(images, weights, bias, window, groups), x);
}

Value NetworkImporter::pooling(const pb::Pooling &layer, Value x) {
  Value images = toImages(x);
  if (!images)
    return {};
  static constexpr StringRef types[] = {"max_pool", "avg_pool", "l2_pool"};
  if (layer.type() < 0 || layer.type() > 2) {
    builder.refuse("is a pool of type " + Twine(layer.type()));
    return {};
  }
  Shape sizes = builder.shapeOf(images);
  if (layer.global_pooling()) {
    static constexpr StringRef reductions[] = {"reduce_max", "reduce_mean",
                                               "reduce_l2_norm"};
    return fromImages(builder.reduce(reductions[layer.type()], images, {2, 3}),
                      x);
  }
  Shape kernel = orDefault(layer.kernel_size(), 3),
        strides = orDefault(layer.stride(), 1);
  if (kernel.size() != 2 || strides.size() != 2) {
    builder.refuse("has a kernel or strides that are not two");
    return {};
  }
  Window window(kernel);
  window.strides = strides;
  bool countsPadding = !layer.avg_pool_exclude_padding();
  if (!padWindow(layer, window, ArrayRef(sizes).drop_front(2), false)) {
    builder.refuse("has a kernel of " + describe(kernel) + " and strides of " +
                   describe(strides));
    return {};
  }
  if (layer.has_include_last_pixel()) {
    Shape amounts = orDefault(layer.include_last_pixel().padding_amounts(), 0);
    if (amounts.size() != 2 || amounts[0] < 0 || amounts[1] < 0 ||
        amounts[0] >= kernel[0] || amounts[1] >= kernel[1]) {
      builder.refuse("has padding that is not two, or as large as its kernel");
      return {};
    }
    bool isPadded = amounts[0] > 0 || amounts[1] > 0;
    for (size_t dim = 0; dim < 2; ++dim) {
      int64_t room = sizes[dim + 2] + 2 * amounts[dim] - kernel[dim];
      int64_t steps = room < 0 ? 0 : llvm::divideCeil(room, strides[dim]);
      if (isPadded && steps * strides[dim] >= sizes[dim + 2] + amounts[dim])
        --steps;
      int64_t more = steps * strides[dim] - room;
      window.low[dim] = amounts[dim];
      window.high[dim] = amounts[dim] + more;
      if (layer.type() == 1 && countsPadding && more > 0) {
        builder.refuse("takes the mean of windows beyond the padding, whose "
                       "count is not said; exclude the padding");
        return {};
      }
      if (window.high[dim] < 0) {
        builder.refuse("has windows that do not reach the last pixel");
        return {};
      }
    }
  }
  return fromImages(
      builder.pool(types[layer.type()], images, window, countsPadding), x);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Value NetworkImporter::activation(const pb::Activation &layer, Value x) {
  auto two = [&](StringRef type, const pb::AlphaBeta &numbers) {
    return builder.unary(
        type, x, {{"alpha", numbers.alpha()}, {"beta", numbers.beta()}});
  };
  auto perChannel = [&](const pb::Weights &weights, StringRef what) {
    int64_t channels =
        builder.rankOf(x) < 3 ? 1 : builder.shapeOf(x)[builder.rankOf(x) - 3];
    bool isOne =
        weights.float_value_size() == 1 || weights.float16_value().size() == 2;
    return weight(weights, {isOne ? 1 : channels, 1, 1}, what);
  };
  switch (layer.type_case()) {
  case pb::Activation::kLinear:
    return two("linear_activation", layer.linear());
  case pb::Activation::kRelu:
    return builder.unary("relu", x);
  case pb::Activation::kLeakyRelu:
    return builder.unary("leaky_relu", x,
                         {{"alpha", layer.leaky_relu().alpha()}});
  case pb::Activation::kThresholdedRelu:
    return builder.unary("thresholded_relu", x,
                         {{"alpha", layer.thresholded_relu().alpha()}});
  case pb::Activation::kPrelu: {
    Value slope = perChannel(layer.prelu().alpha(), "alpha");
    if (!slope)
      return {};
    return builder.binary(
        "add", builder.unary("relu", x),
        builder.binary("mul", builder.binary("minimum", x, 0), slope));
  }
  case pb::Activation::kTanh:
    return builder.unary("tanh", x);
  case pb::Activation::kScaledTanh:
    return two("scaled_tanh", layer.scaled_tanh());
  case pb::Activation::kSigmoid:
    return builder.unary("sigmoid", x);
  case pb::Activation::kSigmoidHard:
    return two("sigmoid_hard", layer.sigmoid_hard());
  case pb::Activation::kElu:
    return builder.unary("elu", x, {{"alpha", layer.elu().alpha()}});
  case pb::Activation::kSoftsign:
    return builder.unary("softsign", x);
  case pb::Activation::kSoftplus:
    return builder.unary("softplus", x);
  case pb::Activation::kParametricSoftplus: {
    Value alpha = perChannel(layer.parametric_softplus().alpha(), "alpha"),
          beta = perChannel(layer.parametric_softplus().beta(), "beta");
    if (!alpha || !beta)
      return {};
    return builder.binary(
        "mul", builder.unary("softplus", builder.binary("mul", x, beta)),
        alpha);
  }
  case pb::Activation::TYPE_NOT_SET:
    break;
  }
  builder.refuse("has a function that is not imported");
  return {};
}

static double orElse(double value, double otherwise) {
  return value == 0 ? otherwise : value;
}

Value NetworkImporter::unary(const pb::Unary &layer, Value x) {
  double scale = orElse(layer.scale(), 1),
         epsilon = orElse(layer.epsilon(), 1e-6);
  if (scale != 1)
    x = builder.binary("mul", x, scale);
  if (layer.shift() != 0)
    x = builder.binary("add", x, layer.shift());
  switch (layer.type()) {
  case 0:
    return builder.unary("sqrt", x);
  case 1:
    return builder.unary("rsqrt", x, {{"epsilon", epsilon}});
  case 2:
    return builder.unary("inverse", x, {{"epsilon", epsilon}});
  case 3:
    return builder.binary("pow", x, layer.alpha());
  case 4:
    return builder.unary("exp", x);
  case 5:
    return builder.unary("log", x, {{"epsilon", 0}});
  case 6:
    return builder.unary("abs", x);
  case 7:
    return builder.binary("maximum", x, layer.alpha());
  default:
    builder.refuse("is function " + Twine(layer.type()) +
                   ", of which 0 to 7 "
                   "are known");
    return {};
  }
}

Value NetworkImporter::innerProduct(const pb::InnerProduct &layer,
                                    const Blob &x) {
  Shape shape = builder.shapeOf(x.value);
  int64_t inputs = layer.input_channels(), outputs = layer.output_channels();
  // Of four dimensions and more, the last three are one.
  Shape rows = shape;
  bool isImage = x.hasSequence || shape.size() >= 4;
  if (isImage && shape.size() > 3) {
    rows.truncate(shape.size() - 2);
    rows.back() =
        shape[shape.size() - 3] * shape[shape.size() - 2] * shape.back();
  }
  if (rows.empty() || rows.back() != inputs) {
    builder.refuse("has an input of " + describe(shape) + ", but weights for " +
                   Twine(inputs) + " channels");
    return {};
  }
  Value weights =
      weight(layer.weights(), {outputs, inputs}, "weights", outputs);
  Value bias =
      layer.with_bias() ? weight(layer.bias(), {outputs}, "bias") : Value();
  if (!weights || (layer.with_bias() && !bias))
    return {};
  SmallVector<mil::NewArgument> arguments = {
      {"x", builder.reshape(x.value, rows)}, {"weight", weights}};
  if (bias)
    arguments.emplace_back("bias", bias);
  rows.back() = outputs;
  Value result =
      builder.emit("linear", arguments, builder.elementOf(x.value), rows);
  if (isImage && shape.size() > 3)
    rows.append({1, 1});
  return builder.reshape(result, rows);
}

Value NetworkImporter::batchnorm(const pb::Batchnorm &layer, Value x) {
  Value images = toImages(x);
  if (!images)
    return {};
  int64_t channels = builder.shapeOf(images)[1];
  double epsilon = orElse(layer.epsilon(), 1e-5);
  auto gamma = numbers(layer.gamma(), channels, "gamma"),
       beta = numbers(layer.beta(), channels, "beta");
  if (!gamma || !beta)
    return {};
  if (layer.compute_mean_var()) {
    if (!layer.instance_normalization()) {
      builder.refuse("takes mean and variance of the batch, which is for "
                     "training");
      return {};
    }
    Type f32 = builder.builder.getF32Type();
    return fromImages(
        builder.emit(
            "instance_norm",
            {{"x", images},
             {"gamma", builder.weight("gamma", *gamma, f32, {channels})},
             {"beta", builder.weight("beta", *beta, f32, {channels})},
             {"epsilon", builder.number(f32, epsilon)}},
            f32, builder.shapeOf(images)),
        x);
  }
  auto mean = numbers(layer.mean(), channels, "mean"),
       variance = numbers(layer.variance(), channels, "variance");
  if (!mean || !variance)
    return {};
  for (int64_t i = 0; i < channels; ++i) {
    double scale = (*gamma)[i] / std::sqrt((*variance)[i] + epsilon);
    (*beta)[i] -= (*mean)[i] * scale;
    (*gamma)[i] = scale;
  }
  Type f32 = builder.builder.getF32Type();
  Value scaled = builder.binary(
      "mul", images, builder.weight("gamma", *gamma, f32, {1, channels, 1, 1}));
  return fromImages(
      builder.binary("add", scaled,
                     builder.weight("beta", *beta, f32, {1, channels, 1, 1})),
      x);
}

std::vector<float> NetworkImporter::join(ArrayRef<const pb::Weights *> weights,
                                         int64_t count, StringRef what) {
  std::vector<float> result;
  for (const pb::Weights *each : weights) {
    auto part = numbers(*each, count, what);
    if (!part)
      return {};
    result.insert(result.end(), part->begin(), part->end());
  }
  return result;
}

// Sums are clipped to 50 before the function, which these do not notice.
SmallVector<std::string> NetworkImporter::functionsOf(
    const google::protobuf::RepeatedPtrField<pb::Activation> &all,
    size_t count) {
  SmallVector<std::string> names;
  for (const pb::Activation &each : all) {
    if (each.has_sigmoid())
      names.push_back("sigmoid");
    else if (each.has_tanh())
      names.push_back("tanh");
    else
      builder.refuse("has a function other than sigmoid and tanh");
  }
  if (names.size() != count)
    builder.refuse("has " + Twine(names.size()) + " functions, but " +
                   Twine(count) + " are needed");
  return names;
}

std::vector<RecurrentDirection>
NetworkImporter::directionsOf(const pb::LSTM &layer, bool isBoth) {
  const pb::LSTMParameters &parameters = layer.parameters();
  int64_t inputs = layer.inputs(), hidden = layer.outputs();
  // What the public tools write where nothing is clipped.
  constexpr float noClip = 50000;
  double clip = orElse(parameters.cell_clip(), 50);
  if (parameters.coupled_gates() || clip < 0) {
    builder.refuse("couples its gates, or clips its state below 0");
    return {};
  }
  if (layer.weights_size() != (isBoth ? 2 : 1)) {
    builder.refuse("has weights of " + Twine(layer.weights_size()) +
                   " directions");
    return {};
  }
  std::vector<RecurrentDirection> result;
  for (const pb::LSTMWeights &w : layer.weights()) {
    RecurrentDirection &each = result.emplace_back();
    bool isBackward = result.size() == 2;
    each.functions = functionsOf(
        isBackward ? layer.backward_activations() : layer.activations(), 3);
    each.isReverse = isBackward || layer.reverse_input();
    if (clip < noClip)
      each.clip = clip;
    // MIL: input, forget, output, cell.
    each.weight = join({&w.input_weight(), &w.forget_weight(),
                        &w.output_weight(), &w.cell_weight()},
                       hidden * inputs, "weights");
    each.recursion = join({&w.input_recursion(), &w.forget_recursion(),
                           &w.output_recursion(), &w.cell_recursion()},
                          hidden * hidden, "recursion");
    if (parameters.with_bias())
      each.bias = join(
          {&w.input_bias(), &w.forget_bias(), &w.output_bias(), &w.cell_bias()},
          hidden, "bias");
    else
      each.bias.assign(4 * hidden, 0);
    if (parameters.forget_bias() && !builder.hasFailed())
      for (int64_t unit = 0; unit < hidden; ++unit)
        each.bias[hidden + unit] += 1;
    if (parameters.with_peephole())
      each.peephole = join(
          {&w.input_peephole(), &w.forget_peephole(), &w.output_peephole()},
          hidden, "peephole");
  }
  return result;
}

NetworkImporter::Outputs NetworkImporter::recurrent(const pb::Layer &layer,
                                                    ArrayRef<Blob> inputs) {
  using L = pb::Layer;
  auto kind = layer.layer_case();
  int64_t size, hidden;
  bool isSequence;
  StringRef type = "lstm";
  std::vector<RecurrentDirection> directions;
  auto take = [&](const auto &message) {
    size = message.inputs();
    hidden = message.outputs();
    constexpr int64_t limit = 1 << 20;
    if (size > 0 && hidden > 0 && size < limit && hidden < limit)
      return true;
    builder.refuse("makes " + Twine(hidden) + " elements of " + Twine(size));
    return false;
  };
  if (kind == L::kSimpleRecurrent) {
    const pb::SimpleRecurrent &simple = layer.simple_recurrent();
    if (!take(simple))
      return {};
    type = "rnn";
    isSequence = simple.sequence_output();
    google::protobuf::RepeatedPtrField<pb::Activation> function;
    *function.Add() = simple.activation();
    RecurrentDirection &each = directions.emplace_back();
    each.functions = functionsOf(function, 1);
    each.isReverse = simple.reverse_input();
    each.weight = join({&simple.weight()}, hidden * size, "weights");
    each.recursion = join({&simple.recursion()}, hidden * hidden, "recursion");
    if (simple.with_bias())
      each.bias = join({&simple.bias()}, hidden, "bias");
  } else if (kind == L::kGru) {
    const pb::GRU &gru = layer.gru();
    if (!take(gru))
      return {};
    type = "gru";
    isSequence = gru.sequence_output();
    RecurrentDirection &each = directions.emplace_back();
    each.functions = functionsOf(gru.activations(), 2);
    each.isReverse = gru.reverse_input();
    // MIL: reset, new, update.
    each.weight =
        join({&gru.reset_weight(), &gru.output_weight(), &gru.update_weight()},
             hidden * size, "weights");
    each.recursion = join({&gru.reset_recursion(), &gru.output_recursion(),
                           &gru.update_recursion()},
                          hidden * hidden, "recursion");
    if (gru.with_bias())
      each.bias =
          join({&gru.reset_bias(), &gru.output_bias(), &gru.update_bias()},
               hidden, "bias");
  } else {
    bool isBoth = kind == L::kBidirectionalLstm;
    const pb::LSTM &lstm = isBoth ? layer.bidirectional_lstm() : layer.lstm();
    if (!take(lstm))
      return {};
    isSequence = lstm.parameters().sequence_output();
    directions = directionsOf(lstm, isBoth);
  }
  if (builder.hasFailed())
    return {};
  // [sequence, batch, channels, 1, 1], whose batch is 1 where it is not here.
  Blob first = inputs[0];
  Shape shape = builder.shapeOf(first.value);
  if (first.hasSequence)
    shape.insert(shape.begin() + 1, 1);
  if (shape.size() != 5 || shape[2] != size || shape[3] != 1 || shape[4] != 1) {
    builder.refuse("has an input of " + describe(shape) +
                   ", but needs S x B x " + Twine(size) + " x 1 x 1");
    return {};
  }
  int64_t steps = shape[0], batch = shape[1];
  bool isLstm = type == "lstm";
  size_t states = directions.size() * (isLstm ? 2 : 1);
  if (inputs.size() != 1 && inputs.size() != 1 + states) {
    builder.refuse("has " + Twine(inputs.size()) + " inputs, but 1 or " +
                   Twine(1 + states) + " are expected");
    return {};
  }
  auto state = [&](size_t index) -> Value {
    if (inputs.size() == 1)
      return {};
    Value value = inputs[1 + index].value;
    if (countOf(builder.shapeOf(value)) == batch * hidden)
      return builder.reshape(value, {batch, hidden});
    builder.refuse("has a state of " + describe(builder.shapeOf(value)));
    return {};
  };
  Value x = builder.reshape(first.value, {steps, batch, size});
  auto blob = [&](Value value, int64_t length, int64_t width) -> Blob {
    return {builder.reshape(value, first.hasSequence
                                       ? Shape{length, width, 1, 1}
                                       : Shape{length, batch, width, 1, 1}),
            first.hasSequence};
  };
  SmallVector<Value> sequences, lasts;
  Outputs results(1);
  for (auto [index, each] : llvm::enumerate(directions)) {
    size_t at = index * (isLstm ? 2 : 1);
    each.h = state(at);
    each.c = isLstm ? state(at + 1) : Value();
    if (builder.hasFailed())
      return {};
    RecurrentResult made = emitRecurrent(builder, type, x, hidden, each);
    // Of both directions, what belongs to one step is side by side.
    if (directions.size() == 2 && each.isReverse)
      made.sequence = reverseSteps(builder, made.sequence);
    sequences.push_back(made.sequence);
    lasts.push_back(made.h);
    results.push_back(blob(made.h, 1, hidden));
    if (isLstm)
      results.push_back(blob(made.c, 1, hidden));
  }
  int64_t width = hidden * int64_t(directions.size());
  SmallVector<Value> &all = isSequence ? sequences : lasts;
  Value joined =
      all.size() == 1 ? all[0] : builder.concat(all, isSequence ? 2 : 1);
  results[0] = blob(joined, isSequence ? steps : 1, width);
  results.truncate(layer.output_size() == 1 ? 1 : results.size());
  return results;
}

Value NetworkImporter::layerNorm(const pb::LayerNorm &layer, Value x) {
  Shape own = toShape(layer.normalized_shape()), shape = builder.shapeOf(x),
        axes;
  if (own.empty() || own.size() > shape.size() ||
      ArrayRef<int64_t>(shape).take_back(own.size()) != ArrayRef(own)) {
    builder.refuse("normalizes " + describe(own) + " of " + describe(shape));
    return {};
  }
  for (size_t i = shape.size() - own.size(); i < shape.size(); ++i)
    axes.push_back(i);
  Value gamma = weight(layer.gamma(), own, "gamma"),
        beta = weight(layer.beta(), own, "beta");
  if (!gamma || !beta)
    return {};
  Type f32 = builder.builder.getF32Type();
  return builder.emit(
      "layer_norm",
      {{"x", x},
       {"axes", builder.integers(axes)},
       {"gamma", gamma},
       {"beta", beta},
       {"epsilon", builder.number(f32, orElse(layer.eps(), 1e-5))}},
      f32, shape);
}

Value NetworkImporter::reduce(const pb::Reduce &layer, Value x) {
  Type f32 = builder.builder.getF32Type();
  int64_t rank = builder.rankOf(x);
  static constexpr StringRef types[] = {
      "reduce_sum",        "reduce_mean",    "reduce_prod",    "reduce_sum",
      "reduce_sum_square", "reduce_l1_norm", "reduce_l2_norm", "reduce_max",
      "reduce_min",        "reduce_argmax"};
  static const Shape all[] = {{-3, -2, -1}, {-2, -1}, {-3}, {-2}, {-1}};
  int32_t mode = layer.mode();
  if (mode < 0 || mode > 9 || layer.axis() < 0 || layer.axis() > 4 ||
      (mode == 9 && layer.axis() < 2)) {
    builder.refuse("is a reduction of mode " + Twine(mode) + " along " +
                   Twine(layer.axis()));
    return {};
  }
  Shape axes;
  for (int64_t each : all[layer.axis()])
    if (axes.push_back(each + rank), axes.back() < 0) {
      builder.refuse("reduces dimension " + Twine(each) + " of rank " +
                     Twine(rank));
      return {};
    }
  if (mode == 3) // of logarithms
    x = builder.emit(
        "log",
        {{"x", x},
         {"epsilon", builder.number(f32, orElse(layer.epsilon(), 1e-6))}},
        f32, builder.shapeOf(x));
  if (mode != 9)
    return builder.reduce(types[mode], x, axes);
  Shape shape = builder.shapeOf(x);
  shape[axes[0]] = 1;
  Value place = builder.emit(types[mode],
                             {{"x", x},
                              {"axis", builder.integer(axes[0])},
                              {"keep_dims", builder.boolean(true)}},
                             builder.builder.getI32Type(), shape);
  return builder.cast(place, builder.elementOf(x));
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

Value NetworkImporter::upsample(const pb::Upsample &layer, Value x) {
  Value images = toImages(x);
  if (!images)
    return {};
  Shape factors = orDefault(layer.scaling_factor(), 1),
        shape = builder.shapeOf(images);
  constexpr int64_t limit = 1 << 16;
  if (layer.fractional_scaling_factor_size() || factors.size() != 2 ||
      factors[0] < 1 || factors[1] < 1 || factors[0] > limit ||
      factors[1] > limit) {
    builder.refuse("scales by fractions, or by factors that are not two from 1 "
                   "on");
    return {};
  }
  shape[2] *= factors[0];
  shape[3] *= factors[1];
  if (layer.mode() == 0)
    return fromImages(
        builder.emit("upsample_nearest_neighbor",
                     {{"x", images},
                      {"scale_factor_height", builder.integer(factors[0])},
                      {"scale_factor_width", builder.integer(factors[1])}},
                     builder.elementOf(x), shape),
        x);
  static constexpr StringRef modes[] = {"DEFAULT", "STRICT_ALIGN_CORNERS",
                                        "UNALIGN_CORNERS"};
  if (layer.linear_upsample_mode() < 0 || layer.linear_upsample_mode() > 2) {
    builder.refuse("scales in mode " + Twine(layer.linear_upsample_mode()));
    return {};
  }
  return fromImages(
      builder.emit("resize_bilinear",
                   {{"x", images},
                    {"target_size_height", builder.integer(shape[2])},
                    {"target_size_width", builder.integer(shape[3])},
                    {"sampling_mode",
                     builder.string(modes[layer.linear_upsample_mode()])}},
                   builder.elementOf(x), shape),
      x);
}

Value NetworkImporter::resize(const pb::ResizeBilinear &layer, Value x) {
  Value images = toImages(x);
  if (!images)
    return {};
  static constexpr StringRef modes[] = {"STRICT_ALIGN_CORNERS", "ALIGN_CORNERS",
                                        "DEFAULT", "OFFSET_CORNERS"};
  Shape sizes = orDefault(layer.target_size(), 1),
        shape = builder.shapeOf(images);
  int32_t mode = layer.mode().method();
  if (sizes.size() != 2 || mode < 0 || mode > 3) {
    builder.refuse("resizes to " + describe(sizes) + " in mode " + Twine(mode));
    return {};
  }
  shape[2] = sizes[0];
  shape[3] = sizes[1];
  return fromImages(
      builder.emit("resize_bilinear",
                   {{"x", images},
                    {"target_size_height", builder.integer(sizes[0])},
                    {"target_size_width", builder.integer(sizes[1])},
                    {"sampling_mode", builder.string(modes[mode])}},
                   builder.elementOf(x), shape),
      x);
}

Value NetworkImporter::reorganize(const pb::Reorganize &layer, Value x) {
  Value images = toImages(x);
  if (!images)
    return {};
  static constexpr std::pair<StringRef, StringRef> types[] = {
      {"space_to_depth", "block_size"},
      {"depth_to_space", "block_size"},
      {"pixel_shuffle", "upscale_factor"}};
  Shape shape = builder.shapeOf(images);
  int64_t block = std::min<uint64_t>(layer.block_size(), 1 << 15);
  int32_t mode = layer.mode();
  bool isForward = mode == 0;
  if (mode < 0 || mode > 2 || block < 1 ||
      (isForward ? shape[2] % block || shape[3] % block
                 : shape[1] % (block * block) != 0)) {
    builder.refuse("rearranges " + describe(shape) + " by " + Twine(block) +
                   " in mode " + Twine(mode));
    return {};
  }
  shape[1] = isForward ? shape[1] * block * block : shape[1] / (block * block);
  for (size_t dim : {2, 3})
    shape[dim] = isForward ? shape[dim] / block : shape[dim] * block;
  return fromImages(builder.emit(types[mode].first,
                                 {{"x", images},
                                  {types[mode].second, builder.integer(block)}},
                                 builder.elementOf(x), shape),
                    x);
}

Value NetworkImporter::reshape(const pb::Reshape &layer, Value x) {
  Value images = toImages(x);
  if (!images)
    return {};
  Shape target = toShape(layer.target_shape()), shape = builder.shapeOf(images);
  if (target.size() == 3)
    target.insert(target.begin(), shape[0]);
  if (target.size() != 4) {
    builder.refuse("has a target of " + Twine(target.size()) + " dimensions");
    return {};
  }
  if (!layer.channel_last())
    return builder.reshape(images, target);
  Value last = builder.transpose(images, {0, 2, 3, 1});
  return builder.transpose(
      builder.reshape(last, {target[0], target[2], target[3], target[1]}),
      {0, 3, 1, 2});
}

Value NetworkImporter::crop(const pb::Crop &layer, ArrayRef<Blob> inputs) {
  Value x = inputs[0].value;
  int64_t rank = builder.rankOf(x);
  if (rank < 3 ||
      (inputs.size() > 1 && builder.rankOf(inputs[1].value) != rank)) {
    builder.refuse("has inputs of rank " + Twine(rank) + " and another");
    return {};
  }
  Shape begin(rank, 0), size = builder.shapeOf(x);
  if (inputs.size() > 1) {
    Shape offset = orDefault(layer.offset(), 0),
          other = builder.shapeOf(inputs[1].value);
    if (offset.size() != 2) {
      builder.refuse("has an offset that is not two");
      return {};
    }
    for (int64_t dim : {0, 1}) {
      begin[rank - 2 + dim] = offset[dim];
      size[rank - 2 + dim] = other[rank - 2 + dim];
    }
    return builder.slice(x, begin, size);
  }
  const auto &borders = layer.crop_amounts().border_amounts();
  for (int dim = 0; dim < std::min(2, borders.size()); ++dim) {
    constexpr uint64_t limit = 1 << 30;
    int64_t low = std::min(borders[dim].start_edge_size(), limit),
            high = std::min(borders[dim].end_edge_size(), limit);
    begin[rank - 2 + dim] = low;
    size[rank - 2 + dim] -= low + high;
  }
  return builder.slice(x, begin, size);
}

//===----------------------------------------------------------------------===//
// Layers of any rank
//===----------------------------------------------------------------------===//

Value NetworkImporter::sliceStatic(const pb::SliceStatic &layer,
                                   const Blob &x) {
  Shape shape = builder.shapeOf(x.value), begin = toShape(layer.begin_ids()),
        end = toShape(layer.end_ids()), strides = toShape(layer.strides());
  size_t rank = shape.size();
  auto mask = [](const google::protobuf::RepeatedField<bool> &field, size_t i) {
    return int(i) < field.size() && field[i];
  };
  if (x.hasSequence || begin.size() != rank || end.size() != rank ||
      (!strides.empty() && strides.size() != rank)) {
    builder.refuse("has " + Twine(begin.size()) + " bounds for rank " +
                   Twine(rank + x.hasSequence));
    return {};
  }
  strides.resize(rank, 1);
  Shape result, kept;
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t size = shape[dim];
    auto bound = [&](int64_t value) {
      return std::clamp<int64_t>(value < 0 ? value + size : value, 0, size);
    };
    bool isOne = mask(layer.squeeze_masks(), dim);
    begin[dim] = mask(layer.begin_masks(), dim) ? 0 : bound(begin[dim]);
    end[dim] = isOne                          ? begin[dim] + 1
               : mask(layer.end_masks(), dim) ? size
                                              : bound(end[dim]);
    if (strides[dim] < 1 || end[dim] <= begin[dim] || end[dim] > size) {
      builder.refuse("takes elements " + Twine(begin[dim]) + " to " +
                     Twine(end[dim]) + " of " + Twine(size) + " in steps of " +
                     Twine(strides[dim]));
      return {};
    }
    result.push_back(llvm::divideCeil(end[dim] - begin[dim], strides[dim]));
    if (!isOne)
      kept.push_back(result.back());
  }
  Value sliced = builder.emit("slice_by_index",
                              {{"x", x.value},
                               {"begin", builder.integers(begin)},
                               {"end", builder.integers(end)},
                               {"stride", builder.integers(strides)}},
                              builder.elementOf(x.value), result);
  return kept.empty() ? builder.reshape(sliced, {1})
                      : builder.reshape(sliced, kept);
}

Value NetworkImporter::matmul(const pb::MatMul &layer, ArrayRef<Blob> inputs) {
  Value x = inputs[0].value;
  if (inputs.size() == 1) {
    Shape shape = builder.shapeOf(x);
    int64_t rows = layer.weight_matrix_first_dimension(),
            columns = layer.weight_matrix_second_dimension();
    if (shape.empty() || shape.back() != rows) {
      builder.refuse("has an input of " + describe(shape) +
                     ", but weights of " + describe({rows, columns}));
      return {};
    }
    // Columns after each other are the rows of the transposed matrix.
    Value weights =
        weight(layer.weights(), {columns, rows}, "weights", columns);
    Value bias =
        layer.with_bias() ? weight(layer.bias(), {columns}, "bias") : Value();
    if (!weights || (layer.with_bias() && !bias))
      return {};
    SmallVector<mil::NewArgument> arguments = {{"x", x}, {"weight", weights}};
    if (bias)
      arguments.emplace_back("bias", bias);
    shape.back() = columns;
    return builder.emit("linear", arguments, builder.elementOf(x), shape);
  }
  Value y = inputs[1].value;
  int64_t rank =
      std::max<int64_t>({builder.rankOf(x), builder.rankOf(y), int64_t(2)});
  if (builder.rankOf(x) < 2 || builder.rankOf(y) < 2) {
    builder.refuse("multiplies with a vector");
    return {};
  }
  return builder.matmul(expand(x, rank), expand(y, rank), layer.transpose_a(),
                        layer.transpose_b());
}

// The best box is always left, whatever its score is.
NetworkImporter::Outputs NetworkImporter::suppress(const pb::Suppression &layer,
                                                   ArrayRef<Blob> inputs) {
  constexpr uint64_t maxBoxes = 1 << 24;
  if (inputs.size() != 2) {
    builder.refuse("has " + Twine(inputs.size()) +
                   " inputs, but boxes and scores can be imported, with "
                   "thresholds that the layer has");
    return {};
  }
  Value boxes = inputs[0].value, scores = inputs[1].value;
  Shape shape = builder.shapeOf(boxes), of = builder.shapeOf(scores);
  if (inputs[0].hasSequence || inputs[1].hasSequence || shape.size() != 3 ||
      of.size() != 3 || shape[2] != 4 || shape[0] != of[0] ||
      shape[1] != of[1] || layer.max_boxes() < 1 ||
      layer.max_boxes() > maxBoxes) {
    builder.refuse("leaves " + Twine(layer.max_boxes()) + " boxes of " +
                   describe(shape) + " with scores of " + describe(of));
    return {};
  }
  boxes = builder.transpose(boxes, {0, 2, 1});
  scores = builder.transpose(scores, {0, 2, 1});
  Type i32 = builder.builder.getI32Type();
  Value best = builder.reduce("reduce_max", scores, {1});
  Value isGood = builder.binary("greater_equal", best, layer.score_threshold());
  Value first = builder.emit("reduce_argmax",
                             {{"x", best},
                              {"axis", builder.integer(2)},
                              {"keep_dims", builder.boolean(true)}},
                             i32, {of[0], 1, 1});
  SmallVector<int64_t> places = llvm::to_vector(llvm::seq<int64_t>(0, of[1]));
  Value isFirst =
      builder.binary("equal", builder.integers(places, {1, 1, of[1]}), first);
  scores =
      builder.scoresOf(builder.binary("logical_or", isGood, isFirst), scores);
  SmallVector<Value> kept = builder.suppress(
      boxes, scores, layer.iou_threshold(), int64_t(layer.max_boxes()),
      layer.per_class_suppression());
  Value isThere =
      builder.cast(builder.binary("greater_equal", kept[2], 0), i32);
  Value count = builder.reduce("reduce_sum", isThere, {1}, /*keepsDims=*/false);
  Outputs results;
  for (Value each : {builder.transpose(kept[0], {0, 2, 1}),
                     builder.transpose(kept[1], {0, 2, 1}),
                     builder.cast(kept[2], builder.builder.getF32Type()),
                     builder.cast(count, builder.builder.getF32Type())})
    results.push_back({each, false});
  return results;
}

NetworkImporter::Outputs NetworkImporter::importOne(const pb::Layer &layer,
                                                    ArrayRef<Blob> inputs) {
  using L = pb::Layer;
  Type f32 = builder.builder.getF32Type();
  auto kind = layer.layer_case();
  if (kind == L::kLoadConstant || kind == L::kLoadConstantNd) {
    bool isOld = kind == L::kLoadConstant;
    const pb::Constant &constant =
        isOld ? layer.load_constant() : layer.load_constant_nd();
    Shape shape = toShape(constant.shape());
    Value value = weight(constant.data(), shape, "data");
    if (value && isOld && !exactArrays)
      return {{expand(value, 4), true}};
    return {{value, false}};
  }
  if (inputs.empty()) {
    builder.refuse("has no input");
    return {};
  }
  const Blob &first = inputs[0];
  Value x = first.value;
  int64_t rank = builder.rankOf(x);
  // Results have the dimensions of the first input unless a layer says more.
  auto like = [&](Value value) -> Outputs {
    return {{value, first.hasSequence}};
  };
  auto plain = [&](Value value) -> Outputs { return {{value, false}}; };
  auto channel = [&]() -> int64_t {
    if (rank >= 3)
      return rank - 3;
    builder.refuse("has an input of rank " + Twine(rank) +
                   ", which has no channels");
    return -1;
  };
  auto second = [&](StringRef type) -> Outputs {
    if (inputs.size() != 2) {
      builder.refuse("has " + Twine(inputs.size()) +
                     " inputs, but 2 are "
                     "expected");
      return {};
    }
    return {{builder.binary(type, x, inputs[1].value),
             first.hasSequence || inputs[1].hasSequence}};
  };
  auto compare = [&](StringRef type, float alpha) -> Outputs {
    Value result = inputs.size() == 1
                       ? builder.binary(type, x, alpha)
                       : builder.binary(type, x, inputs[1].value);
    return like(builder.cast(result, f32));
  };
  auto reduceAxes = [&](StringRef type, const pb::Axes &message) -> Outputs {
    Shape which = message.reduce_all() || message.axes().empty()
                      ? llvm::to_vector<6>(llvm::seq<int64_t>(0, rank))
                      : axes(first, message.axes());
    if (!message.keep_dims() && which.size() == size_t(rank))
      return plain(builder.reshape(builder.reduce(type, x, which), {1}));
    return {{builder.reduce(type, x, which, message.keep_dims()),
             first.hasSequence && message.keep_dims()}};
  };
  switch (kind) {
  case L::kConvolution:
    return like(convolution(layer.convolution(), x));
  case L::kPooling:
    return like(pooling(layer.pooling(), x));
  case L::kActivation:
    return like(activation(layer.activation(), x));
  case L::kInnerProduct:
    return like(innerProduct(layer.inner_product(), first));
  case L::kSimpleRecurrent:
  case L::kGru:
  case L::kLstm:
  case L::kBidirectionalLstm:
    return recurrent(layer, inputs);
  case L::kBatchnorm:
    return like(batchnorm(layer.batchnorm(), x));
  case L::kMvn: {
    const pb::MeanVariance &mvn = layer.mvn();
    if (channel() < 0)
      return {};
    Shape axes = {rank - 2, rank - 1};
    if (mvn.across_channels())
      axes.insert(axes.begin(), rank - 3);
    if (!mvn.normalize_variance())
      return like(
          builder.binary("sub", x, builder.reduce("reduce_mean", x, axes)));
    return like(builder.emit(
        "layer_norm",
        {{"x", x},
         {"axes", builder.integers(axes)},
         {"epsilon", builder.number(f32, orElse(mvn.epsilon(), 1e-6))}},
        f32, builder.shapeOf(x)));
  }
  case L::kL2Normalize: {
    Value images = toImages(x);
    if (!images)
      return {};
    return like(fromImages(
        builder.unary(
            "l2_norm", images,
            {{"epsilon", orElse(layer.l2normalize().epsilon(), 1e-6)}}),
        x));
  }
  case L::kSoftmax:
    return like(channel() < 0 ? Value() : builder.softmax(x, rank - 3));
  case L::kLrn: {
    const pb::LRN &lrn = layer.lrn();
    Value images = toImages(x);
    if (!images)
      return {};
    int64_t size = std::min<uint64_t>(lrn.local_size(), 1 << 20);
    if (size < 1) {
      builder.refuse("normalizes over no channel");
      return {};
    }
    return like(fromImages(
        builder.emit("local_response_norm",
                     {{"x", images},
                      {"size", builder.integer(size)},
                      {"alpha", builder.number(f32, lrn.alpha())},
                      {"beta", builder.number(f32, lrn.beta())},
                      {"k", builder.number(f32, orElse(lrn.k(), 1))}},
                     f32, builder.shapeOf(images)),
        x));
  }
  case L::kCrop:
    return like(crop(layer.crop(), inputs));
  case L::kPadding: {
    const pb::Padding &padding = layer.padding();
    if (rank < 2) {
      builder.refuse("pads an input of rank " + Twine(rank));
      return {};
    }
    Shape low(rank, 0), high(rank, 0);
    const auto &borders = padding.padding_amounts().border_amounts();
    for (int dim = 0; dim < std::min(2, borders.size()); ++dim) {
      constexpr uint64_t limit = 1 << 30;
      low[rank - 2 + dim] = std::min(borders[dim].start_edge_size(), limit);
      high[rank - 2 + dim] = std::min(borders[dim].end_edge_size(), limit);
    }
    return like(builder.pad(x, low, high,
                            padding.has_reflection()    ? "reflect"
                            : padding.has_replication() ? "replicate"
                                                        : "constant",
                            padding.constant().value()));
  }
  case L::kUpsample:
    return like(upsample(layer.upsample(), x));
  case L::kResizeBilinear:
    return like(resize(layer.resize_bilinear(), x));
  case L::kUnary:
    return like(unary(layer.unary(), x));
  case L::kAdd:
    return like(inputs.size() == 1
                    ? builder.binary("add", x, layer.add().alpha())
                    : foldMany("add", inputs));
  case L::kMultiply:
    return like(inputs.size() == 1
                    ? builder.binary("mul", x, layer.multiply().alpha())
                    : foldMany("mul", inputs));
  case L::kAverage:
    return like(
        builder.binary("mul", foldMany("add", inputs), 1.0 / inputs.size()));
  case L::kMax:
    return like(foldMany("maximum", inputs));
  case L::kMin:
    return like(foldMany("minimum", inputs));
  case L::kScale: {
    const pb::Scale &scale = layer.scale();
    Value factor = weight(scale.scale(), toShape(scale.shape_scale()), "scale");
    if (!factor)
      return {};
    Value result = builder.binary("mul", x, factor);
    if (!scale.with_bias())
      return like(result);
    Value bias = weight(scale.bias(), toShape(scale.shape_bias()), "bias");
    return like(bias ? builder.binary("add", result, bias) : Value());
  }
  case L::kBias: {
    Value bias =
        weight(layer.bias().bias(), toShape(layer.bias().shape()), "bias");
    return like(bias ? builder.binary("add", x, bias) : Value());
  }
  case L::kReduce:
    return like(reduce(layer.reduce(), x));
  case L::kReshape:
    return like(reshape(layer.reshape(), x));
  case L::kFlatten: {
    Value images = toImages(x);
    if (!images)
      return {};
    if (layer.flatten().channel_last())
      images = builder.transpose(images, {0, 2, 3, 1});
    Shape shape = builder.shapeOf(images);
    return like(fromImages(
        builder.reshape(images,
                        {shape[0], shape[1] * shape[2] * shape[3], 1, 1}),
        x));
  }
  case L::kPermute: {
    Shape perm = toShape(layer.permute().axis());
    if (perm.empty())
      perm = {0, 1, 2, 3};
    if (rank != 4) {
      builder.refuse("permutes an input of rank " + Twine(rank));
      return {};
    }
    return like(builder.transpose(x, perm));
  }
  case L::kConcat: {
    SmallVector<Value> values;
    for (const Blob &each : inputs)
      values.push_back(each.value);
    bool isSequence = layer.concat().sequence_concat();
    if (isSequence && !first.hasSequence) {
      builder.refuse("concatenates sequences of rank " + Twine(rank));
      return {};
    }
    int64_t place = isSequence ? 0 : channel();
    return like(place < 0 ? Value() : builder.concat(values, place));
  }
  case L::kSplit: {
    int64_t place = channel(), count = layer.output_size();
    if (place < 0)
      return {};
    int64_t size = builder.shapeOf(x)[place];
    if (count < 1 || size % count) {
      builder.refuse("splits " + Twine(size) + " channels into " +
                     Twine(count));
      return {};
    }
    Outputs results;
    for (Value each : split(x, place, Shape(count, size / count)))
      results.push_back({each, first.hasSequence});
    return results;
  }
  case L::kReorganizeData:
    return like(reorganize(layer.reorganize_data(), x));
  case L::kSlice: {
    const pb::Slice &slice = layer.slice();
    int64_t place = rank - 3 + slice.axis();
    if (slice.axis() < 0 || slice.axis() > 2 || place < 0) {
      builder.refuse("slices dimension " + Twine(slice.axis()) + " of rank " +
                     Twine(rank));
      return {};
    }
    int64_t size = builder.shapeOf(x)[place], step = slice.stride();
    auto bound = [&](int64_t value) {
      return std::clamp<int64_t>(value < 0 ? value + size : value, 0, size);
    };
    int64_t from = bound(slice.start_index()), to = bound(slice.end_index());
    step = std::clamp<int64_t>(step, 1, 1 << 30);
    if (to <= from) {
      builder.refuse("takes elements " + Twine(from) + " to " + Twine(to));
      return {};
    }
    Shape begin(rank, 0), end = builder.shapeOf(x), strides(rank, 1),
                          result = end;
    begin[place] = from;
    end[place] = to;
    strides[place] = step;
    result[place] = llvm::divideCeil(to - from, step);
    return like(builder.emit("slice_by_index",
                             {{"x", x},
                              {"begin", builder.integers(begin)},
                              {"end", builder.integers(end)},
                              {"stride", builder.integers(strides)}},
                             f32, result));
  }
  case L::kCopy:
    return like(x);
  case L::kClip:
    return like(builder.unary(
        "clip", x,
        {{"alpha", layer.clip().alpha()}, {"beta", layer.clip().beta()}}));
  case L::kClampedRelu: {
    // min(beta, x) where x is above 0, else min(beta, alpha x).
    Value leaky = builder.unary("leaky_relu", x,
                                {{"alpha", layer.clamped_relu().alpha()}});
    return like(builder.binary("minimum", leaky, layer.clamped_relu().beta()));
  }
  case L::kCeil:
    return like(builder.unary("ceil", x));
  case L::kFloor:
    return like(builder.unary("floor", x));
  case L::kSign:
    return like(builder.unary("sign", x));
  case L::kRound:
    return like(builder.unary("round", x));
  case L::kExp2:
    return like(builder.unary("exp2", x));
  case L::kSin:
    return like(builder.unary("sin", x));
  case L::kCos:
    return like(builder.unary("cos", x));
  case L::kAtan:
    return like(builder.unary("atan", x));
  case L::kTanh:
    return like(builder.unary("tanh", x));
  case L::kErf:
    return like(builder.unary("erf", x));
  case L::kGelu: {
    static constexpr StringRef modes[] = {"EXACT", "TANH_APPROXIMATION",
                                          "SIGMOID_APPROXIMATION"};
    int32_t mode = layer.gelu().mode();
    if (mode < 0 || mode > 2) {
      builder.refuse("has mode " + Twine(mode));
      return {};
    }
    return like(builder.emit("gelu",
                             {{"x", x}, {"mode", builder.string(modes[mode])}},
                             f32, builder.shapeOf(x)));
  }
  case L::kEqual:
    return compare("equal", layer.equal().alpha());
  case L::kNotEqual:
    return compare("not_equal", layer.not_equal().alpha());
  case L::kLessThan:
    return compare("less", layer.less_than().alpha());
  case L::kLessEqual:
    return compare("less_equal", layer.less_equal().alpha());
  case L::kGreaterThan:
    return compare("greater", layer.greater_than().alpha());
  case L::kGreaterEqual:
    return compare("greater_equal", layer.greater_equal().alpha());
  case L::kMinBroadcastable:
    return like(foldMany("minimum", inputs));
  case L::kMaxBroadcastable:
    return like(foldMany("maximum", inputs));
  case L::kAddBroadcastable:
    return second("add");
  case L::kPowBroadcastable:
    return second("pow");
  case L::kDivideBroadcastable:
    return second("real_div");
  case L::kMultiplyBroadcastable:
    return second("mul");
  case L::kSubtractBroadcastable:
    return second("sub");
  case L::kTile: {
    Shape repeats = toShape(layer.tile().target_shape());
    if (first.hasSequence || repeats.size() != size_t(rank)) {
      builder.refuse("repeats " + Twine(repeats.size()) + " dimensions of " +
                     Twine(rank));
      return {};
    }
    return like(builder.tile(x, repeats));
  }
  case L::kStack: {
    SmallVector<Value> values;
    int64_t place = layer.stack().axis();
    place += place < 0 ? rank + 1 : 0;
    if (first.hasSequence || place < 0 || place > rank) {
      builder.refuse("stacks along " + Twine(layer.stack().axis()));
      return {};
    }
    for (const Blob &each : inputs) {
      Shape shape = builder.shapeOf(each.value);
      if (shape != builder.shapeOf(x)) {
        builder.refuse("stacks " + describe(builder.shapeOf(x)) + " and " +
                       describe(shape));
        return {};
      }
      shape.insert(shape.begin() + place, 1);
      values.push_back(builder.reshape(each.value, shape));
    }
    return plain(builder.concat(values, place));
  }
  case L::kSoftmaxNd: {
    int64_t place = axis(first, layer.softmax_nd().axis());
    return like(place < 0 ? Value() : builder.softmax(x, place));
  }
  case L::kSplitNd: {
    int64_t place = axis(first, layer.split_nd().axis());
    if (place < 0)
      return {};
    Shape sizes = toShape(layer.split_nd().split_sizes());
    int64_t size = builder.shapeOf(x)[place], count = layer.output_size();
    if (sizes.empty() && count > 0 && size % count == 0)
      sizes.assign(count, size / count);
    Outputs results;
    for (Value each : split(x, place, sizes))
      results.push_back({each, first.hasSequence});
    return results;
  }
  case L::kConcatNd: {
    int64_t place = axis(first, layer.concat_nd().axis());
    if (layer.concat_nd().interleave()) {
      builder.refuse("joins its inputs slice by slice in turn (interleave)");
      return {};
    }
    SmallVector<Value> values;
    for (const Blob &each : inputs)
      values.push_back(each.value);
    return like(place < 0 ? Value() : builder.concat(values, place));
  }
  case L::kTranspose: {
    if (first.hasSequence) {
      builder.refuse("transposes a value of rank 5");
      return {};
    }
    return like(builder.transpose(x, toShape(layer.transpose().axes())));
  }
  case L::kNonMaximumSuppression:
    return suppress(layer.non_maximum_suppression(), inputs);
  case L::kSliceStatic:
    return plain(sliceStatic(layer.slice_static(), first));
  case L::kArgMin:
  case L::kArgMax: {
    const pb::ArgExtreme &search =
        kind == L::kArgMin ? layer.arg_min() : layer.arg_max();
    int64_t place = axis(first, search.axis());
    if (place < 0)
      return {};
    Shape shape = builder.shapeOf(x);
    shape[place] = 1;
    Value index =
        builder.emit(kind == L::kArgMin ? "reduce_argmin" : "reduce_argmax",
                     {{"x", x},
                      {"axis", builder.integer(place)},
                      {"keep_dims", builder.boolean(true)}},
                     builder.builder.getI32Type(), shape);
    index = builder.cast(index, f32);
    if (!search.remove_dim() || rank == 1)
      return like(index);
    shape.erase(shape.begin() + place);
    return plain(builder.reshape(index, shape));
  }
  case L::kBatchedMatmul:
    return like(matmul(layer.batched_matmul(), inputs));
  case L::kBroadcastToStatic: {
    Shape target = toShape(layer.broadcast_to_static().target_shape());
    if (first.hasSequence || target.size() < size_t(rank)) {
      builder.refuse("broadcasts rank " + Twine(rank) + " to " +
                     Twine(target.size()));
      return {};
    }
    Value wide = expand(x, target.size());
    Shape shape = builder.shapeOf(wide), repeats;
    for (auto [from, to] : llvm::zip_equal(shape, target))
      repeats.push_back(from == to ? 1 : from == 1 ? to : 0);
    return plain(builder.tile(wide, repeats));
  }
  case L::kSqueeze: {
    Shape shape, which = axes(first, layer.squeeze().axes());
    for (auto [dim, size] : llvm::enumerate(builder.shapeOf(x)))
      if (!(layer.squeeze().keep_dims()
                ? size == 1
                : llvm::is_contained(which, int64_t(dim))))
        shape.push_back(size);
    if (first.hasSequence) {
      builder.refuse("squeezes a value of rank 5");
      return {};
    }
    return plain(builder.reshape(x, shape.empty() ? Shape{1} : shape));
  }
  case L::kExpandDims: {
    Shape which = toShape(layer.expand_dims().axes()),
          shape = builder.shapeOf(x);
    int64_t total = rank + which.size();
    for (int64_t &each : which)
      each += each < 0 ? total : 0;
    llvm::sort(which);
    for (int64_t each : which) {
      if (first.hasSequence || each < 0 || each > int64_t(shape.size())) {
        builder.refuse("adds dimension " + Twine(each) + " to rank " +
                       Twine(rank));
        return {};
      }
      shape.insert(shape.begin() + each, 1);
    }
    return plain(builder.reshape(x, shape));
  }
  case L::kFlattenTo2D: {
    int64_t place = layer.flatten_to_2d().axis();
    place += place < 0 ? rank : 0;
    if (first.hasSequence || place < 0 || place > rank) {
      builder.refuse("flattens along " + Twine(layer.flatten_to_2d().axis()));
      return {};
    }
    Shape shape = {1, 1};
    for (auto [dim, size] : llvm::enumerate(builder.shapeOf(x)))
      shape[int64_t(dim) >= place] *= size;
    return plain(builder.reshape(x, shape));
  }
  case L::kReshapeStatic:
  case L::kRankPreservingReshape: {
    Shape target =
        toShape(kind == L::kReshapeStatic
                    ? layer.reshape_static().target_shape()
                    : layer.rank_preserving_reshape().target_shape());
    Shape shape = builder.shapeOf(x);
    int64_t known = 1, open = -1;
    for (auto [dim, size] : llvm::enumerate(target)) {
      if (size == 0 && kind == L::kRankPreservingReshape && dim < shape.size())
        size = shape[dim];
      if (size == -1 && open < 0)
        open = dim;
      else if (llvm::MulOverflow(known, size, known))
        known = 0;
    }
    int64_t count = *countOf(shape);
    if (open >= 0)
      target[open] = known > 0 ? count / known : 0;
    return plain(builder.reshape(x, target));
  }
  case L::kConstantPad: {
    const pb::ConstantPad &pad = layer.constant_pad();
    Shape amounts = toShape(pad.pad_amounts()), low(rank, 0), high(rank, 0);
    if (first.hasSequence || pad.pad_to_given_output_size_mode() ||
        amounts.size() != size_t(2 * rank)) {
      builder.refuse("pads " + Twine(amounts.size() / 2) + " dimensions of " +
                     Twine(rank) + ", or to a given size");
      return {};
    }
    for (int64_t dim = 0; dim < rank; ++dim) {
      low[dim] = amounts[2 * dim];
      high[dim] = amounts[2 * dim + 1];
    }
    return like(builder.pad(x, low, high, "constant", pad.value()));
  }
  case L::kReduceL1:
    return reduceAxes("reduce_l1_norm", layer.reduce_l1());
  case L::kReduceL2:
    return reduceAxes("reduce_l2_norm", layer.reduce_l2());
  case L::kReduceMax:
    return reduceAxes("reduce_max", layer.reduce_max());
  case L::kReduceMin:
    return reduceAxes("reduce_min", layer.reduce_min());
  case L::kReduceSum:
    return reduceAxes("reduce_sum", layer.reduce_sum());
  case L::kReduceProd:
    return reduceAxes("reduce_prod", layer.reduce_prod());
  case L::kReduceMean:
    return reduceAxes("reduce_mean", layer.reduce_mean());
  case L::kReduceLogSum:
    return reduceAxes("reduce_log_sum", layer.reduce_log_sum());
  case L::kReduceSumSquare:
    return reduceAxes("reduce_sum_square", layer.reduce_sum_square());
  case L::kReduceLogSumExp:
    return reduceAxes("reduce_log_sum_exp", layer.reduce_log_sum_exp());
  case L::kLayerNormalization:
    return like(layerNorm(layer.layer_normalization(), x));
  default:
    builder.refuse("layers of this kind are not imported; "
                   "docs/Formats/CoreMLModels.md has those that are");
    return {};
  }
}

//===----------------------------------------------------------------------===//
// Networks
//===----------------------------------------------------------------------===//

static StringRef kindOf(const pb::Layer &layer) {
  switch (layer.layer_case()) {
#define KIND(NAME, TEXT)                                                       \
  case pb::Layer::NAME:                                                        \
    return TEXT;
    KIND(kConvolution, "convolution")
    KIND(kPooling, "pooling")
    KIND(kActivation, "activation")
    KIND(kInnerProduct, "innerProduct")
    KIND(kSimpleRecurrent, "simpleRecurrent")
    KIND(kGru, "gru")
    KIND(kLstm, "uniDirectionalLSTM")
    KIND(kBidirectionalLstm, "biDirectionalLSTM")
    KIND(kBatchnorm, "batchnorm")
    KIND(kReshape, "reshape")
    KIND(kConcat, "concat")
    KIND(kAdd, "add")
    KIND(kScale, "scale")
#undef KIND
  case pb::Layer::LAYER_NOT_SET:
    return "unknown layer";
  default:
    return "layer";
  }
}

bool NetworkImporter::importLayer(const pb::Layer &layer) {
  builder.enter(kindOf(layer), layer.name());
  SmallVector<Blob> inputs;
  for (const std::string &name : layer.input()) {
    auto found = blobs.find(name);
    if (found == blobs.end()) {
      builder.refuse("reads '" + name + "', which is not defined before it");
      return false;
    }
    inputs.push_back(found->second);
  }
  Outputs outputs = importOne(layer, inputs);
  if (builder.hasFailed())
    return false;
  if (outputs.size() != size_t(layer.output_size())) {
    builder.refuse("has " + Twine(layer.output_size()) +
                   " outputs, but gives " + Twine(outputs.size()));
    return false;
  }
  for (auto [name, output] : llvm::zip_equal(layer.output(), outputs)) {
    if (!output.value) {
      builder.refuse("cannot be imported");
      return false;
    }
    blobs[name] = output;
  }
  return true;
}

Value NetworkImporter::preprocess(Value image, const pb::Feature &feature,
                                  const pb::Preprocessing &message) {
  int64_t channels = builder.shapeOf(image)[1];
  Type f32 = builder.builder.getF32Type();
  if (message.has_mean_image()) {
    Shape shape = builder.shapeOf(image);
    const auto &mean = message.mean_image().mean_image();
    if (mean.size() != *countOf(shape)) {
      builder.refuse("has a mean image of " + Twine(mean.size()) +
                     " numbers for " + describe(shape));
      return {};
    }
    return builder.binary(
        "sub", image,
        builder.weight("mean", ArrayRef<float>(mean.data(), mean.size()), f32,
                       shape));
  }
  const pb::Scaler &scaler = message.scaler();
  if (scaler.channel_scale() != 0)
    image = builder.binary("mul", image, scaler.channel_scale());
  std::vector<float> bias = {scaler.gray_bias()};
  if (channels == 3) {
    bias = {scaler.red_bias(), scaler.green_bias(), scaler.blue_bias()};
    if (feature.type().image().color_space() == 30)
      std::swap(bias[0], bias[2]);
  }
  if (llvm::all_of(bias, [](float each) { return each == 0; }))
    return image;
  return builder.binary("add", image,
                        builder.weight("bias", bias, f32, {1, channels, 1, 1}));
}

bool NetworkImporter::import(
    const google::protobuf::RepeatedPtrField<pb::Layer> &layers,
    const google::protobuf::RepeatedPtrField<pb::Preprocessing> &pre,
    const pb::Description &description, StringRef probabilities,
    llvm::StringMap<Value> &features) {
  for (const pb::Feature &feature : description.input()) {
    builder.enter("input", feature.name());
    Value value = features.lookup(feature.name());
    if (!value) {
      builder.refuse("is an input that nobody gives");
      return false;
    }
    bool isImage = feature.type().has_image();
    // Of a pipeline, whose models say the same of it.
    if (isImage && builder.rankOf(value) != 4) {
      builder.refuse("is an image, but what is given has rank " +
                     Twine(builder.rankOf(value)));
      return false;
    }
    for (const pb::Preprocessing &each : pre)
      if (value && isImage &&
          (each.feature_name() == feature.name() ||
           each.feature_name().empty()))
        value = preprocess(value, feature, each);
    if (!value)
      return false;
    Shape shape = builder.shapeOf(value);
    if (isImage) {
      blobs[feature.name()] = {value, !rank4Images};
      continue;
    }
    if (exactArrays) {
      blobs[feature.name()] = {value, false};
      continue;
    }
    // [C] or [C, H, W]; five say all of them.
    if (shape.size() == 5 && shape[1] == 1)
      shape.erase(shape.begin() + 1);
    else if (shape.size() == 1)
      shape = {1, shape[0], 1, 1};
    else if (shape.size() == 3)
      shape.insert(shape.begin(), 1);
    else {
      builder.refuse("has rank " + Twine(shape.size()) +
                     ", but arrays of this model are vectors, of rank 3, or of "
                     "5 with a batch of 1");
      return false;
    }
    blobs[feature.name()] = {builder.reshape(value, shape), true};
  }
  for (const pb::Layer &layer : layers)
    if (!importLayer(layer))
      return false;
  auto give = [&](StringRef name, StringRef source,
                  ArrayRef<int64_t> wanted) -> bool {
    builder.enter("output", name);
    auto found = blobs.find(source);
    if (found == blobs.end()) {
      builder.refuse("is not computed by a layer");
      return false;
    }
    const Blob &blob = found->second;
    Value value = blob.value;
    Shape shape = builder.shapeOf(value);
    if (!wanted.empty() && countOf(wanted) == countOf(shape))
      value = builder.reshape(value, wanted);
    else if (blob.hasSequence && shape[0] == 1)
      value = builder.reshape(value, shape[2] == 1 && shape[3] == 1
                                         ? Shape{shape[1]}
                                         : Shape(ArrayRef(shape).drop_front()));
    features[name] = value;
    return true;
  };
  for (const pb::Feature &feature : description.output()) {
    Shape wanted;
    if (feature.type().has_image()) {
      Shape shape = blobs.count(feature.name())
                        ? builder.shapeOf(blobs[feature.name()].value)
                        : Shape();
      if (!give(feature.name(), feature.name(), shape))
        return false;
    } else if (feature.type().has_array()) {
      if (!give(feature.name(), feature.name(),
                toShape(feature.type().array().shape())))
        return false;
    }
  }
  if (probabilities.empty())
    return true;
  // Labels and a dictionary of them are no numbers: the layer gives them.
  return give(probabilities, probabilities, {});
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

namespace {
struct ModelKind {
  unsigned field;
  StringLiteral name;
};
constexpr ModelKind otherKinds[] = {{300, "a linear regressor"},
                                    {301, "a support vector machine"},
                                    {302, "trees"},
                                    {400, "a linear classifier"},
                                    {401, "a support vector machine"},
                                    {402, "trees"},
                                    {404, "nearest neighbours"},
                                    {555, "a custom model"},
                                    {556, "a link to another model"},
                                    {600, "a one-hot encoder"},
                                    {601, "an imputer"},
                                    {602, "a vectorizer of features"},
                                    {603, "a vectorizer of dictionaries"},
                                    {604, "a scaler"},
                                    {606, "a mapping of categories"},
                                    {607, "a normalizer"},
                                    {609, "an extractor of features"},
                                    {610, "a suppression of boxes"},
                                    {2000, "a classifier of texts"},
                                    {2002, "a feature print of images"}};
} // namespace

/// The number of the field that says what a model is; 0 if there is none.
static unsigned kindOfModel(StringRef bytes) {
  google::protobuf::io::CodedInputStream stream(
      reinterpret_cast<const uint8_t *>(bytes.data()),
      int(std::min<size_t>(bytes.size(), std::numeric_limits<int>::max())));
  while (uint32_t tag = stream.ReadTag()) {
    unsigned field = tag >> 3;
    if (field >= 200 && (tag & 7) == 2)
      return field;
    uint32_t length;
    uint64_t number;
    switch (tag & 7) {
    case 0:
      if (!stream.ReadVarint64(&number))
        return 0;
      break;
    case 1:
      if (!stream.Skip(8))
        return 0;
      break;
    case 2:
      if (!stream.ReadVarint32(&length) || !stream.Skip(int(length)))
        return 0;
      break;
    case 5:
      if (!stream.Skip(4))
        return 0;
      break;
    default:
      return 0;
    }
  }
  return 0;
}

bool models::isCoreMLModel(StringRef bytes) {
  // The version, then the description, which begins with an input. A model of
  // ONNX has the name of its producer there.
  if (bytes.size() < 8 || bytes[0] != 0x08 || bytes[1] < 1 || bytes[1] > 32 ||
      bytes[2] != 0x12)
    return false;
  size_t at = 3;
  while (at < bytes.size() && at < 8 && (bytes[at] & 0x80))
    ++at;
  return at + 1 < bytes.size() && bytes[at + 1] == 0x0a;
}

/// The inputs of the function; nothing after an error.
static std::optional<SmallVector<ProgramBuilder::Input>>
inputsOf(const pb::Description &description, MLIRContext *context,
         ProgramBuilder &builder) {
  SmallVector<ProgramBuilder::Input> inputs;
  llvm::StringSet<> names;
  for (const pb::Feature &feature : description.input()) {
    builder.enter("input", feature.name());
    Shape shape;
    if (feature.type().has_image()) {
      const pb::Image &image = feature.type().image();
      int64_t channels = llvm::is_contained({10, 40}, image.color_space()) ? 1
                         : llvm::is_contained({20, 30}, image.color_space())
                             ? 3
                             : 0;
      shape = {1, channels, image.height(), image.width()};
    } else if (feature.type().has_array()) {
      shape = toShape(feature.type().array().shape());
      if (!llvm::is_contained({65552, 65568, 65600},
                              feature.type().array().data_type())) {
        builder.refuse("is of integers, but images and arrays of floats can be "
                       "imported");
        return std::nullopt;
      }
    }
    if (shape.empty() || !countOf(shape)) {
      builder.refuse(
          "has the shape " + describe(shape) +
          ", but images and arrays of a known shape can be imported");
      return std::nullopt;
    }
    std::string name = mil::makeIdentifier(feature.name());
    if (!names.insert(name).second) {
      builder.refuse("has the name of another input");
      return std::nullopt;
    }
    inputs.push_back({name, shape, Float32Type::get(context)});
  }
  return inputs;
}

static bool importModel(const pb::Model &model, ProgramBuilder &builder,
                        llvm::StringMap<Value> &features,
                        SmallVector<std::string> &outputs, int depth) {
  auto run = [&](const pb::NeuralNetwork &network, bool isClassifier) {
    std::string probabilities;
    if (isClassifier) {
      probabilities = network.label_probability_layer_name();
      if (probabilities.empty() && network.layers_size())
        if (const pb::Layer &last = *network.layers().rbegin();
            last.output_size())
          probabilities = last.output(0);
    }
    outputs.clear();
    for (const pb::Feature &feature : model.description().output())
      if (feature.type().has_image() || feature.type().has_array())
        outputs.push_back(feature.name());
    if (!probabilities.empty() && !llvm::is_contained(outputs, probabilities))
      outputs.push_back(probabilities);
    return NetworkImporter(builder, network.exact_arrays() == 1,
                           network.rank4_images() == 1)
        .import(network.layers(), network.preprocessing(), model.description(),
                probabilities, features);
  };
  auto runAll = [&](const pb::Models &models) {
    constexpr int deepest = 8;
    if (depth == deepest) {
      builder.refuse("pipelines are nested more than 8 deep");
      return false;
    }
    for (const pb::Model &each : models.models())
      if (!importModel(each, builder, features, outputs, depth + 1))
        return false;
    return true;
  };
  switch (model.type_case()) {
  case pb::Model::kNetwork:
    return run(model.network(), false);
  case pb::Model::kRegressor:
    return run(model.regressor(), false);
  case pb::Model::kClassifier:
    return run(model.classifier(), true);
  case pb::Model::kPipeline:
    return runAll(model.pipeline());
  case pb::Model::kPipelineClassifier:
    return runAll(model.pipeline_classifier().pipeline());
  case pb::Model::kPipelineRegressor:
    return runAll(model.pipeline_regressor().pipeline());
  case pb::Model::TYPE_NOT_SET:
    break;
  }
  builder.enter("", "");
  builder.refuse("a model of the pipeline is no neural network");
  return false;
}

OwningOpRef<ModuleOp> models::importCoreMLModel(StringRef bytes,
                                                MLIRContext *context,
                                                const ImportOptions &options) {
  Location loc = FileLineColLoc::get(context, options.file, 0, 0);
  constexpr unsigned program = 502;
  unsigned kind = kindOfModel(bytes);
  if (kind == program)
    return mil::readModel(bytes, options.file, context);
  for (const ModelKind &each : otherKinds)
    if (each.field == kind) {
      emitError(loc) << "the model is " << each.name
                     << "; neural networks, pipelines of them and ML programs "
                        "can be imported";
      return {};
    }
  google::protobuf::LogSilencer silencer; // errors are ours to report
  constexpr size_t largest = std::numeric_limits<int>::max();
  constexpr int deepest = 100;
  pb::Model model;
  google::protobuf::io::CodedInputStream stream(
      reinterpret_cast<const uint8_t *>(bytes.data()),
      int(std::min(bytes.size(), largest)));
  stream.SetRecursionLimit(deepest);
  if (bytes.size() > largest || !model.ParseFromCodedStream(&stream) ||
      !stream.ConsumedEntireMessage() ||
      model.type_case() == pb::Model::TYPE_NOT_SET) {
    emitError(loc) << "no neural network, pipeline or ML program of Core ML: "
                      "reading ended at byte "
                   << stream.CurrentPosition() << " of " << bytes.size();
    return {};
  }
  ProgramBuilder checker(context, options.file, "", {});
  auto inputs = inputsOf(model.description(), context, checker);
  if (!inputs)
    return {};
  ProgramBuilder builder(context, options.file, "", *inputs);
  llvm::StringMap<Value> features;
  for (auto [index, feature] : llvm::enumerate(model.description().input()))
    features[feature.name()] = builder.argument(index);
  SmallVector<std::string> outputs;
  if (!importModel(model, builder, features, outputs, 0))
    return {};
  // Those of a pipeline are its own.
  SmallVector<std::pair<std::string, Value>> results;
  for (const std::string &output : outputs)
    if (Value value = features.lookup(output))
      results.emplace_back(mil::makeIdentifier(output), value);
  return builder.finish(results);
}
