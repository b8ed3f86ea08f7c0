//===- HostSampling.cpp - Images at computed coordinates, on the host -----===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MIL's resample is the grid_sample of PyTorch, from where exporters take it,
// and affine is that after an affine_grid: a
// coordinate is a column, then a row; those from -1 to 1 name the centres of
// the outermost pixels where corners are aligned, else their edges.
//
//===----------------------------------------------------------------------===//

#include "Regions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

/// What the text says of a resample.
struct Sampling {
  bool isNearest, keepsInside, reflects, alignsCorners, isNormalized;
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
  Value reflect(Value coordinate, int64_t extent) const;

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
  if (sampling.reflects)
    coordinate = reflect(coordinate, extent);
  coordinate = arith::MaximumFOp::create(b(), at(), coordinate, num(0));
  return arith::MinimumFOp::create(b(), at(), coordinate, num(size - 1));
}

// There and back between the centres of the outermost pixels where corners are
// aligned, else between their edges.
Value Sampler::reflect(Value coordinate, int64_t extent) const {
  double low = sampling.alignsCorners ? 0 : -0.5;
  double span = sampling.alignsCorners ? extent - 1 : extent;
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

/// The modes of a statement, or an error.
static Sampling readSampling(Statement &s) {
  StringRef mode = s.string("sampling_mode", "bilinear");
  StringRef padding = s.string("padding_mode", "constant");
  StringRef coordinates = s.string("coordinates_mode", "unnormalized");
  if (!s.failed() && mode != "nearest" && mode != "bilinear")
    s.error() << "sampling_mode is '" << mode
              << "', but must be nearest or bilinear";
  bool reflects = padding == "reflection";
  if (!s.failed() && padding != "constant" && padding != "border" && !reflects)
    s.error() << "padding_mode is '" << padding
              << "', but the host knows constant, border and reflection";
  bool fromMinus = coordinates == "normalized_minus_one_to_one";
  bool isNormalized = fromMinus || coordinates == "normalized_zero_to_one";
  if (!s.failed() && !isNormalized && coordinates != "unnormalized")
    s.error() << "coordinates_mode is '" << coordinates
              << "', but must be unnormalized, normalized_minus_one_to_one or "
                 "normalized_zero_to_one";
  return {mode == "nearest",
          padding != "constant",
          reflects,
          s.boolean("align_corners", false),
          isNormalized,
          fromMinus ? -1.0 : 0.0,
          s.number("padding_value", 0.0)};
}

/// `body` gives the column and the row, as the text counts them, of a place.
using Coordinates = function_ref<std::pair<Value, Value>(
    HostBuilder &inner, ArrayRef<Value> place)>;

static Value sampleImages(Statement &s, Value x, const Sampling &sampling,
                          ArrayRef<int64_t> sizes, Coordinates body) {
  HostType to = s.hostType("x");
  ArrayRef<int64_t> in = shapeOf(x);
  return s.host().generate(
      {in[0], in[1], sizes[0], sizes[1]}, to.element,
      [&](HostBuilder &inner, ArrayRef<Value> place) {
        Sampler sampler(inner, sampling);
        auto [column, row] = body(inner, place);
        return inner.convertScalar(
            sample(sampler, x, place, sampler.toPixels(row, in[2]),
                   sampler.toPixels(column, in[3]), sampling.isNearest),
            sampler.single(), to);
      });
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
  HostType from = s.hostType("coordinates");
  return sampleImages(
      s, x, sampling, grid.slice(1, 2),
      [&](HostBuilder &inner, ArrayRef<Value> place) {
        auto read = [&](int64_t which) {
          Value number = inner.extract(
              coordinates, {place[0], place[2], place[3], inner.index(which)});
          return inner.convertScalar(number, from,
                                     {inner.builder.getF32Type()});
        };
        return std::pair(read(0), read(1));
      });
}

/// The places of `count` pixels from -1 to 1: their centres, or where corners
/// are aligned those of the outermost at the ends.
static Value gridOf(Statement &s, int64_t count, bool alignsCorners) {
  std::vector<float> places(count, 0.0f);
  for (int64_t i = 0; i < count; ++i)
    if (!alignsCorners)
      places[i] = (2.0 * i + 1) / count - 1;
    else if (count > 1)
      places[i] = 2.0 * i / (count - 1) - 1;
  auto type = RankedTensorType::get(count, s.getBuilder().getF32Type());
  return s.host().constant(
      DenseElementsAttr::get(type, ArrayRef<float>(places)));
}

// affine_grid of PyTorch before grid_sample: (x, y) = A (column, row, 1).
static Value hostAffine(Statement &s) {
  Value x = s.tensor("x"), matrix = s.tensor("transform_matrix");
  int64_t height = s.integer("output_height"),
          width = s.integer("output_width");
  StringRef mode = s.string("coordinates_mode", "normalized_minus_one_to_one");
  if (s.failed())
    return {};
  Sampling sampling = readSampling(s);
  ArrayRef<int64_t> in = shapeOf(x), sizes = shapeOf(matrix);
  if (!s.failed() && mode != "normalized_minus_one_to_one")
    s.error() << "coordinates_mode is '" << mode
              << "', but the host knows normalized_minus_one_to_one";
  else if (!s.failed() &&
           (in.size() != 4 || sizes != ArrayRef<int64_t>({in[0], 6}) ||
            !s.hostType("x").isFloat()))
    s.error() << "has images of " << x.getType() << " and matrices of "
              << matrix.getType()
              << ", but must have images of rank 4 and six numbers for each";
  else if (!s.failed() && (height < 1 || width < 1 || height > mostFactors ||
                           width > mostFactors))
    s.error() << "makes images of " << height << " x " << width
              << ", but both must be in [1, " << mostFactors << "]";
  if (s.failed())
    return {};
  Value rows = gridOf(s, height, sampling.alignsCorners);
  Value columns = gridOf(s, width, sampling.alignsCorners);
  HostType from = s.hostType("transform_matrix");
  return sampleImages(
      s, x, sampling, {height, width},
      [&](HostBuilder &inner, ArrayRef<Value> place) {
        Sampler sampler(inner, sampling);
        Value row = inner.extract(rows, place[2]);
        Value column = inner.extract(columns, place[3]);
        auto apply = [&](int64_t first) {
          auto factor = [&](int64_t which) {
            Value number =
                inner.extract(matrix, {place[0], inner.index(first + which)});
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
  auto type =
      RankedTensorType::get(regions.sizes[axis], s.getBuilder().getF32Type());
  return s.host().constant(
      DenseElementsAttr::get(type, ArrayRef<float>(shares)));
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
  // What is around the image is chosen behind it.
  Sampling sampling{
      /*isNearest=*/false,    /*keepsInside=*/true,
      /*reflects=*/false,     /*alignsCorners=*/true,
      /*isNormalized=*/false, /*lowest=*/0,
      /*padding=*/0};
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
