//===- FloatProducts.cpp - Products of integers in floats -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantised convolutions and products add up bytes in 32-bit integers,
//
//   acc + (ext(x) - zx) * (ext(w) - zw)
//
// Bytes without their zero points are whole numbers that f16 holds, and the
// engine accumulates in single precision, so the same in floats is right but
// for the sum, which may be too large for f16. It is kept smaller by a power of
// 2 that costs no precision, and which the scale after it takes back:
//
//   sitofp(acc) * scale  ->  acc' * (scale * 2^k)
//
// Sums that f16 counts exactly may be used as integers, too.
//
//===----------------------------------------------------------------------===//

#include "ImportLinalg.h"

#include "ane/Dialect/ANE/Utils/Search.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

namespace {
/// One side of such a product: an operand and its zero point.
struct Factor {
  OpOperand *operand = nullptr;
  double zeroPoint = 0;
  /// No element without its zero point is further from 0.
  double largest = 0;
};
struct IntegerProduct {
  Factor factors[2];
  /// No sum is further from 0.
  double largest = 0;
};
} // namespace

/// The operand that `value`, an argument of the body, stands for.
static OpOperand *operandOf(linalg::LinalgOp op, Value value) {
  auto arg = dyn_cast<BlockArgument>(value);
  return arg && arg.getOwner() == op.getBlock() &&
                 arg.getArgNumber() < op.getNumDpsInputs()
             ? op.getDpsInputOperand(arg.getArgNumber())
             : nullptr;
}

/// The largest number in a constant of integers, or of any byte.
static double largestOf(Value tensor, double zeroPoint) {
  double low = -128, high = 127;
  if (auto known = dyn_cast_or_null<DenseIntElementsAttr>(
          FunctionImporter::constant(tensor))) {
    low = high = zeroPoint;
    for (const APInt &number : distinctNumbers(known)) {
      low = std::min(low, number.signedRoundToDouble());
      high = std::max(high, number.signedRoundToDouble());
    }
  }
  return std::max({zeroPoint - low, high - zeroPoint, 1.0});
}

/// ext(x), or ext(x) - z.
static std::optional<Factor> factorOf(linalg::LinalgOp op, Value value) {
  Factor factor;
  if (auto shifted = value.getDefiningOp<arith::SubIOp>()) {
    OpOperand *zeroPoint = operandOf(op, shifted.getRhs());
    auto number = FunctionImporter::splat(zeroPoint ? zeroPoint->get()
                                                    : shifted.getRhs());
    if (!number)
      return std::nullopt;
    factor.zeroPoint = *number;
    value = shifted.getLhs();
  }
  auto wider = value.getDefiningOp<arith::ExtSIOp>();
  factor.operand = wider ? operandOf(op, wider.getIn()) : nullptr;
  if (!factor.operand || !wider.getIn().getType().isSignlessInteger(8) ||
      !isa<RankedTensorType>(factor.operand->get().getType()))
    return std::nullopt;
  factor.largest = largestOf(factor.operand->get(), factor.zeroPoint);
  return factor;
}

/// The largest number that a destination holds, if it is a constant, or one
/// that is repeated.
static std::optional<double> largestStart(Value init) {
  if (std::optional<double> number = uniformValue(init))
    return std::abs(*number);
  if (auto broadcast = init.getDefiningOp<linalg::BroadcastOp>())
    init = broadcast.getInput();
  else if (auto loops = init.getDefiningOp<linalg::GenericOp>();
           loops && linalg::isaBroadcastOpInterface(loops))
    init = loops.getDpsInputOperand(0)->get();
  auto known =
      dyn_cast_or_null<DenseIntElementsAttr>(FunctionImporter::constant(init));
  if (!known)
    return std::nullopt;
  double largest = 0;
  for (const APInt &number : distinctNumbers(known))
    largest = std::max(largest, std::abs(number.signedRoundToDouble()));
  return largest;
}

/// What the body of `op` adds to its sum of 32 bits, if that is a product.
static arith::MulIOp addedProduct(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1)
    return {};
  BlockArgument acc = op.getMatchingBlockArgument(op.getDpsInitOperand(0));
  auto sum = op.getBlock()
                 ->getTerminator()
                 ->getOperand(0)
                 .getDefiningOp<arith::AddIOp>();
  if (!sum || !acc.getType().isSignlessInteger(32) ||
      (sum.getLhs() != acc && sum.getRhs() != acc))
    return {};
  Value added = sum.getLhs() == acc ? sum.getRhs() : sum.getLhs();
  return added.getDefiningOp<arith::MulIOp>();
}

static std::optional<IntegerProduct> integerProductOf(linalg::LinalgOp op) {
  arith::MulIOp product = addedProduct(op);
  if (!product || op.hasDynamicShape())
    return std::nullopt;
  auto lhs = factorOf(op, product.getLhs()),
       rhs = factorOf(op, product.getRhs());
  std::optional<double> start = largestStart(op.getDpsInits()[0]);
  if (!lhs || !rhs || !start)
    return std::nullopt;
  if (lhs->operand->getOperandNumber() > rhs->operand->getOperandNumber())
    std::swap(lhs, rhs);
  IntegerProduct found{{*lhs, *rhs}, lhs->largest * rhs->largest};
  for (auto [range, kind] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::reduction)
      found.largest *= range;
  found.largest += *start;
  return found;
}

//===----------------------------------------------------------------------===//
// What becomes of the sum
//===----------------------------------------------------------------------===//

/// Whether `user` makes nothing of `sum` but floats.
static bool makesFloats(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<arith::SIToFPOp>(user))
    return getElementTypeOrSelf(user->getResult(0).getType()).isF32();
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user))
    return llvm::all_of(user->getResult(0).getUses(), makesFloats);
  auto loops = dyn_cast<linalg::GenericOp>(user);
  return loops && loops.isDpsInput(&use) &&
         llvm::all_of(loops.getMatchingBlockArgument(&use).getUsers(),
                      [](Operation *inner) {
                        return isa<arith::SIToFPOp>(inner) &&
                               inner->getResult(0).getType().isF32();
                      });
}

static Value createFloats(OpBuilder &builder, Location loc, Type type,
                          double number) {
  auto attr = builder.getFloatAttr(builder.getF32Type(), number);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(tensor, Attribute(attr)));
  return arith::ConstantOp::create(builder, loc, attr);
}

/// Puts `sum` times `factor` in the place of `cast`; what that is multiplied
/// with takes the factor first, so that nothing becomes too large for f16.
static void replaceCast(arith::SIToFPOp cast, Value sum, double factor) {
  OpBuilder builder(cast);
  Location loc = cast.getLoc();
  for (OpOperand &use : llvm::make_early_inc_range(cast->getUses())) {
    auto product = dyn_cast<arith::MulFOp>(use.getOwner());
    if (!product || product.getLhs() == product.getRhs())
      continue;
    builder.setInsertionPoint(product);
    Value scale = product->getOperand(1 - use.getOperandNumber());
    scale = arith::MulFOp::create(
        builder, loc, scale,
        createFloats(builder, loc, scale.getType(), factor));
    product.replaceAllUsesWith(
        arith::MulFOp::create(builder, loc, sum, scale).getResult());
    product.erase();
  }
  builder.setInsertionPoint(cast);
  if (!cast->use_empty())
    cast.replaceAllUsesWith(
        arith::MulFOp::create(builder, loc, sum,
                              createFloats(builder, loc, sum.getType(), factor))
            .getResult());
  cast.erase();
}

/// Gives all users of `sum` the floats `floats`, which are smaller by `factor`.
static void replaceSum(Value sum, Value floats, double factor) {
  for (OpOperand &use : llvm::make_early_inc_range(sum.getUses())) {
    Operation *user = use.getOwner();
    if (auto cast = dyn_cast<arith::SIToFPOp>(user)) {
      replaceCast(cast, floats, factor);
      continue;
    }
    if (auto loops = dyn_cast<linalg::GenericOp>(user)) {
      BlockArgument arg = loops.getMatchingBlockArgument(&use);
      use.set(floats);
      arg.setType(getElementTypeOrSelf(floats));
      for (Operation *inner : llvm::make_early_inc_range(arg.getUsers()))
        replaceCast(cast<arith::SIToFPOp>(inner), arg, factor);
      continue;
    }
    OpBuilder builder(user);
    Operation *reshaped = builder.clone(*user);
    reshaped->setOperand(use.getOperandNumber(), floats);
    reshaped->getResult(0).setType(
        cast<RankedTensorType>(user->getResult(0).getType())
            .clone(builder.getF32Type()));
    replaceSum(user->getResult(0), reshaped->getResult(0), factor);
    user->erase();
  }
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

/// `tensor`, of integers, as floats: less `zeroPoint`, times `scale`.
static Value toFloats(OpBuilder &builder, Location loc, Value tensor,
                      double zeroPoint, double scale) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        builder.getF32Type());
  AffineMap map = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto body = [&](OpBuilder &inner, Location, ValueRange args) {
    Type f32 = inner.getF32Type();
    Value value = arith::SIToFPOp::create(inner, loc, f32, args[0]);
    if (zeroPoint != 0)
      value = arith::SubFOp::create(inner, loc, value,
                                    createFloats(inner, loc, f32, zeroPoint));
    if (scale != 1)
      value = arith::MulFOp::create(inner, loc, value,
                                    createFloats(inner, loc, f32, scale));
    linalg::YieldOp::create(inner, loc, value);
  };
  return linalg::GenericOp::create(builder, loc, empty.getType(), tensor, empty,
                                   {map, map}, loops, body)
      .getResult(0);
}

/// The whole numbers `floats` as integers.
static Value toIntegers(OpBuilder &builder, Location loc, Value floats) {
  auto type = cast<RankedTensorType>(floats.getType());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        builder.getI32Type());
  AffineMap map = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto body = [&](OpBuilder &inner, Location, ValueRange args) {
    linalg::YieldOp::create(
        inner, loc,
        arith::FPToSIOp::create(inner, loc, inner.getI32Type(), args[0])
            .getResult());
  };
  return linalg::GenericOp::create(builder, loc, empty.getType(), floats, empty,
                                   {map, map}, loops, body)
      .getResult(0);
}

/// What the destination holds, times `scale`.
static Value startOf(OpBuilder &builder, Location loc, Value init,
                     double scale) {
  std::optional<double> number = uniformValue(init);
  if (!number)
    return toFloats(builder, loc, init, /*zeroPoint=*/0, scale);
  auto type = cast<RankedTensorType>(init.getType());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        builder.getF32Type());
  Value start =
      createFloats(builder, loc, builder.getF32Type(), *number * scale);
  return linalg::FillOp::create(builder, loc, start, empty).getResult(0);
}

static void replaceProduct(linalg::LinalgOp op, const IntegerProduct &product,
                           double factor) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (auto [i, side] : llvm::enumerate(product.factors)) {
    inputs.push_back(toFloats(builder, loc, side.operand->get(), side.zeroPoint,
                              i == 1 ? 1 / factor : 1));
    maps.push_back(op.getMatchingIndexingMap(side.operand));
  }
  maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  Value init = startOf(builder, loc, op.getDpsInits()[0], 1 / factor);
  auto body = [&](OpBuilder &inner, Location, ValueRange args) {
    Value value = arith::MulFOp::create(inner, loc, args[0], args[1]);
    linalg::YieldOp::create(
        inner, loc,
        arith::AddFOp::create(inner, loc, args[2], value).getResult());
  };
  Value floats =
      linalg::GenericOp::create(builder, loc, init.getType(), inputs, init,
                                maps, op.getIteratorTypesArray(), body)
          .getResult(0);
  Value sum = op->getResult(0);
  if (llvm::all_of(sum.getUses(), makesFloats))
    replaceSum(sum, floats, factor);
  else
    sum.replaceAllUsesWith(toIntegers(builder, loc, floats));
  op->erase();
}

void mlir::ane::multiplyFloats(func::FuncOp function) {
  constexpr double largestHalf = 32768; // with room for what rounds
  SmallVector<linalg::LinalgOp> ops;
  function.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops) {
    std::optional<IntegerProduct> product = integerProductOf(op);
    if (!product)
      continue;
    bool isWhole = product->largest <= maxWholeHalf;
    if (!isWhole && !llvm::all_of(op->getResult(0).getUses(), makesFloats))
      continue;
    double factor = std::exp2(
        std::max(0.0, std::ceil(std::log2(product->largest / largestHalf))));
    replaceProduct(op, *product, factor);
  }
}

std::optional<std::string> mlir::ane::whyNotFloats(linalg::LinalgOp op) {
  if (!addedProduct(op))
    return std::nullopt;
  std::optional<IntegerProduct> product = integerProductOf(op);
  if (!product)
    return "multiplies integers, which the engine does only with signed bytes, "
           "constant zero points and a bias that is known; dequantize them in "
           "front of it (arith.sitofp)";
  return "adds up to " +
         std::to_string(static_cast<int64_t>(product->largest)) +
         " in integers, but fp16 counts no further than " +
         std::to_string(maxWholeHalf) +
         "; make floats of the sum (arith.sitofp) and multiply them with their "
         "scale, or import the network in TOSA";
}
