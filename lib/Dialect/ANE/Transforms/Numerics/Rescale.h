//===- Rescale.h - Values as numbers times units ----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Squares of f16 numbers reach from 2^-48 to 2^32, and f16 from 2^-24 to 2^16.
// No fixed factor brings one into the other. So a value that leaves f16 is
// written as
//
//   value = factor * mantissa * unit0^degree0 * unit1^degree1 ...
//
// where the factor is a number, and a unit a tensor that follows the data: of
// the x of a sum of squares along a row, a quarter of the largest magnitude of
// that row. x divided by it is between -4 and 4, and so is nearly everything
// that is computed of it. Products add degrees, roots halve them, quotients
// subtract them; sums need the same ones, and a number that is added (a guard)
// is divided by the units. Where the network brings a value back (the length of
// a vector, a cosine), degrees become 1 or 0, and only then a unit is
// multiplied with, or nothing at all: in x / |x| no unit is left.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_NUMERICS_RESCALE_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_NUMERICS_RESCALE_H

#include "Steps.h"

#include "ane/Dialect/ANE/Transforms/Numerics/Ranges.h"

#include <functional>
#include <map>
#include <tuple>

namespace mlir::ane {

/// Whether f16 rounds a guard, an epsilon that keeps a divisor or a logarithm
/// away from 0, to 0 or to a number that is far from it.
bool isLostGuard(double number);

class Rescaler {
public:
  /// A guard of a value in units that f16 does not hold, and the larger one in
  /// its place.
  struct RaisedGuard {
    Operation *op;
    double guard;
    double replacement; ///< the most that it is, in units of the value
    /// Also values other than 0 may be below it: results change even where a
    /// product with what is 0 at the same places follows.
    bool isReached;
    SmallVector<unsigned, 2> units; ///< are at their least where the value is 0
  };

  struct Scaled {
    Value mantissa; ///< null for 1
    double factor = 1;
    SmallVector<std::pair<unsigned, double>, 2> degrees; ///< unit, degree
    /// The mantissa may be far below what it is made of: a difference.
    bool mayCancel = false;
    /// The mantissa is held above a number that has no inverse in f16.
    bool isHeldLow = false;
    std::optional<RaisedGuard> raised;

    bool hasUnits() const { return !degrees.empty(); }
  };

  /// `leavesHalf` says of which values f16 does not hold all that they are
  /// computed of.
  Rescaler(OpBuilder &builder, const RangeAnalysis &ranges,
           std::function<bool(Value)> leavesHalf)
      : builder(builder), ranges(ranges), leavesHalf(std::move(leavesHalf)) {}

  /// What `value` is, in ops at the builder's place. Units are constant along
  /// `axes`. With `split`, what is no product or sum itself is divided by a
  /// unit, too; without, only if it has one already. Nothing for what is not
  /// homogeneous.
  std::optional<Scaled> express(Value value, ArrayRef<int64_t> axes, bool split,
                                double minUnit = 0);
  /// The value itself. Fails for degrees without a product.
  Value materialize(const Scaled &scaled, Value like);
  /// ln(|value|), if that is more than the logarithm of it as it is.
  Value logarithm(Value value);

private:
  std::optional<Scaled> compute(Value value, ArrayRef<int64_t> axes, bool split,
                                double minUnit);
  std::optional<Scaled> ofElementwise(ElementwiseOp op, ArrayRef<int64_t> axes,
                                      bool split, double minUnit);
  std::optional<Scaled> ofActivation(ActivationOp op, ArrayRef<int64_t> axes,
                                     bool split, double minUnit);
  std::optional<Scaled> ofReduce(ReduceOp op, ArrayRef<int64_t> axes,
                                 bool split, double minUnit);
  std::optional<Scaled> ofReshape(ReshapeOp op, ArrayRef<int64_t> axes,
                                  bool split, double minUnit);
  std::optional<Scaled> ofTranspose(TransposeOp op, ArrayRef<int64_t> axes,
                                    bool split, double minUnit);
  std::optional<Scaled> ofLeaf(Value value, ArrayRef<int64_t> axes, bool split,
                               double minUnit);
  /// `data` under a maximum with `guard`.
  std::optional<Scaled> aboveGuard(Value data, double guard,
                                   ArrayRef<int64_t> axes, bool split,
                                   double minUnit);
  std::optional<Scaled> power(Scaled scaled, double exponent);
  std::optional<Scaled> square(Value root, ArrayRef<int64_t> axes,
                               double minUnit);
  /// `data` in units that a guard of `guard` beside it does not make too small
  /// for f16.
  std::optional<Scaled> besideGuard(Value data, double guard,
                                    ArrayRef<int64_t> axes, bool split,
                                    double minUnit);
  double minUnitFor(double number, double minUnit) const;
  /// Of what is divided by: numbers that have an inverse.
  void holdDivisor(Scaled &scaled);
  std::optional<Scaled> product(Scaled a, Scaled b);
  std::optional<Scaled> sum(ElementwiseKind kind, Scaled a, Scaled b);
  /// The whole part of what has a factor.
  std::optional<Scaled> whole(ActivationKind kind, const Scaled &x);
  /// `kind` of `a`, which is `data` in `op`, and a number that is above 0 (a
  /// guard).
  std::optional<Scaled> guarded(ElementwiseKind kind, Scaled a, double number,
                                Operation *op, Value data);
  /// Says in `a` that the guard of `op` has become `replacement`, if `data` may
  /// be so small that it matters.
  void raise(Scaled &a, ElementwiseKind kind, double guard, double replacement,
             Operation *op, Value data);
  /// Of a value of the network, or of the positive part of one.
  NumberRange rangeOf(Value x) const;
  unsigned unitOf(Value x, ArrayRef<int64_t> axes, double least);
  Value powerOfUnit(unsigned unit, double degree);
  /// A unit with the sizes that `change` makes of it.
  unsigned changed(unsigned unit, llvm::function_ref<Value(Value)> change);
  Steps steps() { return Steps(builder, loc); }

  struct Unit {
    Value source; ///< what it is the unit of, null for one that was changed
    SmallVector<int64_t> axes;
    double least;
    Value size, inverse;
  };

  OpBuilder &builder;
  const RangeAnalysis &ranges;
  std::function<bool(Value)> leavesHalf;
  Location loc = UnknownLoc::get(builder.getContext());
  SmallVector<Unit> units;
  using Key = std::tuple<void *, std::vector<int64_t>, bool, bool, double>;
  std::map<Key, std::optional<Scaled>> known;
  bool isSquared = false; ///< what is expressed is squared afterwards
  int depth = 0;
};

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_NUMERICS_RESCALE_H
