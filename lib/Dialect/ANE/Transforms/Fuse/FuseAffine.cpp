//===- FuseAffine.cpp - Batch norm into weights and bias ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After a convolution, sources write a batch norm as four ops with one
// constant for each channel: ((y - mean) * factor) * gamma + beta, in any order
// and with any of them missing. They are collected into one map y -> a * y + b
// in double precision, then the weights are multiplied by `a` once, in f32. So
// nothing is rounded before ane-legalize rounds the product.
//
// Where the weights are no constant floats, or the product leaves the range of
// f16, `a` becomes the scale of the epilogue instead.
//
//===----------------------------------------------------------------------===//

#include "Fuse.h"

#include "ane/Dialect/ANE/Utils/ConstantBlobs.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/HW/Float16.h"

#include <cmath>
#include <map>

using namespace mlir;
using namespace mlir::ane;
using ::ane::hw::largestHalf;
using ::ane::hw::smallestNormalHalf;

namespace {
/// y -> a[c] * y + b[c] for channel c.
struct ChannelMap {
  explicit ChannelMap(int64_t channels) : a(channels, 1), b(channels, 0) {}

  /// Applies y -> factor * y + summand after this map.
  void then(size_t channel, double factor, double summand) {
    a[channel] *= factor;
    b[channel] = factor * b[channel] + summand;
  }
  bool isFinite() const {
    auto finite = [](double value) {
      return std::isfinite(static_cast<float>(value));
    };
    return llvm::all_of(a, finite) && llvm::all_of(b, finite);
  }

  std::vector<double> a, b;
};

/// The elementwise ops after a convolution that are one map.
struct Chain {
  explicit Chain(int64_t channels) : map(channels) {}

  ChannelMap map;
  SmallVector<ElementwiseOp> ops;
  ActivationAttr activation; // of the last op
};
} // namespace

/// Values of a constant, one for each channel (dimension 1) of `shape`, or one.
static std::optional<std::vector<float>>
getChannelValues(Value value, ArrayRef<int64_t> shape) {
  FailureOr<ConstantView> view = ConstantView::get(value);
  if (failed(view) || !view->isReadable() ||
      view->getRank() != static_cast<int64_t>(shape.size()))
    return std::nullopt;
  if (view->isSplat() && view->getNumElements() > 0)
    return std::vector<float>(1, *getConstantSplat(value));
  for (int64_t i = 0; i < view->getRank(); ++i)
    if (view->getShape()[i] != 1 && i != 1)
      return std::nullopt;
  return view->readFloats();
}

/// Adds `op`, which reads `data`, to the map if it is affine in it.
static bool addToMap(ChannelMap &map, ElementwiseOp op, Value data) {
  bool left = op.getLhs() == data;
  Value other = left ? op.getRhs() : op.getLhs();
  if (other == data || op.getType() != data.getType())
    return false;
  auto values = getChannelValues(
      other, cast<RankedTensorType>(data.getType()).getShape());
  if (!values)
    return false;
  ChannelMap next = map;
  for (size_t channel = 0; channel < map.a.size(); ++channel) {
    double value = (*values)[values->size() == 1 ? 0 : channel];
    std::optional<Affine> step = affineOf(op, value, /*isNumberLeft=*/!left);
    if (!step)
      return false;
    next.then(channel, step->factor, step->summand);
  }
  if (!next.isFinite())
    return false;
  map = std::move(next);
  return true;
}

static Chain collectChain(Value data, int64_t channels) {
  Chain chain(channels);
  while (data.hasOneUse() && !chain.activation) {
    auto op = dyn_cast<ElementwiseOp>(*data.getUsers().begin());
    if (!op || !addToMap(chain.map, op, data))
      break;
    chain.ops.push_back(op);
    chain.activation = op.getActivationAttr();
    data = op.getResult();
  }
  return chain;
}

namespace {
/// Weights that have been scaled, by what they were and their factors: planes
/// of a volume share theirs, and shall share the new ones.
using ScaledWeights =
    std::map<std::pair<const void *, std::vector<double>>, Value>;
} // namespace

static void dropIfDead(Value value, BlobUses &uses) {
  auto constant = value ? value.getDefiningOp<ConstantOp>() : ConstantOp();
  if (!constant || !constant->use_empty())
    return;
  Attribute attr = constant.getValueAttr();
  constant.erase();
  uses.drop(attr);
}

static Value createVector(OpBuilder &builder, Location loc,
                          ArrayRef<double> values, BlobUses &uses) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())},
                                    builder.getF32Type());
  std::vector<float> floats(values.begin(), values.end());
  auto constant = createConstant(builder, loc, type, floats);
  uses.add(constant.getValueAttr());
  return constant;
}

/// The dimension of the weight that is the output channel, if there is one.
static std::optional<int64_t> getOutputDim(ConvOp) { return 0; }
static std::optional<int64_t> getOutputDim(ConvTransposeOp op) {
  if (op.getGroups() == 1)
    return 1;
  return std::nullopt;
}

/// Whether f16 has few bits of the coefficients of an output channel that
/// `factor` made small, the largest of which is `most`, and its results show
/// it: they are not beside a larger summand, nor 0 in f16 for data up to 2^8.
static bool losesBits(double most, double factor, double summand) {
  constexpr double least = ::ane::hw::smallestHalf * 0x1p-8, hiding = 0x1p-8;
  return std::fabs(factor) < 1 && most >= least && most < smallestNormalHalf &&
         std::fabs(summand) < hiding;
}

/// weight * a, or null when it cannot be computed; failure where f16 does not
/// hold it, or hardly any of its bits. `b` is added to the results.
template <typename OpT>
static FailureOr<Value>
scaleWeight(OpBuilder &builder, OpT op, const std::vector<double> &a,
            ArrayRef<double> b, BlobUses &uses, ScaledWeights &scaled) {
  std::optional<int64_t> dim = getOutputDim(op);
  FailureOr<ConstantView> view = ConstantView::get(op.getWeight());
  if (!dim || failed(view) || !isa<FloatType>(view->getElementType()) ||
      !view->isReadable())
    return Value();
  auto before = op.getWeight().template getDefiningOp<ConstantOp>();
  Value *known = before
                     ? &scaled[{before.getValueAttr().getAsOpaquePointer(), a}]
                     : nullptr;
  if (known && *known && known->getParentBlock() == op->getBlock())
    return *known;
  std::vector<float> factors(a.begin(), a.end());
  AsmResourceBlob blob = view->materialize(builder.getF32Type(), factors, *dim);
  std::vector<float> most(a.size(), 0.0f);
  const size_t inner =
      llvm::product_of(view->getShape().drop_front(*dim + 1), size_t(1));
  for (auto [i, value] : llvm::enumerate(getMutable<float>(blob))) {
    float &channel = most[i / inner % most.size()];
    channel =
        std::max(channel, std::isnan(value) ? INFINITY : std::fabs(value));
  }
  const float largest = llvm::max_element(most)[0];
  if (largest > largestHalf || (largest > 0 && largest < smallestNormalHalf))
    return failure();
  for (auto [channel, factor, summand] : llvm::zip_equal(most, a, b))
    if (losesBits(channel, factor, summand))
      return failure();
  auto type = RankedTensorType::get(view->getShape(), builder.getF32Type());
  auto constant = createConstant(builder, op.getLoc(), type, std::move(blob));
  uses.add(constant.getValueAttr());
  if (known)
    *known = constant;
  return Value(constant);
}

/// Puts a factor that all channels have into the scale of `op`. The engine
/// multiplies after the bias, so there must be none.
template <typename OpT> static bool applyFactor(OpT op, const ChannelMap &map) {
  if (op.getBias() || op.getScale() || !llvm::all_equal(map.a) ||
      map.a.front() == 1 ||
      llvm::any_of(map.b, [](double value) { return value != 0; }))
    return false;
  OpBuilder builder(op);
  auto type = RankedTensorType::get({static_cast<int64_t>(map.a.size())},
                                    builder.getF32Type());
  Value scale = ConstantOp::create(
      builder, op.getLoc(),
      DenseElementsAttr::get(type, static_cast<float>(map.a.front())));
  op.getScaleMutable().assign(scale);
  return true;
}

/// Puts `map` into the weights (or scale) and bias of `op`.
template <typename OpT>
static bool applyMap(OpT op, ChannelMap map, BlobUses &uses,
                     ScaledWeights &scaled) {
  // act(scale * conv + bias), then the map.
  std::vector<double> factors = map.a, summands = map.b;
  if (op.getBias()) {
    FailureOr<ConstantView> view = ConstantView::get(op.getBias());
    if (failed(view) || !view->isReadable())
      return false;
    for (auto [summand, factor, old] :
         llvm::zip_equal(summands, map.a, view->readFloats()))
      summand += factor * old;
  }
  if (op.getScale()) {
    FailureOr<ConstantView> view = ConstantView::get(op.getScale());
    if (failed(view) || !view->isReadable())
      return false;
    for (auto [factor, old] : llvm::zip_equal(factors, view->readFloats()))
      factor *= old;
  }
  if (llvm::any_of(summands, [](double summand) {
        return std::fabs(summand) > largestHalf;
      }))
    return false;
  auto notNeutral = [](double neutral) {
    return [neutral](double value) { return value != neutral; };
  };
  Value oldWeight = op.getWeight(), oldBias = op.getBias(),
        oldScale = op.getScale();
  OpBuilder builder(op);
  Value weight, scale, bias;
  if (llvm::any_of(factors, notNeutral(1))) {
    FailureOr<Value> product =
        scaleWeight(builder, op, factors, summands, uses, scaled);
    if (failed(product))
      return false;
    weight = *product;
    if (!weight)
      scale = createVector(builder, op.getLoc(), factors, uses);
  }
  if (llvm::any_of(summands, notNeutral(0)))
    bias = createVector(builder, op.getLoc(), summands, uses);
  if (weight)
    op.getWeightMutable().assign(weight);
  auto assign = [](MutableOperandRange range, Value value) {
    value ? range.assign(value) : range.clear();
  };
  assign(op.getBiasMutable(), bias);
  assign(op.getScaleMutable(), scale);
  dropIfDead(oldWeight, uses);
  dropIfDead(oldBias, uses);
  if (oldScale != oldBias)
    dropIfDead(oldScale, uses);
  return true;
}

template <typename OpT>
static void fuseInto(OpT op, const LoweringPolicy &policy, BlobUses &uses,
                     ScaledWeights &weights, Pass::Statistic &count) {
  if (op.getActivationAttr())
    return;
  int64_t channels = cast<RankedTensorType>(op.getType()).getDimSize(1);
  Chain chain = collectChain(op.getResult(), channels);
  if (chain.ops.empty())
    return;
  bool scaled = isa<ConvOp>(op) && policy.conv.scalesResults &&
                applyFactor(op, chain.map);
  if (!scaled && !applyMap(op, chain.map, uses, weights))
    return;
  op.setActivationAttr(chain.activation);
  chain.ops.back().getResult().replaceAllUsesWith(op.getResult());
  for (ElementwiseOp dead : llvm::reverse(chain.ops)) {
    SmallVector<Value> operands(dead->getOperands());
    dead.erase();
    for (Value operand : operands)
      if (operand != op.getResult() &&
          isa_and_present<ConstantOp>(operand.getDefiningOp()))
        dropIfDead(operand, uses);
    ++count;
  }
}

void mlir::ane::fuseAffineMaps(Operation *root, const LoweringPolicy &policy,
                               BlobUses &uses, Pass::Statistic &count) {
  SmallVector<Operation *> windows;
  root->walk([&](Operation *op) {
    if (isa<ConvOp, ConvTransposeOp>(op))
      windows.push_back(op);
  });
  ScaledWeights weights;
  for (Operation *op : windows) {
    if (auto conv = dyn_cast<ConvOp>(op))
      fuseInto(conv, policy, uses, weights, count);
    else
      fuseInto(cast<ConvTransposeOp>(op), policy, uses, weights, count);
  }
}
