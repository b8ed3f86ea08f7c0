//===- MILToANE.cpp - MIL to the ane dialect ------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Conversion/MILToANE/MILToANE.h"

#include "Statement.h"

#include "ane/Dialect/MIL/Utils/Statement.h"
#include "ane/Target/MIL/BlobReader.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir {
namespace ane {
#define GEN_PASS_DEF_CONVERTMILTOANE
#include "ane/Conversion/Passes.h.inc"
} // namespace ane
} // namespace mlir

using namespace mlir;
using namespace mlir::ane;

namespace {
struct ConvertMILToANE
    : public ane::impl::ConvertMILToANEBase<ConvertMILToANE> {
  using ConvertMILToANEBase::ConvertMILToANEBase;

  LogicalResult convert() {
    auto programs = llvm::to_vector(getOperation().getOps<mil::ProgramOp>());
    // Networks of other dialects go through the same pipeline.
    if (programs.empty())
      return success();
    if (programs.size() > 1)
      return emitError(programs[1].getLoc(), "the module has ")
             << programs.size() << " programs, but one is compiled";
    auto source = mil::findFunction(programs.front(), function);
    if (failed(source))
      return failure();
    mil::BlobReader reader(milRoot);
    if (!milRoot.empty() &&
        failed(mil::resolveBlobReferences(getOperation(), reader)))
      return failure();
    MILImporter importer(&getContext(), milRoot.empty() ? nullptr : &reader);
    addMILBlockImport(importer);
    addMILElementwiseImport(importer);
    addMILIndexImport(importer);
    addMILMatrixImport(importer);
    addMILRecurrentImport(importer);
    addMILReduceImport(importer);
    addMILSearchImport(importer);
    addMILShapeImport(importer);
    addMILSquaresImport(importer);
    addMILWindowImport(importer);
    if (failed(importer.importFunction(*source, programs.front())))
      return failure();
    programs.front().erase();
    return success();
  }

  void runOnOperation() override {
    if (failed(convert()))
      signalPassFailure();
  }
};
} // namespace
