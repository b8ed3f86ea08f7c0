//===- LowerImages.cpp - Images of other sizes, for the host --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The definitions of Dialect/ANE/Transforms/EvaluateOps.cpp, in f32, without
// the epilogue of an op.
//
//===----------------------------------------------------------------------===//

#include "LowerFunctions.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Utils/Evaluate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::ane;

static HostType singleOf(HostBuilder &host) {
  return {host.builder.getF32Type()};
}

static Value toSingle(HostBuilder &host, Value x) {
  return host.convert(x, HostType::of(x.getType()), singleOf(host));
}

//===----------------------------------------------------------------------===//
// Resize
//===----------------------------------------------------------------------===//

namespace {
/// Where each row or column of the result is taken from, as constants: two
/// neighbours, which are both inside, and the share of the second.
struct Taps {
  Value first, second, share;
};
} // namespace

static Taps tapsOf(HostBuilder &host, ResizeOp op, unsigned dim) {
  int64_t last = shapeOf(op.getInput())[dim] - 1;
  SmallVector<int64_t> first, second;
  SmallVector<float> share;
  std::optional<SmallVector<ResizeTap>> taps = getResizeTaps(op, dim);
  for (ResizeTap tap : *taps) {
    first.push_back(tap.index);
    second.push_back(std::min(tap.index + 1, last));
    share.push_back(tap.weight);
  }
  int64_t count = share.size();
  auto whole = RankedTensorType::get(count, host.builder.getI64Type());
  auto single = RankedTensorType::get(count, host.builder.getF32Type());
  return {host.constant(DenseElementsAttr::get(whole, ArrayRef(first))),
          host.constant(DenseElementsAttr::get(whole, ArrayRef(second))),
          host.constant(DenseElementsAttr::get(single, ArrayRef(share)))};
}

Value mlir::ane::lowerResize(HostBuilder &host, ResizeOp op) {
  Value x = toSingle(host, op.getInput());
  Taps rows = tapsOf(host, op, 2), columns = tapsOf(host, op, 3);
  HostType single = singleOf(host);
  return host.generate(
      shapeOf(op.getResult()), single.element,
      [&](HostBuilder &inner, ArrayRef<Value> place) {
        auto binary = [&](ElementwiseKind kind, Value lhs, Value rhs) {
          return lowerElementwise(inner, kind, lhs, rhs);
        };
        auto between = [&](Value a, Value b, Value share) {
          Value rest =
              binary(ElementwiseKind::Sub, inner.number(single, 1), share);
          return binary(ElementwiseKind::Add,
                        binary(ElementwiseKind::Mul, a, rest),
                        binary(ElementwiseKind::Mul, b, share));
        };
        auto indexOf = [&](Value tap, Value at) -> Value {
          return arith::IndexCastOp::create(inner.builder, inner.loc,
                                            inner.builder.getIndexType(),
                                            inner.extract(tap, at));
        };
        Value share = inner.extract(columns.share, place[3]);
        auto ofRow = [&](Value tap) {
          Value row = indexOf(tap, place[2]);
          auto at = [&](Value column) {
            return inner.extract(
                x, {place[0], place[1], row, indexOf(column, place[3])});
          };
          return between(at(columns.first), at(columns.second), share);
        };
        return between(ofRow(rows.first), ofRow(rows.second),
                       inner.extract(rows.share, place[2]));
      });
}

//===----------------------------------------------------------------------===//
// Transposed convolution
//===----------------------------------------------------------------------===//

/// The index of an element that stands at `place` where there are `stride - 1`
/// zeros between two of them and `low` in front. `isInside` tells zeros.
static Value withoutGaps(HostBuilder &b, Value place, int64_t low,
                         int64_t stride, int64_t extent, Value &isInside) {
  using Predicate = arith::CmpIPredicate;
  auto both = [&](Predicate predicate, Value lhs, Value rhs) {
    Value holds = arith::CmpIOp::create(b.builder, b.loc, predicate, lhs, rhs);
    isInside = isInside
                   ? arith::AndIOp::create(b.builder, b.loc, isInside, holds)
                   : holds;
  };
  Value zero = b.index(0), last = b.index(extent - 1);
  Value at = arith::SubIOp::create(b.builder, b.loc, place, b.index(low));
  both(Predicate::sge, at, zero);
  at = arith::MaxSIOp::create(b.builder, b.loc, at, zero);
  Value rest = arith::RemUIOp::create(b.builder, b.loc, at, b.index(stride));
  both(Predicate::eq, rest, zero);
  at = arith::DivUIOp::create(b.builder, b.loc, at, b.index(stride));
  both(Predicate::ule, at, last);
  return arith::MinUIOp::create(b.builder, b.loc, at, last);
}

/// The input with gaps of zeros, and the zeros around it that its windows see.
static Value spread(HostBuilder &host, ConvTransposeOp op) {
  Value x = toSingle(host, op.getInput());
  ArrayRef<int64_t> taps = shapeOf(op.getWeight());
  SmallVector<int64_t> in(shapeOf(x)), shape = in, low;
  for (int axis : {0, 1}) {
    int64_t reach = (taps[2 + axis] - 1) * op.getDilations()[axis];
    low.push_back(reach - op.getPad()[2 * axis]);
    shape[2 + axis] = shapeOf(op.getResult())[2 + axis] + reach;
  }
  HostType single = singleOf(host);
  return host.generate(shape, single.element,
                       [&](HostBuilder &inner, ArrayRef<Value> place) -> Value {
                         SmallVector<Value> from(place);
                         Value isInside;
                         for (int axis : {0, 1})
                           from[2 + axis] = withoutGaps(
                               inner, place[2 + axis], low[axis],
                               op.getStrides()[axis], in[2 + axis], isInside);
                         return arith::SelectOp::create(
                             inner.builder, inner.loc, isInside,
                             inner.extract(x, from), inner.number(single, 0));
                       });
}

/// The kernel turned round.
static Value turn(HostBuilder &host, Value w) {
  SmallVector<int64_t> taps(shapeOf(w));
  return host.generate(taps, getElementTypeOrSelf(w),
                       [&](HostBuilder &inner, ArrayRef<Value> place) {
                         SmallVector<Value> from(place);
                         for (int axis : {2, 3})
                           from[axis] = arith::SubIOp::create(
                               inner.builder, inner.loc,
                               inner.index(taps[axis] - 1), place[axis]);
                         return inner.extract(w, from);
                       });
}

// Loops over images, groups, channels of a group, rows and columns of the
// result; then channels, rows and columns of the kernel.
Value mlir::ane::lowerConvTranspose(HostBuilder &host, ConvTransposeOp op) {
  ArrayRef<int64_t> out = shapeOf(op.getResult());
  int64_t groups = op.getGroups();
  Value x = spread(host, op), w = turn(host, toSingle(host, op.getWeight()));
  SmallVector<int64_t> in(shapeOf(x)), taps(shapeOf(w));
  int64_t inputs = in[1] / groups, outputs = out[1] / groups;
  x = host.reshape(x, {in[0], groups, inputs, in[2], in[3]});
  w = host.reshape(w, {groups, inputs, outputs, taps[2], taps[3]});
  SmallVector<int64_t> shape = {out[0], groups, outputs, out[2], out[3]};
  SmallVector<int64_t> extents = shape;
  extents.append({inputs, taps[2], taps[3]});
  MLIRContext *context = op.getContext();
  auto dim = [&](int64_t index) { return getAffineDimExpr(index, context); };
  auto mapOf = [&](ArrayRef<AffineExpr> places) {
    return AffineMap::get(8, 0, places, context);
  };
  AffineExpr row = dim(3) + dim(6) * op.getDilations()[0];
  AffineExpr column = dim(4) + dim(7) * op.getDilations()[1];
  Value sums = host.accumulate(
      {x, w}, host.filled(shape, singleOf(host), 0),
      {mapOf({dim(0), dim(1), dim(5), row, column}),
       mapOf({dim(1), dim(5), dim(2), dim(6), dim(7)}),
       mapOf({dim(0), dim(1), dim(2), dim(3), dim(4)})},
      extents, [](HostBuilder &inner, ValueRange x) {
        Value product =
            lowerElementwise(inner, ElementwiseKind::Mul, x[0], x[1]);
        return lowerElementwise(inner, ElementwiseKind::Add, x[2], product);
      });
  return host.reshape(sums, out);
}

Value mlir::ane::lowerInterleave(HostBuilder &host, InterleaveOp op) {
  return host.generate(
      shapeOf(op.getResult()), getElementTypeOrSelf(op.getInput()),
      [&](HostBuilder &inner, ArrayRef<Value> place) {
        OpBuilder &b = inner.builder;
        Value factor = inner.index(op.getFactor());
        Value lane = arith::RemUIOp::create(b, inner.loc, place[3], factor);
        Value first = arith::MulIOp::create(b, inner.loc, place[1], factor);
        Value channel = arith::AddIOp::create(b, inner.loc, first, lane);
        Value column = arith::DivUIOp::create(b, inner.loc, place[3], factor);
        return inner.extract(op.getInput(),
                             {place[0], channel, place[2], column});
      });
}
