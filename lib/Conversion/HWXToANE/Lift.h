//===- Lift.h - Parts of the way back from a program ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_HWXTOANE_LIFT_H
#define ANE_LIB_CONVERSION_HWXTOANE_LIFT_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Simulator/DataFlow.h"

#include "mlir/IR/Builders.h"

#include "absl/status/statusor.h"

namespace mlir::ane {

/// The tensor that `gather` says, of the values of the data flow; null, with the
/// reason in `status`, where slices, reshapes and transposes do not make it.
Value buildGather(OpBuilder &builder, Location loc,
                  const ::ane::sim::Gather &gather, ArrayRef<Value> values,
                  absl::Status &status);

Type elementTypeOf(Builder &builder, ::ane::hw::ElementType type);

/// The function whose table this is: of either set, with parameters that are
/// read from the table. Null where no function is like it.
ActivationAttr functionOfTable(MLIRContext *context,
                               ArrayRef<uint8_t> tableBytes);

/// What `task` computes; `status` says why it is null.
Value liftTask(OpBuilder &builder, Location loc,
               const ::ane::sim::FlowTask &task, ArrayRef<Value> values,
               absl::Status &status);

} // namespace mlir::ane

#endif // ANE_LIB_CONVERSION_HWXTOANE_LIFT_H
