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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir {
namespace ane {
#define GEN_PASS_DEF_CONVERTMILTOANE
#include "ane/Conversion/Passes.h.inc"
} // namespace ane
} // namespace mlir

using namespace mlir;
using namespace mlir::ane;

LogicalResult mlir::ane::importMIL(ModuleOp module, StringRef function,
                                   StringRef milRoot,
                                   SmallVectorImpl<MILHostStatement> *host) {
  auto programs = llvm::to_vector(module.getOps<mil::ProgramOp>());
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
  if (!milRoot.empty() && failed(mil::resolveBlobReferences(module, reader)))
    return failure();
  MILImporter importer(module.getContext(),
                       milRoot.empty() ? nullptr : &reader);
  addMILBlockImport(importer);
  addMILElementwiseImport(importer);
  addMILIndexImport(importer);
  addMILMatrixImport(importer);
  addMILRecurrentImport(importer);
  addMILReduceImport(importer);
  addMILRegionImport(importer);
  addMILSearchImport(importer);
  addMILShapeImport(importer);
  addMILSquaresImport(importer);
  addMILResizeImport(importer);
  addMILSamplingImport(importer);
  addMILWindowImport(importer);
  addMILHostImport(importer);
  addMILHostAngles(importer);
  addMILHostBoxes(importer);
  addMILHostSampling(importer);
  importer.leaveToHost(host);
  if (failed(importer.importFunction(*source, programs.front())))
    return failure();
  programs.front().erase();
  return success();
}

namespace {
struct ConvertMILToANE
    : public ane::impl::ConvertMILToANEBase<ConvertMILToANE> {
  using ConvertMILToANEBase::ConvertMILToANEBase;

  void runOnOperation() override {
    if (failed(importMIL(getOperation(), function, milRoot)))
      signalPassFailure();
  }
};
} // namespace
