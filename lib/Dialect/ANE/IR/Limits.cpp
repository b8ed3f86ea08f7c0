//===- Limits.cpp - What the table of constraints says of an op -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/Limits.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::ane;
using ::ane::hw::ConstraintId;
using ::ane::hw::GenerationInfo;

LogicalResult mlir::ane::reportViolation(Operation *op, ConstraintId id,
                                         const GenerationInfo &info,
                                         const Twine &actual) {
  return op->emitOpError(::ane::hw::describeViolation(id, info, actual.str()));
}

LogicalResult mlir::ane::checkLimit(Operation *op, ConstraintId id,
                                    const GenerationInfo &info,
                                    int64_t actual) {
  if (!::ane::hw::exceeds(id, info, actual))
    return success();
  return op->emitOpError(::ane::hw::describeExcess(id, info, actual));
}

LogicalResult mlir::ane::checkWindow(Operation *op, const GenerationInfo &info,
                                     ArrayRef<int64_t> kernel,
                                     ArrayRef<int64_t> strides) {
  if (strides[0] != strides[1])
    return reportViolation(op, ConstraintId::ConvStrideEqual, info,
                           "has strides " + Twine(strides[0]) + "x" +
                               Twine(strides[1]));
  return success(
      succeeded(
          checkLimit(op, ConstraintId::ConvKernelHeight, info, kernel[0])) &&
      succeeded(
          checkLimit(op, ConstraintId::ConvKernelWidth, info, kernel[1])) &&
      succeeded(checkLimit(op, ConstraintId::ConvStride, info, strides[0])));
}
