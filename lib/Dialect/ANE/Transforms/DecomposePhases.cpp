//===- DecomposePhases.cpp - Convolutions that double an image ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transposed convolution with a stride of 2 multiplies zeros that lie between
// the pixels, a convolution of an image with every pixel four times multiplies
// the same pixel more than once. Of two by two pixels of the result, each has a
// window of its own on the image before, with fewer taps:
//
//   window 3 of pixels repeated         0 | 1 2   ->  w0, w1 + w2    even rows
//   (offset 0 is the row below)       0 1 | 2     ->  w0 + w1, w2    odd rows
//
// Each pixel of a block is a convolution, or both of a row are one, whose
// channels become pixels of a row when they are stored.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"

#include "ane/Dialect/ANE/Utils/Evaluate.h"
#include "ane/HW/Chip.h"
#include "ane/Simulator/CostModel.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

constexpr int64_t factor = 2;

/// Along one dimension, for even or odd elements of the result: the taps of the
/// window and which element of the source, counted from that in its place, is
/// below each.
struct Phase {
  SmallVector<std::pair<int64_t, int64_t>, 4> taps; ///< tap, offset
};

/// The window over several phases.
struct Window {
  Window(ArrayRef<Phase> phases) {
    for (const Phase &phase : phases)
      for (auto [tap, offset] : phase.taps) {
        first = std::min(first, offset);
        last = std::max(last, offset);
      }
  }
  int64_t size() const { return last - first + 1; }
  int64_t first = INT64_MAX, last = INT64_MIN;
};

/// What doubles an image: a weight, and the phases of both dimensions.
struct Doubling {
  Value input, bias;
  SmallVector<float> values;
  int64_t outputs, inputs, height, width; ///< of the weight
  /// Index of a value of the weight.
  bool inputsFirst;
  ActivationAttr activation;
  RankedTensorType type;
  Phase phases[2][factor];

  float at(int64_t o, int64_t i, int64_t y, int64_t x) const {
    int64_t plane = inputsFirst ? i * outputs + o : o * inputs + i;
    return values[(plane * height + y) * width + x];
  }
};

} // namespace

// Of the padding of the convolution, `count` results of each phase.
static bool canPad(const Window &window, int64_t count, int64_t from) {
  int64_t before = -window.first, behind = count - 1 + window.last - (from - 1);
  return before >= 0 && behind >= 0 && before < window.size() &&
         behind < window.size();
}

// Pixels (i, j) of every block, i fixed: output channels are (channel, j).
static Value convolvePixels(OpBuilder &builder, Location loc,
                            const Doubling &op, int64_t i, ArrayRef<int64_t> js,
                            int64_t rows, int64_t columns) {
  SmallVector<Phase> sides;
  for (int64_t j : js)
    sides.push_back(op.phases[1][j]);
  Window down(op.phases[0][i]), across(sides);
  int64_t count = js.size(), outputs = op.outputs * count;
  SmallVector<float> weight(outputs * op.inputs * down.size() * across.size(),
                            0.0f);
  for (int64_t o = 0; o != outputs; ++o)
    for (int64_t c = 0; c != op.inputs; ++c)
      for (auto [y, row] : op.phases[0][i].taps)
        for (auto [x, column] : sides[o % count].taps)
          weight[((o * op.inputs + c) * down.size() + row - down.first) *
                     across.size() +
                 column - across.first] += op.at(o / count, c, y, x);
  Value bias = op.bias;
  if (bias && count > 1) {
    SmallVector<float> values;
    for (float value : *readConstant(bias))
      values.append(count, value);
    bias = unroundedConstant(builder, loc, {outputs}, values);
  }
  RankedTensorType in = typeOf(op.input);
  return ConvOp::create(
      builder, loc, in.clone({1, outputs, rows, columns}), op.input,
      unroundedConstant(builder, loc,
                        {outputs, op.inputs, down.size(), across.size()},
                        weight),
      bias, /*scale=*/Value(), ArrayRef<int64_t>{1, 1},
      ArrayRef<int64_t>{-down.first, rows - in.getDimSize(2) + down.last,
                        -across.first,
                        columns - in.getDimSize(3) + across.last},
      ArrayRef<int64_t>{1, 1}, /*groups=*/1, op.activation);
}

// Whether both columns of a block are one convolution, with zeros in a window
// over all that either needs. Its result is then stored as pixels right away;
// that of two is put together in DRAM first, where L2 does not hold it.
static bool joinsColumns(const Doubling &op, int64_t pixels,
                         const ::ane::hw::GenerationInfo &info) {
  int64_t bytes = sizeof(uint16_t) * op.type.getNumElements();
  if (bytes <= int64_t(info.l2SourceBytes))
    return false;
  int64_t taps = 0, needed = 0;
  for (const Phase &phase : op.phases[0])
    taps += Window(phase).size();
  for (const Phase &phase : op.phases[1])
    needed += Window(phase).size();
  const ::ane::hw::ChipInfo &chip = ::ane::hw::chipOf(info.id);
  ::ane::sim::TaskWork zeros, copy;
  zeros.cout = op.outputs;
  zeros.macs = taps * (factor * Window(op.phases[1]).size() - needed) *
               op.outputs * op.inputs * pixels;
  copy.tileBytes = 2 * bytes;
  return ::ane::sim::predict(chip, zeros).compute <
         ::ane::sim::predict(chip, copy).tiles;
}

// The result; none if no padding makes its borders.
static Value doubled(OpBuilder &builder, Location loc, const Doubling &op,
                     const ::ane::hw::GenerationInfo &info) {
  RankedTensorType in = typeOf(op.input);
  int64_t rows = llvm::divideCeil(op.type.getDimSize(2), factor);
  int64_t columns = llvm::divideCeil(op.type.getDimSize(3), factor);
  int64_t counts[] = {rows, columns};
  for (unsigned dim : {0u, 1u})
    for (const Phase &phase : op.phases[dim])
      if (phase.taps.empty() ||
          !canPad(Window(phase), counts[dim], in.getDimSize(2 + dim)))
        return {};
  SmallVector<Value> parts;
  bool isJoined = joinsColumns(op, rows * columns, info);
  auto pixels = [&](int64_t i, ArrayRef<int64_t> js) {
    return convolvePixels(builder, loc, op, i, js, rows, columns);
  };
  for (int64_t i = 0; i != factor; ++i) {
    // Below each other, rows of two images are those of channels in turn.
    Value part = isJoined
                     ? pixels(i, {0, 1})
                     : reshaped(builder, loc,
                                concatDim(builder, loc,
                                          {pixels(i, {0}), pixels(i, {1})}, 2),
                                {1, op.outputs * factor, rows, columns});
    parts.push_back(InterleaveOp::create(
        builder, loc, in.clone({1, op.outputs, rows, factor * columns}), part,
        factor));
  }
  Value result =
      alternateRows(builder, loc, parts,
                    in.clone({1, op.outputs, factor * rows, factor * columns}),
                    info.dmaAlign / sizeof(uint16_t));
  for (unsigned dim : {2u, 3u})
    result = sliceDim(builder, loc, result, dim, 0, op.type.getDimSize(dim));
  return result;
}

namespace {

/// Taps that fall on pixels, not between them.
struct TransposedPhases : public OpRewritePattern<ConvTransposeOp> {
  TransposedPhases(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context, /*benefit=*/3), info(options.generation) {}

  LogicalResult matchAndRewrite(ConvTransposeOp op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> weight = typeOf(op.getWeight()).getShape();
    if (!isImage(op.getInput()) || op.getGroups() != 1 || op.getScale() ||
        op.getStrides() != ArrayRef<int64_t>{factor, factor} ||
        op.getDilations() != ArrayRef<int64_t>{1, 1} ||
        op.getType().getDimSize(0) != 1 ||
        weight.drop_front(2) == ArrayRef<int64_t>{factor, factor})
      return failure();
    FailureOr<SmallVector<float>> values = readConstant(op.getWeight());
    if (failed(values) || (op.getBias() && failed(readConstant(op.getBias()))))
      return failure();
    Doubling doubling;
    doubling.input = op.getInput();
    doubling.bias = op.getBias();
    doubling.values = *values;
    doubling.inputs = weight[0];
    doubling.outputs = weight[1];
    doubling.height = weight[2];
    doubling.width = weight[3];
    doubling.inputsFirst = true;
    doubling.activation = op.getActivationAttr();
    doubling.type = op.getType();
    for (unsigned dim : {0u, 1u})
      for (int64_t i = 0; i != factor; ++i)
        for (int64_t tap = 0; tap != weight[2 + dim]; ++tap)
          if (int64_t from = i + op.getPad()[2 * dim] - tap; from % factor == 0)
            doubling.phases[dim][i].taps.emplace_back(tap, from / factor);
    Value result = doubled(rewriter, op.getLoc(), doubling, info);
    if (!result)
      return failure();
    rewriter.replaceOp(op, result);
    return success();
  }

  const ::ane::hw::GenerationInfo &info;
};

/// Taps that fall on the same pixel.
struct RepeatedPhases : public OpRewritePattern<ConvOp> {
  RepeatedPhases(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context, /*benefit=*/2), info(options.generation) {}

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    auto resize = op.getInput().getDefiningOp<ResizeOp>();
    ArrayRef<int64_t> weight = typeOf(op.getWeight()).getShape();
    if (!resize || !resize->hasOneUse() || !isImage(op.getInput()) ||
        op.getGroups() != 1 || op.getScale() || weight[2] == 1 ||
        weight[3] == 1 || op.getStrides() != ArrayRef<int64_t>{1, 1} ||
        op.getDilations() != ArrayRef<int64_t>{1, 1} ||
        op.getType().getDimSize(0) != 1 || !repeatsTwice(resize, 2) ||
        !repeatsTwice(resize, 3))
      return failure();
    FailureOr<SmallVector<float>> values = readConstant(op.getWeight());
    if (failed(values) || (op.getBias() && failed(readConstant(op.getBias()))))
      return failure();
    Doubling doubling;
    doubling.input = resize.getInput();
    doubling.bias = op.getBias();
    doubling.values = *values;
    doubling.outputs = weight[0];
    doubling.inputs = weight[1];
    doubling.height = weight[2];
    doubling.width = weight[3];
    doubling.inputsFirst = false;
    doubling.activation = op.getActivationAttr();
    doubling.type = op.getType();
    for (unsigned dim : {0u, 1u})
      for (int64_t i = 0; i != factor; ++i)
        for (int64_t tap = 0; tap != weight[2 + dim]; ++tap)
          doubling.phases[dim][i].taps.emplace_back(
              tap,
              llvm::divideFloorSigned(i + tap - op.getPad()[2 * dim], factor));
    Value result = doubled(rewriter, op.getLoc(), doubling, info);
    if (!result)
      return failure();
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  static bool repeatsTwice(ResizeOp op, unsigned dim) {
    std::optional<SmallVector<ResizeTap>> taps = getResizeTaps(op, dim);
    if (!taps || typeOf(op.getResult()).getDimSize(dim) !=
                     factor * typeOf(op.getInput()).getDimSize(dim))
      return false;
    for (auto [i, tap] : llvm::enumerate(*taps))
      if (tap.index != int64_t(i) / factor || tap.weight != 0)
        return false;
    return true;
  }

  const ::ane::hw::GenerationInfo &info;
};

} // namespace

void mlir::ane::populateDecomposePhasesPatterns(
    RewritePatternSet &patterns, const DecomposeOptions &options) {
  if (options.policy.plansTiles)
    patterns.add<RepeatedPhases, TransposedPhases>(patterns.getContext(),
                                                   options);
}
