//===- FunctionForms.cpp - Several ways to compute a function -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Numerics/FunctionForms.h"

#include "ane/Dialect/ANE/IR/FunctionInfo.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/Dialect/ANE/Utils/Evaluate.h"
#include "ane/Dialect/ANE/Utils/TableFunction.h"
#include "ane/HW/Float16.h"
#include "ane/HW/LookupTable.h"

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <mutex>

using namespace mlir;
using namespace mlir::ane;
namespace hw = ::ane::hw;

//===----------------------------------------------------------------------===//
// Which forms there are
//===----------------------------------------------------------------------===//

SmallVector<const FunctionForm *> mlir::ane::getForms(ActivationAttr function) {
  static constexpr FunctionForm table{FormKind::Table, "table"},
      gate{FormKind::Gate, "gate"}, oddGate{FormKind::OddGate, "odd_gate"};
  SmallVector<const FunctionForm *> forms = {&table};
  if (getGate(function))
    forms.push_back(&gate);
  if (getOddGate(function))
    forms.push_back(&oddGate);
  return forms;
}

FailureOr<const FunctionForm *>
mlir::ane::getGivenForm(Operation *op, ActivationAttr function) {
  auto given = op->getAttrOfType<StringAttr>(kFormAttrName);
  if (!given)
    return nullptr;
  SmallVector<const FunctionForm *> forms = getForms(function);
  const auto *form = llvm::find_if(forms, [&](const FunctionForm *form) {
    return form->name == given.getValue();
  });
  if (forms.size() > 1 && form != forms.end())
    return *form;
  InFlightDiagnostic error = op->emitOpError("has ane.form = ") << given;
  if (forms.size() == 1)
    return error << ", but " << stringifyActivationKind(function.getKind())
                 << " has one form; remove the attribute";
  error << ", but the forms of " << stringifyActivationKind(function.getKind())
        << " are ";
  llvm::interleaveComma(forms, error, [&](const FunctionForm *form) {
    error << "'" << form->name << "'";
  });
  error << "; use one of them, or remove the attribute";
  return error;
}

std::optional<GateFunction> mlir::ane::getGate(ActivationAttr function) {
  constexpr double lowestOfElu = -8;
  GateFunction gate;
  switch (function.getKind()) {
  case ActivationKind::Silu:
    return gate;
  case ActivationKind::GeluSigmoid:
    gate.factor = 1.702;
    return gate;
  case ActivationKind::HardSwish:
    gate.kind = ActivationKind::HardSigmoid;
    gate.alpha = 1.0 / 6;
    gate.beta = 0.5;
    return gate;
  case ActivationKind::Elu:
    gate.kind = ActivationKind::EluFactor;
    gate.alpha = function.getAlpha();
    gate.low = lowestOfElu;
    return gate;
  case ActivationKind::Mish:
    gate.kind = ActivationKind::Tanh;
    gate.inner = ActivationKind::Softplus;
    return gate;
  default:
    return std::nullopt;
  }
}

// sigmoid(x) = 1 / 2 + tanh(x / 2) / 2
std::optional<OddGateFunction> mlir::ane::getOddGate(ActivationAttr function) {
  OddGateFunction gate;
  gate.alpha = 1;
  gate.beta = 0.5;
  switch (function.getKind()) {
  case ActivationKind::Silu:
    return gate;
  case ActivationKind::GeluSigmoid:
    gate.beta = 1.702 / 2;
    return gate;
  case ActivationKind::Sigmoid:
    gate.isMultiplied = false;
    return gate;
  case ActivationKind::Gelu:
    gate.kind = ActivationKind::Erf;
    gate.alpha = gate.beta = 0;
    gate.factor = M_SQRT1_2;
    return gate;
  default:
    return std::nullopt;
  }
}

ActivationAttr mlir::ane::stretched(ActivationAttr function, double factor) {
  if (function.getKind() == ActivationKind::ScaledTanh)
    return ActivationAttr::get(function.getContext(), function.getKind(),
                               function.getAlpha(),
                               function.getBeta() / factor);
  if (!infoOf(function.getKind()).canStretch || function.getAlpha() != 0)
    return {};
  return ActivationAttr::get(function.getContext(), function.getKind(), factor);
}

//===----------------------------------------------------------------------===//
// How far off they are
//===----------------------------------------------------------------------===//

static double rounded(double value) {
  return hw::fromHalfBits(hw::toHalfBits(static_cast<float>(value)));
}

static double evaluate(ActivationAttr function, double x) {
  float value = x;
  applyActivation(function, value);
  return value;
}

namespace {

/// A function as the engine computes it: by a table of halves, of an argument
/// that suits it.
class Table {
public:
  Table(ActivationAttr function) {
    // In convolutions the odd part of a gate is not stretched
    // (ane-stretch-tables).
    ActivationAttr larger = stretched(function, tableStretch);
    if (larger && function.getKind() != ActivationKind::ScaledTanh) {
      factor = tableStretch;
      function = larger;
    }
    auto built =
        hw::buildTable(*tableFunctionOf(function.getKind()),
                       float(function.getAlpha()), float(function.getBeta()));
    if (built.ok())
      samples = *built;
  }

  double operator()(double x) const {
    return rounded(hw::evaluateTable(samples, float(x * factor)));
  }

private:
  double factor = 1;
  hw::LookupTable samples = {};
};

/// Sizes of arguments are powers of two; of smaller and of larger ones than
/// these all functions are lines.
constexpr int firstSize = -6, lastSize = 6;
using Errors = std::array<double, lastSize - firstSize + 1>;

/// Which arguments there are.
enum class Signs : uint8_t { Both, Positive, Negative };

} // namespace

/// One element, pass by pass.
static std::function<double(double)> emulate(FormKind form,
                                             ActivationAttr function) {
  MLIRContext *context = function.getContext();
  if (form == FormKind::Gate) {
    GateFunction gate = *getGate(function);
    Table g(ActivationAttr::get(context, gate.kind, gate.alpha, gate.beta));
    if (gate.inner) {
      Table inner(ActivationAttr::get(context, *gate.inner));
      return [=](double x) { return rounded(x * g(inner(x))); };
    }
    return [=](double x) {
      double y = gate.low ? std::max(x, *gate.low) : x;
      double argument = gate.factor == 1 ? y : rounded(y * gate.factor);
      return rounded(y * g(argument));
    };
  }
  if (form == FormKind::OddGate) {
    OddGateFunction gate = *getOddGate(function);
    Table h(ActivationAttr::get(context, gate.kind, gate.alpha, gate.beta));
    return [=](double x) {
      double argument = gate.factor == 1 ? x : rounded(x * gate.factor);
      if (!gate.isMultiplied)
        return rounded(0.5 * h(argument) + 0.5);
      return rounded(0.5 * (rounded(x * h(argument)) + x));
    };
  }
  return Table(function);
}

// Of normally distributed arguments, as those of layers are: the root of the
// mean square of the error, by that of rounding the true results once.
static Errors measure(FormKind form, ActivationAttr function, Signs signs) {
  std::function<double(double)> emulated = emulate(form, function);
  Errors errors;
  for (int size = firstSize; size <= lastSize; ++size) {
    // A prime, so that arguments have all bits of a half.
    constexpr int count = 509;
    constexpr double deviations = 4;
    double square = 0, best = 0;
    for (int i = 0; i < count; ++i) {
      double at = deviations * (2.0 * i / (count - 1) - 1);
      double x = rounded(std::ldexp(at, size));
      if ((signs == Signs::Positive && x < 0) ||
          (signs == Signs::Negative && x > 0))
        continue;
      double weight = std::exp(-at * at / 2), y = evaluate(function, x);
      square += weight * std::pow(emulated(x) - y, 2);
      best += weight * std::pow(rounded(y) - y, 2);
    }
    errors[size - firstSize] = std::sqrt(square / best);
  }
  return errors;
}

/// Measured once for each form of a function and its parameters.
static const Errors &getErrors(const FunctionForm &form,
                               ActivationAttr function, Signs signs) {
  using Key = std::tuple<ActivationKind, double, double, FormKind, Signs>;
  static std::mutex mutex;
  static std::map<Key, Errors> known;
  std::lock_guard<std::mutex> lock(mutex);
  Key key(function.getKind(), function.getAlpha(), function.getBeta(),
          form.kind, signs);
  auto found = known.find(key);
  if (found == known.end())
    found = known.emplace(key, measure(form.kind, function, signs)).first;
  return found->second;
}

/// How far off the form is, in roundings of f16.
static double getFormError(const FunctionForm &form, ActivationAttr function,
                           const FormUse &use) {
  int from = firstSize, to = lastSize;
  Signs signs = Signs::Both;
  if (use.argument && !use.argument->isEmpty()) {
    // The largest of many elements is some times as large as most of them, and
    // channels differ in size. Of what is only a bound, nobody knows how far
    // below they are.
    constexpr int largestOverUsual = 3;
    double most = use.argument->most();
    int exponent = most == 0 || std::isinf(most) ? lastSize : std::ilogb(most);
    to = std::clamp(exponent, firstSize, lastSize);
    if (use.argument->source == RangeSource::Data)
      from = std::clamp(exponent - largestOverUsual, firstSize, lastSize);
    signs = use.argument->low >= 0    ? Signs::Positive
            : use.argument->high <= 0 ? Signs::Negative
                                      : Signs::Both;
  }
  const Errors &errors = getErrors(form, function, signs);
  return *std::max_element(errors.begin() + (from - firstSize),
                           errors.begin() + (to - firstSize) + 1);
}

double mlir::ane::getShareOfError(const FunctionForm &form,
                                  ActivationAttr function, const FormUse &use) {
  std::function<double(double)> emulated = emulate(form.kind, function);
  // Enough to meet each line of a table more than once.
  constexpr int count = 256;
  double low = use.argument->low, high = use.argument->high;
  double error = 0, share = 0, largest = 0;
  for (int i = 0; i <= count; ++i) {
    double x = rounded(low + (high - low) * i / count);
    double y = std::fabs(evaluate(function, x));
    double off = std::fabs(emulated(x) - evaluate(function, x));
    error = std::max(error, off);
    largest = std::max(largest, y);
    if (y >= smallestHalf)
      share = std::max(share, off / y);
  }
  if (use.bringsOutSmall)
    return share;
  // f16 itself has few digits of smaller ones.
  return largest < smallestNormalHalf ? 0 : error / largest;
}

/// How many roundings `goal` allows.
static double getAllowedError(AccuracyGoal goal, const FormUse &use) {
  constexpr double most = 2.5, ofSummand = 64;
  switch (goal) {
  case AccuracyGoal::Fast:
    return std::numeric_limits<double>::infinity();
  case AccuracyGoal::Balanced:
    return use.isSummand ? ofSummand : most;
  case AccuracyGoal::Best:
    break;
  }
  return most;
}

const FunctionForm *mlir::ane::chooseForm(ActivationAttr function,
                                          const FormUse &use,
                                          AccuracyGoal goal) {
  SmallVector<const FunctionForm *> forms = getForms(function);
  if (forms.size() == 1)
    return nullptr;
  double allowed = getAllowedError(goal, use);
  if (std::isinf(allowed))
    return forms.front();
  const FunctionForm *best = nullptr;
  double least = 0;
  for (const FunctionForm *form : forms) {
    double error = getFormError(*form, function, use);
    if (error <= allowed)
      return form;
    if (!best || error < least)
      std::tie(best, least) = std::make_tuple(form, error);
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Quotients
//===----------------------------------------------------------------------===//

bool mlir::ane::mayDivideBySmall(const NumberRange &divisor,
                                 AccuracyGoal goal) {
  if (divisor.contains(0))
    return divisor.least < smallestNormalHalf &&
           (goal != AccuracyGoal::Fast || !divisor.isAssumed());
  // Who guards a divisor says that it comes as near to 0 as the guard.
  return !divisor.isEmpty() &&
         std::min(std::fabs(divisor.low), std::fabs(divisor.high)) <
             1 / largestHalf;
}

//===----------------------------------------------------------------------===//
// Where functions are in networks
//===----------------------------------------------------------------------===//

/// Whether `value` is what a norm gives, or weights make of that: about 1.
static bool hasKnownSize(Value value) {
  constexpr int maxSteps = 12;
  bool isMultiplied = false;
  for (int step = 0; step != maxSteps; ++step) {
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<LayerNormOp, RmsNormOp, SoftmaxOp>(op))
      return true;
    if (isa_and_nonnull<ReshapeOp, TransposeOp, SliceOp, CastOp>(op)) {
      value = op->getOperand(0);
      continue;
    }
    if (auto pair = dyn_cast_or_null<ElementwiseOp>(op)) {
      // Factors and offsets of the norm, biases.
      bool isRight = bool(pair.getLhs().getDefiningOp<ConstantOp>());
      Value other = isRight ? pair.getLhs() : pair.getRhs();
      if (!other.getDefiningOp<ConstantOp>() || pair.getActivationAttr())
        return false;
      value = isRight ? pair.getRhs() : pair.getLhs();
      continue;
    }
    auto conv = dyn_cast_or_null<ConvOp>(op);
    auto matmul = dyn_cast_or_null<MatmulOp>(op);
    if (isMultiplied || !(conv || matmul) ||
        op->getAttrOfType<ActivationAttr>("activation"))
      return false;
    isMultiplied = true;
    value = matmul && matmul.getLhs().getDefiningOp<ConstantOp>()
                ? matmul.getRhs()
                : op->getOperand(0);
  }
  return false;
}

static bool isSteepNearZero(ActivationKind kind) {
  return llvm::is_contained({ActivationKind::Log, ActivationKind::Sqrt,
                             ActivationKind::Rsqrt, ActivationKind::Reciprocal},
                            kind);
}

static bool isLineNearZero(ActivationKind kind) {
  return llvm::is_contained({ActivationKind::Tanh, ActivationKind::Erf,
                             ActivationKind::ScaledTanh, ActivationKind::Abs,
                             ActivationKind::Neg, ActivationKind::Relu},
                            kind);
}

// Whether a root, a logarithm, an inverse or a norm is taken of the value: it
// brings out small results, which no other summand hides.
static bool bringsOutSmall(Value value, int depth = 4) {
  if (depth == 0)
    return false;
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto act = dyn_cast<ActivationOp>(user))
      return isSteepNearZero(act.getFunction().getKind()) ||
             (isLineNearZero(act.getFunction().getKind()) &&
              bringsOutSmall(user->getResult(0), depth - 1));
    if (isa<LayerNormOp, RmsNormOp>(user))
      return use.getOperandNumber() == 0;
    if (isa<ReshapeOp, TransposeOp>(user))
      return bringsOutSmall(user->getResult(0), depth - 1);
    auto elementwise = dyn_cast<ElementwiseOp>(user);
    if (!elementwise)
      return false;
    if (auto act = elementwise.getActivationAttr();
        act && isSteepNearZero(act.getKind()))
      return true;
    if (elementwise.getKind() == ElementwiseKind::Div)
      return use.getOperandNumber() == 1;
    // A factor or a guard in front of it.
    return getConstantSplat(user->getOperand(!use.getOperandNumber())) &&
           bringsOutSmall(user->getResult(0), depth - 1);
  });
}

FormUse mlir::ane::getFormUse(Operation *op, ActivationAttr function,
                              const RangeAnalysis *ranges) {
  FormUse use;
  // Between 0 and 1, and what it is multiplied with gives the size of results.
  use.bringsOutSmall = bringsOutSmall(op->getResult(0));
  use.isSummand =
      function.getKind() == ActivationKind::Sigmoid && !use.bringsOutSmall;
  bool isProduct = isa<ConvOp, MatmulOp>(op);
  Value first = op->getOperand(isProduct &&
                               op->getOperand(0).getDefiningOp<ConstantOp>());
  // Layers of gelu are added to the many before them (transformers, ConvNeXt,
  // SAM), also where they are images.
  if (!use.bringsOutSmall &&
      (function.getKind() == ActivationKind::Gelu || hasKnownSize(first))) {
    constexpr double usual = 4;
    use.isSummand = true;
    use.argument = NumberRange::of(-usual, usual);
    use.argument->source = RangeSource::Data;
  }
  if (!ranges)
    return use;
  NumberRange known =
      ranges->get(isa<ActivationOp>(op) ? op->getOperand(0) : op->getResult(0));
  if (known.isEmpty() || known.isAssumed())
    return use;
  if (isa<ActivationOp>(op)) {
    use.argument = known;
  } else if (known.source == RangeSource::Data && known.high > 0) {
    // What data shows is the result, which is the argument where that is large.
    use.argument = NumberRange::of(-known.high, known.high);
    use.argument->source = known.source;
  }
  return use;
}
