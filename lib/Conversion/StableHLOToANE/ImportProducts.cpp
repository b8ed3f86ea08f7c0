//===- ImportProducts.cpp - StableHLO products and reductions -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product runs over any dimensions of both sides. Its sides become matrices,
// with the dimensions of batches in front.
//
//===----------------------------------------------------------------------===//

#include "ImportStableHLO.h"

using namespace mlir;
using namespace mlir::ane;
using stablehlo::numbersOf;

static ArrayRef<int64_t> resultShape(Operation *op) {
  return cast<RankedTensorType>(op->getResult(0).getType()).getShape();
}

namespace {
/// A side of a product as matrices.
struct Side {
  Value value;
  bool isTransposed = false;
};
} // namespace

/// `value` as `batch` x (`rows` x `columns`), where each of them may be several
/// dimensions, or none; transposed where that is how they lie.
static Side toMatrices(FunctionImporter &importer, Location loc, Value value,
                       ArrayRef<int64_t> batch, ArrayRef<int64_t> rows,
                       ArrayRef<int64_t> columns) {
  SmallVector<int64_t> order(batch), other(batch);
  llvm::append_range(order, rows);
  llvm::append_range(order, columns);
  llvm::append_range(other, columns);
  llvm::append_range(other, rows);
  Side side;
  side.isTransposed = !llvm::is_sorted(order) && llvm::is_sorted(other);
  ArrayRef<int64_t> first = side.isTransposed ? columns : rows;
  ArrayRef<int64_t> shape = shapeOf(value);
  auto sizeOf = [&](ArrayRef<int64_t> dims) {
    int64_t size = 1;
    for (int64_t dim : dims)
      size *= shape[dim];
    return size;
  };
  // Four dimensions are as many as the engine has.
  SmallVector<int64_t> sizes;
  if (batch.size() > 2)
    sizes.push_back(sizeOf(batch));
  else
    for (int64_t dim : batch)
      sizes.push_back(shape[dim]);
  sizes.push_back(sizeOf(first));
  sizes.push_back(sizeOf(side.isTransposed ? rows : columns));
  value = importer.transpose(loc, value, side.isTransposed ? other : order);
  side.value = importer.reshape(loc, value, sizes);
  return side;
}

static SmallVector<int64_t> otherDims(Value value, ArrayRef<int64_t> batch,
                                      ArrayRef<int64_t> contracting) {
  SmallVector<int64_t> dims;
  for (int64_t dim = 0, rank = shapeOf(value).size(); dim != rank; ++dim)
    if (!llvm::is_contained(batch, dim) &&
        !llvm::is_contained(contracting, dim))
      dims.push_back(dim);
  return dims;
}

static LogicalResult importProduct(FunctionImporter &importer, Operation *op,
                                   ArrayRef<int64_t> lhsBatch,
                                   ArrayRef<int64_t> rhsBatch,
                                   ArrayRef<int64_t> lhsSum,
                                   ArrayRef<int64_t> rhsSum) {
  if (failed(FunctionImporter::checkFloat(op)))
    return failure();
  FailureOr<Value> lhs = importer.operand(op, 0), rhs = importer.operand(op, 1);
  if (failed(lhs) || failed(rhs))
    return failure();
  Location loc = op->getLoc();
  Side left = toMatrices(importer, loc, *lhs, lhsBatch,
                         otherDims(*lhs, lhsBatch, lhsSum), lhsSum);
  Side right = toMatrices(importer, loc, *rhs, rhsBatch, rhsSum,
                          otherDims(*rhs, rhsBatch, rhsSum));
  SmallVector<int64_t> shape(shapeOf(left.value));
  size_t rank = shape.size();
  shape[rank - 2] = shapeOf(left.value)[rank - (left.isTransposed ? 1 : 2)];
  shape[rank - 1] = shapeOf(right.value)[rank - (right.isTransposed ? 2 : 1)];
  auto type = RankedTensorType::get(
      shape, FunctionImporter::elementType({left.value, right.value}));
  Value product =
      MatmulOp::create(importer.builder, loc, type, left.value, right.value,
                       left.isTransposed, right.isTransposed, ActivationAttr());
  importer.map(op->getResult(0),
               importer.reshape(loc, product, resultShape(op)));
  return success();
}

static LogicalResult importDotGeneral(FunctionImporter &importer,
                                      stablehlo::DotGeneralOp op) {
  stablehlo::DotDimensionsAttr dims = op.getDotDimensionNumbers();
  return importProduct(importer, op, dims.getLhsBatching(),
                       dims.getRhsBatching(), dims.getLhsContracting(),
                       dims.getRhsContracting());
}

static LogicalResult importDot(FunctionImporter &importer,
                               stablehlo::DotOp op) {
  int64_t last = cast<RankedTensorType>(op.getLhs().getType()).getRank() - 1;
  return importProduct(importer, op, {}, {}, {last}, {0});
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

FailureOr<ElementwiseKind> mlir::ane::combinerKind(Operation *op,
                                                   Region &body) {
  Operation *combiner = stablehlo::combinerOf(body);
  if (isa_and_nonnull<stablehlo::AddOp>(combiner))
    return ElementwiseKind::Add;
  if (isa_and_nonnull<stablehlo::MulOp>(combiner))
    return ElementwiseKind::Mul;
  if (isa_and_nonnull<stablehlo::MaxOp>(combiner))
    return ElementwiseKind::Max;
  if (isa_and_nonnull<stablehlo::MinOp>(combiner))
    return ElementwiseKind::Min;
  bool isLogic =
      combiner && getElementTypeOrSelf(combiner->getResult(0)).isInteger(1);
  if (isLogic && isa<stablehlo::AndOp>(combiner))
    return ElementwiseKind::Min;
  if (isLogic && isa<stablehlo::OrOp>(combiner))
    return ElementwiseKind::Max;
  return op->emitOpError("combines by ")
         << (combiner ? "'" + combiner->getName().getStringRef().str() + "'"
                      : std::string("several ops"))
         << ", but the engine reduces by one 'add', 'maximum' or 'minimum'; "
            "write it with these, or run it on the host";
}

static LogicalResult importReduce(FunctionImporter &importer,
                                  stablehlo::ReduceOp op) {
  if (op.getInputs().size() != 1)
    return importSearch(importer, op);
  FailureOr<ElementwiseKind> kind = combinerKind(op, op.getBody());
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(kind) || failed(input))
    return failure();
  bool isOrder = *kind == ElementwiseKind::Max || *kind == ElementwiseKind::Min;
  if (!isOrder && failed(FunctionImporter::checkFloat(op)))
    return failure();
  Location loc = op.getLoc();
  SmallVector<int64_t> axes = numbersOf(op.getDimensions());
  llvm::sort(axes);
  Value value = *input;
  if (*kind == ElementwiseKind::Mul) {
    for (int64_t axis : axes) {
      FailureOr<Value> product = multiplyAlong(importer, op, value, axis);
      if (failed(product))
        return failure();
      value = *product;
    }
  } else if (!axes.empty()) {
    ReduceKind reduce = *kind == ElementwiseKind::Add   ? ReduceKind::Sum
                        : *kind == ElementwiseKind::Max ? ReduceKind::Max
                                                        : ReduceKind::Min;
    value = ReduceOp::create(importer.builder, loc, reduce, value, axes);
  }
  value = importer.reshape(loc, value, resultShape(op));
  if (!isNeutral(*kind, op.getInitValues()[0])) {
    FailureOr<Value> init = importer.operand(op, 1);
    if (failed(init))
      return failure();
    value =
        createBinary(importer, loc, *kind, value,
                     expand(importer, loc, *init, {}, shapeOf(value).size()));
  }
  importer.map(op->getResult(0), value);
  return success();
}

/// (x - mean) / sqrt(variance + epsilon) * scale + offset, of which all but x
/// is constant.
static LogicalResult importBatchNorm(FunctionImporter &importer,
                                     stablehlo::BatchNormInferenceOp op) {
  SmallVector<Value> operands;
  if (failed(FunctionImporter::checkFloat(op)) ||
      failed(importer.operands(op, operands)))
    return failure();
  Location loc = op.getLoc();
  int64_t rank = shapeOf(operands[0]).size();
  int64_t feature = op.getFeatureIndex();
  for (Value &each : MutableArrayRef(operands).drop_front())
    each = expand(importer, loc, each, {feature}, rank);
  auto binary = [&](ElementwiseKind kind, Value lhs, Value rhs) {
    return createBinary(importer, loc, kind, lhs, rhs);
  };
  Value variance = binary(ElementwiseKind::Add, operands[4],
                          createNumber(importer, loc, operands[4],
                                       op.getEpsilon().convertToFloat()));
  Value factor =
      binary(ElementwiseKind::Mul, operands[1],
             createUnary(importer, loc, ActivationKind::Rsqrt, variance));
  Value centred = binary(ElementwiseKind::Sub, operands[0], operands[3]);
  importer.map(op, binary(ElementwiseKind::Add,
                          binary(ElementwiseKind::Mul, centred, factor),
                          operands[2]));
  return success();
}

void mlir::ane::addStableHLOProductImport(FunctionImporter &importer) {
  importer.add<stablehlo::BatchNormInferenceOp>(importBatchNorm);
  importer.add<stablehlo::DotGeneralOp>(importDotGeneral);
  importer.add<stablehlo::DotOp>(importDot);
  importer.add<stablehlo::ReduceOp>(importReduce);
}
