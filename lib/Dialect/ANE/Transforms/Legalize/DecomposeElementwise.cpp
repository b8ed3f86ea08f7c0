//===- DecomposeElementwise.cpp - Constant operands, div, pow, functions --===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Afterwards an elementwise op is add, sub, mul, max or min of two tensors, of
// a tensor and a number (second operand), or of a tensor and a constant that
// the tile DMA reads from the constant section.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/HW/Float16.h"

#include "ane/Dialect/ANE/IR/Tiling.h"
#include "ane/Dialect/ANE/Utils/Regroup.h"
#include "ane/HW/Layout.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

// A constant that the patterns for two tensors leave alone.
static bool isScalar(Value value) { return getSplatValue(value).has_value(); }

// act(scale * value + bias) as one more op, if it is not the value itself.
static Value applyEpilogue(OpBuilder &builder, ElementwiseOp op, Value value) {
  if (op.isPlain())
    return value;
  value = AneBuilder(builder, op.getLoc())
              .mul(value, op.getScale().convertToFloat());
  auto result = value.getDefiningOp<ElementwiseOp>();
  result.setBiasAttr(op.getBiasAttr());
  result.setActivationAttr(op.getActivationAttr());
  return value;
}

// The engine has one summand, of f16, for a number and the bias.
static bool isHalf(float number) {
  return std::fabs(number) <= ::ane::hw::largestHalf;
}

// What is multiplied by before x / c is x * (1 / c): f16 may not have that
// number, or not all of its bits.
static float stepOfDivision(float divisor) {
  float inverse = 1 / divisor;
  if (divisor == 0 || ::ane::hw::hasAllBits(inverse))
    return 1;
  return std::fabs(inverse) > 1 ? 0x1p10f : 0x1p-10f;
}

// A logarithm of 0 that gives 1 times 0.
static constexpr float logarithmOfZero = -60000;

// (-1)^exponent of whole exponents: 1 - 4 (exponent / 2 - floor(exponent / 2)).
// With `where`, which is 1 or 0, only there.
static Value signOfPower(const AneBuilder &make, Value exponent,
                         Value where = {}) {
  Value half = make.mul(exponent, 0.5);
  Value odd = make.sub(half, make.activate(half, ActivationKind::Floor));
  return make.binary(ElementwiseKind::Mul, where ? where : make.number(1, odd),
                     odd, /*scale=*/-4, /*bias=*/1);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static std::optional<float> getNumber(ElementwiseOp op, Value value,
                                      Value tensor,
                                      const DecomposeOptions &options) {
  if (keepsChannelConstants(options) && typeOf(value).getNumElements() != 1 &&
      typeOf(tensor) == typeOf(op.getResult()))
    return std::nullopt;
  return getSplatValue(value);
}

// `kind` of the tensor and a number, with another scale and bias.
static LogicalResult replace(ElementwiseOp op, PatternRewriter &rewriter,
                             ElementwiseKind kind, Value tensor, float value,
                             float scale, float bias) {
  rewriter.replaceOpWithNewOp<ElementwiseOp>(
      op, op.getType(), kind, tensor,
      AneBuilder(rewriter, op.getLoc()).number(value, tensor), APFloat(scale),
      APFloat(bias), op.getActivationAttr());
  return success();
}

// `value` with what `op` does after it.
static LogicalResult replace(ElementwiseOp op, PatternRewriter &rewriter,
                             Value value) {
  rewriter.replaceOp(op, applyEpilogue(rewriter, op, value));
  return success();
}

// A bound of few elements that become many.
static LogicalResult boundAndRepeat(ElementwiseOp op, Value tensor, float value,
                                    PatternRewriter &rewriter) {
  if (op.getKind() != ElementwiseKind::Max &&
      op.getKind() != ElementwiseKind::Min)
    return rewriter.notifyMatchFailure(op, "repeats its data");
  Value bound =
      AneBuilder(rewriter, op.getLoc()).binary(op.getKind(), tensor, value);
  return replace(
      op, rewriter,
      repeated(rewriter, op.getLoc(), bound, shapeOf(op.getResult())));
}

// A splat of any shape becomes one element.
static LogicalResult shrink(ElementwiseOp op, float value,
                            PatternRewriter &rewriter) {
  if (typeOf(op.getRhs()).getNumElements() == 1)
    return failure();
  Value number = AneBuilder(rewriter, op.getLoc()).number(value, op.getLhs());
  rewriter.modifyOpInPlace(op, [&] { op.getRhsMutable().assign(number); });
  return success();
}

static bool isRounding(ActivationKind kind) {
  return llvm::is_contained({ActivationKind::Floor, ActivationKind::Ceil,
                             ActivationKind::Trunc, ActivationKind::Round,
                             ActivationKind::Fraction},
                            kind);
}

// Whether somebody makes whole numbers of `value`, or of a multiple of it
// (ceil(x) is -floor(-x)).
static bool isRounded(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    if (auto act = dyn_cast<ActivationOp>(user))
      return isRounding(act.getFunction().getKind());
    auto product = dyn_cast<ElementwiseOp>(user);
    return product && product.getKind() == ElementwiseKind::Mul &&
           isScalar(product.getRhs()) && isRounded(product.getResult());
  });
}

// Whether the whole part of x / c is wanted, and x * (1 / c) may be below it.
static bool needsExactQuotient(ElementwiseOp op, float divisor) {
  auto isExact = [](float number) {
    return ::ane::hw::fromHalfBits(::ane::hw::toHalfBits(number)) == number;
  };
  std::optional<ActivationAttr> function = op.getActivation();
  return (function ? isRounding(function->getKind())
                   : isRounded(op.getResult())) &&
         std::fabs(divisor) > 1 && isExact(divisor) && !isExact(1 / divisor) &&
         stepOfDivision(divisor) == 1;
}

static LogicalResult rewriteRight(ElementwiseOp op, float value,
                                  PatternRewriter &rewriter) {
  float scale = op.getScale().convertToFloat();
  float bias = op.getBias().convertToFloat();
  AneBuilder make(rewriter, op.getLoc());
  Value tensor = op.getLhs();
  if (typeOf(tensor) != typeOf(op.getResult()))
    return boundAndRepeat(op, tensor, value, rewriter);
  switch (op.getKind()) {
  case ElementwiseKind::Sub:
    return replace(op, rewriter, ElementwiseKind::Add, tensor, -value, scale,
                   bias);
  case ElementwiseKind::Div: {
    if (value == 0)
      return failure();
    if (needsExactQuotient(op, value)) {
      // q + (x - q c) / c with q = x * (1 / c): the product of 11 with its
      // rounded inverse is below 1, and its floor 0. Floors and ceilings of 4
      // of 10,356 multiples stay off by one, of 236 without this.
      Value quotient = make.mul(tensor, 1 / value);
      Value rest = make.sub(tensor, make.mul(quotient, value));
      return replace(op, rewriter,
                     make.add(quotient, make.mul(rest, 1 / value)));
    }
    float step = stepOfDivision(value);
    if (step != 1)
      tensor = make.mul(tensor, step);
    return replace(op, rewriter, ElementwiseKind::Mul, tensor, 1 / value / step,
                   scale, bias);
  }
  case ElementwiseKind::Max:
  case ElementwiseKind::Min:
    return op.isPlain() ? shrink(op, value, rewriter)
                        : replace(op, rewriter,
                                  make.binary(op.getKind(), tensor, value));
  case ElementwiseKind::Add:
    return isHalf(bias + scale * value)
               ? shrink(op, value, rewriter)
               : replace(op, rewriter, make.add(tensor, value));
  case ElementwiseKind::Mul:
    return shrink(op, value, rewriter);
  case ElementwiseKind::Pow:
    return failure();
  }
  return failure();
}

// c^x = 2^(x log2 |c|), with the sign that c < 0 gives.
static Value powerOfNumber(const AneBuilder &make, float number,
                           Value exponent) {
  float logarithm =
      number == 0 ? logarithmOfZero : std::log2(std::fabs(number));
  Value power =
      make.activate(make.mul(exponent, logarithm), ActivationKind::Exp2);
  return number < 0 ? make.mul(power, signOfPower(make, exponent)) : power;
}

static LogicalResult rewriteLeft(ElementwiseOp op, float value,
                                 PatternRewriter &rewriter) {
  float scale = op.getScale().convertToFloat();
  float bias = op.getBias().convertToFloat();
  AneBuilder make(rewriter, op.getLoc());
  Value tensor = op.getRhs();
  if (typeOf(tensor) != typeOf(op.getResult()))
    return boundAndRepeat(op, tensor, value, rewriter);
  switch (op.getKind()) {
  case ElementwiseKind::Add:
  case ElementwiseKind::Mul:
  case ElementwiseKind::Max:
  case ElementwiseKind::Min:
    return replace(op, rewriter, op.getKind(), tensor, value, scale, bias);
  case ElementwiseKind::Sub: // scale * (c - x) + bias
    return isHalf(bias + scale * value)
               ? replace(op, rewriter, ElementwiseKind::Mul, tensor, -1, scale,
                         bias + scale * value)
               : replace(op, rewriter,
                         make.sub(make.number(value, tensor), tensor));
  case ElementwiseKind::Div: {
    // c / x = (c / s) * (1 / (x / s)) with an s about the root of c: f16 holds
    // more inverses of x / s whose product with c it holds.
    float root =
        value == 0 ? 1 : std::exp2(std::trunc(std::log2(std::fabs(value)) / 2));
    if (root != 1)
      tensor = make.mul(tensor, 1 / root);
    return replace(op, rewriter, ElementwiseKind::Mul,
                   make.activate(tensor, ActivationKind::Reciprocal),
                   value / root, scale, bias);
  }
  case ElementwiseKind::Pow:
    return replace(op, rewriter, powerOfNumber(make, value, tensor));
  }
  return failure();
}

/// Numbers stand on the right, and only under add, mul, max and min.
static LogicalResult normalizeScalar(ElementwiseOp op,
                                     PatternRewriter &rewriter,
                                     const DecomposeOptions &options) {
  if (std::optional<float> value =
          getNumber(op, op.getRhs(), op.getLhs(), options))
    return rewriteRight(op, *value, rewriter);
  if (std::optional<float> value =
          getNumber(op, op.getLhs(), op.getRhs(), options))
    return rewriteLeft(op, *value, rewriter);
  return failure();
}

//===----------------------------------------------------------------------===//
// Constants of a value for each channel
//===----------------------------------------------------------------------===//

// w2 (w1 x + b1) + b2 = (w2 w1) x + (w2 b1 + b2); gives x.
static Value composeWith(Value tensor, MutableArrayRef<float> weight,
                         MutableArrayRef<float> bias) {
  auto conv = tensor.getDefiningOp<ConvOp>();
  if (!conv || !tensor.hasOneUse() || conv.getActivationAttr() ||
      conv.getScale() || conv.getGroups() != weight.size() ||
      typeOf(conv.getWeight()).getNumElements() != int64_t(weight.size()) ||
      conv.getInput().getType() != tensor.getType())
    return tensor;
  FailureOr<SmallVector<float>> factors = readConstant(conv.getWeight());
  FailureOr<SmallVector<float>> offsets =
      SmallVector<float>(weight.size(), 0.0f);
  if (conv.getBias())
    offsets = readConstant(conv.getBias());
  if (failed(factors) || failed(offsets))
    return tensor;
  for (size_t i = 0; i < weight.size(); ++i) {
    (*offsets)[i] = bias[i] + weight[i] * (*offsets)[i];
    (*factors)[i] *= weight[i];
  }
  if (!llvm::all_of(*factors, ::ane::hw::hasAllBits) ||
      !llvm::all_of(*offsets, isHalf))
    return tensor;
  llvm::copy(*factors, weight.begin());
  llvm::copy(*offsets, bias.begin());
  return conv.getInput();
}

/// x op c[1, C, 1, 1] with its scale and bias is one depthwise convolution.
static LogicalResult channelConstantToConv(ElementwiseOp op,
                                           PatternRewriter &rewriter,
                                           const DecomposeOptions &options) {
  bool onRight = matchPattern(op.getRhs(), m_Constant());
  Value tensor = onRight ? op.getLhs() : op.getRhs();
  Value constant = onRight ? op.getRhs() : op.getLhs();
  if (keepsChannelConstants(options) || !isImage(op.getResult()) ||
      typeOf(tensor) != typeOf(op.getResult()) ||
      matchPattern(tensor, m_Constant()) ||
      !matchPattern(constant, m_Constant()) || isScalar(constant))
    return failure();
  int64_t channels = typeOf(tensor).getDimSize(1);
  if (typeOf(constant).getShape() != ArrayRef<int64_t>{1, channels, 1, 1})
    return failure();
  // Nothing is repeated: the PE takes it as it is, in fewer bytes than
  // coefficients are.
  if (typeOf(constant).getShape() == typeOf(tensor).getShape() &&
      op.getKind() != ElementwiseKind::Div &&
      op.getKind() != ElementwiseKind::Pow)
    return failure();
  FailureOr<SmallVector<float>> values = readConstant(constant);
  if (failed(values))
    return failure();
  SmallVector<float> weight, bias;
  for (float value : *values) {
    // Maxima and minima have the constant section as second source.
    std::optional<Affine> map = affineOf(op, value, !onRight);
    if (!map)
      return failure();
    weight.push_back(map->factor);
    bias.push_back(map->summand);
  }
  if (op.getKind() == ElementwiseKind::Div &&
      !llvm::all_of(weight, ::ane::hw::hasAllBits))
    return rewriter.notifyMatchFailure(op, "f16 does not hold the inverses");
  Location loc = op.getLoc();
  tensor = composeWith(tensor, weight, bias);
  ConvSpec spec;
  spec.groups = channels;
  if (llvm::any_of(bias, [](float value) { return value != 0; }))
    spec.bias = unroundedConstant(rewriter, loc, {channels}, bias);
  spec.activation = op.getActivationAttr();
  rewriter.replaceOp(
      op,
      convolve(rewriter, loc, tensor,
               unroundedConstant(rewriter, loc, {channels, 1, 1, 1}, weight),
               spec, typeOf(op.getResult())));
  return success();
}

//===----------------------------------------------------------------------===//
// Operations that the planar engine lacks
//===----------------------------------------------------------------------===//

/// x / y = x * (1 / y). The table has a relative error of 6e-4.
static LogicalResult divToReciprocal(ElementwiseOp op,
                                     PatternRewriter &rewriter) {
  if (op.getKind() != ElementwiseKind::Div || isScalar(op.getRhs()) ||
      isScalar(op.getLhs()))
    return failure();
  Value divisor = op.getRhs();
  Value reciprocal;
  FailureOr<SmallVector<float>> values = readConstant(divisor);
  if (succeeded(values)) {
    SmallVector<float> steps;
    for (float &value : *values) {
      steps.push_back(stepOfDivision(value));
      value = 1 / value / steps.back();
    }
    auto constant = [&](ArrayRef<float> numbers) {
      return unroundedConstant(rewriter, op.getLoc(),
                               typeOf(divisor).getShape(), numbers);
    };
    if (!llvm::all_of(steps, [](float step) { return step == 1; })) {
      Value part = binary(rewriter, op.getLoc(), ElementwiseKind::Mul,
                          op.getLhs(), constant(steps));
      rewriter.modifyOpInPlace(op, [&] { op.getLhsMutable().assign(part); });
    }
    reciprocal = constant(*values);
  } else {
    reciprocal =
        activated(rewriter, op.getLoc(), divisor, ActivationKind::Reciprocal);
  }
  rewriter.modifyOpInPlace(op, [&] {
    op.setKind(ElementwiseKind::Mul);
    op.getRhsMutable().assign(reciprocal);
  });
  return success();
}

static Value powerByTables(const AneBuilder &make, ElementwiseOp op,
                           std::optional<float> exponent,
                           const DecomposeOptions &options) {
  Value base = op.getLhs();
  bool mayBeWhole = !exponent || *exponent == std::floor(*exponent);
  bool hasSign = options.policy.planar.powersHaveSigns && mayBeWhole &&
                 !isNonNegative(base);
  Value logarithm =
      make.activate(hasSign ? make.activate(base, ActivationKind::Abs) : base,
                    ActivationKind::Log2);
  // The exponent may be 0, times a logarithm that is infinite.
  if (options.policy.planar.powersHaveSigns && !exponent)
    logarithm = make.max(logarithm, logarithmOfZero);
  Value power =
      make.activate(make.mul(logarithm, op.getRhs()), ActivationKind::Exp2);
  if (!hasSign || (exponent && std::fmod(*exponent, 2) == 0))
    return power;
  Value isNegative = make.activate(base, ActivationKind::WhereNegative, 1, 0);
  return make.mul(power, signOfPower(make, op.getRhs(), isNegative));
}

static Value powerOf(const AneBuilder &make, Value base, float exponent) {
  constexpr int maxExponent = 64;
  if (exponent == 0) // also of 0 and what is below, which have no logarithm
    return splatConstant(make.builder, make.loc, shapeOf(base), 1);
  if (exponent == 0.5f)
    return make.activate(base, ActivationKind::Sqrt);
  if (exponent == -0.5f)
    return make.activate(base, ActivationKind::Rsqrt);
  if (exponent != std::floor(exponent) || std::abs(exponent) > maxExponent)
    return {};
  if (exponent < 0)
    return make.activate(powerOf(make, base, -exponent),
                         ActivationKind::Reciprocal);
  // Squares, and their products where the bit of the exponent is set.
  Value power, square = base;
  for (int rest = static_cast<int>(exponent); rest; rest >>= 1) {
    if (rest & 1)
      power = power ? make.mul(power, square) : square;
    if (rest > 1)
      square = make.mul(square, square);
  }
  return power;
}

/// Whole exponents up to 64 by products, roots by tables, the others by
/// 2^(y log2 |x|), with the sign of x where y is odd. Powers of what is below
/// zero that are no real numbers are not NaN.
static LogicalResult decomposePow(ElementwiseOp op, PatternRewriter &rewriter,
                                  const DecomposeOptions &options) {
  if (op.getKind() != ElementwiseKind::Pow || isScalar(op.getLhs()))
    return failure();
  AneBuilder make(rewriter, op.getLoc());
  std::optional<float> exponent = getSplatValue(op.getRhs());
  Value power;
  if (exponent && typeOf(op.getLhs()) == typeOf(op.getResult()))
    power = powerOf(make, op.getLhs(), *exponent);
  return replace(op, rewriter,
                 power ? power : powerByTables(make, op, exponent, options));
}

/// A function that is neither in the epilogue of the engine nor in a table gets
/// an op of its own.
template <typename OpT>
static LogicalResult splitActivation(OpT op, PatternRewriter &rewriter) {
  ActivationAttr function = op.getActivationAttr();
  if (!function ||
      (hasTable(function.getKind()) &&
       !(function.getKind() == ActivationKind::Rsqrt && function.getAlpha())) ||
      (isa<ElementwiseOp>(op) && function.getKind() == ActivationKind::Abs))
    return failure();
  auto plain = cast<OpT>(rewriter.clone(*op));
  plain.removeActivationAttr();
  rewriter.replaceOpWithNewOp<ActivationOp>(op, op.getType(), plain, function);
  return success();
}

/// log x = log2 x * ln 2: the factor stands after the table, so it is a pass
/// of its own.
static LogicalResult logToLog2(ActivationOp op, PatternRewriter &rewriter) {
  if (op.getFunction().getKind() != ActivationKind::Log)
    return failure();
  constexpr float ln2 = 0.693147181f;
  AneBuilder make(rewriter, op.getLoc());
  Value log2 = make.activate(op.getInput(), ActivationKind::Log2);
  rewriter.replaceOp(op, make.mul(log2, ln2));
  return success();
}

//===----------------------------------------------------------------------===//
// Size
//===----------------------------------------------------------------------===//

// Bytes in L2 of a row of every source. Channels are padded to 16 bytes, rows
// by at most three of these units against bank conflicts.
template <typename OpT>
static int64_t rowBytes(OpT op, int64_t channels,
                        const DecomposeOptions &options) {
  int64_t bytes = 0, rows = 1;
  // A reduction needs all rows of a channel at once.
  if constexpr (std::is_same_v<OpT, ReduceOp>)
    if (llvm::is_contained(op.getAxes(), 2))
      rows = typeOf(op.getInput()).getDimSize(2);
  for (Value operand : op->getOperands()) {
    RankedTensorType type = typeOf(operand);
    if (isScalar(operand) || type.getRank() != 4)
      continue;
    int64_t row = ::ane::hw::alignTo(type.getDimSize(3) * sizeof(uint16_t),
                                     options.generation.l2Align);
    bytes += rows * (std::min(type.getDimSize(1), channels) * row +
                     int64_t(3) * options.generation.l2Align);
  }
  return bytes;
}

// The result may pass through beside the sources.
template <typename OpT>
static bool fits(OpT op, int64_t channels, const DecomposeOptions &options) {
  int64_t bytes = rowBytes(op, channels, options);
  RankedTensorType type = typeOf(op.getResult());
  auto result = ::ane::hw::streamedResultBytes(
      channels, type.getDimSize(3), sizeof(uint16_t), /*isNeural=*/false);
  return bytes <= int64_t(options.generation.l2SourceBytes) &&
         bytes + int64_t(result) <= int64_t(options.generation.l2Bytes);
}

/// A task is cut into tiles of rows where its sources do not fit into L2, but a
/// row of all channels is the least that it can hold. Where that is too much,
/// parts along C do the same work on views.
template <typename OpT>
static LogicalResult splitWideRows(OpT op, PatternRewriter &rewriter,
                                   const DecomposeOptions &options) {
  if (!isImage(op.getResult()))
    return failure();
  int64_t channels = typeOf(op.getResult()).getDimSize(1), step = channels;
  while (step > 1 && !fits(op, step, options))
    step = llvm::divideCeil(step, 2);
  if (step == channels)
    return failure();
  return replaceByCut(rewriter, op, 1, step);
}

/// Rows that are reduced one by one are groups of the engine, which counts only
/// so many.
static LogicalResult splitReducedRows(ReduceOp op, PatternRewriter &rewriter,
                                      const DecomposeOptions &options) {
  int64_t rows =
      isImage(op.getInput()) ? typeOf(op.getInput()).getDimSize(2) : 0;
  int64_t most = options.generation.maxGroups;
  if (op.getAxes() != ArrayRef<int64_t>{3} || rows <= most)
    return failure();
  return replaceByCut(rewriter, op, 2, evenStep(rows, most));
}

// Of parts 1 / sqrt(mean + epsilon): the mean of the squares of their roots,
// each with its share of the rows.
static Value combineRoots(OpBuilder &builder, ReduceOp op,
                          ArrayRef<Value> parts, ArrayRef<int64_t> counts) {
  AneBuilder make(builder, op.getLoc());
  double rows = typeOf(op.getInput()).getDimSize(2);
  SmallVector<Value> roots;
  for (auto [part, count] : llvm::zip_equal(parts, counts)) {
    float share = std::sqrt(double(count) * double(counts.size()) / rows);
    roots.push_back(
        make.mul(make.activate(part, ActivationKind::Reciprocal), share));
  }
  return ReduceOp::create(
      builder, op.getLoc(), op.getType(), ReduceKind::MeanSquare,
      make.concat(roots, 2), op.getAxes(),
      ActivationAttr::get(builder.getContext(), ActivationKind::Rsqrt));
}

/// A channel is reduced as a whole: of one that L2 does not hold some rows are,
/// then what they give.
static LogicalResult splitReducedPlanes(ReduceOp op, PatternRewriter &rewriter,
                                        const DecomposeOptions &options) {
  if (!isImage(op.getInput()) || op.getAxes() != ArrayRef<int64_t>{2, 3})
    return failure();
  ArrayRef<int64_t> shape = typeOf(op.getInput()).getShape();
  const ::ane::hw::GenerationInfo &info = options.generation;
  int64_t row = ::ane::hw::alignTo(shape[3] * sizeof(uint16_t), info.l2Align);
  int64_t most = info.l2SourceBytes / row - 1; // rows may be padded
  if (shape[2] <= most)
    return failure();
  int64_t step = evenStep(shape[2], most);
  // f16 may hold the root of a mean of squares, and not the mean.
  ActivationAttr function = op.getActivationAttr();
  bool hasRoot = function && function.getKind() == ActivationKind::Rsqrt &&
                 op.getKind() == ReduceKind::MeanSquare;
  Location loc = op.getLoc();
  SmallVector<Value> parts;
  SmallVector<int64_t> counts;
  for (int64_t first = 0; first < shape[2]; first += step) {
    counts.push_back(std::min(step, shape[2] - first));
    parts.push_back(ReduceOp::create(
        rewriter, loc, op.getType(), op.getKind(),
        sliceDim(rewriter, loc, op.getInput(), 2, first, counts.back()),
        op.getAxes(), hasRoot ? function : ActivationAttr()));
  }
  if (hasRoot) {
    rewriter.replaceOp(op, combineRoots(rewriter, op, parts, counts));
    return success();
  }
  rewriter.replaceOp(
      op,
      activated(rewriter, loc,
                combineReductions(rewriter, loc, op.getKind(), parts, counts),
                function));
  return success();
}

/// Images are groups of the engine, too. Parts along the batch, which are
/// views, do the same work.
static LogicalResult splitImages(Operation *op, PatternRewriter &rewriter,
                                 const DecomposeOptions &options) {
  if (!isa<ActivationOp, CompareOp, ConcatOp, ConvOp, ElementwiseOp, MatmulOp,
           PoolOp, ReduceOp, SelectOp, SliceOp, TransposeOp>(op) ||
      !isImage(op->getResult(0)) || isViewOfImages(op))
    return rewriter.notifyMatchFailure(op, "is no task over images");
  int64_t images = typeOf(op->getResult(0)).getDimSize(0);
  int64_t most = options.generation.maxGroups;
  if (images <= most)
    return rewriter.notifyMatchFailure(op, "has as many images as a task");
  return replaceByCut(rewriter, op, 0, evenStep(images, most));
}

/// The broadcast masks have no bit for the batch: one op for each image, unless
/// the flavour lets a task go through all of them.
static LogicalResult splitBatchBroadcast(ElementwiseOp op,
                                         PatternRewriter &rewriter,
                                         const DecomposeOptions &options) {
  if (!isImage(op.getResult()))
    return failure();
  int64_t batch = typeOf(op.getResult()).getDimSize(0);
  bool isBroadcast = llvm::any_of(op->getOperands(), [&](Value operand) {
    return !isScalar(operand) && typeOf(operand).getDimSize(0) != batch;
  });
  auto repeats = options.policy.planar.repeatsBatch;
  if (!isBroadcast || (repeats && repeats(op, options.generation)))
    return failure();
  return replaceByCut(rewriter, op, 0, 1);
}

void mlir::ane::populateDecomposeElementwisePatterns(
    RewritePatternSet &patterns, const DecomposeOptions &options) {
  addPatterns<divToReciprocal, logToLog2, splitActivation<ConvOp>,
              splitActivation<ElementwiseOp>, channelConstantToConv,
              decomposePow, normalizeScalar, splitBatchBroadcast>(patterns,
                                                                  options);
}

void mlir::ane::populateSplitPatterns(RewritePatternSet &patterns,
                                      const DecomposeOptions &options) {
  addPatterns<splitWideRows<ActivationOp>, splitWideRows<ElementwiseOp>,
              splitWideRows<ReduceOp>, splitReducedRows, splitReducedPlanes,
              splitImages>(patterns, options);
  populateSplitConvPatterns(patterns, options);
}
