//===- UnrollLoops.cpp - Loops that tiling by others leaves ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TilingInterface, which transform scripts and other compilers use, makes loops
// over strips: slices of the operands, the op, and the result inserted into a
// tensor that the loop carries. The engine has no loops, so each strip becomes
// ops of its own. Boxes that are inserted one after the other and are all of a
// tensor are a concat; what it was before does not matter.
//
//===----------------------------------------------------------------------===//

#include "ane/Conversion/FunctionImporter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// More than a program has tasks (program_l1), and than such a program has ops.
static constexpr uint64_t maxTrips = 1 << 16, maxOps = 1 << 20;

static bool makesTooMany(Block *body, uint64_t trips) {
  uint64_t count = 0;
  body->walk([&](Operation *) { ++count; });
  return trips * count > maxOps;
}

/// How often a loop runs, if that is known and not too often.
static std::optional<uint64_t> countTrips(int64_t low, int64_t high,
                                          int64_t step) {
  if (step < 1)
    return std::nullopt;
  uint64_t distance = high <= low ? 0 : uint64_t(high) - uint64_t(low);
  uint64_t trips = llvm::divideCeil(distance, uint64_t(step));
  return trips <= maxTrips ? std::optional(trips) : std::nullopt;
}

static Value createIndex(OpBuilder &builder, Location loc, Type type,
                         int64_t index) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(type, index));
}

static LogicalResult unrollFor(RewriterBase &rewriter, scf::ForOp loop) {
  std::optional<int64_t> low = getConstantIntValue(loop.getLowerBound()),
                         high = getConstantIntValue(loop.getUpperBound()),
                         step = getConstantIntValue(loop.getStep());
  std::optional<uint64_t> trips =
      low && high && step ? countTrips(*low, *high, *step) : std::nullopt;
  if (!trips || makesTooMany(loop.getBody(), *trips))
    return failure();
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> carried(loop.getInitArgs());
  for (uint64_t trip = 0; trip < *trips; ++trip) {
    IRMapping map;
    Value index = loop.getInductionVar();
    map.map(index, createIndex(rewriter, loop.getLoc(), index.getType(),
                               *low + int64_t(trip) * *step));
    map.map(loop.getRegionIterArgs(), carried);
    for (Operation &op : loop.getBody()->without_terminator())
      rewriter.clone(op, map);
    for (auto [value, yielded] : llvm::zip_equal(
             carried, loop.getBody()->getTerminator()->getOperands()))
      value = map.lookupOrDefault(yielded);
  }
  rewriter.replaceOp(loop, carried);
  return success();
}

/// One strip of `loop`, whose results so far are `carried`.
static void cloneStrip(RewriterBase &rewriter, scf::ForallOp loop,
                       ArrayRef<int64_t> at, SmallVectorImpl<Value> &carried) {
  IRMapping map;
  for (auto [index, number] : llvm::zip_equal(loop.getInductionVars(), at))
    map.map(index,
            createIndex(rewriter, loop.getLoc(), index.getType(), number));
  map.map(loop.getRegionIterArgs(), carried);
  for (Operation &op : loop.getBody()->without_terminator())
    rewriter.clone(op, map);
  auto mapped = [&](ArrayRef<OpFoldResult> list) {
    return llvm::map_to_vector(list, [&](OpFoldResult entry) {
      auto value = dyn_cast<Value>(entry);
      return value ? OpFoldResult(map.lookupOrDefault(value)) : entry;
    });
  };
  for (Operation &op : loop.getTerminator().getYieldingOps()) {
    auto insert = cast<tensor::ParallelInsertSliceOp>(op);
    unsigned number =
        cast<BlockArgument>(insert.getDest()).getArgNumber() - at.size();
    carried[number] = tensor::InsertSliceOp::create(
        rewriter, op.getLoc(), map.lookupOrDefault(insert.getSource()),
        carried[number], mapped(insert.getMixedOffsets()),
        mapped(insert.getMixedSizes()), mapped(insert.getMixedStrides()));
  }
}

static LogicalResult unrollForall(RewriterBase &rewriter, scf::ForallOp loop) {
  std::optional<SmallVector<int64_t>> lows = getConstantIntValues(
                                          loop.getMixedLowerBound()),
                                      highs = getConstantIntValues(
                                          loop.getMixedUpperBound()),
                                      steps = getConstantIntValues(
                                          loop.getMixedStep());
  if (!lows || !highs || !steps ||
      !llvm::all_of(loop.getTerminator().getYieldingOps(),
                    llvm::IsaPred<tensor::ParallelInsertSliceOp>))
    return failure();
  SmallVector<uint64_t> counts;
  uint64_t all = 1;
  for (auto [low, high, step] : llvm::zip_equal(*lows, *highs, *steps)) {
    std::optional<uint64_t> trips = countTrips(low, high, step);
    if (!trips)
      return failure();
    counts.push_back(*trips);
    all *= *trips; // of two numbers up to maxTrips
    if (all > maxTrips)
      return failure();
  }
  if (makesTooMany(loop.getBody(), all))
    return failure();
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> carried(loop.getOutputs());
  for (uint64_t trip = 0; trip < all; ++trip) {
    SmallVector<int64_t> at(counts.size());
    uint64_t rest = trip;
    for (int64_t dim = counts.size() - 1; dim >= 0; --dim) {
      at[dim] = (*lows)[dim] + int64_t(rest % counts[dim]) * (*steps)[dim];
      rest /= counts[dim];
    }
    cloneStrip(rewriter, loop, at, carried);
  }
  rewriter.replaceOp(loop, carried);
  return success();
}

namespace {

/// Of a strip after the end, as the last of several threads may have, there is
/// nothing.
struct DropEmptyInsert : public OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    if (llvm::none_of(op.getMixedSizes(), [](OpFoldResult size) {
          return isConstantIntValue(size, 0);
        }))
      return failure();
    rewriter.replaceOp(op, op.getDest());
    return success();
  }
};

} // namespace

/// Offsets that follow from indices become constants.
static void foldOffsets(func::FuncOp function) {
  SmallVector<Operation *> ops;
  Dialect *linalg = function.getContext()->getLoadedDialect("linalg");
  function.walk([&](Operation *op) {
    if ((linalg && op->getDialect() == linalg) ||
        isa_and_nonnull<affine::AffineDialect, arith::ArithDialect,
                        tensor::TensorDialect>(op->getDialect()))
      ops.push_back(op);
  });
  MLIRContext *context = function.getContext();
  RewritePatternSet patterns(context);
  if (linalg) // sizes of results follow from those of operands
    linalg->getCanonicalizationPatterns(patterns);
  affine::AffineApplyOp::getCanonicalizationPatterns(patterns, context);
  affine::AffineMinOp::getCanonicalizationPatterns(patterns, context);
  affine::AffineMaxOp::getCanonicalizationPatterns(patterns, context);
  patterns.add<DropEmptyInsert>(context, /*benefit=*/2);
  tensor::CastOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExtractSliceOp::getCanonicalizationPatterns(patterns, context);
  tensor::InsertSliceOp::getCanonicalizationPatterns(patterns, context);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  (void)applyOpPatternsGreedily(ops, std::move(patterns), config);
}

/// Inner loops first; whether there was one that could be unrolled.
static bool unrollKnown(RewriterBase &rewriter, func::FuncOp function) {
  SmallVector<Operation *> loops;
  function.walk([&](Operation *op) {
    if (isa<scf::ForOp, scf::ForallOp>(op))
      loops.push_back(op);
  });
  bool isAny = false;
  for (Operation *op : loops) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      isAny |= succeeded(unrollFor(rewriter, loop));
    else
      isAny |= succeeded(unrollForall(rewriter, cast<scf::ForallOp>(op)));
  }
  return isAny;
}

/// Bounds of an inner loop may follow from the index of an outer one. A loop
/// that stays is reported by whoever imports it.
static bool unrollAll(RewriterBase &rewriter, func::FuncOp function) {
  bool isAny = false;
  while (unrollKnown(rewriter, function)) {
    foldOffsets(function);
    isAny = true;
  }
  return isAny;
}

//===----------------------------------------------------------------------===//
// Boxes that are all of a tensor
//===----------------------------------------------------------------------===//

namespace {

struct Piece {
  ArrayRef<int64_t> offsets, sizes;
  Value value;
};

} // namespace

/// Pieces that agree in the dimensions before `dim`, side by side; null when
/// they leave a gap or overlap.
static Value joinPieces(OpBuilder &builder, Location loc,
                        ArrayRef<Piece> pieces, ArrayRef<int64_t> shape,
                        size_t dim) {
  if (dim == shape.size())
    return pieces.size() == 1 ? pieces[0].value : Value();
  SmallVector<Value> parts;
  int64_t end = 0;
  for (size_t first = 0; first < pieces.size();) {
    // Sorted by offsets, so that those with the same one are together.
    size_t next = first;
    while (next < pieces.size() &&
           pieces[next].offsets[dim] == pieces[first].offsets[dim] &&
           pieces[next].sizes[dim] == pieces[first].sizes[dim])
      ++next;
    if (pieces[first].offsets[dim] != end)
      return {};
    end += pieces[first].sizes[dim];
    Value part = joinPieces(builder, loc, pieces.slice(first, next - first),
                            shape, dim + 1);
    if (!part)
      return {};
    parts.push_back(part);
    first = next;
  }
  if (end != shape[dim])
    return {};
  return parts.size() == 1
             ? parts[0]
             : Value(tensor::ConcatOp::create(builder, loc, dim, parts));
}

/// What ends in `last`, if all of it is inserted.
static void joinInserts(RewriterBase &rewriter, tensor::InsertSliceOp last) {
  ArrayRef<int64_t> shape = last.getType().getShape();
  SmallVector<Piece> pieces;
  for (tensor::InsertSliceOp insert = last; insert;) {
    bool isBox = !ShapedType::isDynamicShape(insert.getStaticOffsets()) &&
                 insert.getStaticSizes() == insert.getSourceType().getShape() &&
                 llvm::all_of(insert.getStaticStrides(),
                              [](int64_t stride) { return stride == 1; });
    if (!isBox)
      return;
    pieces.push_back({insert.getStaticOffsets(), insert.getStaticSizes(),
                      insert.getSource()});
    insert = insert.getDest().hasOneUse()
                 ? insert.getDest().getDefiningOp<tensor::InsertSliceOp>()
                 : tensor::InsertSliceOp();
  }
  llvm::sort(pieces, [](const Piece &a, const Piece &b) {
    return a.offsets < b.offsets;
  });
  rewriter.setInsertionPoint(last);
  if (Value all = joinPieces(rewriter, last.getLoc(), pieces, shape, 0))
    rewriter.replaceOp(last, all);
}

static void joinAllInserts(RewriterBase &rewriter, func::FuncOp function) {
  SmallVector<tensor::InsertSliceOp> ends;
  function.walk([&](tensor::InsertSliceOp insert) {
    auto continues = [&](Operation *user) {
      auto next = dyn_cast<tensor::InsertSliceOp>(user);
      return next && next.getDest() == insert.getResult();
    };
    if (!insert->hasOneUse() || !continues(*insert->user_begin()))
      ends.push_back(insert);
  });
  for (tensor::InsertSliceOp insert : ends)
    joinInserts(rewriter, insert);
}

//===----------------------------------------------------------------------===//
// Functions of ane ops
//===----------------------------------------------------------------------===//

/// A part of what is padded, padded itself where it reaches over the border:
/// what is padded in front of a loop so that offsets can be values is padding
/// of the first and last strip. Null when nothing but padding is left.
static Value slicePad(OpBuilder &builder, Location loc, PadOp pad,
                      ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes) {
  auto type = cast<RankedTensorType>(pad.getInput().getType());
  SmallVector<int64_t> from, count, low, high;
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    int64_t first = offsets[dim] - pad.getLow()[dim];
    int64_t end = first + sizes[dim];
    low.push_back(std::max<int64_t>(0, -first));
    high.push_back(std::max<int64_t>(0, end - extent));
    from.push_back(std::max<int64_t>(0, first));
    count.push_back(std::min(end, extent) - from.back());
    if (count.back() < 1)
      return {};
  }
  Value part = pad.getInput();
  if (!llvm::equal(count, type.getShape()))
    part = SliceOp::create(builder, loc, type.clone(count), part, from, count,
                           SmallVector<int64_t>(count.size(), 1));
  auto isZero = [](int64_t size) { return size == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero))
    return part;
  return PadOp::create(builder, loc, type.clone(sizes), part, low, high,
                       pad.getValue());
}

/// A constant, slice or concat of others as one of ours; null when there is
/// none.
static Value convert(OpBuilder &builder, Operation *op) {
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return ConcatOp::create(builder, op->getLoc(), concat.getResultType(),
                            concat.getInputs(), concat.getDim());
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) // slices fold to them
    return ConstantOp::create(builder, op->getLoc(),
                              cast<ElementsAttr>(constant.getValue()));
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  if (!slice || ShapedType::isDynamicShape(slice.getStaticOffsets()) ||
      ShapedType::isDynamicShape(slice.getStaticSizes()) ||
      llvm::any_of(slice.getStaticStrides(),
                   [](int64_t stride) { return stride < 1; }))
    return {};
  RankedTensorType type = slice.getType();
  ArrayRef<int64_t> offsets = slice.getStaticOffsets(),
                    sizes = slice.getStaticSizes(),
                    strides = slice.getStaticStrides();
  Value part;
  auto pad = slice.getSource().getDefiningOp<PadOp>();
  if (pad && llvm::all_of(strides, [](int64_t stride) { return stride == 1; }))
    part = slicePad(builder, op->getLoc(), pad, offsets, sizes);
  if (!part)
    part = SliceOp::create(builder, op->getLoc(), type.clone(sizes),
                           slice.getSource(), offsets, sizes, strides);
  return part.getType() == type
             ? part
             : Value(ReshapeOp::create(builder, op->getLoc(), type, part));
}

/// What is left between ops of ours when the loops are gone.
static void convertSlices(RewriterBase &rewriter, func::FuncOp function) {
  SmallVector<Operation *> others;
  for (Operation &op : function.front()) {
    auto constant = dyn_cast<arith::ConstantOp>(op);
    if (isa<tensor::ExtractSliceOp, tensor::ConcatOp>(op) ||
        (constant && isa<ElementsAttr>(constant.getValue())))
      others.push_back(&op);
    else if (!isa_and_nonnull<ANEDialect>(op.getDialect()) &&
             !isa<func::ReturnOp>(op))
      return;
  }
  for (Operation *op : others) {
    rewriter.setInsertionPoint(op);
    if (Value value = convert(rewriter, op))
      rewriter.replaceOp(op, value);
  }
  shrinkStrips(function);
}

void mlir::ane::unrollLoops(func::FuncOp function) {
  if (!llvm::hasSingleElement(function.getBody()))
    return;
  flattenBranches(function);
  IRRewriter rewriter(function.getContext());
  if (!unrollAll(rewriter, function))
    return;
  flattenBranches(function); // of an iteration
  joinAllInserts(rewriter, function);
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(function.front())))
    if (isOpTriviallyDead(&op))
      rewriter.eraseOp(&op);
  convertSlices(rewriter, function);
}
