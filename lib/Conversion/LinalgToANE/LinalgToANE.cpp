//===- LinalgToANE.cpp - linalg to the ane dialect ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass, and what a destination held before an op accumulates on it.
//
//===----------------------------------------------------------------------===//

#include "ane/Conversion/LinalgToANE/LinalgToANE.h"

#include "ImportLinalg.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::ane;

namespace mlir {
namespace ane {
#define GEN_PASS_DEF_CONVERTLINALGTOANE
#include "ane/Conversion/Passes.h.inc"
} // namespace ane
} // namespace mlir

/// The value that a destination has everywhere, if it is that simple.
std::optional<double> mlir::ane::uniformValue(Value init) {
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    return FunctionImporter::splat(fill.getInputs().front());
  if (auto generic = init.getDefiningOp<linalg::GenericOp>())
    if (std::optional<Value> number = linalg::isaFillOpInterface(generic))
      return FunctionImporter::splat(*number);
  return FunctionImporter::splat(init);
}

LogicalResult mlir::ane::mapWithInit(FunctionImporter &importer,
                                     linalg::LinalgOp op, Value result,
                                     ElementwiseKind kind) {
  Value init = op.getDpsInits()[0];
  std::optional<double> uniform = uniformValue(init);
  // Maxima start from the least number of the type, whichever that is.
  bool changesNothing =
      uniform && (kind == ElementwiseKind::Max   ? *uniform <= -65504
                  : kind == ElementwiseKind::Min ? *uniform >= 65504
                  : kind == ElementwiseKind::Mul ? *uniform == 1
                                                 : *uniform == 0);
  if (!changesNothing) {
    Value before = importer.lookup(init);
    if (!before)
      return op->emitOpError("accumulates on a tensor that holds nothing; fill "
                             "its destination first");
    result = createBinary(importer, op->getLoc(), kind, result, before);
  }
  importer.map(op->getResult(0), result);
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

void mlir::ane::addLinalgImport(FunctionImporter &importer) {
  addTensorImport(importer);
  addLinalgLoopImport(importer);
}

namespace {
struct ConvertLinalgToANEPass
    : public ane::impl::ConvertLinalgToANEBase<ConvertLinalgToANEPass> {
  using ConvertLinalgToANEBase::ConvertLinalgToANEBase;

  void runOnOperation() override {
    FailureOr<func::FuncOp> chosen = findFunction(getOperation(), function);
    if (failed(chosen))
      return signalPassFailure();
    unrollLoops(*chosen);
    separateWindows(*chosen);
    FunctionImporter importer(&getContext());
    addLinalgImport(importer);
    addArithImport(importer);
    if (failed(importer.importModule(getOperation(), function)))
      signalPassFailure();
  }
};
} // namespace
