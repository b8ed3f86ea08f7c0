//===- Limits.h - What the table of constraints says of an op ---*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A limit of the engine is a row of ane/HW/Constraints.def, and nothing else
// checks it. ane-legalize asks these before an op becomes tasks, the verifiers
// of tasks ask them again, and what runs after a verifier relies on it.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_IR_LIMITS_H
#define ANE_DIALECT_ANE_IR_LIMITS_H

#include "ane/HW/Constraints.h"

#include "mlir/IR/Operation.h"

namespace mlir::ane {

/// An error at `op` with the row of a rule; `actual` says what was found.
LogicalResult reportViolation(Operation *op, ::ane::hw::ConstraintId id,
                              const ::ane::hw::GenerationInfo &info,
                              const Twine &actual);

/// An error at `op` if `actual` is over the limit of a row.
LogicalResult checkLimit(Operation *op, ::ane::hw::ConstraintId id,
                         const ::ane::hw::GenerationInfo &info, int64_t actual);

/// Height and width of the kernel of a convolution, and its strides. Padding in
/// front is smaller than the window, so its field is wide enough for every
/// kernel that is.
LogicalResult checkWindow(Operation *op, const ::ane::hw::GenerationInfo &info,
                          ArrayRef<int64_t> kernel, ArrayRef<int64_t> strides);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_IR_LIMITS_H
