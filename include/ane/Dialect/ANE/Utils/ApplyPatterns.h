//===- ApplyPatterns.h - Patterns that say why they refuse ------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_UTILS_APPLYPATTERNS_H
#define ANE_DIALECT_ANE_UTILS_APPLYPATTERNS_H

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::ane {

/// Applies `patterns` greedily to `scope`. Where optimisation remarks are on
/// (`ane-opt --remarks-filter=ane-fuse`), each op that a pattern rewrote is a
/// remark of the category `pass`, and each that it refused with a reason is a
/// missed one. Fails where patterns do not come to an end.
LogicalResult applyPatterns(Operation *scope, RewritePatternSet &&patterns,
                            StringRef pass, GreedyRewriteConfig config = {});

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_UTILS_APPLYPATTERNS_H
