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
#include "ane/Dialect/ANE/IR/Tiling.h"
#include "ane/Dialect/ANE/Utils/NumericWarning.h"
#include "ane/Dialect/ANE/Utils/Search.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <cmath>

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

LogicalResult mlir::ane::importBinary(FunctionImporter &importer, Operation *op,
                                      ElementwiseKind kind) {
  if (failed(FunctionImporter::checkFloat(op)))
    return failure();
  FailureOr<Value> lhs = importer.operand(op, 0);
  FailureOr<Value> rhs = importer.operand(op, 1);
  if (failed(lhs) || failed(rhs))
    return failure();
  importer.map(op->getResult(0),
               createBinary(importer, op->getLoc(), kind, *lhs, *rhs));
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

static std::optional<double> boundOf(Attribute attr) {
  if (auto bound = dyn_cast<FloatAttr>(attr))
    return bound.getValueAsDouble();
  if (auto bound = dyn_cast<IntegerAttr>(attr))
    return bound.getValue().getSExtValue();
  return std::nullopt;
}

static LogicalResult importClamp(FunctionImporter &importer, tosa::ClampOp op) {
  auto min = boundOf(op.getMinVal()), max = boundOf(op.getMaxVal());
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  if (!min || !max)
    return op.emitOpError("has bounds ")
           << op.getMinVal() << " and " << op.getMaxVal()
           << ", but only numbers can be imported";
  // Bytes have no other values.
  bool isByte = getElementTypeOrSelf(op.getType()).isSignlessInteger(8);
  importer.map(op,
               isByte && *min <= -128 && *max >= 127
                   ? *input
                   : createUnary(importer, op.getLoc(), ActivationKind::Clamp,
                                 *input, *min, *max));
  return success();
}

static LogicalResult importCast(FunctionImporter &importer, tosa::CastOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  Location loc = op.getLoc();
  Type type = getElementTypeOrSelf(op.getType());
  Type from = getElementTypeOrSelf(op.getInput().getType());
  // What is constant keeps its type; data is f16 whatever the source says.
  bool isConstant = getElementTypeOrSelf(input->getType()).isF32();
  bool isSmall = from.isInteger(1) || from.isInteger(8);
  // What is there fits, or is an index.
  bool isWide = isa<IntegerType>(type) && isa<IntegerType>(from) &&
                (((isConstant || isSmall) && !type.isInteger(8)) ||
                 type.getIntOrFloatBitWidth() >= from.getIntOrFloatBitWidth());
  if (type.isF16() || type.isF32() || type.isBF16())
    importer.map(op, isConstant && type.isF16()
                         ? importer.castTo(loc, *input, type)
                         : *input);
  else if (type.isInteger(1))
    importer.map(op, createCompare(importer, loc, CompareKind::NotEqual, *input,
                                   createNumber(importer, loc, *input, 0)));
  else if (isWide)
    importer.map(op, *input);
  else if (isa<FloatType>(from) &&
           (type.isSignlessInteger(32) || type.isSignlessInteger(64)))
    importer.map(op, createUnary(importer, loc, ActivationKind::Round, *input));
  else if (type.isSignlessInteger(8) && isa<FloatType>(from))
    importer.map(op, createByte(importer, loc, *input));
  else
    return op.emitOpError("makes ")
           << type << " of " << from
           << ", but the engine makes f16, f32, booleans, i8 of floats and i32 "
              "only; compute on other types outside of the network";
  return success();
}

//===----------------------------------------------------------------------===//
// Booleans: 1 and 0
//===----------------------------------------------------------------------===//

template <typename OpTy>
static void addCompare(FunctionImporter &importer, CompareKind kind) {
  importer.addFunction<OpTy>([kind](FunctionImporter &importer, Location loc,
                                    SmallVector<Value> &operands) {
    return createCompare(importer, loc, kind, operands[0], operands[1]);
  });
}

template <typename OpTy>
static void addLogic(FunctionImporter &importer, ElementwiseKind kind) {
  importer.addFunction<OpTy>([kind](FunctionImporter &importer, Location loc,
                                    SmallVector<Value> &operands) {
    return createBinary(importer, loc, kind, operands[0], operands[1]);
  });
}

static LogicalResult importSelect(FunctionImporter &importer,
                                  tosa::SelectOp op) {
  SmallVector<Value> operands;
  if (failed(importer.operands(op, operands)))
    return failure();
  Value result = createSelect(importer, op.getLoc(), operands[0], operands[1],
                              operands[2]);
  if (!getElementTypeOrSelf(result.getType()).isF32() &&
      failed(FunctionImporter::checkWhole(op)))
    return failure();
  importer.map(op, result);
  return success();
}

static void addTosaBooleanImport(FunctionImporter &importer) {
  addCompare<tosa::EqualOp>(importer, CompareKind::Equal);
  addCompare<tosa::GreaterEqualOp>(importer, CompareKind::GreaterEqual);
  addCompare<tosa::GreaterOp>(importer, CompareKind::Greater);
  addCompare<tosa::LogicalXorOp>(importer, CompareKind::NotEqual);
  addLogic<tosa::LogicalAndOp>(importer, ElementwiseKind::Min);
  addLogic<tosa::LogicalOrOp>(importer, ElementwiseKind::Max);
  importer.addFunction<tosa::LogicalNotOp>([](FunctionImporter &importer,
                                              Location loc,
                                              SmallVector<Value> &operands) {
    return createNot(importer, loc, operands[0]);
  });
  importer.add<tosa::SelectOp>(importSelect);
}

//===----------------------------------------------------------------------===//
// Along dimensions
//===----------------------------------------------------------------------===//

template <typename OpTy>
static void addReduce(FunctionImporter &importer, ReduceKind kind) {
  importer.add<OpTy>(
      [kind](FunctionImporter &importer, OpTy op) -> LogicalResult {
        int64_t axis = op.getAxis();
        ArrayRef<int64_t> shape = op.getType().getShape();
        // A sum of accumulators may not fit f16, but their mean does.
        if (auto scaled = importer.lookupScaled(op.getInput());
            scaled && kind == ReduceKind::Sum) {
          auto type = withShape(scaled->data.getType(), shape);
          int64_t count = shapeOf(scaled->data)[axis];
          importer.mapScaled(op,
                             ReduceOp::create(importer.builder, op.getLoc(),
                                              type, ReduceKind::Mean,
                                              scaled->data, ArrayRef(axis)),
                             scaled->factor * count);
          return success();
        }
        // Sums of whole numbers may be none that f16 has.
        if (kind == ReduceKind::Sum && failed(FunctionImporter::checkFloat(op)))
          return failure();
        FailureOr<Value> input = importer.operand(op, 0);
        if (failed(input))
          return failure();
        auto type = withShape(input->getType(), shape);
        importer.map(op, ReduceOp::create(importer.builder, op.getLoc(), type,
                                          kind, *input, ArrayRef(axis)));
        return success();
      });
}

static LogicalResult importReduceProduct(FunctionImporter &importer,
                                         tosa::ReduceProductOp op) {
  if (failed(FunctionImporter::checkFloat(op)))
    return failure();
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  FailureOr<Value> product = multiplyAlong(importer, op, *input, op.getAxis());
  if (failed(product))
    return failure();
  importer.map(op, *product);
  return success();
}

// Infinities are numbers like others, and data has no NaN.
static LogicalResult importArgMax(FunctionImporter &importer,
                                  tosa::ArgMaxOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  if (auto why = checkSearch(shapeOf(*input)[op.getAxis()]))
    return op.emitOpError(*why);
  Extreme found = findExtreme(importer.builder, op.getLoc(), *input,
                              op.getAxis(), /*isMax=*/true);
  importer.map(
      op, importer.reshape(op.getLoc(), found.index,
                           cast<RankedTensorType>(op.getType()).getShape()));
  return success();
}

// Products of bytes are sums that f16 cannot hold: the left side is made
// smaller first, which is exact, by the power of 2 that is the factor.
static LogicalResult importMatMul(FunctionImporter &importer,
                                  tosa::MatMulOp op) {
  FailureOr<Value> lhs = importer.operand(op, 0);
  FailureOr<Value> rhs = importer.operand(op, 1);
  if (failed(lhs) || failed(rhs))
    return failure();
  lhs = withoutZeroPoint(importer, op, *lhs, op.getAZp(), "a zero point of a");
  rhs = withoutZeroPoint(importer, op, *rhs, op.getBZp(), "a zero point of b");
  if (failed(lhs) || failed(rhs))
    return failure();
  double factor = 1;
  bool isQuantized = getElementTypeOrSelf(op.getA().getType()).isInteger(8);
  if (isQuantized) {
    constexpr double largest = 255 * 255, limit = 32768;
    double bound = largest * shapeOf(*lhs).back();
    factor = std::exp2(std::ceil(std::log2(bound / limit)));
    lhs = createBinary(importer, op.getLoc(), ElementwiseKind::Mul, *lhs,
                       createNumber(importer, op.getLoc(), *lhs, 1 / factor));
  }
  auto type =
      RankedTensorType::get(cast<RankedTensorType>(op.getType()).getShape(),
                            FunctionImporter::elementType({*lhs, *rhs}));
  Value product = MatmulOp::create(importer.builder, op.getLoc(), type, *lhs,
                                   *rhs, /*transpose_lhs=*/false,
                                   /*transpose_rhs=*/false,
                                   /*activation=*/ActivationAttr());
  if (isQuantized)
    importer.mapScaled(op, product, factor);
  else
    importer.map(op, product);
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static void addTosaElementwiseImport(FunctionImporter &importer) {
  addActivation<tosa::AbsOp>(importer, ActivationKind::Abs);
  addActivation<tosa::CeilOp>(importer, ActivationKind::Ceil);
  addActivation<tosa::CosOp>(importer, ActivationKind::Cos);
  addActivation<tosa::ErfOp>(importer, ActivationKind::Erf);
  addActivation<tosa::ExpOp>(importer, ActivationKind::Exp);
  addActivation<tosa::FloorOp>(importer, ActivationKind::Floor);
  addActivation<tosa::LogOp>(importer, ActivationKind::Log);
  addActivation<tosa::ReciprocalOp>(importer, ActivationKind::Reciprocal);
  addActivation<tosa::RsqrtOp>(importer, ActivationKind::Rsqrt);
  addActivation<tosa::SigmoidOp>(importer, ActivationKind::Sigmoid);
  addActivation<tosa::SinOp>(importer, ActivationKind::Sin);
  addActivation<tosa::TanhOp>(importer, ActivationKind::Tanh);
  addBinary<tosa::MaximumOp>(importer, ElementwiseKind::Max);
  addBinary<tosa::MinimumOp>(importer, ElementwiseKind::Min);
  addBinary<tosa::PowOp>(importer, ElementwiseKind::Pow);
  importer.add<tosa::CastOp>(importCast);
  importer.add<tosa::ClampOp>(importClamp);
  importer.add<tosa::NegateOp>(importNegate);
}

void mlir::ane::addTosaImport(FunctionImporter &importer) {
  addTosaBooleanImport(importer);
  addTosaElementwiseImport(importer);
  addTosaQuantizedImport(importer);
  addTosaShapeImport(importer);
  addTosaTransformImport(importer);
  addTosaWindowImport(importer);
  addReduce<tosa::ReduceAllOp>(importer, ReduceKind::Min);
  addReduce<tosa::ReduceAnyOp>(importer, ReduceKind::Max);
  addReduce<tosa::ReduceMaxOp>(importer, ReduceKind::Max);
  addReduce<tosa::ReduceMinOp>(importer, ReduceKind::Min);
  addReduce<tosa::ReduceSumOp>(importer, ReduceKind::Sum);
  importer.add<tosa::ArgMaxOp>(importArgMax);
  importer.add<tosa::MatMulOp>(importMatMul);
  importer.add<tosa::ReduceProductOp>(importReduceProduct);
}

/// Whether another import has been here, or there is nothing to import: all of
/// the function is in the ane dialect.
static bool isImported(func::FuncOp function) {
  if (function.isExternal())
    return false;
  bool any = false, all = true;
  for (Operation &op : function.getBody().getOps()) {
    bool isData = isa_and_nonnull<ANEDialect>(op.getDialect());
    any |= isData;
    all &= isData || isa<func::ReturnOp>(op);
  }
  return any && all;
}

/// PROPAGATE is the default, which says nothing of what a network needs.
static void warnOfIgnoredNaN(func::FuncOp function) {
  function.walk([](Operation *op) {
    auto mode = op->getAttrOfType<tosa::NanPropagationModeAttr>("nan_mode");
    if (mode && mode.getValue() == tosa::NanPropagationMode::IGNORE)
      markNumeric(op->emitWarning())
          << op->getName()
          << " has nan_mode = IGNORE, a number where an operand is "
             "NaN; what the engine makes of NaN is not known; keep NaN out "
             "of its operands";
  });
}

namespace {
struct ConvertTosaToANEPass
    : public ane::impl::ConvertTosaToANEBase<ConvertTosaToANEPass> {
  using ConvertTosaToANEBase::ConvertTosaToANEBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<func::FuncOp> chosen = findFunction(module, function);
    if (failed(chosen))
      return signalPassFailure();
    foldVariables(module);
    unrollLoops(*chosen);
    separateWindows(*chosen);
    if (isImported(*chosen)) {
      keepOnly(module, *chosen);
      setPlanned(*chosen);
      return;
    }
    warnOfIgnoredNaN(*chosen);
    FunctionImporter importer(&getContext());
    addTosaImport(importer);
    // Exporters write in linalg and arith what TOSA has no op for.
    addLinalgImport(importer);
    addArithImport(importer);
    if (failed(importer.importModule(module, function)))
      return signalPassFailure();
    // It says which TOSA the module is checked against; none is left.
    module->removeAttr("tosa.target_env");
    for (auto variable :
         llvm::make_early_inc_range(module.getOps<tosa::VariableOp>()))
      variable.erase();
  }
};
} // namespace
