//===- Volume.h - Convolution and pooling of volumes ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Volumes, N x C x D x H x W, computed with ops over images. What importers
// find of rank 5 becomes ops of rank 4 here.
//
// Planes of a volume lie one after the other as channels, D * C of them, so
// that those under a window are a slice: its taps along the depth are input
// channels of one convolution. Where the window leaves the volume, it has fewer
// of them, and no plane of zeros is made.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_UTILS_VOLUME_H
#define ANE_DIALECT_ANE_UTILS_VOLUME_H

#include "ane/Dialect/ANE/IR/ANE.h"

#include <optional>
#include <string>

namespace mlir::ane {

/// How a window moves over the depth, the rows and the columns of a volume.
struct VolumeWindow {
  int64_t kernel[3] = {1, 1, 1}, strides[3] = {1, 1, 1};
  int64_t dilations[3] = {1, 1, 1};
  /// In front of and after the planes, above and below the rows, left and
  /// right of the columns.
  int64_t pad[6] = {0, 0, 0, 0, 0, 0};

  /// What a dimension of the window covers.
  int64_t extent(int axis) const {
    return (kernel[axis] - 1) * dilations[axis] + 1;
  }
  /// How many windows there are along a dimension of `size` elements.
  int64_t count(int64_t size, int axis) const {
    return (size + pad[2 * size_t(axis)] + pad[2 * size_t(axis) + 1] -
            extent(axis)) /
               strides[axis] +
           1;
  }
  /// What a transposed convolution makes of `size` elements.
  int64_t countTransposed(int64_t size, int axis) const {
    return (size - 1) * strides[axis] + extent(axis) - pad[2 * size_t(axis)] -
           pad[2 * size_t(axis) + 1];
  }
};

/// Why a convolution of a volume of `shape` would take more ops of images than
/// any program has tasks; nothing if it does not. Ask before the functions
/// below, which make so many ops.
std::optional<std::string> checkVolume(ArrayRef<int64_t> shape,
                                       const VolumeWindow &window,
                                       int64_t groups, bool isTransposed);
/// The same of a pooling.
std::optional<std::string> checkVolumePool(const VolumeWindow &window);

/// The convolution of `x` with `weight`, O x C / groups x KD x KH x KW. `bias`
/// has one element for each of the O channels, or is null. Zeros that an
/// ane.pad put around `x` are padding, too.
Value convolveVolume(OpBuilder &builder, Location loc, Value x, Value weight,
                     Value bias, VolumeWindow window, int64_t groups);

/// The same of images and the rows and columns of a window. Of `element` if
/// that is given, else as `x`.
Value convolveImage(OpBuilder &builder, Location loc, Value x, Value weight,
                    Value bias, const VolumeWindow &window, int64_t groups,
                    Type element = {});

/// The transposed convolution of `x` with `weight`, C x O / groups x KD x KH x
/// KW; `pad` is what the result is shorter than all that windows reach.
Value convolveVolumeTransposed(OpBuilder &builder, Location loc, Value x,
                               Value weight, Value bias,
                               const VolumeWindow &window, int64_t groups);

/// The largest element or the mean of each window; a mean divides by what is
/// inside of the volume, or by all of the window if `countPadding`.
Value poolVolume(OpBuilder &builder, Location loc, PoolKind kind, Value x,
                 const VolumeWindow &window, bool countPadding);

/// The same of images and the rows and columns of a window.
Value poolImage(OpBuilder &builder, Location loc, PoolKind kind, Value x,
                const VolumeWindow &window, bool countPadding);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_UTILS_VOLUME_H
