//===- TosaToANE.cpp - TOSA to the ane dialect ----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass, and the ops that work element by element or along dimensions, where
// the order of the dimensions does not matter. Every op becomes one op; what
// can be simplified (a clamp that is a relu, a multiplication by one) is left
// to the canonicaliser.
//
//===----------------------------------------------------------------------===//

#include "ane/Conversion/TosaToANE/TosaToANE.h"

#include "ImportTosa.h"
#include "ane/Conversion/LinalgToANE/LinalgToANE.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace mlir::ane;

namespace mlir {
namespace ane {
#define GEN_PASS_DEF_CONVERTTOSATOANE
#include "ane/Conversion/Passes.h.inc"
} // namespace ane
} // namespace mlir

LogicalResult mlir::ane::checkZeroPoint(Operation *op, Value zeroPoint,
                                        StringRef what) {
  std::optional<double> value = FunctionImporter::splat(zeroPoint);
  if (value && *value == 0)
    return success();
  return op->emitOpError("has ")
         << what
         << " that is not the constant 0: quantised networks cannot be "
            "imported; export the network in f32 or f16";
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

static LogicalResult importActivation(FunctionImporter &importer, Operation *op,
                                      ActivationAttr function) {
  if (failed(FunctionImporter::checkFloat(op)))
    return failure();
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  importer.map(op->getResult(0),
               ActivationOp::create(importer.builder, op->getLoc(),
                                    input->getType(), *input, function));
  return success();
}

template <typename OpTy>
static void addActivation(FunctionImporter &importer, ActivationKind kind) {
  importer.add<OpTy>([kind](FunctionImporter &importer, OpTy op) {
    return importActivation(importer, op,
                            ActivationAttr::get(op.getContext(), kind));
  });
}

static LogicalResult importBinary(FunctionImporter &importer, Operation *op,
                                  ElementwiseKind kind) {
  if (failed(FunctionImporter::checkFloat(op)))
    return failure();
  FailureOr<Value> lhs = importer.operand(op, 0);
  FailureOr<Value> rhs = importer.operand(op, 1);
  if (failed(lhs) || failed(rhs))
    return failure();
  auto type = withElementType(op->getResult(0).getType(),
                              FunctionImporter::elementType({*lhs, *rhs}));
  importer.map(op->getResult(0),
               ElementwiseOp::create(
                   importer.builder, op->getLoc(), type, kind, *lhs, *rhs,
                   /*scale=*/llvm::APFloat(1.0f), /*bias=*/llvm::APFloat(0.0f),
                   /*activation=*/ActivationAttr()));
  return success();
}

template <typename OpTy>
static void addBinary(FunctionImporter &importer, ElementwiseKind kind) {
  importer.add<OpTy>([kind](FunctionImporter &importer, OpTy op) {
    return importBinary(importer, op, kind);
  });
}

static LogicalResult importNegate(FunctionImporter &importer,
                                  tosa::NegateOp op) {
  if (failed(checkZeroPoint(op, op.getInput1Zp(), "an input zero point")) ||
      failed(checkZeroPoint(op, op.getOutputZp(), "an output zero point")))
    return failure();
  return importActivation(
      importer, op, ActivationAttr::get(op.getContext(), ActivationKind::Neg));
}

static LogicalResult importClamp(FunctionImporter &importer, tosa::ClampOp op) {
  auto min = dyn_cast<FloatAttr>(op.getMinVal());
  auto max = dyn_cast<FloatAttr>(op.getMaxVal());
  if (!min || !max)
    return op.emitOpError("has integer bounds ")
           << op.getMinVal() << " and " << op.getMaxVal()
           << ", but only floating-point networks can be imported";
  return importActivation(
      importer, op,
      ActivationAttr::get(op.getContext(), ActivationKind::Clamp,
                          min.getValueAsDouble(), max.getValueAsDouble()));
}

static LogicalResult importCast(FunctionImporter &importer, tosa::CastOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  Type type = getElementTypeOrSelf(op.getType());
  if (!type.isF16() && !type.isF32())
    return op.emitOpError("makes ")
           << type
           << ", but only f16 and f32 can be imported; compute on other "
              "types outside of the network";
  // Data is f16 whatever the source says; what is constant keeps its type.
  bool isConstant = getElementTypeOrSelf(input->getType()).isF32();
  importer.map(op, isConstant ? importer.castTo(op.getLoc(), *input, type)
                              : *input);
  return success();
}

//===----------------------------------------------------------------------===//
// Along dimensions
//===----------------------------------------------------------------------===//

template <typename OpTy>
static void addReduce(FunctionImporter &importer, ReduceKind kind) {
  importer.add<OpTy>([kind](FunctionImporter &importer,
                            OpTy op) -> LogicalResult {
    FailureOr<Value> input = importer.operand(op, 0);
    if (failed(input))
      return failure();
    auto type = withShape(input->getType(), op.getType().getShape());
    importer.map(op, ReduceOp::create(importer.builder, op.getLoc(), type, kind,
                                      *input, ArrayRef<int64_t>(op.getAxis())));
    return success();
  });
}

/// The engine has no product along a dimension; a short one is a chain of
/// multiplications.
static LogicalResult importReduceProduct(FunctionImporter &importer,
                                         tosa::ReduceProductOp op) {
  constexpr int64_t maxFactors = 16;
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  SmallVector<int64_t> sizes(shapeOf(*input));
  int64_t factors = sizes[op.getAxis()];
  if (factors > maxFactors)
    return op.emitOpError("multiplies ")
           << factors << " elements, but at most " << maxFactors
           << " can be imported; use a sum of logarithms";
  SmallVector<int64_t> offsets(sizes.size(), 0), strides(sizes.size(), 1);
  sizes[op.getAxis()] = 1;
  auto type = withShape(input->getType(), sizes);
  Value product;
  for (int64_t i = 0; i < factors; ++i) {
    offsets[op.getAxis()] = i;
    Value factor = SliceOp::create(importer.builder, op.getLoc(), type, *input,
                                   offsets, sizes, strides);
    product = product
                  ? ElementwiseOp::create(importer.builder, op.getLoc(), type,
                                          ElementwiseKind::Mul, product, factor,
                                          llvm::APFloat(1.0f),
                                          llvm::APFloat(0.0f), nullptr)
                        .getResult()
                  : factor;
  }
  importer.map(op, product);
  return success();
}

static LogicalResult importMatMul(FunctionImporter &importer,
                                  tosa::MatMulOp op) {
  if (failed(checkZeroPoint(op, op.getAZp(), "a zero point of a")) ||
      failed(checkZeroPoint(op, op.getBZp(), "a zero point of b")))
    return failure();
  FailureOr<Value> lhs = importer.operand(op, 0);
  FailureOr<Value> rhs = importer.operand(op, 1);
  if (failed(lhs) || failed(rhs))
    return failure();
  auto type =
      RankedTensorType::get(cast<RankedTensorType>(op.getType()).getShape(),
                            FunctionImporter::elementType({*lhs, *rhs}));
  importer.map(op, MatmulOp::create(importer.builder, op.getLoc(), type, *lhs,
                                    *rhs, /*transpose_lhs=*/false,
                                    /*transpose_rhs=*/false,
                                    /*activation=*/ActivationAttr()));
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static void addTosaElementwiseImport(FunctionImporter &importer) {
  addActivation<tosa::AbsOp>(importer, ActivationKind::Abs);
  addActivation<tosa::CeilOp>(importer, ActivationKind::Ceil);
  addActivation<tosa::ErfOp>(importer, ActivationKind::Erf);
  addActivation<tosa::ExpOp>(importer, ActivationKind::Exp);
  addActivation<tosa::FloorOp>(importer, ActivationKind::Floor);
  addActivation<tosa::LogOp>(importer, ActivationKind::Log);
  addActivation<tosa::ReciprocalOp>(importer, ActivationKind::Reciprocal);
  addActivation<tosa::RsqrtOp>(importer, ActivationKind::Rsqrt);
  addActivation<tosa::SigmoidOp>(importer, ActivationKind::Sigmoid);
  addActivation<tosa::TanhOp>(importer, ActivationKind::Tanh);
  addBinary<tosa::AddOp>(importer, ElementwiseKind::Add);
  addBinary<tosa::MaximumOp>(importer, ElementwiseKind::Max);
  addBinary<tosa::MinimumOp>(importer, ElementwiseKind::Min);
  // Its shift is 0 for floats: the verifier of TOSA says so.
  addBinary<tosa::MulOp>(importer, ElementwiseKind::Mul);
  addBinary<tosa::PowOp>(importer, ElementwiseKind::Pow);
  addBinary<tosa::SubOp>(importer, ElementwiseKind::Sub);
  importer.add<tosa::CastOp>(importCast);
  importer.add<tosa::ClampOp>(importClamp);
  importer.add<tosa::NegateOp>(importNegate);
}

void mlir::ane::addTosaImport(FunctionImporter &importer) {
  addTosaElementwiseImport(importer);
  addTosaShapeImport(importer);
  addTosaWindowImport(importer);
  addReduce<tosa::ReduceMaxOp>(importer, ReduceKind::Max);
  addReduce<tosa::ReduceMinOp>(importer, ReduceKind::Min);
  addReduce<tosa::ReduceSumOp>(importer, ReduceKind::Sum);
  importer.add<tosa::MatMulOp>(importMatMul);
  importer.add<tosa::ReduceProductOp>(importReduceProduct);
}

/// Whether another import has been here: the one function of the module is in
/// the ane dialect.
static bool isImported(ModuleOp module) {
  auto functions = module.getOps<func::FuncOp>();
  if (!llvm::hasSingleElement(functions) || (*functions.begin()).isExternal())
    return false;
  bool any = false, all = true;
  for (Operation &op : (*functions.begin()).getBody().getOps()) {
    bool isData = isa_and_nonnull<ANEDialect>(op.getDialect());
    any |= isData;
    all &= isData || isa<func::ReturnOp>(op);
  }
  return any && all;
}

namespace {
struct ConvertTosaToANEPass
    : public ane::impl::ConvertTosaToANEBase<ConvertTosaToANEPass> {
  using ConvertTosaToANEBase::ConvertTosaToANEBase;

  void runOnOperation() override {
    if (isImported(getOperation()))
      return;
    FunctionImporter importer(&getContext());
    addTosaImport(importer);
    // Exporters write in linalg and arith what TOSA has no op for.
    addLinalgImport(importer);
    addArithImport(importer);
    if (failed(importer.importModule(getOperation(), function)))
      return signalPassFailure();
    // It says which TOSA the module is checked against; none is left.
    getOperation()->removeAttr("tosa.target_env");
  }
};
} // namespace
