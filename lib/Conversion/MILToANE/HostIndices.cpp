//===- HostIndices.cpp - Reads and writes at indices, on the host ---------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostIndices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// gather
//===----------------------------------------------------------------------===//

Value mlir::ane::gatherOnHost(Statement &s, Value x, int64_t axis,
                              int64_t batch, ArrayRef<int64_t> shape) {
  Value indices = s.tensor("indices");
  if (s.failed())
    return {};
  HostType type = s.hostType("indices");
  int64_t many = shapeOf(indices).size() - batch, extent = shapeOf(x)[axis];
  return s.host().generate(
      shape, getElementTypeOrSelf(x),
      [&](HostBuilder &inner, ArrayRef<Value> place) {
        SmallVector<Value> at(place.take_front(batch));
        llvm::append_range(at, place.slice(axis, many));
        SmallVector<Value> from(place.take_front(axis));
        from.push_back(inner.toPlace(inner.extract(indices, at), type, extent));
        llvm::append_range(from, place.drop_front(axis + many));
        return inner.extract(x, from);
      });
}

Value mlir::ane::gatherAlongAxisOnHost(Statement &s, Value x, Value indices,
                                       int64_t axis) {
  HostType type = s.hostType("indices");
  return s.host().generate(shapeOf(indices), getElementTypeOrSelf(x),
                           [&](HostBuilder &inner, ArrayRef<Value> place) {
                             SmallVector<Value> from(place);
                             from[axis] =
                                 inner.toPlace(inner.extract(indices, place),
                                               type, shapeOf(x)[axis]);
                             return inner.extract(x, from);
                           });
}

/// Where the coordinates at `place` name an element, their last dimension
/// apart. `isInside` says whether all of them do.
static SmallVector<Value> readCoordinates(HostBuilder &inner, Value coordinates,
                                          HostType type, ArrayRef<Value> place,
                                          ArrayRef<int64_t> extents,
                                          Value *isInside = nullptr) {
  SmallVector<Value> from, at(place);
  at.push_back({});
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    at.back() = inner.index(dim);
    Value inside;
    from.push_back(inner.toPlace(inner.extract(coordinates, at), type, extent,
                                 isInside ? &inside : nullptr));
    if (isInside)
      *isInside = dim == 0 ? inside
                           : Value(arith::AndIOp::create(
                                 inner.builder, inner.loc, *isInside, inside));
  }
  return from;
}

Value mlir::ane::gatherNdOnHost(Statement &s, Value x, int64_t batch,
                                int64_t depth, ArrayRef<int64_t> shape) {
  Value indices = s.tensor("indices");
  if (s.failed())
    return {};
  HostType type = s.hostType("indices");
  size_t many = shapeOf(indices).size() - 1;
  return s.host().generate(
      shape, getElementTypeOrSelf(x),
      [&](HostBuilder &inner, ArrayRef<Value> place) {
        SmallVector<Value> from(place.take_front(batch));
        llvm::append_range(
            from, readCoordinates(inner, indices, type, place.take_front(many),
                                  shapeOf(x).slice(batch, depth)));
        llvm::append_range(from, place.drop_front(many));
        return inner.extract(x, from);
      });
}

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

/// Floats and integers have ops of their own, these with and without a sign.
template <typename FloatOp, typename SignedOp, typename UnsignedOp>
static Value combineBy(HostBuilder &b, HostType type, Value lhs, Value rhs) {
  if (type.isFloat())
    return FloatOp::create(b.builder, b.loc, lhs, rhs);
  if (type.isUnsigned)
    return UnsignedOp::create(b.builder, b.loc, lhs, rhs);
  return SignedOp::create(b.builder, b.loc, lhs, rhs);
}

// In 64 bits no quotient overflows; a processor may stop at a zero.
static Value divideIntegers(HostBuilder &b, StringRef operation, HostType type,
                            Value lhs, Value rhs) {
  HostType wide{b.builder.getI64Type()};
  lhs = b.convertScalar(lhs, type, wide);
  rhs = b.convertScalar(rhs, type, wide);
  Value zero = b.number(wide, 0), one = b.number(wide, 1);
  Value isZero = arith::CmpIOp::create(b.builder, b.loc,
                                       arith::CmpIPredicate::eq, rhs, zero);
  Value divisor = arith::SelectOp::create(b.builder, b.loc, isZero, one, rhs);
  Value result;
  if (operation == "real_div") {
    result = arith::DivSIOp::create(b.builder, b.loc, lhs, divisor);
  } else {
    result = arith::FloorDivSIOp::create(b.builder, b.loc, lhs, divisor);
    if (operation == "mod") {
      Value whole = arith::MulIOp::create(b.builder, b.loc, result, divisor);
      result = arith::SubIOp::create(b.builder, b.loc, lhs, whole);
    }
  }
  result = arith::SelectOp::create(b.builder, b.loc, isZero, zero, result);
  return b.convertScalar(result, wide, type);
}

Value mlir::ane::combineOnHost(HostBuilder &b, StringRef operation,
                               HostType type, Value lhs, Value rhs) {
  using Combine = Value (*)(HostBuilder &, HostType, Value, Value);
  Combine combine =
      llvm::StringSwitch<Combine>(operation)
          .Case("add", combineBy<arith::AddFOp, arith::AddIOp, arith::AddIOp>)
          .Case("sub", combineBy<arith::SubFOp, arith::SubIOp, arith::SubIOp>)
          .Case("mul", combineBy<arith::MulFOp, arith::MulIOp, arith::MulIOp>)
          .Case("maximum",
                combineBy<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>)
          .Case("minimum",
                combineBy<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>)
          .Default(nullptr);
  if (combine)
    return combine(b, type, lhs, rhs);
  if (operation == "real_div" && type.isFloat())
    return arith::DivFOp::create(b.builder, b.loc, lhs, rhs);
  bool divides =
      operation == "real_div" || operation == "floor_div" || operation == "mod";
  return divides && !type.isFloat()
             ? divideIntegers(b, operation, type, lhs, rhs)
             : Value();
}

/// The places of `data` that the update at a place changes, and whether there
/// is one.
using Target = function_ref<SmallVector<Value>(
    HostBuilder &inner, ArrayRef<Value> place, Value &isInside)>;

static Value scatter(Statement &s, Value data, Value updates, Target target) {
  StringRef mode = s.string("mode", "add");
  StringRef operation = llvm::StringSwitch<StringRef>(mode)
                            .Case("div", "real_div")
                            .Case("max", "maximum")
                            .Case("min", "minimum")
                            .Cases({"add", "sub", "mul", "update"}, mode)
                            .Default("");
  if (!s.failed() && operation.empty())
    s.error() << "mode is '" << mode
              << "', but must be add, sub, mul, div, max, min or update";
  if (s.failed())
    return {};
  HostType type = s.hostType("data");
  return s.host().loop(
      shapeOf(updates), data,
      [&](HostBuilder &inner, ArrayRef<Value> place, Value tensor) -> Value {
        Value isInside;
        SmallVector<Value> to = target(inner, place, isInside);
        Value before = inner.extract(tensor, to);
        Value after = inner.extract(updates, place);
        if (operation != "update")
          after = combineOnHost(inner, operation, type, before, after);
        after = arith::SelectOp::create(inner.builder, inner.loc, isInside,
                                        after, before);
        return tensor::InsertOp::create(inner.builder, inner.loc, after, tensor,
                                        to);
      });
}

Value mlir::ane::scatterOnHost(Statement &s, Value data, Value updates,
                               int64_t axis) {
  Value indices = s.tensor("indices");
  if (s.failed())
    return {};
  HostType type = s.hostType("indices");
  size_t many = shapeOf(indices).size();
  return scatter(
      s, data, updates,
      [&](HostBuilder &inner, ArrayRef<Value> place, Value &isInside) {
        SmallVector<Value> to(place.take_front(axis));
        to.push_back(
            inner.toPlace(inner.extract(indices, place.slice(axis, many)), type,
                          shapeOf(data)[axis], &isInside));
        llvm::append_range(to, place.drop_front(axis + many));
        return to;
      });
}

Value mlir::ane::scatterAlongAxisOnHost(Statement &s, Value data, Value updates,
                                        int64_t axis) {
  Value indices = s.tensor("indices");
  if (s.failed())
    return {};
  HostType type = s.hostType("indices");
  return scatter(
      s, data, updates,
      [&](HostBuilder &inner, ArrayRef<Value> place, Value &isInside) {
        SmallVector<Value> to(place);
        to[axis] = inner.toPlace(inner.extract(indices, place), type,
                                 shapeOf(data)[axis], &isInside);
        return to;
      });
}

Value mlir::ane::scatterNdOnHost(Statement &s, Value data, Value updates,
                                 int64_t depth) {
  Value indices = s.tensor("indices");
  if (s.failed())
    return {};
  HostType type = s.hostType("indices");
  size_t many = shapeOf(indices).size() - 1;
  return scatter(
      s, data, updates,
      [&](HostBuilder &inner, ArrayRef<Value> place, Value &isInside) {
        SmallVector<Value> to =
            readCoordinates(inner, indices, type, place.take_front(many),
                            shapeOf(data).take_front(depth), &isInside);
        llvm::append_range(to, place.drop_front(many));
        return to;
      });
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

SmallVector<Value> mlir::ane::startsOnHost(Statement &s,
                                           ArrayRef<int64_t> extents,
                                           ArrayRef<int64_t> sizes,
                                           ArrayRef<int64_t> strides,
                                           ArrayRef<bool> ignored) {
  Value begin = s.tensor("begin");
  HostType type = s.hostType("begin");
  int64_t rank = extents.size();
  if (!s.failed() && (!type.element || type.isFloat() || type.isBool() ||
                      shapeOf(begin) != ArrayRef(rank)))
    s.error() << "argument 'begin' is of the type " << begin.getType()
              << ", but must be an integer for each of " << rank
              << " dimensions";
  SmallVector<Value> starts;
  for (int64_t dim = 0; dim < rank && !s.failed(); ++dim) {
    HostBuilder host = s.host();
    int64_t span = (sizes[dim] - 1) * strides[dim] + 1;
    if (sizes[dim] < 1 || strides[dim] < 1 || span > extents[dim])
      s.error() << "takes " << sizes[dim] << " elements with the stride "
                << strides[dim] << " along dimension " << dim << ", which has "
                << extents[dim];
    else if (ignored[dim])
      starts.push_back(host.index(0));
    else
      starts.push_back(host.toPlace(host.extract(begin, host.index(dim)), type,
                                    extents[dim], /*isInside=*/nullptr, span));
  }
  return starts;
}

Value mlir::ane::sliceByIndexOnHost(Statement &s, Value x) {
  size_t rank = shapeOf(x).size();
  auto strides = s.fixedIntegers("stride", rank, 1, 1);
  auto ignored = s.booleans("begin_mask", rank);
  auto squeeze = s.booleans("squeeze_mask", rank);
  if (s.failed())
    return {};
  SmallVector<int64_t> shape(s.resultShape()), sizes = shape;
  for (size_t dim = 0; dim < rank && dim <= sizes.size(); ++dim)
    if (squeeze[dim])
      sizes.insert(sizes.begin() + dim, 1);
  if (ShapedType::isDynamicShape(shape) || sizes.size() != rank) {
    s.error() << "takes a part of " << x.getType()
              << " from where the host says, but is not declared with " << rank
              << " fixed sizes, which a program has";
    return {};
  }
  SmallVector<Value> starts =
      startsOnHost(s, shapeOf(x), sizes, strides, ignored);
  return s.failed()
             ? Value()
             : s.reshape(s.host().slice(x, starts, sizes, strides), shape);
}

Value mlir::ane::sliceUpdateOnHost(Statement &s, Value x, Value update) {
  size_t rank = shapeOf(x).size();
  auto strides = s.fixedIntegers("stride", rank, 1, 1);
  auto ignored = s.booleans("begin_mask", rank);
  auto squeeze = s.booleans("squeeze_mask", rank);
  if (s.failed())
    return {};
  SmallVector<int64_t> box(shapeOf(update));
  if (box.size() != rank)
    for (size_t dim = 0; dim < rank && dim <= box.size(); ++dim)
      if (squeeze[dim])
        box.insert(box.begin() + dim, 1);
  if (box.size() != rank ||
      getElementTypeOrSelf(update) != getElementTypeOrSelf(x)) {
    s.error() << "replaces a part of " << x.getType() << " by "
              << update.getType();
    return {};
  }
  SmallVector<Value> starts =
      startsOnHost(s, shapeOf(x), box, strides, ignored);
  if (s.failed())
    return {};
  return s.host().replace(x, s.reshape(update, box), starts, strides);
}

// A sequence is no longer than there are elements, and no shorter than none.
Value mlir::ane::reverseOnHost(Statement &s, Value x, int64_t axis) {
  return s.host().generate(shapeOf(x), getElementTypeOrSelf(x),
                           [&](HostBuilder &inner, ArrayRef<Value> place) {
                             SmallVector<Value> from(place);
                             from[axis] = arith::SubIOp::create(
                                 inner.builder, inner.loc,
                                 inner.index(shapeOf(x)[axis] - 1),
                                 place[axis]);
                             return inner.extract(x, from);
                           });
}

Value mlir::ane::reverseSequenceOnHost(Statement &s, Value x, int64_t axis,
                                       int64_t batch) {
  Value lengths = s.tensor("lengths");
  HostType type = s.hostType("lengths");
  int64_t batches = shapeOf(x)[batch], extent = shapeOf(x)[axis];
  if (!s.failed() && (!type.element || type.isFloat() || type.isBool() ||
                      shapeOf(lengths) != ArrayRef(batches)))
    s.error() << "argument 'lengths' is of the type " << lengths.getType()
              << ", but must be an integer for each of " << batches
              << " batches";
  if (s.failed())
    return {};
  return s.host().generate(
      shapeOf(x), getElementTypeOrSelf(x),
      [&](HostBuilder &inner, ArrayRef<Value> place) {
        OpBuilder &b = inner.builder;
        Value number = inner.extract(lengths, place[batch]);
        Value length = type.isUnsigned
                           ? Value(arith::IndexCastUIOp::create(
                                 b, inner.loc, b.getIndexType(), number))
                           : arith::IndexCastOp::create(
                                 b, inner.loc, b.getIndexType(), number);
        length =
            arith::MinSIOp::create(b, inner.loc, length, inner.index(extent));
        Value isInside = arith::CmpIOp::create(
            b, inner.loc, arith::CmpIPredicate::slt, place[axis], length);
        Value last =
            arith::SubIOp::create(b, inner.loc, length, inner.index(1));
        Value turned = arith::SubIOp::create(b, inner.loc, last, place[axis]);
        SmallVector<Value> from(place);
        from[axis] = arith::SelectOp::create(b, inner.loc, isInside, turned,
                                             place[axis]);
        return inner.extract(x, from);
      });
}

//===----------------------------------------------------------------------===//
// one_hot
//===----------------------------------------------------------------------===//

// An index outside of the vector lights nothing.
Value mlir::ane::oneHotOnHost(Statement &s, Value indices, int64_t axis,
                              int64_t size, double on, double off) {
  if (!s.hostResult().element) {
    s.error() << "makes elements of " << s.resultElementType()
              << ", which the host does not compute";
    return {};
  }
  if (size < 1 || size > maxMILExtent) {
    s.error() << "makes vectors of " << size << " elements, but must make 1 to "
              << maxMILExtent;
    return {};
  }
  SmallVector<int64_t> shape(shapeOf(indices));
  shape.insert(shape.begin() + axis, size);
  HostType type = s.hostType("indices"), result = s.hostResult();
  return s.host().generate(
      shape, result.element, [&](HostBuilder &inner, ArrayRef<Value> place) {
        SmallVector<Value> at(place.take_front(axis));
        llvm::append_range(at, place.drop_front(axis + 1));
        Value wanted = inner.extract(indices, at);
        Type indexType = inner.builder.getIndexType();
        if (type.isUnsigned)
          wanted = arith::IndexCastUIOp::create(inner.builder, inner.loc,
                                                indexType, wanted);
        else
          wanted = arith::IndexCastOp::create(inner.builder, inner.loc,
                                              indexType, wanted);
        Value isLit = arith::CmpIOp::create(inner.builder, inner.loc,
                                            arith::CmpIPredicate::eq, wanted,
                                            place[axis]);
        return Value(arith::SelectOp::create(inner.builder, inner.loc, isLit,
                                             inner.number(result, on),
                                             inner.number(result, off)));
      });
}
