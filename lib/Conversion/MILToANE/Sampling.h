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
  /// Pixels are reflected at `lowOf`, and `spanOf` further.
  double lowOf() const { return repeatsEdges ? -0.5 : 0; }
  double spanOf(int64_t extent) const {
    return double(repeatsEdges ? extent : extent - 1);
  }
};

/// The modes of a statement, or an error.
Sampling readSampling(Statement &s);
/// Checks images and coordinates of 'resample'.
bool checkResample(Statement &s, Value x, Value coordinates);
/// Reads the sizes of the result of 'affine', and checks images and matrices.
bool readAffine(Statement &s, Value x, Value matrix, int64_t (&sizes)[2]);
/// The places of `count` pixels from -1 to 1: their centres, or where corners
/// are aligned those of the outermost at the ends.
std::vector<float> placesOfPixels(int64_t count, bool alignsCorners);

} // namespace mlir::ane

#endif // ANE_LIB_CONVERSION_MILTOANE_SAMPLING_H
