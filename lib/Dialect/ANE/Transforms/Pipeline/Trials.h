//===- Trials.h - Trials of one form against another ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_PIPELINE_TRIALS_H
#define ANE_DIALECT_ANE_TRANSFORMS_PIPELINE_TRIALS_H

#include "ane/Dialect/ANE/Transforms/LoweringPasses.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::ane {

/// What a function goes through that is tried: the passes after
/// ane-choose-form, from legalize to memory.
void addTrialPasses(OpPassManager &pm, const LoweringOptions &options);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_PIPELINE_TRIALS_H
