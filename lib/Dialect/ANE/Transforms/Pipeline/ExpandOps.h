//===- ExpandOps.h - Ops of several engine passes ---------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_PIPELINE_EXPANDOPS_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_PIPELINE_EXPANDOPS_H

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::ane {

/// What ane-expand-ops applies.
void populateExpandPatterns(RewritePatternSet &patterns,
                            const DecomposeOptions &options);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_PIPELINE_EXPANDOPS_H
