//===- LegalizeMIL.cpp - Rewrite what the private paths refuse ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pattern looks at each statement with the checks of ane-check-mil and runs
// the rewrite that the first violated rule names. What concerns a function or
// the program as a whole follows.
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"
#include "TargetOptions.h"

#include "ane/Dialect/MIL/Transforms/Passes.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::ane::mil {
#define GEN_PASS_DEF_ANELEGALIZEMIL
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace mlir::ane::mil

using namespace mlir;
using namespace mlir::ane::mil;

namespace {
struct NamedRewrite {
  StringLiteral name;
  RewriteFn run;
};
} // namespace

static constexpr NamedRewrite kRewrites[] = {
    {"bound-masks", boundMasks},
    {"bridge-blockwise", bridgeBlockwise},
    {"conv-to-matmul", convToMatmul},
    {"convert-epsilon", convertEpsilon},
    {"decompose-attention", decomposeAttention},
    {"decompose-gelu", decomposeGelu},
    {"decompose-layer-norm", decomposeLayerNorm},
    {"matmul-to-conv", matmulToConv},
    {"name-literals", nameLiterals},
    {"pad-to-concat", padToConcat},
    {"root-to-pow", rootToPow},
    {"spell-concat", spellConcat},
    {"split-bias", splitBias},
    {"square-to-mul", squareToMul},
    {"store-constants", storeConstants},
    {"tile-to-concat", tileToConcat},
    {"turn-kernel", turnKernel},
    {"turn-slice", turnSlice},
    {"widen-vector", widenVector},
};

static RewriteFn findRewrite(StringRef name) {
  for (const NamedRewrite &rewrite : kRewrites)
    if (rewrite.name == name)
      return rewrite.run;
  return nullptr;
}

Rewriting::Rewriting(const Statement &s, PatternRewriter &rewriter,
                     NameTable &names)
    : s(s), rewriter(rewriter), names(names),
      b(rewriter, names, s.op->getLoc(),
        getValueName(s.getResult()).empty() ? s.getType()
                                            : getValueName(s.getResult())) {}

void Rewriting::replaceBy(StringRef type, ArrayRef<NewArgument> arguments) {
  rewriter.replaceOp(s.op, b.emitInPlaceOf(s.op, type, arguments));
}

// Reading a program checks the types of its arguments, not what axes count.
static bool hasAxesInRange(const Statement &s) {
  if (!s.has("axes") || !s.has("x"))
    return true;
  auto type = dyn_cast<RankedTensorType>(s.get("x").getType());
  std::optional<SmallVector<int64_t>> axes = s.getIntegers("axes");
  return type && axes && llvm::all_of(*axes, [&](int64_t axis) {
           return -type.getRank() <= axis && axis < type.getRank();
         });
}

namespace {
struct LegalizeStatement : OpInterfaceRewritePattern<MILOpInterface> {
  LegalizeStatement(MLIRContext *context, const Target &target,
                    NameTable &names, unsigned &count)
      : OpInterfaceRewritePattern(context), target(target), names(names),
        count(count) {}

  LogicalResult matchAndRewrite(MILOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!op->getNumResults())
      return failure();
    Statement statement(op);
    RewriteFn run = nullptr;
    Checker checker(target, [&](const Violation &violation) {
      if (!run && violation.canRewrite)
        run = findRewrite(violation.rule->rewrite);
    });
    checker.check(statement);
    if (!run || !hasAxesInRange(statement))
      return failure();
    ++count;
    Rewriting rewriting(statement, rewriter, names);
    run(rewriting);
    return success();
  }

  const Target &target;
  NameTable &names;
  unsigned &count;
};

struct ANELegalizeMIL
    : mlir::ane::mil::impl::ANELegalizeMILBase<ANELegalizeMIL> {
  using ANELegalizeMILBase::ANELegalizeMILBase;

  LogicalResult initializeOptions(
      StringRef options,
      function_ref<LogicalResult(const Twine &)> errorHandler) override {
    return Pass::initializeOptions(spellTargetOptions(options), errorHandler);
  }

  LogicalResult legalize(FuncOp func, const Target &target) {
    NameTable names(func);
    unsigned count = 0;
    auto holds = [&](RuleId id) {
      return ane::mil::holds(getRule(id), target);
    };
    if (holds(RuleId::BorderFloat32) || holds(RuleId::BorderFloat32E5))
      count += castBorder(func, names);
    RewritePatternSet patterns(func.getContext());
    patterns.add<LegalizeStatement>(func.getContext(), target, names, count);
    GreedyRewriteConfig config;
    config.enableFolding(false).enableConstantCSE(false);
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(applyPatternsGreedily(func, std::move(patterns), config)))
      return func.emitError("ane-legalize-mil does not come to an end");
    if (holds(RuleId::BorderOrder))
      count += sortBorder(func);
    if (holds(RuleId::ValueName))
      count += prefixNames(func, names);
    rewrites += count;
    return success();
  }

  void runOnOperation() override {
    llvm::Expected<Target> target = parseTarget(this->target, path, compiler);
    if (!target) {
      getOperation().emitError("ane-legalize-mil: ")
          << llvm::toString(target.takeError());
      return signalPassFailure();
    }
    if (failed(expectProgram(getOperation(), "ane-legalize-mil")))
      return signalPassFailure();
    for (auto program : getOperation().getOps<ProgramOp>()) {
      if (ane::mil::holds(getRule(RuleId::BuildInfo), *target) &&
          !program.getProgramAttributes().get("buildInfo")) {
        addBuildInfo(program);
        ++rewrites;
      }
      for (auto func : program.getBody().getOps<FuncOp>())
        if (failed(legalize(func, *target)))
          return signalPassFailure();
    }
  }
};
} // namespace
