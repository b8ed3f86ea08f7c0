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

#include "ane/Dialect/ANE/Utils/Search.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::ane;

static LogicalResult importIdentity(FunctionImporter &importer,
                                    tosa::IdentityOp op) {
  if (auto scaled = importer.lookupScaled(op.getInput1())) {
    importer.mapScaled(op->getResult(0), scaled->data, scaled->factor);
    return success();
  }
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  importer.map(op, *input);
  return success();
}

static LogicalResult importReshape(FunctionImporter &importer,
                                   tosa::ReshapeOp op) {
  if (auto scaled = importer.lookupScaled(op.getInput1())) {
    importer.mapScaled(
        op->getResult(0),
        importer.reshape(op.getLoc(), scaled->data,
                         cast<RankedTensorType>(op.getType()).getShape()),
        scaled->factor);
    return success();
  }
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
  if (auto scaled = importer.lookupScaled(op.getInput1())) {
    importer.mapScaled(op->getResult(0),
                       importer.transpose(op.getLoc(), scaled->data,
                                          SmallVector<int64_t>(op.getPerms())),
                       scaled->factor);
    return success();
  }
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
  importer.map(op, sliced(importer.builder, op.getLoc(), *input, *start,
                          shapeOf(op.getResult())));
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

static LogicalResult importTile(FunctionImporter &importer, tosa::TileOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  FailureOr<SmallVector<int64_t>> repeats =
      shapeOperand(op, op.getMultiples(), "multiples");
  if (failed(input) || failed(repeats))
    return failure();
  auto type = withShape(input->getType(),
                        cast<RankedTensorType>(op.getType()).getShape());
  importer.map(op, TileOp::create(importer.builder, op.getLoc(), type, *input,
                                  *repeats));
  return success();
}

// Slices and concats up to so many pieces, else a product with a matrix of
// zeros and ones.
static constexpr int64_t maxPieces = 64;
static constexpr int64_t maxFactors = int64_t(1) << 25; // 128 MB

/// A matrix for each `batch`, or for all, whose rows have a one at `indices`.
static Value chooseRows(FunctionImporter &importer, Location loc,
                        ArrayRef<int64_t> indices, int64_t batches,
                        int64_t rows) {
  SmallVector<float> matrix(indices.size() * rows, 0.0f);
  for (auto [i, index] : llvm::enumerate(indices))
    matrix[i * rows + index] = 1;
  auto type = RankedTensorType::get(
      {batches, static_cast<int64_t>(indices.size()) / batches, rows},
      importer.builder.getF32Type());
  return ConstantOp::create(importer.builder, loc,
                            DenseElementsAttr::get(type, ArrayRef(matrix)));
}

static Value multiply(FunctionImporter &importer, Location loc, Value lhs,
                      Value rhs, Type element) {
  SmallVector<int64_t> shape = {std::max(shapeOf(lhs)[0], shapeOf(rhs)[0]),
                                shapeOf(lhs)[1], shapeOf(rhs)[2]};
  return MatmulOp::create(
      importer.builder, loc, RankedTensorType::get(shape, element), lhs, rhs,
      /*transpose_lhs=*/false, /*transpose_rhs=*/false, ActivationAttr());
}

static LogicalResult importReverse(FunctionImporter &importer,
                                   tosa::ReverseOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  importer.map(op,
               reversed(importer.builder, op.getLoc(), *input, op.getAxis()));
  return success();
}

/// Rows at indices that a search found.
static LogicalResult importComputedGather(FunctionImporter &importer,
                                          tosa::GatherOp op, Value indices) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  ArrayRef<int64_t> shape = shapeOf(*input); // N x K x C
  int64_t count = shapeOf(indices)[1];
  if (auto why = checkTake(shape[0], shape[1], count))
    return op.emitOpError(*why);
  Location loc = op.getLoc();
  Value rows =
      takeRows(importer.builder, loc,
               importer.reshape(loc, *input, {shape[0], 1, shape[1], shape[2]}),
               indices);
  importer.map(op, importer.reshape(loc, rows, {shape[0], count, shape[2]}));
  return success();
}

/// Rows at indices that are known at compile time: slices, where they are few
/// runs. Those that come from outside belong on the host.
static LogicalResult importGather(FunctionImporter &importer,
                                  tosa::GatherOp op) {
  auto indices = dyn_cast_or_null<DenseIntElementsAttr>(
      FunctionImporter::constant(op.getIndices()));
  Value computed = indices ? Value() : importer.lookup(op.getIndices());
  if (computed)
    return importComputedGather(importer, op, computed);
  if (!indices)
    return op.emitOpError(
        "reads at indices that come from outside, which fp16 may not hold, "
        "and the DMA of the engine has fixed addresses; gather on the host");
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  ArrayRef<int64_t> shape = shapeOf(*input); // N x K x C
  int64_t batches = shape[0];
  int64_t count = indices.getNumElements() / batches;
  // As a product with a matrix, where there are many runs.
  bool fitsMatrix = count <= maxFactors / batches / shape[1];
  auto tooMany = [&](int64_t runs) {
    return op.emitOpError("reads ")
           << runs << " runs of " << shape[1]
           << " rows, which needs a matrix of more than " << maxFactors
           << " elements; gather on the host";
  };
  if (indices.isSplat() && !fitsMatrix) // a file of few bytes may say so
    return tooMany(indices.getNumElements());
  auto numbers =
      llvm::map_to_vector(indices.getValues<APInt>(), [](const APInt &value) {
        return value.getSExtValue();
      });
  struct Rows {
    int64_t batch, first, size;
  };
  SmallVector<Rows> runs;
  for (int64_t batch = 0; batch < batches; ++batch)
    for (int64_t i = 0, end; i < count; i = end) {
      int64_t first = numbers[batch * count + i];
      if (first < 0 || first >= shape[1])
        return op.emitOpError("reads row ")
               << first << ", but there are " << shape[1];
      for (end = i + 1;
           end < count && numbers[batch * count + end] == first + (end - i);)
        ++end;
      if (first + (end - i) > shape[1])
        return op.emitOpError("reads row ")
               << first + (end - i) - 1 << ", but there are " << shape[1];
      runs.push_back({batch, first, end - i});
    }
  if (int64_t(runs.size()) > maxPieces) {
    if (!fitsMatrix)
      return tooMany(runs.size());
    Value matrix =
        chooseRows(importer, op.getLoc(), numbers, batches, shape[1]);
    importer.map(op, multiply(importer, op.getLoc(), matrix, *input,
                              getElementTypeOrSelf(input->getType())));
    return success();
  }
  SmallVector<Value> parts;
  for (const Rows &rows : runs)
    parts.push_back(sliced(importer.builder, op.getLoc(), *input,
                           {rows.batch, rows.first, 0},
                           {1, rows.size, shape[2]}));
  Value result = parts.front();
  if (parts.size() > 1)
    result = ConcatOp::create(
        importer.builder, op.getLoc(),
        withShape(input->getType(), {1, batches * count, shape[2]}), parts, 1);
  importer.map(
      op, importer.reshape(op.getLoc(), result, {batches, count, shape[2]}));
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

  /// Pixel centres at one half: (i + 1/2) * input / output - 1/2. One pixel is
  /// repeated anyhow.
  bool isHalfPixel() const {
    return input == 1 ||
           (step * output == input * scale && 2 * offset == step - scale);
  }
  /// The first and the last pixels coincide.
  bool isAlignedToCorners() const {
    return offset == 0 && step * (output - 1) == (input - 1) * scale;
  }
  bool isAsymmetric() const {
    return step * output == input * scale && offset == 0;
  }
  /// Whether rounding to the nearest pixel (halves up) takes pixel
  /// floor(i * input / output) everywhere: as many copies of each pixel.
  bool repeatsPixels() const {
    if (output % input != 0)
      return false;
    for (int64_t i = 0; i < output; ++i) {
      int64_t twice = 2 * (i * step + offset) + scale;
      int64_t nearest = llvm::divideFloorSigned(twice, 2 * scale);
      if (std::clamp<int64_t>(nearest, 0, input - 1) != i * input / output)
        return false;
    }
    return true;
  }
  /// Whether the matrix of weights() is one to write: 128 MB.
  bool hasMatrix() const {
    constexpr int64_t most = 1 << 25;
    return output <= most / input;
  }
  /// For each output index, the part that each input index has in it.
  SmallVector<float> weights(bool isNearest) const {
    SmallVector<float> matrix(output * input, 0.0f);
    for (int64_t i = 0; i < output; ++i) {
      int64_t position = i * step + offset;
      int64_t first = llvm::divideFloorSigned(position, scale);
      float part = float(position - first * scale) / scale;
      if (isNearest)
        part = part >= 0.5f ? 1.0f : 0.0f;
      auto at = [&](int64_t index) -> float & {
        return matrix[i * input + std::clamp<int64_t>(index, 0, input - 1)];
      };
      at(first) += 1 - part;
      at(first + 1) += part;
    }
    return matrix;
  }
};
} // namespace

/// Any sampling: rows are sums of rows, columns are sums of columns.
static Value sample(FunctionImporter &importer, Location loc, Value image,
                    ArrayRef<Sampling> axes, bool isNearest) {
  for (auto [i, axis] : llvm::enumerate(axes)) {
    auto type = RankedTensorType::get({1, 1, axis.output, axis.input},
                                      importer.builder.getF32Type());
    Value weights = ConstantOp::create(
        importer.builder, loc,
        DenseElementsAttr::get(type, ArrayRef(axis.weights(isNearest))));
    SmallVector<int64_t> shape(shapeOf(image));
    shape[2 + i] = axis.output;
    bool isRows = i == 0;
    image = MatmulOp::create(importer.builder, loc,
                             withShape(image.getType(), shape),
                             isRows ? weights : image, isRows ? image : weights,
                             /*transpose_lhs=*/false,
                             /*transpose_rhs=*/!isRows, ActivationAttr());
  }
  return image;
}

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
  bool corners =
      !isNearest && !halfPixel && both(&Sampling::isAlignedToCorners);
  Value image = importer.toImage(op.getLoc(), *input);
  auto type = withShape(image.getType(), {to[0], to[3], to[1], to[2]});
  bool isKnown =
      halfPixel || corners || (!isNearest && both(&Sampling::isAsymmetric));
  if (!isKnown && !both(&Sampling::hasMatrix))
    return op.emitOpError("takes ")
           << from[1] << " x " << from[2] << " pixels to " << to[1] << " x "
           << to[2]
           << " at positions of no known mode, which needs more than 2^25 "
              "factors for an axis; resize parts of the image";
  Value resized = !isKnown
                      ? sample(importer, op.getLoc(), image, axes, isNearest)
                      : ResizeOp::create(importer.builder, op.getLoc(), type,
                                         isNearest ? ResizeMode::Nearest
                                                   : ResizeMode::Bilinear,
                                         image, corners, halfPixel);
  resized = importer.toNHWC(op.getLoc(), resized);
  // Integers sum up what is to be divided by both scales.
  if (!isNearest && getElementTypeOrSelf(op.getType()).isInteger(32))
    importer.mapScaled(op, resized, (*scale)[0] * (*scale)[2]);
  else
    importer.map(op, resized);
  return success();
}

void mlir::ane::addTosaShapeImport(FunctionImporter &importer) {
  importer.add<tosa::ConcatOp>(importConcat);
  importer.add<tosa::GatherOp>(importGather);
  importer.add<tosa::IdentityOp>(importIdentity);
  importer.add<tosa::PadOp>(importPad);
  importer.add<tosa::ReshapeOp>(importReshape);
  importer.add<tosa::ResizeOp>(importResize);
  importer.add<tosa::ReverseOp>(importReverse);
  importer.add<tosa::SliceOp>(importSlice);
  importer.add<tosa::TileOp>(importTile);
  importer.add<tosa::TransposeOp>(importTranspose);
}
