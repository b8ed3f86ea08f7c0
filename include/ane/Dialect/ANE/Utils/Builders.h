//===- Builders.h - Ops and constants that passes make ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What importers and rewrites put into a function: constants, views, and ops
// with the attributes that most of them have.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_UTILS_BUILDERS_H
#define ANE_DIALECT_ANE_UTILS_BUILDERS_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Utils/Predicates.h"

namespace mlir::ane {

/// Above this many elements an attribute would be hashed and compared for long;
/// larger constants are resources.
constexpr int64_t maxElementsOfAttribute = 256;

/// The type of `value` with another shape.
inline RankedTensorType withShape(Value value, ArrayRef<int64_t> shape) {
  return typeOf(value).clone(shape);
}
/// `type` with one dimension changed.
RankedTensorType withDim(RankedTensorType type, unsigned dim, int64_t size);

/// An f16 constant of the given shape with one value everywhere, or with
/// `values` (rounded) in row-major order.
Value splatConstant(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape,
                    float value);
Value arrayConstant(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape,
                    ArrayRef<float> values);
/// The same in f32, for values of the network: ane-legalize rounds them, and
/// reports those that f16 cannot hold.
Value unroundedConstant(OpBuilder &builder, Location loc,
                        ArrayRef<int64_t> shape, ArrayRef<float> values);

/// `value` under another shape of as many elements; a constant at once, since
/// nothing after ane-decompose may fold it.
Value constantReshaped(OpBuilder &builder, Location loc, Value value,
                       ArrayRef<int64_t> shape);

/// Constant `value` read as single precision, one element after the other.
/// Fails if `value` is no constant, or not of f16 or f32, or if its bytes are
/// gone.
FailureOr<SmallVector<float>> readConstant(Value value);

/// The box of `sizes` at `offsets`, every `strides`-th element of it (empty: all
/// of them), as a view; `value` itself if that is all of it.
Value sliced(OpBuilder &builder, Location loc, Value value,
             ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
             ArrayRef<int64_t> strides = {});
/// The same along one dimension, all of the others.
Value sliceDim(OpBuilder &builder, Location loc, Value value, unsigned dim,
               int64_t first, int64_t count, int64_t stride = 1);
/// Values one after the other along `dim`; the value itself if there is one.
Value concatDim(OpBuilder &builder, Location loc, ArrayRef<Value> values,
                unsigned dim);

/// `value` with its dimensions in another order; the value itself if they keep
/// theirs.
Value permuted(OpBuilder &builder, Location loc, Value value,
               ArrayRef<int64_t> perm);
/// `value` in another shape of as many elements; the value itself if it has it.
Value reshaped(OpBuilder &builder, Location loc, Value value,
               ArrayRef<int64_t> shape);

/// `value` with so many zeros in front of and after its dimensions; the value
/// itself if there are none.
Value padded(OpBuilder &builder, Location loc, Value value,
             ArrayRef<int64_t> low, ArrayRef<int64_t> high);

/// `value` with `type` as element type; the value itself if it has it.
Value castTo(OpBuilder &builder, Location loc, Value value, Type type);

/// scale * (lhs `kind` rhs) + bias. Dimensions of 1 are repeated. The result is
/// of f32 where both operands are, that is, where they are constants that are
/// not rounded yet.
Value binary(OpBuilder &builder, Location loc, ElementwiseKind kind, Value lhs,
             Value rhs, double scale = 1, double bias = 0);

/// A function of `value`; the value itself if there is none.
Value activated(OpBuilder &builder, Location loc, Value value,
                ActivationAttr function);
Value activated(OpBuilder &builder, Location loc, Value value,
                ActivationKind kind, double alpha = 0, double beta = 0);

/// `sum` and `part`; `part` if there is no sum yet.
Value addTo(OpBuilder &builder, Location loc, Value sum, Value part);

/// A reduction of what is in several parts, from those of the parts, of which
/// each has that many elements.
Value combineReductions(OpBuilder &builder, Location loc, ReduceKind kind,
                        ArrayRef<Value> parts, ArrayRef<int64_t> counts);

/// A convolution without scale.
struct ConvSpec {
  int64_t strideH = 1, strideW = 1;
  int64_t top = 0, bottom = 0, left = 0, right = 0;
  int64_t groups = 1;
  Value bias = {};
  ActivationAttr activation = {};
};
Value convolve(OpBuilder &builder, Location loc, Value input, Value weight,
               const ConvSpec &spec, RankedTensorType resultType);

/// A depthwise convolution with a single one at (row, column) of its kernel.
Value convolveOneHot(OpBuilder &builder, Location loc, Value image,
                     int64_t rows, int64_t columns, int64_t row, int64_t column,
                     const ConvSpec &padding, RankedTensorType resultType);

/// The first rows of images of equal size, then their second rows, and so on,
/// as `type`. Parts of a row can start at multiples of `align` elements.
Value alternateRows(OpBuilder &builder, Location loc, ArrayRef<Value> images,
                    RankedTensorType type, int64_t align);

/// Pixels (stride * i, stride * j) of an image: a 1x1 depthwise convolution
/// with ones. A product with 1 is exact.
Value subsample(OpBuilder &builder, Location loc, Value input, int64_t stride);

/// The largest part of `total` where it is cut into the fewest equal ones of at
/// most `most`.
inline int64_t evenStep(int64_t total, int64_t most) {
  return llvm::divideCeil(total, llvm::divideCeil(total, most));
}

/// Rounds to f16, so that the sum stays what it is: each number carries what is
/// left of it to the next one. Fails where one is too large.
LogicalResult roundKeepingSum(MutableArrayRef<float> weights);
/// The two numbers of f16 next to sum / count, `count` of them with this sum.
SmallVector<float> sharesInHalf(double sum, int64_t count);

/// The permutation that undoes `perm`.
SmallVector<int64_t> inverse(ArrayRef<int64_t> perm);

/// What puts more than one op at a place: the functions above, and ops with the
/// result types that follow from their operands.
struct AneBuilder {
  AneBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value reshape(Value x, ArrayRef<int64_t> shape) const {
    return reshaped(builder, loc, x, shape);
  }
  Value transpose(Value x, ArrayRef<int64_t> perm) const {
    return permuted(builder, loc, x, perm);
  }
  Value slice(Value x, unsigned dim, int64_t first, int64_t count,
              int64_t stride = 1) const {
    return sliceDim(builder, loc, x, dim, first, count, stride);
  }
  Value concat(ArrayRef<Value> parts, unsigned dim) const {
    return concatDim(builder, loc, parts, dim);
  }
  Value castTo(Value x, Type type) const {
    return mlir::ane::castTo(builder, loc, x, type);
  }

  /// Numbers along dimension `dim` of `rank`, which are f32 until
  /// ane-legalize rounds them.
  Value numbers(ArrayRef<float> values, int64_t rank, int64_t dim) const;
  /// One number, of as many dimensions as `like`.
  Value number(double value, Value like) const;

  Value binary(ElementwiseKind kind, Value lhs, Value rhs, double scale = 1,
               double bias = 0) const {
    return mlir::ane::binary(builder, loc, kind, lhs, rhs, scale, bias);
  }
  Value binary(ElementwiseKind kind, Value lhs, double rhs) const {
    return binary(kind, lhs, number(rhs, lhs));
  }
  /// `b`: a value or a number.
  template <typename T> Value add(Value a, T b) const {
    return binary(ElementwiseKind::Add, a, b);
  }
  template <typename T> Value sub(Value a, T b) const {
    return binary(ElementwiseKind::Sub, a, b);
  }
  template <typename T> Value mul(Value a, T b) const {
    return binary(ElementwiseKind::Mul, a, b);
  }
  template <typename T> Value max(Value a, T b) const {
    return binary(ElementwiseKind::Max, a, b);
  }
  Value activate(Value x, ActivationKind kind, double alpha = 0,
                 double beta = 0) const {
    return activated(builder, loc, x, kind, alpha, beta);
  }
  /// 1 where the relation holds, else 0.
  Value compare(CompareKind kind, Value lhs, Value rhs) const;
  Value select(Value condition, Value trueValue, Value falseValue) const;
  /// Along `axes`, which become 1.
  Value reduce(ReduceKind kind, Value x, ArrayRef<int64_t> axes) const;

  OpBuilder &builder;
  Location loc;
};

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_UTILS_BUILDERS_H
