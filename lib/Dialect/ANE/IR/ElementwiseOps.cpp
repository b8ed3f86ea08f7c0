//===- ElementwiseOps.cpp - Functions of single elements, reductions ------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ane.elementwise, ane.activation, ane.reduce, ane.cast: rules and result
// types.
//
//===----------------------------------------------------------------------===//

#include "VerifyUtils.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::detail;

//===----------------------------------------------------------------------===//
// ane.elementwise
//===----------------------------------------------------------------------===//

static InferredType inferElementwise(ElementwiseOp::Adaptor op,
                                     EmitError emit) {
  RankedTensorType lhs = typeOf(op.getLhs()), rhs = typeOf(op.getRhs());
  // elementwise_c1: element types agree, but for f32 constants.
  FailureOr<Type> element = getDataType(emit, {lhs, rhs});
  if (failed(element))
    return failure();
  // elementwise_c2: ranks are equal.
  if (lhs.getRank() != rhs.getRank())
    return fail(emit, "operands have ranks ", lhs.getRank(), " and ",
                rhs.getRank(), ", but must have the same rank");
  // elementwise_c3: dimensions are equal or 1.
  SmallVector<int64_t, 4> shape;
  for (int64_t i = 0, e = lhs.getRank(); i < e; ++i) {
    int64_t a = lhs.getDimSize(i), b = rhs.getDimSize(i);
    if (a != b && a != 1 && b != 1)
      return fail(emit, "dimension ", i, " of the operands is ", a, " and ", b,
                  ", but must be equal or 1");
    shape.push_back(a == 1 ? b : a);
  }
  // elementwise_c4: the result has the inferred type.
  return RankedTensorType::get(shape, *element);
}
ANE_DEFINE_INFERENCE(ElementwiseOp, inferElementwise)

//===----------------------------------------------------------------------===//
// ane.activation
//===----------------------------------------------------------------------===//

static InferredType inferActivation(ActivationOp::Adaptor op, EmitError) {
  // activation_c1: the result has the type of the input.
  return typeOf(op.getInput());
}
ANE_DEFINE_INFERENCE(ActivationOp, inferActivation)

//===----------------------------------------------------------------------===//
// ane.reduce
//===----------------------------------------------------------------------===//

static InferredType inferReduce(ReduceOp::Adaptor op, EmitError emit) {
  RankedTensorType input = typeOf(op.getInput());
  SmallVector<int64_t, 4> shape(input.getShape());
  int64_t previous = -1;
  for (int64_t axis : op.getAxes()) {
    // reduce_c1: axes are dimensions of the input, in increasing order.
    if (axis < 0 || axis >= input.getRank())
      return fail(emit, "axis ", axis,
                  " is not a dimension of the input, "
                  "which has rank ",
                  input.getRank());
    if (axis <= previous)
      return fail(emit, "axis ", axis, " comes after axis ", previous,
                  ", but axes must increase");
    previous = axis;
    shape[axis] = 1;
  }
  // reduce_c2: the result has the inferred type.
  return RankedTensorType::get(shape, input.getElementType());
}
ANE_DEFINE_INFERENCE(ReduceOp, inferReduce)

//===----------------------------------------------------------------------===//
// ane.cast
//===----------------------------------------------------------------------===//

LogicalResult CastOp::verify() {
  RankedTensorType from = typeOf(getInput()), to = typeOf(getResult());
  // cast_c1: the shape stays.
  if (from.getShape() != to.getShape())
    return emitOpError() << "changes the shape from " << from << " to " << to;
  // cast_c2: nothing goes from f32 to integers at once (the host knows f16
  // only).
  Type a = from.getElementType(), b = to.getElementType();
  if ((a.isF32() && b.isInteger()) || (a.isInteger() && b.isF32()))
    return emitOpError() << "goes from " << a << " to " << b
                         << ", but must go by way of f16";
  return success();
}
