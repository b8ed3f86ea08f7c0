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
// An infinity is one in f16, too. But the engine moves columns by products with
// ones and zeros, and zero times infinity is not a number: what is moved that
// way is given the largest number instead.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Constants/SaturateConstants.h"

#include "ane/Dialect/ANE/Transforms/Constants/Passes.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/Dialect/ANE/Utils/NumericWarning.h"
#include "ane/HW/Float16.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

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

//===----------------------------------------------------------------------===//
// Infinities
//===----------------------------------------------------------------------===//

/// Whether the function gives infinities for infinities.
static bool keepsInfinities(std::optional<ActivationAttr> function) {
  return !function ||
         llvm::is_contained({ActivationKind::Relu, ActivationKind::LeakyRelu,
                             ActivationKind::Abs, ActivationKind::Neg},
                            function->getKind());
}

/// Whether `value`, or what holds its elements, is an operand of products or of
/// a movement that may become some. Sums of powers, comparisons and bounds make
/// numbers of infinities, so the walk ends there.
static bool meetsZeros(Value value) {
  llvm::SetVector<Value> reached;
  reached.insert(value);
  for (size_t i = 0; i < reached.size(); ++i)
    for (Operation *user : reached[i].getUsers()) {
      if (isa<ConvOp, ConvTransposeOp, RuntimeConvOp, MatmulOp, PoolOp,
              ResizeOp, SliceOp, PadOp>(user))
        return true;
      auto act = dyn_cast<ActivationOp>(user);
      auto pair = dyn_cast<ElementwiseOp>(user);
      bool keeps = act    ? keepsInfinities(act.getFunction())
                   : pair ? keepsInfinities(pair.getActivation())
                          : isa<SelectOp, ConcatOp, InterleaveOp, TileOp,
                                TransposeOp, ReshapeOp, CastOp>(user);
      if (keeps)
        reached.insert(user->getResult(0));
    }
  return false;
}

/// What an operand of `user` has in place of an infinity. The sum with data
/// stays within f16, too.
static int32_t finiteFor(Operation *user) {
  auto sum = dyn_cast<ElementwiseOp>(user);
  bool isSum = sum && (sum.getKind() == ElementwiseKind::Add ||
                       sum.getKind() == ElementwiseKind::Sub);
  constexpr auto largest = static_cast<int32_t>(::ane::hw::largestHalf);
  return isSum ? largest / 2 : largest;
}

static void warnOfInfinities(Operation *op, const Twine &what, int32_t finite) {
  markNumeric(emitWarning(op->getLoc()))
      << what << " infinite, but is moved by products with zeros, which would "
      << "give NaN; takes " << finite
      << " in magnitude; write a finite number in the network to choose "
         "another";
}

static bool hasInfinity(ConstantOp op) {
  if (std::optional<float> splat = getConstantSplat(op))
    return std::isinf(*splat);
  FailureOr<ConstantView> view = ConstantView::get(op.getValue());
  if (failed(view) || !view->isReadable() ||
      !isa<FloatType>(view->getElementType()))
    return false;
  bool found = false;
  constexpr int64_t elements = 1 << 16;
  view->forEachPart(elements, [&](int64_t, const ConstantView &part) {
    found |= llvm::any_of(part.readFloats(),
                          [](float value) { return std::isinf(value); });
  });
  return found;
}

/// Makes numbers of the infinities of `op` for the users that need them.
static bool makeFinite(ConstantOp op) {
  auto mayMatter = [](Operation *user) {
    return isa<ElementwiseOp, SelectOp, ConcatOp>(user);
  };
  if (llvm::none_of(op->getUsers(), mayMatter) || !hasInfinity(op))
    return false;
  llvm::MapVector<int32_t, SmallVector<OpOperand *>> uses;
  for (OpOperand &use : op->getUses())
    if (mayMatter(use.getOwner()) && meetsZeros(use.getOwner()->getResult(0)))
      uses[finiteFor(use.getOwner())].push_back(&use);
  if (uses.empty())
    return false;
  const std::vector<float> values =
      ConstantView::get(op.getValue())->readFloats();
  OpBuilder builder(op);
  for (auto &[finite, operands] : uses) {
    warnOfInfinities(operands.front()->getOwner(), nameOfConstant(op) + " is",
                     finite);
    std::vector<float> bounded = values;
    for (float &value : bounded)
      if (std::isinf(value))
        value = std::copysign(float(finite), value);
    ConstantOp constant = createConstant(
        builder, op.getLoc(), cast<RankedTensorType>(op.getType()), bounded);
    for (OpOperand *use : operands)
      use->set(constant);
  }
  if (op->use_empty())
    op.erase();
  return true;
}

static bool makeFinite(PadOp op) {
  if (!op.getValue().isInfinity() || !meetsZeros(op.getResult()))
    return false;
  constexpr auto finite = static_cast<int32_t>(::ane::hw::largestHalf);
  warnOfInfinities(op, "value is", finite);
  op.setValueAttr(
      Builder(op.getContext())
          .getF32FloatAttr(op.getValue().isNegative() ? -finite : finite));
  return true;
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
    getOperation()->walk([&](ConstantOp op) { saturated += makeFinite(op); });
    getOperation()->walk([&](PadOp op) { saturated += makeFinite(op); });
  }
};
} // namespace
