//===- VerifyUtils.cpp - What the verifiers of the ane ops share ----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyUtils.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::detail;

LogicalResult mlir::ane::detail::checkRank(EmitError emit, StringRef name,
                                           RankedTensorType type,
                                           int64_t rank) {
  if (type.getRank() == rank)
    return success();
  return fail(emit, name, " has rank ", type.getRank(), ", but must have rank ",
              rank);
}

LogicalResult mlir::ane::detail::checkArray(EmitError emit, StringRef name,
                                            ArrayRef<int64_t> values,
                                            size_t count, int64_t low,
                                            int64_t high) {
  if (values.size() != count)
    return fail(emit, name, " has ", values.size(), " entries, but must have ",
                count);
  for (auto [index, value] : llvm::enumerate(values))
    if (value < low || value > high)
      return fail(emit, name, "[", index, "] is ", value,
                  ", but must be between ", low, " and ", high);
  return success();
}

LogicalResult mlir::ane::detail::checkExtents(EmitError emit, StringRef name,
                                              RankedTensorType type) {
  for (auto [index, extent] : llvm::enumerate(type.getShape()))
    if (extent > maxExtent)
      return fail(emit, "dimension ", index, " of ", name, " is ", extent,
                  ", but must be at most ", maxExtent);
  return success();
}

LogicalResult mlir::ane::detail::checkAxes(EmitError emit,
                                           ArrayRef<int64_t> axes,
                                           int64_t rank) {
  int64_t previous = -1;
  for (int64_t axis : axes) {
    if (axis < 0 || axis >= rank)
      return fail(emit, "axis ", axis,
                  " is not a dimension of the input, "
                  "which has rank ",
                  rank);
    if (axis <= previous)
      return fail(emit, "axis ", axis, " comes after axis ", previous,
                  ", but axes must increase");
    previous = axis;
  }
  return success();
}

FailureOr<Type>
mlir::ane::detail::getDataType(EmitError emit,
                               ArrayRef<RankedTensorType> operands) {
  Type data;
  for (RankedTensorType type : operands) {
    Type element = type.getElementType();
    if (element.isF32())
      continue;
    if (data && data != element)
      return fail(emit, "operands have element types ", data, " and ", element,
                  ", but must agree (only constants may be f32 next to f16)");
    data = element;
  }
  return data ? data : operands.front().getElementType();
}

LogicalResult mlir::ane::detail::checkConstantsOnly(Operation *op) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!getElementTypeOrSelf(operand.get().getType()).isF32())
      continue;
    if (isa<BlockArgument>(operand.get()))
      return op->emitOpError()
             << "operand " << operand.getOperandNumber()
             << " is an f32 argument, but only constants may be f32; cast "
                "arguments to f16 first";
    if (auto cast = operand.get().getDefiningOp<CastOp>();
        cast && !isa_and_nonnull<ConstantOp>(cast.getInput().getDefiningOp()))
      return op->emitOpError()
             << "operand " << operand.getOperandNumber()
             << " is f32 data from a cast, but only constants may be f32; "
                "cast after this op instead";
  }
  return success();
}

LogicalResult mlir::ane::detail::checkResult(Operation *op,
                                             InferredType inferred) {
  auto actual = cast<RankedTensorType>(op->getResult(0).getType());
  if (actual == *inferred)
    return success();
  if (actual.getElementType() != inferred->getElementType())
    return op->emitOpError()
           << "result has element type " << actual.getElementType()
           << ", but must have " << inferred->getElementType();
  if (actual.getRank() != inferred->getRank())
    return op->emitOpError() << "result has rank " << actual.getRank()
                             << ", but must have rank " << inferred->getRank();
  for (int64_t i = 0, e = actual.getRank(); i < e; ++i)
    if (actual.getDimSize(i) != inferred->getDimSize(i))
      return op->emitOpError() << "dimension " << i << " of the result is "
                               << actual.getDimSize(i) << ", but must be "
                               << inferred->getDimSize(i) << " (the result is "
                               << actual << ", expected " << *inferred << ")";
  return op->emitOpError() << "result is " << actual << ", but must be "
                           << *inferred;
}
