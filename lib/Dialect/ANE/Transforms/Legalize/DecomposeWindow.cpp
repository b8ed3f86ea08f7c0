//===- DecomposeWindow.cpp - Convolutions with large windows and strides --===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first layer of a vision transformer has a window of 14 x 14 pixels that
// moves by 14, that of a network for sound one of 10 samples that moves by 5:
// neither is a window or a stride of the engine. With a block of pixels for
// each channel, such a window has a stride of 1 and one or two blocks. What is
// then still too large is a sum over parts of the window.
//
// Runs before anything else, since blocks have more than four dimensions.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/Tiling.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

/// Along one dimension: `size` elements, of which `low` in front of the image,
/// in blocks of `block`, and `taps` blocks below the window.
struct Blocks {
  int64_t block, taps, size, low;
  bool isTrivial() const { return block == 1; }
};

/// Where the window is cut, and how many taps a part may have there.
struct Cut {
  unsigned dim;
  int64_t maxTaps;
};

/// A row or column of the window. `count` elements of the result, from
/// `first` on, have one of the source below it, `shift` after themselves.
struct Tap {
  int64_t index, shift, first, count;
};

} // namespace

static int64_t kernelOf(ConvOp op, unsigned i) {
  return typeOf(op.getWeight()).getDimSize(2 + i);
}

static int64_t windowOf(ConvOp op, unsigned i) {
  return getDimMap(op, 0, 2 + i).getSpan();
}

static bool isOfImage(ConvOp op) {
  return isImage(op.getInput()) && isImage(op.getResult()) &&
         typeOf(op.getWeight()).getRank() == 4;
}

static bool isDilated(ConvOp op) { return !op.hasUnitDilations(); }

static int64_t maxKernel(const ::ane::hw::GenerationInfo &info, unsigned i) {
  return i == 0 ? info.maxKernelHeight : info.maxKernelWidth;
}

// Between the taps of a dilation the engine multiplies by zeros. A sum of two
// results costs as much as products with `channelsOfSum` channels.
static bool isMostlyZero(ConvOp op, int64_t channelsOfSum) {
  int64_t taps = kernelOf(op, 0) * kernelOf(op, 1);
  int64_t zeros = windowOf(op, 0) * windowOf(op, 1) - taps;
  return op.getGroups() == 1 &&
         typeOf(op.getInput()).getDimSize(1) * zeros > channelsOfSum * taps;
}

// What `op` does to its sums, done to `sum`, which is one of the results.
static Value activated(OpBuilder &builder, ConvOp op, Value sum) {
  ActivationAttr function = op.getActivationAttr();
  if (!function)
    return sum;
  auto add = sum.getDefiningOp<ElementwiseOp>();
  if (!add || function.getKind() != ActivationKind::Relu)
    return ActivationOp::create(builder, op.getLoc(), op.getType(), sum,
                                function);
  add.setActivationAttr(function);
  return sum;
}

/// Rows and columns [low, low + size) of `value`, zeros where it has none.
static Value cutOrPad(OpBuilder &builder, Location loc, Value value,
                      ArrayRef<int64_t> low, ArrayRef<int64_t> size) {
  SmallVector<int64_t> before(4, 0), behind(4, 0);
  for (unsigned i = 0; i != 2; ++i) {
    int64_t extent = typeOf(value).getDimSize(2 + i);
    int64_t first = std::max<int64_t>(0, low[i]);
    int64_t last = std::min(extent, low[i] + size[i]);
    value = sliceDim(builder, loc, value, 2 + i, first, last - first);
    before[2 + i] = first - low[i];
    behind[2 + i] = size[i] - (last - low[i]);
  }
  return padded(builder, loc, value, before, behind);
}

/// A window that does not move, but has a stride: what lies after it is not
/// needed, so that any other stride gives the same.
static LogicalResult cutBehindWindow(ConvOp op, PatternRewriter &rewriter) {
  if (!isOfImage(op))
    return failure();
  Value image = op.getInput();
  SmallVector<int64_t> pad(op.getPad());
  for (unsigned i : {0u, 1u}) {
    int64_t size = typeOf(image).getDimSize(2 + i);
    int64_t beyond =
        pad[size_t(2) * i] + size + pad[size_t(2) * i + 1] - windowOf(op, i);
    if (typeOf(op.getResult()).getDimSize(2 + i) != 1 || beyond == 0)
      continue;
    int64_t ofPadding = std::min(beyond, pad[2 * i + 1]);
    pad[2 * i + 1] -= ofPadding;
    image = sliceDim(rewriter, op.getLoc(), image, 2 + i, 0,
                     size - (beyond - ofPadding));
  }
  if (pad == op.getPad() && image == op.getInput())
    return failure();
  rewriter.modifyOpInPlace(op, [&] {
    op.getInputMutable().assign(image);
    op.setPad(pad);
  });
  return success();
}

// Whether no stride of the engine will do, or no window. A window that
// covers the image does not move.
static bool isNeeded(ConvOp op, const DecomposeOptions &options) {
  int64_t strides[2] = {op.getStrides()[0], op.getStrides()[1]};
  bool moves[2];
  for (unsigned i = 0; i != 2; ++i) {
    moves[i] = typeOf(op.getResult()).getDimSize(2 + i) != 1;
    if (kernelOf(op, i) > maxKernel(options.generation, i) &&
        (strides[i] > 1 || !moves[i]))
      return true;
  }
  for (unsigned i = 0; i != 2; ++i)
    if (!moves[i])
      strides[i] = moves[1 - i] ? strides[1 - i] : 1;
  int64_t least = options.policy.conv.minBlockStrides;
  return strides[0] != strides[1] || !llvm::isPowerOf2_64(strides[0]) ||
         (least && strides[0] >= least * options.generation.maxStride);
}

static Blocks blocksOf(ConvOp op, unsigned i, const DecomposeOptions &options) {
  int64_t results = typeOf(op.getResult()).getDimSize(2 + i);
  int64_t kernel = kernelOf(op, i), block = op.getStrides()[i];
  if (results == 1)
    block = kernel > maxKernel(options.generation, i) ? kernel : 1;
  int64_t taps = llvm::divideCeil(kernel, block);
  return {block, taps, (results - 1 + taps) * block,
          op.getPad()[size_t(2) * i]};
}

// The weight in the same order, with zeros where the last block is larger
// than what is left of the window.
static Value weightOf(OpBuilder &builder, ConvOp op, ArrayRef<float> values,
                      Blocks rows, Blocks columns) {
  ArrayRef<int64_t> shape = typeOf(op.getWeight()).getShape();
  int64_t area = rows.block * columns.block;
  SmallVector<int64_t> blocks{shape[0], shape[1] * area, rows.taps,
                              columns.taps};
  SmallVector<float> result(ShapedType::getNumElements(blocks), 0.0f);
  for (int64_t plane = 0; plane != shape[0] * shape[1]; ++plane)
    for (int64_t y = 0; y != shape[2]; ++y)
      for (int64_t x = 0; x != shape[3]; ++x) {
        int64_t channel =
            plane * area + y % rows.block * columns.block + x % columns.block;
        int64_t row = channel * rows.taps + y / rows.block;
        result[row * columns.taps + x / columns.block] =
            values[(plane * shape[2] + y) * shape[3] + x];
      }
  return unroundedConstant(builder, op.getLoc(), blocks, result);
}

// 1 x C x H x W to 1 x (C rows columns) x (H / rows) x (W / columns).
static Value toChannels(OpBuilder &builder, Location loc, Value value,
                        int64_t rows, int64_t columns,
                        const DecomposeOptions &options) {
  ArrayRef<int64_t> shape = typeOf(value).getShape();
  int64_t c = shape[1], h = shape[2] / rows, w = shape[3] / columns;
  // Row by row where all pixels are more than one exchange takes.
  if (rows == 1 && h * w > int64_t(options.generation.maxHeight)) {
    value = reshaped(builder, loc, value, {1, c * h, w, columns});
    value = permuted(builder, loc, value, {0, 1, 3, 2});
    value = reshaped(builder, loc, value, {c, h, columns, w});
    value = permuted(builder, loc, value, {0, 2, 1, 3});
    return reshaped(builder, loc, value, {1, c * columns, h, w});
  }
  value = reshaped(builder, loc, value, {1, c, h, rows, w, columns});
  value = permuted(builder, loc, value, {0, 1, 3, 5, 2, 4});
  return reshaped(builder, loc, value, {1, c * rows * columns, h, w});
}

/// Blocks of pixels become channels, also of the window, which moves by one
/// block then.
static LogicalResult blocksToChannels(ConvOp op, PatternRewriter &rewriter,
                                      const DecomposeOptions &options) {
  if (!isOfImage(op) || !isNeeded(op, options))
    return failure();
  if (isDilated(op))
    return spreadTaps(rewriter, op);
  if (typeOf(op.getInput()).getDimSize(0) != 1)
    return replaceByCut(rewriter, op, 0, 1);
  Blocks rows = blocksOf(op, 0, options), columns = blocksOf(op, 1, options);
  if (rows.isTrivial() && columns.isTrivial())
    return failure();
  FailureOr<SmallVector<float>> values = readConstant(op.getWeight());
  if (failed(values))
    return failure();
  Location loc = op.getLoc();
  Value image = cutOrPad(rewriter, loc, op.getInput(),
                         {-rows.low, -columns.low}, {rows.size, columns.size});
  int64_t groups = op.getGroups(), block = rows.block * columns.block;
  // Too many channels of blocks are a sum over some of those of the image.
  int64_t channels = typeOf(image).getDimSize(1);
  int64_t most = std::max<int64_t>(1, options.generation.maxChannels / block);
  auto convolveBlocks = [&](Value image, Value weight, Value bias,
                            ActivationAttr function) -> Value {
    return ConvOp::create(
        rewriter, loc, op.getType(),
        toChannels(rewriter, loc, image, rows.block, columns.block, options),
        weight, bias, op.getScale(), ArrayRef<int64_t>{1, 1},
        ArrayRef<int64_t>{0, 0, 0, 0}, ArrayRef<int64_t>{1, 1}, groups,
        function);
  };
  Value weight = weightOf(rewriter, op, *values, rows, columns);
  if (groups != 1 || channels <= most) {
    rewriter.replaceOp(op, convolveBlocks(image, weight, op.getBias(),
                                          op.getActivationAttr()));
    return success();
  }
  Value sum;
  for (int64_t first = 0; first < channels; first += most) {
    int64_t count = std::min(most, channels - first);
    Value part = convolveBlocks(
        sliceDim(rewriter, loc, image, 1, first, count),
        sliceDim(rewriter, loc, weight, 1, first * block, count * block),
        sum ? Value() : op.getBias(), ActivationAttr());
    sum = addTo(rewriter, loc, sum, part);
  }
  rewriter.replaceOp(op, activated(rewriter, loc, sum, op.getActivationAttr()));
  return success();
}

// Columns first: parts of the rows are views of what they give.
static std::optional<Cut> cutOf(ConvOp op, const DecomposeOptions &options) {
  bool sparse = options.policy.conv.skipsZeroTaps &&
                isMostlyZero(op, /*channelsOfSum=*/1024);
  for (unsigned i : {1u, 0u})
    if (sparse && windowOf(op, i) > kernelOf(op, i))
      return Cut{i, 1};
  for (unsigned i : {1u, 0u})
    if (windowOf(op, i) > maxKernel(options.generation, i))
      return Cut{
          i, (maxKernel(options.generation, i) - 1) / op.getDilations()[i] + 1};
  return std::nullopt;
}

static Value tapsOf(OpBuilder &builder, ConvOp op, ArrayRef<float> values,
                    unsigned dim, int64_t first, int64_t count) {
  RankedTensorType type = typeOf(op.getWeight());
  int64_t inner = dim == 0 ? type.getDimSize(3) : 1;
  int64_t all = type.getDimSize(2 + dim) * inner;
  SmallVector<float> taps;
  for (; !values.empty(); values = values.drop_front(all))
    llvm::append_range(taps, values.slice(first * inner, count * inner));
  return unroundedConstant(builder, op.getLoc(),
                           withDim(type, 2 + dim, count).getShape(), taps);
}

/// The sum of convolutions with parts of the window, which is too large or has
/// its taps far apart.
static LogicalResult splitWindow(ConvOp op, PatternRewriter &rewriter,
                                 const DecomposeOptions &options) {
  if (!isOfImage(op))
    return failure();
  std::optional<Cut> cut = cutOf(op, options);
  if (!cut)
    return failure();
  FailureOr<SmallVector<float>> values = readConstant(op.getWeight());
  if (failed(values))
    return failure();
  Location loc = op.getLoc();
  unsigned dim = cut->dim;
  int64_t stride = op.getStrides()[dim], dilation = op.getDilations()[dim];
  int64_t results = typeOf(op.getResult()).getDimSize(2 + dim);
  SmallVector<int64_t> pad(op.getPad()), low(2, 0), size;
  for (unsigned i = 0; i != 2; ++i)
    size.push_back(typeOf(op.getInput()).getDimSize(2 + i));
  low[dim] = -pad[size_t(2) * dim];
  size[dim] = (results - 1) * stride + windowOf(op, dim);
  pad[size_t(2) * dim] = pad[size_t(2) * dim + 1] = 0;
  Value image = cutOrPad(rewriter, loc, op.getInput(), low, size);
  int64_t kernel = kernelOf(op, dim);
  int64_t step = evenStep(kernel, cut->maxTaps);
  Value sum;
  for (int64_t first = 0; first < kernel; first += step) {
    int64_t taps = std::min(step, kernel - first);
    Value under = sliceDim(rewriter, loc, image, 2 + dim, first * dilation,
                           (results - 1) * stride + (taps - 1) * dilation + 1);
    Value weight = tapsOf(rewriter, op, *values, dim, first, taps);
    auto part = ConvOp::create(rewriter, loc, op.getType(), under, weight,
                               sum ? Value() : op.getBias(), op.getScale(),
                               op.getStrides(), pad, op.getDilations(),
                               op.getGroups(), ActivationAttr());
    sum = addTo(rewriter, loc, sum, part);
  }
  rewriter.replaceOp(op, activated(rewriter, op, sum));
  return success();
}

static int64_t maxShift(const DecomposeOptions &options) {
  return options.generation.maxKernelWidth - 1;
}

// Products of all columns of the source are few more than those needed.
static bool areColumnsKept(ConvOp op) {
  int64_t from = typeOf(op.getInput()).getDimSize(3);
  int64_t to = typeOf(op).getDimSize(3);
  return to <= from && 2 * to > from;
}

// Those that are ever above the image, the one with the most elements and the
// least shift first.
static SmallVector<Tap> tapsOf(ConvOp op, unsigned i) {
  int64_t from = typeOf(op.getInput()).getDimSize(2 + i);
  int64_t to = typeOf(op).getDimSize(2 + i);
  SmallVector<Tap> taps;
  for (int64_t index = 0; index != kernelOf(op, i); ++index) {
    int64_t shift = index * op.getDilations()[i] - op.getPad()[size_t(2) * i];
    int64_t first = std::max<int64_t>(0, -shift);
    int64_t count = std::min(to, from - shift) - first;
    if (count > 0)
      taps.push_back({index, shift, first, count});
  }
  llvm::sort(taps, [](const Tap &a, const Tap &b) {
    return std::make_tuple(-a.count, std::abs(a.shift), a.index) <
           std::make_tuple(-b.count, std::abs(b.shift), b.index);
  });
  return taps;
}

// Columns `shift` after, zeros where there are none, as many as the result
// has. A window of a single one shifts by its padding, which is smaller.
static Value shifted(OpBuilder &builder, ConvOp op, Value value, int64_t shift,
                     const DecomposeOptions &options) {
  while (shift) {
    int64_t by = std::min(std::abs(shift), maxShift(options));
    ConvSpec spec;
    (shift > 0 ? spec.right : spec.left) = by;
    value = convolveOneHot(builder, op.getLoc(), value, 1, by + 1, 0,
                           shift > 0 ? by : 0, spec, typeOf(value));
    shift += shift > 0 ? -by : by;
  }
  return sliceDim(builder, op.getLoc(), value, 3, 0, typeOf(op).getDimSize(3));
}

// `sum` with `part` added to its rows from `first` on.
static Value addRows(OpBuilder &builder, Location loc, Value sum, Value part,
                     int64_t first) {
  int64_t last = first + typeOf(part).getDimSize(2);
  int64_t all = typeOf(sum).getDimSize(2);
  SmallVector<Value> parts;
  if (first)
    parts.push_back(sliceDim(builder, loc, sum, 2, 0, first));
  parts.push_back(binary(builder, loc, ElementwiseKind::Add,
                         sliceDim(builder, loc, sum, 2, first, last - first),
                         part));
  if (last != all)
    parts.push_back(sliceDim(builder, loc, sum, 2, last, all - last));
  return concatDim(builder, loc, parts, 2);
}

static Value weightOf(OpBuilder &builder, ConvOp op, ArrayRef<float> values,
                      int64_t row, int64_t column) {
  RankedTensorType type = typeOf(op.getWeight());
  int64_t width = kernelOf(op, 1), taps = kernelOf(op, 0) * width;
  SmallVector<float> weight;
  for (; !values.empty(); values = values.drop_front(taps))
    weight.push_back(values[row * width + column]);
  return unroundedConstant(builder, op.getLoc(),
                           {type.getDimSize(0), type.getDimSize(1), 1, 1},
                           weight);
}

static Value sumOfRows(OpBuilder &builder, ConvOp op, ArrayRef<float> values,
                       Value source, ArrayRef<Tap> rows, const Tap &column,
                       Value bias) {
  Location loc = op.getLoc();
  Value sum;
  for (const Tap &row : rows) {
    Value image =
        sliceDim(builder, loc, source, 2, row.first + row.shift, row.count);
    ConvSpec spec;
    if (!sum)
      spec.bias = bias;
    Value part =
        convolve(builder, loc, image,
                 weightOf(builder, op, values, row.index, column.index), spec,
                 withDim(typeOf(image), 1, typeOf(op).getDimSize(1)));
    sum = sum ? addRows(builder, loc, sum, part, row.first) : part;
  }
  return sum;
}

/// Taps far apart, without the zeros between them: each is a product with
/// pixels. Those of one column of the window are added where the image has rows
/// below them, then shifted by columns, the only movement that costs a pass.
/// What has fewer channels is shifted, the source or the sum.
static LogicalResult shiftTaps(ConvOp op, PatternRewriter &rewriter,
                               const DecomposeOptions &options) {
  if (!isOfImage(op) || op.getScale() ||
      !isMostlyZero(op, /*channelsOfSum=*/400) || !op.hasUnitStrides() ||
      !areColumnsKept(op))
    return failure();
  SmallVector<Tap> rows = tapsOf(op, 0), columns = tapsOf(op, 1);
  // Of one row, columns far away are near a view.
  int64_t passes = typeOf(op).getDimSize(2) == 1 ? 1 : 3;
  auto isFar = [&](const Tap &tap) {
    return std::abs(tap.shift) > passes * maxShift(options);
  };
  // The bias comes from a sum that starts in all pixels of the result.
  if (columns.empty() || columns.front().shift != 0 || rows.empty() ||
      rows.front().count != typeOf(op).getDimSize(2) ||
      llvm::any_of(columns, isFar))
    return failure();
  FailureOr<SmallVector<float>> values = readConstant(op.getWeight());
  if (failed(values))
    return failure();
  Location loc = op.getLoc();
  bool shiftsSource =
      typeOf(op.getInput()).getDimSize(1) < typeOf(op).getDimSize(1);
  Value sum;
  for (const Tap &column : columns) {
    Value source = op.getInput();
    if (shiftsSource)
      source = shifted(rewriter, op, source, column.shift, options);
    Value part = sumOfRows(rewriter, op, *values, source, rows, column,
                           sum ? Value() : op.getBias());
    if (!shiftsSource)
      part = shifted(rewriter, op, part, column.shift, options);
    sum = addTo(rewriter, loc, sum, part);
  }
  rewriter.replaceOp(op, activated(rewriter, op, sum));
  return success();
}

void mlir::ane::populateDecomposeWindowPatterns(
    RewritePatternSet &patterns, const DecomposeOptions &options) {
  addPatterns<blocksToChannels, splitWindow, cutBehindWindow>(patterns,
                                                              options);
  if (options.policy.conv.skipsZeroTaps)
    addPatterns<shiftTaps>(patterns, options, /*benefit=*/2);
}
