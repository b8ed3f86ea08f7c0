//===- LegalizeConstants.cpp - Round constants to f16 once ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Folding keeps constants in f32, so that batch norm and scales are multiplied
// in before anything is rounded. Here what is left becomes f16, in one pass
// over the bytes, and the f32 bytes are given back at once.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Constants/SaturateConstants.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"

#include "ane/Dialect/ANE/IR/Limits.h"

#include "ane/Dialect/ANE/Utils/ConstantBlobs.h"
#include "ane/Dialect/ANE/Utils/NumericWarning.h"
#include "ane/HW/Float16.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

namespace {
struct RoundingSummary {
  uint32_t overflows = 0;  ///< finite values that became infinite
  uint32_t subnormals = 0; ///< values below the normal range, zero not counted
};
} // namespace

static RoundingSummary roundToHalf(const char *from, size_t count, char *to) {
  // In pieces, as the bytes of a constant may lie at any address.
  constexpr size_t pieceSize = 1024;
  float piece[pieceSize];
  uint16_t halves[pieceSize];
  RoundingSummary summary;
  for (size_t first = 0; first < count; first += pieceSize) {
    size_t size = std::min(pieceSize, count - first);
    std::memcpy(piece, from + first * sizeof(float), size * sizeof(float));
    ::ane::hw::convertToHalf(piece, halves, size);
    std::memcpy(to + first * sizeof(uint16_t), halves, size * sizeof(uint16_t));
    for (size_t i = 0; i != size; ++i) {
      uint32_t bits;
      std::memcpy(&bits, &piece[i], sizeof(bits));
      uint32_t magnitude = bits & 0x7fffffffu;
      summary.overflows +=
          (halves[i] & 0x7fffu) == 0x7c00u && magnitude < 0x7f800000u;
      summary.subnormals += magnitude != 0 && (halves[i] & 0x7c00u) == 0;
    }
  }
  return summary;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

namespace {

class ConstantRounder {
public:
  ConstantRounder(Operation *root, const ::ane::hw::GenerationInfo &info)
      : info(info), blobs(root) {}

  LogicalResult round(ConstantOp op);
  int64_t rounded = 0, subnormals = 0;

private:
  FailureOr<ElementsAttr> roundAttr(ConstantOp op);
  LogicalResult reportOverflow(ConstantOp op, ArrayRef<char> bytes);
  LogicalResult replaceUses(ConstantOp op, ConstantOp half);

  const ::ane::hw::GenerationInfo &info;
  BlobUses blobs;
};

} // namespace

LogicalResult ConstantRounder::reportOverflow(ConstantOp op,
                                              ArrayRef<char> bytes) {
  for (size_t i = 0; i * sizeof(float) < bytes.size(); ++i) {
    float value;
    std::memcpy(&value, bytes.data() + i * sizeof(value), sizeof(value));
    uint16_t half = ::ane::hw::toHalfBits(value);
    if ((half & 0x7fffu) != 0x7c00u || std::isinf(value))
      continue;
    std::string actual;
    llvm::raw_string_ostream(actual)
        << nameOfConstant(op) << " has " << value << " at element " << i;
    return reportViolation(op, ::ane::hw::ConstraintId::ConstantRange, info,
                           actual);
  }
  llvm_unreachable("counted an overflow that is not there");
}

/// Warns if all that `op` holds is so small that f16 keeps few of its bits.
static void warnOfUnderflow(ConstantOp op, ArrayRef<char> floats) {
  constexpr float smallestNormal = 6.103515625e-05f, lastBit = 0x1p-24f;
  float most = 0, error = 0;
  for (size_t i = 0; i * sizeof(float) < floats.size(); ++i) {
    float value;
    std::memcpy(&value, floats.data() + i * sizeof(value), sizeof(value));
    value = std::fabs(value);
    most = std::max(most, value);
    error = std::max(error,
                     std::fabs(std::round(value / lastBit) * lastBit - value));
  }
  // f16 holds 1e-5 to a part in a thousand, which is no loss worth a warning.
  constexpr float smallShare = 0x1p-7f;
  if (most >= smallestNormal || error <= most * smallShare)
    return;
  markNumeric(op.emitWarning(nameOfConstant(op)))
      << " has no magnitude above " << most << ", but f16 has its full "
      << "precision from 6.1035e-05 on only; the largest error is " << error
      << "; scale the constant up and the result down";
}

/// A resource may be named without its data, as in IR that was printed with
/// elided constants.
static LogicalResult checkData(ConstantOp op) {
  if (isa<DenseElementsAttr>(op.getValue()))
    return success();
  auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue());
  if (!resource)
    return op.emitOpError("value is neither dense nor a resource");
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  auto type = cast<RankedTensorType>(op.getType());
  if (!type.getElementType().isIntOrFloat())
    return success(); // no op takes it
  size_t size = blob ? blob->getData().size() : 0;
  size_t wanted = llvm::divideCeil(
      type.getNumElements() * type.getElementTypeBitWidth(), 8);
  if (size == wanted)
    return success();
  return op.emitOpError(nameOfConstant(op))
         << " has " << size << " bytes, but " << type << " needs " << wanted;
}

FailureOr<ElementsAttr> ConstantRounder::roundAttr(ConstantOp op) {
  ElementsAttr attr = op.getValue();
  auto type =
      RankedTensorType::get(cast<RankedTensorType>(op.getType()).getShape(),
                            Float16Type::get(op.getContext()));
  auto finish = [&](RoundingSummary summary,
                    ArrayRef<char> bytes) -> LogicalResult {
    subnormals += summary.subnormals;
    if (summary.subnormals)
      warnOfUnderflow(op, bytes);
    return summary.overflows ? reportOverflow(op, bytes) : success();
  };
  if (auto dense = dyn_cast<DenseElementsAttr>(attr)) {
    ArrayRef<char> bytes = dense.getRawData();
    SmallVector<char> halves(bytes.size() / 2);
    if (failed(finish(roundToHalf(bytes.data(), bytes.size() / sizeof(float),
                                  halves.data()),
                      bytes)))
      return failure();
    return cast<ElementsAttr>(
        DenseElementsAttr::getFromRawBuffer(type, halves));
  }
  auto resource = cast<DenseResourceElementsAttr>(attr);
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  size_t count = type.getNumElements();
  AsmResourceBlob halves =
      HeapAsmResourceBlob::allocate(count * sizeof(uint16_t), 64);
  if (failed(finish(roundToHalf(blob->getData().data(), count,
                                halves.getMutableData().data()),
                    blob->getData())))
    return failure();
  return cast<ElementsAttr>(DenseResourceElementsAttr::get(
      type, resource.getRawHandle().getKey(), std::move(halves)));
}

// Ops take f16 constants where they took f32 ones; a cast to f16 has been done.
// A result that is known leaves the engine as all others do, by a cast.
LogicalResult ConstantRounder::replaceUses(ConstantOp op, ConstantOp half) {
  for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
    Operation *user = use.getOwner();
    auto cast = dyn_cast<CastOp>(user);
    if (cast && cast.getType() == half.getType()) {
      cast.replaceAllUsesWith(half.getResult());
      cast.erase();
      continue;
    }
    if (user->hasTrait<OpTrait::ReturnLike>()) {
      OpBuilder builder(user);
      use.set(CastOp::create(builder, user->getLoc(), op.getType(), half));
      continue;
    }
    bool computes = user->getNumResults() == 1 && !cast &&
                    isa<ANEDialect>(user->getDialect()) &&
                    getElementTypeOrSelf(user->getResult(0)).isF16();
    if (!computes) {
      InFlightDiagnostic diagnostic =
          op.emitOpError(::ane::hw::describeViolation(
              ::ane::hw::ConstraintId::TensorType, info,
              nameOfConstant(op) + " is used in f32"));
      diagnostic.attachNote(user->getLoc()) << "here";
      return diagnostic;
    }
    use.set(half.getResult());
  }
  return success();
}

LogicalResult ConstantRounder::round(ConstantOp op) {
  if (failed(checkData(op)))
    return failure();
  if (!getElementTypeOrSelf(op.getType()).isF32())
    return success();
  if (op->use_empty()) {
    blobs.drop(op.getValue());
    op.erase();
    return success();
  }
  // Folding leaves shared constants without a place; who uses them has one.
  if (isa<UnknownLoc>(op.getLoc()))
    op->setLoc((*op->user_begin())->getLoc());
  if (Saturation kind = saturationOf(op); kind != Saturation::Never) {
    ElementsAttr before = op.getValue();
    op = saturateConstant(op, kind);
    if (op.getValue() != before) {
      blobs.drop(before);
      blobs.add(op.getValue());
    }
  }
  FailureOr<ElementsAttr> attr = roundAttr(op);
  if (failed(attr))
    return failure();
  OpBuilder builder(op);
  auto half = ConstantOp::create(builder, op.getLoc(), *attr);
  if (failed(replaceUses(op, half)))
    return failure();
  blobs.add(*attr);
  blobs.drop(op.getValue());
  op.erase();
  ++rounded;
  return success();
}

FailureOr<RoundedConstants>
mlir::ane::roundConstants(Operation *root,
                          const ::ane::hw::GenerationInfo &info) {
  ConstantRounder rounder(root, info);
  SmallVector<ConstantOp> constants;
  root->walk([&](ConstantOp op) { constants.push_back(op); });
  for (ConstantOp op : constants)
    if (failed(rounder.round(op)))
      return failure();
  return RoundedConstants{rounder.rounded, rounder.subnormals};
}
