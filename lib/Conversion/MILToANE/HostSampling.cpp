//===- HostSampling.cpp - Images at computed coordinates, on the host -----===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MIL's resample is the grid_sample of PyTorch, from where exporters take it: a
// coordinate is a column, then a row; those from -1 to 1 name the centres of
// the outermost pixels where corners are aligned, else their edges.
//
//===----------------------------------------------------------------------===//

#include "Statement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

/// What the text says of a resample.
struct Sampling {
  bool isNearest, keepsInside, alignsCorners, isNormalized;
  double lowest; ///< where normalized coordinates start: at -1 or 0
  double padding;
};

/// f32 arithmetic on one image.
class Sampler {
public:
  Sampler(HostBuilder &host, const Sampling &sampling)
      : host(host), sampling(sampling) {}

  /// A coordinate in pixels of `extent`.
  Value toPixels(Value coordinate, int64_t extent) const;
  Value floor(Value x) const { return math::FloorOp::create(b(), at(), x); }
  Value round(Value x) const { return math::RoundEvenOp::create(b(), at(), x); }
  Value add(Value x, Value y) const {
    return arith::AddFOp::create(b(), at(), x, y);
  }
  Value sub(Value x, Value y) const {
    return arith::SubFOp::create(b(), at(), x, y);
  }
  Value mul(Value x, Value y) const {
    return arith::MulFOp::create(b(), at(), x, y);
  }
  Value num(double value) const { return host.number(single(), value); }
  HostType single() const { return {b().getF32Type()}; }

  /// The pixel at whole coordinates, or what is around the image.
  Value pixel(Value x, Value image, Value channel, Value row,
              Value column) const;

private:
  OpBuilder &b() const { return host.builder; }
  Location at() const { return host.loc; }
  Value toIndex(Value coordinate, int64_t extent, Value &isInside) const;

  HostBuilder &host;
  const Sampling &sampling;
};

} // namespace

Value Sampler::toPixels(Value coordinate, int64_t extent) const {
  double size = extent, span = sampling.lowest < 0 ? 2 : 1;
  if (sampling.isNormalized) {
    double scale = (sampling.alignsCorners ? size - 1 : size) / span;
    coordinate = mul(sub(coordinate, num(sampling.lowest)), num(scale));
    if (!sampling.alignsCorners)
      coordinate = sub(coordinate, num(0.5));
  }
  if (!sampling.keepsInside)
    return coordinate;
  coordinate = arith::MaximumFOp::create(b(), at(), coordinate, num(0));
  return arith::MinimumFOp::create(b(), at(), coordinate, num(size - 1));
}

// No number, and what no integer is, reads inside, too.
Value Sampler::toIndex(Value coordinate, int64_t extent,
                       Value &isInside) const {
  using Predicate = arith::CmpFPredicate;
  Value behind =
      arith::CmpFOp::create(b(), at(), Predicate::OGE, coordinate, num(0));
  Value before = arith::CmpFOp::create(b(), at(), Predicate::OLE, coordinate,
                                       num(static_cast<double>(extent - 1)));
  Value both = arith::AndIOp::create(b(), at(), behind, before);
  isInside = isInside ? arith::AndIOp::create(b(), at(), isInside, both) : both;
  HostType integer{b().getI64Type()};
  return host.toPlace(host.convertScalar(coordinate, single(), integer),
                      integer, extent);
}

Value Sampler::pixel(Value x, Value image, Value channel, Value row,
                     Value column) const {
  Value isInside;
  Value i = toIndex(row, shapeOf(x)[2], isInside);
  Value j = toIndex(column, shapeOf(x)[3], isInside);
  Value element = host.extract(x, {image, channel, i, j});
  element =
      host.convertScalar(element, HostType::of(element.getType()), single());
  return arith::SelectOp::create(b(), at(), isInside, element,
                                 num(sampling.padding));
}

static Value sample(const Sampler &sampler, Value x, ArrayRef<Value> place,
                    Value row, Value column, bool isNearest) {
  auto at = [&](Value i, Value j) {
    return sampler.pixel(x, place[0], place[1], i, j);
  };
  if (isNearest)
    return at(sampler.round(row), sampler.round(column));
  Value one = sampler.num(1);
  Value top = sampler.floor(row), left = sampler.floor(column);
  Value down = sampler.sub(row, top), right = sampler.sub(column, left);
  auto between = [&](Value a, Value b, Value weight) {
    return sampler.add(sampler.mul(a, sampler.sub(one, weight)),
                       sampler.mul(b, weight));
  };
  auto ofRow = [&](Value i) {
    return between(at(i, left), at(i, sampler.add(left, one)), right);
  };
  return between(ofRow(top), ofRow(sampler.add(top, one)), down);
}

/// The modes of a statement, or an error.
static Sampling readSampling(Statement &s) {
  StringRef mode = s.string("sampling_mode", "bilinear");
  StringRef padding = s.string("padding_mode", "constant");
  StringRef coordinates = s.string("coordinates_mode", "unnormalized");
  if (!s.failed() && mode != "nearest" && mode != "bilinear")
    s.error() << "sampling_mode is '" << mode
              << "', but must be nearest or bilinear";
  if (!s.failed() && padding != "constant" && padding != "border")
    s.error() << "padding_mode is '" << padding
              << "', but the host knows constant and border";
  bool fromMinus = coordinates == "normalized_minus_one_to_one";
  bool isNormalized = fromMinus || coordinates == "normalized_zero_to_one";
  if (!s.failed() && !isNormalized && coordinates != "unnormalized")
    s.error() << "coordinates_mode is '" << coordinates
              << "', but must be unnormalized, normalized_minus_one_to_one or "
                 "normalized_zero_to_one";
  return {mode == "nearest",
          padding == "border",
          s.boolean("align_corners", false),
          isNormalized,
          fromMinus ? -1.0 : 0.0,
          s.number("padding_value", 0.0)};
}

static Value hostResample(Statement &s) {
  Value x = s.tensor("x"), coordinates = s.tensor("coordinates");
  if (s.failed())
    return {};
  Sampling sampling = readSampling(s);
  ArrayRef<int64_t> in = shapeOf(x), grid = shapeOf(coordinates);
  if (!s.failed() && (in.size() != 4 || grid.size() != 4 || grid[3] != 2 ||
                      grid[0] != in[0] || !s.hostType("x").isFloat()))
    s.error() << "has images of " << x.getType() << " and coordinates of "
              << coordinates.getType()
              << ", but must have images of rank 4 and for each of them a grid "
                 "of two coordinates";
  if (s.failed())
    return {};
  HostType from = s.hostType("coordinates"), to = s.hostType("x");
  return s.host().generate(
      {in[0], in[1], grid[1], grid[2]}, to.element,
      [&](HostBuilder &inner, ArrayRef<Value> place) {
        Sampler sampler(inner, sampling);
        auto coordinate = [&](int64_t which, int64_t extent) {
          Value number = inner.extract(
              coordinates, {place[0], place[2], place[3], inner.index(which)});
          return sampler.toPixels(
              inner.convertScalar(number, from, sampler.single()), extent);
        };
        Value column = coordinate(0, in[3]), row = coordinate(1, in[2]);
        return inner.convertScalar(
            sample(sampler, x, place, row, column, sampling.isNearest),
            sampler.single(), to);
      });
}

void mlir::ane::addMILHostSampling(MILImporter &importer) {
  importer.addHost("resample", hostResample);
}
