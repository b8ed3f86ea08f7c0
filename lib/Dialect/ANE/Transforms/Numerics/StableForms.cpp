//===- StableForms.cpp - Formulas that have a better spelling -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   log(1 + e^x)                       softplus(x), also below a threshold
//   log(1 - sigmoid(x))                log(sigmoid(-x))
//   (e^2x - 1) / (e^2x + 1), its kin   tanh(x)
//   e^x / (1 + e^x)                    sigmoid(x)
//   mean(x^2) - mean(x)^2              mean((x - mean(x))^2)
//   x^0.5, x^-0.5, x^-1                the functions of these names
//   sqrt(x^2)                          |x|
//
// A quotient is one however it is written, as a product with a reciprocal, too.
//
//===----------------------------------------------------------------------===//

#include "StableForms.h"

#include "Rescale.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

namespace {

/// factor * data + summand
struct AffineValue {
  Value data;
  double factor = 1, summand = 0;
};

} // namespace

static AffineValue affineOf(Value value) {
  constexpr int maxSteps = 6;
  AffineValue affine{value};
  for (int i = 0; i < maxSteps; ++i) {
    if (Value x = inputOf(affine.data, ActivationKind::Neg)) {
      affine = {x, -affine.factor, affine.summand};
      continue;
    }
    auto op = affine.data.getDefiningOp<ElementwiseOp>();
    auto number = op && op.isPlain() ? withNumber(op) : std::nullopt;
    std::optional<Affine> step;
    if (number)
      step = affineOf(op, number->number, number->isNumberFirst);
    if (!step)
      break;
    affine = {number->data, affine.factor * step->factor,
              affine.summand + affine.factor * step->summand};
  }
  return affine;
}

static bool isNear(double a, double b) {
  return std::fabs(a - b) <= 1e-5 * std::max(std::fabs(a), std::fabs(b));
}

namespace {

/// A sum of powers of one x: of e^(k x), by k, and a number (k = 0).
struct PowerSum {
  Value x;
  SmallVector<std::pair<double, double>, 3> terms; ///< k, coefficient

  double of(double k) const {
    for (auto [exponent, coefficient] : terms)
      if (isNear(exponent, k) || exponent == k)
        return coefficient;
    return 0;
  }
  void add(double k, double coefficient) {
    for (auto &[exponent, own] : terms)
      if (isNear(exponent, k) || exponent == k) {
        own += coefficient;
        return;
      }
    terms.push_back({k, coefficient});
  }
};

} // namespace

static bool collect(Value value, double coefficient, PowerSum &sum, int depth) {
  if (depth == 0)
    return false;
  if (std::optional<double> number = scalarOf(value)) {
    sum.add(0, coefficient * *number);
    return true;
  }
  AffineValue affine = affineOf(value);
  if (affine.summand != 0)
    sum.add(0, coefficient * affine.summand);
  coefficient *= affine.factor;
  if (Value power = inputOf(affine.data, ActivationKind::Exp)) {
    AffineValue exponent = affineOf(power);
    if (sum.x && sum.x != exponent.data)
      return false;
    sum.x = exponent.data;
    sum.add(exponent.factor, coefficient * std::exp(exponent.summand));
    return true;
  }
  if (Value power = inputOf(affine.data, ActivationKind::Expm1)) {
    AffineValue exponent = affineOf(power);
    if (exponent.summand != 0 || (sum.x && sum.x != exponent.data))
      return false;
    sum.x = exponent.data;
    sum.add(exponent.factor, coefficient);
    sum.add(0, -coefficient);
    return true;
  }
  // 1 / e^x
  if (Value inverse = inputOf(affine.data, ActivationKind::Reciprocal))
    if (Value power = inputOf(inverse, ActivationKind::Exp)) {
      AffineValue exponent = affineOf(power);
      if (sum.x && sum.x != exponent.data)
        return false;
      sum.x = exponent.data;
      sum.add(-exponent.factor, coefficient * std::exp(-exponent.summand));
      return true;
    }
  for (auto [kind, sign] : {std::pair(ElementwiseKind::Add, 1.0),
                            std::pair(ElementwiseKind::Sub, -1.0)})
    if (ElementwiseOp op = binaryOf(affine.data, kind))
      return collect(op.getLhs(), coefficient, sum, depth - 1) &&
             collect(op.getRhs(), sign * coefficient, sum, depth - 1);
  return false;
}

static std::optional<PowerSum> powersOf(Value value) {
  PowerSum sum;
  if (!collect(value, 1, sum, /*depth=*/4) || !sum.x)
    return std::nullopt;
  llvm::erase_if(sum.terms, [](auto term) { return term.second == 0; });
  return sum;
}

namespace {

class Writer {
public:
  explicit Writer(func::FuncOp function) : builder(function.getContext()) {}

  Value write(Operation *op) {
    builder.setInsertionPoint(op);
    loc = op->getLoc();
    if (auto elementwise = dyn_cast<ElementwiseOp>(op)) {
      if (!elementwise.isPlain() ||
          !getElementTypeOrSelf(elementwise.getType()).isF16())
        return {};
      for (auto form : {&Writer::function, &Writer::variance})
        if (Value value = (this->*form)(elementwise))
          return value;
      return {};
    }
    if (auto activation = dyn_cast<ActivationOp>(op)) {
      switch (activation.getFunction().getKind()) {
      case ActivationKind::Log:
        if (Value x = logarithmOfRest(activation))
          return x;
        return softplus(activation);
      case ActivationKind::Log1p:
        if (Value x = inputOf(activation.getInput(), ActivationKind::Exp))
          return steps().activate(x, ActivationKind::Softplus);
        return scaledLogarithm(activation);
      case ActivationKind::Sqrt:
        if (Value x = squareRootOf(activation.getInput()))
          return steps().activate(x, ActivationKind::Abs);
        return {};
      default:
        return {};
      }
    }
    if (auto select = dyn_cast<SelectOp>(op))
      return thresholdOf(select);
    return {};
  }

  Value writeQuotient(Operation *op) {
    builder.setInsertionPoint(op);
    loc = op->getLoc();
    return quotient(op->getResult(0));
  }

private:
  Steps steps() { return Steps(builder, loc); }

  Value scaled(Value x, double factor) {
    return factor == -1 ? steps().activate(x, ActivationKind::Neg)
                        : steps().scaled(x, factor);
  }

  /// x^k that is a function.
  Value function(ElementwiseOp op) {
    auto number =
        op.getKind() == ElementwiseKind::Pow ? withNumber(op) : std::nullopt;
    if (!number || number->isNumberFirst ||
        !getElementTypeOrSelf(number->data.getType()).isF16())
      return {};
    for (auto [exponent, kind] : {std::pair(0.5, ActivationKind::Sqrt),
                                  std::pair(-0.5, ActivationKind::Rsqrt),
                                  std::pair(-1.0, ActivationKind::Reciprocal)})
      if (number->number == exponent) {
        Value root =
            kind == ActivationKind::Sqrt ? squareRootOf(number->data) : Value();
        return root ? steps().activate(root, ActivationKind::Abs)
                    : steps().activate(number->data, kind);
      }
    return {};
  }

  /// log(1 - sigmoid(x) + e), which of -x is no difference of large numbers.
  Value logarithmOfRest(ActivationOp op) {
    AffineValue rest = affineOf(op.getInput());
    Value x = inputOf(rest.data, ActivationKind::Sigmoid);
    double guard = rest.summand - 1;
    if (!x || rest.factor != -1 || !(guard >= 0 && guard < 1))
      return {};
    x = steps().activate(scaled(x, -1), ActivationKind::Sigmoid);
    if (guard > 0)
      x = steps().binary(ElementwiseKind::Add, x, guard);
    return steps().activate(x, ActivationKind::Log);
  }

  /// log(c (1 + e^(kx + b)))
  Value softplus(ActivationOp op) {
    auto sum = powersOf(op.getInput());
    if (!sum || sum->terms.size() != 2)
      return {};
    double constant = sum->of(0);
    auto power =
        llvm::find_if(sum->terms, [](auto term) { return term.first != 0; });
    if (!(constant > 0) || power == sum->terms.end() || !(power->second > 0))
      return {};
    Value x = scaled(sum->x, power->first);
    double shift = std::log(power->second / constant);
    if (shift != 0)
      x = steps().add(x, shift);
    x = steps().activate(x, ActivationKind::Softplus);
    return constant == 1 ? x : steps().add(x, std::log(constant));
  }

  /// log(1 + ax), a so large that ax leaves f16 where x is 16: with half of the
  /// bits of a, b, as log(a / b) + log(bx + b / a).
  Value scaledLogarithm(ActivationOp op) {
    constexpr double limit = 0x1p12;
    AffineValue affine = affineOf(op.getInput());
    if (affine.summand != 0 || !(affine.factor > limit) ||
        !std::isfinite(affine.factor))
      return {};
    double part = std::exp2(std::floor(std::log2(affine.factor) / 2));
    Value sum = steps().add(scaled(affine.data, part), part / affine.factor);
    return steps().add(steps().activate(sum, ActivationKind::Log),
                       std::log(affine.factor / part));
  }

  /// x above a threshold, softplus(x) below it: f16 does not tell them apart
  /// from 10 on.
  Value thresholdOf(SelectOp op) {
    constexpr double minThreshold = 8;
    auto compare = op.getCondition().getDefiningOp<CompareOp>();
    if (!compare)
      return {};
    std::optional<double> left = scalarOf(compare.getLhs());
    std::optional<double> right = scalarOf(compare.getRhs());
    bool isAbove = compare.getKind() == CompareKind::Greater ||
                   compare.getKind() == CompareKind::GreaterEqual;
    bool isBelow = compare.getKind() == CompareKind::Less ||
                   compare.getKind() == CompareKind::LessEqual;
    if ((!isAbove && !isBelow) || bool(left) == bool(right))
      return {};
    AffineValue compared =
        affineOf(right ? compare.getLhs() : compare.getRhs());
    double threshold = right ? *right : *left;
    // Whether it is the true value that is for large x.
    bool isLargeTrue = right ? isAbove : isBelow;
    Value large = isLargeTrue ? op.getTrueValue() : op.getFalseValue();
    Value small = isLargeTrue ? op.getFalseValue() : op.getTrueValue();
    AffineValue result = affineOf(small);
    Value argument = inputOf(result.data, ActivationKind::Softplus);
    if (!argument || result.summand != 0)
      return {};
    AffineValue inner = affineOf(argument), outer = affineOf(large);
    // softplus(beta x) / beta for beta x up to the threshold, x above it.
    if (inner.data != compared.data || outer.data != compared.data ||
        inner.summand != 0 || compared.summand != 0 || outer.summand != 0 ||
        !(compared.factor > 0) ||
        !isNear(result.factor * inner.factor, outer.factor) ||
        threshold / compared.factor * inner.factor < minThreshold ||
        small.getType() != op.getType())
      return {};
    return small;
  }

  /// Quotients of sums of powers of one x.
  Value quotient(Value value) {
    Value numerator, denominator;
    if (ElementwiseOp op = binaryOf(value, ElementwiseKind::Div)) {
      numerator = op.getLhs();
      denominator = op.getRhs();
    } else if (Value x = inputOf(value, ActivationKind::Reciprocal)) {
      denominator = x;
    } else if (ElementwiseOp op = binaryOf(value, ElementwiseKind::Mul)) {
      for (bool swap : {false, true})
        if (Value x = inputOf(op->getOperand(swap), ActivationKind::Reciprocal))
          if (!denominator || powersOf(x)) {
            denominator = x;
            numerator = op->getOperand(!swap);
          }
    }
    if (!denominator)
      return {};
    auto below = powersOf(denominator);
    if (!below || below->terms.size() != 2)
      return {};
    PowerSum above;
    above.x = below->x;
    if (!numerator)
      above.add(0, 1);
    else if (std::optional<double> number = scalarOf(numerator))
      above.add(0, *number);
    else if (auto sum = powersOf(numerator); sum && sum->x == below->x)
      above = *sum;
    else
      return {};
    // (a e^(kx) + b e^(lx)) / (c e^(kx) + d e^(lx)), c and d above 0.
    auto [k, c] = below->terms[0];
    auto [l, d] = below->terms[1];
    if (!(c > 0) || !(d > 0) || k == l)
      return {};
    double a = above.of(k), b = above.of(l);
    for (auto [exponent, coefficient] : above.terms)
      if (coefficient != 0 && !isNear(exponent, k) && exponent != k &&
          !isNear(exponent, l) && exponent != l)
        return {};
    // = b / d + (a / c - b / d) sigmoid((k - l) x + ln(c / d))
    double low = b / d, high = a / c;
    if (low == high || shapeOf(below->x) != shapeOf(value))
      return {};
    double slope = k - l, shift = std::log(c / d);
    // A guard next to a power is no sigmoid: its other end is far beyond f16.
    constexpr double largestShift = 7;
    if (!(std::fabs(shift) <= largestShift))
      return {};
    if (isNear(low, -high)) {
      // tanh, of half as much; of -x it is that of x, negated.
      if (slope < 0) {
        slope = -slope;
        shift = -shift;
        high = -high;
      }
      Value x = scaled(below->x, slope / 2);
      if (std::fabs(shift) > 1e-6)
        x = steps().add(x, shift / 2);
      return scaled(steps().activate(x, ActivationKind::Tanh), high);
    }
    if (low != 0 && high != 0)
      return {};
    // What falls is a sigmoid of the other side.
    if (high == 0) {
      slope = -slope;
      shift = -shift;
      high = low;
    }
    Value x = scaled(below->x, slope);
    if (std::fabs(shift) > 1e-6)
      x = steps().add(x, shift);
    return scaled(steps().activate(x, ActivationKind::Sigmoid), high);
  }

  /// mean(x^2) - mean(x)^2
  Value variance(ElementwiseOp op) {
    auto mean = meanOfVariance(op);
    Value root = mean ? squareRootOf(op.getRhs()) : Value();
    // The ranks agree where the mean keeps its dimensions.
    if (!root || shapeOf(root) != shapeOf(op.getResult()) ||
        shapeOf(root).size() != shapeOf(mean->input).size())
      return {};
    Value centred = centreAgain(centredOf(mean->input, root), mean->axes);
    builder.setInsertionPoint(op);
    Value square = steps().mul(centred, centred);
    return steps().reduce(ReduceKind::Mean, square, mean->axes);
  }

  /// x - mean, which the network may have as well, after.
  Value centredOf(Value x, Value mean) {
    for (Operation *user : x.getUsers()) {
      auto op = dyn_cast<ElementwiseOp>(user);
      if (op && op.getKind() == ElementwiseKind::Sub && op.isPlain() &&
          op.getLhs() == x && op.getRhs() == mean &&
          op->getBlock() == builder.getInsertionBlock()) {
        if (!op->isBeforeInBlock(&*builder.getInsertionPoint()))
          op->moveAfter(mean.getDefiningOp());
        return op.getResult();
      }
    }
    return steps().sub(x, mean);
  }

  /// A mean that is far from 0 has an error of its last digit, which is the
  /// mean of what is left.
  Value centreAgain(Value centred, ArrayRef<int64_t> axes) {
    Operation *first = centred.getDefiningOp();
    builder.setInsertionPointAfter(first);
    Value rest = steps().reduce(ReduceKind::Mean, centred, axes);
    Value result = steps().sub(centred, rest);
    centred.replaceUsesWithIf(result, [&](OpOperand &use) {
      return use.getOwner() != rest.getDefiningOp() &&
             use.getOwner() != result.getDefiningOp();
    });
    return result;
  }

  OpBuilder builder;
  Location loc = builder.getUnknownLoc();
};

} // namespace

int64_t mlir::ane::writeStableForms(func::FuncOp function) {
  int64_t count = 0;
  Writer writer(function);
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (isa<ElementwiseOp, ActivationOp, SelectOp>(op))
      ops.push_back(op);
  });
  auto replace = [&](Operation *op, Value value) {
    if (!value || value == op->getResult(0) ||
        value.getType() != op->getResult(0).getType())
      return;
    op->getResult(0).replaceAllUsesWith(value);
    ++count;
  };
  // A quotient before the inverse that it is a product with.
  for (Operation *op : llvm::reverse(ops))
    if (!isOpTriviallyDead(op) && !isa<SelectOp>(op))
      replace(op, writer.writeQuotient(op));
  for (Operation *op : ops)
    replace(op, writer.write(op));
  return count;
}
