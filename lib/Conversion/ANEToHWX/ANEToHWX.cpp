//===- ANEToHWX.cpp - Tasks to the hwx dialect ----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass: every function of tasks becomes an hwx.program. The work is in
// encodeProgram (EncodeProgram.cpp) and in the container of the hardware
// library.
//
//===----------------------------------------------------------------------===//

#include "ane/Conversion/ANEToHWX/ANEToHWX.h"

#include "ane/Flavours/Flavour.h"

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/IR/Target.h"
#include "ane/Dialect/HWX/IR/Convert.h"
#include "ane/HW/Container.h"

#include "mlir/Pass/Pass.h"

namespace mlir::ane {
#define GEN_PASS_DEF_CONVERTANETOHWX
#include "ane/Conversion/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

// Seen: 17 in programs that compute, 7 in concatenations, 4 in a plain copy.
static uint32_t programKind(func::FuncOp func) {
  bool computes = false;
  unsigned tasks = 0;
  func.walk([&](TaskOp task) {
    auto bypass = dyn_cast<NeBypassOp>(task.getCompute());
    computes |= !bypass || bypass.getActivation();
    ++tasks;
  });
  constexpr uint32_t compute = 17, concatenation = 7, copy = 4;
  if (computes)
    return compute;
  return tasks > 1 ? concatenation : copy;
}

/// The name of the file that the function comes from; "-" when it comes from
/// none.
static std::string sourceName(func::FuncOp func) {
  std::string name = "-";
  func.getLoc()->walk([&](Location loc) {
    if (auto file = dyn_cast<FileLineColRange>(loc)) {
      name = file.getFilename().str();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return name;
}

namespace {

struct ConvertANEToHWX
    : public mlir::ane::impl::ConvertANEToHWXBase<ConvertANEToHWX> {
  using ConvertANEToHWXBase::ConvertANEToHWXBase;

  void runOnOperation() override {
    if (identity != "mlir-ane" && identity != "zin-4.2.1") {
      getOperation().emitError("identity is '")
          << identity << "', expected 'mlir-ane' or 'zin-4.2.1'";
      return signalPassFailure();
    }
    EncodingOptions options;
    options.generation = getTarget(getOperation()).id;
    options.flavour = flavour;
    options.allowUnproven = allowUnproven;
    options.keepConstants = keepConstants;
    for (auto func :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (failed(convert(func, options)))
        return signalPassFailure();
    // Programs say it themselves.
    getOperation()->removeAttr(ANEDialect::getTargetAttrName());
  }

  LogicalResult convert(func::FuncOp func, const EncodingOptions &options) {
    FailureOr<::ane::hw::Program> program = encodeProgram(func, options);
    if (failed(program))
      return failure();
    ::ane::hw::Signature signature;
    signature.form = getFlavour(options.flavour, options.generation)->container;
    if (signature.form == ::ane::hw::ContainerForm::V4)
      signature.programKind = programKind(func);
    if (identity == "zin-4.2.1")
      signature.ident =
          ::ane::hw::identOf421(options.generation, sourceName(func));
    absl::StatusOr<::ane::hw::Container> container =
        ::ane::hw::makeContainer(*program, signature);
    if (!container.ok())
      return func.emitError("no container can hold the program: ")
             << std::string(container.status().message());
    OpBuilder builder(func);
    hwx::ProgramOp imported =
        hwx::importContainer(builder, func.getLoc(), *container);
    // Descriptors come from where their tasks do: reports name the source.
    for (auto [task, op] :
         llvm::zip_equal(func.getBody().getOps<TaskOp>(),
                         imported.getBody().getOps<hwx::TaskOp>()))
      op->setLoc(task.getLoc());
    func.erase();
    return success();
  }
};

} // namespace
