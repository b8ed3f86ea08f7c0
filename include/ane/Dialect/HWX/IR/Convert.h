//===- Convert.h - Between hwx ops and the hardware library -----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An `hwx.program` and an ane::hw::Container hold the same; these functions go
// from one to the other without losing a bit. A pass that makes a program fills
// an ane::hw::Program, calls makeContainer and imports the result.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_HWX_IR_CONVERT_H
#define ANE_DIALECT_HWX_IR_CONVERT_H

#include "ane/Dialect/HWX/IR/HWX.h"
#include "ane/HW/Container.h"

namespace mlir::ane::hwx {

/// Makes the ops of `container` at the builder's insertion point. The constants
/// are not copied: the blob shares them.
ProgramOp importContainer(OpBuilder &builder, Location loc,
                          const ::ane::hw::Container &container);

/// A tensor; its op need not have been verified but for the number of axes.
::ane::hw::Tensor exportTensor(TensorOp op);

/// The program in `op`, without what surrounds it in a file. Its constants are
/// a view of the blob, which lives as long as the context.
FailureOr<::ane::hw::Program> exportProgram(ProgramOp op);

/// The file of `op`: computed, or as its `hwx.container` says. Emits an error
/// where the two contradict each other. Constants as with exportProgram.
FailureOr<::ane::hw::Container> exportContainer(ProgramOp op);

} // namespace mlir::ane::hwx

#endif // ANE_DIALECT_HWX_IR_CONVERT_H
