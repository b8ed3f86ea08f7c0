//===- RangeAnalysis.cpp - The ranges of all values of a network ----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One transfer function for each tensor op. Constants are read in one pass over
// their bytes; weights also for the sums of their magnitudes, which bound what
// a convolution adds up far better than a count and two largest magnitudes.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Numerics/Ranges.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"

#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

namespace {
/// For each output channel, the sums of the weights above and below 0.
struct WeightSums {
  SmallVector<double> above, below;
};
} // namespace

static constexpr int64_t elementsOfPart = 1 << 14;

/// Elements that loops over weights take side by side, so that compilers make
/// vectors of them: constants are all that takes time here.
static constexpr size_t laneCount = 8;

namespace {
/// The ends of some numbers, and the smallest magnitude but 0.
struct Ends {
  static constexpr float infinity = std::numeric_limits<float>::infinity();
  float low = infinity, high = -infinity, least = infinity;
  bool hasNaN = false;

  void add(float value) {
    low = value < low ? value : low;
    high = value > high ? value : high;
    float magnitude = value == 0 ? infinity : std::fabs(value);
    least = magnitude < least ? magnitude : least;
    hasNaN |= value != value;
  }
  void add(const Ends &more) {
    low = std::min(low, more.low);
    high = std::max(high, more.high);
    least = std::min(least, more.least);
    hasNaN |= more.hasNaN;
  }
};
} // namespace

static Ends findEnds(ArrayRef<float> values) {
  float low[laneCount], high[laneCount], least[laneCount];
  int32_t isNaN[laneCount] = {};
  std::fill_n(low, laneCount, Ends::infinity);
  std::fill_n(high, laneCount, -Ends::infinity);
  std::fill_n(least, laneCount, Ends::infinity);
  size_t i = 0;
  for (; i + laneCount <= values.size(); i += laneCount)
    for (size_t lane = 0; lane < laneCount; ++lane) {
      float value = values[i + lane];
      low[lane] = value < low[lane] ? value : low[lane];
      high[lane] = value > high[lane] ? value : high[lane];
      float magnitude = value == 0 ? Ends::infinity : std::fabs(value);
      least[lane] = magnitude < least[lane] ? magnitude : least[lane];
      isNaN[lane] |= value != value;
    }
  Ends ends;
  for (size_t lane = 0; lane < laneCount; ++lane)
    ends.add({low[lane], high[lane], least[lane], isNaN[lane] != 0});
  for (; i < values.size(); ++i)
    ends.add(values[i]);
  return ends;
}

static float firstElement(const ConstantView &view) {
  SmallVector<int64_t> zeros(view.getRank(), 0), ones(view.getRank(), 1);
  return view.slice(zeros, ones, ones).readFloats()[0];
}

// The range of the elements of a constant.
static NumberRange rangeOfConstant(ElementsAttr attr) {
  FailureOr<ConstantView> view = ConstantView::get(attr);
  if (failed(view) || !view->isReadable())
    return NumberRange::everything();
  if (view->getNumElements() == 0)
    return NumberRange::of(0, 0);
  if (view->isSplat())
    return NumberRange::point(firstElement(*view));
  Ends ends;
  bool isWhole = true;
  std::vector<float> values;
  view->forEachPart(elementsOfPart, [&](int64_t, const ConstantView &part) {
    values.resize(part.getNumElements());
    part.readFloats(values);
    ends.add(findEnds(values));
    isWhole = isWhole && llvm::all_of(values, [](float value) {
                return value == std::floor(value);
              });
  });
  if (ends.hasNaN)
    return NumberRange::everything();
  return NumberRange::of(ends.low, ends.high, ends.least,
                         isWhole && !std::isinf(ends.low) &&
                             !std::isinf(ends.high));
}

/// Sums of the elements above 0 and of those below.
static std::pair<double, double> sumRun(ArrayRef<float> values) {
  double above[laneCount] = {}, below[laneCount] = {};
  size_t i = 0;
  auto add = [&](size_t lane, float value) {
    above[lane] += value > 0 ? value : 0.0f;
    below[lane] += value < 0 ? value : 0.0f;
  };
  for (; i + laneCount <= values.size(); i += laneCount)
    for (size_t lane = 0; lane < laneCount; ++lane)
      add(lane, values[i + lane]);
  for (; i < values.size(); ++i)
    add(i % laneCount, values[i]);
  return {std::accumulate(above, above + laneCount, 0.0),
          std::accumulate(below, below + laneCount, 0.0)};
}

// The output channel of element i of the constant is i / inner, modulo the
// channels.
static std::optional<WeightSums> sumWeights(Value weight, int64_t channels,
                                            int64_t inner) {
  FailureOr<ConstantView> view = ConstantView::get(weight);
  if (failed(view) || !view->isReadable())
    return std::nullopt;
  WeightSums sums;
  sums.above.assign(channels, 0);
  sums.below.assign(channels, 0);
  if (view->isSplat()) {
    int64_t count = view->getNumElements() / channels;
    double sum = firstElement(*view) * double(count);
    (sum > 0 ? sums.above : sums.below).assign(channels, sum);
    return sums;
  }
  std::vector<float> values;
  view->forEachPart(
      elementsOfPart, [&](int64_t first, const ConstantView &part) {
        values.resize(part.getNumElements());
        part.readFloats(values);
        ArrayRef<float> rest(values);
        for (int64_t at = first; !rest.empty();) {
          int64_t channel = at / inner % channels;
          // A row of channels, or a run of one.
          bool isRow = inner == 1;
          int64_t count = std::min<int64_t>(
              rest.size(), isRow ? channels - channel : inner - at % inner);
          if (isRow) {
            for (int64_t i = 0; i < count; ++i) {
              sums.above[channel + i] += rest[i] > 0 ? rest[i] : 0.0f;
              sums.below[channel + i] += rest[i] < 0 ? rest[i] : 0.0f;
            }
          } else {
            auto [above, below] = sumRun(rest.take_front(count));
            sums.above[channel] += above;
            sums.below[channel] += below;
          }
          rest = rest.drop_front(count);
          at += count;
        }
      });
  return sums;
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

static std::optional<NumberRange> readRangeAttr(Attribute attr) {
  auto array = dyn_cast_or_null<ArrayAttr>(attr);
  if (!array || array.size() < 2)
    return std::nullopt;
  SmallVector<double> ends;
  for (Attribute end : array)
    if (auto number = dyn_cast<FloatAttr>(end))
      ends.push_back(number.getValueAsDouble());
  if (ends.size() < 2 || !(ends[0] <= ends[1]))
    return std::nullopt;
  return NumberRange::of(ends[0], ends[1], ends.size() > 2 ? ends[2] : 0);
}

// What a tensor of this type can hold. An f32 argument becomes f16 in front of
// the engine, so it is as large as f16 is, and what is below it is 0.
static NumberRange rangeOfType(Type type) {
  Type element = getElementTypeOrSelf(type);
  NumberRange range;
  if (element.isF16() || element.isF32()) {
    range = NumberRange::of(-largestHalf, largestHalf, smallestHalf);
  } else if (element.isInteger() && element.getIntOrFloatBitWidth() <= 32) {
    unsigned width = element.getIntOrFloatBitWidth();
    bool isSigned = !element.isUnsignedInteger() && width > 1;
    double count = std::exp2(width);
    range = NumberRange::of(isSigned ? -count / 2 : 0,
                            (isSigned ? count / 2 : count) - 1, 1,
                            /*isWhole=*/true);
  } else {
    return NumberRange::everything();
  }
  range.source = RangeSource::Assumed;
  return range;
}

/// Sums of weights, each once: an op is looked at more than once.
struct mlir::ane::WeightsOfRanges {
  WeightsRead read = WeightsRead::All;
  llvm::DenseMap<Value, std::optional<WeightSums>> sums;

  const std::optional<WeightSums> &sumsOf(Value weight, int64_t channels,
                                          int64_t inner) {
    auto [found, isNew] = sums.try_emplace(weight);
    if (isNew)
      found->second = sumWeights(weight, channels, inner);
    return found->second;
  }

  /// Whether nothing but sums is asked of the constant.
  bool isOnlySummed(ConstantOp op) const {
    return read == WeightsRead::OfKnown &&
           llvm::all_of(op->getUses(), [](OpOperand &use) {
             return isa<ConvOp, MatmulOp>(use.getOwner()) &&
                    use.getOperandNumber() == 1;
           });
  }
};

namespace {

struct RangeLattice : dataflow::Lattice<NumberRange> {
  using Lattice::Lattice;
};

/// The transfer functions. `get` gives the range of an operand.
class Transfer {
public:
  Transfer(WeightsOfRanges &weights, llvm::function_ref<NumberRange(Value)> get)
      : weights(weights), get(get) {}

  NumberRange of(Operation *op) const {
    return llvm::TypeSwitch<Operation *, NumberRange>(op)
        .Case<ConstantOp>([&](ConstantOp op) {
          if (!weights.isOnlySummed(op))
            return rangeOfConstant(op.getValue());
          NumberRange any = NumberRange::everything();
          any.mayBeNaN = false;
          any.source = RangeSource::Known;
          return any;
        })
        .Case<ConvOp, ConvTransposeOp>([&](auto op) {
          NumberRange products = productsOf(op).sum;
          if (op.getScale())
            products =
                applyRange(ElementwiseKind::Mul, products, get(op.getScale()));
          if (op.getBias())
            products =
                applyRange(ElementwiseKind::Add, products, get(op.getBias()));
          return applyRange(op.getActivationAttr(), products);
        })
        .Case<MatmulOp>([&](MatmulOp op) {
          return applyRange(op.getActivationAttr(), productsOf(op).sum);
        })
        .Case<RuntimeConvOp>([&](RuntimeConvOp op) {
          return sumRange(applyRange(ElementwiseKind::Mul, get(op.getInput()),
                                     get(op.getCoefficients())),
                          shapeOf(op.getInput())[1]);
        })
        .Case<ElementwiseOp>([&](ElementwiseOp op) {
          return applyRange(op.getActivationAttr(), ofElementwise(op));
        })
        .Case<ActivationOp>([&](ActivationOp op) {
          return applyRange(op.getFunction(), get(op.getInput()));
        })
        .Case<CompareOp>([](CompareOp) {
          return NumberRange::of(0, 1, 1, /*isWhole=*/true);
        })
        .Case<SelectOp>([&](SelectOp op) {
          return NumberRange::join(get(op.getTrueValue()),
                                   get(op.getFalseValue()));
        })
        .Case<SoftmaxOp>([&](SoftmaxOp op) { return NumberRange::of(0, 1); })
        .Case<AttentionOp>([&](AttentionOp op) {
          NumberRange x = mean(get(op.getValue()));
          return op.getSink() ? x.including(0) : x;
        })
        .Case<LayerNormOp>([&](LayerNormOp op) {
          return ofNorm(op, op.getGamma(), op.getBeta());
        })
        .Case<RmsNormOp>(
            [&](RmsNormOp op) { return ofNorm(op, op.getGamma(), Value()); })
        .Case<PoolOp>([&](PoolOp op) {
          NumberRange x = get(op.getInput());
          if (op.getKind() == PoolKind::Max)
            return x;
          return mean(op.hasPadding() ? x.including(0) : x);
        })
        .Case<ReduceOp>([&](ReduceOp op) { return ofReduce(op); })
        .Case<PadOp>([&](PadOp op) {
          return get(op.getInput()).including(op.getValue().convertToDouble());
        })
        .Case<ResizeOp>([&](ResizeOp op) {
          NumberRange x = get(op.getInput());
          return op.getMode() == ResizeMode::Nearest ? x : mean(x);
        })
        .Case<ConcatOp>([&](ConcatOp op) {
          NumberRange range;
          for (Value input : op.getInputs())
            range = NumberRange::join(range, get(input));
          return range;
        })
        .Case<CastOp>([&](CastOp op) { return ofCast(op); })
        .Case<SliceOp, InterleaveOp, TileOp, TransposeOp, ReshapeOp>(
            [&](Operation *op) { return get(op->getOperand(0)); })
        .Default([](Operation *op) {
          return op->getNumResults() == 1
                     ? rangeOfType(op->getResult(0).getType())
                     : NumberRange::everything();
        });
  }

  /// What an op gives its activation in f16: a table is a pass of its own.
  std::optional<NumberRange> beforeActivation(Operation *op) const {
    auto elementwise = dyn_cast<ElementwiseOp>(op);
    ActivationAttr function =
        elementwise ? elementwise.getActivationAttr() : ActivationAttr();
    if (!function || function.getKind() == ActivationKind::Relu)
      return std::nullopt;
    return ofElementwise(elementwise);
  }

  /// The sum of products of an op, and how large it can be on the way.
  struct Products {
    NumberRange sum;
    double running = 0;
  };
  std::optional<Products> products(Operation *op) const {
    return llvm::TypeSwitch<Operation *, std::optional<Products>>(op)
        .Case<ConvOp, ConvTransposeOp, MatmulOp>(
            [&](auto op) { return productsOf(op); })
        .Default([](Operation *) { return std::nullopt; });
  }

private:
  // Between the least and the largest of what it is a mean of.
  static NumberRange mean(NumberRange x) {
    NumberRange range = NumberRange::of(x.low, x.high);
    range.mayBeNaN = x.mayBeNaN;
    range.source = x.source;
    return range;
  }

  // Sums of products with known weights.
  static Products ofWeights(const NumberRange &x, const WeightSums &sums,
                            NumberRange product) {
    Products result;
    double low = 0, high = 0;
    for (auto [above, below] : llvm::zip_equal(sums.above, sums.below)) {
      auto times = [](double a, double b) { return a == 0 ? 0 : a * b; };
      double most = times(above, x.high) + times(below, x.low);
      double fewest = times(above, x.low) + times(below, x.high);
      bool isFirst = &above == &sums.above.front();
      low = isFirst ? fewest : std::min(low, fewest);
      high = isFirst ? most : std::max(high, most);
      result.running = std::max(result.running, times(above - below, x.most()));
    }
    result.sum = NumberRange::of(
        low, high, product.low >= 0 ? product.least : 0, product.isWhole);
    result.sum.source = product.source;
    result.sum.mayBeNaN = product.mayBeNaN;
    return result;
  }

  static Products ofCount(const NumberRange &product, double count) {
    return {sumRange(product, count), product.most() * count};
  }

  Products productsOf(ConvOp op) const {
    NumberRange x = get(op.getInput());
    if (op.hasPadding())
      x = x.including(0);
    NumberRange product =
        applyRange(ElementwiseKind::Mul, x, get(op.getWeight()));
    ArrayRef<int64_t> shape = shapeOf(op.getWeight());
    int64_t count = ShapedType::getNumElements(shape.drop_front());
    if (isLeftOut(x))
      return {NumberRange::everything(), product.most()};
    if (const auto &sums = weights.sumsOf(op.getWeight(), shape[0], count))
      return withBias(ofWeights(x, *sums, product), op.getBias());
    return withBias(ofCount(product, count), op.getBias());
  }

  Products productsOf(ConvTransposeOp op) const {
    // Each element of the image takes part in each element of the result at
    // most once for each tap.
    NumberRange x = get(op.getInput()).including(0);
    NumberRange product =
        applyRange(ElementwiseKind::Mul, x, get(op.getWeight()));
    ArrayRef<int64_t> shape = shapeOf(op.getWeight());
    double count = double(ShapedType::getNumElements(shape.drop_front(2))) *
                   shape[0] / op.getGroups();
    return withBias(ofCount(product, count), op.getBias());
  }

  Products productsOf(MatmulOp op) const {
    NumberRange x = get(op.getLhs());
    NumberRange product = applyRange(ElementwiseKind::Mul, x, get(op.getRhs()));
    ArrayRef<int64_t> shape = shapeOf(op.getRhs());
    int64_t rank = shape.size();
    int64_t rows = shape[rank - 2], columns = shape[rank - 1];
    bool isTransposed = op.getTransposeRhs();
    int64_t channels = isTransposed ? rows : columns;
    int64_t inner = isTransposed ? columns : 1;
    bool isOne = ShapedType::getNumElements(shape.drop_back(2)) == 1;
    if (isLeftOut(x))
      return {NumberRange::everything(), product.most()};
    if (isOne)
      if (const auto &sums = weights.sumsOf(op.getRhs(), channels, inner))
        return ofWeights(x, *sums, product);
    return ofCount(product, isTransposed ? columns : rows);
  }

  Products withBias(Products products, Value bias) const {
    if (bias)
      products.running += get(bias).most();
    return products;
  }

  // Without its activation.
  NumberRange ofElementwise(ElementwiseOp op) const {
    NumberRange lhs = get(op.getLhs()), rhs = get(op.getRhs());
    NumberRange range = applyRange(op.getKind(), lhs, rhs);
    // x * x is a square.
    if (op.getKind() == ElementwiseKind::Mul && op.getLhs() == op.getRhs())
      range = applyRange(ElementwiseKind::Pow, lhs, NumberRange::point(2));
    // x - x less its largest one is at most 0.
    if (op.getKind() == ElementwiseKind::Sub)
      if (auto most = op.getRhs().getDefiningOp<ReduceOp>();
          most && most.getInput() == op.getLhs()) {
        if (most.getKind() == ReduceKind::Max)
          range = range.boundedBy(
              NumberRange::of(-std::numeric_limits<double>::infinity(), 0));
        if (most.getKind() == ReduceKind::Min)
          range = range.boundedBy(
              NumberRange::of(0, std::numeric_limits<double>::infinity()));
        range.source = std::max(range.source, lhs.source);
      }
    if (!op.getScale().isExactlyValue(1.0))
      range = range.scaled(op.getScale().convertToDouble());
    if (!op.getBias().isZero())
      range = applyRange(ElementwiseKind::Add, range,
                         NumberRange::point(op.getBias().convertToDouble()));
    return range;
  }

  // (x - mean) / deviation is at most the root of the count.
  template <typename OpT>
  NumberRange ofNorm(OpT op, Value gamma, Value beta) const {
    double count = 1;
    for (int64_t axis : op.getAxes())
      count *= shapeOf(op.getInput())[axis];
    NumberRange range = NumberRange::of(-std::sqrt(count), std::sqrt(count));
    if (gamma)
      range = applyRange(ElementwiseKind::Mul, range, get(gamma));
    if (beta)
      range = applyRange(ElementwiseKind::Add, range, get(beta));
    return range;
  }

  NumberRange ofReduce(ReduceOp op) const {
    NumberRange x = get(op.getInput());
    double count = 1;
    for (int64_t axis : op.getAxes())
      count *= shapeOf(op.getInput())[axis];
    switch (op.getKind()) {
    case ReduceKind::Max:
    case ReduceKind::Min:
      break;
    case ReduceKind::Mean:
      x = mean(x);
      break;
    case ReduceKind::Sum:
      x = sumRange(x, count);
      break;
    case ReduceKind::SumSquare:
    case ReduceKind::MeanSquare:
      x = applyRange(ElementwiseKind::Pow, x, NumberRange::point(2));
      if (op.getKind() == ReduceKind::SumSquare)
        x = sumRange(x, count);
      else
        x = mean(x);
      break;
    }
    return applyRange(op.getActivationAttr(), x);
  }

  NumberRange ofCast(CastOp op) const {
    NumberRange x = get(op.getInput());
    Type element = getElementTypeOrSelf(op.getType());
    if (!element.isInteger())
      return x;
    NumberRange bound = rangeOfType(op.getType());
    if (x.isEmpty())
      return x;
    NumberRange range = NumberRange::of(
        std::clamp(std::nearbyint(x.low), bound.low, bound.high),
        std::clamp(std::nearbyint(x.high), bound.low, bound.high), 1,
        /*isWhole=*/true);
    range.source = x.source;
    return range;
  }

  bool isLeftOut(const NumberRange &x) const {
    return weights.read == WeightsRead::OfKnown && x.isAssumed();
  }

  WeightsOfRanges &weights;
  llvm::function_ref<NumberRange(Value)> get;
};

class RangeDataFlow
    : public dataflow::SparseForwardDataFlowAnalysis<RangeLattice> {
public:
  RangeDataFlow(DataFlowSolver &solver, WeightsOfRanges &weights)
      : SparseForwardDataFlowAnalysis(solver), weights(weights) {}

  LogicalResult visitOperation(Operation *op,
                               ArrayRef<const RangeLattice *> operands,
                               ArrayRef<RangeLattice *> results) override {
    if (results.empty())
      return success();
    if (results.size() != 1) {
      setAllToEntryStates(results);
      return success();
    }
    auto get = [&](Value value) {
      for (auto [operand, lattice] :
           llvm::zip_equal(op->getOperands(), operands))
        if (operand == value)
          return lattice->getValue();
      return NumberRange::everything();
    };
    // An operand that nobody has visited yet says nothing; it will.
    if (llvm::any_of(operands, [](const RangeLattice *lattice) {
          return lattice->getValue().isEmpty();
        }))
      return success();
    NumberRange range = Transfer(weights, get).of(op);
    if (auto bound = readRangeAttr(op->getAttr(kRangeAttrName))) {
      bound->source = RangeSource::Data;
      bound->isWhole = range.isWhole;
      range = range.boundedBy(*bound);
      range.source = RangeSource::Data;
    }
    propagateIfChanged(results.front(), results.front()->join(range));
    return success();
  }

  void setToEntryState(RangeLattice *lattice) override {
    NumberRange range = rangeOfType(lattice->getAnchor().getType());
    if (auto argument = dyn_cast<BlockArgument>(lattice->getAnchor()))
      if (auto function = dyn_cast_or_null<func::FuncOp>(
              argument.getOwner()->getParentOp());
          function && argument.getOwner()->isEntryBlock())
        if (auto bound = readRangeAttr(
                function.getArgAttr(argument.getArgNumber(), kRangeAttrName))) {
          NumberRange given = range.boundedBy(*bound);
          given.source = RangeSource::Known;
          range = given;
        }
    propagateIfChanged(lattice, lattice->join(range));
  }

private:
  WeightsOfRanges &weights;
};

} // namespace

RangeAnalysis::RangeAnalysis(Operation *root, WeightsRead read)
    : weights(std::make_unique<WeightsOfRanges>()),
      solver(std::make_unique<DataFlowSolver>()) {
  weights->read = read;
  solver->load<dataflow::DeadCodeAnalysis>();
  solver->load<RangeDataFlow>(*weights);
  if (failed(solver->initializeAndRun(root)))
    solver.reset();
}

RangeAnalysis::~RangeAnalysis() = default;

NumberRange RangeAnalysis::get(Value value) const {
  const auto *lattice =
      solver ? solver->lookupState<RangeLattice>(value) : nullptr;
  return lattice && !lattice->getValue().isEmpty() ? lattice->getValue()
                                                   : NumberRange::everything();
}

std::optional<NumberRange>
RangeAnalysis::getBeforeActivation(Operation *op) const {
  auto get = [&](Value value) { return this->get(value); };
  return Transfer(*weights, get).beforeActivation(op);
}

std::optional<double> RangeAnalysis::runningSum(Operation *op) const {
  auto get = [&](Value value) { return this->get(value); };
  auto products = Transfer(*weights, get).products(op);
  return products ? std::optional(products->running) : std::nullopt;
}
