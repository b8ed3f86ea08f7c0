//===- KeepInRange.cpp - Intermediate results that f16 holds --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A network brings back what it has let grow: by a root, a quotient, a
// logarithm. Where the argument of one of these leaves f16 (squares of numbers
// nobody knows, a product that is known to), or has a guard that f16 rounds to
// 0, everything from what grows to where it is back is written in units
// (Rescale.h). Where nothing comes back, nothing is done: the result itself is
// beyond f16.
//
//===----------------------------------------------------------------------===//

#include "Rescale.h"
#include "StableForms.h"

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/Numerics/FunctionForms.h"
#include "ane/Dialect/ANE/Transforms/Numerics/Passes.h"
#include "ane/Dialect/ANE/Utils/NumericWarning.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <map>

namespace mlir::ane {
#define GEN_PASS_DEF_ANEKEEPINRANGE
#include "ane/Dialect/ANE/Transforms/Numerics/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// What has to change
//===----------------------------------------------------------------------===//

namespace {

/// Whether a value that a root, quotient or logarithm brings back is one that
/// f16 does not hold, or has a guard that it does not.
class Trouble {
public:
  explicit Trouble(const RangeAnalysis &ranges) : ranges(ranges) {}

  bool isIn(Value value, int depth = 16) const {
    Operation *op = value.getDefiningOp();
    if (!op || depth == 0 || scalarOf(value))
      return false;
    auto rest = [&](Value value) { return isIn(value, depth - 1); };
    if (Value root = squareRootOf(value))
      return !holdsSquares(ranges.get(value)) || rest(root);
    // What is known to be too large or small is, however it came about.
    NumberRange range = ranges.get(value);
    bool isSmall = range.most() > 0 && range.most() < smallestNormalHalf;
    bool leaves = (!range.fitsHalf() || isSmall) && !range.isAssumed();
    if (auto elementwise = dyn_cast<ElementwiseOp>(op)) {
      auto number = withNumber(elementwise);
      switch (elementwise.getKind()) {
      case ElementwiseKind::Mul:
        if (number)
          return leaves || rest(number->data);
        return !range.fitsHalf() || rest(elementwise.getLhs()) ||
               rest(elementwise.getRhs());
      case ElementwiseKind::Add:
      case ElementwiseKind::Sub:
      case ElementwiseKind::Max:
        if (number)
          return leaves || isLostGuard(number->number) ||
                 std::fabs(number->number) > largestHalf || rest(number->data);
        [[fallthrough]];
      case ElementwiseKind::Min:
        if (number)
          return rest(number->data);
        return leaves || rest(elementwise.getLhs()) ||
               rest(elementwise.getRhs());
      case ElementwiseKind::Pow:
        if (number && number->number > 1)
          return !range.fitsHalf() || rest(elementwise.getLhs());
        return false;
      case ElementwiseKind::Div:
        return rest(elementwise.getLhs());
      }
    }
    if (auto act = dyn_cast<ActivationOp>(op)) {
      ActivationAttr function = act.getFunction();
      switch (function.getKind()) {
      case ActivationKind::Abs:
      case ActivationKind::Relu:
      case ActivationKind::Neg:
        return rest(act.getInput());
      case ActivationKind::Clamp:
        return isLostGuard(function.getAlpha()) &&
               function.getBeta() >= largestHalf;
      case ActivationKind::Floor:
      case ActivationKind::Ceil:
      case ActivationKind::Round:
        return isScaledUp(act.getInput());
      default:
        return false;
      }
    }
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      bool isSquare = reduce.getKind() == ReduceKind::SumSquare ||
                      reduce.getKind() == ReduceKind::MeanSquare;
      return leaves || (isSquare && !holdsSquares(range)) ||
             rest(reduce.getInput());
    }
    if (isa<ReshapeOp, TransposeOp, TileOp>(op))
      return rest(op->getOperand(0));
    return false;
  }

  /// The op whose guard f16 loses and that no form keeps, where values may be
  /// so small that it matters; null if there is none.
  Operation *findLostGuard(Value value, int depth = 16) const {
    Operation *op = value.getDefiningOp();
    if (!op || depth == 0)
      return nullptr;
    if (auto elementwise = dyn_cast<ElementwiseOp>(op)) {
      auto number = withNumber(elementwise);
      bool isGuard = elementwise.getKind() == ElementwiseKind::Add ||
                     elementwise.getKind() == ElementwiseKind::Max;
      if (isGuard && number && number->number > 0 &&
          isLostGuard(number->number)) {
        NumberRange range = ranges.get(number->data);
        return range.low < smallestNormalHalf ? op : nullptr;
      }
    } else if (!isa<ActivationOp, ReduceOp, ReshapeOp, TransposeOp, TileOp>(
                   op)) {
      return nullptr;
    }
    for (Value operand : op->getOperands())
      if (Operation *lost = findLostGuard(operand, depth - 1))
        return lost;
    return nullptr;
  }

  /// The op with which values that nobody knows the size of leave f16, although
  /// what is computed of them may fit; null if there is none. Sums are no such
  /// op: nearly all of them fit.
  Operation *findUnknown(Value value, int depth = 16) const {
    Operation *op = value.getDefiningOp();
    if (!op || depth == 0 || op->getNumResults() != 1)
      return nullptr;
    Operation *found = ranges.get(value).isAssumed() ? op : nullptr;
    auto rest = [&](Value value) { return findUnknown(value, depth - 1); };
    auto unless = [&](bool leaves, Value value) {
      return leaves ? found : rest(value);
    };
    constexpr double large = 2048; // Where nobody knows x, it may be 32.
    if (auto act = dyn_cast<ActivationOp>(op)) {
      switch (act.getFunction().getKind()) {
      case ActivationKind::Square:
      case ActivationKind::Reciprocal:
        return found;
      case ActivationKind::Abs:
      case ActivationKind::Relu:
      case ActivationKind::Neg:
      case ActivationKind::Tanh:
        return rest(act.getInput());
      default:
        return nullptr;
      }
    }
    if (isa<ReshapeOp, TransposeOp, TileOp, ReduceOp>(op))
      return rest(op->getOperand(0));
    auto elementwise = dyn_cast<ElementwiseOp>(op);
    if (!elementwise || !elementwise.isPlain())
      return nullptr;
    auto number = withNumber(elementwise);
    const double factor = number ? std::fabs(number->number) : 0;
    // Powers of two are what the compiler itself scales with.
    int exponent;
    const bool isFar = std::frexp(factor, &exponent) != 0.5 &&
                       (factor >= large || factor * large <= 1);
    switch (elementwise.getKind()) {
    case ElementwiseKind::Mul:
      return number ? unless(isFar, number->data) : found;
    case ElementwiseKind::Div:
      // A quotient of data is mostly one of norms.
      return number && !number->isNumberFirst ? unless(isFar, number->data)
                                              : nullptr;
    case ElementwiseKind::Pow:
      return unless(!number || factor > 1, elementwise.getLhs());
    default:
      if (number)
        return rest(number->data);
      if (Operation *left = rest(elementwise.getLhs()))
        return left;
      return rest(elementwise.getRhs());
    }
  }

  /// Of what a logarithm is taken, also: of a power, which leaves f16 for what
  /// is no large number at all.
  bool isInLogarithm(Value value, int depth = 16) const {
    if (depth == 0)
      return false;
    Operation *op = value.getDefiningOp();
    if (auto act = dyn_cast_or_null<ActivationOp>(op)) {
      ActivationKind kind = act.getFunction().getKind();
      if (kind == ActivationKind::Sigmoid)
        return true;
      if (kind == ActivationKind::Exp) {
        // Of what is at most 0 and has been summed nothing is lost that counts.
        NumberRange range = ranges.get(value);
        return range.isAssumed() ? !(range.high <= 1) : !range.fitsHalf();
      }
    }
    if (isIn(value))
      return true;
    auto act = dyn_cast_or_null<ActivationOp>(op);
    bool isRoot =
        act && llvm::is_contained({ActivationKind::Sqrt, ActivationKind::Rsqrt,
                                   ActivationKind::Reciprocal},
                                  act.getFunction().getKind());
    if (isRoot ||
        isa_and_present<ElementwiseOp, ReduceOp, ReshapeOp, TransposeOp>(op))
      return llvm::any_of(op->getOperands(), [&](Value operand) {
        return isInLogarithm(operand, depth - 1);
      });
    return false;
  }

private:
  // Whole multiples of a step: x / step, of which the whole part is taken.
  // Where nobody knows x, it may be 32.
  bool isScaledUp(Value value) const {
    constexpr double steps = 2048;
    auto product = value.getDefiningOp<ElementwiseOp>();
    auto number = product && product.isPlain()
                      ? withNumber(product)
                      : decltype(withNumber(product))();
    if (!number ||
        (number->isNumberFirst && product.getKind() == ElementwiseKind::Div))
      return false;
    NumberRange range = ranges.get(value);
    double factor = std::fabs(number->number);
    if (product.getKind() == ElementwiseKind::Div)
      factor = 1 / factor;
    else if (product.getKind() != ElementwiseKind::Mul)
      return false;
    return !range.fitsHalf() && (!range.isAssumed() || factor >= steps);
  }

  // Also of numbers that are known to be small: their squares lose digits.
  static bool holdsSquares(const NumberRange &squares) {
    return squares.fitsHalf() && squares.most() >= 0x1p-8;
  }

  const RangeAnalysis &ranges;
};

/// What a root, an inverse or a logarithm is of.
struct Return {
  Value argument;
  bool isLogarithm = false;
};

} // namespace

static bool isRounding(Value value) {
  auto act = value.getDefiningOp<ActivationOp>();
  return act && llvm::is_contained({ActivationKind::Floor, ActivationKind::Ceil,
                                    ActivationKind::Round},
                                   act.getFunction().getKind());
}

static std::optional<Return> returnOf(Operation *op) {
  if (auto act = dyn_cast<ActivationOp>(op)) {
    switch (act.getFunction().getKind()) {
    case ActivationKind::Sqrt:
    case ActivationKind::Rsqrt:
    case ActivationKind::Reciprocal:
      return Return{act.getInput()};
    case ActivationKind::Log:
      return Return{act.getInput(), true};
    default:
      return std::nullopt;
    }
  }
  auto elementwise = dyn_cast<ElementwiseOp>(op);
  if (!elementwise || !elementwise.isPlain())
    return std::nullopt;
  auto number = withNumber(elementwise);
  if (elementwise.getKind() == ElementwiseKind::Div &&
      !(number && !number->isNumberFirst))
    return Return{elementwise.getRhs()};
  if (elementwise.getKind() == ElementwiseKind::Pow && number &&
      !number->isNumberFirst && number->number < 1)
    return Return{number->data};
  // Steps of a number are counted, and become the number again.
  bool isBack = number && !number->isNumberFirst &&
                ((elementwise.getKind() == ElementwiseKind::Mul &&
                  std::fabs(number->number) < 1) ||
                 (elementwise.getKind() == ElementwiseKind::Div &&
                  std::fabs(number->number) > 1));
  if (isBack && isRounding(number->data))
    return Return{number->data};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Roots of squares that the engine adds up without rounding
//===----------------------------------------------------------------------===//

namespace {

/// factor * (sum or mean of squares) + guard, of one reduction.
struct SumOfSquares {
  Value reduction;
  double factor = 1, guard = 0;
};

} // namespace

static std::optional<SumOfSquares> sumOfSquaresOf(Value value) {
  SumOfSquares sum{value};
  while (auto op = sum.reduction.getDefiningOp<ElementwiseOp>()) {
    auto number = op.isPlain() ? withNumber(op) : std::nullopt;
    if (!number || number->isNumberFirst)
      if (!number || (op.getKind() != ElementwiseKind::Add &&
                      op.getKind() != ElementwiseKind::Mul))
        return std::nullopt;
    if (op.getKind() == ElementwiseKind::Add && number->number >= 0)
      sum.guard += sum.factor * number->number;
    else if (op.getKind() == ElementwiseKind::Mul && number->number > 0)
      sum.factor *= number->number;
    else if (op.getKind() == ElementwiseKind::Div && number->number > 0)
      sum.factor /= number->number;
    else
      return std::nullopt;
    sum.reduction = number->data;
  }
  auto reduce = sum.reduction.getDefiningOp<ReduceOp>();
  if (!reduce || reduce.getActivationAttr())
    return std::nullopt;
  bool isSquare = reduce.getKind() == ReduceKind::SumSquare ||
                  reduce.getKind() == ReduceKind::MeanSquare;
  bool isSum = reduce.getKind() == ReduceKind::Sum ||
               reduce.getKind() == ReduceKind::Mean;
  if (!isSquare && !(isSum && squareRootOf(reduce.getInput())))
    return std::nullopt;
  return sum;
}

/// The engine takes the root of a sum before it rounds it. What stands between
/// both (a factor, a guard) goes after, or into the guard of the root. Null
/// for one that ane-fuse puts together as it is; nothing for other roots.
static std::optional<Value> rootOfSum(Steps steps, ActivationOp op) {
  ActivationKind kind = op.getFunction().getKind();
  if (kind != ActivationKind::Sqrt && kind != ActivationKind::Rsqrt)
    return std::nullopt;
  auto sum = sumOfSquaresOf(op.getInput());
  if (!sum)
    return std::nullopt;
  double guard = (sum->guard + op.getFunction().getAlpha()) / sum->factor;
  if (guard > largestHalf)
    return std::nullopt;
  bool isRoot = kind == ActivationKind::Sqrt;
  double factor = isRoot ? std::sqrt(sum->factor) : 1 / std::sqrt(sum->factor);
  if (sum->factor == 1 && !isLostGuard(guard))
    return Value();
  if (guard == 0)
    return steps.scaled(steps.activate(sum->reduction, kind), factor);
  if (!isLostGuard(guard)) {
    Value root = steps.activate(sum->reduction, ActivationKind::Rsqrt, guard);
    if (isRoot)
      root = steps.activate(root, ActivationKind::Reciprocal);
    return steps.scaled(root, factor);
  }
  // r = 1 / sqrt(sum), made finite: 1 / sqrt(sum + e) = r / sqrt(1 + e r^2)
  Value root = steps.binary(
      ElementwiseKind::Min,
      steps.activate(sum->reduction, ActivationKind::Rsqrt), largestHalf);
  constexpr double negligible = 0x1p-6;
  double share = std::sqrt(guard);
  if (std::pow(largestHalf * share, 2) > negligible) {
    Value square =
        steps.activate(steps.scaled(root, share), ActivationKind::Square);
    root = steps.mul(root, steps.activate(square, ActivationKind::Rsqrt, 1));
  }
  if (isRoot)
    root = steps.activate(root, ActivationKind::Reciprocal);
  return steps.scaled(root, factor);
}

//===----------------------------------------------------------------------===//
// Quotients by numbers that have no inverse in f16
//===----------------------------------------------------------------------===//

namespace {
struct Quotient {
  Value numerator, denominator;
};
} // namespace

/// x / y, or x * (1 / y) of which nobody else uses the inverse, of data.
static std::optional<Quotient> quotientOf(Operation *op) {
  auto binary = dyn_cast<ElementwiseOp>(op);
  if (!binary || !binary.isPlain() || withNumber(binary) ||
      !getElementTypeOrSelf(binary.getType()).isF16())
    return std::nullopt;
  auto isData = [](Value value) {
    return !value.getDefiningOp<ConstantOp>() && !scalarOf(value);
  };
  if (binary.getKind() == ElementwiseKind::Div && isData(binary.getRhs()))
    return Quotient{binary.getLhs(), binary.getRhs()};
  if (binary.getKind() != ElementwiseKind::Mul)
    return std::nullopt;
  for (unsigned place : {1, 0}) {
    auto inverse = binary->getOperand(place).getDefiningOp<ActivationOp>();
    if (inverse && inverse->hasOneUse() &&
        inverse.getFunction().getKind() == ActivationKind::Reciprocal &&
        isData(inverse.getInput()))
      return Quotient{binary->getOperand(!place), inverse.getInput()};
  }
  return std::nullopt;
}

/// The engine multiplies with an inverse, which f16 does not hold of numbers
/// below 2^-16. These are scaled up, and so is the result.
static Value quotientBySmall(Steps steps, const Quotient &quotient,
                             bool isNeverNegative) {
  constexpr double small = 0x1p-8, scale = 0x1p+12;
  Value y = quotient.denominator;
  Value size = isNeverNegative ? y : steps.activate(y, ActivationKind::Abs);
  Value factor = steps.activate(steps.sub(size, small),
                                ActivationKind::WhereNegative, scale, 1);
  Value inverse =
      steps.activate(steps.mul(y, factor), ActivationKind::Reciprocal);
  return steps.mul(steps.mul(quotient.numerator, inverse), factor);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

class FunctionKeeper {
public:
  FunctionKeeper(func::FuncOp function, bool sumsAreWide, bool dividesBySmall)
      : function(function), sumsAreWide(sumsAreWide),
        dividesBySmall(dividesBySmall), goal(getAccuracyGoal(function)),
        builder(function.getContext()) {}

  int64_t run() {
    if (!llvm::hasSingleElement(function.getBody()) || !hasReturns())
      return 0;
    int64_t forms = writeStableForms(function);
    RangeAnalysis ranges(function);
    Trouble trouble(ranges);
    Rescaler rescaler(builder, ranges,
                      [&](Value value) { return trouble.isIn(value); });
    number();
    SmallVector<Operation *> ops;
    for (Operation &op : function.front())
      ops.push_back(&op);
    for (Operation *op : ops) {
      auto back = returnOf(op);
      bool isPending = reached.contains(op);
      auto quotient = isPending || !sumsAreWide || !dividesBySmall
                          ? std::nullopt
                          : quotientOf(op);
      if (quotient && !trouble.isIn(quotient->denominator)) {
        NumberRange divisor = ranges.get(quotient->denominator);
        builder.setInsertionPoint(op);
        if (mayDivideBySmall(divisor, goal) &&
            !isa_and_present<ReduceOp>(quotient->denominator.getDefiningOp())) {
          Value value = quotientBySmall(Steps(builder, op->getLoc()), *quotient,
                                        divisor.low >= 0);
          if (value.getType() == op->getResult(0).getType()) {
            replace(op->getResult(0), value);
            ++forms;
            continue;
          }
        }
      }
      if (!back && !isPending)
        continue;
      builder.setInsertionPoint(op);
      Value result = op->getResult(0);
      if (back && back->isLogarithm) {
        if (trouble.isInLogarithm(back->argument)) {
          if (Value log = rescaler.logarithm(back->argument);
              log && log.getType() == result.getType()) {
            replace(result, log);
            ++forms;
          } else {
            warnOfLostGuard(trouble.findLostGuard(back->argument));
            warnOfUnknown(trouble.findUnknown(back->argument), op);
          }
        } else {
          warnOfUnknown(trouble.findUnknown(back->argument), op);
        }
        continue;
      }
      if (!isPending && !trouble.isIn(back->argument)) {
        warnOfUnknown(trouble.findUnknown(back->argument), op);
        continue;
      }
      if (!isPending && sumsAreWide)
        if (auto act = dyn_cast<ActivationOp>(op))
          if (auto root = rootOfSum(Steps(builder, op->getLoc()), act)) {
            if (*root && root->getType() == result.getType()) {
              replace(result, *root);
              ++forms;
            }
            continue;
          }
      auto scaled = rescaler.express(result, {}, /*split=*/false);
      // A guard alone needs units of what it guards.
      if (!scaled || !scaled->mantissa ||
          (back && scaled->mantissa == result)) {
        if (back) {
          warnOfLostGuard(trouble.findLostGuard(back->argument));
          warnOfUnknown(trouble.findUnknown(back->argument), op);
        }
        continue;
      }
      forms += keep(result, *scaled, rescaler);
    }
    return forms;
  }

private:
  // Most networks have no such op, or none that a composite one does not hold.
  bool hasReturns() {
    return function
        .walk([](Operation *op) {
          if (returnOf(op))
            return WalkResult::interrupt();
          if (auto act = dyn_cast<ActivationOp>(op);
              act && act.getFunction().getKind() == ActivationKind::Log1p)
            return WalkResult::interrupt();
          if (auto elementwise = dyn_cast<ElementwiseOp>(op);
              elementwise && (elementwise.getKind() == ElementwiseKind::Div ||
                              elementwise.getKind() == ElementwiseKind::Pow))
            return WalkResult::interrupt();
          return WalkResult::advance();
        })
        .wasInterrupted();
  }

  void number() {
    for (auto [i, op] : llvm::enumerate(function.front()))
      positions[&op] = i;
  }

  // Uses that go on in units wait; others get the value.
  int64_t keep(Value result, const Rescaler::Scaled &scaled,
               Rescaler &rescaler) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : result.getUses()) {
      Operation *user = use.getOwner();
      if (!positions.contains(user)) // one of ours
        continue;
      if (scaled.hasUnits() && goesOn(use))
        reached.insert(user);
      else
        uses.push_back(&use);
    }
    if (uses.empty())
      return 0;
    Value value = rescaler.materialize(scaled, result);
    if (!value || value.getType() != result.getType())
      return 0;
    for (OpOperand *use : uses)
      use->set(value);
    if (scaled.raised)
      warn(*scaled.raised);
    return 1;
  }

  void warnOfLostGuard(Operation *op) {
    if (!op || !warned.insert(op).second)
      return;
    auto number = withNumber(cast<ElementwiseOp>(op));
    markNumeric(op->emitWarning())
        << op->getName() << ": a guard of "
        << llvm::formatv("{0:e3}", number->number).str()
        << " is 0 in f16, whose smallest number is 6e-08; results of smaller "
           "values are wrong or infinite; choose a larger guard, or say with "
           "--range that the values stay above it";
  }

  void warnOfUnknown(Operation *op, Operation *back) {
    if (!op || !warned.insert(op).second)
      return;
    InFlightDiagnostic warning = markNumeric(op->emitWarning());
    warning << op->getName()
            << ": values of unknown range may leave f16 (6e-08 to 65504) here, "
               "and what is computed of them may not; say their range with "
               "--range or --calibrate";
    warning.attachNote(back->getLoc()) << back->getName() << " is of them";
  }

  void warn(const Rescaler::RaisedGuard &raised) {
    if (!warned.insert(raised.op).second)
      return;
    markNumeric(raised.op->emitWarning())
        << raised.op->getName() << ": a guard of "
        << llvm::formatv("{0:e3}", raised.guard).str()
        << " acts as one of up to "
        << llvm::formatv("{0:e3}", raised.replacement).str()
        << ", because f16 holds no smaller one beside values of this size; "
           "results of smaller values are wrong; choose a larger guard, or say "
           "with --range that the values stay above it";
  }

  void replace(Value result, Value value) {
    result.replaceUsesWithIf(value, [&](OpOperand &use) {
      return positions.contains(use.getOwner());
    });
  }

  // Ops that only add and subtract degrees.
  static bool goesOn(OpOperand &use) {
    Operation *user = use.getOwner();
    if (user->getNumResults() != 1 ||
        !getElementTypeOrSelf(user->getResult(0).getType()).isF16())
      return false;
    if (auto op = dyn_cast<ElementwiseOp>(user)) {
      if (!op.isPlain())
        return false;
      Value other = op->getOperand(!use.getOperandNumber());
      bool isNumber = scalarOf(other).has_value();
      // A weight after is not part of the formula.
      if (!isNumber && other.getDefiningOp<ConstantOp>())
        return false;
      switch (op.getKind()) {
      case ElementwiseKind::Mul:
      case ElementwiseKind::Div:
        return true;
      case ElementwiseKind::Max:
      case ElementwiseKind::Add:
        return isNumber;
      case ElementwiseKind::Pow:
        return isNumber && use.getOperandNumber() == 0;
      default:
        return false;
      }
    }
    if (auto act = dyn_cast<ActivationOp>(user))
      return llvm::is_contained(
          {ActivationKind::Abs, ActivationKind::Neg, ActivationKind::Reciprocal,
           ActivationKind::Sqrt, ActivationKind::Rsqrt, ActivationKind::Square},
          act.getFunction().getKind());
    return isa<ReshapeOp, TransposeOp>(user);
  }

  func::FuncOp function;
  bool sumsAreWide, dividesBySmall;
  AccuracyGoal goal;
  OpBuilder builder;
  llvm::DenseMap<Operation *, unsigned> positions;
  llvm::SmallPtrSet<Operation *, 8> reached, warned;
};

struct KeepInRange : public mlir::ane::impl::ANEKeepInRangeBase<KeepInRange> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    FailureOr<LoweringTarget> lowering = getLoweringTarget(function, flavour);
    if (failed(lowering))
      return signalPassFailure();
    int64_t changed = FunctionKeeper(function, sumsAreWide,
                                     lowering->policy->planar.dividesBySmall)
                          .run();
    if (changed == 0)
      return markAllAnalysesPreserved();
    forms += changed;
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(function);
    eliminateCommonSubExpressions(rewriter, dominance, function);
    (void)runRegionDCE(rewriter, function->getRegions());
  }
};

} // namespace
