//===- ElementwiseOps.cpp - Functions of single elements, reductions ------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ane.elementwise, ane.compare, ane.select, ane.activation, ane.reduce,
// ane.cast: rules and result types.
//
//===----------------------------------------------------------------------===//

#include "VerifyUtils.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::detail;

bool ElementwiseOp::isUnscaled() {
  return getScale().isExactlyValue(1.0) && getBias().isZero();
}

//===----------------------------------------------------------------------===//
// ane.elementwise
//===----------------------------------------------------------------------===//

/// The shape of what is computed from two tensors, of which dimensions of 1 are
/// repeated.
static FailureOr<SmallVector<int64_t, 4>>
broadcastShape(EmitError emit, ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs) {
  if (lhs.size() != rhs.size())
    return fail(emit, "operands have ranks ", lhs.size(), " and ", rhs.size(),
                ", but must have the same rank");
  SmallVector<int64_t, 4> shape;
  for (auto [i, a, b] : llvm::enumerate(lhs, rhs)) {
    if (a != b && a != 1 && b != 1)
      return fail(emit, "dimension ", i, " of the operands is ", a, " and ", b,
                  ", but must be equal or 1");
    shape.push_back(a == 1 ? b : a);
  }
  return shape;
}

/// Of two operands that are computed element by element.
static InferredType inferPair(EmitError emit, RankedTensorType lhs,
                              RankedTensorType rhs) {
  FailureOr<Type> element = getDataType(emit, {lhs, rhs});
  if (failed(element))
    return failure();
  FailureOr<SmallVector<int64_t, 4>> shape =
      broadcastShape(emit, lhs.getShape(), rhs.getShape());
  if (failed(shape))
    return failure();
  return RankedTensorType::get(*shape, *element);
}

static InferredType inferElementwise(ElementwiseOp::Adaptor op,
                                     EmitError emit) {
  // elementwise_c1: element types agree, but for f32 constants;
  // elementwise_c2: ranks are equal; elementwise_c3: dimensions are equal or 1;
  // elementwise_c4: the result has the inferred type.
  return inferPair(emit, typeOf(op.getLhs()), typeOf(op.getRhs()));
}
ANE_DEFINE_INFERENCE(ElementwiseOp, inferElementwise)

//===----------------------------------------------------------------------===//
// ane.compare, ane.select
//===----------------------------------------------------------------------===//

static InferredType inferCompare(CompareOp::Adaptor op, EmitError emit) {
  // compare_c1: element types agree, but for f32 constants; compare_c2: ranks
  // are equal; compare_c3: dimensions are equal or 1; compare_c4: the result
  // has the inferred type.
  return inferPair(emit, typeOf(op.getLhs()), typeOf(op.getRhs()));
}
ANE_DEFINE_INFERENCE(CompareOp, inferCompare)

static InferredType inferSelect(SelectOp::Adaptor op, EmitError emit) {
  // select_c1: element types of the values agree, but for f32 constants;
  // select_c2: ranks are equal; select_c3: dimensions are equal or 1.
  InferredType values =
      inferPair(emit, typeOf(op.getTrueValue()), typeOf(op.getFalseValue()));
  if (failed(values))
    return failure();
  FailureOr<SmallVector<int64_t, 4>> shape = broadcastShape(
      emit, typeOf(op.getCondition()).getShape(), values->getShape());
  if (failed(shape))
    return failure();
  // select_c4: the result has the inferred type, f16 if it is chosen from
  // constants at run time.
  Type element = values->getElementType();
  Type condition = typeOf(op.getCondition()).getElementType();
  if (element.isF32() && !condition.isF32())
    element = Float16Type::get(element.getContext());
  return RankedTensorType::get(*shape, element);
}
ANE_DEFINE_INFERENCE(SelectOp, inferSelect)

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
  // reduce_c1: axes are dimensions of the input, in increasing order.
  if (failed(checkAxes(emit, op.getAxes(), input.getRank())))
    return failure();
  SmallVector<int64_t, 4> shape(input.getShape());
  for (int64_t axis : op.getAxes())
    shape[axis] = 1;
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
