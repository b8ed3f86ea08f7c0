//===- FeedForwardCuts.h - How hidden layers are cut ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Into how many slices of channels a layer between two convolutions can be cut,
// and into how many tiles of columns: what fits L2. DecomposeFeedForward.cpp
// says why, and PlanCost.h which is best.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_FEEDFORWARDCUTS_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_FEEDFORWARDCUTS_H

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/HW/Generation.h"

#include "llvm/ADT/SetVector.h"

namespace mlir::ane::feedforward {

/// What computes a layer, up to the convolutions that make its channels.
struct Layer {
  SetVector<Operation *> ops;
  SmallVector<ConvOp, 2> convs;
  int64_t weightBytes = 0, inputBytes = 0;
};

/// How a layer is cut.
struct Cut {
  int64_t hidden = 0;  ///< channels of the layer at a time
  int64_t outputs = 0; ///< channels that are added at a time
  /// Sums start with the shortcut that is added to the result.
  bool takesShortcut = false;
  /// If the layer passes through DRAM, so that input and sum need not be in L2
  /// at once: channels of the layer that are computed at a time.
  int64_t stored = 0;
};

/// A cut layer in tiles of columns.
struct CutTiles {
  int64_t count = 1;
  Cut cut;
};

/// Strips of a layer that is not cut, and the time that it takes in them.
struct Strips {
  double count = 0, seconds = 0;
};

/// What adds something as large to `op` and nothing else.
ElementwiseOp shortcutOf(ConvOp op);

/// Channels of one of so many parts: whole rounds of the engines.
int64_t channelsOfPart(ConvOp op, int64_t parts, int64_t engines);

/// Whether L2 holds the layer as it is.
bool fits(ConvOp op, const Layer &layer, const ::ane::hw::GenerationInfo &info);

/// Cuts with which L2 holds one tile, for one tile and, where the layer is
/// computed column by column, for several.
SmallVector<CutTiles> proposeCuts(ConvOp op, const Layer &layer,
                                  bool isOfColumns,
                                  const ::ane::hw::GenerationInfo &info);

/// Strips of rows, or of columns if there is one row, as high as L2 has room
/// for, with `step` channels of the layer at a time.
Strips stripsOf(ConvOp op, const Layer &layer, int64_t step,
                const ::ane::hw::GenerationInfo &info);

} // namespace mlir::ane::feedforward

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_FEEDFORWARDCUTS_H
