//===- ImportShapes.cpp - TOSA ops that move data -------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In TOSA 1.0 shapes are operands. The ane dialect has attributes, so every one
// of them must be a constant here.
//
//===----------------------------------------------------------------------===//

#include "ImportTosa.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace mlir::ane;

/// The values of the shape operand that `what` names.
static FailureOr<SmallVector<int64_t>> shapeOperand(Operation *op, Value shape,
                                                    StringRef what) {
  auto constant = shape.getDefiningOp<tosa::ConstShapeOp>();
  if (!constant)
    return op->emitOpError("has ")
           << what
           << " that is not a tosa.const_shape, but a program for the "
              "engine has fixed shapes";
  return llvm::to_vector(llvm::map_range(
      cast<DenseElementsAttr>(constant.getValues()).getValues<APInt>(),
      [](const APInt &value) { return value.getSExtValue(); }));
}

static LogicalResult importIdentity(FunctionImporter &importer,
                                    tosa::IdentityOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  importer.map(op, *input);
  return success();
}

static LogicalResult importReshape(FunctionImporter &importer,
                                   tosa::ReshapeOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  importer.map(
      op, importer.reshape(op.getLoc(), *input,
                           cast<RankedTensorType>(op.getType()).getShape()));
  return success();
}

static LogicalResult importTranspose(FunctionImporter &importer,
                                     tosa::TransposeOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  SmallVector<int64_t> perm(op.getPerms());
  importer.map(op.getResult(), importer.transpose(op.getLoc(), *input, perm));
  return success();
}

static LogicalResult importConcat(FunctionImporter &importer,
                                  tosa::ConcatOp op) {
  SmallVector<Value> inputs;
  if (failed(importer.operands(op, inputs)))
    return failure();
  importer.unify(op.getLoc(), inputs);
  auto type =
      RankedTensorType::get(cast<RankedTensorType>(op.getType()).getShape(),
                            FunctionImporter::elementType(inputs));
  importer.map(op, ConcatOp::create(importer.builder, op.getLoc(), type, inputs,
                                    op.getAxis()));
  return success();
}

static LogicalResult importSlice(FunctionImporter &importer, tosa::SliceOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  FailureOr<SmallVector<int64_t>> start =
      shapeOperand(op, op.getStart(), "a start");
  if (failed(input) || failed(start))
    return failure();
  ArrayRef<int64_t> sizes = cast<RankedTensorType>(op.getType()).getShape();
  SmallVector<int64_t> strides(sizes.size(), 1);
  importer.map(op, SliceOp::create(importer.builder, op.getLoc(),
                                   withShape(input->getType(), sizes), *input,
                                   *start, sizes, strides));
  return success();
}

static LogicalResult importPad(FunctionImporter &importer, tosa::PadOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  FailureOr<SmallVector<int64_t>> padding =
      shapeOperand(op, op.getPadding(), "a padding");
  if (failed(input) || failed(padding))
    return failure();
  std::optional<double> value = FunctionImporter::splat(op.getPadConst());
  if (!value)
    return op.emitOpError("has a padding value that is not a constant");
  SmallVector<int64_t> low, high;
  for (size_t i = 0; i + 1 < padding->size(); i += 2) {
    low.push_back((*padding)[i]);
    high.push_back((*padding)[i + 1]);
  }
  auto type = withShape(input->getType(),
                        cast<RankedTensorType>(op.getType()).getShape());
  importer.map(op,
               PadOp::create(importer.builder, op.getLoc(), type, *input, low,
                             high, llvm::APFloat(static_cast<float>(*value))));
  return success();
}

//===----------------------------------------------------------------------===//
// Resize
//===----------------------------------------------------------------------===//

namespace {
/// Positions along one axis: output index i samples (i * step + offset) /
/// scale.
struct Sampling {
  int64_t input, output, scale, step, offset;

  /// Pixel centres at one half: (i + 1/2) * input / output - 1/2.
  bool isHalfPixel() const {
    return step * output == input * scale && 2 * offset == step - scale;
  }
  /// The first and the last pixels coincide.
  bool isAlignedToCorners() const {
    return offset == 0 && step * (output - 1) == (input - 1) * scale;
  }
  bool isAsymmetric() const {
    return step * output == input * scale && offset == 0;
  }
  /// Whether rounding to the nearest pixel (halves up) takes pixel
  /// floor(i * input / output) everywhere: copies of each pixel.
  bool repeatsPixels() const {
    for (int64_t i = 0; i < output; ++i) {
      int64_t twice = 2 * (i * step + offset) + scale;
      int64_t nearest = llvm::divideFloorSigned(twice, 2 * scale);
      if (std::clamp<int64_t>(nearest, 0, input - 1) != i * input / output)
        return false;
    }
    return true;
  }
};
} // namespace

static LogicalResult importResize(FunctionImporter &importer,
                                  tosa::ResizeOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  auto scale = shapeOperand(op, op.getScale(), "a scale");
  auto offset = shapeOperand(op, op.getOffset(), "an offset");
  if (failed(input) || failed(scale) || failed(offset))
    return failure();
  ArrayRef<int64_t> from = shapeOf(*input);
  ArrayRef<int64_t> to = cast<RankedTensorType>(op.getType()).getShape();
  Sampling axes[] = {{from[1], to[1], (*scale)[0], (*scale)[1], (*offset)[0]},
                     {from[2], to[2], (*scale)[2], (*scale)[3], (*offset)[1]}};
  auto both = [&](auto test) { return (axes[0].*test)() && (axes[1].*test)(); };
  bool isNearest = op.getMode() == tosa::ResizeMode::NEAREST_NEIGHBOR;
  bool halfPixel =
      both(isNearest ? &Sampling::repeatsPixels : &Sampling::isHalfPixel);
  bool corners = !halfPixel && both(&Sampling::isAlignedToCorners);
  if (!halfPixel && !corners && (isNearest || !both(&Sampling::isAsymmetric)))
    return op.emitOpError("samples with scale ")
           << "[" << (*scale)[0] << ", " << (*scale)[1] << ", " << (*scale)[2]
           << ", " << (*scale)[3] << "] and offset [" << (*offset)[0] << ", "
           << (*offset)[1]
           << "], but only pixel centres at one half, aligned corners and "
              "(when "
              "bilinear) offset 0 can be imported";
  Value image = importer.toNCHW(op.getLoc(), *input);
  auto type = withShape(input->getType(), {to[0], to[3], to[1], to[2]});
  Value resized =
      ResizeOp::create(importer.builder, op.getLoc(), type,
                       isNearest ? ResizeMode::Nearest : ResizeMode::Bilinear,
                       image, corners, halfPixel);
  importer.map(op, importer.toNHWC(op.getLoc(), resized));
  return success();
}

void mlir::ane::addTosaShapeImport(FunctionImporter &importer) {
  importer.add<tosa::ConcatOp>(importConcat);
  importer.add<tosa::IdentityOp>(importIdentity);
  importer.add<tosa::PadOp>(importPad);
  importer.add<tosa::ReshapeOp>(importReshape);
  importer.add<tosa::ResizeOp>(importResize);
  importer.add<tosa::SliceOp>(importSlice);
  importer.add<tosa::TransposeOp>(importTranspose);
}
