//===- InitAll.cpp - Everything that a tool can register ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/InitAll.h"

#include "ane/Conversion/ANEToHWX/ExplainWord.h"
#include "ane/Conversion/Passes.h"
#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/IR/Tiling.h"
#include "ane/Dialect/ANE/Transforms/Passes.h"
#include "ane/Dialect/HWX/IR/HWX.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Dialect/StableHLO/IR/StableHLO.h"
#include "ane/Flavours/Flavour.h"
#include "ane/Pipelines/BindArguments.h"
#include "ane/Pipelines/Partition.h"
#include "ane/Pipelines/Pipelines.h"
#include "ane/Pipelines/SetShapes.h"
#include "ane/Target/HWX/HWXTranslation.h"
#include "ane/Target/MIL/MILTranslation.h"
#include "ane/Target/MLPackage/MLPackage.h"
#include "ane/Target/Models/Models.h"
#include "ane/Target/ONNX/ONNX.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/DialectExtension.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/TransformOps/TensorTransformOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mlir::ane::registerAllDialects(DialectRegistry &registry) {
  registry.insert<ANEDialect, hwx::HWXDialect, mil::MILDialect,
                  stablehlo::StableHLODialect, chlo::CHLODialect>();
  registry
      .insert<affine::AffineDialect, arith::ArithDialect, func::FuncDialect,
              linalg::LinalgDialect, math::MathDialect, memref::MemRefDialect,
              scf::SCFDialect, tensor::TensorDialect, tosa::TosaDialect>();
  // Transform scripts can tile our ops.
  registry.insert<transform::TransformDialect>();
  linalg::registerTransformDialectExtension(registry);
  scf::registerTransformDialectExtension(registry);
  tensor::registerTransformDialectExtension(registry);
  registerTilingInterface(registry);
  registerFlavours(registry);
  // `ane-opt --inline`, which errors about calls advise.
  func::registerInlinerExtension(registry);
  // What stands beside a network in the files of other compilers: the host's
  // part of it, and drivers that feed it.
  registry.insert<bufferization::BufferizationDialect, cf::ControlFlowDialect,
                  LLVM::LLVMDialect, vector::VectorDialect>();
}

void mlir::ane::registerANEPasses() {
  registerANEConversionPasses();
  registerANETransformsPasses();
  registerBindArgumentsPass();
  registerSetShapesPass();
  registerPartitionPass();
  registerPipelines();
  mil::registerMILTransformsPasses();
}

void mlir::ane::registerAllPasses() {
  mlir::registerTransformsPasses();
  transform::registerInterpreterPass();
  registerANEPasses();
}

static LogicalResult lowerToMIL(ModuleOp module, StringRef opset) {
  PassManager passes(module.getContext());
  mlir::ane::ConvertANEToMILOptions options;
  if (!opset.empty())
    options.opset = opset.str();
  passes.addPass(mlir::ane::createConvertANEToMIL(options));
  passes.addPass(mlir::ane::mil::createANECheckMIL());
  return passes.run(module);
}

void mlir::ane::registerAllTranslations(OutputFiles *outputs,
                                        hwx::TaskNamer nameTasks,
                                        bool *differs) {
  hwx::registerHWXTranslations(
      {registerAllDialects, explainWord, nameTasks, outputs, differs});
  mil::registerFromMILTranslation();
  mil::registerToMILTranslation(registerAllDialects, lowerToMIL, outputs);
  mil::registerMLPackageTranslations(registerAllDialects, lowerToMIL, outputs);
  models::registerModelTranslations();
  onnx::registerONNXTranslation();
}
