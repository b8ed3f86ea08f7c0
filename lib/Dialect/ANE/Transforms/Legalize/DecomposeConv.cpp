//===- DecomposeConv.cpp - Convolutions that the engine has no words for --===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dilation and per-channel scale go into the weights, stride 4 is stride 2
// twice, factors of channels go into the weights after them. New weights are
// f32: they are rounded later, once.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"
#include "ane/HW/Layout.h"

#include "mlir/IR/IRMapping.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

// The four dimensions of a weight, and its index in row-major order.
namespace {
struct Weight {
  explicit Weight(ArrayRef<int64_t> shape)
      : out(shape[0]), in(shape[1]), rows(shape[2]), columns(shape[3]) {}
  size_t index(int64_t o, int64_t i, int64_t y, int64_t x) const {
    return ((o * in + i) * rows + y) * columns + x;
  }
  size_t size() const { return out * in * rows * columns; }
  SmallVector<int64_t> shape() const { return {out, in, rows, columns}; }
  int64_t out, in, rows, columns;
};
} // namespace

LogicalResult mlir::ane::spreadTaps(PatternRewriter &rewriter, ConvOp op) {
  ArrayRef<int64_t> dilations = op.getDilations();
  Weight from(typeOf(op.getWeight()).getShape());
  Weight to = from;
  to.rows = (from.rows - 1) * dilations[0] + 1;
  to.columns = (from.columns - 1) * dilations[1] + 1;
  Value weight = op.getWeight();
  if (to.size() != from.size()) {
    FailureOr<SmallVector<float>> values = readConstant(op.getWeight());
    if (failed(values))
      return failure();
    SmallVector<float> spread(to.size(), 0.0f);
    for (int64_t o = 0; o != from.out; ++o)
      for (int64_t i = 0; i != from.in; ++i)
        for (int64_t y = 0; y != from.rows; ++y)
          for (int64_t x = 0; x != from.columns; ++x)
            spread[to.index(o, i, y * dilations[0], x * dilations[1])] =
                (*values)[from.index(o, i, y, x)];
    weight = unroundedConstant(rewriter, op.getLoc(), to.shape(), spread);
  }
  rewriter.modifyOpInPlace(op, [&] {
    op.getWeightMutable().assign(weight);
    op.setDilations({1, 1});
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Zeros between the taps; 1 x 1 kernels just lose their dilation.
static LogicalResult dilationToZeros(ConvOp op, PatternRewriter &rewriter,
                                     const DecomposeOptions &options) {
  ArrayRef<int64_t> dilations = op.getDilations();
  if (dilations == ArrayRef<int64_t>{1, 1})
    return failure();
  ArrayRef<int64_t> shape = typeOf(op.getWeight()).getShape();
  if ((shape[2] - 1) * dilations[0] >=
          int64_t(options.generation.maxKernelHeight) ||
      (shape[3] - 1) * dilations[1] >=
          int64_t(options.generation.maxKernelWidth))
    return failure();
  return spreadTaps(rewriter, op);
}

/// act(scale[o] * conv(x, w) + bias[o]) with scale in w.
static LogicalResult scaleToWeight(ConvOp op, PatternRewriter &rewriter,
                                   const DecomposeOptions &options) {
  if (!op.getScale() || (options.policy.conv.scalesResults && !op.getBias() &&
                         getSplatValue(op.getScale())))
    return failure();
  FailureOr<SmallVector<float>> scale = readConstant(op.getScale());
  if (failed(scale))
    return failure();
  FailureOr<SmallVector<float>> values = readConstant(op.getWeight());
  if (failed(values))
    return failure();
  size_t perChannel = values->size() / scale->size();
  for (auto [channel, factor] : llvm::enumerate(*scale))
    for (float &value : MutableArrayRef<float>(*values).slice(
             channel * perChannel, perChannel))
      value *= factor;
  Value weight = unroundedConstant(rewriter, op.getLoc(),
                                   typeOf(op.getWeight()).getShape(), *values);
  rewriter.modifyOpInPlace(op, [&] {
    op.getWeightMutable().assign(weight);
    op.getScaleMutable().clear();
  });
  return success();
}

// A factor and a summand for each channel.
static bool isOfChannels(ConvOp op) {
  constexpr int64_t ones[] = {1, 1};
  return op && isImage(op.getResult()) &&
         op.getType() == op.getInput().getType() &&
         int64_t(op.getGroups()) == typeOf(op).getDimSize(1) &&
         typeOf(op.getWeight()).getShape().take_back(2) == ArrayRef(ones) &&
         op.getStrides() == ArrayRef(ones) && !op.getScale() &&
         !op.getActivationAttr();
}

static bool takes(Operation *user, ConvOp factors) {
  auto conv = dyn_cast<ConvOp>(user);
  return conv && conv.getInput() == factors.getResult() &&
         isImage(conv.getResult()) && !conv.getScale() &&
         (!factors.getBias() || !conv.hasPadding()) &&
         conv.getWeight().getDefiningOp<ConstantOp>();
}

// The largest product with a weight is then far from where f16 loses bits.
static bool areModest(ArrayRef<float> factors) {
  constexpr float most = 64;
  float largest = 0;
  for (float factor : factors)
    largest = std::max(largest, std::fabs(factor));
  return largest <= most && largest >= 1 / most;
}

/// conv(a[c] * x + b[c], w) with a in w and the sum of w b in the bias, where
/// the padding is not of b. What is left of a norm in front of a layer.
static LogicalResult factorToWeight(ConvOp op, PatternRewriter &rewriter) {
  auto first = op.getInput().getDefiningOp<ConvOp>();
  if (!isOfChannels(first) || !llvm::all_of(first->getUsers(), [&](auto *user) {
        return takes(user, first);
      }))
    return failure();
  FailureOr<SmallVector<float>> factors = readConstant(first.getWeight()),
                                values = readConstant(op.getWeight());
  if (failed(factors) || failed(values) || !areModest(*factors))
    return failure();
  Weight weight(typeOf(op.getWeight()).getShape());
  FailureOr<SmallVector<float>> bias = SmallVector<float>(weight.out, 0.0f),
                                summands = SmallVector<float>();
  if (first.getBias())
    summands = readConstant(first.getBias());
  if (op.getBias())
    bias = readConstant(op.getBias());
  if (failed(bias) || failed(summands))
    return failure();
  int64_t perGroup = weight.out / op.getGroups();
  int64_t taps = weight.rows * weight.columns;
  for (int64_t o = 0; o != weight.out; ++o)
    for (int64_t i = 0; i != weight.in; ++i) {
      int64_t channel = o / perGroup * weight.in + i;
      auto ofChannel =
          MutableArrayRef<float>(*values).slice(weight.index(o, i, 0, 0), taps);
      double sum = 0;
      for (float &value : ofChannel) {
        sum += value;
        value *= (*factors)[channel];
      }
      if (!summands->empty())
        (*bias)[o] += sum * (*summands)[channel];
    }
  Location loc = op.getLoc();
  Value newWeight = unroundedConstant(rewriter, loc, weight.shape(), *values);
  Value newBias;
  if (op.getBias() || first.getBias())
    newBias = unroundedConstant(rewriter, loc, {weight.out}, *bias);
  rewriter.modifyOpInPlace(op, [&] {
    op.getInputMutable().assign(first.getInput());
    op.getWeightMutable().assign(newWeight);
    if (newBias)
      op.getBiasMutable().assign(newBias);
  });
  return success();
}

static int64_t outSize(ConvOp op, unsigned i, int64_t stride) {
  int64_t window = getDimMap(op, 0, 2 + i).getSpan();
  int64_t padded = typeOf(op.getInput()).getDimSize(2 + i) +
                   op.getPad()[size_t(2) * i] + op.getPad()[size_t(2) * i + 1];
  return (padded - window) / stride + 1;
}

static RankedTensorType resultType(ConvOp op) {
  RankedTensorType type = typeOf(op.getResult());
  for (unsigned i = 0; i != 2; ++i)
    type = withDim(type, 2 + i, outSize(op, i, op.getStrides()[i]));
  return type;
}

// The verifier infers the result's size; another stride must not change it.
static bool padKeepsSize(ConvOp op, ArrayRef<int64_t> strides) {
  return llvm::all_of(llvm::seq(0u, 2u), [&](unsigned i) {
    return outSize(op, i, strides[i]) ==
           typeOf(op.getResult()).getDimSize(2 + i);
  });
}

/// A direction in which the window does not move has any stride; stride 4 is a
/// stride of 2 and a subsampling by 2.
static LogicalResult splitStride(ConvOp op, PatternRewriter &rewriter,
                                 const DecomposeOptions &options) {
  RankedTensorType type = typeOf(op.getResult());
  if (type.getRank() != 4)
    return failure();
  int64_t strides[2] = {op.getStrides()[0], op.getStrides()[1]};
  if (options.policy.conv.keepsIdleStrides && strides[0] == strides[1] &&
      strides[0] <= int64_t(options.generation.maxStride))
    return failure();
  for (unsigned i = 0; i != 2; ++i)
    if (type.getDimSize(2 + i) == 1)
      strides[i] = type.getDimSize(3 - i) == 1 ? 1 : strides[1 - i];
  if (ArrayRef<int64_t>(strides) != op.getStrides() &&
      padKeepsSize(op, strides)) {
    rewriter.modifyOpInPlace(op, [&] { op.setStrides(strides); });
    return success();
  }
  int64_t most = options.generation.maxStride;
  if (strides[0] != strides[1] || strides[0] <= most ||
      !llvm::isPowerOf2_64(strides[0]))
    return failure();
  auto first = cast<ConvOp>(rewriter.clone(*op));
  first.setStrides({most, most});
  first.getResult().setType(resultType(first));
  rewriter.replaceOp(
      op, subsample(rewriter, op.getLoc(), first, strides[0] / most));
  return success();
}

/// A scale and a bias that are no constants are factors and summands after the
/// sums, and so is all that follows sums with a weight that is none, and a bias
/// that no record has.
template <typename OpT>
static LogicalResult splitRuntimeEpilogue(OpT op, PatternRewriter &rewriter,
                                          const DecomposeOptions &options) {
  auto isComputed = [](Value value) { return value && !isConstant(value); };
  bool splitsAll = isComputed(op.getWeight());
  bool splitsScale = op.getScale() && (splitsAll || isComputed(op.getScale()));
  bool hasEpilogue = op.getScale() || op.getBias() || op.getActivationAttr();
  if (!isImage(op.getResult()) ||
      !(splitsScale || isComputed(op.getBias()) ||
        (op.getBias() && separatesBias(options)) || (splitsAll && hasEpilogue)))
    return failure();
  auto plain = cast<OpT>(rewriter.clone(*op));
  plain.getBiasMutable().clear();
  if (splitsScale)
    plain.getScaleMutable().clear();
  plain.removeActivationAttr();
  auto ofChannels = [&](Value value) {
    return constantReshaped(rewriter, op.getLoc(), value,
                            {1, typeOf(op.getResult()).getDimSize(1), 1, 1});
  };
  Value result = plain;
  if (splitsScale)
    result = binary(rewriter, op.getLoc(), ElementwiseKind::Mul, result,
                    ofChannels(op.getScale()));
  if (op.getBias())
    result = binary(rewriter, op.getLoc(), ElementwiseKind::Add, result,
                    ofChannels(op.getBias()));
  rewriter.replaceOp(
      op, activated(rewriter, op.getLoc(), result, op.getActivationAttr()));
  return success();
}

/// The 1x1 convolution of a flattened image, what a fully connected layer
/// after convolutions is: a convolution whose kernel is the image. The rows of
/// a flattened image cannot be addressed, but those of the image can.
static LogicalResult flattenedToKernel(ConvOp op, PatternRewriter &rewriter,
                                       const DecomposeOptions &options) {
  auto reshape = op.getInput().getDefiningOp<ReshapeOp>();
  RankedTensorType type = typeOf(op.getInput());
  RankedTensorType weight = typeOf(op.getWeight());
  if (!reshape || !isImage(reshape.getInput()) || op.getGroups() != 1 ||
      type.getShape().take_back(2) != ArrayRef<int64_t>{1, 1} ||
      weight.getShape().take_back(2) != ArrayRef<int64_t>{1, 1})
    return failure();
  RankedTensorType image = typeOf(reshape.getInput());
  // Views stay, and so do images that no kernel covers.
  if (image.getDimSize(0) != type.getDimSize(0) || image.getDimSize(3) == 1 ||
      image.getDimSize(2) > options.generation.maxKernelHeight ||
      image.getDimSize(3) > options.generation.maxKernelWidth)
    return failure();
  SmallVector<int64_t> shape(image.getShape());
  shape[0] = weight.getDimSize(0);
  if (!op.getWeight().getDefiningOp<ConstantOp>())
    return failure();
  Value kernel = constantReshaped(rewriter, op.getLoc(), op.getWeight(), shape);
  rewriter.modifyOpInPlace(op, [&] {
    op.getInputMutable().assign(reshape.getInput());
    op.getWeightMutable().assign(kernel);
    op.setStrides({1, 1});
  });
  return success();
}

/// A row of all input channels is the least that L2 has to hold. Where that is
/// too much, parts of them make sums of their own.
static LogicalResult splitInputChannels(ConvOp op, PatternRewriter &rewriter,
                                        const DecomposeOptions &options) {
  if (!isImage(op.getResult()) || op.getGroups() != 1 || op.getScale())
    return failure();
  RankedTensorType input = typeOf(op.getInput()),
                   weight = typeOf(op.getWeight());
  int64_t channels = input.getDimSize(1);
  int64_t rows = std::min(input.getDimSize(2), weight.getDimSize(2));
  int64_t perChannel = rows * ::ane::hw::alignTo(2 * input.getDimSize(3),
                                                 options.generation.l2Align);
  int64_t most = (options.generation.l2SourceBytes -
                  3 * rows * options.generation.l2Align) /
                 perChannel;
  // All coefficients of an output channel are in the buffer of an NE at once.
  if (options.policy.conv.cutsToKernelBuffer)
    most = std::min<int64_t>(
        most, options.generation.kernelBufferBytes /
                  (2 * weight.getDimSize(2) * weight.getDimSize(3)));
  if (channels <= most || most < 1)
    return failure();
  int64_t step = evenStep(channels, most);
  rewriter.replaceOp(op, sumOverInputChannels(rewriter, op, step));
  return success();
}

static bool isPixelProduct(ConvOp op) {
  return isImage(op.getResult()) && op.getGroups() == 1 && !op.getScale() &&
         op.hasUnitKernel() && op.hasUnitStrides();
}

static bool isTooMany(ReshapeOp flat, TransposeOp transpose,
                      const DecomposeOptions &options) {
  constexpr int64_t toChannels[] = {0, 3, 1, 2};
  if (!isImage(flat.getInput()) || !isImage(flat.getResult()))
    return false;
  ArrayRef<int64_t> from = typeOf(flat.getInput()).getShape(),
                    to = typeOf(flat).getShape();
  int64_t values = ShapedType::getNumElements(from.drop_front());
  if (transpose)
    return transpose.getPerm() == ArrayRef<int64_t>(toChannels) &&
           to == ArrayRef<int64_t>{1, 1, from[0], values} &&
           values > options.generation.maxWidth;
  return to == ArrayRef<int64_t>{from[0], values, 1, 1} &&
         values > options.generation.maxChannels;
}

/// A fully connected layer on more values than a flattened image can have as
/// channels, or, of several images, as columns in front of their transpose:
/// channels of the image are flattened in parts, whose products are added.
static LogicalResult splitFlattened(ConvOp op, PatternRewriter &rewriter,
                                    const DecomposeOptions &options) {
  auto transpose = op.getInput().getDefiningOp<TransposeOp>();
  auto flat = (transpose ? transpose.getInput() : op.getInput())
                  .getDefiningOp<ReshapeOp>();
  if (!flat || !isPixelProduct(op) || !isTooMany(flat, transpose, options))
    return failure();
  RankedTensorType image = typeOf(flat.getInput());
  int64_t channels = image.getDimSize(1);
  int64_t pixels = ShapedType::getNumElements(image.getShape().drop_front(2));
  // No more than the coefficients of a channel may be (splitInputChannels).
  int64_t most = std::min<int64_t>(options.generation.kernelBufferBytes / 2,
                                   options.generation.maxWidth) /
                 pixels;
  if (most < 1)
    return failure();
  int64_t step = evenStep(channels, most);
  auto channelsOf = [&](int64_t first, int64_t count) {
    Value part = sliceDim(rewriter, op.getLoc(), flat.getInput(), 1,
                          first / pixels, count / pixels);
    RankedTensorType type = withDim(typeOf(flat), transpose ? 3 : 1, count);
    part = ReshapeOp::create(rewriter, flat.getLoc(), type, part);
    return transpose ? permuted(rewriter, transpose.getLoc(), part,
                                transpose.getPerm())
                     : part;
  };
  rewriter.replaceOp(
      op, sumOverInputChannels(rewriter, op, step * pixels, channelsOf));
  return success();
}

/// More channels than a tensor may have, as the words of a language model, are
/// those of several images: they lie in the same order. What is after has to
/// be another shape of them, which the host gives to a result.
static LogicalResult splitOutputChannels(ConvOp op, PatternRewriter &rewriter,
                                         const DecomposeOptions &options) {
  constexpr int64_t maxImages = 64;
  RankedTensorType type = typeOf(op.getResult());
  int64_t channels = type.getDimSize(1), most = options.generation.maxChannels;
  auto isConstant = [](Value value) {
    return !value || value.getDefiningOp<ConstantOp>();
  };
  if (!isImage(op.getResult()) || type.getDimSize(0) != 1 || channels <= most ||
      op.getGroups() != 1 || op.getScale() || !isConstant(op.getWeight()) ||
      !isConstant(op.getBias()) ||
      !llvm::all_of(op->getUsers(), llvm::IsaPred<ReshapeOp>))
    return failure();
  int64_t images = llvm::divideCeil(channels, most);
  while (images <= maxImages && channels % images != 0)
    ++images;
  if (images > maxImages)
    return failure();
  Location loc = op.getLoc();
  int64_t count = channels / images;
  SmallVector<Value> parts;
  for (int64_t first = 0; first < channels; first += count) {
    IRMapping mapping;
    for (Value constant : {op.getWeight(), op.getBias()})
      if (constant)
        mapping.map(constant,
                    sliceDim(rewriter, loc, constant, 0, first, count));
    Value part = rewriter.clone(*op, mapping)->getResult(0);
    part.setType(withDim(type, 1, count));
    parts.push_back(part);
  }
  rewriter.replaceOp(op,
                     reshaped(rewriter, loc, concatDim(rewriter, loc, parts, 0),
                              type.getShape()));
  return success();
}

Value mlir::ane::sumOverInputChannels(
    OpBuilder &builder, ConvOp conv, int64_t channels,
    llvm::function_ref<Value(int64_t first, int64_t count)> channelsOf) {
  Location loc = conv.getLoc();
  int64_t all = typeOf(conv.getInput()).getDimSize(1);
  Value sum;
  for (int64_t first = 0; first < all; first += channels) {
    int64_t count = std::min(channels, all - first);
    Value input =
        channelsOf ? channelsOf(first, count)
                   : sliceDim(builder, loc, conv.getInput(), 1, first, count);
    Value weight = sliceDim(builder, loc, conv.getWeight(), 1, first, count);
    auto part = cast<ConvOp>(builder.clone(*conv));
    part.removeActivationAttr();
    part.getInputMutable().assign(input);
    part.getWeightMutable().assign(weight);
    if (sum)
      part.getBiasMutable().clear();
    sum = addTo(builder, loc, sum, part);
  }
  return activated(builder, loc, sum, conv.getActivationAttr());
}

void mlir::ane::populateSplitConvPatterns(RewritePatternSet &patterns,
                                          const DecomposeOptions &options) {
  addPatterns<splitFlattened>(patterns, options, /*benefit=*/2);
  addPatterns<splitInputChannels>(patterns, options);
  if (options.policy.conv.splitsOutputChannels)
    addPatterns<splitOutputChannels>(patterns, options);
}

void mlir::ane::populateDecomposeConvPatterns(RewritePatternSet &patterns,
                                              const DecomposeOptions &options) {
  addPatterns<dilationToZeros, flattenedToKernel, scaleToWeight, splitStride>(
      patterns, options);
  if (options.policy.conv.foldsInputFactors)
    addPatterns<factorToWeight>(patterns);
}

bool mlir::ane::separatesBias(const DecomposeOptions &options) {
  return !options.allowUnproven &&
         !options.generation.records(::ane::hw::Work::Bias);
}

bool mlir::ane::keepsChannelConstants(const DecomposeOptions &options) {
  return options.policy.planar.keepsChannelConstants || separatesBias(options);
}

void mlir::ane::populateRuntimeEpiloguePatterns(
    RewritePatternSet &patterns, const DecomposeOptions &options) {
  addPatterns<splitRuntimeEpilogue<ConvOp>,
              splitRuntimeEpilogue<ConvTransposeOp>>(patterns, options,
                                                     /*benefit=*/4);
}
