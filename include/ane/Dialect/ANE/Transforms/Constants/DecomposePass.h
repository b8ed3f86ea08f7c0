//===- DecomposePass.h - Parts of ane-decompose -----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ane-decompose is a pipeline of passes that rewrite ops which the engine does
// not do in one pass. All of them leave functions alone that are written as one
// sequence of tasks, apply their patterns from the top down, and let the
// constants that these make share their bytes.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_CONSTANTS_DECOMPOSEPASS_H
#define ANE_DIALECT_ANE_TRANSFORMS_CONSTANTS_DECOMPOSEPASS_H

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::ane {

using PopulatePatterns = void (*)(RewritePatternSet &patterns,
                                  const DecomposeOptions &options);

/// What the options of a pass stand for; reports what is unknown at `op`.
FailureOr<DecomposeOptions>
getDecomposeOptions(Operation *op, StringRef flavour, bool allowUnproven);

/// Whether all functions of `scope`, one at least, are written as sequences of
/// tasks (`ane.sequence`).
bool areSequences(Operation *scope);

/// Applies patterns from the top down, so that a pool whose input is a pool
/// sees what became of it, until none applies. Returns the number of ops that
/// one was applied to; patterns that undo each other are an error. Remarks are
/// of the category `pass`.
FailureOr<int64_t> rewriteOps(Operation *scope, const DecomposeOptions &options,
                              ArrayRef<PopulatePatterns> patterns,
                              StringRef pass);

/// `BaseT` is the generated base of a pass, `PassT` has
/// `LogicalResult run(const DecomposeOptions &options)`.
template <typename PassT, typename BaseT> struct DecomposePass : BaseT {
  using BaseT::BaseT;

  void runOnOperation() override {
    FailureOr<DecomposeOptions> options = getDecomposeOptions(
        this->getOperation(), this->flavour, this->allowUnproven);
    if (failed(options))
      return this->signalPassFailure();
    if (!areSequences(this->getOperation()) &&
        failed(static_cast<PassT *>(this)->run(*options)))
      this->signalPassFailure();
  }

protected:
  /// Patterns that are applied together.
  LogicalResult rewrite(const DecomposeOptions &options,
                        ArrayRef<PopulatePatterns> patterns) {
    FailureOr<int64_t> count = rewriteOps(this->getOperation(), options,
                                          patterns, this->getArgument());
    if (failed(count))
      return failure();
    this->rewritten += *count;
    return success();
  }
};

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_CONSTANTS_DECOMPOSEPASS_H
