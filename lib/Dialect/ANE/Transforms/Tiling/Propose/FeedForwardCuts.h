//===- FeedForwardCuts.h - How hidden layers are cut ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Into how many parts a layer between two convolutions is cut, and into how
// many strips: what fits L2, and what takes less time
// (DecomposeFeedForward.cpp, which says why).
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
  /// The sum of the result and a shortcut: sums start with the shortcut.
  ElementwiseOp shortcut;
  /// If the layer passes through DRAM, so that input and sum need not be in L2
  /// at once: channels of the layer that are computed at a time.
  int64_t stored = 0;
};

/// A cut layer in strips of columns.
struct CutStrips {
  int64_t count = 1;
  Cut cut;
};

/// Strips of a layer that is not cut, and the time that it takes in them.
struct Strips {
  double count = 0, seconds = 0;
};

/// Channels of one of so many parts: whole rounds of the engines.
int64_t channelsOfPart(ConvOp op, int64_t parts, int64_t engines);

/// Whether L2 holds the layer as it is.
bool fits(ConvOp op, const Layer &layer, const ::ane::hw::GenerationInfo &info);

/// The cut with which L2 holds one of `strips` strips.
std::optional<Cut> findCut(ConvOp op, const Layer &layer, int64_t strips,
                           const ::ane::hw::GenerationInfo &info);

/// Strips of rows, or of columns if there is one row, as high as L2 has room
/// for, with `step` channels of the layer at a time.
Strips stripsOf(ConvOp op, const Layer &layer, int64_t step,
                const ::ane::hw::GenerationInfo &info);

/// The fewest strips that a cut layer needs, if its weights are then read less
/// often than for strips of the layer as it is. What this saves pays for the
/// additions.
std::optional<CutStrips> findStrips(ConvOp op, const Layer &layer,
                                    const ::ane::hw::GenerationInfo &info);

/// The best strips with the layer in DRAM, if they take less time than
/// `others`, or without these than strips of the layer as it is.
std::optional<CutStrips>
findStoredStrips(ConvOp op, const Layer &layer,
                 const std::optional<CutStrips> &others,
                 const ::ane::hw::GenerationInfo &info);

} // namespace mlir::ane::feedforward

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_FEEDFORWARDCUTS_H
