//===- DecomposeShuffle.cpp - Channels that become pixels -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A depth-to-space, also of a transposed convolution, is by now an interleave
// of channels between reshapes and transposes. The tile DMA interleaves only
// what it stores, so the result goes through DRAM. There are two ways around
// it for the shuffle of a convolution's result:
//
// - A convolution of the shuffled image is one of the image before: each pixel
//   of a block is a channel more, the window covers fewer pixels, and what its
//   corners do not need has weights of zero. The shuffle moves after it. This
//   has more products, but where a few output channels left engines idle, now
//   all have work.
// - Pixels of a row that come from the channels of one pixel lie side by side
//   if channels are innermost. A convolution can write its result that way; two
//   columns of channels are then one column each of a wider image, and a copy
//   brings columns back to rows. All of that stays in L2.
//
// Where neither serves, the convolution at least gives its channels in such an
// order that each row of a block is stored where it belongs: the result is
// written to DRAM once, with no copy from rows of blocks to rows of pixels.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Layout/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/Dialect/ANE/IR/IndexMap.h"
#include "ane/HW/Chip.h"
#include "ane/Simulator/CostModel.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

namespace {

/// Pixel (factor * y + i, factor * x + j) of channel c of `result` is pixel
/// (y, x) of channel c * channelStep + i * rowStep + j * columnStep of `image`,
/// which is the result of `conv`.
struct Shuffle {
  ConvOp conv;
  Value image, result;
  int64_t factor = 1, channels = 1;
  int64_t channelStep = 1, rowStep = 1, columnStep = 1;

  int64_t channelOf(int64_t c, int64_t i, int64_t j) const {
    return c * channelStep + i * rowStep + j * columnStep;
  }
};

} // namespace

static bool isMove(Operation *op) {
  return isa<ReshapeOp, TransposeOp, InterleaveOp>(op);
}

// Whether dimensions 0 to 3 are an image with blocks of pixels for channels.
static bool isShuffle(const IndexMap &map, Shuffle &shuffle) {
  using SourceDigit = IndexMap::SourceDigit;
  ArrayRef<int64_t> from = typeOf(shuffle.image).getShape();
  auto channel = map.getSourceDigits(1), row = map.getSourceDigits(2),
       column = map.getSourceDigits(3);
  auto isBlock = [&](const auto &digits, int64_t dim) {
    bool hasPixels = from[dim] > 1;
    return digits && digits->size() == (hasPixels ? 2u : 1u) &&
           (!hasPixels || digits->front() == SourceDigit{dim, 1, from[dim]}) &&
           digits->back().dim == 1 && digits->back().size == shuffle.factor;
  };
  if (!map.getDigits(0).empty() || !channel || channel->size() > 1 ||
      !isBlock(row, 2) || !isBlock(column, 3))
    return false;
  if (!channel->empty()) {
    shuffle.channels = channel->front().size;
    shuffle.channelStep = channel->front().step;
  }
  shuffle.rowStep = row->back().step;
  shuffle.columnStep = column->back().step;
  return true;
}

// The shuffle of the result of a convolution that `op` is a part of.
static std::optional<Shuffle> findShuffle(InterleaveOp op) {
  SmallVector<Operation *> chain;
  Operation *first = op;
  while (isMove(first)) {
    chain.push_back(first);
    Operation *def = first->getOperand(0).getDefiningOp();
    if (!def || !def->hasOneUse())
      return std::nullopt;
    first = def;
  }
  Shuffle shuffle;
  shuffle.conv = dyn_cast<ConvOp>(first);
  shuffle.image = first->getResult(0);
  shuffle.factor = op.getFactor();
  if (!shuffle.conv || !isImage(shuffle.image) ||
      typeOf(shuffle.image).getDimSize(0) != 1)
    return std::nullopt;
  IndexMap map(typeOf(shuffle.image).getShape());
  for (Operation *move : llvm::reverse(chain))
    if (!map.apply(move))
      return std::nullopt;
  for (Operation *last = op;;) {
    shuffle.result = last->getResult(0);
    if (isImage(shuffle.result) && isShuffle(map, shuffle))
      return shuffle;
    if (!last->hasOneUse())
      return std::nullopt;
    last = *last->user_begin();
    if (!isMove(last) || isa<InterleaveOp>(last) || !map.apply(last))
      return std::nullopt;
  }
}

static bool isResult(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>() ||
           (isMove(user) && isResult(user->getResult(0)));
  });
}

// Of all channels, with adjacent taps.
static bool isDense(ConvOp conv) {
  return conv.getGroups() == 1 && conv.hasUnitStrides() &&
         conv.hasUnitDilations() && !conv.getScale();
}

// The convolution of a shuffle with these of its channels, in this order; none
// if its weights are no constants.
static ConvOp permuteChannels(OpBuilder &builder, ConvOp conv,
                              ArrayRef<int64_t> channels) {
  auto permuted = [&](Value constant) -> Value {
    FailureOr<SmallVector<float>> values = readConstant(constant);
    if (failed(values))
      return {};
    SmallVector<int64_t> shape = llvm::to_vector(typeOf(constant).getShape());
    int64_t size = values->size() / shape[0];
    SmallVector<float> moved;
    for (int64_t channel : channels)
      llvm::append_range(moved,
                         ArrayRef<float>(*values).slice(channel * size, size));
    shape[0] = channels.size();
    return unroundedConstant(builder, conv.getLoc(), shape, moved);
  };
  Value weight = permuted(conv.getWeight());
  Value bias = conv.getBias() ? permuted(conv.getBias()) : Value();
  if (!weight || (conv.getBias() && !bias))
    return {};
  auto copy = cast<ConvOp>(builder.clone(*conv));
  copy.getResult().setType(withDim(typeOf(conv), 1, channels.size()));
  copy.getWeightMutable().assign(weight);
  if (bias)
    copy.getBiasMutable().assign(bias);
  return copy;
}

// The shuffle of an image with channels (row of a block, channel, column of a
// block): rows of a block are stored one below the other.
static Value storeByRows(OpBuilder &builder, Location loc, Value image,
                         RankedTensorType type, int64_t factor, int64_t align) {
  int64_t channels = type.getDimSize(1), width = type.getDimSize(3);
  int64_t height = typeOf(image).getDimSize(2);
  SmallVector<Value> rows;
  for (int64_t i = 0; i < factor; ++i)
    rows.push_back(InterleaveOp::create(
        builder, loc, type.clone({1, channels, height, width}),
        sliceDim(builder, loc, image, 1, i * channels * factor,
                 channels * factor),
        factor));
  return alternateRows(builder, loc, rows, type, align);
}

//===----------------------------------------------------------------------===//
// After the next convolution
//===----------------------------------------------------------------------===//

namespace {

/// Taps of one dimension: which pixels of the image before the shuffle the
/// pixels of a block need.
struct Taps {
  Taps(int64_t factor, int64_t size, int64_t before)
      : factor(factor), before(before) {
    int64_t first = -before, last = factor - 1 - before + size - 1;
    low = llvm::divideFloorSigned(first, factor);
    high = llvm::divideFloorSigned(last, factor);
  }
  /// Where tap `tap` of pixel `pixel` of a block lies: a pixel, counted from
  /// the first that is needed, and a pixel of its block.
  std::pair<int64_t, int64_t> find(int64_t pixel, int64_t tap) const {
    int64_t at = pixel - before + tap - low * factor;
    return {at / factor, at % factor};
  }
  int64_t size() const { return high - low + 1; }

  int64_t factor, before, low, high;
};

struct ShuffleBehindConv : public OpRewritePattern<InterleaveOp> {
  ShuffleBehindConv(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context, /*benefit=*/2), info(options.generation) {}

  LogicalResult matchAndRewrite(InterleaveOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Shuffle> shuffle = findShuffle(op);
    if (!shuffle || !shuffle->result.hasOneUse())
      return failure();
    auto conv = dyn_cast<ConvOp>(*shuffle->result.user_begin());
    if (!conv || conv.getInput() != shuffle->result || !isDense(conv))
      return failure();
    ArrayRef<int64_t> weight = typeOf(conv.getWeight()).getShape();
    ArrayRef<int64_t> pad = conv.getPad();
    Taps rows(shuffle->factor, weight[2], pad[0]);
    Taps columns(shuffle->factor, weight[3], pad[2]);
    // Of the same size as its source, and cheaper.
    if (pad[0] + pad[1] != weight[2] - 1 || pad[2] + pad[3] != weight[3] - 1 ||
        rows.low > 0 || rows.high < 0 || columns.low > 0 || columns.high < 0 ||
        !isCheaper(conv, *shuffle, rows, columns))
      return failure();
    FailureOr<SmallVector<float>> values = readConstant(conv.getWeight());
    FailureOr<SmallVector<float>> bias = SmallVector<float>();
    if (conv.getBias())
      bias = readConstant(conv.getBias());
    if (failed(values) || failed(bias))
      return failure();
    Value result =
        rewrite(rewriter, conv, *shuffle, rows, columns, *values, *bias);
    rewriter.replaceOp(conv, shuffleBack(rewriter, conv, result, *shuffle));
    return success();
  }

private:
  bool isCheaper(ConvOp conv, const Shuffle &shuffle, const Taps &rows,
                 const Taps &columns) const {
    const ::ane::hw::ChipInfo &chip = ::ane::hw::chipOf(info.id);
    ArrayRef<int64_t> weight = typeOf(conv.getWeight()).getShape();
    ArrayRef<int64_t> in = typeOf(shuffle.image).getShape();
    int64_t block = shuffle.factor * shuffle.factor;
    auto seconds = [&](int64_t cout, int64_t cin, int64_t kh, int64_t kw,
                       int64_t pixels) {
      ::ane::sim::TaskWork work;
      work.macs = cout * cin * kh * kw * pixels;
      work.cout = cout;
      work.kernelWidth = kw;
      return ::ane::sim::predict(chip, work).compute;
    };
    int64_t pixels = in[2] * in[3];
    return seconds(weight[0] * block, in[1], rows.size(), columns.size(),
                   pixels) <=
           seconds(weight[0], weight[1], weight[2], weight[3], pixels * block);
  }

  // Output channels are (row of a block, channel, column of a block).
  static Value rewrite(OpBuilder &builder, ConvOp conv, const Shuffle &shuffle,
                       const Taps &rows, const Taps &columns,
                       ArrayRef<float> values, ArrayRef<float> bias) {
    Location loc = conv.getLoc();
    ArrayRef<int64_t> weight = typeOf(conv.getWeight()).getShape();
    RankedTensorType in = typeOf(shuffle.image);
    int64_t factor = shuffle.factor, block = factor * factor;
    int64_t cin = in.getDimSize(1), cout = weight[0] * block;
    SmallVector<float> spread(cout * cin * rows.size() * columns.size(), 0.0f);
    const float *value = values.data();
    for (int64_t o = 0; o < weight[0]; ++o)
      for (int64_t c = 0; c < weight[1]; ++c)
        for (int64_t y = 0; y < weight[2]; ++y)
          for (int64_t x = 0; x < weight[3]; ++x, ++value)
            for (int64_t pixel = 0; pixel < block; ++pixel) {
              auto [row, i] = rows.find(pixel / factor, y);
              auto [column, j] = columns.find(pixel % factor, x);
              int64_t channel =
                  (pixel / factor * weight[0] + o) * factor + pixel % factor;
              int64_t to = channel * cin + shuffle.channelOf(c, i, j);
              spread[(to * rows.size() + row) * columns.size() + column] =
                  *value;
            }
    SmallVector<float> biases;
    for (int64_t row = 0; row < factor; ++row)
      for (float value : bias)
        biases.append(factor, value);
    Value taps = unroundedConstant(
        builder, loc, {cout, cin, rows.size(), columns.size()}, spread);
    Value summands = biases.empty()
                         ? Value()
                         : unroundedConstant(builder, loc, {cout}, biases);
    return ConvOp::create(
        builder, loc, withDim(in, 1, cout), shuffle.image, taps, summands,
        /*scale=*/Value(), conv.getStridesAttr(),
        builder.getDenseI64ArrayAttr(
            {-rows.low, rows.high, -columns.low, columns.high}),
        conv.getDilationsAttr(), conv.getGroupsAttr(),
        conv.getActivationAttr());
  }

  Value shuffleBack(OpBuilder &builder, ConvOp conv, Value value,
                    const Shuffle &shuffle) const {
    Location loc = conv.getLoc();
    RankedTensorType type = typeOf(conv.getResult());
    int64_t factor = shuffle.factor, channels = type.getDimSize(1);
    int64_t height = typeOf(value).getDimSize(2), width = type.getDimSize(3);
    auto typed = [&](ArrayRef<int64_t> shape) { return type.clone(shape); };
    if (channels > 1)
      return storeByRows(builder, loc, value, type, factor,
                         info.dmaAlign / sizeof(uint16_t));
    value = InterleaveOp::create(builder, loc,
                                 typed({1, factor * channels, height, width}),
                                 value, factor);
    value = ReshapeOp::create(builder, loc,
                              typed({factor, channels, height, width}), value);
    value = TransposeOp::create(builder, loc,
                                typed({channels, height, factor, width}), value,
                                ArrayRef<int64_t>{1, 2, 0, 3});
    return ReshapeOp::create(builder, loc, type, value);
  }

  const ::ane::hw::GenerationInfo &info;
};

//===----------------------------------------------------------------------===//
// Through rows of channels
//===----------------------------------------------------------------------===//

struct ShuffleInL2 : public OpRewritePattern<InterleaveOp> {
  ShuffleInL2(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context), info(options.generation),
        align(info.dmaAlign / sizeof(uint16_t)) {}

  LogicalResult matchAndRewrite(InterleaveOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Shuffle> shuffle = findShuffle(op);
    // A result of the function goes to DRAM anyway; parts of a row start where
    // rows can.
    if (!shuffle || isResult(shuffle->result) || shuffle->channels % align ||
        !isDense(shuffle->conv))
      return failure();
    rewriter.setInsertionPoint(op);
    Value value = createShuffle(rewriter, *shuffle, channelsOfPart(*shuffle));
    if (!value)
      return failure();
    rewriter.replaceOp(shuffle->result.getDefiningOp(), value);
    return success();
  }

private:
  // Only a convolution of single pixels writes channels innermost. Another one,
  // a copy of its result that does, and all rows do not fit L2 for much of an
  // image: some channels of each row at a time do, enough for all engines.
  int64_t channelsOfPart(Shuffle &shuffle) const {
    ArrayRef<int64_t> window = typeOf(shuffle.conv.getWeight()).getShape();
    int64_t bytes = 3 * halfBytesOf(shuffle.image);
    if (window[2] * window[3] == 1 || bytes <= int64_t(info.l2SourceBytes))
      return shuffle.channels;
    constexpr int64_t rounds = 4; // of all engines
    int64_t least = llvm::divideCeil(rounds * info.neCount, shuffle.factor);
    int64_t step = llvm::alignTo(least, align);
    return shuffle.channels % step ? shuffle.channels : step;
  }

  // From parts of `step` channels; none if weights are no constants.
  static Value createShuffle(OpBuilder &builder, Shuffle &shuffle,
                             int64_t step) {
    int64_t factor = shuffle.factor, channels = shuffle.channels;
    bool isWhole = step == channels;
    SmallVector<Value> rows;
    Value value;
    for (int64_t i = 0; i < factor; ++i) {
      SmallVector<Value> parts;
      for (int64_t first = 0; first < channels; first += step) {
        if (!isWhole || i == 0)
          value = computeRows(builder, shuffle, i, isWhole ? factor : 1, first,
                              step);
        if (!value)
          return {};
        parts.push_back(
            moveColumns(builder, shuffle, value, isWhole ? i * step : 0, step));
      }
      rows.push_back(concatDim(builder, shuffle.conv.getLoc(), parts, 0));
    }
    return ReshapeOp::create(
        builder, shuffle.conv.getLoc(), typeOf(shuffle.result),
        concatDim(builder, shuffle.conv.getLoc(), rows, 2));
  }

  // Channels from `first` on of rows of pixels with their channels innermost,
  // as an image of rows with one row in between for each other row of a block.
  static Value moveColumns(OpBuilder &builder, Shuffle &shuffle, Value value,
                           int64_t first, int64_t channels) {
    Location loc = shuffle.conv.getLoc();
    int64_t width = typeOf(shuffle.result).getDimSize(3);
    int64_t height = typeOf(value).getDimSize(1);
    auto typed = [&](ArrayRef<int64_t> shape) {
      return typeOf(value).clone(shape);
    };
    value = sliceDim(builder, loc, value, 3, first, channels);
    value =
        TransposeOp::create(builder, loc, typed({1, channels, height, width}),
                            value, ArrayRef<int64_t>{0, 3, 1, 2});
    return ReshapeOp::create(builder, loc, typed({channels, height, 1, width}),
                             value);
  }

  // What the convolution computes of some rows of each block and of some
  // channels, with its own as (column of a block, row of a block, channel),
  // which are innermost after it, columns of a block side by side.
  static Value computeRows(OpBuilder &builder, const Shuffle &shuffle,
                           int64_t row, int64_t rows, int64_t first,
                           int64_t channels) {
    ConvOp conv = shuffle.conv;
    SmallVector<int64_t> order;
    for (int64_t j = 0; j < shuffle.factor; ++j)
      for (int64_t i = row; i < row + rows; ++i)
        for (int64_t c = first; c < first + channels; ++c)
          order.push_back(shuffle.channelOf(c, i, j));
    ConvOp copy = permuteChannels(builder, conv, order);
    if (!copy)
      return {};
    RankedTensorType type = typeOf(copy);
    ArrayRef<int64_t> shape = type.getShape();
    int64_t height = shape[2], width = shape[3], columns = shuffle.factor;
    Value moved = TransposeOp::create(builder, conv.getLoc(),
                                      type.clone({1, height, width, shape[1]}),
                                      copy, ArrayRef<int64_t>{0, 2, 3, 1});
    return ReshapeOp::create(
        builder, conv.getLoc(),
        type.clone({1, height, width * columns, shape[1] / columns}), moved);
  }

  const ::ane::hw::GenerationInfo &info;
  int64_t align;
};

//===----------------------------------------------------------------------===//
// Row by row to DRAM
//===----------------------------------------------------------------------===//

struct ShuffleByRows : public OpRewritePattern<InterleaveOp> {
  ShuffleByRows(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context, /*benefit=*/0),
        align(options.generation.dmaAlign / sizeof(uint16_t)) {}

  LogicalResult matchAndRewrite(InterleaveOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Shuffle> shuffle = findShuffle(op);
    // One channel has its rows of blocks in the order of rows of pixels. What
    // several ops read is better copied to L2, from blocks as well as from
    // rows.
    if (!shuffle || shuffle->channels == 1 || !isDense(shuffle->conv) ||
        !(shuffle->result.hasOneUse() || isResult(shuffle->result)))
      return failure();
    SmallVector<int64_t> order;
    for (int64_t i = 0; i < shuffle->factor; ++i)
      for (int64_t c = 0; c < shuffle->channels; ++c)
        for (int64_t j = 0; j < shuffle->factor; ++j)
          order.push_back(shuffle->channelOf(c, i, j));
    rewriter.setInsertionPoint(op);
    ConvOp conv = permuteChannels(rewriter, shuffle->conv, order);
    if (!conv)
      return failure();
    rewriter.replaceOp(shuffle->result.getDefiningOp(),
                       storeByRows(rewriter, op.getLoc(), conv,
                                   typeOf(shuffle->result), shuffle->factor,
                                   align));
    return success();
  }

private:
  int64_t align;
};

} // namespace

void mlir::ane::populateShufflePatterns(RewritePatternSet &patterns,
                                        const DecomposeOptions &options) {
  if (options.policy.conv.movesShuffles)
    patterns.add<ShuffleBehindConv, ShuffleInL2, ShuffleByRows>(
        patterns.getContext(), options);
}
