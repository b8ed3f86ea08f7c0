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
#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/FunctionPattern.h"
#include "ane/Dialect/ANE/Utils/Predicates.h"
#include "ane/HW/Chip.h"

namespace mlir::ane {

class BlobUses;

void populateIdiomPatterns(RewritePatternSet &patterns,
                           const LoweringPolicy &policy,
                           Pass::Statistic &count);
void populatePlanePatterns(RewritePatternSet &patterns);
void populateSlicePatterns(RewritePatternSet &patterns, Pass::Statistic &count);
void populatePixelPatterns(RewritePatternSet &patterns);
void populateLayerPatterns(RewritePatternSet &patterns,
                           const ::ane::hw::ChipInfo &chip,
                           Pass::Statistic &count);
void populateSumPatterns(RewritePatternSet &patterns, Pass::Statistic &count);
void populateWindowPatterns(RewritePatternSet &patterns,
                            Pass::Statistic &count);
/// Counts the elementwise ops that go into weights.
void fuseAffineMaps(Operation *root, const LoweringPolicy &policy,
                    BlobUses &uses, Pass::Statistic &count);

/// Whether it is a layer of each pixel or token for itself.
bool isOfPixels(ConvOp op);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_FUSE_FUSE_H
