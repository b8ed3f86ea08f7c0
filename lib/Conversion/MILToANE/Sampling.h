//===- Sampling.h - How MIL samples an image --------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MIL's resample is the grid_sample of PyTorch, from where exporters take it,
// and affine is that after an affine_grid: a coordinate is a column, then a
// row; those from -1 to 1 name the centres of the outermost pixels where
// corners are aligned, else their edges. The engine and the host have it.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_MILTOANE_SAMPLING_H
#define ANE_LIB_CONVERSION_MILTOANE_SAMPLING_H

#include "Statement.h"

#include <optional>
#include <utility>
#include <vector>

namespace mlir::ane {

/// What the text says of a resample.
struct Sampling {
  bool isNearest, keepsInside, reflects;
  /// Reflection repeats the outermost pixels.
  bool repeatsEdges;
  bool alignsCorners, isNormalized;
  double lowest; ///< where normalized coordinates start: at -1 or 0
  double padding;

  /// A coordinate times `scale` plus `offset` is one in pixels of `extent`.
  double scaleOf(int64_t extent) const {
    if (!isNormalized)
      return 1;
    return double(alignsCorners ? extent - 1 : extent) / (lowest < 0 ? 2 : 1);
  }
  double offsetOf(int64_t extent) const {
    double edge = isNormalized && !alignsCorners ? 0.5 : 0;
    return isNormalized ? -lowest * scaleOf(extent) - edge : 0;
  }
  /// Finite coordinates around an image of `extent` pixels, which stand for all
  /// that are further out, infinities too. Those change nothing but what is
  /// reflected, up to `maxReflected` pixels away.
  std::pair<double, double> boundsOf(int64_t extent,
                                     double maxReflected) const {
    // Steps of halves are up to 32 where places end.
    double reach = reflects ? maxReflected : double(extent + 64);
    double scale = scaleOf(extent), offset = offsetOf(extent);
    // Where corners are aligned, one pixel is at all coordinates.
    if (scale == 0)
      return {-1, 1};
    return {(-reach - offset) / scale, (reach - offset) / scale};
  }
  /// Pixels are reflected at `lowOf`, and `spanOf` further.
  double lowOf() const { return repeatsEdges ? -0.5 : 0; }
  double spanOf(int64_t extent) const {
    return double(repeatsEdges ? extent : extent - 1);
  }
};

/// An image that is sampled, and where.
struct SampledImage {
  Value x;
  Sampling sampling;
  int64_t rows, columns; ///< of the result
  Value coordinates;     ///< of 'resample': images x rows x columns x 2
  /// Of 'affine': images x 6, and the grid that the matrices move.
  Value matrix;
  std::vector<float> gridRows, gridColumns;
};

/// What statements say, or an error.
std::optional<SampledImage> readResample(Statement &s);
std::optional<SampledImage> readAffine(Statement &s);

} // namespace mlir::ane

#endif // ANE_LIB_CONVERSION_MILTOANE_SAMPLING_H
