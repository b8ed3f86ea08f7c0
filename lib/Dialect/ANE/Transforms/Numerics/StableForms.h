//===- StableForms.h - Formulas that have a better spelling -----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_NUMERICS_STABLEFORMS_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_NUMERICS_STABLEFORMS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::ane {

/// Replaces formulas of which f16 does not hold the intermediate results,
/// whatever their arguments are, by functions and forms of which it does. Gives
/// their number.
int64_t writeStableForms(func::FuncOp function);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_NUMERICS_STABLEFORMS_H
