//===- TaskEmitterCentred.cpp - Tasks that subtract on the way ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Squares are of sums with a second source, which is minus the mean here. A
// product takes its two numbers for each channel as the rows of one tensor.
// Both lie in L2, where they are repeated.
//
//===----------------------------------------------------------------------===//

#include "Centred.h"
#include "TaskEmitter.h"

#include "ane/Dialect/ANE/IR/Shapes.h"

using namespace mlir;
using namespace mlir::ane;

// A number for each channel of an image, or one for all, and not a constant.
static bool isOfChannels(Value value, int64_t channels) {
  ArrayRef<int64_t> shape = shapeOf(value);
  return shape.size() == 4 && shape[0] == 1 && shape[2] == 1 && shape[3] == 1 &&
         (shape[1] == 1 || shape[1] == channels) && !getScalarConstant(value);
}

static bool isPlain(ElementwiseOp op, ElementwiseKind kind) {
  return op.getKind() == kind && op.getScale().isExactlyValue(1) &&
         op.getBias().isExactlyValue(0);
}

// The numbers of which there are as many as those that are subtracted.
static bool multiplies(ElementwiseOp op, Value difference, bool isForAll) {
  Value factors = op.getLhs() == difference ? op.getRhs() : op.getLhs();
  int64_t channels = shapeOf(difference)[1];
  return isPlain(op, ElementwiseKind::Mul) && factors != difference &&
         op.getType() == difference.getType() &&
         isOfChannels(factors, channels) &&
         (shapeOf(factors)[1] == 1) == (isForAll || channels == 1);
}

// Of the plane of each channel.
static bool squares(ReduceOp op) {
  ArrayRef<int64_t> axes = op.getAxes();
  return (op.getKind() == ReduceKind::SumSquare ||
          op.getKind() == ReduceKind::MeanSquare) &&
         (axes == ArrayRef<int64_t>{2, 3} ||
          (axes == ArrayRef<int64_t>{3} && shapeOf(op.getInput())[2] == 1));
}

static bool isOnTheWay(Value value, bool isForAll) {
  return !value.use_empty() &&
         llvm::all_of(value.getUsers(), [&](Operation *user) {
           if (auto slice = dyn_cast<SliceOp>(user))
             return llvm::all_of(slice.getStrides(),
                                 [](int64_t s) { return s == 1; }) &&
                    isOnTheWay(slice.getResult(), isForAll);
           if (auto reduce = dyn_cast<ReduceOp>(user))
             return squares(reduce);
           auto pair = dyn_cast<ElementwiseOp>(user);
           return pair && multiplies(pair, value, isForAll);
         });
}

std::optional<Centred> mlir::ane::getCentred(Value value) {
  int64_t firstChannel = 0;
  while (auto slice = value.getDefiningOp<SliceOp>()) {
    if (slice.getOffsets().size() != 4)
      return std::nullopt;
    firstChannel += slice.getOffsets()[1];
    value = slice.getInput();
  }
  auto op = value.getDefiningOp<ElementwiseOp>();
  if (!op || !isPlain(op, ElementwiseKind::Sub) || op.getActivation() ||
      op.getLhs().getType() != op.getType() ||
      !cast<ShapedType>(op.getType()).getElementType().isF16())
    return std::nullopt;
  ArrayRef<int64_t> shape = shapeOf(value);
  if (shape.size() != 4 || shape[0] != 1 || shape[2] * shape[3] == 1 ||
      getScalarConstant(op.getLhs()) || !isOfChannels(op.getRhs(), shape[1]) ||
      !isOnTheWay(value, shapeOf(op.getRhs())[1] == 1))
    return std::nullopt;
  return Centred{op, firstChannel};
}

std::optional<Centred> TaskEmitter::centred(Value value) const {
  return policy().sequences.centresOnTheWay ? getCentred(value) : std::nullopt;
}

FailureOr<Value> TaskEmitter::meansOf(Operation *user, Centred from,
                                      int64_t channels) {
  FailureOr<Value> means = memref(user, from.difference.getRhs());
  if (failed(means) || shapeOf(*means)[1] == 1)
    return means;
  return subview(user->getLoc(), *means, {0, from.firstChannel, 0, 0},
                 {1, channels, 1, 1});
}

LogicalResult TaskEmitter::emitNormalize(ElementwiseOp op, Centred from,
                                         Value target) {
  Location loc = op.getLoc();
  bool isLeft = centred(op.getLhs()).has_value();
  FailureOr<Value> source = memref(op, isLeft ? op.getLhs() : op.getRhs());
  FailureOr<Value> factors = memref(op, isLeft ? op.getRhs() : op.getLhs());
  FailureOr<Value> means = meansOf(op, from, shapeOf(target)[1]);
  if (failed(source) || failed(factors) || failed(means))
    return failure();
  SmallVector<int64_t> one(shapeOf(*factors)), both = one;
  both[2] = 2;
  Value &rows = normRows[{*means, *factors}];
  if (!rows) {
    rows = makeBuffer(loc, both);
    const Value values[] = {*means, *factors};
    for (auto [row, value] : llvm::enumerate(values))
      if (failed(bypass(op, value,
                        subview(loc, rows, {0, 0, int64_t(row), 0}, one),
                        std::nullopt)))
        return failure();
  }
  Value resident = keep(loc, rows);
  task(loc, *source, target, [&](OpBuilder &builder, ValueRange tiles) {
    return PeNormalizeOp::create(
               builder, loc, getTypeInL2(cast<MemRefType>(target.getType())),
               tiles[0], resident, /*exchange_rows=*/false,
               /*all_channels=*/one[1] == 1 && shapeOf(target)[1] > 1,
               /*add=*/false, op.getActivationAttr())
        .getResult();
  });
  return success();
}
