//===- Espresso.cpp - Neural networks that Core ML has compiled -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Core ML makes of a neural network: `model.espresso.net` lists layers as
// JSON, `model.espresso.shape` has the shape of each of their results, and
// `model.espresso.weights` the arrays, after a table of their numbers and sizes.
// Nobody has published the format. What is here was seen in networks of apps and
// in programs that run them (ameeSun/Chiron-Swift-Student-Challenge,
// blackicedbear/NeuralHash2ONNX). The shapes judge it: a layer whose result has
// another shape than the file says was misread, which is an error.
//
// All values have the dimensions n, k (channels), h and w. Numbers of dimensions
// go from w = 0 to n = 3.
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "ane/Files/InputFiles.h"
#include "ane/HW/Float16.h"
#include "ane/Target/Models/Models.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::models;
namespace json = llvm::json;
namespace paths = llvm::sys::path;

namespace {

constexpr size_t maxTextBytes = size_t(64) << 20;

class Network;

/// A layer of the list.
class Layer {
public:
  Layer(Network &network, const json::Object &object)
      : network(network), object(object) {}

  std::string text(StringRef key) const {
    return object.getString(key).value_or("").str();
  }
  /// Numbers that are not there have a value of their own.
  int64_t integer(StringRef key, int64_t otherwise = 0) const {
    return object.getInteger(key).value_or(otherwise);
  }
  double number(StringRef key, double otherwise = 0) const {
    return object.getNumber(key).value_or(otherwise);
  }
  bool has(StringRef key) const { return object.get(key) != nullptr; }
  SmallVector<std::string> names(StringRef key) const;
  /// An error where `key` is none of `values`.
  bool isOneOf(StringRef key, ArrayRef<int64_t> values, int64_t otherwise);
  bool hasOnly(ArrayRef<StringRef> keys);

  Network &network;
  const json::Object &object;
};

using ImportFn = Value (*)(Layer &layer, ArrayRef<Value> inputs);
struct LayerType {
  StringRef name;
  unsigned least, most; ///< inputs
  ImportFn import;
  /// What layers of the type have besides name, type, bottom and top. Another
  /// key could change what the layer computes.
  SmallVector<StringRef> keys;
};

class Network {
public:
  Network(MLIRContext *context, const ImportOptions &options, OpenFn open)
      : context(context), options(options), open(open),
        f32(Float32Type::get(context)) {}

  OwningOpRef<ModuleOp> import(StringRef text);

  /// The bytes of an array of the file of weights.
  std::optional<StringRef> bytesOf(StringRef key, int64_t number,
                                   int64_t elements, int64_t elementBytes);
  /// Whether array `number` has so many bytes.
  bool hasArray(int64_t number, int64_t bytes) const {
    return int64_t(arrays.lookup(number).size()) == bytes;
  }
  /// The array that the layer names by `key`, or by `key` and "_f16".
  Value weight(Layer &layer, StringRef key, ArrayRef<int64_t> shape);
  std::optional<std::vector<float>> numbers(StringRef key, int64_t number,
                                            int64_t count);
  std::optional<Shape> shapeOf(StringRef name);

  MLIRContext *context;
  const ImportOptions &options;
  OpenFn open;
  Type f32;
  std::optional<ProgramBuilder> builder;

private:
  InFlightDiagnostic fileError(StringRef file) {
    return emitError(FileLineColLoc::get(context, file, 0, 0));
  }
  std::string besides(StringRef extension) const;
  std::optional<json::Value> readJSON(StringRef text, StringRef file);
  bool readShapes();
  bool readWeights(StringRef name);
  bool transformImages(const json::Object &root);
  bool importLayer(const json::Object &object);

  llvm::StringMap<Shape> shapes;
  llvm::DenseMap<int64_t, StringRef> arrays;
  std::unique_ptr<llvm::MemoryBuffer> weights;
  llvm::StringMap<Value> values;
};

} // namespace

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

SmallVector<std::string> Layer::names(StringRef key) const {
  SmallVector<StringRef> parts;
  std::string all = text(key);
  StringRef(all).split(parts, ',', -1, /*KeepEmpty=*/false);
  return SmallVector<std::string>(parts.begin(), parts.end());
}

bool Layer::isOneOf(StringRef key, ArrayRef<int64_t> values,
                    int64_t otherwise) {
  int64_t value = integer(key, otherwise);
  if (llvm::is_contained(values, value))
    return true;
  network.builder->refuse("has " + key + " = " + Twine(value) +
                          ", whose meaning is not known");
  return false;
}

bool Layer::hasOnly(ArrayRef<StringRef> keys) {
  static constexpr StringLiteral common[] = {
      "type",       "name",       "bottom",  "top",
      "debug_info", "attributes", "weights", "hint_fallback_from_metal"};
  for (const auto &[key, value] : object) {
    StringRef name = key;
    bool isKnown =
        llvm::is_contained(common, name) || llvm::is_contained(keys, name) ||
        llvm::any_of(keys, [&](StringRef each) {
          return each.ends_with("*") && name.starts_with(each.drop_back());
        });
    if (!isKnown) {
      network.builder->refuse("has '" + name + "', which is not known");
      return false;
    }
  }
  return true;
}

/// What may be said after the layer itself.
static Value fused(Layer &layer, Value value) {
  ProgramBuilder &builder = *layer.network.builder;
  if (layer.integer("fused_relu") || layer.integer("has_relu"))
    value = builder.unary("relu", value);
  if (layer.integer("fused_tanh") || layer.integer("has_tanh"))
    value = builder.unary("tanh", value);
  return value;
}

/// Padding of a window over h and w: as given, as much as keeps the size for
/// stride 1, or none.
static std::optional<Window> windowOf(Layer &layer, Value x, StringRef height,
                                      StringRef width) {
  ProgramBuilder &builder = *layer.network.builder;
  Window window({layer.integer(height), layer.integer(width)});
  window.strides = {layer.integer("stride_y", 1), layer.integer("stride_x", 1)};
  window.dilations = {layer.integer("dilation_y", 1),
                      layer.integer("dilation_x", 1)};
  // Sizes are bounded before they are computed with.
  constexpr int64_t largest = 1 << 16;
  for (size_t i = 0; i < 2; ++i)
    for (int64_t size :
         {window.kernel[i], window.strides[i], window.dilations[i]})
      if (size < 1 || size > largest) {
        builder.refuse("has a window of " + describe(window.kernel) +
                       ", strides of " + describe(window.strides) +
                       " and dilations of " + describe(window.dilations) +
                       "; each must be from 1 to 65536");
        return std::nullopt;
      }
  if (!layer.isOneOf("pad_mode", {0, 1, 2}, 0) ||
      !layer.isOneOf("pad_fill_mode", {0}, 0) ||
      !layer.isOneOf("pad_value", {0}, 0))
    return std::nullopt;
  constexpr int64_t given = 0, same = 1;
  int64_t mode = layer.integer("pad_mode");
  if (mode == given) {
    window.low = {layer.integer("pad_t"), layer.integer("pad_l")};
    window.high = {layer.integer("pad_b"), layer.integer("pad_r")};
    for (int64_t pad :
         {window.low[0], window.low[1], window.high[0], window.high[1]})
      if (pad < 0 || pad > largest) {
        builder.refuse("has padding of " + Twine(pad) +
                       ", but it must be from 0 to 65536");
        return std::nullopt;
      }
  }
  if (mode == same)
    for (size_t i = 0; i < 2; ++i) {
      int64_t size = ProgramBuilder::shapeOf(x)[2 + i];
      int64_t results = (size + window.strides[i] - 1) / window.strides[i];
      int64_t pad = std::max<int64_t>(0, (results - 1) * window.strides[i] +
                                             window.span(i) - size);
      window.low[i] = pad / 2;
      window.high[i] = pad - pad / 2;
    }
  return window;
}

static Value importConvolution(Layer &layer, ArrayRef<Value> inputs) {
  Network &network = layer.network;
  ProgramBuilder &builder = *network.builder;
  Value x = inputs[0];
  auto window = windowOf(layer, x, "Ny", "Nx");
  if (!window || !layer.isOneOf("n_parallel", {1}, 1) ||
      !layer.isOneOf("has_batch_norm", {0}, 0))
    return {};
  int64_t outputs = layer.integer("C"), channels = layer.integer("K"),
          groups = layer.integer("n_groups", 1);
  if (outputs < 1 || groups < 1 || outputs % groups || channels % groups ||
      channels != ProgramBuilder::shapeOf(x)[1]) {
    builder.refuse("computes " + Twine(outputs) + " channels of " +
                   Twine(channels) + " in " + Twine(groups) +
                   " groups, but its input has the shape " +
                   describe(ProgramBuilder::shapeOf(x)));
    return {};
  }
  Value weight = network.weight(
      layer, "blob_weights",
      {outputs, channels / groups, window->kernel[0], window->kernel[1]});
  Value bias = layer.integer("has_biases")
                   ? network.weight(layer, "blob_biases", {outputs})
                   : Value();
  if (builder.hasFailed())
    return {};
  return fused(layer, builder.conv(x, weight, bias, *window, groups));
}

// Seen with a group for each channel only: the order of other weights is open.
static Value importDeconvolution(Layer &layer, ArrayRef<Value> inputs) {
  Network &network = layer.network;
  ProgramBuilder &builder = *network.builder;
  Value x = inputs[0];
  auto window = windowOf(layer, x, "Ny", "Nx");
  if (!window || !layer.isOneOf("pad_mode", {0}, 0))
    return {};
  int64_t channels = layer.integer("C");
  if (channels < 1 || channels != layer.integer("K") ||
      channels != layer.integer("n_groups") ||
      channels != ProgramBuilder::shapeOf(x)[1]) {
    builder.refuse("is no deconvolution of each channel on its own, for which "
                   "the order of the weights is known");
    return {};
  }
  Value weight =
      network.weight(layer, "blob_weights",
                     {channels, 1, window->kernel[0], window->kernel[1]});
  Value bias = layer.integer("has_biases")
                   ? network.weight(layer, "blob_biases", {channels})
                   : Value();
  if (builder.hasFailed())
    return {};
  return fused(layer,
               builder.convTranspose(x, weight, bias, *window, channels));
}

// Some files keep four numbers for each channel: the biases, then zeros.
static Value biasOf(Layer &layer, int64_t channels) {
  Network &network = layer.network;
  constexpr int64_t kept = 4;
  int64_t number = layer.integer("blob_biases", -1);
  bool isLong = network.hasArray(number, kept * channels * sizeof(float));
  auto numbers = network.numbers("blob_biases", number,
                                 isLong ? kept * channels : channels);
  if (!numbers)
    return {};
  if (llvm::any_of(ArrayRef(*numbers).drop_front(channels),
                   [](float number) { return number != 0; })) {
    network.builder->refuse("has biases after those of its channels, which is "
                            "not known");
    return {};
  }
  numbers->resize(channels);
  return network.builder->weight("bias", *numbers, network.f32, {1, channels});
}

// Over w, or over all of a pixel's channels.
static Value importInnerProduct(Layer &layer, ArrayRef<Value> inputs) {
  Network &network = layer.network;
  ProgramBuilder &builder = *network.builder;
  Value x = inputs[0];
  Shape shape = ProgramBuilder::shapeOf(x);
  int64_t from = layer.integer("nB"), to = layer.integer("nC");
  if (!layer.isOneOf("has_prelu", {0}, 0))
    return {};
  bool isLast = shape[3] == from && shape[1] == 1;
  int64_t all = shape[1] * shape[2] * shape[3];
  if (from < 1 || to < 1 || (!isLast && all != from)) {
    builder.refuse("multiplies " + Twine(from) +
                   " numbers, but its input has "
                   "the shape " +
                   describe(shape));
    return {};
  }
  int64_t rows = isLast ? shape[0] * shape[2] : shape[0];
  Value weight = network.weight(layer, "blob_weights", {to, from});
  Value bias = layer.integer("has_biases") ? biasOf(layer, to) : Value();
  if (builder.hasFailed())
    return {};
  Value y = builder.matmul(builder.reshape(x, {rows, from}), weight,
                           /*transposesX=*/false, /*transposesY=*/true);
  if (bias)
    y = builder.binary("add", y, bias);
  Shape result =
      isLast ? Shape{shape[0], 1, shape[2], to} : Shape{shape[0], to, 1, 1};
  return fused(layer, builder.reshape(y, result));
}

static Value importPool(Layer &layer, ArrayRef<Value> inputs) {
  ProgramBuilder &builder = *layer.network.builder;
  Value x = inputs[0];
  Shape shape = ProgramBuilder::shapeOf(x);
  if (!layer.isOneOf("avg_or_max", {0, 1}, 0) ||
      !layer.isOneOf("top_shape_style", {0, 1, 2}, 0))
    return {};
  bool isMax = layer.integer("avg_or_max") == 1;
  if (layer.integer("is_global"))
    return builder.reduce(isMax ? "reduce_max" : "reduce_mean", x, {2, 3});
  auto window = windowOf(layer, x, "size_y", "size_x");
  if (!window)
    return {};
  // Windows that hang over the edge: padding that nothing is read from.
  constexpr int64_t over = 2;
  bool isOver = layer.integer("top_shape_style") == over;
  for (size_t i = 0; isOver && i < 2; ++i) {
    int64_t rest =
        shape[2 + i] + window->low[i] + window->high[i] - window->span(i);
    if (rest > 0 && rest % window->strides[i])
      window->high[i] += window->strides[i] - rest % window->strides[i];
  }
  bool isPadded = window->low != Shape{0, 0} || window->high != Shape{0, 0};
  bool countsPadding = !layer.integer("average_count_exclude_padding", 1);
  if (!isMax && isOver && isPadded && countsPadding) {
    builder.refuse("counts padding in an average over windows that hang over "
                   "the edge, which is not known");
    return {};
  }
  return builder.pool(isMax ? "max_pool" : "avg_pool", x, *window,
                      countsPadding);
}

static Value importActivation(Layer &layer, ArrayRef<Value> inputs) {
  ProgramBuilder &builder = *layer.network.builder;
  Value x = inputs[0];
  double alpha = layer.number("alpha"), beta = layer.number("beta");
  switch (layer.integer("mode")) {
  case 0:
    return builder.unary("relu", x);
  case 1:
    return builder.unary("tanh", x);
  case 2:
    return builder.unary("leaky_relu", x, {{"alpha", alpha}});
  case 3:
    return builder.unary("sigmoid", x);
  case 6:
    return builder.binary(
        "add", builder.binary("mul", x, layer.number("alpha", 1)), beta);
  case 8:
    return builder.unary("elu", x, {{"alpha", alpha}});
  case 10:
    return builder.unary("softplus", x);
  case 12:
    return builder.unary("softsign", x);
  default:
    layer.isOneOf("mode", {0, 1, 2, 3, 6, 8, 10, 12}, 0);
    return {};
  }
}

static Value importElementwise(Layer &layer, ArrayRef<Value> inputs) {
  ProgramBuilder &builder = *layer.network.builder;
  constexpr int64_t add = 0, mul = 1, addNumber = 2, mulNumber = 3, abs = 24,
                    clip = 119;
  int64_t operation = layer.integer("operation", -1);
  bool isPair = operation == add || operation == mul;
  Value x = inputs[0];
  if (isPair && inputs.size() == 2)
    return fused(
        layer, builder.binary(operation == add ? "add" : "mul", x, inputs[1]));
  double alpha = layer.number("alpha"), beta = layer.number("beta");
  if (inputs.size() == 1)
    switch (operation) {
    case addNumber:
      return fused(layer, builder.binary("add", x, alpha));
    case mulNumber:
      return fused(layer, builder.binary("mul", x, alpha));
    case abs:
      return fused(layer, builder.unary("abs", x));
    case clip:
      return fused(
          layer, builder.unary("clip", x, {{"alpha", alpha}, {"beta", beta}}));
    default:
      break;
    }
  builder.refuse(
      "has operation = " + Twine(operation) + " of " + Twine(inputs.size()) +
      " inputs; known are 0 (add) and 1 (mul) of two, and 2 (add a "
      "number), 3 (mul by a number), 24 (abs) and 119 (clip) of one");
  return {};
}

// Columns: factor, summand, two that are not used. Seen as an instance norm.
static Value importBatchNorm(Layer &layer, ArrayRef<Value> inputs) {
  Network &network = layer.network;
  ProgramBuilder &builder = *network.builder;
  Value x = inputs[0];
  int64_t channels = layer.integer("C");
  if (!layer.isOneOf("training_instancenorm", {1}, 0))
    return {};
  if (channels != ProgramBuilder::shapeOf(x)[1]) {
    builder.refuse("has C = " + Twine(channels) +
                   ", but its input has the shape " +
                   describe(ProgramBuilder::shapeOf(x)));
    return {};
  }
  constexpr int64_t columns = 4;
  auto numbers = network.numbers("blob_batchnorm_params",
                                 layer.integer("blob_batchnorm_params", -1),
                                 columns * channels);
  if (!numbers)
    return {};
  std::vector<float> gamma(channels), beta(channels);
  for (int64_t c = 0; c < channels; ++c) {
    gamma[c] = (*numbers)[columns * c];
    beta[c] = (*numbers)[columns * c + 1];
  }
  return builder.emit(
      "instance_norm",
      {{"x", x},
       {"gamma", builder.weight("gamma", gamma, network.f32, {channels})},
       {"beta", builder.weight("beta", beta, network.f32, {channels})},
       {"epsilon",
        builder.number(network.f32, layer.number("training_eps", 1e-5))}},
      network.f32, ProgramBuilder::shapeOf(x));
}

static Value importConcat(Layer &layer, ArrayRef<Value> inputs) {
  if (!layer.isOneOf("axis", {1}, 1))
    return {};
  return layer.network.builder->concat(inputs, 1);
}

static Value importSoftmax(Layer &layer, ArrayRef<Value> inputs) {
  int64_t channels = ProgramBuilder::shapeOf(inputs[0])[1];
  if (!layer.isOneOf("C", {channels}, channels))
    return {};
  return layer.network.builder->softmax(inputs[0], 1);
}

// Axes are counted from the last one, w.
static Value importSoftmaxND(Layer &layer, ArrayRef<Value> inputs) {
  if (!layer.isOneOf("nd_axis", {-1, -2, -3}, 0))
    return {};
  return layer.network.builder->softmax(inputs[0],
                                        4 + layer.integer("nd_axis"));
}

static Value importTranspose(Layer &layer, ArrayRef<Value> inputs) {
  static constexpr StringLiteral axes[] = {"axis_n", "axis_k", "axis_h",
                                           "axis_w"};
  Shape perm;
  for (auto [i, key] : llvm::enumerate(axes)) {
    // 3 is n, 0 is w.
    int64_t axis = 3 - layer.integer(key, 3 - int64_t(i));
    if (axis < 0 || axis > 3 || llvm::is_contained(perm, axis)) {
      layer.network.builder->refuse("has axes that are no permutation of n, k, "
                                    "h and w");
      return {};
    }
    perm.push_back(axis);
  }
  if (!layer.isOneOf("axis_seq", {4}, 4))
    return {};
  return layer.network.builder->transpose(inputs[0], perm);
}

static Value importReshape(Layer &layer, ArrayRef<Value> inputs) {
  ProgramBuilder &builder = *layer.network.builder;
  if (!layer.isOneOf("mode", {0}, 0) || !layer.isOneOf("dst_seq", {1}, 1))
    return {};
  std::optional<int64_t> all = countOf(ProgramBuilder::shapeOf(inputs[0]));
  Shape shape{layer.integer("dst_n", 1), layer.integer("dst_k", 1),
              layer.integer("dst_h", 1), layer.integer("dst_w", 1)};
  // One size may be what is left.
  int64_t known = 1, open = 0;
  for (int64_t size : shape) {
    open += size == -1;
    if (size != -1 && (size < 1 || size > *all)) {
      builder.refuse("has the shape " + describe(shape));
      return {};
    }
    known =
        size == -1 ? known : llvm::SaturatingMultiply<uint64_t>(known, size);
  }
  for (int64_t &size : shape)
    if (size == -1 && open == 1 && known > 0 && *all % known == 0)
      size = *all / known;
  if (countOf(shape) != all) {
    builder.refuse("has " + Twine(*all) + " elements, but the shape " +
                   describe(shape));
    return {};
  }
  return builder.reshape(inputs[0], shape);
}

static Value importFlatten(Layer &layer, ArrayRef<Value> inputs) {
  if (!layer.isOneOf("mode", {0}, 0))
    return {};
  Shape shape = ProgramBuilder::shapeOf(inputs[0]);
  return layer.network.builder->reshape(
      inputs[0], {shape[0], shape[1] * shape[2] * shape[3], 1, 1});
}

static Value importUpsample(Layer &layer, ArrayRef<Value> inputs) {
  ProgramBuilder &builder = *layer.network.builder;
  Value x = inputs[0];
  Shape shape = ProgramBuilder::shapeOf(x);
  int64_t y = layer.integer("scaling_factor_y", 1),
          w = layer.integer("scaling_factor_x", 1);
  if (!layer.isOneOf("mode", {0, 1}, 0) ||
      !layer.isOneOf("align_corners", {0}, 0) ||
      !layer.isOneOf("is_legacy_mode", {0}, 0) ||
      !layer.isOneOf("use_fractional_scale_factors", {0}, 0))
    return {};
  constexpr int64_t largest = 64;
  if (y < 1 || w < 1 || y > largest || w > largest) {
    builder.refuse("scales by " + Twine(y) + " and " + Twine(w) +
                   ", but factors must be from 1 to 64");
    return {};
  }
  Shape result{shape[0], shape[1], shape[2] * y, shape[3] * w};
  bool isNearest = layer.integer("mode") == 0;
  SmallVector<mil::NewArgument> arguments{
      {"x", x},
      {"scale_factor_height", builder.integer(y)},
      {"scale_factor_width", builder.integer(w)}};
  if (!isNearest)
    arguments.push_back({"align_corners", builder.boolean(false)});
  return builder.emit(isNearest ? "upsample_nearest_neighbor"
                                : "upsample_bilinear",
                      arguments, layer.network.f32, result);
}

static Value importCopy(Layer &, ArrayRef<Value> inputs) { return inputs[0]; }

static Value importConstant(Layer &layer, ArrayRef<Value>) {
  Shape shape{layer.integer("n", 1), layer.integer("k", 1),
              layer.integer("h", 1), layer.integer("w", 1)};
  if (!countOf(shape)) {
    layer.network.builder->refuse("has the shape " + describe(shape));
    return {};
  }
  return layer.network.weight(layer, "constant_blob", shape);
}

static const LayerType *findType(StringRef name) {
  static const SmallVector<StringRef> window = {
      "pad_*", "stride_*", "dilation_*", "fused_relu", "fused_tanh"};
  auto with = [](SmallVector<StringRef> keys) {
    keys.append(window);
    return keys;
  };
  static const LayerType types[] = {
      {"activation", 1, 1, importActivation, {"mode", "alpha", "beta"}},
      {"batchnorm",
       1,
       1,
       importBatchNorm,
       {"C", "training", "training_*", "blob_batchnorm_params"}},
      {"concat", 1, 64, importConcat, {"axis"}},
      {"convolution", 1, 1, importConvolution,
       with({"C", "K", "Nx", "Ny", "n_groups", "n_parallel", "has_batch_norm",
             "has_biases", "blob_biases", "blob_weights", "blob_weights_f16"})},
      {"copy", 1, 1, importCopy, {}},
      {"deconvolution", 1, 1, importDeconvolution,
       with({"C", "K", "Nx", "Ny", "n_groups", "n_parallel", "has_batch_norm",
             "has_biases", "blob_biases", "blob_weights", "blob_weights_f16",
             "deconv_out_height", "deconv_out_width"})},
      {"elementwise",
       1,
       2,
       importElementwise,
       {"operation", "alpha", "beta", "fused_relu", "nd_mode"}},
      {"flatten", 1, 1, importFlatten, {"mode"}},
      {"inner_product",
       1,
       1,
       importInnerProduct,
       {"nB", "nC", "has_*", "blob_weights", "blob_weights_f16",
        "blob_biases"}},
      {"load_constant",
       0,
       0,
       importConstant,
       {"constant_blob", "n", "k", "h", "w", "nd_rank"}},
      {"pool", 1, 1, importPool,
       with({"average_count_exclude_padding", "avg_or_max", "is_global",
             "size_x", "size_y", "top_shape_style"})},
      {"reshape",
       1,
       1,
       importReshape,
       {"mode", "version", "dynamic_shape", "dst_*"}},
      {"softmax", 1, 1, importSoftmax, {"C"}},
      {"softmax_nd", 1, 1, importSoftmaxND, {"nd_axis"}},
      {"transpose", 1, 1, importTranspose, {"axis_*"}},
      {"upsample",
       1,
       1,
       importUpsample,
       {"mode", "align_corners", "is_legacy_mode",
        "use_fractional_scale_factors", "fractional_scaling_factor_*",
        "scaling_factor_*"}}};
  const auto *found = llvm::find_if(
      types, [&](const LayerType &type) { return type.name == name; });
  return found == std::end(types) ? nullptr : found;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

std::optional<StringRef> Network::bytesOf(StringRef key, int64_t number,
                                          int64_t elements,
                                          int64_t elementBytes) {
  auto found = arrays.find(number);
  if (found == arrays.end()) {
    builder->refuse("has " + key + " = " + Twine(number) +
                    ", but the file of weights has no array of that number");
    return std::nullopt;
  }
  int64_t bytes = llvm::SaturatingMultiply<uint64_t>(elements, elementBytes);
  if (int64_t(found->second.size()) == bytes)
    return found->second;
  builder->refuse("needs " + Twine(bytes) + " bytes for its " + key +
                  ", but array " + Twine(number) + " has " +
                  Twine(found->second.size()));
  return std::nullopt;
}

std::optional<std::vector<float>>
Network::numbers(StringRef key, int64_t number, int64_t count) {
  auto bytes = bytesOf(key, number, count, sizeof(float));
  if (!bytes)
    return std::nullopt;
  std::vector<float> result(count);
  for (int64_t i = 0; i < count; ++i)
    result[i] = llvm::bit_cast<float>(
        llvm::support::endian::read32le(bytes->data() + 4 * i));
  return result;
}

Value Network::weight(Layer &layer, StringRef key, ArrayRef<int64_t> shape) {
  auto count = countOf(shape);
  if (!count) {
    builder->refuse("has " + key + " of the shape " + describe(shape));
    return {};
  }
  std::string half = (key + "_f16").str();
  // Bytes with a factor and a summand for each output channel.
  const json::Object *quantized = layer.object.getObject("weights");
  if (key == "blob_weights" && quantized && !quantized->empty()) {
    auto number = [&](StringRef name) {
      return quantized->getInteger(name).value_or(-1);
    };
    auto bytes = bytesOf("W_U8", number("W_U8"), *count, 1);
    auto scale =
        bytes ? numbers("per_ch_qscale", number("per_ch_qscale"), shape[0])
              : std::nullopt;
    auto bias = scale
                    ? numbers("per_ch_qbias", number("per_ch_qbias"), shape[0])
                    : std::nullopt;
    if (!bias)
      return {};
    std::vector<float> elements(*count);
    const int64_t ofChannel = *count / shape[0];
    for (int64_t i = 0; i < *count; ++i)
      elements[i] = float(uint8_t((*bytes)[i])) * (*scale)[i / ofChannel] +
                    (*bias)[i / ofChannel];
    return builder->weight(key, elements, f32, shape);
  }
  bool isHalf = layer.has(half);
  StringRef name = isHalf ? StringRef(half) : key;
  auto bytes = bytesOf(name, layer.integer(name, -1), *count, isHalf ? 2 : 4);
  if (!bytes)
    return {};
  ArrayRef<char> data(bytes->data(), bytes->size());
  if (!isHalf)
    return builder->weight(key, data, f32, f32, shape);
  Type f16 = Float16Type::get(context);
  return builder->cast(builder->weight(key, data, f16, f16, shape), f32);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

std::string Network::besides(StringRef extension) const {
  SmallString<128> path(options.file);
  paths::replace_extension(path, extension);
  return path.str().str();
}

/// JSON is parsed by recursion.
static bool isDeep(StringRef text) {
  constexpr int deepest = 32;
  int depth = 0;
  bool isInString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (isInString) {
      i += text[i] == '\\';
      isInString &= i < text.size() && text[i] != '"';
      continue;
    }
    isInString = text[i] == '"';
    depth += text[i] == '{' || text[i] == '[';
    depth -= text[i] == '}' || text[i] == ']';
    if (depth > deepest)
      return true;
  }
  return false;
}

std::optional<json::Value> Network::readJSON(StringRef text, StringRef file) {
  if (text.starts_with("pbze") || text.starts_with("bvx")) {
    fileError(file) << "the file is compressed with LZFSE; decompress it, with "
                       "lzfse -decode for example";
    return std::nullopt;
  }
  if (text.size() > maxTextBytes || isDeep(text)) {
    fileError(file) << "the file has " << text.size()
                    << " bytes, or brackets in more than 32 levels, which no "
                       "list of layers has";
    return std::nullopt;
  }
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value) {
    fileError(file) << "no list of layers: "
                    << llvm::toString(value.takeError());
    return std::nullopt;
  }
  if (!value->getAsObject()) {
    fileError(file) << "no list of layers: the JSON is no object";
    return std::nullopt;
  }
  return std::move(*value);
}

bool Network::readShapes() {
  std::string file = besides("shape");
  auto buffer = open(file);
  if (!buffer) {
    fileError(file) << buffer.getError().message();
    return false;
  }
  auto value = readJSON((*buffer)->getBuffer(), file);
  if (!value)
    return false;
  const json::Object *all = value->getAsObject()->getObject("layer_shapes");
  if (!all) {
    fileError(file) << "has no layer_shapes";
    return false;
  }
  for (const auto &[name, entry] : *all) {
    const json::Object *sizes = entry.getAsObject();
    Shape shape;
    for (StringRef key : {"n", "k", "h", "w"})
      shape.push_back(sizes ? sizes->getInteger(key).value_or(1) : 0);
    if (!countOf(shape) ||
        (sizes && sizes->getInteger("seq").value_or(1) != 1)) {
      fileError(file) << "the shape of '" << StringRef(name)
                      << "' is none of n, k, h and w from 1 on";
      return false;
    }
    shapes[StringRef(name)] = shape;
  }
  return true;
}

// A count, then a number and a size for each array, then their bytes.
bool Network::readWeights(StringRef name) {
  SmallString<128> path(options.folder);
  // A name beside the list, not a way to other folders.
  paths::append(path, paths::filename(name));
  auto buffer = open(path);
  if (!buffer) {
    fileError(path) << buffer.getError().message();
    return false;
  }
  weights = std::move(*buffer);
  StringRef bytes = weights->getBuffer();
  constexpr size_t word = 8;
  uint64_t count =
      bytes.size() < word ? 0 : llvm::support::endian::read64le(bytes.data());
  if (bytes.size() < word || count > (bytes.size() - word) / (2 * word)) {
    fileError(path) << "no table of arrays: it has " << bytes.size()
                    << " bytes, and says that it has " << count << " arrays";
    return false;
  }
  uint64_t at = word + count * 2 * word;
  for (uint64_t i = 0; i < count; ++i) {
    const char *entry = bytes.data() + word + i * 2 * word;
    int64_t number = llvm::support::endian::read64le(entry);
    uint64_t size = llvm::support::endian::read64le(entry + word);
    if (size > bytes.size() - at ||
        number == llvm::DenseMapInfo<int64_t>::getEmptyKey() ||
        number == llvm::DenseMapInfo<int64_t>::getTombstoneKey() ||
        !arrays.try_emplace(number, bytes.substr(at, size)).second) {
      fileError(path) << "array " << number << " of " << size
                      << " bytes is there twice, or leaves the file";
      return false;
    }
    at += size;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Networks
//===----------------------------------------------------------------------===//

std::optional<Shape> Network::shapeOf(StringRef name) {
  auto found = shapes.find(name);
  if (found != shapes.end())
    return found->second;
  return std::nullopt;
}

bool Network::importLayer(const json::Object &object) {
  Layer layer(*this, object);
  std::string type = layer.text("type");
  builder->enter(type, layer.text("name"));
  SmallVector<std::string> bottoms = layer.names("bottom"),
                           tops = layer.names("top");
  if (type == "input")
    return true;
  const LayerType *found = findType(type);
  if (!found) {
    builder->refuse("is of a type that is not known");
    return false;
  }
  if (!layer.hasOnly(found->keys))
    return false;
  if (bottoms.size() < found->least || bottoms.size() > found->most ||
      tops.size() != 1) {
    builder->refuse("has " + Twine(bottoms.size()) + " inputs and " +
                    Twine(tops.size()) + " results");
    return false;
  }
  SmallVector<Value> inputs;
  for (const std::string &bottom : bottoms) {
    Value value = values.lookup(bottom);
    if (!value) {
      builder->refuse("reads '" + bottom + "', which no layer before it makes");
      return false;
    }
    inputs.push_back(value);
  }
  Value result = found->import(layer, inputs);
  if (!result || builder->hasFailed())
    return false;
  std::optional<Shape> said = shapeOf(tops[0]);
  Shape shape = ProgramBuilder::shapeOf(result);
  // A vector lies along k or along w.
  bool isVector =
      said && countOf(*said) == countOf(shape) && type == "inner_product";
  if (isVector)
    result = builder->reshape(result, *said);
  else if (said && *said != shape) {
    builder->refuse("has a result of " + describe(shape) +
                    ", but the file of shapes says " + describe(*said) +
                    ": the layer means something else than is known");
    return false;
  }
  values[tops[0]] = result;
  return true;
}

// Images are scaled, and each channel gets a summand.
bool Network::transformImages(const json::Object &root) {
  const json::Object *images = root.getObject("transform_params");
  if (!images)
    return true;
  for (const auto &[name, entry] : *images) {
    builder->enter("transform_params", StringRef(name));
    const json::Object *of = entry.getAsObject();
    Value x = values.lookup(StringRef(name));
    if (!of || !x || ProgramBuilder::shapeOf(x)[1] != 3) {
      builder->refuse("is of no input with three channels");
      return false;
    }
    auto isSet = [&](StringRef key) {
      return of->getBoolean(key).value_or(false) ||
             of->getInteger(key).value_or(0) != 0;
    };
    if (isSet("is_network_bgr") || isSet("center_mean")) {
      builder->refuse("has is_network_bgr or center_mean, whose meaning is not "
                      "known");
      return false;
    }
    std::vector<float> summands;
    for (StringRef key : {"bias_r", "bias_g", "bias_b"})
      summands.push_back(float(of->getNumber(key).value_or(0)));
    x = builder->binary("mul", x, of->getNumber("scale").value_or(1));
    values[StringRef(name)] = builder->binary(
        "add", x, builder->weight("bias", summands, f32, {1, 3, 1, 1}));
  }
  return !builder->hasFailed();
}

OwningOpRef<ModuleOp> Network::import(StringRef text) {
  auto value = readJSON(text, options.file);
  if (!value)
    return {};
  const json::Object &root = *value->getAsObject();
  const json::Array *layers = root.getArray("layers");
  if (!layers) {
    fileError(options.file) << "no list of layers: it has no 'layers'";
    return {};
  }
  if (!readShapes() || !readWeights(root.getString("storage").value_or(
                           "model.espresso.weights")))
    return {};
  // What is read and not made is an input; what is made and not read, a result.
  llvm::StringSet<> made, read;
  SmallVector<std::string> inputNames, outputNames;
  for (const json::Value &entry : *layers) {
    const json::Object *object = entry.getAsObject();
    if (!object) {
      fileError(options.file) << "a layer is no object";
      return {};
    }
    Layer layer(*this, *object);
    if (layer.text("type") == "input")
      continue;
    for (const std::string &name : layer.names("bottom"))
      if (read.insert(name).second)
        inputNames.push_back(name);
    for (const std::string &name : layer.names("top"))
      made.insert(name);
  }
  llvm::erase_if(inputNames,
                 [&](const std::string &name) { return made.contains(name); });
  for (const json::Value &entry : *layers) {
    Layer layer(*this, *entry.getAsObject());
    const json::Object *attributes = layer.object.getObject("attributes");
    bool isOutput =
        attributes && attributes->getInteger("is_output").value_or(0) != 0;
    for (const std::string &name : layer.names("top"))
      if ((isOutput || !read.contains(name)) && layer.text("type") != "input" &&
          !llvm::is_contained(outputNames, name))
        outputNames.push_back(name);
  }
  SmallVector<ProgramBuilder::Input> inputs;
  for (const std::string &name : inputNames) {
    auto shape = shapeOf(name);
    if (!shape) {
      fileError(options.file)
          << "input '" << name << "' has no shape in the file of shapes";
      return {};
    }
    inputs.push_back({mil::makeIdentifier(name), *shape, f32});
  }
  if (inputs.empty() || outputNames.empty()) {
    fileError(options.file)
        << "the network has " << inputs.size() << " inputs and "
        << outputNames.size() << " results";
    return {};
  }
  builder.emplace(context, options.file, "", inputs);
  for (auto [i, name] : llvm::enumerate(inputNames))
    values[name] = builder->argument(i);
  if (!transformImages(root))
    return {};
  for (const json::Value &entry : *layers)
    if (!importLayer(*entry.getAsObject()))
      return {};
  SmallVector<std::pair<std::string, Value>> results;
  for (const std::string &name : outputNames)
    results.emplace_back(mil::makeIdentifier(name), values.lookup(name));
  return builder->finish(results);
}

bool models::isEspressoNetwork(StringRef bytes) {
  StringRef text = bytes.ltrim();
  return bytes.starts_with("pbze") ||
         (text.starts_with("{") &&
          (text.contains("\"layers\"") || text.contains("\"storage\"") ||
           text.contains("\"format_version\"")));
}

static llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
openFile(StringRef path) {
  return readInput(path);
}

OwningOpRef<ModuleOp> models::importEspresso(StringRef bytes,
                                             MLIRContext *context,
                                             const ImportOptions &options,
                                             OpenFn open) {
  return Network(context, options, open ? open : openFile).import(bytes);
}
