//===- Window.h - The loops of a convolution or pooling ---------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ImportWindows.cpp reads off the maps of a linalg op, and how operands
// become images and results come back from them.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_LINALGTOANE_WINDOW_H
#define ANE_LIB_CONVERSION_LINALGTOANE_WINDOW_H

#include "ImportLinalg.h"

#include "ane/Dialect/ANE/Utils/Volume.h"

namespace mlir {
namespace ane {

/// A dimension of the input along which a window moves.
struct Axis {
  int64_t dim;
  unsigned output;
  std::optional<unsigned> kernel; // none: every stride-th element
  int64_t stride = 1, dilation = 1;
};

/// The loops of a convolution or pooling, by what they are to it.
struct Window {
  SmallVector<unsigned> images, groups, inputs, outputs;
  SmallVector<Axis> axes;
  SmallVector<int64_t> ranges;
  /// Dimensions of the input that follow each loop, or none.
  SmallVector<int64_t> inputDims, unitDims;

  int64_t size(ArrayRef<unsigned> loops) const {
    int64_t size = 1;
    for (unsigned loop : loops)
      size *= ranges[loop];
    return size;
  }
  int64_t kernelSize(const Axis &axis) const {
    return axis.kernel ? ranges[*axis.kernel] : 1;
  }
};

/// The input as images x channels x two or three axes, the first of them of
/// size 1 for a row. `images` and `channels` are loops.
Value toImages(FunctionImporter &importer, Location loc, Value value,
               const Window &window, ArrayRef<unsigned> images,
               ArrayRef<unsigned> channels);
/// `value`, images x channels x axes, with the dimensions of the result.
Value toResult(FunctionImporter &importer, linalg::LinalgOp op, Value value,
               const Window &window, ArrayRef<unsigned> images,
               ArrayRef<unsigned> channels);
/// The convolution of `x`, images x channels x two axes, with `kernel`.
Value convolve(FunctionImporter &importer, Location loc, Value x, Value kernel,
               Value bias, const Window &window, int64_t groups);
VolumeWindow toVolume(const Window &window);

/// Imports the sum, the largest or the least element of each window.
LogicalResult importPool(FunctionImporter &importer, linalg::LinalgOp op,
                         const Window &window, ReduceKind kind);

} // namespace ane
} // namespace mlir

#endif // ANE_LIB_CONVERSION_LINALGTOANE_WINDOW_H
