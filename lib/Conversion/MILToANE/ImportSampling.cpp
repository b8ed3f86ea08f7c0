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

Sampling mlir::ane::readSampling(Statement &s) {
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

bool mlir::ane::checkResample(Statement &s, Value x, Value coordinates) {
  if (s.failed())
    return false;
  ArrayRef<int64_t> in = shapeOf(x), grid = shapeOf(coordinates);
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(x));
  if (in.size() == 4 && grid.size() == 4 && grid[3] == 2 && grid[0] == in[0] &&
      isFloat)
    return true;
  s.error() << "has images of " << x.getType() << " and coordinates of "
            << coordinates.getType()
            << ", but must have images of rank 4 and for each of them a grid "
               "of two coordinates";
  return false;
}

bool mlir::ane::readAffine(Statement &s, Value x, Value matrix,
                           int64_t (&sizes)[2]) {
  int64_t height = s.integer("output_height"),
          width = s.integer("output_width");
  StringRef mode = s.string("coordinates_mode", "normalized_minus_one_to_one");
  if (s.failed())
    return false;
  ArrayRef<int64_t> in = shapeOf(x);
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(x));
  if (mode != "normalized_minus_one_to_one")
    s.error() << "coordinates_mode is '" << mode
              << "', but normalized_minus_one_to_one is known";
  else if (in.size() != 4 || shapeOf(matrix) != ArrayRef<int64_t>({in[0], 6}) ||
           !isFloat)
    s.error() << "has images of " << x.getType() << " and matrices of "
              << matrix.getType()
              << ", but must have images of rank 4 and six numbers for each";
  else if (height < 1 || width < 1 || height > mostFactors ||
           width > mostFactors)
    s.error() << "makes images of " << height << " x " << width
              << ", but both must be in [1, " << mostFactors << "]";
  sizes[0] = height;
  sizes[1] = width;
  return !s.failed();
}

std::vector<float> mlir::ane::placesOfPixels(int64_t count,
                                             bool alignsCorners) {
  std::vector<float> places(count, 0.0f);
  for (int64_t i = 0; i < count; ++i)
    if (!alignsCorners)
      places[i] = (2.0 * i + 1) / count - 1;
    else if (count > 1)
      places[i] = 2.0 * i / (count - 1) - 1;
  return places;
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

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
  // Differences of infinities would be no numbers.
  constexpr double most = 1 << 14;
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
sampleImages(Statement &s, Value x, const Sampling &sampling,
             const int64_t (&sizes)[2],
             function_ref<Value(int64_t first, int64_t count)> placesOf) {
  // A row of a matrix that every engine has.
  constexpr int64_t mostSamples = int64_t(1) << 14;
  ArrayRef<int64_t> in = shapeOf(x);
  int64_t images = in[0], channels = in[1], rows = in[2], columns = in[3];
  int64_t work = images;
  for (int64_t factor : {sizes[0], sizes[1], rows, columns})
    work = llvm::SaturatingMultiply<uint64_t>(work, factor);
  if (work > mostFactors || sizes[1] > mostSamples) {
    s.error() << "samples images of " << rows << " x " << columns << " at "
              << sizes[0] << " x " << sizes[1]
              << " places, but compares at most " << mostFactors
              << " pixels with places; sample smaller images, or on the host";
    return {};
  }
  // What is around the image is 0 then.
  bool isShifted = !sampling.keepsInside && sampling.padding != 0;
  Value image = s.toData(x);
  if (isShifted)
    image = s.binary(ElementwiseKind::Sub, image, sampling.padding);
  image = s.reshape(image, {images, 1, channels * rows, columns});
  int64_t step = std::max<int64_t>(1, mostSamples / sizes[1]);
  SmallVector<Value> parts;
  for (int64_t first = 0; first < sizes[0] && !s.failed(); first += step) {
    int64_t count = std::min(step, sizes[0] - first),
            samples = count * sizes[1];
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
    parts.push_back(s.reshape(y, {images, channels, count, sizes[1]}));
  }
  return s.failed() ? Value() : s.concat(parts, 2);
}

static Value importResample(Statement &s) {
  Value x = s.tensor("x"), coordinates = s.tensor("coordinates");
  if (s.failed())
    return {};
  Sampling sampling = readSampling(s);
  coordinates = s.toData(coordinates);
  if (!checkResample(s, x, coordinates))
    return {};
  ArrayRef<int64_t> grid = shapeOf(coordinates);
  int64_t images = grid[0], sizes[2] = {grid[1], grid[2]};
  return sampleImages(s, x, sampling, sizes, [&](int64_t first, int64_t count) {
    Value part = s.reshape(s.sliceAxis(coordinates, 1, first, count),
                           {images, 1, count * sizes[1], 2});
    return part ? s.transpose(part, {0, 1, 3, 2}) : Value();
  });
}

// affine_grid of PyTorch before grid_sample: (x, y) = A (column, row, 1).
static Value importAffine(Statement &s) {
  Value x = s.tensor("x"), matrix = s.tensor("transform_matrix");
  int64_t sizes[2];
  if (s.failed())
    return {};
  Sampling sampling = readSampling(s);
  if (!readAffine(s, x, matrix, sizes))
    return {};
  matrix = s.reshape(s.toData(matrix), {shapeOf(x)[0], 1, 2, 3});
  return sampleImages(s, x, sampling, sizes, [&](int64_t first, int64_t count) {
    auto rows = placesOfPixels(sizes[0], sampling.alignsCorners),
         columns = placesOfPixels(sizes[1], sampling.alignsCorners);
    int64_t samples = count * sizes[1];
    std::vector<float> grid(3 * samples, 1.0f);
    for (int64_t i = 0; i < samples; ++i) {
      grid[i] = columns[i % sizes[1]];
      grid[samples + i] = rows[first + i / sizes[1]];
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
