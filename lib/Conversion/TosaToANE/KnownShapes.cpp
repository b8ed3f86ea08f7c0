//===- KnownShapes.cpp - What shape ops compute ---------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes of a network are known once its arguments have shapes, so that the
// arithmetic that leads from them to a shape operand is done here.
//
//===----------------------------------------------------------------------===//

#include "ImportTosa.h"

#include "ane/Conversion/TosaToANE/TosaToANE.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ane;

using Numbers = std::optional<SmallVector<int64_t>>;

/// One number of two; nothing where there is none.
static std::optional<int64_t> combine(Operation *op, int64_t a, int64_t b) {
  int64_t result;
  if (isa<tosa::AddShapeOp>(op))
    return llvm::AddOverflow(a, b, result) ? std::nullopt
                                           : std::optional(result);
  if (isa<tosa::SubShapeOp>(op))
    return llvm::SubOverflow(a, b, result) ? std::nullopt
                                           : std::optional(result);
  if (isa<tosa::MulShapeOp>(op))
    return llvm::MulOverflow(a, b, result) ? std::nullopt
                                           : std::optional(result);
  if (isa<tosa::MaxShapeOp>(op))
    return std::max(a, b);
  if (isa<tosa::MinShapeOp>(op))
    return std::min(a, b);
  if (a < 0 || b < 1) // of sizes only
    return std::nullopt;
  if (isa<tosa::DivCeilShapeOp>(op))
    return a / b + (a % b != 0);
  if (isa<tosa::DivFloorShapeOp>(op))
    return a / b;
  return isa<tosa::ModShapeOp>(op) ? std::optional(a % b) : std::nullopt;
}

static std::optional<int64_t> apply(Operation *op, int64_t a) {
  constexpr int64_t maxBits = 62;
  if (isa<tosa::Exp2ShapeOp>(op))
    return a >= 0 && a <= maxBits ? std::optional(int64_t(1) << a)
                                  : std::nullopt;
  if (a < 1)
    return std::nullopt;
  if (isa<tosa::Log2CeilShapeOp>(op))
    return llvm::Log2_64_Ceil(a);
  return isa<tosa::Log2FloorShapeOp>(op)
             ? std::optional<int64_t>(llvm::Log2_64(a))
             : std::nullopt;
}

static Numbers evaluate(Value shape, int depth);

static Numbers join(tosa::ConcatShapeOp op, int depth) {
  SmallVector<int64_t> result;
  for (Value part : op.getInput()) {
    Numbers numbers = evaluate(part, depth);
    if (!numbers)
      return std::nullopt;
    llvm::append_range(result, *numbers);
  }
  return result;
}

static Numbers slice(tosa::SliceShapeOp op, int depth) {
  Numbers numbers = evaluate(op.getInput(), depth);
  auto start = FunctionImporter::splat(op.getStart());
  auto size = FunctionImporter::splat(op.getSize());
  if (!numbers || !start || !size || *start < 0 || *size < 0 ||
      *start + *size > static_cast<double>(numbers->size()))
    return std::nullopt;
  return SmallVector<int64_t>(ArrayRef<int64_t>(*numbers).slice(
      static_cast<size_t>(*start), static_cast<size_t>(*size)));
}

/// An op on each number by itself.
static Numbers elementwise(Operation *op, int depth) {
  SmallVector<SmallVector<int64_t>> operands;
  for (Value operand : op->getOperands()) {
    Numbers numbers = evaluate(operand, depth);
    if (!numbers)
      return std::nullopt;
    operands.push_back(*numbers);
  }
  if (operands.empty() || operands.size() > 2 ||
      operands.front().size() != operands.back().size())
    return std::nullopt;
  SmallVector<int64_t> result;
  for (auto [a, b] : llvm::zip_equal(operands.front(), operands.back())) {
    auto number = operands.size() == 1 ? apply(op, a) : combine(op, a, b);
    if (!number)
      return std::nullopt;
    result.push_back(*number);
  }
  return result;
}

static Numbers evaluate(Value shape, int depth) {
  constexpr int maxDepth = 64;
  Operation *op = shape.getDefiningOp();
  if (!op || depth == maxDepth)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, Numbers>(op)
      .Case([](tosa::ConstShapeOp constant) {
        return llvm::to_vector(llvm::map_range(
            cast<DenseElementsAttr>(constant.getValues()).getValues<APInt>(),
            [](const APInt &value) { return value.getSExtValue(); }));
      })
      .Case([](tosa::DimOp dim) -> Numbers {
        Value tensor = dim.getInput1();
        if (auto cast = tensor.getDefiningOp<tensor::CastOp>())
          tensor = cast.getSource(); // to a type with open sizes
        auto type = dyn_cast<RankedTensorType>(tensor.getType());
        uint64_t axis = dim.getAxis();
        if (!type || axis >= static_cast<uint64_t>(type.getRank()) ||
            type.isDynamicDim(axis))
          return std::nullopt;
        return SmallVector<int64_t>{type.getDimSize(axis)};
      })
      .Case([&](tosa::ConcatShapeOp concat) { return join(concat, depth + 1); })
      .Case([&](tosa::SliceShapeOp cut) { return slice(cut, depth + 1); })
      .Default([&](Operation *other) { return elementwise(other, depth + 1); });
}

FailureOr<SmallVector<int64_t>>
mlir::ane::shapeOperand(Operation *op, Value shape, StringRef what) {
  if (Numbers numbers = evaluate(shape, /*depth=*/0))
    return *numbers;
  return op->emitOpError("has ")
         << what
         << " that does not follow from constants and sizes, but a program for "
            "the engine has fixed shapes; make it a tosa.const_shape";
}

namespace {
struct ShapeToConstant : RewritePattern {
  explicit ShapeToConstant(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    auto type = op->getNumResults() == 1
                    ? dyn_cast<tosa::shapeType>(op->getResult(0).getType())
                    : tosa::shapeType();
    if (!type || isa<tosa::ConstShapeOp>(op))
      return failure();
    Numbers numbers = evaluate(op->getResult(0), /*depth=*/0);
    if (!numbers || static_cast<int64_t>(numbers->size()) != type.getRank())
      return failure();
    rewriter.replaceOpWithNewOp<tosa::ConstShapeOp>(
        op, type, rewriter.getIndexTensorAttr(*numbers));
    return success();
  }
};
} // namespace

void mlir::ane::addKnownShapePatterns(RewritePatternSet &patterns) {
  patterns.add<ShapeToConstant>(patterns.getContext());
}
