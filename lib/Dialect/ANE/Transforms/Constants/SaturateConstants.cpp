//===- SaturateConstants.cpp - Constants beyond f16 -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exporters write "no weight" as the lowest f32, which as f16 is an infinity.
// It has to become a number while it is still an operand of the sum or choice
// of the source: afterwards a choice is a table, or a bound of another value.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Constants/SaturateConstants.h"

#include "ane/Dialect/ANE/Transforms/Constants/Passes.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/Dialect/ANE/Utils/NumericWarning.h"
#include "ane/HW/Float16.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <cmath>
#include <cstring>

namespace mlir::ane {
#define GEN_PASS_DEF_ANESATURATECONSTANTS
#include "ane/Dialect/ANE/Transforms/Constants/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

std::string mlir::ane::nameOfConstant(ConstantOp op) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue()))
    return ("constant '" + resource.getRawHandle().getKey() + "'").str();
  return "constant";
}

Saturation mlir::ane::saturationOf(ConstantOp op) {
  auto result = Saturation::Exact;
  for (Operation *user : op->getUsers()) {
    if (isa<CompareOp>(user))
      continue;
    auto binary = dyn_cast<ElementwiseOp>(user);
    ElementwiseKind kind = binary ? binary.getKind() : ElementwiseKind::Mul;
    if (kind == ElementwiseKind::Max || kind == ElementwiseKind::Min)
      continue;
    if (!isa<SelectOp>(user) && kind != ElementwiseKind::Add &&
        kind != ElementwiseKind::Sub)
      return Saturation::Never;
    result = Saturation::WithWarning;
  }
  return result;
}

// A constant may lie at any address.
static float floatAt(ArrayRef<char> bytes, size_t index) {
  float value;
  std::memcpy(&value, bytes.data() + index * sizeof(value), sizeof(value));
  return value;
}

static bool isBeyondHalf(float value) {
  return std::isfinite(value) &&
         (::ane::hw::toHalfBits(value) & 0x7fffu) == 0x7c00u;
}

static ArrayRef<char> bytesOf(ElementsAttr attr) {
  if (auto dense = dyn_cast<DenseElementsAttr>(attr))
    return dense.getRawData();
  auto resource = dyn_cast<DenseResourceElementsAttr>(attr);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  return blob ? blob->getData() : ArrayRef<char>();
}

ConstantOp mlir::ane::saturateConstant(ConstantOp op, Saturation kind) {
  constexpr float largest = 65504;
  ElementsAttr attr = op.getValue();
  ArrayRef<char> bytes = bytesOf(attr);
  auto indexes = llvm::seq<size_t>(0, bytes.size() / sizeof(float));
  size_t count = llvm::count_if(
      indexes, [&](size_t i) { return isBeyondHalf(floatAt(bytes, i)); });
  if (count == 0)
    return op;
  // Folding leaves shared constants without a place; who uses them has one.
  Location loc = isa<UnknownLoc>(op.getLoc()) && !op->use_empty()
                     ? (*op->user_begin())->getLoc()
                     : op.getLoc();
  if (kind == Saturation::WithWarning)
    markNumeric(emitWarning(loc))
        << nameOfConstant(op) << " has " << count
        << " values beyond f16, which become 65504 in magnitude";
  std::vector<float> values;
  for (size_t i : indexes) {
    float value = floatAt(bytes, i);
    values.push_back(isBeyondHalf(value) ? std::copysign(largest, value)
                                         : value);
  }
  OpBuilder builder(op);
  auto type = cast<RankedTensorType>(op.getType());
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  ConstantOp saturated =
      dense && dense.isSplat()
          ? ConstantOp::create(builder, loc,
                               DenseElementsAttr::get(type, values.front()))
          : createConstant(builder, loc, type, values);
  op->replaceAllUsesWith(saturated);
  op.erase();
  return saturated;
}

namespace {
struct SaturateConstants
    : public mlir::ane::impl::ANESaturateConstantsBase<SaturateConstants> {
  void runOnOperation() override {
    SmallVector<ConstantOp> constants;
    getOperation()->walk([&](ConstantOp op) {
      if (getElementTypeOrSelf(op.getType()).isF32() &&
          saturationOf(op) == Saturation::WithWarning)
        constants.push_back(op);
    });
    for (ConstantOp op : constants)
      saturated += saturateConstant(op, Saturation::WithWarning) != op;
  }
};
} // namespace
