//===- DecomposeLayout.cpp - Elements that change their place -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tile DMA goes through images, channels and rows with any strides, but a
// row is whole. Slices and concats of columns are done to channels instead,
// between two transposes, each of which is a pass of the engines. Matrix
// products become convolutions where one operand is constant.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Layout/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/Dialect/ANE/IR/IndexMap.h"

#include <map>
#include <set>

using namespace mlir;
using namespace mlir::ane;

static int64_t product(ArrayRef<int64_t> shape) {
  return ShapedType::getNumElements(shape);
}

namespace {

//===----------------------------------------------------------------------===//
// Rank
//===----------------------------------------------------------------------===//

/// Dimensions that stay neighbours in their order are one, and those of size 1
/// are none, but for those of an image that it is made of. What is still more
/// than four is an exchange of two blocks after the other.
struct RankOfTranspose : public OpRewritePattern<TransposeOp> {
  RankOfTranspose(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context), info(options.generation),
        minRow(info.dmaAlign / sizeof(uint16_t)), maxHeight(info.maxHeight) {}

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    if (type.getRank() == 4 || !type.getElementType().isF16())
      return failure();
    SmallVector<int64_t> sizes, order; // merged, of the input
    ArrayRef<int64_t> shape = typeOf(op.getInput()).getShape();
    merge(shape, op.getPerm(), INT64_MAX, sizes, order);
    SmallVector<int64_t> image = imageOf(op, sizes, order);
    if (image.empty()
            ? llvm::any_of(sizes,
                           [&](int64_t size) { return size > maxHeight; })
            : !isTensor(image, besideOnes(image, order))) {
      sizes.clear();
      order.clear();
      merge(shape, op.getPerm(), maxHeight, sizes, order);
      splitLong(sizes, order);
      image = imageOf(op, sizes, order);
    }
    Location loc = op.getLoc();
    Value value = op.getInput();
    if (!image.empty())
      value = permuted(rewriter, loc, reshaped(rewriter, loc, value, image),
                       besideOnes(image, order));
    else
      value = exchangeBlocks(rewriter, loc, value, sizes, order);
    rewriter.replaceOp(op, reshaped(rewriter, loc, value, type.getShape()));
    return success();
  }

private:
  static SmallVector<int64_t> withoutOnes(ArrayRef<int64_t> shape) {
    return llvm::filter_to_vector(shape,
                                  [](int64_t size) { return size != 1; });
  }

  /// What four dimensions the input has best, with `sizes` among 1s; none if
  /// these are more. A matrix of two merged dimensions would have to be laid
  /// out anew where it is an image of three, which then are `sizes`.
  SmallVector<int64_t> imageOf(TransposeOp op, SmallVectorImpl<int64_t> &sizes,
                               SmallVectorImpl<int64_t> &order) const {
    ArrayRef<int64_t> shape = typeOf(op.getInput()).getShape();
    SmallVector<int64_t> before, own = withoutOnes(shape);
    if (auto reshape = op.getInput().getDefiningOp<ReshapeOp>())
      before.assign(typeOf(reshape.getInput()).getShape());
    bool isMatrix = withoutOnes(before) == sizes;
    if (!isMatrix && (shape.size() == 3 || withoutOnes(before) == own) &&
        own.size() <= 4 &&
        llvm::all_of(own, [&](int64_t size) { return size <= maxHeight; })) {
      sizes = own;
      order.clear();
      for (int64_t dim : op.getPerm())
        if (shape[dim] != 1)
          order.push_back(withoutOnes(shape.take_front(dim)).size());
    }
    if (before.size() == 4 && withoutOnes(before) == sizes)
      return before;
    if (sizes.size() > 4)
      return {};
    SmallVector<int64_t> image(4 - sizes.size(), 1);
    llvm::append_range(image, sizes);
    return image;
  }

  /// `order` of the dimensions of `image` that are not 1, after those that
  /// are.
  static SmallVector<int64_t> besideOnes(ArrayRef<int64_t> image,
                                         ArrayRef<int64_t> order) {
    SmallVector<int64_t> perm, others;
    for (auto [dim, size] : llvm::enumerate(image))
      (size == 1 ? perm : others).push_back(dim);
    for (int64_t dim : order)
      perm.push_back(others[dim]);
    return perm;
  }

  /// Whether a tensor can have the dimensions, before and behind `perm`.
  bool isTensor(ArrayRef<int64_t> image, ArrayRef<int64_t> perm) const {
    const int64_t most[] = {INT64_MAX, int64_t(info.maxChannels),
                            int64_t(info.maxHeight), int64_t(info.maxWidth)};
    for (size_t i = 0; i < image.size(); ++i)
      if (image[i] > most[i] || image[perm[i]] > most[i])
        return false;
    return true;
  }

  /// Neighbours that stay such are one dimension of at most `most`.
  static void merge(ArrayRef<int64_t> shape, ArrayRef<int64_t> perm,
                    int64_t most, SmallVectorImpl<int64_t> &sizes,
                    SmallVectorImpl<int64_t> &order) {
    IndexMap::Digits blocks = IndexMap(shape, perm).getBlocks(most);
    IndexMap::Digits sorted = blocks;
    llvm::sort(sorted,
               [](const auto &a, const auto &b) { return a.step > b.step; });
    for (const IndexMap::Digit &block : blocks)
      order.push_back(llvm::find(sorted, block) - sorted.begin());
    for (const IndexMap::Digit &block : sorted)
      sizes.push_back(block.size);
  }

  static int64_t largestDivisor(int64_t extent, int64_t most) {
    int64_t divisor = std::min(extent, most);
    while (extent % divisor)
      --divisor;
    return divisor;
  }

  /// Dimensions that are longer than a tensor may have them are two neighbours:
  /// the inner one such that rows can begin at it, and that several of them
  /// side by side are still a row.
  void splitLong(SmallVectorImpl<int64_t> &sizes,
                 SmallVectorImpl<int64_t> &order) const {
    constexpr int64_t maxNeighbours = 8; // interleaved
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] <= maxHeight)
        continue;
      int64_t most = maxHeight / maxNeighbours;
      int64_t unit = sizes[i] % minRow ? 1 : minRow;
      int64_t inner = unit * largestDivisor(sizes[i] / unit, most / unit);
      if (inner == 1)
        continue; // a prime
      sizes[i] /= inner;
      sizes.insert(sizes.begin() + i + 1, inner);
      int64_t at = i--; // what is in front may still be too long
      for (int64_t &dim : order)
        dim += dim > at;
      order.insert(llvm::find(order, at) + 1, at + 1);
    }
  }

  // [A, B, C, D] to [A, C, B, D], until all dimensions are in place.
  Value exchangeBlocks(OpBuilder &builder, Location loc, Value value,
                       ArrayRef<int64_t> sizes, ArrayRef<int64_t> order) const {
    SmallVector<int64_t> now =
        llvm::to_vector(llvm::seq<int64_t>(0, sizes.size()));
    auto extent = [&](int64_t first, int64_t last) {
      int64_t count = 1;
      for (int64_t i = first; i < last; ++i)
        count *= sizes[now[i]];
      return count;
    };
    for (auto [first, middle, last] : findExchanges(sizes, order)) {
      int64_t outer = extent(0, first), left = extent(first, middle),
              right = extent(middle, last), inner = extent(last, now.size());
      // What has nothing after it has rows.
      SmallVector<int64_t> shape = {outer, left, right, inner};
      SmallVector<int64_t> perm = {0, 2, 1, 3};
      if (inner == 1) {
        // More rows than a tensor has are those of several channels.
        int64_t rows = largestDivisor(left, maxHeight);
        shape = {outer, left / rows, rows, right};
        perm = {0, 3, 1, 2};
      }
      value =
          permuted(builder, loc, reshaped(builder, loc, value, shape), perm);
      std::rotate(now.begin() + first, now.begin() + middle,
                  now.begin() + last);
    }
    return value;
  }

  /// Blocks from `first` and from `middle` on, which change places.
  struct Exchange {
    int64_t first, middle, last;
  };

  // As few as possible that move parts shorter than rows of the tile DMA, as
  // few as possible of all. A shortest path between orders of dimensions.
  SmallVector<Exchange> findExchanges(ArrayRef<int64_t> sizes,
                                      ArrayRef<int64_t> order) const {
    using Order = std::vector<int64_t>;
    struct Step {
      int64_t cost;
      Order from;
      Exchange exchange;
    };
    auto dims = llvm::seq<int64_t>(0, sizes.size());
    Order start(dims.begin(), dims.end());
    int64_t rank = start.size(), shortCost = rank;
    constexpr int64_t most = 6; // 720 orders
    if (rank > most)
      return exchangesInOrder(order);
    std::map<Order, Step> best = {{start, {0, {}, {}}}};
    std::set<std::pair<int64_t, Order>> open = {{0, start}};
    while (!open.empty()) {
      auto [cost, now] = *open.begin();
      open.erase(open.begin());
      if (ArrayRef(now) == order)
        break;
      int64_t behind = 1;
      for (int64_t last = rank; last > 1; behind *= sizes[now[--last]])
        for (int64_t first = 0; first + 1 < last; ++first)
          for (int64_t middle = first + 1; middle < last; ++middle) {
            Order next = now;
            std::rotate(next.begin() + first, next.begin() + middle,
                        next.begin() + last);
            bool isShort = behind > 1 && behind < minRow;
            int64_t total = cost + (isShort ? shortCost : 1);
            auto [it, isNew] = best.try_emplace(next);
            if (!isNew && it->second.cost <= total)
              continue;
            open.erase({it->second.cost, next});
            it->second = {total, now, {first, middle, last}};
            open.insert({total, next});
          }
    }
    SmallVector<Exchange> path;
    for (Order at(order.begin(), order.end()); at != start;
         at = best.at(at).from)
      path.push_back(best.at(at).exchange);
    return llvm::to_vector(llvm::reverse(path));
  }

  // One dimension after the other.
  static SmallVector<Exchange> exchangesInOrder(ArrayRef<int64_t> order) {
    SmallVector<int64_t> now =
        llvm::to_vector(llvm::seq<int64_t>(0, order.size()));
    SmallVector<Exchange> path;
    for (int64_t i = 0, rank = order.size(); i < rank; ++i) {
      int64_t at = llvm::find(now, order[i]) - now.begin();
      if (at == i)
        continue;
      path.push_back({i, at, at + 1});
      std::rotate(now.begin() + i, now.begin() + at, now.begin() + at + 1);
    }
    return path;
  }

  const ::ane::hw::GenerationInfo &info;
  int64_t minRow;    // elements
  int64_t maxHeight; // no less than the width
};

/// A few channels that become neighbours in a row, as in a depth-to-space: the
/// tile DMA stores them side by side. The other dimensions move around whole
/// rows, which is a view.
struct InterleaveColumns : public OpRewritePattern<TransposeOp> {
  InterleaveColumns(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> perm = op.getPerm();
    RankedTensorType type = typeOf(op.getInput());
    int64_t rank = perm.size();
    if (rank < 4 || !type.getElementType().isF16())
      return failure();
    int64_t moved = perm.back(), factor = type.getDimSize(moved);
    if (perm[rank - 2] != rank - 1 || moved == rank - 1 ||
        !isInterleaveFactor(factor) || type.getDimSize(rank - 1) == 1)
      return failure();
    ArrayRef<int64_t> in = type.getShape();
    ArrayRef<int64_t> before = in.take_front(moved);
    ArrayRef<int64_t> behind = in.slice(moved + 1, rank - 2 - moved);
    // Images and channels in front of the factor; a row has what is after.
    int64_t channels = before.empty() ? 1 : before.back();
    int64_t images = before.empty() ? 1 : product(before.drop_back());
    int64_t rows = product(behind), columns = in.back();
    Location loc = op.getLoc();
    Value value = reshaped(rewriter, loc, op.getInput(),
                           {images, channels * factor, rows, columns});
    value = InterleaveOp::create(
        rewriter, loc,
        RankedTensorType::get({images, channels, rows, columns * factor},
                              type.getElementType()),
        value, factor);
    // Without the factor: the dimensions in front, then the row.
    SmallVector<int64_t> whole(before), order;
    llvm::append_range(whole, behind);
    whole.push_back(columns * factor);
    for (int64_t dim : perm.drop_back(2))
      order.push_back(dim - (dim > moved));
    order.push_back(whole.size() - 1);
    value = reshaped(rewriter, loc, value, whole);
    if (!llvm::is_sorted(order))
      value = permuted(rewriter, loc, value, order);
    rewriter.replaceOp(op,
                       reshaped(rewriter, loc, value, op.getType().getShape()));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

} // namespace

// Channels and columns exchanged.
static Value exchange(OpBuilder &builder, Location loc, Value value) {
  return permuted(builder, loc, value, {0, 3, 2, 1});
}

namespace {

/// Columns from anywhere, or every other one: as channels.
struct SliceColumnsByExchange : public OpRewritePattern<SliceOp> {
  SliceColumnsByExchange(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context, /*benefit=*/0),
        columns(options.generation.dmaAlign / sizeof(uint16_t)) {}

  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    if (!isImage(op.getResult()) ||
        (op.getStrides()[3] == 1 && op.getOffsets()[3] % columns == 0))
      return failure();
    // The cut of the other dimensions first: fewer elements move.
    Location loc = op.getLoc();
    SmallVector<int64_t> offsets(op.getOffsets()), sizes(op.getSizes()),
        strides(op.getStrides());
    offsets[3] = 0;
    strides[3] = 1;
    sizes[3] = typeOf(op.getInput()).getDimSize(3);
    Value value = op.getInput();
    if (ArrayRef<int64_t>(sizes) != typeOf(value).getShape())
      value = SliceOp::create(
          rewriter, loc,
          RankedTensorType::get(sizes, typeOf(value).getElementType()), value,
          offsets, sizes, strides);
    value = exchange(rewriter, loc, value);
    SmallVector<int64_t> shape(typeOf(value).getShape());
    shape[1] = op.getSizes()[3];
    value = SliceOp::create(
        rewriter, loc,
        RankedTensorType::get(shape, typeOf(value).getElementType()), value,
        ArrayRef<int64_t>{0, op.getOffsets()[3], 0, 0}, shape,
        ArrayRef<int64_t>{1, op.getStrides()[3], 1, 1});
    rewriter.replaceOp(op, exchange(rewriter, loc, value));
    return success();
  }

  int64_t columns;
};

/// Channels of a convolution, as of a head each, that are all turned alike: it
/// stores its result like that itself.
struct TurnBeforeSlices : public OpRewritePattern<ConvOp> {
  TurnBeforeSlices(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context),
        columns(options.generation.dmaAlign / sizeof(uint16_t)) {}

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    if (op->hasOneUse() || !isImage(op.getResult()) || !op.isByPixel() ||
        op.getGroups() != 1)
      return rewriter.notifyMatchFailure(op, "is no layer of several slices");
    SmallVector<std::pair<SliceOp, TransposeOp>> slices;
    for (Operation *user : op->getUsers()) {
      auto slice = dyn_cast<SliceOp>(user);
      auto turned = slice && slice->hasOneUse()
                        ? dyn_cast<TransposeOp>(*slice->user_begin())
                        : TransposeOp();
      if (!turned || !isOfChannels(slice) || turned.getPerm()[3] != 1)
        return rewriter.notifyMatchFailure(op, "channels are not turned");
      slices.emplace_back(slice, turned);
    }
    ArrayRef<int64_t> perm = slices.front().second.getPerm();
    if (llvm::any_of(slices,
                     [&](auto pair) { return pair.second.getPerm() != perm; }))
      return rewriter.notifyMatchFailure(op, "channels are turned apart");
    rewriter.setInsertionPointAfter(op);
    Value whole = permuted(rewriter, op.getLoc(), op, perm);
    for (auto [slice, turned] : slices) {
      rewriter.replaceOp(turned,
                         sliceDim(rewriter, slice.getLoc(), whole, 3,
                                  slice.getOffsets()[1], slice.getSizes()[1]));
      rewriter.eraseOp(slice);
    }
    return success();
  }

private:
  // Which a row of them may start with.
  bool isOfChannels(SliceOp op) const {
    return op.hasUnitStrides() && op.getOffsets()[1] % columns == 0 &&
           withDim(typeOf(op), 1, shapeOf(op.getInput())[1]) ==
               op.getInput().getType();
  }

  int64_t columns;
};

/// Parts side by side at places that no row can start at: as channels.
struct ConcatColumnsByExchange : public OpRewritePattern<ConcatOp> {
  ConcatColumnsByExchange(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context),
        columns(options.generation.dmaAlign / sizeof(uint16_t)) {}

  LogicalResult matchAndRewrite(ConcatOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getAxis() != 3 || !isImage(op.getResult()) ||
        llvm::all_of(op.getInputs().drop_back(), [&](Value input) {
          return typeOf(input).getDimSize(3) % columns == 0;
        }))
      return failure();
    SmallVector<Value> parts;
    for (Value input : op.getInputs())
      parts.push_back(exchange(rewriter, op.getLoc(), input));
    Value joined = concatDim(rewriter, op.getLoc(), parts, 1);
    rewriter.replaceOp(op, exchange(rewriter, op.getLoc(), joined));
    return success();
  }

  int64_t columns;
};

/// A dimension of 1 is repeated by the planar engine, others are concatenated.
struct DecomposeTile : public OpRewritePattern<TileOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TileOp op,
                                PatternRewriter &rewriter) const override {
    if (!isImage(op.getResult()))
      return failure();
    Value value = op.getInput();
    RankedTensorType type = typeOf(value);
    for (unsigned dim = 1; dim < 4; ++dim)
      if (type.getDimSize(dim) == 1)
        type = withDim(type, dim, op.getRepeats()[dim]);
    // The engine applies relu in the same pass.
    ActivationOp relu;
    if (op->hasOneUse() && type == op.getType())
      if (auto act = dyn_cast<ActivationOp>(*op->user_begin());
          act && act.getFunction().getKind() == ActivationKind::Relu)
        relu = act;
    if (type != typeOf(value))
      value = ElementwiseOp::create(
          rewriter, op.getLoc(), type,
          ElementwiseKindAttr::get(op.getContext(), ElementwiseKind::Mul),
          value, splatConstant(rewriter, op.getLoc(), type.getShape(), 1.0f),
          rewriter.getF32FloatAttr(1.0f), rewriter.getF32FloatAttr(0.0f),
          relu ? relu.getFunction() : ActivationAttr());
    if (relu && value != op.getInput())
      rewriter.replaceOp(relu, value);
    for (unsigned dim = 0; dim < 4; ++dim)
      if (int64_t count = op.getType().getDimSize(dim) / type.getDimSize(dim);
          count > 1) {
        value = concatDim(rewriter, op.getLoc(),
                          SmallVector<Value>(count, value), dim);
        type = typeOf(value);
      }
    rewriter.replaceOp(op, value);
    return success();
  }
};

/// A border that no convolution makes: constants before and after.
struct PadToConcat : public OpRewritePattern<PadOp> {
  PadToConcat(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/0) {}

  LogicalResult matchAndRewrite(PadOp op,
                                PatternRewriter &rewriter) const override {
    if (!isImage(op.getResult()))
      return failure();
    Value value = op.getInput();
    for (unsigned dim = 0; dim < 4; ++dim) {
      auto border = [&](int64_t count, SmallVectorImpl<Value> &parts) {
        if (count)
          parts.push_back(
              splatConstant(rewriter, op.getLoc(),
                            withDim(typeOf(value), dim, count).getShape(),
                            op.getValue().convertToFloat()));
      };
      SmallVector<Value> parts;
      border(op.getLow()[dim], parts);
      parts.push_back(value);
      border(op.getHigh()[dim], parts);
      value = concatDim(rewriter, op.getLoc(), parts, dim);
    }
    rewriter.replaceOp(op, value);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

/// A product with one constant matrix is a convolution with a window of one
/// pixel, whose channels are the terms of the sums.
struct ConstantMatmulToConv : public OpRewritePattern<MatmulOp> {
  ConstantMatmulToConv(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context), info(options.generation),
        biasesProducts(options.policy.conv.biasesProducts) {}

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    if (!isImage(op.getResult()))
      return failure();
    bool onRight = matchPattern(op.getRhs(), m_Constant());
    Value matrix = onRight ? op.getRhs() : op.getLhs();
    Value image = onRight ? op.getLhs() : op.getRhs();
    ArrayRef<int64_t> sizes = typeOf(matrix).getShape();
    if (!matchPattern(matrix, m_Constant()) ||
        matchPattern(image, m_Constant()) || sizes[0] != 1 || sizes[1] != 1)
      return failure();
    Location loc = op.getLoc();
    // Rows of the weight are output channels: N x K, or M x K.
    bool isTransposed = onRight ? op.getTransposeRhs() : !op.getTransposeLhs();
    Value weight =
        constantReshaped(rewriter, loc, matrix, {sizes[2], sizes[3]});
    if (!isTransposed)
      weight = permuted(rewriter, loc, weight, {1, 0});
    ArrayRef<int64_t> flat = typeOf(weight).getShape();
    weight = reshaped(rewriter, loc, weight, {flat[0], flat[1], 1, 1});
    // Terms as channels.
    bool hasTermsInRows =
        onRight ? op.getTransposeLhs() : !op.getTransposeRhs();
    if (!hasTermsInRows)
      image = rowsAsImage(rewriter, loc, image, std::max(sizes[2], sizes[3]));
    image = hasTermsInRows ? permuted(rewriter, loc, image, {0, 2, 1, 3})
                           : permuted(rewriter, loc, image, {0, 3, 1, 2});
    RankedTensorType type =
        withDim(typeOf(image), 1, typeOf(weight).getDimSize(0));
    Value result = convolve(rewriter, loc, image, weight, ConvSpec(), type);
    auto conv = result.getDefiningOp<ConvOp>();
    conv.setActivationAttr(op.getActivationAttr());
    Operation *last = op;
    if (ElementwiseOp add = onRight ? summandsOf(op) : ElementwiseOp()) {
      conv.getBiasMutable().assign(
          reshaped(rewriter, loc, add.getRhs(), {typeOf(add).getDimSize(3)}));
      conv.setActivationAttr(add.getActivationAttr());
      last = add;
      rewriter.setInsertionPoint(last);
    }
    result = onRight ? permuted(rewriter, loc, result, {0, 2, 3, 1})
                     : permuted(rewriter, loc, result, {0, 2, 1, 3});
    rewriter.replaceOp(last,
                       reshaped(rewriter, loc, result, typeOf(op).getShape()));
    return success();
  }

private:
  // Many rows become columns of several rows, of which L2 holds some with all
  // channels.
  Value rowsAsImage(OpBuilder &builder, Location loc, Value rows,
                    int64_t channels) const {
    ArrayRef<int64_t> shape = typeOf(rows).getShape();
    int64_t rowBytes = 2 * channels, room = info.l2SourceBytes;
    if (!biasesProducts || shape[0] != 1 || shape[1] != 1 ||
        shape[2] * rowBytes <= room)
      return rows;
    int64_t granule = info.dmaAlign / sizeof(uint16_t);
    int64_t columns = room / (8 * rowBytes) / granule * granule;
    while (columns > 0 && shape[2] % columns != 0)
      columns -= granule;
    if (columns <= 0)
      return rows;
    return reshaped(builder, loc, rows,
                    {1, shape[2] / columns, columns, shape[3]});
  }

  // A constant for each column of the product, added to it and nothing else.
  ElementwiseOp summandsOf(MatmulOp op) const {
    if (!biasesProducts || !op->hasOneUse() || op.getActivationAttr())
      return {};
    auto add = dyn_cast<ElementwiseOp>(*op->user_begin());
    if (!add || add.getKind() != ElementwiseKind::Add ||
        add.getLhs() != op.getResult() || add.getType() != op.getType() ||
        !matchPattern(add.getRhs(), m_Constant()) || !add.isUnscaled() ||
        typeOf(add.getRhs()).getNumElements() != typeOf(add).getDimSize(3) ||
        typeOf(add.getRhs()).getShape().back() != typeOf(add).getDimSize(3))
      return {};
    return add;
  }

  const ::ane::hw::GenerationInfo &info;
  bool biasesProducts;
};

/// A computed matrix for all rows of an image is a layer with computed weights,
/// in as few tasks as the kernel buffer allows.
struct SharedMatmulToConv : public OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    auto rows = op.getRhs().getDefiningOp<TransposeOp>();
    RankedTensorType type = op.getType(), matrix = typeOf(op.getLhs());
    if (!rows || !isImage(rows.getResult()) || !isImage(op.getLhs()) ||
        matchPattern(op.getLhs(), m_Constant()) || op.getTransposeLhs() ||
        op.getTransposeRhs() || op.getActivation() ||
        rows.getPerm() != ArrayRef<int64_t>{0, 2, 1, 3} ||
        type.getDimSize(0) != 1 || type.getDimSize(1) == 1 ||
        matrix.getDimSize(0) != 1 || matrix.getDimSize(1) != 1)
      return failure();
    Location loc = op.getLoc();
    Value image = rows.getInput();
    RankedTensorType result = withDim(typeOf(image), 1, matrix.getDimSize(2));
    Value conv = RuntimeConvOp::create(
        rewriter, loc, result, image,
        permuted(rewriter, loc, op.getLhs(), {0, 2, 1, 3}), /*lanes=*/1);
    rewriter.replaceOp(op, permuted(rewriter, loc, conv, {0, 2, 1, 3}));
    return success();
  }
};

/// A function without a table gets an op of its own.
struct SplitMatmulActivation : public OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    ActivationAttr function = op.getActivationAttr();
    if (!function || hasTable(function.getKind()))
      return failure();
    auto plain = cast<MatmulOp>(rewriter.clone(*op));
    plain.removeActivationAttr();
    rewriter.replaceOpWithNewOp<ActivationOp>(op, op.getType(), plain,
                                              function);
    return success();
  }
};

} // namespace

void mlir::ane::populateLayoutRankPatterns(RewritePatternSet &patterns,
                                           const DecomposeOptions &options) {
  patterns.add<InterleaveColumns>(patterns.getContext());
  patterns.add<RankOfTranspose>(patterns.getContext(), options);
}

void mlir::ane::populateDecomposeLayoutPatterns(
    RewritePatternSet &patterns, const DecomposeOptions &options) {
  patterns.add<ConcatColumnsByExchange, ConstantMatmulToConv,
               SliceColumnsByExchange>(patterns.getContext(), options);
  patterns.add<DecomposeTile, PadToConcat, SplitMatmulActivation>(
      patterns.getContext());
  if (options.policy.sequences.keysAreChannels) {
    patterns.add<SharedMatmulToConv>(patterns.getContext());
    patterns.add<TurnBeforeSlices>(patterns.getContext(), options);
  }
}
