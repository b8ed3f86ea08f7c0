//===- StableHLOToANE.cpp - StableHLO to the ane dialect ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass. Exporters write one public function that calls private ones; they
// become one function first.
//
//===----------------------------------------------------------------------===//

#include "ane/Conversion/StableHLOToANE/StableHLOToANE.h"

#include "ImportStableHLO.h"
#include "ane/Conversion/LinalgToANE/LinalgToANE.h"
#include "ane/Conversion/TosaToANE/TosaToANE.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::ane;

namespace mlir {
namespace ane {
#define GEN_PASS_DEF_CONVERTSTABLEHLOTOANE
#include "ane/Conversion/Passes.h.inc"
} // namespace ane
} // namespace mlir

void mlir::ane::addStableHLOImport(FunctionImporter &importer) {
  addStableHLOElementwiseImport(importer);
  addStableHLOProductImport(importer);
  addStableHLOSearchImport(importer);
  addStableHLOShapeImport(importer);
  addStableHLOWindowImport(importer);
}

static bool isStableHLO(Operation *op) {
  return isa_and_nonnull<stablehlo::StableHLODialect, chlo::CHLODialect>(
      op->getDialect());
}

/// A composite is what its decomposition computes, unless it has a name that is
/// known.
static void callDecompositions(ModuleOp module) {
  module.walk([](stablehlo::CompositeOp op) {
    bool isKnown = namedFunction(op.getName()) && op->getNumOperands() == 1 &&
                   op->getOperandTypes() == op->getResultTypes();
    if (isKnown)
      return;
    OpBuilder builder(op);
    // Its decomposition sorts.
    auto count = op.getCompositeAttributes()
                     ? op.getCompositeAttributes()->getAs<IntegerAttr>("k")
                     : IntegerAttr();
    if (op.getName() == "chlo.top_k" && count && op->getNumOperands() == 1 &&
        op->getNumResults() == 2 &&
        isa<RankedTensorType>(op->getOperandTypes()[0])) {
      op->replaceAllUsesWith(chlo::TopKOp::create(
          builder, op.getLoc(), op->getResultTypes(), op->getOperand(0),
          builder.getI64IntegerAttr(count.getInt())));
      op->erase();
      return;
    }
    auto call =
        func::CallOp::create(builder, op.getLoc(), op.getDecompositionAttr(),
                             op->getResultTypes(), op->getOperands());
    op->replaceAllUsesWith(call);
    op->erase();
  });
}

/// The dialect keeps ops that it does not know.
static LogicalResult checkKnown(func::FuncOp function) {
  WalkResult result =
      function.walk(
          [](Operation *op) {
            if (op->isRegistered() || !isStableHLO(op))
              return WalkResult::advance();
            op->emitError("'")
                << op->getName().getStringRef()
                << "' cannot be imported: the engine has nothing for it; "
                   "rewrite it with supported ops "
                   "(docs/Passes.md, convert-stablehlo-to-ane), or run "
                   "this part of the network on the host";
            return WalkResult::interrupt();
          });
  return failure(result.wasInterrupted());
}

namespace {
struct ConvertStableHLOToANEPass
    : public ane::impl::ConvertStableHLOToANEBase<ConvertStableHLOToANEPass> {
  using ConvertStableHLOToANEBase::ConvertStableHLOToANEBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    bool isOurs = module
                      .walk([](Operation *op) {
                        return isStableHLO(op) ? WalkResult::interrupt()
                                               : WalkResult::advance();
                      })
                      .wasInterrupted();
    if (!isOurs)
      return;
    FailureOr<func::FuncOp> chosen = findFunction(module, function);
    if (failed(chosen))
      return signalPassFailure();
    std::string name = chosen->getName().str();
    callDecompositions(module);
    OpPassManager inliner(ModuleOp::getOperationName());
    inliner.addPass(createInlinerPass({}, [](OpPassManager &) {}));
    if (failed(runPipeline(inliner, module)))
      return signalPassFailure();
    chosen = findFunction(module, name);
    if (failed(chosen))
      return signalPassFailure();
    flattenStableHLO(*chosen);
    if (failed(checkKnown(*chosen)))
      return signalPassFailure();
    FunctionImporter importer(&getContext());
    addStableHLOImport(importer);
    addTosaImport(importer);
    addLinalgImport(importer);
    addArithImport(importer);
    if (failed(importer.importModule(module, name)))
      return signalPassFailure();
    // How many machines it was written for says nothing about this one.
    for (StringRef attr : {"mhlo.num_partitions", "mhlo.num_replicas"})
      module->removeAttr(attr);
  }
};
} // namespace
