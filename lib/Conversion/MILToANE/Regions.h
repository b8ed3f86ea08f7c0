//===- Regions.h - What the text says of crop_resize ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Boxes of an image, each resized to one size, as crop_and_resize of TensorFlow
// has them: what lies outside of the image is one value.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_MILTOANE_REGIONS_H
#define ANE_LIB_CONVERSION_MILTOANE_REGIONS_H

#include "Statement.h"

namespace mlir::ane {

struct Regions {
  Value x;
  StringRef argument;    ///< which has the boxes: boxes x 4, or of rank 5
  int64_t count, fields; ///< boxes, and numbers of each
  bool isFlat;           ///< boxes x 4
  int64_t sizes[2];      ///< rows and columns of the result
  double scale[2];       ///< from coordinates to pixels
  bool isHeightFirst, isOffset;
  double padding;

  /// Of all images, where a box does not say of which.
  bool ofAllImages() const { return !isFlat && fields == 4; }
  /// Where the first and the last coordinate along an axis stand.
  int64_t startOf(int axis) const {
    return fields - 4 + (isHeightFirst ? axis : 1 - axis);
  }
  int64_t endOf(int axis) const { return startOf(axis) + 2; }
  /// Sample `i` stands so far from the start towards the end.
  double shareOf(int axis, int64_t i) const {
    if (isOffset)
      return (i + 0.5) / sizes[axis];
    return sizes[axis] > 1 ? double(i) / double(sizes[axis] - 1) : 0.5;
  }
  SmallVector<int64_t> resultShape() const;
};

/// Nothing after an error.
std::optional<Regions> readRegions(Statement &s);

} // namespace mlir::ane

#endif // ANE_LIB_CONVERSION_MILTOANE_REGIONS_H
