//===- FoldNode.cpp - Arithmetic on shapes --------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exporters compute shapes with the operators of the network: Shape, Gather,
// Concat, Mul ... These are carried out here, on numbers of f64, which hold
// every extent, with the rounding of the element type where that shows.
//
//===----------------------------------------------------------------------===//

#include "ImportNode.h"

#include "ane/HW/Float16.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::onnx;

namespace {

using Elements = std::vector<double>;

/// What the operator gives for the elements of its one or two inputs.
using Unary = double (*)(double);
using Binary = double (*)(double, double);

class Folder {
public:
  explicit Folder(const NodeImporter &node) : node(node) {}

  std::optional<Tensor> fold();

private:
  const Tensor &in(unsigned index) const { return node.tensor(index); }
  double at(unsigned index, size_t element) const {
    return (*in(index).known)[element];
  }
  std::optional<Tensor> make(DataType type, ArrayRef<int64_t> shape,
                             Elements elements) const;
  std::optional<Tensor> unary(Unary function) const;
  std::optional<Tensor> binary(Binary function,
                               std::optional<DataType> type = {}) const;
  std::optional<Tensor> select() const;
  std::optional<Tensor> shape() const;
  std::optional<Tensor> constantOfShape() const;
  std::optional<Tensor> range() const;
  std::optional<Tensor> cast() const;
  std::optional<Tensor> gather() const;
  std::optional<Tensor> concat() const;
  std::optional<Tensor> expand() const;
  std::optional<Tensor> scatterND() const;
  std::optional<Tensor> reduce(Binary function, double first) const;

  const NodeImporter &node;
};

} // namespace

// What a tensor of this type holds.
static double rounded(DataType type, double value) {
  if (isInteger(type))
    return wrapped(value, type);
  if (type == DataType::Float)
    return static_cast<float>(value);
  if (type == DataType::Float16)
    return ::ane::hw::fromHalfBits(
        ::ane::hw::toHalfBits(static_cast<float>(value)));
  return value;
}

std::optional<Tensor> Folder::make(DataType type, ArrayRef<int64_t> shape,
                                   Elements elements) const {
  Tensor result;
  result.type = type;
  result.shape.assign(shape.begin(), shape.end());
  if (result.count() != int64_t(elements.size()))
    return std::nullopt;
  for (double &element : elements)
    element = rounded(type, element);
  result.known = std::make_shared<const Elements>(std::move(elements));
  return result;
}

std::optional<Tensor> Folder::unary(Unary function) const {
  Elements elements(*in(0).known);
  for (double &element : elements)
    element = function(element);
  return make(in(0).type, in(0).shape, std::move(elements));
}

// Where in a tensor of `from` the element `index` of the broadcast one is.
static int64_t sourceOf(int64_t index, ArrayRef<int64_t> shape,
                        ArrayRef<int64_t> from) {
  int64_t source = 0, stride = 1;
  for (size_t i = 0; i < from.size(); ++i) {
    int64_t size = shape[shape.size() - 1 - i];
    int64_t own = from[from.size() - 1 - i];
    source += (own == 1 ? 0 : index % size) * stride;
    index /= size;
    stride *= own;
  }
  return source;
}

std::optional<Tensor> Folder::binary(Binary function,
                                     std::optional<DataType> type) const {
  auto shape = broadcastShapes(in(0).shape, in(1).shape);
  if (!shape || countOf(*shape) > maxKnownElements)
    return std::nullopt;
  Elements elements(countOf(*shape));
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = function(at(0, sourceOf(i, *shape, in(0).shape)),
                           at(1, sourceOf(i, *shape, in(1).shape)));
  return make(type.value_or(in(0).type), *shape, std::move(elements));
}

std::optional<Tensor> Folder::select() const {
  auto shape = broadcastShapes(in(0).shape, in(1).shape);
  if (shape)
    shape = broadcastShapes(*shape, in(2).shape);
  if (!shape || countOf(*shape) > maxKnownElements)
    return std::nullopt;
  Elements elements(countOf(*shape));
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = at(0, sourceOf(i, *shape, in(0).shape))
                      ? at(1, sourceOf(i, *shape, in(1).shape))
                      : at(2, sourceOf(i, *shape, in(2).shape));
  return make(in(1).type, *shape, std::move(elements));
}

std::optional<Tensor> Folder::shape() const {
  ArrayRef<int64_t> shape = in(0).shape;
  int64_t rank = shape.size();
  auto bound = [&](StringRef name, int64_t otherwise) {
    int64_t value = node.integer(name, otherwise);
    return std::clamp<int64_t>(value < 0 ? value + rank : value, 0, rank);
  };
  int64_t start = bound("start", 0), end = bound("end", rank);
  Elements elements;
  for (int64_t i = start; i < end; ++i)
    elements.push_back(shape[i]);
  int64_t count = elements.size();
  return make(DataType::Int64, {count}, std::move(elements));
}

std::optional<Tensor> Folder::constantOfShape() const {
  SmallVector<int64_t> shape;
  for (double size : *in(0).known) {
    if (!(size >= 0) || size > maxKnownElements)
      return std::nullopt;
    shape.push_back(size);
  }
  int64_t count = countOf(shape);
  if (count > maxKnownElements)
    return std::nullopt;
  double value = 0;
  DataType type = DataType::Float;
  if (const AttributeMessage *attribute =
          node.find("value", AttributeType::Tensor);
      attribute && attribute->tensor) {
    const TensorMessage &tensor = *attribute->tensor;
    type = tensor.type;
    FailureOr<std::vector<double>> elements =
        node.graph.elementsOfConstant(tensor);
    if (failed(elements) || elements->size() != 1)
      return std::nullopt;
    value = elements->front();
  }
  return make(type, shape, Elements(count, value));
}

std::optional<Tensor> Folder::range() const {
  for (unsigned i = 0; i < 3; ++i)
    if (in(i).count() != 1)
      return std::nullopt;
  double start = at(0, 0), limit = at(1, 0), delta = at(2, 0);
  if (delta == 0)
    return std::nullopt;
  double count = std::max(std::ceil((limit - start) / delta), 0.0);
  if (!(count <= maxKnownElements))
    return std::nullopt;
  Elements elements;
  for (int64_t i = 0; i < int64_t(count); ++i)
    elements.push_back(start + i * delta);
  return make(in(0).type, {int64_t(count)}, std::move(elements));
}

std::optional<Tensor> Folder::cast() const {
  auto type = static_cast<DataType>(node.integer("to", 0));
  if (!isFloat(type) && !isInteger(type) && type != DataType::Bool)
    return std::nullopt;
  Elements elements(*in(0).known);
  for (double &element : elements) {
    if (type == DataType::Bool)
      element = element != 0;
    else if (isInteger(type))
      element = std::trunc(element);
  }
  return make(type, in(0).shape, std::move(elements));
}

std::optional<Tensor> Folder::gather() const {
  ArrayRef<int64_t> shape = in(0).shape;
  int64_t axis = node.integer("axis", 0), rank = shape.size();
  axis += axis < 0 ? rank : 0;
  if (axis < 0 || axis >= rank)
    return std::nullopt;
  int64_t outer = countOf(shape.take_front(axis)),
          inner = countOf(shape.drop_front(axis + 1)), size = shape[axis];
  SmallVector<int64_t> result(shape.take_front(axis));
  llvm::append_range(result, in(1).shape);
  llvm::append_range(result, shape.drop_front(axis + 1));
  int64_t count = countOf(result);
  if (count > maxKnownElements)
    return std::nullopt;
  Elements elements;
  for (int64_t o = 0; o < (count ? outer : 0); ++o)
    for (double index : *in(1).known) {
      int64_t i = index < 0 ? index + size : index;
      if (i < 0 || i >= size)
        return std::nullopt;
      for (int64_t n = 0; n < inner; ++n)
        elements.push_back(at(0, (o * size + i) * inner + n));
    }
  return make(in(0).type, result, std::move(elements));
}

std::optional<Tensor> Folder::concat() const {
  SmallVector<int64_t> shape(in(0).shape);
  int64_t axis = node.integer("axis", 0), rank = shape.size();
  axis += axis < 0 ? rank : 0;
  if (axis < 0 || axis >= rank)
    return std::nullopt;
  for (unsigned i = 1; i < node.inputCount(); ++i) {
    SmallVector<int64_t> other(in(i).shape);
    if (in(i).rank() != rank)
      return std::nullopt;
    other[axis] = shape[axis];
    if (in(i).count() != 0 && other != shape)
      return std::nullopt;
    if (llvm::AddOverflow(shape[axis], in(i).shape[axis], shape[axis]))
      return std::nullopt;
  }
  int64_t outer = countOf(ArrayRef(shape).take_front(axis));
  int64_t count = countOf(shape);
  if (count > maxKnownElements)
    return std::nullopt;
  Elements elements;
  for (int64_t o = 0; o < (count ? outer : 0); ++o)
    for (unsigned i = 0; i < node.inputCount(); ++i) {
      int64_t part = in(i).count() / outer;
      for (int64_t n = 0; n < part; ++n)
        elements.push_back(at(i, o * part + n));
    }
  return make(in(0).type, shape, std::move(elements));
}

std::optional<Tensor> Folder::expand() const {
  SmallVector<int64_t> wanted;
  for (double size : *in(1).known) {
    if (!(size >= 0) || size > maxKnownElements)
      return std::nullopt;
    wanted.push_back(size);
  }
  auto shape = broadcastShapes(in(0).shape, wanted);
  if (!shape || countOf(*shape) > maxKnownElements)
    return std::nullopt;
  Elements elements(countOf(*shape));
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = at(0, sourceOf(i, *shape, in(0).shape));
  return make(in(0).type, *shape, std::move(elements));
}

// Slices of the first tensor, replaced: how exporters write x[a:b] = y.
std::optional<Tensor> Folder::scatterND() const {
  ArrayRef<int64_t> shape = in(0).shape, places = in(1).shape;
  if (places.empty() || places.back() < 1 ||
      places.back() > int64_t(shape.size()) ||
      node.string("reduction", "none") != "none")
    return std::nullopt;
  int64_t depth = places.back(), count = countOf(places.drop_back());
  int64_t inner = countOf(shape.drop_front(depth));
  if (in(2).count() != count * inner)
    return std::nullopt;
  Elements elements(*in(0).known);
  for (int64_t i = 0; i < count; ++i) {
    int64_t target = 0;
    for (int64_t dim = 0; dim < depth; ++dim) {
      int64_t index = at(1, i * depth + dim);
      index += index < 0 ? shape[dim] : 0;
      if (index < 0 || index >= shape[dim])
        return std::nullopt;
      target = target * shape[dim] + index;
    }
    for (int64_t n = 0; n < inner; ++n)
      elements[target * inner + n] = at(2, i * inner + n);
  }
  return make(in(0).type, shape, std::move(elements));
}

// Of all elements, as exporters count them.
std::optional<Tensor> Folder::reduce(Binary function, double first) const {
  bool isNone = node.integer("noop_with_empty_axes", 0);
  bool hasAxes = !node.integers("axes").empty() ||
                 (node.inputCount() > 1 && in(1).count() > 0);
  if (isNone && !hasAxes)
    return make(in(0).type, in(0).shape, *in(0).known);
  if (node.inputCount() > 1 || !node.integers("axes").empty()) {
    bool isAll = in(0).rank() == 1;
    if (!isAll)
      return std::nullopt;
  }
  double result = first;
  for (double element : *in(0).known)
    result = function(result, element);
  SmallVector<int64_t> shape;
  if (node.integer("keepdims", 1))
    shape.assign(in(0).rank(), 1);
  return make(in(0).type, shape, {result});
}

static double divide(double a, double b) { return a / b; }
// Of integers, towards 0.
static double quotient(double a, double b) {
  return b == 0 ? 0 : std::trunc(a / b);
}
static double modulo(double a, double b) {
  return b == 0 ? 0 : a - b * std::floor(a / b);
}

std::optional<Tensor> Folder::fold() {
  StringRef type = node.node.type;
  if (type == "Shape" && node.has(0))
    return shape();
  if (type == "Size" && node.has(0))
    return make(DataType::Int64, {}, {double(in(0).count())});
  if (node.inputCount() == 0)
    return std::nullopt;
  for (unsigned i = 0; i < node.inputCount(); ++i)
    if (!node.has(i) || !in(i).known)
      return std::nullopt;
  // Old ways to broadcast are the importers' business.
  if (node.opset < 7 && node.hasAttribute("axis") && node.inputCount() == 2)
    return std::nullopt;
  bool isWhole = !isFloat(in(0).type);
  static const llvm::StringMap<Unary> unaries = {
      {"Neg", [](double x) { return -x; }},
      {"Abs", [](double x) { return std::fabs(x); }},
      {"Floor", [](double x) { return std::floor(x); }},
      {"Ceil", [](double x) { return std::ceil(x); }},
      {"Round", [](double x) { return std::nearbyint(x); }},
      {"Sqrt", [](double x) { return std::sqrt(x); }},
      {"Exp", [](double x) { return std::exp(x); }},
      {"Log", [](double x) { return std::log(x); }},
      {"Sin", [](double x) { return std::sin(x); }},
      {"Cos", [](double x) { return std::cos(x); }},
      {"Reciprocal", [](double x) { return 1 / x; }},
      {"Not", [](double x) { return double(x == 0); }},
  };
  static const llvm::StringMap<Binary> binaries = {
      {"Add", [](double a, double b) { return a + b; }},
      {"Sub", [](double a, double b) { return a - b; }},
      {"Mul", [](double a, double b) { return a * b; }},
      {"Pow", [](double a, double b) { return std::pow(a, b); }},
      {"Min", [](double a, double b) { return std::min(a, b); }},
      {"Max", [](double a, double b) { return std::max(a, b); }},
  };
  static const llvm::StringMap<Binary> comparisons = {
      {"Equal", [](double a, double b) { return double(a == b); }},
      {"Less", [](double a, double b) { return double(a < b); }},
      {"LessOrEqual", [](double a, double b) { return double(a <= b); }},
      {"Greater", [](double a, double b) { return double(a > b); }},
      {"GreaterOrEqual", [](double a, double b) { return double(a >= b); }},
      {"And", [](double a, double b) { return double(a && b); }},
      {"Or", [](double a, double b) { return double(a || b); }},
      {"Xor", [](double a, double b) { return double(!a != !b); }},
  };
  unsigned inputs = node.inputCount();
  if (auto found = unaries.find(type); found != unaries.end() && inputs == 1)
    return unary(found->second);
  if (auto found = binaries.find(type); found != binaries.end() && inputs == 2)
    return binary(found->second);
  if (auto found = comparisons.find(type);
      found != comparisons.end() && inputs == 2)
    return binary(found->second, DataType::Bool);
  // The sign of the dividend, or of the divisor.
  if (type == "Mod" && inputs == 2)
    return binary(node.integer("fmod", 0)
                      ? [](double a, double b) { return std::fmod(a, b); }
                      : modulo);
  if (type == "Div" && inputs == 2)
    return binary(isWhole ? quotient : divide);
  if (type == "Where" && inputs == 3)
    return select();
  if (type == "ConstantOfShape")
    return constantOfShape();
  if (type == "Range" && inputs == 3)
    return range();
  if (type == "Cast")
    return cast();
  if (type == "Gather" && inputs == 2)
    return gather();
  if (type == "Concat")
    return concat();
  if (type == "Expand" && inputs == 2)
    return expand();
  if (type == "ScatterND" && inputs == 3)
    return scatterND();
  if (type == "ReduceProd")
    return reduce([](double a, double b) { return a * b; }, 1);
  if (type == "ReduceSum")
    return reduce([](double a, double b) { return a + b; }, 0);
  if (type == "ReduceMax")
    return reduce([](double a, double b) { return std::max(a, b); }, -INFINITY);
  if (type == "ReduceMin")
    return reduce([](double a, double b) { return std::min(a, b); }, INFINITY);
  return std::nullopt;
}

std::optional<Tensor> mlir::ane::onnx::foldNode(const NodeImporter &node) {
  if (!node.node.domain.empty() && node.node.domain != "ai.onnx")
    return std::nullopt;
  std::optional<Tensor> result = Folder(node).fold();
  bool isKept = result && result->count() <= maxKnownElements &&
                node.graph.hasRoom(result->count());
  return isKept ? result : std::nullopt;
}
