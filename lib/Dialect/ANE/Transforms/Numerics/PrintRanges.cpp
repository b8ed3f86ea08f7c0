//===- PrintRanges.cpp - Ranges for people --------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Numerics/Passes.h"
#include "ane/Dialect/ANE/Transforms/Numerics/Ranges.h"

#include "llvm/Support/Format.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANEPRINTRANGES
#include "ane/Dialect/ANE/Transforms/Numerics/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {
struct PrintRanges : public mlir::ane::impl::ANEPrintRangesBase<PrintRanges> {
  void runOnOperation() override {
    RangeAnalysis ranges(getOperation());
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto function = dyn_cast<func::FuncOp>(op))
        for (BlockArgument argument : function.getArguments())
          remark(argument.getLoc(), ranges.get(argument))
              << " (argument " << argument.getArgNumber() << ")";
      if (!isa_and_present<ANEDialect>(op->getDialect()) ||
          op->getNumResults() != 1 ||
          !isa<RankedTensorType>(op->getResult(0).getType()))
        return;
      InFlightDiagnostic text =
          remark(op->getLoc(), ranges.get(op->getResult(0)));
      if (std::optional<double> sum = ranges.runningSum(op)) {
        std::string number;
        llvm::raw_string_ostream(number) << llvm::format("%.6g", *sum);
        text << ", running sum " << number;
      }
    });
    markAllAnalysesPreserved();
  }

private:
  static InFlightDiagnostic remark(Location loc, const NumberRange &range) {
    std::string text;
    llvm::raw_string_ostream os(text);
    range.print(os);
    return emitRemark(loc) << text;
  }
};
} // namespace
