//===- ImportSampling.cpp - Images at computed coordinates ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine does not read at addresses that it computes. A bilinear sample is
// a sum over all pixels, with weights that are not 0 for four of them: with
//
//   tent(d) = max(0, 1 - |d|)
//   y(p) = sum over rows i of tent(row(p) - i) *
//          sum over columns j of tent(column(p) - j) * x(i, j)
//
// The inner sum is a product of matrices, with what is computed on both sides;
// outside of the image there is no tent, so what is around it is 0.
//
//===----------------------------------------------------------------------===//

#include "Sampling.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// What the text says
//===----------------------------------------------------------------------===//

static Sampling readSampling(Statement &s) {
  StringRef mode = s.string("sampling_mode", "bilinear");
  StringRef padding = s.string("padding_mode", "constant");
  StringRef coordinates = s.string("coordinates_mode", "unnormalized");
  if (!s.failed() && mode != "nearest" && mode != "bilinear")
    s.error() << "sampling_mode is '" << mode
              << "', but must be nearest or bilinear";
  bool isSymmetric = padding == "symmetric";
  bool reflects = isSymmetric || padding == "reflection";
  if (!s.failed() && padding != "constant" && padding != "border" && !reflects)
    s.error() << "padding_mode is '" << padding
              << "', but must be constant, border, reflection or symmetric";
  bool fromMinus = coordinates == "normalized_minus_one_to_one";
  bool isNormalized = fromMinus || coordinates == "normalized_zero_to_one";
  if (!s.failed() && !isNormalized && coordinates != "unnormalized")
    s.error() << "coordinates_mode is '" << coordinates
              << "', but must be unnormalized, normalized_minus_one_to_one or "
                 "normalized_zero_to_one";
  bool alignsCorners = s.boolean("align_corners", false);
  // There and back between the centres of the outermost pixels where corners
  // are aligned, else between their edges, as PyTorch has it.
  return {mode == "nearest",
          padding != "constant",
          reflects,
          isSymmetric || !alignsCorners,
          alignsCorners,
          isNormalized,
          fromMinus ? -1.0 : 0.0,
          s.number("padding_value", 0.0)};
}

/// The places of `count` pixels from -1 to 1: their centres, or where corners
/// are aligned those of the outermost at the ends.
static std::vector<float> placesOfPixels(int64_t count, bool alignsCorners) {
  std::vector<float> places(count, 0.0f);
  for (int64_t i = 0; i < count; ++i)
    if (!alignsCorners)
      places[i] = (2.0 * i + 1) / count - 1;
    else if (count > 1)
      places[i] = 2.0 * i / (count - 1) - 1;
  return places;
}

std::optional<SampledImage> mlir::ane::readResample(Statement &s) {
  SampledImage image{};
  image.x = s.tensor("x");
  image.coordinates = s.tensor("coordinates");
  if (s.failed())
    return std::nullopt;
  image.sampling = readSampling(s);
  if (s.failed())
    return std::nullopt;
  ArrayRef<int64_t> in = shapeOf(image.x), grid = shapeOf(image.coordinates);
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(image.x));
  if (in.size() != 4 || grid.size() != 4 || grid[3] != 2 || grid[0] != in[0] ||
      !isFloat) {
    s.error() << "has images of " << image.x.getType() << " and coordinates of "
              << image.coordinates.getType()
              << ", but must have images of rank 4 and for each of them a grid "
                 "of two coordinates";
    return std::nullopt;
  }
  image.rows = grid[1];
  image.columns = grid[2];
  return image;
}

std::optional<SampledImage> mlir::ane::readAffine(Statement &s) {
  SampledImage image{};
  image.x = s.tensor("x");
  image.matrix = s.tensor("transform_matrix");
  if (s.failed())
    return std::nullopt;
  image.sampling = readSampling(s);
  image.rows = s.integer("output_height");
  image.columns = s.integer("output_width");
  StringRef mode = s.string("coordinates_mode", "normalized_minus_one_to_one");
  if (s.failed())
    return std::nullopt;
  ArrayRef<int64_t> in = shapeOf(image.x);
  auto isSize = [](int64_t size) { return size >= 1 && size <= maxFactors; };
  if (mode != "normalized_minus_one_to_one")
    s.error() << "coordinates_mode is '" << mode
              << "', but normalized_minus_one_to_one is known";
  else if (in.size() != 4 ||
           shapeOf(image.matrix) != ArrayRef<int64_t>({in[0], 6}) ||
           !isa<FloatType>(getElementTypeOrSelf(image.x)))
    s.error() << "has images of " << image.x.getType() << " and matrices of "
              << image.matrix.getType()
              << ", but must have images of rank 4 and six numbers for each";
  else if (!isSize(image.rows) || !isSize(image.columns))
    s.error() << "makes images of " << image.rows << " x " << image.columns
              << ", but both must be in [1, " << maxFactors << "]";
  if (s.failed())
    return std::nullopt;
  image.gridRows = placesOfPixels(image.rows, image.sampling.alignsCorners);
  image.gridColumns =
      placesOfPixels(image.columns, image.sampling.alignsCorners);
  return image;
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// What halves count in pixels, and some turns of any image.
constexpr double maxReflected = 1 << 14;

/// Between `low` and `low` + `span` and back.
static Value reflect(Statement &s, Value place, double low, double span) {
  if (span == 0)
    return s.binary(ElementwiseKind::Mul, place, 0.0);
  Value distance = s.activation(s.binary(ElementwiseKind::Sub, place, low),
                                ActivationKind::Abs);
  Value turns = s.activation(s.binary(ElementwiseKind::Mul, distance, 1 / span),
                             ActivationKind::Floor);
  Value rest = s.binary(ElementwiseKind::Sub, distance,
                        s.binary(ElementwiseKind::Mul, turns, span));
  // 1 on the way back, else 0: twice the fraction of half of the turns.
  Value half = s.binary(ElementwiseKind::Mul, turns, 0.5);
  Value isBack = s.binary(ElementwiseKind::Mul,
                          s.binary(ElementwiseKind::Sub, half,
                                   s.activation(half, ActivationKind::Floor)),
                          2.0);
  Value turned = s.binary(ElementwiseKind::Sub,
                          s.binary(ElementwiseKind::Mul, rest, -2.0), -span);
  rest = s.binary(ElementwiseKind::Add, rest,
                  s.binary(ElementwiseKind::Mul, isBack, turned));
  return s.binary(ElementwiseKind::Add, rest, low);
}

/// The weights of `extent` rows or columns at coordinates B x 1 x 1 x P: B x 1
/// x extent x P.
static Value weightsOf(Statement &s, const Sampling &sampling, Value places,
                       int64_t extent) {
  // Around 0, where f16 has more digits, the middle of the image is best.
  double offset = sampling.offsetOf(extent);
  double shift = sampling.isNearest || sampling.reflects ? 0 : offset;
  places = s.binary(ElementwiseKind::Mul, places, sampling.scaleOf(extent));
  if (offset != shift)
    places = s.binary(ElementwiseKind::Add, places, offset);
  constexpr double most = maxReflected;
  if (sampling.reflects)
    places =
        reflect(s, s.activation(places, ActivationKind::Clamp, -most, most),
                sampling.lowOf(), sampling.spanOf(extent));
  // No pixel is nearer than one to what is further outside.
  double around = sampling.keepsInside ? 0 : 2;
  places = s.activation(places, ActivationKind::Clamp, -around - shift,
                        double(extent - 1) + around - shift);
  if (sampling.isNearest)
    places = s.activation(places, ActivationKind::Round);
  if (s.failed())
    return {};
  std::vector<float> pixels(extent);
  for (int64_t i = 0; i < extent; ++i)
    pixels[i] = static_cast<float>(double(i) - shift);
  Value row = s.constantOf({1, 1, extent, 1}, pixels);
  if (sampling.isNearest)
    return s.build<CompareOp>(CompareKind::Equal, places, row);
  Value distance = s.activation(s.binary(ElementwiseKind::Sub, places, row),
                                ActivationKind::Abs);
  return s.activation(s.binary(ElementwiseKind::Add,
                               s.binary(ElementwiseKind::Mul, distance, -1.0),
                               1.0),
                      ActivationKind::Relu);
}

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

/// `placesOf` gives the coordinates of `count` rows of the result from `first`
/// on, B x 1 x 2 x pixels: columns, then rows.
static Value
sampleImage(Statement &s, const SampledImage &sampled,
            function_ref<Value(int64_t first, int64_t count)> placesOf) {
  const Sampling &sampling = sampled.sampling;
  // A row of a matrix that every engine has.
  constexpr int64_t maxSamples = int64_t(1) << 14;
  ArrayRef<int64_t> in = shapeOf(sampled.x);
  int64_t images = in[0], channels = in[1], rows = in[2], columns = in[3];
  int64_t work = images;
  for (int64_t factor : {sampled.rows, sampled.columns, rows, columns})
    work = llvm::SaturatingMultiply<uint64_t>(work, factor);
  if (work > maxFactors || sampled.columns > maxSamples) {
    s.error() << "samples images of " << rows << " x " << columns << " at "
              << sampled.rows << " x " << sampled.columns
              << " places, but compares at most " << maxFactors
              << " pixels with places; sample smaller images, or on the host";
    return {};
  }
  // What is around the image is 0 then.
  bool isShifted = !sampling.keepsInside && sampling.padding != 0;
  Value image = s.toData(sampled.x);
  if (isShifted)
    image = s.binary(ElementwiseKind::Sub, image, sampling.padding);
  image = s.reshape(image, {images, 1, channels * rows, columns});
  int64_t step = std::max<int64_t>(1, maxSamples / sampled.columns);
  SmallVector<Value> parts;
  for (int64_t first = 0; first < sampled.rows && !s.failed(); first += step) {
    int64_t count = std::min(step, sampled.rows - first),
            samples = count * sampled.columns;
    Value places = placesOf(first, count);
    Value ofColumns =
        weightsOf(s, sampling, s.sliceAxis(places, 2, 0, 1), columns);
    Value ofRows = weightsOf(s, sampling, s.sliceAxis(places, 2, 1, 1), rows);
    if (s.failed())
      return {};
    Value y = s.matmul(image, ofColumns, false, false);
    y = s.reshape(y, {images, channels, rows, samples});
    y = s.reduce(ReduceKind::Sum, s.binary(ElementwiseKind::Mul, y, ofRows), 2);
    if (isShifted)
      y = s.binary(ElementwiseKind::Add, y, sampling.padding);
    parts.push_back(s.reshape(y, {images, channels, count, sampled.columns}));
  }
  return s.failed() ? Value() : s.concat(parts, 2);
}

static Value importResample(Statement &s) {
  std::optional<SampledImage> sampled = readResample(s);
  if (!sampled)
    return {};
  ArrayRef<int64_t> in = shapeOf(sampled->x);
  // Infinities times 0 would be no numbers, wherever a product moves them.
  auto [left, right] = sampled->sampling.boundsOf(in[3], maxReflected);
  auto [top, bottom] = sampled->sampling.boundsOf(in[2], maxReflected);
  Value coordinates =
      s.activation(s.toData(sampled->coordinates), ActivationKind::Clamp,
                   std::min(left, top), std::max(right, bottom));
  if (s.failed())
    return {};
  return sampleImage(s, *sampled, [&](int64_t first, int64_t count) {
    Value part = s.reshape(s.sliceAxis(coordinates, 1, first, count),
                           {in[0], 1, count * sampled->columns, 2});
    return part ? s.transpose(part, {0, 1, 3, 2}) : Value();
  });
}

// affine_grid of PyTorch before grid_sample: (x, y) = A (column, row, 1).
static Value importAffine(Statement &s) {
  std::optional<SampledImage> sampled = readAffine(s);
  if (!sampled)
    return {};
  Value matrix =
      s.reshape(s.toData(sampled->matrix), {shapeOf(sampled->x)[0], 1, 2, 3});
  return sampleImage(s, *sampled, [&](int64_t first, int64_t count) {
    int64_t columns = sampled->columns, samples = count * columns;
    std::vector<float> grid(3 * samples, 1.0f);
    for (int64_t i = 0; i < samples; ++i) {
      grid[i] = sampled->gridColumns[i % columns];
      grid[samples + i] = sampled->gridRows[first + i / columns];
    }
    return s.matmul(matrix, s.constantOf({1, 1, 3, samples}, grid), false,
                    false);
  });
}

void mlir::ane::addMILSamplingImport(MILImporter &importer) {
  importer.takeIntegers({"resample"});
  importer.add("affine", importAffine);
  importer.add("resample", importResample);
}
