//===- TensorNames.h - Inputs and outputs as named ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What has no ane.name gets a number. Programs bind by name, and one name is
// one tensor: a number never takes a name that is given. Their shapes are those
// of the network, although surfaces have four dimensions.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_UTILS_TENSORNAMES_H
#define ANE_DIALECT_ANE_UTILS_TENSORNAMES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::ane {

struct TensorNames {
  SmallVector<std::string> inputs, outputs;
};

/// The names of the inputs and outputs of `func`, also where outputs are
/// arguments (ane.output).
TensorNames nameTensors(func::FuncOp func);

/// The attribute of an argument that has the shape of a tensor in the network,
/// an i64 array, once the argument is a surface.
inline constexpr llvm::StringLiteral kShapeAttrName = "ane.shape";

/// Sets it to the type that an argument or a result has now, before it becomes
/// another one; what it is already stays.
void keepNetworkShape(func::FuncOp func, BlockArgument argument);
void keepNetworkShape(func::FuncOp func, OpOperand &result);

/// The unit attribute of an f16 argument that holds what halves lack of the
/// argument before it: its sum with that one is the input of the network.
/// ane-reduce-angles adds them; callers give one array of f32 (HW/Arrays.h).
inline constexpr llvm::StringLiteral kLowAttrName = "ane.low";

/// The attribute of an argument or an operation that bounds its elements, which
/// the user gave or data showed: an array of two f64, or of three with the
/// smallest magnitude that is not 0. ane-set-ranges and ane-measure-ranges
/// write it.
inline constexpr llvm::StringLiteral kRangeAttrName = "ane.range";

/// The attribute of a layer_norm with the largest mean, in deviations, that data
/// showed of what it normalizes: an f64. ane-measure-ranges writes it.
inline constexpr llvm::StringLiteral kMeanRatioAttrName = "ane.mean_ratio";

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_UTILS_TENSORNAMES_H
