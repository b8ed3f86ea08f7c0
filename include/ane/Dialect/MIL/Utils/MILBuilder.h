//===- MILBuilder.h - Statements whose shapes are known ---------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What importers of models share: statements that know the shape of their
// result from their arguments, and check it. A statement that cannot be made is
// an error of the importer, told once for a layer or node; then one of its
// arguments stands for it, so that nobody has to look at each result.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_UTILS_MILBUILDER_H
#define ANE_DIALECT_MIL_UTILS_MILBUILDER_H

#include "ane/Dialect/MIL/Utils/Statement.h"

#include "mlir/IR/TypeUtilities.h"

namespace mlir::ane::mil {

using Shape = SmallVector<int64_t>;

/// Elements that a value may have: more is no network, and products of sizes
/// stay far from overflow.
inline constexpr int64_t maxElements = int64_t(1) << 40;

/// The number of elements; nothing if one is below 1 or there are too many.
std::optional<int64_t> countOf(ArrayRef<int64_t> shape);
std::string describe(ArrayRef<int64_t> shape);
/// The shape of both, broadcast against each other as numpy does; nothing
/// where they do not fit.
std::optional<Shape> broadcastShapes(ArrayRef<int64_t> a, ArrayRef<int64_t> b);

class MILBuilder {
public:
  virtual ~MILBuilder() = default;
  /// The error of a statement, once for a layer or node.
  virtual void refuse(const Twine &text) = 0;

  Value emit(StringRef type, ArrayRef<NewArgument> arguments, Type element,
             ArrayRef<int64_t> shape);
  SmallVector<Value> emitAll(StringRef type, ArrayRef<NewArgument> arguments,
                             TypeRange types) {
    return statements().emitAll(type, arguments, types);
  }
  /// With an argument x alone; of the same type.
  Value unary(StringRef type, Value x);
  /// With arguments of numbers, of the same type.
  Value unary(StringRef type, Value x,
              ArrayRef<std::pair<StringRef, double>> numbers);
  /// The shape of both against each other; their elements have one type.
  Shape broadcast(Value x, Value y);
  /// Of x and y, broadcast; bools of comparisons.
  Value binary(StringRef type, Value x, Value y);
  Value binary(StringRef type, Value x, double y);
  Value reshape(Value x, ArrayRef<int64_t> shape);
  Value transpose(Value x, ArrayRef<int64_t> perm);
  Value slice(Value x, ArrayRef<int64_t> begin, ArrayRef<int64_t> size);
  Value cast(Value x, Type element);
  Value concat(ArrayRef<Value> values, int64_t axis);
  Value tile(Value x, ArrayRef<int64_t> repeats);
  Value reduce(StringRef type, Value x, ArrayRef<int64_t> axes,
               bool keepsDims = true);
  Value softmax(Value x, int64_t axis);
  Value matmul(Value x, Value y, bool transposesX = false,
               bool transposesY = false);
  /// The boxes, scores and places of up to `count` boxes none of which overlaps
  /// a better one: of boxes [batch, 4, box], with centers first, and scores
  /// [batch, class, box]. Places are -1 where there are less.
  SmallVector<Value> suppress(Value boxes, Value scores, double overlap,
                              int64_t count, bool byClass);
  /// `scores` where `isMeant`, and what no box has elsewhere.
  Value scoresOf(Value isMeant, Value scores);
  Value pad(Value x, ArrayRef<int64_t> low, ArrayRef<int64_t> high,
            StringRef mode, double value);

  /// Constants in place.
  Value parameter(TypedAttr value) { return statements().parameter(value); }
  Value string(StringRef value);
  Value boolean(bool value);
  Value integer(int64_t value);
  Value integers(ArrayRef<int64_t> values);
  Value integers(ArrayRef<int64_t> values, ArrayRef<int64_t> shape);
  Value number(Type element, double value);

  /// Empty for a number.
  static Shape shapeOf(Value value);
  static Type elementOf(Value value) {
    return getElementTypeOrSelf(value.getType());
  }
  static int64_t rankOf(Value value) { return shapeOf(value).size(); }
  /// A scalar for rank 0.
  static Type typeOf(Type element, ArrayRef<int64_t> shape);

private:
  /// Makes statements of the layer or node.
  virtual StatementBuilder statements() = 0;
};

} // namespace mlir::ane::mil

#endif // ANE_DIALECT_MIL_UTILS_MILBUILDER_H
