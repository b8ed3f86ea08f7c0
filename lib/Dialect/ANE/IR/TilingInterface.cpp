//===- TilingInterface.cpp - The tiling of others -------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TilingInterface for the ops that Tiling.h knows how to cut. The iteration
// domain is the result; dimensions that are summed over are not cut. Sizes are
// constants, since tensors are static: they have to divide what they cut.
// Offsets may be values, of a loop; then padding cannot depend on the strip and
// is done to the whole input before.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/Tiling.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mlir::ane;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

namespace {

/// A box whose offsets may be values.
struct Strip {
  Box box; ///< with 0 for offsets that are values
  SmallVector<Value> offsets;
};

} // namespace

static FailureOr<Strip> makeStrip(Operation *op, OpBuilder &builder,
                                  ArrayRef<OpFoldResult> offsets,
                                  ArrayRef<OpFoldResult> sizes) {
  Strip strip;
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    std::optional<int64_t> size = getConstantIntValue(sizes[dim]);
    std::optional<int64_t> offset = getConstantIntValue(offsets[dim]);
    if (!size)
      return op->emitOpError("is cut along dimension ")
             << dim << " of " << extent
             << " into strips of different sizes, but they must be constant; "
                "use a size that divides it";
    if (*size < 1)
      return op->emitOpError("is cut along dimension ")
             << dim << " into strips of " << *size
             << ", but they must be at least 1";
    bool isValue = !offset && *size != extent;
    strip.box.sizes.push_back(*size);
    strip.box.offsets.push_back(isValue || *size == extent ? 0 : *offset);
    strip.offsets.push_back(isValue ? getValueOrCreateConstantIndexOp(
                                          builder, op->getLoc(), offsets[dim])
                                    : Value());
  }
  return strip;
}

// Where a loop cuts what is padded, all of it is padded before.
static Operation *padBefore(OpBuilder &builder, PadOp op, const Strip &strip) {
  SmallVector<int64_t> low(op.getLow()), high(op.getHigh());
  SmallVector<int64_t> lowBefore(low.size(), 0), highBefore(low.size(), 0);
  SmallVector<int64_t> shape(shapeOf(op.getInput()));
  bool isPadded = false;
  for (auto [dim, offset] : llvm::enumerate(strip.offsets)) {
    if (!offset)
      continue;
    lowBefore[dim] = std::exchange(low[dim], 0);
    highBefore[dim] = std::exchange(high[dim], 0);
    shape[dim] += lowBefore[dim] + highBefore[dim];
    isPadded |= lowBefore[dim] || highBefore[dim];
  }
  if (!isPadded)
    return op;
  auto type = cast<RankedTensorType>(op.getType()).clone(shape);
  Value before = PadOp::create(builder, op.getLoc(), type, op.getInput(),
                               lowBefore, highBefore, op.getValue());
  return PadOp::create(builder, op.getLoc(), op.getType(), before, low, high,
                       op.getValue());
}

// The op on an input that has the padding of the dimensions that a loop cuts;
// null when no constant pads like it.
static Operation *withoutPadding(OpBuilder &builder, Operation *op,
                                 const Strip &strip) {
  auto conv = dyn_cast<ConvOp>(op);
  auto pool = dyn_cast<PoolOp>(op);
  if (auto pad = dyn_cast<PadOp>(op))
    return padBefore(builder, pad, strip);
  if (!conv && !pool)
    return op;
  SmallVector<int64_t> pad(conv ? conv.getPad() : pool.getPad());
  SmallVector<int64_t> low(4, 0), high(4, 0);
  SmallVector<int64_t> shape(shapeOf(op->getOperand(0)));
  bool isPadded = false;
  for (int64_t dim : {2, 3}) {
    if (!strip.offsets[dim])
      continue;
    low[dim] = std::exchange(pad[2 * dim - 4], 0);
    high[dim] = std::exchange(pad[2 * dim - 3], 0);
    shape[dim] += low[dim] + high[dim];
    isPadded |= low[dim] || high[dim];
  }
  if (!isPadded)
    return op;
  float value = 0;
  if (pool && pool.getKind() == PoolKind::Max)
    value = -65504.0f;
  else if (pool && !pool.getCountIncludePad())
    return nullptr;
  Value padded = PadOp::create(
      builder, op->getLoc(),
      RankedTensorType::get(shape, getElementTypeOrSelf(op->getOperand(0))),
      op->getOperand(0), low, high, llvm::APFloat(value));
  Operation *plain = builder.clone(*op);
  plain->setOperand(0, padded);
  if (conv)
    cast<ConvOp>(plain).setPad(pad);
  else
    cast<PoolOp>(plain).setPad(pad);
  return plain;
}

// Offsets of the operand follow linearly from those of the result: by how much
// shows a second box.
static FailureOr<Value> sliceOperand(OpBuilder &builder, Operation *op,
                                     unsigned index, const Strip &strip) {
  Location loc = op->getLoc();
  Value operand = op->getOperand(index);
  std::optional<Box> base = getOperandBox(op, index, strip.box);
  if (!base)
    return failure();
  bool isByValue = llvm::any_of(strip.offsets, [](Value v) { return bool(v); });
  if (base->isEmpty() && !isByValue)
    return Value(); // of one that is joined with others, nothing is needed
  SmallVector<OpFoldResult> offsets, sizes;
  for (size_t dim = 0; dim < base->sizes.size(); ++dim) {
    offsets.push_back(builder.getIndexAttr(base->offsets[dim]));
    sizes.push_back(builder.getIndexAttr(base->sizes[dim]));
  }
  bool isCut = !(*base == Box::all(shapeOf(operand)));
  for (auto [dim, offset] : llvm::enumerate(strip.offsets)) {
    if (!offset)
      continue;
    Box next = strip.box;
    next.offsets[dim] = next.sizes[dim];
    std::optional<Box> moved = getOperandBox(op, index, next);
    if (!moved || moved->sizes != base->sizes)
      return failure();
    for (size_t from = 0; from < base->sizes.size(); ++from) {
      int64_t distance = moved->offsets[from] - base->offsets[from];
      if (!distance)
        continue;
      if (distance % next.sizes[dim])
        return failure();
      AffineExpr expr =
          builder.getAffineDimExpr(0) * (distance / next.sizes[dim]) +
          base->offsets[from];
      offsets[from] = affine::makeComposedFoldedAffineApply(
          builder, loc, expr, {OpFoldResult(offset)});
      isCut = true;
    }
  }
  if (!isCut)
    return operand;
  SmallVector<OpFoldResult> steps(sizes.size(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder, loc, operand, offsets, sizes,
                                        steps)
      .getResult();
}

static Value copyOf(OpBuilder &builder, Location loc, Value value) {
  SmallVector<OpFoldResult> offsets, sizes, steps;
  for (int64_t size : shapeOf(value)) {
    offsets.push_back(builder.getIndexAttr(0));
    sizes.push_back(builder.getIndexAttr(size));
    steps.push_back(builder.getIndexAttr(1));
  }
  return tensor::ExtractSliceOp::create(builder, loc, value, offsets, sizes,
                                        steps);
}

// All operands of `plain` for a strip of `op`.
static LogicalResult sliceOperands(OpBuilder &builder, Operation *op,
                                   Operation *plain, const Strip &strip,
                                   SmallVectorImpl<Value> &operands,
                                   TilingResult &result) {
  for (unsigned index = 0; index < op->getNumOperands(); ++index) {
    FailureOr<Value> part = sliceOperand(builder, plain, index, strip);
    if (failed(part))
      return op->emitOpError("cannot be cut like this: ")
             << "operand " << index << " has no part for it";
    operands.push_back(*part);
    if (*part && *part != plain->getOperand(index))
      result.generatedSlices.push_back(part->getDefiningOp());
  }
  return success();
}

static FailureOr<TilingResult> createStrip(Operation *op, OpBuilder &builder,
                                           ArrayRef<OpFoldResult> offsets,
                                           ArrayRef<OpFoldResult> sizes) {
  FailureOr<Strip> strip = makeStrip(op, builder, offsets, sizes);
  if (failed(strip))
    return failure();
  Operation *plain = withoutPadding(builder, op, *strip);
  if (!plain)
    return op->emitOpError(
        "averages without its padding, which a loop cannot cut");
  SmallVector<Value> operands;
  TilingResult result;
  LogicalResult status =
      sliceOperands(builder, op, plain, *strip, operands, result);
  Value part;
  if (succeeded(status))
    part = createPart(builder, plain, operands, strip->box);
  if (plain != op)
    plain->erase();
  if (failed(status))
    return failure();
  // A concat may need one operand only, and is then no op of its own.
  if (llvm::is_contained(operands, part))
    part = copyOf(builder, op->getLoc(), part);
  result.tiledOps.push_back(part.getDefiningOp());
  result.tiledValues.push_back(part);
  return result;
}

namespace {

template <typename OpT>
struct CutResult : public TilingInterface::ExternalModel<CutResult<OpT>, OpT> {
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    return SmallVector<utils::IteratorType>(shapeOf(op->getResult(0)).size(),
                                            utils::IteratorType::parallel);
  }

  SmallVector<Range> getIterationDomain(Operation *op,
                                        OpBuilder &builder) const {
    SmallVector<Range> domain;
    for (int64_t size : shapeOf(op->getResult(0)))
      domain.push_back({builder.getIndexAttr(0), builder.getIndexAttr(size),
                        builder.getIndexAttr(1)});
    return domain;
  }

  FailureOr<TilingResult>
  getTiledImplementation(Operation *op, OpBuilder &builder,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) const {
    return createStrip(op, builder, offsets, sizes);
  }

  LogicalResult getResultTilePosition(
      Operation *, OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,
      ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
      SmallVector<OpFoldResult> &resultSizes) const {
    resultOffsets.assign(offsets.begin(), offsets.end());
    resultSizes.assign(sizes.begin(), sizes.end());
    return success();
  }

  LogicalResult getIterationDomainTileFromResultTile(
      Operation *, OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,
      ArrayRef<OpFoldResult> sizes,
      SmallVectorImpl<OpFoldResult> &domainOffsets,
      SmallVectorImpl<OpFoldResult> &domainSizes) const {
    domainOffsets.assign(offsets.begin(), offsets.end());
    domainSizes.assign(sizes.begin(), sizes.end());
    return success();
  }

  FailureOr<TilingResult>
  generateResultTileValue(Operation *op, OpBuilder &builder, unsigned,
                          ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes) const {
    // A producer that cannot go into a loop stays in front of it. Of padding
    // that follows the strip another one would be left, and so on.
    if (auto pad = dyn_cast<PadOp>(op))
      for (auto [dim, offset] : llvm::enumerate(offsets))
        if (!getConstantIntValue(offset) &&
            (pad.getLow()[dim] || pad.getHigh()[dim]))
          return failure();
    ScopedDiagnosticHandler silent(op->getContext(),
                                   [](Diagnostic &) { return success(); });
    return createStrip(op, builder, offsets, sizes);
  }
};

template <typename... Ops> void attach(MLIRContext *context) {
  (Ops::template attachInterface<CutResult<Ops>>(*context), ...);
}

} // namespace

void mlir::ane::registerTilingInterface(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, ANEDialect *) {
    attach<ActivationOp, CastOp, CompareOp, ConcatOp, ConvOp, ConvTransposeOp,
           ElementwiseOp, InterleaveOp, LayerNormOp, MatmulOp, PadOp, PoolOp,
           ReduceOp, ReshapeOp, ResizeOp, RmsNormOp, RuntimeConvOp, SelectOp,
           SliceOp, SoftmaxOp, TileOp, TransposeOp>(context);
  });
}
