//===- TensorSizes.cpp - Tensors that no program can hold -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/TensorSizes.h"

#include "ane/Dialect/ANE/IR/ANE.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <optional>

using namespace mlir;
using namespace mlir::ane;

// No tensor that is ever made: what is between two ops is cut into parts.
static constexpr int64_t maxElements = int64_t(1) << 40;

// Nothing for what is no tensor of static shape; all that is beyond int64 is
// its largest number.
static std::optional<int64_t> countElements(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return std::nullopt;
  int64_t count = 1;
  bool overflows = false;
  for (int64_t extent : tensor.getShape()) {
    if (extent == 0)
      return 0;
    overflows |= llvm::MulOverflow(count, extent, count);
  }
  return overflows ? std::numeric_limits<int64_t>::max() : count;
}

static LogicalResult checkSize(Operation *op, Type type) {
  std::optional<int64_t> count = countElements(type);
  if (count == 0)
    return op->emitOpError("works on ")
           << type << ", which holds no elements; leave the op out";
  if (count > maxElements)
    return op->emitOpError("works on ")
           << type << ", which holds more than " << maxElements
           << " elements; give the network less at a time";
  return success();
}

static LogicalResult checkOp(Operation *op) {
  SmallVector<Type> types;
  if (auto func = dyn_cast<FunctionOpInterface>(op)) {
    llvm::append_range(types, func.getArgumentTypes());
    llvm::append_range(types, func.getResultTypes());
  } else if (isa_and_nonnull<ANEDialect>(op->getDialect())) {
    llvm::append_range(types, op->getOperandTypes());
    llvm::append_range(types, op->getResultTypes());
  }
  for (Type type : types)
    if (failed(checkSize(op, type)))
      return failure();
  return success();
}

LogicalResult mlir::ane::checkTensorSizes(Operation *root) {
  bool isAccepted = true;
  root->walk([&](Operation *op) { isAccepted &= succeeded(checkOp(op)); });
  return success(isAccepted);
}

static LogicalResult checkAddress(Operation *op, const Twine &what, Type type) {
  constexpr int64_t addressable = int64_t(1) << 32, halfBytes = 2;
  std::optional<int64_t> count = countElements(type);
  // f32 becomes f16 on its way in and out, and in constants.
  bool isByte = getElementTypeOrSelf(type).isInteger(8);
  if (!count || *count <= addressable / (isByte ? 1 : halfBytes))
    return success();
  return op->emitOpError(what)
         << " has the type " << type
         << ", but addresses of a program have 32 bits; give the network less "
            "at a time";
}

static LogicalResult checkAddresses(FunctionOpInterface func) {
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
    if (failed(checkAddress(func, "argument #" + Twine(i), type)))
      return failure();
  for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
    if (failed(checkAddress(func, "result #" + Twine(i), type)))
      return failure();
  return success();
}

LogicalResult mlir::ane::checkAddresses(Operation *root) {
  bool isAccepted = true;
  root->walk([&](Operation *op) {
    if (auto func = dyn_cast<FunctionOpInterface>(op))
      isAccepted &= succeeded(::checkAddresses(func));
    else if (auto constant = dyn_cast<ConstantOp>(op))
      isAccepted &= succeeded(checkAddress(op, "value", constant.getType()));
  });
  return success(isAccepted);
}
