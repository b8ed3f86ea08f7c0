//===- TilingInterface.cpp - The tiling of others -------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TilingInterface for the ops that Tiling.h knows how to cut. The iteration
// domain is the result; dimensions that are summed over are not cut.
//
// Tensors are static, so that strips in a loop are all of one size: where the
// last one is smaller, it starts earlier and computes more than is wanted of
// it, and so does one that starts within a group of channels. Rows over the
// border of an image are padding of what is inside, moved to where it is
// wanted. Import, which takes loops apart, reduces each strip to what is used
// of it.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/Tiling.h"

#include "ane/Dialect/ANE/IR/Shapes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

/// A box whose offsets may be values, and what is wanted of it.
struct Strip {
  Box box; ///< with 0 for offsets that are values
  SmallVector<Value> offsets;
  bool isMore = false;                                  ///< than is wanted
  SmallVector<OpFoldResult> wantedOffsets, wantedSizes; ///< in the box
};

} // namespace

static OpFoldResult applyExpr(OpBuilder &builder, Location loc, AffineExpr expr,
                              ArrayRef<OpFoldResult> operands) {
  return affine::makeComposedFoldedAffineApply(builder, loc, expr, operands);
}

/// `offset`, but within [0, last].
static OpFoldResult clamp(OpBuilder &builder, Location loc, OpFoldResult offset,
                          int64_t last) {
  if (last == 0)
    return builder.getIndexAttr(0);
  MLIRContext *context = builder.getContext();
  AffineExpr dim = builder.getAffineDimExpr(0);
  auto mapTo = [&](int64_t bound) {
    return AffineMap::get(1, 0, {dim, builder.getAffineConstantExpr(bound)},
                          context);
  };
  OpFoldResult low =
      affine::makeComposedFoldedAffineMin(builder, loc, mapTo(last), {offset});
  return affine::makeComposedFoldedAffineMax(builder, loc, mapTo(0), {low});
}

/// Whether `offset` is a multiple of `unit` in every trip, as far as is seen.
static bool isMultiple(OpFoldResult offset, int64_t unit) {
  if (unit == 1)
    return true;
  if (std::optional<int64_t> number = getConstantIntValue(offset))
    return *number % unit == 0;
  if (auto apply = cast<Value>(offset).getDefiningOp<affine::AffineApplyOp>())
    return apply.getAffineMap().getResult(0).isMultipleOf(unit);
  auto index = dyn_cast<BlockArgument>(cast<Value>(offset));
  auto loop =
      index ? dyn_cast<LoopLikeOpInterface>(index.getOwner()->getParentOp())
            : LoopLikeOpInterface();
  if (!loop)
    return false;
  auto indices = loop.getLoopInductionVars();
  auto lows = loop.getLoopLowerBounds(), steps = loop.getLoopSteps();
  if (!indices || !lows || !steps)
    return false;
  for (auto [i, other] : llvm::enumerate(*indices))
    if (other == index)
      return isConstantIntValue((*lows)[i], 0) &&
             getConstantIntValue((*steps)[i]).value_or(1) % unit == 0;
  return false;
}

/// The most that `size`, which may be a value, can be.
static int64_t getMost(OpFoldResult size, int64_t extent) {
  if (std::optional<int64_t> number = getConstantIntValue(size))
    return *number;
  Operation *def = cast<Value>(size).getDefiningOp();
  auto most = [&](AffineMap map) {
    return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) {
      if (auto constant = dyn_cast<AffineConstantExpr>(expr))
        return constant.getValue();
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        return getMost(def->getOperand(dim.getPosition()), extent);
      return extent;
    });
  };
  int64_t bound = extent;
  if (auto least = dyn_cast_or_null<affine::AffineMinOp>(def))
    bound = *llvm::min_element(most(least.getMap()));
  else if (auto largest = dyn_cast_or_null<affine::AffineMaxOp>(def))
    bound = *llvm::max_element(most(largest.getMap()));
  return std::clamp<int64_t>(bound, 1, extent);
}

/// Dimension `dim` of a strip.
static void addDimension(Strip &strip, Operation *op, OpBuilder &builder,
                         int64_t dim, OpFoldResult offset, OpFoldResult size) {
  Location loc = op->getLoc();
  int64_t extent = shapeOf(op->getResult(0))[dim], unit = getCutUnit(op, dim);
  int64_t most = getMost(size, extent);
  bool isExact = getConstantIntValue(size).has_value();
  OpFoldResult from = offset;
  if (most % unit || !isMultiple(offset, unit)) {
    isExact = false;
    most = std::min<int64_t>(llvm::alignTo(most + unit - 1, unit), extent);
    AffineExpr start = builder.getAffineDimExpr(0).floorDiv(unit) * unit;
    from = applyExpr(builder, loc, start, {offset});
  }
  if (!isExact)
    from = clamp(builder, loc, from, extent - most);
  std::optional<int64_t> number = getConstantIntValue(from);
  bool isWhole = most == extent;
  strip.box.sizes.push_back(most);
  strip.box.offsets.push_back(isWhole ? 0 : number.value_or(0));
  strip.offsets.push_back(
      isWhole || number ? Value()
                        : getValueOrCreateConstantIndexOp(builder, loc, from));
  AffineExpr distance =
      builder.getAffineDimExpr(0) - builder.getAffineDimExpr(1);
  strip.wantedOffsets.push_back(
      isExact ? OpFoldResult(builder.getIndexAttr(0))
              : applyExpr(builder, loc, distance, {offset, from}));
  strip.wantedSizes.push_back(size);
  strip.isMore |= !isExact && !isConstantIntValue(size, most);
}

static FailureOr<Strip> makeStrip(Operation *op, OpBuilder &builder,
                                  ArrayRef<OpFoldResult> offsets,
                                  ArrayRef<OpFoldResult> sizes) {
  Strip strip;
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    std::optional<int64_t> size = getConstantIntValue(sizes[dim]);
    if (size && *size < 1)
      return op->emitOpError("is cut along dimension ")
             << dim << " into tiles of " << *size
             << ", but they must be at least 1";
    addDimension(strip, op, builder, dim, offsets[dim], sizes[dim]);
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

static Value extractSlice(OpBuilder &builder, Location loc, Value value,
                          ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> steps(sizes.size(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder, loc, value, offsets, sizes,
                                        steps);
}

// A box of what `pad` makes, from as much of its input, so that the producer of
// that can come into the loop: in front of the image and after it is padding
// in each trip, of which the box has what it wants.
static Value slicePadded(OpBuilder &builder, PadOp pad,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<int64_t> sizes, TilingResult &result) {
  Location loc = pad.getLoc();
  auto type = cast<RankedTensorType>(pad.getInput().getType());
  SmallVector<OpFoldResult> from, counts, inside, wanted;
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    int64_t low = pad.getLow()[dim], high = pad.getHigh()[dim];
    int64_t count = std::min(sizes[dim], extent);
    AffineExpr first = builder.getAffineDimExpr(0);
    OpFoldResult start =
        low || high
            ? clamp(builder, loc,
                    applyExpr(builder, loc, first - low, {offsets[dim]}),
                    extent - count)
            : offsets[dim];
    AffineExpr distance = first - builder.getAffineDimExpr(1);
    inside.push_back(applyExpr(builder, loc, distance, {offsets[dim], start}));
    from.push_back(start);
    counts.push_back(builder.getIndexAttr(count));
    wanted.push_back(builder.getIndexAttr(sizes[dim]));
    shape.push_back(count + low + high);
  }
  Value part = pad.getInput();
  if (getConstantIntValues(counts) != SmallVector<int64_t>(type.getShape())) {
    part = extractSlice(builder, loc, part, from, counts);
    result.generatedSlices.push_back(part.getDefiningOp());
  }
  Value padded = PadOp::create(builder, loc, type.clone(shape), part,
                               pad.getLow(), pad.getHigh(), pad.getValue());
  return llvm::equal(shape, sizes)
             ? padded
             : extractSlice(builder, loc, padded, inside, wanted);
}

// Offsets of the operand follow linearly from those of the result.
static FailureOr<Value> sliceOperand(OpBuilder &builder, Operation *op,
                                     unsigned index, const Strip &strip,
                                     PadOp padBefore, TilingResult &result) {
  Location loc = op->getLoc();
  Value operand = op->getOperand(index);
  std::optional<Box> base = getOperandBox(op, index, strip.box);
  if (!base)
    return failure();
  bool isByValue = llvm::any_of(strip.offsets, [](Value v) { return bool(v); });
  // Where the strip lies in more than it is of depends on the trip.
  if (isa<ReshapeOp>(op) && isByValue &&
      ShapedType::getNumElements(base->sizes) !=
          ShapedType::getNumElements(strip.box.sizes))
    return failure();
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
    // Padding is none of it any more; what lies in some inputs of a concat, or in
    // parts of blocks, depends on the trip.
    DimMap map = getDimMap(op, index, dim);
    if (map.mayCutBlocks || (isa<ConcatOp>(op) && map.dim == int64_t(dim) &&
                             map.kind == DimMap::Segment))
      return failure();
    if (map.kind == DimMap::Broadcast)
      continue;
    int64_t unit = getCutUnit(op, dim);
    AffineExpr expr = builder.getAffineDimExpr(0).floorDiv(unit) *
                          (unit / map.unit * map.stride) +
                      base->offsets[map.dim];
    offsets[map.dim] = applyExpr(builder, loc, expr, {OpFoldResult(offset)});
    isCut = true;
  }
  if (!isCut)
    return operand;
  if (padBefore && operand == padBefore.getResult())
    return slicePadded(builder, padBefore, offsets, base->sizes, result);
  Value part = extractSlice(builder, loc, operand, offsets, sizes);
  result.generatedSlices.push_back(part.getDefiningOp());
  return part;
}

static Value copyOf(OpBuilder &builder, Location loc, Value value) {
  ArrayRef<int64_t> shape = shapeOf(value);
  return extractSlice(
      builder, loc, value,
      SmallVector<OpFoldResult>(shape.size(), builder.getIndexAttr(0)),
      getAsIndexOpFoldResult(builder.getContext(), shape));
}

// All operands of `plain` for a strip; the index of one that has no part.
static std::optional<unsigned>
sliceOperands(OpBuilder &builder, Operation *plain, const Strip &strip,
              PadOp padBefore, SmallVectorImpl<Value> &operands,
              TilingResult &result) {
  for (unsigned index = 0; index < plain->getNumOperands(); ++index) {
    FailureOr<Value> part =
        sliceOperand(builder, plain, index, strip, padBefore, result);
    if (failed(part))
      return index;
    operands.push_back(*part);
  }
  return std::nullopt;
}

// The first operand that has no part for the first strip and the last one.
static std::optional<unsigned> findUncut(Operation *op, const Strip &strip) {
  Box last = strip.box;
  for (auto [dim, offset] : llvm::enumerate(strip.offsets))
    if (offset)
      last.offsets[dim] = shapeOf(op->getResult(0))[dim] - last.sizes[dim];
  for (unsigned index = 0; index < op->getNumOperands(); ++index)
    if (!getOperandBox(op, index, strip.box) || !getOperandBox(op, index, last))
      return index;
  return std::nullopt;
}

// The op on parts of its operands; null when there is none that is the same in
// each trip.
static Value createStripOp(Operation *op, OpBuilder &builder,
                           const Strip &strip, TilingResult &result) {
  Operation *plain = withoutPadding(builder, op, strip);
  if (!plain)
    return {};
  PadOp padBefore;
  if (plain != op)
    padBefore = plain->getOperand(0).getDefiningOp<PadOp>();
  SmallVector<Value> operands;
  Value part;
  if (!sliceOperands(builder, plain, strip, padBefore, operands, result))
    part = createPart(builder, plain, operands, strip.box);
  if (plain != op) {
    plain->erase();
    padBefore->erase();
  }
  // A concat may need one operand only, and is then no op of its own.
  if (part && llvm::is_contained(operands, part))
    part = copyOf(builder, op->getLoc(), part);
  return part;
}

// With `mayBeWhole`, an op of which each strip is another op is there with all
// of its result, of which the strip is taken.
static FailureOr<TilingResult> createStrip(Operation *op, OpBuilder &builder,
                                           ArrayRef<OpFoldResult> offsets,
                                           ArrayRef<OpFoldResult> sizes,
                                           bool mayBeWhole) {
  FailureOr<Strip> strip = makeStrip(op, builder, offsets, sizes);
  if (failed(strip))
    return failure();
  TilingResult result;
  Value part = createStripOp(op, builder, *strip, result);
  if (!part)
    if (std::optional<unsigned> index = findUncut(op, *strip))
      return op->emitOpError("cannot be cut like this: ")
             << "operand " << *index << " has no slice for it";
  if (!part && !mayBeWhole)
    return failure();
  result.tiledOps.push_back(part ? part.getDefiningOp() : builder.clone(*op));
  if (!part)
    part = extractSlice(builder, op->getLoc(), result.tiledOps[0]->getResult(0),
                        offsets, sizes);
  else if (strip->isMore)
    part = extractSlice(builder, op->getLoc(), part, strip->wantedOffsets,
                        strip->wantedSizes);
  result.tiledValues.push_back(part);
  return result;
}

// What loops go over: the result, and what is reduced to one element of it.
static SmallVector<int64_t> getDomain(Operation *op) {
  SmallVector<int64_t> domain(shapeOf(op->getResult(0)));
  if (auto reduce = dyn_cast<ReduceOp>(op))
    for (int64_t axis : reduce.getAxes())
      domain[axis] = shapeOf(reduce.getInput())[axis];
  return domain;
}

static bool isReduced(Operation *op, int64_t dim) {
  auto reduce = dyn_cast<ReduceOp>(op);
  return reduce && llvm::is_contained(reduce.getAxes(), dim);
}

namespace {

template <typename OpT>
struct CutResult : public TilingInterface::ExternalModel<CutResult<OpT>, OpT> {
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    SmallVector<utils::IteratorType> types;
    for (size_t dim = 0; dim < getDomain(op).size(); ++dim)
      types.push_back(isReduced(op, dim) ? utils::IteratorType::reduction
                                         : utils::IteratorType::parallel);
    return types;
  }

  SmallVector<Range> getIterationDomain(Operation *op,
                                        OpBuilder &builder) const {
    SmallVector<Range> domain;
    for (int64_t size : getDomain(op))
      domain.push_back({builder.getIndexAttr(0), builder.getIndexAttr(size),
                        builder.getIndexAttr(1)});
    return domain;
  }

  FailureOr<TilingResult>
  getTiledImplementation(Operation *op, OpBuilder &builder,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) const {
    for (auto [dim, extent] : llvm::enumerate(getDomain(op)))
      if (isReduced(op, dim) && !isConstantIntValue(sizes[dim], extent))
        return op->emitOpError("is cut along dimension ")
               << dim << " of " << extent
               << ", which it reduces; partial results would round "
                  "differently, "
                  "so use the tile size 0 there";
    SmallVector<OpFoldResult> resultOffsets, resultSizes;
    (void)getResultTilePosition(op, builder, 0, offsets, sizes, resultOffsets,
                                resultSizes);
    return createStrip(op, builder, resultOffsets, resultSizes,
                       /*mayBeWhole=*/true);
  }

  LogicalResult
  getResultTilePosition(Operation *op, OpBuilder &builder, unsigned,
                        ArrayRef<OpFoldResult> offsets,
                        ArrayRef<OpFoldResult> sizes,
                        SmallVector<OpFoldResult> &resultOffsets,
                        SmallVector<OpFoldResult> &resultSizes) const {
    resultOffsets.assign(offsets.begin(), offsets.end());
    resultSizes.assign(sizes.begin(), sizes.end());
    for (size_t dim = 0; dim < sizes.size(); ++dim)
      if (isReduced(op, dim)) {
        resultOffsets[dim] = builder.getIndexAttr(0);
        resultSizes[dim] = builder.getIndexAttr(1);
      }
    return success();
  }

  LogicalResult getIterationDomainTileFromResultTile(
      Operation *op, OpBuilder &builder, unsigned,
      ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
      SmallVectorImpl<OpFoldResult> &domainOffsets,
      SmallVectorImpl<OpFoldResult> &domainSizes) const {
    domainOffsets.assign(offsets.begin(), offsets.end());
    domainSizes.assign(sizes.begin(), sizes.end());
    for (auto [dim, extent] : llvm::enumerate(getDomain(op)))
      if (isReduced(op, dim))
        domainSizes[dim] = builder.getIndexAttr(extent);
    return success();
  }

  FailureOr<TilingResult>
  generateResultTileValue(Operation *op, OpBuilder &builder, unsigned,
                          ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes) const {
    // A producer that cannot go into a loop stays in front of it.
    ScopedDiagnosticHandler silent(op->getContext(),
                                   [](Diagnostic &) { return success(); });
    return createStrip(op, builder, offsets, sizes, /*mayBeWhole=*/false);
  }
};

} // namespace

template <typename... Ops> static void attach(MLIRContext *context) {
  (Ops::template attachInterface<CutResult<Ops>>(*context), ...);
}

void mlir::ane::registerTilingInterface(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, ANEDialect *) {
    attach<ActivationOp, AttentionOp, CastOp, CompareOp, ConcatOp, ConvOp,
           ConvTransposeOp, ElementwiseOp, InterleaveOp, LayerNormOp, MatmulOp,
           PadOp, PoolOp, ReduceOp, ReshapeOp, ResizeOp, RmsNormOp,
           RuntimeConvOp, SelectOp, SliceOp, SoftmaxOp, TileOp, TransposeOp>(
        context);
  });
}
