//===- MILBuilder.cpp - Statements whose shapes are known -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/MIL/Utils/MILBuilder.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace mlir::ane::mil;

std::optional<int64_t> mlir::ane::mil::countOf(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    if (size < 1 || size > std::numeric_limits<int32_t>::max() ||
        llvm::MulOverflow(count, size, count) || count > maxElements)
      return std::nullopt;
  return count;
}

std::string mlir::ane::mil::describe(ArrayRef<int64_t> shape) {
  return shape.empty()
             ? "a number"
             : llvm::join(llvm::map_range(shape,
                                          [](int64_t size) {
                                            return std::to_string(size);
                                          }),
                          "x");
}

std::optional<Shape> mlir::ane::mil::broadcastShapes(ArrayRef<int64_t> a,
                                                     ArrayRef<int64_t> b) {
  if (a.size() < b.size())
    std::swap(a, b);
  Shape result(a);
  for (size_t i = 0; i < b.size(); ++i) {
    int64_t &size = result[a.size() - b.size() + i];
    if (size != b[i] && size != 1 && b[i] != 1)
      return std::nullopt;
    if (size == 1)
      size = b[i];
  }
  return result;
}

static std::string describe(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Shape MILBuilder::shapeOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? Shape(type.getShape()) : Shape();
}

Type MILBuilder::typeOf(Type element, ArrayRef<int64_t> shape) {
  return shape.empty() ? element : RankedTensorType::get(shape, element);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value MILBuilder::string(StringRef value) {
  StatementBuilder statements = this->statements();
  return statements.parameter(
      StringAttr::get(value, StringType::get(statements.builder.getContext())));
}

Value MILBuilder::boolean(bool value) {
  StatementBuilder statements = this->statements();
  return statements.parameter(statements.builder.getBoolAttr(value));
}

Value MILBuilder::integer(int64_t value) {
  StatementBuilder statements = this->statements();
  return statements.parameter(
      statements.builder.getI32IntegerAttr(static_cast<int32_t>(value)));
}

Value MILBuilder::integers(ArrayRef<int64_t> values) {
  return integers(values, static_cast<int64_t>(values.size()));
}

Value MILBuilder::integers(ArrayRef<int64_t> values, ArrayRef<int64_t> shape) {
  StatementBuilder statements = this->statements();
  SmallVector<int32_t> narrow(values.begin(), values.end());
  return statements.parameter(DenseElementsAttr::get(
      RankedTensorType::get(shape, statements.builder.getI32Type()),
      ArrayRef<int32_t>(narrow)));
}

Value MILBuilder::number(Type element, double value) {
  if (isa<FloatType>(element)) {
    StatementBuilder statements = this->statements();
    return statements.parameter(
        statements.builder.getFloatAttr(element, value));
  }
  return element.isInteger(1) ? boolean(value != 0)
                              : integer(static_cast<int64_t>(value));
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

Value MILBuilder::emit(StringRef type, ArrayRef<NewArgument> arguments,
                       Type element, ArrayRef<int64_t> shape) {
  if (!shape.empty() && !countOf(shape)) {
    refuse("has a result of " + describe(shape) +
           " elements, but a size is 1 to "
           "2^31 - 1, and all of them at most 2^40");
    static constexpr int64_t one[] = {1};
    shape = one;
  }
  return statements().emit(type, arguments, typeOf(element, shape), type);
}

Value MILBuilder::unary(StringRef type, Value x) {
  return emit(type, {{"x", x}}, elementOf(x), shapeOf(x));
}

Value MILBuilder::unary(StringRef type, Value x,
                        ArrayRef<std::pair<StringRef, double>> numbers) {
  SmallVector<NewArgument> arguments = {{"x", x}};
  for (auto [name, value] : numbers)
    arguments.emplace_back(name, number(elementOf(x), value));
  return emit(type, arguments, elementOf(x), shapeOf(x));
}

Shape MILBuilder::broadcast(Value x, Value y) {
  Shape left = shapeOf(x), right = shapeOf(y);
  std::optional<Shape> shape = broadcastShapes(left, right);
  if (!shape)
    refuse("cannot broadcast " + describe(left) + " and " + describe(right) +
           " to each other");
  if (elementOf(x) != elementOf(y))
    refuse("has inputs of " + ::describe(elementOf(x)) + " and " +
           ::describe(elementOf(y)));
  return shape ? *shape : left;
}

Value MILBuilder::binary(StringRef type, Value x, Value y) {
  bool compares = llvm::is_contained(
      {"greater", "less", "equal", "not_equal", "greater_equal", "less_equal"},
      type);
  return emit(type, {{"x", x}, {"y", y}},
              compares ? IntegerType::get(x.getContext(), 1) : elementOf(x),
              broadcast(x, y));
}

Value MILBuilder::binary(StringRef type, Value x, double y) {
  return binary(type, x, number(elementOf(x), y));
}

Value MILBuilder::reshape(Value x, ArrayRef<int64_t> shape) {
  if (ArrayRef<int64_t>(shapeOf(x)) == shape)
    return x;
  std::optional<int64_t> count = countOf(shape);
  if (!count || count != countOf(shapeOf(x))) {
    refuse("cannot make " + describe(shapeOf(x)) + " to " + describe(shape));
    return x;
  }
  if (shape.empty())
    return emit("squeeze", {{"x", x}}, elementOf(x), {});
  if (shapeOf(x).empty())
    return reshape(emit("expand_dims",
                        {{"axes", integers(int64_t(0))}, {"x", x}},
                        elementOf(x), int64_t(1)),
                   shape);
  return emit("reshape", {{"shape", integers(shape)}, {"x", x}}, elementOf(x),
              shape);
}

Value MILBuilder::transpose(Value x, ArrayRef<int64_t> perm) {
  Shape from = shapeOf(x), shape, sorted(perm);
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, from.size()))) {
    refuse("has an order of dimensions that is no permutation of " +
           Twine(from.size()));
    return x;
  }
  if (llvm::is_sorted(perm))
    return x;
  for (int64_t axis : perm)
    shape.push_back(from[axis]);
  return emit("transpose", {{"perm", integers(perm)}, {"x", x}}, elementOf(x),
              shape);
}

Value MILBuilder::slice(Value x, ArrayRef<int64_t> begin,
                        ArrayRef<int64_t> size) {
  if (ArrayRef<int64_t>(shapeOf(x)) == size)
    return x;
  for (auto [has, first, count] : llvm::zip_equal(shapeOf(x), begin, size))
    if (first < 0 || count < 1 || first > has - count) {
      refuse("takes " + Twine(count) + " elements from " + Twine(first) +
             " on of " + Twine(has));
      return x;
    }
  return emit("slice_by_size",
              {{"begin", integers(begin)}, {"size", integers(size)}, {"x", x}},
              elementOf(x), size);
}

Value MILBuilder::cast(Value x, Type element) {
  if (elementOf(x) == element)
    return x;
  StringRef name = element.isF16()                ? "fp16"
                   : element.isF32()              ? "fp32"
                   : element.isInteger(1)         ? "bool"
                   : element.isUnsignedInteger(8) ? "uint8"
                   : element.isInteger(8)         ? "int8"
                                                  : "int32";
  return emit("cast", {{"dtype", string(name)}, {"x", x}}, element, shapeOf(x));
}

Value MILBuilder::concat(ArrayRef<Value> values, int64_t axis) {
  if (values.size() == 1)
    return values[0];
  Shape shape = shapeOf(values[0]);
  for (Value value : values.drop_front()) {
    Shape other = shapeOf(value);
    bool fits = other.size() == shape.size() &&
                elementOf(value) == elementOf(values[0]) && axis >= 0 &&
                axis < int64_t(shape.size());
    for (size_t dim = 0; fits && dim < shape.size(); ++dim)
      fits = int64_t(dim) == axis || other[dim] == shape[dim];
    if (!fits) {
      refuse("cannot concatenate " + describe(shapeOf(values[0])) + " and " +
             describe(other) + " along dimension " + Twine(axis));
      return values[0];
    }
    shape[axis] += other[axis];
  }
  return emit("concat",
              {{"values", ValueRange(values)},
               {"axis", integer(axis)},
               {"interleave", boolean(false)}},
              elementOf(values[0]), shape);
}

Value MILBuilder::tile(Value x, ArrayRef<int64_t> repeats) {
  Shape shape = shapeOf(x);
  bool isNothing = true;
  for (auto [size, repeat] : llvm::zip_equal(shape, repeats)) {
    isNothing &= repeat == 1;
    if (repeat < 1 || llvm::MulOverflow(size, repeat, size)) {
      refuse("repeats a dimension " + Twine(repeat) + " times");
      return x;
    }
  }
  if (isNothing)
    return x;
  return emit("tile", {{"reps", integers(repeats)}, {"x", x}}, elementOf(x),
              shape);
}

Value MILBuilder::reduce(StringRef type, Value x, ArrayRef<int64_t> axes,
                         bool keepsDims) {
  Shape shape;
  for (auto [dim, size] : llvm::enumerate(shapeOf(x))) {
    bool isReduced = llvm::is_contained(axes, int64_t(dim));
    if (!isReduced || keepsDims)
      shape.push_back(isReduced ? 1 : size);
  }
  return emit(
      type,
      {{"x", x}, {"axes", integers(axes)}, {"keep_dims", boolean(keepsDims)}},
      elementOf(x), shape);
}

Value MILBuilder::softmax(Value x, int64_t axis) {
  return emit("softmax", {{"axis", integer(axis)}, {"x", x}}, elementOf(x),
              shapeOf(x));
}

Value MILBuilder::matmul(Value x, Value y, bool transposesX, bool transposesY) {
  Shape left = shapeOf(x), right = shapeOf(y);
  std::optional<Shape> shape;
  if (left.size() >= 2 && right.size() >= 2 && elementOf(x) == elementOf(y) &&
      left[left.size() - (transposesX ? 2 : 1)] ==
          right[right.size() - (transposesY ? 1 : 2)])
    shape = broadcastShapes(ArrayRef(left).drop_back(2),
                            ArrayRef(right).drop_back(2));
  if (!shape) {
    refuse("cannot multiply " + describe(left) + " and " + describe(right));
    return x;
  }
  shape->push_back(left[left.size() - (transposesX ? 1 : 2)]);
  shape->push_back(right[right.size() - (transposesY ? 2 : 1)]);
  return emit("matmul",
              {{"x", x},
               {"y", y},
               {"transpose_x", boolean(transposesX)},
               {"transpose_y", boolean(transposesY)}},
              elementOf(x), *shape);
}

SmallVector<Value> MILBuilder::suppress(Value boxes, Value scores,
                                        double overlap, int64_t count,
                                        bool byClass) {
  Type element = elementOf(boxes);
  int64_t batches = shapeOf(boxes)[0];
  return emitAll(
      "non_maximum_suppression",
      {{"boxes", boxes},
       {"scores", scores},
       {"iou_threshold", number(element, overlap)},
       {"max_boxes", integer(count)},
       {"per_class_suppression", boolean(byClass)}},
      {typeOf(element, {batches, 4, count}),
       typeOf(element, {batches, shapeOf(scores)[1], count}),
       typeOf(IntegerType::get(boxes.getContext(), 32), {batches, count})});
}

Value MILBuilder::scoresOf(Value isMeant, Value scores) {
  return emit("select",
              {{"cond", isMeant},
               {"a", scores},
               {"b", number(elementOf(scores),
                            -std::numeric_limits<double>::infinity())}},
              elementOf(scores), shapeOf(scores));
}

Value MILBuilder::pad(Value x, ArrayRef<int64_t> low, ArrayRef<int64_t> high,
                      StringRef mode, double value) {
  Shape shape = shapeOf(x), both;
  for (auto [size, l, h] : llvm::zip_equal(shape, low, high)) {
    if (l < 0 || h < 0 || l > maxElements || h > maxElements) {
      refuse("has padding of " + Twine(l) + " and " + Twine(h));
      return x;
    }
    size += l + h;
    both.append({l, h});
  }
  if (shape == shapeOf(x))
    return x;
  return emit("pad",
              {{"x", x},
               {"pad", integers(both)},
               {"mode", string(mode)},
               {"constant_val", number(elementOf(x), value)}},
              elementOf(x), shape);
}
