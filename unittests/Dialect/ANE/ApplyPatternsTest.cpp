//===- ApplyPatternsTest.cpp - Patterns that do not come to an end --------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/ApplyPatterns.h"
#include "ane/Dialect/ANE/IR/ANE.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

/// Makes `To` of the function `From`.
template <ActivationKind From, ActivationKind To>
struct Exchange : OpRewritePattern<ActivationOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ActivationOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getFunction().getKind() != From)
      return rewriter.notifyMatchFailure(op, "another function");
    rewriter.modifyOpInPlace(
        op, [&] { op.setFunctionAttr(ActivationAttr::get(getContext(), To)); });
    return success();
  }
};

using ReluToAbs = Exchange<ActivationKind::Relu, ActivationKind::Abs>;
using AbsToRelu = Exchange<ActivationKind::Abs, ActivationKind::Relu>;

class ApplyPatterns : public ::testing::Test {
protected:
  ApplyPatterns() {
    context.loadDialect<ANEDialect, func::FuncDialect>();
    module = parseSourceString<ModuleOp>(
        "func.func @f(%x: tensor<1x4x1x1xf16>) -> tensor<1x4x1x1xf16> {\n"
        "  %y = ane.activation %x {function = #ane.act<relu>}\n"
        "     : tensor<1x4x1x1xf16> -> tensor<1x4x1x1xf16>\n"
        "  return %y : tensor<1x4x1x1xf16>\n"
        "}\n",
        &context);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(ApplyPatterns, SucceedWhereNoneAppliesAnyMore) {
  ASSERT_TRUE(module);
  RewritePatternSet patterns(&context);
  patterns.add<ReluToAbs>(&context);
  EXPECT_TRUE(succeeded(applyPatterns(*module, std::move(patterns), "test")));
}

TEST_F(ApplyPatterns, FailWhereTheyUndoEachOther) {
  ASSERT_TRUE(module);
  RewritePatternSet patterns(&context);
  patterns.add<ReluToAbs, AbsToRelu>(&context);
  GreedyRewriteConfig config;
  config.setMaxIterations(4).setMaxNumRewrites(100);
  EXPECT_TRUE(
      failed(applyPatterns(*module, std::move(patterns), "test", config)));
}

} // namespace
