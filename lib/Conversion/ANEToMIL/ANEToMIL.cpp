//===- ANEToMIL.cpp - The ane dialect to MIL ------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Conversion/ANEToMIL/ANEToMIL.h"

#include "FunctionEmitter.h"

#include "ane/Dialect/ANE/Utils/ExpandAttention.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Support/Version.h"

namespace mlir::ane {
#define GEN_PASS_DEF_CONVERTANETOMIL
#include "ane/Conversion/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

// The private path refuses a text without buildInfo and does not look at what
// it says (*seen* by others); these are the versions whose layout we print, and
// ours.
static DictionaryAttr makeProgramAttributes(Builder &builder) {
  auto info = builder.getDictionaryAttr(
      {builder.getNamedAttr("coremlc-component-MIL",
                            builder.getStringAttr("3520.4.1")),
       builder.getNamedAttr("coremlc-version",
                            builder.getStringAttr("3520.5.1")),
       builder.getNamedAttr(
           "mlir-ane", builder.getStringAttr(
                           StringRef(::ane::version()).split(' ').second))});
  return builder.getDictionaryAttr(builder.getNamedAttr("buildInfo", info));
}

namespace {
struct ConvertANEToMIL : mlir::ane::impl::ConvertANEToMILBase<ConvertANEToMIL> {
  using ConvertANEToMILBase::ConvertANEToMILBase;

  LogicalResult convert(unsigned opsetNumber) {
    ModuleOp module = getOperation();
    auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
    if (functions.empty())
      return module.emitError("module has no function to convert to MIL");
    // The operation of MIL has no mask on the engine (Rules.def), and no sink.
    expandAttention(module);
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    auto program = mil::ProgramOp::create(builder, module.getLoc(),
                                          opsetNumber >= 18 ? "1.3" : "1.0",
                                          makeProgramAttributes(builder));
    builder.setInsertionPointToEnd(&program.getBody().front());
    for (func::FuncOp func : functions) {
      StringRef name = functions.size() == 1 ? "main" : func.getSymName();
      if (!mil::isIdentifier(name))
        return func.emitOpError("name is '")
               << name
               << "', but an identifier of MIL has letters, digits and '_' and "
                  "begins with no digit; rename it";
      if (failed(FunctionEmitter(builder, io == "fp16", opsetNumber)
                     .run(func, name, opset)))
        return failure();
    }
    for (func::FuncOp func : functions)
      func.erase();
    return success();
  }

  void runOnOperation() override {
    std::optional<unsigned> number = mil::parseOpset(opset);
    if (!number || !mil::existsOpset(*number)) {
      getOperation().emitError("opset is '")
          << opset << "', but must be one of ios15 to ios18, or ios26";
      return signalPassFailure();
    }
    if (io != "fp16" && io != "fp32") {
      getOperation().emitError("io is '")
          << io << "', but must be fp16 or fp32";
      return signalPassFailure();
    }
    if (io == "fp16" && *number < 16) {
      getOperation().emitError(
          "opset ios15 has no fp16 inputs and outputs; use io=fp32 or ios16");
      return signalPassFailure();
    }
    if (failed(convert(*number)))
      signalPassFailure();
  }
};
} // namespace
