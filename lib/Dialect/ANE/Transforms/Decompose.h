//===- Decompose.h - Shared by the parts of ane-decompose -------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ane-decompose rewrites ops that the engine cannot do in one pass into ops
// that it can. A pattern that finds no way leaves its op alone: ane-legalize
// reports it with the row of the constraint table that stands in the way.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_DECOMPOSE_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_DECOMPOSE_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Transforms/LoweringPasses.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/HW/Generation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::ane {

struct DecomposeOptions {
  const ::ane::hw::GenerationInfo &generation;
  /// Leave ops to mechanisms of the engine that no real program shows.
  bool allowUnproven;
  const LoweringPolicy &policy;
};

/// softmax(Q K) V, before its products and its softmax.
void populateDecomposeAttentionPatterns(RewritePatternSet &patterns,
                                        const DecomposeOptions &options);
/// The same for few queries, where keys and values are not computed.
void populateFewQueriesPatterns(RewritePatternSet &patterns,
                                const DecomposeOptions &options);
/// Rotary embeddings, half by half.
void populateRotaryPatterns(RewritePatternSet &patterns,
                            const DecomposeOptions &options);
/// Two convolutions of one row that L2 does not hold.
void populateDecomposeColumnsPatterns(RewritePatternSet &patterns,
                                      const DecomposeOptions &options);
void populateDecomposeConvPatterns(RewritePatternSet &patterns,
                                   const DecomposeOptions &options);
/// Few output channels for large windows, when nothing moves behind them any
/// more.
void populateFewOutputsPatterns(RewritePatternSet &patterns,
                                const DecomposeOptions &options);
void populateDecomposeElementwisePatterns(RewritePatternSet &patterns,
                                          const DecomposeOptions &options);
/// Layers between two 1x1 convolutions that L2 does not hold.
void populateDecomposeFeedForwardPatterns(RewritePatternSet &patterns,
                                          const DecomposeOptions &options);
/// The same with all that is computed column by column around it, in strips of
/// columns, where L2 does not hold input and result either.
LogicalResult splitLongLayers(Operation *scope,
                              const DecomposeOptions &options);
/// Convolutions of rows that L2 does not hold, and what is computed column by
/// column with them, become strips of columns.
LogicalResult splitLongRows(Operation *scope, const DecomposeOptions &options);

/// Rows that are longer than one can be become images, with what is done to
/// them, and ops on rows that L2 does not hold become parts of a few columns.
/// Whether there are such parts.
bool cutLongRows(Operation *scope, const DecomposeOptions &options);

/// Gives functions in epilogues an argument that suits their table
/// (DecomposeTables.cpp).
void stretchTables(Operation *scope, const DecomposeOptions &options);
/// What becomes of products with tensors, up to the next layer with weights. A
/// column of it needs few columns as well, but attention takes all columns for
/// one block of keys after the other.
DenseSet<Operation *> findAttention(Operation *scope);
/// What `ops` need of it.
SmallVector<ConcatOp>
resultsOfAttention(ArrayRef<Operation *> ops,
                   const DenseSet<Operation *> &attention);
/// Attention of which only strips of columns are used: the sums of the first
/// one wait for it, in L2 where there is room.
void cutAttentionInStrips(ConcatOp results, DenseSet<Operation *> &attention,
                          const ::ane::hw::GenerationInfo &info);
/// Transposes of what is computed in strips.
void populateMovedStripsPatterns(RewritePatternSet &patterns,
                                 const DecomposeOptions &options);
/// The same where strips of pixels are needed in any case, last of the kind.
void populateSplitForStripsPatterns(RewritePatternSet &patterns,
                                    const DecomposeOptions &options);
/// Transposes, tiles, and what is done to columns; products of matrices.
void populateDecomposeLayoutPatterns(RewritePatternSet &patterns,
                                     const DecomposeOptions &options);
/// Comparisons and choices, and functions of several steps.
void populateDecomposeLogicPatterns(RewritePatternSet &patterns,
                                    const DecomposeOptions &options);
/// Norms of tokens whose mean is left to the convolutions behind them.
void populateAbsorbCentringPatterns(RewritePatternSet &patterns,
                                    const DecomposeOptions &options);
/// Factors and offsets of norms into what is behind them, before that is cut.
void populateNormFactorPatterns(RewritePatternSet &patterns,
                                const DecomposeOptions &options);
/// Norms of groups of channels, which strips of rows go through.
void populateGroupNormPatterns(RewritePatternSet &patterns,
                               const DecomposeOptions &options);
/// Softmax and norms.
void populateDecomposeNormPatterns(RewritePatternSet &patterns,
                                   const DecomposeOptions &options);
/// Zeros between the taps in place of a dilation; a 1 x 1 kernel just loses it.
LogicalResult spreadTaps(PatternRewriter &rewriter, ConvOp op);
struct ResizeTap;
/// An image whose dimension `dim` (2 or 3) has an element for each tap; a tap
/// of element -1 is a zero.
Value resampleDim(OpBuilder &builder, Location loc, Value image, unsigned dim,
                  ArrayRef<ResizeTap> taps,
                  const ::ane::hw::GenerationInfo &info);
/// Transposed convolutions as convolutions.
void populateDecomposeTransposedPatterns(RewritePatternSet &patterns,
                                         const DecomposeOptions &options);
/// Scales and biases of convolutions that arrive at run time.
void populateRuntimeEpiloguePatterns(RewritePatternSet &patterns,
                                     const DecomposeOptions &options);
/// Convolutions whose weights arrive at run time, as products of matrices.
void populateRuntimeConvPatterns(RewritePatternSet &patterns,
                                 const DecomposeOptions &options);
/// Windows of pools that no kernel covers.
void populateLargePoolPatterns(RewritePatternSet &patterns,
                               const DecomposeOptions &options);
void populateDecomposePoolPatterns(RewritePatternSet &patterns,
                                   const DecomposeOptions &options);
/// Images of another size, transposed convolutions with a stride.
void populateDecomposePhasesPatterns(RewritePatternSet &patterns,
                                     const DecomposeOptions &options);
void populateDecomposeResizePatterns(RewritePatternSet &patterns,
                                     const DecomposeOptions &options);
void populateDecomposeShapePatterns(RewritePatternSet &patterns,
                                    const DecomposeOptions &options);
/// Depth-to-space without DRAM, for the graph as the others leave it.
void populateShufflePatterns(RewritePatternSet &patterns,
                             const DecomposeOptions &options);
/// Windows and strides of convolutions that the engine does not have.
void populateDecomposeWindowPatterns(RewritePatternSet &patterns,
                                     const DecomposeOptions &options);
/// Patterns for the graph as the others leave it: parts that fit into L2.
void populateSplitPatterns(RewritePatternSet &patterns,
                           const DecomposeOptions &options);
void populateSplitConvPatterns(RewritePatternSet &patterns,
                               const DecomposeOptions &options);
/// Reshapes of the source format move behind what is done element by element,
/// and tensors of other ranks get four dimensions.
void populateNormRankPatterns(RewritePatternSet &patterns);
void populateLayoutRankPatterns(RewritePatternSet &patterns,
                                const DecomposeOptions &options);
void populateRankAbove4Patterns(RewritePatternSet &patterns,
                                const DecomposeOptions &options);
void populateRankPatterns(RewritePatternSet &patterns,
                          const DecomposeOptions &options);

/// Before `conv`, the sum of convolutions of `channels` of its input channels
/// each, rounded to f16 one by one; they have its attributes. The caller
/// replaces it.
Value sumOverInputChannels(OpBuilder &builder, ConvOp conv, int64_t channels);

/// What a function goes through that is tried: all phases of `options`.
void addTrialPasses(OpPassManager &pm, const LoweringOptions &options);
/// Whether `func`, which the flavour can write as a sequence, has then fewer
/// tasks or moves fewer bytes than op by op, or cannot be done that way.
bool needsLessAsSequence(func::FuncOp func, const LoweringOptions &options);

/// Weights that take the mean of `count` channels: 1 / count each. f16 has few
/// of these numbers, so the two next to it take turns: their sum is 1.
Value channelShares(OpBuilder &builder, Location loc, int64_t count);
/// Into how many parts of equal height an image is cut so that L2 holds two
/// planes of one.
int64_t partsOfPlane(RankedTensorType type,
                     const ::ane::hw::GenerationInfo &info);
/// Mean over `axes`. A plane that L2 does not hold is reduced part by part.
Value reduceMean(OpBuilder &builder, Location loc, Value value,
                 ArrayRef<int64_t> axes, const ::ane::hw::GenerationInfo &info);
/// 1 / sqrt(x + epsilon), with an epsilon that f16 has.
ActivationAttr rsqrtOf(MLIRContext *context, float epsilon);
/// That of the mean square of what has a mean of 0.
Value reciprocalDeviation(OpBuilder &builder, Location loc, Value centred,
                          ArrayRef<int64_t> axes, float epsilon,
                          const ::ane::hw::GenerationInfo &info);
/// The reciprocal deviation of all of a channel from those of parts of equal
/// size, in its rows, and how far the means that those are from are from that
/// of the channel, if they differ. f16 holds deviations where it does not hold
/// their squares.
Value joinDeviations(OpBuilder &builder, Location loc, Value factors,
                     Value distances = {});

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_DECOMPOSE_H
