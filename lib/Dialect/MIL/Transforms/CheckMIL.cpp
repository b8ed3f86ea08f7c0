//===- CheckMIL.cpp - What the private paths may refuse -------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/MIL/Transforms/Passes.h"

#include "TargetOptions.h"

namespace mlir::ane::mil {
#define GEN_PASS_DEF_ANECHECKMIL
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace mlir::ane::mil

using namespace mlir;
using namespace mlir::ane::mil;

// Without a target nothing is certain: what fails somewhere is a remark.
static DiagnosticSeverity getSeverity(const Violation &violation,
                                      const Target &target) {
  if (target.isAny())
    return DiagnosticSeverity::Remark;
  return violation.rule->severity == Severity::Error
             ? DiagnosticSeverity::Error
             : DiagnosticSeverity::Warning;
}

namespace {
struct ANECheckMIL : mlir::ane::mil::impl::ANECheckMILBase<ANECheckMIL> {
  using ANECheckMILBase::ANECheckMILBase;

  LogicalResult initializeOptions(
      StringRef options,
      function_ref<LogicalResult(const Twine &)> errorHandler) override {
    return Pass::initializeOptions(spellTargetOptions(options), errorHandler);
  }

  void runOnOperation() override {
    llvm::Expected<Target> target = parseTarget(this->target, path, compiler);
    if (!target) {
      getOperation().emitError("ane-check-mil: ")
          << llvm::toString(target.takeError());
      return signalPassFailure();
    }
    if (mlir::failed(expectProgram(getOperation(), "ane-check-mil")))
      return signalPassFailure();
    bool failed = false;
    Checker checker(*target, [&](const Violation &violation) {
      ++violations;
      DiagnosticSeverity severity = getSeverity(violation, *target);
      failed |= severity == DiagnosticSeverity::Error;
      getContext().getDiagEngine().emit(violation.op->getLoc(), severity)
          << describe(violation);
    });
    getOperation().walk([&](ProgramOp program) { checker.check(program); });
    if (failed)
      signalPassFailure();
  }
};
} // namespace
