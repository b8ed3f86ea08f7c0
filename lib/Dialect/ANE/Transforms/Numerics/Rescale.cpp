//===- Rescale.cpp - Values as numbers times units ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rescale.h"

#include "ane/Dialect/ANE/IR/IndexMap.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

using Scaled = Rescaler::Scaled;

bool mlir::ane::isLostGuard(double number) {
  // One that is larger f16 holds to a part in a hundred.
  constexpr double minGuard = 0x1p-21;
  number = std::fabs(number);
  return number > 0 && number < minGuard;
}

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

// Numbers divided by a unit are up to this; so many of their squares have a sum
// that f16 holds.
static constexpr double largestMantissa = 4, maxTerms = 2048;

NumberRange Rescaler::rangeOf(Value x) const {
  NumberRange range = ranges.get(x);
  auto act = x.getDefiningOp<ActivationOp>();
  if (!range.isAssumed() || !act ||
      act.getFunction().getKind() != ActivationKind::Relu)
    return range;
  range = ranges.get(act.getInput());
  range.low = std::max(range.low, 0.0);
  range.high = std::max(range.high, 0.0);
  return range;
}

unsigned Rescaler::unitOf(Value x, ArrayRef<int64_t> axes, double least) {
  SmallVector<int64_t> longAxes;
  double count = 1;
  for (int64_t axis : axes)
    if (shapeOf(x)[axis] != 1) {
      longAxes.push_back(axis);
      count *= shapeOf(x)[axis];
    }
  for (auto [i, unit] : llvm::enumerate(units))
    if (unit.source == x && unit.axes == longAxes && unit.least >= least)
      return i;
  // Both a unit and its inverse are numbers with all bits.
  double largest = count <= maxTerms ? largestMantissa : 1;
  least = std::max(least, smallestNormalHalf);
  bool hasSign = rangeOf(x).low < 0;
  Value size = hasSign ? steps().activate(x, ActivationKind::Abs) : x;
  if (!longAxes.empty())
    size = steps().reduce(ReduceKind::Max, size, longAxes);
  size = steps().scaled(size, 1 / largest);
  size = steps().max(size, least);
  Value inverse = steps().activate(size, ActivationKind::Reciprocal);
  units.push_back({x, longAxes, least, size, inverse});
  return units.size() - 1;
}

unsigned Rescaler::changed(unsigned unit,
                           llvm::function_ref<Value(Value)> change) {
  Value size = change(units[unit].size);
  for (auto [i, other] : llvm::enumerate(units))
    if (other.size == size)
      return i;
  Value inverse = change(units[unit].inverse);
  units.push_back({Value(), {}, units[unit].least, size, inverse});
  return units.size() - 1;
}

Value Rescaler::powerOfUnit(unsigned index, double degree) {
  const Unit &unit = units[index];
  Value base = degree < 0 ? unit.inverse : unit.size;
  degree = std::fabs(degree);
  if (degree == 1)
    return base;
  if (degree == 0.5)
    return steps().activate(base, ActivationKind::Sqrt);
  if (degree == 2)
    return steps().activate(base, ActivationKind::Square);
  return steps().binary(ElementwiseKind::Pow, base, degree);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static void addDegrees(Scaled &scaled, ArrayRef<std::pair<unsigned, double>> by,
                       double sign) {
  for (auto [unit, degree] : by) {
    auto *found = llvm::find_if(scaled.degrees, [&, u = unit](auto &entry) {
      return entry.first == u;
    });
    if (found == scaled.degrees.end()) {
      scaled.degrees.push_back({unit, sign * degree});
      continue;
    }
    found->second += sign * degree;
    if (std::fabs(found->second) < 1e-6)
      scaled.degrees.erase(found);
  }
  llvm::sort(scaled.degrees);
}

/// Whether `size` is 0 only where `x` is: a norm of it, in parts.
static bool isSizeOf(Value size, Value x, int depth = 16) {
  if (size == x)
    return true;
  Operation *op = size.getDefiningOp();
  if (!op || depth == 0)
    return false;
  auto isOf = [&](Value operand) { return isSizeOf(operand, x, depth - 1); };
  if (isa<ReshapeOp, TransposeOp, TileOp>(op))
    return isOf(op->getOperand(0));
  if (auto act = dyn_cast<ActivationOp>(op))
    return llvm::is_contained({ActivationKind::Abs, ActivationKind::Square,
                               ActivationKind::Sqrt},
                              act.getFunction().getKind()) &&
           isOf(act.getInput());
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return !reduce.getActivationAttr() && isOf(reduce.getInput());
  auto elementwise = dyn_cast<ElementwiseOp>(op);
  if (!elementwise || !elementwise.isPlain())
    return false;
  switch (elementwise.getKind()) {
  case ElementwiseKind::Mul:
    return isOf(elementwise.getLhs()) || isOf(elementwise.getRhs());
  case ElementwiseKind::Div:
  case ElementwiseKind::Pow:
    return isOf(elementwise.getLhs());
  default:
    return false;
  }
}

// A quotient or product of x and what its own guarded norm gives is 0 where the
// guard counts.
static void forgetGuardOfNorm(Scaled &scaled, Value x) {
  if (!scaled.raised || scaled.raised->isReached)
    return;
  Value data = scaled.raised->op->getOperand(0);
  if (auto elementwise = dyn_cast<ElementwiseOp>(scaled.raised->op))
    if (auto number = withNumber(elementwise))
      data = number->data;
  if (isSizeOf(data, x))
    scaled.raised.reset();
}

// What is 0 where the guarded value is makes up for a guard that is too large.
static bool vanishesWith(const Scaled &factor,
                         const Rescaler::RaisedGuard &raised) {
  return !raised.isReached && !factor.raised && factor.mantissa &&
         llvm::any_of(factor.degrees, [&](auto &entry) {
           return entry.second > 0 &&
                  llvm::is_contained(raised.units, entry.first);
         });
}

// What a product (or quotient) of both inherits.
static void joinLosses(Scaled &a, const Scaled &b) {
  a.mayCancel |= b.mayCancel;
  a.isHeldLow |= b.isHeldLow;
  if (a.raised && vanishesWith(b, *a.raised))
    a.raised.reset();
  else if (!a.raised && b.raised && !vanishesWith(a, *b.raised))
    a.raised = b.raised;
}

std::optional<Scaled> Rescaler::product(Scaled a, Scaled b) {
  if (!a.mantissa)
    std::swap(a, b);
  joinLosses(a, b);
  if (b.mantissa)
    a.mantissa = steps().mul(a.mantissa, b.mantissa);
  a.factor *= b.factor;
  addDegrees(a, b.degrees, 1);
  return a;
}

void Rescaler::holdDivisor(Scaled &scaled) {
  if (scaled.isHeldLow)
    scaled.mantissa = steps().max(scaled.mantissa, smallestNormalHalf);
  scaled.isHeldLow = false;
}

std::optional<Scaled> Rescaler::power(Scaled scaled, double exponent) {
  if (exponent <= -1)
    holdDivisor(scaled);
  scaled.isHeldLow &= exponent >= 1;
  bool isWhole = exponent == std::floor(exponent);
  if (scaled.factor < 0 && !isWhole)
    return std::nullopt;
  if (Value x = scaled.mantissa) {
    if (exponent == 2)
      scaled.mantissa = steps().activate(x, ActivationKind::Square);
    else if (exponent == 0.5)
      scaled.mantissa = steps().activate(x, ActivationKind::Sqrt);
    else if (exponent == -0.5)
      scaled.mantissa = steps().activate(x, ActivationKind::Rsqrt);
    else if (exponent == -1)
      scaled.mantissa = steps().activate(x, ActivationKind::Reciprocal);
    else if (exponent != 1)
      scaled.mantissa = steps().binary(ElementwiseKind::Pow, x, exponent);
  }
  scaled.factor = std::pow(scaled.factor, exponent);
  for (auto &[unit, degree] : scaled.degrees)
    degree *= exponent;
  return scaled;
}

std::optional<Scaled> Rescaler::sum(ElementwiseKind kind, Scaled a, Scaled b) {
  if (!a.mantissa || !b.mantissa || a.factor == 0 || b.factor == 0)
    return std::nullopt;
  bool isOrder = kind == ElementwiseKind::Max || kind == ElementwiseKind::Min;
  if (isOrder && (a.factor < 0 || b.factor < 0))
    return std::nullopt;
  if (a.degrees != b.degrees) {
    // Both by the larger one of two units.
    if (a.degrees.size() != 1 || b.degrees.size() != 1 ||
        a.degrees[0].second != b.degrees[0].second)
      return std::nullopt;
    double degree = a.degrees[0].second;
    if (degree < 0)
      return std::nullopt;
    unsigned first = a.degrees[0].first, second = b.degrees[0].first;
    Value size = steps().max(units[first].size, units[second].size);
    Value inverse = steps().activate(size, ActivationKind::Reciprocal);
    units.push_back({Value(), {}, smallestNormalHalf, size, inverse});
    unsigned common = units.size() - 1;
    for (Scaled *side : {&a, &b}) {
      Value share = steps().mul(units[side->degrees[0].first].size, inverse);
      if (degree == 2)
        share = steps().activate(share, ActivationKind::Square);
      else if (degree != 1)
        share = steps().binary(ElementwiseKind::Pow, share, degree);
      side->mantissa = steps().mul(side->mantissa, share);
      side->degrees[0].first = common;
    }
  }
  // The larger factor stays outside.
  bool isFirst = std::fabs(a.factor) >= std::fabs(b.factor);
  double outside = std::fabs(isFirst ? a.factor : b.factor);
  a.mantissa = steps().scaled(a.mantissa, a.factor / outside);
  b.mantissa = steps().scaled(b.mantissa, b.factor / outside);
  a.mantissa = steps().binary(kind, a.mantissa, b.mantissa);
  a.factor = outside;
  a.mayCancel |= b.mayCancel || !isOrder;
  if (!a.raised)
    a.raised = b.raised;
  return a;
}

void Rescaler::raise(Scaled &a, ElementwiseKind kind, double guard,
                     double replacement, Operation *op, Value data) {
  if (kind == ElementwiseKind::Min || guard <= 0)
    return;
  NumberRange range = ranges.get(data);
  if (range.isEmpty())
    return;
  // In units of the value: those of the data at their largest.
  double unit = a.factor;
  for (auto [index, degree] : a.degrees) {
    Value source = units[index].source;
    double most =
        source ? rangeOf(source).most() / largestMantissa : largestHalf;
    unit *= std::pow(std::clamp(degree > 0 ? most : units[index].least,
                                units[index].least, largestHalf),
                     degree);
  }
  replacement *= unit;
  // A summand matters also where the value is larger.
  double reach = kind == ElementwiseKind::Add ? 64 * replacement : replacement;
  if (replacement <= guard || range.low >= reach)
    return;
  bool isInverse = llvm::any_of(
      a.degrees, [](const auto &entry) { return entry.second < 0; });
  a.raised = RaisedGuard{
      op, guard, replacement, range.low < 0 || a.mayCancel || isInverse, {}};
  for (auto [index, degree] : a.degrees)
    a.raised->units.push_back(index);
}

std::optional<Scaled> Rescaler::guarded(ElementwiseKind kind, Scaled a,
                                        double number, Operation *op,
                                        Value data) {
  if (number == 0 && kind == ElementwiseKind::Add)
    return a;
  if (!a.mantissa || !(a.factor > 0))
    return std::nullopt;
  double total = 0;
  for (auto [unit, degree] : a.degrees)
    total += std::fabs(degree);
  double guard = number / a.factor;
  // What the mantissa of anything but 0 is above, next to which a number that
  // is far below makes no difference; a guard of 0 would be one of the guards.
  double negligible = total > 1 ? 0x1p-20 : smallestNormalHalf;
  a.isHeldLow |= total > 1 && guard > 0;
  if (a.degrees.empty()) {
    if (guard > 0 && guard < smallestHalf * 8) {
      guard = smallestHalf * 8;
      raise(a, kind, number, guard, op, data);
    }
    a.mantissa = steps().binary(kind, a.mantissa, guard);
    return a;
  }
  // Of a guard that is below that for every unit nothing is left to compute.
  if (guard > 0)
    raise(a, kind, number, negligible, op, data);
  if (guard > 0 && guard * std::exp2(14 * total) <= negligible) {
    a.mantissa = steps().binary(kind, a.mantissa, negligible);
    return a;
  }
  // Each unit takes its share of the guard, so that no step leaves f16.
  Value share;
  for (auto [unit, degree] : a.degrees) {
    double magnitude = std::fabs(degree);
    double part = std::pow(std::fabs(guard), 1 / total);
    Value one = degree > 0 ? units[unit].inverse : units[unit].size;
    one = steps().scaled(one, part);
    if (magnitude == 2)
      one = steps().activate(one, ActivationKind::Square);
    else if (magnitude != 1)
      one = steps().binary(ElementwiseKind::Pow, one, magnitude);
    share = share ? steps().mul(share, one) : one;
  }
  if (guard > 0)
    share = steps().max(share, negligible);
  else
    share = steps().activate(share, ActivationKind::Neg);
  a.mantissa = steps().binary(kind, a.mantissa, share);
  return a;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

std::optional<Scaled> Rescaler::express(Value value, ArrayRef<int64_t> axes,
                                        bool split, double minUnit) {
  // Longer formulas are no norms.
  constexpr int deepest = 24;
  if (depth >= deepest)
    return std::nullopt;
  ++depth;
  llvm::scope_exit leave([&] { --depth; });
  Key key{value.getAsOpaquePointer(), axes.vec(), split, isSquared, minUnit};
  if (auto found = known.find(key); found != known.end())
    return found->second;
  loc = value.getLoc();
  std::optional<Scaled> scaled = compute(value, axes, split, minUnit);
  // A leaf without a unit may get one later on.
  if (split || (scaled && scaled->hasUnits()))
    known[key] = scaled;
  return scaled;
}

std::optional<Scaled> Rescaler::compute(Value value, ArrayRef<int64_t> axes,
                                        bool split, double minUnit) {
  Operation *op = value.getDefiningOp();
  if (std::optional<double> number = scalarOf(value)) {
    Scaled scaled;
    scaled.factor = *number;
    if (*number != 0 && std::isfinite(*number))
      return scaled;
  }
  std::optional<Scaled> scaled;
  if (!op || !getElementTypeOrSelf(value.getType()).isF16())
    return ofLeaf(value, axes, split, minUnit);
  if (auto elementwise = dyn_cast<ElementwiseOp>(op))
    scaled = ofElementwise(elementwise, axes, split, minUnit);
  else if (auto activation = dyn_cast<ActivationOp>(op))
    scaled = ofActivation(activation, axes, split, minUnit);
  else if (auto reduce = dyn_cast<ReduceOp>(op))
    scaled = ofReduce(reduce, axes, split, minUnit);
  else if (auto reshape = dyn_cast<ReshapeOp>(op))
    scaled = ofReshape(reshape, axes, split, minUnit);
  else if (auto transpose = dyn_cast<TransposeOp>(op))
    scaled = ofTranspose(transpose, axes, split, minUnit);
  return scaled ? scaled : ofLeaf(value, axes, split, minUnit);
}

std::optional<Scaled> Rescaler::ofLeaf(Value value, ArrayRef<int64_t> axes,
                                       bool split, double minUnit) {
  Scaled scaled;
  scaled.mantissa = value;
  bool isConstant = value.getDefiningOp<ConstantOp>() != nullptr;
  if (isConstant || !getElementTypeOrSelf(value.getType()).isF16())
    return scaled;
  std::optional<unsigned> unit;
  if (split) {
    unit = unitOf(value, axes, minUnit);
  } else {
    for (auto [i, other] : llvm::enumerate(units))
      if (other.source == value)
        unit = i;
    if (!unit)
      return scaled;
  }
  scaled.mantissa = steps().mul(value, units[*unit].inverse);
  scaled.degrees = {{*unit, 1}};
  return scaled;
}

// Units that a guard of `number` does not make too large to be written down.
double Rescaler::minUnitFor(double number, double minUnit) const {
  number = std::fabs(number);
  return std::max({minUnit, std::sqrt(number) * 0x1p-7,
                   number * (isSquared ? 0x1p-7 : 0x1p-14)});
}

std::optional<Scaled> Rescaler::besideGuard(Value data, double guard,
                                            ArrayRef<int64_t> axes, bool split,
                                            double minUnit) {
  split |= isLostGuard(guard);
  auto a = express(data, axes, split, minUnitFor(guard, minUnit));
  // A factor in front of the units makes the guard of what they scale larger.
  if (a && a->factor > 0 && a->factor < 1)
    a = express(data, axes, split, minUnitFor(guard / a->factor, minUnit));
  return a;
}

std::optional<Scaled> Rescaler::square(Value root, ArrayRef<int64_t> axes,
                                       double minUnit) {
  llvm::SaveAndRestore squared(isSquared, true);
  auto x = express(root, axes, /*split=*/true, minUnit);
  return x ? power(*x, 2) : std::nullopt;
}

// The guard stands for everything below it, so a large negative number must not
// make the unit, in which nothing would be left of the guard.
std::optional<Scaled> Rescaler::aboveGuard(Value data, double guard,
                                           ArrayRef<int64_t> axes, bool split,
                                           double minUnit) {
  auto a = besideGuard(data, guard, axes, split, minUnit);
  minUnit = minUnitFor(guard, minUnit);
  bool isOwnUnit = a && a->degrees.size() == 1 &&
                   units[a->degrees.front().first].source == data;
  if (!isOwnUnit || guard <= 0 || ranges.get(data).low >= 0)
    return a;
  return ofLeaf(steps().activate(data, ActivationKind::Relu), axes,
                /*split=*/true, minUnit);
}

std::optional<Scaled> Rescaler::ofElementwise(ElementwiseOp op,
                                              ArrayRef<int64_t> axes,
                                              bool split, double minUnit) {
  if (!op.isPlain())
    return std::nullopt;
  if (Value root = squareRootOf(op.getResult()))
    return square(root, axes, minUnit);
  auto number = withNumber(op);
  switch (op.getKind()) {
  case ElementwiseKind::Mul: {
    if (number && number->number == 0)
      return std::nullopt;
    bool areBothData = !number && !op.getLhs().getDefiningOp<ConstantOp>() &&
                       !op.getRhs().getDefiningOp<ConstantOp>();
    bool leavesHalf = !ranges.get(op.getResult()).fitsHalf();
    split |= areBothData && leavesHalf && !axes.empty();
    auto a = express(op.getLhs(), axes, split, minUnit);
    auto b = a ? express(op.getRhs(), axes, split, minUnit) : std::nullopt;
    auto result = b ? product(*a, *b) : std::nullopt;
    if (result)
      for (Value operand : op->getOperands())
        forgetGuardOfNorm(*result, operand);
    return result;
  }
  case ElementwiseKind::Div: {
    // What is divided by decides about units.
    auto b = express(op.getRhs(), axes, split, minUnit);
    auto a = b ? express(op.getLhs(), axes, split, minUnit) : std::nullopt;
    if (!a)
      return std::nullopt;
    if (!a->mantissa || !b->mantissa) {
      auto inverse = power(*b, -1);
      return inverse ? product(*a, *inverse) : std::nullopt;
    }
    holdDivisor(*b);
    joinLosses(*a, *b);
    forgetGuardOfNorm(*a, op.getLhs());
    a->mantissa =
        steps().binary(ElementwiseKind::Div, a->mantissa, b->mantissa);
    a->factor /= b->factor;
    addDegrees(*a, b->degrees, -1);
    return a;
  }
  case ElementwiseKind::Pow: {
    if (!number || number->isNumberFirst || number->number == 0)
      return std::nullopt;
    bool grows = number->number > 1;
    auto a = express(number->data, axes, split || grows, minUnit);
    return a ? power(*a, number->number) : std::nullopt;
  }
  case ElementwiseKind::Add:
  case ElementwiseKind::Sub: {
    if (number) {
      double sign = op.getKind() == ElementwiseKind::Sub ? -1 : 1;
      if (number->isNumberFirst && sign < 0)
        return std::nullopt;
      auto a = besideGuard(number->data, number->number, axes, split, minUnit);
      return a ? guarded(ElementwiseKind::Add, *a, sign * number->number, op,
                         number->data)
               : std::nullopt;
    }
    // The digits of a difference are those of what it is between, which a unit
    // of each would round.
    if (!leavesHalf(op.getLhs()) && !leavesHalf(op.getRhs()))
      return std::nullopt;
    auto a = express(op.getLhs(), axes, split, minUnit);
    auto b = a ? express(op.getRhs(), axes, split, minUnit) : std::nullopt;
    if (!b || (!a->hasUnits() && !b->hasUnits()))
      return std::nullopt;
    return sum(op.getKind(), *a, *b);
  }
  case ElementwiseKind::Max:
  case ElementwiseKind::Min: {
    if (!number) {
      if (!leavesHalf(op.getLhs()) && !leavesHalf(op.getRhs()))
        return std::nullopt;
      auto a = express(op.getLhs(), axes, split, minUnit);
      auto b = a ? express(op.getRhs(), axes, split, minUnit) : std::nullopt;
      if (!b || (!a->hasUnits() && !b->hasUnits()))
        return std::nullopt;
      return sum(op.getKind(), *a, *b);
    }
    if (number->number < 0)
      return std::nullopt;
    auto a = aboveGuard(number->data, number->number, axes, split, minUnit);
    if (a && number->number == 0 && a->mantissa && a->factor > 0) {
      if (op.getKind() != ElementwiseKind::Max)
        return std::nullopt;
      a->mantissa = steps().activate(a->mantissa, ActivationKind::Relu);
      return a;
    }
    return a ? guarded(op.getKind(), *a, number->number, op, number->data)
             : std::nullopt;
  }
  }
  llvm_unreachable("all kinds are handled");
}

std::optional<Scaled> Rescaler::ofActivation(ActivationOp op,
                                             ArrayRef<int64_t> axes, bool split,
                                             double minUnit) {
  ActivationAttr function = op.getFunction();
  auto input = [&](double guard = 0) {
    return besideGuard(op.getInput(), guard, axes, split, minUnit);
  };
  switch (function.getKind()) {
  case ActivationKind::Square:
    return square(op.getInput(), axes, minUnit);
  case ActivationKind::Sqrt: {
    auto x = input();
    return x ? power(*x, 0.5) : std::nullopt;
  }
  case ActivationKind::Rsqrt: {
    auto x = input(function.getAlpha());
    if (x && function.getAlpha() != 0)
      x = guarded(ElementwiseKind::Add, *x, function.getAlpha(), op,
                  op.getInput());
    return x ? power(*x, -0.5) : std::nullopt;
  }
  case ActivationKind::Reciprocal: {
    auto x = input();
    return x ? power(*x, -1) : std::nullopt;
  }
  case ActivationKind::Abs:
  case ActivationKind::Relu:
  case ActivationKind::Neg: {
    auto x = input();
    if (!x || !x->mantissa || x->factor < 0)
      return std::nullopt;
    if (x->hasUnits())
      x->mantissa = steps().activate(x->mantissa, function.getKind());
    else
      return std::nullopt;
    return x;
  }
  case ActivationKind::Clamp: {
    // max(x, guard) with an upper bound that is none.
    if (!(function.getAlpha() > 0) || function.getBeta() < largestHalf)
      return std::nullopt;
    auto x =
        aboveGuard(op.getInput(), function.getAlpha(), axes, split, minUnit);
    return x ? guarded(ElementwiseKind::Max, *x, function.getAlpha(), op,
                       op.getInput())
             : std::nullopt;
  }
  case ActivationKind::Floor:
  case ActivationKind::Ceil:
  case ActivationKind::Round: {
    auto x = input();
    return x ? whole(function.getKind(), *x) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

// From 2048 on all halves are whole numbers: floor(k x) is floor(k c), with c
// what is left of x within 2048 / k, and k (x - c), of which nothing is
// rounded.
std::optional<Scaled> Rescaler::whole(ActivationKind kind, const Scaled &x) {
  constexpr double firstWhole = 2048;
  if (!x.mantissa || x.hasUnits() || std::fabs(x.factor) <= 1)
    return std::nullopt;
  double bound = firstWhole / std::fabs(x.factor);
  Value near =
      steps().activate(x.mantissa, ActivationKind::Clamp, -bound, bound);
  Value far = steps().sub(x.mantissa, near);
  Value count = steps().activate(steps().scaled(near, x.factor), kind);
  Scaled part, rest = x;
  part.mantissa = count;
  rest.mantissa = far;
  return sum(ElementwiseKind::Add, part, rest);
}

std::optional<Scaled> Rescaler::ofReduce(ReduceOp op, ArrayRef<int64_t> axes,
                                         bool split, double minUnit) {
  if (op.getActivationAttr())
    return std::nullopt;
  SmallVector<int64_t> all(axes);
  double count = 1;
  for (int64_t axis : op.getAxes()) {
    if (!llvm::is_contained(all, axis))
      all.push_back(axis);
    count *= shapeOf(op.getInput())[axis];
  }
  llvm::sort(all);
  ReduceKind kind = op.getKind();
  bool isSquare =
      kind == ReduceKind::SumSquare || kind == ReduceKind::MeanSquare;
  auto x = express(op.getInput(), all, split || isSquare, minUnit);
  if (!x || !x->mantissa)
    return std::nullopt;
  if (isSquare)
    x = power(*x, 2);
  if ((kind == ReduceKind::Max || kind == ReduceKind::Min) && x->factor < 0)
    return std::nullopt;
  if (!x->hasUnits())
    return std::nullopt;
  bool isMean = kind == ReduceKind::Mean || kind == ReduceKind::MeanSquare;
  if (isSquare)
    kind = isMean ? ReduceKind::Mean : ReduceKind::Sum;
  // Of very many even small numbers have a sum beyond f16.
  if (kind == ReduceKind::Sum && count > largestHalf / 2) {
    kind = ReduceKind::Mean;
    x->factor *= count;
  }
  x->mayCancel |= (kind == ReduceKind::Sum || kind == ReduceKind::Mean) &&
                  !isSquare && ranges.get(op.getInput()).low < 0;
  x->mantissa = steps().reduce(kind, x->mantissa, op.getAxes());
  return x;
}

std::optional<Scaled> Rescaler::ofReshape(ReshapeOp op, ArrayRef<int64_t> axes,
                                          bool split, double minUnit) {
  ArrayRef<int64_t> from = shapeOf(op.getInput()), to = shapeOf(op.getResult());
  auto places = matchDims(from, to);
  if (!places)
    return std::nullopt;
  SmallVector<int64_t> inner;
  for (auto [dim, place] : llvm::enumerate(*places))
    if (place >= 0 && llvm::is_contained(axes, place))
      inner.push_back(dim);
  auto x = express(op.getInput(), inner, split, minUnit);
  if (!x || !x->mantissa || !x->hasUnits())
    return std::nullopt;
  x->mantissa = steps().reshape(x->mantissa, to);
  for (auto &[unit, degree] : x->degrees) {
    SmallVector<int64_t> shape(to.size(), 1);
    for (auto [dim, place] : llvm::enumerate(*places))
      if (place >= 0)
        shape[place] = shapeOf(units[unit].size)[dim];
    unit = changed(unit,
                   [&](Value value) { return steps().reshape(value, shape); });
  }
  llvm::sort(x->degrees);
  return x;
}

std::optional<Scaled> Rescaler::ofTranspose(TransposeOp op,
                                            ArrayRef<int64_t> axes, bool split,
                                            double minUnit) {
  SmallVector<int64_t> inner;
  for (int64_t axis : axes)
    inner.push_back(op.getPerm()[axis]);
  llvm::sort(inner);
  auto x = express(op.getInput(), inner, split, minUnit);
  if (!x || !x->mantissa || !x->hasUnits())
    return std::nullopt;
  x->mantissa = steps().transpose(x->mantissa, op.getPerm());
  for (auto &[unit, degree] : x->degrees)
    unit = changed(unit, [&](Value value) {
      return steps().transpose(value, op.getPerm());
    });
  llvm::sort(x->degrees);
  return x;
}

Value Rescaler::materialize(const Scaled &scaled, Value like) {
  loc = like.getLoc();
  Value value = scaled.mantissa;
  if (!value)
    return {};
  // k and 1 / k, each of them in f32.
  double factor = scaled.factor;
  if (std::fabs(factor - 1) < 0x1p-22)
    factor = 1;
  if (std::fabs(factor) < 1)
    value = steps().scaled(value, factor);
  // Units first that make it smaller.
  SmallVector<std::pair<unsigned, double>, 2> degrees(scaled.degrees);
  llvm::sort(degrees, [](auto &a, auto &b) { return a.second < b.second; });
  for (auto [unit, degree] : degrees) {
    double magnitude = std::fabs(degree);
    if (magnitude > 1 && magnitude == std::floor(magnitude) && magnitude <= 4) {
      for (int i = 0; i < magnitude; ++i)
        value = steps().mul(value, powerOfUnit(unit, degree > 0 ? 1 : -1));
      continue;
    }
    value = steps().mul(value, powerOfUnit(unit, degree));
  }
  if (std::fabs(factor) >= 1)
    value = steps().scaled(value, factor);
  return shapeOf(value) == shapeOf(like) ? value : Value();
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

// ln(e^a + e^b) of logarithms that may be -inf: the larger one and what the
// other one adds.
static Value logarithmOfSum(Steps steps, Value a, Value b) {
  Value larger = steps.max(a, b);
  Value distance = steps.activate(steps.sub(a, b), ActivationKind::Abs);
  Value rest = steps.activate(steps.activate(distance, ActivationKind::Neg),
                              ActivationKind::Softplus);
  return steps.add(larger, rest);
}

Value Rescaler::logarithm(Value value) {
  constexpr int deepest = 24;
  if (depth >= deepest)
    return {};
  ++depth;
  llvm::scope_exit leave([&] { --depth; });
  loc = value.getLoc();
  auto logOf = [&](Value x) {
    Value log = logarithm(x);
    loc = value.getLoc();
    return log ? log : steps().activate(x, ActivationKind::Log);
  };
  auto logOfSize = [&](Value x) {
    return logOf(
        ranges.get(x).low >= 0 ? x : steps().activate(x, ActivationKind::Abs));
  };
  if (Value root = squareRootOf(value))
    return steps().scaled(logOfSize(root), 2);
  Operation *op = value.getDefiningOp();
  if (auto act = dyn_cast_or_null<ActivationOp>(op)) {
    switch (act.getFunction().getKind()) {
    case ActivationKind::Exp:
      return act.getInput();
    case ActivationKind::Sigmoid: // 1 / (1 + e^-x)
      return steps().activate(
          steps().activate(
              steps().activate(act.getInput(), ActivationKind::Neg),
              ActivationKind::Softplus),
          ActivationKind::Neg);
    case ActivationKind::Sqrt:
      return steps().scaled(logOf(act.getInput()), 0.5);
    case ActivationKind::Rsqrt:
      if (act.getFunction().getAlpha() != 0)
        return {};
      return steps().scaled(logOf(act.getInput()), -0.5);
    case ActivationKind::Reciprocal:
      return steps().scaled(logOf(act.getInput()), -1);
    case ActivationKind::Clamp:
      if (act.getFunction().getAlpha() > 0 &&
          act.getFunction().getBeta() >= largestHalf)
        return steps().max(logOf(act.getInput()),
                           std::log(act.getFunction().getAlpha()));
      return {};
    default:
      return {};
    }
  }
  if (auto binary = dyn_cast_or_null<ElementwiseOp>(op)) {
    if (!binary.isPlain())
      return {};
    auto number = withNumber(binary);
    switch (binary.getKind()) {
    case ElementwiseKind::Mul:
      if (number && number->number > 0)
        return steps().add(logOf(number->data), std::log(number->number));
      return {};
    case ElementwiseKind::Div:
      if (number && number->number > 0 && !number->isNumberFirst)
        return steps().sub(logOf(number->data), std::log(number->number));
      return {};
    case ElementwiseKind::Pow:
      if (number && !number->isNumberFirst && ranges.get(number->data).low >= 0)
        return steps().scaled(logOf(number->data), number->number);
      return {};
    case ElementwiseKind::Max:
    case ElementwiseKind::Min:
      if (number && number->number > 0)
        return steps().binary(binary.getKind(), logOf(number->data),
                              std::log(number->number));
      return {};
    case ElementwiseKind::Add: {
      if (number && number->number > 0 && ranges.get(number->data).low >= 0) {
        Value data = logOf(number->data);
        return logarithmOfSum(steps(), data,
                              steps().number(std::log(number->number), data));
      }
      if (!number && ranges.get(binary.getLhs()).low >= 0 &&
          ranges.get(binary.getRhs()).low >= 0) {
        Value a = logOf(binary.getLhs());
        return logarithmOfSum(steps(), a, logOf(binary.getRhs()));
      }
      return {};
    }
    case ElementwiseKind::Sub:
      return {};
    }
  }
  if (auto reshape = dyn_cast_or_null<ReshapeOp>(op)) {
    Value log = logarithm(reshape.getInput());
    return log ? steps().reshape(log, shapeOf(value)) : Value();
  }
  if (auto transpose = dyn_cast_or_null<TransposeOp>(op)) {
    Value log = logarithm(transpose.getInput());
    return log ? steps().transpose(log, transpose.getPerm()) : Value();
  }
  auto reduce = dyn_cast_or_null<ReduceOp>(op);
  if (!reduce || reduce.getActivationAttr())
    return {};
  ReduceKind kind = reduce.getKind();
  // ln(sum(e^x)), around the largest x.
  auto powers = reduce.getInput().getDefiningOp<ActivationOp>();
  if (powers && powers.getFunction().getKind() == ActivationKind::Exp &&
      (kind == ReduceKind::Sum || kind == ReduceKind::Mean)) {
    Value x = powers.getInput();
    if (ranges.get(x).high <= 0 && !ranges.get(x).isAssumed())
      return {};
    Value most = steps().reduce(ReduceKind::Max, x, reduce.getAxes());
    Value below = steps().sub(x, most);
    Value sum = steps().reduce(
        kind, steps().activate(below, ActivationKind::Exp), reduce.getAxes());
    return steps().add(steps().activate(sum, ActivationKind::Log), most);
  }
  auto scaled = express(value, {}, /*split=*/true);
  if (!scaled || !scaled->mantissa || !(scaled->factor > 0))
    return {};
  loc = value.getLoc();
  Value log = steps().activate(scaled->mantissa, ActivationKind::Log);
  for (auto [unit, degree] : scaled->degrees)
    log = steps().add(log, steps().scaled(steps().activate(units[unit].size,
                                                           ActivationKind::Log),
                                          degree));
  if (scaled->factor != 1)
    log = steps().add(log, std::log(scaled->factor));
  return shapeOf(log) == shapeOf(value) ? log : Value();
}
