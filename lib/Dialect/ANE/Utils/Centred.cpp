//===- Centred.cpp - Differences that other passes compute ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/Centred.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Utils/Predicates.h"

using namespace mlir;
using namespace mlir::ane;

// A number for each channel of an image, or one for all, and not a constant.
static bool isOfChannels(Value value, int64_t channels) {
  ArrayRef<int64_t> shape = shapeOf(value);
  return shape.size() == 4 && shape[0] == 1 && shape[2] == 1 && shape[3] == 1 &&
         (shape[1] == 1 || shape[1] == channels) && !getScalarConstant(value);
}

// The numbers of which there are as many as those that are subtracted.
static bool multiplies(ElementwiseOp op, Value difference, bool isForAll) {
  Value factors = op.getLhs() == difference ? op.getRhs() : op.getLhs();
  int64_t channels = shapeOf(difference)[1];
  return op.getKind() == ElementwiseKind::Mul && op.isUnscaled() &&
         factors != difference && op.getType() == difference.getType() &&
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
  if (!op || !op.isPlain(ElementwiseKind::Sub) ||
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
