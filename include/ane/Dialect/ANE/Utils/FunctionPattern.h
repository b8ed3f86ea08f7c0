//===- FunctionPattern.h - Patterns that are functions ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most patterns hold nothing but what they lower for. They are functions,
//
//   static LogicalResult logToLog2(ActivationOp op, PatternRewriter &rewriter);
//   static LogicalResult padToConv(PadOp op, PatternRewriter &rewriter,
//                                  const DecomposeOptions &options);
//
//   addPatterns<logToLog2, padToConv>(patterns, options);
//
// and remarks name them as they are named here, which a pattern of MLIR that is
// made of a function does not.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_UTILS_FUNCTIONPATTERN_H
#define ANE_DIALECT_ANE_UTILS_FUNCTIONPATTERN_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

#include <functional>

namespace mlir::ane {

/// A pattern of one function.
class FunctionPattern : public RewritePattern {
public:
  using Function = std::function<LogicalResult(Operation *, PatternRewriter &)>;

  /// `root`: what rootOf gives.
  template <typename RootT>
  FunctionPattern(MLIRContext *context, RootT root, StringRef name,
                  Function function, PatternBenefit benefit,
                  Pass::Statistic *count)
      : RewritePattern(root, benefit, context), function(std::move(function)),
        count(count) {
    setDebugName(name);
  }

  /// The ops that a function of OpT is called with.
  template <typename OpT> static auto rootOf() {
    if constexpr (std::is_same_v<OpT, Operation *>)
      return MatchAnyOpTypeTag();
    else
      return OpT::getOperationName();
  }

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    LogicalResult result = function(op, rewriter);
    if (count && succeeded(result))
      ++*count;
    return result;
  }

private:
  Function function;
  Pass::Statistic *count;
};

/// The name of `function`, without namespaces and arguments of a template.
template <auto function> StringRef getFunctionName() {
  StringRef name = __PRETTY_FUNCTION__; // "... [function = &ns::name<...>]"
  name = name.split("function = ").second.take_until([](char c) {
    return StringRef("<;]").contains(c);
  });
  return name.ltrim('&').substr(name.ltrim('&').rfind(':') + 1);
}

/// What patterns look at that look at nothing.
struct NoContext {};

template <typename OpT, typename... OwnT, typename ContextT>
void addPattern(RewritePatternSet &patterns, StringRef name,
                LogicalResult (*function)(OpT, PatternRewriter &, OwnT...),
                const ContextT &context, PatternBenefit benefit,
                Pass::Statistic *count) {
  auto apply = [function, &context](Operation *op, PatternRewriter &rewriter) {
    (void)context; // some look at nothing
    if constexpr (sizeof...(OwnT) == 0)
      return function(cast<OpT>(op), rewriter);
    else
      return function(cast<OpT>(op), rewriter, context);
  };
  patterns.add<FunctionPattern>(patterns.getContext(),
                                FunctionPattern::rootOf<OpT>(), name, apply,
                                benefit, count);
}

/// Adds functions as patterns, in their order. `context`, for those that take
/// it, has to live as long as the patterns; `count` counts what they rewrite.
template <auto... functions, typename ContextT = NoContext>
void addPatterns(RewritePatternSet &patterns, const ContextT &context = {},
                 PatternBenefit benefit = 1, Pass::Statistic *count = nullptr) {
  (addPattern(patterns, getFunctionName<functions>(), functions, context,
              benefit, count),
   ...);
}
template <auto... functions, typename ContextT = NoContext>
void addPatterns(RewritePatternSet &patterns, Pass::Statistic &count,
                 const ContextT &context = {}) {
  addPatterns<functions...>(patterns, context, /*benefit=*/1, &count);
}

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_UTILS_FUNCTIONPATTERN_H
