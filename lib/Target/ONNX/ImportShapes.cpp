//===- ImportShapes.cpp - Operators that move elements --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known stays known: a shape that is sliced or reshaped has no
// statement.
//
//===----------------------------------------------------------------------===//

#include "ImportNode.h"

#include "llvm/ADT/StringSwitch.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::onnx;

// The same elements under another shape.
static LogicalResult setReshaped(NodeImporter &node, ArrayRef<int64_t> shape) {
  const Tensor &x = node.tensor(0);
  if (countOf(shape) != x.count()) {
    InFlightDiagnostic error = node.error() << "makes ";
    llvm::interleave(x.shape, error, "x");
    error << " to ";
    llvm::interleave(shape, error, "x");
    return error << ", which has another number of elements";
  }
  if (x.isConstant()) {
    Tensor result = x;
    result.value = {};
    result.shape.assign(shape.begin(), shape.end());
    return node.set(std::move(result));
  }
  return node.set(node.reshape(node.input(0), shape));
}

// Known elements in another order: `sourceOf` gives for each place of the
// result (an index for each dimension) one of x.
static LogicalResult
setMoved(NodeImporter &node, ArrayRef<int64_t> shape,
         llvm::function_ref<int64_t(ArrayRef<int64_t>)> sourceOf,
         unsigned output = 0) {
  const Tensor &x = node.tensor(0);
  std::vector<double> elements;
  SmallVector<int64_t> place(shape.size(), 0);
  for (int64_t i = 0, e = countOf(shape); i < e; ++i) {
    elements.push_back((*x.known)[sourceOf(place)]);
    for (size_t dim = shape.size(); dim-- > 0;) {
      if (++place[dim] < shape[dim])
        break;
      place[dim] = 0;
    }
  }
  return node.setKnown(x.type, shape, std::move(elements), output);
}

static SmallVector<int64_t> stridesOf(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

static LogicalResult importReshape(NodeImporter &node) {
  auto wanted = node.knownIntegers(1, "shape");
  if (failed(wanted))
    return failure();
  const Tensor &x = node.tensor(0);
  SmallVector<int64_t> shape;
  bool allowsZero = node.integer("allowzero", 0);
  int open = -1;
  for (auto [dim, size] : llvm::enumerate(*wanted)) {
    if (size == -1 && open >= 0)
      return node.error() << "has two open dimensions";
    if (size == -1)
      open = dim;
    if (size < -1)
      return node.error() << "has a dimension of " << size;
    bool isKept = size == 0 && !allowsZero;
    if (isKept && int64_t(dim) >= x.rank())
      return node.error() << "keeps dimension " << dim
                          << ", which its input does not have";
    shape.push_back(isKept ? x.shape[dim] : size);
  }
  if (open >= 0) {
    shape[open] = 1;
    int64_t rest = countOf(shape);
    shape[open] = rest ? x.count() / rest : 0;
  }
  return setReshaped(node, shape);
}

static LogicalResult importFlatten(NodeImporter &node) {
  ArrayRef<int64_t> shape = node.tensor(0).shape;
  int64_t rank = shape.size(), axis = node.integer("axis", 1);
  axis += axis < 0 ? rank : 0;
  if (axis < 0 || axis > rank)
    return node.error() << "axis " << axis << " is out of range";
  return setReshaped(
      node, {countOf(shape.take_front(axis)), countOf(shape.drop_front(axis))});
}

static LogicalResult importSqueeze(NodeImporter &node) {
  ArrayRef<int64_t> shape = node.tensor(0).shape;
  auto given = node.attributeOrInput("axes", 1);
  if (failed(given))
    return failure();
  SmallVector<int64_t> result;
  SmallVector<int64_t> gone;
  if (*given) {
    auto axes = node.axes(**given, shape.size());
    if (failed(axes))
      return failure();
    gone = *axes;
  }
  for (auto [dim, size] : llvm::enumerate(shape)) {
    bool isGone = *given ? llvm::is_contained(gone, int64_t(dim)) : size == 1;
    if (isGone && size != 1)
      return node.error() << "takes dimension " << dim << " of " << size
                          << " elements away";
    if (!isGone)
      result.push_back(size);
  }
  return setReshaped(node, result);
}

static LogicalResult importUnsqueeze(NodeImporter &node) {
  ArrayRef<int64_t> shape = node.tensor(0).shape;
  auto given = node.attributeOrInput("axes", 1);
  if (failed(given))
    return failure();
  if (!*given)
    return node.error() << "has no axes";
  int64_t rank = shape.size() + (*given)->size();
  auto axes = node.axes(**given, rank);
  if (failed(axes))
    return failure();
  SmallVector<int64_t> result;
  for (int64_t dim = 0; dim < rank; ++dim) {
    bool isNew = llvm::is_contained(*axes, dim);
    result.push_back(isNew ? 1 : shape.front());
    if (!isNew)
      shape = shape.drop_front();
  }
  return setReshaped(node, result);
}

static LogicalResult importTranspose(NodeImporter &node) {
  ArrayRef<int64_t> shape = node.tensor(0).shape;
  SmallVector<int64_t> perm = node.integers("perm");
  if (perm.empty())
    perm = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, shape.size())));
  auto axes = node.axes(perm, shape.size());
  if (failed(axes))
    return failure();
  if (axes->size() != shape.size())
    return node.error() << "has a permutation of " << perm.size()
                        << " dimensions for " << shape.size();
  if (!node.tensor(0).known || !node.graph.hasRoom(node.tensor(0).count()))
    return node.set(node.transpose(node.input(0), *axes));
  SmallVector<int64_t> result, strides = stridesOf(shape);
  for (int64_t axis : *axes)
    result.push_back(shape[axis]);
  return setMoved(node, result, [&](ArrayRef<int64_t> place) {
    int64_t source = 0;
    for (auto [axis, index] : llvm::zip(*axes, place))
      source += index * strides[axis];
    return source;
  });
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static LogicalResult importConcat(NodeImporter &node) {
  SmallVector<int64_t> shape(node.tensor(0).shape);
  auto axis = node.axis(node.integer("axis", 1), shape.size());
  if (failed(axis))
    return failure();
  SmallVector<Value> values;
  for (unsigned i = 0; i < node.inputCount(); ++i) {
    if (!node.has(i))
      return node.error() << "has no input " << i;
    const Tensor &part = node.tensor(i);
    SmallVector<int64_t> other(part.shape);
    if (other.size() == shape.size())
      other[*axis] = shape[*axis];
    if (other != shape)
      return node.error() << "input " << i
                          << " has other dimensions than the first one";
    // Exporters leave tensors without elements for an empty cache.
    if (part.count() == 0)
      continue;
    values.push_back(node.input(i));
  }
  if (values.empty())
    return node.error() << "has no elements";
  return node.set(node.concat(values, *axis));
}

static LogicalResult importSplit(NodeImporter &node) {
  SmallVector<int64_t> shape(node.tensor(0).shape);
  auto axis = node.axis(node.integer("axis", 0), shape.size());
  if (failed(axis))
    return failure();
  auto given = node.attributeOrInput("split", 1);
  if (failed(given))
    return failure();
  int64_t size = shape[*axis], parts = node.node.outputs.size();
  SmallVector<int64_t> sizes;
  if (*given) {
    sizes = **given;
  } else {
    parts = std::max<int64_t>(node.integer("num_outputs", parts), 1);
    if (parts > maxKnownElements)
      return node.error() << "has " << parts << " parts, but at most "
                          << maxKnownElements << " can be imported";
    int64_t each = llvm::divideCeil(size, parts);
    for (int64_t i = 0; i < parts; ++i)
      sizes.push_back(std::min(each, size - i * each));
  }
  int64_t rest = size;
  for (int64_t part : sizes)
    rest = part < 1 || part > rest ? -1 : rest - part;
  if (rest != 0 || sizes.size() < node.node.outputs.size())
    return node.error() << "has parts that do not make up the " << size
                        << " elements of axis " << *axis;
  SmallVector<int64_t> begin(shape.size(), 0);
  const Tensor &all = node.tensor(0);
  SmallVector<int64_t> strides = stridesOf(all.shape);
  bool staysKnown = all.known && node.graph.hasRoom(all.count());
  Value x = staysKnown ? Value() : node.input(0);
  for (auto [index, part] : llvm::enumerate(sizes)) {
    shape[*axis] = part;
    int64_t offset = begin[*axis] * strides[*axis];
    auto sourceOf = [&](ArrayRef<int64_t> place) {
      return std::inner_product(place.begin(), place.end(), strides.begin(),
                                offset);
    };
    if (node.isUsed(index) &&
        failed(staysKnown ? setMoved(node, shape, sourceOf, index)
                          : node.set(node.slice(x, begin, shape), index)))
      return failure();
    begin[*axis] += part;
  }
  return success();
}

static LogicalResult importSlice(NodeImporter &node) {
  const Tensor &x = node.tensor(0);
  SmallVector<int64_t> starts, ends, given, steps;
  if (node.hasAttribute("starts")) { // up to set 9
    starts = node.integers("starts");
    ends = node.integers("ends");
    given = node.integers("axes");
  } else {
    auto first = node.knownIntegers(1, "starts");
    if (failed(first))
      return failure();
    auto last = node.knownIntegers(2, "ends");
    if (failed(last))
      return failure();
    starts = *first;
    ends = *last;
    for (unsigned index : {3u, 4u})
      if (node.has(index)) {
        auto known = node.knownIntegers(index, index == 3 ? "axes" : "steps");
        if (failed(known))
          return failure();
        (index == 3 ? given : steps) = *known;
      }
  }
  if (given.empty())
    given = llvm::to_vector(llvm::seq<int64_t>(0, starts.size()));
  if (steps.empty())
    steps.assign(starts.size(), 1);
  auto axes = node.axes(given, x.rank());
  if (failed(axes))
    return failure();
  if (ends.size() != starts.size() || axes->size() != starts.size() ||
      steps.size() != starts.size())
    return node.error() << "has other numbers of starts, ends, axes and steps";
  SmallVector<int64_t> begin(x.rank(), 0), shape(x.shape), stride(x.rank(), 1);
  SmallVector<int64_t> reversed;
  for (auto [axis, start, end, step] : llvm::zip(*axes, starts, ends, steps)) {
    int64_t size = x.shape[axis];
    if (step == 0)
      return node.error() << "has a step of 0";
    auto bound = [&](int64_t at, int64_t low, int64_t high) {
      return std::clamp(at < 0 ? at + size : at, low, high);
    };
    int64_t first = bound(start, step < 0 ? -1 : 0, step < 0 ? size - 1 : size);
    int64_t last = bound(end, step < 0 ? -1 : 0, step < 0 ? size - 1 : size);
    // -1 counted from the end is the last element, and in front of the first
    // one only what is smaller.
    if (step < 0 && end < -size)
      last = -1;
    int64_t count =
        step > 0 ? llvm::divideCeil(std::max<int64_t>(last - first, 0), step)
                 : llvm::divideCeil(std::max<int64_t>(first - last, 0), -step);
    shape[axis] = count;
    stride[axis] = std::abs(step);
    begin[axis] = step > 0 ? first : first + (count - 1) * step;
    if (step < 0)
      reversed.push_back(axis);
  }
  if (x.known && node.graph.hasRoom(countOf(shape))) {
    SmallVector<int64_t> strides = stridesOf(x.shape);
    return setMoved(node, shape, [&](ArrayRef<int64_t> place) {
      int64_t source = 0;
      for (size_t dim = 0; dim < place.size(); ++dim) {
        int64_t index = llvm::is_contained(reversed, int64_t(dim))
                            ? shape[dim] - 1 - place[dim]
                            : place[dim];
        source += (begin[dim] + index * stride[dim]) * strides[dim];
      }
      return source;
    });
  }
  if (countOf(shape) == 0)
    return node.setKnown(x.type, shape, {});
  Value value = node.input(0);
  bool isPlain = llvm::all_of(stride, [](int64_t step) { return step == 1; });
  if (isPlain) {
    value = node.slice(value, begin, shape);
  } else {
    SmallVector<int64_t> end;
    for (size_t dim = 0; dim < shape.size(); ++dim)
      end.push_back(begin[dim] + (shape[dim] - 1) * stride[dim] + 1);
    value = node.emit("slice_by_index",
                      {{"x", value},
                       {"begin", node.integers(begin)},
                       {"end", node.integers(end)},
                       {"stride", node.integers(stride)}},
                      node.dataTypeOf(value), shape);
  }
  if (!reversed.empty())
    value =
        node.emit("reverse", {{"x", value}, {"axes", node.integers(reversed)}},
                  node.dataTypeOf(value), shape);
  return node.set(value);
}

static LogicalResult importGather(NodeImporter &node) {
  const Tensor &x = node.tensor(0), &indices = node.tensor(1);
  auto axis = node.axis(node.integer("axis", 0), x.rank());
  if (failed(axis))
    return failure();
  int64_t size = x.shape[*axis];
  SmallVector<int64_t> shape(x.shape.begin(), x.shape.begin() + *axis);
  llvm::append_range(shape, indices.shape);
  shape.append(x.shape.begin() + *axis + 1, x.shape.end());
  Value value = node.input(0), places;
  if (indices.known) {
    SmallVector<int64_t> known;
    for (double index : *indices.known) {
      if (index < -size || index >= size)
        return node.error()
               << "takes element " << int64_t(index) << " of " << size;
      known.push_back(index < 0 ? index + size : index);
    }
    bool isRun = !known.empty();
    for (size_t i = 1; i < known.size(); ++i)
      isRun &= known[i] == known[i - 1] + 1;
    if (isRun) { // a slice
      SmallVector<int64_t> begin(x.rank(), 0), sizes(x.shape);
      begin[*axis] = known.front();
      sizes[*axis] = known.size();
      return node.set(node.reshape(node.slice(value, begin, sizes), shape));
    }
    places = node.integers(known);
    if (indices.rank() != 1)
      places = node.reshape(places, indices.shape);
  } else {
    places = node.input(1);
  }
  return node.set(node.emit(
      "gather",
      {{"x", value}, {"indices", places}, {"axis", node.integer(*axis)}},
      node.dataTypeOf(value), shape));
}

// Elements for which a condition holds, which has to be known: their number is
// the size of the result.
static LogicalResult importCompress(NodeImporter &node) {
  auto condition = node.knownNumbers(1, "condition");
  if (failed(condition))
    return failure();
  Value x = node.input(0);
  SmallVector<int64_t> shape = node.shapeOf(x);
  int64_t axis = 0;
  if (node.hasAttribute("axis")) {
    auto given = node.axis(node.integer("axis", 0), shape.size());
    if (failed(given))
      return failure();
    axis = *given;
  } else {
    shape = {countOf(shape)};
    x = node.reshape(x, shape);
  }
  SmallVector<int64_t> places;
  for (auto [place, holds] : llvm::enumerate(*condition))
    if (holds && int64_t(place) < shape[axis])
      places.push_back(place);
  if (places.empty())
    return node.error() << "gives no elements";
  shape[axis] = places.size();
  return node.set(node.emit("gather",
                            {{"x", x},
                             {"indices", node.integers(places)},
                             {"axis", node.integer(axis)}},
                            node.dataTypeOf(x), shape));
}

static LogicalResult importGatherElements(NodeImporter &node) {
  auto axis = node.axis(node.integer("axis", 0), node.tensor(0).rank());
  if (failed(axis))
    return failure();
  Value x = node.input(0);
  return node.set(node.emit(
      "gather_along_axis",
      {{"x", x}, {"indices", node.input(1)}, {"axis", node.integer(*axis)}},
      node.dataTypeOf(x), node.tensor(1).shape));
}

static LogicalResult importGatherND(NodeImporter &node) {
  const Tensor &x = node.tensor(0), &indices = node.tensor(1);
  int64_t batch = node.integer("batch_dims", 0);
  if (batch < 0 || batch >= indices.rank())
    return node.error() << "has " << batch << " dimensions of batches";
  if (indices.rank() == 0 || indices.shape.back() + batch > x.rank())
    return node.error() << "has more indices than dimensions";
  SmallVector<int64_t> shape(indices.shape.begin(), indices.shape.end() - 1);
  shape.append(x.shape.begin() + batch + indices.shape.back(), x.shape.end());
  Value value = node.input(0);
  return node.set(node.emit("gather_nd",
                            {{"x", value},
                             {"indices", node.input(1)},
                             {"batch_dims", node.integer(batch)}},
                            node.dataTypeOf(value), shape));
}

/// "update", or what is done with what is there; empty for what MIL has not.
static StringRef scatterMode(NodeImporter &node) {
  return llvm::StringSwitch<StringRef>(node.string("reduction", "none"))
      .Case("none", "update")
      .Case("add", "add")
      .Case("mul", "mul")
      .Case("max", "max")
      .Case("min", "min")
      .Default("");
}

static LogicalResult importScatterND(NodeImporter &node) {
  Value data = node.input(0);
  StringRef mode = scatterMode(node);
  if (mode.empty())
    return node.error() << "has a reduction that is unknown";
  return node.set(node.emit("scatter_nd",
                            {{"data", data},
                             {"indices", node.input(1)},
                             {"updates", node.input(2)},
                             {"mode", node.string(mode)}},
                            node.dataTypeOf(data), node.shapeOf(data)));
}

static LogicalResult importScatterElements(NodeImporter &node) {
  Value data = node.input(0);
  auto axis = node.axis(node.integer("axis", 0), node.shapeOf(data).size());
  if (failed(axis))
    return failure();
  StringRef mode = scatterMode(node);
  if (mode.empty())
    return node.error() << "has a reduction that is unknown";
  return node.set(node.emit("scatter_along_axis",
                            {{"data", data},
                             {"indices", node.input(1)},
                             {"updates", node.input(2)},
                             {"axis", node.integer(*axis)},
                             {"mode", node.string(mode)}},
                            node.dataTypeOf(data), node.shapeOf(data)));
}

//===----------------------------------------------------------------------===//
// More elements
//===----------------------------------------------------------------------===//

// A size that a tensor can have.
static LogicalResult checkCount(NodeImporter &node, ArrayRef<int64_t> shape) {
  for (int64_t size : shape)
    if (size < 0)
      return node.error() << "gives a tensor with a dimension of " << size;
  if (countOf(shape) > mil::maxElements)
    return node.error() << "gives a tensor of more than 2^40 elements";
  return success();
}

static LogicalResult importTile(NodeImporter &node) {
  auto repeats = node.knownIntegers(1, "repeats");
  if (failed(repeats))
    return failure();
  SmallVector<int64_t> shape(node.tensor(0).shape);
  if (repeats->size() != shape.size() ||
      llvm::any_of(*repeats, [](int64_t count) { return count < 1; }))
    return node.error() << "has " << repeats->size()
                        << " repeats, each of which has to be 1 or more, for "
                        << shape.size() << " dimensions";
  for (auto [size, count] : llvm::zip(shape, *repeats))
    if (llvm::MulOverflow(size, count, size))
      return node.error() << "gives a tensor of more than 2^63 elements";
  if (failed(checkCount(node, shape)))
    return failure();
  return node.set(node.tile(node.input(0), *repeats));
}

static LogicalResult importExpand(NodeImporter &node) {
  auto wanted = node.knownIntegers(1, "shape");
  if (failed(wanted))
    return failure();
  auto shape = broadcastShapes(node.tensor(0).shape, *wanted);
  if (!shape)
    return node.error() << "its input cannot be broadcast to the shape";
  if (failed(checkCount(node, *shape)))
    return failure();
  SmallVector<int64_t> before(node.tensor(0).shape), repeats;
  before.insert(before.begin(), shape->size() - before.size(), 1);
  for (auto [size, result] : llvm::zip(before, *shape))
    repeats.push_back(result / std::max<int64_t>(size, 1));
  return node.set(node.tile(node.reshape(node.input(0), before), repeats));
}

static LogicalResult importPad(NodeImporter &node) {
  const Tensor &x = node.tensor(0);
  SmallVector<int64_t> pads;
  double value = node.number("value", 0);
  if (node.hasAttribute("pads")) { // up to set 10
    pads = node.integers("pads");
  } else {
    auto known = node.knownIntegers(1, "pads");
    if (failed(known))
      return failure();
    pads = *known;
    if (node.has(2)) {
      auto constant = node.knownNumbers(2, "constant_value");
      if (failed(constant))
        return failure();
      value = constant->empty() ? 0 : constant->front();
    }
  }
  SmallVector<int64_t> low(x.rank(), 0), high(x.rank(), 0);
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, x.rank()));
  if (node.has(3)) {
    auto known = node.knownIntegers(3, "axes");
    if (failed(known))
      return failure();
    auto positive = node.axes(*known, x.rank());
    if (failed(positive))
      return failure();
    axes = *positive;
  }
  if (pads.size() != 2 * axes.size())
    return node.error() << "has " << pads.size() << " pads for " << axes.size()
                        << " dimensions";
  SmallVector<int64_t> begin(x.rank(), 0), inner(x.shape), shape(x.shape);
  for (auto [i, axis] : llvm::enumerate(axes)) {
    low[axis] = pads[i];
    high[axis] = pads[axes.size() + i];
    // Negative ones take elements away.
    int64_t cutLow = std::max<int64_t>(-low[axis], 0),
            cutHigh = std::max<int64_t>(-high[axis], 0);
    begin[axis] = cutLow;
    inner[axis] -= cutLow + cutHigh;
    low[axis] += cutLow;
    high[axis] += cutHigh;
    shape[axis] = inner[axis] + low[axis] + high[axis];
    if (inner[axis] < 1)
      return node.error() << "leaves no elements of dimension " << axis;
  }
  if (failed(checkCount(node, shape)))
    return failure();
  Value result = node.slice(node.input(0), begin, inner);
  StringRef mode = node.string("mode", "constant");
  if (mode == "wrap")
    return node.error() << "pads with the other end (wrap), which cannot be "
                           "imported";
  return node.set(
      node.pad(result, low, high, mode == "edge" ? "replicate" : mode, value));
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

static LogicalResult importConstant(NodeImporter &node) {
  if (const AttributeMessage *value = node.find("value", AttributeType::Tensor);
      value && value->tensor) {
    if (node.node.outputs.empty())
      return success();
    return node.graph.defineConstant(node.node.outputs.front(), *value->tensor);
  }
  if (node.hasAttribute("value_float"))
    return node.setKnown(DataType::Float, {}, {node.number("value_float", 0)});
  if (node.hasAttribute("value_int"))
    return node.setKnown(DataType::Int64, {},
                         {double(node.integer("value_int", 0))});
  if (const AttributeMessage *value =
          node.find("value_floats", AttributeType::Floats))
    return node.setKnown(DataType::Float, {int64_t(value->floats.size())},
                         {value->floats.begin(), value->floats.end()});
  if (const AttributeMessage *value =
          node.find("value_ints", AttributeType::Ints))
    return node.setKnown(DataType::Int64, {int64_t(value->ints.size())},
                         {value->ints.begin(), value->ints.end()});
  return node.error() << "has no value of numbers";
}

// Of more elements than are computed with.
static LogicalResult importConstantOfShape(NodeImporter &node) {
  auto shape = node.knownIntegers(0, "shape");
  if (failed(shape) || failed(checkCount(node, *shape)))
    return failure();
  double value = 0;
  DataType type = DataType::Float;
  if (const AttributeMessage *attribute =
          node.find("value", AttributeType::Tensor);
      attribute && attribute->tensor) {
    auto elements = node.graph.elementsOfConstant(*attribute->tensor);
    if (failed(elements))
      return failure();
    if (elements->size() != 1)
      return node.error() << "has a value of " << elements->size()
                          << " elements";
    value = elements->front();
    type = attribute->tensor->type;
  }
  return node.set(node.emit(
      "fill",
      {{"shape", node.integers(*shape)}, {"value", node.number(type, value)}},
      type, *shape));
}

// One that was not computed.
static LogicalResult importRange(NodeImporter &node) {
  return node.error() << "has bounds that are data, no step, or gives more "
                         "than "
                      << maxKnownElements << " numbers";
}

static LogicalResult importIdentity(NodeImporter &node) {
  return node.forward(0);
}

static LogicalResult importDropout(NodeImporter &node) {
  auto isZero = [&](unsigned input) {
    const Tensor &number = node.tensor(input);
    return number.known && !number.known->empty() && !number.known->front();
  };
  if (node.opset < 7 && !node.integer("is_test", 0))
    return node.error() << "is in training mode; export the model for "
                           "inference (model.eval())";
  // Exporters say training where nothing is left out.
  bool isInference = !node.has(2) || isZero(2) || (node.has(1) && isZero(1));
  if (!isInference)
    return node.error() << "may be in training mode; export the model for "
                           "inference (model.eval())";
  // Its mask is of all elements.
  if (node.isUsed(1)) {
    const Tensor &x = node.tensor(0);
    if (x.count() > maxKnownElements)
      return node.error() << "gives a mask of more than " << maxKnownElements
                          << " elements";
    if (failed(node.setKnown(node.opset < 10 ? x.type : DataType::Bool, x.shape,
                             std::vector<double>(x.count(), 1), 1)))
      return failure();
  }
  return node.forward(0);
}

static LogicalResult importCumSum(NodeImporter &node) {
  auto known = node.knownIntegers(1, "axis");
  if (failed(known))
    return failure();
  if (known->size() != 1)
    return node.error() << "has " << known->size() << " axes";
  Value x = node.input(0);
  auto axis = node.axis(known->front(), node.shapeOf(x).size());
  if (failed(axis))
    return failure();
  return node.set(
      node.emit("cumsum",
                {{"x", x},
                 {"axis", node.integer(*axis)},
                 {"exclusive", node.boolean(node.integer("exclusive", 0))},
                 {"reverse", node.boolean(node.integer("reverse", 0))}},
                node.dataTypeOf(x), node.shapeOf(x)));
}

// x above a diagonal, or below it, and 0 elsewhere.
static LogicalResult importTrilu(NodeImporter &node) {
  int64_t k = 0;
  if (node.has(1)) {
    auto known = node.knownIntegers(1, "k");
    if (failed(known))
      return failure();
    k = known->empty() ? 0 : known->front();
  }
  bool isUpper = node.integer("upper", 1);
  const Tensor &tensor = node.tensor(0);
  int64_t rank = tensor.rank();
  if (rank < 2)
    return node.error() << "needs a matrix, but has an input of rank " << rank;
  int64_t rows = tensor.shape[rank - 2], columns = tensor.shape[rank - 1];
  auto isKept = [&](int64_t index) {
    int64_t row = index / columns % rows, column = index % columns;
    return isUpper ? column - row >= k : column - row <= k;
  };
  if (tensor.known && node.graph.hasRoom(tensor.count())) {
    std::vector<double> elements(*tensor.known);
    for (auto [index, element] : llvm::enumerate(elements))
      if (!isKept(index))
        element = 0;
    return node.setKnown(tensor.type, tensor.shape, std::move(elements));
  }
  Value x = node.input(0);
  DataType type = node.dataTypeOf(x);
  // What is not kept may be infinite, and is chosen away rather than taken away.
  bool hasBoth = isUpper ? k > 0 : k < 0;
  if (hasBoth) {
    Tensor mask;
    mask.type = DataType::Bool;
    mask.shape.assign(rank, 1);
    mask.shape[rank - 2] = rows;
    mask.shape[rank - 1] = columns;
    std::vector<double> kept(rows * columns);
    for (size_t index = 0; index < kept.size(); ++index)
      kept[index] = isKept(index);
    mask.known = std::make_shared<const std::vector<double>>(std::move(kept));
    return node.set(node.emit(
        "select",
        {{"a", x}, {"b", node.number(type, 0)}, {"cond", node.valueOf(mask)}},
        type, tensor.shape));
  }
  return node.set(node.emit("band_part",
                            {{"x", x},
                             {"lower", node.integer(isUpper ? -k : -1)},
                             {"upper", node.integer(isUpper ? -1 : k)}},
                            type, tensor.shape));
}

static LogicalResult importEyeLike(NodeImporter &node) {
  const Tensor &x = node.tensor(0);
  auto type = static_cast<DataType>(node.integer("dtype", int64_t(x.type)));
  if (x.rank() != 2 || x.count() > maxKnownElements)
    return node.error() << "needs a matrix of at most " << maxKnownElements
                        << " elements";
  std::vector<double> elements(x.count(), 0);
  int64_t first = node.integer("k", 0);
  for (int64_t row = 0; row < x.shape[0]; ++row)
    if (int64_t column = row + first; column >= 0 && column < x.shape[1])
      elements[row * x.shape[1] + column] = 1;
  return node.setKnown(type, x.shape, std::move(elements));
}

// The windows of Fourier transforms: a sum of cosines.
static ImportFn window(ArrayRef<double> factors) {
  return [factors = SmallVector<double>(factors)](
             NodeImporter &node) -> LogicalResult {
    auto known = node.knownIntegers(0, "size");
    if (failed(known))
      return failure();
    if (known->size() != 1 || known->front() < 1 ||
        known->front() > maxKnownElements)
      return node.error() << "has no size from 1 to " << maxKnownElements;
    int64_t size = known->front();
    bool isPeriodic = node.integer("periodic", 1);
    int64_t period = isPeriodic ? size : std::max<int64_t>(size - 1, 1);
    std::vector<double> elements(size, 0);
    for (int64_t i = 0; i < size; ++i)
      for (auto [k, factor] : llvm::enumerate(factors))
        elements[i] += (k % 2 ? -1 : 1) * factor *
                       std::cos(2 * M_PI * double(k) * i / period);
    return node.setKnown(
        static_cast<DataType>(node.integer("output_datatype", 1)), {size},
        std::move(elements));
  };
}

// Indices below 0 count from the end.
static Value fromFront(NodeImporter &node, int64_t size) {
  Value places = node.cast(node.input(0), DataType::Int32);
  if (node.tensor(0).known &&
      llvm::all_of(*node.tensor(0).known, [](double at) { return at >= 0; }))
    return places;
  Value isNegative = node.emit("less", {{"x", places}, {"y", node.integer(0)}},
                               DataType::Bool, node.shapeOf(places));
  return node.emit("select",
                   {{"a", node.binary("add", places, node.integer(size))},
                    {"b", places},
                    {"cond", isNegative}},
                   DataType::Int32, node.shapeOf(places));
}

static LogicalResult importOneHot(NodeImporter &node) {
  auto depth = node.knownIntegers(1, "depth");
  if (failed(depth))
    return failure();
  auto values = node.knownNumbers(2, "values");
  if (failed(values))
    return failure();
  if (depth->size() != 1 || values->size() != 2 || depth->front() < 1)
    return node.error() << "needs one depth and two values";
  SmallVector<int64_t> shape(node.tensor(0).shape);
  auto axis = node.axis(node.integer("axis", -1), shape.size() + 1);
  if (failed(axis))
    return failure();
  shape.insert(shape.begin() + *axis, depth->front());
  if (failed(checkCount(node, shape)))
    return failure();
  DataType type = node.tensor(2).type;
  return node.set(
      node.emit("one_hot",
                {{"indices", fromFront(node, depth->front())},
                 {"one_hot_vector_size", node.integer(depth->front())},
                 {"axis", node.integer(*axis)},
                 {"on_value", node.number(type, (*values)[1])},
                 {"off_value", node.number(type, (*values)[0])}},
                type, shape));
}

// Sums over letters that the result does not have, and the others in order.
static LogicalResult einsumOfOne(NodeImporter &node, StringRef from,
                                 StringRef to) {
  Value x = node.input(0);
  SmallVector<int64_t> axes, perm, shape = node.shapeOf(x), kept;
  std::string rest;
  for (auto [dim, letter] : llvm::enumerate(from)) {
    if (from.count(letter) > 1)
      return node.error() << "takes a diagonal, which cannot be imported";
    if (to.contains(letter)) {
      rest += letter;
      kept.push_back(shape[dim]);
    } else {
      axes.push_back(dim);
    }
  }
  if (!axes.empty())
    x = node.emit("reduce_sum",
                  {{"x", x},
                   {"axes", node.integers(axes)},
                   {"keep_dims", node.boolean(false)}},
                  node.dataTypeOf(x), kept);
  for (char letter : to) {
    size_t at = rest.find(letter);
    if (at == std::string::npos)
      return node.error() << "has a letter in its result alone";
    perm.push_back(at);
  }
  if (perm.size() != rest.size())
    return node.error() << "names a dimension of its result twice";
  return node.set(perm.empty() ? x : node.transpose(x, perm));
}

static LogicalResult importEinsum(NodeImporter &node) {
  std::string equation;
  for (char c : node.string("equation", ""))
    if (c != ' ')
      equation += c;
  StringRef left, right, a, b;
  std::tie(left, right) = StringRef(equation).split("->");
  std::tie(a, b) = left.split(',');
  if (node.inputCount() == 1 && equation.find("->") != std::string::npos &&
      int64_t(left.size()) == node.tensor(0).rank() && !left.contains('.'))
    return einsumOfOne(node, left, right);
  bool isPair = node.inputCount() == 2 && node.has(1) &&
                equation.find("->") != std::string::npos &&
                !left.contains('.') && !b.contains(',') &&
                int64_t(a.size()) == node.tensor(0).rank() &&
                int64_t(b.size()) == node.tensor(1).rank();
  if (!isPair)
    return node.error() << "has the equation '" << equation
                        << "', but products of two tensors with all letters "
                           "can be imported";
  // Letters: of both and the result, of both alone, of one and the result.
  std::string batch, inner, rows, columns;
  llvm::SmallDenseMap<char, int64_t> sizes;
  for (unsigned side : {0u, 1u})
    for (auto [dim, letter] : llvm::enumerate(side == 0 ? a : b)) {
      if ((side == 0 ? a : b).count(letter) > 1)
        return node.error() << "takes a diagonal, which cannot be imported";
      int64_t size = node.tensor(side).shape[dim];
      auto [found, isNew] = sizes.try_emplace(letter, size);
      if (!isNew && found->second != size)
        return node.error()
               << "has two sizes for '" << StringRef(&letter, 1) << "'";
      bool inOther = (side == 0 ? b : a).contains(letter);
      bool inResult = right.contains(letter);
      if (!inOther && !inResult)
        return node.error() << "sums one tensor over '" << StringRef(&letter, 1)
                            << "', which cannot be imported";
      if (side == 0)
        (inOther ? inResult ? batch : inner : rows) += letter;
      else if (!inOther)
        columns += letter;
    }
  auto arranged = [&](unsigned side, StringRef order,
                      ArrayRef<StringRef> groups) {
    SmallVector<int64_t> perm, shape;
    for (char letter : order)
      perm.push_back((side == 0 ? a : b).find(letter));
    for (StringRef group : groups) {
      int64_t size = 1;
      for (char letter : group)
        size *= sizes[letter];
      shape.push_back(size);
    }
    return node.reshape(node.transpose(node.input(side), perm), shape);
  };
  Value x = arranged(0, batch + rows + inner, {batch, rows, inner});
  Value y = arranged(1, batch + inner + columns, {batch, inner, columns});
  Value product = node.matmul(x, y);
  std::string order = batch + rows + columns;
  SmallVector<int64_t> split, perm;
  for (char letter : order)
    split.push_back(sizes[letter]);
  for (char letter : right) {
    size_t at = order.find(letter);
    if (at == std::string::npos)
      return node.error() << "has '" << StringRef(&letter, 1)
                          << "' in its result alone";
    perm.push_back(at);
  }
  if (perm.size() != order.size())
    return node.error() << "names a dimension of its result twice";
  return node.set(node.transpose(node.reshape(product, split), perm));
}

void onnx::addShapeImport(ImportTable &table) {
  table[".Compress"] = {importCompress, 2};
  table[".Concat"] = importConcat;
  table[".Constant"] = {importConstant, 0};
  table[".ConstantOfShape"] = importConstantOfShape;
  table[".BlackmanWindow"] = window({0.42, 0.5, 0.08});
  table[".EyeLike"] = importEyeLike;
  table[".HammingWindow"] = window({25.0 / 46, 21.0 / 46});
  table[".HannWindow"] = window({0.5, 0.5});
  table[".CumSum"] = {importCumSum, 2};
  table[".Dropout"] = {importDropout, 1, {"ratio", "seed", "is_test"}};
  table[".Einsum"] = importEinsum;
  table[".Expand"] = {importExpand, 2};
  table[".Flatten"] = importFlatten;
  table[".Gather"] = {importGather, 2};
  table[".GatherElements"] = {importGatherElements, 2};
  table[".GatherND"] = {importGatherND, 2};
  table[".Identity"] = importIdentity;
  table[".OneHot"] = {importOneHot, 3};
  table[".Pad"] = importPad;
  table[".Range"] = {importRange, 3};
  table[".Reshape"] = {importReshape, 2};
  table[".Scatter"] = {importScatterElements, 3};
  table[".ScatterElements"] = {importScatterElements, 3};
  table[".ScatterND"] = {importScatterND, 3};
  table[".Slice"] = importSlice;
  table[".Split"] = importSplit;
  table[".Squeeze"] = importSqueeze;
  table[".Tile"] = {importTile, 2};
  table[".Transpose"] = importTranspose;
  table[".Trilu"] = importTrilu;
  table[".Unsqueeze"] = importUnsqueeze;
}
