//===- HostSampling.cpp - Images at computed coordinates, on the host -----===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Sampling.h says, pixel by pixel.
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "Sampling.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

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
  Value reflect(Value coordinate, int64_t extent) const;

  HostBuilder &host;
  const Sampling &sampling;
};

} // namespace

Value Sampler::toPixels(Value coordinate, int64_t extent) const {
  // Quarters of pixels are exact in f32 up to there.
  auto [low, high] = sampling.boundsOf(extent, 1 << 22);
  coordinate = arith::MaximumFOp::create(b(), at(), coordinate, num(low));
  coordinate = arith::MinimumFOp::create(b(), at(), coordinate, num(high));
  if (sampling.isNormalized)
    coordinate = add(mul(coordinate, num(sampling.scaleOf(extent))),
                     num(sampling.offsetOf(extent)));
  if (!sampling.keepsInside)
    return coordinate;
  if (sampling.reflects)
    coordinate = reflect(coordinate, extent);
  coordinate = arith::MaximumFOp::create(b(), at(), coordinate, num(0));
  return arith::MinimumFOp::create(b(), at(), coordinate,
                                   num(double(extent - 1)));
}

Value Sampler::reflect(Value coordinate, int64_t extent) const {
  double low = sampling.lowOf(), span = sampling.spanOf(extent);
  if (span == 0)
    return num(0);
  Value distance = math::AbsFOp::create(b(), at(), sub(coordinate, num(low)));
  Value turns = floor(arith::DivFOp::create(b(), at(), distance, num(span)));
  Value rest = sub(distance, mul(turns, num(span)));
  Value half = mul(turns, num(0.5));
  Value isBack = arith::CmpFOp::create(b(), at(), arith::CmpFPredicate::UNE,
                                       floor(half), half);
  rest = arith::SelectOp::create(b(), at(), isBack, sub(num(span), rest), rest);
  return add(rest, num(low));
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

/// `body` gives the column and the row, as the text counts them, of a place.
using Coordinates = function_ref<std::pair<Value, Value>(
    HostBuilder &inner, ArrayRef<Value> place)>;

static Value sampleImage(Statement &s, const SampledImage &sampled,
                         Coordinates body) {
  HostType to = s.hostType("x");
  ArrayRef<int64_t> in = shapeOf(sampled.x);
  return s.host().generate(
      {in[0], in[1], sampled.rows, sampled.columns}, to.element,
      [&](HostBuilder &inner, ArrayRef<Value> place) {
        Sampler sampler(inner, sampled.sampling);
        auto [column, row] = body(inner, place);
        return inner.convertScalar(
            sample(sampler, sampled.x, place, sampler.toPixels(row, in[2]),
                   sampler.toPixels(column, in[3]), sampled.sampling.isNearest),
            sampler.single(), to);
      });
}

static Value hostResample(Statement &s) {
  std::optional<SampledImage> sampled = readResample(s);
  if (!sampled)
    return {};
  HostType from = s.hostType("coordinates");
  return sampleImage(
      s, *sampled, [&](HostBuilder &inner, ArrayRef<Value> place) {
        auto read = [&](int64_t which) {
          Value number =
              inner.extract(sampled->coordinates,
                            {place[0], place[2], place[3], inner.index(which)});
          return inner.convertScalar(number, from,
                                     {inner.builder.getF32Type()});
        };
        return std::pair(read(0), read(1));
      });
}

static Value constantOf(Statement &s, ArrayRef<float> numbers) {
  auto type =
      RankedTensorType::get(numbers.size(), s.getBuilder().getF32Type());
  return s.host().constant(DenseElementsAttr::get(type, numbers));
}

// affine_grid of PyTorch before grid_sample: (x, y) = A (column, row, 1).
static Value hostAffine(Statement &s) {
  std::optional<SampledImage> sampled = readAffine(s);
  if (!sampled)
    return {};
  Value rows = constantOf(s, sampled->gridRows);
  Value columns = constantOf(s, sampled->gridColumns);
  HostType from = s.hostType("transform_matrix");
  return sampleImage(
      s, *sampled, [&](HostBuilder &inner, ArrayRef<Value> place) {
        Sampler sampler(inner, sampled->sampling);
        Value row = inner.extract(rows, place[2]);
        Value column = inner.extract(columns, place[3]);
        auto apply = [&](int64_t first) {
          auto factor = [&](int64_t which) {
            Value number = inner.extract(
                sampled->matrix, {place[0], inner.index(first + which)});
            return inner.convertScalar(number, from, sampler.single());
          };
          Value sum = sampler.add(sampler.mul(factor(0), column),
                                  sampler.mul(factor(1), row));
          return sampler.add(sum, factor(2));
        };
        return std::pair(apply(0), apply(3));
      });
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// A number of box `which`, in f32.
static Value numberOf(HostBuilder &inner, const Regions &regions, Value boxes,
                      Value which, int64_t field) {
  Value zero = inner.index(0), at = inner.index(field);
  Value number = regions.isFlat
                     ? inner.extract(boxes, {which, at})
                     : inner.extract(boxes, {which, zero, at, zero, zero});
  return inner.convertScalar(number, HostType::of(number.getType()),
                             {inner.builder.getF32Type()});
}

/// Where sample `index` of box `which` stands along an axis, in pixels.
static Value placeOf(HostBuilder &inner, const Sampler &sampler,
                     const Regions &regions, Value boxes, Value shares,
                     Value which, int axis, Value index) {
  auto corner = [&](int64_t field) {
    return sampler.mul(numberOf(inner, regions, boxes, which, field),
                       sampler.num(regions.scale[axis]));
  };
  Value start = corner(regions.startOf(axis));
  Value span = sampler.sub(corner(regions.endOf(axis)), start);
  if (regions.isOffset)
    span = arith::MaximumFOp::create(inner.builder, inner.loc, span,
                                     sampler.num(1));
  return sampler.add(start, sampler.mul(span, inner.extract(shares, index)));
}

static Value sharesOf(Statement &s, const Regions &regions, int axis) {
  std::vector<float> shares;
  for (int64_t i = 0; i < regions.sizes[axis]; ++i)
    shares.push_back(static_cast<float>(regions.shareOf(axis, i)));
  return constantOf(s, shares);
}

/// The image of box `which`, one of which the host has to say which it is.
static Value imageOf(HostBuilder &inner, const Regions &regions, Value boxes,
                     Value indices, HostType indexType, Value which) {
  int64_t images = shapeOf(regions.x)[0];
  if (indices)
    return inner.toPlace(inner.extract(indices, which), indexType, images);
  if (regions.isFlat)
    return which;
  HostType integer{inner.builder.getI64Type()};
  Value number = numberOf(inner, regions, boxes, which, 0);
  return inner.toPlace(
      inner.convertScalar(number, {inner.builder.getF32Type()}, integer),
      integer, images);
}

static Value hostCropResize(Statement &s) {
  std::optional<Regions> regions = readRegions(s);
  Value boxes = regions ? s.tensor(regions->argument) : Value();
  bool hasIndices = regions && regions->isFlat && s.has("box_indices");
  Value indices = hasIndices ? s.tensor("box_indices") : Value();
  if (s.failed())
    return {};
  HostType to = s.hostType("x"),
           indexType = hasIndices ? s.hostType("box_indices") : HostType();
  if (!s.hostType(regions->argument).isFloat() ||
      (indices && shapeOf(indices) != ArrayRef<int64_t>(regions->count))) {
    s.error() << "has boxes of " << boxes.getType()
              << ", but must have floats, and an index for each of them";
    return {};
  }
  ArrayRef<int64_t> in = shapeOf(regions->x);
  Value shares[] = {sharesOf(s, *regions, 0), sharesOf(s, *regions, 1)};
  // What is around the image is chosen after it.
  Sampling sampling{
      /*isNearest=*/false,    /*keepsInside=*/true,
      /*reflects=*/false,     /*repeatsEdges=*/false,
      /*alignsCorners=*/true, /*isNormalized=*/false,
      /*lowest=*/0,           /*padding=*/0};
  SmallVector<int64_t> shape = regions->resultShape();
  return s.host().generate(
      shape, to.element, [&](HostBuilder &inner, ArrayRef<Value> place) {
        Sampler sampler(inner, sampling);
        OpBuilder &b = inner.builder;
        size_t rank = place.size();
        Value isInside, at[2];
        for (int axis : {0, 1}) {
          Value c = placeOf(inner, sampler, *regions, boxes, shares[axis],
                            place[0], axis, place[rank - 2 + axis]);
          at[axis] = sampler.toPixels(c, in[2 + axis]);
          // What is not moved is inside.
          Value same = arith::CmpFOp::create(
              b, inner.loc, arith::CmpFPredicate::OEQ, c, at[axis]);
          isInside = isInside
                         ? arith::AndIOp::create(b, inner.loc, isInside, same)
                         : same;
        }
        Value image =
            regions->ofAllImages()
                ? place[1]
                : imageOf(inner, *regions, boxes, indices, indexType, place[0]);
        Value y = sample(sampler, regions->x, {image, place[rank - 3]}, at[0],
                         at[1], /*isNearest=*/false);
        y = arith::SelectOp::create(b, inner.loc, isInside, y,
                                    sampler.num(regions->padding));
        return inner.convertScalar(y, sampler.single(), to);
      });
}

void mlir::ane::addMILHostSampling(MILImporter &importer) {
  importer.addHost("affine", hostAffine);
  importer.addHost("crop_resize", hostCropResize);
  importer.addHost("resample", hostResample);
}
