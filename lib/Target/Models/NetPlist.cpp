//===- NetPlist.cpp - net.plist as a program ------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Core ML writes for the engine and Apple's compiler reads: units by name,
// each with its inputs ("Bottom") and parameters, and files of weights. Nobody
// has published the format. What is here was seen in networks that people wrote
// or found (tinygrad's, and those that ANEForge makes and has run), which say
// for each type of unit what it computes. A parameter that none of them has is
// an error: it could change what a unit does. docs/Formats/NetPlist.md says
// what is known of each.
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "PropertyList.h"

#include "ane/Files/InputFiles.h"
#include "ane/HW/Float16.h"
#include "ane/Target/Models/Models.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::models;
namespace json = llvm::json;
namespace paths = llvm::sys::path;

namespace {

/// Batch, channel, depth, height, width: depth only where a network has one.
constexpr llvm::StringLiteral dimensionNames[] = {"Batch", "Channel", "Depth",
                                                  "Height", "Width"};
constexpr unsigned depthDimension = 2;

class Network;

/// A unit, or another dictionary of the network, with its parameters.
class Unit {
public:
  Unit(Network &network, const json::Object &object, StringRef name);

  const json::Object *parameters() const;
  /// What a key says; an error where it is missing and has no default.
  std::optional<int64_t> integer(const json::Object &from, StringRef key);
  int64_t integer(const json::Object &from, StringRef key, int64_t otherwise);
  int64_t parameter(StringRef key, int64_t otherwise);
  std::string text(StringRef key, StringRef otherwise);
  /// A number, stored as the bits of one of f16.
  std::optional<double> half(StringRef key);
  SmallVector<std::string> bottoms();
  /// The parameters that are read; others are errors.
  bool knows(ArrayRef<StringRef> keys);

  Network &network;
  const json::Object &object;
  std::string name;
};

using ImportFn = Value (*)(Unit &unit, ArrayRef<Value> inputs);
struct UnitType {
  StringRef name;
  unsigned least, most; ///< inputs
  ImportFn import;
};

class Network {
public:
  Network(MLIRContext *context, const ImportOptions &options)
      : context(context), options(options) {}

  OwningOpRef<ModuleOp> import(const json::Object &root);

  InFlightDiagnostic error() { return builder->error(); }
  /// Sizes of a dictionary like "InputWidth", by the rank of the network.
  std::optional<Shape> shapeOf(Unit &unit, StringRef prefix);
  /// The number of the dimension of this name.
  std::optional<int64_t> dimension(StringRef name);
  int64_t rank() const { return hasDepth ? 5 : 4; }
  int64_t height() const { return rank() - 2; }
  int64_t width() const { return rank() - 1; }
  /// The bytes of `count` elements in a file of the list.
  std::optional<ArrayRef<char>> bytesOf(StringRef what, int64_t index,
                                        int64_t offset, int64_t count,
                                        Type element);
  std::optional<Type> typeOf(StringRef name);
  /// A weight of the type of the network.
  Value weight(Unit &unit, StringRef prefix, ArrayRef<int64_t> shape,
               const json::Object &from, StringRef offsetKey);

  MLIRContext *context;
  const ImportOptions &options;
  std::optional<ProgramBuilder> builder;
  Type f16;

private:
  struct Port {
    std::string name;   ///< of the program
    std::string source; ///< a unit, of an output
    const json::Object *object;
  };
  bool findPorts(const json::Object &root, const json::Object *&net,
                 std::string &name);
  bool importUnit(StringRef name);
  InFlightDiagnostic fileError();

  const json::Object *net = nullptr;
  SmallVector<Port> inputs, outputs;
  bool hasDepth = false;
  llvm::StringMap<Value> values;
  llvm::DenseSet<Value> bytes; ///< of units whose result is of UInt8
  SmallVector<std::string> weightNames;
  llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> files;
};

} // namespace

//===----------------------------------------------------------------------===//
// Dictionaries
//===----------------------------------------------------------------------===//

Unit::Unit(Network &network, const json::Object &object, StringRef name)
    : network(network), object(object), name(name.str()) {}

const json::Object *Unit::parameters() const {
  static const json::Object none;
  const json::Object *found = object.getObject("Params");
  return found ? found : &none;
}

std::optional<int64_t> Unit::integer(const json::Object &from, StringRef key) {
  std::optional<int64_t> value = from.getInteger(key);
  if (!value)
    network.error() << "has no integer '" << key << "'";
  return value;
}

int64_t Unit::integer(const json::Object &from, StringRef key,
                      int64_t otherwise) {
  const json::Value *value = from.get(key);
  if (!value)
    return otherwise;
  if (std::optional<bool> flag = value->getAsBoolean())
    return *flag;
  if (std::optional<int64_t> number = value->getAsInteger())
    return *number;
  network.builder->refuse("'" + key + "' is no integer");
  return otherwise;
}

int64_t Unit::parameter(StringRef key, int64_t otherwise) {
  return integer(*parameters(), key, otherwise);
}

std::string Unit::text(StringRef key, StringRef otherwise) {
  const json::Value *value = parameters()->get(key);
  if (!value)
    return otherwise.str();
  // One name, also as a list of one.
  if (const json::Array *list = value->getAsArray(); list && list->size() == 1)
    value = &list->front();
  if (std::optional<StringRef> text = value->getAsString())
    return text->str();
  network.builder->refuse("'" + key + "' is no string");
  return otherwise.str();
}

std::optional<double> Unit::half(StringRef key) {
  const json::Value *value = parameters()->get(key);
  if (!value)
    return std::nullopt;
  std::optional<int64_t> bits = value->getAsInteger();
  if (!bits || *bits < 0 || *bits > 0xffff) {
    network.builder->refuse("'" + key +
                            "' is not the 16 bits of a number of f16");
    return std::nullopt;
  }
  return ::ane::hw::fromHalfBits(static_cast<uint16_t>(*bits));
}

SmallVector<std::string> Unit::bottoms() {
  SmallVector<std::string> result;
  if (std::optional<StringRef> one = object.getString("Bottom"))
    result.push_back(one->str());
  else if (const json::Array *list = object.getArray("Bottom"))
    for (const json::Value &each : *list)
      result.push_back(each.getAsString().value_or("").str());
  return result;
}

bool Unit::knows(ArrayRef<StringRef> keys) {
  for (const auto &[key, value] : *parameters())
    if (!llvm::is_contained(keys, StringRef(key))) {
      network.builder->refuse("has a parameter '" + StringRef(key) +
                              "', whose meaning is not known");
      return false;
    }
  return true;
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

std::optional<Type> Network::typeOf(StringRef name) {
  Builder types(context);
  if (name == "Float16")
    return types.getF16Type();
  if (name == "Float32")
    return types.getF32Type();
  if (name == "UInt8")
    return types.getIntegerType(8, /*isSigned=*/false);
  if (name == "Int8")
    return types.getIntegerType(8);
  builder->refuse("has a type '" + name +
                  "', but Float16, Float32, UInt8 and Int8 can be imported");
  return std::nullopt;
}

std::optional<ArrayRef<char>> Network::bytesOf(StringRef what, int64_t index,
                                               int64_t offset, int64_t count,
                                               Type element) {
  if (index < 0 || index >= int64_t(weightNames.size())) {
    builder->refuse("has its " + what + " in file " + Twine(index) + " of " +
                    Twine(weightNames.size()));
    return std::nullopt;
  }
  // Paths are those of the machine that the network was made on.
  StringRef name = paths::filename(weightNames[index]);
  std::unique_ptr<llvm::MemoryBuffer> &file = files[name];
  if (!file) {
    if (name.empty() || name == "." || name == "..") {
      builder->refuse("has its " + what + " in '" + weightNames[index] +
                      "', which is no file");
      return std::nullopt;
    }
    SmallString<128> beside(options.folder), above(options.folder);
    paths::append(beside, name);
    paths::append(above, "..", name);
    StringRef path = llvm::sys::fs::exists(beside) ? beside.str() : above.str();
    auto buffer = readInput(path);
    if (!buffer) {
      builder->refuse("has its " + what + " in '" + name +
                      "', which is neither beside the network nor in the "
                      "folder above: " +
                      buffer.getError().message());
      return std::nullopt;
    }
    file = std::move(*buffer);
  }
  int64_t size = file->getBufferSize();
  int64_t bytes = count * element.getIntOrFloatBitWidth() / 8;
  if (offset < 0 || offset > size || bytes > size - offset) {
    builder->refuse("needs " + Twine(bytes) + " bytes at " + Twine(offset) +
                    " of '" + name + "' for its " + what +
                    ", but the file has " + Twine(size));
    return std::nullopt;
  }
  return ArrayRef<char>(file->getBufferStart() + offset, bytes);
}

Value Network::weight(Unit &unit, StringRef prefix, ArrayRef<int64_t> shape,
                      const json::Object &from, StringRef offsetKey) {
  std::string text = from.getString((prefix + "Type").str()).value_or("").str();
  std::optional<Type> stored = typeOf(text);
  std::optional<int64_t> count = countOf(shape);
  if (stored && !count)
    builder->refuse("has weights of " + describe(shape) + " elements");
  if (!stored || !count)
    return {};
  int64_t index = unit.integer(from, (prefix + "Index").str(), 0);
  int64_t offset = unit.integer(from, offsetKey, 0);
  std::optional<ArrayRef<char>> bytes =
      bytesOf(prefix.lower(), index, offset, *count, *stored);
  if (!bytes)
    return {};
  std::string name = unit.name + "_" + prefix.lower();
  if (isa<FloatType>(*stored))
    return builder->weight(name, *bytes, *stored, f16, shape);
  std::vector<float> elements;
  elements.reserve(bytes->size());
  for (char byte : *bytes)
    elements.push_back(stored->isUnsignedInteger()
                           ? float(static_cast<unsigned char>(byte))
                           : float(static_cast<signed char>(byte)));
  return builder->weight(name, elements, f16, shape);
}

//===----------------------------------------------------------------------===//
// Types of units
//===----------------------------------------------------------------------===//

/// Kernel, padding and steps of the spatial dimensions.
static std::optional<Window> windowOf(Unit &unit) {
  Network &network = unit.network;
  bool hasDepth = network.rank() == 5;
  Shape kernel;
  if (hasDepth)
    kernel.push_back(unit.parameter("KernelDepth", 1));
  kernel.push_back(unit.parameter("KernelHeight", 1));
  kernel.push_back(unit.parameter("KernelWidth", 1));
  Window window(kernel);
  window.low = {unit.parameter("PadFront", 0), unit.parameter("PadTop", 0),
                unit.parameter("PadLeft", 0)};
  window.high = {unit.parameter("PadBack", 0), unit.parameter("PadBot", 0),
                 unit.parameter("PadRight", 0)};
  Shape steps = {1, 1, 1};
  if (const json::Array *list = unit.parameters()->getArray("Step")) {
    for (size_t i = 0; i < std::min<size_t>(list->size(), 3); ++i)
      steps[i] = (*list)[i].getAsInteger().value_or(0);
    // No network that was seen says which of both is the width.
    if (list->size() > 3 || steps[0] != steps[1]) {
      network.builder->refuse("has steps that differ between width and "
                              "height, whose order is not known");
      return std::nullopt;
    }
  }
  // From width, height, depth to depth, height, width.
  window.strides = {steps[2], steps[0], steps[0]};
  if (!hasDepth)
    for (Shape *each : {&window.low, &window.high, &window.strides})
      each->erase(each->begin());
  return window;
}

static constexpr StringRef windowKeys[] = {
    "KernelDepth", "KernelHeight", "KernelWidth", "PadBack",
    "PadBot",      "PadFront",     "PadLeft",     "PadRight",
    "PadTop",      "PaddingMode",  "Step",        "Type"};

static SmallVector<StringRef> withWindow(ArrayRef<StringRef> keys) {
  SmallVector<StringRef> all(std::begin(windowKeys), std::end(windowKeys));
  llvm::append_range(all, keys);
  return all;
}

static Value importConv(Unit &unit, ArrayRef<Value> inputs) {
  Network &network = unit.network;
  ProgramBuilder &builder = *network.builder;
  if (!unit.knows(withWindow({"KernelGroupReuse", "KernelIndex", "KernelMode",
                              "KernelMutable", "KernelOffset", "KernelType"})))
    return {};
  std::optional<Window> window = windowOf(unit);
  if (!window)
    return {};
  std::string type = unit.text("Type", "Conv"),
              mode = unit.text("KernelMode", "Dense"),
              padding = unit.text("PaddingMode", "Zero");
  if (unit.parameter("KernelMutable", 0)) {
    builder.refuse("has a kernel that changes at run time");
    return {};
  }
  if (padding != "Zero") {
    builder.refuse("has padding of mode '" + padding +
                   "', but Zero can be imported");
    return {};
  }
  // A kernel of ones as large as its step repeats each element: the padding
  // stands at the other side of what is put between them.
  if (type == "ChannelWiseDeConv" && mode == "Unity") {
    Shape scale(network.rank(), 1);
    for (auto [dim, size] : llvm::enumerate(window->kernel)) {
      if (size != window->strides[dim] || window->low[dim] != size - 1 ||
          window->high[dim] != 0) {
        builder.refuse("is a transposed convolution, which can be imported "
                       "where it repeats each element");
        return {};
      }
      scale[dim + 2] = size;
    }
    if (network.rank() == 5) {
      builder.refuse("repeats elements of a volume, which cannot be imported");
      return {};
    }
    Shape shape = builder.shapeOf(inputs[0]);
    for (size_t dim : {2, 3})
      if (scale[dim] < 1 ||
          llvm::MulOverflow(shape[dim], scale[dim], shape[dim])) {
        builder.refuse("repeats elements " + Twine(scale[dim]) + " times");
        return {};
      }
    return builder.emit("upsample_nearest_neighbor",
                        {{"x", inputs[0]},
                         {"scale_factor_height", builder.integer(scale[2])},
                         {"scale_factor_width", builder.integer(scale[3])}},
                        network.f16, shape);
  }
  if (type != "Conv" || mode != "Dense") {
    builder.refuse("is a convolution of type '" + type +
                   "' with a kernel of "
                   "mode '" +
                   mode + "', but Conv and Dense can be imported");
    return {};
  }
  std::optional<int64_t> channels = unit.integer(unit.object, "OutputChannels");
  int64_t groups = unit.integer(unit.object, "NumGroups", 1);
  int64_t inputChannels = builder.shapeOf(inputs[0])[1];
  if (!channels)
    return {};
  if (groups < 1 || inputChannels % groups) {
    builder.refuse("has " + Twine(inputChannels) + " input channels in " +
                   Twine(groups) + " groups");
    return {};
  }
  Shape shape = {*channels, inputChannels / groups};
  llvm::append_range(shape, window->kernel);
  Value weight =
      network.weight(unit, "Kernel", shape, *unit.parameters(), "KernelOffset");
  return weight ? builder.conv(inputs[0], weight, {}, *window, groups)
                : Value();
}

// (x + bias) * scale, each one number or one for each channel. The order is
// seen in the units that ANEForge makes for a hard sigmoid: 2.5 and 0.2.
static Value importGOC(Unit &unit, ArrayRef<Value> inputs) {
  Network &network = unit.network;
  ProgramBuilder &builder = *network.builder;
  if (!unit.knows({"BiasScalar", "ScaleScalar", "BiasScaleGroupData"}))
    return {};
  Value x = inputs[0];
  static const json::Object none;
  const json::Object *data = unit.parameters()->getObject("BiasScaleGroupData");
  if (!data)
    data = &none;
  for (const auto &[key, value] : *data)
    if (!llvm::is_contained({"BiasCount", "BiasIndex", "BiasOffset", "BiasType",
                             "ScaleCount", "ScaleIndex", "ScaleOffset",
                             "ScaleType"},
                            StringRef(key))) {
      builder.refuse("has a parameter '" + StringRef(key) +
                     "', whose meaning is not known");
      return {};
    }
  for (StringRef what : {"Bias", "Scale"}) {
    StringRef type = what == "Bias" ? "add" : "mul";
    if (std::optional<double> number = unit.half((what + "Scalar").str()))
      x = builder.binary(type, x, *number);
    std::optional<int64_t> count = data->getInteger((what + "Count").str());
    if (!count)
      continue;
    int64_t channels = builder.shapeOf(x)[1];
    if (*count != channels) {
      builder.refuse("has " + Twine(*count) + " numbers for " +
                     Twine(channels) + " channels");
      return {};
    }
    Shape shape(network.rank(), 1);
    shape[1] = channels;
    Value weight =
        network.weight(unit, what, shape, *data, (what + "Offset").str());
    if (!weight)
      return {};
    x = builder.binary(type, x, weight);
  }
  return x;
}

static Value importNeuron(Unit &unit, ArrayRef<Value> inputs) {
  ProgramBuilder &builder = *unit.network.builder;
  if (!unit.knows({"Type", "EluAlpha", "ReluMax", "ReluMin", "ReluOffset",
                   "ReluSlope"}))
    return {};
  Value x = inputs[0];
  std::string type = unit.text("Type", "");
  static const llvm::StringMap<StringRef> plain = {
      {"Ceil", "ceil"},       {"Cos", "cos"},
      {"Exp2", "exp2"},       {"Floor", "floor"},
      {"ReLU", "relu"},       {"RoundNearest", "round"},
      {"Sigmoid", "sigmoid"}, {"SigmoidHighPrecision", "sigmoid"},
      {"Sign", "sign"},       {"Sin", "sin"},
      {"Sqrt", "sqrt"},       {"Tanh", "tanh"}};
  if (auto found = plain.find(type); found != plain.end())
    return builder.unary(found->second, x);
  if (type == "GELU")
    return builder.emit("gelu", {{"x", x}, {"mode", builder.string("EXACT")}},
                        builder.elementOf(x), builder.shapeOf(x));
  if (type == "Inv")
    return builder.unary("inverse", x, {{"epsilon", 0}});
  if (type == "Rsqrt")
    return builder.unary("rsqrt", x, {{"epsilon", 0}});
  if (type == "Log2")
    return builder.binary("mul", builder.unary("log", x, {{"epsilon", 0}}),
                          1 / std::log(2.0));
  if (type == "ELU")
    return builder.unary("elu", x,
                         {{"alpha", unit.half("EluAlpha").value_or(1)}});
  if (type == "LeakyReLU") {
    if (unit.half("ReluOffset").value_or(0) != 0) {
      builder.refuse("has a ReluOffset, whose meaning is not known");
      return {};
    }
    return builder.unary("leaky_relu", x,
                         {{"alpha", unit.half("ReluSlope").value_or(0)}});
  }
  if (type == "ClampedReLU")
    return builder.unary("clip", x,
                         {{"alpha", unit.half("ReluMin").value_or(0)},
                          {"beta", unit.half("ReluMax").value_or(65504)}});
  builder.refuse("has a function '" + type +
                 "', which is not imported; docs/Formats/NetPlist.md has those "
                 "that are");
  return {};
}

static Value importElementWise(Unit &unit, ArrayRef<Value> inputs) {
  ProgramBuilder &builder = *unit.network.builder;
  bool isScaled =
      unit.object.getString("Type").value_or("") == "ScaledElementWise";
  if (!unit.knows(isScaled ? ArrayRef<StringRef>{"Type", "Scale"}
                           : ArrayRef<StringRef>{"Type"}))
    return {};
  std::string type = unit.text("Type", "");
  static const llvm::StringMap<StringRef> types = {{"Abs", "abs"},
                                                   {"Add", "add"},
                                                   {"Equal", "equal"},
                                                   {"GreaterThan", "greater"},
                                                   {"LessThan", "less"},
                                                   {"Max", "maximum"},
                                                   {"Min", "minimum"},
                                                   {"Mult", "mul"},
                                                   {"NotEqual", "not_equal"},
                                                   {"Sub", "sub"}};
  auto found = types.find(type);
  unsigned wanted = type == "Abs" ? 1 : 2;
  if (found == types.end() || inputs.size() != wanted) {
    builder.refuse("is '" + type + "' of " + Twine(inputs.size()) +
                   " inputs, which is not imported");
    return {};
  }
  if (wanted == 1)
    return builder.unary(found->second, inputs[0]);
  Value result = builder.binary(found->second, inputs[0], inputs[1]);
  result = builder.cast(result, unit.network.f16);
  double scale = unit.half("Scale").value_or(1);
  return scale == 1 ? result : builder.binary("mul", result, scale);
}

static Value importPooling(Unit &unit, ArrayRef<Value> inputs) {
  ProgramBuilder &builder = *unit.network.builder;
  if (!unit.knows(withWindow({"AverageCountExcludePadding"})))
    return {};
  std::optional<Window> window = windowOf(unit);
  if (!window)
    return {};
  std::string type = unit.text("Type", ""), mode = unit.text("PaddingMode", "");
  bool isMax = type == "Max";
  bool isPadded = llvm::any_of(window->low, [](int64_t n) { return n; }) ||
                  llvm::any_of(window->high, [](int64_t n) { return n; });
  if (!isMax && type != "Avg") {
    builder.refuse("is a pool of type '" + type +
                   "', but Max and Avg can be imported");
    return {};
  }
  if (isPadded && mode != (isMax ? "Negative" : "Zero")) {
    builder.refuse("has padding of mode '" + mode + "', but " +
                   (isMax ? "Negative" : "Zero") + " can be imported");
    return {};
  }
  return builder.pool(isMax ? "max_pool" : "avg_pool", inputs[0], *window,
                      !unit.parameter("AverageCountExcludePadding", 0));
}

static Value importConcat(Unit &unit, ArrayRef<Value> inputs) {
  if (!unit.knows({"Dimension"}))
    return {};
  // The default is seen in a recorded program of two inputs.
  std::optional<int64_t> axis =
      unit.network.dimension(unit.text("Dimension", "Channel"));
  return axis ? unit.network.builder->concat(inputs, *axis) : Value();
}

static Value importReshape(Unit &unit, ArrayRef<Value> inputs) {
  if (!unit.knows({"ReshapedBatch", "ReshapedChannel", "ReshapedDepth",
                   "ReshapedHeight", "ReshapedWidth"}))
    return {};
  Shape shape;
  for (StringRef name : dimensionNames)
    shape.push_back(unit.parameter(("Reshaped" + name).str(), 1));
  if (unit.network.rank() == 4)
    shape.erase(shape.begin() + depthDimension);
  return unit.network.builder->reshape(inputs[0], shape);
}

static Value importInputView(Unit &unit, ArrayRef<Value> inputs) {
  ProgramBuilder &builder = *unit.network.builder;
  if (!unit.knows({"Dimension", "Offset", "Size"}))
    return {};
  std::optional<int64_t> axis =
      unit.network.dimension(unit.text("Dimension", ""));
  if (!axis)
    return {};
  Shape size = builder.shapeOf(inputs[0]), begin(size.size(), 0);
  begin[*axis] = unit.parameter("Offset", 0);
  size[*axis] = unit.parameter("Size", 0);
  return builder.slice(inputs[0], begin, size);
}

static Value importBroadcast(Unit &unit, ArrayRef<Value> inputs) {
  ProgramBuilder &builder = *unit.network.builder;
  if (!unit.knows({"BroadcastInfo"}))
    return {};
  Shape shape = builder.shapeOf(inputs[0]), repeats(shape.size(), 1);
  if (const json::Array *list = unit.parameters()->getArray("BroadcastInfo"))
    for (const json::Value &each : *list) {
      const json::Object *entry = each.getAsObject();
      std::optional<StringRef> name =
          entry ? entry->getString("Dimension") : std::nullopt;
      std::optional<int64_t> size =
          entry ? entry->getInteger("Size") : std::nullopt;
      if (!name || !size) {
        builder.refuse("has an entry of BroadcastInfo without Dimension and "
                       "Size");
        return {};
      }
      if (*name == "Depth" && *size == 1)
        continue;
      std::optional<int64_t> axis = unit.network.dimension(*name);
      if (!axis)
        return {};
      if (shape[*axis] != 1 && shape[*axis] != *size) {
        builder.refuse("cannot broadcast " + Twine(shape[*axis]) +
                       " elements to " + Twine(*size));
        return {};
      }
      repeats[*axis] = shape[*axis] == 1 ? *size : 1;
    }
  return builder.tile(inputs[0], repeats);
}

// Rows are channels and columns the width, in each batch.
static Value importMatrixMultiplication(Unit &unit, ArrayRef<Value> inputs) {
  Network &network = unit.network;
  ProgramBuilder &builder = *network.builder;
  if (!unit.knows({}))
    return {};
  SmallVector<Value> matrices;
  for (Value input : inputs) {
    Shape shape = builder.shapeOf(input);
    for (int64_t dim = 2; dim < network.width(); ++dim)
      if (shape[dim] != 1) {
        builder.refuse("multiplies matrices of a height or depth of " +
                       Twine(shape[dim]) + ", whose meaning is not known");
        return {};
      }
    matrices.push_back(
        builder.reshape(input, {shape[0], shape[1], shape.back()}));
  }
  Value product = builder.matmul(matrices[0], matrices[1]);
  Shape flat = builder.shapeOf(product), shape(network.rank(), 1);
  if (flat.size() != 3)
    return product;
  shape[0] = flat[0];
  shape[1] = flat[1];
  shape.back() = flat[2];
  return builder.reshape(product, shape);
}

static Value importSoftmax(Unit &unit, ArrayRef<Value> inputs) {
  if (!unit.knows({"Dimension"}))
    return {};
  std::optional<int64_t> axis =
      unit.network.dimension(unit.text("Dimension", "Channel"));
  return axis ? unit.network.builder->softmax(inputs[0], *axis) : Value();
}

static Value importReduction(Unit &unit, ArrayRef<Value> inputs) {
  ProgramBuilder &builder = *unit.network.builder;
  if (!unit.knows({"Dimension", "Type"}))
    return {};
  Shape axes;
  if (const json::Array *list = unit.parameters()->getArray("Dimension"))
    for (const json::Value &each : *list) {
      std::optional<int64_t> axis =
          unit.network.dimension(each.getAsString().value_or(""));
      if (!axis)
        return {};
      axes.push_back(*axis);
    }
  else if (std::optional<int64_t> axis =
               unit.network.dimension(unit.text("Dimension", "")))
    axes.push_back(*axis);
  llvm::sort(axes);
  axes.erase(llvm::unique(axes), axes.end());
  std::string type = unit.text("Type", "");
  StringRef name = type == "Sum"   ? "reduce_sum"
                   : type == "Avg" ? "reduce_mean"
                   : type == "Max" ? "reduce_max"
                   : type == "Min" ? "reduce_min"
                                   : "";
  if (name.empty() || axes.empty()) {
    builder.refuse("is a reduction of type '" + type +
                   "', but Sum, Avg, Max and Min can be imported");
    return {};
  }
  return builder.reduce(name, inputs[0], axes);
}

static Value importMinMaxNormalization(Unit &unit, ArrayRef<Value> inputs) {
  ProgramBuilder &builder = *unit.network.builder;
  if (!unit.knows({"Dimension", "Epsilon"}))
    return {};
  std::optional<int64_t> axis =
      unit.network.dimension(unit.text("Dimension", ""));
  if (!axis)
    return {};
  Value low = builder.reduce("reduce_min", inputs[0], {*axis}),
        high = builder.reduce("reduce_max", inputs[0], {*axis});
  Value span = builder.binary("add", builder.binary("sub", high, low),
                              unit.half("Epsilon").value_or(0));
  return builder.binary("real_div", builder.binary("sub", inputs[0], low),
                        span);
}

// x / (K + Alpha / channels * sum of squares) ^ Beta, over all channels: what
// a window of fewer does is not what its name says (ANEForge ran it).
static Value importLocalResponse(Unit &unit, ArrayRef<Value> inputs) {
  ProgramBuilder &builder = *unit.network.builder;
  if (!unit.knows({"Type", "KernelWidth", "KernelHeight", "KernelChannel",
                   "Alpha", "Beta", "K"}))
    return {};
  Value x = inputs[0];
  int64_t channels = builder.shapeOf(x)[1];
  if (unit.text("Type", "") != "Channel" ||
      unit.parameter("KernelChannel", 0) != channels ||
      unit.parameter("KernelWidth", 1) != 1 ||
      unit.parameter("KernelHeight", 1) != 1) {
    builder.refuse("normalizes over a part of its " + Twine(channels) +
                   " channels, but over all of them can be imported");
    return {};
  }
  auto number = [&](StringRef key, double otherwise) {
    return unit.parameters()->getNumber(key).value_or(otherwise);
  };
  double alpha = unit.half("Alpha").value_or(1) / channels;
  Value sum = builder.reduce("reduce_sum", builder.binary("mul", x, x), {1});
  Value base =
      builder.binary("add", builder.binary("mul", sum, alpha), number("K", 1));
  return builder.binary("mul", x,
                        builder.binary("pow", base, -number("Beta", 0.75)));
}

static Value importTranspose(Unit &unit, ArrayRef<Value> inputs) {
  ProgramBuilder &builder = *unit.network.builder;
  if (!unit.knows({"TransposeDimensions"}))
    return {};
  Shape perm = llvm::to_vector<6>(llvm::seq<int64_t>(0, unit.network.rank()));
  if (const json::Array *list =
          unit.parameters()->getArray("TransposeDimensions"))
    for (const json::Value &each : *list) {
      const json::Object *entry = each.getAsObject();
      std::optional<int64_t> axes[2];
      for (unsigned i : {0u, 1u}) {
        StringRef key =
            i ? "TransposeDestinationDimension" : "TransposeSourceDimension";
        axes[i] = unit.network.dimension(
            entry ? entry->getString(key).value_or("") : "");
        if (!axes[i])
          return {};
      }
      perm[*axes[1]] = *axes[0];
    }
  return builder.transpose(inputs[0], perm);
}

namespace {
struct Rearrangement {
  StringRef unit, statement, argument;
  bool toSpace;
};
} // namespace

// Orders of channels as ANEForge found them.
static Value importRearrangement(Unit &unit, ArrayRef<Value> inputs) {
  ProgramBuilder &builder = *unit.network.builder;
  if (!unit.knows({"FactorX", "FactorY", "FactorZ"}))
    return {};
  static constexpr Rearrangement kinds[] = {
      {"PixelShuffle", "pixel_shuffle", "upscale_factor", true},
      {"PixelUnshuffle", "pixel_unshuffle", "downscale_factor", false},
      {"ChannelToSpace", "depth_to_space", "block_size", true},
      {"SpaceToChannel", "space_to_depth", "block_size", false}};
  StringRef type = unit.object.getString("Type").value_or("");
  int64_t x = unit.parameter("FactorX", 1), y = unit.parameter("FactorY", 1);
  Shape shape = builder.shapeOf(inputs[0]);
  constexpr int64_t limit = 1 << 14;
  if (unit.network.rank() != 4 || unit.parameter("FactorZ", 1) != 1 || x < 1 ||
      y < 1 || x > limit || y > limit) {
    builder.refuse("has factors of " + Twine(x) + " and " + Twine(y));
    return {};
  }
  bool isBatch = type.contains("Batch");
  bool toSpace = type == "BatchToSpace";
  const Rearrangement *kind = nullptr;
  if (!isBatch) {
    for (const Rearrangement &each : kinds)
      if (type == each.unit)
        kind = &each;
    toSpace = kind->toSpace;
  }
  int64_t &outer = shape[isBatch ? 0 : 1];
  bool fits =
      toSpace ? outer % (x * y) == 0 : shape[2] % y == 0 && shape[3] % x == 0;
  // Batches in between would be in another order than MIL has them.
  if (!fits || (!isBatch && x != y) ||
      (isBatch && outer != (toSpace ? x * y : 1))) {
    builder.refuse("cannot rearrange " + describe(builder.shapeOf(inputs[0])) +
                   " by " + Twine(x) + " and " + Twine(y));
    return {};
  }
  outer = toSpace ? outer / (x * y) : outer * x * y;
  shape[2] = toSpace ? shape[2] * y : shape[2] / y;
  shape[3] = toSpace ? shape[3] * x : shape[3] / x;
  if (kind) {
    // The factor of pixel_unshuffle is unsigned.
    return builder.emit(
        kind->statement,
        {{"x", inputs[0]}, {kind->argument, builder.integer(x)}},
        unit.network.f16, shape);
  }
  Value nothing = builder.integers({0, 0, 0, 0}, {2, 2});
  return builder.emit(toSpace ? "batch_to_space" : "space_to_batch",
                      {{"x", inputs[0]},
                       {"block_shape", builder.integers({y, x})},
                       {toSpace ? "crops" : "paddings", nothing}},
                      unit.network.f16, shape);
}

static Value importFlatten(Unit &unit, ArrayRef<Value> inputs) {
  ProgramBuilder &builder = *unit.network.builder;
  if (!unit.knows({"FlattenType", "Mode"}))
    return {};
  std::string mode = unit.text("Mode", unit.text("FlattenType", "NCHW"));
  Shape shape = builder.shapeOf(inputs[0]);
  int64_t batch = shape[0], count = *countOf(shape) / batch;
  if (mode != "NCHW" || batch != 1) {
    builder.refuse("flattens " + describe(shape) + " in the order '" + mode +
                   "', but one batch in NCHW can be imported");
    return {};
  }
  int64_t channels = unit.integer(unit.object, "OutputChannels", 1);
  Shape result(unit.network.rank(), 1);
  result[1] = channels;
  result.back() = channels > 0 ? count / channels : 0;
  return builder.reshape(inputs[0], result);
}

static Value importDropout(Unit &unit, ArrayRef<Value> inputs) {
  if (!unit.knows({"DropoutRate", "Seed"}))
    return {};
  if (unit.parameter("DropoutRate", 0) != 0) {
    unit.network.builder->refuse("drops values, which is for training");
    return {};
  }
  return inputs[0];
}

// Query, key, value and a scale.
static Value importSDPA(Unit &unit, ArrayRef<Value> inputs) {
  ProgramBuilder &builder = *unit.network.builder;
  if (!unit.knows({"SubtractMax"}))
    return {};
  Value scores = builder.matmul(inputs[0], inputs[1], false,
                                /*transposesY=*/true);
  Value weights = builder.softmax(builder.binary("mul", scores, inputs[3]),
                                  unit.network.width());
  return builder.matmul(weights, inputs[2]);
}

static Value importGlobalArgMinMax(Unit &unit, ArrayRef<Value> inputs) {
  ProgramBuilder &builder = *unit.network.builder;
  if (!unit.knows({"Dimension", "Type"}))
    return {};
  std::optional<int64_t> axis =
      unit.network.dimension(unit.text("Dimension", ""));
  std::string type = unit.text("Type", "");
  if (!axis)
    return {};
  if (type != "Max" && type != "Min") {
    builder.refuse("is of type '" + type +
                   "', but Max and Min can be imported");
    return {};
  }
  Shape shape = builder.shapeOf(inputs[0]);
  shape[*axis] = 1;
  Value place = builder.emit(type == "Max" ? "reduce_argmax" : "reduce_argmin",
                             {{"x", inputs[0]},
                              {"axis", builder.integer(*axis)},
                              {"keep_dims", builder.boolean(true)}},
                             builder.builder.getI32Type(), shape);
  return builder.cast(place, unit.network.f16);
}

static constexpr unsigned many = 1 << 16;
static constexpr UnitType unitTypes[] = {
    {"BatchToSpace", 1, 1, importRearrangement},
    {"Broadcast", 1, 1, importBroadcast},
    {"ChannelToSpace", 1, 1, importRearrangement},
    {"Concat", 1, many, importConcat},
    {"Conv", 1, 1, importConv},
    {"Dropout", 1, 1, importDropout},
    {"ElementWise", 1, 2, importElementWise},
    {"Flatten", 1, 1, importFlatten},
    {"GOC", 1, 1, importGOC},
    {"GlobalArgMinMax", 1, 1, importGlobalArgMinMax},
    {"InputView", 1, 1, importInputView},
    {"LocalResponseNormalization", 1, 1, importLocalResponse},
    {"MatrixMultiplication", 2, 2, importMatrixMultiplication},
    {"MinMaxNormalization", 1, 1, importMinMaxNormalization},
    {"Neuron", 1, 1, importNeuron},
    {"PixelShuffle", 1, 1, importRearrangement},
    {"PixelUnshuffle", 1, 1, importRearrangement},
    {"Pooling", 1, 1, importPooling},
    {"Reduction", 1, 1, importReduction},
    {"Reshape", 1, 1, importReshape},
    {"SDPA", 4, 4, importSDPA},
    {"ScaledElementWise", 2, 2, importElementWise},
    {"Softmax", 1, 1, importSoftmax},
    {"SpaceToBatch", 1, 1, importRearrangement},
    {"SpaceToChannel", 1, 1, importRearrangement},
    {"Transpose", 1, 1, importTranspose}};

//===----------------------------------------------------------------------===//
// Networks
//===----------------------------------------------------------------------===//

std::optional<int64_t> Network::dimension(StringRef name) {
  const auto *found = llvm::find(dimensionNames, name);
  if (found == std::end(dimensionNames) ||
      (!hasDepth && name == dimensionNames[depthDimension])) {
    builder->refuse("has a dimension '" + name +
                    "', but Batch, Channel, Height, Width and, in networks of "
                    "volumes, Depth are known");
    return std::nullopt;
  }
  int64_t number = found - dimensionNames;
  return hasDepth || number < depthDimension ? number : number - 1;
}

std::optional<Shape> Network::shapeOf(Unit &unit, StringRef prefix) {
  Shape shape;
  shape.push_back(unit.integer(
      unit.object, prefix == "Input" ? "BatchSize" : "ConstantBatchSize", 1));
  for (StringRef name : ArrayRef(dimensionNames).drop_front()) {
    bool isChannel = name == "Channel";
    std::string key = (prefix + name + (isChannel ? "s" : "")).str();
    if (name == dimensionNames[depthDimension]) {
      if (hasDepth)
        shape.push_back(unit.integer(unit.object, key, 1));
      continue;
    }
    std::optional<int64_t> size = unit.integer(unit.object, key);
    if (!size)
      return std::nullopt;
    shape.push_back(*size);
  }
  if (!countOf(shape)) {
    builder->refuse("has " + describe(shape) + " elements");
    return std::nullopt;
  }
  return shape;
}

InFlightDiagnostic Network::fileError() {
  return emitError(FileLineColLoc::get(context, options.file, 0, 0));
}

static SmallVector<std::string> namesOf(const json::Object &object,
                                        StringRef key) {
  SmallVector<std::string> names;
  if (const json::Array *list = object.getArray(key))
    for (const json::Value &each : *list)
      names.push_back(each.getAsString().value_or("").str());
  return names;
}

bool Network::findPorts(const json::Object &root, const json::Object *&found,
                        std::string &name) {
  SmallVector<std::string> networks = namesOf(root, "Networks");
  if (networks.size() != 1) {
    fileError() << "a property list with " << networks.size()
                << " networks, but one can be imported";
    return false;
  }
  name = networks[0];
  found = root.getObject(name);
  if (!found) {
    fileError() << "there is no network '" << name << "'";
    return false;
  }
  auto add = [&](SmallVector<Port> &ports, StringRef name, StringRef source,
                 const json::Object *object) {
    if (!object || name.empty()) {
      fileError() << "there is no dictionary of '" << name << "'";
      return false;
    }
    // Version 1.0.10 lists an input once for each unit that reads it.
    for (const Port &port : ports)
      if (port.name == name)
        return true;
    ports.push_back({name.str(), source.str(), object});
    return true;
  };
  auto sourceOf = [](const json::Object *object) {
    return object ? object->getString("Bottom").value_or("") : StringRef();
  };
  const json::Array *procedures = root.getArray("ProcedureList");
  if (!procedures) {
    for (const std::string &each : namesOf(*found, "Inputs"))
      if (!add(inputs, each, "", found->getObject(each)))
        return false;
    for (const std::string &each : namesOf(*found, "Outputs")) {
      const json::Object *object = found->getObject(each);
      if (!add(outputs, each, sourceOf(object), object))
        return false;
    }
    return true;
  }
  const json::Object *procedure =
      procedures->size() == 1 ? procedures->front().getAsObject() : nullptr;
  const json::Array *in =
      procedure ? procedure->getArray("InputList") : nullptr;
  const json::Array *out =
      procedure ? procedure->getArray("OutputList") : nullptr;
  const json::Array *operations =
      procedure ? procedure->getArray("OperationList") : nullptr;
  if (!in || !out || !operations || operations->size() != 1) {
    fileError() << "the list of procedures has " << procedures->size()
                << ", but one with inputs, outputs and one operation can be "
                   "imported";
    return false;
  }
  for (const json::Value &each : *in) {
    const json::Object *object = each.getAsObject();
    if (!add(inputs,
             object ? object->getString("InputName").value_or("") : StringRef(),
             "", object))
      return false;
  }
  for (const json::Value &each : *out) {
    const json::Object *object = each.getAsObject();
    if (!add(outputs,
             object ? object->getString("OutputName").value_or("")
                    : StringRef(),
             object ? object->getString("Name").value_or("") : StringRef(),
             object))
      return false;
  }
  return true;
}

/// Whether a dictionary, at any depth, has a depth above 1.
static bool hasDepthIn(const json::Value &value) {
  if (const json::Array *array = value.getAsArray())
    return llvm::any_of(*array, hasDepthIn);
  const json::Object *object = value.getAsObject();
  if (!object)
    return false;
  if (object->getString("Dimension").value_or("") == "Depth" &&
      object->getInteger("Size").value_or(2) != 1)
    return true;
  for (const auto &[key, each] : *object) {
    if (StringRef(key).ends_with("Depth") &&
        each.getAsInteger().value_or(1) > 1)
      return true;
    if (hasDepthIn(each))
      return true;
  }
  return false;
}

bool Network::importUnit(StringRef name) {
  const json::Object *object = net->getObject(name);
  builder->enter("", name);
  if (!object) {
    builder->refuse("there is no dictionary of '" + name + "'");
    return false;
  }
  StringRef type = object->getString("Type").value_or("");
  builder->enter(type, name);
  const UnitType *found = llvm::find_if(
      unitTypes, [&](const UnitType &each) { return each.name == type; });
  if (found == std::end(unitTypes)) {
    builder->refuse("units of type '" + type +
                    "' are not imported; docs/Formats/NetPlist.md has those "
                    "that are");
    return false;
  }
  for (const auto &[key, value] : *object)
    if (!llvm::is_contained({"Bottom", "InputType", "Name", "NumGroups",
                             "OutputChannels", "OutputType", "Params", "Type",
                             "UnescapedBottom", "UnescapedName"},
                            StringRef(key))) {
      builder->refuse("has a key '" + StringRef(key) +
                      "', whose meaning is not known");
      return false;
    }
  Unit unit(*this, *object, name);
  SmallVector<Value> operands;
  for (const std::string &bottom : unit.bottoms()) {
    Value value = values.lookup(bottom);
    if (!value) {
      builder->refuse("reads '" + bottom +
                      "', which is no input, no constant and no unit in front "
                      "of it");
      return false;
    }
    operands.push_back(value);
  }
  if (operands.size() < found->least || operands.size() > found->most) {
    builder->refuse("has " + Twine(operands.size()) + " inputs, but " +
                    Twine(found->least) +
                    (found->most > found->least ? " or more are" : " is") +
                    " expected");
    return false;
  }
  Value result = found->import(unit, operands);
  if (!result || builder->hasFailed()) {
    builder->refuse("cannot be imported");
    return false;
  }
  int64_t channels = builder->shapeOf(result)[1],
          wanted = unit.integer(*object, "OutputChannels", channels);
  if (wanted != channels)
    builder->refuse("has " + Twine(channels) +
                    " channels, but says that it has " + Twine(wanted));
  if (object->getString("OutputType").value_or("Float16") == "UInt8")
    bytes.insert(result);
  values[name] = result;
  return !builder->hasFailed();
}

OwningOpRef<ModuleOp> Network::import(const json::Object &root) {
  std::string name;
  if (!findPorts(root, net, name))
    return {};
  for (const auto &[key, value] : *net)
    hasDepth |= hasDepthIn(value);
  if (const json::Value *procedures = root.get("ProcedureList"))
    hasDepth |= hasDepthIn(*procedures);
  // Errors of inputs name them before there is a function that has them.
  builder.emplace(context, options.file, name,
                  ArrayRef<ProgramBuilder::Input>());
  f16 = builder->builder.getF16Type();
  SmallVector<ProgramBuilder::Input> arguments;
  for (const Port &port : inputs) {
    builder->enter("Input", port.name);
    Unit unit(*this, *port.object, port.name);
    std::optional<Shape> shape = shapeOf(unit, "Input");
    std::optional<Type> type =
        typeOf(port.object->getString("InputType").value_or("Float16"));
    if (!shape || !type)
      return {};
    if (int64_t interleave = unit.integer(*port.object, "InputInterleave", 1);
        interleave != 1)
      builder->error() << "has " << interleave
                       << " channels side by side, but programs have each "
                          "channel apart; say InputInterleave 1";
    arguments.push_back({port.name, *shape, *type});
  }
  if (builder->hasFailed())
    return {};
  builder.emplace(context, options.file, name, arguments);
  weightNames = namesOf(*net, "Weights");
  for (auto [index, port] : llvm::enumerate(inputs)) {
    builder->enter("Input", port.name);
    values[port.name] = builder->cast(builder->argument(index), f16);
  }
  for (const std::string &constant : namesOf(*net, "Constants")) {
    builder->enter("Constant", constant);
    const json::Object *object = net->getObject(constant);
    if (!object) {
      builder->refuse("there is no dictionary of '" + constant + "'");
      return {};
    }
    Unit unit(*this, *object, constant);
    std::optional<Shape> shape = shapeOf(unit, "Constant");
    if (!shape)
      return {};
    Value value =
        weight(unit, "Constant", *shape, *object, "ConstantByteOffset");
    if (!value)
      return {};
    values[constant] = value;
  }
  for (const std::string &unit : namesOf(*net, "Units"))
    if (!importUnit(unit))
      return {};
  SmallVector<std::pair<std::string, Value>> results;
  for (const Port &port : outputs) {
    builder->enter("Output", port.name);
    Value value = values.lookup(port.source);
    if (!value) {
      builder->refuse("is of '" + port.source + "', which is no unit");
      return {};
    }
    bool isBytes = port.object->getString("OutputType").value_or("") == "UInt8";
    if (isBytes || (bytes.contains(value) && !port.object->get("OutputType")))
      value = builder->cast(
          value, builder->builder.getIntegerType(8, /*isSigned=*/false));
    results.emplace_back(port.name, value);
  }
  return builder->finish(results);
}

OwningOpRef<ModuleOp> models::importNetPlist(StringRef bytes,
                                             MLIRContext *context,
                                             const ImportOptions &options) {
  Location loc = FileLineColLoc::get(context, options.file, 0, 0);
  TextPlace place;
  llvm::Expected<json::Value> value = parsePropertyList(bytes, place);
  if (!value) {
    emitError(
        FileLineColLoc::get(context, options.file, place.line, place.column))
        << "no property list: " << llvm::toString(value.takeError());
    return {};
  }
  const json::Object *root = value->getAsObject();
  if (!root || !root->get("Networks")) {
    emitError(loc) << "a property list that is no network: it has no "
                      "'Networks'";
    return {};
  }
  return Network(context, options).import(*root);
}
