//===- Fuse.h - The parts of ane-fuse ---------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ane-fuse runs in seven steps, each of which leaves what the next one matches:
//  1. idioms (FuseIdioms.cpp): several ops that are one function of the engine;
//  2. affine maps (FuseAffine.cpp): batch norm and the like into weights;
//  3. parts of convolutions (FuseSlices.cpp), where the flavour wants it, whose
//     affine maps are then fused, too;
//  4. the surroundings of an op (Fuse.cpp, FuseWindows.cpp): padding and
//     cropping into windows, scalars and activations into epilogues;
//  5. layers between tokens and images (FusePixels.cpp), where the flavour
//     wants it;
//  6. layers with no function between them (FuseLayers.cpp), where strips are
//     planned;
//  7. sums of convolutions (FuseSums.cpp), where the flavour wants it.
// A value that somebody else uses too is computed anyway and is never fused.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_FUSE_FUSE_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_FUSE_FUSE_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/HW/Chip.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::ane {

class BlobUses;

struct FuseCounts {
  int64_t idioms = 0;
  int64_t affine = 0; ///< elementwise ops that went into weights
  int64_t windows = 0;
  int64_t epilogues = 0;
  int64_t sums = 0;   ///< of convolutions
  int64_t slices = 0; ///< convolutions of which there are parts
  int64_t layers = 0; ///< that became one, or are on smaller images
};

/// A pattern that counts.
template <typename OpT> struct CountedPattern : OpRewritePattern<OpT> {
  CountedPattern(MLIRContext *context, FuseCounts &counts)
      : OpRewritePattern<OpT>(context), counts(counts) {}
  FuseCounts &counts;
};

void populateIdiomPatterns(RewritePatternSet &patterns,
                           const LoweringPolicy &policy, FuseCounts &counts);
void populatePlanePatterns(RewritePatternSet &patterns);
void populateSlicePatterns(RewritePatternSet &patterns, FuseCounts &counts);
void populatePixelPatterns(RewritePatternSet &patterns);
void populateLayerPatterns(RewritePatternSet &patterns,
                           const ::ane::hw::ChipInfo &chip, FuseCounts &counts);
void populateSumPatterns(RewritePatternSet &patterns, FuseCounts &counts);
void populateWindowPatterns(RewritePatternSet &patterns, FuseCounts &counts);
void fuseAffineMaps(Operation *root, const LoweringPolicy &policy,
                    BlobUses &uses, FuseCounts &counts);

/// Whether it is a layer of each pixel or token for itself.
bool isOfPixels(ConvOp op);

/// Whether no element of `value` is below 0, by the op that makes it.
bool isNeverNegative(Value value);

/// The other operand and the splat's value, when one operand of `op` is a splat
/// that does not broadcast the other.
struct ScalarOperand {
  Value data;
  double scalar;
  bool scalarIsLhs;
};
std::optional<ScalarOperand> matchScalarOperand(ElementwiseOp op);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_FUSE_FUSE_H
