//===- ImportHost.cpp - MIL operations that the host can do ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic of integers and booleans, which is exact there and wraps as it
// does in any processor. Handlers that only move elements, or that know the
// host themselves, serve both.
//
//===----------------------------------------------------------------------===//

#include "HostIndices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

/// The values of arguments whose shapes broadcast; none after an error.
static SmallVector<Value> operandsOf(Statement &s,
                                     ArrayRef<StringRef> arguments) {
  SmallVector<Value> values;
  for (StringRef argument : arguments)
    values.push_back(s.tensor(argument));
  if (s.failed())
    return {};
  if (broadcastShapes(llvm::map_to_vector(
          values, [](Value value) { return shapeOf(value); })))
    return values;
  s.error() << "has operands of " << values[0].getType() << " and "
            << values[1].getType() << ", which do not broadcast";
  return {};
}

/// Whether two arguments have one type, and no floats unless these are taken.
static bool checkAlike(Statement &s, StringRef lhs, StringRef rhs,
                       bool takesFloats) {
  if (s.failed())
    return false;
  HostType a = s.hostType(lhs), b = s.hostType(rhs);
  if (a.element == b.element && a.isUnsigned == b.isUnsigned && a.element &&
      (!a.isFloat() || takesFloats))
    return true;
  Type x = s.value(lhs).getType(), y = s.value(rhs).getType();
  InFlightDiagnostic error = s.error();
  error << "can be left to the host for "
        << (takesFloats ? "numbers" : "integers and booleans")
        << " of one type, but has " << x;
  if (lhs != rhs)
    error << " and " << y;
  return false;
}

/// The engine computes on floats, and what it cannot do the host does not know.
static bool checkIntegers(Statement &s, StringRef lhs, StringRef rhs) {
  return checkAlike(s, lhs, rhs, s.takesFloats());
}

static void addArithmetic(MILImporter &importer, StringRef name) {
  importer.addHost(name, [name](Statement &s) -> Value {
    SmallVector<Value> operands = operandsOf(s, {"x", "y"});
    if (!checkIntegers(s, "x", "y"))
      return {};
    HostType type = s.hostType("x");
    return s.host().elementwise(
        operands, type.element, [&](HostBuilder &inner, ValueRange scalars) {
          return combineOnHost(inner, name, type, scalars[0], scalars[1]);
        });
  });
}

static void addComparison(MILImporter &importer, StringRef name,
                          arith::CmpIPredicate ofSigned,
                          arith::CmpIPredicate ofUnsigned,
                          arith::CmpFPredicate ofFloats) {
  importer.addHost(name, [=](Statement &s) -> Value {
    SmallVector<Value> operands = operandsOf(s, {"x", "y"});
    if (!checkAlike(s, "x", "y", /*takesFloats=*/true))
      return {};
    if (s.hostType("x").isFloat())
      return s.host().elementwise(
          operands, s.attributes().getI1Type(),
          [&](HostBuilder &inner, ValueRange scalars) -> Value {
            return arith::CmpFOp::create(inner.builder, inner.loc, ofFloats,
                                         scalars[0], scalars[1]);
          });
    auto holds = s.hostType("x").isUnsigned ? ofUnsigned : ofSigned;
    return s.host().elementwise(
        operands, s.attributes().getI1Type(),
        [&](HostBuilder &inner, ValueRange scalars) -> Value {
          return arith::CmpIOp::create(inner.builder, inner.loc, holds,
                                       scalars[0], scalars[1]);
        });
  });
}

/// Booleans are bits.
template <typename OpTy>
static void addLogic(MILImporter &importer, StringRef name) {
  importer.addHost(name, [](Statement &s) -> Value {
    SmallVector<Value> operands = operandsOf(s, {"x", "y"});
    if (!checkIntegers(s, "x", "y"))
      return {};
    return s.host().elementwise(
        operands, s.hostType("x").element,
        [&](HostBuilder &inner, ValueRange scalars) -> Value {
          return OpTy::create(inner.builder, inner.loc, scalars[0], scalars[1]);
        });
  });
}

/// Whether `lhs` is larger than `rhs`, or less.
static Value isBeyond(HostBuilder &b, HostType type, bool isMax, Value lhs,
                      Value rhs) {
  using Predicate = arith::CmpIPredicate;
  if (type.isFloat())
    return arith::CmpFOp::create(b.builder, b.loc,
                                 isMax ? arith::CmpFPredicate::OGT
                                       : arith::CmpFPredicate::OLT,
                                 lhs, rhs);
  auto predicate = isMax ? (type.isUnsigned ? Predicate::ugt : Predicate::sgt)
                         : (type.isUnsigned ? Predicate::ult : Predicate::slt);
  return arith::CmpIOp::create(b.builder, b.loc, predicate, lhs, rhs);
}

using UnaryOnHost = Value (*)(HostBuilder &b, HostType type, Value x);

static Value invert(HostBuilder &b, HostType type, Value x) {
  return arith::XOrIOp::create(b.builder, b.loc, x, b.number(type, 1));
}

static Value absolute(HostBuilder &b, HostType type, Value x) {
  if (type.isUnsigned)
    return x;
  Value opposite = combineOnHost(b, "sub", type, b.number(type, 0), x);
  return combineOnHost(b, "maximum", type, x, opposite);
}

static Value square(HostBuilder &b, HostType type, Value x) {
  return combineOnHost(b, "mul", type, x, x);
}

static Value rectify(HostBuilder &b, HostType type, Value x) {
  return combineOnHost(b, "maximum", type, x, b.number(type, 0));
}

static Value signOf(HostBuilder &b, HostType type, Value x) {
  Value zero = b.number(type, 0), one = b.number(type, 1);
  auto ofSide = [&](bool isAbove) -> Value {
    return arith::SelectOp::create(
        b.builder, b.loc, isBeyond(b, type, isAbove, x, zero), one, zero);
  };
  return combineOnHost(b, "sub", type, ofSide(true), ofSide(false));
}

static void addUnary(MILImporter &importer, StringRef name,
                     UnaryOnHost function) {
  importer.addHost(name, [function](Statement &s) -> Value {
    Value x = s.tensor("x");
    if (!checkIntegers(s, "x", "x"))
      return {};
    HostType type = s.hostType("x");
    return s.host().elementwise(x, type.element,
                                [&](HostBuilder &inner, ValueRange scalars) {
                                  return function(inner, type, scalars[0]);
                                });
  });
}

/// x^y by squares: for each bit of |y|, from the last one on. Of a y below 0
/// that is the inverse, which is an integer for 1 and -1, and 0 otherwise.
static Value powerOf(HostBuilder &b, HostType type, Value x, Value y) {
  Value zero = b.number(type, 0), one = b.number(type, 1);
  const Value start[] = {one, x, absolute(b, type, y)};
  auto bits = scf::ForOp::create(
      b.builder, b.loc, b.index(0),
      b.index(type.element.getIntOrFloatBitWidth()), b.index(1), start,
      [&](OpBuilder &inside, Location at, Value, ValueRange carried) {
        HostBuilder inner(inside, at);
        Value bit = arith::AndIOp::create(inside, at, carried[2], one);
        Value isSet = arith::CmpIOp::create(
            inside, at, arith::CmpIPredicate::ne, bit, zero);
        Value product =
            combineOnHost(inner, "mul", type, carried[0], carried[1]);
        product =
            arith::SelectOp::create(inside, at, isSet, product, carried[0]);
        Value rest = arith::ShRUIOp::create(inside, at, carried[2], one);
        scf::YieldOp::create(
            inside, at,
            ValueRange{product, square(inner, type, carried[1]), rest});
      });
  Value power = bits.getResult(0);
  Value isUnit = arith::CmpIOp::create(
      b.builder, b.loc, arith::CmpIPredicate::eq, absolute(b, type, x), one);
  Value inverse =
      arith::SelectOp::create(b.builder, b.loc, isUnit, power, zero);
  return arith::SelectOp::create(b.builder, b.loc,
                                 isBeyond(b, type, /*isMax=*/false, y, zero),
                                 inverse, power);
}

static Value hostPower(Statement &s) {
  SmallVector<Value> operands = operandsOf(s, {"x", "y"});
  if (!checkAlike(s, "x", "y", /*takesFloats=*/false))
    return {};
  HostType type = s.hostType("x");
  return s.host().elementwise(
      operands, type.element, [&](HostBuilder &inner, ValueRange scalars) {
        return powerOf(inner, type, scalars[0], scalars[1]);
      });
}

static Value hostSelect(Statement &s) {
  SmallVector<Value> operands = operandsOf(s, {"cond", "a", "b"});
  if (s.failed())
    return {};
  Type element = getElementTypeOrSelf(operands[1]);
  if (!s.isBoolean("cond") || getElementTypeOrSelf(operands[2]) != element) {
    s.error() << "chooses between " << operands[1].getType() << " and "
              << operands[2].getType() << " by " << operands[0].getType()
              << ", but must do so between equal types by a bool";
    return {};
  }
  return s.host().elementwise(
      operands, element, [](HostBuilder &inner, ValueRange scalars) -> Value {
        return arith::SelectOp::create(inner.builder, inner.loc, scalars[0],
                                       scalars[1], scalars[2]);
      });
}

static Value hostCast(Statement &s) {
  Value x = s.tensor("x");
  HostType from = s.hostType("x"), to = s.hostResult();
  if (s.failed())
    return {};
  if (!to.element) {
    s.error() << "makes " << s.resultElementType()
              << ", which the host does not compute";
    return {};
  }
  return s.host().convert(x, from, to);
}

//===----------------------------------------------------------------------===//
// Along axes
//===----------------------------------------------------------------------===//

/// The places of a tensor whose `axes` have one element.
static SmallVector<Value> withoutAxes(HostBuilder &inner, ArrayRef<Value> place,
                                      ArrayRef<int64_t> axes) {
  SmallVector<Value> result(place);
  for (int64_t axis : axes)
    result[axis] = inner.index(0);
  return result;
}

/// The shape of `x` with 1 for `axes`, and what the text wants of it.
static Value dropAxes(Statement &s, Value x, ArrayRef<int64_t> axes,
                      bool keep) {
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(shapeOf(x)))
    if (keep || !llvm::is_contained(axes, static_cast<int64_t>(dim)))
      shape.push_back(size);
  return s.reshape(x, shape);
}

/// Of `each` of an element, if there is one. A mean is without its fraction.
static void addReduction(MILImporter &importer, StringRef name,
                         StringRef operation, UnaryOnHost each = nullptr,
                         bool isMean = false) {
  importer.addHost(name, [=](Statement &s) -> Value {
    Value x = s.tensor("x");
    if (!checkIntegers(s, "x", "x"))
      return {};
    SmallVector<int64_t> axes = s.axes("axes", shapeOf(x).size());
    bool keep = s.boolean("keep_dims", false);
    if (s.failed())
      return {};
    HostType type = s.hostType("x");
    SmallVector<int64_t> offsets(shapeOf(x).size(), 0), sizes(shapeOf(x)),
        ones(offsets.size(), 1);
    for (int64_t axis : axes)
      sizes[axis] = 1;
    // The first elements count, and count again where that changes nothing.
    bool isExtreme = operation == "maximum" || operation == "minimum";
    Value start = isExtreme ? s.slice(x, offsets, sizes, ones)
                            : s.host().filled(sizes, type, operation == "mul");
    Value result = s.host().loop(
        shapeOf(x), start,
        [&](HostBuilder &inner, ArrayRef<Value> place, Value tensor) -> Value {
          SmallVector<Value> to = withoutAxes(inner, place, axes);
          Value element = inner.extract(x, place);
          if (each)
            element = each(inner, type, element);
          Value sum = combineOnHost(inner, operation, type,
                                    inner.extract(tensor, to), element);
          return tensor::InsertOp::create(inner.builder, inner.loc, sum, tensor,
                                          to);
        });
    if (isMean)
      result = s.host().elementwise(
          result, type.element, [&](HostBuilder &inner, ValueRange scalars) {
            int64_t count = ShapedType::getNumElements(shapeOf(x)) /
                            ShapedType::getNumElements(sizes);
            return combineOnHost(inner, "real_div", type, scalars[0],
                                 inner.number(type, count));
          });
    return dropAxes(s, result, axes, keep);
  });
}

/// Of equal elements the first is found.
static void addSearch(MILImporter &importer, StringRef name, bool isMax) {
  importer.addHost(name, [isMax](Statement &s) -> Value {
    Value x = s.tensor("x");
    if (s.failed())
      return {};
    int64_t axis = s.axis("axis", shapeOf(x).size(), -1);
    bool keep = s.boolean("keep_dims", false);
    if (s.failed())
      return {};
    HostType type = s.hostType("x"), result = s.hostResult();
    if (!result.element || result.isFloat() || result.isBool()) {
      s.error() << "finds places, but is declared with elements of "
                << s.resultElementType();
      return {};
    }
    SmallVector<int64_t> sizes(shapeOf(x));
    sizes[axis] = 1;
    Value found = s.host().loop(
        shapeOf(x), s.host().filled(sizes, result, 0),
        [&](HostBuilder &inner, ArrayRef<Value> place, Value tensor) -> Value {
          SmallVector<Value> to = withoutAxes(inner, place, axis), best(place);
          Value before = inner.extract(tensor, to);
          best[axis] = inner.toPlace(before, result, shapeOf(x)[axis]);
          Value isBetter = isBeyond(inner, type, isMax, inner.extract(x, place),
                                    inner.extract(x, best));
          Value here = arith::IndexCastOp::create(inner.builder, inner.loc,
                                                  result.element, place[axis]);
          here = arith::SelectOp::create(inner.builder, inner.loc, isBetter,
                                         here, before);
          return tensor::InsertOp::create(inner.builder, inner.loc, here,
                                          tensor, to);
        });
    return dropAxes(s, found, axis, keep);
  });
}

/// The first `count` elements in order, each the next one after the one
/// before: of equal elements, the one in front.
Value mlir::ane::searchOnHost(Statement &s, Value x, int64_t axis,
                              int64_t count, bool isMax, HostType result) {
  SmallVector<int64_t> sizes(shapeOf(x)), loops{count};
  int64_t extent = sizes[axis];
  sizes[axis] = count;
  llvm::append_range(loops, shapeOf(x));
  HostType type = s.hostType("x"), place{s.attributes().getI32Type()};
  HostBuilder host = s.host();
  Value found = host.loop(
      loops, host.filled(sizes, place, -1),
      [&](HostBuilder &inner, ArrayRef<Value> at, Value tensor) -> Value {
        OpBuilder &b = inner.builder;
        using Predicate = arith::CmpIPredicate;
        auto compare = [&](Predicate predicate, Value lhs, Value rhs) -> Value {
          return arith::CmpIOp::create(b, inner.loc, predicate, lhs, rhs);
        };
        auto either = [&](Value lhs, Value rhs) -> Value {
          return arith::OrIOp::create(b, inner.loc, lhs, rhs);
        };
        auto both = [&](Value lhs, Value rhs) -> Value {
          return arith::AndIOp::create(b, inner.loc, lhs, rhs);
        };
        Value step = at.front(), zero = inner.index(0);
        at = at.drop_front();
        SmallVector<Value> to(at), before(at);
        to[axis] = step;
        before[axis] = arith::MaxSIOp::create(
            b, inner.loc, zero,
            arith::SubIOp::create(b, inner.loc, step, inner.index(1)));
        Value best = inner.extract(tensor, to);
        Value last = inner.extract(tensor, before);
        auto elementOf = [&](Value number) {
          SmallVector<Value> from(at);
          from[axis] = inner.toPlace(number, place, extent);
          return inner.extract(x, from);
        };
        Value element = inner.extract(x, at), ofLast = elementOf(last);
        Value here =
            arith::IndexCastOp::create(b, inner.loc, place.element, at[axis]);
        // Neither is beyond the other: they are equal.
        Value isEqual = compare(Predicate::eq,
                                isBeyond(inner, type, isMax, ofLast, element),
                                isBeyond(inner, type, isMax, element, ofLast));
        Value isLater =
            either(compare(Predicate::eq, step, zero),
                   either(isBeyond(inner, type, isMax, ofLast, element),
                          both(isEqual, compare(Predicate::sgt, here, last))));
        Value isBetter =
            either(compare(Predicate::slt, best, inner.number(place, 0)),
                   isBeyond(inner, type, isMax, element, elementOf(best)));
        here = arith::SelectOp::create(b, inner.loc, both(isLater, isBetter),
                                       here, best);
        return tensor::InsertOp::create(b, inner.loc, here, tensor, to);
      });
  return host.convert(found, place, result);
}

/// Sums of what stands before an element, with it or not.
static Value hostCumsum(Statement &s) {
  Value x = s.tensor("x");
  if (!checkIntegers(s, "x", "x"))
    return {};
  int64_t axis = s.axis("axis", shapeOf(x).size(), 0);
  bool exclusive = s.boolean("exclusive", false);
  bool reverse = s.boolean("reverse", false);
  if (s.failed())
    return {};
  HostType type = s.hostType("x");
  return s.host().loop(
      shapeOf(x), s.host().filled(shapeOf(x), type, 0),
      [&](HostBuilder &inner, ArrayRef<Value> place, Value tensor) -> Value {
        OpBuilder &b = inner.builder;
        Value zero = inner.index(0), one = inner.index(1);
        Value isFirst = arith::CmpIOp::create(
            b, inner.loc, arith::CmpIPredicate::eq, place[axis], zero);
        Value before = arith::SubIOp::create(b, inner.loc, place[axis], one);
        before = arith::SelectOp::create(b, inner.loc, isFirst, zero, before);
        SmallVector<Value> to(place), last(place);
        last[axis] = before;
        if (reverse)
          for (SmallVector<Value> *at : {&to, &last})
            (*at)[axis] = arith::SubIOp::create(
                b, inner.loc, inner.index(shapeOf(x)[axis] - 1), (*at)[axis]);
        auto unlessFirst = [&](Value value) -> Value {
          return arith::SelectOp::create(b, inner.loc, isFirst,
                                         inner.number(type, 0), value);
        };
        Value sum = unlessFirst(inner.extract(tensor, last));
        Value added = exclusive ? unlessFirst(inner.extract(x, last))
                                : inner.extract(x, to);
        sum = arith::AddIOp::create(b, inner.loc, sum, added);
        return tensor::InsertOp::create(b, inner.loc, sum, tensor, to);
      });
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

void mlir::ane::addMILHostImport(MILImporter &importer) {
  importer.takeHost({"argsort",
                     "band_part",
                     "concat",
                     "expand_dims",
                     "flatten2d",
                     "gather",
                     "gather_along_axis",
                     "gather_nd",
                     "one_hot",
                     "pad",
                     "reshape",
                     "reshape_like",
                     "reverse",
                     "reverse_sequence",
                     "scatter",
                     "scatter_along_axis",
                     "scatter_nd",
                     "slice_by_index",
                     "slice_by_size",
                     "slice_update",
                     "sliding_windows",
                     "split",
                     "squeeze",
                     "stack",
                     "tile",
                     "topk",
                     "transpose"});
  for (StringRef name : {"add", "sub", "mul", "real_div", "floor_div", "mod",
                         "maximum", "minimum"})
    addArithmetic(importer, name);
  using Predicate = arith::CmpIPredicate;
  using Floats = arith::CmpFPredicate;
  addComparison(importer, "equal", Predicate::eq, Predicate::eq, Floats::OEQ);
  addComparison(importer, "not_equal", Predicate::ne, Predicate::ne,
                Floats::UNE);
  addComparison(importer, "less", Predicate::slt, Predicate::ult, Floats::OLT);
  addComparison(importer, "less_equal", Predicate::sle, Predicate::ule,
                Floats::OLE);
  addComparison(importer, "greater", Predicate::sgt, Predicate::ugt,
                Floats::OGT);
  addComparison(importer, "greater_equal", Predicate::sge, Predicate::uge,
                Floats::OGE);
  addLogic<arith::AndIOp>(importer, "logical_and");
  addLogic<arith::OrIOp>(importer, "logical_or");
  addLogic<arith::XOrIOp>(importer, "logical_xor");
  addUnary(importer, "abs", absolute);
  addUnary(importer, "logical_not", invert);
  addUnary(importer, "relu", rectify);
  addUnary(importer, "sign", signOf);
  addUnary(importer, "square", square);
  importer.addHost("pow", hostPower);
  importer.addHost("select", hostSelect);
  importer.addHost("cast", hostCast);
  importer.addHost("identity", [](Statement &s) { return s.tensor("x"); });
  addReduction(importer, "reduce_sum", "add");
  addReduction(importer, "reduce_l1_norm", "add", absolute);
  addReduction(importer, "reduce_mean", "add", nullptr, /*isMean=*/true);
  addReduction(importer, "reduce_sum_square", "add", square);
  addReduction(importer, "reduce_prod", "mul");
  addReduction(importer, "reduce_max", "maximum");
  addReduction(importer, "reduce_min", "minimum");
  addSearch(importer, "reduce_argmax", /*isMax=*/true);
  addSearch(importer, "reduce_argmin", /*isMax=*/false);
  importer.addHost("cumsum", hostCumsum);
}
