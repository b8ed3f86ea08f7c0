//===- ImportLayers.cpp - Products, windows, norms, reductions ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ImportNode.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::onnx;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

namespace {
/// Kernel, strides, dilations and padding of each spatial dimension.
struct Window {
  SmallVector<int64_t> kernel, strides, dilations, low, high;

  int64_t span(size_t dim) const {
    return dilations[dim] * (kernel[dim] - 1) + 1;
  }
  /// low and high of each dimension, as MIL has them.
  SmallVector<int64_t> pads() const {
    SmallVector<int64_t> result;
    for (auto [l, h] : llvm::zip(low, high))
      result.append({l, h});
    return result;
  }
};
} // namespace

static FailureOr<Window> windowOf(NodeImporter &node, ArrayRef<int64_t> input,
                                  ArrayRef<int64_t> kernel) {
  if (input.size() < 3 || input.size() > 5)
    return node.error() << "has an input of rank " << input.size()
                        << ", but 1 to 3 spatial dimensions can be imported";
  size_t dims = input.size() - 2;
  Window window;
  window.kernel.assign(kernel.begin(), kernel.end());
  window.strides = node.integers("strides");
  window.dilations = node.integers("dilations");
  SmallVector<int64_t> pads = node.integers("pads");
  if (window.strides.empty())
    window.strides.assign(dims, 1);
  if (window.dilations.empty())
    window.dilations.assign(dims, 1);
  if (pads.empty())
    pads.assign(2 * dims, 0);
  if (window.kernel.size() != dims || window.strides.size() != dims ||
      window.dilations.size() != dims || pads.size() != 2 * dims)
    return node.error() << "has " << dims
                        << " spatial dimensions, but kernel_shape, strides, "
                           "dilations or pads have another number";
  constexpr int64_t limit = 1 << 24;
  for (auto *sizes : {&window.kernel, &window.strides, &window.dilations})
    for (int64_t size : *sizes)
      if (size < 1 || size > limit)
        return node.error() << "has a kernel, stride or dilation of " << size;
  for (int64_t pad : pads)
    if (std::abs(pad) > limit)
      return node.error() << "has a padding of " << pad;
  window.low.assign(pads.begin(), pads.begin() + dims);
  window.high.assign(pads.begin() + dims, pads.end());
  SmallVector<int64_t> declared = node.integers("kernel_shape");
  if (!declared.empty() && declared != window.kernel)
    return node.error() << "has kernel_shape " << mil::describe(declared)
                        << ", but weights of " << mil::describe(window.kernel);
  StringRef mode = node.string("auto_pad", "NOTSET");
  if (mode == "VALID") {
    window.low.assign(dims, 0);
    window.high.assign(dims, 0);
  } else if (mode == "SAME_UPPER" || mode == "SAME_LOWER") {
    for (size_t dim = 0; dim < dims; ++dim) {
      int64_t stride = window.strides[dim], size = input[dim + 2];
      int64_t results = llvm::divideCeil(size, stride);
      int64_t total = std::max<int64_t>(
          (results - 1) * stride + window.span(dim) - size, 0);
      window.low[dim] = mode == "SAME_UPPER" ? total / 2 : (total + 1) / 2;
      window.high[dim] = total - window.low[dim];
    }
  } else if (mode != "NOTSET") {
    return node.error() << "has auto_pad = '" << mode << "', which is unknown";
  }
  return window;
}

/// Of a convolution, either way.
static SmallVector<mil::NewArgument>
argumentsOf(NodeImporter &node, Value x, const Window &window, int64_t groups) {
  return {{"x", x},
          {"weight", node.input(1)},
          {"strides", node.integers(window.strides)},
          {"pad_type", node.string("custom")},
          {"pad", node.integers(window.pads())},
          {"dilations", node.integers(window.dilations)},
          {"groups", node.integer(groups)}};
}

// Negative padding takes elements away.
static Value withoutNegativePads(NodeImporter &node, Value x, Window &window) {
  SmallVector<int64_t> shape = node.shapeOf(x), begin(shape.size(), 0);
  for (size_t dim = 0; dim < window.kernel.size(); ++dim) {
    int64_t low = std::max<int64_t>(-window.low[dim], 0);
    int64_t high = std::max<int64_t>(-window.high[dim], 0);
    begin[dim + 2] = low;
    shape[dim + 2] -= low + high;
    window.low[dim] += low;
    window.high[dim] += high;
  }
  return node.slice(x, begin, shape);
}

// One number for each channel, of the rank of x.
static Value perChannel(NodeImporter &node, Value vector, int64_t rank,
                        int64_t channel = 1) {
  SmallVector<int64_t> shape(rank, 1);
  shape[channel] = node.shapeOf(vector).empty() ? 1 : node.shapeOf(vector)[0];
  return node.reshape(vector, shape);
}

static LogicalResult importConv(NodeImporter &node) {
  const Tensor &weight = node.tensor(1);
  int64_t groups = node.integer("group", 1);
  if (weight.rank() != node.tensor(0).rank() || weight.rank() < 3)
    return node.error() << "has weights of rank " << weight.rank()
                        << " for an input of rank " << node.tensor(0).rank();
  auto window = windowOf(node, node.tensor(0).shape,
                         ArrayRef<int64_t>(weight.shape).drop_front(2));
  if (failed(window))
    return failure();
  if (groups < 1 || node.tensor(0).shape[1] != weight.shape[1] * groups ||
      weight.shape[0] % groups)
    return node.error() << "has " << node.tensor(0).shape[1]
                        << " input channels, but weights of " << weight.shape[0]
                        << " x " << weight.shape[1] << " channels in " << groups
                        << " groups";
  Value x = withoutNegativePads(node, node.input(0), *window);
  SmallVector<int64_t> shape = node.shapeOf(x);
  shape[1] = weight.shape[0];
  for (size_t dim = 0; dim < window->kernel.size(); ++dim) {
    int64_t size = shape[dim + 2] + window->low[dim] + window->high[dim];
    if (size < window->span(dim))
      return node.error() << "has a kernel that spans " << window->span(dim)
                          << " of " << size << " elements";
    shape[dim + 2] = (size - window->span(dim)) / window->strides[dim] + 1;
  }
  SmallVector<mil::NewArgument> arguments =
      argumentsOf(node, x, *window, groups);
  if (node.has(2))
    arguments.emplace_back("bias", node.input(2));
  return node.set(node.emit("conv", arguments, node.dataTypeOf(x), shape));
}

static LogicalResult importConvTranspose(NodeImporter &node) {
  const Tensor &weight = node.tensor(1);
  int64_t groups = node.integer("group", 1);
  ArrayRef<int64_t> input = node.tensor(0).shape;
  if (weight.rank() != node.tensor(0).rank() || weight.rank() < 3)
    return node.error() << "has weights of rank " << weight.rank()
                        << " for an input of rank " << input.size();
  auto window =
      windowOf(node, input, ArrayRef<int64_t>(weight.shape).drop_front(2));
  if (failed(window))
    return failure();
  if (groups < 1 || weight.shape[0] != input[1] || weight.shape[0] % groups)
    return node.error() << "has " << input[1]
                        << " input channels, but weights for "
                        << weight.shape[0] << " in " << groups << " groups";
  size_t dims = window->kernel.size();
  SmallVector<int64_t> more = node.integers("output_padding"),
                       wanted = node.integers("output_shape");
  more.resize(dims, 0);
  SmallVector<int64_t> shape(input);
  shape[1] = weight.shape[1] * groups;
  SmallVector<int64_t> inner = shape, low(shape.size(), 0),
                       high(shape.size(), 0);
  for (size_t dim = 0; dim < dims; ++dim) {
    int64_t whole =
        (input[dim + 2] - 1) * window->strides[dim] + window->span(dim);
    StringRef mode = node.string("auto_pad", "NOTSET");
    if (!wanted.empty() || mode.starts_with("SAME")) {
      // The size is given, or the stride times that of the input.
      int64_t size = wanted.empty() ? input[dim + 2] * window->strides[dim]
                                    : wanted[wanted.size() - dims + dim];
      int64_t total = whole + more[dim] - size;
      // What is missing is at the end.
      window->low[dim] = total < 0              ? 0
                         : mode == "SAME_UPPER" ? total / 2
                                                : total - total / 2;
      window->high[dim] = total - window->low[dim];
    }
    // Elements more at the end are padding less; where there is none, they are
    // zeros and the bias.
    window->high[dim] -= more[dim];
    shape[dim + 2] = whole - window->low[dim] - window->high[dim];
    low[dim + 2] = std::max<int64_t>(-window->low[dim], 0);
    high[dim + 2] = std::max<int64_t>(-window->high[dim], 0);
    window->low[dim] = std::max<int64_t>(window->low[dim], 0);
    window->high[dim] = std::max<int64_t>(window->high[dim], 0);
    inner[dim + 2] = whole - window->low[dim] - window->high[dim];
    if (shape[dim + 2] < 1)
      return node.error() << "has more padding than elements";
  }
  Value x = node.input(0);
  SmallVector<mil::NewArgument> arguments =
      argumentsOf(node, x, *window, groups);
  bool isPadded = inner != shape;
  if (node.has(2) && !isPadded)
    arguments.emplace_back("bias", node.input(2));
  DataType type = node.dataTypeOf(x);
  Value result = node.emit("conv_transpose", arguments, type, inner);
  if (isPadded) {
    result = node.pad(result, low, high, "constant", 0);
    if (node.has(2))
      result = node.binary("add", result,
                           perChannel(node, node.input(2), shape.size()));
  }
  return node.set(result);
}

static ImportFn pool(StringRef type) {
  return [type](NodeImporter &node) -> LogicalResult {
    SmallVector<int64_t> shape(node.tensor(0).shape);
    auto window = windowOf(node, shape, node.integers("kernel_shape"));
    if (failed(window))
      return failure();
    bool isAverage = type == "avg_pool";
    bool countsPadding = node.integer("count_include_pad", 0);
    for (int64_t dilation : window->dilations)
      if (dilation != 1)
        return node.error() << "has a dilation of " << dilation
                            << ", but windows of pools without gaps can be "
                               "imported";
    if (node.isUsed(1))
      return node.error() << "gives the places of the maxima, which cannot be "
                             "imported";
    for (size_t dim = 0; dim < window->kernel.size(); ++dim) {
      int64_t stride = window->strides[dim], span = window->span(dim);
      int64_t size = shape[dim + 2] + window->low[dim] + window->high[dim];
      if (size < span)
        return node.error()
               << "has a kernel of " << span << " for " << size << " elements";
      int64_t results = (size - span) / stride + 1;
      int64_t rest = (size - span) % stride;
      // A last window that begins in the image or in front of it.
      if (node.integer("ceil_mode", 0) && rest &&
          results * stride < shape[dim + 2] + window->low[dim]) {
        if (isAverage && countsPadding)
          return node.error() << "rounds its size up and counts padding, which "
                                 "cannot be imported together";
        window->high[dim] += stride - rest;
        ++results;
      }
      shape[dim + 2] = results;
    }
    Value x = node.input(0);
    SmallVector<mil::NewArgument> arguments = {
        {"x", x},
        {"kernel_sizes", node.integers(window->kernel)},
        {"strides", node.integers(window->strides)},
        {"pad_type", node.string("custom")},
        {"pad", node.integers(window->pads())},
        {"ceil_mode", node.boolean(false)}};
    if (isAverage)
      arguments.emplace_back("exclude_padding_from_average",
                             node.boolean(!countsPadding));
    return node.set(node.emit(type, arguments, node.dataTypeOf(x), shape));
  };
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

// Over no dimension: what is done with each element remains.
static LogicalResult reduceNothing(NodeImporter &node, StringRef type) {
  Value x = node.input(0);
  DataType element = node.dataTypeOf(x);
  if (type == "reduce_l1_norm" || type == "reduce_l2_norm")
    return node.set(node.unary("abs", x));
  if (type == "reduce_sum_square")
    return node.set(node.binary("mul", x, x));
  if (type == "reduce_log_sum")
    return node.set(node.emit("log",
                              {{"x", x}, {"epsilon", node.number(element, 0)}},
                              element, node.shapeOf(x)));
  return node.forward(0);
}

static ImportFn reduction(StringRef type) {
  return [type](NodeImporter &node) -> LogicalResult {
    auto given = node.attributeOrInput("axes", 1);
    if (failed(given))
      return failure();
    int64_t rank = node.tensor(0).rank();
    bool isAll = !*given || (*given)->empty(),
         isNone = node.integer("noop_with_empty_axes", 0),
         keepsDims = node.integer("keepdims", 1);
    if (rank == 0 || (isAll && isNone))
      return reduceNothing(node, type);
    auto axes = node.axes(
        isAll ? llvm::to_vector(llvm::seq<int64_t>(0, rank)) : **given, rank);
    if (failed(axes))
      return failure();
    return node.set(node.reduce(type, node.input(0), *axes, keepsDims));
  };
}

static ImportFn globalPool(StringRef type) {
  return [type](NodeImporter &node) -> LogicalResult {
    int64_t rank = node.tensor(0).rank();
    if (rank < 3)
      return node.error() << "has an input of rank " << rank;
    return node.set(node.reduce(type, node.input(0),
                                llvm::to_vector(llvm::seq<int64_t>(2, rank)),
                                /*keepsDims=*/true));
  };
}

static ImportFn search(StringRef type) {
  return [type](NodeImporter &node) -> LogicalResult {
    auto axis = node.axis(node.integer("axis", 0), node.tensor(0).rank());
    if (failed(axis))
      return failure();
    Value x = node.input(0);
    // The last of equal ones is the first from the end.
    bool isLast = node.integer("select_last_index", 0);
    int64_t size = node.shapeOf(x)[*axis];
    SmallVector<int64_t> reversed = {*axis};
    if (isLast)
      x = node.emit("reverse", {{"x", x}, {"axes", node.integers(reversed)}},
                    node.dataTypeOf(x), node.shapeOf(x));
    bool keepsDims = node.integer("keepdims", 1) != 0;
    SmallVector<int64_t> shape = node.shapeOf(x);
    if (keepsDims)
      shape[*axis] = 1;
    else
      shape.erase(shape.begin() + *axis);
    Value place = node.emit(type,
                            {{"x", x},
                             {"axis", node.integer(*axis)},
                             {"keep_dims", node.boolean(keepsDims)}},
                            DataType::Int32, shape);
    if (isLast)
      place = node.binary("sub", node.integer(size - 1), place);
    return node.set(place);
  };
}

// 1 at the first of the largest elements, 0 elsewhere.
static LogicalResult importHardmax(NodeImporter &node) {
  Value x = node.input(0);
  SmallVector<int64_t> shape = node.shapeOf(x), flat = shape;
  bool isOld = node.opset < 13;
  auto axis = node.axis(node.integer("axis", isOld ? 1 : -1), shape.size());
  if (failed(axis))
    return failure();
  if (isOld) {
    flat = {1, 1};
    for (auto [dim, size] : llvm::enumerate(shape))
      flat[int64_t(dim) >= *axis] *= size;
    x = node.reshape(x, flat);
    axis = 1;
  }
  SmallVector<int64_t> places = flat;
  places.erase(places.begin() + *axis);
  DataType type = node.dataTypeOf(x);
  Value place = node.emit("reduce_argmax",
                          {{"x", x},
                           {"axis", node.integer(*axis)},
                           {"keep_dims", node.boolean(false)}},
                          DataType::Int32, places);
  Value result = node.emit("one_hot",
                           {{"indices", place},
                            {"one_hot_vector_size", node.integer(flat[*axis])},
                            {"axis", node.integer(*axis)},
                            {"on_value", node.number(type, 1)},
                            {"off_value", node.number(type, 0)}},
                           type, flat);
  return node.set(node.reshape(result, shape));
}

static LogicalResult importTopK(NodeImporter &node) {
  int64_t k = node.integer("k", -1);
  if (node.has(1)) {
    auto known = node.knownIntegers(1, "k");
    if (failed(known))
      return failure();
    if (known->size() != 1)
      return node.error() << "has " << known->size() << " numbers for k";
    k = known->front();
  }
  Value x = node.input(0);
  SmallVector<int64_t> shape = node.shapeOf(x);
  auto axis = node.axis(node.integer("axis", -1), shape.size());
  if (failed(axis))
    return failure();
  if (k < 1 || k > shape[*axis])
    return node.error() << "takes " << k << " of " << shape[*axis]
                        << " elements";
  shape[*axis] = k;
  SmallVector<Value> results =
      node.emitAll("topk",
                   {{"x", x},
                    {"k", node.integer(k)},
                    {"axis", node.integer(*axis)},
                    {"ascending", node.boolean(!node.integer("largest", 1))},
                    {"sort", node.boolean(true)},
                    {"return_indices", node.boolean(true)}},
                   {node.typeOf(node.dataTypeOf(x), shape),
                    node.typeOf(DataType::Int32, shape)});
  if (failed(node.set(results[0], 0)))
    return failure();
  return node.set(results[1], 1);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

// As numpy does: of a vector a row in front, a column after, both without their
// dimension of 1 in the result.
static Value matmul(NodeImporter &node, Value a, Value b, bool transposesA,
                    bool transposesB) {
  SmallVector<int64_t> left = node.shapeOf(a), right = node.shapeOf(b);
  bool isRow = left.size() == 1, isColumn = right.size() == 1;
  if (isRow) {
    left.insert(left.begin(), 1);
    a = node.reshape(a, left);
  }
  if (isColumn) {
    right.push_back(1);
    b = node.reshape(b, right);
  }
  Value product = node.matmul(a, b, transposesA, transposesB);
  if (node.hasFailed())
    return {};
  SmallVector<int64_t> shape = node.shapeOf(product);
  if (isColumn)
    shape.pop_back();
  if (isRow)
    shape.erase(shape.end() - (isColumn ? 1 : 2));
  return node.reshape(product, shape);
}

static LogicalResult importMatMul(NodeImporter &node) {
  Value product = matmul(node, node.input(0), node.input(1),
                         /*transposesA=*/false, /*transposesB=*/false);
  return product ? node.set(product) : failure();
}

/// The first dimension as the last but one.
static Value withBatchFirst(NodeImporter &node, Value x) {
  SmallVector<int64_t> perm =
      llvm::to_vector(llvm::seq<int64_t>(0, node.shapeOf(x).size()));
  if (perm.size() > 2)
    std::rotate(perm.begin(), perm.begin() + 1, perm.end() - 1);
  return node.transpose(x, perm);
}

static LogicalResult importFusedMatMul(NodeImporter &node) {
  Value a = node.input(0), b = node.input(1);
  if (node.integer("transBatchA", 0))
    a = withBatchFirst(node, a);
  if (node.integer("transBatchB", 0))
    b = withBatchFirst(node, b);
  Value product =
      matmul(node, a, b, node.integer("transA", 0), node.integer("transB", 0));
  if (!product)
    return failure();
  double alpha = node.number("alpha", 1);
  return node.set(alpha == 1 ? product : node.binary("mul", product, alpha));
}

// alpha a' b' + beta c
static LogicalResult importGemm(NodeImporter &node) {
  Value product = matmul(node, node.input(0), node.input(1),
                         node.integer("transA", 0), node.integer("transB", 0));
  if (!product)
    return failure();
  double alpha = node.number("alpha", 1), beta = node.number("beta", 1);
  if (alpha != 1)
    product = node.binary("mul", product, alpha);
  if (node.has(2) && beta != 0) {
    Value c = node.input(2);
    if (beta != 1)
      c = node.binary("mul", c, beta);
    if (!broadcastShapes(node.shapeOf(product), node.shapeOf(c)))
      return node.error() << "has a summand that cannot be broadcast to the "
                             "product";
    product = node.binary("add", product, c);
  }
  return node.set(product);
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

static LogicalResult importBatchNorm(NodeImporter &node) {
  // Up to set 6 training is what is said by nothing.
  bool isTraining = node.integer("training_mode", 0) ||
                    (node.opset < 7 && !node.integer("is_test", 0));
  if (!node.integer("spatial", 1))
    return node.error() << "has statistics for each element (spatial = 0), "
                           "which cannot be imported";
  if (isTraining || node.isUsed(1))
    return node.error() << "is in training mode; export the model for "
                           "inference (model.eval())";
  Value x = node.input(0);
  SmallVector<int64_t> shape = node.shapeOf(x);
  DataType type = node.dataTypeOf(x);
  double epsilon = node.number("epsilon", 1e-5);
  bool areConstant = true;
  for (unsigned i = 1; i < 5; ++i)
    areConstant &= node.tensor(i).isConstant();
  if (areConstant && shape.size() >= 3 && shape.size() <= 5)
    return node.set(node.emit("batch_norm",
                              {{"x", x},
                               {"gamma", node.input(1)},
                               {"beta", node.input(2)},
                               {"mean", node.input(3)},
                               {"variance", node.input(4)},
                               {"epsilon", node.number(type, epsilon)}},
                              type, shape));
  auto vector = [&](unsigned index) {
    return perChannel(node, node.input(index), shape.size());
  };
  Value root = node.unary("sqrt", node.binary("add", vector(4), epsilon));
  Value centred = node.binary("sub", x, vector(3));
  Value normal = node.binary("real_div", centred, root);
  return node.set(
      node.binary("add", node.binary("mul", normal, vector(1)), vector(2)));
}

// Over `axes`, without factors.
static Value layerNorm(NodeImporter &node, Value x, ArrayRef<int64_t> axes,
                       double epsilon) {
  return node.emit("layer_norm",
                   {{"x", x},
                    {"axes", node.integers(axes)},
                    {"epsilon", node.number(node.dataTypeOf(x), epsilon)}},
                   node.dataTypeOf(x), node.shapeOf(x));
}

static LogicalResult importInstanceNorm(NodeImporter &node) {
  Value x = node.input(0);
  int64_t rank = node.shapeOf(x).size();
  if (rank < 3)
    return node.error() << "has an input of rank " << rank;
  Value normal =
      layerNorm(node, x, llvm::to_vector(llvm::seq<int64_t>(2, rank)),
                node.number("epsilon", 1e-5));
  normal = node.binary("mul", normal, perChannel(node, node.input(1), rank));
  return node.set(
      node.binary("add", normal, perChannel(node, node.input(2), rank)));
}

static LogicalResult importLayerNorm(NodeImporter &node) {
  Value x = node.input(0);
  int64_t rank = node.shapeOf(x).size();
  auto axis = node.axis(node.integer("axis", -1), rank);
  if (failed(axis))
    return failure();
  auto axes = llvm::to_vector(llvm::seq<int64_t>(*axis, rank));
  double epsilon = node.number("epsilon", 1e-5);
  Value normal = layerNorm(node, x, axes, epsilon);
  if (node.isUsed(1) || node.isUsed(2)) {
    // The mean, and what x without it is multiplied with.
    Value mean = node.reduce("reduce_mean", x, axes, /*keepsDims=*/true);
    Value centred = node.binary("sub", x, mean);
    Value variance =
        node.reduce("reduce_mean", node.binary("mul", centred, centred), axes,
                    /*keepsDims=*/true);
    Value factor =
        node.emit("rsqrt",
                  {{"x", variance},
                   {"epsilon", node.number(node.dataTypeOf(x), epsilon)}},
                  node.dataTypeOf(x), node.shapeOf(variance));
    if (failed(node.set(mean, 1)) || failed(node.set(factor, 2)))
      return failure();
  }
  if (node.has(1))
    normal = node.binary("mul", normal, node.input(1));
  if (node.has(2))
    normal = node.binary("add", normal, node.input(2));
  return node.set(normal);
}

static Value rmsNorm(NodeImporter &node, Value x, ArrayRef<int64_t> axes,
                     double epsilon) {
  Value mean = node.reduce("reduce_mean", node.binary("mul", x, x), axes,
                           /*keepsDims=*/true);
  Value root = node.emit(
      "rsqrt",
      {{"x", mean}, {"epsilon", node.number(node.dataTypeOf(x), epsilon)}},
      node.dataTypeOf(x), node.shapeOf(mean));
  return node.binary("mul", x, root);
}

static LogicalResult importRmsNorm(NodeImporter &node) {
  Value x = node.input(0);
  int64_t rank = node.shapeOf(x).size();
  auto axis = node.axis(node.integer("axis", -1), rank);
  if (failed(axis))
    return failure();
  Value normal =
      rmsNorm(node, x, llvm::to_vector(llvm::seq<int64_t>(*axis, rank)),
              node.number("epsilon", 1e-5));
  return node.set(node.has(1) ? node.binary("mul", normal, node.input(1))
                              : normal);
}

/// x + skip (+ bias), and a norm of that; the sum is a result as well.
static ImportFn skipNorm(bool isCentred) {
  return [isCentred](NodeImporter &node) -> LogicalResult {
    Value sum = node.binary("add", node.input(0), node.input(1));
    unsigned bias = isCentred ? 4 : 3;
    if (node.has(bias))
      sum = node.binary("add", sum, node.input(bias));
    SmallVector<int64_t> axes = {int64_t(node.shapeOf(sum).size()) - 1};
    double epsilon = node.number("epsilon", 1e-12);
    Value normal = isCentred ? layerNorm(node, sum, axes, epsilon)
                             : rmsNorm(node, sum, axes, epsilon);
    normal = node.binary("mul", normal, node.input(2));
    if (isCentred && node.has(3))
      normal = node.binary("add", normal, node.input(3));
    if (failed(node.set(normal, 0)))
      return failure();
    return node.set(sum, 3);
  };
}

static LogicalResult importGroupNorm(NodeImporter &node) {
  Value x = node.input(0);
  SmallVector<int64_t> shape = node.shapeOf(x);
  int64_t groups = node.integer("num_groups", 1);
  if (shape.size() < 3 || groups < 1 || shape[1] % groups)
    return node.error() << "has " << groups << " groups, which do not divide "
                        << "the channels";
  SmallVector<int64_t> split = {shape[0], groups, shape[1] / groups};
  split.append(shape.begin() + 2, shape.end());
  Value grouped = node.reshape(x, split);
  Value normal = layerNorm(node, grouped,
                           llvm::to_vector(llvm::seq<int64_t>(2, split.size())),
                           node.number("epsilon", 1e-5));
  // One factor for each group in sets 18 to 20, for each channel from 21 on.
  bool isOfGroups = node.tensor(1).count() == groups && groups != shape[1];
  int64_t rank = isOfGroups ? split.size() : shape.size();
  if (!isOfGroups)
    normal = node.reshape(normal, shape);
  normal = node.binary("mul", normal, perChannel(node, node.input(1), rank));
  normal = node.binary("add", normal, perChannel(node, node.input(2), rank));
  return node.set(node.reshape(normal, shape));
}

// A window of even size has one channel more after its own than before, and for
// MIL before: there the channels are in reverse order.
static LogicalResult importLRN(NodeImporter &node) {
  Value x = node.input(0);
  DataType type = node.dataTypeOf(x);
  int64_t size = node.integer("size", 1);
  SmallVector<int64_t> channels = {1};
  auto ordered = [&](Value value) {
    return size % 2
               ? value
               : node.emit("reverse",
                           {{"x", value}, {"axes", node.integers(channels)}},
                           type, node.shapeOf(value));
  };
  return node.set(ordered(
      node.emit("local_response_norm",
                {{"x", ordered(x)},
                 {"size", node.integer(size)},
                 {"alpha", node.number(type, node.number("alpha", 1e-4))},
                 {"beta", node.number(type, node.number("beta", 0.75))},
                 {"k", node.number(type, node.number("bias", 1))}},
                type, node.shapeOf(x))));
}

static LogicalResult importLpNorm(NodeImporter &node) {
  Value x = node.input(0);
  auto axis = node.axis(node.integer("axis", -1), node.shapeOf(x).size());
  if (failed(axis))
    return failure();
  int64_t p = node.integer("p", 2);
  if (p != 1 && p != 2)
    return node.error() << "has p = " << p << ", but 1 and 2 can be";
  Value norm =
      node.reduce(p == 1 ? "reduce_l1_norm" : "reduce_l2_norm", x, *axis,
                  /*keepsDims=*/true);
  // Zeros stay zeros.
  constexpr double least = 1e-12;
  return node.set(
      node.binary("real_div", x, node.binary("maximum", norm, least)));
}

static LogicalResult importMeanVarianceNorm(NodeImporter &node) {
  Value x = node.input(0);
  SmallVector<int64_t> given = node.integers("axes");
  if (given.empty())
    given = {0, 2, 3};
  auto axes = node.axes(given, node.shapeOf(x).size());
  if (failed(axes))
    return failure();
  return node.set(layerNorm(node, x, *axes, 1e-9));
}

// Up to set 12 over everything from the axis on, which is 1 by default.
static ImportFn softmax(bool isLogarithm) {
  return [isLogarithm](NodeImporter &node) -> LogicalResult {
    Value x = node.input(0);
    SmallVector<int64_t> shape = node.shapeOf(x), flat = shape;
    bool isOld = node.opset < 13;
    auto axis = node.axis(node.integer("axis", isOld ? 1 : -1),
                          std::max<int64_t>(shape.size(), 1));
    if (failed(axis))
      return failure();
    if (isOld && *axis != int64_t(shape.size()) - 1) {
      int64_t outer = 1, inner = 1;
      for (auto [dim, size] : llvm::enumerate(shape))
        (int64_t(dim) < *axis ? outer : inner) *= size;
      flat = {outer, inner};
      x = node.reshape(x, flat);
      axis = 1;
    }
    Value result;
    if (isLogarithm) {
      // x - log(sum(e^x))
      Value sum = node.reduce("reduce_log_sum_exp", x, *axis,
                              /*keepsDims=*/true);
      result = node.binary("sub", x, sum);
    } else {
      result = node.softmax(x, *axis);
    }
    return node.set(node.reshape(result, shape));
  };
}

void onnx::addLayerImport(ImportTable &table) {
  for (auto [onnx, mil] :
       std::initializer_list<std::pair<StringRef, StringRef>>{
           {"ReduceL1", "reduce_l1_norm"},
           {"ReduceL2", "reduce_l2_norm"},
           {"ReduceLogSum", "reduce_log_sum"},
           {"ReduceLogSumExp", "reduce_log_sum_exp"},
           {"ReduceMax", "reduce_max"},
           {"ReduceMean", "reduce_mean"},
           {"ReduceMin", "reduce_min"},
           {"ReduceProd", "reduce_prod"},
           {"ReduceSum", "reduce_sum"},
           {"ReduceSumSquare", "reduce_sum_square"}})
    table[("." + onnx).str()] = reduction(mil);
  table[".ArgMax"] = search("reduce_argmax");
  table[".ArgMin"] = search("reduce_argmin");
  table[".AveragePool"] = pool("avg_pool");
  table[".MaxPool"] = {pool("max_pool"), 1, {"storage_order"}};
  table[".GlobalAveragePool"] = globalPool("reduce_mean");
  table[".GlobalMaxPool"] = globalPool("reduce_max");
  table[".BatchNormalization"] = {importBatchNorm, 5, {"momentum", "is_test"}};
  table[".Conv"] = {importConv, 2};
  table[".ConvTranspose"] = {importConvTranspose, 2};
  table[".Gemm"] = {importGemm, 2};
  table[".GroupNormalization"] = {importGroupNorm, 3, {"stash_type"}};
  table[".InstanceNormalization"] = {importInstanceNorm, 3};
  table[".Hardmax"] = importHardmax;
  table[".LRN"] = importLRN;
  table[".LayerNormalization"] = {importLayerNorm, 1, {"stash_type"}};
  table[".LpNormalization"] = importLpNorm;
  table[".MatMul"] = {importMatMul, 2};
  table[".MeanVarianceNormalization"] = importMeanVarianceNorm;
  for (StringRef type : {".RMSNormalization", ".SimplifiedLayerNormalization"})
    table[type] = {importRmsNorm, 1, {"stash_type"}};
  table[".LogSoftmax"] = softmax(/*isLogarithm=*/true);
  table[".Softmax"] = softmax(/*isLogarithm=*/false);
  table[".TopK"] = {importTopK, 1, {"sorted"}};
  table["com.microsoft.FusedMatMul"] = {importFusedMatMul, 2};
  table["com.microsoft.SkipLayerNormalization"] = {skipNorm(true), 3};
  table["com.microsoft.SkipSimplifiedLayerNormalization"] = {skipNorm(false),
                                                             3};
}
