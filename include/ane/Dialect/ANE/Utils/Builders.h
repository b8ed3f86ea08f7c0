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

/// Rows [first, first + count) of H, or channels, as a view; `value` itself if
/// that is all of it.
Value sliceDim(OpBuilder &builder, Location loc, Value value, unsigned dim,
               int64_t first, int64_t count);
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

Value binary(OpBuilder &builder, Location loc, ElementwiseKind kind, Value lhs,
             Value rhs);

/// A convolution without bias and scale.
struct ConvSpec {
  int64_t strideH = 1, strideW = 1;
  int64_t top = 0, bottom = 0, left = 0, right = 0;
  int64_t groups = 1;
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

/// Rounds to f16, so that the sum stays what it is: each number carries what is
/// left of it to the next one. Fails where one is too large.
LogicalResult roundKeepingSum(MutableArrayRef<float> weights);

/// The permutation that undoes `perm`.
SmallVector<int64_t> inverse(ArrayRef<int64_t> perm);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_UTILS_BUILDERS_H
