//===- DecomposePhases.cpp - Convolutions that enlarge an image -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transposed convolution with a stride multiplies zeros that lie between the
// pixels, a convolution of an image with every pixel several times multiplies
// the same pixel more than once. Of a block of pixels of the result, each has a
// window of its own on the image before, with fewer taps. For blocks of two:
//
//   window 3 of pixels repeated         0 | 1 2   ->  w0, w1 + w2    even rows
//   (offset 0 is the row below)       0 1 | 2     ->  w0 + w1, w2    odd rows
//
// Each pixel of a block is a convolution, or all of a row are one, whose
// channels become pixels of a row when they are stored.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"
#include "ane/Dialect/ANE/Utils/Evaluate.h"
#include "ane/HW/Chip.h"
#include "ane/Simulator/CostModel.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

/// Along one dimension, for one element of every block of the result: the taps
/// of the window and which element of the source, counted from that in the
/// place of the block, is below each.
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

/// What enlarges an image: a weight, and the phases of both dimensions, as many
/// as a block has elements there.
struct Enlargement {
  Value input, bias;
  SmallVector<float> values;
  int64_t outputs, inputs, height, width; ///< of the weight
  /// Index of a value of the weight.
  bool inputsFirst;
  ActivationAttr activation;
  RankedTensorType type;
  SmallVector<Phase, 2> phases[2];

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
                            const Enlargement &op, int64_t i,
                            ArrayRef<int64_t> js, int64_t rows,
                            int64_t columns) {
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
    SmallVector<float> one = *readConstant(bias), all;
    for (float value : one)
      all.append(count, value);
    bias = unroundedConstant(builder, loc, {outputs}, all);
  }
  RankedTensorType in = typeOf(op.input);
  ConvSpec spec;
  spec.top = -down.first;
  spec.bottom = rows - in.getDimSize(2) + down.last;
  spec.left = -across.first;
  spec.right = columns - in.getDimSize(3) + across.last;
  spec.bias = bias;
  spec.activation = op.activation;
  return convolve(builder, loc, op.input,
                  unroundedConstant(
                      builder, loc,
                      {outputs, op.inputs, down.size(), across.size()}, weight),
                  spec, in.clone({1, outputs, rows, columns}));
}

// Whether all columns of a block are one convolution, with zeros in a window
// over all that any needs. Its result is then stored as pixels right away; that
// of several is put together in DRAM first, where L2 does not hold it.
static bool joinsColumns(const Enlargement &op, int64_t pixels,
                         const ::ane::hw::GenerationInfo &info) {
  int64_t taps = 0, needed = 0;
  for (const Phase &phase : op.phases[0])
    taps += Window(phase).size();
  for (const Phase &phase : op.phases[1])
    needed += Window(phase).size();
  int64_t columns = op.phases[1].size();
  int64_t unused = columns * Window(op.phases[1]).size() - needed;
  int64_t bytes = sizeof(uint16_t) * op.type.getNumElements();
  if (unused == 0 || bytes <= int64_t(info.l2SourceBytes))
    return unused == 0;
  const ::ane::hw::ChipInfo &chip = ::ane::hw::chipOf(info.id);
  ::ane::sim::TaskWork zeros, copy;
  zeros.cout = op.outputs;
  zeros.macs = taps * unused * op.outputs * op.inputs * pixels;
  copy.tileBytes = 2 * bytes;
  return ::ane::sim::predict(chip, zeros).compute <
         ::ane::sim::predict(chip, copy).tiles;
}

// The result; none if no padding makes its borders.
static Value enlarged(OpBuilder &builder, Location loc, const Enlargement &op,
                      const ::ane::hw::GenerationInfo &info) {
  RankedTensorType in = typeOf(op.input);
  int64_t factors[2], counts[2];
  for (unsigned dim : {0u, 1u}) {
    factors[dim] = op.phases[dim].size();
    counts[dim] = llvm::divideCeil(op.type.getDimSize(2 + dim), factors[dim]);
    for (const Phase &phase : op.phases[dim])
      if (phase.taps.empty() ||
          !canPad(Window(phase), counts[dim], in.getDimSize(2 + dim)))
        return {};
  }
  auto [height, width] = std::make_pair(factors[0], factors[1]);
  auto [rows, columns] = std::make_pair(counts[0], counts[1]);
  SmallVector<int64_t> js = llvm::to_vector(llvm::seq<int64_t>(0, width));
  bool isJoined = joinsColumns(op, rows * columns, info);
  SmallVector<Value> parts;
  for (int64_t i = 0; i != height; ++i) {
    SmallVector<Value> images;
    for (int64_t j = 0; j < width; j += isJoined ? width : 1)
      images.push_back(convolvePixels(
          builder, loc, op, i,
          ArrayRef<int64_t>(js).slice(j, isJoined ? width : 1), rows, columns));
    // Below each other, rows of several images are those of channels in turn.
    Value part = reshaped(builder, loc, concatDim(builder, loc, images, 2),
                          {1, op.outputs * width, rows, columns});
    if (width != 1)
      part = InterleaveOp::create(
          builder, loc, in.clone({1, op.outputs, rows, width * columns}), part,
          width);
    parts.push_back(part);
  }
  Value result =
      alternateRows(builder, loc, parts,
                    in.clone({1, op.outputs, height * rows, width * columns}),
                    info.dmaAlign / sizeof(uint16_t));
  for (unsigned dim : {2u, 3u})
    result = sliceDim(builder, loc, result, dim, 0, op.type.getDimSize(dim));
  return result;
}

static bool canBeBlock(int64_t rows, int64_t columns) {
  constexpr int64_t maxRows = 8;
  return rows * columns != 1 && rows <= maxRows &&
         (columns == 1 || isInterleaveFactor(columns));
}

/// What a convolution makes of `input`, without its phases.
template <typename OpTy>
static Enlargement enlargementOf(OpTy op, Value input, ArrayRef<float> values,
                                 bool inputsFirst) {
  ArrayRef<int64_t> weight = typeOf(op.getWeight()).getShape();
  Enlargement larger;
  larger.input = input;
  larger.bias = op.getBias();
  larger.values.assign(values.begin(), values.end());
  larger.outputs = weight[inputsFirst];
  larger.inputs = weight[!inputsFirst];
  larger.height = weight[2];
  larger.width = weight[3];
  larger.inputsFirst = inputsFirst;
  larger.activation = op.getActivationAttr();
  larger.type = op.getType();
  return larger;
}

/// Taps that fall on pixels, not between them.
static LogicalResult transposedPhases(ConvTransposeOp op,
                                      PatternRewriter &rewriter,
                                      const DecomposeOptions &options) {
  ArrayRef<int64_t> weight = typeOf(op.getWeight()).getShape();
  ArrayRef<int64_t> strides = op.getStrides();
  // Of blocks of two by two that do not overlap, one convolution has all.
  constexpr int64_t two[] = {2, 2};
  if (!isImage(op.getInput()) || op.getGroups() != 1 || op.getScale() ||
      !canBeBlock(strides[0], strides[1]) || !op.hasUnitDilations() ||
      op.getType().getDimSize(0) != 1 ||
      (strides == ArrayRef(two) && weight.drop_front(2) == ArrayRef(two)))
    return failure();
  FailureOr<SmallVector<float>> values = readConstant(op.getWeight());
  if (failed(values) || (op.getBias() && failed(readConstant(op.getBias()))))
    return failure();
  Enlargement larger =
      enlargementOf(op, op.getInput(), *values, /*inputsFirst=*/true);
  for (unsigned dim : {0u, 1u})
    for (int64_t i = 0; i != strides[dim]; ++i) {
      Phase &phase = larger.phases[dim].emplace_back();
      for (int64_t tap = 0; tap != weight[2 + dim]; ++tap)
        if (int64_t from = i + op.getPad()[size_t(2) * dim] - tap;
            from % strides[dim] == 0)
          phase.taps.emplace_back(tap, from / strides[dim]);
    }
  Value result = enlarged(rewriter, op.getLoc(), larger, options.generation);
  if (!result)
    return failure();
  rewriter.replaceOp(op, result);
  return success();
}

// How often each element comes along a dimension; 0 if not all the same.
static int64_t repeatsOf(ResizeOp op, unsigned dim) {
  int64_t from = typeOf(op.getInput()).getDimSize(dim);
  int64_t to = typeOf(op.getResult()).getDimSize(dim);
  std::optional<SmallVector<ResizeTap>> taps = getResizeTaps(op, dim);
  if (!taps || to % from != 0)
    return 0;
  for (auto [i, tap] : llvm::enumerate(*taps))
    if (tap.index != int64_t(i) / (to / from) || tap.weight != 0)
      return 0;
  return to / from;
}

/// Taps that fall on the same pixel.
static LogicalResult repeatedPhases(ConvOp op, PatternRewriter &rewriter,
                                    const DecomposeOptions &options) {
  auto resize = op.getInput().getDefiningOp<ResizeOp>();
  ArrayRef<int64_t> weight = typeOf(op.getWeight()).getShape();
  if (!resize || !resize->hasOneUse() || !isImage(op.getInput()) ||
      op.getGroups() != 1 || op.getScale() || weight[2] * weight[3] == 1 ||
      !op.hasUnitStrides() || !op.hasUnitDilations() ||
      op.getType().getDimSize(0) != 1)
    return failure();
  int64_t factors[] = {repeatsOf(resize, 2), repeatsOf(resize, 3)};
  if (!factors[0] || !factors[1] || !canBeBlock(factors[0], factors[1]))
    return failure();
  FailureOr<SmallVector<float>> values = readConstant(op.getWeight());
  if (failed(values) || (op.getBias() && failed(readConstant(op.getBias()))))
    return failure();
  Enlargement larger =
      enlargementOf(op, resize.getInput(), *values, /*inputsFirst=*/false);
  for (unsigned dim : {0u, 1u})
    for (int64_t i = 0; i != factors[dim]; ++i) {
      Phase &phase = larger.phases[dim].emplace_back();
      for (int64_t tap = 0; tap != weight[2 + dim]; ++tap)
        phase.taps.emplace_back(
            tap, llvm::divideFloorSigned(i + tap - op.getPad()[size_t(2) * dim],
                                         factors[dim]));
    }
  Value result = enlarged(rewriter, op.getLoc(), larger, options.generation);
  if (!result)
    return failure();
  rewriter.replaceOp(op, result);
  return success();
}

void mlir::ane::populateDecomposePhasesPatterns(
    RewritePatternSet &patterns, const DecomposeOptions &options) {
  if (!options.policy.conv.splitsPhases)
    return;
  addPatterns<repeatedPhases>(patterns, options, /*benefit=*/2);
  addPatterns<transposedPhases>(patterns, options, /*benefit=*/3);
}
