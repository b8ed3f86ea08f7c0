//===- Legalize.h - The rewrites of ane-legalize-mil ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rewrite gets a statement that violates a rule, and takes its place with
// statements that do not. It has the name that the rule's row in Rules.def has.
// ane-check-mil has looked before whether the rewrite can do it.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_LEGALIZE_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_LEGALIZE_H

#include "Checks.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::ane::mil {

/// What a rewrite works with.
struct Rewriting {
  const Statement &s;
  PatternRewriter &rewriter;
  NameTable &names;
  StatementBuilder b;

  Rewriting(const Statement &s, PatternRewriter &rewriter, NameTable &names);
  /// Ends the rewrite with the statement that computes the result.
  void replaceBy(StringRef type, ArrayRef<NewArgument> arguments);
};

using RewriteFn = void (*)(Rewriting &);

// LegalizeCompute.cpp
void splitBias(Rewriting &r);
void decomposeGelu(Rewriting &r);
void decomposeLayerNorm(Rewriting &r);
void decomposeAttention(Rewriting &r);
void convertEpsilon(Rewriting &r);
void rootToPow(Rewriting &r);
void squareToMul(Rewriting &r);
void widenVector(Rewriting &r);

// LegalizeProducts.cpp
void turnKernel(Rewriting &r);
void convToMatmul(Rewriting &r);
void matmulToConv(Rewriting &r);
void bridgeBlockwise(Rewriting &r);

// LegalizeMovement.cpp
void nameLiterals(Rewriting &r);
void storeConstants(Rewriting &r);
void boundMasks(Rewriting &r);
void spellConcat(Rewriting &r);
void turnSlice(Rewriting &r);
void tileToConcat(Rewriting &r);
void padToConcat(Rewriting &r);

// LegalizeBorder.cpp: of a function; each returns how much it changed.
unsigned sortBorder(FuncOp func);
unsigned castBorder(FuncOp func, NameTable &names);
unsigned prefixNames(FuncOp func, NameTable &names);
void addBuildInfo(ProgramOp program);

} // namespace mlir::ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_LEGALIZE_H
