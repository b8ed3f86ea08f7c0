//===- LoweringPolicy.h - Choices of a flavour in tasks ---------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most ops can be taken apart in several ways, and tasks formed in several
// orders. A flavour answers such questions through one of these; no pass asks
// which flavour it is. There is one struct for each family of ops, with the
// questions of that family as fields, and two functions for what no field can
// say: patterns that ane-expand-ops tries before its own, and tasks that
// ane-form-tasks writes instead of its own.
//
// MemoryPolicy.h has the choices in L2, ane/Flavours/Flavour.h those in
// registers.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_LOWERINGPOLICY_H
#define ANE_DIALECT_ANE_TRANSFORMS_LOWERINGPOLICY_H

#include "ane/HW/Generation.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace mlir {
class RewritePatternSet;
namespace func {
class FuncOp;
} // namespace func
} // namespace mlir

namespace mlir::ane {

struct DecomposeOptions;
class ElementwiseOp;
class TaskEmitter;

/// Convolutions, and tasks of the NEs without a kernel.
struct ConvChoices {
  /// Whether tasks for parts of the channels of a result load their source of
  /// the given shape once, since it fits in L2. Null: each loads it.
  bool (*keepsSource)(ArrayRef<int64_t> shape) = nullptr;
  /// Parts of a convolution with stride 2 name as many lanes as the whole
  /// would have.
  bool lanesOfWhole = false;
  /// A number after a convolution without bias becomes the factor of the
  /// engine, not a factor of the weights.
  bool scalesResults = false;
  /// A row times a constant matrix, and the mean of every plane, stay what they
  /// are instead of becoming convolutions.
  bool leavesRowProducts = false;
  bool leavesPlaneMeans = false;
  /// A depth-to-space of a result moves after the next convolution, or through
  /// L2, where that is possible; else the tile DMA interleaves what it stores.
  bool movesShuffles = false;
  /// A stride stays where the window does not move.
  bool keepsIdleStrides = false;
  /// The sum of two pointwise convolutions, one with a stride, is one over the
  /// channels of both.
  bool addsInProducts = false;
  /// Tasks are so small that the coefficients of the next load beside theirs.
  bool doubleBuffers = false;
  /// A constant that is added to a product with a constant matrix becomes its
  /// bias.
  bool biasesProducts = false;
  /// A factor and a summand for each channel of the input go into weights and
  /// bias.
  bool foldsInputFactors = false;
  /// Layers without a function between them become one, and a layer works on
  /// the pixels before they are resized.
  bool fusesLayers = false;
  /// Sums over input channels are cut where the coefficients of one output
  /// channel exceed the buffer of an NE.
  bool cutsToKernelBuffer = false;
  /// More output channels than a tensor has become several images.
  bool splitsOutputChannels = false;
  /// Where few output channels leave engines idle, taps of the window become
  /// output channels.
  bool movesTapsToChannels = false;
  /// Convolutions that enlarge an image have a window for each phase.
  bool splitsPhases = false;
  /// Strides that are powers of two become smaller ones after each other; from
  /// this multiple of the engine's largest on, blocks of pixels become channels
  /// instead. 0: none do.
  int64_t minBlockStrides = 0;
  /// Windows of mostly zeros become sums of their taps, or shifted products.
  bool skipsZeroTaps = false;
};

/// Functions of elements, copies, comparisons.
struct PlanarChoices {
  /// Reports an op that the compiler of the flavour refuses; it does so before
  /// anything is taken apart. Null, here and below: the general way is right.
  LogicalResult (*check)(Operation *op) = nullptr;
  /// Patterns that come before those of every flavour.
  void (*populatePatterns)(RewritePatternSet &patterns,
                           const DecomposeOptions &options) = nullptr;
  /// Writes the tasks of an op. None leaves the op to the general way.
  std::optional<LogicalResult> (*emit)(TaskEmitter &emitter,
                                       Operation *op) = nullptr;
  /// A power of what may be below zero has its sign; without, it is what
  /// logarithms give, and is defined above zero only.
  bool powersHaveSigns = false;
  /// A quotient by what may be below 1.5e-5, whose reciprocal f16 does not
  /// hold, is taken of multiples of both.
  bool dividesBySmall = false;
  /// A constant of one value for each channel is a tensor that the PE reads
  /// from L2, also if all values are equal; it does not become weights or a
  /// number.
  bool keepsChannelConstants = false;
  /// Whether a task of the op, which repeats an operand along the batch, goes
  /// through all images. Null: never, each image is an op of its own.
  bool (*repeatsBatch)(ElementwiseOp op,
                       const ::ane::hw::GenerationInfo &info) = nullptr;
  /// Angles that are products with constants are reduced to one turn before
  /// they are rounded.
  bool reducesAngles = false;
  /// silu, gelu and their like are x times a table of f(x) / x.
  bool separatesGates = false;
  /// Tables that are bent near zero get a larger argument.
  bool stretchesTables = false;
  /// The slope of a hard sigmoid gets a factor with which f16 has it exactly.
  bool scalesSlopes = false;
  /// Images that L2 does not hold are resized along the columns first.
  bool resizesColumnsFirst = false;
  /// A slice that a concat needs elsewhere is copied as soon as it is there.
  bool copiesSlicesEarly = false;
};

/// What takes several tasks: products of matrices, norms, reductions.
struct SequenceChoices {
  /// Whether formTasks writes the tasks of a function as a whole; then
  /// ane-choose-form marks it (`ane.sequence`), and its ops are left as they
  /// are until tasks are formed. Null: of none.
  bool (*takes)(func::FuncOp func,
                const ::ane::hw::GenerationInfo &info) = nullptr;
  void (*formTasks)(func::FuncOp func,
                    const ::ane::hw::GenerationInfo &info) = nullptr;
  /// A maximum of channels is one pass of the NEs.
  bool reducesChannels = false;
  /// A norm of channels leaves them channels, and its factors go into the
  /// weights after it.
  bool normsChannelsInPlace = false;
  /// A number for each channel is subtracted in the pass that squares the
  /// differences, or multiplies them.
  bool centresOnTheWay = false;
  /// The keys of attention are channels, so that neither scores nor weights
  /// become coefficients.
  bool keysAreChannels = false;
  /// Tokens, the rows that weights multiply, are columns of images, and
  /// features are channels.
  bool tokensAreColumns = false;
  /// Only those that have fewer tasks or move fewer bytes than op by op, which
  /// ane-choose-form finds out by trying both.
  bool onlyWhereLess = false;
};

/// Tensors that L2 does not hold.
struct TilingChoices {
  /// ane-plan-tiles looks for ops that are better cut together.
  bool searches = false;
  /// Batches are cut into images, and wide images by columns where that is
  /// faster (ane-tile-images).
  bool cutsImages = false;
  /// Values are computed again that would wait in DRAM.
  bool rematerializes = false;
  /// Channels between two convolutions are computed in tiles.
  bool cutsHiddenChannels = false;
  /// What lies between the layers of long sequences of tokens is, too.
  bool cutsTokens = false;
  /// Ops on rows that L2 does not hold are computed part by part.
  bool cutsRowsTogether = false;
};

struct LoweringPolicy {
  llvm::StringLiteral flavour;
  ConvChoices conv;
  PlanarChoices planar;
  SequenceChoices sequences;
  TilingChoices tiling;
};

/// What rewrites of ops that the engine does not have in one pass look at.
struct DecomposeOptions {
  const ::ane::hw::GenerationInfo &generation;
  /// Leave ops to mechanisms of the engine that no real program shows.
  bool allowUnproven;
  const LoweringPolicy &policy;
};

/// What a pass lowers for.
struct LoweringTarget {
  const ::ane::hw::GenerationInfo *generation;
  const LoweringPolicy *policy;
};

/// The target of the module around `op`; reports an unknown flavour there.
FailureOr<LoweringTarget> getLoweringTarget(Operation *op,
                                            llvm::StringRef flavour);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_LOWERINGPOLICY_H
