//===- DecomposeAngles.cpp - Sines of positions times frequencies ---------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rotary embeddings and time steps take the sine of p f, where p is an input,
// or a sum of inputs and numbers, and f are constants. f16 rounds the product to
// 11 bits, of which an angle of 500 has none left that tell where in a turn it
// is. Inputs are exact, and so is what follows. An input is a sum of digits,
//
//   2048 a + 64 b + m + r        a, b <= 31, m <= 63, |r| < 1
//
// with its sign in all of them, and more digits of r where the frequencies are
// high. Of w f / 2 pi, for the weight w of a digit, only what is left of whole
// turns counts. In three parts,
//
//   high, a multiple of 1/32 up to 1/2     low, one of 1/1024 up to 1/64
//   rest
//
// the sums of a few digits times high, and of them times low, have 11 bits, so
// f16 holds them exactly; whole turns are taken off them, then the small rest
// comes to it. The angle is right to 2e-3, as what a sine is computed of has to
// be.
//
// An input of f32 may have more bits than f16. It becomes two inputs of f16
// then (`ane.low`, HW/Arrays.h), which are added here as turns.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Constants/DecomposePass.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Passes.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/NumericWarning.h"
#include "ane/Dialect/ANE/Utils/Predicates.h"
#include "ane/Dialect/ANE/Utils/TensorNames.h"
#include "ane/HW/Float16.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <array>
#include <cmath>

namespace mlir::ane {
#define GEN_PASS_DEF_ANEREDUCEANGLES
#include "ane/Dialect/ANE/Transforms/Legalize/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

static bool moves(Operation *op) {
  return isa_and_nonnull<ReshapeOp, TransposeOp, SliceOp, TileOp, ConcatOp>(op);
}

static bool isSine(ActivationAttr function) {
  return function && (function.getKind() == ActivationKind::Sin ||
                      function.getKind() == ActivationKind::Cos);
}

/// The function that an op of two operands applies to what it computes.
static ActivationAttr functionOf(Operation *op) {
  return op->getAttrOfType<ActivationAttr>("activation");
}

/// Whether nothing but sines are made of `value`, and at least one. A constant
/// may come to it.
static bool isAngle(Value value, unsigned depth = 0) {
  constexpr unsigned maxSteps = 16;
  if (value.use_empty() || depth == maxSteps)
    return false;
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto function = dyn_cast<ActivationOp>(user))
      return isSine(function.getFunction());
    if (auto sum = dyn_cast<ElementwiseOp>(user)) {
      bool isSum = sum.getKind() == ElementwiseKind::Add ||
                   sum.getKind() == ElementwiseKind::Sub;
      if (!isSum || !sum.getScale().isExactlyValue(1.0) ||
          !user->getOperand(1 - use.getOperandNumber())
               .getDefiningOp<ConstantOp>())
        return false;
      if (ActivationAttr function = functionOf(user))
        return isSine(function);
    } else if (!moves(user)) {
      return false;
    }
    return isAngle(user->getResult(0), depth + 1);
  });
}

/// Whether sines are made of `product`, by itself or by all its users.
static bool makesAngles(Operation *product) {
  if (ActivationAttr function = functionOf(product))
    return isSine(function);
  return isAngle(product->getResult(0));
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

namespace {

/// An input times a number.
struct Term {
  Value input;
  double factor;
  SmallVector<Operation *> moves; ///< from the position to the input
};

/// What constants multiply: terms and a number, all of whose bits are right.
/// What is computed otherwise has an error of its own size, that a product does
/// not add to.
struct Position {
  unsigned operand; ///< of the product
  SmallVector<Term> terms;
  double offset = 0;
  /// The operand is the only input, moved.
  bool isInput = true;
};

} // namespace

static std::optional<double> splatOf(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant)
    return std::nullopt;
  FailureOr<SmallVector<float>> numbers = readConstant(value);
  if (failed(numbers) || numbers->empty() || !llvm::all_equal(*numbers))
    return std::nullopt;
  return numbers->front();
}

/// Adds what `value` is as terms.
static bool addTerms(Value value, double factor, SmallVector<Operation *> moves,
                     Position &position) {
  constexpr size_t maxTerms = 4, maxMoves = 16;
  Operation *op = value.getDefiningOp();
  if (!op) {
    position.terms.push_back({value, factor, moves});
    return position.terms.size() <= maxTerms;
  }
  if (isa<CastOp, ReshapeOp, TransposeOp, SliceOp, TileOp>(op)) {
    moves.push_back(op);
    return moves.size() <= maxMoves &&
           addTerms(op->getOperand(0), factor, moves, position);
  }
  position.isInput = false;
  auto sum = dyn_cast<ElementwiseOp>(op);
  if (!sum || functionOf(op))
    return false;
  position.offset += factor * sum.getBias().convertToDouble();
  factor *= sum.getScale().convertToDouble();
  const bool isProduct = sum.getKind() == ElementwiseKind::Mul;
  const bool isDifference = sum.getKind() == ElementwiseKind::Sub;
  if (!isProduct && !isDifference && sum.getKind() != ElementwiseKind::Add)
    return false;
  for (unsigned index : {0u, 1u}) {
    Value operand = op->getOperand(index);
    const double sign = isDifference && index ? -1 : 1;
    std::optional<double> other = splatOf(op->getOperand(1 - index));
    if (std::optional<double> number = splatOf(operand)) {
      if (!isProduct)
        position.offset += sign * factor * *number;
      continue;
    }
    // Moves are of the whole.
    if (typeOf(operand).getShape() != typeOf(value).getShape() ||
        (isProduct && !other) ||
        !addTerms(operand, isProduct ? factor * *other : sign * factor, moves,
                  position))
      return false;
  }
  return true;
}

/// The operand of `op` that constants multiply, element by element.
static std::optional<Position> positionOf(Operation *op) {
  bool canAdd = true;
  if (auto product = dyn_cast<ElementwiseOp>(op)) {
    if (product.getKind() != ElementwiseKind::Mul)
      return std::nullopt;
  } else if (auto matmul = dyn_cast<MatmulOp>(op)) {
    // A column times a row.
    RankedTensorType lhs = typeOf(matmul.getLhs());
    int64_t dim = lhs.getRank() - (matmul.getTransposeLhs() ? 2 : 1);
    if (lhs.getDimSize(dim) != 1)
      return std::nullopt;
    canAdd = false;
  } else {
    return std::nullopt;
  }
  for (unsigned index : {0u, 1u}) {
    Position position{index, {}};
    if (op->getOperand(1 - index).getDefiningOp<ConstantOp>() &&
        addTerms(op->getOperand(index), 1, {}, position) &&
        !position.terms.empty() && (canAdd || position.offset == 0))
      return position;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// The function of which `value` is an argument.
static func::FuncOp functionOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
                  : func::FuncOp();
}

static std::string describeInput(Value input) {
  if (!functionOf(input))
    return "of a block";
  unsigned index = cast<BlockArgument>(input).getArgNumber();
  auto name = functionOf(input).getArgAttrOfType<StringAttr>(
      index, ANEDialect::getNameAttrName());
  return name ? "'" + name.str() + "'" : "#" + std::to_string(index);
}

/// The largest magnitude that was said or seen.
static double largestOf(Value input) {
  func::FuncOp function = functionOf(input);
  auto range = function.getArgAttrOfType<ArrayAttr>(
      cast<BlockArgument>(input).getArgNumber(), kRangeAttrName);
  if (!range || range.size() < 2)
    return std::numeric_limits<double>::infinity();
  auto end = [&](unsigned i) {
    return std::abs(cast<FloatAttr>(range[i]).getValueAsDouble());
  };
  return std::max(end(0), end(1));
}

/// Gives all inputs and outputs the names that a program would give them.
static void nameAll(func::FuncOp function) {
  StringRef attribute = ANEDialect::getNameAttrName();
  TensorNames names = nameTensors(function);
  auto attr = [&](const std::string &name) {
    return StringAttr::get(function.getContext(), name);
  };
  for (auto [i, name] : llvm::enumerate(names.inputs))
    function.setArgAttr(i, attribute, attr(name));
  for (auto [i, name] : llvm::enumerate(names.outputs))
    function.setResultAttr(i, attribute, attr(name));
}

/// Whether `function` can have one more input: nobody calls it, and tasks can
/// name it.
static bool canGrow(func::FuncOp function,
                    const ::ane::hw::GenerationInfo &info) {
  const unsigned surfaces =
      info.baseCount - info.firstTensorBase - info.hasKernelSegment;
  auto module = function->getParentOfType<ModuleOp>();
  return function.getNumArguments() + function.getNumResults() < surfaces &&
         module && SymbolTable::symbolKnownUseEmpty(function, module);
}

/// The input with the low halves of `input`, made where there is none.
static FailureOr<Value> lowOf(Value input,
                              const ::ane::hw::GenerationInfo &info) {
  func::FuncOp function = functionOf(input);
  const unsigned index = cast<BlockArgument>(input).getArgNumber();
  if (index + 1 < function.getNumArguments() &&
      function.getArgAttr(index + 1, kLowAttrName))
    return Value(function.getArgument(index + 1));
  if (!canGrow(function, info))
    return failure();
  nameAll(function);
  StringRef attribute = ANEDialect::getNameAttrName();
  llvm::StringSet<> taken;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    taken.insert(
        function.getArgAttrOfType<StringAttr>(i, attribute).getValue());
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    taken.insert(
        function.getResultAttrOfType<StringAttr>(i, attribute).getValue());
  std::string name =
      function.getArgAttrOfType<StringAttr>(index, attribute).str() + ".low";
  while (taken.contains(name))
    name += '_';
  Builder builder(function.getContext());
  NamedAttrList attributes;
  attributes.set(attribute, builder.getStringAttr(name));
  attributes.set(kLowAttrName, builder.getUnitAttr());
  if (Attribute shape = function.getArgAttr(index, kShapeAttrName))
    attributes.set(kShapeAttrName, shape);
  if (failed(function.insertArgument(
          index + 1, typeOf(input).clone(builder.getF16Type()),
          attributes.getDictionary(function.getContext()), input.getLoc())))
    return failure();
  return Value(function.getArgument(index + 1));
}

//===----------------------------------------------------------------------===//
// Angles
//===----------------------------------------------------------------------===//

namespace {

class AngleReducer : AneBuilder {
public:
  AngleReducer(OpBuilder &builder, Operation *product, const Position &position,
               const ::ane::hw::GenerationInfo &info)
      : AneBuilder(builder, product->getLoc()), product(product),
        position(position), info(info) {
    builder.setInsertionPoint(product);
  }

  LogicalResult run() {
    FailureOr<SmallVector<float>> known =
        readConstant(product->getOperand(1 - position.operand));
    if (failed(known))
      return failure();
    double scale = 1, bias = 0;
    if (auto op = dyn_cast<ElementwiseOp>(product)) {
      scale = op.getScale().convertToDouble();
      bias = op.getBias().convertToDouble();
    }
    for (float frequency : *known)
      turns.push_back(scale * frequency / (2 * M_PI));
    for (const Term &term : position.terms)
      addTerm(term);
    Value angle = scaled(sum(wrapped(), small), 2 * M_PI);
    if (position.offset != 0)
      angle = sum(angle, offsets(angle));
    if (double rest = std::remainder(bias, 2 * M_PI))
      angle = sum(angle, number(rest, angle));
    if (ActivationAttr function = functionOf(product))
      angle =
          ActivationOp::create(builder, loc, angle.getType(), angle, function);
    product->getResult(0).replaceAllUsesWith(angle);
    product->erase();
    return success();
  }

private:
  void addTerm(const Term &term) {
    Value high = product->getOperand(position.operand);
    if (!position.isInput)
      high = moved(term.input, term);
    addDigits(high, term.factor, ::ane::hw::largestHalf);
    if (!losesBits(term))
      return;
    FailureOr<Value> low = lowOf(term.input, info);
    if (failed(low))
      return warnOfBits(term);
    // Half of the distance of halves.
    addDigits(moved(*low, term), term.factor,
              std::min(::ane::hw::largestHalf, largestOf(term.input)) *
                  0x1p-11);
  }

  double largestTurn() const {
    double largest = 0;
    for (double turn : turns)
      largest = std::max(largest, std::abs(turn));
    return largest;
  }

  /// Whether the input has more bits than f16, and these count.
  bool losesBits(const Term &term) const {
    constexpr double tolerance = 1e-3, precision = 0x1p-11;
    return functionOf(term.input) &&
           typeOf(term.input).getElementType().isF32() &&
           largestOf(term.input) * precision * std::abs(term.factor) *
                   largestTurn() * 2 * M_PI >
               tolerance;
  }

  void warnOfBits(const Term &term) const {
    markNumeric(product->emitWarning())
        << "'" << product->getName() << "' op makes angles of input "
        << describeInput(term.input)
        << ", which enters as f16: whole numbers above 2048 lose their last "
           "bits there; keep it below, or give the sines as inputs";
  }

  /// The input, or its low half, as the position has it.
  Value moved(Value input, const Term &term) {
    for (Operation *move : llvm::reverse(term.moves)) {
      if (isa<CastOp>(move)) {
        input = castTo(input, builder.getF16Type());
        continue;
      }
      IRMapping mapping;
      mapping.map(move->getOperand(0), input);
      Operation *clone = builder.clone(*move, mapping);
      clone->getResult(0).setType(
          typeOf(clone->getResult(0)).clone(typeOf(input).getElementType()));
      input = clone->getResult(0);
    }
    return castTo(input, builder.getF16Type());
  }

  /// Adds digits of `p`, of at most `bound` in magnitude, to the turns.
  void addDigits(Value p, double factor, double bound) {
    constexpr double maxRest = 0.75; // of a turn: rounded to 2e-3 of an angle
    constexpr std::pair<double, int> digits[] = {
        {2048, 31}, {64, 31}, {1, 63}, {0x1p-6, 63}, {0x1p-12, 63}};
    for (auto [weight, most] : digits) {
      if (weight > bound)
        continue;
      if (weight < 1 && bound * std::abs(factor) * largestTurn() <= maxRest)
        break;
      // Exact: factors are powers of two, differences have fewer bits.
      Value digit =
          weight == 1 ? activate(p, ActivationKind::Trunc)
                      : activate(scaled(p, 1 / weight), ActivationKind::Trunc);
      p = weight == 1 ? activate(p, ActivationKind::Fraction)
                      : sub(p, scaled(digit, weight));
      addDigit(digit, std::min<int>(most, bound / weight), weight * factor);
      bound = weight;
    }
    addSmall(p, [&](double turn) { return factor * turn; });
  }

  void addDigit(Value digit, int most, double weight) {
    if (sumOfDigits + most > maxDigits)
      wrap();
    sumOfDigits += most;
    auto partsOf = [&](double turn) {
      double part = std::remainder(weight * turn, 1);
      const double ofHigh = std::round(part * 32) / 32;
      const double ofLow = std::round((part - ofHigh) * 1024) / 1024;
      return std::array<double, 3>{ofHigh, ofLow, part - ofHigh - ofLow};
    };
    high = sum(high, times(digit, [&](double t) { return partsOf(t)[0]; }));
    low = sum(low, times(digit, [&](double t) { return partsOf(t)[1]; }));
    addSmall(digit, [&](double turn) { return partsOf(turn)[2]; });
  }

  void addSmall(Value digit, function_ref<double(double)> constant) {
    small = sum(small, times(digit, constant));
  }

  /// Takes whole turns off what came together so far.
  void wrap() {
    Value part = sum(activate(high, ActivationKind::Fraction),
                     activate(low, ActivationKind::Fraction));
    turn = activate(turn ? sum(turn, part) : part, ActivationKind::Fraction);
    high = low = Value();
    sumOfDigits = 0;
  }

  /// From -1/2 to 1/2.
  Value wrapped() {
    wrap();
    Value whole = activate(scaled(turn, 2), ActivationKind::Trunc);
    return sub(turn, whole);
  }

  Value scaled(Value value, double factor) { return mul(value, factor); }

  Value sum(Value lhs, Value rhs) { return lhs ? add(lhs, rhs) : rhs; }

  /// What the offset makes of each constant.
  Value offsets(Value angle) {
    SmallVector<float> numbers;
    for (double turn : turns)
      numbers.push_back(std::remainder(position.offset * turn, 1) * 2 * M_PI);
    return unroundedConstant(
        builder, loc,
        typeOf(product->getOperand(1 - position.operand)).getShape(), numbers);
  }

  /// The product once more, of a digit and other constants.
  Value times(Value digit, function_ref<double(double)> constant) {
    Value before = product->getOperand(1 - position.operand);
    SmallVector<float> constants;
    for (double turn : turns)
      constants.push_back(constant(turn));
    IRMapping mapping;
    mapping.map(product->getOperand(position.operand), digit);
    mapping.map(
        before,
        unroundedConstant(builder, loc, typeOf(before).getShape(), constants));
    Operation *part = builder.clone(*product, mapping);
    part->removeAttr("activation");
    if (auto op = dyn_cast<ElementwiseOp>(part)) {
      op.setScaleAttr(builder.getF32FloatAttr(1));
      op.setBiasAttr(builder.getF32FloatAttr(0));
    }
    return part->getResult(0);
  }

  /// Of so many times 1/2, a multiple of 1/32 has 11 bits.
  static constexpr int maxDigits = 127;

  Operation *product;
  const Position &position;
  const ::ane::hw::GenerationInfo &info;
  SmallVector<double> turns;
  Value high, low, small; ///< sums of digits that were not wrapped yet
  Value turn;             ///< of what was
  int sumOfDigits = 0;
};

} // namespace

/// A flavour that follows another compiler rounds angles as it does.
static void warnOfAngles(Operation *product, const Position &position,
                         StringRef flavour) {
  constexpr double maxAngle = 16, precision = 0x1p-11;
  double largest = 0;
  if (auto known = readConstant(product->getOperand(1 - position.operand));
      succeeded(known))
    for (float number : *known)
      largest = std::max(largest, std::abs(double(number)));
  if (auto op = dyn_cast<ElementwiseOp>(product))
    largest *= std::abs(op.getScale().convertToDouble());
  double angle = std::abs(position.offset) * largest;
  for (const Term &term : position.terms)
    angle +=
        (functionOf(term.input) ? largestOf(term.input)
                                : std::numeric_limits<double>::infinity()) *
        std::abs(term.factor) * largest;
  if (angle <= maxAngle)
    return;
  InFlightDiagnostic warning = markNumeric(product->emitWarning());
  warning << "'" << product->getName() << "' op makes angles of input "
          << describeInput(position.terms.front().input);
  if (std::isinf(angle))
    warning << ", whose range is unknown,";
  else
    warning << " of up to " << llvm::formatv("{0:F0}", angle).str()
            << " in magnitude,";
  warning << " and flavour " << flavour
          << " rounds them to f16 as the compiler that it follows: above "
          << int(maxAngle) << " they are off by up to "
          << llvm::formatv("{0:F3}", maxAngle * precision).str()
          << " and more; say --range, take flavour clean, or give the sines as "
             "inputs";
}

namespace {
struct ReduceAngles
    : DecomposePass<ReduceAngles,
                    mlir::ane::impl::ANEReduceAnglesBase<ReduceAngles>> {
  using DecomposePass::DecomposePass;

  LogicalResult run(const DecomposeOptions &options) {
    SmallVector<Operation *> products;
    getOperation()->walk([&](Operation *op) {
      if (op->getNumResults() == 1 && isa<ElementwiseOp, MatmulOp>(op) &&
          makesAngles(op) && positionOf(op))
        products.push_back(op);
    });
    OpBuilder builder(&getContext());
    for (Operation *product : products) {
      const Position position = *positionOf(product);
      if (!options.policy.planar.reducesAngles) {
        warnOfAngles(product, position, flavour);
        continue;
      }
      rewritten += succeeded(
          AngleReducer(builder, product, position, options.generation).run());
    }
    return success();
  }
};
} // namespace
