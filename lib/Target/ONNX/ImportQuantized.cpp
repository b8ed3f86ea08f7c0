//===- ImportQuantized.cpp - Steps of whole numbers -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor of whole numbers stands for (q - zero) * scale. Weights become these
// numbers; data is rounded to the steps between a quantizer and what takes it
// back.
//
//===----------------------------------------------------------------------===//

#include "ImportNode.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::onnx;

namespace {
struct Steps {
  SmallVector<double> scales, zeros;
  int64_t axis = 0; ///< of more than one
};
} // namespace

static FailureOr<Steps> stepsOf(NodeImporter &node) {
  Steps steps;
  auto scales = node.knownNumbers(1, "scale");
  if (failed(scales))
    return failure();
  steps.scales = *scales;
  steps.zeros.assign(steps.scales.size(), 0);
  if (node.has(2)) {
    auto zeros = node.knownNumbers(2, "zero point");
    if (failed(zeros))
      return failure();
    if (zeros->size() != steps.scales.size())
      return node.error() << "has " << zeros->size() << " zero points for "
                          << steps.scales.size() << " scales";
    steps.zeros = *zeros;
  }
  const Tensor &x = node.tensor(0);
  auto given = node.integer("axis", 1);
  if (node.integer("block_size", 0))
    return node.error() << "has scales for blocks, which cannot be imported";
  if (steps.scales.size() == 1)
    return steps;
  auto axis = node.axis(given, x.rank());
  if (failed(axis))
    return failure();
  steps.axis = *axis;
  if (x.shape[*axis] != int64_t(steps.scales.size()))
    return node.error() << "has " << steps.scales.size() << " scales for "
                        << x.shape[*axis] << " elements of axis " << *axis;
  return steps;
}

/// One number, or one for each element of the axis.
static Value vectorOf(NodeImporter &node, ArrayRef<double> numbers,
                      int64_t axis, int64_t rank) {
  if (numbers.size() == 1)
    return node.number(DataType::Float, numbers.front());
  Tensor tensor;
  tensor.type = DataType::Float;
  tensor.shape.assign(rank, 1);
  tensor.shape[axis] = numbers.size();
  tensor.known = std::make_shared<const std::vector<double>>(numbers.begin(),
                                                             numbers.end());
  return node.valueOf(tensor);
}

static LogicalResult importDequantize(NodeImporter &node) {
  auto steps = stepsOf(node);
  if (failed(steps))
    return failure();
  const Tensor &x = node.tensor(0);
  int64_t rank = x.rank();
  Value value = node.cast(node.input(0), DataType::Float);
  bool isCentred =
      llvm::all_of(steps->zeros, [](double zero) { return zero == 0; });
  if (!isCentred)
    value = node.binary("sub", value,
                        vectorOf(node, steps->zeros, steps->axis, rank));
  value = node.binary("mul", value,
                      vectorOf(node, steps->scales, steps->axis, rank));
  auto type = static_cast<DataType>(
      node.integer("output_dtype", int64_t(DataType::Float)));
  if (!isFloat(type) && type != DataType::Undefined)
    return node.error() << "gives " << describe(type)
                        << ", but numbers of floats can be imported";
  return node.set(type == DataType::Undefined ? value : node.cast(value, type));
}

static LogicalResult importQuantize(NodeImporter &node) {
  auto steps = stepsOf(node);
  if (failed(steps))
    return failure();
  DataType type = node.has(2) ? node.tensor(2).type : DataType::Uint8;
  auto declared = static_cast<DataType>(node.integer("output_dtype", 0));
  if (declared != DataType::Undefined && node.has(2) && declared != type)
    return node.error() << "gives " << describe(declared)
                        << ", but has a zero point of " << describe(type);
  if (declared != DataType::Undefined)
    type = declared;
  double low, high;
  switch (type) {
  case DataType::Uint8:
    low = 0;
    high = 255;
    break;
  case DataType::Int8:
    low = -128;
    high = 127;
    break;
  default:
    return node.error() << "rounds to " << describe(type)
                        << ", but int8 and uint8 can be imported";
  }
  int64_t rank = node.tensor(0).rank();
  Value value = node.binary("real_div", node.input(0),
                            vectorOf(node, steps->scales, steps->axis, rank));
  value = node.unary("round", value);
  value = node.binary("add", value,
                      vectorOf(node, steps->zeros, steps->axis, rank));
  DataType element = node.dataTypeOf(value);
  value = node.emit("clip",
                    {{"x", value},
                     {"alpha", node.number(element, low)},
                     {"beta", node.number(element, high)}},
                    element, node.shapeOf(value));
  return node.set(value);
}

/// The smallest or the largest of all elements, as a tensor of one.
static Value extreme(NodeImporter &node, StringRef type, Value x) {
  int64_t rank = node.shapeOf(x).size();
  if (rank > 0)
    x = node.emit(
        type,
        {{"x", x},
         {"axes", node.integers(llvm::to_vector(llvm::seq<int64_t>(0, rank)))},
         {"keep_dims", node.boolean(true)}},
        node.dataTypeOf(x), SmallVector<int64_t>(rank, 1));
  return node.reshape(x, {1});
}

// 255 steps from the smallest to the largest element, and one of them at 0.
static LogicalResult importDynamicQuantize(NodeImporter &node) {
  constexpr double steps = 255;
  // Of zeros alone; f16 holds no smaller scale.
  constexpr double least = 0x1p-24;
  Value x = node.input(0);
  DataType type = node.dataTypeOf(x);
  Value low = node.binary("minimum", extreme(node, "reduce_min", x), 0.0),
        high = node.binary("maximum", extreme(node, "reduce_max", x), 0.0);
  Value scale = node.binary(
      "maximum", node.binary("mul", node.binary("sub", high, low), 1 / steps),
      least);
  auto toStep = [&](Value value) {
    return node.emit("clip",
                     {{"x", value},
                      {"alpha", node.number(type, 0)},
                      {"beta", node.number(type, steps)}},
                     type, node.shapeOf(value));
  };
  Value zero = toStep(node.unary(
      "round", node.binary("real_div", node.binary("mul", low, -1), scale)));
  Value result = toStep(node.binary(
      "add", node.unary("round", node.binary("real_div", x, scale)), zero));
  if (failed(node.set(result, 0)) || failed(node.set(scale, 1)))
    return failure();
  return node.set(zero, 2);
}

//===----------------------------------------------------------------------===//
// Layers of whole numbers
//===----------------------------------------------------------------------===//

// Of more than one zero point: filters of a convolution, rows of the left factor
// of a product, columns of the right one. -1 where there can be one only.
static int64_t axisOfZeros(NodeImporter &node, StringRef type, unsigned input) {
  int64_t rank = node.tensor(input).rank();
  if (type == "Conv")
    return input == 0 ? -1 : 0;
  return rank < 2 ? -1 : rank - (input == 0 ? 2 : 1);
}

// q - zero as f32: whole numbers that the engine multiplies exactly, as long as
// the sum stays within its accumulator.
static FailureOr<Value> centred(NodeImporter &node, unsigned input,
                                unsigned zero, int64_t axis) {
  const Tensor &x = node.tensor(input);
  if (!node.has(zero))
    return node.cast(node.input(input), DataType::Float);
  // Of steps that are chosen by the data.
  if (const Tensor &offset = node.tensor(zero);
      !offset.isConstant() && offset.count() == 1)
    return node.binary("sub", node.cast(node.input(input), DataType::Float),
                       node.cast(node.input(zero), DataType::Float));
  auto zeros = node.knownNumbers(zero, "zero point");
  if (failed(zeros))
    return failure();
  if (zeros->size() != 1 &&
      (axis < 0 || x.shape[axis] != int64_t(zeros->size())))
    return node.error() << "has " << zeros->size()
                        << " zero points for an input of "
                        << mil::describe(x.shape);
  // Weights are known: their bytes less the zero point.
  if (x.isConstant() && zeros->size() == 1) {
    auto elements = node.graph.elementsOf(x);
    if (failed(elements))
      return failure();
    for (double &element : *elements)
      element -= zeros->front();
    Tensor result = x;
    result.type = DataType::Float;
    result.value = {};
    result.weight = nullptr;
    result.known =
        std::make_shared<const std::vector<double>>(std::move(*elements));
    return node.valueOf(result);
  }
  return node.binary("sub", node.cast(node.input(input), DataType::Float),
                     vectorOf(node, *zeros, axis, x.rank()));
}

// To the steps of the result: rounded, and within its type.
static FailureOr<Value> toSteps(NodeImporter &node, Value x, double scale,
                                unsigned zero) {
  auto zeros = node.knownNumbers(zero, "zero point of the result");
  if (failed(zeros))
    return failure();
  if (zeros->size() != 1)
    return node.error() << "has " << zeros->size()
                        << " zero points of the result";
  bool isSigned = node.tensor(zero).type == DataType::Int8;
  x = node.unary("round", node.binary("mul", x, scale));
  x = node.binary("add", x, zeros->front());
  return node.emit(
      "clip",
      {{"x", x},
       {"alpha", node.number(DataType::Float, isSigned ? -128 : 0)},
       {"beta", node.number(DataType::Float, isSigned ? 127 : 255)}},
      DataType::Float, node.shapeOf(x));
}

// The layer of f32 with values in place of its inputs.
static FailureOr<Value> layerOf(NodeImporter &node, StringRef type,
                                ArrayRef<Value> inputs) {
  NodeMessage inner = node.node;
  inner.type = type;
  inner.domain = "";
  inner.inputs.clear();
  static constexpr StringLiteral names[] = {"<x>", "<w>", "<bias>"};
  for (auto [name, value] : llvm::zip(names, inputs)) {
    Tensor tensor;
    tensor.type = node.dataTypeOf(value);
    tensor.shape = node.shapeOf(value);
    tensor.value = value;
    (void)node.graph.define(name, std::move(tensor));
    inner.inputs.push_back(name);
  }
  // What nobody uses may have no name.
  if (inner.outputs.empty() || inner.outputs.front().empty())
    inner.outputs.assign(1, "<y>");
  NodeImporter importer(node.graph, inner, node.opset);
  const Operator *layer = node.graph.findOperator(("." + type).str());
  if (!layer || failed(layer->import(importer)) || importer.hasFailed())
    return failure();
  node.ignore(importer);
  return node.graph.lookup(inner.outputs.front())->value;
}

// The largest sum that bytes make with these weights, per element of the result.
static FailureOr<double> largestSum(NodeImporter &node, int64_t outputAxis) {
  constexpr double largest = 255;
  const Tensor &w = node.tensor(1);
  int64_t outputs = w.rank() > outputAxis ? w.shape[outputAxis] : 1;
  int64_t products = w.count() / std::max<int64_t>(outputs, 1);
  if (!w.isConstant() || w.count() == 0)
    return largest * largest * double(products);
  auto elements = node.graph.elementsOf(w);
  if (failed(elements))
    return failure();
  int64_t inner = 1;
  for (int64_t dim = outputAxis + 1; dim < w.rank(); ++dim)
    inner *= w.shape[dim];
  std::vector<double> sums(outputs, 0);
  // Any zero point takes an element no further than to 255.
  for (auto [index, element] : llvm::enumerate(*elements))
    sums[index / inner % outputs] += node.has(3) ? largest : std::fabs(element);
  return largest * *llvm::max_element(sums);
}

static ImportFn integerLayer(StringRef type) {
  return [type](NodeImporter &node) -> LogicalResult {
    int64_t rank = node.tensor(1).rank();
    auto x = centred(node, 0, 2, axisOfZeros(node, type, 0)),
         w = centred(node, 1, 3, axisOfZeros(node, type, 1));
    if (failed(x) || failed(w))
      return failure();
    auto sum =
        largestSum(node, type == "Conv" ? 0 : std::max<int64_t>(rank - 1, 0));
    if (failed(sum))
      return failure();
    // A power of two takes the sum into f16; scales that follow multiply it.
    constexpr double limit = 1 << 15;
    int power = *sum > limit ? int(std::ceil(std::log2(*sum / limit))) : 0;
    Value weight = power ? node.binary("mul", *w, std::exp2(-power)) : *w;
    auto product = layerOf(node, type, {*x, weight});
    if (failed(product))
      return failure();
    Tensor result;
    result.type = DataType::Int32;
    result.shape.assign(node.shapeOf(*product));
    result.value = *product;
    result.factor = std::exp2(power);
    return node.set(std::move(result));
  };
}

// x, its scale and zero point, w, its scale and zero point, and those of the
// result; a convolution has a bias in steps of both scales.
static ImportFn quantizedLayer(StringRef type) {
  return [type](NodeImporter &node) -> LogicalResult {
    auto x = centred(node, 0, 2, axisOfZeros(node, type, 0)),
         w = centred(node, 3, 5, axisOfZeros(node, type, 3));
    auto xScale = node.knownNumbers(1, "scale"),
         wScale = node.knownNumbers(4, "scale"),
         yScale = node.knownNumbers(6, "scale");
    if (failed(x) || failed(w) || failed(xScale) || failed(wScale) ||
        failed(yScale))
      return failure();
    if (wScale->size() != 1 || xScale->size() != 1 || yScale->size() != 1)
      return node.error() << "has a scale for each channel, which cannot be "
                             "imported here; use QuantizeLinear and "
                             "DequantizeLinear";
    SmallVector<Value> inputs = {*x, *w};
    if (node.has(8))
      inputs.push_back(node.cast(node.input(8), DataType::Float));
    auto product = layerOf(node, type, inputs);
    if (failed(product))
      return failure();
    auto steps = toSteps(
        node, *product, xScale->front() * wScale->front() / yScale->front(), 7);
    if (failed(steps))
      return failure();
    return node.set(*steps);
  };
}

void onnx::addQuantizedImport(ImportTable &table) {
  // Of floats of 8 bits; the quotient is of f32 at least.
  SmallVector<StringRef> ignored = {"saturate", "precision"};
  table[".DequantizeLinear"] = {importDequantize, 2};
  table[".DynamicQuantizeLinear"] = {importDynamicQuantize, 1};
  table[".ConvInteger"] = {integerLayer("Conv"), 2};
  table[".MatMulInteger"] = {integerLayer("MatMul"), 2};
  table[".QLinearConv"] = {quantizedLayer("Conv"), 8};
  table[".QLinearMatMul"] = {quantizedLayer("MatMul"), 8};
  table[".QuantizeLinear"] = {importQuantize, 2, ignored};
}
